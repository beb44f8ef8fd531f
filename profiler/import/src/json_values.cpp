// SPDX-License-Identifier: MIT
#include "json_values.h"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace flamelet::formats {

static_assert(JsonValues::kPadding >= 64, "a block that begins in the text is read whole");

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Or the square one: it differs in this bit alone.
bool is_bracket(char c, char brace) {
  return (c | 0x20) == brace;
}

// A bit for each of 64 bytes.
constexpr size_t kBlock = 64;
struct BlockBits {
  uint64_t quote, backslash, open, close;
};

#if defined(__SSE2__)
uint64_t equal_bits(const __m128i (&bytes)[4], char c) {
  const __m128i same = _mm_set1_epi8(c);
  uint64_t bits = 0;
  for (unsigned i = 0; i < 4; ++i)
    bits |= uint64_t{static_cast<uint16_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes[i], same)))} << 16 * i;
  return bits;
}
// Bytes from `count` on are none of these; they are read, so they must be there (kPadding).
BlockBits block_bits(const char* at, size_t count) {
  __m128i bytes[4], braces[4];
  for (unsigned i = 0; i < 4; ++i) {
    bytes[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at) + i);
    braces[i] = _mm_or_si128(bytes[i], _mm_set1_epi8(0x20));
  }
  const uint64_t valid = count == kBlock ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
  return {equal_bits(bytes, '"') & valid, equal_bits(bytes, '\\') & valid, equal_bits(braces, '{') & valid,
          equal_bits(braces, '}') & valid};
}
#else
BlockBits block_bits(const char* at, size_t count) {
  BlockBits bits = {};
  for (size_t i = 0; i < count; ++i) {
    bits.quote |= uint64_t{at[i] == '"'} << i;
    bits.backslash |= uint64_t{at[i] == '\\'} << i;
    bits.open |= uint64_t{is_bracket(at[i], '{')} << i;
    bits.close |= uint64_t{is_bracket(at[i], '}')} << i;
  }
  return bits;
}
#endif

// Bit i: whether an odd number of the bits 0 .. i is set. Of quotes: what is inside a string.
uint64_t running_parity(uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

// Which bytes of block after block are inside of strings.
class Strings {
 public:
  uint64_t inside(const BlockBits& bits, size_t count) {
    uint64_t inside = 0;
    if (bits.backslash == 0 && !escaped_) {
      inside = running_parity(bits.quote) ^ (in_string_ ? ~uint64_t{0} : 0);
      in_string_ = inside >> 63 != 0;
      return inside;
    }
    for (size_t i = 0; i < count; ++i) {
      const uint64_t bit = uint64_t{1} << i;
      if (escaped_)
        escaped_ = false;
      else if (in_string_ && (bits.backslash & bit) != 0)
        escaped_ = true;
      else if ((bits.quote & bit) != 0)
        in_string_ = !in_string_;
      if (in_string_) inside |= bit;
    }
    return inside;
  }

 private:
  bool in_string_ = false, escaped_ = false;
};

constexpr size_t kFirstBytes = size_t{64} << 10;

}  // namespace

JsonValues::JsonValues(Input& in) : in_(in), buffer_(kFirstBytes + kPadding) {}

bool JsonValues::more() {
  if (begin_ != 0) {
    memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    at_ -= begin_;
    end_ -= begin_;
    offset_ += begin_;
    begin_ = 0;
  }
  size_t room = buffer_.size() - kPadding - end_;
  if (room == 0) {
    if (end_ >= kMaxValueBytes) {
      // What is too long is still walked over, to its end.
      too_long_ = true;
      offset_ += end_;
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
    begin_ = at_;
    if (at_ == end_ && !more()) return -1;
    const char c = buffer_[at_];
    if (c == '/' && is_comment())
      skip_comment();
    else if (!is_space(c))
      return static_cast<unsigned char>(c);
  }
}

// What begins with a slash.
bool JsonValues::is_comment() {
  if (at_ + 1 == end_ && !more()) return false;
  return buffer_[at_ + 1] == '/' || buffer_[at_ + 1] == '*';
}

void JsonValues::skip_comment() {
  const bool is_line = buffer_[at_ + 1] == '/';
  at_ += 2;
  for (char before = 0;; before = buffer_[at_++]) {
    begin_ = at_;
    if (at_ == end_ && !more()) return;
    if (is_line ? buffer_[at_] == '\n' : before == '*' && buffer_[at_] == '/') break;
  }
  ++at_;
}

// What begins with a bracket ends with the one that closes it. This looks at every byte of the file: 64 at a time, each as
// a bit, so that only brackets outside strings are looked at one by one.
size_t JsonValues::find_bracket_end(bool only_one) {
  size_t depth = 0, end = kNoEnd;  // of the last value that is whole
  Strings strings;
  for (;;) {
    if (end != kNoEnd && (at_ == end_ || at_ - begin_ > kBatchBytes)) return end;
    if (at_ == end_ && !more()) return kNoEnd;
    const size_t count = std::min(kBlock, end_ - at_);
    const BlockBits bits = block_bits(buffer_.data() + at_, count);
    for (uint64_t left = (bits.open | bits.close) & ~strings.inside(bits, count); left != 0; left &= left - 1) {
      const size_t at = at_ + static_cast<size_t>(__builtin_ctzll(left));
      const bool is_open = (bits.open & left & -left) != 0;
      if (depth == 0 && end != kNoEnd && !(is_open && is_next_object(end, at))) return end;
      depth = is_open ? depth + 1 : depth - 1;
      if (depth != 0) continue;
      end = at + 1;
      if (only_one || too_long_) return end;
    }
    at_ += count;
  }
}

// Whether a comma and an object stand behind the value that ends at `end`.
bool JsonValues::is_next_object(size_t end, size_t at) const {
  const char* text = buffer_.data();
  while (is_space(text[end])) ++end;
  if (text[end] != ',' || text[at] != '{') return false;
  while (is_space(text[++end])) {
  }
  return end == at;
}

// A string, or whatever else ends where something else begins.
size_t JsonValues::find_scalar_end() {
  const bool is_string = buffer_[at_] == '"';
  bool escaped = false;
  for (at_ += is_string; at_ != end_ || more(); ++at_) {
    const char c = buffer_[at_];
    if (!is_string) {
      if (c == ',' || c == ':' || c == '"' || is_space(c) || is_bracket(c, '{') || is_bracket(c, '}')) return at_;
    } else if (escaped) {
      escaped = false;
    } else if (c == '\\') {
      escaped = true;
    } else if (c == '"') {
      return at_ + 1;
    }
  }
  return is_string ? kNoEnd : at_;  // a number may be the last thing of all
}

JsonValues::Found JsonValues::find(bool only_one, std::string_view* text) {
  begin_ = at_;
  found_offset_ = offset_ + at_;
  too_long_ = false;
  const bool bracket = buffer_[at_] == '{' || buffer_[at_] == '[';
  const size_t end = bracket ? find_bracket_end(only_one) : find_scalar_end();
  *text = {};
  if (end == kNoEnd) return Found::kCutOff;
  *text = {buffer_.data() + begin_, end - begin_};
  begin_ = at_ = end;
  return too_long_ ? Found::kTooLong : Found::kValue;
}

}  // namespace flamelet::formats
