// SPDX-License-Identifier: MIT
//
// Waits that tell more than their length: that were shorter than usual, for work that nobody began, and paths that are
// rare but as long as ever.
#include "explain/story.h"

namespace explain_test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Each frame asks the worker for a job of 2 ms and waits for it. The job begins `late_ns` after the wait did. Returns how
// long the frame takes.
int64_t ask(Story* story, int64_t at, int64_t late_ns, bool says_who_asked) {
  const int64_t waited = at + kMs, began = waited + late_ns, done = began + 2 * kMs;
  story->work(story->worker, began, done, "Job");
  if (says_who_asked) story->flow(story->main, waited - 1000, story->worker, began + 100);
  story->flow(story->worker, done, story->main, done + 500);
  story->wait(story->main, waited, done + 1000, "Join");
  story->work(story->main, done + 1000, done + 6 * kMs, "Draw");
  return done + 6 * kMs - at;
}

}  // namespace

TEST_CASE("waits: two causes are both named though a shorter wait for the display made up for one of them") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, each_ns = i == kFrames ? 9 * kMs : 2 * kMs;
    story.work(story.main, at, at + each_ns, "Think");
    story.work(story.main, at + each_ns, at + 2 * each_ns, "Draw");
    if (i < kFrames) story.wait(story.main, at + 2 * each_ns, at + kFrame, "Present");
  }
  story.first_cause(18 * kMs);
  CHECK(story.why.surplus_ns == 8 * kMs);
  REQUIRE(story.why.cause_count == 2);
  for (const char* const name : {"Think", "Draw"}) {
    const flamelet_cause* const cause = story.cause_of(name);
    REQUIRE(cause != nullptr);
    CHECK(cause->surplus_ns == 7 * kMs);
  }
  CHECK(story.why.unexplained_ns == 0);
}

TEST_CASE("waits: a thread that works now and then made nobody wait, though its work ended when the wait did") {
  for (const bool had_no_processor : {false, true}) {
    Story story;
    const int64_t end = kFrame * kFrames + 700 * kMs;
    for (int64_t at = kFrame; at <= end; at += kFrame) story.work(story.other, at - 160000, at - 10000, "Mix");
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i;
      story.work(story.main, at, at + kMs, "Draw");
      story.wait(story.main, at + kMs, i == kFrames ? end : at + kFrame, "Present");
    }
    if (had_no_processor) story.time_of(story.other, 60 * kMs, 20 * kMs);
    const flamelet_cause& cause = story.first_cause(700 * kMs);
    CHECK(story.path(cause) == "Present");
    CHECK(cause.time_ns == 699 * kMs);
    CHECK(!contains(story.text(), "Other"));
  }
}

TEST_CASE("waits: a call of which more was waited for than usual took no longer for that") {
  for (const int64_t took : {5, 9}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, late = i == kFrames ? 20 * kMs : 0, each = i == kFrames ? took * kMs : 5 * kMs;
      if (late != 0) story.work(story.other, at + 1000, at + late, "Pose");
      story.work(story.other, at + late + 1000, at + late + each, "Decals");
      story.flow(story.other, at + late + each - 500, story.main, at + late + each);
      const int64_t asked = i == kFrames ? at + kMs : at + 4700000;
      story.work(story.main, at, asked, "Draw");
      story.wait(story.main, asked, at + late + each + 500, "Join");
      story.work(story.main, at + late + each + 500, at + late + each + 5 * kMs, "Present");
    }
    story.first_cause((25 + took) * kMs);
    const flamelet_cause* const decals = story.cause_of("Decals");
    REQUIRE(decals != nullptr);
    CAPTURE(story.text());
    CHECK(decals->verdict == (took == 5 ? FLAMELET_VERDICT_WAIT : FLAMELET_VERDICT_SLOWER_CALLS));
    CHECK(contains(story.text(), "it took as long as usual, and usually 0.3 ms of it are waited for") == (took == 5));
    CHECK(contains(story.text(), "1 call took 9.0 ms, usually") == (took == 9));
  }
}

TEST_CASE("waits: a wait for work that was asked for, and that no thread began, says so") {
  for (const bool says_who_asked : {true, false}) {
    Story story;
    for (int64_t i = 0; i < kFrames; ++i) ask(&story, kFrame * i, 1000, says_who_asked);
    const int64_t took_ns = ask(&story, kFrame * kFrames, 30 * kMs, says_who_asked);
    const flamelet_cause& cause = story.first_cause(took_ns);
    CHECK(story.path(cause) == "Join");
    CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
    CHECK(((cause.flags & FLAMELET_PIECE_NOT_BEGUN) != 0) == says_who_asked);
    CHECK(contains(story.text(), "for work that was asked for, and not begun") == says_who_asked);
    CHECK(contains(story.explain.json(story.capture, story.why), "\"not_begun\":true") == says_who_asked);
  }
}

TEST_CASE("waits: of what is rare it is said how long it took in the frames that had it") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i;
    const bool has_save = i == 10 || i == 20 || i == kFrames;
    if (has_save) story.work(story.main, at + kMs, at + (i == kFrames ? 41 : 3) * kMs, "Save");
    story.work(story.main, at, at + (i == kFrames ? 50 * kMs : kFrame), "Update");
  }
  const flamelet_cause& cause = story.first_cause(50 * kMs);
  CHECK(story.path(cause) == "Update > Save");
  CHECK(cause.seen_frames == 2);
  CHECK(cause.usual_there_ns == 2 * kMs);
  CHECK(contains(story.text(), "in Save: rare, 2.0 ms in 2 of those frames."));
}

TEST_CASE(
    "waits: of a wait behind a wait both are named, and a second cause of the same weight stands in the sentence") {
  Story story;
  const int64_t end = kFrame * kFrames;
  for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
  // Main waits for Other, which waits for Worker and works as long itself.
  story.wait(story.main, end, end + 60 * kMs, "Wait for step");
  story.wait(story.other, end, end + 30 * kMs, "Lock town");
  story.work(story.worker, end, end + 30 * kMs, "Survey");
  story.flow(story.worker, end + 30 * kMs, story.other, end + 30 * kMs);
  story.work(story.other, end + 30 * kMs, end + 58 * kMs, "Step");
  story.flow(story.other, end + 58 * kMs, story.main, end + 58 * kMs);
  story.work(story.main, end + 60 * kMs, end + 70 * kMs, "Draw");
  story.first_cause(70 * kMs);
  const std::string text = story.text();
  CHECK(contains(text,
                 "Main waited 30.0 ms for Worker in Survey: new, never in those frames. Another 28.0 ms: Step (new)."));
  CHECK(contains(text, "; waited for in Lock town, and therefore in Wait for step\n"));
  CHECK(contains(text, "  +28.0 ms  Other: Step: new, never in those frames; waited for in Wait for step"));
}

TEST_CASE("waits: of a second cause in the sentence it is said, too, that it is only probable") {
  Story story;
  const int64_t end = kFrame * kFrames;
  for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
  // No flow says that Main waits for Other.
  story.wait(story.main, end, end + 60 * kMs, "Wait for step");
  story.wait(story.other, end, end + 32 * kMs, "Lock town");
  story.work(story.worker, end, end + 32 * kMs, "Survey");
  story.flow(story.worker, end + 32 * kMs, story.other, end + 32 * kMs);
  story.work(story.other, end + 32 * kMs, end + 60 * kMs, "Step");
  story.work(story.main, end + 60 * kMs, end + 70 * kMs, "Draw");
  story.first_cause(70 * kMs);
  CHECK(contains(story.text(), " Another 28.0 ms (probably): Step ("));
}

}  // namespace explain_test
