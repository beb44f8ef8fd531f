// SPDX-License-Identifier: MIT
//
// What a capture of the real recorder shows of fibers, queues and threads that come and go, through the public functions.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "flamelet/capture.h"
#include "support/building.h"
#include "support/capture.h"
#include "support/loaded.h"
#include "support/read.h"
#include "support/recording.h"

namespace capture_tracks_test {

namespace {

using recorder_test::Capture;
using recorder_test::Captured;
using Recording = recorder_test::TickingRecording;

uint64_t events_recorded() {
  const flamelet_stats stats = recorder_test::stats();
  return stats.events_recorded;
}

}  // namespace

TEST_CASE_FIXTURE(Recording, "a fiber has a lane with its name and its scopes whole") {
  Capture capture;
  const uint32_t job = flamelet_fiber_create("job");
  flamelet_fiber_switch(0, job);
  const flamelet_id scope = flamelet_begin("load level", "", nullptr);
  flamelet_fiber_switch(job, 0);
  std::thread([&] {
    flamelet_set_thread_name("worker");
    flamelet_fiber_switch(0, job);
    flamelet_end(scope);
    flamelet_fiber_switch(job, 0);
  }).join();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  const std::vector<flamelet_span> whole = capture.spans(capture.lane("job"));
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].id == scope);
  CHECK(whole[0].flags == 0);
  const std::vector<flamelet_span> piece = capture.spans(capture.lane("worker"));
  REQUIRE(piece.size() == 1);
  CHECK(piece[0].id == scope);
  CHECK(piece[0].flags == FLAMELET_SPAN_RESUMED);
  CHECK(piece[0].end_ns == whole[0].end_ns);
}

TEST_CASE("of a thousand threads that have ended, each has its name in a capture that is made afterwards") {
  flamelet_config config = recorder_test::small_config();
  config.max_strings = 8192;
  config.string_bytes = size_t{1} << 20;
  recorder_test::keep_pages(&config, 1200);
  const recorder_test::Recording recording(config);
  for (int i = 0; i < 1000; ++i) {
    std::thread([i] {
      const flamelet_id scope = flamelet_begin("work", "", nullptr);
      flamelet_set_thread_name(("thread with name " + std::to_string(i)).c_str());
      flamelet_end(scope);
    }).join();
  }
  Capture capture(with(flamelet_capture_config_default(), &flamelet_capture_config::max_tracks, 1024), Captured::kNow);
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "thread with name " + std::to_string(i);
    CHECK_MESSAGE(capture.tree(capture.lane(name.c_str())) == "work", name);
  }
  CHECK(capture.stats().events_lost == 0);
}

TEST_CASE_FIXTURE(Recording, "a fiber that ended before the update has its name, until another one takes its place") {
  const auto run = [](const char* name) {
    const uint32_t fiber = flamelet_fiber_create(name);
    flamelet_fiber_switch(0, fiber);
    flamelet_end(flamelet_begin("work", "", nullptr));
    flamelet_fiber_switch(fiber, 0);
    flamelet_fiber_destroy(fiber);
    return fiber;
  };
  constexpr uint32_t max_fibers = 4;  // of Recording
  const uint32_t first = run("job 0");
  {
    Capture capture(Captured::kNow);
    CHECK(capture.spans(capture.lane("job 0")).size() == 1);
  }
  for (uint32_t i = 1; i < max_fibers; ++i) run(("job " + std::to_string(i)).c_str());
  Capture early(Captured::kNow);
  CHECK(early.spans(early.lane("job 0")).size() == 1);
  CHECK(early.spans(early.lane("job 1")).size() == 1);
  run("another");  // in the place of the first
  Capture late(Captured::kNow);
  CHECK(late.spans(late.lane("fiber " + std::to_string(first))).size() == 1);
  CHECK(late.spans(late.lane("another")).size() == 1);
  CHECK(late.spans(late.lane("job 1")).size() == 1);
  REQUIRE(flamelet_capture_update(early) == FLAMELET_OK);
  CHECK(early.spans(early.lane("job 0")).size() == 1);  // what was known stays
}

TEST_CASE("a fiber that ended its scopes and itself in a gap is not open for ever, and the frames are lossy") {
  for (const bool is_end_lost : {false, true}) {
    CAPTURE(is_end_lost);
    recorder_test::ManualClock clock(1000, 0);
    flamelet_config config = recorder_test::with_clock(recorder_test::small_config(), &clock);
    config.max_fibers = 2;
    recorder_test::keep_pages(&config, 16);
    const recorder_test::Recording recording(config);
    Capture capture;
    const auto frame_at = [&clock](uint64_t ticks) {
      clock.ticks = ticks;
      flamelet_frame();
    };
    frame_at(1000);
    const uint32_t fiber = flamelet_fiber_create("loader");
    flamelet_fiber_switch(0, fiber);
    const flamelet_id scope = flamelet_begin("load", "", nullptr);
    frame_at(2000);
    flamelet_fiber_switch(fiber, 0);
    frame_at(3000);
    capture.update();
    const auto destroy = [&] {
      clock.ticks = 4500;
      flamelet_fiber_destroy(fiber);
    };
    std::thread([&] {
      flamelet_fiber_switch(0, fiber);
      flamelet_end(scope);
      flamelet_fiber_switch(fiber, 0);
      if (is_end_lost) destroy();
      for (int i = 0; i < 200000; ++i) FLAMELET_INSTANT("over it");
    }).join();
    frame_at(4000);
    if (!is_end_lost) destroy();
    frame_at(5000);
    capture.update();
    frame_at(6000);
    capture.update();
    REQUIRE(capture.stats().events_lost != 0);
    const recorder_test::Loaded loaded(recorder_test::save(capture));
    REQUIRE(loaded.result == FLAMELET_OK);
    for (const flamelet_capture* from :
         {static_cast<const flamelet_capture*>(capture), static_cast<const flamelet_capture*>(loaded)}) {
      const std::vector<flamelet_span> spans =
          recorder_test::read_spans(from, recorder_test::find_lane(from, "loader"));
      REQUIRE(spans.size() == 1);
      CHECK((spans[0].flags & (FLAMELET_SPAN_MISSING_END | FLAMELET_SPAN_OPEN)) == FLAMELET_SPAN_MISSING_END);
      CHECK(spans[0].end_ns - spans[0].begin_ns == 2000 - 1000);  // where it was last seen
      const int64_t gone_ns = spans[0].begin_ns + (is_end_lost ? 5000 : 4500) - 1000;
      flamelet_frame_info frame;
      for (size_t i = 0; flamelet_capture_frame(from, i, &frame); ++i) {
        CAPTURE(frame.index);
        const bool is_in = frame.begin_ns < gone_ns && frame.end_ns > spans[0].end_ns;
        if (is_in) CHECK((frame.flags & FLAMELET_FRAME_LOSSY) != 0);
        if (frame.begin_ns > gone_ns) CHECK((frame.flags & FLAMELET_FRAME_LOSSY) == 0);
      }
    }
  }
}

// Scopes that are open in one update; they end, their thread exits, and others overwrite all that before the next one.
TEST_CASE("a scope whose thread exited in a gap ended at the last event before it") {
  for (const bool is_on_fiber : {false, true}) {
    CAPTURE(is_on_fiber);
    recorder_test::ManualClock clock(1000, 0);
    flamelet_config config = recorder_test::with_clock(recorder_test::small_config(), &clock);
    config.max_fibers = 2;
    recorder_test::keep_pages(&config, 16);
    const recorder_test::Recording recording(config);
    Capture capture;
    const uint32_t fiber = is_on_fiber ? flamelet_fiber_create("job") : 0;
    std::atomic<int> step{0};
    const auto wait_for = [&step](int wanted) {
      while (step != wanted) std::this_thread::yield();
    };
    std::thread thread([&] {
      flamelet_set_thread_name("worker");
      if (is_on_fiber) flamelet_fiber_switch(0, fiber);
      const flamelet_id outer = flamelet_begin("outer", "", nullptr);
      clock.ticks = 2000;
      const flamelet_id inner = flamelet_begin("inner", "", nullptr);
      step = 1;
      wait_for(2);
      clock.ticks = 2010;
      flamelet_end(inner);
      flamelet_end(outer);
      if (is_on_fiber) flamelet_fiber_switch(fiber, 0);
    });
    wait_for(1);
    capture.update();
    step = 2;
    thread.join();
    for (int i = 0; i < 200000; ++i) FLAMELET_INSTANT("over it");
    clock.ticks = 9000;
    FLAMELET_INSTANT("last");
    capture.update();
    CHECK(capture.stats().events_lost != 0);
    const recorder_test::Loaded loaded(recorder_test::save(capture));
    const recorder_test::Loaded part(recorder_test::save(capture, 500, 5000));
    const recorder_test::Loaded again(recorder_test::save(part));
    for (const flamelet_capture* from :
         {static_cast<const flamelet_capture*>(capture), static_cast<const flamelet_capture*>(loaded.capture),
          static_cast<const flamelet_capture*>(part.capture), static_cast<const flamelet_capture*>(again.capture)}) {
      for (const char* const name : {"worker", "job"}) {
        if (!is_on_fiber && name[0] == 'j') continue;
        CAPTURE(name);
        const size_t lane = recorder_test::find_lane(from, name);
        const std::vector<flamelet_span> spans = recorder_test::read_spans(from, lane);
        REQUIRE(spans.size() == 2);
        for (const flamelet_span& span : spans) {
          CHECK((span.flags & (FLAMELET_SPAN_MISSING_END | FLAMELET_SPAN_OPEN)) == FLAMELET_SPAN_MISSING_END);
          CHECK(span.end_ns == spans[1].begin_ns);
        }
        CHECK(spans[0].end_ns - spans[0].begin_ns == 1000);
        CHECK(recorder_test::read_spans(from, lane, spans[1].begin_ns + 1, INT64_MAX).empty());
      }
    }
  }
}

TEST_CASE_FIXTURE(Recording, "a scope that ended with its thread, and nothing of it lost, is as long as it was") {
  Capture capture;
  std::thread([&] {
    flamelet_set_thread_name("worker");
    flamelet_begin("left open", "", nullptr);
    flamelet_begin("inner", "", nullptr);
  }).join();
  FLAMELET_INSTANT("later");
  capture.update();
  const std::vector<flamelet_span> spans = capture.spans(capture.lane("worker"));
  REQUIRE(spans.size() == 2);
  for (const flamelet_span& span : spans) {
    CHECK(span.flags == FLAMELET_SPAN_MISSING_END);
    CHECK(span.end_ns > span.begin_ns);
  }
  CHECK(capture.stats().missing_ends == 2);
}

TEST_CASE_FIXTURE(Recording, "what a GPU queue submits stands on its own lane at its own time") {
  Capture capture;
  const uint32_t queue = flamelet_track_create("graphics", FLAMELET_TRACK_GPU, 1e9);
  REQUIRE(queue != 0);
  const uint64_t now = flamelet_now_ticks();
  REQUIRE(flamelet_track_calibrate(queue, 5000, now) == FLAMELET_OK);
  const flamelet_id submitter = flamelet_begin("draw", "", nullptr);
  flamelet_end(submitter);
  flamelet_event events[4] = {};
  events[0] = {5100, submitter, "frame", "", nullptr, 0, 'B', false, 0};
  events[1] = {5200, submitter, "", "", nullptr, 0, 'E', false, 0};
  events[2] = {5110, submitter, "shadows", "", nullptr, 0, 'B', false, 1};
  events[3] = {5150, submitter, "", "", nullptr, 0, 'E', false, 1};
  REQUIRE(flamelet_submit(queue, events, 4) == 4);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  const size_t lane = capture.lane("graphics");
  const flamelet_lane_info info = recorder_test::lane_of(capture, lane);
  CHECK(info.kind == FLAMELET_LANE_GPU);
  CHECK(capture.tree(lane) == "frame(shadows)");
  const std::vector<flamelet_span> spans = capture.spans(lane);
  for (const flamelet_span& pass : spans) CHECK(pass.id == submitter);  // two passes, one CPU scope
  CHECK(spans[0].end_ns - spans[0].begin_ns == 100);
  CHECK(spans[0].begin_ns == static_cast<int64_t>(now - flamelet_capture_clock(capture).origin_ticks) + 100);
}

// A queue whose clock is that of the recorder, and what a capture shows of it.
class Queue {
 public:
  Queue() : now_(flamelet_now_ticks()), track(flamelet_track_create("graphics", FLAMELET_TRACK_GPU, 1e9)) {
    REQUIRE(track != 0);
    calibrate(0);
  }
  // From here on the queue's clock is so much further behind.
  void calibrate(int64_t behind) {
    REQUIRE(flamelet_track_calibrate(track, 0, now_ - static_cast<uint64_t>(behind)) == FLAMELET_OK);
  }
  using Pass = std::pair<uint64_t, uint64_t>;  // {begin, end}
  void submit(const std::vector<Pass>& passes) {
    std::vector<flamelet_event> events;
    for (const auto& [begin, end] : passes) {
      const auto number = ++passes_;
      events.push_back({begin, 1, "pass", "", nullptr, 0, 'B', false, number});
      events.push_back({end, 1, "", "", nullptr, 0, 'E', false, number});
    }
    REQUIRE(flamelet_submit(track, events.data(), events.size()) == events.size());
  }
  // "0-10 .2-4 20-30!", "!" where a span is cut.
  std::string lane(const std::string& name) {
    Capture capture;
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
    const auto zero = static_cast<int64_t>(now_ - flamelet_capture_clock(capture).origin_ticks);
    std::string text;
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
      const flamelet_lane_info info = recorder_test::lane_of(capture, lane);
      if (info.kind != FLAMELET_LANE_GPU || recorder_test::text_of(info.name) != name) continue;
      for (const flamelet_span& span : capture.spans(lane)) {
        text += (text.empty() ? "" : " ") + std::string(span.depth, '.') + std::to_string(span.begin_ns - zero) + "-" +
                std::to_string(span.end_ns - zero);
        if ((span.flags & FLAMELET_SPAN_CUT) != 0) text += "!";
      }
    }
    return text;
  }

  // All that is shown, whole; on how many lanes that is.
  std::vector<Pass> whole_passes(size_t* lanes) {
    std::vector<Pass> all;
    *lanes = 0;
    for (uint32_t number = 1; number <= 8; ++number) {
      std::istringstream words(lane(number == 1 ? "graphics" : "graphics, " + std::to_string(number)));
      CHECK(words.str().find('!') == std::string::npos);
      *lanes += !words.str().empty();
      for (std::string word; words >> word;) {
        unsigned begin = 0, end = 0;
        REQUIRE(std::sscanf(word.c_str() + word.find_first_not_of('.'), "%u-%u", &begin, &end) == 2);
        all.emplace_back(begin, end);
      }
    }
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  const uint64_t now_;
  uint16_t passes_ = 0;

 public:
  const uint32_t track;
};

TEST_CASE_FIXTURE(Recording, "passes of a queue that overlap in part stand on lanes beside each other, whole") {
  Queue queue;
  queue.submit({{0, 10}, {5, 15}, {6, 8}, {12, 20}, {18, 30}, {19, 40}});
  CHECK(queue.lane("graphics") == "0-10 12-20");
  CHECK(queue.lane("graphics, 2") == "5-15 .6-8 18-30");
  CHECK(queue.lane("graphics, 3") == "19-40");
}

TEST_CASE_FIXTURE(Recording, "passes overlap in part whichever was submitted first, and in one call or several") {
  Queue queue;
  queue.submit({{105, 115}});
  queue.submit({{100, 110}});
  queue.submit({{0, 200}, {20, 30}});
  queue.submit({{25, 40}});
  CHECK(queue.lane("graphics") == "0-200 .20-30 .105-115");
  CHECK(queue.lane("graphics, 2") == "25-40 100-110");
}

TEST_CASE("whatever order passes come in, all are whole on their lanes") {
  for (uint32_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    const Recording recording;
    std::mt19937 random(seed);
    Queue queue;
    std::vector<Queue::Pass> expected;
    for (uint32_t call = 0; call < 10; ++call) {
      for (uint32_t i = 0; i < 4; ++i) {
        const uint64_t begin = 40 * call + random() % 40;
        expected.emplace_back(begin, begin + random() % 30);
      }
      queue.submit({expected.end() - 4, expected.end()});
    }
    std::sort(expected.begin(), expected.end());
    size_t lanes = 0;
    CHECK(queue.whole_passes(&lanes) == expected);
    CHECK(lanes > 1);
  }
}

TEST_CASE("passes of a whole recording that come shuffled, much later than others around them, are whole") {
  const Recording recording;
  std::mt19937 random(1);
  Queue queue;
  std::vector<Queue::Pass> expected;
  for (uint64_t frame = 0; frame < 100; ++frame) {  // the last of each reaches into the next frame
    for (const auto& [begin, end] : {Queue::Pass{0, 90}, {10, 30}, {40, 80}, {60, 150}})
      expected.emplace_back(100 * frame + begin, 100 * frame + end);
  }
  std::vector<Queue::Pass> passes = expected;
  std::shuffle(passes.begin(), passes.end(), random);
  for (const Queue::Pass& pass : passes) queue.submit({pass});
  size_t lanes = 0;
  CHECK(queue.whole_passes(&lanes) == expected);
  CHECK(recorder_test::stats().submit_cut == 0);
}

TEST_CASE("a pass that no lane is left for is cut, and counted for who reads the recorder or its capture") {
  const Recording recording(size_t{4} << 20, 2);
  Queue queue;
  queue.submit({{0, 10}, {5, 15}, {8, 20}});
  CHECK(queue.lane("graphics, 2") == "5-15");
  CHECK(queue.lane("graphics") == "0-10 .8-10!");
  CHECK(recorder_test::stats().submit_cut == 1);
  Capture capture;
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  flamelet_capture_dropped dropped;
  flamelet_capture_get_dropped(capture, &dropped);
  CHECK(dropped.submit_cut == 1);
}

TEST_CASE_FIXTURE(Recording,
                  "a pass stays on its lane where it overlaps the one before by what a calibration moved it") {
  Queue queue;
  queue.submit({{0, 1000}});
  queue.calibrate(300);
  queue.submit({{1000, 2000}, {1500, 2500}});
  queue.submit({{2600, 2700}});
  CHECK(queue.lane("graphics") == "0-1000 1000-1700! 2300-2400");
  CHECK(queue.lane("graphics, 2") == "1200-2200");
  queue.calibrate(100'000'000);  // the clock was set anew
  queue.submit({{100'000'500, 100'002'000}});
  CHECK(queue.lane("graphics, 3") == "500-2000");
}

TEST_CASE_FIXTURE(Recording, "lanes beside a queue are called as it is, and end with it") {
  const uint32_t before = recorder_test::stats().tracks_live;
  Queue queue;
  queue.submit({{0, 10}, {5, 15}});
  CHECK(recorder_test::stats().tracks_live == before + 2);
  flamelet_set_track_name(queue.track, "copy");
  queue.submit({{20, 30}});
  CHECK(queue.lane("copy") == "0-10 20-30");
  CHECK(queue.lane("copy, 2") == "5-15");
  flamelet_track_destroy(queue.track);
  CHECK(recorder_test::stats().tracks_live == before);
  CHECK(queue.lane("copy, 2") == "5-15");
  Queue next;
  next.submit({{40, 50}});
  CHECK(next.lane("graphics") == "40-50");
  CHECK(next.lane("graphics, 2").empty());
}

TEST_CASE_FIXTURE(Recording,
                  "half of the tracks are left to threads: then a pass that overlaps another in part is cut") {
  std::vector<uint32_t> others;
  while (recorder_test::stats().tracks_live < recorder_test::stats().tracks_limit / 2)
    others.push_back(flamelet_track_create("other", FLAMELET_TRACK_GPU, 1e9));
  Queue queue;
  queue.submit({{0, 10}, {5, 15}});
  CHECK(queue.lane("graphics") == "0-10 .5-10!");
  CHECK(recorder_test::stats().dropped_no_track == 0);
  for (const uint32_t other : others) flamelet_track_destroy(other);
  queue.submit({{20, 30}, {25, 35}});
  CHECK(queue.lane("graphics, 2") == "25-35");
}

TEST_CASE("a GPU queue and a source that ended keep their kind, however many threads came since") {
  flamelet_config config = recorder_test::small_config();
  recorder_test::keep_pages(&config, 2 * FLAMELET_MAX_TRACKS);
  const recorder_test::Recording recording(config);
  const struct {
    const char* name;
    flamelet_track_kind kind;
    flamelet_lane_kind lane_kind;
  } tracks[] = {{"loading", FLAMELET_TRACK_GPU, FLAMELET_LANE_GPU},
                {"replay", FLAMELET_TRACK_EXTERNAL, FLAMELET_LANE_EXTERNAL}};
  for (const auto& of : tracks) {
    const uint32_t track = flamelet_track_create(of.name, of.kind, 1e9);
    REQUIRE(flamelet_track_calibrate(track, 5000, flamelet_now_ticks()) == FLAMELET_OK);
    const flamelet_event events[] = {{5100, 1, "pass", "", nullptr, 0, 'B', false, 0},
                                     {5200, 1, "", "", nullptr, 0, 'E', false, 0}};
    REQUIRE(flamelet_submit(track, events, 2) == 2);
    flamelet_track_destroy(track);
  }
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS + 10; ++i) std::thread([] { FLAMELET_SCOPE("job"); }).join();
  Capture capture(Captured::kNow);
  for (const auto& of : tracks) {
    CAPTURE(of.name);
    CHECK(recorder_test::lane_of(capture, capture.lane(of.name)).kind == of.lane_kind);
  }
}

TEST_CASE_FIXTURE(Recording, "names that do not fit are counted and shown as unknown") {
  flamelet_capture_config config = recorder_test::small_capture_config();
  config.max_sites = 2;
  config.max_strings = 8;
  config.string_bytes = 64;
  Capture capture(config);
  for (int i = 0; i < 10; ++i) {
    const std::string name = "scope number " + std::to_string(i);
    flamelet_end(flamelet_begin(flamelet_intern(name.c_str()), "", nullptr));
  }
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  const uint64_t missing = capture.stats().names_missing;
  CHECK(missing > 10);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(capture.stats().names_missing == missing);
  const std::vector<flamelet_span> spans = capture.spans(0);
  REQUIRE(spans.size() == 10);
  flamelet_site_info site;
  CHECK_FALSE(flamelet_capture_site(capture, spans[9].site, &site));
  CHECK(std::string(site.name.text) == "(unknown)");
}

TEST_CASE("recorded is read plus lost, for threads that came and went before anybody read") {
  Recording recording(0);
  Capture capture;
  for (int round = 0; round < 150; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([round] {
        for (int n = 0; n < 400 + round; ++n) flamelet_end(flamelet_begin("short", "", nullptr));
      });
    for (std::thread& thread : threads) thread.join();
    if (round % 90 == 3) {
      REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
      CHECK(capture.stats().events_read + capture.stats().events_lost == events_recorded());
    }
  }
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(capture.stats().events_lost > 0);
  CHECK(capture.stats().events_read + capture.stats().events_lost == events_recorded());
}

TEST_CASE_FIXTURE(Recording, "recorded is read plus lost, for a thread whose place was taken between two looks") {
  Capture capture;
  std::atomic<int> step{0};
  std::thread thread([&] {
    flamelet_end(flamelet_begin("early", "", nullptr));
    step = 1;
    while (step != 2) std::this_thread::yield();
    flamelet_end(flamelet_begin("late", "", nullptr));
  });
  while (step != 1) std::this_thread::yield();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  step = 2;
  thread.join();
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS + 10; ++i)
    std::thread([] { flamelet_instant("short", "", nullptr); }).join();
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  CHECK(capture.stats().events_read + capture.stats().events_lost == events_recorded());
  CHECK(capture.stats().events_lost == 0);
}

TEST_CASE("while threads record, captures read whole spans and lose none uncounted") {
  constexpr uint32_t kThreads = 3;
  constexpr uint32_t kRounds = 3000;
  Recording recording(size_t{64} << 10);  // small enough that events are lost
  Capture first, second;
  std::atomic<uint32_t> running{kThreads};
  uint64_t recorded[kThreads] = {};
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const std::string prefix(1, static_cast<char>('a' + t));
      flamelet_set_thread_name(prefix.c_str());
      const char* names[3] = {flamelet_intern((prefix + "0").c_str()), flamelet_intern((prefix + "1").c_str()),
                              flamelet_intern((prefix + "2").c_str())};
      for (uint32_t round = 0; round < kRounds; ++round) {
        const flamelet_id outer = flamelet_begin(names[0], prefix.c_str(), nullptr);
        for (uint32_t i = 0; i < round % 5; ++i) {
          const flamelet_id middle = flamelet_begin(names[1], "", nullptr);
          flamelet_end(flamelet_begin(names[2], "", nullptr));
          flamelet_end(middle);
        }
        flamelet_end(outer);
        recorded[t] += 2 + 4 * (round % 5);
        if (t == 0) flamelet_frame();
      }
      --running;
    });
  }
  // A span is named for its thread and its depth: any torn or misplaced event shows.
  const auto check = [&](const Capture& capture) {
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
      const std::string thread = capture.lane_name(lane);
      int64_t last_ns = INT64_MIN;
      for (const flamelet_span& span : capture.spans(lane)) {
        const std::string name = capture.string(span.name);
        REQUIRE(name.size() == 2);
        if (thread.size() == 1) REQUIRE(name[0] == thread[0]);
        REQUIRE(name[1] == '0' + span.depth);
        REQUIRE(span.begin_ns >= last_ns);
        REQUIRE(span.end_ns >= span.begin_ns);
        last_ns = span.begin_ns;
      }
    }
  };
  std::thread reader([&] {
    while (running != 0) {
      REQUIRE(flamelet_capture_update(second) == FLAMELET_OK);
      check(second);
    }
  });
  while (running != 0) {
    REQUIRE(flamelet_capture_update(first) == FLAMELET_OK);
    check(first);
  }
  reader.join();
  for (std::thread& thread : threads) thread.join();
  const uint64_t all = events_recorded();
  for (Capture* capture : {&first, &second}) {
    REQUIRE(flamelet_capture_update(*capture) == FLAMELET_OK);
    check(*capture);
    CHECK(capture->stats().events_read + capture->stats().events_lost == all);
    CHECK(capture->stats().bad_words == 0);
    for (uint32_t t = 0; t < kThreads; ++t) {
      const flamelet_lane_info info =
          recorder_test::lane_of(*capture, capture->lane(std::string(1, static_cast<char>('a' + t))));
      CHECK(info.events_read + info.events_lost == recorded[t]);
    }
  }
}

}  // namespace capture_tracks_test
