// SPDX-License-Identifier: MIT
//
// The whole program stood still: no thread had an event or a processor, though several were at work.
#include "explain/story.h"

namespace explain_test {
namespace {

constexpr int64_t kStop = 80 * kMs;
constexpr int64_t kStopAt = kFrame * kFrames;  // where the last frame begins

// Each frame, Main draws and thinks while Worker skins and Other mixes. In the last one all of it takes longer by so much.
struct Busy : Story {
  explicit Busy(int64_t main_ns, int64_t worker_ns) {
    for (int64_t i = 0; i < kFrames; ++i) add(kFrame * i, 0, 0);
    add(kStopAt, main_ns, worker_ns);
  }
  void add(int64_t at, int64_t main_ns, int64_t worker_ns) {
    work(main, at, at + 4 * kMs + main_ns, "Draw");
    work(main, at + 4 * kMs + main_ns, at + kFrame + main_ns, "Think");
    work(worker, at + kMs, at + 6 * kMs + worker_ns, "Skin");
    work(other, at + 3 * kMs + worker_ns, at + 3500000 + worker_ns, "Mix");
  }
  const flamelet_cause& explain_last() { return first_cause(kFrame + kStop); }
};

}  // namespace

TEST_CASE("stop: a whole program that stood still is said first, and none of its scopes is blamed") {
  Busy story(kStop, kStop);
  const flamelet_cause& cause = story.explain_last();
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_STOPPED);
  CHECK(story.path(cause) == "Draw");
  CHECK(cause.threads == 2);
  CHECK(cause.surplus_ns >= kStop - kMs);
  CHECK(cause.span_begin_ns >= kStopAt + kMs);
  CHECK(story.why.cause_count == 1);
  CHECK(contains(
      story.text(),
      "The whole program probably stood still for 80.0 ms, with Main in Draw: 2 threads were at work, and none "
      "began or ended anything"));
  CHECK(contains(story.explain.json(story.capture, story.why), "\"verdict\":\"stopped\""));
}

TEST_CASE("stop: one is found also where something else in the frame took longer") {
  Story story;
  constexpr int64_t kLoad = 2 * kStop;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const bool is_last = i == kFrames;
    const int64_t at = kFrame * i, loaded = at + (is_last ? kLoad : kMs),
                  drawn = loaded + 3 * kMs + (is_last ? kStop : 0);
    story.work(story.main, at, loaded, "Load");
    story.work(story.main, loaded, drawn, "Draw");
    story.work(story.main, drawn, drawn + 6 * kMs, "Think");
    story.work(story.worker, loaded + kMs, drawn + 2 * kMs, "Skin");
  }
  story.first_cause(kFrame + kLoad - kMs + kStop);
  CAPTURE(story.text());
  CHECK(contains(
      story.text(),
      "Main spent 160.0 ms in Load: 1 call took 160.0 ms, usually 1.0. Another 80.0 ms (probably): Draw (stopped)."));
}

TEST_CASE("stop: a thread that slept for longer, and ended first, kept others waiting, and no program stood still") {
  for (const bool is_chain : {true, false}) {
    Story story;
    const int64_t at = kFrame * kFrames, begun = at + 10 * kMs;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t begin = kFrame * i + (i == kFrames ? 10 * kMs : 0), slept = i == kFrames ? kStop : 0;
      story.work(story.main, kFrame * i, begin + kMs, "Input");
      story.work(story.main, begin + kMs, begin + 2 * kMs + slept + 500000, "Interpolate");
      story.work(story.main, begin + 2 * kMs + slept + 500000, begin + 10 * kMs + slept, "Draw");
      story.work(story.other, begin + kMs, begin + 2 * kMs + slept + 200000, "Gather");
      const int64_t decode = i == kFrames && is_chain ? begun - 40 * kMs : begin + kMs;
      story.work(story.worker, decode, begin + 2 * kMs + slept, "Decode");
      for (const uint32_t lane : {story.main, story.other, story.worker})
        story.time_of(lane, lane == story.main ? 10 * kMs : kMs, 0, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(kFrame + 10 * kMs + kStop);
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == !is_chain);
  }
}

TEST_CASE("stop: a thread that waits in a plain scope until another one has slept did not stand still with it") {
  for (const bool is_woken : {true, false}) {
    Busy story(kStop, is_woken ? kStop - 2 * kMs - 5000 : kStop);
    for (const uint32_t lane : {story.main, story.worker}) story.time_of(lane, 3 * kMs, 0);
    const flamelet_cause& cause = story.explain_last();
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == !is_woken);
  }
}

TEST_CASE("stop: a scope that took longer while another thread went on is no stop") {
  Busy story(kStop, 0);
  const flamelet_cause& cause = story.explain_last();
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(story.path(cause) == "Draw");
}

TEST_CASE("stop: where a thread marked moments meanwhile, or ran, however shortly, the program did not stand still") {
  for (const std::string did : {"nothing", "marked", "ran"}) {
    CAPTURE(did);
    Busy story(kStop, kStop);
    const uint32_t audio = story.lane("Audio");
    const auto put = [&](int64_t at, flamelet_state_kind kind) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, audio, at, kind, 1));
    };
    put(0, FLAMELET_STATE_ASLEEP);
    for (int64_t at = kStopAt + 5 * kMs; at < kStopAt + kStop; at += 5 * kMs) {
      const uint32_t site = story.building.site("Underrun");
      if (did == "marked") flamelet_capture_builder_instant(story.building.builder, audio, at, site, 0, 0);
      if (did != "ran") continue;
      put(at, FLAMELET_STATE_RUNNING);
      put(at + 20000, FLAMELET_STATE_ASLEEP);
    }
    put(kStopAt + 2 * kStop, FLAMELET_STATE_RUNNING);
    const flamelet_cause& cause = story.explain_last();
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == (did == "nothing"));
  }
}

TEST_CASE("stop: threads that ran meanwhile, as the system says, did not stand still") {
  for (const bool ran : {false, true}) {
    Busy story(kStop, kStop);
    // Beside the stop, all of them wanted the same processors.
    for (const uint32_t lane : {story.main, story.worker}) story.time_of(lane, (ran ? 85 : 3) * kMs, 9 * kMs);
    const flamelet_cause& cause = story.explain_last();
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == !ran);
    CHECK(contains(story.text(), "probably stood still") == !ran);
  }
}

TEST_CASE("stop: where the threads could have run, they had no processor, and no thread is named for that") {
  // Those that ran more than usual shared their processors.
  for (const int64_t more_ns : {int64_t{0}, kStop / 2}) {
    CAPTURE(more_ns);
    Busy story(kStop, kStop);
    const uint32_t third = story.lane("Third");
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      story.work(third, kFrame * i, kFrame * i + 5 * kMs + (is_last ? kStop : 0), "Cull");
      for (const uint32_t lane : {story.main, story.worker, third})
        story.time_of(lane, 5 * kMs + (is_last ? more_ns : 0), is_last ? kStop - more_ns : 0,
                      static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.explain_last();
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == (more_ns == 0));
    if (more_ns != 0) continue;
    CHECK((cause.flags & FLAMELET_CAUSE_HAD_WORK) != 0);
    CHECK(story.why.cause_count == 1);
    CHECK(contains(story.text(), "3 threads were at work, and none had a processor"));
  }
}

TEST_CASE("stop: a thread that slept while another one had no processor are no stop") {
  for (const bool both_ready : {false, true}) {
    Busy story(kStop, kStop);
    for (int64_t i = 0; i <= kFrames; ++i)
      for (const uint32_t lane : {story.main, story.worker})
        story.time_of(lane, 5 * kMs, i == kFrames && (both_ready || lane == story.worker) ? kStop : 0,
                      static_cast<uint64_t>(i) + 1);
    const flamelet_cause& cause = story.explain_last();
    CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(contains(story.text(), "Main waited (probably) for Worker") == !both_ready);
  }
}

TEST_CASE("stop: a thread that had no processor when the program was stopped stops later, and goes on later") {
  for (const bool was_off : {true, false}) {
    CAPTURE(was_off);
    Busy story(kStop, kStop);
    const auto at = [](int64_t us) { return kStopAt + us * 1000; };
    const struct {
      uint32_t lane;
      int64_t time_ns;
      flamelet_state_kind kind;
    } switches[] = {{story.main, 0, FLAMELET_STATE_RUNNING},
                    {story.worker, 0, FLAMELET_STATE_RUNNING},
                    {story.worker, at(2000), was_off ? FLAMELET_STATE_TAKEN_OFF : FLAMELET_STATE_RUNNING},
                    {story.main, at(3600), FLAMELET_STATE_ASLEEP},
                    {story.worker, at(5900), FLAMELET_STATE_RUNNING},
                    {story.worker, at(5920), FLAMELET_STATE_ASLEEP},
                    {story.main, at(82600), FLAMELET_STATE_RUNNING},
                    {story.worker, at(82700), FLAMELET_STATE_RUNNING},
                    {story.main, at(200000), FLAMELET_STATE_ASLEEP},
                    {story.worker, at(200000), FLAMELET_STATE_ASLEEP}};
    for (const auto& it : switches)
      CHECK(
          flamelet_capture_builder_switch(story.building.builder, it.lane, it.time_ns, it.kind, it.lane == story.main));
    const flamelet_cause& cause = story.explain_last();
    CAPTURE(story.text());
    REQUIRE(cause.verdict == FLAMELET_VERDICT_STOPPED);
    CHECK(((cause.flags & FLAMELET_PIECE_PROBABLY) == 0) == was_off);  // else only their scopes say so
  }
}

TEST_CASE("stop: where a signal called sleepers at once, who waits for one of them was stopped, too") {
  for (const bool was_called : {true, false}) {
    CAPTURE(was_called);
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, longer_ns = i == kFrames ? kStop : 0;
      story.work(story.worker, at + kMs, at + 5 * kMs + longer_ns, "Read");
      story.wait(story.main, at + 2 * kMs, at + 5 * kMs + longer_ns + 5000, "Wait for reads");
      story.work(story.main, at + 5 * kMs + longer_ns + 5000, at + kFrame + longer_ns, "Draw");
    }
    const auto put = [&](uint32_t lane, int64_t us, flamelet_state_kind kind) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, lane, us == 0 ? 0 : kStopAt + us * 1000, kind,
                                            lane == story.main));
    };
    put(story.main, 0, FLAMELET_STATE_RUNNING);
    put(story.worker, 0, FLAMELET_STATE_RUNNING);
    put(story.worker, 1100, FLAMELET_STATE_ASLEEP);
    put(story.main, 2100, FLAMELET_STATE_ASLEEP);
    for (const uint32_t lane : {story.worker, story.main}) {
      if (!was_called) continue;
      put(lane, lane == story.main ? 3010 : 3000, FLAMELET_STATE_RUNNING);
      put(lane, lane == story.main ? 3012 : 3003, FLAMELET_STATE_ASLEEP);
    }
    put(story.worker, 84900, FLAMELET_STATE_RUNNING);
    put(story.main, 85004, FLAMELET_STATE_RUNNING);
    put(story.worker, 200000, FLAMELET_STATE_ASLEEP);
    put(story.main, 200000, FLAMELET_STATE_ASLEEP);
    const flamelet_cause& cause = story.first_cause(kFrame + kStop);
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == was_called);
  }
}

TEST_CASE("stop: one is found also where frames scatter so much that nobody would call it unusual") {
  Story story;
  int64_t at = 0;
  uint64_t index = 0;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t stop_ns = i == kFrames ? kStop : 0, load_ns = i == 10 ? 20 * kFrame : i * 7 % 11 * 6 * kMs;
    story.work(story.main, at, at + 4 * kMs + stop_ns, "Draw");
    story.work(story.worker, at + kMs, at + 6 * kMs + stop_ns, "Skin");
    const int64_t end = at + kFrame + stop_ns + (i == kFrames ? 0 : load_ns);
    story.work(story.main, at + 4 * kMs + stop_ns, end, "Load");
    flamelet_capture_builder_frame(story.building.builder, ++index, at, end, 0);
    at = end;
  }
  story.capture = story.building.finish();
  story.why = story.explain.frame(story.capture, kFrames);
  CAPTURE(story.text());
  CHECK((story.why.flags & FLAMELET_EXPLAIN_UNUSUAL) == 0);
  REQUIRE(story.why.cause_count != 0);
  CHECK(story.why.causes[0].verdict == FLAMELET_VERDICT_STOPPED);
}

TEST_CASE("stop: of a sleep it is said that it may have been one, if no thread did anything or ran meanwhile") {
  for (const std::string did : {"nothing", "marked", "ran"}) {
    CAPTURE(did);
    Story story;
    for (int64_t i = 0; i < kFrames; ++i) {
      story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
      for (const uint32_t lane : {story.main, story.worker})
        story.time_of(lane, lane == story.main ? kFrame : 0, 0, static_cast<uint64_t>(i) + 1);
    }
    story.work(story.main, kStopAt, kStopAt + kFrame + kStop, "Draw");
    if (did == "marked") story.work(story.worker, kStopAt + 40 * kMs, kStopAt + 41 * kMs, "Poll");
    story.time_of(story.main, kFrame, 0);
    story.time_of(story.worker, did == "ran" ? 70 * kMs : 0, 0);
    const flamelet_cause& cause = story.first_cause(kFrame + kStop);
    CAPTURE(story.text());
    CHECK(cause.asleep_ns == kStop);
    CHECK(contains(story.text(), ", or the whole program was stopped") == (did == "nothing"));
    CHECK(contains(story.explain.json(story.capture, story.why), "\"may_have_stopped\":true") == (did == "nothing"));
  }
}

TEST_CASE("stop: where a signal called sleepers, a thread that stopped with them may go on late") {
  for (const bool were_called : {true, false}) {
    CAPTURE(were_called);
    Busy story(kStop, kStop);
    const uint32_t audio = story.lane("Audio"), input = story.lane("Input");
    const auto put = [&](std::initializer_list<uint32_t> lanes, int64_t us, flamelet_state_kind kind) {
      for (const uint32_t lane : lanes)
        CHECK(flamelet_capture_builder_switch(story.building.builder, lane, us == 0 ? 0 : kStopAt + us * 1000, kind,
                                              lane));
    };
    put({audio, input}, 0, FLAMELET_STATE_ASLEEP);
    put({story.main, story.worker}, 0, FLAMELET_STATE_RUNNING);
    if (were_called) put({audio, input}, 3600, FLAMELET_STATE_RUNNING);
    put({story.main, story.worker}, 3602, FLAMELET_STATE_ASLEEP);
    if (were_called) put({audio, input}, 3603, FLAMELET_STATE_ASLEEP);
    put({story.main, audio, input}, 82600, FLAMELET_STATE_RUNNING);
    put({audio, input}, 82603, FLAMELET_STATE_ASLEEP);
    put({story.worker}, 88000, FLAMELET_STATE_RUNNING);
    put({story.main, story.worker}, 200000, FLAMELET_STATE_ASLEEP);
    const flamelet_cause& cause = story.explain_last();
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED && (cause.flags & FLAMELET_PIECE_PROBABLY) == 0) == were_called);
  }
}

TEST_CASE("stop: a wait that a clock ends, and that did so late and first, says that a sleep was one") {
  for (const bool has_clock : {true, false}) {
    CAPTURE(has_clock);
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, longer_ns = i == kFrames ? kStop : 0, end = at + kFrame + longer_ns;
      story.work(story.main, at, end, "Draw");
      if (has_clock) {
        story.wait(story.worker, at + 1000, at + 3 * kMs, "Wait for device");
        story.wait(story.worker, at + 3 * kMs + 1000, at + 6 * kMs, "Wait for device");
      }
      story.wait(story.worker, has_clock ? at + 6 * kMs + 1000 : at, end - kMs, "Wait for device");
      for (const uint32_t lane : {story.main, story.worker})
        story.time_of(lane, lane == story.main ? kFrame : 0, 0, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(kFrame + kStop);
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == has_clock);
  }
}

TEST_CASE("stop: a thread that waits in no marked scope for slow work of another one did not stand still") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, longer = i == kFrames ? kStop : 0;
    story.work(story.worker, at + kMs, at + 5 * kMs + longer, "Cull");
    story.work(story.main, at + 2 * kMs, at + 5 * kMs + longer + 1000, "Join");
    story.work(story.main, at + 5 * kMs + longer + 1000, at + kFrame + longer, "Draw");
  }
  const flamelet_cause& cause = story.first_cause(kFrame + kStop);
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
}

TEST_CASE(
    "stop: threads in one scope, beside one in a scope that is new, may wait for a lock of that, and are no stop") {
  for (const bool is_new : {false, true}) {
    Story story;
    const uint32_t third = story.lane("Third");
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      const int64_t at = kFrame * i, longer = is_last ? kStop : 0;
      story.work(story.main, at + kMs, at + 5 * kMs + longer, "Get asset");
      story.work(story.worker, at + kMs, at + 5 * kMs + longer + 50000, "Get asset");
      if (is_last || !is_new) story.work(third, at, at + 7 * kMs + longer, "Load");
      for (const uint32_t lane : {story.main, story.worker, third})
        story.time_of(lane, 4 * kMs, 0, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(kFrame + kStop);
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == !is_new);
    if (!is_new) CHECK((cause.flags & FLAMELET_PIECE_PROBABLY) != 0);
  }
}

TEST_CASE("stop: an idle thread's scope that is not marked grows with a slow scope, and no program stood still") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, longer = i == kFrames ? kStop : 0;
    story.work(story.main, at, at + 3 * kMs + longer, "Physics");
    story.work(story.main, at + 3 * kMs + longer, at + kFrame + longer, "Draw");
    story.work(story.worker, at + 10000, at + 60000, "Task");
    story.work(story.worker, at + 70000, at + kFrame + longer - 5000, "Idle");
  }
  const flamelet_cause& cause = story.first_cause(kFrame + kStop);
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(story.path(cause) == "Physics");
}

TEST_CASE("stop: a job and the scope around its whole time end one after the other, and no program stood still") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, longer = i == kFrames ? kStop : 0;
    story.work(story.main, at + kMs, at + 5 * kMs + longer, "Join");
    story.work(story.main, at + 5 * kMs + longer, at + kFrame + longer, "Draw");
    story.work(story.worker, at + kMs + 100000, at + 5 * kMs + longer - 100000, "Job");
  }
  const flamelet_cause& cause = story.first_cause(kFrame + kStop);
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
}

TEST_CASE(
    "stop: threads whose work of one kind grew are no stop, and the one that was waited for is no late one "
    "beside") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, longer = i == kFrames ? kStop : 0, ends = at + 8 * kMs + longer;
    story.work(story.main, at, at + kFrame + longer, "Tick");
    // Each does a part, which takes a little more or less.
    const int64_t early = i == kFrames ? 3 * kMs : 300000;
    story.work(story.main, at + kMs, ends - 2 * early, "Chunk");
    story.work(story.other, at + kMs + 20000, ends - early, "Chunk");
    story.work(story.worker, at + kMs + 20000, ends, "Chunk");
    story.wait(story.main, ends - 2 * early, ends + 3000, "Join");
    story.work(story.main, ends + 3000, at + kFrame + longer, "Present");
  }
  const flamelet_cause& cause = story.first_cause(kFrame + kStop);
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(!contains(story.text(), "stood still"));
  CHECK(!contains(story.text(), "Worker was nearly as late"));
}

TEST_CASE(
    "stop: a thread that ran all the time in a longer scope did not stand still, however much longer the frame is") {
  for (const bool ran : {false, true}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      const int64_t at = kFrame * i, longer = is_last ? kStop : 0, more = is_last ? 3 * kStop / 2 : 0;
      story.work(story.worker, at + kMs, at + 5 * kMs + longer, "Convolve");
      story.work(story.main, at + 2 * kMs, at + 8 * kMs + longer, "Spatialise");
      for (int64_t part = 0; part < 3; ++part) {
        const int64_t each = (2 * kMs + more) / 3, begin = at + 8 * kMs + longer + each * part;
        story.work(story.main, begin, begin + each, part == 0 ? "Cull" : part == 1 ? "Draw" : "Present");
      }
      const auto frame = static_cast<uint64_t>(i) + 1;
      story.time_of(story.worker, 4 * kMs + (ran ? longer : 0), 0, frame);
      story.time_of(story.main, 7 * kMs + more, 0, frame);
    }
    story.first_cause(kFrame + 5 * kStop / 2);
    bool is_stop = false;
    for (size_t i = 0; i < story.why.cause_count; ++i)
      is_stop = is_stop || story.why.causes[i].verdict == FLAMELET_VERDICT_STOPPED;
    CHECK(is_stop != ran);
  }
}

TEST_CASE("stop: jobs of one kind that all took long at once are slow, and no stop") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, longer = i == kFrames ? kStop : 0;
    story.work(story.worker, at + kMs, at + 5 * kMs + longer, "Find path");
    story.work(story.other, at + kMs, at + 4 * kMs + longer, "Find path");
    story.wait(story.main, at + kMs, at + 5 * kMs + longer + 1000, "Join");
    story.work(story.main, at + 5 * kMs + longer + 1000, at + kFrame + longer, "Draw");
  }
  const flamelet_cause& cause = story.first_cause(kFrame + kStop);
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(story.path(cause) == "Find path");
}

}  // namespace explain_test
