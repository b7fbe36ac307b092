#include "cli/signals.h"

#include <unistd.h>

#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>

namespace glyd::cli {
namespace {

// A handler may run at any moment and on any thread, so it reads nothing but these.
char temporary_path[PATH_MAX];
std::atomic<bool> temporary_exists{false};
std::atomic<bool> progress_shown{false};

void stop(int signal_number) {
  if (temporary_exists.load()) ::unlink(temporary_path);
  if (progress_shown.load()) {
    constexpr char kWipe[] = "\r\033[K";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kWipe, sizeof kWipe - 1);
  }
  ::_exit(128 + signal_number);
}

void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action {};
  if (::sigaction(signal_number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = handler;
  ::sigfillset(&action.sa_mask);
  ::sigaction(signal_number, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
  handle(SIGINT, stop);
  handle(SIGTERM, stop);
  handle(SIGHUP, stop);
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);
}

void register_temporary(const char* path) {
  temporary_exists.store(false);
  if (std::strlen(path) >= sizeof temporary_path) return;
  std::strcpy(temporary_path, path);
  temporary_exists.store(true);
}

void forget_temporary() {
  temporary_exists.store(false);
}

void set_progress_shown(bool shown) {
  progress_shown.store(shown);
}

void die_of_broken_pipe() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(SIGPIPE, &action, nullptr);
  sigset_t pipe_only;
  ::sigemptyset(&pipe_only);
  ::sigaddset(&pipe_only, SIGPIPE);
  ::pthread_sigmask(SIG_UNBLOCK, &pipe_only, nullptr);
  ::raise(SIGPIPE);
  ::_exit(128 + SIGPIPE);
}

}  // namespace glyd::cli
