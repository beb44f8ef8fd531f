// SPDX-License-Identifier: MIT
#include "gzip_input.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace flamelet::formats {

Input::Input(flamelet_source source, uint64_t max_bytes) : source_(source), max_bytes_(max_bytes), raw_(kRawBytes) {
  while (raw_end_ - raw_at_ < 2 && fill()) {
  }
  gzip_ = raw_end_ >= 2 && raw_[0] == '\x1F' && raw_[1] == '\x8B';
  if (gzip_ && inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  char mark[2];
  const size_t count = take(mark, sizeof mark);
  const std::string_view first(mark, count);
  utf16_ = first == "\xFF\xFE" || first == "\xFE\xFF";
  high_byte_ = first == "\xFF\xFE" ? 1 : 0;
  if (!utf16_) peeked_.assign(first.begin(), first.end());
}

Input::~Input() {
  if (gzip_) inflateEnd(&stream_);
}

bool Input::fill() {
  if (raw_ended_) return false;
  if (raw_at_ == raw_end_) raw_at_ = raw_end_ = 0;
  raw_end_ += read_source(raw_.data() + raw_end_, raw_.size() - raw_end_);
  return !raw_ended_;
}

size_t Input::read_source(char* to, size_t size) {
  const size_t wanted = static_cast<size_t>(std::min<uint64_t>(size, source_.size - source_at_));
  size_t count = 0;
  if (raw_ended_) return 0;
  if (wanted != 0) {
    failed_ = !source_.read(source_.user, source_at_, to, wanted, &count) || count > wanted ||
              (count == 0 && source_.size != FLAMELET_SIZE_UNKNOWN);
  }
  if (failed_) count = 0;
  source_at_ += count;
  raw_ended_ = count == 0;
  return count;
}

std::string_view Input::peek() {
  if (!has_peeked_) {
    has_peeked_ = true;
    const size_t count = peeked_.size();
    peeked_.resize(kPeekBytes);
    peeked_.resize(count + take(peeked_.data() + count, kPeekBytes - count));
  }
  return {peeked_.data() + peeked_at_, peeked_.size() - peeked_at_};
}

size_t Input::read(void* to, size_t count) {
  char* const at = static_cast<char*>(to);
  const size_t peeked = std::min(count, peeked_.size() - peeked_at_);
  if (peeked != 0) memcpy(at, peeked_.data() + peeked_at_, peeked);
  peeked_at_ += peeked;
  return peeked + (count != peeked ? take(at + peeked, count - peeked) : 0);
}

size_t Input::take(char* to, size_t count) {
  if (count > max_bytes_ - bytes_) {
    count = static_cast<size_t>(max_bytes_ - bytes_);
    cut_off_ = true;
  }
  size_t done = 0;
  while (utf16_ && done < count && (text_at_ != text_.size() || read_utf16())) {
    const size_t more = text_.copy(to + done, count - done, text_at_);
    text_at_ += more;
    done += more;
  }
  if (!utf16_) done = unpack(to, count);
  bytes_ += done;
  return done;
}

// The next piece of UTF-16 as UTF-8; false at the end.
bool Input::read_utf16() {
  constexpr size_t kPiece = 4096;
  char units[kPiece];
  text_.clear();
  text_at_ = 0;
  const auto add = [this](uint32_t point) {
    const auto byte = [&](uint32_t lead, int shift) { text_ += static_cast<char>(lead | (point >> shift & 0x3F)); };
    if (point < 0x80) return void(text_ += static_cast<char>(point));
    if (point < 0x800) {
      text_ += static_cast<char>(0xC0 | point >> 6);
    } else if (point < 0x10000) {
      text_ += static_cast<char>(0xE0 | point >> 12);
      byte(0x80, 6);
    } else {
      text_ += static_cast<char>(0xF0 | point >> 18);
      byte(0x80, 12);
      byte(0x80, 6);
    }
    byte(0x80, 0);
  };
  const auto add_half = [&] {
    constexpr uint32_t kReplacement = 0xFFFD;
    ++halves_repaired_;
    add(kReplacement);
  };
  const auto half = [](uint32_t unit, uint32_t first) { return (unit & 0xFC00) == first; };
  const size_t size = unpack(units, kPiece);
  for (size_t i = 0; i + 1 < size; i += 2) {
    const auto byte_at = [&units](size_t at) { return uint32_t{static_cast<unsigned char>(units[at])}; };
    const uint32_t unit = byte_at(i + high_byte_) << 8 | byte_at(i + 1 - high_byte_);
    const uint32_t before = high_half_;
    high_half_ = 0;
    if (before != 0 && half(unit, 0xDC00)) {
      add(0x10000 + ((before & 0x3FF) << 10 | (unit & 0x3FF)));
      continue;
    }
    if (before != 0) add_half();
    if (half(unit, 0xD800))
      high_half_ = unit;
    else if (half(unit, 0xDC00))
      add_half();
    else
      add(unit);
  }
  if (size < kPiece && high_half_ != 0) add_half();
  return !text_.empty();
}

// Less than `count` bytes only at the end.
size_t Input::unpack(char* to, size_t count) {
  size_t done = 0;
  while (done < count) {
    size_t more = 0;
    if (gzip_) {
      more = inflate_some(to + done, count - done);
    } else {
      more = std::min(count - done, raw_end_ - raw_at_);
      if (more != 0) memcpy(to + done, raw_.data() + raw_at_, more);
      raw_at_ += more;
      if (more == 0) more = read_source(to + done, count - done);
    }
    if (more == 0) break;
    done += more;
  }
  return done;
}

// With a wrong checksum everything is there, unless another member follows: behind the checksum are 4 bytes of length.
void Input::end_damaged(const char* why) {
  const bool is_length = strcmp(why, "incorrect length check") == 0;
  if (is_length || strcmp(why, "incorrect data check") == 0) {
    size_t behind = raw_end_ - raw_at_;
    raw_at_ = raw_end_;
    while (behind <= 4 && fill()) {
      behind += raw_end_;
      raw_at_ = raw_end_;
    }
    cut_off_ = cut_off_ || behind > (is_length ? 0 : 4);
  } else {
    cut_off_ = true;
  }
  gzip_damaged_ = stream_ended_ = raw_ended_ = true;
  raw_at_ = raw_end_ = 0;
}

// At least one byte, unless nothing more comes.
size_t Input::inflate_some(char* to, size_t count) {
  count = std::min(count, size_t{1} << 30);
  for (;;) {
    if (raw_at_ == raw_end_ && !fill()) {
      cut_off_ = cut_off_ || !stream_ended_;
      return 0;
    }
    if (stream_ended_) {
      // Another member may follow; anything else behind the last one is no part of the trace.
      if (raw_[raw_at_] != '\x1F' || inflateReset(&stream_) != Z_OK) return 0;
      stream_ended_ = false;
    }
    stream_.next_in = reinterpret_cast<unsigned char*>(raw_.data() + raw_at_);
    stream_.avail_in = static_cast<uInt>(raw_end_ - raw_at_);
    stream_.next_out = reinterpret_cast<unsigned char*>(to);
    stream_.avail_out = static_cast<uInt>(count);
    const int answer = inflate(&stream_, Z_NO_FLUSH);
    raw_at_ = raw_end_ - stream_.avail_in;
    stream_ended_ = answer == Z_STREAM_END;
    const size_t made = count - stream_.avail_out;
    if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR)
      end_damaged(stream_.msg != nullptr ? stream_.msg : "");
    if (made != 0) return made;
  }
}

}  // namespace flamelet::formats
