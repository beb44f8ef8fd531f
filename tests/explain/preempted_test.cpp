// SPDX-License-Identifier: MIT
//
// What is said where a thread did not run though it had work to do. Captures made word by word, with known figures.
#include <string>
#include <vector>

#include "explain/explaining.h"
#include "profiler/record/page_builder.h"

namespace explain_test::preempted_test {
namespace {

using flamelet::FedCapture;
using flamelet::PageBuilder;
using flamelet::ThreadTime;

constexpr uint64_t kMs = 1000000;
constexpr uint32_t kMain = 1, kWorker = 2;
enum Site : uint32_t { kUpdate = 1, kPhysics, kWait, kJob };

// Frames of 10 ms: Main runs Physics in Update, then waits for the Worker's job, which a flow names.
class Game {
 public:
  struct Frame {
    uint64_t physics_ms = 6, job_ms = 3;
    std::vector<ThreadTime> times;
    uint64_t update_ms = 0;  // of Update itself, before Physics
  };

  explicit Game(uint32_t marker = kMain) : marker_(marker) {
    static const char* const kNames[] = {"", "Update", "Physics", "Wait for jobs", "Job", "Main", "Worker", "wait"};
    for (uint32_t id = 0; id < 8; ++id) capture_->strings.put(id, {kNames[id], std::string(kNames[id]).size()});
    for (uint32_t site = kUpdate; site <= kJob; ++site)
      capture_->sites.put(site, {site, site == kWait ? 7u : 0u, 0, 0, 0, 0});
    for (PageBuilder* builder : {&main_, &worker_, &marks_}) builder->new_page(now_);
    marks_.frame(now_, 0, false, marker_);
  }
  void add(const Frame& frame) {
    const uint64_t begin = now_;
    const uint64_t asked = begin + (frame.update_ms + frame.physics_ms) * kMs;
    main_.begin(begin, kUpdate);
    main_.begin(begin + frame.update_ms * kMs, kPhysics);
    main_.end(asked);
    main_.begin(asked, kWait);
    const uint64_t done = asked + frame.job_ms * kMs;
    worker_.begin(asked, kJob);
    flow(&worker_, done, flamelet::MoreType::kFlowBegin);
    worker_.end(done);
    flow(&main_, done, flamelet::MoreType::kFlowEnd);
    main_.end(done);
    now_ = done + kMs;
    main_.end(now_);
    marks_.frame(now_, ++index_, false, marker_, frame.times);
  }
  void add(const Frame& frame, int count) {
    for (int i = 0; i < count; ++i) add(frame);
  }
  // Why the newest frame was slow.
  flamelet_explanation why() {
    for (const PageBuilder* builder : {&main_, &worker_, &marks_}) capture_.feed(*builder);
    flamelet_capture* capture = capture_.get();
    capture->lanes[0].name = 5;
    capture->lanes[1].name = 6;
    return explain_.frame(capture, flamelet_capture_frame_count(capture) - 1);
  }
  std::string text(const flamelet_explanation& why) { return explain_.text(capture_.get(), why); }
  std::string path(const flamelet_cause& cause) { return explain_.path(capture_.get(), cause.path); }

 private:
  void flow(PageBuilder* builder, uint64_t ticks, flamelet::MoreType type) {
    builder->event(ticks, flamelet::WordType::kMore, flamelet::make_more_id(type, 1), {index_ + 1});
  }

  const uint32_t marker_;
  FedCapture capture_{512};
  uint64_t ticket_ = 1, now_ = kMs, index_ = 0;
  PageBuilder main_{kMain, &ticket_}, worker_{kWorker, &ticket_}, marks_{flamelet::kFrameTrack, &ticket_};
  Explaining explain_;
};

ThreadTime lost(uint32_t thread, uint64_t ms) {
  return {thread, flamelet::kTimeAll, 5 * kMs, ms * kMs, 3, 0, 0};
}

}  // namespace

TEST_CASE("preempted: a thread that lost its processor is said, and not the scope that was hit") {
  Game game;
  game.add({6, 3, {lost(kMain, 0), lost(kWorker, 1)}}, 60);
  game.add({26, 3, {lost(kMain, 21), lost(kWorker, 1)}});
  const flamelet_explanation why = game.why();
  REQUIRE(why.cause_count == 1);
  const flamelet_cause& cause = why.causes[0];
  CHECK(cause.verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(cause.surplus_ns == 20 * int64_t{kMs});
  CHECK(cause.time_ns == 21 * int64_t{kMs});
  CHECK(cause.usual_ns == 0);
  CHECK(game.path(cause) == "Update > Physics");
  CHECK(
      game.text(why) ==
      "Frame 60 took 30.0 ms, 20.0 more than usual (60 frames, 10.0 \xC2\xB1 0.0). Main lost its processor in Physics: "
      "preempted, did not run for 21.0 ms of the frame, usually 0.0; probably another program ran, or a thread that "
      "records "
      "nothing.\n"
      "  +20.0 ms  Main: Update > Physics: preempted, did not run for 21.0 ms of the frame, usually 0.0; probably "
      "another program "
      "ran, or a "
      "thread that records nothing");
}

TEST_CASE("preempted: threads of the program that had the processors are named, if they ran more than usual") {
  const auto ran = [](uint32_t thread, uint64_t ran_ms, uint64_t ready_ms) {
    return ThreadTime{thread, flamelet::kTimeAll, ran_ms * kMs, ready_ms * kMs, 3, 0, 0};
  };
  for (const uint64_t worker_ms : {uint64_t{25}, uint64_t{9}}) {
    Game game;
    game.add({6, 3, {ran(kMain, 7, 0), ran(kWorker, 3, 0)}}, 60);  // a third of each frame
    game.add({26, 3, {ran(kMain, 7, 20), ran(kWorker, worker_ms, 0)}});
    const flamelet_explanation why = game.why();
    REQUIRE(why.cause_count == 1);
    CHECK(why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED);
    const bool is_rival = worker_ms == 25;  // 9 ms of 30 are as usual
    CHECK(why.causes[0].rival_lane == (is_rival ? 1 : UINT32_MAX));
    CHECK(why.causes[0].rivals_ns == (is_rival ? 16 * int64_t{kMs} : 0));
    CHECK(contains(game.text(why),
                   "; the program's other threads ran 16.0 ms more than usual, most of all Worker, in Job") ==
          is_rival);
  }
}

TEST_CASE("preempted: of threads whose times nobody knows it is said that they probably ran, and not how long") {
  const auto ran = [](uint32_t thread, uint64_t ran_ms, uint64_t ready_ms) {
    return ThreadTime{thread, flamelet::kTimeAll, ran_ms * kMs, ready_ms * kMs, 3, 0, 0};
  };
  Game game;
  game.add({6, 3, {ran(kMain, 7, 0), ran(kWorker, 3, 0)}}, 60);
  game.add({26, 23, {ran(kMain, 7, 20)}});
  const flamelet_explanation why = game.why();
  CAPTURE(game.text(why));
  CHECK(why.causes[0].rivals_ns == 0);
  CHECK(contains(game.text(why), "; probably other threads of the program ran, most of all Worker, in Job"));
}

TEST_CASE("preempted: what the lost time does not explain stays with the scope") {
  Game game;
  game.add({6, 3, {lost(kMain, 0)}}, 60);
  game.add({26, 3, {lost(kMain, 8)}});
  const flamelet_explanation why = game.why();
  REQUIRE(why.cause_count == 2);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(why.causes[0].surplus_ns == 12 * int64_t{kMs});
  CHECK(why.causes[0].no_processor_ns == 8 * int64_t{kMs});
  CHECK(contains(game.text(why), "; it probably had no processor for 8.0 ms of that, a cause of its own"));
  CHECK(contains(game.text(why), "; it probably had no processor for 8.0 ms of that.\n"));  // the sentence says it once
  CHECK(why.causes[1].verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(why.causes[1].surplus_ns == 8 * int64_t{kMs});
  CHECK(why.unexplained_ns == 0);
}

TEST_CASE(
    "preempted: what a scope took longer beside the time without a processor stays, though its thread slept in it") {
  for (const uint64_t ran_ms : {uint64_t{2}, uint64_t{12}}) {
    Game game;
    game.add({6, 3, {lost(kMain, 0)}}, 60);
    game.add({26, 3, {{kMain, flamelet::kTimeAll, ran_ms * kMs, 14 * kMs, 3, 0, 0}}});
    const flamelet_explanation why = game.why();
    CAPTURE(game.text(why));
    REQUIRE(why.cause_count == 2);
    CHECK(why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(why.causes[0].surplus_ns == 14 * int64_t{kMs});
    CHECK(why.causes[1].surplus_ns == 6 * int64_t{kMs});
    CHECK(contains(game.text(why), "; it slept 10.0 ms of that") == (ran_ms == 2));
    CHECK(why.unexplained_ns == 0);
  }
}

TEST_CASE("preempted: what a thread loses in other scopes of each frame, it can lose in one") {
  const auto times = [](uint64_t ran_ms, uint64_t ready_ms) {
    return ThreadTime{kMain, flamelet::kTimeAll, ran_ms * kMs, ready_ms * kMs, 3, 0, 0};
  };
  for (const uint64_t ran_ms : {uint64_t{5}, uint64_t{19}}) {
    Game game;
    game.add({6, 23, {times(5, 12)}}, 60);
    game.add({20, 16, {times(ran_ms, 15)}});
    const flamelet_explanation why = game.why();
    CAPTURE(game.text(why));
    REQUIRE(why.cause_count >= 1);
    const bool ran = ran_ms == 19;
    CHECK(why.causes[0].verdict == (ran ? FLAMELET_VERDICT_SLOWER_CALLS : FLAMELET_VERDICT_PREEMPTED));
    CHECK(contains(game.text(why),
                   "+7.0 ms  Main: Update > Physics: preempted, probably here, did not run for 15.0 ms "
                   "of the frame, usually 12.0 elsewhere") == !ran);
  }
}

TEST_CASE("preempted: no thread lost more of a frame than that has, though the system counts what came before, too") {
  Game game;
  game.add({6, 3, {lost(kMain, 0)}}, 60);
  game.add({26, 3, {lost(kMain, 70)}});
  const flamelet_explanation why = game.why();
  CAPTURE(game.text(why));
  REQUIRE(why.cause_count != 0);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(contains(game.text(why), "did not run for 30.0 ms of the frame"));
}

TEST_CASE("preempted: what a thread loses in every frame is no reason") {
  Game game;
  for (int i = 0; i < 60; ++i) game.add({6, 3, {lost(kMain, i % 2 == 0 ? 4 : 5)}});
  game.add({26, 3, {lost(kMain, 5)}});
  const flamelet_explanation why = game.why();
  REQUIRE(why.cause_count == 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(why.causes[0].surplus_ns == 20 * int64_t{kMs});
}

TEST_CASE("preempted: a thread that the frame waited for is named, and one that it did not is not") {
  {
    Game game;
    game.add({6, 3, {lost(kMain, 0), lost(kWorker, 0)}}, 60);
    game.add({6, 23, {lost(kMain, 0), lost(kWorker, 19)}});
    const flamelet_explanation why = game.why();
    REQUIRE(why.cause_count == 1);
    CHECK(why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(why.causes[0].surplus_ns == 19 * int64_t{kMs});
    CHECK(contains(
        game.text(why),
        " Main waited for Worker, which lost its processor in Job: preempted, did not run for "
        "19.0 ms of the frame, usually 0.0; probably another program ran, or a thread that records nothing.\n"));
  }
  Game game;
  game.add({6, 3, {lost(kMain, 0), lost(kWorker, 0)}}, 60);
  game.add({26, 3, {lost(kMain, 0), lost(kWorker, 20)}});  // while Main was in Physics
  const flamelet_explanation why = game.why();
  REQUIRE(why.cause_count >= 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(game.path(why.causes[0]) == "Update > Physics");
}

TEST_CASE("preempted: where only the time on a processor is known, it is what the work took longer") {
  const auto ran = [](uint64_t ms) { return ThreadTime{kMain, flamelet::kTimeRan, ms * kMs, 0, 0, 0, 0}; };
  Game game;
  game.add({6, 3, {ran(7)}}, 60);  // 10 ms, 3 of them in a wait
  game.add({26, 3, {ran(7)}});
  const flamelet_explanation why = game.why();
  REQUIRE(why.cause_count == 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(why.causes[0].surplus_ns == 20 * int64_t{kMs});
}

TEST_CASE("preempted: without figures nothing is said of it") {
  Game game;
  game.add({6, 3, {}}, 60);
  game.add({26, 3, {}});
  const flamelet_explanation why = game.why();
  REQUIRE(why.cause_count == 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
}

TEST_CASE("preempted: where the baseline has no figures to compare with, what is more than a usual frame was lost") {
  Game game;
  game.add({6, 3, {}}, 60);
  SUBCASE("less") {
    game.add({12, 3, {lost(kMain, 9)}});
    const flamelet_explanation why = game.why();
    REQUIRE(why.cause_count == 1);
    CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  }
  SUBCASE("more") {
    game.add({36, 3, {lost(kMain, 30)}});
    const flamelet_explanation why = game.why();
    REQUIRE(why.cause_count == 2);
    CHECK(why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED);
    CHECK(why.causes[0].surplus_ns == 20 * kMs);
    CHECK(contains(game.text(why),
                   "Main lost its processor in Physics: preempted, did not run for 30.0 ms of the frame. "));
  }
}

TEST_CASE("preempted: page faults that read from a disk are said where they are more than usual") {
  const auto faults = [](uint64_t count) { return ThreadTime{kMain, flamelet::kTimeAll, 7 * kMs, 0, 3, count, 0}; };
  Game game;
  for (int i = 0; i < 60; ++i) game.add({6, 3, {faults(i == 5 ? 2 : 0)}});
  game.add({26, 3, {faults(31)}});
  const flamelet_explanation why = game.why();
  REQUIRE(why.cause_count == 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(why.causes[0].major_faults == 31);
  CHECK(contains(game.text(why), "; its thread read from a disk for 31 page faults.\n"));
}

TEST_CASE("preempted: page faults for new memory say what a scope did by itself, though it has others") {
  const auto faults = [](uint64_t count) { return ThreadTime{kMain, flamelet::kTimeAll, 7 * kMs, 0, 3, 0, count}; };
  Game game;
  for (int i = 0; i < 60; ++i) game.add({6, 3, {faults(i % 20 == 0 ? 1024 : 0)}});
  game.add({6, 3, {faults(20000)}, 20});
  const flamelet_explanation why = game.why();
  REQUIRE(why.cause_count == 1);
  CHECK(game.path(why.causes[0]) == "Update");
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(why.causes[0].minor_faults == 20000);
  CHECK(contains(game.text(why), "; its thread took 20000 page faults for new memory.\n"));
}

TEST_CASE("preempted: of two scopes that took long, nobody knows which one had the page faults") {
  Game game;
  game.add({6, 3, {{kMain, flamelet::kTimeAll, 7 * kMs, 0, 3, 0, 0}}}, 60);
  game.add({26, 3, {{kMain, flamelet::kTimeAll, 47 * kMs, 0, 3, 0, 20000}}, 20});
  const flamelet_explanation why = game.why();
  REQUIRE(why.cause_count == 2);
  for (uint32_t i = 0; i < 2; ++i) {
    CHECK(why.causes[i].minor_faults == 20000);
    CHECK((why.causes[i].verdict == FLAMELET_VERDICT_UNINSTRUMENTED) == (game.path(why.causes[i]) == "Update"));
  }
}

TEST_CASE(
    "preempted: page faults for new memory that take no time to speak of are no reason, and some are worth a word") {
  const auto faults = [](uint64_t count) { return ThreadTime{kMain, flamelet::kTimeAll, 7 * kMs, 0, 3, 0, count}; };
  for (const uint32_t count : {1024u, 2048u}) {  // 8 or 16 milliseconds of the 20, at most
    Game game;
    game.add({6, 3, {faults(0)}}, 60);
    game.add({6, 3, {faults(count)}, 20});
    const flamelet_explanation why = game.why();
    REQUIRE(why.cause_count == 1);
    CHECK(why.causes[0].verdict == FLAMELET_VERDICT_UNINSTRUMENTED);
    CHECK(why.causes[0].minor_faults == (count == 2048 ? count : 0u));
  }
}

TEST_CASE("preempted: the main thread is the one that marked the frame, whatever it looks like") {
  Game game(kWorker);
  game.add({6, 3, {}}, 40);
  CHECK(game.why().main_lane == 1);
  Game old(0);  // does not say
  old.add({6, 3, {}}, 40);
  CHECK(old.why().main_lane == 0);
}

}  // namespace explain_test::preempted_test
