// SPDX-License-Identifier: MIT
//
// The PERF macros. Many cases are mistakes of an older system, by name.
#undef FLAMELET_DISABLED
#include "flamelet/perf.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/capture.h"

namespace {

struct Block {
  std::string name;
  std::string category;
  int depth;
  int64_t begin_ns;
  int64_t end_ns;
  uint32_t flags;
};

// A recorder whose clock is a number: it stands still until it is told.
class Session {
 public:
  Session() {
    flamelet_config config = flamelet_config_default();
    config.budget_bytes = size_t{8} << 20;
    config.max_tracks = 16;
    config.max_fibers = 8;
    config.clock = [](void* user) -> uint64_t { return *static_cast<uint64_t*>(user); };
    config.clock_user = &now;
    config.clock_ticks_per_second = 1e9;
    REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  }
  ~Session() { CHECK(flamelet_shutdown() == FLAMELET_OK); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // What a lane holds, the calling thread's unless another is given.
  std::vector<Block> blocks(flamelet_lane_kind kind = FLAMELET_LANE_THREAD, uint32_t id = flamelet_thread_id()) const {
    flamelet_capture_config config = flamelet_capture_config_default();
    flamelet_capture* capture = nullptr;
    REQUIRE(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
    std::vector<Block> result;
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
      flamelet_lane_info info = {};
      REQUIRE(flamelet_capture_lane(capture, lane, &info));
      if (info.kind != kind || info.id != id) continue;
      std::vector<flamelet_span> spans(4096);
      spans.resize(flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size()));
      for (const flamelet_span& span : spans) {
        flamelet_site_info site = {};
        flamelet_capture_site(capture, span.site, &site);
        const flamelet_string name = flamelet_capture_string(capture, span.name);
        result.push_back({std::string(name.text, name.size), site.category.text, span.depth, span.begin_ns, span.end_ns,
                          span.flags});
      }
    }
    flamelet_capture_destroy(capture);
    return result;
  }
  // "outer 0..30, inner 10..20"
  std::string text() const {
    std::string result;
    for (const Block& block : blocks()) {
      if (!result.empty()) result += ", ";
      result += std::string(static_cast<size_t>(block.depth), '>') + block.name + " " +
                std::to_string(block.begin_ns - 1000) + ".." + std::to_string(block.end_ns - 1000);
      CHECK(block.flags == 0);
    }
    return result;
  }
  uint64_t extra_ends() const {
    flamelet_stats stats;
    flamelet_get_stats(&stats);
    CHECK(stats.missing_ends == 0);
    return stats.extra_ends;
  }

  uint64_t now = 0;
};

// The session of the test case that runs: the functions below pass time with it.
Session* session = nullptr;

class Test : public Session {
 public:
  Test() {
    session = this;
    now += 1000;
  }
};

void work(uint64_t ns = 10) {
  session->now += ns;
}

// ---- Functions that make the mistakes --------------------------------------------------------------------------------

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

template <class Number>
Number in_a_template(Number number) {
  PERF_FUNCTION();
  PERF_BLOCK(half);
  work();
  PERF_BLOCK_END;
  PERF_BLOCK_END;
  return number;
}

extern "C" void in_c_linkage() {
  PERF_BLOCK(first);
  work();
  PERF_BLOCK_END;
  PERF_BLOCK(second);
  work();
}

struct Base {
  virtual ~Base() = default;
  virtual bool run(const std::vector<int>& numbers) = 0;
};
template <class T>
struct Derived : Base {
  bool run(const std::vector<int>& numbers) override {
    PERF_FUNCTION();
    work();
    return numbers.empty();
  }
};

}  // namespace

TEST_CASE("perf: an end ends its block, and not the function") {
  Test test;
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
  CHECK(test.text() == "outer 0..30, >inner 10..20");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: an end may be left out at the end of the braces") {
  Test test;
  {
    PERF_BLOCK(outer);
    work();
    {
      PERF_BLOCK(inner);
      work();
    }
    work();
  }
  work();
  CHECK(test.text() == "outer 0..30, >inner 10..20");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: an end may be left out in the body of a loop") {
  Test test;
  {
    PERF_BLOCK(all);
    for (int i = 0; i < 3; ++i) {
      PERF_BLOCK(each);
      work();
      if (i == 1) continue;
      work(1);
    }
  }
  CHECK(test.text() == "all 0..32, >each 0..11, >each 11..21, >each 21..32");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: blocks follow each other in the same braces") {
  Test test;
  {
    PERF_BLOCK(a);
    work();
    PERF_BLOCK_END;
    PERF_BLOCK(b);
    work();
    PERF_BLOCK_END;
    work();
  }
  CHECK(test.text() == "a 0..10, b 10..20");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: an extra end in a callee does not end the caller's block") {
  Test test;
  {
    PERF_BLOCK(caller);
    ends_without_a_block();
    work();
    PERF_BLOCK_END;
  }
  CHECK(test.text() == "caller 0..20");
  CHECK(test.extra_ends() == 1);
}

TEST_CASE("perf: an extra end after a callee's own block does not end the caller's block") {
  Test test;
  {
    PERF_BLOCK(caller);
    ends_once_too_often();
    work();
  }
  CHECK(test.text() == "caller 0..30, >callee 0..10");
  CHECK(test.extra_ends() == 1);
}

TEST_CASE("perf: an extra end does not end a function") {
  Test test;
  {
    PERF_BLOCK(caller);
    function_ends_without_a_block();
    work();
  }
  const std::vector<Block> blocks = test.blocks();
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].end_ns - blocks[0].begin_ns == 30);
  CHECK(blocks[1].name.find("function_ends_without_a_block") != std::string::npos);
  CHECK(blocks[1].end_ns - blocks[1].begin_ns == 20);
  CHECK(test.extra_ends() == 1);
}

TEST_CASE("perf: an extra end in inner braces does not end the block of the outer ones") {
  Test test;
  {
    PERF_BLOCK(outer);
    for (int i = 0; i < 2; ++i) {
      PERF_BLOCK(inner);
      work();
      PERF_BLOCK_END;
      PERF_BLOCK_END;
    }
    work();
    PERF_BLOCK_END;
  }
  CHECK(test.text() == "outer 0..30, >inner 0..10, >inner 10..20");
  CHECK(test.extra_ends() == 2);
}

TEST_CASE("perf: an extra end in a recursion does not end the block of the call before") {
  Test test;
  recursion_ends_twice(3);
  CHECK(test.text() == "level 0..50, >level 10..40, >>level 20..30");
  CHECK(test.extra_ends() == 3);
}

TEST_CASE("perf: an end in another branch of a recursive function finds nothing") {
  Test test;
  recursion_ends_the_callers(3);
  CHECK(test.text() == "level 0..30, >level 0..20, >>level 0..10");
  CHECK(test.extra_ends() == 1);
}

TEST_CASE("perf: an end that stands before the block in a recursive function finds nothing") {
  Test test;
  end_stands_before_the_block(3);
  CHECK(test.text() == "level 10..30, >level 20..30, >>level 30..30");
  CHECK(test.extra_ends() == 3);
}

TEST_CASE("perf: an extra end in a lambda does not end the block of the function around it") {
  Test test;
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
  CHECK(test.text() == "around 0..40, >lambda 20..40");
  CHECK(test.extra_ends() == 2);
}

TEST_CASE("perf: an end in inner braces without a block belongs to the braces around them") {
  Test test;
  {
    PERF_BLOCK(outer);
    work();
    if (test.now != 0) {
      PERF_BLOCK_END;
      work();
    }
    work();
  }
  CHECK(test.text() == "outer 0..10");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: an end on a thread that has recorded nothing is ignored and counted") {
  Test test;
  std::thread([] { PERF_BLOCK_END; }).join();
  {
    PERF_BLOCK(block);
    work();
  }
  CHECK(test.text() == "block 0..10");
  CHECK(test.extra_ends() == 1);
}

TEST_CASE("perf: two blocks on one line compile, and end with their braces") {
  Test test;
  // clang-format off
  { PERF_BLOCK(a); PERF_BLOCK(b); work(); }
  { PERF_BLOCK(c); PERF_BLOCK_END; PERF_BLOCK(d); work(); PERF_BLOCK_END; PERF_BLOCK_END; }
  // clang-format on
  CHECK(test.text() == "a 0..10, >b 0..10, c 10..10, d 10..20");
  CHECK(test.extra_ends() == 1);
}

TEST_CASE("perf: a block and an end in an unbraced if are one statement each") {
  Test test;
  {
    PERF_BLOCK(outer);
    if (test.now == 0)
      PERF_BLOCK(never);
    else
      PERF_BLOCK(short_one);
    work();
    if (test.now == 0)
      PERF_BLOCK_END;
    else
      work();
    for (int i = 0; i < 2; ++i) PERF_BLOCK(looped);
  }
  CHECK(test.text() == "outer 0..20, >short_one 0..0, >looped 20..20, >looped 20..20");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: a block of zero length ends itself, and not its parent") {
  Test test;
  {
    PERF_BLOCK(parent);
    {
      PERF_BLOCK(empty);
      PERF_BLOCK_END;
    }
    PERF_BLOCK(empty_too);
    PERF_BLOCK_END;
    work();
  }
  CHECK(test.text() == "parent 0..10, >empty 0..0, >empty_too 0..0");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: an exception ends the blocks that it leaves") {
  Test test;
  {
    PERF_BLOCK(outer);
    try {
      PERF_BLOCK(thrown_out_of);
      work();
      throw std::runtime_error("out");
    } catch (const std::runtime_error&) {
      work();
    }
    PERF_BLOCK_END;
    work();
  }
  CHECK(test.text() == "outer 0..20, >thrown_out_of 0..10");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: a return in the middle ends the blocks that it leaves") {
  Test test;
  const auto function = [](bool early) {
    PERF_BLOCK(body);
    work();
    if (early) return 1;
    work();
    PERF_BLOCK_END;
    return 2;
  };
  CHECK(function(true) + function(false) == 3);
  CHECK(test.text() == "body 0..10, body 10..30");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: tags are words or strings") {
  Test test;
  {
    PERF_BLOCK(word);
    PERF_BLOCK("a string");
    PERF_BLOCK("a, \"quoted\" [one]\n\x41\102\\");
    PERF_BLOCK(
        "two "
        "halves");
    PERF_BLOCK(std::map<int, char>);
    PERF_BLOCK("Größe");
  }
  std::vector<std::string> names;
  for (const Block& block : test.blocks()) names.push_back(block.name);
  CHECK(names == std::vector<std::string>{"word", "a string", "a, \"quoted\" [one]\nAB\\", "two halves",
                                          "std::map<int, char>", "Größe"});
}

TEST_CASE("perf: functions have their names, in templates, members and C linkage too") {
  Test test;
  CHECK(in_a_template(1.5) == 1.5);
  Derived<int>().run({});
  in_c_linkage();
  std::vector<std::string> names;
  for (const Block& block : test.blocks()) names.push_back(block.name);
  REQUIRE(names.size() == 5);
  CHECK(names[0].find("::in_a_template") != std::string::npos);
  CHECK(names[1] == "half");
  CHECK(names[2].find("::Derived<int>::run") != std::string::npos);
  CHECK(names[3] == "first");
  CHECK(names[4] == "second");
  CHECK(test.extra_ends() == 1);
}

TEST_CASE("perf: blocks are ordinary scopes, of the category perf") {
  Test test;
  {
    PERF_BLOCK(block);
    FLAMELET_SCOPE("scope");
    work();
    PERF_FUNCTION();
  }
  const std::vector<Block> blocks = test.blocks();
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].category == "perf");
  CHECK(blocks[1].category == "");
  CHECK(blocks[1].depth == 1);
  CHECK(blocks[2].category == "perf");
}

TEST_CASE("perf: an end past an unended scope ends that too") {
  Test test;
  {
    PERF_BLOCK(block);
    FLAMELET_SCOPE("scope");
    work();
    PERF_BLOCK_END;
    work();
  }
  const std::vector<Block> blocks = test.blocks();
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].end_ns == blocks[1].end_ns);
  CHECK(blocks[1].flags == FLAMELET_SPAN_MISSING_END);
}

TEST_CASE("perf: while recording is off, blocks and their ends are nothing") {
  Test test;
  flamelet_set_enabled(false);
  {
    PERF_BLOCK(off);
    work();
    PERF_BLOCK_END;
  }
  flamelet_set_enabled(true);
  CHECK(test.text() == "");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: a block ends as it began, when recording is switched in between") {
  Test test;
  {
    PERF_BLOCK(on);
    work();
    flamelet_set_enabled(false);
    work();
    PERF_BLOCK_END;
    PERF_BLOCK(off);
    flamelet_set_enabled(true);
    work();
    PERF_BLOCK_END;
  }
  CHECK(test.text() == "on 0..20");
  CHECK(test.extra_ends() == 0);
}

TEST_CASE("perf: an end belongs to the fiber's block, whichever fiber ran in between, on whichever thread") {
  Test test;
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
  CHECK(test.extra_ends() == 1);
  const std::vector<Block> blocks = test.blocks(FLAMELET_LANE_FIBER, first);
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].end_ns - blocks[0].begin_ns == 20);
  flamelet_fiber_destroy(first);
  flamelet_fiber_destroy(second);
}

TEST_CASE("perf: blocks of a scheduler that does not tell of its switches still end by themselves") {
  Test test;
  // Two coroutines' objects whose lives overlap on one thread.
  static flamelet_site site_a = {0, "a", FLAMELET_PERF_CATEGORY, "", "", 1, 0};
  static flamelet_site site_b = {0, "b", FLAMELET_PERF_CATEGORY, "", "", 2, 0};
  auto* a = new flamelet::PerfBlock(&site_a, nullptr, "a", 1);
  auto* b = new flamelet::PerfBlock(&site_b, nullptr, "b", 2);
  delete a;
  PERF_BLOCK_END;
  delete b;
  PERF_BLOCK_END;
  CHECK(test.blocks().size() == 2);
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  CHECK(stats.extra_ends == 3);  // both stray ends, and b, which a's end had closed
}
