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
