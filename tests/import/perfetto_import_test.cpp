// SPDX-License-Identifier: MIT
#include <zlib.h>

#include <algorithm>
#include <functional>
#include <map>
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

TEST_CASE_FIXTURE(TraceFile, "perfetto import: threads, tracks below them and counters of another program's trace") {
  process(1, 100, "game");
  thread(2, 100, 101, "worker");
  track(3, 2, "async");
  track(4, 1, "fps", true);
  event(5000, 2, kBegin, "outer");
  event(5010, 2, kBegin, "inner");
  event(5010, 4, kCounter, nullptr, 60);
  event(5015, 3, kBegin, "load");
  event(5020, 2, kEnd);
  event(5025, 2, kInstant, "ping");
  event(5030, 2, kEnd);
  event(5040, 3, kEnd);
  const PerfettoTrace imported(bytes);
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

TEST_CASE_FIXTURE(TraceFile, "perfetto import: tracks stand by their rank where their parent orders them") {
  process(1, 1, "game");
  ranked_track(10, 1, "sorted", 0, true);
  for (uint64_t i = 0; i < 5; ++i) {
    constexpr int32_t kRanks[] = {0, 7, 0, -3, 7};
    constexpr const char* kNames[] = {"0", "7", "0 again", "-3", "7 again"};
    ranked_track(20 + i, 10, kNames[i], kRanks[i]);
    ranked_track(30 + i, 1, "as they come", -static_cast<int32_t>(i));
    event(i, 20 + i, kBegin, "slice");
    event(i, 30 + i, kBegin, kNames[i]);
    event(9, 20 + i, kEnd);
  }
  const PerfettoTrace imported(bytes);
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

TEST_CASE_FIXTURE(TraceFile, "perfetto import: tracks of one name take turns on as few lanes as hold them") {
  process(1, 1, "game");
  for (uint64_t i = 0; i < 20; ++i) {
    track(10 + i, 1, "request");
    event(100 * i, 10 + i, kBegin, "get");
    if (i % 2 == 1) {
      event(100 * i + 50, 10 + i - 1, kEnd);  // the one before goes on into this one
      event(100 * i + 60, 10 + i, kEnd);
    }
  }
  const PerfettoTrace imported(bytes);
  REQUIRE(imported.result == FLAMELET_OK);
  CHECK(flamelet_capture_lane_count(imported.capture) == 2);
  CHECK(imported.report.spans == 20);
  CHECK(imported.report.spans_cut == 0);
}

TEST_CASE("perfetto import: slices of many tracks at once keep their time, or are counted where lanes end") {
  struct Case {
    uint64_t tracks, step_ns, length_ns;
    uint64_t lanes;  // that there are for them
  };
  for (const Case& of : {Case{64, 1000, 999000, 64}, Case{65, 1000, 999000, 65}, Case{100, 1000, 999000, 100},
                         Case{100, 1, 990, 100}, Case{300, 1000, 999000, 256}}) {
    CAPTURE(of.tracks);
    TraceFile trace;
    trace.process(1, 1, "server");
    for (uint64_t i = 0; i < of.tracks; ++i) trace.track(10 + i, 1, "request");
    for (uint64_t i = 0; i < of.tracks; ++i) {
      trace.event(1000 + i * of.step_ns, 10 + i, kBegin, "get");
      trace.event(1000 + i * of.step_ns, 10 + i, kBegin, "inner");
      trace.event(1000 + i * of.step_ns + of.length_ns, 10 + i, kEnd);
      trace.event(1000 + i * of.step_ns + of.length_ns, 10 + i, kEnd);
    }
    const PerfettoTrace imported(trace.bytes);
    CHECK(flamelet_capture_lane_count(imported.capture) == of.lanes);
    uint64_t total_ns = 0;
    for (size_t lane = 0; lane < of.lanes; ++lane)
      for (const flamelet_span& span : imported.spans(lane))
        if (span.depth == 0) total_ns += static_cast<uint64_t>(span.end_ns - span.begin_ns);
    CHECK(total_ns == of.lanes * of.length_ns);
    CHECK(imported.report.spans == 2 * of.lanes);
    CHECK(imported.report.spans_cut == 0);
    CHECK((imported.report.events_over_limits != 0) == (of.lanes != of.tracks));
    CHECK(imported.report.ends_extra == 0);
  }
}

TEST_CASE("perfetto import: machines give the same numbers to threads, tracks, sequences and clocks of their own") {
  TraceFile trace;
  const auto add = [&](uint32_t machine, const std::string& fields) {
    trace.packet(number(10, 1) + (machine != 0 ? number(98, machine) : "") + fields);
  };
  const auto event = [&](uint32_t machine, uint64_t stamp, uint32_t clock, uint64_t track, int type) {
    add(machine, number(8, stamp) + (clock != 0 ? number(58, clock) : "") + number(13, 2) +
                     part(11, number(9, type) + number(10, 1) + number(11, track)));
  };
  for (const uint32_t machine : {0u, 2u}) {
    const std::string name = machine == 0 ? "host" : "guest";
    add(machine, number(13, 1) + part(12, part(2, number(1, 1) + text_field(2, name))) +
                     part(6, part(1, clock(6, 1000)) + part(1, clock(3, machine == 0 ? 100 : 600))));
    const auto describe = [&](uint64_t uuid, const std::string& fields) {
      add(machine, part(60, number(1, uuid) + fields));
    };
    describe(1, part(4, number(1, 5) + number(2, 7) + text_field(5, "worker")));
    describe(2, text_field(2, "jobs"));
    add(machine, part(1, number(1, 0) + part(2, number(1, machine == 0 ? 1200 : 1300) + part(4, number(6, 7)))));
  }
  event(0, 1100, 0, 1, kBegin);
  event(2, 750, 3, 1, kBegin);
  event(0, 1110, 0, 2, kBegin);
  event(2, 1170, 0, 2, kBegin);
  event(0, 500, 3, 1, kEnd);
  event(2, 1200, 0, 1, kEnd);
  event(0, 1300, 0, 2, kEnd);
  event(2, 1250, 0, 2, kEnd);
  const PerfettoTrace imported(trace.bytes);
  REQUIRE(flamelet_capture_lane_count(imported.capture) == 4);
  CHECK(imported.shown("worker") == Spans{{"host", 0, 300, 0, 0}});
  CHECK(imported.shown("worker (machine 2)") == Spans{{"guest", 50, 100, 0, 0}});
  CHECK(imported.shown("jobs") == Spans{{"host", 10, 200, 0, 0}});
  CHECK(imported.shown("jobs (machine 2)") == Spans{{"guest", 70, 150, 0, 0}});
  CHECK(imported.report.ends_extra == 0);
  CHECK(imported.report.spans_open == 0);
  CHECK(imported.report.events_unsupported == 0);
  const auto first_run_ns = [&](const char* lane) {
    flamelet_state states[FLAMELET_CURSOR_LEAST];
    flamelet_state_cursor cursor;
    flamelet_state_cursor_start(&cursor, imported.capture, imported.lane(lane), INT64_MIN, INT64_MAX, states,
                                FLAMELET_CURSOR_LEAST);
    while (flamelet_state_cursor_next(&cursor))
      for (size_t i = 0; i < cursor.count; ++i)
        if (states[i].kind == FLAMELET_STATE_RUNNING) return states[i].begin_ns;
    return int64_t{-1};
  };
  CHECK(first_run_ns("worker") == 100);
  CHECK(first_run_ns("worker (machine 2)") == 200);
}

TEST_CASE("perfetto import: a machine's times are brought together with the host's") {
  struct Pair {
    uint64_t client_ns, host_ns;
  };
  struct Case {
    std::vector<Pair> pairs;  // of snapshots of BOOTTIME
    int64_t ahead_ns;
    uint32_t apart;
    bool is_late;  // it is told behind the first event
  };
  // Each message takes 100 ns, and the machine is 5000 ns ahead. Another round is 40 s later: 2 ns more.
  const std::vector<Pair> round = {{20000, 15100}, {20200, 15300}};
  std::vector<Pair> two_rounds = round;
  for (const Pair& pair : round) two_rounds.push_back({pair.client_ns + 40000000002, pair.host_ns + 40000000000});
  for (const Case& of : {Case{round, 5000, 0, false}, Case{two_rounds, 5001, 0, false},
                         Case{{round[0]}, 4900, 0, false}, Case{{}, 0, 1, false}, Case{round, 0, 1, true}}) {
    CAPTURE(of.ahead_ns);
    TraceFile trace;
    const auto add = [&](uint32_t machine, const std::string& fields) {
      trace.packet(number(10, 1) + (machine != 0 ? number(98, machine) : "") + fields);
    };
    const auto tick = [&](uint32_t machine, uint64_t stamp, uint32_t clock) {
      add(machine, number(8, stamp) + number(58, clock) +
                       part(11, number(9, kInstant) + number(11, 2) + text_field(23, "tick")));
    };
    const auto sync = [&] {
      const auto snapshot = [](uint64_t boottime, uint64_t monotonic) {
        return part(1, clock(6, boottime)) + part(1, clock(3, monotonic));
      };
      add(7, part(107, message([&](pbf_writer& pairs) {
                    for (const Pair& pair : of.pairs)
                      pairs.add_message(1, part(2, snapshot(pair.client_ns, pair.client_ns - 1000)) +
                                               part(3, snapshot(pair.host_ns, pair.host_ns - 9)));
                  })));
    };
    tick(0, 10000, 6);
    if (!of.is_late) sync();
    for (const uint32_t machine : {0u, 7u})
      add(machine, part(60, number(1, 2) + part(4, number(1, 5) + number(2, 7) + text_field(5, "worker"))));
    tick(7, 21000, 6);
    if (of.is_late) sync();
    if (of.apart == 0) tick(7, 21000 - 1000, 3);
    add(7, part(1, message([](pbf_writer& bundle) {
                  for (const bool is_on : {true, false})
                    bundle.add_message(2, number(1, is_on ? 21000 : 21500) + part(4, number(is_on ? 6 : 2, 7)));
                  bundle.add_message(2, number(1, 21000) + number(2, 7) + part(3, text_field(2, "B|5|printed")));
                  bundle.add_message(2, number(1, 21500) + number(2, 7) + part(3, text_field(2, "E|5")));
                })));
    const PerfettoTrace imported(trace.bytes);
    CHECK(imported.report.machines_apart == of.apart);
    CHECK(imported.report.events_unsupported == 0);
    const int64_t at_ns = 21000 - of.ahead_ns - 10000;
    CHECK(imported.shown("worker (machine 7)") == Spans{{"printed", at_ns, at_ns + 500, 0, 0}});
    const size_t lane = imported.lane("worker (machine 7)");
    CHECK(imported.points(lane).size() == 2 - of.apart);
    for (const flamelet_point& point : imported.points(lane)) CHECK(point.time_ns == at_ns);
    flamelet_state_times times = {};
    REQUIRE(flamelet_capture_state_times(imported.capture, lane, at_ns, at_ns + 500, &times));
    CHECK(times.ns[FLAMELET_STATE_RUNNING] == 500);
  }
}

TEST_CASE_FIXTURE(TraceFile, "perfetto import: a trace of one machine alone has one time, whichever it is") {
  for (const uint32_t machine : {4u, 5u}) {
    packet(number(8, 10) + number(98, machine) + part(11, number(9, kInstant) + number(11, 2)));
    CHECK(PerfettoTrace(bytes).report.machines_apart == machine - 4);
  }
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: machines beyond the limit are counted") {
  for (uint32_t machine = 0; machine < 20; ++machine)
    packet(number(8, 1) + number(10, 1) + number(98, machine) +
           part(11, number(9, kInstant) + number(11, 2) + text_field(23, "tick")));
  const PerfettoTrace imported(bytes);
  CHECK(imported.report.points == 16);
  CHECK(imported.report.events_over_limits == 4);
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: two tracks of one thread are one lane") {
  thread(3, 1, 7, "main");
  event(0, 2, kBegin, "a");
  event(10, 2, kEnd);
  event(20, 3, kBegin, "b");
  event(30, 3, kEnd);
  const PerfettoTrace imported(bytes);
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

TEST_CASE("perfetto import: a bad time is that of its event alone, whether it stands first or last") {
  for (const uint64_t bad_ns : {UINT64_MAX / 2, UINT64_MAX / 2 + 1, UINT64_MAX / 2 + 9, uint64_t{1} << 62}) {
    for (const bool is_first : {true, false}) {
      CAPTURE(bad_ns);
      CAPTURE(is_first);
      ThreadTrace trace;
      if (is_first) trace.event(bad_ns, 2, kInstant, "bad");
      for (uint64_t ns = 1000; ns < 50000; ns += 5000) {
        trace.event(ns, 2, kBegin, "good");
        trace.event(ns + 2000, 2, kEnd);
      }
      if (!is_first) trace.event(bad_ns, 2, kInstant, "bad");
      const PerfettoTrace read(trace.bytes);
      CHECK(read.report.times_clamped == 1);
      const auto spans = read.spans(0);
      REQUIRE(spans.size() == 10);
      for (size_t i = 0; i < spans.size(); ++i) {
        CHECK(spans[i].begin_ns == static_cast<int64_t>(i) * 5000);
        CHECK(spans[i].end_ns == spans[i].begin_ns + 2000);
      }
    }
  }
}

TEST_CASE("perfetto import: interned names count while their sequence is whole") {
  ThreadTrace trace;
  const auto state = [&](uint32_t flags, bool lost, const char* name) {
    trace.packet([&](pbf_writer& packet) {
      packet.add_uint32(10, 5);
      packet.add_uint32(13, flags);
      if (lost) packet.add_bool(42, true);
      if (name == nullptr) return;
      packet.add_message(59, part(11, number(11, 2)));
      packet.add_message(12, part(2, number(1, 1) + text_field(2, name)));
    });
  };
  const auto add_event = [&](uint64_t time_ns, int type) {
    trace.packet(number(8, time_ns) + number(10, 5) + number(13, 2) + part(11, number(9, type) + number(10, 1)));
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
  CHECK(imported.report.packets_unusable == 3);  // two events, and the packet that told of the loss
}

TEST_CASE("perfetto import: numbers that stand for no text are counted, whatever they should tell") {
  const auto unknown = [](uint32_t field) { return number(field, 9); };
  struct Case {
    const char* about;
    uint32_t field;
    std::string value;  // "": the number itself
  };
  for (const Case& of : {Case{"name", 10, ""}, Case{"category", 3, ""}, Case{"place", 34, ""},
                         Case{"name in the older form", 6, unknown(1)}, Case{"annotation", 4, unknown(1)},
                         Case{"text of an annotation", 4, unknown(17)}}) {
    CAPTURE(of.about);
    ThreadTrace trace;
    trace.event_of(
        10, number(9, kInstant) + number(11, 2) + (of.value.empty() ? unknown(of.field) : part(of.field, of.value)));
    const PerfettoTrace imported(trace.bytes);
    CHECK(imported.report.texts_unknown == 1);
    CHECK(imported.report.points == 1);
    CHECK(imported.text(imported.points(imported.lane("main")).at(0).name) == "(unnamed)");
  }
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: clocks of the machine and of a sequence are brought together") {
  packet(number(10, 5) + part(6, part(1, clock(6, 1000000)) + part(1, clock(3, 400000)) +
                                     part(1, clock(1, 1700000000001000000)) + part(1, clock(64, 5, true, 1000))));
  const auto instant = [&](uint32_t sequence, uint32_t clock, uint64_t stamp) {
    packet(number(8, stamp) + number(10, sequence) + (clock != 0 ? number(58, clock) : "") +
           part(11, number(9, kInstant) + number(11, 2) + text_field(23, "tick")));
  };
  instant(5, 0, 1000000);  // BOOTTIME
  instant(5, 3, 400100);   // MONOTONIC
  instant(5, 64, 1);       // 1 µs after the snapshot
  instant(5, 64, 2);       // 2 µs after that
  instant(6, 64, 1);       // another sequence's clock, which nothing told
  instant(5, 9, 1);        // neither was this one
  const PerfettoTrace imported(bytes);
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

// At a suspend BOOTTIME goes on and MONOTONIC does not; a wall clock may be set back.
TEST_CASE("perfetto import: a time takes the last snapshot that its own clock had reached") {
  struct Snapshot {
    uint64_t boot, other;
  };
  struct Case {
    const char* about;
    std::vector<Snapshot> snapshots;
    std::vector<std::pair<uint64_t, int64_t>> times;  // of the other clock, and of the trace's
  };
  const Case cases[] = {
      {"a suspend", {{1000, 500}, {20000, 10000}}, {{5000, 5500}, {9999, 10499}, {10000, 20000}, {11000, 21000}}},
      {"before the first", {{1000, 500}, {20000, 10000}}, {{400, 900}, {500, 1000}}},
      {"two suspends", {{1000, 0}, {3000, 1000}, {9000, 2000}}, {{999, 1999}, {1500, 3500}, {2500, 9500}}},
      {"set back", {{1000, 5000}, {2000, 3000}}, {{3500, 2500}, {5500, 1500}}},
      {"one moment twice", {{1000, 500}, {1100, 500}}, {{500, 1100}}}};
  for (const bool has_hop : {false, true})
    for (const Case& of : cases) {
      CAPTURE(of.about);
      CAPTURE(has_hop);
      ThreadTrace trace;
      const auto add_snapshot = [&](uint32_t a, uint64_t a_ns, uint32_t b, uint64_t b_ns) {
        trace.packet(number(10, 1) + part(6, part(1, clock(a, a_ns)) + part(1, clock(b, b_ns))));
      };
      for (const Snapshot& at : of.snapshots) add_snapshot(6, at.boot, 3, at.other);
      // A clock that snapshots relate to the other one only.
      for (const Snapshot& at : of.snapshots)
        if (has_hop) add_snapshot(3, at.other, 128, at.other + 7);
      trace.event(1, 2, kInstant, "zero");
      for (const auto& [stamp, expected_ns] : of.times) {
        trace.packet(number(8, stamp + (has_hop ? 7 : 0)) + number(10, 1) + number(58, has_hop ? 128 : 3) +
                     part(11, number(9, kInstant) + number(11, 2) + text_field(23, "tick")));
      }
      const PerfettoTrace imported(trace.bytes);
      std::vector<int64_t> times, expected = {0};
      for (const flamelet_point& point : imported.points(imported.lane("main"))) times.push_back(point.time_ns);
      for (const auto& [stamp, expected_ns] : of.times) expected.push_back(expected_ns - 1);
      std::sort(expected.begin(), expected.end());
      CHECK(times == expected);
    }
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

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: values beside an event of which no track is told are left out") {
  event_of(10, number(9, kInstant) + number(11, 2) + number(12, 100));
  const PerfettoTrace imported(bytes);
  CHECK(imported.report.points == 1);
  CHECK(imported.report.args_left_out == 1);
}

TEST_CASE("perfetto import: events in Chrome's older form, with times of their own") {
  // Of its sequence: thread 7 of process 1, and 1000 us.
  struct Event {
    char phase;  // 0: none, but a type
    int type;
    int64_t delta_us, absolute_us, duration_us;
    const char* name;
    uint64_t id;
  };
  struct Case {
    const char* what;
    std::vector<Event> events;
    Spans on_thread, on_id;
    size_t points;
  };
  const Case kCases[] = {
      {"a slice of today",
       {{0, kBegin, 100, 0, 0, "a", 0}, {0, kEnd, 50, 0, 0, nullptr, 0}},
       {{"a", 0, 50000, 0, 0}},
       {},
       0},
      {"a begin and an end",
       {{'B', 0, 100, 0, 0, "a", 0}, {'E', 0, 50, 0, 0, nullptr, 0}},
       {{"a", 0, 50000, 0, 0}},
       {},
       0},
      {"an absolute time between them counts by itself",
       {{'B', 0, 100, 0, 0, "a", 0}, {'I', 0, 0, 1110, 0, "b", 0}, {'E', 0, 50, 0, 0, nullptr, 0}},
       {{"a", 0, 50000, 0, 0}},
       {},
       1},
      {"whole slices in any order",
       {{'X', 0, 0, 2010, 10, "inner", 0}, {'X', 0, 0, 2000, 30, "outer", 0}, {'X', 0, 0, 2030, 5, "next", 0}},
       {{"outer", 0, 30000, 0, 0}, {"inner", 10000, 20000, 1, 0}, {"next", 30000, 35000, 0, 0}},
       {},
       0},
      {"a length beyond all times",
       {{'X', 0, 0, 2000, INT64_MAX / 500, "long", 0}},
       {{"long", 0, int64_t{1} << 61, 0, 0}},
       {},
       0},
      {"what has an id stands beside the thread",
       {{'b', 0, 100, 0, 0, "load", 5}, {'n', 0, 10, 0, 0, "step", 5}, {'e', 0, 10, 0, 0, "load", 5}},
       {},
       {{"load", 0, 20000, 0, 0}},
       1},
  };
  for (const Case& of : kCases) {
    CAPTURE(of.what);
    TraceFile trace;
    trace.packet(number(10, 1) + part(44, number(1, 1) + number(2, 7) + text_field(5, "main") + number(6, 1000)));
    for (const Event& event : of.events) {
      trace.event_of(0, [&](pbf_writer& fields) {
        if (event.absolute_us != 0)
          fields.add_int64(16, event.absolute_us);
        else
          fields.add_int64(1, event.delta_us);
        if (event.type != 0) fields.add_enum(9, event.type);
        if (event.name != nullptr) fields.add_string(23, event.name);
        if (event.phase == 0) return;
        fields.add_message(6, number(2, event.phase) + (event.duration_us != 0 ? number(3, event.duration_us) : "") +
                                  (event.id != 0 ? number(6, event.id) : ""));
      });
    }
    const PerfettoTrace imported(trace.bytes);
    CHECK(imported.report.points == of.points);
    CHECK(imported.report.spans == of.on_thread.size() + of.on_id.size());
    CHECK(imported.report.events_damaged + imported.report.events_unsupported == 0);
    if (!of.on_thread.empty()) CHECK(imported.shown("main") == of.on_thread);
    if (!of.on_id.empty()) CHECK(imported.shown("load") == of.on_id);
  }
}

TEST_CASE("perfetto import: where a task was posted is the place in the source, if the event has no other") {
  ThreadTrace trace;
  trace.packet(number(10, 1) + number(13, 1) +
               part(12, part(4, number(1, 3) + text_field(2, "post.cc") + text_field(3, "Post") + number(4, 12))));
  for (const bool has_own : {false, true})
    trace.event_of(has_own ? 20 : 10, number(9, kInstant) + number(11, 2) + text_field(23, has_own ? "own" : "posted") +
                                          (has_own ? part(33, text_field(2, "run.cc")) : "") + part(5, number(1, 3)));
  const PerfettoTrace imported(trace.bytes);
  const std::vector<flamelet_point> points = imported.points(0);
  REQUIRE(points.size() == 2);
  flamelet_site_info info = recorder_test::site_of(imported.capture, points[0].site);
  CHECK(std::string(info.file.text) == "post.cc");
  CHECK(std::string(info.function.text) == "Post");
  CHECK(info.line == 12);
  info = recorder_test::site_of(imported.capture, points[1].site);
  CHECK(std::string(info.file.text) == "run.cc");
}

namespace {

// An event in Chrome's older form, of thread 7 of process 1 at that many µs.
struct Older {
  char phase;
  int64_t at_us;
  const char* name;
  std::vector<std::pair<const char*, double>> numbers;
  const char* text;                                   // an annotation "name"; NULL: none
  std::vector<std::pair<uint32_t, uint64_t>> fields;  // of the legacy event
};

std::string older_trace(const std::vector<Older>& events) {
  ThreadTrace trace;
  trace.process(1, 1, "game");
  for (const Older& older : events) {
    trace.event_of(0, [&](pbf_writer& event) {
      event.add_int64(16, older.at_us);
      event.add_uint64(11, 2);
      if (older.name != nullptr) event.add_string(23, older.name);
      for (const auto& [name, number] : older.numbers)
        event.add_message(4, message([&, name = name, number = number](pbf_writer& annotation) {
                            annotation.add_string(10, name);
                            if (number < 0)
                              annotation.add_int64(4, static_cast<int64_t>(number));
                            else if (number == static_cast<double>(static_cast<int64_t>(number)))
                              annotation.add_uint64(3, static_cast<uint64_t>(number));
                            else
                              annotation.add_double(5, number);
                          }));
      if (older.text != nullptr) event.add_message(4, text_field(10, "name") + text_field(6, older.text));
      event.add_message(6, message([&](pbf_writer& legacy) {
                          legacy.add_int32(2, older.phase);
                          for (const auto& [field, value] : older.fields) legacy.add_uint64(field, value);
                        }));
    });
  }
  return trace.bytes;
}

}  // namespace

TEST_CASE("perfetto import: the numbers of a counter in Chrome's older form are its series") {
  struct Case {
    std::vector<Older> events;
    std::vector<std::pair<std::string, double>> values;  // on the process's lane
    uint64_t left_out, args_left_out;
  };
  constexpr uint32_t kUnscoped = 6, kLocal = 10, kPid = 18;
  const Case kCases[] = {
      {{{'C', 1, "mem", {{"value", 0.5}}, nullptr, {}}, {'C', 2, "mem", {{"value", -3}}, nullptr, {}}},
       {{"mem", 0.5}, {"mem", -3}},
       0,
       0},
      {{{'C', 1, "mem", {{"heap", 1}, {"stack", 2}}, nullptr, {}}, {'C', 2, "mem", {{"heap", 3}}, nullptr, {}}},
       {{"mem heap", 1}, {"mem stack", 2}, {"mem heap", 3}},
       0,
       0},
      {{{'C', 1, "mem", {{"heap", 1}}, "a text", {}}, {'C', 2, "mem", {{"heap", 2}, {"stack", 3}}, nullptr, {}}},
       {{"mem", 1}, {"mem", 2}, {"mem stack", 3}},
       0,
       1},
      {{{'C', 1, "gpu", {{"v", 1}}, nullptr, {{kUnscoped, 5}}}, {'C', 2, "gpu", {{"v", 2}}, nullptr, {{kLocal, 16}}}},
       {{"gpu[0x5]", 1}, {"gpu[0x10]", 2}},
       0,
       0},
      {{{'C', 1, "mem", {}, nullptr, {}}, {'C', 2, "mem", {{"v", 2}}, nullptr, {{kPid, 1}}}}, {{"mem", 2}}, 1, 0},
  };
  for (const Case& of : kCases) {
    const PerfettoTrace imported(older_trace(of.events));
    CAPTURE(of.values[0].first);
    std::vector<std::pair<std::string, double>> values;
    for (const flamelet_point& point : imported.points(imported.lane("game")))
      values.emplace_back(imported.text(point.name), point.value);
    CHECK(values == of.values);
    CHECK(imported.report.events_unsupported == of.left_out);
    CHECK(imported.report.args_left_out == of.args_left_out);
  }
}

TEST_CASE("perfetto import: flows in Chrome's older forms") {
  struct Flow {
    int64_t time_ns;
    bool ends;
    bool operator==(const Flow& other) const { return time_ns == other.time_ns && ends == other.ends; }
  };
  struct Case {
    const char* what;
    std::vector<Older> events;
    std::vector<Flow> flows;
    size_t arrows;  // whose begin was found
    uint64_t left_out = 0;
  };
  constexpr uint32_t kUnscoped = 6, kBind = 8, kLocal = 10, kDirection = 13, kPid = 18, kTid = 19;
  constexpr uint64_t kIn = 1, kOut = 2, kInOut = 3;
  const auto arrow = [&](char phase, int64_t at_us, const char* name, uint64_t id) {
    return Older{phase, at_us, name, {}, nullptr, {{kUnscoped, id}}};
  };
  const auto of_process = [&](char phase, int64_t at_us, uint64_t pid) {
    return Older{phase, at_us, "task", {}, nullptr, {{kLocal, 5}, {kPid, pid}, {kTid, 70 + pid}}};
  };
  const auto bound = [&](char phase, int64_t at_us, uint64_t id, uint64_t direction) {
    return Older{phase, at_us, "slice", {}, nullptr, {{kBind, id}, {kDirection, direction}}};
  };
  const Case kCases[] = {
      {"a begin, a step and an end",
       {arrow('s', 1, "task", 5), arrow('t', 2, "task", 5), arrow('f', 4, "task", 5)},
       {{0, false}, {1000, true}, {1001, false}, {3000, true}},
       2},
      {"another name or id is another flow",
       {arrow('s', 1, "task", 5), arrow('f', 2, "job", 5), arrow('f', 4, "task", 6)},
       {{0, false}, {1000, true}, {3000, true}},
       0},
      {"an id of each process",
       {of_process('s', 1, 1), of_process('s', 2, 2), of_process('f', 4, 1), of_process('f', 5, 2)},
       {{0, false}, {1000, false}, {3000, true}, {4000, true}},
       2},
      {"an id of one process is none of another's",
       {of_process('s', 1, 1), of_process('f', 4, 2)},
       {{0, false}, {3000, true}},
       0},
      {"no id", {{'s', 1, "task", {}, nullptr, {}}, {'f', 2, "task", {}, nullptr, {}}}, {}, 0, 2},
      {"no id of an interval", {{'b', 1, "task", {}, nullptr, {}}, {'e', 2, "task", {}, nullptr, {}}}, {}, 0, 2},
      {"from slice to slice",
       {bound('X', 1, 5, kOut), bound('I', 2, 5, kInOut), bound('B', 4, 5, kIn)},
       {{0, false}, {1000, true}, {1001, false}, {3000, true}},
       2},
      {"an id that is used again, and an end without a begin",
       {bound('X', 1, 5, kOut), bound('X', 2, 5, kOut), bound('X', 4, 6, kIn)},
       {{0, false}, {1000, false}, {3000, true}},
       0},
      {"no direction", {bound('X', 1, 5, 0)}, {}, 0},
  };
  for (const Case& of : kCases) {
    CAPTURE(of.what);
    const PerfettoTrace imported(older_trace(of.events));
    const std::vector<flamelet_flow> found = recorder_test::read_flows(imported.capture);
    REQUIRE(found.size() == of.flows.size());
    size_t arrows = 0;
    std::vector<Flow> flows;
    for (const flamelet_flow& flow : found) {
      flows.push_back({flow.time_ns, (flow.flags & FLAMELET_FLOW_IS_END) != 0});
      arrows += flows.back().ends && flow.begin < found.size();
    }
    std::sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) { return a.time_ns < b.time_ns; });
    CHECK(flows == of.flows);
    CHECK(arrows == of.arrows);
    CHECK(imported.report.events_unsupported == of.left_out);
    CHECK(imported.report.points == (of.events.size() == 3 && of.events[1].phase == 'I'));
  }
}

TEST_CASE("perfetto import: ends in Chrome's older form find their begins as they do in Chrome's JSON") {
  struct Case {
    const char* what;
    std::vector<std::string> marks;  // "B outer": phase and name ("-": none), each 10 µs behind the one before
    std::string found;               // "outer 0 20000"
    uint64_t extra, open;
  };
  const Case cases[] = {
      {"in order", {"B outer", "B inner", "E inner", "E outer"}, "inner 10000 20000; outer 0 30000", 0, 0},
      {"without names", {"B outer", "B inner", "E -", "E -"}, "inner 10000 20000; outer 0 30000", 0, 0},
      {"in the wrong order", {"B a", "B b", "E a", "E b"}, "a 0 20000; b 10000 30000", 0, 0},
      {"an end of no begin", {"B a", "E b", "E a"}, "a 0 20000", 1, 0},
      {"an inner one without an end",
       {"B a", "B b", "E a", "B c", "E c"},
       "a 0 20000; b 10000 20000; c 30000 40000",
       0,
       1},
      {"an inner one without an end, up to the end of all", {"B a", "B b", "E a"}, "a 0 20000; b 10000 20000", 0, 1},
      {"one name twice", {"B a", "B a", "E a", "E a"}, "a 0 30000; a 10000 20000", 0, 0},
      {"S and F", {"S a", "S b", "F a", "F b"}, "a 0 20000; b 10000 30000", 0, 0},
      {"S and F of no begin", {"S a", "F b", "F a"}, "a 0 20000", 1, 0},
      {"b and e", {"b a", "b b", "e a", "e b"}, "a 0 20000; b 10000 30000", 0, 0},
      {"b and e in each other", {"b a", "b b", "e b", "e a"}, "a 0 30000; b 10000 20000", 0, 0},
      {"e without a name", {"b a", "b b", "e -", "e -"}, "a 0 30000; b 10000 20000", 0, 0}};
  const auto found_in = [](const Imported& imported) {
    std::vector<std::string> found;
    const auto add = [&](uint32_t name, int64_t begin_ns, int64_t end_ns) {
      found.push_back(imported.text(name) + " " + std::to_string(begin_ns) + " " + std::to_string(end_ns));
    };
    for (size_t lane = 0; lane < flamelet_capture_lane_count(imported.capture); ++lane)
      for (const flamelet_span& span : imported.spans(lane)) add(span.name, span.begin_ns, span.end_ns);
    for (const flamelet_interval& interval : imported.intervals())
      add(interval.name, interval.begin_ns, interval.end_ns);
    std::sort(found.begin(), found.end());
    std::string all;
    for (const std::string& one : found) all += (all.empty() ? "" : "; ") + one;
    return all;
  };
  for (const Case& of : cases) {
    CAPTURE(std::string(of.what));
    std::vector<Older> events;
    std::string json;
    for (size_t i = 0; i < of.marks.size(); ++i) {
      const std::string name = of.marks[i].substr(2);
      const auto at_us = static_cast<int64_t>(i) * 10;
      const bool has_id = of.marks[i][0] != 'B' && of.marks[i][0] != 'E';
      events.push_back({of.marks[i][0], at_us, name == "-" ? nullptr : of.marks[i].c_str() + 2, {}, nullptr, {}});
      if (has_id) events.back().fields = {{6, 9}};
      json += std::string(i == 0 ? "" : ",") + R"({"pid":1,"tid":7,"ts":)" + std::to_string(at_us) + R"(,"ph":")" +
              of.marks[i][0] + '"' + (has_id ? R"(,"id":"9")" : "") + (name == "-" ? "" : R"(,"name":")" + name + '"') +
              "}";
    }
    const PerfettoTrace perfetto(older_trace(events)), chrome("[" + json + "]");
    for (const PerfettoTrace* const imported : {&perfetto, &chrome}) {
      CAPTURE(imported->report.format);
      CHECK(found_in(*imported) == of.found);
      CHECK(imported->report.ends_extra == of.extra);
      CHECK(imported->report.spans_open == of.open);
    }
  }
}

TEST_CASE("perfetto import: a whole slice in Chrome's older form that has no duration is said to be bad") {
  const PerfettoTrace imported(older_trace({{'X', 1, "none", {}, nullptr, {}},
                                            {'X', 2, "zero", {}, nullptr, {{3, 0}}},
                                            {'X', 3, "negative", {}, nullptr, {{3, static_cast<uint64_t>(-5)}}},
                                            {'X', 4, "good", {}, nullptr, {{3, 5}}}}));
  CHECK(imported.report.spans == 4);
  CHECK(imported.report.times_clamped == 2);
}

TEST_CASE("perfetto import: metadata and marks in Chrome's older form, and what is left out") {
  const PerfettoTrace imported(older_trace({{'R', 1, "mark", {}, nullptr, {}},
                                            {'M', 1, "thread_name", {}, "renderer", {}},
                                            {'M', 1, "thread_name", {}, "of another", {{19, 8}}},
                                            {'M', 1, "process_name", {}, "Chrome", {}},
                                            {'R', 2, "mark", {}, nullptr, {{18, 2}, {19, 8}}},
                                            {'P', 3, "sample", {}, nullptr, {}},
                                            {'N', 4, "object", {}, nullptr, {}},
                                            {'O', 5, "object", {}, nullptr, {}},
                                            {'D', 6, "object", {}, nullptr, {}}}));
  REQUIRE(flamelet_capture_lane_count(imported.capture) == 2);
  CHECK(imported.lane_name(0) == "renderer (game)");
  CHECK(imported.report.points == 2);
  CHECK(imported.report.events_unsupported == 4);
}

TEST_CASE("perfetto import: 1,000 bytes of a thread's name are kept") {
  const std::string name(1200, 'n');
  const PerfettoTrace imported(
      older_trace({{'R', 1, "mark", {}, nullptr, {}}, {'M', 1, "thread_name", {}, name.c_str(), {}}}));
  CHECK(imported.lane_name(0) == name.substr(0, 1000));
}

TEST_CASE("perfetto import: steps of time count only from a thread's descriptor on, up to the next loss") {
  TraceFile trace;
  const auto descriptor = [&] { trace.packet(number(10, 1) + part(44, number(2, 7))); };
  const auto instant = [&](bool lost) {
    trace.packet(number(10, 1) + (lost ? number(42, true) : "") + part(11, number(1, 1) + number(9, kInstant)));
  };
  instant(false);
  descriptor();
  instant(false);
  instant(true);
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.report.points == 1);
  CHECK(imported.report.events_damaged == 2);
}

TEST_CASE("perfetto import: names of threads and processes, whoever tells them, also behind the events") {
  const auto process = [](TraceFile* trace, int pid, const char* command, const char* name, const char* track_name) {
    trace->descriptor(100u + static_cast<uint64_t>(pid),
                      (track_name != nullptr ? text_field(2, track_name) : "") +
                          part(3, number(1, pid) + (command != nullptr ? text_field(2, command) : "") +
                                      (name != nullptr ? text_field(6, name) : "")));
  };
  struct Case {
    const char* lanes[2];  // of thread 7 in process 1, and of thread 8 in process 2
    std::function<void(TraceFile*)> tell;
  };
  const Case kCases[] = {
      {{"thread 7 (process 1)", "thread 8 (process 2)"}, [](TraceFile*) {}},
      {{"thread 7 (name)", "thread 8 (process 2)"},
       [&](TraceFile* trace) { process(trace, 1, "command", "name", "track"); }},
      {{"thread 7 (command)", "thread 8 (track)"},
       [&](TraceFile* trace) {
         process(trace, 1, "command", nullptr, nullptr);
         process(trace, 2, "command", nullptr, "track");
       }},
      {{"thread 7 (process 1)", "pool (game)"}, [](TraceFile* trace) { trace->tree(2, "game", 8, "pool"); }},
      {{"own (process 1)", "pool (name)"},
       [&](TraceFile* trace) {
         process(trace, 2, nullptr, "name", nullptr);
         trace->tree(2, "game", 8, "pool");
         trace->tree(1, "", 7, "of the tree");
         trace->thread(11, 1, 7, "own");
       }},
      {{"comm (process 1)", "thread 8 (process 2)"},
       [](TraceFile* trace) { trace->packet(part(1, part(2, part(4, text_field(5, "comm") + number(6, 7))))); }},
  };
  for (const Case& of : kCases) {
    for (const bool is_late : {false, true}) {
      CAPTURE(of.lanes[0]);
      CAPTURE(of.lanes[1]);
      CAPTURE(is_late);
      TraceFile trace;
      if (!is_late) of.tell(&trace);
      for (const uint64_t thread : {1u, 2u}) {
        trace.thread(10 + thread, static_cast<int>(thread), 6 + static_cast<int>(thread), "");
        trace.event(10 * thread, 10 + thread, kInstant, "i");
      }
      if (is_late) of.tell(&trace);
      const PerfettoTrace imported(trace.bytes);
      REQUIRE(flamelet_capture_lane_count(imported.capture) == 2);
      CHECK(imported.lane_name(0) == of.lanes[0]);
      CHECK(imported.lane_name(1) == of.lanes[1]);
    }
  }
}

TEST_CASE_FIXTURE(TraceFile, "perfetto import: a process's first thread has its name, if it has none of its own") {
  tree(7, "game", 8, "pool");
  print(10, 7, "I|7|a");
  print(20, 8, "I|7|a");
  const PerfettoTrace imported(bytes);
  REQUIRE(flamelet_capture_lane_count(imported.capture) == 2);
  CHECK(imported.lane_name(0) == "game");
  CHECK(imported.lane_name(1) == "pool");
}

TEST_CASE("perfetto import: what programs print into the kernel's trace") {
  struct Case {
    std::vector<const char*> lines;  // of thread 7, each 10 ns behind the one before
    const char* lane;
    Spans spans;
    size_t points;
    uint64_t left_out;
    std::vector<double> values = {};
  };
  const Case kCases[] = {
      {{"B|1|Frame\n", "B|1|a|b", "E|1\n", "E"}, "main", {{"Frame", 0, 30, 0, 0}, {"a|b", 10, 20, 1, 0}}, 0, 0},
      {{"S|1|load|7", "S|1|load|8", "F|1|load|7"}, "load", {{"load", 0, 20, 0, 0}}, 0, 0},
      {{"G|1|net|get|5\n", "H|1|net|5\n", "N|1|net|ping"}, "net", {{"get", 0, 10, 0, 0}}, 1, 0},
      {{"G|1|net|get|5", "H|1|net|get|5"}, "net", {{"get", 0, 10, 0, 0}}, 0, 0},
      {{"C|1|heap|512\n", "C|1|heap|-640"}, "game", {}, 2, 0},
      {{"I|1|vsync"}, "main", {}, 1, 0},
      {{"C|1|heap|5|grp", "C|1|heap|7|"}, "game", {}, 2, 0, {5, 7}},  // as Chromium has them
      {{"C|1|a|b|5", "C|1|heap|1.25", "C|1|heap|18446744073709551615"},
       "game",
       {},
       3,
       0,
       {5, 1.25, 18446744073709551616.0}},
      {{"S|1|as|5|cat", "F|1|as|5|cat"}, "as", {{"as", 0, 10, 0, 0}}, 0, 0},
      {{"S|1|as|5", "F|1|as|5|cat"}, "as", {{"as", 0, 10, 0, 0}}, 0, 0},
      {{"G|1|net|get|5|cat", "H|1|net|5|cat"}, "net", {{"get", 0, 10, 0, 0}}, 0, 0},
      {{"S|1|as", "S|1|as|1.5", "F|1|as", "N|1|tr", "G|1|tr|name", "G|1|tr|5", "H|1|tr", "C|1|5", "C|1|5|grp", "B|1|a",
        "E|1"},
       "main",
       {{"a", 0, 10, 0, 0}},
       0,
       9},
      {{"B|1|a", "hello", "B|", "X|1|a", "C|1|heap|much", "", "E|1"}, "main", {{"a", 0, 60, 0, 0}}, 0, 5},
  };
  for (const Case& of : kCases) {
    CAPTURE(of.lines[0]);
    TraceFile trace;
    trace.tree(1, "game", 7, "main");
    uint64_t time_ns = 1000;
    for (const char* line : of.lines) {
      trace.print(time_ns, 7, line);
      time_ns += 10;
    }
    const PerfettoTrace imported(trace.bytes);
    CHECK(imported.shown(of.lane) == of.spans);
    CHECK(imported.report.points == of.points);
    CHECK(imported.report.events_unsupported == of.left_out);
    std::vector<double> values;
    for (const flamelet_point& point : imported.points(imported.lane(of.lane))) values.push_back(point.value);
    if (!of.values.empty()) CHECK(values == of.values);
  }
}

TEST_CASE("perfetto import: events of the kernel are on the clock that their bundle names") {
  struct Bundle {
    uint64_t clock, kernel_ns, boot_ns;  // 0: it does not say
    uint64_t at_ns;                      // of the first of its two events
  };
  struct Case {
    const char* what;
    uint64_t raw_ns;  // of MONOTONIC_RAW at 10000; 0: no snapshot
    std::vector<Bundle> bundles;
    std::vector<int64_t> begins_ns;
    uint64_t unclocked;
    uint32_t unknown_clock;
  };
  const Case cases[] = {{"none", 0, {{0, 0, 0, 11000}}, {1000}, 0, 0},
                        {"global", 0, {{2, 500, 10500, 1000}}, {1000}, 0, 0},
                        {"local", 0, {{3, 500, 10500, 1000}}, {1000}, 0, 0},
                        {"global, told once", 0, {{2, 500, 10500, 1000}, {2, 0, 0, 3000}}, {1000, 3000}, 0, 0},
                        {"global, never told", 0, {{2, 0, 0, 1000}}, {}, 2, 0},
                        {"raw", 500, {{4, 0, 0, 1500}}, {1000}, 0, 0},
                        {"raw without a snapshot", 0, {{4, 0, 0, 1500}}, {}, 2, 5},
                        {"unknown", 500, {{1, 500, 10500, 1500}}, {}, 2, 0},
                        {"newer", 500, {{9, 500, 10500, 1500}}, {}, 2, 0}};
  for (const Case& of : cases) {
    CAPTURE(of.what);
    ThreadTrace trace;
    trace.packet(number(10, 1) +
                 part(6, part(1, clock(6, 10000)) + (of.raw_ns != 0 ? part(1, clock(5, of.raw_ns)) : "")));
    trace.event(10000, 2, kInstant, "zero");
    for (const Bundle& from : of.bundles)
      trace.packet(part(1, message([&](pbf_writer& bundle) {
                          if (from.clock != 0) bundle.add_uint64(5, from.clock);
                          for (const uint64_t i : {0u, 1u})
                            bundle.add_message(2, number(1, from.at_ns + 500 * i) + number(2, 7) +
                                                      part(3, text_field(2, i == 0 ? "B|1|a" : "E")));
                          if (from.kernel_ns != 0) bundle.add_uint64(6, from.kernel_ns);
                          if (from.boot_ns != 0) bundle.add_uint64(7, from.boot_ns);
                        })));
    const PerfettoTrace imported(trace.bytes);
    std::vector<int64_t> begins_ns;
    for (const Span& span : imported.shown("main")) {
      begins_ns.push_back(span.begin_ns);
      CHECK(span.end_ns == span.begin_ns + 500);
    }
    CHECK(begins_ns == of.begins_ns);
    CHECK(imported.report.events_unclocked == of.unclocked);
    CHECK(imported.report.unknown_clock == of.unknown_clock);
  }
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: what a thread prints stands on the lane that it has already") {
  event(1000, 2, kBegin, "outer");
  print(1010, 7, "B|1|inner");
  print(1020, 7, "E|1");
  event(1030, 2, kEnd);
  const PerfettoTrace imported(bytes);
  CHECK(flamelet_capture_lane_count(imported.capture) == 1);
  CHECK(imported.shown("main") == Spans{{"outer", 0, 30, 0, 0}, {"inner", 10, 20, 1, 0}});
}

TEST_CASE("perfetto import: values of counters beside an event") {
  const auto with_counters = [](TraceFile* trace) {
    trace->track(4, 2, "plain", true);
    trace->descriptor(5, number(5, 2) + text_field(2, "steps") + part(8, number(4, 1000) + number(5, true)));
  };
  const auto values = [](const TraceFile& trace, const char* name) {
    const PerfettoTrace imported(trace.bytes);
    std::vector<double> found;
    for (const flamelet_point& point : imported.points(imported.lane("main")))
      if (imported.text(point.name) == name) found.push_back(point.value);
    return found;
  };
  SUBCASE("of tracks that the event names, one by one or packed") {
    ThreadTrace trace;
    with_counters(&trace);
    trace.event_of(10, [](pbf_writer& event) {
      event.add_enum(9, kBegin);
      event.add_uint64(11, 2);
      event.add_uint64(31, 4);
      event.add_int64(12, 100);
      event.add_uint64(45, 4);
      event.add_double(46, 1.5);
    });
    trace.event_of(20, [](pbf_writer& event) {
      const std::vector<uint64_t> tracks = {4, 5};
      const std::vector<int64_t> ints = {250, 3};
      event.add_enum(9, kEnd);
      event.add_uint64(11, 2);
      event.add_packed_uint64(31, tracks.begin(), tracks.end());
      event.add_packed_int64(12, ints.begin(), ints.end());
    });
    CHECK(values(trace, "plain") == std::vector<double>{100, 1.5, 250});
    CHECK(values(trace, "steps") == std::vector<double>{3000});
  }
  SUBCASE("of tracks that the sequence names; steps are added up from where it starts anew") {
    ThreadTrace trace;
    with_counters(&trace);
    for (uint64_t time_ns = 10; time_ns < 50; time_ns += 10) {
      if (time_ns % 20 == 10) trace.packet(number(10, 1) + number(13, 1) + part(59, part(11, number(31, 5))));
      trace.event_of(time_ns, number(9, kInstant) + number(11, 2) + number(12, 2));
    }
    CHECK(values(trace, "steps") == std::vector<double>{2000, 4000, 2000, 4000});
  }
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: what the tracing service says it lost, by its newest count") {
  event(10, 2, kInstant, "i");
  for (const uint64_t more : {0u, 1u}) {
    const std::string buffer =
        number(3, 50 + more) + number(6, 3) + number(13, 100000) + number(18, 4) + number(19, 12);
    packet(part(35, part(1, buffer) + number(8, 7)));
  }
  packet(part(1, number(3, true)));
  const PerfettoTrace imported(bytes);
  CHECK(imported.report.chunks_lost == 51 + 3 + 4 + 7);
  CHECK(imported.report.packets_lost == 12 + 1);
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: names that are too long, or missing, are told apart from others") {
  const std::string start = std::string(65510, 'A') + "ä and more" + std::string(30, 'B');
  uint64_t time_ns = 10;
  for (const std::string& name : {start + "1", start + "2", start + "2", std::string()}) {
    event(time_ns, 2, kInstant, name.empty() ? nullptr : name.c_str());
    time_ns += 10;
  }
  const PerfettoTrace imported(bytes);
  const std::vector<flamelet_point> points = imported.points(0);
  REQUIRE(points.size() == 4);
  CHECK(points[0].name != points[1].name);
  CHECK(points[1].name == points[2].name);
  const std::string shown = imported.text(points[0].name);
  CHECK(shown.substr(65500, 13) == "AAAAAAAAAA…");
  CHECK(imported.text(points[3].name) == "(unnamed)");
}

TEST_CASE("perfetto import: a zero byte in an event's name is counted, and ends no name that is put together") {
  using namespace std::string_literals;
  TraceFile trace;
  trace.descriptor(1, part(3, number(1, 1) + text_field(6, "g\0h"s)));
  trace.descriptor(2, part(4, number(1, 1) + number(2, 7) + text_field(5, "T\0t"s)));
  trace.descriptor(3, part(3, number(1, 2) + text_field(6, "other")));
  trace.descriptor(4, number(5, 2) + text_field(2, "c\0d"s) + part(8, text_field(6, "M\0B"s)));
  trace.descriptor(5, number(5, 1) + text_field(2, "c\0d"s) + part(8, text_field(6, "M\0B"s)));
  trace.descriptor(6, number(5, 3) + text_field(2, "w\0x"s));
  for (const std::string& name : {"a"s, "a\0"s, "a\0b"s,
                                  "a\xEF\xBF\xBD"
                                  "b"s})
    trace.event_of(10, number(9, kInstant) + number(11, 2) + text_field(23, name));
  for (const uint64_t track : {4u, 5u}) trace.event_of(20, number(9, kCounter) + number(11, track) + number(30, 3));
  trace.event_of(30, number(9, kBegin) + number(11, 6) + text_field(23, "s\0"s));
  trace.event_of(40, number(11, 2) + text_field(23, "thread_name") +
                         part(4, text_field(10, "name") + text_field(6, "U\0u"s)) +
                         part(6, number(2, 'M') + number(18, 1) + number(19, 9)));
  trace.event_of(40, text_field(23, "of 9") + part(6, number(2, 'i') + number(18, 1) + number(19, 9)));
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.report.texts_repaired == 8);
  std::string names;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(imported.capture); ++lane) {
    names += "[" + imported.lane_name(lane) + "]";
    for (const flamelet_point& point : imported.points(lane)) names += imported.text(point.name) + ";";
    for (const flamelet_span& span : imported.spans(lane)) names += imported.text(span.name) + ";";
  }
  std::replace(names.begin(), names.end(), '\0', '0');
  for (size_t at = 0; (at = names.find("\xEF\xBF\xBD")) != std::string::npos;) names.replace(at, 3, "?");
  CHECK(names == "[T0t]a;a?;a?b;a?b;c?d [M?B];[g0h]c?d (g0h) [M?B];[w?x]s?;[U0u]of 9;");
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: zeros behind the last packet are no packets") {
  event(10, 2, kBegin, "a");
  event(20, 2, kEnd);
  const PerfettoTrace imported(bytes + std::string(100000, '\0'));
  CHECK(imported.shown("main").size() == 1);
  CHECK(imported.report.events_unsupported == 0);
  CHECK_FALSE(imported.report.truncated);
}

TEST_CASE("perfetto import: where packets were lost is counted, but not in front of a sequence's first") {
  ThreadTrace trace;
  for (const uint64_t time_ns : {10u, 20u, 30u, 40u}) {
    trace.packet(number(8, time_ns) + number(10, 9) + (time_ns == 10 || time_ns == 30 ? number(42, true) : "") +
                 part(11, number(9, time_ns % 20 == 10 ? kBegin : kEnd) + number(11, 2) + text_field(23, "a")));
  }
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.report.packets_lost == 1);
  CHECK(imported.report.events_damaged == 0);
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: switches in columns, as Android writes them, are states of threads") {
  event(1000, 2, kBegin, "work");
  event(20000, 2, kEnd);
  // Thread 7 runs from 2000, sleeps from 5000, runs from 9000, and could run on when it is taken off at 12000.
  const std::vector<uint64_t> steps = {2000, 3000, 4000, 3000};
  const std::vector<int64_t> states = {1, 1, 0, 0};
  const std::vector<int32_t> next = {7, 0, 7, 99};
  std::string columns;
  SUBCASE("a column is one field") {
    columns = message([&](pbf_writer& fields) {
      fields.add_packed_uint64(1, steps.begin(), steps.end());
      fields.add_packed_int64(2, states.begin(), states.end());
      fields.add_packed_int32(3, next.begin(), next.end());
    });
  }
  SUBCASE("or a field for each value") {
    columns = message([&](pbf_writer& fields) {
      for (const uint64_t step : steps) fields.add_uint64(1, step);
      for (const int64_t state : states) fields.add_int64(2, state);
      for (const int32_t thread : next) fields.add_int32(3, thread);
    });
  }
  TraceFile switches;
  switches.packet(part(1, number(1, 0) + part(4, columns)));
  bytes += switches.bytes;
  const PerfettoTrace imported(bytes);
  flamelet_state_times times = {};
  CHECK(imported.report.spans_open == 0);
  REQUIRE(flamelet_capture_state_times(imported.capture, imported.lane("main"), 1000, 11000, &times));
  CHECK(times.ns[FLAMELET_STATE_RUNNING] == 6000);  // 3000, and from 9000 to 12000
  CHECK(times.ns[FLAMELET_STATE_ASLEEP] == 4000);
  CHECK(imported.report.events_unsupported == 0);
  // Nobody else has a lane.
  CHECK(PerfettoTrace(switches.bytes).report.events_unsupported == 4);
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: what was lost counts for the next switch, in whichever bundle") {
  event(1000, 2, kBegin, "work");
  event(20000, 2, kEnd);
  for (const bool is_apart : {false, true}) {
    CAPTURE(is_apart);
    TraceFile switches;
    const auto put = [&](uint64_t at, int32_t next, bool lost) {
      const std::string columns = message([&](pbf_writer& fields) {
        fields.add_uint64(1, at);
        fields.add_int64(2, 1);
        fields.add_int32(3, next);
      });
      if (lost && is_apart) switches.packet(part(1, number(1, 0) + number(3, true)));
      switches.packet(part(1, number(1, 0) + (lost && !is_apart ? number(3, true) : "") + part(4, columns)));
    };
    put(2000, 7, false);
    put(10000, 99, true);
    flamelet_state_times times = {};
    const PerfettoTrace imported(bytes + switches.bytes);
    CHECK_FALSE(flamelet_capture_state_times(imported.capture, imported.lane("main"), 1000, 9000, &times));
  }
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: what never ends lasts to the newest switch of a thread") {
  event(1000, 2, kBegin, "hang");
  const std::vector<uint64_t> steps = {2000, 98000};
  const std::vector<int64_t> states = {1, 1};
  const std::vector<int32_t> next = {7, 0};
  packet(part(1, number(1, 0) + part(4, message([&](pbf_writer& fields) {
                                       fields.add_packed_uint64(1, steps.begin(), steps.end());
                                       fields.add_packed_int64(2, states.begin(), states.end());
                                       fields.add_packed_int32(3, next.begin(), next.end());
                                     }))));
  CHECK(PerfettoTrace(bytes).shown("main") == Spans{{"hang", 0, 99000, 0, FLAMELET_SPAN_OPEN}});
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

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: other packets, and events in older forms, are counted and left out") {
  packet(part(1, part(2, std::string())));  // of the kernel, and no switch
  packet(number(8, 1) + part(11, part(6, std::string())));
  pbf_writer(bytes).add_string(9, "no packet");
  event(10, 2, kInstant, "here");
  const PerfettoTrace imported(bytes);
  CHECK(imported.report.events_unsupported == 3);
  CHECK(imported.report.points == 1);
}

TEST_CASE("perfetto import: packets that tell no event are not counted as events that are left out") {
  // The configuration, statistics of the kernel's, a mark, the machine, a trigger, programs, metadata, modules, an event of the
  // service, an extension, the viewer's state, names, the id, a range, and more of these.
  for (const uint32_t field :
       {33u, 34u, 36u, 45u, 46u, 47u, 48u, 51u, 61u, 64u, 67u, 69u, 72u, 78u, 82u, 89u, 90u, 109u, 113u}) {
    CAPTURE(field);
    ThreadTrace trace;
    trace.packet(number(8, 5) + part(field, text_field(1, "x")));
    trace.event(10, 2, kInstant, "here");
    CHECK(PerfettoTrace(trace.bytes).report.events_unsupported == 0);
  }
  for (const uint32_t field : {7u, 9u, 38u, 52u, 53u, 66u, 76u}) {  // values, samples, GPU stages
    CAPTURE(field);
    ThreadTrace trace;
    trace.packet(part(field, text_field(1, "x")));
    trace.event(10, 2, kInstant, "here");
    CHECK(PerfettoTrace(trace.bytes).report.events_unsupported == 1);
  }
}

TEST_CASE("perfetto import: of one event 64 flows are taken, and texts of any bytes") {
  ThreadTrace trace;
  const std::string tails(60000, '\x80');  // of characters that have no begin
  trace.packet(number(10, 1) + part(60, number(1, 9) + text_field(2, tails)));
  trace.event_of(10, [&](pbf_writer& event) {
    event.add_enum(9, kInstant);
    event.add_uint64(11, 2);
    for (uint64_t id = 1; id <= 100; ++id) event.add_fixed64(47, id);
  });
  for (const int64_t at_us : {20, 25})  // they overlap, so the second one gets a lane of that name beside
    trace.event_of(0, number(11, 9) + number(16, static_cast<uint64_t>(at_us)) + text_field(23, "over") +
                          part(6, number(2, 'X') + number(3, 10)));
  const PerfettoTrace imported(trace.bytes);
  CHECK(imported.report.flows == 64);
  CHECK(imported.report.texts_repaired == 1);
  CHECK(imported.report.events_over_limits == 36);
  CHECK(imported.report.spans_beside == 1);
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
  const std::vector<flamelet_flow> flows = recorder_test::read_flows(imported.capture);
  REQUIRE(flows.size() == 4);
  CHECK(imported.lane_name(flows[1].lane) == "worker");
  CHECK(flows[1].time_ns == 10);
  CHECK(flows[1].begin == 0);
  CHECK(flows[2].begin == 0);
  CHECK(flows[3].begin == 3);
  CHECK(flows[3].flags == FLAMELET_FLOW_OPEN);
}

TEST_CASE("perfetto import: flows and categories are read one by one, and all in one field") {
  struct Ids {
    uint32_t flow, last_flow;  // the fields
    bool packed;
  };
  for (const Ids& ids : {Ids{47, 48, false}, Ids{47, 48, true}, Ids{36, 42, false}, Ids{36, 42, true}}) {
    CAPTURE(ids.flow);
    CAPTURE(ids.packed);
    const auto add = [&](pbf_writer& event, uint32_t field, const std::vector<uint64_t>& values) {
      const bool is_fixed = field >= 47;
      if (ids.packed && is_fixed) event.add_packed_fixed64(field, values.begin(), values.end());
      if (ids.packed && !is_fixed) event.add_packed_uint64(field, values.begin(), values.end());
      for (const uint64_t value : values) {
        if (!ids.packed && is_fixed) event.add_fixed64(field, value);
        if (!ids.packed && !is_fixed) event.add_uint64(field, value);
      }
    };
    ThreadTrace trace;
    trace.packet(number(10, 1) + number(13, 1) + part(12, part(1, number(1, 4) + text_field(2, "physics"))));
    for (const uint64_t time_ns : {10u, 20u})
      trace.event_of(time_ns, [&](pbf_writer& event) {
        event.add_enum(9, kInstant);
        event.add_uint64(11, 2);
        event.add_string(23, "job");
        add(event, 3, {4, 4});
        add(event, time_ns == 10 ? ids.flow : ids.last_flow, {5, UINT64_MAX});
      });
    const PerfettoTrace imported(trace.bytes);
    CHECK(imported.report.events_damaged == 0);
    CHECK(imported.report.texts_unknown == 0);
    REQUIRE(imported.report.points == 2);
    bool has_category = false;
    for (uint32_t site = 0; site < flamelet_capture_site_count(imported.capture); ++site) {
      flamelet_site_info info;
      has_category =
          has_category || (flamelet_capture_site(imported.capture, site, &info) &&
                           info.name.text == std::string("job") && info.category.text == std::string("physics"));
    }
    CHECK(has_category);
    const std::vector<flamelet_flow> flows = recorder_test::read_flows(imported.capture);
    REQUIRE(flows.size() == 4);
    CHECK(flows[1].begin == 0);  // by id, and a begin before its end
    CHECK(flows[3].begin == 2);
  }
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: a flow may begin and end where a slice ends") {
  thread(3, 1, 8, "worker");
  event(10, 2, kBegin, "p");
  event(15, 2, kEnd, nullptr, 0, {}, 5);
  event(20, 3, kBegin, "q");
  event(25, 3, kEnd, nullptr, 0, {}, 0, 5);
  const PerfettoTrace imported(bytes);
  const std::vector<flamelet_flow> flows = recorder_test::read_flows(imported.capture);
  REQUIRE(flows.size() == 2);
  CHECK(flows[0].time_ns == 5);
  CHECK(flows[1].begin == 0);
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: a slice of no length stands beside others that begin where it ended") {
  event(10, 2, kBegin, "p");
  event(10, 2, kBegin, "q");
  event(10, 2, kEnd);
  event(10, 2, kBegin, "r");
  event(20, 2, kEnd);
  event(20, 2, kEnd);
  event(20, 2, kBegin, "s");
  event(20, 2, kEnd);
  event(20, 2, kBegin, "t");
  event(30, 2, kEnd);
  CHECK(PerfettoTrace(bytes).shown("main") ==
        Spans{{"p", 0, 10, 0, 0}, {"q", 0, 0, 1, 0}, {"r", 0, 10, 1, 0}, {"s", 10, 10, 0, 0}, {"t", 10, 20, 0, 0}});
}

TEST_CASE_FIXTURE(TraceFile, "perfetto import: counters of one name say whose they are, but for the first one") {
  process(1, 100, "Browser");
  process(2, 200, "GPU");
  thread(3, 200, 7, "worker");
  track(4, 1, "mem", true);
  track(5, 2, "mem", true);
  track(6, 3, "mem", true);
  track(7, 1, "mem", true);
  const std::pair<uint64_t, const char*> shown[] = {
      {4, "mem"}, {5, "mem (GPU)"}, {6, "mem (worker)"}, {7, "mem"}, {5, "mem (GPU)"}};
  std::map<std::string, int> expected, found;
  for (const auto& [track, name] : shown) {
    event(10, track, kCounter, nullptr, 1);
    ++expected[name];
  }
  const PerfettoTrace imported(bytes);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(imported.capture); ++lane)
    for (const flamelet_point& point : imported.points(lane)) ++found[imported.text(point.name)];
  CHECK(found == expected);
}

TEST_CASE("perfetto import: a counter has the name of its track, or its event's where the track has none") {
  ThreadTrace trace;
  trace.track(3, 2, "heap", true);
  trace.track(4, 2, "", true);
  for (const uint64_t track : {3u, 4u}) trace.event(10 + track, track, kCounter, "of the event", 5);
  for (const uint64_t track : {3u, 4u}) trace.event(20 + track, track, kCounter, nullptr, 5);
  const PerfettoTrace imported(trace.bytes);
  std::vector<std::string> names;
  for (const flamelet_point& point : imported.points(imported.lane("main"))) {
    flamelet_site_info info = recorder_test::site_of(imported.capture, point.site);
    names.push_back(info.name.text);
  }
  CHECK(names == std::vector<std::string>{"heap", "of the event", "heap", "(unnamed)"});
}

TEST_CASE("perfetto import: a counter's unit stands behind its name, and its values are multiplied") {
  struct Case {
    const char* name;
    uint32_t unit;
    const char* unit_name;
    int64_t multiplier;
    const char* shown;
    double value;
  };
  const Case kCases[] = {{"heap", 0, nullptr, 0, "heap", 3},
                         {"heap", 3, nullptr, 1024, "heap [B]", 3072},
                         {"wait", 1, nullptr, 1000, "wait [ns]", 3000},
                         {"calls", 2, nullptr, 0, "calls", 3},
                         {"rate", 0, "MB/s", 0, "rate [MB/s]", 3},
                         {"rate", 3, "KiB", 0, "rate [KiB]", 3},
                         {"rate (MB)", 0, "MB", 0, "rate (MB)", 3},
                         {"rate_MB", 0, "MB", 0, "rate_MB", 3},
                         {"MB", 0, "MB", 0, "MB [MB]", 3}};
  for (const Case& of : kCases) {
    CAPTURE(of.shown);
    ThreadTrace trace;
    trace.descriptor(
        4, number(5, 2) + text_field(2, of.name) +
               part(8, (of.unit != 0 ? number(3, of.unit) : "") + (of.multiplier != 0 ? number(4, of.multiplier) : "") +
                           (of.unit_name != nullptr ? text_field(6, of.unit_name) : "")));
    trace.event_of(10, number(9, kCounter) + number(11, 4) + number(30, 3));
    const PerfettoTrace imported(trace.bytes);
    const std::vector<flamelet_point> points = imported.points(imported.lane("main"));
    REQUIRE(points.size() == 1);
    CHECK(imported.text(points[0].name) == of.shown);
    CHECK(points[0].value == of.value);
  }
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
  outer.packet(part(50, compressed(inner.bytes)));
  const PerfettoTrace imported(outer.bytes);
  CHECK(imported.shown("main") == Spans{{"scope", 0, 5, 0, 0}});
  twice.packet(part(50, compressed(outer.bytes)));
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

TEST_CASE("perfetto import: packets that were compressed with zstd are said to be") {
  const std::string frame = "\x28\xb5\x2f\xfd" + std::string(8, '\0');
  for (const uint32_t field : {50u, 133u}) {
    CAPTURE(field);
    TraceFile zstd;
    zstd.packet(part(field, frame));
    const PerfettoTrace none(zstd.bytes);
    CHECK(none.result == FLAMELET_ERROR_FILE_FORMAT);
    CHECK(none.report.message == std::string("The trace's packets are compressed with zstd, which is not read."));
    ThreadTrace some;
    some.event(10, 2, kInstant, "here");
    const PerfettoTrace imported(some.bytes + zstd.bytes);
    CHECK(imported.report.points == 1);
    CHECK(imported.report.events_damaged == 1);
    CHECK(imported.report.first_damaged == std::string("packets are compressed with zstd, which is not read"));
  }
}

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: a trace that is cut anywhere gives what came before") {
  std::vector<size_t> ends;
  for (uint64_t i = 0; i < 20; ++i) {
    event(i * 10, 2, kInstant, "tick");
    ends.push_back(bytes.size());
  }
  for (size_t size = ends.front(); size < bytes.size(); ++size) {
    CAPTURE(size);
    const PerfettoTrace imported(bytes.substr(0, size));
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

TEST_CASE_FIXTURE(ThreadTrace, "perfetto import: a length beyond the end of the file takes no memory") {
  event(0, 2, kInstant, "tick");
  for (const char* tail : {"\x0A\xFF\xFF\xFF\x07", "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01",
                           "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", "\x0B", "\x0A"}) {
    const PerfettoTrace imported(bytes + tail);
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
