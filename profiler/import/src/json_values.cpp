// SPDX-License-Identifier: MIT
#include "json_values.h"

#include <cstring>

namespace flamelet::formats {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

bool is_structure(char c) {
  const int brace = c | 0x20;  // the brackets differ from the braces in this bit alone
  return c == '"' || brace == '{' || brace == '}';
}

constexpr size_t kFirstBytes = size_t{256} << 10;

}  // namespace

JsonValues::JsonValues(Input& in) : in_(in), buffer_(kFirstBytes + kPadding) {}

bool JsonValues::more() {
  if (begin_ != 0) {
    memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    at_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  size_t room = buffer_.size() - kPadding - end_;
  if (room == 0) {
    if (end_ >= kMaxValueBytes) {
      // What is too long is still walked over, to its end.
      too_long_ = true;
      at_ = end_ = 0;
      room = buffer_.size() - kPadding;
    } else {
      buffer_.resize(2 * end_ + kPadding);
      room = end_;
    }
  }
  const size_t got = in_.read(buffer_.data() + end_, room);
  end_ += got;
  return got != 0;
}

int JsonValues::next() {
  for (;;) {
    while (at_ < end_ && is_space(buffer_[at_])) ++at_;
    if (at_ < end_) return static_cast<unsigned char>(buffer_[at_]);
    begin_ = at_;
    if (!more()) return -1;
  }
}

// From the value's first byte to behind its last one. This looks at every byte of the file, so what tells nothing is
// passed in loops of few instructions, that keep the position in a register.
bool JsonValues::find_end(size_t* end) {
  const char first = buffer_[at_];
  const bool bracket = first == '{' || first == '[';
  size_t depth = 0;
  bool in_string = false;
  for (;; ++at_) {
    const char* at = buffer_.data() + at_;
    const char* const there = buffer_.data() + end_;
    if (in_string) {
      while (at != there && *at != '"' && *at != '\\') ++at;
    } else if (depth != 0) {
      while (at != there && !is_structure(*at)) ++at;
    }
    at_ = static_cast<size_t>(at - buffer_.data());
    if (at_ == end_ && !more()) break;
    const char c = buffer_[at_];
    if (in_string) {
      if (c == '\\') {
        ++at_;
        if (at_ == end_ && !more()) break;
      } else if (c == '"') {
        in_string = false;
        if (depth == 0) {
          *end = ++at_;
          return true;
        }
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth <= 1) {
        if (bracket) ++at_;  // else it closes what the value stands in
        *end = at_;
        return true;
      }
      --depth;
    } else if (depth == 0 && (c == ',' || c == ':' || is_space(c))) {
      *end = at_;
      return true;
    }
  }
  *end = at_;
  return !bracket && !in_string;  // a number may be the last thing of all
}

JsonValues::Found JsonValues::value(char** begin, size_t* size) {
  begin_ = at_;
  too_long_ = false;
  size_t end = 0;
  const bool whole = find_end(&end);
  *begin = buffer_.data() + begin_;
  *size = end - begin_;
  begin_ = at_;
  if (!whole) return Found::kCutOff;
  return too_long_ ? Found::kTooLong : Found::kValue;
}

}  // namespace flamelet::formats
