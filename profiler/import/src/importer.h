// SPDX-License-Identifier: MIT
//
// importer.h: what the importers share: where the bytes come from, where the events go, and the counts.
#ifndef FLAMELET_IMPORT_SRC_IMPORTER_H
#define FLAMELET_IMPORT_SRC_IMPORTER_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_set>

#include "decimal.h"
#include "flamelet/capture_builder.h"
#include "flamelet/detail/hash.h"
#include "flamelet/import.h"
#include "gzip_input.h"
#include "span_lanes.h"

namespace flamelet::formats {

// A string of the builder. Texts that it would cut end in a hash: two of them are still two.
inline uint32_t string(flamelet_capture_builder* builder, std::string_view text) {
  constexpr size_t kMaxBytes = 65535, kHashBytes = 24;
  if (text.size() <= kMaxBytes) return flamelet_capture_builder_string(builder, text.data(), text.size());
  size_t size = kMaxBytes - kHashBytes;
  while ((static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;  // whole characters
  char hash[kHashBytes];
  snprintf(hash, sizeof hash, "… #%llx", static_cast<unsigned long long>(fnv_of_text(text.data(), text.size())));
  const std::string apart = std::string(text.substr(0, size)) + hash;
  return flamelet_capture_builder_string(builder, apart.data(), apart.size());
}

// Of another program's name: a zero byte would end it where names are C's strings.
inline std::string without_zeros(std::string_view text) {
  std::string whole;
  for (const char c : text) {
    if (c == 0)
      whole += "\xEF\xBF\xBD";
    else
      whole += c;
  }
  return whole;
}

// Argument texts: texts of the arguments of other programs' events, as strings of the builder. Each event may have a new
// one, so they get half of the room for strings: the names of what comes later are worth more.

class ArgumentTexts {
 public:
  ArgumentTexts(flamelet_capture_builder* builder, const flamelet_capture_config& config)
      : builder_(builder), max_string_(config.max_strings / 2), bytes_left_(config.string_bytes / 2) {}

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
inline int64_t saturated_sum(int64_t a, int64_t b) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

// Whether a capture can have it, counted from 0: within 73 years.
inline bool is_good_time(int64_t at_ns) {
  constexpr int64_t kMostNs = int64_t{1} << 61;
  return at_ns >= -kMostNs && at_ns <= kMostNs;
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
