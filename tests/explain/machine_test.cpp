// SPDX-License-Identifier: MIT
//
// What the counters of the machine add to a cause: who had the processors, and how fast they were.
#include <limits>

#include "explain/story.h"
#include "flamelet/recorder.h"

namespace explain_test::machine_test {
namespace {

struct Machine : Story {
  static constexpr int64_t kEnd = kFrame * kFrames;  // where the last frame begins

  void read(const char* counter, int64_t time_ns, double value) {
    flamelet_capture_builder_counter(building.builder, main, time_ns, building.site(counter, FLAMELET_MACHINE_CATEGORY),
                                     value);
  }
  // The main thread draws for 9 ms a frame, and is ready without a processor for `lost_ns` of the last frame.
  void draw(int64_t last_ns, int64_t lost_ns) {
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t took_ns = i == kFrames ? last_ns : kFrame;
      work(main, kFrame * i, kFrame * i + took_ns, "Draw");
      time_of(main, took_ns - (i == kFrames ? lost_ns : 0), i == kFrames ? lost_ns : 0, static_cast<uint64_t>(i) + 1);
    }
  }
};

}  // namespace

TEST_CASE("machine: a thread that its container's limit held back was throttled, and no other program ran") {
  Machine story;
  story.draw(50 * kMs, 40 * kMs);
  story.read(FLAMELET_MACHINE_LIMITED, story.kEnd + 50 * kMs + 1, 38.5);
  const flamelet_cause& cause = story.first_cause(50 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(cause.limited_ns == 38500000);
  CHECK(contains(
      story.text(),
      "did not run for 40.0 ms of the frame, usually 0.0; throttled, because the program had used up its CPU limit."));
  CHECK_FALSE(contains(story.text(), "another program"));
}

TEST_CASE("machine: what was held back at another time, or for too short, does not count") {
  for (const int64_t at_ns : {int64_t{-kFrame}, 50 * kMs + 300 * kMs}) {
    Machine story;
    story.draw(50 * kMs, 40 * kMs);
    if (at_ns > 0) story.read(FLAMELET_MACHINE_LIMITED, story.kEnd + 50 * kMs, 10);
    story.read(FLAMELET_MACHINE_LIMITED, story.kEnd + at_ns, 80);
    CHECK(story.first_cause(50 * kMs).limited_ns == 0);
    CHECK_FALSE(contains(story.text(), "throttled"));
  }
}

TEST_CASE("machine: values that only a damaged file has say nothing") {
  for (const double value : {-1e300, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    Machine story;
    story.draw(50 * kMs, 40 * kMs);
    story.read(FLAMELET_MACHINE_LIMITED, story.kEnd + 50 * kMs, value);
    story.read(FLAMELET_MACHINE_HOST, story.kEnd + 50 * kMs, value);
    const flamelet_cause& cause = story.first_cause(50 * kMs);
    CHECK(cause.limited_ns == 0);
    CHECK(cause.host_ns == 0);
  }
}

TEST_CASE("machine: a counter of the program's own with that name is its own") {
  Machine story;
  story.draw(50 * kMs, 40 * kMs);
  flamelet_capture_builder_counter(story.building.builder, story.main, story.kEnd + 50 * kMs,
                                   story.building.site(FLAMELET_MACHINE_LIMITED, "mine"), 80);
  CHECK(story.first_cause(50 * kMs).limited_ns == 0);
}

TEST_CASE("machine: what a virtual machine's host took is said of work that took longer") {
  Machine story;
  story.draw(50 * kMs, 0);
  story.read(FLAMELET_MACHINE_HOST, story.kEnd + 51 * kMs, 30);
  const flamelet_cause& cause = story.first_cause(50 * kMs);
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(cause.host_ns == 30 * kMs);
  CHECK(contains(story.text(), "; meanwhile the host of this virtual machine took its processors for 30.0 ms"));
}

TEST_CASE("machine: where everything is slower, a lower clock of the processor is said") {
  for (const double mhz : {1400.0, 3450.0}) {
    static const char* const kScopes[] = {"Input", "Simulate", "Animate", "Cull", "Draw", "Present", "Audio"};
    Machine story;
    story.read(FLAMELET_MACHINE_CLOCK, 1, 3500);
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t each_ns = i == kFrames ? 3 * kMs : kFrame / 8;
      int64_t at_ns = kFrame * i;
      for (const char* scope : kScopes) story.work(story.main, at_ns, at_ns + each_ns, scope), at_ns += each_ns;
    }
    story.read(FLAMELET_MACHINE_CLOCK, story.kEnd + 10 * kMs, mhz);
    const flamelet_cause& cause = story.first_cause(24 * kMs);
    CHECK(cause.verdict == FLAMELET_VERDICT_SLOWED);
    CHECK(contains(story.text(), "; the processor ran at 1400 MHz, usually 3500.") == (mhz < 2000));
  }
}

TEST_CASE("machine: where everything is slower, a scope whose thread also had no processor is part of that") {
  static const char* const kScopes[] = {"Input", "Simulate", "Animate", "Cull", "Draw", "Present", "Audio"};
  Machine story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    int64_t at_ns = kFrame * i;
    for (const char* scope : kScopes) {
      const bool is_hit = scope == kScopes[1] || scope == kScopes[4];
      const int64_t took_ns = i < kFrames ? kFrame / 8 : is_hit ? 8 * kMs : 3 * kMs;
      story.work(story.main, at_ns, at_ns + took_ns, scope);
      at_ns += took_ns;
    }
    story.time_of(story.main, i < kFrames ? kFrame : 24 * kMs, i < kFrames ? 0 : 10 * kMs,
                  static_cast<uint64_t>(i) + 1);
  }
  const flamelet_cause& cause = story.first_cause(34 * kMs);
  CAPTURE(story.text());
  CHECK(cause.verdict == FLAMELET_VERDICT_SLOWED);
  CHECK(cause.time_ns == 21 * kMs);
  REQUIRE(story.why.cause_count == 2);
  CHECK(story.why.causes[1].verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(story.why.causes[1].surplus_ns == 10 * kMs);
}

TEST_CASE("machine: a thread that lost its processor in each scope alike was not slower") {
  static const char* const kScopes[] = {"Input", "Simulate", "Animate", "Cull", "Draw", "Present", "Audio"};
  for (const bool has_run : {true, false}) {
    Machine story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t each_ns = i == kFrames ? 3 * kMs : kFrame / 8;
      int64_t at_ns = kFrame * i;
      for (const char* scope : kScopes) story.work(story.main, at_ns, at_ns + each_ns, scope), at_ns += each_ns;
      const int64_t lost_ns = i == kFrames && !has_run ? 12 * kMs : 0;
      story.time_of(story.main, at_ns - kFrame * i - lost_ns, lost_ns, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(24 * kMs);
    CAPTURE(story.text());
    CHECK(cause.verdict == (has_run ? FLAMELET_VERDICT_SLOWED : FLAMELET_VERDICT_PREEMPTED));
  }
}

}  // namespace explain_test::machine_test
