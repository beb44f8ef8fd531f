// SPDX-License-Identifier: MIT
//
// What is said where states of threads are known: who took a processor, where a thread slept, and that none of them ran.
#include <utility>

#include "explain/story.h"

namespace explain_test {
namespace {

constexpr int64_t kStatesAt = kFrame * kFrames;  // where the last frame begins

// Main draws in each frame, and runs all the time on processor 0; times of threads are known, too.
struct Switched : Story {
  Switched() {
    put(main, 0, FLAMELET_STATE_RUNNING, 0);
    for (int64_t i = 0; i < kFrames; ++i) {
      work(main, kFrame * i, kFrame * (i + 1), "Draw");
      time_of(main, kFrame, 0, static_cast<uint64_t>(i) + 1);
    }
  }
  void put(uint32_t lane, int64_t time_ns, flamelet_state_kind kind, uint32_t processor) {
    CHECK(flamelet_capture_builder_switch(building.builder, lane, time_ns, kind, processor));
  }
  void last(int64_t longer_ns) { work(main, kStatesAt, kStatesAt + kFrame + longer_ns, "Draw"); }
};

}  // namespace

TEST_CASE("states: who had the processor of a thread is named, and for how long") {
  for (const bool is_ours : {true, false}) {
    Switched story;
    story.last(15 * kMs);
    story.put(story.main, kStatesAt + 4 * kMs, FLAMELET_STATE_TAKEN_OFF, 0);
    if (is_ours) story.put(story.worker, kStatesAt + 4 * kMs, FLAMELET_STATE_RUNNING, 0);
    if (is_ours) story.put(story.worker, kStatesAt + 19 * kMs, FLAMELET_STATE_ASLEEP, 0);
    story.put(story.main, kStatesAt + 19 * kMs, FLAMELET_STATE_RUNNING, 0);
    story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
    story.time_of(story.main, kFrame, 15 * kMs);
    const flamelet_cause& cause = story.first_cause(kFrame + 15 * kMs);
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK((cause.flags & FLAMELET_CAUSE_TAKEN_OFF) != 0);
    CHECK(cause.rivals_ns == 15 * kMs);
    CHECK(contains(story.text(),
                   is_ours ? "; taken off by Worker for 15.0 ms" : "; taken off by another program for 15.0 ms"));
  }
}

TEST_CASE("states: who took a processor is said to have been where it was then, and not where it was for longer") {
  Switched story;
  story.last(10 * kMs);
  const int64_t taken = kStatesAt + 12 * kMs, back = kStatesAt + 20 * kMs;
  story.work(story.worker, kStatesAt, taken - 1000, "Save");
  story.work(story.worker, taken, back, "Mix");
  story.put(story.worker, kStatesAt, FLAMELET_STATE_RUNNING, 1);
  story.put(story.main, taken, FLAMELET_STATE_TAKEN_OFF, 0);
  story.put(story.worker, taken, FLAMELET_STATE_RUNNING, 0);
  story.put(story.worker, back, FLAMELET_STATE_ASLEEP, 0);
  story.put(story.main, back, FLAMELET_STATE_RUNNING, 0);
  story.time_of(story.main, 12 * kMs, 8 * kMs);
  story.first_cause(kFrame + 10 * kMs);
  CAPTURE(story.text());
  CHECK(contains(story.text(), "; taken off by Worker for 8.0 ms, in Mix"));
}

TEST_CASE(
    "states: who kept a woken thread off the processor on which it went on is named, unless it was so for a part") {
  for (const int64_t had : {14, 8}) {
    Switched story;
    story.last(15 * kMs);
    const int64_t woken = kStatesAt + 4 * kMs, went_on = kStatesAt + 19 * kMs;
    story.work(story.worker, went_on - had * kMs, went_on, "Bake light");
    story.put(story.main, woken - 1000, FLAMELET_STATE_ASLEEP, 0);
    story.put(story.worker, went_on - had * kMs, FLAMELET_STATE_RUNNING, 0);
    story.put(story.worker, went_on, FLAMELET_STATE_ASLEEP, 0);
    story.put(story.main, went_on, FLAMELET_STATE_RUNNING, 0);
    story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
    story.time_of(story.main, kFrame, 15 * kMs);
    const flamelet_cause& cause = story.first_cause(kFrame + 15 * kMs);
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(contains(story.text(), "; kept off by Worker for 14.0 ms, in Bake light") == (had == 14));
  }
}

TEST_CASE("states: a call that slept though it is no wait says how long, exactly") {
  Switched story;
  story.last(0);
  story.work(story.main, kStatesAt + kFrame, kStatesAt + kFrame + 20 * kMs, "Write save");
  story.put(story.main, kStatesAt + kFrame + kMs, FLAMELET_STATE_ASLEEP, 0);
  story.put(story.main, kStatesAt + kFrame + 19 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
  const flamelet_cause& cause = story.first_cause(kFrame + 20 * kMs);
  CHECK(story.path(cause) == "Write save");
  CHECK(cause.asleep_ns == 18 * kMs);
  CHECK((cause.flags & FLAMELET_CAUSE_SLEEP_KNOWN) != 0);
  CHECK(contains(story.text(), "; it slept 18.0 ms of that"));
}

TEST_CASE("states: lost time is put to the scope that it hit, though another one took longer, too") {
  Switched story;
  story.last(20 * kMs);  // by itself
  story.work(story.main, kStatesAt + 30 * kMs, kStatesAt + 45 * kMs, "Think");
  story.put(story.main, kStatesAt + 31 * kMs, FLAMELET_STATE_TAKEN_OFF, 0);
  story.put(story.main, kStatesAt + 43 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
  story.time_of(story.main, 33 * kMs, 12 * kMs);
  story.first_cause(45 * kMs);
  CAPTURE(story.text());
  const flamelet_cause* const draw = story.cause_of("Draw");
  const flamelet_cause* const think = story.cause_of("Think");
  REQUIRE(draw != nullptr);
  REQUIRE(think != nullptr);
  CHECK(draw->surplus_ns == 20 * kMs);
  CHECK(draw->verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(think->verdict == FLAMELET_VERDICT_PREEMPTED);
}

TEST_CASE("states: what a thread lost before the frame, and the system adds up in it, is no loss of the frame") {
  Story story;
  const uint32_t main = story.main, worker = story.worker;
  for (int64_t i = 0; i < kFrames; ++i) {
    story.work(main, kFrame * i, kFrame * (i + 1), "Draw");
    story.work(worker, kFrame * i + kMs, kFrame * i + 2 * kMs, "Read block");
    story.time_of(main, kFrame, 0, static_cast<uint64_t>(i) + 1);
    story.time_of(worker, kMs, 0, static_cast<uint64_t>(i) + 1);
  }
  const auto at = [](int64_t ms) { return kStatesAt + ms * kMs; };
  story.work(main, at(0), at(10), "Draw");
  story.wait(main, at(10), at(25), "Wait for block");
  story.work(worker, at(2), at(25), "Read block");
  story.flow(worker, at(25), main, at(25));
  const struct {
    uint32_t lane;
    int64_t time_ns;
    flamelet_state_kind kind;
  } switches[] = {{main, 0, FLAMELET_STATE_RUNNING},       {worker, kMs, FLAMELET_STATE_ASLEEP},
                  {worker, at(2), FLAMELET_STATE_RUNNING}, {worker, at(3), FLAMELET_STATE_ASLEEP},
                  {main, at(10), FLAMELET_STATE_ASLEEP},   {worker, at(24), FLAMELET_STATE_RUNNING},
                  {main, at(25), FLAMELET_STATE_RUNNING},  {worker, at(26), FLAMELET_STATE_ASLEEP},
                  {main, at(100), FLAMELET_STATE_ASLEEP}};
  for (const auto& it : switches)
    CHECK(flamelet_capture_builder_switch(story.building.builder, it.lane, it.time_ns, it.kind, it.lane == main));
  story.time_of(worker, 2 * kMs, 40 * kMs);
  const flamelet_cause& cause = story.first_cause(25 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Read block");
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(cause.asleep_ns == 14 * kMs);  // of the 15 that were waited for
}

TEST_CASE("states: a thread ran, slept and had no processor for as long as its scope took, and no longer") {
  Switched story;
  story.last(0);
  story.work(story.main, kStatesAt + kFrame, kStatesAt + 60 * kMs, "Read file");
  story.put(story.main, kStatesAt + 20 * kMs, FLAMELET_STATE_ASLEEP, 0);  // 12 of these were without a processor
  story.put(story.main, kStatesAt + 50 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, kStatesAt + 52 * kMs, FLAMELET_STATE_TAKEN_OFF, 0);
  story.put(story.main, kStatesAt + 57 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
  story.time_of(story.main, 25 * kMs, 17 * kMs);
  story.first_cause(60 * kMs);
  CAPTURE(story.text());
  const flamelet_cause* const read = story.cause_of("Read file");
  REQUIRE(read != nullptr);
  CHECK(read->no_processor_ns == 17 * kMs);
  CHECK(read->asleep_ns == 18 * kMs);
  CHECK(contains(story.text(), "; it slept 18.0 ms of"));
}

TEST_CASE(
    "states: more calls that each took as long as ever are the cause, though their thread lost its processor in them") {
  Story story;
  const auto items = [&](int64_t at, int64_t count) {
    story.work(story.main, at, at + 4 * kMs, "Draw");
    for (int64_t call = 0; call < count; ++call) {
      const int64_t begin_ns = at + 4 * kMs + 2 * kMs * call;
      story.work(story.main, begin_ns, begin_ns + 2 * kMs, "Item");
      for (const auto& [after_ns, kind] :
           {std::pair{kMs / 2, FLAMELET_STATE_TAKEN_OFF}, {2 * kMs - 1000, FLAMELET_STATE_RUNNING}})
        CHECK(flamelet_capture_builder_switch(story.building.builder, story.main, begin_ns + after_ns, kind, 0));
    }
  };
  for (int64_t i = 0; i < kFrames; ++i) {
    items(kFrame * i, 3);
    story.time_of(story.main, kFrame - 9 * kMs / 2, 9 * kMs / 2, static_cast<uint64_t>(i) + 1);
  }
  items(kStatesAt, 30);
  story.time_of(story.main, 19 * kMs, 45 * kMs);
  const flamelet_cause& cause = story.first_cause(64 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Item");
  CHECK(cause.verdict == FLAMELET_VERDICT_MORE_CALLS);
  CHECK(cause.surplus_ns > 50 * kMs);
}

TEST_CASE("states: what a scope did while it had a processor counts, though it loses that in most frames") {
  for (const bool has_run : {true, false}) {
    Story story;
    int64_t now = 0;
    flamelet_capture_builder_switch(story.building.builder, story.main, 0, FLAMELET_STATE_RUNNING, 0);
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      const int64_t ran_ns = is_last && has_run ? 9 * kMs : kMs / 5,
                    lost_ns = (is_last ? (has_run ? 0 : 9) : i % 4 * 3) * kMs;
      if (lost_ns != 0) {
        const int64_t off_ns = now + ran_ns / 2;
        flamelet_capture_builder_switch(story.building.builder, story.main, off_ns, FLAMELET_STATE_TAKEN_OFF, 0);
        flamelet_capture_builder_switch(story.building.builder, story.main, off_ns + lost_ns, FLAMELET_STATE_RUNNING,
                                        0);
      }
      story.work(story.main, now, now + ran_ns + lost_ns, "Collect");
      const int64_t end = now + ran_ns + lost_ns + (is_last ? 15 : 5) * kMs;
      story.work(story.main, now + ran_ns + lost_ns, end, "Draw");
      flamelet_capture_builder_frame(story.building.builder, static_cast<uint64_t>(i) + 1, now, end, 0);
      now = end;
    }
    story.capture = story.building.finish();
    story.why = story.explain.frame(story.capture, kFrames);
    CAPTURE(story.text());
    CHECK((story.cause_of("Collect") != nullptr) == has_run);
  }
}

TEST_CASE("states: more calls of which a few lost their processor, as in usual frames, are two causes") {
  for (const bool knows_states : {true, false}) {
    Story story;
    const auto items = [&](int64_t begin_ns, int64_t count, int64_t lost) {
      story.work(story.main, begin_ns, begin_ns + kMs, "Draw");
      int64_t at = begin_ns + kMs;
      for (int64_t call = 0; call < count; ++call) {
        const int64_t took_ns = call < lost ? 5 * kMs : kMs / 5;
        story.work(story.main, at, at + took_ns, "Item");
        if (call < lost && knows_states) {
          CHECK(flamelet_capture_builder_switch(story.building.builder, story.main, at + kMs / 5,
                                                FLAMELET_STATE_TAKEN_OFF, 0));
          CHECK(flamelet_capture_builder_switch(story.building.builder, story.main, at + 5 * kMs - 1000,
                                                FLAMELET_STATE_RUNNING, 0));
        }
        at += took_ns;
      }
    };
    // Each usual call takes 0.2 ms, or 1 in the mean.
    for (int64_t i = 0; i < kFrames; ++i) {
      items(kFrame * i, 6, 1);
      story.time_of(story.main, kFrame - 4800000, 4800000, static_cast<uint64_t>(i) + 1);
    }
    items(kStatesAt, 60, 8);
    story.time_of(story.main, 13 * kMs, 38 * kMs);
    const flamelet_cause& cause = story.first_cause(52 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Item");
    CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(contains(story.text(), "60 \xC3\x97 Item ran in the frame, usually 6"));
    CHECK(contains(story.text(), "Item: 60 calls, usually 6, each about as long as usual; it had no processor for"));
  }
}

TEST_CASE("states: a job that slept, and usually loses its processor for as long, did not take as long as usual") {
  for (const auto usual : {FLAMELET_STATE_TAKEN_OFF, FLAMELET_STATE_ASLEEP}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      const int64_t at = kFrame * i, begin = at + (is_last ? 6 : 1) * kMs, end = begin + 7 * kMs;
      story.work(story.other, begin, end, "Decode");
      CHECK(flamelet_capture_builder_switch(story.building.builder, story.other, begin, FLAMELET_STATE_RUNNING, 1));
      CHECK(flamelet_capture_builder_switch(story.building.builder, story.other, begin + kMs / 2,
                                            is_last ? FLAMELET_STATE_ASLEEP : usual, 1));
      CHECK(
          flamelet_capture_builder_switch(story.building.builder, story.other, end - 1000, FLAMELET_STATE_RUNNING, 1));
      CHECK(flamelet_capture_builder_switch(story.building.builder, story.other, end + 1000, FLAMELET_STATE_ASLEEP, 1));
      story.work(story.main, at, at + 8 * kMs, "Draw");
      if (is_last) story.wait(story.main, at + 8 * kMs, end, "Wait for texture");
      if (is_last) story.flow(story.other, end, story.main, end);
    }
    story.first_cause(20 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "as long as usual") == (usual == FLAMELET_STATE_ASLEEP));
  }
}

TEST_CASE("states: what a scope slept is said also where it did something else for most of its time") {
  for (const int64_t slept : {8, 2}) {
    Switched story;
    story.last(0);
    story.work(story.main, kStatesAt + kFrame, kStatesAt + kFrame + 20 * kMs, "Write save");
    story.put(story.main, kStatesAt + kFrame + kMs, FLAMELET_STATE_ASLEEP, 0);
    story.put(story.main, kStatesAt + kFrame + (1 + slept) * kMs, FLAMELET_STATE_RUNNING, 0);
    story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
    story.first_cause(kFrame + 20 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "; it slept 8.0 ms of that.") == (slept == 8));
    CHECK(!contains(story.text(), "not recorded"));
  }
}

TEST_CASE("states: time without a processor that is a third of what a scope took longer is a cause of its own") {
  for (const int64_t lost : {10, 5}) {
    Switched story;
    story.last(30 * kMs);
    story.put(story.main, kStatesAt + 4 * kMs, FLAMELET_STATE_TAKEN_OFF, 0);
    story.put(story.main, kStatesAt + (4 + lost) * kMs, FLAMELET_STATE_RUNNING, 0);
    story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
    const flamelet_cause& cause = story.first_cause(kFrame + 30 * kMs);
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
    CHECK(cause.no_processor_ns == (lost == 10 ? 10 * kMs : 0));
    CHECK(story.why.cause_count == (lost == 10 ? 2 : 1));
  }
}

TEST_CASE("states: what a thread usually loses elsewhere is no part of what a scope lost") {
  for (const int64_t usual_ms : {1, 9}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, draw_ns = kFrame - usual_ms * kMs, longer_ns = i == kFrames ? 30 * kMs : 0;
      story.work(story.main, at, at + draw_ns, "Draw");
      story.work(story.main, at + draw_ns, at + kFrame + longer_ns, "Upscale");
      story.time_of(story.main, 6 * kMs, 4 * kMs + longer_ns, static_cast<uint64_t>(i) + 1);
    }
    const auto put = [&](int64_t at_ns, flamelet_state_kind kind) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, story.main, at_ns, kind, 0));
    };
    put(0, FLAMELET_STATE_RUNNING);
    put(kFrame * (kFrames + 1), FLAMELET_STATE_TAKEN_OFF);
    put(kFrame * (kFrames + 1) + 30 * kMs, FLAMELET_STATE_RUNNING);
    put(kFrame * (kFrames + 9), FLAMELET_STATE_ASLEEP);
    const flamelet_cause& cause = story.first_cause(kFrame + 30 * kMs);
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
    // It may have lost there what it usually does, as far as the scope is long enough for that.
    CHECK(cause.surplus_ns == (usual_ms == 1 ? 29 : 26) * kMs);
    CHECK(story.why.cause_count == (usual_ms == 1 ? 1 : 2));
  }
}

TEST_CASE("states: the sentence says what the program did longer, behind what the machine did") {
  for (const int64_t own_ms : {12, 8}) {
    Switched story;
    story.last(0);
    story.work(story.main, kStatesAt + kFrame, kStatesAt + kFrame + (30 + own_ms) * kMs, "Write save");
    story.put(story.main, kStatesAt + kFrame + kMs, FLAMELET_STATE_TAKEN_OFF, 0);
    story.put(story.main, kStatesAt + kFrame + 31 * kMs, FLAMELET_STATE_RUNNING, 0);
    story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
    story.time_of(story.main, kFrame + own_ms * kMs, 30 * kMs);
    const flamelet_cause& cause = story.first_cause(kFrame + (30 + own_ms) * kMs);
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(contains(story.text(), " Another 12.0 ms: Write save (new).") == (own_ms == 12));
  }
}

TEST_CASE("states: what a scope slept beside the time without a processor stays a cause") {
  Switched story;
  story.last(45 * kMs);
  story.put(story.main, kStatesAt + 4 * kMs, FLAMELET_STATE_TAKEN_OFF, 0);
  story.put(story.main, kStatesAt + 29 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, kStatesAt + 30 * kMs, FLAMELET_STATE_ASLEEP, 0);
  story.put(story.main, kStatesAt + 50 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
  story.first_cause(kFrame + 45 * kMs);
  CAPTURE(story.text());
  REQUIRE(story.why.cause_count == 2);
  CHECK(story.why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(story.why.causes[0].surplus_ns == 25 * kMs);
  CHECK(story.why.causes[1].surplus_ns == 20 * kMs);
  CHECK(story.why.causes[1].asleep_ns == 20 * kMs);
}

TEST_CASE("states: a thread that waits awake and takes a processor does so in its wait") {
  Switched story;
  story.last(40 * kMs);
  story.put(story.other, 0, FLAMELET_STATE_RUNNING, 0);
  story.work(story.other, kStatesAt, kStatesAt + 2 * kMs, "Cull");
  story.wait(story.other, kStatesAt + 2 * kMs, kStatesAt + 45 * kMs, "Wait for graph");
  story.put(story.main, kStatesAt + 3 * kMs, FLAMELET_STATE_TAKEN_OFF, 0);
  story.put(story.other, kStatesAt + 3 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, kStatesAt + 43 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
  story.put(story.other, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
  story.time_of(story.main, kFrame, 40 * kMs);
  story.first_cause(kFrame + 40 * kMs);
  CHECK(contains(story.text(), "taken off by Other for 40.0 ms, in Wait for graph"));
}

TEST_CASE("states: threads of the program that took a processor one by one count together") {
  Switched story;
  story.last(30 * kMs);
  const int64_t at = kStatesAt + 4 * kMs;
  story.put(story.main, at, FLAMELET_STATE_TAKEN_OFF, 0);
  for (const uint32_t lane : {story.worker, story.other}) {
    const int64_t from = at + (lane == story.worker ? 0 : 9 * kMs);
    story.work(lane, from, from + 9 * kMs, "Bake light");
    story.put(lane, from, FLAMELET_STATE_RUNNING, 0);
    story.put(lane, from + 9 * kMs, FLAMELET_STATE_ASLEEP, 0);
  }
  story.put(story.main, at + 30 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
  const flamelet_cause& cause = story.first_cause(kFrame + 30 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(cause.threads == 2);
  CHECK(cause.others_ns == 12 * kMs);
  CHECK(contains(story.text(), " and 1 other for 18.0 ms, in Bake light, and by another program for 12.0 ms"));
}

TEST_CASE("states: one thread that slept in a scope while the others rest as ever is no stop of the program") {
  Switched story;
  story.last(40 * kMs);
  story.work(story.worker, 0, kStatesAt + 200 * kMs, "Serve");
  for (int64_t i = 0; i < kFrames; ++i) {
    story.put(story.worker, kFrame * i + kMs, FLAMELET_STATE_RUNNING, 1);
    story.put(story.worker, kFrame * i + 2 * kMs, FLAMELET_STATE_ASLEEP, 1);
  }
  story.put(story.main, kStatesAt + 4 * kMs, FLAMELET_STATE_ASLEEP, 0);
  story.put(story.main, kStatesAt + 44 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.worker, kStatesAt + 44 * kMs + 40000, FLAMELET_STATE_RUNNING, 1);  // Main asked it for something
  story.put(story.main, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
  story.put(story.worker, kStatesAt + 100 * kMs, FLAMELET_STATE_ASLEEP, 1);
  const flamelet_cause& cause = story.first_cause(kFrame + 40 * kMs);
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(cause.asleep_ns == 40 * kMs);
}

TEST_CASE("states: threads that stop and go on at the same time are a stop, though all do the same job") {
  for (const bool ran : {false, true}) {
    Story story;
    const auto put = [&](uint32_t lane, int64_t time_ns, flamelet_state_kind kind, uint32_t processor) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, lane, time_ns, kind, processor));
    };
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, longer = i == kFrames ? 50 * kMs : 0;
      for (const uint32_t lane : {story.worker, story.other})
        story.work(lane, at + kMs, at + 7 * kMs + longer, "Find path");
      story.wait(story.main, at + kMs, at + 7 * kMs + longer + 1000, "Join");
      story.work(story.main, at + 7 * kMs + longer + 1000, at + kFrame + longer, "Draw");
    }
    put(story.worker, kMs, FLAMELET_STATE_RUNNING, 1);
    put(story.other, kMs, FLAMELET_STATE_RUNNING, 2);
    if (!ran) {
      for (const uint32_t lane : {story.worker, story.other})
        put(lane, kStatesAt + 3 * kMs, FLAMELET_STATE_ASLEEP, lane);
      for (const uint32_t lane : {story.worker, story.other})
        put(lane, kStatesAt + 53 * kMs, FLAMELET_STATE_RUNNING, lane == story.worker ? 1 : 2);
    }
    for (const uint32_t lane : {story.worker, story.other})
      put(lane, kStatesAt + 200 * kMs, FLAMELET_STATE_ASLEEP, lane);
    const flamelet_cause& cause = story.first_cause(kFrame + 50 * kMs);
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == !ran);
    if (!ran) CHECK(cause.time_ns == 50 * kMs);
  }
}

TEST_CASE("states: a signal stops the threads that sleep, too: each is woken for that, whether or not one is at work") {
  struct Case {
    bool main_waits, main_is_called, worker_is_called, is_stop;
  };
  for (const Case& it : {Case{false, false, true, true}, Case{true, true, true, true}, Case{false, false, false, false},
                         Case{true, false, true, false}, Case{true, true, false, false}}) {
    CAPTURE(it.main_waits);
    CAPTURE(it.main_is_called);
    CAPTURE(it.worker_is_called);
    Switched story;
    const int64_t at = kStatesAt + 4 * kMs, until = at + 40 * kMs;
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.worker, kFrame * i + kMs, kFrame * i + 2 * kMs, "Job");
    story.put(story.other, 100000, FLAMELET_STATE_RUNNING, 2);  // it ends
    story.put(story.other, 200000, FLAMELET_STATE_ASLEEP, 2);
    story.put(story.worker, kMs, FLAMELET_STATE_RUNNING, 1);
    story.put(story.worker, kStatesAt - 8 * kMs, FLAMELET_STATE_ASLEEP, 1);
    for (const uint32_t lane : {story.main, story.worker}) story.time_of(lane, 3 * kMs, 0);
    // A thread that waits has slept for 2 ms then.
    const int64_t waits_at = it.main_is_called ? at - 2 * kMs : at - 10000;
    if (it.main_waits) {
      story.work(story.main, kStatesAt, waits_at, "Draw");
      story.wait(story.main, waits_at, until + 2 * kMs, "Present");
      story.work(story.main, until + 2 * kMs, until + 6 * kMs, "Draw");
    } else {
      story.last(40 * kMs);
    }
    if (it.main_is_called) story.put(story.main, waits_at + 5000, FLAMELET_STATE_ASLEEP, 0);
    if (it.main_is_called) story.put(story.main, at, FLAMELET_STATE_RUNNING, 0);
    story.put(story.main, at + 3000, FLAMELET_STATE_ASLEEP, 0);
    if (it.worker_is_called) story.put(story.worker, at + 20000, FLAMELET_STATE_RUNNING, 1);
    if (it.worker_is_called) story.put(story.worker, at + 25000, FLAMELET_STATE_ASLEEP, 1);
    story.put(story.main, until, FLAMELET_STATE_RUNNING, 0);
    story.put(story.worker, until + 50000, FLAMELET_STATE_RUNNING, 1);
    story.put(story.worker, until + 60000, FLAMELET_STATE_ASLEEP, 1);
    story.put(story.main, until + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
    story.put(story.worker, until + 100 * kMs, FLAMELET_STATE_RUNNING, 1);
    const flamelet_cause& cause = story.first_cause(until + 6 * kMs - kStatesAt);
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == it.is_stop);
    if (it.is_stop)
      CHECK(contains(story.text(), it.main_waits ? ": no thread ran or waited for a processor"
                                                 : ": 1 thread was at work, and none ran"));
  }
}

TEST_CASE("states: without them, lost time is put to a scope with probably, unless it has no room elsewhere") {
  for (const bool has_room : {true, false}) {
    Story story;
    const int64_t at = kStatesAt, draw = has_room ? 15 * kMs : 24 * kMs;
    for (int64_t i = 0; i < kFrames; ++i) {
      story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
      story.time_of(story.main, kFrame, 0, static_cast<uint64_t>(i) + 1);
    }
    story.work(story.main, at, at + draw, "Draw");
    story.work(story.main, at + draw, at + 25 * kMs, "Roll back");
    story.time_of(story.main, 15 * kMs, 8 * kMs);
    story.first_cause(25 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "preempted, probably here, did not run for 8.0 ms of the frame") == has_room);
    CHECK(contains(story.text(), "Main lost its processor in Draw") == !has_room);
    CHECK(contains(story.explain.json(story.capture, story.why), "\"place_unsure\":true") == has_room);
  }
}

TEST_CASE("states: without them, lost time that is the second cause is put to a scope with probably, too") {
  Story story;
  for (int64_t i = 0; i < kFrames; ++i) {
    story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    story.time_of(story.main, kFrame, 0, static_cast<uint64_t>(i) + 1);
  }
  story.work(story.main, kStatesAt, kStatesAt + 20 * kMs, "Draw");
  story.work(story.main, kStatesAt + 20 * kMs, kStatesAt + 38 * kMs, "Roll back");
  story.time_of(story.main, 28 * kMs, 10 * kMs);
  story.first_cause(38 * kMs);
  CAPTURE(story.text());
  CHECK(contains(story.text(), "Another 10.0 ms (probably): Draw (preempted)."));
}

TEST_CASE("states: a stop is one, though a thread that it calls gets its processor late") {
  for (const bool was_called : {true, false}) {
    Switched story;
    const int64_t at = kStatesAt + 4 * kMs, late = at + 15 * kMs, until = at + 40 * kMs;
    story.last(40 * kMs);
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.worker, kFrame * i + kMs, kFrame * i + 2 * kMs, "Job");
    story.put(story.worker, kMs, FLAMELET_STATE_RUNNING, 1);
    story.put(story.worker, kStatesAt - 8 * kMs, FLAMELET_STATE_ASLEEP, 1);
    story.put(story.main, at, FLAMELET_STATE_ASLEEP, 0);
    if (was_called) story.put(story.worker, late, FLAMELET_STATE_RUNNING, 1);
    if (was_called) story.put(story.worker, late + 5000, FLAMELET_STATE_ASLEEP, 1);
    story.put(story.main, until, FLAMELET_STATE_RUNNING, 0);
    story.put(story.worker, until + 5000, FLAMELET_STATE_RUNNING, 1);
    story.put(story.worker, until + 9000, FLAMELET_STATE_ASLEEP, 1);
    story.put(story.main, until + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
    story.put(story.worker, until + 100 * kMs, FLAMELET_STATE_RUNNING, 1);
    story.time_of(story.main, kFrame, 0);
    story.time_of(story.worker, 10000, 15 * kMs);
    const flamelet_cause& cause = story.first_cause(kFrame + 40 * kMs);
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == was_called);
    if (was_called) CHECK(cause.time_ns == 40 * kMs - 5000);
  }
}

TEST_CASE("states: threads that wait for one that sleeps are no stop, nor one that goes on long after the others") {
  struct Case {
    int64_t slept_before_ns, goes_on_ns;
    bool ran_shortly, is_stop;  // when the others stopped, for less than the clock shows
  };
  for (const Case& it : {Case{0, 0, false, true}, Case{2 * kMs, 0, false, false}, Case{2 * kMs, 0, true, true},
                         Case{0, 3 * kMs, false, false}}) {
    CAPTURE(it.ran_shortly);
    CAPTURE(it.slept_before_ns);
    CAPTURE(it.goes_on_ns);
    Story story;
    const auto put = [&](uint32_t lane, int64_t time_ns, flamelet_state_kind kind) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, lane, time_ns, kind, lane));
    };
    const int64_t at = kStatesAt + 3 * kMs, until = at + 50 * kMs;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t begin = kFrame * i, longer = i == kFrames ? 50 * kMs : 0;
      story.work(story.other, begin, begin + 8 * kMs + longer, "Load");
      story.work(story.worker, begin + kMs, begin + 7 * kMs + longer, "Find path");
      story.work(story.main, begin + kMs, begin + kFrame + longer, "Draw");
    }
    for (const uint32_t lane : {story.main, story.worker, story.other}) put(lane, kMs, FLAMELET_STATE_RUNNING);
    put(story.other, at - it.slept_before_ns, FLAMELET_STATE_ASLEEP);
    if (it.ran_shortly) put(story.other, at, FLAMELET_STATE_RUNNING);
    if (it.ran_shortly) put(story.other, at, FLAMELET_STATE_ASLEEP);
    put(story.worker, at + 1000, FLAMELET_STATE_ASLEEP);
    put(story.main, at + 2000, FLAMELET_STATE_ASLEEP);
    put(story.other, until, FLAMELET_STATE_RUNNING);
    put(story.worker, until + 1000, FLAMELET_STATE_RUNNING);
    put(story.main, until + 2000 + it.goes_on_ns, FLAMELET_STATE_RUNNING);
    for (const uint32_t lane : {story.main, story.worker, story.other})
      put(lane, kStatesAt + 200 * kMs, FLAMELET_STATE_ASLEEP);
    const flamelet_cause& cause = story.first_cause(kFrame + 50 * kMs);
    CAPTURE(story.text());
    CHECK((cause.verdict == FLAMELET_VERDICT_STOPPED) == it.is_stop);
  }
}

TEST_CASE("states: who slept until after another one had gone on did not wake it") {
  Story story;
  const auto put = [&](uint32_t lane, int64_t time_ns, flamelet_state_kind kind) {
    CHECK(flamelet_capture_builder_switch(story.building.builder, lane, time_ns, kind, lane));
  };
  const int64_t at = kStatesAt, until = at + 20 * kMs;
  for (int64_t i = 0; i < kFrames; ++i) {
    story.work(story.worker, kFrame * i, kFrame * i + 3 * kMs, "Get asset");
    story.wait(story.main, kFrame * i, kFrame * i + 3 * kMs + 5000, "Wait for worker");
    story.work(story.main, kFrame * i + 3 * kMs + 5000, kFrame * (i + 1), "Draw");
  }
  // The other one sleeps, and then lets a lock go. Only that wakes the worker, which is done with it first.
  story.work(story.other, at, until + 60000, "Load asset");
  story.work(story.worker, at + kMs, until + 40000, "Get asset");
  story.wait(story.main, at, until + 45000, "Wait for worker");
  story.work(story.main, until + 45000, until + 7 * kMs, "Draw");
  for (const uint32_t lane : {story.main, story.worker, story.other}) put(lane, kMs, FLAMELET_STATE_RUNNING);
  put(story.main, at + 10000, FLAMELET_STATE_ASLEEP);
  put(story.other, at + 500000, FLAMELET_STATE_ASLEEP);
  put(story.worker, at + kMs + 100000, FLAMELET_STATE_ASLEEP);
  put(story.other, until, FLAMELET_STATE_RUNNING);
  put(story.worker, until + 15000, FLAMELET_STATE_RUNNING);
  put(story.main, until + 43000, FLAMELET_STATE_RUNNING);
  for (const uint32_t lane : {story.main, story.worker, story.other})
    put(lane, until + 200 * kMs, FLAMELET_STATE_ASLEEP);
  const flamelet_cause& cause = story.first_cause(until + 7 * kMs - at);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Load asset");
  CHECK(contains(story.text(), "for Worker in Get asset, which waited for Other in Load asset: "));
}

TEST_CASE("states: two that slept in one scope slept for the same thing, and not for each other") {
  for (const bool is_same : {true, false}) {
    CAPTURE(is_same);
    Story story;
    const auto put = [&](uint32_t lane, int64_t time_ns, flamelet_state_kind kind) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, lane, time_ns, kind, lane));
    };
    const int64_t at = kStatesAt, until = at + 20 * kMs;
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    story.work(story.other, at + kMs, until + 10000, is_same ? "Throttle" : "Load");
    story.work(story.worker, at + kMs, until + 40000, "Throttle");
    story.wait(story.main, at, until + 45000, "Wait for worker");
    story.work(story.main, until + 45000, until + 10 * kMs, "Draw");
    for (const uint32_t lane : {story.main, story.worker, story.other}) put(lane, kMs, FLAMELET_STATE_RUNNING);
    put(story.main, at + 10000, FLAMELET_STATE_ASLEEP);
    put(story.other, at + kMs + 50000, FLAMELET_STATE_ASLEEP);
    put(story.worker, at + kMs + 100000, FLAMELET_STATE_ASLEEP);
    put(story.other, until, FLAMELET_STATE_RUNNING);
    put(story.worker, until + 15000, FLAMELET_STATE_RUNNING);
    put(story.main, until + 43000, FLAMELET_STATE_RUNNING);
    for (const uint32_t lane : {story.main, story.worker, story.other})
      put(lane, until + 200 * kMs, FLAMELET_STATE_ASLEEP);
    story.first_cause(until + 10 * kMs - at);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "for Worker in Throttle"));
    CHECK(contains(story.text(), "which waited for Other") == !is_same);
  }
}

TEST_CASE("states: where waits are recorded, one who is done again and again with the same thing woke nobody by that") {
  for (const bool are_recorded : {true, false}) {
    CAPTURE(are_recorded);
    Switched story;
    const int64_t at = kStatesAt, until = at + 20 * kMs;
    const uint32_t semaphore = story.recorded_wait("semaphore");
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.other, kFrame * i, kFrame * i + kMs, "Bake");
    for (int64_t i = -1; i < 12; ++i)
      story.work(story.other, until - 10000 + (i - 6) * 4 * kMs, until - 15000 + (i - 5) * 4 * kMs, "Bake tile");
    if (are_recorded) story.building.span(story.main, at, at + 500000, semaphore);
    story.work(story.main, at + kMs, until + 10000, "Read");
    story.work(story.main, until + 10000, until + 10 * kMs, "Draw");
    story.put(story.other, kMs, FLAMELET_STATE_RUNNING, 1);
    story.put(story.main, at + kMs + 10000, FLAMELET_STATE_ASLEEP, 0);
    story.put(story.main, until, FLAMELET_STATE_RUNNING, 0);
    for (const uint32_t lane : {story.main, story.other}) story.put(lane, until + 200 * kMs, FLAMELET_STATE_ASLEEP, 0);
    const flamelet_cause& cause = story.first_cause(until + 10 * kMs - at);
    CAPTURE(story.text());
    CHECK((story.path(cause) == "Read") == are_recorded);
  }
}

TEST_CASE("states: time without a processor is not put to a wait that slept, and is told once") {
  Switched story;
  story.last(0);
  // A reply that took 20 ms; behind that, Main had no processor for 10.
  const int64_t at = kStatesAt + kFrame;
  story.wait(story.main, at, at + 20 * kMs, "Ask database");
  story.work(story.main, at + 20 * kMs, at + 31 * kMs, "Apply");
  story.put(story.main, at + 10000, FLAMELET_STATE_ASLEEP, 0);
  story.put(story.main, at + 20 * kMs, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, at + 20 * kMs + 10000, FLAMELET_STATE_TAKEN_OFF, 0);
  story.put(story.main, at + 30 * kMs + 10000, FLAMELET_STATE_RUNNING, 0);
  story.put(story.main, at + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
  story.time_of(story.main, kFrame + kMs, 10 * kMs);
  story.first_cause(kFrame + 31 * kMs);
  CAPTURE(story.text());
  const flamelet_cause* const ask = story.cause_of("Ask database");
  const flamelet_cause* const apply = story.cause_of("Apply");
  REQUIRE(ask != nullptr);
  REQUIRE(apply != nullptr);
  CHECK(ask->surplus_ns == 20 * kMs);
  CHECK(ask->no_processor_ns == 0);
  CHECK(apply->verdict == FLAMELET_VERDICT_PREEMPTED);
  int64_t lost_ns = 0;
  for (size_t i = 0; i < story.why.cause_count; ++i)
    lost_ns += story.why.causes[i].verdict == FLAMELET_VERDICT_PREEMPTED ? story.why.causes[i].surplus_ns : 0;
  CHECK(lost_ns == 10 * kMs);
}

TEST_CASE("states: a thread that slept in its scopes made nobody wait, though one of them ended when the wait did") {
  for (const bool slept : {true, false}) {
    Story story;
    const int64_t end = kStatesAt + 61 * kMs;
    const auto put = [&](int64_t time_ns, flamelet_state_kind kind) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, story.other, time_ns, kind, 1));
    };
    // Each 10 ms it does something for 0.2 ms, and marks the time between, too.
    for (int64_t at = 0; at < end; at += kFrame) story.work(story.other, at, at + kFrame - 1000, "Tick");
    put(0, FLAMELET_STATE_RUNNING);
    for (int64_t at = 0; at < end && slept; at += kFrame) {
      put(at + 100000, FLAMELET_STATE_ASLEEP);
      put(at + kFrame - 100000, FLAMELET_STATE_RUNNING);
    }
    put(end + 100 * kMs, FLAMELET_STATE_ASLEEP);
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i;
      story.work(story.main, at, at + kMs, "Draw");
      story.wait(story.main, at + kMs, i == kFrames ? kStatesAt + 60 * kMs : at + kFrame, "Present");
    }
    const flamelet_cause& cause = story.first_cause(60 * kMs);
    CAPTURE(story.text());
    CHECK((story.path(cause) == "Present") == slept);
  }
}

TEST_CASE("states: of what a thread lost in a frame, it is said how much of that was in the scope that is named") {
  for (const bool is_all : {true, false}) {
    Switched story;
    const int64_t at = kStatesAt, until = at + 30 * kMs;
    story.work(story.main, at, at + 16 * kMs, "Cull");
    story.work(story.main, at + 16 * kMs, until, "Draw");
    story.put(story.main, at + kMs, FLAMELET_STATE_TAKEN_OFF, 0);
    story.put(story.main, at + (is_all ? 15 : 12) * kMs, FLAMELET_STATE_RUNNING, 0);
    if (!is_all) story.put(story.main, at + 18 * kMs, FLAMELET_STATE_TAKEN_OFF, 0);
    if (!is_all) story.put(story.main, at + 27 * kMs, FLAMELET_STATE_RUNNING, 0);
    story.put(story.main, at + 100 * kMs, FLAMELET_STATE_ASLEEP, 0);
    story.time_of(story.main, 30 * kMs - (is_all ? 14 : 20) * kMs, (is_all ? 14 : 20) * kMs);
    const flamelet_cause& cause = story.first_cause(30 * kMs);
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(contains(story.text(), is_all ? "did not run for 14.0 ms of the frame, usually 0.0"
                                        : "did not run for 20.0 ms of the frame, 11.0 of it here, usually 0.0"));
  }
}

}  // namespace explain_test
