// SPDX-License-Identifier: MIT
//
// Export, import, export: the second file must be the first one, byte by byte, whatever is in the capture.
#include <random>
#include <string>
#include <utility>

#include "export/exported.h"
#include "imported.h"
#include "random_captures.h"
#include "rounds.h"

namespace {

flamelet_import_options options() {
  flamelet_import_options options = flamelet_import_options_default();
  options.capture = flamelet_capture_config_default();
  options.capture.budget_bytes = size_t{16} << 20;
  options.capture.max_sites = options.capture.max_strings = 4096;
  options.capture.string_bytes = size_t{2} << 20;
  return options;
}

// The first difference, with what stands around it: a doctest of two long texts says too much.
void check_same(const std::string& first, const std::string& second) {
  if (first == second) return;
  size_t at = 0;
  while (at < first.size() && at < second.size() && first[at] == second[at]) ++at;
  const size_t from = at < 300 ? 0 : at - 300;
  FAIL("first:  " << first.substr(from, 600) << "\nsecond: " << second.substr(from, 600));
}

void check_round_trip(const flamelet_capture* capture, flamelet_export_format format) {
  const std::string first = exported(capture, format);
  const Imported again(first, options());
  REQUIRE(again.result == FLAMELET_OK);
  const flamelet_import_report& report = again.report;
  const bool is_chrome = format == FLAMELET_EXPORT_CHROME;
  CHECK(report.format == (is_chrome ? FLAMELET_IMPORT_CHROME : FLAMELET_IMPORT_PERFETTO));
  CHECK_FALSE(report.truncated);
  CHECK(report.bytes == first.size());
  CHECK(report.spans_cut + report.times_clamped + report.texts_repaired + report.ends_extra == 0);
  CHECK(report.events_damaged + report.events_unsupported + report.events_over_limits + report.events_evicted == 0);
  CHECK(report.args_left_out == 0);
  if (is_chrome) CHECK(report.spans_open == 0);  // its spans all have ends
  check_same(first, exported(again.capture, format));
}

bool has_states(const flamelet_capture* capture) {
  return recorder_test::stats_of(capture).switches_held != 0;
}

std::string states_of(const flamelet_capture* of, size_t lane) {
  std::vector<flamelet_state> states(FLAMELET_CURSOR_LEAST);
  flamelet_state_cursor cursor;
  flamelet_state_cursor_start(&cursor, of, lane, 0, INT64_MAX, states.data(), states.size());
  std::string text;
  while (flamelet_state_cursor_next(&cursor))
    for (size_t i = 0; i < cursor.count; ++i)  // what is unknown may be so in parts
      if (states[i].kind != FLAMELET_STATE_UNKNOWN)
        text += std::to_string(states[i].begin_ns) + "-" + std::to_string(states[i].end_ns) + ":" +
                std::to_string(states[i].kind) + "@" + std::to_string(states[i].processor) + " by " +
                std::to_string(states[i].by) + "\n";
  return text;
}

void check_round_trips(const flamelet_capture* capture) {
  check_round_trip(capture, FLAMELET_EXPORT_CHROME);
  check_round_trip(capture, FLAMELET_EXPORT_PERFETTO);
}

}  // namespace

TEST_CASE("round trip: whatever was recorded is the same after export, import and export") {
  for (uint32_t seed = 1; seed <= rounds(60); ++seed) {
    CAPTURE(seed);
    RandomRecording recording(seed);
    for (int i = 0; i < 800; ++i) recording.step();
    check_round_trips(recording.capture());
  }
}

TEST_CASE("round trip: so is whatever was put together") {
  for (uint32_t seed = 1; seed <= rounds(120); ++seed) {
    CAPTURE(seed);
    recorder_test::Building building;
    check_round_trips(random_capture(seed, &building));
  }
}

TEST_CASE(
    "round trip: a capture that is put together keeps all frames and times of threads, and its exports all frames") {
  constexpr size_t kFrames = 5000, kThreads = 4;  // more than `max_frames` and `max_thread_times` have room for
  recorder_test::Building building;
  uint32_t threads[kThreads];
  for (size_t i = 0; i < kThreads; ++i)
    threads[i] = building.lane(FLAMELET_LANE_THREAD, ("thread " + std::to_string(i)).c_str());
  for (const uint32_t thread : threads) building.span(thread, 0, 5, building.site("job"));
  flamelet_thread_time time = {};
  time.known = FLAMELET_TIME_RAN;
  time.ran_ns = 7;
  for (size_t i = 0; i < kFrames; ++i) {
    const auto begin_ns = static_cast<int64_t>(10 * i);
    building.frame(i + 1, begin_ns, begin_ns + 10);
    for (const uint32_t thread : threads)
      CHECK(flamelet_capture_builder_thread_time(building.builder, i + 1, thread, &time));
  }
  flamelet_capture* const capture = building.finish();
  REQUIRE(flamelet_capture_frame_count(capture) == kFrames);
  CHECK(flamelet_capture_read_thread_times(capture, 0, nullptr, 0) == kThreads);
  for (const flamelet_export_format format : {FLAMELET_EXPORT_CHROME, FLAMELET_EXPORT_PERFETTO}) {
    check_round_trip(capture, format);
    const Imported again(exported(capture, format), options());
    CHECK(flamelet_capture_frame_count(again.capture) == kFrames);
    CHECK(recorder_test::stats_of(again.capture).frames_dropped == 0);
  }
}

TEST_CASE("round trip: the thread that marks the frames comes back, and the times of threads in frames") {
  recorder_test::Building building;
  uint32_t lanes[3];
  const char* const names[] = {"Worker", "Main", "Fiber"};
  for (size_t i = 0; i < 3; ++i) {  // whose ids are not those that an import would give
    lanes[i] = flamelet_capture_builder_span_lane(building.builder, i == 2 ? FLAMELET_LANE_FIBER : FLAMELET_LANE_THREAD,
                                                  static_cast<uint32_t>(7 - i), building.string(names[i]), true);
    building.span(lanes[i], 0, 5, building.site("job"));
  }
  flamelet_thread_time whole = {40, 9, 3, 1, 12, 31, 0}, part = {};
  part.known = FLAMELET_TIME_READY | FLAMELET_TIME_SWITCHES;
  part.ready_ns = 8;
  building.frame(4, 0, 60);  // nobody knows who marked it
  flamelet_capture_builder_mark_frames(building.builder, lanes[1]);
  building.frame(5, 60, 160, FLAMELET_FRAME_TIMES_DROPPED);
  flamelet_capture_builder_thread_time(building.builder, 5, lanes[1], &whole);
  flamelet_capture_builder_thread_time(building.builder, 5, lanes[0], &part);
  flamelet_capture* const capture = building.finish();
  check_round_trips(capture);
  for (const flamelet_export_format format : {FLAMELET_EXPORT_CHROME, FLAMELET_EXPORT_PERFETTO}) {
    CAPTURE(format);
    const Imported again(exported(capture, format), options());
    const flamelet_frame_info frames[] = {recorder_test::frame_of(again.capture, 0),
                                          recorder_test::frame_of(again.capture, 1)};
    CHECK(frames[0].thread == 0);
    CHECK(frames[1].thread == recorder_test::lane_of(again.capture, again.lane("Main")).id);
    CHECK(frames[1].flags == FLAMELET_FRAME_TIMES_DROPPED);
    CHECK(flamelet_capture_read_thread_times(again.capture, 0, nullptr, 0) == 0);
    flamelet_thread_time time;
    REQUIRE(flamelet_capture_thread_time(again.capture, 1, again.lane("Main"), &time));
    CHECK(time.ran_ns == 40);
    CHECK(time.ready_ns == 9);
    CHECK(time.switches == 3);
    CHECK(time.major_faults == 1);
    CHECK(time.minor_faults == 12);
    CHECK(time.known == 31);
    REQUIRE(flamelet_capture_thread_time(again.capture, 1, again.lane("Worker"), &time));
    CHECK(time.known == part.known);
    CHECK(time.ready_ns == 8);
    CHECK(time.switches == 0);
    CHECK_FALSE(flamelet_capture_thread_time(again.capture, 1, again.lane("Fiber"), &time));
  }
}

TEST_CASE("round trip: the pieces of a call that fibers were switched in stay those of one call") {
  recorder_test::Building building;
  const auto lane = [&](const char* name) {
    return flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_THREAD, 0, building.string(name), true);
  };
  const uint32_t one = lane("one"), two = lane("two");
  const uint32_t site = building.site("job");
  building.span(one, 0, 10, site, 7, FLAMELET_DEPTH_UNKNOWN, FLAMELET_SPAN_SUSPENDED);
  building.span(one, 20, 25, site, 9, FLAMELET_DEPTH_UNKNOWN, FLAMELET_SPAN_SUSPENDED);
  building.span(two, 30, 60, site, 7, FLAMELET_DEPTH_UNKNOWN, FLAMELET_SPAN_RESUMED);
  flamelet_capture* const capture = building.finish();
  check_round_trips(capture);
  for (const flamelet_export_format format : {FLAMELET_EXPORT_CHROME, FLAMELET_EXPORT_PERFETTO}) {
    const Imported again(exported(capture, format), options());
    const std::vector<flamelet_span> first = again.spans(again.lane("one")), second = again.spans(again.lane("two"));
    REQUIRE(first.size() == 2);
    REQUIRE(second.size() == 1);
    CHECK(first[0].id != 0);
    CHECK(first[0].id == second[0].id);
    CHECK(first[0].id != first[1].id);
  }
}

TEST_CASE_FIXTURE(recorder_test::Building, "round trip: frames of named sets come back as they were") {
  for (const char* name : {"server", "physics"}) {
    flamelet_capture_builder_named_frame(builder, string(name), 7, 100, 160, FLAMELET_FRAME_PARTIAL);
    flamelet_capture_builder_named_frame(builder, string(name), 8, 150, 150, 0);  // a little early
  }
  flamelet_capture_builder_frame(builder, 1, 90, 200, 0);
  finish();
  for (const flamelet_export_format format : {FLAMELET_EXPORT_CHROME, FLAMELET_EXPORT_PERFETTO}) {
    const Imported again(exported(capture, format), options());
    REQUIRE(again.result == FLAMELET_OK);
    CHECK(again.report.frames == 5);
    uint32_t sets[3];
    REQUIRE(flamelet_capture_frame_sets(again.capture, sets, 3) == 2);
    const int64_t lead_ns = format == FLAMELET_EXPORT_CHROME ? 0 : 90;  // Perfetto's 0 is the earliest time
    for (const uint32_t set : {sets[0], sets[1]}) {
      const flamelet_string name = flamelet_capture_string(again.capture, set);
      CHECK((std::string(name.text, name.size) == "physics" || std::string(name.text, name.size) == "server"));
      flamelet_frame_info frames[3];
      REQUIRE(flamelet_capture_read_frames(again.capture, set, INT64_MIN, INT64_MAX, frames, 3) == 2);
      CHECK(frames[0].index == 7);
      CHECK(frames[0].begin_ns == 100 - lead_ns);
      CHECK(frames[0].end_ns == 160 - lead_ns);
      CHECK(frames[0].flags == FLAMELET_FRAME_PARTIAL);
      CHECK(frames[1].index == 8);
      CHECK(frames[1].begin_ns == 160 - lead_ns);
      CHECK(frames[1].end_ns == 160 - lead_ns);
    }
  }
}

TEST_CASE("round trip: the states of threads come back with Perfetto's traces") {
  recorder_test::Building building;
  flamelet_capture_builder* const builder = building.builder;
  const uint32_t site = building.site("Work");
  const uint32_t lanes[] = {building.lane(FLAMELET_LANE_THREAD, "Main"), building.lane(FLAMELET_LANE_THREAD, "W")};
  for (const uint32_t lane : lanes) {
    flamelet_capture_builder_begin(builder, lane, 0, site, 0, 0);
    flamelet_capture_builder_end(builder, lane, 20'000'000);
  }
  const struct {
    int64_t ms;
    uint32_t lane, processor;
    flamelet_state_kind state;
  } switches[] = {
      {1, 0, 0, FLAMELET_STATE_RUNNING},    {2, 1, 1, FLAMELET_STATE_RUNNING},  {3, 0, 0, FLAMELET_STATE_TAKEN_OFF},
      {5, 1, 1, FLAMELET_STATE_TAKEN_OFF},  {5, 0, 1, FLAMELET_STATE_RUNNING},  {7, 0, 1, FLAMELET_STATE_ASLEEP},
      {7, 1, 1, FLAMELET_STATE_RUNNING},    {9, 1, 1, FLAMELET_STATE_ASLEEP},   {12, 0, 0, FLAMELET_STATE_RUNNING},
      {14, 0, 0, FLAMELET_STATE_TAKEN_OFF}, {14, 2, 0, FLAMELET_STATE_RUNNING}, {16, 2, 0, FLAMELET_STATE_ASLEEP},
      {17, 0, 0, FLAMELET_STATE_RUNNING}};
  const uint32_t threads[] = {lanes[0], lanes[1], FLAMELET_BY_UNKNOWN};
  for (const auto& of : switches)
    REQUIRE(flamelet_capture_builder_switch(builder, threads[of.lane], of.ms * 1'000'000, of.state, of.processor));
  flamelet_capture* const capture = building.finish();
  const Imported again(exported(capture, FLAMELET_EXPORT_PERFETTO), options());
  REQUIRE(again.result == FLAMELET_OK);
  CHECK(again.report.events_unsupported + again.report.events_over_limits == 0);
  for (size_t lane = 0; lane < 2; ++lane) {
    CHECK(states_of(again.capture, lane) == states_of(capture, lane));
    CHECK(states_of(capture, lane).size() > 60);
  }
  CHECK_FALSE(has_states(Imported(exported(capture, FLAMELET_EXPORT_CHROME), options()).capture));
  check_round_trips(capture);
}

TEST_CASE("round trip: switches come back, also those at the newest time, and of threads that only leave") {
  for (uint32_t seed = 1; seed <= rounds(400); ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    recorder_test::Building building;
    flamelet_capture_builder* const builder = building.builder;
    const uint32_t site = building.site("Work");
    uint32_t lanes[3];
    for (uint32_t& lane : lanes) {
      lane = building.lane(FLAMELET_LANE_THREAD, "Worker");
      flamelet_capture_builder_begin(builder, lane, 0, site, 0, 0);
      flamelet_capture_builder_end(builder, lane, 1'000'000);
    }
    constexpr uint32_t kNowhere = 2;
    uint32_t runner[kNowhere] = {3, 3}, runs_on[] = {kNowhere, kNowhere, kNowhere};
    int64_t now_ns = 0, before_ns[] = {-1, -1, -1};
    for (int i = 0; i < 12; ++i) {
      now_ns += static_cast<int64_t>(random() % 3) * 1'000'000;
      const auto thread = static_cast<uint32_t>(random() % 3), processor = static_cast<uint32_t>(random() % 2);
      uint32_t& on = runs_on[thread];
      const int64_t last_ns = std::exchange(before_ns[thread], now_ns);
      if (last_ns == now_ns) continue;  // nobody runs for no time
      if (on == kNowhere && runner[processor] == 3 && last_ns >= 0 && seed % 8 == 0 &&
          random() % 4 == 0) {  // a switch before it is missing
        REQUIRE(flamelet_capture_builder_switch(builder, lanes[thread], now_ns, FLAMELET_STATE_TAKEN_OFF, processor));
      } else if (on != kNowhere) {
        const flamelet_state_kind left = random() % 2 == 0 ? FLAMELET_STATE_ASLEEP : FLAMELET_STATE_TAKEN_OFF;
        REQUIRE(flamelet_capture_builder_switch(builder, lanes[thread], now_ns, left, on));
        runner[on] = 3;
        on = kNowhere;
      } else if (runner[processor] == 3 && last_ns < 0 && seed % 2 == 0) {  // nobody knows since when it ran there
        const flamelet_state_kind left = random() % 2 == 0 ? FLAMELET_STATE_ASLEEP : FLAMELET_STATE_TAKEN_OFF;
        REQUIRE(flamelet_capture_builder_switch(builder, lanes[thread], now_ns, left, processor));
      } else if (runner[processor] == 3) {
        REQUIRE(flamelet_capture_builder_switch(builder, lanes[thread], now_ns, FLAMELET_STATE_RUNNING, processor));
        runner[processor] = thread;
        on = processor;
      }
    }
    if (seed % 2 == 0) {  // such a departure at the newest time has no state yet
      flamelet_capture_builder_begin(builder, lanes[0], now_ns, site, 0, 0);
      flamelet_capture_builder_end(builder, lanes[0], now_ns + 1'000'000);
    }
    flamelet_capture* const capture = building.finish();
    check_round_trip(capture, FLAMELET_EXPORT_PERFETTO);
    const Imported again(exported(capture, FLAMELET_EXPORT_PERFETTO), options());
    for (size_t lane = 0; lane < 3; ++lane) CHECK(states_of(again.capture, lane) == states_of(capture, lane));
    flamelet_export_options window = flamelet_export_options_default();
    window.begin_ns = 4'000'000;
    std::string part;
    REQUIRE(flamelet_export(capture, FLAMELET_EXPORT_PERFETTO, &window, sink_to(&part), nullptr) == FLAMELET_OK);
    check_same(part, exported(Imported(part, options()).capture, FLAMELET_EXPORT_PERFETTO));
  }
}

TEST_CASE_FIXTURE(recorder_test::Building,
                  "round trip: what runs instead of a thread has no end where the window of the export has its end") {
  const uint32_t thread = lane(FLAMELET_LANE_THREAD, "Main");
  flamelet_capture_builder_begin(builder, thread, 0, site("Work"), 0, 0);
  flamelet_capture_builder_end(builder, thread, 20'000'000);
  REQUIRE(flamelet_capture_builder_switch(builder, thread, 1'000'000, FLAMELET_STATE_RUNNING, 0));
  REQUIRE(flamelet_capture_builder_switch(builder, thread, 3'000'000, FLAMELET_STATE_TAKEN_OFF, 0));
  flamelet_export_options window = flamelet_export_options_default();
  window.end_ns = 10'000'000;
  std::string part;
  REQUIRE(flamelet_export(finish(), FLAMELET_EXPORT_PERFETTO, &window, sink_to(&part), nullptr) == FLAMELET_OK);
  check_same(part, exported(Imported(part, options()).capture, FLAMELET_EXPORT_PERFETTO));
}

TEST_CASE_FIXTURE(recorder_test::Building, "round trip: what is open lasts as long as before, whatever ended last") {
  const uint32_t main = flamelet_capture_builder_span_lane(builder, FLAMELET_LANE_THREAD, 0, string("Main"), false);
  span(main, 100, 9600, site("Main loop"), 0, FLAMELET_DEPTH_UNKNOWN, FLAMELET_SPAN_OPEN);
  finish();
  check_round_trips(capture);
  const Imported again(exported(capture, FLAMELET_EXPORT_PERFETTO), options());
  REQUIRE(flamelet_capture_lane_count(again.capture) == 1);
  const std::vector<flamelet_span> read = again.spans(0);
  REQUIRE(read.size() == 1);
  CHECK(read[0].end_ns - read[0].begin_ns == 9500);
}

TEST_CASE("round trip: flows come back with their ids, times and threads") {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), worker = building.lane(FLAMELET_LANE_THREAD, "W");
  flamelet_capture_builder* const builder = building.builder;
  flamelet_capture_builder_flow(builder, main, 100, UINT64_MAX, false);
  flamelet_capture_builder_flow(builder, worker, 150, UINT64_MAX, true);
  flamelet_capture_builder_flow(builder, main, 200, UINT64_MAX, true);
  flamelet_capture_builder_flow(builder, worker, 300, 0, true);
  flamelet_capture_builder_flow(builder, main, 400, UINT64_MAX, false);
  flamelet_capture* const capture = building.finish();
  for (const flamelet_export_format format : {FLAMELET_EXPORT_CHROME, FLAMELET_EXPORT_PERFETTO}) {
    CAPTURE(format);
    const std::string bytes = exported(capture, format);
    if (format == FLAMELET_EXPORT_CHROME) {  // an arrow has a number of its own; its last end is "f"
      CHECK(bytes.find(R"("ph":"s","name":"flow","cat":"flow","pid":1,"tid":1,"id":2,)") != std::string::npos);
      CHECK(bytes.find(R"("ph":"t","name":"flow","cat":"flow","pid":1,"tid":2,"id":2,)") != std::string::npos);
      CHECK(bytes.find(R"("ph":"f","name":"flow","cat":"flow","pid":1,"tid":1,"id":2,)") != std::string::npos);
    }
    const Imported again(bytes, options());
    REQUIRE(again.result == FLAMELET_OK);
    CHECK(again.report.flows == 5);
    CHECK(again.report.points + again.report.events_unsupported == 0);
    const std::vector<flamelet_flow> flows = recorder_test::read_flows(again.capture);
    REQUIRE(flows.size() == 5);
    const int64_t lead_ns = format == FLAMELET_EXPORT_CHROME ? 0 : 100;  // Perfetto's 0 is the earliest time
    CHECK(flows[0].id == 0);
    CHECK(flows[0].flags == (FLAMELET_FLOW_IS_END | FLAMELET_FLOW_MISSING_BEGIN));
    CHECK(flows[1].id == UINT64_MAX);
    CHECK(flows[1].time_ns == 100 - lead_ns);
    CHECK(again.lane_name(flows[2].lane) == "W");
    CHECK(flows[2].begin == 1);
    CHECK(flows[3].begin == 1);
    CHECK(flows[3].time_ns == 200 - lead_ns);
    CHECK(flows[4].flags == FLAMELET_FLOW_OPEN);
  }
}

TEST_CASE("round trip: names of 64 KiB, also of bytes that are three times as long as U+FFFD") {
  RandomRecording recording(1);
  const std::string long_names[] = {std::string(65535, 'x'), std::string(65535, '\xFF'), std::string(65535, '\x01'),
                                    "a" + std::string(65533, '\xE2') + "\x82"};
  for (const std::string& name : long_names) {
    const flamelet_id id = flamelet_begin(flamelet_intern(name.c_str()), "test", flamelet_intern(name.c_str()));
    ++recorder_test::now_ns;
    flamelet_end(id);
  }
  check_round_trips(recording.capture());
}

TEST_CASE("round trip: lanes of every kind, times before the origin, frames of no length, and nothing at all") {
  recorder_test::Building building;
  flamelet_capture_builder* const builder = building.builder;
  flamelet_capture_builder_set_origin(builder, 1700000000123456789u);
  SUBCASE("nothing") {}
  SUBCASE("only frames") {
    flamelet_capture_builder_frame(builder, 7, -100, -100, FLAMELET_FRAME_LOSSY);
    flamelet_capture_builder_frame(builder, 8, -100, 50, 0);
  }
  SUBCASE("only named frames") {
    const auto string = [&](const char* text) { return building.string(text); };
    // Behind the others in the table of strings, and sets whose names are the same once they are UTF-8.
    for (const char* name : {"z", "b\xFF", "b\xFE", "(2) b\xEF\xBF\xBD", "a", ""}) {
      flamelet_capture_builder_named_frame(builder, string(name), 3, -50, -50, FLAMELET_FRAME_PARTIAL);
      flamelet_capture_builder_named_frame(builder, string(name), 1, -100, 40, FLAMELET_FRAME_LOSSY);
      flamelet_capture_builder_named_frame(builder, string(name), (uint64_t{1} << 42) - 1, -60, 50, 0);
    }
  }
  SUBCASE("everything") {
    const auto string = [&](const std::string& text) { return building.string(text); };
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
  check_round_trips(building.finish());
}

TEST_CASE("round trip: gzip changes nothing") {
  RandomRecording recording(3);
  for (int i = 0; i < 500; ++i) recording.step();
  for (const flamelet_export_format format : {FLAMELET_EXPORT_CHROME, FLAMELET_EXPORT_PERFETTO}) {
    const std::string plain = exported(recording.capture(), format);
    const Imported again(exported(recording.capture(), format, nullptr, true), options());
    CHECK(again.report.gzip);
    CHECK(again.report.bytes == plain.size());
    check_same(plain, exported(again.capture, format));
  }
}
