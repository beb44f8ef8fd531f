// SPDX-License-Identifier: MIT
//
// Export, import, export: the second file must be the first one, byte by byte, whatever was recorded.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "flamelet/capture_builder.h"
#include "flamelet/export.h"
#include "flamelet/flamelet.h"
#include "flamelet/import.h"

namespace {

std::string exported(const flamelet_capture* capture, bool gzip = false) {
  flamelet_export_options options = flamelet_export_options_default();
  options.gzip = gzip;
  std::string to;
  const flamelet_export_sink sink = {[](void* user, const void* data, size_t size) {
                                       static_cast<std::string*>(user)->append(static_cast<const char*>(data), size);
                                       return true;
                                     },
                                     &to};
  REQUIRE(flamelet_export(capture, FLAMELET_EXPORT_CHROME, &options, sink, nullptr) == FLAMELET_OK);
  return to;
}

struct Text {
  const std::string& text;
  size_t at = 0;
};

flamelet_capture* imported(const std::string& text, flamelet_import_report* report) {
  flamelet_import_options options = flamelet_import_options_default();
  options.capture = flamelet_capture_config_default();
  options.capture.string_bytes = size_t{8} << 20;
  Text from = {text};
  const flamelet_import_source source = {[](void* user, void* to, size_t size, size_t* count) {
                                           Text& all = *static_cast<Text*>(user);
                                           *count = std::min(size, all.text.size() - all.at);
                                           all.text.copy(static_cast<char*>(to), *count, all.at);
                                           all.at += *count;
                                           return true;
                                         },
                                         &from};
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_import(source, &options, &capture, report) == FLAMELET_OK);
  return capture;
}

// The first difference, with what stands around it: a doctest of two long texts says too much.
void check_same(const std::string& first, const std::string& second) {
  size_t at = 0;
  while (at < first.size() && at < second.size() && first[at] == second[at]) ++at;
  const bool same = at == first.size() && at == second.size();
  const size_t from = at < 300 ? 0 : at - 300;
  INFO("first:  " << first.substr(from, 600));
  INFO("second: " << second.substr(from, 600));
  CHECK(same);
}

void check_round_trip(const flamelet_capture* capture) {
  const std::string first = exported(capture);
  flamelet_import_report report;
  flamelet_capture* again = imported(first, &report);
  CHECK(report.format == FLAMELET_IMPORT_CHROME);
  CHECK_FALSE(report.truncated);
  CHECK(report.bytes == first.size());
  const uint64_t repaired_or_left_out = report.spans_open + report.spans_cut + report.times_clamped +
                                        report.texts_repaired + report.ends_extra + report.events_damaged +
                                        report.args_left_out + report.events_unsupported + report.events_over_limits +
                                        report.events_evicted;
  CHECK(repaired_or_left_out == 0);
  check_same(first, exported(again));
  flamelet_capture_destroy(again);
}

std::string random_name(std::mt19937& random) {
  static const std::string kNames[] = {"Update",
                                       "quote \" and \\",
                                       "tab\tline\nend",
                                       "\xC3\xA4\xE2\x82\xAC",
                                       "bad \xFF",
                                       "bad \xFE",
                                       "cut \xE2\x82",
                                       "zero \x01\x1F\x7F",
                                       "",
                                       "surrogate \xED\xA0\x80"};
  switch (random() % 12) {
    case 0:
      return std::string(1, '\0') + "nul";
    case 1:
      return "name " + std::to_string(random() % 100);
    default:
      return kNames[random() % (sizeof kNames / sizeof *kNames)];
  }
}

double random_value(std::mt19937& random) {
  static const double kValues[] = {0.0,
                                   -0.0,
                                   1.0 / 3,
                                   1e300,
                                   -5e-324,
                                   123456789012345680.0,
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   std::nan("")};
  return kValues[random() % (sizeof kValues / sizeof *kValues)];
}

uint64_t now_ns = 0;

// Whatever the recorder takes, also what it should not be given.
class Recording {
 public:
  explicit Recording(uint32_t seed) : random_(seed) {
    now_ns = random_() % 1000000;
    flamelet_config config = flamelet_config_default();
    config.clock = [](void*) { return now_ns; };
    // Some clocks tick several times in a nanosecond.
    config.clock_ticks_per_second = random_() % 2 == 0 ? 1e9 : 3.1e9;
    config.max_fibers = 4;
    REQUIRE(flamelet_init(&config) == FLAMELET_OK);
    for (uint32_t& fiber : fibers_) fiber = flamelet_fiber_create(text());
    queue_ = flamelet_track_create("queue", FLAMELET_TRACK_GPU, 1e9);
  }
  ~Recording() {
    flamelet_capture_destroy(capture_);
    flamelet_shutdown();
  }
  void step() {
    now_ns += random_() % 3 == 0 ? 0 : random_() % 2000;
    switch (random_() % 14) {
      case 0:
      case 1:
      case 2:
      case 3:
        open_.push_back(flamelet_begin(text(), text(), random_() % 4 == 0 ? text() : nullptr));
        return;
      case 4:
      case 5:
      case 6:
        if (open_.empty()) return;
        flamelet_end(open_.back());
        return open_.pop_back();
      case 7:
        if (open_.empty()) return;  // with others inside of it
        flamelet_end(open_[random_() % open_.size()]);
        return;
      case 8:
        return flamelet_instant(text(), text(), random_() % 2 == 0 ? text() : nullptr);
      case 9:
        return flamelet_counter(text(), text(), random_value(random_));
      case 10:
        return flamelet_frame();
      case 11: {
        const uint32_t to = random_() % 2 == 0 ? 0 : fibers_[random_() % 3];
        flamelet_fiber_switch(fiber_, to);
        fiber_ = to;
        return;
      }
      case 12:
        if (random_() % 2 == 0 || started_.empty()) {
          started_.push_back(flamelet_start(text(), text(), random_() % 2 == 0 ? text() : nullptr));
        } else {
          flamelet_finish(started_[random_() % started_.size()]);
        }
        return;
      default:
        return submit();
    }
  }
  const flamelet_capture* capture() {
    flamelet_capture_config config = flamelet_capture_config_default();
    if (capture_ == nullptr) REQUIRE(flamelet_capture_create(&config, &capture_) == FLAMELET_OK);
    REQUIRE(flamelet_capture_update(capture_) == FLAMELET_OK);
    return capture_;
  }

 private:
  const char* text() { return flamelet_intern(random_name(random_).c_str()); }
  void submit() {
    flamelet_event events[2] = {};
    events[0].type = 'B';
    events[1].type = 'E';
    events[0].time_ticks = now_ns + random_() % 3000;
    events[1].time_ticks = events[0].time_ticks + random_() % 3 * (random_() % 2000);
    events[0].id = events[1].id = ++submitted_;
    events[0].name = text();
    flamelet_submit(queue_, events, 2);
  }

  std::mt19937 random_;
  flamelet_capture* capture_ = nullptr;
  std::vector<flamelet_id> open_, started_;
  uint32_t fibers_[3] = {};
  uint32_t fiber_ = 0;
  uint32_t queue_ = 0;
  uint64_t submitted_ = 0;
};

}  // namespace

TEST_CASE("round trip: whatever was recorded, Chrome JSON is the same after export, import and export") {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    INFO("seed " << seed);
    Recording recording(seed);
    for (int i = 0; i < 800; ++i) recording.step();
    check_round_trip(recording.capture());
  }
}

TEST_CASE("round trip: names of 64 KiB, also of bytes that are three times as long as U+FFFD") {
  Recording recording(1);
  const std::string long_names[] = {std::string(65535, 'x'), std::string(65535, '\xFF'), std::string(65535, '\x01'),
                                    "a" + std::string(65533, '\xE2') + "\x82"};
  for (const std::string& name : long_names) {
    const flamelet_id id = flamelet_begin(flamelet_intern(name.c_str()), "test", flamelet_intern(name.c_str()));
    ++now_ns;
    flamelet_end(id);
  }
  check_round_trip(recording.capture());
}

TEST_CASE("round trip: lanes of every kind, times before the origin, frames of no length, and nothing at all") {
  flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture_builder* builder = nullptr;
  REQUIRE(flamelet_capture_builder_create(&config, &builder) == FLAMELET_OK);
  flamelet_capture_builder_set_origin(builder, 1700000000123456789u);
  flamelet_capture* capture = nullptr;
  SUBCASE("nothing") {}
  SUBCASE("only frames") {
    flamelet_capture_builder_frame(builder, 7, -100, -100, FLAMELET_FRAME_LOSSY);
    flamelet_capture_builder_frame(builder, 8, -100, 50, 0);
  }
  SUBCASE("everything") {
    const auto string = [&](const std::string& text) {
      return flamelet_capture_builder_string(builder, text.data(), text.size());
    };
    std::mt19937 random(5);
    for (uint32_t lane_number = 0; lane_number < 8; ++lane_number) {
      const uint32_t lane =
          flamelet_capture_builder_span_lane(builder, static_cast<flamelet_lane_kind>(lane_number % 4),
                                             20 - lane_number, string(random_name(random)), lane_number % 2 == 0);
      for (int i = 0; i < 300; ++i) {
        flamelet_span span = {};
        span.begin_ns = static_cast<int64_t>(random() % 3000) - 1500;
        span.end_ns = span.begin_ns + static_cast<int64_t>(random() % 2 * (random() % 200));
        span.id = random() % 3 == 0 ? 0 : (uint64_t{1} << 60) + random() % 200;
        span.site = flamelet_capture_builder_site(builder, string(random_name(random)), string(random_name(random)),
                                                  string("file.cpp"), string("function()"), random() % 3 != 0,
                                                  random() % 2 == 0 ? 0 : 0xFF8000);
        span.name = random() % 3 == 0 ? string(random_name(random)) : 0;
        span.flags = static_cast<uint16_t>(random() % 64 & ~unsigned{FLAMELET_SPAN_CUT});
        span.depth = random() % 2 == 0 ? static_cast<uint16_t>(random() % 4) : FLAMELET_DEPTH_UNKNOWN;
        flamelet_capture_builder_span(builder, lane, &span);
        if (i % 5 == 0) flamelet_capture_builder_counter(builder, lane, span.begin_ns, span.site, random_value(random));
        if (i % 7 == 0)
          flamelet_capture_builder_instant(builder, lane, span.end_ns, span.site, span.name,
                                           random() % 2 == 0 ? 0 : string("what"));
      }
    }
    flamelet_capture_builder_interval(builder, 3, -5, 0, 70, 1, 1, 0, 0);
    flamelet_capture_builder_interval(builder, 0, 8, 9, 8, 2, 1, string("dynamic"), string("object"));
    flamelet_capture_builder_interval(builder, 3, -5, 4, 60, 3, 1, 0, 0);
  }
  flamelet_capture_builder_finish(builder, &capture);
  check_round_trip(capture);
  flamelet_capture_destroy(capture);
}

TEST_CASE("round trip: gzip changes nothing") {
  Recording recording(3);
  for (int i = 0; i < 500; ++i) recording.step();
  const std::string plain = exported(recording.capture());
  flamelet_import_report report;
  flamelet_capture* again = imported(exported(recording.capture(), true), &report);
  CHECK(report.gzip);
  CHECK(report.bytes == plain.size());
  check_same(plain, exported(again));
  flamelet_capture_destroy(again);
}
