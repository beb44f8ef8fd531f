// SPDX-License-Identifier: MIT
#include <zlib.h>

#include <random>
#include <string>
#include <vector>

#include "export/exported.h"
#include "imported.h"
#include "perfetto_writer.h"
#include "random_captures.h"
#include "rounds.h"

namespace {

using namespace perfetto_writer;

// What tests compare of a span.
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
using Spans = std::vector<Span>;

struct PerfettoTrace : Imported {
  explicit PerfettoTrace(const std::string& bytes, size_t piece = SIZE_MAX) : Imported(bytes, options(), piece) {}

  static flamelet_import_options options() {
    flamelet_import_options options = flamelet_import_options_default();
    options.capture.budget_bytes = size_t{16} << 20;
    options.capture.max_tracks = 256;
    options.capture.max_sites = 4096;
    options.capture.max_strings = 8192;
    options.capture.string_bytes = size_t{1} << 20;
    options.capture.max_intervals = 4096;
    options.capture.max_frames = 4096;
    return options;
  }
  Spans shown(const std::string& lane_name) const {
    Spans to;
    for (const flamelet_span& span : spans(lane(lane_name)))
      to.push_back({text(span.name), span.begin_ns, span.end_ns, span.depth, span.flags});
    return to;
  }
};

}  // namespace

TEST_CASE("perfetto import: a trace in which nothing happened keeps its lanes and its wall clock") {
  recorder_test::Building building;
  flamelet_capture_builder_set_origin(building.builder, 1700000000000000000u);
  flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_GPU, 3, building.string("Queue"), true);
  const std::string bytes = exported(building.finish(), FLAMELET_EXPORT_PERFETTO);
  const PerfettoTrace imported(bytes);
  REQUIRE(imported.result == FLAMELET_OK);
  CHECK(imported.shown("Queue").empty());
  CHECK(flamelet_capture_clock(imported.capture).origin_unix_ns == 1700000000000000000u);
  CHECK((exported(imported.capture, FLAMELET_EXPORT_PERFETTO) == bytes));
}

TEST_CASE("perfetto import: what was recorded comes back") {
  std::string bytes;
  {
    recorder_test::CapturedRecording recording;
    using recorder_test::now_ns;
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
    flamelet_interval_begin("interval", "test", nullptr);
    flamelet_end(outer);
    now_ns += 50;
    flamelet_frame();
    flamelet_begin("open", "test", "object");
    flamelet_instant("now", "test", nullptr);
    now_ns += 5;
    flamelet_end(flamelet_begin("last", "test", nullptr));
    bytes = exported(recording.capture(), FLAMELET_EXPORT_PERFETTO);
  }
  const PerfettoTrace imported(bytes, 7);  // in small pieces
  REQUIRE(imported.result == FLAMELET_OK);
  CHECK(imported.shown("Main") == Spans{{"outer", 0, 0, 0, FLAMELET_SPAN_SUSPENDED},
                                        {"load", 0, 100, 0, FLAMELET_SPAN_SUSPENDED},
                                        {"outer", 100, 150, 0, FLAMELET_SPAN_RESUMED | FLAMELET_SPAN_SUSPENDED},
                                        {"load", 150, 150, 0, FLAMELET_SPAN_RESUMED},
                                        {"outer", 150, 150, 0, FLAMELET_SPAN_RESUMED},
                                        {"open", 200, 205, 0, FLAMELET_SPAN_OPEN},
                                        {"last", 205, 205, 1, 0}});
  CHECK(imported.shown("job") == Spans{{"load", 0, 150, 0, 0}});
  CHECK(imported.points(imported.lane("Main")).size() == 2);
  CHECK(imported.report.intervals == 1);
  CHECK(imported.report.spans_open == 2);
  CHECK(flamelet_capture_frame_count(imported.capture) == 2);
  CHECK((exported(imported.capture, FLAMELET_EXPORT_PERFETTO) == bytes));
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
  const PerfettoTrace imported(trace.bytes);
  REQUIRE(imported.result == FLAMELET_OK);
  CHECK(imported.shown("worker") == Spans{{"outer", 0, 30, 0, 0}, {"inner", 10, 20, 1, 0}});
  CHECK(imported.shown("async") == Spans{{"load", 15, 40, 0, 0}});
  const std::vector<flamelet_point> values = imported.points(imported.lane("game"));
  REQUIRE(values.size() == 1);
  CHECK(values[0].value == 60);
  CHECK(values[0].time_ns == 10);
  CHECK(imported.text(values[0].name) == "fps");
  REQUIRE(imported.points(imported.lane("worker")).size() == 1);
  CHECK(imported.text(imported.points(imported.lane("worker"))[0].name) == "ping");
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
  const PerfettoTrace imported(trace.bytes);
  const char* const expected[] = {"-3", "as they come", "0",       "as they come", "0 again", "as they come",
                                  "7",  "as they come", "7 again", "as they come"};
  REQUIRE(flamelet_capture_lane_count(imported.capture) == 10);
  for (size_t lane = 0; lane < 10; ++lane) {
    const flamelet_lane_info info = recorder_test::lane_of(imported.capture, lane);
    CHECK(std::string(info.name.text) == expected[lane]);
    CHECK(imported.spans(lane).size() == 1);
  }
  CHECK(imported.shown("-3")[0].begin_ns == 3);
}

TEST_CASE("perfetto import: the first text among the annotations is the object, and all others are counted") {
  ThreadTrace trace;
  trace.event(1, 2, kBegin, "a", 0, {{"empty", ""}, {"detail", "first"}, {"flags", "cut"}});
  trace.event(2, 2, kEnd, nullptr, 0, {{"result", "late"}});
  trace.event(3, 2, kBegin, "b", 0, {{"detail", "first"}, {"object", "own"}});
  trace.event(4, 2, kEnd);
  trace.event(5, 2, kBegin, "c");
  trace.event(6, 2, kEnd, nullptr, 0, {{"result", "at the end"}});
  trace.event(7, 2, kInstant, "i", 0, {{"detail", "instant"}});
  trace.event(8, 2, kCounter, "n", 1, {{"unit", "MB"}});
  const PerfettoTrace imported(trace.bytes);
  const std::vector<flamelet_span> spans = imported.spans(0);
  REQUIRE(spans.size() == 3);
  CHECK(imported.text(spans[0].object) == "first");
  CHECK(spans[0].flags == 0);
  CHECK(imported.text(spans[1].object) == "own");
  CHECK(imported.text(spans[2].object) == "at the end");
  CHECK(imported.text(imported.points(imported.lane("main"))[0].object) == "instant");
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
  const PerfettoTrace imported(trace.bytes);
  REQUIRE(imported.result == FLAMELET_OK);
  CHECK(flamelet_capture_lane_count(imported.capture) == 2);
  CHECK(imported.report.spans == 20);
  CHECK(imported.report.spans_cut == 0);
}

TEST_CASE("perfetto import: two tracks of one thread are one lane") {
  ThreadTrace trace;
  trace.thread(3, 1, 7, "main");
  trace.event(0, 2, kBegin, "a");
  trace.event(10, 2, kEnd);
  trace.event(20, 3, kBegin, "b");
  trace.event(30, 3, kEnd);
  const PerfettoTrace imported(trace.bytes);
  CHECK(flamelet_capture_lane_count(imported.capture) == 1);
  CHECK(imported.shown("main") == Spans{{"a", 0, 10, 0, 0}, {"b", 20, 30, 0, 0}});
}

TEST_CASE("perfetto import: slices of two tracks of one thread that overlap in part keep their time") {
  ThreadTrace trace;
  trace.thread(3, 1, 7, "main");
  trace.event(0, 2, kBegin, "a");
  trace.event(10, 3, kBegin, "b");
  trace.event(20, 2, kEnd);
  trace.event(300, 3, kEnd);
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.shown("main") == Spans{{"a", 0, 20, 0, 0}});
  CHECK(imported.shown("main, 2") == Spans{{"b", 10, 300, 0, 0}});
  CHECK(imported.report.spans_beside == 1);
  CHECK(imported.report.spans_cut == 0);
}

TEST_CASE("perfetto import: events are taken in the order of their times, whichever sequence is written first") {
  ThreadTrace trace;
  trace.event(11000, 2, kEnd);  // the buffer of another thread
  trace.event(1000, 2, kBegin, "request");
  trace.event(500, 2, kInstant, "first");
  trace.event(20000, 2, kBegin, "b");  // at one time as they stand in the file
  trace.event(20000, 2, kEnd);
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.shown("main") == Spans{{"request", 500, 10500, 0, 0}, {"b", 19500, 19500, 0, 0}});
  CHECK(imported.points(0).at(0).time_ns == 0);  // the earliest event
  CHECK(imported.report.ends_extra == 0);
  CHECK(imported.report.spans_open == 0);
}

TEST_CASE("perfetto import: interned names count while their sequence is whole") {
  ThreadTrace trace;
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
  const PerfettoTrace imported(trace.bytes);
  REQUIRE(imported.result == FLAMELET_OK);
  const std::vector<flamelet_point> points = imported.points(imported.lane("main"));
  REQUIRE(points.size() == 2);
  CHECK(imported.text(points[0].name) == "first");
  CHECK(imported.text(points[1].name) == "second");
  CHECK(points[1].time_ns - points[0].time_ns == 20);
  CHECK(imported.report.events_damaged == 3);  // two events, and the packet that told of the loss
}

TEST_CASE("perfetto import: clocks of the machine and of a sequence are brought together") {
  ThreadTrace trace;
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
  const PerfettoTrace imported(trace.bytes);
  const std::vector<flamelet_point> points = imported.points(imported.lane("main"));
  REQUIRE(points.size() == 4);
  CHECK(points[0].time_ns == 0);
  CHECK(points[1].time_ns == 100);
  CHECK(points[2].time_ns == 1000);
  CHECK(points[3].time_ns == 3000);
  CHECK(imported.report.events_unclocked == 2);
  CHECK(imported.report.unknown_clock == 64);
  CHECK(imported.report.events_damaged == 0);
  CHECK(flamelet_capture_clock(imported.capture).origin_unix_ns == 1700000000001000000);
}

TEST_CASE("perfetto import: the last name that a track is told counts, also behind its events") {
  const auto shows = [](const TraceFile& trace, const std::string& lane) {
    const PerfettoTrace imported(trace.bytes);
    REQUIRE(flamelet_capture_lane_count(imported.capture) == 1);
    CHECK(imported.lane_name(0) == lane);
    CHECK(imported.shown(lane).size() == 1);
  };
  const auto add_slice = [](TraceFile* trace) {
    trace->event(10, 2, kBegin, "a");
    trace->event(20, 2, kEnd);
  };
  for (const bool is_late : {false, true}) {
    CAPTURE(is_late);
    struct Case {
      std::vector<const char*> names;
      const char* lane;
    };
    for (const Case& of : {Case{{"", "late"}, "late"}, Case{{"old", "new"}, "new"}, Case{{"named", ""}, "named"},
                           Case{{"", ""}, "thread 7"}}) {
      CAPTURE(of.lane);
      TraceFile thread, track;
      for (size_t i = 0; i < of.names.size(); ++i) {
        if (is_late && i == 1) {
          add_slice(&thread);
          add_slice(&track);
        }
        thread.thread(2, 1, 7, of.names[i]);
        track.track(2, 0, of.names[i]);
      }
      if (!is_late) {
        add_slice(&thread);
        add_slice(&track);
      }
      shows(thread, of.lane);
      shows(track, of.lane == std::string("thread 7") ? "track 2" : of.lane);
    }
  }
}

TEST_CASE("perfetto import: an event without a track is none of a track that says nothing of itself") {
  TraceFile trace;
  trace.event(10, 57005, kBegin, "described by nobody");
  trace.event(20, 57005, kEnd);
  trace.event(10, 0, kBegin, "global");
  trace.event(20, 0, kEnd);
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.shown("track 57005").size() == 1);
  CHECK(imported.shown("Global").size() == 1);
}

TEST_CASE("perfetto import: flows of older writers, and values of counters beside an event") {
  ThreadTrace trace;
  for (const int type : {kBegin, kEnd, kBegin, kEnd}) {
    const bool is_second = trace.bytes.size() > 150;
    trace.packet([&](pbf_writer& packet) {
      packet.add_uint64(8, is_second ? 30u + static_cast<uint64_t>(type) : 10u + static_cast<uint64_t>(type));
      packet.add_uint32(10, 1);
      packet.add_message(11, message([&](pbf_writer& event) {
                           event.add_enum(9, type);
                           event.add_uint64(11, 2);
                           if (type != kBegin) return;
                           event.add_string(23, "a");
                           event.add_uint64(is_second ? 42 : 36, 5);
                           event.add_int64(12, 100);
                         }));
    });
  }
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.shown("main").size() == 2);
  CHECK(imported.report.flows == 2);
  CHECK(imported.report.args_left_out == 2);
}

TEST_CASE("perfetto import: zeros behind the last packet are no packets") {
  ThreadTrace trace;
  trace.event(10, 2, kBegin, "a");
  trace.event(20, 2, kEnd);
  const PerfettoTrace imported(trace.bytes + std::string(100000, '\0'));
  CHECK(imported.shown("main").size() == 1);
  CHECK(imported.report.events_unsupported == 0);
  CHECK_FALSE(imported.report.truncated);
}

TEST_CASE("perfetto import: where packets were lost is counted, but not in front of a sequence's first") {
  ThreadTrace trace;
  for (const uint64_t time_ns : {10u, 20u, 30u, 40u}) {
    trace.packet([&](pbf_writer& packet) {
      packet.add_uint64(8, time_ns);
      packet.add_uint32(10, 9);
      if (time_ns == 10 || time_ns == 30) packet.add_bool(42, true);
      packet.add_message(11, message([&](pbf_writer& event) {
                           event.add_enum(9, time_ns % 20 == 10 ? kBegin : kEnd);
                           event.add_uint64(11, 2);
                           event.add_string(23, "a");
                         }));
    });
  }
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.report.packets_lost == 1);
  CHECK(imported.report.events_damaged == 0);
}

TEST_CASE("perfetto import: switches in columns, as Android writes them, are states of threads") {
  ThreadTrace trace;
  trace.event(1000, 2, kBegin, "work");
  trace.event(20000, 2, kEnd);
  // Thread 7 runs from 2000, sleeps from 5000, runs from 9000, and could run on when it is taken off at 12000.
  trace.packet([&](pbf_writer& packet) {
    packet.add_message(1, message([&](pbf_writer& bundle) {
                         bundle.add_uint32(1, 0);
                         bundle.add_message(4, message([&](pbf_writer& columns) {
                                              const std::vector<uint64_t> steps = {2000, 3000, 4000, 3000};
                                              const std::vector<int64_t> states = {1, 1, 0, 0};
                                              const std::vector<int32_t> next = {7, 0, 7, 99};
                                              columns.add_packed_uint64(1, steps.begin(), steps.end());
                                              columns.add_packed_int64(2, states.begin(), states.end());
                                              columns.add_packed_int32(3, next.begin(), next.end());
                                            }));
                       }));
  });
  const PerfettoTrace imported(trace.bytes);
  flamelet_state_times times = {};
  REQUIRE(flamelet_capture_state_times(imported.capture, imported.lane("main"), 1000, 11000, &times));
  CHECK(times.ns[FLAMELET_STATE_RUNNING] == 6000);  // 3000, and from 9000 to 12000
  CHECK(times.ns[FLAMELET_STATE_ASLEEP] == 4000);
  CHECK(imported.report.events_unsupported == 0);
}

TEST_CASE("perfetto import: what begins and never ends is open, what ends and never began is counted") {
  ThreadTrace trace;
  trace.event(10, 2, kEnd);
  trace.event(20, 2, kBegin, "outer");
  trace.event(20, 2, kBegin, "inner");
  trace.event(30, 2, kInstant, "newest");
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.shown("main") ==
        Spans{{"outer", 0, 10, 0, FLAMELET_SPAN_OPEN}, {"inner", 0, 10, 1, FLAMELET_SPAN_OPEN}});
  CHECK(imported.report.ends_extra == 1);
  CHECK(imported.report.spans_open == 2);
}

TEST_CASE("perfetto import: other packets, and events in older forms, are counted and left out") {
  ThreadTrace trace;
  trace.packet([](pbf_writer& packet) {  // of the kernel, and no switch
    packet.add_message(1, message([](pbf_writer& bundle) { bundle.add_message(2, std::string()); }));
  });
  trace.packet([](pbf_writer& packet) {
    packet.add_uint64(8, 1);
    packet.add_message(11, message([](pbf_writer& event) { event.add_message(6, std::string()); }));
  });
  pbf_writer(trace.bytes).add_string(9, "no packet");
  trace.event(10, 2, kInstant, "here");
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.report.events_unsupported == 3);
  CHECK(imported.report.points == 1);
}

TEST_CASE("perfetto import: a flow leads from the first scope or instant that has its id to all others") {
  ThreadTrace trace;
  trace.thread(3, 1, 8, "worker");
  trace.event(10, 2, kBegin, "submit", 0, {}, 5);
  trace.event(15, 2, kEnd);
  trace.event(20, 3, kBegin, "run", 0, {}, 5);
  trace.event(25, 3, kEnd);
  trace.event(30, 2, kInstant, "done", 0, {}, 0, 5);
  trace.event(40, 2, kInstant, "anew", 0, {}, 5);  // the one before has ended for good
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.report.flows == 4);
  CHECK(imported.report.points == 2);
  flamelet_flow flows[4];
  flamelet_capture_read_flows(imported.capture, INT64_MIN, INT64_MAX, flows, 4, nullptr);
  REQUIRE(flamelet_capture_count_flows(imported.capture, INT64_MIN, INT64_MAX) == 4);
  CHECK(imported.lane_name(flows[1].lane) == "worker");
  CHECK(flows[1].time_ns == 10);
  CHECK(flows[1].begin == 0);
  CHECK(flows[2].begin == 0);
  CHECK(flows[3].begin == 3);
  CHECK(flows[3].flags == FLAMELET_FLOW_OPEN);
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
  const PerfettoTrace imported(outer.bytes);
  CHECK(imported.shown("main") == Spans{{"scope", 0, 5, 0, 0}});
  twice.packet([&](pbf_writer& packet) { packet.add_message(50, compressed(outer.bytes)); });
  const PerfettoTrace none(twice.bytes);
  CHECK(none.report.spans == 0);
  CHECK(none.report.events_unsupported == 1);
  TraceFile cut;
  cut.packet([&](pbf_writer& packet) {
    const std::string bytes = compressed(inner.bytes);
    packet.add_message(50, bytes.substr(0, bytes.size() - 6));
  });
  CHECK(PerfettoTrace(cut.bytes).report.events_damaged >= 1);
}

TEST_CASE("perfetto import: a trace that is cut anywhere gives what came before") {
  ThreadTrace trace;
  std::vector<size_t> ends;
  for (uint64_t i = 0; i < 20; ++i) {
    trace.event(i * 10, 2, kInstant, "tick");
    ends.push_back(trace.bytes.size());
  }
  for (size_t size = ends.front(); size < trace.bytes.size(); ++size) {
    CAPTURE(size);
    const PerfettoTrace imported(trace.bytes.substr(0, size));
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
  ThreadTrace trace;
  trace.event(0, 2, kInstant, "tick");
  for (const char* tail : {"\x0A\xFF\xFF\xFF\x07", "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01",
                           "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", "\x0B", "\x0A"}) {
    const PerfettoTrace imported(trace.bytes + tail);
    CHECK(imported.result == FLAMELET_OK);
    CHECK(imported.report.points == 1);
    CHECK(imported.report.truncated);
  }
}

TEST_CASE("perfetto import: no byte that is wrong does harm") {
  recorder_test::Building building;
  const std::string whole = exported(random_capture(7, &building), FLAMELET_EXPORT_PERFETTO);
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
    const PerfettoTrace imported(bytes);
    if (imported.result == FLAMELET_OK) exported(imported.capture, FLAMELET_EXPORT_PERFETTO);
  }
}
