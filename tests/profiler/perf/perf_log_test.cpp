// SPDX-License-Identifier: MIT
//
// The performance log: which frames and lines it has.
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "perf_logs.h"
#include "support/comma_locale.h"
#include "support/counting_allocator.h"

using namespace perf_test;

namespace {

void overloaded(int) {
  PERF_FUNCTION();
  work(1);
}
void overloaded(double) {
  PERF_FUNCTION();
  work(2);
}

}  // namespace

TEST_CASE_FIXTURE(Log, "perf log: a frame is an outermost block, its lines stand in the order in which blocks end") {
  now_ns = 100;
  {
    PERF_BLOCK(update);
    now_ns += 5;
    {
      PERF_BLOCK(collect);
      {
        PERF_BLOCK(read);
        now_ns += 10;
      }
      now_ns += 1;
    }
    PERF_BLOCK(move);
    now_ns += 20;
  }
  {
    PERF_BLOCK(render);
    now_ns += 7;
  }
  CHECK(poll() ==
        "Frame : update on thread \"main\"\n"
        "3,read,10,105,115\n"
        "2,collect,11,105,116\n"
        "2,move,20,116,136\n"
        "1,update,36,100,136\n"
        "Frame : render on thread \"main\"\n"
        "1,render,7,136,143\n");
  CHECK(poll() == "");
}

TEST_CASE_FIXTURE(Log,
                  "perf log: a frame is written when its routine has ended, once, over any number of polls and pages") {
  std::string all;
  {
    PERF_BLOCK(routine);
    for (int i = 0; i < 3000; ++i) {
      PERF_BLOCK(step);
      now_ns += 1;
      if (i % 700 == 0) all += poll();
    }
    CHECK(all == "");
  }
  all += poll();
  all += poll();
  CHECK(count_of(all, "Frame : routine on thread \"main\"\n") == 1);
  CHECK(count_of(all, "2,step,1,") == 3000);
  CHECK(all.find("1,routine,3000,0,3000\n") == all.size() - std::string("1,routine,3000,0,3000\n").size());
}

TEST_CASE_FIXTURE(Log, "perf log: scopes that are no PERF blocks are not in the log, nor in the depth") {
  {
    FLAMELET_SCOPE("frame");
    PERF_BLOCK(outer);
    FLAMELET_SCOPE("between");
    named_block("inner", 3);
  }
  CHECK(poll() == "Frame : outer on thread \"main\"\n2,inner,3,0,3\n1,outer,3,0,3\n");
}

TEST_CASE_FIXTURE(Log, "perf log: names with commas, brackets, quotes and newlines are quoted") {
  for (const char* name : {"virtual bool a::b<int>::Proc(std::map<int, char[3]>)", "plain(int)", "say \"hi\"",
                           "a\nb\r\tc\x01", "back\\slash", "", " space", "Größe [m]"})
    named_block(name, 1);
  const std::string all = poll();
  CHECK(all.find("1,\"virtual bool a::b<int>::Proc(std::map<int, char[3]>)\",1,0,1\n") != std::string::npos);
  CHECK(all.find("Frame : \"virtual bool a::b<int>::Proc(std::map<int, char[3]>)\" on thread \"main\"\n") !=
        std::string::npos);
  CHECK(all.find("1,plain(int),1,1,2\n") != std::string::npos);
  CHECK(all.find("1,\"say \\\"hi\\\"\",1,2,3\n") != std::string::npos);
  CHECK(all.find("1,\"a\\nb\\r\\tc\\x01\",1,3,4\n") != std::string::npos);
  CHECK(all.find("1,\"back\\\\slash\",1,4,5\n") != std::string::npos);
  CHECK(all.find("1,\"\",1,5,6\n") != std::string::npos);
  CHECK(all.find("1,\" space\",1,6,7\n") != std::string::npos);
  CHECK(all.find("1,Größe [m],1,7,8\n") != std::string::npos);
}

TEST_CASE_FIXTURE(Log, "perf log: frames of several threads do not mix, and stand in the order of their ends") {
  {
    PERF_BLOCK(main_routine);
    now_ns = 10;
    std::thread([] {
      flamelet_set_thread_name("Worker, \"1\"");
      PERF_BLOCK(worker_routine);
      named_block("worker step", 10);
    }).join();
    named_block("main step", 10);
  }
  CHECK(poll() ==
        "Frame : worker_routine on thread \"Worker, \\\"1\\\"\"\n"
        "2,worker step,10,10,20\n"
        "1,worker_routine,10,10,20\n"
        "Frame : main_routine on thread \"main\"\n"
        "2,main step,10,20,30\n"
        "1,main_routine,30,0,30\n");
}

TEST_CASE_FIXTURE(Log, "perf log: the blocks of a fiber are one frame, whichever threads it ran on") {
  const uint32_t fiber = flamelet_fiber_create("fiber");
  static flamelet_id routine = 0;
  // This thread's page is read first at every poll, though it has the fiber's later blocks.
  named_block("warm up", 1);
  std::thread([fiber] {
    flamelet_fiber_switch(0, fiber);
    routine = flamelet_begin("routine", FLAMELET_PERF_CATEGORY, nullptr);
    named_block("first", 5);
    flamelet_fiber_switch(fiber, 0);
  }).join();
  flamelet_fiber_switch(0, fiber);
  named_block("second", 5);
  flamelet_end(routine);
  flamelet_fiber_switch(fiber, 0);
  CHECK(poll() ==
        "Frame : warm up on thread \"main\"\n1,warm up,1,0,1\n"
        "Frame : routine on fiber \"fiber\"\n"
        "2,first,5,1,6\n"
        "2,second,5,6,11\n"
        "1,routine,10,1,11\n");
}

TEST_CASE_FIXTURE(Log, "perf log: threads and fibers without a name are numbers") {
  uint32_t thread = 0;
  std::thread([&thread] {
    named_block("of a thread", 1);
    thread = flamelet_thread_id();
  }).join();
  const uint32_t fiber = flamelet_fiber_create("");
  flamelet_fiber_switch(0, fiber);
  named_block("of a fiber", 1);
  flamelet_fiber_switch(fiber, 0);
  CHECK(poll() == "Frame : of a thread on thread " + std::to_string(thread) +
                      "\n1,of a thread,1,0,1\n"
                      "Frame : of a fiber on fiber " +
                      std::to_string(fiber) + "\n1,of a fiber,1,1,2\n");
}

TEST_CASE_FIXTURE(Log, "perf log: a thread that ended before the poll keeps its name, and a fiber") {
  std::thread([] {
    flamelet_set_thread_name("short");
    named_block("thread", 1);
  }).join();
  const uint32_t fiber = flamelet_fiber_create("coroutine");
  flamelet_fiber_switch(0, fiber);
  named_block("fiber", 1);
  flamelet_fiber_switch(fiber, 0);
  flamelet_fiber_destroy(fiber);
  const std::string all = poll();
  CHECK(all.find("Frame : thread on thread \"short\"\n") != std::string::npos);
  CHECK(all.find("Frame : fiber on fiber \"coroutine\"\n") != std::string::npos);
}

TEST_CASE_FIXTURE(Log, "perf log: functions have their whole signatures, so that overloads are apart") {
  overloaded(1);
  overloaded(1.0);
  const std::string all = poll();
  CHECK(all.find("::overloaded(int) on thread \"main\"\n") != std::string::npos);
  CHECK(all.find("::overloaded(int),1,0,1\n") != std::string::npos);
  CHECK(all.find("::overloaded(double),2,1,3\n") != std::string::npos);
  flamelet_perf_routine routine;
  CHECK(flamelet_perf_log_routine(log, 1, &routine));
  CHECK_FALSE(flamelet_perf_log_routine(log, 2, &routine));
}

TEST_CASE_FIXTURE(Log, "perf log: functions have no return types, with compilers that write them, too") {
  for (const char* function :
       {"void ns::Game::update()", "static int ns::Game::count(int)", "const T *ns::Game::make(T) [T = double]"})
    flamelet_site_end(flamelet_site_begin(flamelet_site_create(nullptr, function, "", 1, FLAMELET_PERF_CATEGORY, 0)));
  const std::string all = poll();
  for (const char* line :
       {"\n1,ns::Game::update(),", "\n1,ns::Game::count(int),", "\n1,ns::Game::make(T) [T = double],"})
    CHECK(all.find(line) != std::string::npos);
}

TEST_CASE_FIXTURE(Log, "perf log: a missing end closes with its parent, as in the recorder") {
  const flamelet_id outer = flamelet_begin("outer", FLAMELET_PERF_CATEGORY, nullptr);
  flamelet_begin("inner", FLAMELET_PERF_CATEGORY, nullptr);
  now_ns = 4;
  flamelet_end(outer);
  CHECK(poll() == "Frame : outer on thread \"main\"\n2,inner,4,0,4\n1,outer,4,0,4\n");
}

TEST_CASE_FIXTURE(Log, "perf log: where the clock goes back, frames are held back until the next poll at most") {
  constexpr uint64_t kHour = 3'600'000'000'000;
  for (const uint64_t begin_ns : {kHour, uint64_t{0}}) {
    now_ns = begin_ns;
    named_block("work", 1000);
  }
  poll();
  CHECK(poll() ==
        "Frame : work on thread \"main\"\n1,work,1000,3600000000000,3600000001000\n"
        "Frame : work on thread \"main\"\n1,work,0,3600000001000,3600000001000\n");
  CHECK(poll().empty());
}

TEST_CASE("perf log: the close writes what was completed since the last poll, and nothing that still runs") {
  start_recorder();
  std::string text;
  flamelet_perf_log* const log = log_to(&text);
  {
    named_block("done", 1);
    PERF_BLOCK(runs);
    CHECK(flamelet_perf_log_destroy(log) == FLAMELET_OK);
  }
  CHECK(text == "Frame : done on thread \"main\"\n1,done,1,0,1\n");
  flamelet_shutdown();
}

TEST_CASE("perf log: what was recorded before the log began is read, as far as it is there") {
  start_recorder();
  named_block("before", 2);
  std::string text;
  flamelet_perf_log* const log = log_to(&text);
  CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
  CHECK(text == "Frame : before on thread \"main\"\n1,before,2,0,2\n");
  flamelet_perf_log_destroy(log);
  flamelet_shutdown();
}

TEST_CASE_FIXTURE(Log, "perf log: a restart of the recorder begins a new count of time") {
  named_block("first", 5);
  CHECK(poll() == "Frame : first on thread \"main\"\n1,first,5,0,5\n");
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  CHECK(flamelet_perf_log_poll(log) == FLAMELET_ERROR_NOT_INITIALIZED);
  start_recorder();
  named_block("second", 5);
  named_block("first", 1);
  CHECK(poll() ==
        "Frame : second on thread \"main\"\n1,second,5,0,5\nFrame : first on thread \"main\"\n1,first,1,5,6\n");
  CHECK(routine("first").frame_count == 2);
}

TEST_CASE("perf log: every frame of running threads is logged once, while they run") {
  flamelet_config recorder = flamelet_config_default();
  REQUIRE(flamelet_init(&recorder) == FLAMELET_OK);
  std::string text;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.max_blocks = 1 << 18;
  flamelet_perf_log* const log = log_to(&text, config);
  constexpr int kThreads = 3;
  constexpr int kFrames = 20000;
  std::atomic<int> running = kThreads;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&running] {
      flamelet_set_thread_name("worker");
      for (int i = 0; i < kFrames; ++i) {
        PERF_BLOCK(routine);
        for (int part = 0; part < 2; ++part) PERF_BLOCK(part);
      }
      --running;
    });
  }
  while (running != 0) {
    CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
  CHECK(flamelet_perf_log_destroy(log) == FLAMELET_OK);
  flamelet_shutdown();
  CHECK(count_of(text, "Frame : routine on thread ") == kThreads * kFrames);
  CHECK(count_of(text, "\"worker\"\n2,part,") == kThreads * kFrames);
  CHECK(count_of(text, "\n1,routine,") == kThreads * kFrames);
  CHECK(count_of(text, "\n2,part,") == 2 * kThreads * kFrames);
}

// ---- The performance log: what it does without room, and what is lost ---------------------------------------------

TEST_CASE("perf log: events that the ring has overwritten are counted exactly, and no frame is made up") {
  Log log(flamelet_perf_log_config_default(), 64);
  {
    PERF_BLOCK(torn);
    named_block("its child", 1);
    CHECK(log.poll() == "");
  }
  constexpr uint64_t kFrames = 400000;
  for (uint64_t i = 0; i < kFrames; ++i) {
    PERF_BLOCK(routine);
    PERF_BLOCK(child);
    now_ns += 1;
  }
  const std::string text = log.poll();
  const flamelet_perf_log_stats stats = log.stats();
  CHECK(stats.events_lost > 0);
  CHECK(stats.blocks_dropped > 0);  // more frames in one poll than blocks have places
  CHECK(text.find("Frame : torn") == std::string::npos);
  // Every line is of a frame that ends with its routine.
  CHECK(count_of(text, "Frame : routine on thread \"main\"\n") == stats.frames);
  CHECK(count_of(text, "1,routine,1,") == stats.frames);
  CHECK(count_of(text, "its child") == 0);
}

TEST_CASE("perf log: events of a thread that has ended are lost, too") {
  uint64_t lost[2];
  for (const bool has_thread : {false, true}) {
    Log log(flamelet_perf_log_config_default(), 64);
    CHECK(log.poll() == "");
    const auto record = [](int count) {
      for (int i = 0; i < count; ++i) flamelet_instant("instant", "", nullptr);
    };
    for (int threads = has_thread ? 3 : 0; threads != 0; --threads) std::thread(record, 1000).join();
    record(100000);
    log.poll();
    log.poll();
    lost[has_thread] = log.stats().events_lost;
  }
  CHECK(lost[1] == lost[0] + 3000);
}

TEST_CASE("perf log: of a routine that lost a block in the ring, there is no frame, on a thread or a fiber") {
  for (const bool is_on_fiber : {false, true}) {
    CAPTURE(is_on_fiber);
    Log log(flamelet_perf_log_config_default(), 64);
    const uint32_t fiber = is_on_fiber ? flamelet_fiber_create("job") : 0;
    std::string all_text;
    const auto run = [&](uint64_t frames, uint32_t blocks) {
      if (is_on_fiber) flamelet_fiber_switch(0, fiber);
      for (uint64_t i = 0; i < frames; ++i) {
        PERF_BLOCK(routine);
        for (uint32_t k = 0; k < blocks; ++k) named_block("part", 10);
      }
      if (is_on_fiber) flamelet_fiber_switch(fiber, 0);
    };
    flamelet_perf_log_stats stats = {};
    for (uint32_t blocks = 1; blocks <= 60; ++blocks) {  // so pages begin at any place of a frame
      CAPTURE(blocks);
      const uint64_t frames_before = stats.frames, lines_before = stats.lines;
      run(100000 / blocks, blocks);
      const std::string text = log.poll();
      stats = log.stats();
      all_text += text;
      CHECK(stats.frames != frames_before);
      CHECK(stats.lines - lines_before == (stats.frames - frames_before) * (blocks + 1));
      CHECK(count_of(text, "1,routine," + std::to_string(10 * blocks) + ",") == stats.frames - frames_before);
    }
    CHECK(stats.events_lost > 0);
    CHECK(stats.blocks_dropped > 0);
    CHECK(count_of(all_text, "Lost : ") != 0);
    uint64_t lost = 0;
    for (size_t at = all_text.find("Lost : "); at != std::string::npos; at = all_text.find("Lost : ", at + 1))
      lost += std::stoull(all_text.substr(at + 7));
    CHECK(lost == stats.events_lost);
  }
}

// One of a fiber that went on elsewhere lost blocks on a thread; its later pages do not tell.
TEST_CASE("perf log: of a fiber's routine that lost blocks on one of its threads, there is no frame") {
  for (const bool is_lost : {false, true}) {
    CAPTURE(is_lost);
    Log log(flamelet_perf_log_config_default(), 64);
    const uint32_t fiber = flamelet_fiber_create("job");
    const char* const name = flamelet_intern("routine");
    flamelet_fiber_switch(0, fiber);
    const flamelet_id routine = flamelet_begin(name, FLAMELET_PERF_CATEGORY, nullptr);
    named_block("part", 10);
    flamelet_fiber_switch(fiber, 0);
    CHECK(log.poll() == "");
    std::thread([&] {
      flamelet_fiber_switch(0, fiber);
      named_block("part", 10);
      flamelet_fiber_switch(fiber, 0);
      for (int i = 0; is_lost && i < 100000; ++i) flamelet_instant("over it", "", nullptr);
    }).join();
    flamelet_fiber_switch(0, fiber);
    named_block("part", 10);
    flamelet_end(routine);
    flamelet_fiber_switch(fiber, 0);
    const std::string text = log.poll();
    CHECK(count_of(text, "2,part,") == (is_lost ? 0 : 3));
    CHECK(count_of(text, "Frame : ") == (is_lost ? 0 : 1));
  }
}

TEST_CASE("perf log: as many blocks have places as the config says, and a routine with more is dropped whole") {
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.max_blocks = 16;
  for (const size_t parts : {size_t{16}, size_t{17}, size_t{40}}) {
    CAPTURE(parts);
    for (const bool polled_between : {false, true}) {
      CAPTURE(polled_between);
      Log log(config);
      {
        PERF_BLOCK(wide);
        for (size_t i = 0; i < parts; ++i) {
          named_block("part", 1);
          if (polled_between && i == 15) CHECK(log.poll() == "");
        }
      }
      const std::string text = log.poll();
      CHECK(count_of(text, "2,part,1,") == (parts == 16 ? 16 : 0));
      CHECK(count_of(text, "1,wide,16,0,") == (parts == 16 ? 1 : 0));
      const uint64_t dropped = parts == 16 ? 0 : parts + 1;
      CHECK(log.stats().blocks_dropped == dropped);
      {
        PERF_BLOCK(next);
        for (int i = 0; i < 16; ++i) named_block("inner", 1);
      }
      const std::string next = log.poll();
      CHECK(count_of(next, "2,inner,1,") == 16);
      CHECK(count_of(next, "1,next,16,") == 1);
      CHECK(log.stats().blocks_dropped == dropped);
    }
  }
}

TEST_CASE("perf log: a routine that does not end does not keep others from the log") {
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.max_blocks = 16;
  for (const int parts : {8, 9}) {
    CAPTURE(parts);
    Log log(config);
    {
      PERF_BLOCK(endless);
      for (int i = 0; i < parts; ++i) named_block("part", 1);
      CHECK(log.poll() == "");
      std::thread([] {
        flamelet_set_thread_name("other");
        PERF_BLOCK(other);
        for (int i = 0; i < 12; ++i) named_block("inner", 1);
      }).join();
      // It has to go if it holds more than half of all places.
      const std::string text = log.poll();
      CHECK(count_of(text, "Frame : other on thread \"other\"\n") == (parts == 8 ? 0 : 1));
      CHECK(count_of(text, "2,inner,1,") == (parts == 8 ? 0 : 12));
      CHECK(log.stats().blocks_dropped == (parts == 8 ? 13 : 9));
      named_block("late part", 1);
    }
    CHECK(count_of(log.poll(), "Frame : endless on") == (parts == 8 ? 1 : 0));
    CHECK(log.stats().blocks_dropped == (parts == 8 ? 13 : 9 + 2));
  }
}

TEST_CASE("perf log: routines that never end do not keep others from the log, however many they are") {
  for (const uint32_t fibers : {100u, 5000u}) {
    CAPTURE(fibers);
    Log log(
        with(flamelet_perf_log_config_default(), &flamelet_perf_log_config::max_blocks, fibers < 1000 ? 64 : 65536));
    for (uint32_t i = 0; i < fibers; ++i) {
      const uint32_t fiber = flamelet_fiber_create("job");
      flamelet_fiber_switch(0, fiber);
      flamelet_begin("endless", FLAMELET_PERF_CATEGORY, nullptr);
      named_block("part", 1);
      flamelet_fiber_switch(fiber, 0);
      flamelet_fiber_destroy(fiber);
      if (i % 10 == 9) CHECK(log.poll() == "");
    }
    const uint64_t dropped = log.stats().blocks_dropped;
    {
      PERF_BLOCK(good);
      for (int i = 0; i < 30; ++i) named_block("inner", 1);
      CHECK(log.poll() == "");
    }
    CHECK(count_of(log.poll(), "2,inner,1,") == 30);
    CHECK(dropped >= (fibers < 1000 ? 100u - 64 : 5000u - 4096));
  }
}

TEST_CASE("perf log: frames that are held back take no room from those that come") {
  flamelet_config recorder = flamelet_config_default();  // by the CPU's counter, if there is one
  REQUIRE(flamelet_init(&recorder) == FLAMELET_OK);
  std::string text;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.max_blocks = 64;
  flamelet_perf_log* const log = log_to(&text, config);
  constexpr int kFrames = 40;
  for (int frame = 0; frame < kFrames; ++frame) {
    {
      PERF_BLOCK(routine);
      for (int part = 0; part < 30; ++part) PERF_BLOCK(part);
    }
    CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
  }
  flamelet_perf_log_stats stats;
  CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
  flamelet_perf_log_get_stats(log, &stats);
  CHECK(stats.blocks_dropped == 0);
  flamelet_perf_log_destroy(log);
  flamelet_shutdown();
  CHECK(count_of(text, "Frame : routine on thread ") == kFrames);
  CHECK(count_of(text, "\n2,part,") == kFrames * 30);
}

TEST_CASE("perf log: a fiber's routine is dropped whole, too, wherever its blocks ended") {
  Log log(with(flamelet_perf_log_config_default(), &flamelet_perf_log_config::max_blocks, 16));
  const uint32_t fiber = flamelet_fiber_create("wide");
  flamelet_fiber_switch(0, fiber);
  const flamelet_id routine = flamelet_begin("wide", FLAMELET_PERF_CATEGORY, nullptr);
  for (int i = 0; i < 10; ++i) named_block("part", 1);
  flamelet_fiber_switch(fiber, 0);
  std::thread([&] {
    flamelet_fiber_switch(0, fiber);
    for (int i = 0; i < 10; ++i) named_block("part", 1);
    flamelet_end(routine);
    named_block("next", 1);
    flamelet_fiber_switch(fiber, 0);
  }).join();
  const std::string text = log.poll();
  CHECK(text.find("part") == std::string::npos);
  CHECK(text.find("Frame : wide") == std::string::npos);
  CHECK(count_of(text, "Frame : next on fiber \"wide\"\n1,next,1,") == 1);
  CHECK(log.stats().blocks_dropped == 21);
}

TEST_CASE("perf log: names beyond the table are one") {
  Log log(with(flamelet_perf_log_config_default(), &flamelet_perf_log_config::max_names, 3));
  for (const char* name : {"a", "b", "c", "d"}) named_block(name, 1);
  CHECK(log.poll() ==
        "Frame : a on thread \"main\"\n1,a,1,0,1\nFrame : b on thread \"main\"\n1,b,1,1,2\n"
        "Frame : (overflow) on thread \"main\"\n1,(overflow),1,2,3\nFrame : (overflow) on thread "
        "\"main\"\n1,(overflow),1,3,4\n");
  CHECK(log.stats().names_overflowed == 2);
  CHECK(log.routine("(overflow)").frame_count == 2);
  flamelet_perf_routine routine;
  CHECK(flamelet_perf_log_routine(log.log, 2, &routine));
  CHECK_FALSE(flamelet_perf_log_routine(log.log, 3, &routine));
}

TEST_CASE("perf log: configurations that cannot work are refused") {
  flamelet_perf_log* log = nullptr;
  CHECK(flamelet_perf_log_create(nullptr, &log) == FLAMELET_ERROR_INVALID_ARGUMENT);
  flamelet_perf_log_config config = {};
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_INVALID_ARGUMENT);
  config = flamelet_perf_log_config_default();
  CHECK(flamelet_perf_log_create(&config, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  std::string text;
  config.path = "both";
  config.sink = sink_to(&text);
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_INVALID_ARGUMENT);
  config = flamelet_perf_log_config_default();
  config.max_blocks = 0;
  CHECK(flamelet_perf_log_memory_required(&config) == 0);
  CHECK(flamelet_perf_log_destroy(nullptr) == FLAMELET_OK);
  CHECK(flamelet_perf_log_poll(nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

TEST_CASE_FIXTURE(recorder_test::CountingAllocator,
                  "perf log: one allocation of the size that was told, and one free") {
  const flamelet_perf_log_config config =
      with(flamelet_perf_log_config_default(), &flamelet_perf_log_config::allocator, get());
  flamelet_perf_log* log = nullptr;
  REQUIRE(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  CHECK(bytes == flamelet_perf_log_memory_required(&config));
  flamelet_perf_log_destroy(log);
  CHECK(freed_bytes == bytes);
  CHECK(allocations == 1);
  blocks_left = 0;
  const LogFile file;
  const flamelet_perf_log_config to_file = with(config, &flamelet_perf_log_config::path, file.path.c_str());
  CHECK(flamelet_perf_log_create(&to_file, &log) == FLAMELET_ERROR_OUT_OF_MEMORY);
  CHECK(log == nullptr);
  CHECK_FALSE(std::ifstream(file.path).good());
}

// ---- The performance log in a file --------------------------------------------------------------------------------

TEST_CASE_FIXTURE(LogFile, "perf log: a file is made, and appended to") {
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = path.c_str();
  for (int run = 0; run < 2; ++run) {
    Log log(config);
    named_block("routine", 1);
  }
  CHECK(read() ==
        "Frame : routine on thread \"main\"\n1,routine,1,0,1\nFrame : routine on thread \"main\"\n1,routine,1,0,1\n");
}

TEST_CASE_FIXTURE(LogFile, "perf log: half a line that a killed process left does not spoil the next frame") {
  write("Frame : old\n2,half,12");
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.path = path.c_str();
  {
    Log log(config);
    named_block("routine", 1);
  }
  CHECK(read() == "Frame : old\n2,half,12\nFrame : routine on thread \"main\"\n1,routine,1,0,1\n");
}

TEST_CASE("perf log: after a sink has failed inside a frame, the next one begins on a line of its own") {
  struct Sink {
    std::string text;
    int calls = 0;
  } sink;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.sink = {[](void* user, const void* text, size_t size) {
                   auto* to = static_cast<Sink*>(user);
                   if (++to->calls == 2) return false;
                   to->text.append(static_cast<const char*>(text), size);
                   return true;
                 },
                 &sink};
  Log log(config);
  {
    PERF_BLOCK(wide);  // more text than the buffer holds
    for (int i = 0; i < 4000; ++i) named_block("a part of some length", 1);
  }
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_ERROR_FILE_WRITE);
  named_block("next", 1);
  CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
  const std::string next = "\nFrame : next on thread \"main\"\n1,next,1,4000,4001\n";
  CHECK(sink.text.substr(sink.text.size() - next.size()) == next);
  CHECK(log.stats().frames_unwritten == 1);
}

TEST_CASE("perf log: the lines are the same where the C library has a decimal comma") {
  const auto logged = [] {
    Log log;
    for (const uint64_t ns : {1u, 1500u, 1234567u}) named_block("routine", ns);
    CHECK(flamelet_perf_log_poll(log.log) == FLAMELET_OK);
    return log.text;
  };
  const std::string points = logged();
  CHECK(count_of(points, "1,routine,") == 3);
  const flamelet::tests::CommaLocale commas;
  if (commas.is_there()) CHECK(logged() == points);
}

// ---- Live statistics of PERF blocks -------------------------------------------------------------------------------

TEST_CASE_FIXTURE(Log, "perf log: statistics are over frames, with the deviation of a sample") {
  for (const uint64_t ns : {2u, 4u, 4u, 4u, 5u, 5u, 7u, 9u}) {
    PERF_BLOCK(frame);
    named_block("half", ns / 2);
    named_block("half", ns - ns / 2);
  }
  poll();
  for (const char* name : {"frame", "half"}) {
    const flamelet_perf_routine found = routine(name);
    CHECK(found.frame_count == 8);
    CHECK(found.mean_ns == doctest::Approx(5));
    CHECK(found.deviation_ns == doctest::Approx(std::sqrt(32.0 / 7)));
    CHECK(found.min_ns == 2);
    CHECK(found.max_ns == 9);
    CHECK(found.last_ns == 9);
  }
  CHECK(routine("half").block_count == 16);
}

TEST_CASE_FIXTURE(Log, "perf log: only what was in a frame is listed, in the order in which it first was") {
  flamelet_perf_routine routine;
  poll();
  CHECK_FALSE(flamelet_perf_log_routine(log, 0, &routine));
  {
    PERF_BLOCK(runs);
    poll();
    CHECK_FALSE(flamelet_perf_log_routine(log, 0, &routine));
    named_block("inner", 1);
  }
  named_block("later", 1);
  poll();
  std::string names;
  for (size_t i = 0; flamelet_perf_log_routine(log, i, &routine); ++i) names += routine.name.text + std::string(" ");
  CHECK(names == "inner runs later ");
}

TEST_CASE_FIXTURE(Log, "perf log: a routine inside itself costs its time once") {
  for (int frame = 0; frame < 2; ++frame) {
    PERF_BLOCK(update);
    PERF_BLOCK(visit);
    named_block("other", 1);
    PERF_BLOCK(visit);
    now_ns += 10;
  }
  poll();
  CHECK(routine("visit").mean_ns == 11);
  CHECK(routine("visit").block_count == 4);
  CHECK(routine("update").mean_ns == 11);
}

TEST_CASE_FIXTURE(Log, "perf log: one frame has no deviation") {
  named_block("once", 3);
  poll();
  CHECK(routine("once").deviation_ns == 0);
  flamelet_perf_routine none;
  CHECK_FALSE(flamelet_perf_log_routine(log, 1000, &none));
}

TEST_CASE_FIXTURE(Log, "perf log: the table shows the most expensive routine first, and fits the terminal") {
  named_block("cheap", 300);
  for (int i = 0; i < 3; ++i) {
    PERF_BLOCK(a routine with a name that is too long);
    now_ns += 1500000 + 1000 * static_cast<uint64_t>(i);
  }
  poll();
  std::string table;
  flamelet_perf_log_print(log, 88, sink_to(&table));
  CHECK(table ==
        "routine                    frames       last       mean         sd        min        max\n"
        "a routine with a name th        3   1.502 ms   1.501 ms   1.000 us   1.500 ms   1.502 ms\n"
        "cheap                           1     300 ns     300 ns       -        300 ns     300 ns\n");
  table.clear();
  flamelet_perf_log_print(log, UINT32_MAX, sink_to(&table));
  CHECK(table.size() == 3 * 1025);
}
