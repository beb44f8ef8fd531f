// SPDX-License-Identifier: MIT
//
// The states of threads, as a capture makes them of switches.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <sstream>
#include <string>

#include "profiler/capture/saved_capture.h"
#include "profiler/record/page_builder.h"

namespace flamelet {
namespace {

constexpr uint64_t kUs = 1000;

// Threads 1, 2 and 3, and switches that are written by hand.
struct FedSwitches {
  explicit FedSwitches(uint32_t max_switches = 256)
      : capture(64, 1e9, with(FedCapture::small_config(), &flamelet_capture_config::max_switches, max_switches)) {
    for (uint32_t track = 1; track <= 3; ++track) {
      PageBuilder builder(track, &ticket);
      builder.new_page(10);
      builder.begin(11, 0);
      capture.feed(builder);
    }
    capture->states.states = FLAMELET_THREAD_STATES_RECORDED;
    switches.new_page(100);
  }
  // "100 1@0 in, 200 1@0 asleep": at microseconds, thread 1 on processor 0; or it is taken "off"; "7@0 lost" counts 7.
  void play(const std::string& script) {
    std::istringstream all(script);
    for (std::string each; std::getline(all, each, ',');) {
      std::istringstream in(each);
      uint64_t us = 0;
      uint32_t thread = 0;
      uint16_t processor = 0;
      char at = 0;
      std::string what;
      in >> us >> thread >> at >> processor >> what;
      const std::map<std::string, uint16_t> kinds = {
          {"in", kSwitchIn}, {"asleep", kSwitchAsleep}, {"off", kSwitchTakenOff}, {"lost", kSwitchLost}};
      switches.thread_switch(us * kUs, thread, processor, kinds.at(what));
    }
  }
  // Feeds what was written; the capture reaches up to `now`.
  void feed(uint64_t now) {
    capture.feed(switches);
    PageBuilder marks(kFrameTrack, &ticket);
    marks.new_page(now);
    marks.frame(now, now);
    capture.feed(marks);
  }
  uint64_t ticket = 1;
  FedCapture capture;
  PageBuilder switches{kSwitchTrack, &ticket};
};

// "running@0 100-200, off@0 by 2 200-300": with the numbers of threads; times in us.
std::string states_of(const flamelet_capture* capture, uint32_t thread, int64_t begin_us = 0,
                      int64_t end_us = 1'000'000, bool without_owners = false) {
  static const char* const kNames[] = {"unknown", "running", "off", "asleep"};
  std::vector<flamelet_state> states(FLAMELET_CURSOR_LEAST);
  flamelet_state_cursor cursor;
  const uint32_t lane = capture->lanes.find(thread, false);
  flamelet_state_cursor_start(&cursor, capture, lane, begin_us * 1000, end_us * 1000, states.data(), states.size());
  cursor.without_owners = without_owners;
  std::string text;
  int64_t before = INT64_MIN;
  while (flamelet_state_cursor_next(&cursor)) {
    for (size_t i = 0; i < cursor.count; ++i) {
      const flamelet_state& state = cursor.states[i];
      CHECK(state.end_ns > state.begin_ns);
      CHECK((before == INT64_MIN || state.begin_ns == before));
      before = state.end_ns;
      text += (text.empty() ? "" : ", ") + std::string(kNames[state.kind]);
      if (state.kind != FLAMELET_STATE_UNKNOWN) text += "@" + std::to_string(state.processor);
      if (state.kind == FLAMELET_STATE_TAKEN_OFF) {
        text += state.by == FLAMELET_BY_OTHERS    ? " by others"
                : state.by == FLAMELET_BY_UNKNOWN ? " by a thread"
                                                  : " by " + std::to_string(capture->lanes[state.by].id);
      }
      text += " " + std::to_string(state.begin_ns / 1000) + "-" + std::to_string(state.end_ns / 1000);
    }
  }
  CHECK(cursor.result == FLAMELET_OK);
  return text;
}

// "0: 1 100-200!, others 200-300, 2 300-400 z | 1: ..."; with ! it was taken off, with z it went to sleep
std::string runs_of(const flamelet_capture* capture, int64_t begin_us = 0, int64_t end_us = 1'000'000) {
  std::vector<flamelet_processor_run> runs(FLAMELET_CURSOR_LEAST);
  flamelet_processor_cursor cursor;
  flamelet_processor_cursor_start(&cursor, capture, begin_us * 1000, end_us * 1000, runs.data(), runs.size());
  std::map<uint32_t, std::string> texts;
  while (flamelet_processor_cursor_next(&cursor)) {
    for (size_t i = 0; i < cursor.count; ++i) {
      const flamelet_processor_run& run = cursor.runs[i];
      CHECK(run.end_ns > run.begin_ns);
      std::string& text = texts[run.processor];
      text += text.empty() ? "" : ", ";
      text += run.by == FLAMELET_BY_OTHERS    ? "others"
              : run.by == FLAMELET_BY_UNKNOWN ? "a thread"
                                              : std::to_string(capture->lanes[run.by].id);
      text += " " + std::to_string(run.begin_ns / 1000) + "-" + std::to_string(run.end_ns / 1000);
      text += run.left == FLAMELET_STATE_ASLEEP ? " z" : run.left == FLAMELET_STATE_TAKEN_OFF ? "!" : "";
    }
  }
  CHECK(cursor.result == FLAMELET_OK);
  std::string all;
  for (const auto& [processor, text] : texts)
    all += (all.empty() ? "" : " | ") + std::to_string(processor) + ": " + text;
  return all;
}

std::string times_of(const flamelet_capture* capture, uint32_t thread, int64_t begin_us, int64_t end_us) {
  flamelet_state_times times;
  const bool is_known =
      flamelet_capture_state_times(capture, capture->lanes.find(thread, false), begin_us * 1000, end_us * 1000, &times);
  CHECK(is_known == (times.ns[FLAMELET_STATE_UNKNOWN] != (end_us - begin_us) * 1000));
  std::string text;
  for (int64_t ns : times.ns) text += (text.empty() ? "" : " ") + std::to_string(ns / 1000);
  return text;  // unknown, running, taken off, asleep
}

}  // namespace

TEST_CASE_FIXTURE(FedSwitches, "a thread runs, sleeps and is taken off, and it is said by whom") {
  play(
      "100 1@0 in, 200 1@0 asleep, 300 1@1 in, 400 1@1 off, 401 2@1 in, 450 2@1 asleep, 480 0@1 in, "
      "500 0@1 off, 501 1@1 in");
  feed(600 * kUs);
  CHECK(states_of(capture.get(), 1) ==
        "unknown 0-100, running@0 100-200, asleep@0 200-300, running@1 300-400, off@1 by 2 400-450, "
        "off@1 by others 450-480, off@1 by a thread 480-501, running@1 501-600");
  CHECK(states_of(capture.get(), 1, 300, 600, true) ==
        "running@1 300-400, off@1 by a thread 400-501, running@1 501-600");
  CHECK(states_of(capture.get(), 2) == "unknown 0-401, running@1 401-450, asleep@1 450-600");
  CHECK(runs_of(capture.get()) ==
        "0: 1 100-200 z | 1: 1 300-400!, 2 401-450 z, others 450-480, a thread 480-500!, 1 501-600");
  CHECK(runs_of(capture.get(), 350, 460) == "1: 1 350-400!, 2 401-450 z, others 450-460");
  CHECK(runs_of(capture.get(), 201, 299) == "");
  CHECK(states_of(capture.get(), 3) == "unknown 0-600");
  CHECK(states_of(capture.get(), 1, 210, 290) == "asleep@0 200-300");
  CHECK(states_of(capture.get(), 1, 300, 300) == "");
  CHECK(states_of(capture.get(), 1, 460, 470) == "off@1 by others 450-480");
  CHECK(times_of(capture.get(), 1, 0, 1000) == "500 299 101 100");
  CHECK(times_of(capture.get(), 1, 150, 350) == "0 100 0 100");
  CHECK(times_of(capture.get(), 3, 0, 1000) == "1000 0 0 0");
  flamelet_state_times ever;
  CHECK(flamelet_capture_state_times(capture.get(), capture->lanes.find(1, false), INT64_MIN, INT64_MAX, &ever));
  CHECK(ever.ns[FLAMELET_STATE_RUNNING] == 299'000);
  const flamelet_capture_stats stats = capture.stats();
  CHECK(stats.thread_states == FLAMELET_THREAD_STATES_RECORDED);
  CHECK(stats.switches_held == 9);
  CHECK(stats.switches_lost == 0);
  CHECK(stats.unknown_events == 0);
  CHECK(stats.bad_words == 0);
}

TEST_CASE_FIXTURE(FedSwitches,
                  "a processor is known to run others only while a thread of the program waits for it there") {
  // 1 went unseen
  play(
      "100 1@0 in, 110 2@0 in, 200 2@0 off, 202 1@0 in, 300 1@0 off, 400 1@1 in, 500 2@1 in, 600 2@1 asleep, "
      "700 5@0 lost, 800 3@600 in");
  feed(900 * kUs);
  CHECK(runs_of(capture.get()) == "0: 1 100-110, 2 110-200!, 1 202-300!, others 300-500 | 1: 1 400-500, 2 500-600 z");
  CHECK(runs_of(capture.get(), 350, 700) == "0: others 350-500 | 1: 1 400-500, 2 500-600 z");
  CHECK(runs_of(capture.get(), 450, 460) == "0: others 450-460 | 1: 1 450-460");
}

TEST_CASE_FIXTURE(FedSwitches, "two switches that do not fit together say nothing of what lies between them") {
  play("100 1@0 in, 200 1@1 in, 300 1@1 asleep, 400 1@1 off");
  feed(500 * kUs);
  CHECK(states_of(capture.get(), 1) ==
        "unknown 0-100, unknown 100-200, running@1 200-300, unknown 300-400, off@1 by others 400-500");
}

TEST_CASE_FIXTURE(FedSwitches, "from where switches are lost, nothing is known of a thread until its next switch") {
  play("100 1@0 in, 150 2@1 asleep, 200 7@0 lost, 300 1@1 asleep");
  feed(500 * kUs);
  CHECK(states_of(capture.get(), 1) == "unknown 0-100, running@0 100-200, unknown 200-300, asleep@1 300-500");
  CHECK(states_of(capture.get(), 2) == "unknown 0-150, asleep@1 150-200, unknown 200-500");
  CHECK(capture.stats().switches_lost == 7);
}

TEST_CASE_FIXTURE(FedSwitches, "what the ring lost of the switches is a gap, and counted as events") {
  play("100 1@0 in");
  switches.events += 5;
  switches.new_page(300 * kUs);
  play("400 2@0 in");
  feed(500 * kUs);
  CHECK(states_of(capture.get(), 1) == "unknown 0-100, unknown 100-500");
  CHECK(states_of(capture.get(), 2) == "unknown 0-400, running@0 400-500");
  CHECK(capture.stats().events_lost == 5);
}

TEST_CASE("a thread that slept long ago is known to sleep, though its switch has been dropped for newer ones") {
  FedSwitches fed(16);
  fed.play("100 1@0 asleep");
  for (uint64_t i = 0; i < 40; ++i)
    fed.switches.thread_switch((200 + 10 * i) * kUs, 2, 1, i % 2 == 0 ? kSwitchIn : kSwitchAsleep);
  fed.feed(700 * kUs);
  const flamelet_capture* capture = fed.capture.get();
  CHECK(fed.capture.stats().switches_held == 16);
  CHECK(fed.capture.stats().switches_evicted == 25);
  CHECK(states_of(capture, 1) == "unknown 0-100, asleep@0 100-700");
  CHECK(states_of(capture, 1, 500) == "asleep@0 100-700");
  CHECK(states_of(capture, 2, 580, 590) == "running@1 580-590");
  CHECK(states_of(capture, 2, 425, 442) == "unknown 425-430, asleep@1 430-440, running@1 440-450");
  fed.play("800 0@0 lost");
  fed.feed(900 * kUs);
  CHECK(states_of(capture, 1, 600) == "asleep@0 100-800, unknown 800-900");
}

TEST_CASE("states come in pieces, and none is left out") {
  FedSwitches fed(8192);
  for (uint64_t i = 0; i < 6000; ++i)
    fed.switches.thread_switch((100 + 10 * i) * kUs, 1, 0, i % 2 == 0 ? kSwitchIn : kSwitchAsleep);
  fed.feed(100'000 * kUs);
  std::vector<flamelet_state> states(FLAMELET_CURSOR_LEAST);
  flamelet_state_cursor cursor;
  flamelet_state_cursor_start(&cursor, fed.capture.get(), fed.capture.lane(1), 0, INT64_MAX, states.data(),
                              states.size());
  size_t count = 0, pieces = 0;
  int64_t before = 0;
  for (; flamelet_state_cursor_next(&cursor); ++pieces) {
    for (size_t i = 0; i < cursor.count; ++i, ++count) {
      CHECK(cursor.states[i].begin_ns == before);
      before = cursor.states[i].end_ns;
    }
  }
  CHECK(cursor.result == FLAMELET_OK);
  CHECK(count == 6001);
  CHECK(pieces == 6);
  CHECK(before == 100'000'000);
  flamelet_state_cursor_start(&cursor, fed.capture.get(), 99, 0, 1, states.data(), states.size());
  CHECK_FALSE(flamelet_state_cursor_next(&cursor));
  CHECK(cursor.result == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_state_cursor_start(&cursor, fed.capture.get(), 0, 0, 1, states.data(), 10);
  CHECK(cursor.result == FLAMELET_ERROR_BUFFER_TOO_SMALL);
  flamelet_state_cursor_start(&cursor, fed.capture.get(), 0, 0, INT64_MAX, states.data(), states.size());
  fed.feed(200'000 * kUs);
  CHECK_FALSE(flamelet_state_cursor_next(&cursor));
  CHECK(cursor.result == FLAMELET_ERROR_CHANGED);
  std::vector<flamelet_processor_run> runs(FLAMELET_CURSOR_LEAST);
  flamelet_processor_cursor processors;
  flamelet_processor_cursor_start(&processors, fed.capture.get(), 0, INT64_MAX, runs.data(), runs.size());
  size_t run_count = 0, run_pieces = 0;
  for (; flamelet_processor_cursor_next(&processors); ++run_pieces) run_count += processors.count;
  CHECK(run_count == 3000);
  CHECK(run_pieces == 6);
  flamelet_processor_cursor_start(&processors, nullptr, 0, 1, runs.data(), runs.size());
  CHECK_FALSE(flamelet_processor_cursor_next(&processors));
  CHECK(processors.result == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_state_times times;
  CHECK_FALSE(flamelet_capture_state_times(nullptr, 0, 0, 1, &times));
  CHECK_FALSE(flamelet_capture_state_times(fed.capture.get(), 0, 0, 1, nullptr));
}

TEST_CASE("the states of a saved capture are those of the file, whole or cut") {
  FedSwitches fed(400);
  std::mt19937 random(7);
  uint64_t now = 100 * kUs;
  bool runs[4] = {};
  for (uint32_t i = 0; i < 900; ++i) {
    now += random() % (20 * kUs);
    const uint32_t thread = i % 50 == 0 ? 3 : 1 + random() % 2;
    const uint16_t processor = static_cast<uint16_t>(random() % 4);
    if (random() % 200 == 0) fed.switches.thread_switch(now, 2, processor, kSwitchLost);
    runs[thread] = !runs[thread];
    fed.switches.thread_switch(now, thread, processor,
                               runs[thread]        ? kSwitchIn
                               : random() % 2 == 0 ? kSwitchAsleep
                                                   : kSwitchTakenOff);
  }
  fed.feed(now + 50 * kUs);
  const flamelet_capture* capture = fed.capture.get();
  const int64_t last_us = static_cast<int64_t>(now / kUs);
  const Loaded whole(save(capture));
  REQUIRE(whole.result == FLAMELET_OK);
  CHECK(whole.report.entries_refused + whole.report.chunks_unknown + whole.report.duplicates == 0);
  const Loaded cut(save(capture, (last_us - 1500) * 1000, (last_us - 500) * 1000));
  REQUIRE(cut.result == FLAMELET_OK);
  CHECK(cut.report.entries_refused == 0);
  for (uint32_t thread = 1; thread <= 3; ++thread) {
    CAPTURE(thread);
    CHECK(states_of(whole.capture, thread) == states_of(capture, thread));
    CHECK(states_of(cut.capture, thread, last_us - 1500, last_us - 501) ==
          states_of(capture, thread, last_us - 1500, last_us - 501));
    CHECK(times_of(cut.capture, thread, last_us - 1400, last_us - 600) ==
          times_of(capture, thread, last_us - 1400, last_us - 600));
  }
  CHECK(recorder_test::stats_of(whole.capture).switches_lost == fed.capture.stats().switches_lost);
  CHECK(recorder_test::stats_of(whole.capture).switches_evicted == fed.capture.stats().switches_evicted);
  CHECK(fed.capture.stats().switches_evicted > 400);
  CHECK(recorder_test::stats_of(whole.capture).thread_states == FLAMELET_THREAD_STATES_RECORDED);
  CHECK(save(whole.capture) == save(capture));
}

TEST_CASE_FIXTURE(FedSwitches, "switches that no recorder writes are refused, in pages and in files") {
  switches.thread_switch(100 * kUs, 1, 0, 9);
  play("200 1@0 in");
  feed(300 * kUs);
  CHECK(capture.stats().bad_words == 1);
  CHECK(states_of(capture.get(), 1) == "unknown 0-200, running@0 200-300");
  PageBuilder thread(1, &ticket);  // on the track of a thread it says nothing, and harms nothing
  thread.new_page(400 * kUs);
  thread.thread_switch(400 * kUs, 1, 0, kSwitchAsleep);
  capture.feed(thread);
  CHECK(capture.stats().switches_held == 1);
}

}  // namespace flamelet

// ---- How long each thread ran in each frame, as a capture keeps it ------------------------------------------------

namespace flamelet {
namespace {

flamelet_thread_time time_of(const flamelet_capture* capture, size_t position, size_t lane) {
  flamelet_thread_time time;
  const bool is_known = flamelet_capture_thread_time(capture, position, lane, &time);
  CHECK(is_known == (time.known != 0));
  return time;
}

// Threads 1 and 2, and `frames` frames from 0 on of which each tells its index as thread 1's times.
struct Fed {
  explicit Fed(uint64_t frames, uint32_t max_thread_times = 256)
      : capture(64, 1e9,
                with(FedCapture::small_config(), &flamelet_capture_config::max_thread_times, max_thread_times)) {
    uint64_t ticket = 1;
    for (uint32_t track = 1; track <= 2; ++track) {
      PageBuilder builder(track, &ticket);
      builder.play("10| 11(0");
      capture.feed(builder);
    }
    PageBuilder marks(kFrameTrack, &ticket);
    marks.frame(100, 0, false, 1);
    for (uint64_t i = 0; i < frames; ++i)
      marks.frame(200 + 100 * i, i + 1, false, 1,
                  {{1, kTimeAll, 50 + i, 20 + i, 3 + i, i, 90 + i},
                   {9, kTimeAll, 1, 1, 1, 1, 1},
                   {2, kTimeRan, 7, 6, 5, 4, 3}});
    capture.feed(marks);
  }
  FedCapture capture;
};

}  // namespace

TEST_CASE("a frame tells how long each thread ran, and what was not told is unknown") {
  Fed fed(3);
  const flamelet_capture* capture = fed.capture.get();
  REQUIRE(flamelet_capture_frame_count(capture) == 3);
  CHECK(recorder_test::frame_of(capture, 1).thread == 1);  // which marked its end
  const size_t one = fed.capture.lane(1), two = fed.capture.lane(2);
  const flamelet_thread_time time = time_of(capture, 2, one);
  CHECK(time.known == (FLAMELET_TIME_RAN | FLAMELET_TIME_READY | FLAMELET_TIME_SWITCHES | FLAMELET_TIME_MAJOR_FAULTS |
                       FLAMELET_TIME_MINOR_FAULTS));
  CHECK(time.ran_ns == 52);
  CHECK(time.ready_ns == 22);
  CHECK(time.switches == 5);
  CHECK(time.major_faults == 2);
  CHECK(time.minor_faults == 92);
  const flamelet_thread_time part = time_of(capture, 0, two);
  CHECK(part.known == FLAMELET_TIME_RAN);
  CHECK(part.ran_ns == 7);
  CHECK(part.ready_ns + part.switches + part.major_faults + part.minor_faults == 0);
  CHECK(time.lane == one);
  flamelet_thread_time all[3];
  REQUIRE(flamelet_capture_read_thread_times(capture, 2, all, 3) == 2);  // thread 9 has no lane
  CHECK(all[0].lane == one);
  CHECK(all[0].ran_ns == 52);
  CHECK(all[1].lane == two);
  CHECK(all[1].known == FLAMELET_TIME_RAN);
  CHECK(flamelet_capture_read_thread_times(capture, 2, nullptr, 0) == 2);
  CHECK(flamelet_capture_read_thread_times(capture, 3, all, 3) == 0);
  CHECK(flamelet_capture_read_thread_times(nullptr, 0, all, 3) == 0);
  CHECK(time_of(capture, 3, one).known == 0);
  CHECK(time_of(capture, 0, 2).known == 0);
  flamelet_thread_time none;
  CHECK_FALSE(flamelet_capture_thread_time(nullptr, 0, 0, &none));
  CHECK_FALSE(flamelet_capture_thread_time(capture, 0, 0, nullptr));
}

TEST_CASE("the times of the newest frames are kept, as many as the config says") {
  Fed fed(20, 7);  // three threads a frame
  const size_t one = fed.capture.lane(1), two = fed.capture.lane(2);
  CHECK(time_of(fed.capture.get(), 19, one).ran_ns == 69);
  CHECK(time_of(fed.capture.get(), 18, one).ran_ns == 68);
  CHECK(time_of(fed.capture.get(), 17, one).known == 0);
  CHECK(time_of(fed.capture.get(), 17, two).ran_ns == 7);
  CHECK(time_of(fed.capture.get(), 16, two).known == 0);
  CHECK(time_of(Fed(20, 0).capture.get(), 19, one).known == 0);
}

TEST_CASE("frames whose times were dropped for newer ones say so, also in files of all and of a window") {
  Fed fed(20, 7);
  const auto untimed = [](const flamelet_capture* capture) {
    std::string indices;
    flamelet_frame_info frame;
    for (size_t i = 0; flamelet_capture_frame(capture, i, &frame); ++i)
      if ((frame.flags & FLAMELET_FRAME_TIMES_DROPPED) != 0) indices += std::to_string(frame.index) + " ";
    return indices;
  };
  const std::string all = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 ";  // 17 has two of three
  CHECK(untimed(fed.capture.get()) == all);
  CHECK(fed.capture.stats().thread_times_dropped == 53);
  CHECK(fed.capture.stats().frames_dropped == 0);
  const Loaded whole(save(fed.capture.get()));
  CHECK(untimed(whole.capture) == all);
  CHECK(recorder_test::stats_of(whole.capture).thread_times_dropped == 53);
  const Loaded part(save(fed.capture.get(), 1750, 1950));
  CHECK(untimed(part.capture) == "16 17 ");
  CHECK(untimed(Loaded(save(part.capture)).capture) == "16 17 ");
  CHECK(untimed(Fed(20, 60).capture.get()) == "");
  CHECK(untimed(Fed(20, 0).capture.get()) == "");  // none were wanted
}

TEST_CASE("memory_required counts the thread times") {
  flamelet_capture_config config = FedCapture::small_config();
  const size_t before = flamelet_capture_memory_required(&config);
  config.max_thread_times += 1000;
  CHECK(flamelet_capture_memory_required(&config) >= before + 1000 * sizeof(ThreadTimeEntry));
  CHECK(flamelet_capture_memory_required(&config) <= before + 1000 * sizeof(ThreadTimeEntry) + 64);
  config.max_thread_times = UINT32_MAX;
  CHECK(flamelet_capture_memory_required(&config) == 0);
}

TEST_CASE("a mark that is left out leaves the times of its threads out") {
  uint64_t ticket = 1;
  FedCapture capture;
  PageBuilder thread(1, &ticket);
  thread.play("10| 11(0");
  capture.feed(thread);
  PageBuilder marks(kFrameTrack, &ticket);
  marks.frame(100, 0);
  marks.frame(200, 1, false, 1, {{1, kTimeAll, 50, 0, 0, 0, 0}});
  marks.frame(250, 1, false, 1, {{1, kTimeAll, 51, 0, 0, 0, 0}});  // the index does not rise
  marks.frame(300, 5, false, 1, {{1, kTimeAll, 52, 0, 0, 0, 0}});  // marks are missing before it
  marks.frame(400, 6, false, 1, {{1, kTimeAll, 53, 0, 0, 0, 0}});
  capture.feed(marks);
  REQUIRE(flamelet_capture_frame_count(capture.get()) == 2);
  CHECK(time_of(capture.get(), 0, capture.lane(1)).ran_ns == 50);
  CHECK(time_of(capture.get(), 1, capture.lane(1)).ran_ns == 53);
}

TEST_CASE("what stands in a frame of threads is kept, and the largest number that fits stands for larger ones") {
  const auto through_words = [](const ThreadTime& time) {
    uint64_t words[kThreadTimeWords];
    write_thread_time(time, words);
    return read_thread_time(words);
  };
  const ThreadTime time =
      through_words({0xFFFFFFFE, 5, (uint64_t{1} << 40) - 2, 12345, 77, (1u << 24) - 2, (1u << 24) - 3});
  CHECK(time.thread == 0xFFFFFFFE);
  CHECK(time.known == 5);
  CHECK(time.ran_ns == (uint64_t{1} << 40) - 2);
  CHECK(time.ready_ns == 12345);
  CHECK(time.switches == 77);
  CHECK(time.major_faults == (1u << 24) - 2);
  CHECK(time.minor_faults == (1u << 24) - 3);
  const ThreadTime most = through_words({1, kTimeAll, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX});
  CHECK(most.ran_ns == (uint64_t{1} << 40) - 1);
  CHECK(most.ready_ns == (uint64_t{1} << 40) - 1);
  CHECK(most.switches == (1u << 24) - 1);
  CHECK(most.major_faults == (1u << 24) - 1);
  CHECK(most.minor_faults == (1u << 24) - 1);
  CHECK(most.known == kTimeAll);
}

TEST_CASE("times of a file that no thread can have become the largest, so that sums of them stay in range") {
  FedCapture capture;
  ThreadTimeTable& table = capture.get()->thread_times;
  table.add(1, {1, kTimeAll, UINT64_MAX, uint64_t{1} << 63, 1, 1, UINT64_MAX});
  size_t count = 0;
  table.for_each(1, [&count](const ThreadTimeEntry& entry) {
    CHECK(entry.ran_ns == (uint64_t{1} << 53) - 1);
    CHECK(entry.ready_ns == (uint64_t{1} << 53) - 1);
    CHECK(entry.minor_faults == (1u << 24) - 1);
    ++count;
  });
  CHECK(count == 1);
}

TEST_CASE("a frame that claims more threads than its page has words is a bad word") {
  for (uint32_t threads : {1u, kMostThreadTimes, kMostThreadTimes + 1, 0xFFFFu}) {
    uint64_t ticket = 1;
    FedCapture capture;
    PageBuilder marks(kFrameTrack, &ticket);
    marks.frame(100, 0);
    marks.event(200, WordType::kFrame, threads, {1, 1});
    marks.close(300);
    capture.feed(marks);
    CHECK(flamelet_capture_frame_count(capture.get()) == 0);
  }
}

}  // namespace flamelet
