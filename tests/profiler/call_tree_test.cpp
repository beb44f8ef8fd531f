// SPDX-License-Identifier: MIT
//
// Where calls lead and exits return, on small cases worked out by hand, and what a full, misused or disabled tree
// does. call_tree_random_test.cpp compares the same rules with a plain model.
#include "flamelet/call_tree.h"

#include <doctest/doctest.h>

#include <thread>

#include "call_tree_script.h"

using call_tree_test::Limits;
using call_tree_test::sums_of;
using call_tree_test::Tree;

// ---- Folding. Each letter is an enter with one sample; nothing exits.

TEST_CASE("call tree: aaa folds to a") {
  Tree tree;
  tree.run_letters("aaa");
  CHECK(tree.paths() == "a 3/3");
}

TEST_CASE("call tree: aab folds to ab") {
  Tree tree;
  tree.run_letters("aab");
  CHECK(tree.paths() == "a 2/2, ab 1/1");
}

TEST_CASE("call tree: abab folds to ab") {
  Tree tree;
  tree.run_letters("abab");
  CHECK(tree.paths() == "a 1/1, ab 2/2, aba 1/1");
}

TEST_CASE("call tree: ababc goes on from the folded path") {
  Tree tree;
  tree.run_letters("ababc");
  CHECK(tree.paths() == "a 1/1, ab 2/2, aba 1/1, abc 1/1");
}

TEST_CASE("call tree: abcbc folds below an outer call") {
  Tree tree;
  tree.run_letters("abcbc");
  CHECK(tree.paths() == "a 1/1, ab 1/1, abc 2/2, abcb 1/1");
}

TEST_CASE("call tree: abcbcb stays in the cycle") {
  Tree tree;
  tree.run_letters("abcbcb");
  CHECK(tree.paths() == "a 1/1, ab 1/1, abc 2/2, abcb 2/2");
}

TEST_CASE("call tree: abcabcabc folds a cycle of three") {
  Tree tree;
  tree.run_letters("abcabcabc");
  CHECK(tree.paths() == "a 1/1, ab 1/1, abc 3/3, abca 2/2, abcab 2/2");
}

TEST_CASE("call tree: abcccdedef ends at abcdef") {
  Tree tree;
  tree.run_letters("abcccdede");
  tree.run("f:100");
  CHECK(tree.paths() == "a 1/1, ab 1/1, abc 3/3, abcd 1/1, abcde 2/2, abcded 1/1, abcdef 1/100");
}

TEST_CASE("call tree: abcbabcbc ends at abc") {
  Tree tree;
  tree.run("abcbabcbc:100");
  CHECK(tree.paths() == "a 1/0, ab 1/0, abc 2/100, abcb 2/0, abcba 1/0, abcbab 1/0, abcbabc 1/0");
}

TEST_CASE("call tree: returning and calling again shares the path without folding") {
  Tree tree;
  tree.run("a+b+c+))b+c+");
  CHECK(tree.paths() == "a 1/1, ab 2/2, abc 2/2");
  CHECK(tree.stats().jumps_used == 0);
}

TEST_CASE("call tree: exits of a folded recursion return to the nodes that called") {
  Tree tree;
  tree.run("a+b+c+b+c+)+)+)+)+");
  CHECK(tree.paths() == "a 1/2, ab 1/2, abc 2/3, abcb 1/2");
  CHECK(tree.root() == "1/0");
}

TEST_CASE("call tree: abcbabcbbc folds first bb, then bcbc") {
  Tree tree;
  tree.run("ABCBABCBBC:10");
  CHECK(tree.paths() == "A 1/0, AB 1/0, ABC 2/10, ABCB 3/0, ABCBA 1/0, ABCBAB 1/0, ABCBABC 1/0");
  CHECK(tree.stats().nodes_used == 8);
}

// ---- Calls, tail calls and exits

TEST_CASE("call tree: siblings and the same callee under two callers are paths of their own") {
  Tree tree;
  tree.run("1:10 2:20 3:30) 4:40)) 3:31))");
  CHECK(tree.paths() == "1 1/10, 12 1/20, 123 1/30, 124 1/40, 13 1/31");
  CHECK(tree.stats().nodes_used == 6);
}

TEST_CASE("call tree: a tail call is kept below what it replaces and returns past it") {
  Tree tree;
  tree.run("1:10 2:20 =3:30 4:40) =5:50) 6:60))");
  CHECK(tree.paths() == "1 1/10, 12 1/20, 123 1/30, 1234 1/40, 1235 1/50, 16 1/60");
  CHECK(tree.stats().exits_at_root == 0);
  CHECK(tree.stats().jumps_used == 0);
}

TEST_CASE("call tree: self recursion is one node") {
  Tree tree;
  tree.run("1:10 2:20 2:20 2:20 3:30");
  CHECK(tree.paths() == "1 1/10, 12 3/60, 123 1/30");
  CHECK(tree.stats().nodes_used == 4);
}

TEST_CASE("call tree: self recursion by tail calls is one node") {
  Tree tree;
  tree.run("1:10 2:20 =2:20 =2:20 =3:30");
  CHECK(tree.paths() == "1 1/10, 12 3/60, 123 1/30");
  CHECK(tree.stats().nodes_used == 4);
  tree.run(")+");
  CHECK(tree.paths() == "1 1/11, 12 3/60, 123 1/30");
}

TEST_CASE("call tree: mutual recursion is left by either function") {
  Tree tree;
  tree.run("1:10 2:20 3:30 2:20 3:30 4:40");
  CHECK(tree.paths() == "1 1/10, 12 1/20, 123 2/60, 1232 1/20, 1234 1/40");
  CHECK(tree.stats().nodes_used == 6);
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

TEST_CASE("call tree: a tail call out of folded recursion returns to the caller of the replaced frame") {
  Tree tree;
  tree.run("abab =c )+ )+ )+");  // the second b becomes c; its exit goes to aba, then ab, then a
  CHECK(tree.paths() == "a 1/1, ab 2/1, aba 1/1, abc 1/0");
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

// ---- Full

TEST_CASE("call tree: the last node fits and the call after it is charged to its caller") {
  Limits limits;
  limits.nodes = 3;
  Tree tree(limits);
  tree.run("a b+ )");
  CHECK(tree.stats().charged_no_room == 0);
  tree.run("c+ d+ ) + ) +");
  CHECK(tree.paths() == "a 3/4, ab 1/1");
  CHECK(tree.stats().charged_no_room == 2);
  CHECK(tree.stats().nodes_used == 3);
  tree.run(")+");
  CHECK(tree.root() == "1/1");
}

TEST_CASE("call tree: a tail call in a full tree keeps the frame that it should replace") {
  Limits limits;
  limits.nodes = 3;
  Tree tree(limits);
  tree.run("a b =c+ ) +");
  CHECK(tree.paths() == "a 1/1, ab 2/1");
  CHECK(tree.stats().charged_no_room == 1);
}

TEST_CASE("call tree: a call that was charged once is charged and counted every time") {
  Limits limits;
  limits.nodes = 2;
  Tree tree(limits);
  for (int i = 0; i < 100; ++i) tree.run("a) b) c)");
  CHECK(tree.paths() == "a 100/0");
  CHECK(tree.root() == "201/0");
  CHECK(tree.stats().charged_no_room == 200);
}

TEST_CASE("call tree: recursion is still folded when no node is left") {
  Limits limits;
  limits.nodes = 3;
  Tree tree(limits);
  tree.run("a b b+ ) b+");
  CHECK(tree.paths() == "a 1/0, ab 3/2");
  CHECK(tree.stats().charged_no_room == 0);
}

TEST_CASE("call tree: a tree of the root alone takes everything at the root") {
  Limits limits;
  limits.nodes = 1;
  Tree tree(limits);
  tree.run("a+b+=c+)+)+)");
  CHECK(tree.root() == "4/5");
  CHECK(tree.paths().empty());
  CHECK(tree.stats().charged_no_room == 3);
  CHECK(tree.stats().exits_at_root == 1);
}

TEST_CASE("call tree: an id past the last block is charged to its caller") {
  Limits limits;
  limits.blocks = 2;
  Tree tree(limits);
  tree.run("a b c+ ) )");
  CHECK(tree.paths() == "a 1/0, ab 2/1");
  CHECK(tree.stats().charged_no_room == 1);
  CHECK(tree.stats().blocks_used == 2);
  CHECK(flamelet_call_tree_set_name(tree.get(), 'c', "c") == FLAMELET_ERROR_LIMIT);
  CHECK(flamelet_call_tree_set_name(tree.get(), 'b', "b") == FLAMELET_OK);
}

TEST_CASE("call tree: edges past the cache lead to the same places") {
  // 8 nodes leave room for 4 cached edges; each letter's self recursion and each charged call wants one.
  Limits limits;
  limits.nodes = 8;
  Tree tree(limits);
  for (int i = 0; i < 3; ++i) tree.run("aa)) bb)) cc)) dd)) ee)) ff)) gg)) hh)) ii))");
  CHECK(tree.paths() == "a 6/0, b 6/0, c 6/0, d 6/0, e 6/0, f 6/0, g 6/0");
  CHECK(tree.root() == "13/0");
  CHECK(tree.stats().charged_no_room == 12);
}

TEST_CASE("call tree: past the last jump calls are charged to the top frame and exits still match") {
  Limits limits;
  limits.jumps = 1;
  Tree tree(limits);
  // b in b takes the jump. c is a plain call. c in c would take a second one: it, and what it calls, is charged.
  tree.run("a bb c+ c+ d+ e+ ");
  CHECK(tree.paths() == "a 1/0, ab 2/0, abc 4/4");
  CHECK(tree.stats().charged_no_jump == 3);
  tree.run(")+ )+ )+ )+ )+ )+ )+");
  CHECK(tree.paths() == "a 1/1, ab 2/2, abc 4/7");
  CHECK(tree.root() == "1/1");
  CHECK(tree.stats().jumps_used == 0);
  CHECK(tree.stats().exits_at_root == 0);
}

TEST_CASE("call tree: inside a charged call also known calls are charged") {
  Limits limits;
  limits.jumps = 0;
  Tree tree(limits);
  tree.run("a b+) a b+ )+ )+ )+");
  CHECK(tree.paths() == "a 3/3, ab 1/1");
  CHECK(tree.root() == "1/1");
  CHECK(tree.stats().charged_no_jump == 2);
}

TEST_CASE("call tree: a tail call takes over the jump of the frame that it replaces") {
  Limits limits;
  limits.jumps = 1;
  Tree tree(limits);
  tree.run("a b b =c+ )+ )+ )+");
  CHECK(tree.paths() == "a 1/1, ab 2/1, abc 1/1");
  CHECK(tree.root() == "1/1");
  CHECK(tree.stats().charged_no_jump == 0);
}

TEST_CASE("call tree: a jump that came free is used again") {
  Limits limits;
  limits.jumps = 1;
  Tree tree(limits);
  for (int i = 0; i < 5; ++i) tree.run("aa)) bb))");
  CHECK(tree.stats().charged_no_jump == 0);
  CHECK(tree.paths() == "a 10/0, b 10/0");
}

TEST_CASE("call tree: a tail call without a jump leaves the stack as it is and makes no node") {
  Limits limits;
  limits.jumps = 0;
  Tree tree(limits);
  tree.run("a b =c+ )+ )+");
  CHECK(tree.paths() == "a 1/1, ab 2/1");
  CHECK(tree.root() == "1/1");
  CHECK(tree.stats().charged_no_jump == 1);
  CHECK(tree.stats().nodes_used == 3);
}

TEST_CASE("call tree: a tail call without a jump puts a popped repetition back") {
  Limits limits;
  limits.jumps = 1;
  Tree tree(limits);
  tree.run("a bbb");  // one jump, taken twice: the tail call below would need a second
  tree.run("=c+");
  CHECK(tree.stats().charged_no_jump == 1);
  tree.run(")+ )+ )+ )+");
  CHECK(tree.paths() == "a 1/1, ab 4/3");
  CHECK(tree.root() == "1/1");
}

TEST_CASE("call tree: a tail call inside charged calls is charged and needs no exit") {
  Limits limits;
  limits.jumps = 0;
  Tree tree(limits);
  tree.run("a a =b =c + ) + ) +");
  CHECK(tree.paths() == "a 4/2");
  CHECK(tree.root() == "1/1");
  CHECK(tree.stats().charged_no_jump == 3);
}

TEST_CASE("call tree: past the last thread there is none, counted") {
  Limits limits;
  limits.threads = 2;
  Tree tree(limits);
  flamelet_call_thread* second = flamelet_call_thread_create(tree.get());
  CHECK(second != nullptr);
  CHECK(flamelet_call_thread_create(tree.get()) == nullptr);
  CHECK(tree.stats().threads_refused == 1);
  CHECK(tree.root() == "2/0");
  flamelet_call_thread_destroy(second);
  CHECK(tree.stats().threads_used == 1);
  CHECK(flamelet_call_thread_create(tree.get()) == second);
  CHECK(tree.root() == "3/0");
}

// ---- Misuse

TEST_CASE("call tree: an exit at the root is ignored and counted") {
  Tree tree;
  tree.run(")");
  tree.run("a)) )b+");
  CHECK(tree.paths() == "a 1/0, b 1/1");
  CHECK(tree.stats().exits_at_root == 3);
}

TEST_CASE("call tree: id 0 is charged to its caller and its exit matches") {
  Tree tree;
  flamelet_call_thread_enter(tree.thread(), 0);
  tree.run("+) a");
  flamelet_call_thread_enter(tree.thread(), 0);
  flamelet_call_thread_tail_call(tree.thread(), 0);
  tree.run("+ ) + ) +");
  CHECK(tree.root() == "2/2");
  CHECK(tree.paths() == "a 3/2");
  CHECK(tree.stats().charged_bad_id == 3);
  CHECK(tree.stats().exits_at_root == 0);
}

TEST_CASE("call tree: unwinding drops the open frames and their jumps") {
  Tree tree;
  tree.run("abcabcabbc");
  CHECK(tree.stats().jumps_used > 0);
  flamelet_call_thread_unwind(tree.thread());
  CHECK(tree.stats().jumps_used == 0);
  tree.run("z+)");
  CHECK(tree.stats().exits_at_root == 0);
  const uint32_t outermost[] = {FLAMELET_CALL_ROOT, 'z'};
  CHECK(flamelet_call_tree_sequence(tree.get(), outermost, 2).calls == 1);
}

TEST_CASE("call tree: unwinding drops charged frames") {
  Limits limits;
  limits.jumps = 0;
  Tree tree(limits);
  tree.run("aaaa");
  flamelet_call_thread_unwind(tree.thread());
  tree.run("b+)");
  CHECK(tree.paths() == "a 4/0, b 1/1");
  CHECK(tree.stats().exits_at_root == 0);
}

TEST_CASE("call tree: destroying a thread gives back its jumps, and twice is once") {
  Tree tree;
  tree.run("aabbaabb");
  flamelet_call_thread_destroy(tree.thread());
  flamelet_call_thread_destroy(tree.thread());
  CHECK(tree.stats().jumps_used == 0);
  CHECK(tree.stats().threads_used == 0);
  CHECK(sums_of(tree.get()).calls == 9);
}

TEST_CASE("call tree: clear forgets paths and keeps names and threads") {
  Tree tree;
  flamelet_call_tree_set_name(tree.get(), 'a', "update");
  flamelet_call_thread* other = flamelet_call_thread_create(tree.get());
  tree.run("aaabab+");
  tree.run("xyxy)", other);
  flamelet_call_tree_clear(tree.get());
  CHECK(tree.root() == "2/0");
  CHECK(tree.paths().empty());
  CHECK(tree.stats().jumps_used == 0);
  CHECK(std::string(flamelet_call_tree_name(tree.get(), 'a')) == "update");
  tree.run("ab+");
  tree.run("ac+", other);
  CHECK(tree.paths() == "a 2/0, ab 1/1, ac 1/1");
}

// ---- Names

TEST_CASE("call tree: blocks are named before, while and after they run") {
  Tree tree;
  CHECK(std::string(flamelet_call_tree_name(tree.get(), 'a')) == "(unnamed)");
  CHECK(flamelet_call_tree_set_name(tree.get(), 'a', "update") == FLAMELET_OK);
  tree.run("ab");
  CHECK(flamelet_call_tree_set_name(tree.get(), 'b', "draw") == FLAMELET_OK);
  CHECK(flamelet_call_tree_set_name(tree.get(), 'a', "tick") == FLAMELET_OK);
  CHECK(std::string(flamelet_call_tree_name(tree.get(), 'a')) == "tick");
  CHECK(std::string(flamelet_call_tree_name(tree.get(), 'b')) == "draw");
  CHECK(flamelet_call_tree_set_name(tree.get(), 'b', nullptr) == FLAMELET_OK);
  CHECK(std::string(flamelet_call_tree_name(tree.get(), 'b')) == "(unnamed)");
}

TEST_CASE("call tree: the root has a name and keeps it") {
  Tree tree;
  CHECK(std::string(flamelet_call_tree_name(tree.get(), FLAMELET_CALL_ROOT)) == "[root]");
  CHECK(flamelet_call_tree_set_name(tree.get(), FLAMELET_CALL_ROOT, "x") == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(std::string(flamelet_call_tree_name(tree.get(), FLAMELET_CALL_ROOT)) == "[root]");
}

TEST_CASE("call tree: naming an id is no call of it") {
  Tree tree;
  flamelet_call_tree_set_name(tree.get(), 'a', "update");
  CHECK(flamelet_call_tree_blocks(tree.get(), FLAMELET_CALL_ORDER_SELF, nullptr, 0) == 0);
  CHECK(tree.stats().nodes_used == 1);
}

// ---- Creation

TEST_CASE("call tree: creation takes memory of any alignment and says when it is too little") {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_nodes = 7;
  config.max_blocks = 5;
  config.max_threads = 3;
  config.max_jumps = 3;
  const size_t bytes = flamelet_call_tree_memory_required(&config);
  for (size_t offset = 0; offset < 70; ++offset) {
    std::vector<unsigned char> memory(offset + bytes);
    flamelet_call_tree* tree = nullptr;
    REQUIRE(flamelet_call_tree_create(&config, memory.data() + offset, bytes, &tree) == FLAMELET_OK);
    flamelet_call_thread* thread = flamelet_call_thread_create(tree);
    for (uint32_t id = 1; id < 10; ++id) flamelet_call_thread_enter(thread, id);
    CHECK(sums_of(tree).calls == 10);
    CHECK(flamelet_call_tree_create(&config, memory.data() + offset, bytes - 1, &tree) ==
          FLAMELET_ERROR_BUDGET_TOO_SMALL);
    CHECK(tree == nullptr);
  }
}

TEST_CASE("call tree: creation refuses bad configs") {
  std::vector<unsigned char> memory(4096);
  flamelet_call_tree* tree = nullptr;
  flamelet_call_tree_config config = {};
  config.max_nodes = 4;
  CHECK(flamelet_call_tree_memory_required(&config) == 0);  // not from flamelet_call_tree_config_default()
  CHECK(flamelet_call_tree_create(&config, memory.data(), memory.size(), &tree) == FLAMELET_ERROR_INVALID_ARGUMENT);
  config = flamelet_call_tree_config_default();
  config.max_nodes = 0;
  CHECK(flamelet_call_tree_memory_required(&config) == 0);
  config.max_nodes = 0x80000000;
  CHECK(flamelet_call_tree_memory_required(&config) == 0);
  config.max_nodes = 4;
  config.max_blocks = 0x40000001;
  CHECK(flamelet_call_tree_memory_required(&config) == 0);
  config = flamelet_call_tree_config_default();
  CHECK(flamelet_call_tree_create(&config, nullptr, SIZE_MAX, &tree) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_call_tree_create(&config, memory.data(), memory.size(), nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_call_tree_create(nullptr, memory.data(), memory.size(), &tree) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(tree == nullptr);
}

TEST_CASE("call tree: memory is linear in the limits, up to the largest") {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_blocks = config.max_threads = config.max_jumps = 0;
  config.max_nodes = 1000000;
  const size_t bytes = flamelet_call_tree_memory_required(&config);
  config.max_nodes = 2000000;
  CHECK(flamelet_call_tree_memory_required(&config) - bytes == 84u * 1000000u);
  config.max_nodes = 0x7FFFFFFF;
  config.max_blocks = 0x40000000;
  config.max_threads = config.max_jumps = UINT32_MAX;
  if (sizeof(size_t) == 8) CHECK(flamelet_call_tree_memory_required(&config) > uint64_t{84} * 0x7FFFFFFF);
}

// ---- Disabled

TEST_CASE("call tree: every call takes NULL") {
  flamelet_call_tree* none = nullptr;
  flamelet_call_thread* thread = flamelet_call_thread_create(none);
  CHECK(thread == nullptr);
  flamelet_call_thread_enter(thread, 1);
  flamelet_call_thread_tail_call(thread, 2);
  flamelet_call_thread_sample(thread, 3);
  flamelet_call_thread_exit(thread);
  flamelet_call_thread_unwind(thread);
  flamelet_call_thread_destroy(thread);
  flamelet_call_tree_clear(none);
  CHECK(flamelet_call_tree_set_name(none, 1, "x") == FLAMELET_OK);
  CHECK(std::string(flamelet_call_tree_name(none, 1)) == "(unnamed)");
  int visits = 0;
  const auto count_visits = [](void* user, const flamelet_call_path*) { return ++*static_cast<int*>(user) > 0; };
  CHECK(flamelet_call_tree_query(none, 0, count_visits, &visits) == 0);
  CHECK(visits == 0);
  const uint32_t id = 1;
  flamelet_call_totals entry = {};
  CHECK(flamelet_call_tree_sequence(none, &id, 1).calls == 0);
  CHECK(flamelet_call_tree_blocks(none, FLAMELET_CALL_ORDER_SELF, &entry, 1) == 0);
  CHECK(flamelet_call_tree_incoming(none, &id, 1, FLAMELET_CALL_ORDER_SELF, &entry, 1) == 0);
  CHECK(flamelet_call_tree_outgoing(none, &id, 1, FLAMELET_CALL_ORDER_SELF, &entry, 1) == 0);
  flamelet_call_tree_stats stats;
  flamelet_call_tree_get_stats(none, &stats);
  CHECK(stats.nodes_used == 0);
  flamelet_call_tree_get_stats(none, nullptr);

  Tree tree;
  tree.run("a");
  flamelet_call_tree_merge(none, tree.get());
  flamelet_call_tree_merge(tree.get(), none);
  CHECK(flamelet_call_tree_query(tree.get(), 0, nullptr, nullptr) == 0);
  CHECK(tree.paths() == "a 1/0");
}

// ---- Threads

TEST_CASE("call tree: trees on different threads share nothing and merge to the sum") {
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
