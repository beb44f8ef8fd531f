// SPDX-License-Identifier: MIT
//
// Jobs that took as long as usual, and yet somebody waited longer: in another order, on fewer threads, or behind a lock.
#include "explain/story.h"

namespace explain_test {
namespace {

constexpr int64_t kOrderAt = kFrame * kFrames;

}  // namespace

TEST_CASE("order: a job that ran before what usually comes first is said to have done so, and not to have been slow") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i;
    const bool is_swapped = i == kFrames;
    // Worker does Pose and Decals, Other waits for Pose and then does Skin, for which Main waits.
    const int64_t pose = at + (is_swapped ? 3420000 : kMs), decals = at + (is_swapped ? kMs : 2 * kMs);
    const int64_t posed = pose + kMs, skinned = posed + 2 * kMs;
    story.work(story.worker, pose, posed, "Pose");
    story.work(story.worker, decals, decals + 2400000, "Decals");
    story.wait(story.other, at + kMs, posed + 1000, "Wait for pose");
    story.flow(story.worker, posed - 100, story.other, posed + 500);
    story.work(story.other, posed + 1000, skinned, "Skin");
    story.flow(story.other, skinned - 100, story.main, skinned + 500);
    const int64_t decaled = decals + 2400000;
    if (!is_swapped) story.flow(story.worker, decaled - 100, story.main, decaled + 500);
    const int64_t joined = std::max(skinned, decaled) + 1000;
    story.wait(story.main, at + kMs, joined, "Join");
    story.work(story.main, joined, joined + 5 * kMs, "Draw");
    story.work(story.main, joined + 5 * kMs, is_swapped ? joined + 6 * kMs : at + kFrame, "Present");
  }
  const flamelet_cause& cause = story.first_cause(12421000);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Decals");
  CHECK(cause.verdict == FLAMELET_VERDICT_ORDER);
  CHECK(contains(story.text(), "it took as long as usual, but ran before Pose"));
}

TEST_CASE("order: a thread that did all of the jobs leads to what kept the other one") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i;
    const bool is_kept = i == kFrames;
    int64_t done = at + kMs;
    if (is_kept) story.work(story.other, at + 500000, at + 25 * kMs, "Load chunk");
    for (int64_t job = 0; job < 8; ++job) {
      const int64_t slot = is_kept ? job : job / 2;
      const uint32_t lane = is_kept || job % 2 == 0 ? story.worker : story.other;
      story.work(lane, at + kMs + slot * kMs, at + kMs + (slot + 1) * kMs, "Step body");
      done = std::max(done, at + kMs + (slot + 1) * kMs);
    }
    story.flow(story.worker, done - 100, story.main, done + 500);
    story.wait(story.main, at + kMs, done + 1000, "Join");
    story.work(story.main, done + 1000, at + (is_kept ? 14 : 10) * kMs, "Draw");
  }
  const flamelet_cause& cause = story.first_cause(14 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Load chunk");
  CHECK(cause.verdict == FLAMELET_VERDICT_NEW);
  CHECK(contains(story.text(),
                 "Main waited as Other was 24.5 ms in Load chunk: new, never in those frames; meanwhile Worker ran 8 "
                 "\xC3\x97 Step body"));
}

TEST_CASE("order: jobs on fewer threads than usual are said to be that, where nothing tells why") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i;
    const bool is_alone = i == kFrames;
    int64_t done = at;
    for (int64_t job = 0; job < 8; ++job) {
      const int64_t slot = is_alone ? job : job / 2;
      const uint32_t lane = is_alone || job % 2 == 0 ? story.worker : story.other;
      story.work(lane, at + kMs + slot * kMs, at + kMs + (slot + 1) * kMs, "Step body");
      done = at + kMs + (slot + 1) * kMs;
    }
    story.flow(story.worker, done - 100, story.main, done + 500);
    story.wait(story.main, at + kMs, done + 1000, "Join");
    story.work(story.main, done + 1000, at + (is_alone ? 14 : 10) * kMs, "Draw");
  }
  const flamelet_cause& cause = story.first_cause(14 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Step body");
  CHECK(cause.verdict == FLAMELET_VERDICT_ORDER);
  CHECK(contains(story.text(), "each took as long as usual, but 8 ran on Worker, usually some of them on Other"));
}

TEST_CASE("order: threads that hold a lock in turn are not blamed, but that they all wanted it") {
  Story story;
  const uint32_t third = story.lane("Third"), fourth = story.lane("Fourth");
  for (int64_t i = 0; i < kFrames; ++i) {
    const int64_t at = kFrame * i;
    int64_t turn = 0;
    for (const uint32_t lane : {story.worker, story.other, third, fourth}) {
      story.work(lane, at + kMs + turn, at + 3 * kMs + turn, "Add contacts");
      turn += 2 * kMs;
    }
    story.wait(story.main, at, at + 1000, "Lock world");
    story.work(story.main, at + 1000, at + kFrame, "Draw");
  }
  int64_t free_at = kOrderAt;
  for (const uint32_t lane : {story.worker, story.other, third, fourth}) {
    if (free_at != kOrderAt) story.wait(lane, kOrderAt + 1000, free_at + 1000, "Lock world");
    story.work(lane, free_at + 1000, free_at + 2 * kMs, "Add contacts");
    free_at += 2 * kMs;
  }
  story.wait(story.main, kOrderAt, free_at + 1000, "Lock world");
  story.work(story.main, free_at + 1000, free_at + kFrame, "Draw");
  const flamelet_cause& cause = story.first_cause(free_at + kFrame - kOrderAt);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Lock world");
  CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
  CHECK(cause.threads == 4);
  CHECK(story.why.cause_count == 1);
  CHECK(contains(story.text(), "Main waited 8.0 ms in Lock world: a lock that 4 threads held in turn, usually 0.0 ms"));
}

TEST_CASE("order: a holder that kept the lock for most of the time is named though others waited, too") {
  Story story;
  for (int64_t i = 0; i < kFrames; ++i) {
    story.wait(story.main, kFrame * i, kFrame * i + 1000, "Lock world");
    story.work(story.main, kFrame * i + 1000, kFrame * (i + 1), "Draw");
  }
  story.work(story.worker, kOrderAt, kOrderAt + 20 * kMs, "Compact log");
  story.wait(story.other, kOrderAt + 1000, kOrderAt + 20 * kMs + 1000, "Lock world");
  story.work(story.other, kOrderAt + 20 * kMs + 1000, kOrderAt + 23 * kMs, "Add contacts");
  story.wait(story.main, kOrderAt, kOrderAt + 23 * kMs + 1000, "Lock world");
  story.work(story.main, kOrderAt + 23 * kMs + 1000, kOrderAt + 33 * kMs, "Draw");
  const flamelet_cause& cause = story.first_cause(33 * kMs);
  CHECK(story.path(cause) == "Compact log");
  CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
}

TEST_CASE(
    "order: work of the waiting thread that ran before what asks for the job is named, as far inside as it goes") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const bool bakes_first = i == kFrames;
    const int64_t at = kFrame * i, bake = at + (bakes_first ? 0 : 2 * kMs), animate = at + (bakes_first ? 4 * kMs : 0);
    const auto animation = [&] { story.work(story.main, animate, animate + 2 * kMs, "Animate"); };
    if (!bakes_first) animation();
    story.work(story.main, bake, bake + 4 * kMs, "Idle callback");
    story.work(story.main, bake + 1000, bake + 4 * kMs - 1000, "Bake minimap");
    if (bakes_first) animation();
    const int64_t raster = animate + 2 * kMs, done = raster + 4 * kMs, wait = at + 6 * kMs;
    story.work(story.worker, raster + 1000, done - 1000, "Raster");
    story.flow(story.main, raster - 1000, story.worker, raster + 1000);
    const int64_t end = std::max(done, wait + 1000);
    story.wait(story.main, wait, end, "Wait for tiles");
    if (bakes_first) story.flow(story.worker, done - 1000, story.main, done - 500);
    story.work(story.main, end, at + kFrame + (bakes_first ? 4 * kMs : 0), "Draw");
  }
  const flamelet_cause& cause = story.first_cause(kFrame + 4 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Idle callback > Bake minimap");
  CHECK(cause.verdict == FLAMELET_VERDICT_ORDER);
  CHECK(contains(story.text(), "it took as long as usual, but ran before Animate"));
}

namespace {

// Main helps Worker and Other with eight jobs, each in a scope of its own; in the last frame Main does all of them.
void share_jobs(Story* story, const char* keeps) {
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i;
    const bool is_alone = i == kFrames;
    int64_t done = at + kMs;
    if (is_alone && keeps != nullptr)
      for (const uint32_t lane : {story->worker, story->other}) story->work(lane, at + 500000, at + 9 * kMs, keeps);
    const int64_t own_jobs = is_alone ? 8 : 2;
    story->work(story->main, done, done + own_jobs * kMs, "Help");
    for (int64_t job = 0; job < own_jobs; ++job, done += kMs) story->work(story->main, done, done + kMs, "Pose limb");
    for (int64_t job = 0; job < (is_alone ? 0 : 3); ++job)
      for (const uint32_t lane : {story->worker, story->other})
        story->work(lane, at + (1 + job) * kMs, at + (2 + job) * kMs, "Pose limb");
    story->work(story->main, done, at + (is_alone ? 16 : 10) * kMs, "Draw");
  }
}

}  // namespace

TEST_CASE("order: the thread that helps is said to have done all jobs, and not to have got more of them") {
  Story story;
  share_jobs(&story, nullptr);
  const flamelet_cause& cause = story.first_cause(16 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Help > Pose limb");
  CHECK(cause.verdict == FLAMELET_VERDICT_ORDER);
  CHECK(contains(story.text(), "each took as long as usual, but 8 ran on Main, usually some of them on "));
}

TEST_CASE("order: where those who usually share the jobs did something else, that is the cause") {
  Story story;
  share_jobs(&story, "Bake probe");
  const flamelet_cause& cause = story.first_cause(16 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Bake probe");
  CHECK(cause.verdict == FLAMELET_VERDICT_NEW);
  CHECK(contains(story.text(),
                 " Main did more as Other was 8.5 ms in Bake probe: new, never in those frames; meanwhile Main ran 8 "
                 "\xC3\x97 Pose limb."));
}

TEST_CASE("order: a job that ran on the thread before the wanted one, and usually after it, is named") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const bool is_last = i == kFrames;
    const int64_t at = kFrame * i, tile = at + (is_last ? 5 : 1) * kMs, prepaint = at + (is_last ? 1 : 5) * kMs;
    const int64_t drawn = std::max(tile + 4 * kMs, at + 5 * kMs + 1000);
    if (is_last) story.work(story.worker, prepaint, prepaint + 4 * kMs - 1000, "Prepaint");
    story.work(story.worker, tile, tile + 4 * kMs - 1000, "Tile");
    if (!is_last) story.work(story.worker, prepaint, prepaint + 4 * kMs - 1000, "Prepaint");
    story.work(story.main, at, at + 5 * kMs, "Animate");
    story.wait(story.main, at + 5 * kMs, drawn, "Wait for tiles");
    if (is_last) story.flow(story.worker, tile + 4 * kMs - 1000, story.main, tile + 4 * kMs - 500);
    story.work(story.main, drawn, at + kFrame + (is_last ? 4 * kMs : 0), "Draw");
  }
  const flamelet_cause& cause = story.first_cause(kFrame + 4 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Prepaint");
  CHECK(cause.verdict == FLAMELET_VERDICT_ORDER);
  CHECK(contains(story.text(), "it took as long as usual, but ran before Tile"));
}

TEST_CASE("order: nothing is said to have taken as long as it usually does, and to be slower for that") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i;
    const bool is_late = i == kFrames;
    if (is_late) story.work(story.other, at, at + 20 * kMs, "Fetch");
    const int64_t step = at + (is_late ? 20 * kMs : 0);
    story.work(story.other, step + 1000, step + 600000, "Physics step");
    story.wait(story.main, at, step + 601000, "Join");
    story.work(story.main, step + 601000, step + kFrame, "Draw");
  }
  story.first_cause(30 * kMs);
  CAPTURE(story.text());
  CHECK(!contains(story.text(), "took 0.6 ms, usually 0.6"));
  CHECK(story.path(story.why.causes[0]) == "Fetch");
}

}  // namespace explain_test
