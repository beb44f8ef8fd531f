// SPDX-License-Identifier: MIT
#include "chrome_trace.h"

#include <algorithm>
#include <cstring>

#include "flamelet/detail/text.h"

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

std::string_view JsonValues::far_ahead() {
  begin_ = at_;
  while (end_ - at_ < buffer_.size() - kPadding && more()) {
  }
  return ahead();
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

namespace {

static_assert(JsonValues::kPadding >= simdjson::SIMDJSON_PADDING, "the library reads as far behind a value");

// The number of the "\\uXXXX" at the begin of `text`; -1: there is none.
int escaped_unit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return -1;
  int unit = 0;
  for (const char c : text.substr(2, 4)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    unit = unit << 4 | digit;
  }
  return unit;
}

// The escape that begins here, as it may be: a lone surrogate is replaced, and a backslash that escapes nothing is one, as in
// paths of Windows that nobody escaped. Returns how many bytes it stands for.
size_t add_escape(std::string_view text, std::string* to) {
  const int unit = escaped_unit(text);
  if (unit >= 0xD800 && unit < 0xE000) {
    const int next = unit < 0xDC00 ? escaped_unit(text.substr(6)) : -1;
    const bool is_pair = next >= 0xDC00 && next < 0xE000;
    *to += is_pair ? text.substr(0, 12) : kReplacement;
    return is_pair ? 12 : 6;
  }
  if (unit >= 0) {
    *to += text.substr(0, 6);
    return 6;
  }
  const bool is_known = text.size() > 1 && std::string_view("\"\\/bfnrt").find(text[1]) != std::string_view::npos;
  *to += is_known ? text.substr(0, 2) : std::string_view("\\\\");
  return is_known ? 2 : 1;
}

// A value as JSON may have it: in texts, bytes that are not UTF-8, bare control characters and escapes that are none are
// replaced; between values, commas that have nothing to part are left out.
std::string repaired(std::string_view value) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::string to;
  to.reserve(value.size() + value.size() / 8);
  bool is_text = false;
  char before = 0;  // the last one outside of texts that is no space
  for (size_t at = 0; at < value.size();) {
    const char c = value[at];
    if (is_text && c == '\\') {
      at += add_escape(value.substr(at), &to);
      continue;
    }
    if (c == '"') is_text = !is_text;
    if (!is_text && c == ',') {
      const size_t behind = value.find_first_not_of(kSpace, ++at);
      const bool parts = before != '{' && before != '[' && behind != std::string_view::npos && value[behind] != ',' &&
                         value[behind] != '}' && value[behind] != ']';
      if (parts) to += before = c;
      continue;
    }
    if (!is_text && kSpace.find(c) == std::string_view::npos) before = c;
    const size_t size = utf8_sequence_bytes(value.substr(at));
    const bool control = static_cast<unsigned char>(c) < 0x20;
    to += control ? std::string_view(" ") : size != 0 ? value.substr(at, size) : kReplacement;
    at += size != 0 ? size : 1;
  }
  return to;
}

// How many events another kind of list has: the lines of a text, or the objects of an array. About as many: what is longer
// than a value may be is one.
uint64_t events_in(std::string_view value, int first) {
  uint64_t count = 0;
  if (first == '"') {
    for (size_t at = 0; (at = value.find("\\n", at)) != std::string_view::npos; at += 2)
      count += value.substr(at + 2, 1) != "#" && at + 3 < value.size();
    return count;
  }
  int depth = 0;
  bool is_text = false;
  for (size_t at = 0; at < value.size(); ++at) {
    const char c = value[at];
    if (is_text && c == '\\') ++at;
    if (c == '"') is_text = !is_text;
    if (is_text) continue;
    count += c == '{' && depth == 1;
    depth += c == '{' || c == '[';
    depth -= c == '}' || c == ']';
  }
  return count;
}

// Whether the object that begins here is an event, and none around events: it has a phase. So begin the lines of a log that
// has one event each.
bool begins_with_event(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '{' || text[at] == '[';
    depth -= text[at] == '}' || text[at] == ']';
    if (depth == 0) return false;
    if (text[at] != '"') continue;
    const size_t begin = at;
    while (++at < text.size() && text[at] != '"') at += text[at] == '\\';
    if (depth != 1 || at >= text.size() || text.substr(begin, at + 1 - begin) != "\"ph\"") continue;
    const size_t behind = text.find_first_not_of(" \t\r\n", at + 1);
    if (behind != std::string_view::npos && text[behind] == ':') return true;
  }
  return false;
}

}  // namespace

bool ChromeTrace::next() {
  if (place_ == Place::kBegin) begin();
  while (place_ != Place::kEnd) {
    if (place_ == Place::kFields)
      read_field();
    else if (next_event())
      return true;
  }
  return false;
}

void ChromeTrace::begin() {
  // A byte order mark is no part of the text.
  while (json_.next() == 0xEF || json_.next() == 0xBB || json_.next() == 0xBF) json_.take();
  const auto has = [head = json_.ahead()](std::string_view text) { return head.find(text) != head.npos; };
  if (has("speedscope.app/file-format"))
    other_kind_ =
        "This is a profile for speedscope, which cannot be read: take the capture, or the trace of Chrome's or "
        "Perfetto's kind, that it was made of.";
  else if (has("\"nodes\"") && has("\"callFrame\""))
    other_kind_ =
        "This is a CPU profile of V8: samples, which cannot be read. A trace can: DevTools' Performance panel and node "
        "--trace-events-enabled write one.";
  const int first = json_.next();
  if (first != '[' && first != '{') return end(false);  // only comments
  const bool is_bracket = first == '[';
  is_array_ = found_events_ = is_bracket || begins_with_event(json_.ahead());
  place_ = is_array_ ? Place::kEvents : Place::kFields;
  if (is_bracket || !is_array_) json_.take();
}

void ChromeTrace::end(bool is_whole) {
  is_whole_ = is_whole;
  place_ = Place::kEnd;
}

// Zeros may follow, in a file that was grown in advance.
void ChromeTrace::end_behind_bracket() {
  while (json_.next() == 0) json_.take();
  if (json_.next() != -1) count_damaged("it stands behind the end of the trace", json_.offset());
  end(true);
}

// One of the object around the events, or what stands between two.
void ChromeTrace::read_field() {
  const int c = json_.next();
  if (c == '}') {
    json_.take();
    return end_behind_bracket();
  }
  if (c == ',') return json_.take();
  std::string_view name, value;
  if (c != '"' || json_.value(&name) != JsonValues::Found::kValue) return end(false);
  const bool is_events = name == "\"traceEvents\"", is_head = name == "\"otherData\"";
  if (json_.next() != ':') return end(false);
  json_.take();
  const int first = json_.next();  // of the value: white space may stand before it
  if (first == -1) return end(false);
  if (is_events && first == '[') {  // it may stand there more than once
    json_.take();
    found_events_ = true;
    place_ = Place::kEvents;
    return;
  }
  if (is_events && !found_events_) other_kind_ = "This is no Chrome trace: its \"traceEvents\" is no array.";
  const JsonValues::Found found = json_.value(&value);
  if (found == JsonValues::Found::kCutOff || value.empty()) return end(false);
  if (is_head && found == JsonValues::Found::kValue && !found_events_) read_head(value);
  if (name == "\"systemTraceEvents\"" || name == "\"samples\"") report_.events_unsupported += events_in(value, first);
}

bool ChromeTrace::next_event() {
  for (;;) {
    if (!has_events_ && !find_events()) return false;
    const ChromeEvents::Next next = events_.next(&event_);
    if (next == ChromeEvents::Next::kEvent) {
      if (!head_.is_own) static_cast<OwnFields&>(event_) = {};
      report_.texts_repaired += is_repaired_;
      return true;
    }
    has_events_ = false;
    if (next == ChromeEvents::Next::kDamaged) leave_damaged();
  }
}

// False if no more come at this place.
bool ChromeTrace::find_events() {
  for (;;) {
    const int c = json_.next();
    if (c == ',') {
      json_.take();
      continue;
    }
    // An array that stands alone need not be closed: the format says so, for programs that die.
    if (c == -1) {
      end(is_array_ && !in_.cut_off());
      return false;
    }
    if (c == ']') {
      json_.take();
      if (is_array_ && json_.next() == '[')  // another log behind it
        json_.take();
      else if (is_array_)
        end_behind_bracket();
      else
        place_ = Place::kFields;
      if (place_ == Place::kEvents) continue;
      return false;
    }
    if (!knows_base_) find_time_base();
    is_alone_ = alone_bytes_ != 0 || c != '{';
    const JsonValues::Found found = is_alone_ ? json_.value(&text_) : json_.objects(&text_);
    if (found == JsonValues::Found::kCutOff) {
      end(false);
      return false;
    }
    alone_bytes_ -= std::min(alone_bytes_, text_.size());
    if (found == JsonValues::Found::kValue && c == '{') {
      events_.start(text_);
      has_events_ = true;
      is_repaired_ = false;
      return true;
    }
    if (found == JsonValues::Found::kTooLong)
      ++report_.events_over_limits;
    else
      count_damaged("it is no object", json_.found_offset());
    if (text_.empty()) json_.take();
  }
}

// By the times in the next piece of the text, if it has some. Some writers have 0 in what has no time.
void ChromeTrace::find_time_base() {
  constexpr std::string_view kKey = "\"ts\"", kBetween = ": \t\r\n\"";
  const std::string_view text = json_.far_ahead();
  std::vector<FarTime> far;
  size_t good = 0;
  for (size_t at = 0; (at = text.find(kKey, at)) != std::string_view::npos;) {
    at = text.find_first_not_of(kBetween, at + kKey.size());
    if (at == std::string_view::npos) break;
    const std::string_view number = text.substr(at, text.find_first_not_of("+-.0123456789eE", at) - at);
    int64_t at_ns;
    if (!parse_decimal(number, 3, &at_ns) || at_ns == 0) continue;
    if (is_good_time(at_ns))
      ++good;
    else
      far.push_back(parse_far_time(number.substr(0, number.find('.'))));  // so that whole microseconds stay whole
  }
  knows_base_ = good + far.size() != 0;
  has_far_base_ = far.size() > good;
  if (!has_far_base_) return;
  // A stray one stands at either end.
  const auto middle = far.begin() + static_cast<ptrdiff_t>(far.size() / 2);
  std::nth_element(far.begin(), middle, far.end(), [](FarTime a, FarTime b) { return a.about < b.about; });
  far_base_ = *middle;
}

bool ChromeTrace::read_time(std::string_view ts, int64_t* at_ns) const {
  if (!parse_decimal(ts, 3, at_ns)) return false;
  if (has_far_base_ && !head_.is_own) *at_ns = difference(parse_far_time(ts), far_base_);
  return true;
}

void ChromeTrace::count_damaged(const char* why, uint64_t offset) {
  if (report_.events_damaged++ == 0)
    snprintf(report_.first_damaged, sizeof report_.first_damaged, "at byte %llu: %s",
             static_cast<unsigned long long>(offset), why);
}

void ChromeTrace::leave_damaged() {
  if (!is_alone_) {
    alone_bytes_ = events_.left();
    json_.go_back(alone_bytes_);
    return;
  }
  const std::string text = is_repaired_ ? std::string() : repaired(text_);
  if (text.empty() || text == text_) return count_damaged("it is not JSON");
  events_.start(text);
  has_events_ = is_repaired_ = true;
}

void ChromeTrace::read_head(std::string_view text) {
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  simdjson::ondemand::object object;
  const simdjson::padded_string_view padded(text.data(), text.size(), text.size() + JsonValues::kPadding);
  if (parser.iterate(padded).get(document) || document.get_object().get(object)) return;
  std::string_view producer, base, origin;
  for (auto field : object) {
    std::string_view key, value;
    if (field.unescaped_key().get(key) || field.value().get_string().get(value)) return;
    if (key == "producer") producer = value;
    if (key == "base_ns") base = value;
    if (key == "origin_unix_ns") origin = value;
  }
  if (producer != "flamelet" || !parse_decimal(base, 0, &head_.base_ns)) return;
  head_.is_own = true;
  head_.origin_unix_ns = parse_count(origin);
}

// ---- Events -------------------------------------------------------------------------------------------------------

namespace {

using simdjson::error_code;
namespace ondemand = simdjson::ondemand;

constexpr size_t kMaxArgs = 1u << 16;

std::string_view trimmed(std::string_view token) {
  while (!token.empty() &&
         (token.back() == ' ' || token.back() == '\n' || token.back() == '\r' || token.back() == '\t'))
    token.remove_suffix(1);
  return token;
}

bool is_letter(char c) {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

// NaN, Infinity and None, as Python writes them, and inf and -nan, as C does: words that JSON does not have.
bool is_no_json_word(std::string_view token) {
  if (token[0] == '+' || token[0] == '-') return token.size() > 1 && is_letter(token[1]);
  return is_letter(token[0]) && token[0] != 't' && token[0] != 'f' && token[0] != 'n';
}

// Strings and numbers; anything else is passed over.
error_code read_scalar(ondemand::value value, std::string_view* to) {
  const std::string_view token = value.raw_json_token();
  if (token[0] == '"') return value.get_string().get(*to);
  if ((token[0] == '-' && !is_no_json_word(token)) || (token[0] >= '0' && token[0] <= '9')) {
    *to = trimmed(token);
    return simdjson::SUCCESS;
  }
  if (is_no_json_word(token)) return simdjson::SUCCESS;
  ondemand::json_type type;
  return value.type().get(type);
}

bool is_plain(std::string_view number) {
  for (const char c : number)
    if (c < '0' || c > '9') return false;
  return number[0] != '0' || number.size() == 1;
}

// Numbers that are equal are one id: 1.0 and 1e0 are 1. `kept` is for one that is written in another way.
error_code read_id(ondemand::value value, std::string* kept, std::string_view* to) {
  const bool is_text = value.raw_json_token()[0] == '"';
  const error_code error = read_scalar(value, to);
  if (is_text || error != simdjson::SUCCESS || to->empty() || is_plain(*to)) return error;
  *kept = plain_number(*to);
  *to = *kept;
  return error;
}

error_code read_bool(ondemand::value value, bool* to) {
  std::string_view text;
  *to = value.raw_json_token()[0] == 't';  // true
  const error_code error = read_scalar(value, &text);
  *to = *to || (!text.empty() && text != "0");
  return error;
}

struct ArgField {
  std::string_view key;
  std::string_view ChromeEvent::*text;
};
constexpr ArgField kArgFields[] = {
    {"name", &ChromeEvent::arg_name},        {"object", &ChromeEvent::object}, {"file", &ChromeEvent::file},
    {"function", &ChromeEvent::function},    {"line", &ChromeEvent::line},     {"color", &ChromeEvent::color},
    {"sort_index", &ChromeEvent::sort_index}};

// Of what Chromium has in "args"; NULL: of something else.
std::string_view ChromeEvent::*source_field(std::string_view key) {
  if (key == "src_file") return &ChromeEvent::source_file;
  if (key == "src_line") return &ChromeEvent::source_line;
  return key == "src_func" ? &ChromeEvent::source_function : nullptr;
}

// False: not "file:line".
bool read_source(std::string_view text, ChromeEvent* event) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return false;
  const std::string_view line = text.substr(colon + 1);
  if (line.find_first_not_of("0123456789") != std::string_view::npos) return false;
  event->source_file = text.substr(0, colon);
  event->source_line = line;
  return true;
}

// Where a task of Chromium was posted: {"file_name": "a.cc", "function_name": "Run", "line_number": 1}, or that as the member
// "posted_from" of "task".
error_code read_posted(ondemand::value value, bool is_task, ChromeEvent* event) {
  ondemand::object place;
  if (const error_code error = value.get_object().get(place)) return error;
  for (auto field : place) {
    std::string_view key, text;
    ondemand::value member;
    if (const error_code error = field.unescaped_key().get(key)) return error;
    if (const error_code error = field.value().get(member)) return error;
    if (is_task && key == "posted_from" && member.raw_json_token()[0] == '{') {
      if (const error_code error = read_posted(member, false, event)) return error;
      continue;
    }
    if (const error_code error = read_scalar(member, &text)) return error;
    if (key == "file_name") event->source_file = text;
    if (key == "function_name") event->source_function = text;
    if (key == "line_number") event->source_line = text;
  }
  return simdjson::SUCCESS;
}

error_code read_args(ondemand::value value, ChromeEvent* event) {
  ondemand::json_type type;
  if (const error_code error = value.type().get(type)) return error;
  if (type != ondemand::json_type::object) return simdjson::SUCCESS;
  ondemand::object args;
  if (const error_code error = value.get_object().get(args)) return error;
  event->has_args = true;
  uint32_t seen = 0;
  for (auto field : args) {
    std::string_view key, text;
    ondemand::value arg;
    ondemand::json_type arg_type;
    if (const error_code error = field.unescaped_key().get(key)) return error;
    if (const error_code error = field.value().get(arg)) return error;
    if (is_no_json_word(arg.raw_json_token())) {
      ++event->arg_count;
      continue;
    }
    if (const error_code error = arg.type().get(arg_type)) return error;
    if (arg_type == ondemand::json_type::object && (key == "task" || key == "posted_from")) {
      if (const error_code error = read_posted(arg, key == "task", event)) return error;
      event->arg_count += event->source_file.empty();
      continue;
    }
    if (const error_code error = read_scalar(arg, &text)) return error;
    if ((key == "loc" || key == "src") && arg_type == ondemand::json_type::string && read_source(text, event)) continue;
    if (std::string_view ChromeEvent::*const source = source_field(key); source != nullptr && !text.empty()) {
      event->*source = text;
      continue;
    }
    ++event->arg_count;
    if (arg_type == ondemand::json_type::string && event->first_text.empty()) event->first_text = text;
    for (size_t i = 0; i < std::size(kArgFields); ++i) {
      if (key != kArgFields[i].key || (seen & (1u << i)) != 0) continue;
      seen |= 1u << i;
      event->*kArgFields[i].text = text;
      if (kArgFields[i].text == &ChromeEvent::object) event->has_object = arg_type == ondemand::json_type::string;
    }
    const bool is_scalar = arg_type == ondemand::json_type::string || arg_type == ondemand::json_type::number;
    if (is_scalar && event->args.size() < kMaxArgs) event->args.emplace_back(key, text);
  }
  return simdjson::SUCCESS;
}

// {"local": "0x1"} or {"global": ...}
error_code read_id2(ondemand::value value, std::string* kept, ChromeEvent* event) {
  ondemand::json_type type;
  if (const error_code error = value.type().get(type)) return error;
  if (type != ondemand::json_type::object) return simdjson::SUCCESS;
  ondemand::object ids;
  if (const error_code error = value.get_object().get(ids)) return error;
  for (auto field : ids) {
    std::string_view key;
    ondemand::value id;
    if (const error_code error = field.unescaped_key().get(key)) return error;
    event->id_is_global = key == "global";
    event->id_is_local = key == "local";
    if (const error_code error = field.value().get(id)) return error;
    if (const error_code error = read_id(id, kept, &event->id)) return error;
  }
  return simdjson::SUCCESS;
}

struct Field {
  std::string_view key;
  std::string_view ChromeEvent::*text;  // NULL: of another kind than text
};
constexpr Field kFields[] = {{"ph", &ChromeEvent::phase},
                             {"name", &ChromeEvent::name},
                             {"cat", &ChromeEvent::category},
                             {"pid", &ChromeEvent::pid},
                             {"site", &ChromeEvent::site},
                             {"tid", &ChromeEvent::tid},
                             {"ts", &ChromeEvent::ts},
                             {"dur", &ChromeEvent::dur},
                             {"id", &ChromeEvent::id},
                             {"depth", &ChromeEvent::depth},
                             {"flags", &ChromeEvent::flags},
                             {"track", &ChromeEvent::track},
                             {"frame", &ChromeEvent::frame},
                             {"lane", &ChromeEvent::lane},
                             {"lane_id", &ChromeEvent::lane_id},
                             {"nonfinite", &ChromeEvent::nonfinite},
                             {"scope_id", &ChromeEvent::scope_id},
                             {"flow", &ChromeEvent::flow},
                             {"bind_id", &ChromeEvent::bind_id},
                             {"scope", &ChromeEvent::scope},
                             {".file", &ChromeEvent::source_file},
                             {".line", &ChromeEvent::source_line},
                             {"thread", &ChromeEvent::thread},
                             {"times", &ChromeEvent::times},
                             {"args", nullptr},
                             {"moved", nullptr},
                             {"empty", nullptr},
                             {"flow_in", nullptr},
                             {"flow_out", nullptr},
                             {"id2", nullptr},
                             {"loc", nullptr}};
enum : uint32_t {
  kPid = 3,
  kTid = 5,
  kId = 8,
  kBindId = 18,
  kArgs = 24,
  kMoved,
  kEmpty,
  kFlowIn,
  kFlowOut,
  kId2,
  kLoc,
  kUnknown
};
static_assert(std::size(kFields) == kUnknown && kUnknown == ChromeEvents::kFields && kFields[kArgs].key == "args" &&
              kFields[kLoc].key == "loc");
constexpr uint32_t kIds = 1u << kPid | 1u << kTid | 1u << kId | 1u << kBindId;  // fields that may be numbers
static_assert(kFields[kPid].key == "pid" && kFields[kTid].key == "tid" && kFields[kId].key == "id" &&
              kFields[kBindId].key == "bind_id");

// A key as it stands in the file, with the quote behind it, to be compared by words.
class Key {
 public:
  static constexpr size_t kBytes = 16;

  explicit Key(const Field& field) {
    char text[kBytes] = {}, mask[kBytes] = {};
    field.key.copy(text, kBytes - 1);
    text[field.key.size()] = '"';
    memset(mask, 0xFF, field.key.size() + 1);
    memcpy(text_, text, kBytes);
    memcpy(mask_, mask, kBytes);
  }
  // kBytes are read.
  bool is_at(const char* text) const {
    uint64_t words[2];
    memcpy(words, text, kBytes);
    return (((words[0] ^ text_[0]) & mask_[0]) | ((words[1] ^ text_[1]) & mask_[1])) == 0;
  }

 private:
  uint64_t text_[2], mask_[2];
};

const std::vector<Key> kKeys(std::begin(kFields), std::end(kFields));

uint32_t find_field(std::string_view key) {
  uint32_t field = 0;
  while (field < kUnknown && key != kFields[field].key) ++field;
  return field;
}

// The place of a number in ChromeEvents::ids_.
size_t id_place(uint32_t field) {
  return field == kPid ? 0 : field == kTid ? 1 : field == kBindId ? 2 : 3;
}

error_code read_field(uint32_t field, ondemand::value value, uint32_t* seen, std::string* ids, ChromeEvent* event) {
  if (field == kId2 && !event->id.empty()) return simdjson::SUCCESS;
  if (field == kUnknown || (*seen & 1u << field) != 0) return simdjson::SUCCESS;
  *seen |= 1u << field;
  if ((kIds & 1u << field) != 0) return read_id(value, &ids[id_place(field)], &(event->*kFields[field].text));
  if (kFields[field].text != nullptr) return read_scalar(value, &(event->*kFields[field].text));
  if (field == kArgs) return read_args(value, event);
  if (field == kMoved) return read_bool(value, &event->moved);
  if (field == kEmpty) return read_bool(value, &event->empty);
  if (field == kFlowIn) return read_bool(value, &event->flow_in);
  if (field == kFlowOut) return read_bool(value, &event->flow_out);
  if (field == kId2) return read_id2(value, &ids[id_place(field)], event);
  std::string_view text;
  const error_code error = read_scalar(value, &text);
  if (error == simdjson::SUCCESS) read_source(text, event);
  return error;
}

}  // namespace

void ChromeEvents::start(std::string_view text) {
  constexpr size_t kPadding = std::max(simdjson::SIMDJSON_PADDING, Key::kBytes);
  size_ = text.size();
  left_ = size_;
  if (text_.size() < size_ + 2 + kPadding) text_.resize(size_ + 2 + kPadding);
  text_[0] = '[';
  memcpy(text_.data() + 1, text.data(), size_);
  text_[size_ + 1] = ']';
  is_first_ = true;
  ondemand::array array;
  error_ = parser_.iterate(simdjson::padded_string_view(text_.data(), size_ + 2, text_.size())).get(document_);
  if (error_ == simdjson::SUCCESS) error_ = document_.get_array().get(array);
  if (error_ == simdjson::SUCCESS) error_ = array.begin().get(at_);
}

ChromeEvents::Next ChromeEvents::next(ChromeEvent* event) {
  if (error_ != simdjson::SUCCESS) return Next::kDamaged;
  if (!is_first_) ++at_;
  is_first_ = false;
  if (!(at_ != at_)) return Next::kEnd;
  ondemand::value value;
  if ((error_ = (*at_).get(value))) return Next::kDamaged;
  left_ = static_cast<size_t>(text_.data() + 1 + size_ - value.raw_json_token().data());
  error_ = read(value, event);
  return error_ == simdjson::SUCCESS ? Next::kEvent : Next::kDamaged;
}

error_code ChromeEvents::read(ondemand::value value, ChromeEvent* event) {
  auto args = std::move(event->args);
  *event = {};
  event->args = std::move(args);  // its memory is used again
  event->args.clear();
  ondemand::object object;
  if (const error_code error = value.get_object().get(object)) return error;
  uint32_t seen = 0, before = kFields;
  event->is_empty = true;
  for (auto next : object) {
    event->is_empty = false;
    ondemand::field member;
    uint32_t field = order_[before];
    if (const error_code error = std::move(next).get(member)) return error;
    if (!kKeys[field].is_at(member.key().raw())) {
      std::string_view key;
      if (const error_code error = member.unescaped_key().get(key)) return error;
      field = find_field(key);
    }
    if (const error_code error = read_field(field, member.value(), &seen, ids_, event)) return error;
    if (field == kUnknown) continue;
    order_[before] = static_cast<uint8_t>(field);
    before = field;
  }
  return simdjson::SUCCESS;
}

}  // namespace flamelet::formats
