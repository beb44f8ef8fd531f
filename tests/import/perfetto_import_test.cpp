// SPDX-License-Identifier: MIT
//
// Traces as other programs write them are put together here, field by field; Flamelet's own come from its exporter.
#include <doctest/doctest.h>
#include <zlib.h>

#include <cmath>
#include <limits>
#include <protozero/pbf_writer.hpp>
#include <random>
#include <string>
#include <vector>

#include "flamelet/capture_builder.h"
#include "flamelet/export.h"
#include "flamelet/flamelet.h"
#include "flamelet/import.h"
#include "rounds.h"

namespace {

using protozero::pbf_writer;

struct Imported {
  flamelet_capture* capture = nullptr;
  flamelet_import_report report = {};
  flamelet_result result = FLAMELET_OK;

  explicit Imported(const std::string& bytes, size_t piece = SIZE_MAX) {
    struct Source {
      const std::string& bytes;
      size_t at, piece;
    } whole = {bytes, 0, piece};
    const flamelet_import_source source = {[](void* user, void* to, size_t size, size_t* count) {
                                             Source& from = *static_cast<Source*>(user);
                                             *count = std::min({size, from.piece, from.bytes.size() - from.at});
                                             memcpy(to, from.bytes.data() + from.at, *count);
                                             from.at += *count;
                                             return true;
                                           },
                                           &whole};
    flamelet_import_options options = flamelet_import_options_default();
    options.capture.budget_bytes = size_t{16} << 20;
    options.capture.max_tracks = 256;
    options.capture.max_sites = 4096;
    options.capture.max_strings = 8192;
    options.capture.string_bytes = size_t{1} << 20;
    options.capture.max_intervals = 4096;
    options.capture.max_frames = 4096;
    result = flamelet_import(source, &options, &capture, &report);
  }
  ~Imported() { flamelet_capture_destroy(capture); }
  Imported(const Imported&) = delete;

  struct Span {
    std::string name;
    int64_t begin_ns, end_ns;
    int depth;
    uint32_t flags;
    bool operator==(const Span& other) const {
      return name == other.name && begin_ns == other.begin_ns && end_ns == other.end_ns && depth == other.depth &&
             flags == other.flags;
    }
  };
  std::string text(uint32_t id) const {
    const flamelet_string string = flamelet_capture_string(capture, id);
    return std::string(string.text, string.size);
  }
  size_t lane(const std::string& name) const {
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
      flamelet_lane_info info;
      flamelet_capture_lane(capture, lane, &info);
      if (std::string(info.name.text, info.name.size) == name) return lane;
    }
    FAIL("no lane ", name);
    return 0;
  }
  std::vector<flamelet_span> raw_spans(size_t lane) const {
    std::vector<flamelet_span> spans(flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, nullptr, 0));
    flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size());
    return spans;
  }
  std::vector<Span> spans(const std::string& lane_name) const {
    std::vector<Span> to;
    for (const flamelet_span& span : raw_spans(lane(lane_name)))
      to.push_back({text(span.name), span.begin_ns, span.end_ns, span.depth, span.flags});
    return to;
  }
  std::vector<flamelet_point> points(const std::string& lane_name) const {
    const size_t lane = this->lane(lane_name);
    std::vector<flamelet_point> points(flamelet_capture_read_points(capture, lane, INT64_MIN, INT64_MAX, nullptr, 0));
    flamelet_capture_read_points(capture, lane, INT64_MIN, INT64_MAX, points.data(), points.size());
    return points;
  }
};

std::string exported(const flamelet_capture* capture) {
  std::string to;
  const flamelet_export_sink sink = {[](void* user, const void* data, size_t size) {
                                       static_cast<std::string*>(user)->append(static_cast<const char*>(data), size);
                                       return true;
                                     },
                                     &to};
  REQUIRE(flamelet_export(capture, FLAMELET_EXPORT_PERFETTO, nullptr, sink, nullptr) == FLAMELET_OK);
  return to;
}

// ---- Traces of other programs ---------------------------------------------------------------------------------------

template <class Fill>
std::string message(Fill fill) {
  std::string bytes;
  pbf_writer writer(bytes);
  fill(writer);
  return bytes;
}

constexpr int kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;

class TraceFile {
 public:
  std::string bytes;

  template <class Fill>
  void packet(Fill fill) {
    const std::string packet = message(fill);
    pbf_writer(bytes).add_message(1, packet);
  }
  void process(uint64_t uuid, int pid, const char* name) {
    packet([&](pbf_writer& packet) {
      packet.add_message(60, message([&](pbf_writer& track) {
                           track.add_uint64(1, uuid);
                           track.add_message(3, message([&](pbf_writer& process) {
                                               process.add_int32(1, pid);
                                               process.add_string(6, name);
                                             }));
                         }));
    });
  }
  void thread(uint64_t uuid, int pid, int tid, const char* name) {
    packet([&](pbf_writer& packet) {
      packet.add_message(60, message([&](pbf_writer& track) {
                           track.add_uint64(1, uuid);
                           track.add_message(4, message([&](pbf_writer& thread) {
                                               thread.add_int32(1, pid);
                                               thread.add_int64(2, tid);
                                               thread.add_string(5, name);
                                             }));
                         }));
    });
  }
  void track(uint64_t uuid, uint64_t parent, const char* name, bool counter = false) {
    packet([&](pbf_writer& packet) {
      packet.add_message(60, message([&](pbf_writer& track) {
                           track.add_uint64(1, uuid);
                           if (parent != 0) track.add_uint64(5, parent);
                           track.add_string(2, name);
                           if (counter) track.add_message(8, std::string());
                         }));
    });
  }
  void ranked_track(uint64_t uuid, uint64_t parent, const char* name, int32_t rank, bool orders_children = false) {
    packet([&](pbf_writer& packet) {
      packet.add_message(60, message([&](pbf_writer& track) {
                           track.add_uint64(1, uuid);
                           track.add_uint64(5, parent);
                           track.add_string(2, name);
                           if (orders_children) track.add_enum(11, 3);
                           track.add_int32(12, rank);
                         }));
    });
  }
  // An event with all in it, on the trace's own clock. Of the texts, each is an annotation.
  void event(uint64_t time_ns, uint64_t track, int type, const char* name = nullptr, double value = 0,
             const std::vector<std::pair<const char*, const char*>>& texts = {}) {
    packet([&](pbf_writer& packet) {
      packet.add_uint64(8, time_ns);
      packet.add_uint32(10, 1);
      packet.add_message(11, message([&](pbf_writer& event) {
                           event.add_enum(9, type);
                           event.add_uint64(11, track);
                           if (name != nullptr) event.add_string(23, name);
                           if (type == kCounter) event.add_double(44, value);
                           for (const auto& text : texts)
                             event.add_message(4, message([&](pbf_writer& annotation) {
                                                 annotation.add_string(10, text.first);
                                                 annotation.add_string(6, text.second);
                                               }));
                         }));
    });
  }
};

std::string clock(uint32_t id, uint64_t time, bool incremental = false, uint64_t multiplier = 0) {
  return message([&](pbf_writer& clock) {
    clock.add_uint32(1, id);
    clock.add_uint64(2, time);
    if (incremental) clock.add_bool(3, true);
    if (multiplier != 0) clock.add_uint64(4, multiplier);
  });
}

using Span = Imported::Span;
using Spans = std::vector<Span>;

// ---- Captures to export ---------------------------------------------------------------------------------------------

// A capture with everything that a capture can hold, in odd places: times that collide, names that are no text, flags.
flamelet_capture* random_capture(uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  flamelet_capture_config config = flamelet_capture_config_default();
  config.budget_bytes = size_t{8} << 20;
  flamelet_capture_builder* builder = nullptr;
  REQUIRE(flamelet_capture_builder_create(&config, &builder) == FLAMELET_OK);
  const auto string = [&](const std::string& text) {
    return flamelet_capture_builder_string(builder, text.data(), text.size());
  };
  if (below(4) != 0) flamelet_capture_builder_set_origin(builder, 1700000000000000000u + random());
  std::vector<uint32_t> sites, texts = {0, string("object"), string("b\xFFyte"), string(std::string("nul\0nul", 7))};
  constexpr const char* kNames[] = {"site", "another", "b\xFEyte", "b\xFFyte"};
  for (uint32_t i = 0; i < 6; ++i)
    sites.push_back(flamelet_capture_builder_site(
        builder, string(kNames[below(4)]), below(2) == 0 ? 0 : string("category"), below(2) == 0 ? 0 : string("a.cpp"),
        below(2) == 0 ? 0 : string("f()"), below(3), below(2) * 0xAB12));
  std::vector<uint32_t> lanes, threads;
  const uint32_t lane_count = 1 + below(5);
  for (uint32_t i = 0; i < lane_count; ++i) {
    const auto kind = static_cast<flamelet_lane_kind>(below(4));
    const uint32_t id = 10 + i;
    lanes.push_back(
        flamelet_capture_builder_span_lane(builder, kind, id, string("lane " + std::to_string(below(3))), true));
    if (kind == FLAMELET_LANE_THREAD) threads.push_back(id);
    // Spans that nest: each begins in the one around it, often with it, and ends in it.
    std::vector<int64_t> ends;
    int64_t now_ns = static_cast<int64_t>(below(100)) - 50;
    std::vector<flamelet_span> spans;
    for (uint32_t n = below(40); n != 0; --n) {
      while (!ends.empty() && (ends.back() <= now_ns || below(4) == 0)) {
        now_ns = std::max(now_ns, ends.back());
        ends.pop_back();
      }
      flamelet_span span = {};
      span.begin_ns = now_ns += below(3) * below(20);
      span.end_ns = span.begin_ns + below(4) * static_cast<int64_t>(below(50));
      if (!ends.empty()) {
        span.begin_ns = now_ns = std::min(now_ns, ends.back());
        span.end_ns = std::clamp(span.end_ns, span.begin_ns, ends.back());
      }
      span.depth = span.begin_ns == span.end_ns ? static_cast<uint16_t>(ends.size()) : uint16_t{FLAMELET_DEPTH_UNKNOWN};
      span.site = sites[below(6)];
      span.name = below(3) == 0 ? string("dynamic " + std::to_string(below(3))) : 0;
      span.object = texts[below(4)];
      span.id = below(3);
      constexpr uint16_t kFlags[] = {0, 0, FLAMELET_SPAN_MISSING_END, FLAMELET_SPAN_MISSING_BEGIN,
                                     FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED};
      span.flags = kFlags[below(5)];
      ends.push_back(span.end_ns);
      spans.push_back(span);
    }
    for (const flamelet_span& span : spans) flamelet_capture_builder_span(builder, lanes.back(), &span);
    for (uint32_t n = below(10); n != 0; --n) {
      const int64_t time_ns = below(200);
      if (below(2) == 0) {
        flamelet_capture_builder_instant(builder, lanes.back(), time_ns, sites[below(6)],
                                         below(2) == 0 ? 0 : string("dynamic"), texts[below(4)]);
      } else {
        constexpr double kValues[] = {0, -0.0, 1.5, HUGE_VAL, -HUGE_VAL};
        const uint32_t value = below(6);
        flamelet_capture_builder_counter(builder, lanes.back(), time_ns, sites[below(6)],
                                         value == 5 ? std::nan("") : kValues[value]);
      }
    }
  }
  const auto thread = [&] {
    return threads.empty() || below(4) == 0 ? 999 : threads[below(static_cast<uint32_t>(threads.size()))];
  };
  for (uint32_t n = below(20), id = 1; n != 0; --n, ++id) {
    const int64_t begin_ns = below(20) * 10;
    flamelet_capture_builder_interval(builder, below(5) == 0 ? 0 : thread(), begin_ns, below(5) == 0 ? 0 : thread(),
                                      begin_ns + below(5) * 10, id, sites[below(6)], 0, texts[below(4)]);
  }
  int64_t frame_ns = -20;
  for (uint32_t n = below(6), i = 0; n != 0; --n, ++i) {
    const int64_t begin_ns = frame_ns;
    frame_ns += 1 + below(50);
    flamelet_capture_builder_frame(builder, 100 + i * 2, begin_ns, frame_ns, below(4));
  }
  flamelet_capture* capture = nullptr;
  flamelet_capture_builder_finish(builder, &capture);
  return capture;
}

}  // namespace

TEST_CASE("perfetto import: export, import and export again gives the same bytes") {
  for (uint32_t seed = 1; seed <= rounds(600); ++seed) {
    CAPTURE(seed);
    flamelet_capture* const capture = random_capture(seed);
    const std::string first = exported(capture);
    flamelet_capture_destroy(capture);
    const Imported imported(first);
    REQUIRE(imported.result == FLAMELET_OK);
    CHECK(imported.report.format == FLAMELET_IMPORT_PERFETTO);
    CHECK(imported.report.events_damaged == 0);
    CHECK(imported.report.events_unsupported == 0);
    CHECK(imported.report.events_over_limits == 0);
    CHECK(imported.report.ends_extra == 0);
    CHECK(imported.report.args_left_out == 0);
    CHECK_FALSE(imported.report.truncated);
    const std::string second = exported(imported.capture);
    REQUIRE((first == second));
  }
}

TEST_CASE("perfetto import: a trace in which nothing happened keeps its lanes and its wall clock") {
  flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture_builder* builder = nullptr;
  REQUIRE(flamelet_capture_builder_create(&config, &builder) == FLAMELET_OK);
  flamelet_capture_builder_set_origin(builder, 1700000000000000000u);
  flamelet_capture_builder_span_lane(builder, FLAMELET_LANE_GPU, 3,
                                     flamelet_capture_builder_string(builder, "Queue", 5), true);
  flamelet_capture* capture = nullptr;
  flamelet_capture_builder_finish(builder, &capture);
  const std::string bytes = exported(capture);
  flamelet_capture_destroy(capture);
  const Imported imported(bytes);
  REQUIRE(imported.result == FLAMELET_OK);
  CHECK(imported.spans("Queue").empty());
  CHECK(flamelet_capture_clock(imported.capture).origin_unix_ns == 1700000000000000000u);
  CHECK((exported(imported.capture) == bytes));
}

TEST_CASE("perfetto import: what was recorded comes back") {
  static uint64_t now_ns;
  now_ns = 1000;
  flamelet_config config = flamelet_config_default();
  config.clock = [](void*) { return now_ns; };
  config.clock_ticks_per_second = 1e9;
  config.max_fibers = 4;
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  flamelet_set_thread_name("Main");
  flamelet_frame();
  const uint32_t fiber = flamelet_fiber_create("job");
  const flamelet_id outer = flamelet_begin("outer", "test", nullptr);
  flamelet_fiber_switch(0, fiber);
  const flamelet_id load = flamelet_begin("load", "test", nullptr);
  now_ns += 100;
  flamelet_fiber_switch(fiber, 0);
  flamelet_counter("fps", "test", 60);
  now_ns += 50;
  flamelet_fiber_switch(0, fiber);
  flamelet_end(load);
  flamelet_fiber_switch(fiber, 0);
  flamelet_start("interval", "test", nullptr);
  flamelet_end(outer);
  now_ns += 50;
  flamelet_frame();
  flamelet_begin("open", "test", "object");
  flamelet_instant("now", "test", nullptr);
  now_ns += 5;
  flamelet_end(flamelet_begin("last", "test", nullptr));
  flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_create(&capture_config, &capture) == FLAMELET_OK);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  const std::string bytes = exported(capture);
  flamelet_capture_destroy(capture);
  flamelet_shutdown();

  const Imported imported(bytes, 7);  // in small pieces
  REQUIRE(imported.result == FLAMELET_OK);
  CHECK(imported.spans("Main") == Spans{{"outer", 0, 0, 0, FLAMELET_SPAN_SUSPENDED},
                                        {"load", 0, 100, 0, FLAMELET_SPAN_SUSPENDED},
                                        {"outer", 100, 150, 0, FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED},
                                        {"load", 150, 150, 0, FLAMELET_SPAN_RESUMED},
                                        {"outer", 150, 150, 0, FLAMELET_SPAN_RESUMED},
                                        {"open", 200, 205, 0, FLAMELET_SPAN_OPEN},
                                        {"last", 205, 205, 1, 0}});
  CHECK(imported.spans("job") == Spans{{"load", 0, 150, 0, 0}});
  CHECK(imported.points("Main").size() == 2);
  CHECK(imported.report.intervals == 1);
  CHECK(imported.report.spans_open == 2);
  CHECK(flamelet_capture_frame_count(imported.capture) == 2);
  CHECK((exported(imported.capture) == bytes));
}

TEST_CASE("perfetto import: threads, tracks below them and counters of another program's trace") {
  TraceFile trace;
  trace.process(1, 100, "game");
  trace.thread(2, 100, 101, "worker");
  trace.track(3, 2, "async");
  trace.track(4, 1, "fps", true);
  trace.event(5000, 2, kBegin, "outer");
  trace.event(5010, 2, kBegin, "inner");
  trace.event(5010, 4, kCounter, nullptr, 60);
  trace.event(5015, 3, kBegin, "load");
  trace.event(5020, 2, kEnd);
  trace.event(5025, 2, kInstant, "ping");
  trace.event(5030, 2, kEnd);
  trace.event(5040, 3, kEnd);
  const Imported imported(trace.bytes);
  REQUIRE(imported.result == FLAMELET_OK);
  CHECK(imported.spans("worker") == Spans{{"outer", 0, 30, 0, 0}, {"inner", 10, 20, 1, 0}});
  CHECK(imported.spans("async") == Spans{{"load", 15, 40, 0, 0}});
  const std::vector<flamelet_point> values = imported.points("game");
  REQUIRE(values.size() == 1);
  CHECK(values[0].value == 60);
  CHECK(values[0].time_ns == 10);
  CHECK(imported.text(values[0].name) == "fps");
  REQUIRE(imported.points("worker").size() == 1);
  CHECK(imported.text(imported.points("worker")[0].name) == "ping");
  CHECK(imported.report.spans == 3);
  CHECK(imported.report.points == 2);
}

TEST_CASE("perfetto import: tracks stand by their rank where their parent orders them") {
  TraceFile trace;
  trace.process(1, 1, "game");
  trace.ranked_track(10, 1, "sorted", 0, true);
  for (uint64_t i = 0; i < 5; ++i) {
    constexpr int32_t kRanks[] = {0, 7, 0, -3, 7};
    constexpr const char* kNames[] = {"0", "7", "0 again", "-3", "7 again"};
    trace.ranked_track(20 + i, 10, kNames[i], kRanks[i]);
    trace.ranked_track(30 + i, 1, "as they come", -static_cast<int32_t>(i));
    trace.event(i, 20 + i, kBegin, "slice");
    trace.event(i, 30 + i, kBegin, kNames[i]);
    trace.event(9, 20 + i, kEnd);
  }
  const Imported imported(trace.bytes);
  const char* const expected[] = {"-3", "as they come", "0",       "as they come", "0 again", "as they come",
                                  "7",  "as they come", "7 again", "as they come"};
  REQUIRE(flamelet_capture_lane_count(imported.capture) == 10);
  for (size_t lane = 0; lane < 10; ++lane) {
    flamelet_lane_info info;
    flamelet_capture_lane(imported.capture, lane, &info);
    CHECK(std::string(info.name.text) == expected[lane]);
    CHECK(imported.raw_spans(lane).size() == 1);
  }
  CHECK(imported.spans("-3")[0].begin_ns == 3);
}

TEST_CASE("perfetto import: the first text among the annotations is the object, and all others are counted") {
  TraceFile trace;
  trace.thread(2, 1, 7, "main");
  trace.event(1, 2, kBegin, "a", 0, {{"empty", ""}, {"detail", "first"}, {"flags", "cut"}});
  trace.event(2, 2, kEnd, nullptr, 0, {{"result", "late"}});
  trace.event(3, 2, kBegin, "b", 0, {{"detail", "first"}, {"object", "own"}});
  trace.event(4, 2, kEnd);
  trace.event(5, 2, kBegin, "c");
  trace.event(6, 2, kEnd, nullptr, 0, {{"result", "at the end"}});
  trace.event(7, 2, kInstant, "i", 0, {{"detail", "instant"}});
  trace.event(8, 2, kCounter, "n", 1, {{"unit", "MB"}});
  const Imported imported(trace.bytes);
  const std::vector<flamelet_span> spans = imported.raw_spans(0);
  REQUIRE(spans.size() == 3);
  CHECK(imported.text(spans[0].object) == "first");
  CHECK(spans[0].flags == 0);
  CHECK(imported.text(spans[1].object) == "own");
  CHECK(imported.text(spans[2].object) == "at the end");
  CHECK(imported.text(imported.points("main")[0].object) == "instant");
  CHECK(imported.report.args_left_out == 2 + 1 + 1 + 1);
}

TEST_CASE("perfetto import: tracks of one name take turns on as few lanes as hold them") {
  TraceFile trace;
  trace.process(1, 1, "game");
  for (uint64_t i = 0; i < 20; ++i) {
    trace.track(10 + i, 1, "request");
    trace.event(100 * i, 10 + i, kBegin, "get");
    if (i % 2 == 1) {
      trace.event(100 * i + 50, 10 + i - 1, kEnd);  // the one before goes on into this one
      trace.event(100 * i + 60, 10 + i, kEnd);
    }
  }
  const Imported imported(trace.bytes);
  REQUIRE(imported.result == FLAMELET_OK);
  CHECK(flamelet_capture_lane_count(imported.capture) == 2);
  CHECK(imported.report.spans == 20);
  CHECK(imported.report.spans_cut == 0);
}

TEST_CASE("perfetto import: two tracks of one thread are one lane") {
  TraceFile trace;
  trace.thread(2, 1, 7, "main");
  trace.thread(3, 1, 7, "main");
  trace.event(0, 2, kBegin, "a");
  trace.event(10, 2, kEnd);
  trace.event(20, 3, kBegin, "b");
  trace.event(30, 3, kEnd);
  const Imported imported(trace.bytes);
  CHECK(flamelet_capture_lane_count(imported.capture) == 1);
  CHECK(imported.spans("main") == Spans{{"a", 0, 10, 0, 0}, {"b", 20, 30, 0, 0}});
}

TEST_CASE("perfetto import: interned names count while their sequence is whole") {
  TraceFile trace;
  trace.thread(2, 1, 7, "main");
  const auto state = [&](uint32_t flags, bool lost, const char* name) {
    trace.packet([&](pbf_writer& packet) {
      packet.add_uint32(10, 5);
      packet.add_uint32(13, flags);
      if (lost) packet.add_bool(42, true);
      if (name == nullptr) return;
      packet.add_message(59, message([&](pbf_writer& defaults) {
                           defaults.add_message(11, message([&](pbf_writer& event) { event.add_uint64(11, 2); }));
                         }));
      packet.add_message(12, message([&](pbf_writer& interned) {
                           interned.add_message(2, message([&](pbf_writer& entry) {
                                                  entry.add_uint64(1, 1);
                                                  entry.add_string(2, name);
                                                }));
                         }));
    });
  };
  const auto add_event = [&](uint64_t time_ns, int type) {
    trace.packet([&](pbf_writer& packet) {
      packet.add_uint64(8, time_ns);
      packet.add_uint32(10, 5);
      packet.add_uint32(13, 2);
      packet.add_message(11, message([&](pbf_writer& event) {
                           event.add_enum(9, type);
                           event.add_uint64(10, 1);
                         }));
    });
  };
  add_event(1, kInstant);  // before the sequence said anything
  state(1, false, "first");
  add_event(10, kInstant);
  state(2, true, nullptr);
  add_event(20, kInstant);  // after a loss
  state(1, false, "second");
  add_event(30, kInstant);
  const Imported imported(trace.bytes);
  REQUIRE(imported.result == FLAMELET_OK);
  const std::vector<flamelet_point> points = imported.points("main");
  REQUIRE(points.size() == 2);
  CHECK(imported.text(points[0].name) == "first");
  CHECK(imported.text(points[1].name) == "second");
  CHECK(points[1].time_ns - points[0].time_ns == 20);
  CHECK(imported.report.events_damaged == 3);  // two events, and the packet that told of the loss
}

TEST_CASE("perfetto import: clocks of the machine and of a sequence are brought together") {
  TraceFile trace;
  trace.thread(2, 1, 7, "main");
  trace.packet([](pbf_writer& packet) {
    packet.add_uint32(10, 5);
    packet.add_message(6, message([](pbf_writer& snapshot) {
                         snapshot.add_message(1, clock(6, 1000000));
                         snapshot.add_message(1, clock(3, 400000));
                         snapshot.add_message(1, clock(1, 1700000000001000000));
                         snapshot.add_message(1, clock(64, 5, true, 1000));
                       }));
  });
  const auto instant = [&](uint32_t sequence, uint32_t clock, uint64_t stamp) {
    trace.packet([&](pbf_writer& packet) {
      packet.add_uint64(8, stamp);
      packet.add_uint32(10, sequence);
      if (clock != 0) packet.add_uint32(58, clock);
      packet.add_message(11, message([](pbf_writer& event) {
                           event.add_enum(9, kInstant);
                           event.add_uint64(11, 2);
                           event.add_string(23, "tick");
                         }));
    });
  };
  instant(5, 0, 1000000);  // BOOTTIME
  instant(5, 3, 400100);   // MONOTONIC
  instant(5, 64, 1);       // 1 µs after the snapshot
  instant(5, 64, 2);       // 2 µs after that
  instant(6, 64, 1);       // another sequence's clock, which nothing told
  instant(5, 9, 1);        // neither was this one
  const Imported imported(trace.bytes);
  const std::vector<flamelet_point> points = imported.points("main");
  REQUIRE(points.size() == 4);
  CHECK(points[0].time_ns == 0);
  CHECK(points[1].time_ns == 100);
  CHECK(points[2].time_ns == 1000);
  CHECK(points[3].time_ns == 3000);
  CHECK(imported.report.events_damaged == 2);
  CHECK(flamelet_capture_clock(imported.capture).origin_unix_ns == 1700000000001000000);
}

TEST_CASE("perfetto import: what begins and never ends is open, what ends and never began is counted") {
  TraceFile trace;
  trace.thread(2, 1, 7, "main");
  trace.event(10, 2, kEnd);
  trace.event(20, 2, kBegin, "outer");
  trace.event(20, 2, kBegin, "inner");
  trace.event(30, 2, kInstant, "newest");
  const Imported imported(trace.bytes);
  CHECK(imported.spans("main") ==
        Spans{{"outer", 10, 20, 0, FLAMELET_SPAN_OPEN}, {"inner", 10, 20, 1, FLAMELET_SPAN_OPEN}});
  CHECK(imported.report.ends_extra == 1);
  CHECK(imported.report.spans_open == 2);
}

TEST_CASE("perfetto import: other packets, and events in older forms, are counted and left out") {
  TraceFile trace;
  trace.thread(2, 1, 7, "main");
  trace.packet([](pbf_writer& packet) { packet.add_message(1, std::string("ftrace")); });
  trace.packet([](pbf_writer& packet) {
    packet.add_uint64(8, 1);
    packet.add_message(11, message([](pbf_writer& event) { event.add_message(6, std::string()); }));
  });
  pbf_writer(trace.bytes).add_string(9, "no packet");
  trace.event(10, 2, kInstant, "here");
  const Imported imported(trace.bytes);
  CHECK(imported.report.events_unsupported == 3);
  CHECK(imported.report.points == 1);
}

TEST_CASE("perfetto import: packets that were compressed together are read, and not twice over") {
  const auto compressed = [](const std::string& bytes) {
    std::string to(compressBound(static_cast<uLong>(bytes.size())), 0);
    uLongf size = static_cast<uLongf>(to.size());
    REQUIRE(compress(reinterpret_cast<Bytef*>(to.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                     static_cast<uLong>(bytes.size())) == Z_OK);
    to.resize(size);
    return to;
  };
  TraceFile inner, outer, twice;
  inner.thread(2, 1, 7, "main");
  inner.event(10, 2, kBegin, "scope");
  inner.event(15, 2, kEnd);
  outer.packet([&](pbf_writer& packet) { packet.add_message(50, compressed(inner.bytes)); });
  const Imported imported(outer.bytes);
  CHECK(imported.spans("main") == Spans{{"scope", 0, 5, 0, 0}});
  twice.packet([&](pbf_writer& packet) { packet.add_message(50, compressed(outer.bytes)); });
  const Imported none(twice.bytes);
  CHECK(none.report.spans == 0);
  CHECK(none.report.events_unsupported == 1);
  TraceFile cut;
  cut.packet([&](pbf_writer& packet) {
    const std::string bytes = compressed(inner.bytes);
    packet.add_message(50, bytes.substr(0, bytes.size() - 6));
  });
  CHECK(Imported(cut.bytes).report.events_damaged >= 1);
}

TEST_CASE("perfetto import: a trace that is cut anywhere gives what came before") {
  TraceFile trace;
  trace.thread(2, 1, 7, "main");
  std::vector<size_t> ends;
  for (uint64_t i = 0; i < 20; ++i) {
    trace.event(i * 10, 2, kInstant, "tick");
    ends.push_back(trace.bytes.size());
  }
  for (size_t size = ends.front(); size < trace.bytes.size(); ++size) {
    CAPTURE(size);
    const Imported imported(trace.bytes.substr(0, size));
    REQUIRE(imported.result == FLAMELET_OK);
    uint64_t whole = 0;
    bool at_end = false;
    for (const size_t end : ends) {
      whole += end <= size;
      at_end = at_end || end == size;
    }
    CHECK(imported.report.points == whole);
    CHECK(imported.report.truncated == !at_end);
  }
}

TEST_CASE("perfetto import: a length beyond the end of the file takes no memory") {
  TraceFile trace;
  trace.thread(2, 1, 7, "main");
  trace.event(0, 2, kInstant, "tick");
  for (const char* tail : {"\x0A\xFF\xFF\xFF\x07", "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01",
                           "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", "\x0B", "\x0A"}) {
    const Imported imported(trace.bytes + tail);
    CHECK(imported.result == FLAMELET_OK);
    CHECK(imported.report.points == 1);
    CHECK(imported.report.truncated);
  }
}

TEST_CASE("perfetto import: no byte that is wrong does harm") {
  flamelet_capture* const capture = random_capture(7);
  const std::string whole = exported(capture);
  flamelet_capture_destroy(capture);
  std::mt19937 random(1);
  for (uint32_t round = 0; round < rounds(600); ++round) {
    CAPTURE(round);
    std::string bytes = whole;
    for (uint32_t n = 1 + random() % 8; n != 0; --n) {
      const size_t at = random() % bytes.size();
      if (random() % 4 == 0)
        bytes.erase(at, 1 + random() % 8);
      else
        bytes[at] = static_cast<char>(random());
    }
    const Imported imported(bytes);
    if (imported.result == FLAMELET_OK) exported(imported.capture);
  }
}
