// SPDX-License-Identifier: MIT
//
// Waits that tell more than their length: that were shorter than usual, for work that nobody began, and paths that are
// rare but as long as ever.
#include <algorithm>

#include "explain/story.h"
#include "flamelet/file.h"
#include "flamelet/lock.h"

namespace explain_test::waits_test {
namespace {

// Each frame asks the worker for a job of 2 ms and waits for it. The job begins `late_ns` after the wait did. Returns how
// long the frame takes.
// `marks_idle`: the worker marks where it has nothing to do. `other_ns`: so long it does something else just before.
int64_t ask(Story* story, int64_t at, int64_t late_ns, bool says_who_asked, bool marks_idle = false,
            int64_t other_ns = 0) {
  const int64_t waited = at + kMs, began = waited + late_ns, done = began + 2 * kMs;
  if (marks_idle) story->wait(story->worker, at, began - other_ns - (other_ns == 0 ? 6000 : 100), "Idle");
  if (other_ns != 0) story->work(story->worker, began - other_ns, began - 100, "Poll");
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
    CHECK(cause.time_ns > 678 * kMs);
    CHECK(!contains(story.text(), "Other"));
  }
}

TEST_CASE("waits: a short job of each frame that began late is named, if the wait is for it in the frames before") {
  for (const bool waits_for_it : {true, false}) {
    CAPTURE(waits_for_it);
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, late = i == kFrames ? 28 * kMs : 6 * kMs;
      story.work(story.main, at, at + 5 * kMs, "Draw");
      story.work(story.other, at + late - 500000, at + late, "Mix");
      // Where it is for something else, it ends much later than that, or before.
      const int64_t end = waits_for_it || i == kFrames ? at + late + 10000 : at + (i % 2 == 0 ? 9 : 5) * kMs + 100000;
      story.wait(story.main, at + 5 * kMs, end, "Wait for sound");
    }
    const flamelet_cause& cause = story.first_cause(29 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Wait for sound");
    CHECK(contains(story.text(), "; probably Other began Mix only then") == waits_for_it);
    CHECK(contains(story.text(), "probably for something that is not recorded") == !waits_for_it);
  }
}

TEST_CASE("waits: who waits for something to do in each frame is not whom a sleeper waited for") {
  Story story;
  const int64_t last = kFrame * kFrames;
  for (int64_t at = 0; at <= last; at += kFrame) {
    story.work(story.main, at, at + 5 * kMs, "Draw");
    if (at == last) story.work(story.main, at + 5 * kMs, at + 29 * kMs, "Save");
  }
  // It ends now and then, as a timer wants it; and once it is as Save ends.
  for (int64_t at = 4 * kMs; at < last; at += 25 * kMs) {
    const int64_t end = std::min(at + 24 * kMs, last + 4 * kMs);
    story.wait(story.other, at, end, "Poll");
    story.work(story.other, end, end + 100000, "Handle message");
  }
  story.wait(story.other, last + 5 * kMs, last + 28800000, "Poll");
  story.work(story.other, last + 28800000, last + 28900000, "Handle message");
  for (int64_t i = 0; i <= kFrames; ++i)
    for (const uint32_t lane : {story.main, story.other})
      story.time_of(lane,
                    lane == story.other ? 10000
                    : i == kFrames      ? 6 * kMs
                                        : 5 * kMs,
                    0, static_cast<uint64_t>(i) + 1);
  const flamelet_cause& cause = story.first_cause(29 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Save");
  CHECK(!contains(story.text(), "Poll"));
}

TEST_CASE("waits: who does a little again and again and sleeps for longer made nobody wait") {
  Story story;
  const int64_t last = kFrame * kFrames, end = last + 29 * kMs;
  for (int64_t at = 0; at <= last; at += kFrame) {
    story.work(story.main, at, at + 9 * kMs, "Draw");
    story.wait(story.main, at + 9 * kMs, at == last ? end : at + kFrame, "Limit frame rate");
  }
  constexpr int64_t kPeriod = 1070000;  // it ends with the last wait by chance
  for (int64_t at = (end - 310000) % kPeriod; at < end; at += kPeriod)
    story.work(story.worker, at, at + 300000, "Poll sockets");
  story.time_of(story.worker, 9 * kMs, 20 * kMs);  // it may have had no processor in between
  const flamelet_cause& cause = story.first_cause(29 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Limit frame rate");
  CHECK(cause.surplus_ns == 19 * kMs);
}

TEST_CASE("waits: who waits for a clock between works that are shorter is not who was waited for") {
  Story story;
  const int64_t last = kFrame * kFrames, end = last + 40 * kMs;
  for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
  story.wait(story.main, last, end, "Wait for picture");
  story.work(story.main, end, end + 5 * kMs, "Draw");
  story.work(story.other, last, end - kMs, "Read packet");
  story.wait(story.worker, last, end - kMs + 5000, "Wait for packet");
  story.work(story.worker, end - kMs + 5000, end - 5000, "Decode");
  const uint32_t audio = story.lane("Audio");
  for (int64_t at = end - 2 * kMs; at > last; at -= 5 * kMs) {
    story.wait(audio, at - 3 * kMs, at, "Wait for device");
    story.work(audio, at, at + 2 * kMs - 3000, "Mix");
  }
  const flamelet_cause& cause = story.first_cause(45 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Read packet");
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
    CHECK(contains(story.text(), "; Worker began Job only then."));
    const std::string json = story.explain.json(story.capture, story.why);
    CHECK(contains(json, "\"not_begun\":true") == says_who_asked);
    CHECK(contains(json, "\"begun_lane\":\"Worker\",\"begun_path\":[\"Job\"]"));
  }
}

TEST_CASE("waits: a thread that began late is said to have slept where its states say so") {
  for (const int64_t slept : {30, 20}) {
    Story story;
    const auto put = [&story](int64_t time_ns, flamelet_state_kind kind) {
      CHECK(flamelet_capture_builder_switch(story.building.builder, story.worker, time_ns, kind, 0));
    };
    const int64_t waited = kFrame * kFrames + kMs, began = waited + 30 * kMs;
    for (int64_t i = 0; i < kFrames; ++i) ask(&story, kFrame * i, 1000, true);
    const int64_t took_ns = ask(&story, kFrame * kFrames, 30 * kMs, true);
    put(0, FLAMELET_STATE_RUNNING);
    put(began - slept * kMs, FLAMELET_STATE_ASLEEP);
    put(began, FLAMELET_STATE_RUNNING);
    story.first_cause(took_ns);
    CAPTURE(story.text());
    CHECK(contains(story.text(),
                   slept == 30 ? "; Worker slept and began Job only then" : "; Worker began Job only then"));
  }
}

TEST_CASE("waits: what kept a thread from work that was asked for is the cause") {
  Story story;
  for (int64_t i = 0; i < kFrames; ++i) ask(&story, kFrame * i, 1000, true);
  const int64_t took_ns = ask(&story, kFrame * kFrames, 30 * kMs, true, false, 29 * kMs);
  const flamelet_cause& cause = story.first_cause(took_ns);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Poll");
  CHECK((cause.flags & FLAMELET_PIECE_PROBABLY) == 0);
  CHECK(contains(story.text(), "Main waited 29.0 ms for Worker in Poll"));
}

TEST_CASE("waits: work that was asked for and not begun is said where idle threads mark that they wait, too") {
  for (const bool marks_idle : {false, true}) {
    for (const int64_t other_ns : {int64_t{0}, int64_t{10000}, int64_t{120000}}) {
      Story story;
      for (int64_t i = 0; i < kFrames; ++i) ask(&story, kFrame * i, 1000, true, marks_idle);
      const int64_t took_ns = ask(&story, kFrame * kFrames, 30 * kMs, true, marks_idle, other_ns);
      const flamelet_cause& cause = story.first_cause(took_ns);
      CAPTURE(marks_idle);
      CAPTURE(other_ns);
      CAPTURE(story.text());
      CHECK(story.path(cause) == "Join");
      CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
      CHECK((cause.flags & FLAMELET_PIECE_NOT_BEGUN) != 0);
      if (other_ns == 0)
        CHECK(contains(story.text(),
                       marks_idle ? "; Worker was idle and began Job only then" : "; Worker began Job only then"));
    }
  }
}

TEST_CASE("waits: who held a lock is found though he went on a little before he let it go") {
  Story story;
  const int64_t at = kFrame * kFrames;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t waited = i == kFrames ? 20 * kMs : 1000;
    story.wait(story.main, kFrame * i, kFrame * i + waited, "Lock registry");
    story.work(story.main, kFrame * i + waited, kFrame * (i + 1) + (i == kFrames ? waited : 0), "Draw");
  }
  story.work(story.other, at - kMs, at + 20 * kMs - 200000, "Read header");
  story.work(story.other, at - kMs, at + 25 * kMs, "Register chunk");
  const flamelet_cause& cause = story.first_cause(30 * kMs);
  CHECK(story.path(cause) == "Register chunk > Read header");
  CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
  CHECK((cause.flags & FLAMELET_PIECE_PROBABLY) != 0);
}

TEST_CASE("waits: who held a lock while he waited in the middle of his work is found") {
  Story story;
  const int64_t at = kFrame * kFrames;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t waited = i == kFrames ? 20 * kMs : 1000;
    story.wait(story.main, kFrame * i, kFrame * i + waited, "Lock registry");
    story.work(story.main, kFrame * i + waited, kFrame * (i + 1) + (i == kFrames ? waited : 0), "Draw");
  }
  story.wait(story.other, at - kMs, at + 20 * kMs - 10000, "Read header");
  story.work(story.other, at - kMs, at + 25 * kMs, "Register chunk");
  const flamelet_cause& cause = story.first_cause(30 * kMs);
  CHECK(story.path(cause) == "Register chunk > Read header");
  CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
}

TEST_CASE("waits: who hardly worked was waited for, if it had waited for another thread that worked all the time") {
  for (const bool other_worked : {true, false}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, took = i == kFrames ? 20 * kMs : 100000;
      if (other_worked || i != kFrames) story.work(story.other, at + kMs, at + kMs + took - 5000, "Read tile");
      story.wait(story.worker, at, at + kMs + took, "Wait for data");
      story.work(story.worker, at + kMs + took + 5000, at + kMs + took + 300000, "Inflate tile");
      story.wait(story.main, at + kMs, at + kMs + took + 320000, "Wait for tiles");
      story.work(story.main, at + kMs + took + 320000, at + kFrame + (i == kFrames ? took : 0), "Draw");
    }
    const flamelet_cause& cause = story.first_cause(kFrame + 20 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (other_worked ? "Read tile" : "Wait for tiles"));
    if (!other_worked) continue;
    CHECK(contains(story.text(),
                   "Main waited 20.0 ms (probably) for Worker in Wait for data, which waited for Other in "
                   "Read tile: 1 call took 20.0 ms, usually 0.1"));
  }
}

// Its thread goes on with the next job at once, after a look into its queue.
TEST_CASE("waits: a job that came behind one that took long is found, but not what a busy thread ends all the time") {
  for (const bool is_once : {true, false}) {
    Story story;
    const int64_t at = kFrame * kFrames, end = at + 22 * kMs;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t until = i == kFrames ? end + 60000 : kFrame * i + 1000;
      story.wait(story.main, kFrame * i, until, "Wait for peaks");
      story.work(story.main, until, kFrame * (i + 1) + (i == kFrames ? 22 * kMs : 0), "Draw");
      const int64_t flushed = kFrame * i + (i == kFrames ? 21 : 2) * kMs;
      story.work(story.worker, kFrame * i, flushed, "Flush");
      if (i != kFrames || !is_once) story.work(story.worker, flushed - kMs / 2, flushed, "Build peaks");
    }
    story.work(story.worker, end - kMs, end, "Build peaks");
    story.wait(story.worker, end, end + 1000, "Next");
    story.work(story.worker, end + 1000, end + 4 * kMs, "Read");
    const uint32_t audio = story.lane("Audio");  // gives the other one its work, every 4 ms
    for (int64_t tick = at - 4 * kMs; tick <= end; tick += 4 * kMs) {
      const int64_t mixed = tick + (end - at) % (4 * kMs);
      story.wait(audio, mixed - 4 * kMs, mixed - 750000, "Device");
      story.work(audio, mixed - 750000, mixed, "Signal");
      story.wait(story.other, mixed - 3950000, mixed - 700000, "Wait for input");
      story.flow(audio, mixed - 710000, story.other, mixed - 700000);
      story.work(story.other, mixed - 700000, mixed + 50000, "Mix");
    }
    const flamelet_cause& cause = story.first_cause(kFrame + 22 * kMs);
    CAPTURE(story.text());
    CHECK((story.path(cause) == "Flush") == is_once);
  }
}

TEST_CASE("waits: without states, new work that ended as a scope went on held that up, probably") {
  for (const bool ended : {true, false}) {
    Story story;
    const int64_t at = kFrame * kFrames;
    for (int64_t i = 0; i < kFrames; ++i) {
      story.work(story.main, kFrame * i, kFrame * i + 3 * kMs, "Read chat");
      story.work(story.main, kFrame * i + 3 * kMs, kFrame * (i + 1), "Draw");
      story.time_of(story.main, kFrame, 0, static_cast<uint64_t>(i) + 1);
    }
    story.work(story.main, at, at + 20 * kMs, "Read chat");
    story.work(story.other, at - kMs, at + 20 * kMs - (ended ? 20000 : 5 * kMs), "Filter chat");
    story.work(story.main, at + 20 * kMs, at + 30 * kMs, "Draw");
    story.time_of(story.main, 18 * kMs, 0);  // it may have slept for 12 ms
    const flamelet_cause& cause = story.first_cause(30 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (ended ? "Filter chat" : "Read chat"));
    if (ended)
      CHECK(contains(story.text(), "Main waited 20.0 ms (probably) for Other in Filter chat: a lock, or new work"));
  }
}

TEST_CASE("waits: work that is done now and then, and was always waited for, is rare, and did not begin late") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const bool collects = i == 10 || i == 20 || i == 30 || i == kFrames;
    const int64_t at = kFrame * i, took = collects ? 4 * kMs : 0;
    if (collects) story.work(story.other, at + 5000, at + took - 5000, "Collect");
    if (collects) story.wait(story.main, at, at + took, "Stopped for GC");
    story.work(story.main, at + took, at + kFrame + (i == kFrames ? took : 0), "Draw");
  }
  const flamelet_cause& cause = story.first_cause(kFrame + 4 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Collect");
  CHECK(
      contains(story.text(), "Main waited 4.0 ms (probably) for Other in Collect: rare, 4.0 ms in 3 of those frames"));
  CHECK(!contains(story.text(), "began later"));
}

TEST_CASE("waits: the sentence says how long the main thread waited, however long the work took") {
  Story story;
  const int64_t at = kFrame * kFrames;
  for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
  story.work(story.main, at, at + 5 * kMs, "Draw");
  story.wait(story.main, at + 5 * kMs, at + 25 * kMs, "Wait for crunch");
  story.work(story.other, at + kMs, at + 25 * kMs - 5000, "Crunch");
  story.work(story.main, at + 25 * kMs, at + 30 * kMs, "Draw");
  const flamelet_cause& cause = story.first_cause(30 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Crunch");
  CHECK(cause.waited_ns == 20 * kMs);
  CHECK(contains(story.text(), "Main waited 20.0 ms (probably) for Other in Crunch"));
}

TEST_CASE("waits: who held a lock that recorded the wait for it is a lock's, and the wait has the program's own name") {
  Story story;
  const int64_t at = kFrame * kFrames;
  const uint32_t lock = story.recorded_wait("lock");
  for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
  story.building.span(story.main, at + 1000, at + 20 * kMs - 1000, lock);
  story.wait(story.main, at, at + 20 * kMs, "Wait for world");
  story.work(story.other, at - kMs, at + 20 * kMs - 2000, "Save game");
  story.flow(story.other, at + 20 * kMs - 2000, story.main, at + 20 * kMs - 1500);
  story.work(story.main, at + 20 * kMs, at + 30 * kMs, "Draw");
  story.time_of(story.other, 3 * kMs, 0);
  const flamelet_cause& cause = story.first_cause(30 * kMs);
  CHECK(story.path(cause) == "Save game");
  CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
  CHECK((cause.flags & FLAMELET_CAUSE_HELD_LOCK) != 0);
  CHECK(cause.asleep_ns >= 17 * kMs - 2000);
  CHECK(contains(story.text(),
                 "Main waited 20.0 ms for Other in Save game: it held the lock lock, never in those frames"));
  CHECK(contains(story.text(), "; waited for in Wait for world"));
}

TEST_CASE("waits: of a recorded lock that several held in turn, what they did is named, and how many they were") {
  for (const bool is_one : {true, false}) {
    Story story;
    const int64_t at = kFrame * kFrames;
    const uint32_t lock = story.recorded_wait("lock");
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    story.building.span(story.main, at + 1000, at + 20 * kMs, lock);
    if (!is_one) {
      story.work(story.worker, at, at + 10 * kMs, "File papers");
      story.building.span(story.other, at + 2000, at + 10 * kMs + 1000, lock);
      story.flow(story.worker, at + 10 * kMs, story.other, at + 10 * kMs + 1000);
    }
    story.work(story.other, is_one ? at : at + 10 * kMs + 1000, at + 20 * kMs - 1000, "File papers");
    story.flow(story.other, at + 20 * kMs - 1000, story.main, at + 20 * kMs);
    story.work(story.main, at + 20 * kMs, at + 30 * kMs, "Draw");
    const flamelet_cause& cause = story.first_cause(30 * kMs);
    CHECK(story.path(cause) == "File papers");
    CHECK(cause.threads == (is_one ? 0 : 2));
    CHECK(contains(story.text(), "2 threads held the lock lock in turn") == !is_one);
    CHECK(contains(story.text(), "it held the lock lock") == is_one);
  }
}

TEST_CASE("waits: a call to a file that blocked is the cause, whoever ended work as it came back") {
  for (const bool is_recorded : {true, false}) {
    Story story;
    const int64_t at = kFrame * kFrames;
    flamelet_capture_builder* const builder = story.building.builder;
    const uint32_t read = story.recorded_wait("read", is_recorded ? FLAMELET_FILE_FUNCTION_ : "load");
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    flamelet_span span = {};
    span.begin_ns = at + kMs;
    span.end_ns = at + 13 * kMs;
    span.site = read;
    span.object = story.building.string("town.pak");
    flamelet_capture_builder_span(builder, story.main, &span);
    story.work(story.main, at, at + 13 * kMs + 1000, "Load");
    story.work(story.other, at + kMs, at + 13 * kMs - 2000, "Mix");
    story.work(story.main, at + 13 * kMs + 1000, at + 22 * kMs, "Draw");
    const flamelet_cause& cause = story.first_cause(22 * kMs);
    CAPTURE(story.text());
    CHECK((story.path(cause) == "Load > read") == is_recorded);
    CHECK(((cause.flags & FLAMELET_CAUSE_FILE) != 0) == is_recorded);
    CHECK(contains(story.text(),
                   "Main waited 12.0 ms to read town.pak: a call to a file blocked, never in those "
                   "frames.") == is_recorded);
    if (is_recorded) CHECK(cause.verdict == FLAMELET_VERDICT_WAIT);
  }
}

TEST_CASE("waits: who held a lock in calls to files for longer than ever did not take as long as usual") {
  Story story;
  const uint32_t lock = story.recorded_wait("lock");
  const uint32_t calls[] = {story.recorded_wait("write", FLAMELET_FILE_FUNCTION_),
                            story.recorded_wait("sync", FLAMELET_FILE_FUNCTION_)};
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, held = i == kFrames ? 21 * kMs : 0;
    story.work(story.main, at, at + 2 * kMs, "Update");
    story.work(story.main, at + 2 * kMs + held, at + kFrame + held, "Draw");
    if (i % 8 != 0) continue;
    const int64_t end = at + 2 * kMs + (held == 0 ? 0 : held);
    story.work(story.worker, at + kMs, end, "Save");
    const int64_t half = at + kMs + (end - at - kMs) / 2;
    story.building.span(story.worker, at + kMs + 1000, half, calls[0]);
    story.building.span(story.worker, half + 1000, end - 1000, calls[1]);
    if (held == 0) continue;
    story.building.span(story.main, at + 2 * kMs, end, lock);
    story.flow(story.worker, end - 2000, story.main, end);
  }
  story.first_cause(31 * kMs);
  CAPTURE(story.text());
  CHECK(contains(story.text(), "for Worker in Save: it held the lock lock, in rare work, in 5 of those frames"));
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

TEST_CASE("waits: work that was there before, and that nobody waited for, is not said to be new") {
  struct Case {
    int64_t every, took_ns, last_ns;
    const char* text;
  };
  for (const Case& it : {Case{100, 0, 30 * kMs, "in Bake: new, never in those frames."},
                         Case{20, 8 * kMs, 30 * kMs, "in Bake: rare, in 2 of those frames."},
                         Case{4, 8 * kMs, 8 * kMs,
                              "in Bake: it took as long as usual, and usually 0.0 ms of it are waited for; it "
                              "probably began later."},
                         Case{1, 8 * kMs, 30 * kMs, "in Bake: 1 call took 30.0 ms, usually 8.0."}}) {
    CAPTURE(it.text);
    Story story;
    for (int64_t i = 0; i < kFrames; ++i) {
      const int64_t at = kFrame * i;
      const bool is_there = it.took_ns != 0 && i % it.every == 0;
      const int64_t waited_ns = it.every == 4 && i == 8 ? it.took_ns + 1000 : 0;  // for once
      if (is_there) story.work(story.worker, at, at + it.took_ns, "Bake");
      if (waited_ns != 0) story.wait(story.main, at, at + waited_ns, "Wait for Bake");
      if (waited_ns != 0) story.flow(story.worker, at + it.took_ns, story.main, at + waited_ns);
      story.work(story.main, at + waited_ns, at + kFrame, "Draw");
    }
    const int64_t at = kFrame * kFrames, until = at + kMs + it.last_ns;
    story.work(story.worker, at + kMs, until, "Bake");
    story.wait(story.main, at, until + 1000, "Wait for Bake");
    story.flow(story.worker, until, story.main, until + 1000);
    story.work(story.main, until + 1000, until + kFrame, "Draw");
    const flamelet_cause& cause = story.first_cause(until + kFrame - at);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Bake");
    CHECK(contains(story.text(), it.text));
    CHECK(cause.ran_frames == (it.took_ns == 0 ? 0 : (kFrames + it.every - 1) / it.every));
    CHECK(cause.read_frames == kFrames);
  }
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
                 "Main waited 30.0 ms for Other in Lock town, which waited for Worker in Survey: new, never in those "
                 "frames. Another 28.0 ms: Step (new)."));
  CHECK(contains(text, "; waited for in Lock town by Other, and therefore in Wait for step\n"));
  CHECK(contains(text, "  +28.0 ms  Other: Step: new, never in those frames; waited for in Wait for step"));
}

TEST_CASE("waits: who waited for whom is named from the main thread on, as JSON, too") {
  Story story;
  const int64_t end = kFrame * kFrames;
  const uint32_t third = story.lane("Disk");
  for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
  story.wait(story.main, end, end + 44 * kMs, "Wait for step");
  story.wait(story.other, end, end + 42 * kMs, "Lock town");
  story.wait(story.worker, end, end + 40 * kMs, "Take page");
  story.work(third, end, end + 39 * kMs, "Read page");
  story.flow(third, end + 39 * kMs, story.worker, end + 40 * kMs);
  story.work(story.worker, end + 40 * kMs, end + 41 * kMs, "Survey");
  story.flow(story.worker, end + 41 * kMs, story.other, end + 42 * kMs);
  story.work(story.other, end + 42 * kMs, end + 43 * kMs, "Step");
  story.flow(story.other, end + 43 * kMs, story.main, end + 44 * kMs);
  story.work(story.main, end + 44 * kMs, end + 54 * kMs, "Draw");
  const flamelet_cause& cause = story.first_cause(54 * kMs);
  REQUIRE(cause.via_count == 2);
  CHECK(contains(
      story.text(),
      "Main waited 39.0 ms for Other, which waited for Worker in Take page, which waited for Disk in Read page: "
      "new, never in those frames."));
  CHECK(contains(story.explain.json(story.capture, story.why), "\"via\":[\"Other\",\"Worker\"]"));
}

TEST_CASE("waits: in a recorded wait that no flow ends, no thread is guessed") {
  for (const bool is_recorded : {true, false}) {
    Story story;
    const int64_t at = kFrame * kFrames;
    const uint32_t event = story.recorded_wait("event", is_recorded ? FLAMELET_WAIT_FUNCTION_ : "take");
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    story.work(story.main, at, at + 20 * kMs, "Submit");
    story.building.span(story.main, at + 1000, at + 20 * kMs - 1000, event);
    story.work(story.other, at + kMs, at + 20 * kMs - 2000, "Mix");
    story.work(story.main, at + 20 * kMs, at + 30 * kMs, "Draw");
    const flamelet_cause& cause = story.first_cause(30 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (is_recorded ? "Submit" : "Mix"));
    CHECK(contains(story.text(),
                   "Main waited 20.0 ms in Submit: a lock or a wait, usually 0.0 ms, which no recorded thread "
                   "ended.") == is_recorded);
  }
}

TEST_CASE("waits: a recorded wait that ended in vain is one with the next, and what comes last tells for whom") {
  for (const bool was_woken : {true, false}) {  // else its time was up
    Story story;
    const int64_t at = kFrame * kFrames;
    const uint32_t event = story.recorded_wait("event");
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    story.wait(story.main, at, at + 30 * kMs, "Wait for rooms");
    story.building.span(story.main, at + 1000, at + 20 * kMs, event);
    story.building.span(story.main, at + 20 * kMs + 1000, at + 30 * kMs, event);
    story.work(story.other, at, at + 20 * kMs, "Step room");
    story.work(story.worker, at, at + 30 * kMs, "Step room");
    if (was_woken) story.flow(story.other, at + 20 * kMs - 1000, story.main, at + 20 * kMs);
    story.flow(story.worker, at + 30 * kMs - 1000, story.main, at + 30 * kMs);
    story.work(story.main, at + 30 * kMs, at + 40 * kMs, "Draw");
    const flamelet_cause& cause = story.first_cause(40 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "Main waited 30.0 ms for Worker in Step room"));
    CHECK(cause.time_ns > 29 * kMs);
  }
}

TEST_CASE("waits: a thread that lets another one go from no scope is named") {
  Story story;
  const int64_t at = kFrame * kFrames;
  for (int64_t i = 0; i < kFrames; ++i) {
    story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    story.work(story.other, kFrame * i, kFrame * i + kMs, "Job");
  }
  story.wait(story.main, at, at + 30 * kMs, "Wait for jobs");
  story.work(story.other, at, at + kMs, "Job");
  story.flow(story.other, at + 30 * kMs - 1000, story.main, at + 30 * kMs);
  story.work(story.main, at + 30 * kMs, at + 40 * kMs, "Draw");
  story.first_cause(40 * kMs);
  CHECK(contains(story.text(), "Main waited 29.0 ms for Other in no scope: no scope says what"));
}

TEST_CASE("waits: who ended short work and then waited again is one of a chain, and no busy thread") {
  Story story;
  const int64_t at = kFrame * kFrames, end = at + 30 * kMs;
  const uint32_t reader = story.lane("Reader");
  for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
  story.wait(story.main, at, end, "Wait for batch");
  story.flow(story.other, end - 1000, story.main, end);
  story.wait(story.other, at, end - 2 * kMs, "Queue is empty");
  story.work(story.other, end - 2 * kMs, end, "Write");
  story.wait(story.worker, at, end - 6 * kMs, "Queue is empty");
  story.work(story.worker, end - 6 * kMs, end - 2 * kMs - 20000, "Transform");
  story.wait(story.worker, end - 2 * kMs - 10000, end + 10 * kMs, "Queue is empty");
  story.work(reader, at, end - 6 * kMs - 20000, "Read");
  story.work(story.main, end, end + 10 * kMs, "Draw");
  const flamelet_cause& cause = story.first_cause(40 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Read");
  CHECK(
      contains(story.text(), "for Other, which waited for Worker in Queue is empty, which waited for Reader in Read"));
}

TEST_CASE("waits: a thread that finds its next work at once was not idle, and what a flow tells of is new") {
  // Whether a flow tells that Main went on when Worker's last job had ended; else it waits in no other frame.
  for (const bool is_told : {true, false}) {
    Story story;
    const uint32_t reader = story.lane("Reader");
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, read = i == kFrames ? 20 * kMs : 0, end = at + 4 * kMs + read;
      if (!is_told && i < kFrames) {
        story.work(story.main, at, at + kFrame, "Draw");
        continue;
      }
      story.work(story.main, at, at + kMs, "Submit");
      story.wait(story.main, at + kMs, end, "Wait for jobs");
      story.work(story.main, end, at + kFrame + read, "Draw");
      for (int64_t job = 0; job < 3; ++job) {
        const int64_t begin = at + kMs + (job == 0 ? 0 : kMs * job + read);
        const int64_t ended = at + 2 * kMs + kMs * job + read - 1000;
        story.flow(story.main, at + 1000 * job, story.worker, begin + 100);
        story.work(story.worker, begin, ended, "Job");
        story.wait(story.worker, ended, job == 2 ? at + kFrame + read + kMs : ended + 900, "Idle");
        if (job != 0 || read == 0) continue;
        story.flow(story.worker, begin + 1000, reader, begin + 2000);
        story.wait(story.worker, begin + 1000, begin + read, "Wait for chunk");
        story.work(reader, begin + 2000, begin + read - 2000, "Read chunk");
        story.flow(reader, begin + read - 3000, story.worker, begin + read);
      }
      if (is_told) story.flow(story.worker, end - 1500, story.main, end);
    }
    const flamelet_cause& cause = story.first_cause(30 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Read chunk");
    const std::string probably = is_told ? "" : " (probably)";
    CHECK(contains(story.text(), "Main waited 20.0 ms" + probably +
                                     " for Worker in Wait for chunk, which waited for Reader in Read chunk: new"));
  }
}

TEST_CASE("waits: a thread in between is said to have waited where the program says so, and not at an address") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, read = at + (i == kFrames ? 25 : 1) * kMs;
    story.work(story.other, at, read, "Read chunk");
    story.flow(story.other, read - 1000, story.worker, read + 1000);
    story.wait(story.worker, at, read + 2000, "Wait for chunk");
    story.building.span(story.worker, at + 1000, read + 1500, story.recorded_wait("game+0x27d74"));
    story.work(story.worker, read + 2000, read + kMs, "Decode");
    story.flow(story.worker, read + kMs - 1000, story.main, read + kMs + 1000);
    story.wait(story.main, at, read + kMs + 1500, "Join");
    story.work(story.main, read + kMs + 1500, read + 9 * kMs, "Draw");
  }
  story.first_cause(34 * kMs);
  CAPTURE(story.text());
  CHECK(contains(story.text(), "for Worker in Wait for chunk, which waited for Other in Read chunk"));
  CHECK(!contains(story.text(), "game+0x27d74"));
}

TEST_CASE("waits: who wanted the same lock, or had nothing to do, is not whom a thread waited for") {
  enum How { kSameLock, kIdle, kOtherLock };
  for (const How how : {kSameLock, kIdle, kOtherLock}) {
    Story story;
    const int64_t at = kFrame * kFrames, done = at + 20 * kMs;
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    // Nobody is known who let Other go on.
    story.building.span(story.main, at, done, story.recorded_wait("lock"));
    constexpr const char* kOthers[] = {"lock", "event", "shared lock"};
    story.building.span(story.other, at - kMs, done - kMs, story.recorded_wait(kOthers[how]));
    story.work(story.other, done - kMs, done - 1000, "Mix");
    story.flow(story.other, done - 1000, story.main, done - 500);
    story.work(story.main, done, done + kFrame, "Draw");
    const flamelet_cause& cause = story.first_cause(30 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (how == kOtherLock ? "shared lock" : "lock"));
    CHECK(contains(story.text(), "; Other began Mix only then") == (how == kSameLock));
    CHECK(contains(story.text(), "; Other was idle and began Mix only then") == (how == kIdle));
  }
}

TEST_CASE("waits: work that came before what had been asked for says what it put off") {
  for (const bool was_asked : {true, false}) {
    Story story;
    const int64_t at = kFrame * kFrames, asked = at + (was_asked ? kMs : 30 * kMs);
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    story.work(story.main, at, at + 2 * kMs, "Draw");
    story.wait(story.main, at + 2 * kMs, at + 33 * kMs, "Wait for poses");
    story.work(story.worker, at + kMs, at + 31 * kMs, "Bake tile");
    story.work(story.worker, at + 31 * kMs, at + 33 * kMs - 2000, "Pose unit");
    story.flow(story.main, asked, story.worker, at + 31 * kMs);
    story.flow(story.worker, at + 33 * kMs - 2000, story.main, at + 33 * kMs - 1000);
    story.work(story.main, at + 33 * kMs, at + 40 * kMs, "Draw");
    const flamelet_cause& cause = story.first_cause(40 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Bake tile");
    CHECK(contains(story.text(), "Worker began Pose unit only then") == was_asked);
  }
}

TEST_CASE("waits: messages that stood before the one that was asked for are the cause, whichever thread took them") {
  for (const char* const trouble : {"same thread", "other thread", "no processor", "nor Main"}) {
    Story story;
    const bool is_same = trouble == std::string("same thread"), is_mains = trouble == std::string("nor Main");
    const bool is_lost = is_mains || trouble == std::string("no processor");
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, asked = at + kMs;
      const int64_t messages = i == kFrames && !is_lost ? 30 : 1, late = i == kFrames ? 31 * kMs : 2 * kMs;
      story.work(story.main, at, asked, "Draw");
      for (int64_t message = 0; message < messages; ++message)
        story.work(is_same ? story.worker : story.other, asked + message * kMs, asked + (message + 1) * kMs - 1000,
                   "Post");
      story.work(story.worker, asked + late, asked + late + kMs, is_lost ? "Answer" : "Post");
      story.flow(story.main, asked - 1000, story.worker, asked + late + 100);
      story.flow(story.worker, asked + late + kMs - 1000, story.main, asked + late + kMs);
      story.wait(story.main, asked, asked + late + kMs, "Await answer");
      story.work(story.main, asked + late + kMs, i == kFrames ? at + 40 * kMs : at + kFrame, "Draw");
      story.time_of(story.worker, 2 * kMs, i == kFrames && is_lost ? 29 * kMs : 0, static_cast<uint64_t>(i) + 1);
      // Main may have lost a little of its wait, too.
      if (is_mains) story.time_of(story.main, 7 * kMs, i == kFrames ? 2 * kMs : 0, static_cast<uint64_t>(i) + 1);
    }
    const flamelet_cause& cause = story.first_cause(40 * kMs);
    CAPTURE(story.text());
    if (is_lost) {
      CHECK(story.path(cause) == "Answer");
      CHECK(contains(story.text(),
                     "Main waited for Worker, which had no processor to begin Answer: preempted, did not run for " +
                         std::string(is_mains ? "27.0" : "29.0") + " ms before it began"));
      continue;
    }
    CHECK(story.path(cause) == "Post");
    CHECK(cause.verdict == FLAMELET_VERDICT_MORE_CALLS);
    CHECK(contains(story.text(), is_same
                                     ? "Main waited 30.0 ms for Worker in Post: 30 calls, usually 2, each about as"
                                     : "Main waited 30.0 ms for Other in Post: 30 calls, usually 2, each about as"));
  }
}

TEST_CASE("waits: who kept the thread that began late in a lock, as a flow tells, held it") {
  Story story;
  const uint32_t lock = story.recorded_wait("lock");
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, asked = at + kMs, late = i == kFrames ? 31 * kMs : kMs;
    story.work(story.main, at, asked, "Draw");
    if (i == kFrames) {
      story.work(story.other, at, asked + 30 * kMs, "Reload routes");
      story.work(story.worker, at, asked + late - 1000, "Network");
      story.building.span(story.worker, at + 1000, asked + 30 * kMs + 2000, lock);
      story.flow(story.other, asked + 30 * kMs - 1000, story.worker, asked + 30 * kMs + 1000);
    }
    story.work(story.worker, asked + late, asked + late + kMs, "Answer");
    story.flow(story.main, asked - 1000, story.worker, asked + late + 100);
    story.flow(story.worker, asked + late + kMs - 1000, story.main, asked + late + kMs);
    story.wait(story.main, asked, asked + late + kMs, "Await answer");
    story.work(story.main, asked + late + kMs, i == kFrames ? at + 40 * kMs : at + kFrame, "Draw");
  }
  story.first_cause(40 * kMs);
  CAPTURE(story.text());
  CHECK(contains(story.text(),
                 "Main waited 30.0 ms for Worker, which waited for Other in Reload routes: it held the "
                 "lock lock, never in those frames."));
}

TEST_CASE("waits: a flow that ends in the next wait says nothing of the one before") {
  for (const bool is_next : {true, false}) {
    Story story;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, done = at + (i == kFrames ? 30 : 3) * kMs;
      story.work(story.worker, at + kMs, at + 2 * kMs, "Persist");
      story.work(story.other, at, done - 5000, "Simulate region");
      story.wait(story.main, at, done, "Wait for regions");
      if (is_next) story.wait(story.main, done + 2000, done + 4000, "Wait for store");
      story.flow(story.worker, at + 2 * kMs - 1000, story.main, done + 3000);
      story.work(story.main, done + 5000, i == kFrames ? done + 7 * kMs : at + kFrame, "Draw");
    }
    CHECK(story.path(story.first_cause(37 * kMs)) == "Simulate region");
    const auto is_persist = [&](const flamelet_piece& piece) {
      return story.explain.path(story.capture, piece.path) == "Persist";
    };
    CHECK(std::any_of(story.why.pieces, story.why.pieces + story.why.piece_count, is_persist) == !is_next);
  }
}

TEST_CASE("waits: work that several threads shared on the path says how many, and who did most") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, each = i == kFrames ? 8 * kMs : kMs;
    story.work(story.main, at, at + each, "Solve");
    // One after the other, as a flow tells, each for a part of its work.
    story.work(story.worker, at + each, at + 2 * each, "Solve");
    for (int64_t part = 0; part < 4; ++part)
      story.work(story.other, at + 2 * each + part * each / 2, at + 2 * each + (part + 1) * each / 2 - 10, "Solve");
    story.flow(story.worker, at + 2 * each - 20, story.other, at + 2 * each + 10);
    story.flow(story.other, at + 4 * each - 30, story.main, at + 4 * each - 5);
    story.wait(story.main, at + each, at + 4 * each, "Barrier");
    story.work(story.main, at + 4 * each, i == kFrames ? at + 4 * each + 6 * kMs : at + kFrame, "Draw");
  }
  story.first_cause(38 * kMs);
  CAPTURE(story.text());
  CHECK(contains(story.text(), "for Other and 2 others in Solve: 6 calls took 32.0 ms, usually 4.0"));
}

TEST_CASE("waits: who held a lock for most of the time held it, though another one had it for a moment") {
  for (const int64_t share : {8, 5}) {
    Story story;
    const int64_t at = kFrame * kFrames, taken = at + 20 * kMs * share / 10;
    const uint32_t lock = story.recorded_wait("lock");
    for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    story.building.span(story.main, at + 1000, at + 20 * kMs, lock);
    story.work(story.worker, at, taken, "Edit");
    story.building.span(story.other, at + 2000, taken + 1000, lock);
    story.flow(story.worker, taken, story.other, taken + 1000);
    story.work(story.other, taken + 1000, at + 20 * kMs - 1000, "Edit");
    story.flow(story.other, at + 20 * kMs - 1000, story.main, at + 20 * kMs);
    story.work(story.main, at + 20 * kMs, at + 30 * kMs, "Draw");
    story.first_cause(30 * kMs);
    CAPTURE(story.text());
    CHECK(contains(story.text(), "2 threads held the lock lock in turn") == (share == 5));
    CHECK(contains(story.text(), "it held the lock lock") == (share == 8));
  }
}

TEST_CASE("waits: of usual work that three threads did with one lock, it is said that they held it in turn") {
  Story story;
  const uint32_t pool = story.recorded_wait("lock");
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, each = i == kFrames ? 6 * kMs : 100000, done = at + 3 * each;
    story.work(story.main, at, at + each, "Merge");
    story.work(story.other, at + each, at + 2 * each, "Merge");
    story.work(story.worker, at + 2 * each, done - 1000, "Merge");
    story.wait(story.main, at + each, done, "Barrier");
    if (i == kFrames) story.building.span(story.other, at + 1000, at + each, pool);
    if (i == kFrames) story.building.span(story.worker, at + 1000, at + 2 * each, pool);
    story.flow(story.main, at + each - 100, story.other, at + each - 50);
    story.flow(story.other, at + 2 * each - 100, story.worker, at + 2 * each - 50);
    story.flow(story.worker, done - 1000, story.main, done - 500);
    story.work(story.main, done, i == kFrames ? done + 9 * kMs : at + kFrame, "Draw");
  }
  story.first_cause(27 * kMs);
  CAPTURE(story.text());
  CHECK(contains(story.text(),
                 "in Merge: 3 calls took 18.0 ms, usually 0.3; the longest 6.0; 3 threads held the "
                 "lock lock in turn"));
}

TEST_CASE("waits: a thread whose wait a sleeper ended is not the one for whom it slept") {
  Story story;
  const int64_t at = kFrame * kFrames, end = at + 20 * kMs;
  for (int64_t i = 0; i < kFrames; ++i) {
    story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
    story.time_of(story.other, 0, 0, static_cast<uint64_t>(i) + 1);
  }
  story.wait(story.main, at, end, "Wait for mesh");
  story.work(story.main, end, at + 30 * kMs, "Draw");
  story.work(story.other, at, end - 1000, "Evict chunks");
  story.time_of(story.other, kMs, 0);
  story.wait(story.worker, at + kMs, end - 3000, "Lock map");
  story.work(story.worker, at, end + 5 * kMs, "Mesh chunk");
  CHECK(story.path(story.first_cause(30 * kMs)) == "Evict chunks");
}

TEST_CASE("waits: what kept the thread that ended a wait, longer than usual, is the cause") {
  for (const bool is_longer : {true, false}) {
    Story story;
    const uint32_t semaphore = story.recorded_wait("semaphore");
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t begin = kFrame * i;
      const bool is_last = i == kFrames;
      const int64_t done = begin + (is_last ? 33 : 3) * kMs, baked = begin + (is_last && is_longer ? 30 : 2) * kMs;
      story.work(story.worker, begin + kMs, baked, "Bake tile");
      if (is_last) story.work(story.worker, begin + 31 * kMs, done - 2000, "Pose unit");
      story.work(story.main, begin, begin + 2 * kMs, "Draw");
      if (is_last) story.building.span(story.main, begin + 2 * kMs, done, semaphore);
      if (is_last) story.flow(story.worker, done - 2000, story.main, done - 1000);
      story.work(story.main, is_last ? done : begin + 2 * kMs, begin + (is_last ? 40 * kMs : kFrame), "Draw");
    }
    const flamelet_cause& cause = story.first_cause(40 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == (is_longer ? "Bake tile" : "semaphore"));
    CHECK(cause.verdict == (is_longer ? FLAMELET_VERDICT_SLOWER_CALLS : FLAMELET_VERDICT_WAIT));
  }
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

TEST_CASE("waits: a wait that is no lock's, and that was recorded inside of a scope, has the scope's name") {
  Story story;
  const int64_t at = kFrame * kFrames;
  const uint32_t semaphore = story.recorded_wait("semaphore");
  for (int64_t i = 0; i < kFrames; ++i) story.work(story.main, kFrame * i, kFrame * (i + 1), "Draw");
  story.building.span(story.main, at + 1000, at + 20 * kMs - 1000, semaphore);
  story.work(story.main, at, at + 20 * kMs, "Draw water");
  story.work(story.main, at + 20 * kMs, at + 30 * kMs, "Draw");
  const flamelet_cause& cause = story.first_cause(30 * kMs);
  CHECK(story.path(cause) == "Draw water");
  CHECK(contains(story.text(), "Main waited 20.0 ms in Draw water"));
}

TEST_CASE("waits: which of three jobs ends last is chance, and no cause where the wait for them is as long as ever") {
  for (const bool has_flows : {true, false}) {
    Story story;
    const uint32_t third = story.lane("Third");
    static const char* const kJobs[] = {"Cull", "Skin", "Path"};
    for (int64_t i = 0; i <= kFrames; ++i) {
      const int64_t at = kFrame * i, end = at + 4 * kMs;
      for (int64_t job = 0; job < 3; ++job) {
        const uint32_t lane = job == 0 ? story.worker : job == 1 ? story.other : third;
        // Another one is last in each frame.
        const int64_t early_ns = 1000 * (1 + 20 * ((job + i) % 3));
        story.work(lane, at + kMs, end - early_ns, kJobs[job]);
        if (has_flows) story.flow(lane, end - early_ns - 100, story.main, end - 500);
      }
      story.wait(story.main, at + kMs, end, "Wait for jobs");
      story.work(story.main, end, at + (i == kFrames ? kFrame + 2 * kMs : kFrame), "Draw");
    }
    const flamelet_cause& cause = story.first_cause(kFrame + 2 * kMs);
    CAPTURE(story.text());
    CHECK(story.path(cause) == "Draw");
    CHECK(story.why.cause_count == 1);
  }
}

TEST_CASE("waits: a call that the critical path leaves for another thread's and comes back to is one call") {
  Story story;
  constexpr int64_t kTurns = 8;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, each = i == kFrames ? kMs : 100000, from = at + kMs, until = from + kTurns * each;
    story.work(story.worker, from, until, "Move");
    story.work(story.other, from, until - each, "Move");
    // Each holds a lock in turn while the other one waits for it.
    for (int64_t turn = 0; turn < kTurns; ++turn) {
      const int64_t begin = from + turn * each, end = begin + each;
      const bool is_others = turn % 2 == 0;
      const uint32_t holder = is_others ? story.other : story.worker, waiter = is_others ? story.worker : story.other;
      if (turn + 1 == kTurns) continue;
      story.wait(waiter, begin + 1000, end, "Lock");
      story.flow(holder, end - 1000, waiter, end - 500);
    }
    story.flow(story.worker, until - 100, story.main, until + 500);
    story.wait(story.main, from, until + 1000, "Join");
    story.work(story.main, until + 1000, until + 4 * kMs, "Draw");
    if (i < kFrames) story.work(story.main, until + 4 * kMs, at + kFrame, "Present");
  }
  story.first_cause(kMs + kTurns * kMs + 6 * kMs);
  CAPTURE(story.text());
  const flamelet_cause* const move = story.cause_of("Move");
  REQUIRE(move != nullptr);
  CHECK(move->calls == 2);
}

TEST_CASE("waits: what a wait usually takes is all of it, also where others seem to be waited for in usual frames") {
  Story story;
  for (int64_t i = 0; i <= kFrames; ++i) {
    const int64_t at = kFrame * i, shown = at + 7 * kMs + (i == kFrames ? 15 * kMs : 0);
    story.work(story.main, at, at + 4 * kMs, "Draw");
    story.wait(story.main, at + 4 * kMs, shown, "Present");
    story.work(story.main, shown, shown + 3 * kMs, "Think");
    if (i % 4 != 0 && i != kFrames)
      story.work(story.other, at + 4 * kMs, shown - 5000, i % 4 == 1 ? "Mix" : "Resample");
  }
  const flamelet_cause& cause = story.first_cause(kFrame + 15 * kMs);
  CAPTURE(story.text());
  CHECK(story.path(cause) == "Present");
  CHECK(cause.usual_ns == 3 * kMs);
  CHECK(cause.surplus_ns == 15 * kMs);
}

TEST_CASE("waits: new work that had the wait is a cause, though the wait always scatters") {
  for (const bool is_new : {true, false}) {
    Story story;
    int64_t now = 0;
    for (int64_t i = 0; i <= kFrames; ++i) {
      const bool is_last = i == kFrames;
      const int64_t waited_ns = is_last ? 13 * kMs : (2 + i * 5 % 12) * kMs, end = now + waited_ns + 5 * kMs;
      story.work(story.worker, now, now + waited_ns, is_last && is_new ? "Path search" : "Cull");
      story.flow(story.worker, now + waited_ns, story.main, now + waited_ns + 1000);
      story.wait(story.main, now, now + waited_ns + 1000, "Wait for jobs");
      story.work(story.main, now + waited_ns + 1000, end, "Draw");
      flamelet_capture_builder_frame(story.building.builder, static_cast<uint64_t>(i) + 1, now, end, 0);
      now = end;
    }
    story.capture = story.building.finish();
    story.why = story.explain.frame(story.capture, kFrames);
    CAPTURE(story.text());
    REQUIRE(story.why.cause_count == 1);
    CHECK(story.path(story.why.causes[0]) == (is_new ? "Path search" : "Cull"));
    CHECK(story.why.causes[0].surplus_ns == (is_new ? 13 * kMs : kMs));
  }
}

}  // namespace explain_test::waits_test
