// SPDX-License-Identifier: MIT
//
// The performance log: what it does without room, and what is lost.
#include "perf_logs.h"

#include <cstdint>
#include <string>
#include <thread>

#include "platform/process.h"

using namespace perf_test;

TEST_CASE("perf log: events that the ring has overwritten are counted exactly, and no frame is made up") {
  start_recorder(64);
  std::string text;
  flamelet_perf_log* const log = log_to(&text);
  {
    PERF_BLOCK(torn);
    named_block("its child", 1);
    CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
  }
  constexpr uint64_t kFrames = 400000;
  for (uint64_t i = 0; i < kFrames; ++i) {
    PERF_BLOCK(routine);
    PERF_BLOCK(child);
    now_ns += 1;
  }
  CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
  flamelet_perf_log_stats stats;
  flamelet_perf_log_get_stats(log, &stats);
  CHECK(stats.events_lost > 0);
  CHECK(stats.blocks_dropped > 0);  // more frames in one poll than blocks have places
  CHECK(text.find("Frame : torn") == std::string::npos);
  // Every line is of a frame that ends with its routine.
  CHECK(count_of(text, "Frame : routine on thread \"main\"\n") == stats.frames);
  CHECK(count_of(text, "1,routine,1,") == stats.frames);
  CHECK(count_of(text, "its child") == 0);
  flamelet_perf_log_destroy(log);
  flamelet_shutdown();
}

TEST_CASE("perf log: as many blocks have places as the config says, and only what is beyond is dropped") {
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
      CHECK(count_of(text, "2,part,1,") == 16);
      CHECK(text.find("2,part,1,0,1\n") != std::string::npos);
      CHECK(count_of(text, "1,wide," + std::to_string(parts) + ",0,") == 1);
      CHECK(log.stats().blocks_dropped == parts - 16);
      named_block("next", 1);
      CHECK(count_of(log.poll(), "1,next,1,") == 1);
      CHECK(log.stats().blocks_dropped == parts - 16);
    }
  }
}

TEST_CASE("perf log: a routine that does not end does not keep others from the log") {
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.max_blocks = 16;
  Log log(config);
  {
    PERF_BLOCK(endless);
    for (int i = 0; i < 20; ++i) named_block("part", 1);
    CHECK(log.poll() == "");
    CHECK(log.stats().blocks_dropped == 4);
    std::thread([] {
      flamelet_set_thread_name("other");
      PERF_BLOCK(other);
      for (int i = 0; i < 12; ++i) named_block("inner", 1);
    }).join();
    // The endless one gives up half of all places, and no more.
    const std::string text = log.poll();
    CHECK(count_of(text, "Frame : other on thread \"other\"\n") == 1);
    CHECK(count_of(text, "2,inner,1,") == 8);
    CHECK(count_of(text, "1,other,12,20,32\n") == 1);
    CHECK(log.stats().blocks_dropped == 4 + 12);
    named_block("late part", 1);
  }
  const std::string text = log.poll();
  CHECK(count_of(text, "2,part,1,") == 8);
  CHECK(text.find("2,part,1,8,9\n") != std::string::npos);  // the oldest went first
  CHECK(count_of(text, "2,late part,1,32,33\n1,endless,33,0,33\n") == 1);
}

TEST_CASE("perf log: names beyond the table are one") {
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.max_names = 3;
  Log log(config);
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

TEST_CASE("perf log: one allocation of the size that was told, and one free") {
  struct Counts {
    size_t allocated = 0;
    size_t freed = 0;
    int calls = 0;
  } counts;
  flamelet_perf_log_config config = flamelet_perf_log_config_default();
  config.allocator = {[](void* user, size_t size, size_t alignment) {
                        auto* c = static_cast<Counts*>(user);
                        c->allocated = size;
                        ++c->calls;
                        return flamelet::allocate_aligned(size, alignment);
                      },
                      [](void* user, void* memory, size_t size, size_t) {
                        static_cast<Counts*>(user)->freed = size;
                        flamelet::free_aligned(memory);
                      },
                      &counts};
  flamelet_perf_log* log = nullptr;
  REQUIRE(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  CHECK(counts.allocated == flamelet_perf_log_memory_required(&config));
  flamelet_perf_log_destroy(log);
  CHECK(counts.freed == counts.allocated);
  CHECK(counts.calls == 1);
  config.allocator.allocate = [](void*, size_t, size_t) -> void* { return nullptr; };
  CHECK(flamelet_perf_log_create(&config, &log) == FLAMELET_ERROR_OUT_OF_MEMORY);
  CHECK(log == nullptr);
}
