#include "cli/report.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/json_object.h"
#include "cli/printable_text.h"
#include "cli/signals.h"
#include "cli/size_text.h"
#include "codec/stream/file_sink.h"

namespace glyd::cli {
namespace {

constexpr auto kDrawInterval = std::chrono::milliseconds(100);
constexpr const char* kRed = "\033[31m";
constexpr const char* kYellow = "\033[33m";
constexpr const char* kPlain = "\033[0m";
constexpr size_t kFallbackColumns = 80;

Status write_text(int descriptor, std::string_view text) {
  return FdSink(descriptor).write(Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

// There is nowhere left to say that standard error can't be written.
void write_stderr(std::string_view text) {
  (void)write_text(STDERR_FILENO, text);
}

const char* operation_name(Operation operation) {
  switch (operation) {
    case Operation::kCompress:
      return "compress";
    case Operation::kDecompress:
      return "decompress";
    case Operation::kTest:
      return "test";
    case Operation::kList:
      return "list";
    case Operation::kInfo:
      return "info";
    case Operation::kBench:
      return "bench";
    default:
      return "none";
  }
}

const char* outcome_name(const MaybeFailure& failure) {
  if (!failure) return "ok";
  switch (failure->code) {
    case ExitCode::kCorrupt:
      return "corrupt";
    case ExitCode::kLimit:
      return "limit";
    default:
      return "failed";
  }
}

bool wants_progress(const Options& options, bool data_on_stdout) {
  if (options.progress != Switch::kDefault) return options.progress == Switch::kOn;
  if (options.quiet > 0 || options.json || ::isatty(STDERR_FILENO) == 0) return false;
  // A reader on the other end of a pipe, a pager for example, may be writing to the same terminal.
  return !data_on_stdout || (::lseek(STDOUT_FILENO, 0, SEEK_CUR) >= 0);
}

size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kFallbackColumns;
  return size.ws_col;
}

// `name` in at most `room` bytes, cut between characters.
std::string shortened(const std::string& name, size_t room) {
  if (name.size() <= room) return name;
  if (room <= 3) return "";
  size_t end = room - 3;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0u) == 0x80) --end;
  return name.substr(0, end) + "...";
}

double megabytes_per_second(uint64_t bytes, double seconds) {
  return seconds > 0 ? static_cast<double>(bytes) / 1e6 / seconds : 0;
}

}  // namespace

Report::Report(const Options& options, bool data_on_stdout)
    : verbose_(options.verbose), quiet_(options.quiet), json_(options.json), data_on_stdout_(data_on_stdout) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  colored_ = !options.no_color && (no_color == nullptr || *no_color == '\0') &&
             !(terminal != nullptr && std::string_view(terminal) == "dumb") && ::isatty(STDERR_FILENO) == 1;
  wants_progress_ = wants_progress(options, data_on_stdout);
}

Report::~Report() {
  end_progress();
}

void Report::line(std::string_view label, const char* color, std::string_view name, std::string_view text) {
  end_progress();
  std::string out = "glyd: " + printable(name) + ": ";
  if (!label.empty()) out += colored_ ? fmt::format("{}{}{} ", color, label, kPlain) : fmt::format("{} ", label);
  out += text;
  out += '\n';
  write_stderr(out);
}

void Report::error(std::string_view name, std::string_view text) {
  if (quiet_ >= 2 || !humans_read_stderr()) return;
  if (!colored_) return line("", "", name, text);
  line("", "", name, fmt::format("{}{}{}", kRed, text, kPlain));
}

void Report::usage_error(std::string_view text) {
  if (quiet_ < 2) write_stderr(fmt::format("glyd: {}\nTry 'glyd --help'.\n", text));
}

void Report::warning(std::string_view name, std::string_view text) {
  if (quiet_ >= 1 || !humans_read_stderr()) return;
  line("warning:", kYellow, name, text);
}

void Report::note(std::string_view name, std::string_view text) {
  if (quiet_ >= 1 || verbose_ < 1 || !humans_read_stderr()) return;
  line("", "", name, text);
}

void Report::finished(const FileRecord& record) {
  end_progress();
  if (json_) print_json(json(record));
  if (record.failure) {
    error(record.name, record.failure->text);
    return;
  }
  // Beside content on standard output a summary is in the way, unless it is asked for.
  const bool wanted = quiet_ == 0 && !json_ && (verbose_ > 0 || !data_on_stdout_);
  if (wanted) write_stderr(summary(record) + '\n');
}

std::string Report::summary(const FileRecord& record) const {
  std::string text = printable(record.name) + ": ";
  const uint64_t content = record.operation == Operation::kCompress ? record.input_bytes : record.output_bytes;
  const std::string into = record.output_name.empty() ? "" : ", " + printable(record.output_name);
  if (record.operation == Operation::kCompress) {
    const double percent =
        content == 0 ? 0 : 100.0 * static_cast<double>(record.output_bytes) / static_cast<double>(content);
    text += content == 0 ? "" : fmt::format("{:.2f}% ", percent);
    text += fmt::format("({} -> {}{})", size_text(content), size_text(record.output_bytes), into);
  } else if (record.operation == Operation::kTest) {
    text += fmt::format("whole ({})", size_text(content));
  } else {
    text += fmt::format("{}{}", size_text(content), into);
  }
  if (verbose_ > 0) {
    text += fmt::format(", {:.2f} s, {:.1f} MB/s", record.seconds, megabytes_per_second(content, record.seconds));
  }
  return text;
}

std::string Report::json(const FileRecord& record) const {
  const bool compressing = record.operation == Operation::kCompress;
  const uint64_t content = compressing ? record.input_bytes : record.output_bytes;
  const uint64_t packed = compressing ? record.output_bytes : record.input_bytes;
  const double ratio = packed == 0 ? 0 : static_cast<double>(content) / static_cast<double>(packed);
  JsonObject object;
  object.add("name", record.name).add("operation", operation_name(record.operation));
  if (!record.output_name.empty()) object.add("output", record.output_name);
  object.add("input_bytes", record.input_bytes).add("output_bytes", record.output_bytes);
  object.add("ratio", ratio, 4).add("seconds", record.seconds, 6).add("status", outcome_name(record.failure));
  if (record.failure) object.add("error", record.failure->text);
  return object.text();
}

void Report::print_json(std::string_view object) {
  end_progress();
  const std::string text = std::string(object) + '\n';
  if (data_on_stdout_) {
    write_stderr(text);
  } else if (const MaybeFailure failure = print(text)) {
    error("standard output", failure->text);
  }
}

MaybeFailure Report::print(std::string_view text) {
  end_progress();
  const Status status = write_text(STDOUT_FILENO, text);
  if (status.ok()) return std::nullopt;
  return failure_of(status);
}

void Report::begin_progress(std::string_view name, uint64_t total) {
  if (!wants_progress_) return;
  name_ = printable(name);
  total_ = total;
  begun_ = Clock::now();
  next_draw_ = begun_ + kDrawInterval;
  active_ = true;
}

void Report::progress(uint64_t bytes_in, uint64_t bytes_out) {
  if (!active_) return;
  const Clock::time_point now = Clock::now();
  if (now >= next_draw_) draw(now, bytes_in, bytes_out);
}

void Report::draw(Clock::time_point now, uint64_t bytes_in, uint64_t bytes_out) {
  next_draw_ = now + kDrawInterval;
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  std::string numbers = fmt::format("{} -> {}  {:.0f} MB/s", size_text(bytes_in), size_text(bytes_out),
                                    megabytes_per_second(std::max(bytes_in, bytes_out), seconds));
  if (total_ > 0 && bytes_in <= total_) {
    const double part = static_cast<double>(bytes_in) / static_cast<double>(total_);
    const auto left = static_cast<uint64_t>(part > 0 ? seconds * (1 - part) / part : 0);
    numbers = fmt::format("{:3.0f}%  {}  {}:{:02} left", part * 100, numbers, left / 60, left % 60);
  }
  // The name gives way when the line is too long for the terminal.
  const size_t columns = terminal_columns();
  const size_t room = columns > numbers.size() + 3 ? columns - numbers.size() - 3 : 0;
  const std::string name = shortened(name_, room);
  set_progress_shown(true);
  drawn_ = true;
  write_stderr(fmt::format("\r{}: {}\033[K", name, numbers));
}

void Report::end_progress() {
  if (drawn_) {
    write_stderr("\r\033[K");
    set_progress_shown(false);
  }
  drawn_ = false;
  active_ = false;
}

}  // namespace glyd::cli
