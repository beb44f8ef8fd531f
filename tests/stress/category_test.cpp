// SPDX-License-Identifier: MIT
//
// Categories switched while threads record: what a thread begins after it has seen a switch is what that says, on every
// path, and every end finds its begin.
#include <string>
#include <vector>

#include "profiler/record/categories_guard.h"
#include "stress.h"

using namespace recorder_test;

namespace {

// Told to the threads behind each switch: 2 * rounds, and 1 more while the category is off. 0: not yet.
struct Board {
  std::atomic<uint64_t> now{0};
  std::atomic<uint32_t> wrong{0};
  std::atomic<uint32_t> done{0};
};

void check(Board* board, flamelet_id id, bool on) {
  if ((id != 0) != on) ++board->wrong;
}

// Records by each path. `number` makes names of its own, so that sites and places are made while categories change.
void record_each_way(Board* board, bool on, uint32_t thread, uint64_t number) {
  static std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (uint32_t i = 0; i < 512; ++i) made.push_back("name " + std::to_string(i));
    return made;
  }();
  FLAMELET_SCOPE("always");
  {
    FLAMELET_BEGIN_CATEGORY(scope, "macro", "switched");
    check(board, scope.id(), on);
    FLAMELET_NEXT(scope, "always");
    FLAMELET_END(scope);
  }
  const char* name = names[(number * 3 + thread) % names.size()].c_str();
  check(board, flamelet_begin(name, "switched", nullptr), on);
  flamelet_end(flamelet_begin("inside", "always", nullptr));
  flamelet_end_top();
  flamelet_site* site = flamelet_site_create(name, "f", "file", thread, "switched", 0);
  const flamelet_id id = flamelet_site_begin(site);
  check(board, id, on);
  flamelet_site_end(id);
}

void run_thread(Board* board, uint32_t thread, uint64_t rounds) {
  for (uint64_t round = 1; round <= rounds; ++round) {
    uint64_t now;
    // While it waits, it records, and whether that is recorded is not known.
    Board ignored;
    while ((now = board->now.load(std::memory_order_acquire)) < 2 * round) record_each_way(&ignored, true, thread, now);
    for (int i = 0; i < 5; ++i) record_each_way(board, (now & 1) == 0, thread, round + static_cast<uint64_t>(i));
    ++board->done;
  }
}

}  // namespace

TEST_CASE("categories: what threads begin behind a switch is what it says, and every end finds its begin") {
  const CategoriesGuard guard;
  constexpr uint32_t kThreads = 3;
  const uint64_t rounds = scaled(800);
  flamelet_config config = small_config();
  config.max_sites = 4096;
  config.max_strings = 8192;
  keep_pages(&config, 64);
  Recording recording(config);
  Board board;
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i) threads.emplace_back(run_thread, &board, i, rounds);
  EventReader reader;
  for (uint64_t round = 1; round <= rounds; ++round) {
    const bool on = round % 3 != 0;
    // Some switches that nobody waits for, and at last the one that counts.
    for (uint64_t i = 0; i < round % 8; ++i) flamelet_category_set_enabled("switched", i % 2 == 0);
    flamelet_category_set_enabled("switched", on);
    board.now.store(2 * round + (on ? 0 : 1), std::memory_order_release);
    while (board.done < kThreads * round) std::this_thread::yield();
    if (round % 16 == 0) reader.poll();
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(reader.read_problem() == "");
  CHECK(board.wrong == 0);
  const flamelet_stats now = stats();
  CHECK(now.missing_ends == 0);
  CHECK(now.extra_ends == 0);
  CHECK(dropped(now) == 0);
  CHECK(now.sites_overflowed == 0);
}

// The second thread comes a little later than the first each time, by other lengths: some of its calls look at a place just
// before the first thread has made it.
TEST_CASE("categories: of two threads whose first call by a name comes at one time, both are recorded") {
  constexpr uint32_t kNames = 3000;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < kNames; ++i) names.push_back("name " + std::to_string(i));
  flamelet_config config = small_config();
  config.max_sites = 4096;
  config.max_strings = 8192;
  keep_pages(&config, 64);
  const uint64_t sessions = scaled(20);
  std::atomic<uint32_t> lost{0};
  for (uint64_t session = 0; session < sessions; ++session) {
    Recording recording(config);
    std::atomic<uint32_t> at[2] = {0, 0};
    const auto run = [&](uint32_t thread) {
      for (uint32_t i = 0; i < kNames; ++i) {
        at[thread].store(i + 1);
        for (uint32_t spins = 1; at[1 - thread].load() < i + 1; ++spins)
          if (spins % 4096 == 0) std::this_thread::yield();
        if (thread == 1)
          for (uint32_t k = 0; k < i % 256; ++k) at[thread].load();
        const flamelet_id id = flamelet_begin(names[i].c_str(), "twice", nullptr);
        if (id == 0) ++lost;
        flamelet_end(id);
      }
    };
    std::thread second(run, 1u);
    run(0);
    second.join();
    CHECK(dropped(stats()) == 0);
  }
  CHECK(lost == 0);
}
