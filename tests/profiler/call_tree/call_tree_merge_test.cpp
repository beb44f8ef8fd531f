// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <thread>

#include "profiler/call_tree/call_tree_script.h"

using namespace call_tree_test;

TEST_CASE_FIXTURE(Tree, "call tree merge: the source stays as it was and can go on") {
  Tree other;
  other.run("abab");
  flamelet_call_tree_merge(get(), other.get());
  CHECK(other.paths() == "a 1/0, ab 2/0, aba 1/0");
  other.run("c)))))");
  CHECK(other.paths() == "a 1/0, ab 2/0, aba 1/0, abc 1/0");
  CHECK(other.stats().exits_at_root == 0);
}

TEST_CASE_FIXTURE(Tree, "call tree merge: twice counts twice, into itself not at all") {
  Tree other;
  other.run("a:1 b:2");
  flamelet_call_tree_merge(get(), other.get());
  flamelet_call_tree_merge(get(), other.get());
  CHECK(paths() == "a 2/2, ab 2/4");
  flamelet_call_tree_merge(get(), get());
  CHECK(paths() == "a 2/2, ab 2/4");
}

TEST_CASE("call tree merge: what does not fit is charged to what does, with all its calls counted") {
  Limits limits;
  limits.nodes = 3;
  Tree tree(limits);
  Tree other;
  tree.run("a:1 b:1");
  for (int i = 0; i < 5; ++i) other.run("a:1 b:1 c:1 d:1)))) e:1)");
  flamelet_call_tree_merge(tree.get(), other.get());
  CHECK(tree.paths() == "a 6/6, ab 16/16");
  CHECK(tree.root() == "7/5");
  CHECK(tree.stats().charged_no_room == 15);
}

TEST_CASE_FIXTURE(Tree, "call tree merge: names come along where there are none") {
  Tree other;
  flamelet_call_tree_set_name(get(), 'a', "mine");
  flamelet_call_tree_set_name(other.get(), 'a', "other a");
  flamelet_call_tree_set_name(other.get(), 'b', "other b");
  flamelet_call_tree_merge(get(), other.get());
  CHECK(std::string(flamelet_call_tree_name(get(), 'a')) == "mine");
  CHECK(std::string(flamelet_call_tree_name(get(), 'b')) == "other b");
}

TEST_CASE("call tree merge: counts of what went wrong add up") {
  Limits tiny;
  tiny.nodes = 2;
  tiny.jumps = 0;
  tiny.threads = 1;
  Tree tree;
  Tree other(tiny);
  other.run(")");
  other.run("a b) a)");  // no node for b, so its frame takes a jump, and there is none; nor for a in a
  flamelet_call_thread_enter(other.thread(), 0);
  CHECK(flamelet_call_thread_create(other.get()) == nullptr);
  flamelet_call_tree_merge(tree.get(), other.get());
  tree.run(")");
  CHECK(tree.stats().exits_at_root == 2);
  CHECK(tree.stats().charged_no_jump == 3);
  CHECK(tree.stats().threads_refused == 1);
  CHECK(sums_of(tree.get()).calls == 6);
}

TEST_CASE("call tree merge: a tree without threads takes others in") {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_threads = 0;
  config.max_jumps = 0;
  std::vector<unsigned char> memory(flamelet_call_tree_memory_required(&config));
  flamelet_call_tree* tree = nullptr;
  REQUIRE(flamelet_call_tree_create(&config, memory.data(), memory.size(), &tree) == FLAMELET_OK);
  CHECK(flamelet_call_thread_create(tree) == nullptr);
  Tree other;
  other.run("abcabc+");
  flamelet_call_tree_merge(tree, other.get());
  CHECK(sums_of(tree).calls == 7);
  CHECK(sums_of(tree).samples == 1);
}

TEST_CASE("call tree merge: trees on different threads share nothing and merge to the sum") {
  Tree trees[2];
  const auto record = [](Tree* tree) {
    for (int i = 0; i < 10000; ++i) tree->run("abab+)))c+))");
  };
  std::thread first(record, &trees[0]);
  std::thread second(record, &trees[1]);
  first.join();
  second.join();
  flamelet_call_tree_merge(trees[0].get(), trees[1].get());
  CHECK(trees[0].root() == "2/0");
  CHECK(trees[0].paths() == "a 20000/0, ab 40000/20000, aba 20000/0, ac 20000/20000");
}
