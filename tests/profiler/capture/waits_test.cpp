// SPDX-License-Identifier: MIT
#include "flamelet/waits.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "flamelet/lock.h"
#include "support/building.h"

namespace waits_test {

namespace {

using recorder_test::text_of;

// Threads that wait for locks. Times are in microseconds.
class LockStory : public recorder_test::Building {
 public:
  explicit LockStory(uint32_t threads) {
    for (uint32_t i = 0; i < threads; ++i) lanes_.push_back(lane(FLAMELET_LANE_THREAD, "Worker " + std::to_string(i)));
  }
  void wait(uint32_t thread, int64_t begin_us, int64_t end_us, const std::string& lock, const std::string& holder = "",
            const std::string& kind = "lock") {
    const uint32_t site = flamelet_capture_builder_site(builder, string(kind), string(FLAMELET_WAIT_CATEGORY), 0,
                                                        string(FLAMELET_WAIT_FUNCTION_), 0, 0);
    begin(lanes_[thread], begin_us * 1000, site, string(lock), holder.empty() ? 0 : string(holder));
    end(lanes_[thread], end_us * 1000);
  }
  void work(uint32_t thread, int64_t begin_us, int64_t end_us, const std::string& name, const char* category = "") {
    begin(lanes_[thread], begin_us * 1000, site(name, category));
    end(lanes_[thread], end_us * 1000);
  }

 private:
  std::vector<uint32_t> lanes_;
};

class Waits {
 public:
  explicit Waits(uint32_t max_locks = 16, uint32_t max_waits = 1024)
      : memory_(flamelet_waits_memory_required(max_locks, max_waits)) {
    REQUIRE(flamelet_waits_create(max_locks, max_waits, memory_.data(), memory_.size(), &waits_) == FLAMELET_OK);
  }
  flamelet_waits_summary read(const flamelet_capture* capture, int64_t begin_ns = INT64_MIN, int64_t end_ns = INT64_MAX,
                              size_t most = SIZE_MAX) {
    std::vector<flamelet_span> spans(FLAMELET_CURSOR_LEAST);
    flamelet_waits_begin(waits_, capture, begin_ns, end_ns);
    while (!flamelet_waits_step(waits_, spans.data(), spans.size(), most)) ++steps;
    return flamelet_waits_result(waits_);
  }
  size_t steps = 0;

 private:
  std::vector<char> memory_;
  flamelet_waits* waits_ = nullptr;
};

// "lock queue: 3 waits of 2 threads, 12 us, longest 7; Loader in Compact log 9; Worker 1 8"
std::string line_of(const flamelet_capture* capture, const flamelet_lock_waits& row) {
  const flamelet_site_info site = recorder_test::site_of(capture, row.site);
  const flamelet_lane_info waiter = recorder_test::lane_of(capture, row.waiter);
  return (row.is_convoy ? "convoy at " : "") + text_of(site.name) + " " + text_of(capture, row.name) + ": " +
         std::to_string(row.waits) + " waits of " + std::to_string(row.threads) + " threads, " +
         std::to_string(row.total_ns / 1000) + " us, longest " + std::to_string(row.longest_ns / 1000) + "; " +
         (row.holder == 0 ? "nobody" : text_of(capture, row.holder) + " " + std::to_string(row.holder_ns / 1000)) +
         "; " + text_of(waiter.name) + " " + std::to_string(row.waiter_ns / 1000);
}
std::vector<std::string> lines_of(const flamelet_capture* capture, const flamelet_waits_summary& summary) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < summary.row_count; ++i) lines.push_back(line_of(capture, summary.rows[i]));
  return lines;
}

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("waits: each lock is a row with its waits, its holder and who waited") {
  LockStory story(2);
  story.wait(0, 0, 5, "queue", "Loader in Compact log");
  story.wait(1, 2, 9, "queue", "Loader in Read");
  story.wait(0, 10, 13, "queue", "Loader in Compact log");
  story.wait(1, 20, 21, "filled", "", "condition");
  story.work(0, 30, 40, "Update");
  story.work(0, 40, 50, "wait for the screen", FLAMELET_WAIT_CATEGORY);  // no lock
  const flamelet_capture* capture = story.finish();
  Waits waits;
  const flamelet_waits_summary summary = waits.read(capture);
  CHECK(joined(lines_of(capture, summary)) ==
        joined({"lock queue: 3 waits of 2 threads, 15 us, longest 7; Loader in Compact log 8; Worker 0 8",
                "condition filled: 1 waits of 1 threads, 1 us, longest 1; nobody; Worker 1 1"}));
  CHECK(summary.wait_count == 4);
  CHECK(summary.left_out_count == 0);
  CHECK(summary.rows[0].longest_begin_ns == 2000);
  CHECK(text_of(capture, summary.rows[0].longest_holder) == "Loader in Read");
}

TEST_CASE("waits: many threads that wait for one lock in one stretch are one row, a convoy") {
  LockStory story(5);
  for (uint32_t i = 0; i < 4; ++i) story.wait(i, i, 10 + 10 * i, "log", "Worker 4 in Flush");
  story.wait(0, 100, 110, "log", "Worker 4 in Flush");  // two at a time are none
  story.wait(1, 105, 115, "log", "Worker 0");
  for (uint32_t i = 0; i < 3; ++i) story.wait(i, 200 + i, 210, i == 2 ? "other" : "log");  // nor are those of two locks
  const flamelet_capture* capture = story.finish();
  Waits waits;
  const flamelet_waits_summary summary = waits.read(capture);
  CHECK(joined(lines_of(capture, summary)) ==
        joined({"lock log: 8 waits of 4 threads, 133 us, longest 37; Worker 4 in Flush 104; Worker 1 38",
                "lock other: 1 waits of 1 threads, 8 us, longest 8; nobody; Worker 2 8",
                "convoy at lock log: 4 waits of 4 threads, 94 us, longest 37; Worker 4 in Flush 94; Worker 3 37"}));
  CHECK(summary.lock_count == 2);
  CHECK(summary.rows[2].begin_ns == 0);
  CHECK(summary.rows[2].end_ns == 40000);
}

TEST_CASE("waits: more than there is room to sort, and a few spans at a time, give the same rows") {
  LockStory story(6);
  std::mt19937 random(7);
  int64_t free_us[6] = {};
  const auto below = [&random](int64_t limit) { return static_cast<int64_t>(random()) % limit; };
  for (int i = 0; i < 3000; ++i) {
    const uint32_t thread = static_cast<uint32_t>(below(6));
    const int64_t begin_us = free_us[thread] + 1 + below(20);
    free_us[thread] = begin_us + 1 + below(15);
    const std::string lock = "lock " + std::to_string(below(4));
    if (i % 3 == 0)
      story.work(thread, begin_us, free_us[thread], "work");
    else
      story.wait(thread, begin_us, free_us[thread], lock, "Worker " + std::to_string(below(6)));
  }
  const flamelet_capture* capture = story.finish();
  Waits roomy(4096, 4096), tight(4096, 200);
  const Lines all = lines_of(capture, roomy.read(capture));
  REQUIRE(all.size() > 50);
  CHECK(roomy.steps == 0);
  CHECK(lines_of(capture, tight.read(capture)) == all);
  CHECK(tight.steps >= 10);
  CHECK(lines_of(capture, roomy.read(capture, INT64_MIN, INT64_MAX, 100)) == all);
  CHECK(roomy.steps >= 30);
}

TEST_CASE("waits: what there is no room for is counted") {
  LockStory story(4);
  for (uint32_t i = 0; i < 4; ++i) story.wait(i, 0, 10, "lock " + std::to_string(i));
  for (int64_t round = 1; round <= 3; ++round)
    for (uint32_t i = 0; i < 3; ++i) story.wait(i, 100 * round, 100 * round + 10 * round, "lock 0");
  const flamelet_capture* capture = story.finish();
  Waits waits(2, 64);
  flamelet_waits_summary summary = waits.read(capture);
  CHECK(summary.lock_count == 2);
  CHECK(summary.left_out_count == 2);
  CHECK(summary.convoys_left_out == 1);
  REQUIRE(summary.row_count == 4);
  CHECK(summary.rows[2].total_ns + summary.rows[3].total_ns == 150000);  // the two longest
  Waits few(8, 2);                                                       // four begin in the same nanosecond
  summary = few.read(capture);
  CHECK(summary.wait_count + summary.left_out_count == 13);
  CHECK(summary.left_out_count == 5);
}

TEST_CASE("waits: a window has those that overlap it") {
  LockStory story(1);
  story.wait(0, 0, 10, "a");
  story.wait(0, 20, 30, "b");
  story.wait(0, 40, 50, "c");
  const flamelet_capture* capture = story.finish();
  Waits waits;
  CHECK(joined(lines_of(capture, waits.read(capture, 25000, 40000))) ==
        joined({"lock b: 1 waits of 1 threads, 10 us, longest 10; nobody; Worker 0 10"}));
  CHECK(waits.read(capture, 60000, 70000).row_count == 0);
  CHECK(waits.read(nullptr).row_count == 0);
}

TEST_CASE("waits: rows sort by each column") {
  LockStory story(3);
  story.wait(0, 0, 10, "b");
  story.wait(1, 0, 4, "a");
  story.wait(1, 5, 8, "a");
  story.wait(2, 9, 10, "a");
  story.wait(2, 20, 40, "c");
  const flamelet_capture* capture = story.finish();
  Waits waits;
  const flamelet_waits_summary summary = waits.read(capture);
  REQUIRE(summary.row_count == 3);
  const auto sorted = [&](flamelet_waits_column column, bool descending) {
    std::vector<uint32_t> order(summary.row_count);
    flamelet_waits_sort(summary.rows, summary.row_count, column, descending, capture, order.data());
    std::string names;
    for (const uint32_t i : order) names += text_of(capture, summary.rows[i].name);
    return names;
  };
  CHECK(sorted(FLAMELET_WAITS_NAME, false) == "abc");
  CHECK(sorted(FLAMELET_WAITS_NAME, true) == "cba");
  CHECK(sorted(FLAMELET_WAITS_COUNT, true) == "abc");
  CHECK(sorted(FLAMELET_WAITS_TOTAL, true) == "cba");
  CHECK(sorted(FLAMELET_WAITS_LONGEST, false) == "abc");
  CHECK(sorted(FLAMELET_WAITS_THREADS, true) == "abc");
  CHECK(sorted(FLAMELET_WAITS_BEGIN, true) == "cba");
}

TEST_CASE("waits: memory and arguments are checked") {
  CHECK(flamelet_waits_memory_required(0, 1) == 0);
  CHECK(flamelet_waits_memory_required(1, 0) == 0);
  CHECK(flamelet_waits_memory_required(1u << 21, 1) == 0);
  char memory[16];
  flamelet_waits* waits = nullptr;
  CHECK(flamelet_waits_create(1, 1, memory, sizeof memory, &waits) == FLAMELET_ERROR_BUDGET_TOO_SMALL);
  CHECK(flamelet_waits_create(0, 1, memory, sizeof memory, &waits) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(waits == nullptr);
  CHECK(flamelet_waits_step(nullptr, nullptr, 0, 1));
  CHECK(flamelet_waits_result(nullptr).row_count == 0);
}

}  // namespace waits_test
