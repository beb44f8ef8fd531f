// SPDX-License-Identifier: MIT
//
// PERF blocks: where they begin and end, and what they are called.
#include "perf_blocks.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace perf_test {

using namespace perf_test;

namespace {

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

TEST_CASE_FIXTURE(Blocks, "perf: an end may be left out at the end of the braces, also in the body of a loop") {
  {
    PERF_BLOCK(all);
    for (int i = 0; i < 3; ++i) {
      PERF_BLOCK(each);
      work();
      if (i == 1) continue;
      work(1);
    }
  }
  CHECK(text() == "all 0..32, >each 0..11, >each 11..21, >each 21..32");
}

TEST_CASE_FIXTURE(Blocks, "perf: two blocks on one line compile, and end with their braces") {
  // clang-format off
  { PERF_BLOCK(a); PERF_BLOCK(b); work(); }
  { PERF_BLOCK(c); PERF_BLOCK_END; PERF_BLOCK(d); work(); PERF_BLOCK_END; PERF_BLOCK_END; }
  // clang-format on
  CHECK(text() == "a 0..10, >b 0..10, c 10..10, d 10..20, extra ends: 1");
}

TEST_CASE_FIXTURE(Blocks, "perf: a block and an end in an unbraced if are one statement each") {
  {
    PERF_BLOCK(outer);
    if (now_ns == 0)
      PERF_BLOCK(never);
    else
      PERF_BLOCK(short_one);
    work();
    if (now_ns == 0)
      PERF_BLOCK_END;
    else
      work();
    for (int i = 0; i < 2; ++i) PERF_BLOCK(looped);
  }
  CHECK(text() == "outer 0..20, >short_one 0..0, >looped 20..20, >looped 20..20");
}

TEST_CASE_FIXTURE(Blocks, "perf: a block of zero length ends itself, and not its parent") {
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
  CHECK(text() == "parent 0..10, >empty 0..0, >empty_too 0..0");
}

TEST_CASE_FIXTURE(Blocks, "perf: an exception ends the blocks that it leaves") {
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
  CHECK(text() == "outer 0..20, >thrown_out_of 0..10");
}

TEST_CASE_FIXTURE(Blocks, "perf: a return in the middle ends the blocks that it leaves") {
  const auto function = [](bool early) {
    PERF_BLOCK(body);
    work();
    if (early) return 1;
    work();
    PERF_BLOCK_END;
    return 2;
  };
  CHECK(function(true) + function(false) == 3);
  CHECK(text() == "body 0..10, body 10..30");
}

TEST_CASE_FIXTURE(Blocks, "perf: tags are words or strings") {
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
  CHECK(names() == std::vector<std::string>{"word", "a string", "a, \"quoted\" [one]\nAB\\", "two halves",
                                            "std::map<int, char>", "Größe"});
}

TEST_CASE_FIXTURE(Blocks, "perf: functions have their names, in templates, members and C linkage too") {
  CHECK(in_a_template(1.5) == 1.5);
  Derived<int>().run({});
  in_c_linkage();
  const std::vector<std::string> found = names();
  REQUIRE(found.size() == 5);
  CHECK(found[0].find("::in_a_template") != std::string::npos);
  CHECK(found[1] == "half");
  CHECK(found[2].find("::Derived<int>::run") != std::string::npos);
  CHECK(found[3] == "first");
  CHECK(found[4] == "second");
  CHECK(extra_ends() == 1);
}

TEST_CASE_FIXTURE(Blocks, "perf: blocks are ordinary scopes, of the category perf") {
  {
    PERF_BLOCK(block);
    FLAMELET_SCOPE("scope");
    work();
    PERF_FUNCTION();
  }
  const std::vector<Block> blocks = all();
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].category == "perf");
  CHECK(blocks[1].category == "");
  CHECK(blocks[1].depth == 1);
  CHECK(blocks[2].category == "perf");
}

TEST_CASE_FIXTURE(Blocks, "perf: while recording is off, blocks and their ends are nothing") {
  flamelet_set_enabled(false);
  {
    PERF_BLOCK(off);
    work();
    PERF_BLOCK_END;
  }
  flamelet_set_enabled(true);
  CHECK(text() == "");
}

TEST_CASE_FIXTURE(Blocks, "perf: a block ends as it began, when recording is switched in between") {
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
  CHECK(text() == "on 0..20");
}

}  // namespace perf_test
