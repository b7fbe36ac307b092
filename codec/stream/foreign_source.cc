#include "codec/stream/foreign_source.h"

#include <algorithm>

namespace glyd {

MemberStart match_magic(Bytes head, Bytes magic) {
  const size_t size = std::min(head.size(), magic.size());
  if (!std::equal(magic.begin(), magic.begin() + static_cast<ptrdiff_t>(size), head.begin())) {
    return MemberStart::kNo;
  }
  return size == magic.size() ? MemberStart::kYes : MemberStart::kCut;
}

MemberStart match_skippable(Bytes head) {
  constexpr uint8_t kRest[] = {0x2A, 0x4D, 0x18};
  if (head.empty()) return MemberStart::kCut;
  return (head[0] & 0xF0) == 0x50 ? match_magic(head.subspan(1), kRest) : MemberStart::kNo;
}

Result<size_t> LimitedSource::read(MutableBytes destination) {
  if (!status_.ok()) return status_;
  if (ended_) return size_t{0};
  // Room for one byte more than may come shows that there is more.
  const bool ample = destination.size() > left_;
  const Result<size_t> got = decode(ample ? destination.first(static_cast<size_t>(left_) + 1) : destination);
  if (!got.ok()) {
    status_ = got.status();
    return status_;
  }
  if (*got > left_) {
    status_ = Status(Code::kOutputLimit);
    return status_;
  }
  left_ -= *got;
  ended_ = *got == 0;
  return *got;
}

Result<Bytes> CompressedInput::window(size_t size) {
  if (buffer_.capacity() == 0) {
    if (const Status status = buffer_.reserve(kBufferSize); !status.ok()) return status;
  }
  if (end_ - begin_ < size && begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  while (end_ - begin_ < size && !source_ended_) {
    const Result<size_t> got = source_.read(MutableBytes(buffer_.data() + end_, kBufferSize - end_));
    if (!got.ok()) return got.status();
    source_ended_ = *got == 0;
    end_ += *got;
    received_ += *got;
  }
  return Bytes(buffer_.data() + begin_, end_ - begin_);
}

Result<size_t> ForeignSource::decode(MutableBytes destination) {
  while (true) {
    if (!in_member_) {
      if (const Status status = next_member(); !status.ok()) return status;
      if (!in_member_) return size_t{0};
    }
    const Result<size_t> written = decode_some(destination);
    if (!written.ok() || *written > 0) return written;
  }
}

Status ForeignSource::next_member() {
  if (had_member_) {
    if (const Status status = skip_padding(); !status.ok()) return status;
  }
  const Result<Bytes> head = input_.window(ForeignDecoder::kHeadSize);
  if (!head.ok()) return head.status();
  if (head->empty()) {
    if (had_member_) return {};
    return Status(Code::kTruncated, "the input is empty", input_.offset());
  }
  if (had_member_ && !decoder_->may_repeat()) {
    return Status(Code::kTrailingData, nullptr, input_.offset());
  }
  switch (decoder_->member_start(*head)) {
    case MemberStart::kYes:
      return begin_member(*head);
    case MemberStart::kCut:
      return Status(Code::kTruncated, nullptr, input_.offset() + head->size());
    case MemberStart::kNo:
      break;
  }
  if (had_member_) return Status(Code::kTrailingData, nullptr, input_.offset());
  return Status(Code::kCorrupt, "magic number", input_.offset());
}

Status ForeignSource::skip_padding() {
  const Padding padding = decoder_->padding();
  if (padding == Padding::kNothing) return {};
  const uint64_t start = input_.offset();
  while (true) {
    const Result<Bytes> window = input_.window(1);
    if (!window.ok()) return window.status();
    const auto* zeros_end =
        std::find_if(window->data(), window->data() + window->size(), [](uint8_t byte) { return byte != 0; });
    const size_t zeros = static_cast<size_t>(zeros_end - window->data());
    const bool more_zeros = zeros > 0 && zeros == window->size();
    input_.consume(zeros);
    if (more_zeros) continue;
    const uint64_t size = input_.offset() - start;
    const bool at_end = zeros == window->size();
    if (padding == Padding::kZerosInFours && size % 4 != 0) {
      return Status(Code::kCorrupt, "padding between streams is not a multiple of four bytes", start);
    }
    if (padding == Padding::kZerosAtEnd && size > 0 && !at_end) {
      return Status(Code::kTrailingData, nullptr, input_.offset());
    }
    return {};
  }
}

Status ForeignSource::begin_member(Bytes head) {
  const uint64_t left = memory_ > CompressedInput::kBufferSize ? memory_ - CompressedInput::kBufferSize : 0;
  const Status status = decoder_->begin(head, left);
  in_member_ = status.ok();
  had_member_ = true;
  return status.ok() ? status : status.at(input_.offset());
}

Result<size_t> ForeignSource::decode_some(MutableBytes destination) {
  const size_t tail = decoder_->undivided_tail();
  const Result<Bytes> window = input_.window(tail + 1);
  if (!window.ok()) return window.status();
  // A window no longer than the tail is all that is left.
  const bool tail_follows = window->size() > tail;
  const Bytes input = tail_follows ? window->first(window->size() - tail) : *window;
  const Result<ForeignDecoder::Step> step = decoder_->step(input, destination);
  if (!step.ok()) {
    const Status& error = step.status();
    const uint64_t in_window = error.has_offset() ? error.offset() : 0;
    return Status(error.code(), error.detail(), input_.offset() + in_window);
  }
  input_.consume(step->taken);
  in_member_ = !step->member_ended;
  const bool stuck = step->taken == 0 && step->written == 0 && in_member_;
  if (stuck && input.empty()) return Status(Code::kTruncated, nullptr, input_.offset());
  if (stuck) return Status(Code::kCorrupt, "the decoder makes no progress", input_.offset());
  return step->written;
}

}  // namespace glyd
