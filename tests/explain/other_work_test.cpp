// SPDX-License-Identifier: MIT
//
// Threads that other threads' work held up: through sleepers to who was awake, many calls of a kind, a part of a usual job, and
// a queue that works all the time.
#include "explain/story.h"

namespace explain_test::other_work_test {
namespace {

constexpr int64_t kLast = kFrame * kFrames;

// In each frame Main takes a result, and Worker does a job that is done long before.
struct Taken : Story {
  Taken() {
    for (int64_t i = 0; i < kFrames; ++i) {
      const int64_t at = kFrame * i;
      work(worker, at, at + 2 * kMs, "Job");
      take(at, 1000, true, static_cast<uint64_t>(i) + 1);
    }
  }
  // `marks`: as a wait. Otherwise the thread's times tell that it slept.
  void take(int64_t at, int64_t took_ns, bool marks, uint64_t frame = kFrames + 1) {
    work(main, at, at + 3 * kMs, "Think");
    if (marks) wait(main, at + 3 * kMs, at + 3 * kMs + took_ns, "Take result");
    if (!marks) work(main, at + 3 * kMs, at + 3 * kMs + took_ns, "Take result");
    work(main, at + 3 * kMs + took_ns, at + kFrame + (took_ns > kMs ? took_ns : 0), "Draw");
    time_of(main, 2 * kMs, 0, frame);
  }
};

}  // namespace

TEST_CASE("other work: a sleep behind a sleep is followed, by states of threads and by their times") {
  for (const bool has_states : {false, true}) {
    Taken story;
    story.take(kLast, 30 * kMs, true);
    const uint32_t loader = story.lane("Loader"), disk = story.lane("Disk");
    const uint32_t sleepers[] = {story.other, story.worker, loader};
    const char* const names[] = {"Compile", "Decode", "Load"};
    const auto end_of = [](int i) { return kLast + 33 * kMs - 10000 * (i + 1); };
    const auto put = [&](int i, int64_t time_ns, flamelet_state_kind kind) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, sleepers[i], time_ns, kind, 0));
    };
    for (int i = 0; i < 3; ++i) {
      story.work(sleepers[i], kLast + 3 * kMs, end_of(i), names[i]);
      if (has_states) put(i, kLast, FLAMELET_STATE_ASLEEP);
      if (!has_states) story.time_of(sleepers[i], kMs, 0);
    }
    for (int i = 2; i >= 0 && has_states; --i) put(i, end_of(i) - 1000, FLAMELET_STATE_RUNNING);
    story.work(disk, kLast + 3 * kMs, kLast + 33 * kMs - 40000, "Read");
    const flamelet_cause& cause = story.first_cause(40 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Read");
    CHECK(contains(
        story.text(),
        "for Other, which waited for Worker, which waited for Loader in Load, which waited for Disk in Read:"));
  }
}

TEST_CASE("other work: where nobody knows when a sleeper woke, usual work that ended is none for which it slept") {
  for (const bool is_vague : {false, true}) {
    Taken story;
    story.take(kLast, 30 * kMs, true);
    for (int64_t i = 0; i < kFrames; ++i)
      story.work(story.worker, kFrame * i + 3 * kMs, kFrame * i + 4 * kMs, "Render");
    story.work(story.other, kLast + 3 * kMs, kLast + 33 * kMs - 10000, "Read region");
    story.work(story.worker, kLast + 3 * kMs, kLast + 33 * kMs - (is_vague ? 3 * kMs : 20000), "Render");
    story.time_of(story.other, 100000, is_vague ? 4 * kMs : 0);
    const auto put = [&](int64_t time_ns, flamelet_state_kind kind) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, story.other, time_ns, kind, 0));
    };
    put(kLast, FLAMELET_STATE_ASLEEP);
    put(kLast + 33 * kMs - 15000, FLAMELET_STATE_RUNNING);
    const flamelet_cause& cause = story.first_cause(40 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (is_vague ? "Read region" : "Render"));
  }
}

TEST_CASE("other work: without states, new work that ended as a scope did is asked for before lost time is") {
  // Of a frame of 42 ms, Main had no processor for 20 in Think, and waited for 14 in Take, while Other held what it took.
  for (const bool has_other : {true, false}) {
    CAPTURE(has_other);
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, more = i == kFrames ? 20 * kMs : 0, waited = i == kFrames ? 14 * kMs : 0;
      story.work(story.main, at, at + 4 * kMs + more, "Think");
      story.work(story.main, at + 4 * kMs + more, at + 5 * kMs + more + waited, "Take");
      story.work(story.main, at + 5 * kMs + more + waited, at + 8 * kMs + more + waited, "Draw");
      if (i == kFrames && has_other)
        story.work(story.other, at + 4 * kMs + more - kMs, at + 5 * kMs + more + waited - 900000, "Load");
      story.time_of(story.main, 8 * kMs, more, static_cast<uint64_t>(i) + 1);
    }
    story.first_cause(44 * kMs);
    CAPTURE(story.text());
    const flamelet_cause* const load = story.cause_of("Load");
    const flamelet_cause* const think = story.cause_of("Think");
    CHECK((load != nullptr) == has_other);
    if (load == nullptr) continue;
    CHECK(load->surplus_ns >= 13 * kMs);
    REQUIRE(think != nullptr);
    CHECK(think->verdict == FLAMELET_VERDICT_PREEMPTED);
  }
}

TEST_CASE("other work: of time without a processor no more is said to be in a scope than it took") {
  constexpr int64_t kParts = 20;
  for (const bool has_caller : {false, true}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t more = i == kFrames ? kMs : 0;
      int64_t at = kFrame * i;
      if (has_caller) story.work(story.main, at, at + 8 * kMs + 32 * more, "Update");
      story.work(story.main, at, at + 4 * kMs + 12 * more, "Think");
      at += 4 * kMs + 12 * more;
      for (int64_t part = 0; part < kParts; ++part, at += kMs / 5 + more)
        story.work(story.main, at, at + kMs / 5 + more, ("Part " + std::to_string(part)).c_str());
      story.time_of(story.main, 8 * kMs, 32 * more, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(42 * kMs);
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(story.path(cause) == (has_caller ? "Update" : "Think"));
    CHECK(cause.lost_here_ns == (has_caller ? 0 : 16 * kMs));
    CHECK(contains(story.text(), "probably here, did not run for 32.0 ms of the frame, at most 16.0 of it here") ==
          !has_caller);
  }
}

TEST_CASE("other work: who held a lock may have had no processor for a while once he had let it go") {
  for (const int64_t later_ms : {4, 12}) {
    Taken story;
    story.take(kLast, 40 * kMs, false);
    story.work(story.other, kLast + 2 * kMs, kLast + (43 + later_ms) * kMs, "Rebuild");
    story.time_of(story.other, 10 * kMs, 30 * kMs);
    story.first_cause(52 * kMs);
    CAPTURE(story.text());
    CHECK((story.cause_of("Rebuild") != nullptr) == (later_ms == 4));
  }
}

TEST_CASE("other work: a queue that is always busy is no cause of a longer frame, and one that did more is") {
  for (const int64_t more_ns : {int64_t{0}, kMs}) {
    Taken story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
    for (int64_t at = 0; at < kLast; at += kMs) story.work(queue, at, at + kMs - 1000, "Pass");
    for (int64_t at = kLast; at < kLast + 50 * kMs; at += kMs + more_ns)
      story.work(queue, at, at + kMs + more_ns - 1000, "Pass");
    story.take(kLast, 40 * kMs, false);
    const flamelet_cause& cause = story.first_cause(50 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (more_ns == 0 ? "Take result" : "Pass"));
  }
}

TEST_CASE("other work: many calls of one scope are named together, in whatever goes on around them") {
  for (const bool is_inside : {false, true}) {
    Taken story;
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.other, kFrame * i, kFrame * i + kMs, "Log in");
    story.take(kLast, 44 * kMs, false);
    // What comes before it are a few kinds, each of them called often.
    const int64_t begin = kLast + 3 * kMs;
    if (is_inside) story.work(story.other, begin, begin + 44 * kMs, "Sessions");
    for (int64_t i = 0; i < 40; ++i) story.work(story.other, begin + i * 10000, begin + i * 10000 + 9000, "Poll");
    for (int64_t i = 1; i < 44; ++i) story.work(story.other, begin + i * kMs, begin + (i + 1) * kMs - 1000, "Log in");
    const flamelet_cause& cause = story.first_cause(54 * kMs);
    CAPTURE(story.text());
    CHECK(cause.calls == 43);
    CHECK(story.explain.path(story.capture, cause.path) == (is_inside ? "Sessions > Log in" : "Log in"));
    if (!is_inside) CHECK(contains(story.text(), "in Log in: 43 calls, usually 1"));
  }
}

TEST_CASE("other work: what ended a usual job is new work and no lock, unless the job went on") {
  for (const bool marks : {true, false}) {
    for (const bool goes_on : {false, true}) {
      Taken story;
      story.take(kLast, 30 * kMs, marks);
      story.work(story.worker, kLast, kLast + 33 * kMs - 20000 + (goes_on ? 5 * kMs : 0), "Job");
      story.work(story.worker, kLast + 2 * kMs, kLast + 33 * kMs - 30000, "Rehash");
      const flamelet_cause& cause = story.first_cause(40 * kMs);
      CAPTURE(story.text());
      CHECK(story.path(cause) == "Job > Rehash");
      CHECK(cause.verdict == (goes_on ? FLAMELET_VERDICT_WAIT : FLAMELET_VERDICT_NEW));
    }
  }
}

TEST_CASE(
    "other work: a job that is seldom done, and for which nobody waits then, is compared with what it took there") {
  enum How { kFlow, kMarked, kSlept };
  for (const How how : {kFlow, kMarked, kSlept}) {
    for (const int64_t took_ns : {6 * kMs, 30 * kMs}) {
      Taken story;
      for (int64_t i = 0; i < kFrames; i += 5) story.work(story.other, kFrame * i + kMs, kFrame * i + 7 * kMs, "Plan");
      const int64_t done = kLast + 3 * kMs + took_ns;
      story.work(story.other, kLast + 3 * kMs, done - 10000, "Plan");
      if (how == kFlow) story.flow(story.other, done - 10000, story.main, done - 1000);
      story.take(kLast, took_ns, how != kSlept);
      const flamelet_cause& cause = story.first_cause(kFrame + took_ns);
      CAPTURE(how);
      CAPTURE(story.text());
      CHECK(story.path(cause) == "Plan");
      const bool is_longer = took_ns == 30 * kMs, is_sure = how == kFlow;
      CHECK(((cause.flags & FLAMELET_CAUSE_AS_USUAL) != 0) == !is_longer);
      CHECK(contains(story.text(), "are waited for; it probably began later") == !is_longer);
      CHECK(contains(story.text(), "a lock, or longer work, usually 6.0 ms") == (is_longer && !is_sure));
      CHECK(contains(story.text(), "1 call took 30.0 ms, usually 6.0") == (is_longer && is_sure));
    }
  }
}

TEST_CASE(
    "other work: of a job that held a lock, or was waited for, it is said that it slept, by its states or its times") {
  for (const char* const known : {"nothing", "states", "times"}) {
    Taken story;
    for (int64_t i = 0; i < kFrames; i += 5) story.work(story.other, kFrame * i + kMs, kFrame * i + 7 * kMs, "Plan");
    const int64_t begin = kLast + 3 * kMs, done = begin + 30 * kMs - 10000;
    story.work(story.other, begin, done, "Plan");
    story.take(kLast, 30 * kMs, true);
    const auto put = [&](int64_t at, flamelet_state_kind kind) {
      if (known[0] == 's') CHECK(flamelet_capture_builder_switch(story.building.builder, story.other, at, kind, 0));
    };
    put(kLast, FLAMELET_STATE_RUNNING);
    put(begin + kMs, FLAMELET_STATE_ASLEEP);
    put(done - kMs, FLAMELET_STATE_RUNNING);
    put(done + kFrame, FLAMELET_STATE_ASLEEP);
    if (known[0] == 't') story.time_of(story.other, 2 * kMs, 0);
    story.first_cause(40 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "in Plan: a lock, or longer work, usually 6.0 ms"));
    CHECK(contains(story.text(), "; it slept 28.0 ms of that") == (known[0] != 'n'));
  }
}

TEST_CASE("other work: more passes of a queue than usual are named, if they had most of a sleep") {
  for (const int64_t passes : {28, 18}) {
    Taken story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
    for (int64_t i = 0; i < kFrames; ++i) story.work(queue, kFrame * i, kFrame * i + kMs, "Shadow");
    story.take(kLast, 44 * kMs, false);
    const int64_t begin = kLast + 3 * kMs, done = begin + passes * kMs;
    for (int64_t i = 0; i < passes; ++i)
      story.work(queue, begin + i * kMs, begin + (i + 1) * kMs - 1000, i == 0 ? "Clear" : "Shadow");
    for (int64_t i = 0; done + i * 3 * kMs < begin + 44 * kMs; ++i) {
      const int64_t at = done + i * 3 * kMs;
      story.work(queue, at, std::min(at + 3 * kMs, begin + 44 * kMs) - 1000, i % 2 == 0 ? "Lighting" : "Bloom");
    }
    const flamelet_cause& cause = story.first_cause(54 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (passes == 28 ? "Shadow" : "Take result"));
  }
}

TEST_CASE("other work: a thread that slept in no marked wait, until a queue had begun late, waited for that queue") {
  for (const bool slept : {true, false}) {
    Story story;
    const uint32_t queue = story.lane("GPU", FLAMELET_LANE_GPU);
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, late = i == kFrames ? 40 * kMs : 0;
      story.work(queue, at + 2 * kMs + late, at + 3 * kMs + late, "Scene");
      story.work(story.main, at + kMs, at + 4 * kMs + late, "Copy to RAM");
      story.work(story.main, at + 4 * kMs + late, at + kFrame + late, "Emulate");
      story.time_of(story.main, (slept ? 0 : late) + 7 * kMs, 0, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(50 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (slept ? "Scene" : "Copy to RAM"));
    CHECK(((cause.flags & FLAMELET_CAUSE_BEGAN_LATE) != 0) == slept);
    CHECK(!contains(story.text(), "slept"));
  }
}

TEST_CASE("other work: what began before and went on for longer than ever is slow, and not only carried over") {
  for (const int64_t long_ns : {int64_t{0}, 15 * kMs}) {
    Taken story;
    for (int64_t i = 0; i < kFrames - 8; i += 5)
      story.work(story.other, kFrame * i + kMs, kFrame * i + 25 * kMs, "Plan");
    const int64_t done = kLast + 3 * kMs + 10 * kMs;
    story.work(story.other, done - 24 * kMs - 2 * long_ns, done, "Plan");
    story.flow(story.other, done, story.main, done + 1000);
    story.take(kLast, 10 * kMs, true);
    const flamelet_cause& cause = story.first_cause(kFrame + 10 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Plan");
    CHECK((cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS) == (long_ns != 0));
  }
}

TEST_CASE(
    "other work: a scope around the call that lets a thread go ends later, most of all if that takes its processor") {
  static const struct {
    int64_t rest_ns;
    bool is_taken_off, is_found;
  } kRows[] = {{20000, false, true}, {3 * kMs, true, true}, {3 * kMs, false, false}};
  for (const auto& row : kRows) {
    for (const bool is_marked : {true, false}) {
      Taken story;
      story.take(kLast, 30 * kMs, is_marked);
      const int64_t let_go = kLast + 33 * kMs;
      story.work(story.other, kLast + 3 * kMs, let_go + row.rest_ns, "Save sessions");
      const auto put = [&](int64_t time_ns, flamelet_state_kind kind) {
        CHECK(flamelet_capture_builder_switch(story.building.builder, story.other, time_ns, kind, 0));
      };
      put(kLast, FLAMELET_STATE_RUNNING);
      if (row.is_taken_off) put(let_go, FLAMELET_STATE_TAKEN_OFF);
      if (row.is_taken_off) put(let_go + row.rest_ns - 1000, FLAMELET_STATE_RUNNING);
      put(let_go + row.rest_ns + 1000, FLAMELET_STATE_ASLEEP);
      const flamelet_cause& cause = story.first_cause(40 * kMs);
      CAPTURE(story.text());
      CAPTURE(row.rest_ns);
      CHECK((story.path(cause) == "Save sessions") == row.is_found);
    }
  }
}

TEST_CASE(
    "other work: two threads that did the same work for longer did not spin for each other, nor in the midst of it") {
  for (const std::string others : {"Step room", "Solve water", "Save"}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, took_ns = i == kFrames ? 40 * kMs : kMs;
      story.work(story.worker, at, at + took_ns, "Step room");
      for (int64_t part = 1; part < 8; ++part)  // nothing stood still
        story.work(story.worker, at + took_ns * part / 8, at + took_ns * part / 8 + 1000, "Collide");
      const int64_t around_ns = others == "Solve water" && i != kFrames ? kMs : -kMs / 2;
      story.work(story.other, at - std::max<int64_t>(around_ns, 0), at + took_ns + around_ns, others.c_str());
      story.wait(story.main, at, at + took_ns, "Wait for rooms");
      story.flow(story.worker, at + took_ns - 1000, story.main, at + took_ns);
      story.work(story.main, at + took_ns, at + took_ns + 9 * kMs, "Draw");
    }
    story.first_cause(49 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "ms for Worker in Step room:") == (others != "Save"));
  }
}

TEST_CASE("other work: of many calls for which a thread probably waited it is said how long they had no processor") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, each_ns = i == kFrames ? 4 * kMs : kMs / 10;
    for (int64_t call = 0; call < 10; ++call)
      story.work(story.other, at + each_ns * call, at + each_ns * (call + 1), "Commit row");
    story.work(story.main, at, at + 10 * each_ns + 1000, "Join shards");
    story.work(story.main, at + 10 * each_ns + 1000, at + 10 * each_ns + 9 * kMs, "Draw");
  }
  const auto put = [&](uint32_t lane, int64_t time_ns, flamelet_state_kind kind) {
    CHECK(flamelet_capture_builder_switch(story.building.builder, lane, time_ns, kind, lane == story.main));
  };
  put(story.main, 0, FLAMELET_STATE_RUNNING);
  put(story.other, 0, FLAMELET_STATE_RUNNING);
  put(story.main, kLast + 1000, FLAMELET_STATE_ASLEEP);
  put(story.other, kLast + 5 * kMs, FLAMELET_STATE_TAKEN_OFF);
  put(story.other, kLast + 35 * kMs, FLAMELET_STATE_RUNNING);
  put(story.main, kLast + 40 * kMs, FLAMELET_STATE_RUNNING);
  put(story.other, kLast + 80 * kMs, FLAMELET_STATE_ASLEEP);
  const flamelet_cause& cause = story.first_cause(49 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Commit row");
  CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(cause.surplus_ns == 30 * kMs);
}

TEST_CASE("other work: who spins on the processor of the one for whom he does so runs half of the time") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, took_ns = i == kFrames ? 80 * kMs : 100000;
    if (i == kFrames) story.work(story.other, at, at + took_ns, "Decode");
    story.work(story.main, at, at + took_ns, "Sync streamer");
    story.work(story.main, at + took_ns, at + kFrame + (i == kFrames ? took_ns : 0), "Draw");
  }
  const auto put = [&](uint32_t lane, int64_t time_ns, flamelet_state_kind kind) {
    CHECK(flamelet_capture_builder_switch(story.building.builder, lane, time_ns, kind, 0));
  };
  put(story.main, 0, FLAMELET_STATE_RUNNING);
  put(story.other, 0, FLAMELET_STATE_ASLEEP);
  for (int64_t turn = 0; turn < 20; ++turn) {
    const int64_t at = kLast + 4 * kMs * turn;
    put(story.main, at, FLAMELET_STATE_TAKEN_OFF);
    put(story.other, at, FLAMELET_STATE_RUNNING);
    put(story.main, at + 2100000, FLAMELET_STATE_RUNNING);
    put(story.other, at + 2100000, FLAMELET_STATE_TAKEN_OFF);
  }
  story.first_cause(90 * kMs);
  CAPTURE(story.text());
  CHECK(contains(story.text(), "Main waited 80.0 ms (probably) for Other in Decode"));
}

TEST_CASE("other work: who spins in a scope that is new, and had no processor as he was let go, spun nevertheless") {
  static const struct {
    int64_t late_ms;       // without a processor after that
    uint32_t processor;    // of the other one: on its own for which it spins
    bool was_there, spun;  // once before, for as long
  } kRows[] = {{0, 1, true, true}, {10, 1, false, true}, {10, 0, false, false}};
  for (const auto& row : kRows) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, took_ns = (60 + row.late_ms) * kMs;
      if (i == 20 && row.was_there) story.work(story.main, at, at + 8 * kMs, "Await");
      if (i == kFrames) story.work(story.other, at, at + 60 * kMs, "Build");
      if (i == kFrames) story.work(story.main, at, at + took_ns, "Await");
      story.work(story.main, at + (i == kFrames ? took_ns : 8 * kMs), at + (i == kFrames ? took_ns + kMs : 9 * kMs),
                 "Draw");
    }
    const auto put = [&](uint32_t lane, int64_t time_ns, flamelet_state_kind kind, uint32_t processor) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, lane, time_ns, kind, processor));
    };
    // Main runs for a fifth of the time; then the other one has its processor, or another program.
    const int64_t taken_off = kLast + 12 * kMs;
    put(story.main, 0, FLAMELET_STATE_RUNNING, 0);
    put(story.other, 0, FLAMELET_STATE_ASLEEP, row.processor);
    if (row.processor != 0) put(story.other, kLast, FLAMELET_STATE_RUNNING, row.processor);
    put(story.main, taken_off, FLAMELET_STATE_TAKEN_OFF, 0);
    if (row.processor == 0) put(story.other, taken_off, FLAMELET_STATE_RUNNING, row.processor);
    put(story.other, kLast + 60 * kMs - 20000, FLAMELET_STATE_ASLEEP, row.processor);
    put(story.main, kLast + (60 + row.late_ms) * kMs - 10000, FLAMELET_STATE_RUNNING, 0);
    story.first_cause((61 + row.late_ms) * kMs);
    CAPTURE(story.text());
    CHECK((story.cause_of("Build") != nullptr) == row.spun);
  }
}

TEST_CASE("other work: where frames of other lengths have as many jobs, fewer more of them are more") {
  for (const bool is_fixed : {true, false}) {
    Story story;
    int64_t now = 0;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      const int64_t jobs = is_last ? 14 : is_fixed ? 8 : 7 + i % 4, took_ns = is_last ? 20 * kMs : (6 + i % 4) * kMs;
      for (int64_t job = 0; job < jobs; ++job)
        story.work(story.worker, now + took_ns * job / jobs, now + took_ns * (job + 1) / jobs, "Cull");
      story.flow(story.worker, now + took_ns, story.main, now + took_ns + 1000);
      story.wait(story.main, now, now + took_ns + 1000, "Wait for jobs");
      story.work(story.main, now + took_ns + 1000, now + took_ns + 4 * kMs, "Draw");
      story.time_of(story.worker, is_last ? 7 * kMs : took_ns, is_last ? 13 * kMs : 0, static_cast<uint64_t>(i) + 1);
      const int64_t end = now + took_ns + 4 * kMs;
      flamelet_capture_builder_frame(story.building.builder, static_cast<uint64_t>(i) + 1, now, end, 0);
      now = end;
    }
    story.capture = story.building.finish();
    story.why = story.explain.frame(story.capture, kFrames);
    CAPTURE(story.text());
    CHECK(story.why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(contains(story.text(), "; 14 \xC3\x97 Cull ran in the frame, usually 8") == is_fixed);
  }
}

TEST_CASE("other work: of jobs that lost their processor it is said that there are many more of them than usual") {
  for (const int64_t jobs : {12, 2}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, count = i == kFrames ? jobs : 2, took_ns = i == kFrames ? 48 * kMs : kMs;
      for (const uint32_t lane : {story.other, story.worker})
        for (int64_t job = 0; job < count / 2; ++job)
          story.work(lane, at + took_ns * 2 * job / count, at + took_ns * 2 * (job + 1) / count, "Cull");
      story.wait(story.main, at, at + took_ns + 1000, "Wait for jobs");
      story.flow(story.other, at + took_ns, story.main, at + took_ns + 1000);
      story.work(story.main, at + took_ns + 1000, at + took_ns + 9 * kMs, "Draw");
      story.time_of(story.other, i == kFrames ? 8 * kMs : kMs, i == kFrames ? 40 * kMs : 0,
                    static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(57 * kMs);
    CAPTURE(story.text());
    CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(contains(story.text(), "; 12 \xC3\x97 Cull ran in the frame, usually 2") == (jobs == 12));
  }
}

TEST_CASE(
    "other work: who usually goes on as another thread's work ends spins for that, though he lost his processor") {
  for (const bool is_together : {true, false}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, longer_ns = i == kFrames ? 15 * kMs : 0, late_ns = i == kFrames ? 2 * kMs : 0;
      const int64_t done = at + 2 * kMs + longer_ns;
      const int64_t usual = is_together || i == kFrames ? 0 : 500000;  // before or after Main went on
      const int64_t readback = done + (i % 2 == 0 ? usual : -usual);
      story.work(story.other, at, readback - 100000, "Solve");
      story.work(story.other, readback - 100000, readback, "Readback");
      story.work(story.main, at, at + kMs, "Update");
      story.work(story.main, at + kMs, done + late_ns, "Poll");
      story.work(story.main, done + late_ns, at + kFrame + longer_ns + late_ns, "Draw");
    }
    const auto put = [&](uint32_t lane, int64_t time_ns, flamelet_state_kind kind) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, lane, time_ns, kind, 0));
    };
    put(story.main, 0, FLAMELET_STATE_RUNNING);
    put(story.other, 0, FLAMELET_STATE_RUNNING);
    put(story.main, kLast + 10 * kMs, FLAMELET_STATE_TAKEN_OFF);
    put(story.main, kLast + 19 * kMs, FLAMELET_STATE_RUNNING);
    const flamelet_cause& cause = story.first_cause(27 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (is_together ? "Solve" : "Poll"));
  }
}

// In each frame Main asks for a job, does other work, and then spins in Sync until whichever thread has done that job.
// Main has no processor for most of the last frame.
TEST_CASE("other work: who spins for a job waits for what kept it, or for its begin, however little he ran") {
  enum How { kKept, kOtherKept, kMany, kLong, kLate, kUnready, kAskedInside, kSameName };
  static const struct {
    How how;
    const char *path, *text;
  } kRows[] = {{kKept, "Unpack", "ms (probably) for Worker in Unpack"},
               {kOtherKept, "Unpack", "ms (probably) for Other in Unpack"},
               {kMany, "Animate", "ms (probably) for Worker in Animate: 60 calls, usually 2"},
               {kLong, "Skin", "ms (probably) for Worker in Skin: 1 call took 30.0 ms, usually 1.0"},
               {kLate, "Sync", "for work that was asked for, and not begun; Worker began Skin only then"},
               {kUnready, "Skin", "Main waited (probably) for Worker, which had no processor to begin Skin: preempted"},
               {kAskedInside, "Sync", "Main lost its processor in Sync"},
               {kSameName, "Skin", "Main lost its processor in Skin"}};
  for (const auto& row : kRows) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, long_ns = i == kFrames ? 29 * kMs : 0;
      const uint32_t lane = i % 2 == 0 ? story.worker : story.other;
      const int64_t done = at + 3 * kMs + long_ns, begin = done - kMs - (row.how == kLong ? long_ns : 0);
      if (row.how == kMany)
        for (int64_t job = 0; job < (i == kFrames ? 30 : 1); ++job)
          for (const uint32_t other : {story.worker, story.other})
            story.work(other, at + kMs + kMs * job, at + kMs + kMs * job + kMs - 1000, "Animate");
      if (i == kFrames && row.how == kKept) story.work(lane, at + kMs, begin - 1000, "Unpack");
      if (i == kFrames && row.how == kOtherKept) {
        story.work(story.other, at + kMs, begin - 1000, "Unpack");
        const char* const names[] = {"Cull", "Solve", "Plan"};
        for (int64_t job = 0; job < 29; ++job)
          story.work(lane, at + kMs + kMs * job, at + 2 * kMs + kMs * job - 1000, names[job % 3]);
      }
      if (i == kFrames && row.how == kUnready) story.time_of(lane, kMs, 25 * kMs);
      if (i == kFrames && row.how == kUnready) story.work(lane, begin - kMs, begin - 1000, "Cull");
      story.work(lane, begin, done - 5000, "Skin");
      story.work(story.main, at, at + 2 * kMs, "Update");
      story.work(story.main, at + 2 * kMs, done, row.how == kSameName ? "Skin" : "Sync");
      story.work(story.main, done, at + kFrame + long_ns, "Draw");
      story.flow(story.main, at + (row.how == kAskedInside ? 2 * kMs + 20000 : 1000), lane, begin - 500);
      story.time_of(story.main, 9 * kMs, i == kFrames ? 29 * kMs : 0, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(39 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == row.path);
    CHECK(contains(story.text(), row.text));
    CHECK(contains(story.text(), "Main lost its processor") == (row.how >= kAskedInside));
  }
}

TEST_CASE(
    "other work: a scope in which the job of another thread often ends, at its end by chance, does not wait for it") {
  Story story;
  const int64_t last = kFrame * kFrames, end = last + 20 * kMs, took = 29 * kMs;
  for (int64_t i = 0; i < kFrames; ++i) {
    const int64_t at = kFrame * i, ended = at + 2 * kMs + 40000 + i % 10 * 50000;
    story.work(story.main, at, at + 2 * kMs, "Update");
    story.work(story.main, at + 2 * kMs, at + 2 * kMs + 500000, "Decide");
    story.work(story.main, at + 2 * kMs + 500000, at + kFrame, "Draw");
    story.work(story.other, ended - 300000, ended, "Index");
    story.time_of(story.main, 9 * kMs, kMs, static_cast<uint64_t>(i) + 1);
  }
  story.work(story.main, last, last + 2 * kMs, "Update");
  story.work(story.main, last + 2 * kMs, end, "Decide");
  story.work(story.main, end, last + took, "Draw");
  story.work(story.other, end - 310000, end - 10000, "Index");
  story.time_of(story.main, 28 * kMs, kMs);
  story.first_cause(took);
  CAPTURE(story.text());
  CHECK(contains(story.text(), "Main spent 18.0 ms in Decide: 1 call took 18.0 ms, usually 0.5"));
}

TEST_CASE("other work: a spinner's lost processor is none, and what it lost afterwards was lost there") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, long_ns = i == kFrames ? 30 * kMs : 0;
    const int64_t done = at + 3 * kMs + long_ns;
    story.work(story.worker, at + kMs, done - 5000, "Skin");
    story.work(story.main, at, at + 2 * kMs, "Update");
    story.work(story.main, at + 2 * kMs, done, "Sync");
    story.work(story.main, done, at + kFrame + long_ns + (long_ns != 0 ? 6 * kMs : 0), "Draw");
    story.flow(story.main, at + 1000, story.worker, at + kMs - 500);
    story.time_of(story.main, 9 * kMs, long_ns != 0 ? 31 * kMs : 0, static_cast<uint64_t>(i) + 1);
  }
  const auto put = [&](int64_t time_ns, flamelet_state_kind kind) {
    CHECK(flamelet_capture_builder_switch(story.building.builder, story.main, time_ns, kind, 0));
  };
  put(0, FLAMELET_STATE_RUNNING);
  for (const int64_t at : {kLast + 4 * kMs, kLast + 35 * kMs}) {
    put(at, FLAMELET_STATE_TAKEN_OFF);
    put(at + (at < kLast + 30 * kMs ? 25 : 6) * kMs, FLAMELET_STATE_RUNNING);
  }
  put(kLast + 60 * kMs, FLAMELET_STATE_ASLEEP);
  const flamelet_cause& cause = story.first_cause(46 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Skin");
  CHECK(cause.surplus_ns > 29 * kMs);
  REQUIRE(story.why.cause_count == 2);
  CHECK(story.path(story.why.causes[1]) == "Draw");
  CHECK(story.why.causes[1].surplus_ns == 6 * kMs);
}

TEST_CASE("other work: who let a spinner go may do the rest of what he always does") {
  for (const int64_t rest_ns : {kMs / 2, 3 * kMs / 2}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, long_ns = i == kFrames ? 40 * kMs : 0;
      story.work(story.other, at, at + long_ns + (i == kFrames ? kMs + rest_ns : 600000), "Decode");
      for (int64_t tick = 0; tick < 10 + long_ns / kMs; ++tick)
        story.work(story.worker, at + kMs * tick, at + kMs * tick + kMs / 2, "Tick");
      story.work(story.main, at + kMs / 2, at + kMs + long_ns, "Paint");
      story.work(story.main, at + kMs + long_ns, at + kFrame + long_ns, "Draw");
    }
    const flamelet_cause& cause = story.first_cause(50 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (rest_ns < kMs ? "Decode" : "Paint"));
  }
}

TEST_CASE("other work: who ran ten times as long as usual spun, if work that took longer ended as he went on") {
  for (const int64_t rest_ns : {kMs / 50, kMs}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, long_ns = i == kFrames ? 49 * kMs : 0;
      if (i % 3 == 0) story.work(story.other, at, at + kMs / 2, "Wave");
      if (i == kFrames) story.work(story.other, at + kMs, at + kMs + long_ns - rest_ns, "Wave");
      story.work(story.main, at, at + kMs + long_ns, "Blend");
      story.work(story.main, at + kMs + long_ns, at + kFrame + long_ns, "Draw");
      story.time_of(story.main, 9 * kMs + long_ns * 3 / 10, long_ns * 7 / 10, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(59 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (rest_ns < kMs ? "Wave" : "Blend"));
  }
}

TEST_CASE("other work: a job for whose end a thread waits later held up nobody who went on before that") {
  for (const bool waits_later : {true, false}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, longer_ns = i == kFrames ? 20 * kMs : 0, posed = at + 2 * kMs + longer_ns;
      const int64_t waved = at + 3 * kMs + longer_ns;
      story.work(story.main, at, at + kMs, "Update");
      story.wait(story.main, at + kMs, posed, "Wait for pose");
      if (waits_later) story.wait(story.main, posed + 1000, waved + 5000, "Wait for crowd");
      story.work(story.main, (waits_later ? waved + 5000 : posed), at + kFrame + longer_ns, "Draw");
      story.work(story.other, at + kMs / 2, posed - 5000, "Pose");
      story.work(story.worker, at + kMs / 2, waved, "Wave");
      story.time_of(story.other, kMs, 0, static_cast<uint64_t>(i) + 1);
      story.time_of(story.worker, 2 * kMs + longer_ns, 2 * kMs, static_cast<uint64_t>(i) + 1);
    }
    story.first_cause(kFrame + 20 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "for Other in Pose, which waited for Worker in Wave") != waits_later);
  }
}

}  // namespace explain_test::other_work_test
