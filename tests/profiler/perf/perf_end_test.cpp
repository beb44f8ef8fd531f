// SPDX-License-Identifier: MIT
//
// Which block a PERF_BLOCK_END ends. Many cases are mistakes of an older system, by name.
#include "perf_blocks.h"

#include <string>
#include <thread>
#include <vector>

namespace perf_end_test {

using namespace perf_test;
using perf_test::Block;

namespace {

void ends_without_a_block() {
  work();
  PERF_BLOCK_END;
}

void ends_once_too_often() {
  PERF_BLOCK(callee);
  work();
  PERF_BLOCK_END;
  PERF_BLOCK_END;
  work();
}

void function_ends_without_a_block() {
  PERF_FUNCTION();
  work();
  PERF_BLOCK_END;
  work();
}

void recursion_ends_twice(int depth) {
  PERF_BLOCK(level);
  work();
  if (depth > 1) recursion_ends_twice(depth - 1);
  PERF_BLOCK_END;
  PERF_BLOCK_END;
  work();
}

// Optimizing compilers inline this into itself, so that all calls share one frame.
void recursion_ends_the_callers(int depth) {
  if (depth > 0) {
    PERF_BLOCK(level);
    recursion_ends_the_callers(depth - 1);
    work();
  } else {
    PERF_BLOCK_END;
  }
}

void end_stands_before_the_block(int depth) {
  work();
  PERF_BLOCK_END;
  PERF_BLOCK(level);
  if (depth > 1) end_stands_before_the_block(depth - 1);
}

}  // namespace

TEST_CASE_FIXTURE(Blocks, "perf: an end ends its block, and not the function") {
  [] {
    PERF_BLOCK(outer);
    work();
    {
      PERF_BLOCK(inner);
      work();
      PERF_BLOCK_END;
      work();
    }
    PERF_BLOCK_END;
    work();
  }();
  CHECK(text() == "outer 0..30, >inner 10..20");
}

TEST_CASE_FIXTURE(Blocks, "perf: an extra end in a callee does not end the caller's block") {
  {
    PERF_BLOCK(caller);
    ends_without_a_block();
    work();
    PERF_BLOCK_END;
  }
  CHECK(text() == "caller 0..20, extra ends: 1");
}

TEST_CASE_FIXTURE(Blocks, "perf: an extra end after a callee's own block does not end the caller's block") {
  {
    PERF_BLOCK(caller);
    ends_once_too_often();
    work();
  }
  CHECK(text() == "caller 0..30, >callee 0..10, extra ends: 1");
}

TEST_CASE_FIXTURE(Blocks, "perf: an extra end does not end a function") {
  {
    PERF_BLOCK(caller);
    function_ends_without_a_block();
    work();
  }
  const std::vector<Block> blocks = all();
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].end_ns - blocks[0].begin_ns == 30);
  CHECK(blocks[1].name.find("function_ends_without_a_block") != std::string::npos);
  CHECK(blocks[1].end_ns - blocks[1].begin_ns == 20);
  CHECK(extra_ends() == 1);
}

TEST_CASE_FIXTURE(Blocks, "perf: blocks nest in one pair of braces, and each end ends the newest of them") {
  {
    PERF_BLOCK(OUTER);
    work(1);
    PERF_BLOCK(INNER);
    work(2);
    PERF_BLOCK_END;
    work(4);
    PERF_BLOCK_END;
    work(8);
  }
  CHECK(text() == "OUTER 0..7, >INNER 1..3");
}

TEST_CASE_FIXTURE(Blocks, "perf: blocks that have ended do not keep an end from the block around them") {
  {
    PERF_BLOCK(outer);
    // clang-format off
    PERF_BLOCK(a); work(); PERF_BLOCK_END;
    PERF_BLOCK(b); work(); PERF_BLOCK_END;
    PERF_BLOCK(c); work(); PERF_BLOCK_END;
    PERF_BLOCK(d); work(); PERF_BLOCK_END;
    PERF_BLOCK(e); work(); PERF_BLOCK_END;
    // clang-format on
    PERF_BLOCK_END;
    work();
  }
  CHECK(text() == "outer 0..50, >a 0..10, >b 10..20, >c 20..30, >d 30..40, >e 40..50");
}

TEST_CASE_FIXTURE(Blocks, "perf: an end ends the newest block of the call, in whichever braces it stands") {
  {
    PERF_BLOCK(outer);
    for (int i = 0; i < 2; ++i) {
      PERF_BLOCK(inner);
      work();
      PERF_BLOCK_END;
      PERF_BLOCK_END;  // ends outer, and then finds none
    }
    work();
    PERF_BLOCK_END;
  }
  CHECK(text() == "outer 0..10, >inner 0..10, inner 10..20, extra ends: 2");
}

TEST_CASE_FIXTURE(Blocks, "perf: blocks of callees in between do not keep ends from the blocks of a call") {
  {
    PERF_BLOCK(first);
    ends_once_too_often();
    PERF_BLOCK(second);
    ends_once_too_often();
    PERF_BLOCK_END;
    ends_once_too_often();
    PERF_BLOCK_END;
    work();
  }
  CHECK(text() == "first 0..60, >callee 0..10, >second 20..40, >>callee 20..30, >callee 40..50, extra ends: 3");
}

TEST_CASE("perf: of more blocks than ends keep apart, the newest end there and the others with their braces") {
  static_assert(FLAMELET_PERF_LEVELS == 16, "the case below has one more");
  const Blocks test;
  {
    PERF_BLOCK(around);
    {
      // clang-format off
      PERF_BLOCK(a); PERF_BLOCK(b); PERF_BLOCK(c); PERF_BLOCK(d); PERF_BLOCK(e); PERF_BLOCK(f); PERF_BLOCK(g); PERF_BLOCK(h);
      PERF_BLOCK(i); PERF_BLOCK(j); PERF_BLOCK(k); PERF_BLOCK(l); PERF_BLOCK(m); PERF_BLOCK(n); PERF_BLOCK(o); PERF_BLOCK(p);
      // clang-format on
      work();
      for (int end = 0; end < 17; ++end) PERF_BLOCK_END;  // the last one is for `around`, which it does not find
      work();
    }
    PERF_BLOCK_END;  // which comes back when the inner braces close
    work();
  }
  std::string expected = "around 0..20";
  for (char name = 'a'; name <= 'p'; ++name)
    expected += ", " + std::string(static_cast<size_t>(name - 'a') + 1, '>') + name + " 0..10";
  CHECK(test.text() == expected + ", extra ends: 1");
}

TEST_CASE_FIXTURE(Blocks, "perf: an extra end in a recursion does not end the block of the call before") {
  recursion_ends_twice(3);
  CHECK(text() == "level 0..50, >level 10..40, >>level 20..30, extra ends: 3");
}

TEST_CASE_FIXTURE(Blocks, "perf: an end in another branch of a recursive function finds nothing") {
  recursion_ends_the_callers(3);
  CHECK(text() == "level 0..30, >level 0..20, >>level 0..10, extra ends: 1");
}

TEST_CASE_FIXTURE(Blocks, "perf: an end that stands before the block in a recursive function finds nothing") {
  end_stands_before_the_block(3);
  CHECK(text() == "level 10..30, >level 20..30, >>level 30..30, extra ends: 3");
}

TEST_CASE_FIXTURE(Blocks, "perf: an extra end in a lambda does not end the block of the function around it") {
  const auto callee = [] {
    work();
    PERF_BLOCK_END;
  };
  {
    PERF_BLOCK(around);
    callee();
    work();
    const auto caller = [&] {
      PERF_BLOCK(lambda);
      callee();
      work();
    };
    caller();
    PERF_BLOCK_END;
  }
  CHECK(text() == "around 0..40, >lambda 20..40, extra ends: 2");
}

TEST_CASE_FIXTURE(Blocks, "perf: an end in inner braces without a block belongs to the braces around them") {
  {
    PERF_BLOCK(outer);
    work();
    if (now_ns != 0) {
      PERF_BLOCK_END;
      work();
    }
    work();
  }
  CHECK(text() == "outer 0..10");
}

TEST_CASE_FIXTURE(Blocks, "perf: an end on a thread that has recorded nothing is ignored and counted") {
  std::thread([] { PERF_BLOCK_END; }).join();
  {
    PERF_BLOCK(block);
    work();
  }
  CHECK(text() == "block 0..10, extra ends: 1");
}

TEST_CASE_FIXTURE(Blocks, "perf: an end past an unended scope ends that too") {
  {
    PERF_BLOCK(block);
    FLAMELET_SCOPE("scope");
    work();
    PERF_BLOCK_END;
    work();
  }
  const std::vector<Block> blocks = all();
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].end_ns == blocks[1].end_ns);
  CHECK(blocks[1].flags == FLAMELET_SPAN_MISSING_END);
}

TEST_CASE_FIXTURE(Blocks,
                  "perf: an end belongs to the fiber's block, whichever fiber ran in between, on whichever thread") {
  const uint32_t first = flamelet_fiber_create("first");
  const uint32_t second = flamelet_fiber_create("second");
  {
    PERF_BLOCK(home);
    flamelet_fiber_switch(0, first);
    {
      PERF_BLOCK(of_first);
      work();
      flamelet_fiber_switch(first, second);
      PERF_BLOCK_END;  // the second fiber has no block
      work();
      flamelet_fiber_switch(second, first);
      PERF_BLOCK_END;
      work();
    }
    flamelet_fiber_switch(first, 0);
    PERF_BLOCK_END;
    work();
  }
  CHECK(extra_ends() == 1);
  const std::vector<Block> blocks = all(FLAMELET_LANE_FIBER, first);
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].end_ns - blocks[0].begin_ns == 20);
  flamelet_fiber_destroy(first);
  flamelet_fiber_destroy(second);
}

TEST_CASE_FIXTURE(Blocks, "perf: all blocks that are open move with their fiber") {
  const uint32_t fiber = flamelet_fiber_create("fiber");
  PERF_BLOCK(home);
  flamelet_fiber_switch(0, fiber);
  {
    PERF_BLOCK(outer);
    PERF_BLOCK(inner);
    work();
    flamelet_fiber_switch(fiber, 0);
    PERF_BLOCK_END;  // home
    work();
    flamelet_fiber_switch(0, fiber);
    PERF_BLOCK_END;
    work();
    PERF_BLOCK_END;
    work();
  }
  flamelet_fiber_switch(fiber, 0);
  CHECK(text(FLAMELET_LANE_FIBER, fiber) == "outer 0..30, >inner 0..20");
  flamelet_fiber_destroy(fiber);
}

TEST_CASE_FIXTURE(Blocks, "perf: blocks of a scheduler that does not tell of its switches still end by themselves") {
  // Two coroutines' objects whose lives overlap on one thread.
  static flamelet_site site_a = {0, "a", FLAMELET_PERF_CATEGORY, "", "", 1, 0};
  static flamelet_site site_b = {0, "b", FLAMELET_PERF_CATEGORY, "", "", 2, 0};
  auto* a = new flamelet::PerfBlock(&site_a, nullptr, "a", 1);
  auto* b = new flamelet::PerfBlock(&site_b, nullptr, "b", 2);
  delete a;
  PERF_BLOCK_END;
  delete b;
  PERF_BLOCK_END;
  CHECK(all().size() == 2);
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  CHECK(stats.extra_ends == 3);  // both stray ends, and b, which a's end had closed
}

TEST_CASE_FIXTURE(recorder_test::Recording,
                  "perf: blocks of a category that is off record nothing, and end nothing else") {
  flamelet_category_set_enabled("perf", false);
  {
    FLAMELET_SCOPE("outer");
    PERF_BLOCK(off);
    work();
    PERF_BLOCK_END;
    ends_once_too_often();
    flamelet_category_set_enabled("perf", true);
    PERF_BLOCK(on);
    flamelet_category_set_enabled("perf", false);
    PERF_BLOCK_END;
  }
  flamelet_category_set_enabled("perf", true);
  CHECK(recorder_test::stats().events_recorded == 2 + 2 + 1);
  CHECK(recorder_test::stats().missing_ends == 0);
  CHECK(recorder_test::stats().extra_ends == 1);  // the one too often
}

}  // namespace perf_end_test
