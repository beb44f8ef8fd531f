// SPDX-License-Identifier: MIT
//
// importer.h: what the importers share: where the bytes come from, where the events go, and the counts.
#ifndef FLAMELET_IMPORT_SRC_IMPORTER_H
#define FLAMELET_IMPORT_SRC_IMPORTER_H

#include <zlib.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <protozero/data_view.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "flamelet/capture_builder.h"
#include "flamelet/detail/hash.h"
#include "flamelet/detail/sums.h"
#include "flamelet/detail/text.h"
#include "flamelet/import.h"

namespace flamelet::formats {

// ---- The bytes of a trace in order, decompressed if they were gzipped, and as UTF-8 if they are text in UTF-16

class Input {
 public:
  // Hands out no more than `max_bytes`.
  Input(flamelet_source source, uint64_t max_bytes);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // The first bytes, up to kPeekBytes, without taking them. For telling the format.
  static constexpr size_t kPeekBytes = 256;
  std::string_view peek();

  // Less than `count` bytes only at the end.
  size_t read(void* to, size_t count);

  uint64_t bytes() const { return bytes_; }  // read so far
  bool gzip() const { return gzip_; }
  bool utf16() const { return utf16_; }                          // what is read is UTF-8 nevertheless
  uint64_t halves_repaired() const { return halves_repaired_; }  // of pairs of surrogates, which became U+FFFD
  bool failed() const { return failed_; }                        // the source said that it cannot read
  bool cut_off() const { return cut_off_; }  // the compressed data ends early, or is damaged, or max_bytes were read
  bool gzip_damaged() const { return gzip_damaged_; }  // it, or its checksum: then nothing need be cut off

 private:
  static constexpr size_t kRawBytes = size_t{64} << 10;

  bool fill();  // more raw bytes; false at the end
  size_t read_source(char* to, size_t size);
  size_t take(char* to, size_t count);
  size_t unpack(char* to, size_t count);
  bool read_utf16();
  size_t inflate_some(char* to, size_t count);
  void end_damaged(const char* why);

  flamelet_source source_;
  uint64_t source_at_ = 0;
  uint64_t max_bytes_;
  uint64_t bytes_ = 0;
  std::vector<char> raw_;
  size_t raw_at_ = 0;
  size_t raw_end_ = 0;
  bool raw_ended_ = false;
  std::vector<char> peeked_;
  size_t peeked_at_ = 0;
  bool has_peeked_ = false;
  bool utf16_ = false;
  size_t high_byte_ = 0;    // of two, in UTF-16
  uint32_t high_half_ = 0;  // of a pair of surrogates that is not whole yet; 0: none
  uint64_t halves_repaired_ = 0;
  std::string text_;  // in UTF-8, a piece of what was UTF-16
  size_t text_at_ = 0;
  z_stream stream_ = {};
  bool gzip_ = false;
  bool stream_ended_ = false;  // between two gzip members
  bool failed_ = false;
  bool cut_off_ = false;
  bool gzip_damaged_ = false;
};

// Perfetto compressed: what a piece of memory was before zlib compressed it, in pieces.

class InflateSource {
 public:
  // Not more than `max_bytes` come out. `bytes` are less than 4 GiB.
  InflateSource(protozero::data_view bytes, size_t max_bytes) : left_(max_bytes) {
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
  }
  ~InflateSource() { inflateEnd(&stream_); }
  InflateSource(const InflateSource&) = delete;
  InflateSource& operator=(const InflateSource&) = delete;

  size_t read(void* to, size_t count) {
    count = std::min({count, left_, size_t{1} << 30});
    if (ended_ || count == 0) return 0;
    stream_.next_out = static_cast<unsigned char*>(to);
    stream_.avail_out = static_cast<uInt>(count);
    const int answer = inflate(&stream_, Z_NO_FLUSH);
    ended_ = answer != Z_OK || stream_.avail_out != 0;
    whole_ = answer == Z_STREAM_END;
    const size_t made = count - stream_.avail_out;
    left_ -= made;
    bytes_ += made;
    return made;
  }
  size_t bytes() const { return bytes_; }  // that came out
  // What came out is not all that went in.
  bool damaged() const { return !whole_; }

 private:
  z_stream stream_ = {};
  size_t left_;
  size_t bytes_ = 0;
  bool ended_ = false, whole_ = false;
};

// ---- Numbers as they are written, in integers: a double would lose nanoseconds of a time since 1970

// text * 10^shift, rounded to the nearest integer, halves away from 0; beyond what an int64_t holds, its largest or
// smallest value. False if the text is no number of JSON's form (a sign + and leading zeros are forgiven).
inline bool parse_decimal(std::string_view text, int shift, int64_t* value) {
  size_t at = 0;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  uint64_t digits = 0;
  int64_t exponent = shift;
  bool any = false, fraction = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    any = true;
    if (digits <= (UINT64_MAX - 9) / 10) {
      digits = digits * 10 + static_cast<uint64_t>(c - '0');
      exponent -= fraction;
    } else {
      exponent += !fraction;  // further digits are below what an int64_t can tell
    }
  }
  if (!any) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool down = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (at == text.size()) return false;
    int64_t power = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      if (power < 1000000) power = power * 10 + (text[at] - '0');
    exponent += down ? -power : power;
  }
  if (at != text.size()) return false;

  constexpr uint64_t kMost = INT64_MAX;
  for (; exponent > 0 && digits != 0; --exponent) {
    if (digits > kMost / 10) {
      digits = kMost;
      break;
    }
    digits *= 10;
  }
  if (exponent < 0) {
    uint64_t divisor = 1;
    for (; exponent < 0 && divisor <= UINT64_MAX / 10; ++exponent) divisor *= 10;
    if (exponent < 0) digits = 0;  // less than a half, whatever the digits
    const uint64_t rest = digits % divisor;
    digits = digits / divisor + (rest >= divisor - rest);
  }
  if (digits > kMost) digits = kMost;
  *value = negative ? -static_cast<int64_t>(digits) : static_cast<int64_t>(digits);
  return true;
}

// A number of JSON's form as it is written without an exponent and needless zeros: 1.0, 1e0 and 10e-1 are "1". So equal numbers
// are equal texts. What is no such number stays, and one of very many zeros has an exponent.
inline std::string plain_number(std::string_view text) {
  constexpr int64_t kMostZeros = 32;
  std::string digits;
  int64_t exponent = 0, power = 0;
  size_t at = text.substr(0, 1) == "-";
  for (bool fraction = false; at < text.size(); ++at) {
    if (text[at] == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (text[at] < '0' || text[at] > '9') break;
    digits += text[at];
    exponent -= fraction;
  }
  if (digits.empty()) return std::string(text);
  if (at < text.size() && ((text[at] | 0x20) != 'e' || !parse_decimal(text.substr(at + 1), 0, &power)))
    return std::string(text);
  exponent += std::clamp<int64_t>(power, INT32_MIN, INT32_MAX);
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return "0";
  const size_t zeros = digits.size() - 1 - digits.find_last_not_of('0');
  digits.resize(digits.size() - zeros);
  exponent += static_cast<int64_t>(zeros);
  const std::string sign = text[0] == '-' ? "-" : "";
  if (exponent >= 0 && exponent <= kMostZeros) return sign + digits.append(static_cast<size_t>(exponent), '0');
  if (exponent > 0 || exponent < -kMostZeros) return sign + digits + 'e' + std::to_string(exponent);
  const auto places = static_cast<size_t>(-exponent);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  return sign + digits.insert(digits.size() - places, ".");
}

// A time in microseconds, of any size, in nanoseconds modulo 2^64: the difference of two that are near each other is right.
// `about` tells whether they are. parse_decimal() knows it for a number.
struct FarTime {
  uint64_t ns;
  double about;
};
inline FarTime parse_far_time(std::string_view us) {
  const std::string plain = plain_number(us);
  FarTime time = {};
  bool any_point = false, up = false;
  int places = 0;
  for (const char c : plain) {
    if (c == 'e') {  // with very many zeros, behind or in front
      time = {};
      if (plain.find('-', 1) == std::string::npos) time.about = HUGE_VAL;
      break;
    }
    if (c == '.') any_point = true;
    if (c < '0' || c > '9') continue;
    if (any_point && places++ == 3) {
      up = c >= '5';
      break;
    }
    time.ns = time.ns * 10 + static_cast<uint64_t>(c - '0');
    time.about = time.about * 10 + (c - '0');
  }
  for (; places < 3; ++places) {
    time.ns *= 10;
    time.about *= 10;
  }
  time.ns += up;
  if (plain[0] == '-') return {-time.ns, -time.about};
  return time;
}

// Reads a number that should be a count or an id; 0 if it is none.
inline uint64_t parse_count(std::string_view text) {
  int64_t value;
  return parse_decimal(text, 0, &value) && value > 0 ? static_cast<uint64_t>(value) : 0;
}
inline uint32_t parse_id(std::string_view text) {
  const uint64_t value = parse_count(text);
  return value <= UINT32_MAX ? static_cast<uint32_t>(value) : 0;
}

// ---- Where the events go

// The spans of other programs' traces on lanes where they nest.
//
// Streams of a GPU, and tracks that several threads write to, have spans on one lane that overlap in part. On one lane the
// capture would cut them. So each span stands on the first lane beside its own on which it nests, and keeps its time. Only
// what overlaps by no more than the trace's rounding is cut: by 1 ns, or 1 µs where all times are whole µs. Or, where all begins
// are such as doubles of µs are written, by what these can tell (double_grain_ns) and half of it: a begin, a length and their
// digits are rounded each.
//
// Spans may come in any order. They are put in the order of their begins, parents first, so many at a time: of those that
// begin together the longest, and of equal ones the one that began first. Where that is known, one of no length stands before
// those that began after it. The capture keeps the order of a lane on which all came in it.

// Double times: times that a program had as doubles of microseconds. Since 1970, two neighbours are 0.25 µs apart, so what
// began and ended at one time may not, as the file has it.

// Between two neighbours of this size, if that is more than a nanosecond.
inline int64_t double_grain_ns(int64_t at_ns) {
  const double us = std::fabs(static_cast<double>(at_ns) / 1000);
  const double grain_ns = (std::nextafter(us, HUGE_VAL) - us) * 1000;
  return grain_ns >= 2 ? static_cast<int64_t>(grain_ns) : 1;
}

// Whether a double is written as this time: with all decimal places, as by printf(), or in the 17 digits that tell it from its
// neighbours, as by Python and JavaScript: 0.25 is 0.2 then.
inline bool is_double_time(int64_t at_ns) {
  const int64_t whole_us = at_ns / 1000;
  const auto rest_ns = static_cast<double>(at_ns % 1000);
  const double us = static_cast<double>(whole_us) + rest_ns / 1000;
  const double rest_us = us - static_cast<double>(whole_us);
  double tens = 1e17;  // decimal places that are left of the 17 digits
  for (int64_t left = whole_us; left != 0; left /= 10) tens /= 10;
  return std::fabs(rest_us * 1000 - rest_ns) < 0.75 ||
         std::fabs(std::nearbyint(rest_us * tens) / tens * 1000 - rest_ns) < 0.75;
}

// Span nesting: whether the spans of each lane nest, told while they come. If they do, the capture cuts none of them, and
// need not be read for those that it cuts. This is known of spans in the order of their begins, parents first, and in the
// order of their ends, children first; for others the answer is no.

class SpanNesting {
 public:
  // keeps_order: of spans that begin together the first one is the parent, and not the longest.
  void add(uint32_t lane, int64_t begin_ns, int64_t end_ns, bool keeps_order) {
    if (!all_nest_) return;
    if (lane >= lanes_.size()) lanes_.resize(lane + 1);
    Lane& of = lanes_[lane];
    of.is_by_begin = of.is_by_begin && of.parents.add(begin_ns, end_ns);
    of.is_by_end = of.is_by_end && of.ended.add(begin_ns, end_ns, keeps_order);
    all_nest_ = of.is_by_begin || of.is_by_end;
  }
  bool all_nest() const { return all_nest_; }
  // Whether the spans of a lane came parents first. The lanes are numbered from 0 to lane_count() - 1.
  size_t lane_count() const { return lanes_.size(); }
  bool is_in_order(uint32_t lane) const { return all_nest_ && lanes_[lane].is_by_begin; }

 private:
  static constexpr size_t kMost = 1024;  // spans that are remembered of a lane

  // Those around the newest span.
  class Parents {
   public:
    bool add(int64_t begin_ns, int64_t end_ns) {
      while (!ends_.empty() && ends_.back() <= begin_ns) ends_.pop_back();
      const bool nests = begin_ns >= newest_begin_ns_ && (ends_.empty() || end_ns <= ends_.back());
      newest_begin_ns_ = begin_ns;
      if (!nests || ends_.size() == kMost) return false;
      ends_.push_back(end_ns);
      return true;
    }

   private:
    int64_t newest_begin_ns_ = INT64_MIN;
    std::vector<int64_t> ends_;
  };

  // Those whose parents may still come.
  class Ended {
   public:
    bool add(int64_t begin_ns, int64_t end_ns, bool keeps_order) {
      while (!spans_.empty() && is_child(spans_.back().begin_ns, begin_ns, keeps_order)) spans_.pop_back();
      const int64_t before_ns = spans_.empty() ? forgotten_end_ns_ : spans_.back().end_ns;
      const bool nests = end_ns >= newest_end_ns_ && before_ns <= begin_ns;
      newest_end_ns_ = end_ns;
      if (!nests) return false;
      if (spans_.size() == kMost) {
        forgotten_end_ns_ = spans_[kMost / 2 - 1].end_ns;
        spans_.erase(spans_.begin(), spans_.begin() + kMost / 2);
      }
      spans_.push_back({begin_ns, end_ns});
      return true;
    }

   private:
    struct Span {
      int64_t begin_ns, end_ns;
    };
    static bool is_child(int64_t child_ns, int64_t parent_ns, bool keeps_order) {
      return child_ns > parent_ns || (child_ns == parent_ns && !keeps_order);
    }
    int64_t newest_end_ns_ = INT64_MIN, forgotten_end_ns_ = INT64_MIN;
    std::vector<Span> spans_;
  };

  struct Lane {
    Parents parents;
    Ended ended;
    bool is_by_begin = true, is_by_end = true;
  };
  std::vector<Lane> lanes_;
  bool all_nest_ = true;
};

class SpanLanes {
 public:
  SpanLanes(flamelet_capture_builder* builder, flamelet_import_report& report) : builder_(builder), report_(report) {}

  // `order`: of its begin among the others. It counts only if the span knows its depth.
  void add(uint32_t lane, const flamelet_span& span, uint64_t order) {
    if (waiting_.size() == kMostWaiting) take(kMostWaiting / 4 * 3);
    const auto number = static_cast<uint32_t>(waiting_.size());
    const bool has_order = span.depth != FLAMELET_DEPTH_UNKNOWN && order < kNoOrder;
    waiting_.push_back({lane, span});
    order_.push_back({span.begin_ns, span.end_ns, has_order ? static_cast<uint32_t>(order) : kNoOrder, number});
    has_moments_ = has_moments_ || (has_order && span.begin_ns == span.end_ns);
    in_order_ = in_order_ && (number == 0 || !stands_before(order_[number], order_[number - 1]));
  }
  // A span of a trace that Flamelet wrote: those nest, and stand where they stood.
  void add_own(uint32_t lane, const flamelet_span& span) { flamelet_capture_builder_span(builder_, lane, &span); }

  // No span comes any more.
  void finish() {
    take(waiting_.size());
    put_later({INT64_MAX, INT64_MIN, 0, 0});
    for (uint32_t lane = 0; lane < nesting.lane_count(); ++lane)
      if (nesting.is_in_order(lane)) flamelet_capture_builder_keep_order(builder_, lane);
  }

  // They may have been doubles of about this size.
  void set_double_times(int64_t at_ns) { grain_ns_ = double_grain_ns(at_ns); }

  SpanNesting nesting;

 private:
  static constexpr size_t kMostWaiting = size_t{1} << 20;      // 96 MiB
  static constexpr size_t kMostBeside = 64, kMostMore = 2048;  // lanes beside each, and further ones of all together
  static constexpr uint32_t kNoOrder = UINT32_MAX;

  struct Waiting {
    uint32_t lane;
    flamelet_span span;
  };
  struct Place {
    int64_t begin_ns, end_ns;
    uint32_t order, number;  // number: in waiting_
  };
  // A lane, and the ends of the spans around the newest one.
  struct Lane {
    uint32_t lane;
    std::vector<int64_t> ends_ns;
    bool is_whole_us, is_grained;
  };
  enum class Taken { kPlace, kNone, kLater };

  bool stands_before(const Place& a, const Place& b) const {
    if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
    if (lane_of(a) != lane_of(b)) return lane_of(a) < lane_of(b);
    if (a.end_ns != b.end_ns) return a.end_ns > b.end_ns;
    return a.order != b.order ? a.order < b.order : a.number < b.number;
  }
  uint32_t lane_of(const Place& place) const { return waiting_[place.number].lane; }

  // Those of no length that ended before others began stand behind them so far, as the shortest ones.
  void place_moments() {
    for (size_t first = 0, end; first < order_.size(); first = end) {
      size_t moment = first;
      const auto is_together = [&](size_t at) {
        return at < order_.size() && order_[at].begin_ns == order_[first].begin_ns &&
               lane_of(order_[at]) == lane_of(order_[first]);
      };
      while (is_together(moment) && order_[moment].end_ns != order_[moment].begin_ns) ++moment;
      for (end = moment; is_together(end);) ++end;
      if (moment == first || moment == end) continue;
      const std::vector<Place> longer(order_.begin() + static_cast<ptrdiff_t>(first),
                                      order_.begin() + static_cast<ptrdiff_t>(moment));
      size_t to = first;
      for (const Place& place : longer) {
        while (place.order != kNoOrder && moment != end && order_[moment].order < place.order)
          order_[to++] = order_[moment++];
        order_[to++] = place;
      }
    }
  }

  void take(size_t count) {
    const auto before = [this](const Place& a, const Place& b) { return stands_before(a, b); };
    if (!in_order_) std::sort(order_.begin(), order_.end(), before);
    if (has_moments_) place_moments();
    in_order_ = !has_moments_;
    for (size_t i = 0; i < count; ++i) {
      put_later(order_[i]);
      put(waiting_[order_[i].number]);
    }
    std::vector<Waiting> left;
    left.reserve(order_.size() - count);
    for (size_t i = count; i < order_.size(); ++i) {
      left.push_back(waiting_[order_[i].number]);
      order_[i - count] = {order_[i].begin_ns, order_[i].end_ns, order_[i].order, static_cast<uint32_t>(i - count)};
    }
    order_.resize(left.size());
    waiting_.swap(left);
  }

  // Those that begin later than they said, up to that place.
  void put_later(const Place& until) {
    while (!later_.empty() && later_.front().span.begin_ns <= until.begin_ns) {
      const flamelet_span& first = later_.front().span;
      if (first.begin_ns == until.begin_ns && first.end_ns < until.end_ns) return;
      std::pop_heap(later_.begin(), later_.end(), begins_behind);
      Waiting next = later_.back();
      later_.pop_back();
      put(next);
    }
  }

  void put(Waiting& of) {
    if (of.lane >= lanes_.size()) lanes_.resize(of.lane + size_t{1});
    std::vector<Lane>& beside = lanes_[of.lane];
    if (beside.empty()) beside.push_back({of.lane, {}, true, true});
    flamelet_span& span = of.span;
    size_t at = 0;
    Taken taken = Taken::kNone;
    while (at < beside.size() && (taken = take_place(&beside[at], &span)) == Taken::kNone) ++at;
    if (taken == Taken::kLater) {
      later_.push_back(of);
      std::push_heap(later_.begin(), later_.end(), begins_behind);
      return;
    }
    if (at == beside.size()) {
      const bool is_more = at > kMostBeside;
      const bool has_room = !is_more || more_beside_ != kMostMore;
      const uint32_t lane = has_room ? flamelet_capture_builder_lane_beside(builder_, of.lane) : 0;
      more_beside_ += is_more && lane != 0;
      if (lane == 0)
        at = 0;  // the capture cuts it
      else
        beside.push_back({lane, {span.end_ns}, is_whole_us(span), has_grain(span)});
    }
    report_.spans_beside += at != 0;
    nesting.add(beside[at].lane, span.begin_ns, span.end_ns, /*keeps_order=*/false);
    flamelet_capture_builder_span(builder_, beside[at].lane, &span);
  }

  // kNone: the span overlaps one of the lane in part. kLater: it begins where that ends, behind what is inside of that.
  Taken take_place(Lane* lane, flamelet_span* span) {
    std::vector<int64_t>& ends_ns = lane->ends_ns;
    const bool is_whole = lane->is_whole_us && is_whole_us(*span);
    const bool is_grained = lane->is_grained && has_grain(*span);
    const int64_t rounding_ns = is_whole ? 1000 : is_grained ? grain_ns_ + grain_ns_ / 2 : 1;
    int64_t end_ns = span->end_ns;
    while (!ends_ns.empty() && ends_ns.back() <= span->begin_ns) ends_ns.pop_back();
    if (!ends_ns.empty() && end_ns > ends_ns.back()) {
      if (end_ns - ends_ns.back() <= rounding_ns) {
        end_ns = ends_ns.back();
      } else {
        const auto around =
            std::partition_point(ends_ns.begin(), ends_ns.end(), [&](int64_t end) { return end >= end_ns; });
        if (*around - span->begin_ns > rounding_ns) return Taken::kNone;
        cut(span, *around, end_ns);
        return Taken::kLater;
      }
    }
    lane->is_whole_us = is_whole;
    lane->is_grained = is_grained;
    if (end_ns != span->end_ns) cut(span, span->begin_ns, end_ns);
    ends_ns.push_back(end_ns);
    return Taken::kPlace;
  }

  void cut(flamelet_span* span, int64_t begin_ns, int64_t end_ns) {
    report_.spans_cut += (span->flags & FLAMELET_SPAN_CUT) == 0;
    span->flags |= FLAMELET_SPAN_CUT;
    span->begin_ns = begin_ns;
    span->end_ns = end_ns;
  }

  static bool begins_behind(const Waiting& a, const Waiting& b) {
    if (a.span.begin_ns != b.span.begin_ns) return a.span.begin_ns > b.span.begin_ns;
    return a.span.end_ns < b.span.end_ns;
  }

  bool has_grain(const flamelet_span& span) const {
    if ((span.flags & FLAMELET_SPAN_CUT) != 0) return true;  // it had, as it was let begin later
    return grain_ns_ != 1 && is_double_time(span.begin_ns);
  }
  static bool is_whole_us(const flamelet_span& span) { return span.begin_ns % 1000 == 0 && span.end_ns % 1000 == 0; }

  flamelet_capture_builder* const builder_;
  flamelet_import_report& report_;
  std::vector<Waiting> waiting_;
  std::vector<Place> order_;
  std::vector<Waiting> later_;  // a heap, by begin
  bool in_order_ = true;
  bool has_moments_ = false;  // some of no length, and known order
  int64_t grain_ns_ = 1;
  size_t more_beside_ = 0;
  std::vector<std::vector<Lane>> lanes_;  // each with those beside it, by its number
};

// An end with a name looks for its begin among so many open ones of its thread, from the innermost one on.
constexpr size_t kMostSearched = 4096;

// A string of the builder. Texts that it would cut end in a hash: two of them are still two.
inline uint32_t string(flamelet_capture_builder* builder, std::string_view text) {
  constexpr size_t kMaxBytes = 65535, kHashBytes = 24;
  if (text.size() <= kMaxBytes) return flamelet_capture_builder_string(builder, text.data(), text.size());
  char hash[kHashBytes];
  snprintf(hash, sizeof hash, "… #%llx", static_cast<unsigned long long>(fnv_of_text(text.data(), text.size())));
  const std::string apart = std::string(whole_start(text, kMaxBytes - kHashBytes)) + hash;
  return flamelet_capture_builder_string(builder, apart.data(), apart.size());
}

// Of another program's name: a zero byte would end it where names are C's strings, as in call trees, and
// bytes that are not UTF-8 would read alike. Counted.
inline std::string repaired_name(std::string_view text, uint64_t* repaired) {
  std::string whole;
  for (size_t at = 0, size; at < text.size(); at += std::max<size_t>(size, 1)) {
    size = text[at] == 0 ? 0 : utf8_sequence_bytes(text.substr(at));
    whole += size != 0 ? text.substr(at, size) : kReplacement;
  }
  *repaired += whole != text;
  return whole;
}

// What string() was given. A zero byte does not end it.
inline std::string_view text_of(flamelet_capture_builder* builder, uint32_t string) {
  const flamelet_string text = flamelet_capture_builder_text(builder, string);
  return {text.text, text.size};
}

// Argument texts: texts of the arguments of other programs' events, as strings of the builder. Each event may have a new
// one, so they get half of the room for strings: the names of what comes later are worth more.

class ArgumentTexts {
 public:
  // Limits of 0 are the capture's defaults.
  ArgumentTexts(flamelet_capture_builder* builder, const flamelet_capture_config& config)
      : builder_(builder),
        max_string_((config.max_strings == 0 ? 32768 : config.max_strings) / 2),
        bytes_left_((config.string_bytes == 0 ? size_t{2} << 20 : config.string_bytes) / 2) {}

  // 0: it is empty, or there is no room for it.
  uint32_t string(std::string_view text) {
    if (text.empty() || newest_ >= max_string_ || text.size() > bytes_left_) return 0;
    const uint32_t string = formats::string(builder_, text);
    if (string > newest_) {  // numbers rise, so this text is a new one, or at least new here
      newest_ = string;
      bytes_left_ -= text.size();
    }
    return string;
  }

 private:
  flamelet_capture_builder* const builder_;
  const uint32_t max_string_;
  size_t bytes_left_;
  uint32_t newest_ = 0;
};

// Counter names: a counter is known by its name alone. Where several processes or threads of another program have one of the
// same name, those that come later say whose they are: "memory (GPU process)".

class CounterNames {
 public:
  // For an owner that has had no counter of this name yet.
  std::string name(const std::string& counter, const std::string& owner) {
    std::string shown = counter;
    for (size_t same = 1; same < kMostSame && taken_.size() < kMost && !taken_.insert(shown).second; ++same)
      shown = counter + " (" + owner + (same == 1 ? "" : ", " + std::to_string(same)) + ")";
    return shown;
  }

 private:
  static constexpr size_t kMost = size_t{1} << 16, kMostSame = 64;
  std::unordered_set<std::string> taken_;
};

inline int64_t saturated_difference(int64_t a, int64_t b) {
  int64_t difference;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

// Whether a capture can have it, counted from 0: within 73 years.
inline bool is_good_time(int64_t at_ns) {
  constexpr int64_t kMostNs = int64_t{1} << 61;
  return at_ns >= -kMostNs && at_ns <= kMostNs;
}

// From one to the other, or the largest difference there is.
inline int64_t difference(FarTime a, FarTime b) {
  constexpr double kMostNs = 9e18;
  const double about = a.about - b.about;
  if (about >= kMostNs) return INT64_MAX;
  return about > -kMostNs ? static_cast<int64_t>(a.ns - b.ns) : INT64_MIN;
}

struct Import {
  Input& in;
  flamelet_capture_builder* builder;
  flamelet_import_report& report;
  ArgumentTexts arguments;

  uint32_t string(std::string_view text) { return formats::string(builder, text); }
  void say(const char* message) { snprintf(report.message, sizeof report.message, "%s", message); }
  // Spans that were cut where they are read; those whose flag stood in the file are not repairs.
  uint64_t cut_in_file = 0;
  SpanLanes spans = {builder, report};
  CounterNames counter_names = {};
};

// The text up to the next separator, which goes with it.
inline std::string_view take_part(std::string_view* text, char separator) {
  const std::string_view part = text->substr(0, text->find(separator));
  text->remove_prefix(std::min(text->size(), part.size() + 1));
  return part;
}

// What the exporter's thread_times_text() says of the threads in a frame. `lane_of`: a thread's lane by its tid; 0: none.
template <class LaneOf>
void put_thread_times(flamelet_capture_builder* builder, uint64_t frame, std::string_view text, const LaneOf& lane_of) {
  while (!text.empty()) {
    std::string_view of_thread = take_part(&text, ';');
    const uint32_t lane = lane_of(parse_id(take_part(&of_thread, ' ')));
    flamelet_thread_time time = {};
    const auto number = [&](uint32_t what) {
      const std::string_view part = take_part(&of_thread, ' ');
      if (!part.empty() && part != "-") time.known |= what;
      return parse_count(part);
    };
    time.ran_ns = static_cast<int64_t>(number(FLAMELET_TIME_RAN));
    time.ready_ns = static_cast<int64_t>(number(FLAMELET_TIME_READY));
    time.switches = static_cast<uint32_t>(number(FLAMELET_TIME_SWITCHES));
    time.major_faults = static_cast<uint32_t>(number(FLAMELET_TIME_MAJOR_FAULTS));
    time.minor_faults = static_cast<uint32_t>(number(FLAMELET_TIME_MINOR_FAULTS));
    if (lane != 0) flamelet_capture_builder_thread_time(builder, frame, lane, &time);
  }
}

// Site 0, "(overflow)", stands for all that had no room. Spans and instants then have their own names; a counter has none
// but its site's, so its values would be mixed with those of others.
inline bool is_nameless_counter(flamelet_capture_builder* builder, uint32_t site, uint32_t name) {
  return site == 0 && name != flamelet_capture_builder_string(builder, "(overflow)", 10);
}

// One file each. They read to the end, and answer an error only if there is nothing to show.
flamelet_result import_chrome(Import& job);
flamelet_result import_perfetto(Import& job);

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_IMPORTER_H
