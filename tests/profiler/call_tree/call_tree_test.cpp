// SPDX-License-Identifier: MIT
//
// Where calls lead and exits return, on small cases worked out by hand. call_tree_random_test.cpp compares the same
// rules with a plain model.
#include "flamelet/call_tree.h"

#include <doctest/doctest.h>

#include "profiler/call_tree/call_tree_script.h"

using call_tree_test::Limits;
using call_tree_test::sums_of;
using call_tree_test::Tree;

TEST_CASE("call tree: where calls lead, and exits return") {
  struct Row {
    const char* what;
    const char* script;
    const char* paths;
    uint32_t nodes;  // the root's is one of them
  };
  const Row rows[] = {
      {"aaa folds to a", "a+a+a+", "a 3/3", 2},
      {"aab folds to ab", "a+a+b+", "a 2/2, ab 1/1", 3},
      {"abab folds to ab", "a+b+a+b+", "a 1/1, ab 2/2, aba 1/1", 4},
      {"ababc goes on from the folded path", "a+b+a+b+c+", "a 1/1, ab 2/2, aba 1/1, abc 1/1", 5},
      {"abcbc folds below an outer call", "a+b+c+b+c+", "a 1/1, ab 1/1, abc 2/2, abcb 1/1", 5},
      {"abcbcb stays in the cycle", "a+b+c+b+c+b+", "a 1/1, ab 1/1, abc 2/2, abcb 2/2", 5},
      {"abcabcabc folds a cycle of three", "a+b+c+a+b+c+a+b+c+", "a 1/1, ab 1/1, abc 3/3, abca 2/2, abcab 2/2", 6},
      {"abcccdedef ends at abcdef", "a+b+c+c+c+d+e+d+e+f:100",
       "a 1/1, ab 1/1, abc 3/3, abcd 1/1, abcde 2/2, abcded 1/1, abcdef 1/100", 8},
      {"abcbabcbc ends at abc", "abcbabcbc:100",
       "a 1/0, ab 1/0, abc 2/100, abcb 2/0, abcba 1/0, abcbab 1/0, abcbabc 1/0", 8},
      {"abcbabcbbc folds first bb, then bcbc", "ABCBABCBBC:10",
       "A 1/0, AB 1/0, ABC 2/10, ABCB 3/0, ABCBA 1/0, ABCBAB 1/0, ABCBABC 1/0", 8},
      {"exits of a folded recursion return to the nodes that called", "a+b+c+b+c+)+)+)+)+",
       "a 1/2, ab 1/2, abc 2/3, abcb 1/2", 5},
      {"siblings and the same callee under two callers are paths of their own", "1:10 2:20 3:30) 4:40)) 3:31))",
       "1 1/10, 12 1/20, 123 1/30, 124 1/40, 13 1/31", 6},
      {"self recursion is one node", "1:10 2:20 2:20 2:20 3:30", "1 1/10, 12 3/60, 123 1/30", 4},
      {"so it is by tail calls", "1:10 2:20 =2:20 =2:20 =3:30", "1 1/10, 12 3/60, 123 1/30", 4},
      {"from where an exit returns past it", "1:10 2:20 =2:20 =2:20 =3:30 )+", "1 1/11, 12 3/60, 123 1/30", 4},
      {"mutual recursion is left by either function", "1:10 2:20 3:30 2:20 3:30 4:40",
       "1 1/10, 12 1/20, 123 2/60, 1232 1/20, 1234 1/40", 6},
      // The second b becomes c; its exit goes to aba, then ab, then a.
      {"a tail call out of folded recursion returns to the caller of the replaced frame", "abab =c )+ )+ )+",
       "a 1/1, ab 2/1, aba 1/1, abc 1/0", 5},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    Tree tree;
    tree.run(row.script);
    CHECK(tree.paths() == row.paths);
    CHECK(tree.root() == "1/0");
    CHECK(tree.stats().nodes_used == row.nodes);
    CHECK(tree.stats().exits_at_root == 0);
  }
}

TEST_CASE("call tree: returning and calling again shares the path without folding") {
  Tree tree;
  tree.run("a+b+c+))b+c+");
  CHECK(tree.paths() == "a 1/1, ab 2/2, abc 2/2");
  CHECK(tree.stats().jumps_used == 0);
}

TEST_CASE("call tree: a tail call is kept below what it replaces and returns past it") {
  Tree tree;
  tree.run("1:10 2:20 =3:30 4:40) =5:50) 6:60))");
  CHECK(tree.paths() == "1 1/10, 12 1/20, 123 1/30, 1234 1/40, 1235 1/50, 16 1/60");
  CHECK(tree.stats().exits_at_root == 0);
  CHECK(tree.stats().jumps_used == 0);
}

TEST_CASE("call tree: a loop of self tail calls takes no memory") {
  constexpr uint64_t kTailCalls = 100000;
  Tree tree;
  tree.run("a:10");
  for (uint64_t i = 0; i < kTailCalls; ++i) tree.run("=a:10");
  CHECK(tree.paths() == "a 100001/1000010");
  CHECK(tree.stats().jumps_used == 0);
  tree.run(")+");
  CHECK(tree.root() == "1/1");
}

TEST_CASE("call tree: a loop of alternating tail calls takes one jump") {
  Tree tree;
  tree.run("m a");
  for (int i = 0; i < 1000; ++i) tree.run("=b=a");
  CHECK(tree.paths() == "m 1/0, ma 1/0, mab 1000/0, maba 1000/0");
  CHECK(tree.stats().jumps_used == 1);
  tree.run(")+");
  CHECK(tree.stats().jumps_used == 0);
  CHECK(tree.paths() == "m 1/1, ma 1/0, mab 1000/0, maba 1000/0");
}

TEST_CASE("call tree: a tail call at the root is an enter") {
  Tree tree;
  tree.run("=a+)+");
  CHECK(tree.paths() == "a 1/1");
  CHECK(tree.root() == "1/1");
  CHECK(tree.stats().exits_at_root == 0);
}

TEST_CASE("call tree: interleaved threads have stacks of their own and share the paths") {
  Tree tree;
  flamelet_call_thread* other = flamelet_call_thread_create(tree.get());
  tree.run("1:5");
  tree.run("1:6", other);
  tree.run("2:10");
  tree.run("2:12", other);
  CHECK(tree.root() == "2/0");
  CHECK(tree.paths() == "1 2/11, 12 2/22");
}

TEST_CASE("call tree: children are visited by rising id, whatever order they came in") {
  Tree tree;
  tree.run("1:20");
  for (const char* id : {"4", "3", "5", "2", "6", "1", "1", "2", "3", "4", "5", "6"}) {
    tree.run(id);
    flamelet_call_thread_sample(tree.thread(), static_cast<uint64_t>(id[0] - '0') * 10 + (id[0] == '1' ? 40 : 0));
    tree.run(")");
  }
  CHECK(tree.paths() == "1 3/120, 12 2/40, 13 2/60, 14 2/80, 15 2/100, 16 2/120");
  CHECK(tree.stats().nodes_used == 7);
}

TEST_CASE("call tree: a child that comes after a query is in the next one, in its place") {
  Tree tree;
  tree.run("m b) d)");
  CHECK(tree.paths() == "m 1/0, mb 1/0, md 1/0");
  tree.run("c) a) e)");
  CHECK(tree.paths() == "m 1/0, ma 1/0, mb 1/0, mc 1/0, md 1/0, me 1/0");
}

TEST_CASE("call tree: a thousand children are all found again") {
  Limits limits;
  limits.blocks = 1000;
  Tree tree(limits);
  for (int round = 0; round < 3; ++round) {
    for (uint32_t i = 0; i < 1000; ++i) {
      flamelet_call_thread_enter(tree.thread(), 1 + i * 2654435761u % 100003);
      flamelet_call_thread_exit(tree.thread());
    }
  }
  CHECK(tree.stats().nodes_used == 1001);
  CHECK(tree.stats().charged_no_room == 0);
  CHECK(sums_of(tree.get()).calls == 3001);
}

TEST_CASE("call tree: the largest id is an id like any other") {
  Tree tree;
  flamelet_call_thread_enter(tree.thread(), UINT32_MAX);
  flamelet_call_thread_enter(tree.thread(), UINT32_MAX);
  flamelet_call_thread_sample(tree.thread(), 7);
  const uint32_t id = UINT32_MAX;
  const flamelet_call_totals totals = flamelet_call_tree_sequence(tree.get(), &id, 1);
  CHECK(totals.calls == 2);
  CHECK(totals.self_samples == 7);
}

TEST_CASE("call tree: switched off and on inside frames, exits match and what is skipped is counted") {
  Tree tree;
  tree.run("a+");
  flamelet_call_tree_set_enabled(tree.get(), false);
  CHECK_FALSE(flamelet_call_tree_enabled(tree.get()));
  tree.run("b+ c+ )");  // b stays open
  flamelet_call_tree_set_enabled(tree.get(), true);
  CHECK(flamelet_call_tree_enabled(tree.get()));
  tree.run("d+ ) + ) + )");  // d is called by a, as far as is known; then b, a and the root
  CHECK(tree.paths() == "a 1/3, ad 1/1");
  CHECK(tree.root() == "1/0");
  CHECK(tree.stats().calls_skipped == 2);
  CHECK(tree.stats().samples_skipped == 2);
  CHECK(tree.stats().exits_at_root == 0);
  CHECK(tree.stats().jumps_used == 0);
  tree.run(")");
  CHECK(tree.stats().exits_at_root == 1);
}

TEST_CASE("call tree: a frame that was recorded is left while the tree is off") {
  Tree tree;
  tree.run("ab+");
  flamelet_call_tree_set_enabled(tree.get(), false);
  tree.run(") =x )");  // out of b; x replaces a; out of x
  flamelet_call_tree_set_enabled(tree.get(), true);
  tree.run("c+ )");
  CHECK(tree.paths() == "a 1/0, ab 1/1, c 1/1");
  CHECK(tree.stats().calls_skipped == 1);
  CHECK(tree.stats().exits_at_root == 0);
}

TEST_CASE("call tree: threads that come while the tree is off are off, and clear leaves it off") {
  Tree tree;
  flamelet_call_tree_set_enabled(tree.get(), false);
  flamelet_call_thread* second = flamelet_call_thread_create(tree.get());
  tree.run("a+)", second);
  CHECK(tree.paths() == "");
  flamelet_call_tree_clear(tree.get());
  CHECK(tree.stats().calls_skipped == 0);
  tree.run("a+)", second);
  CHECK(tree.stats().calls_skipped == 1);
  CHECK(tree.stats().samples_skipped == 1);
  flamelet_call_tree_set_enabled(tree.get(), true);
  tree.run("a+)", second);
  CHECK(tree.paths() == "a 1/1");
  flamelet_call_tree_set_enabled(nullptr, true);
  CHECK_FALSE(flamelet_call_tree_enabled(nullptr));
}
