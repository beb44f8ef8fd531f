// SPDX-License-Identifier: MIT
//
// What a full, misused or disabled call tree does; creation; names.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "profiler/call_tree/call_tree_script.h"

using call_tree_test::Limits;
using call_tree_test::sums_of;
using call_tree_test::Tree;

namespace {

Limits with_nodes(uint32_t nodes) {
  Limits limits;
  limits.nodes = nodes;
  return limits;
}
Limits with_jumps(uint32_t jumps) {
  Limits limits;
  limits.jumps = jumps;
  return limits;
}

}  // namespace

// ---- Full

TEST_CASE("call tree: where there is no room, calls are charged, and exits still match") {
  struct Row {
    const char* what;
    Limits limits;
    const char* script;
    const char* paths;
    const char* root;
    uint64_t charged_no_room, charged_no_jump, exits_at_root;
  };
  const Row rows[] = {
      {"the last node fits", with_nodes(3), "a b+ )", "a 1/0, ab 1/1", "1/0", 0, 0, 0},
      {"the call after it is charged to its caller", with_nodes(3), "a b+ ) c+ d+ ) + ) + )+", "a 3/4, ab 1/1", "1/1",
       2, 0, 0},
      {"a tail call in a full tree keeps the frame that it should replace", with_nodes(3), "a b =c+ ) +",
       "a 1/1, ab 2/1", "1/0", 1, 0, 0},
      {"recursion is still folded when no node is left", with_nodes(3), "a b b+ ) b+", "a 1/0, ab 3/2", "1/0", 0, 0, 0},
      {"a tree of the root alone takes everything at the root", with_nodes(1), "a+b+=c+)+)+)", "", "4/5", 3, 0, 1},
      {"inside a charged call also known calls are charged", with_jumps(0), "a b+) a b+ )+ )+ )+", "a 3/3, ab 1/1",
       "1/1", 0, 2, 0},
      {"a tail call takes over the jump of the frame that it replaces", with_jumps(1), "a b b =c+ )+ )+ )+",
       "a 1/1, ab 2/1, abc 1/1", "1/1", 0, 0, 0},
      {"a jump that came free is used again", with_jumps(1), "aa)) bb)) aa)) bb)) aa)) bb)) aa)) bb)) aa)) bb))",
       "a 10/0, b 10/0", "1/0", 0, 0, 0},
      {"a tail call without a jump leaves the stack as it is and makes no node", with_jumps(0), "a b =c+ )+ )+",
       "a 1/1, ab 2/1", "1/1", 0, 1, 0},
      // One jump, taken twice: the tail call would need a second.
      {"a tail call without a jump puts a popped repetition back", with_jumps(1), "a bbb =c+ )+ )+ )+ )+",
       "a 1/1, ab 4/3", "1/1", 0, 1, 0},
      {"a tail call inside charged calls is charged and needs no exit", with_jumps(0), "a a =b =c + ) + ) +", "a 4/2",
       "1/1", 0, 3, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    Tree tree(row.limits);
    tree.run(row.script);
    const std::string paths = tree.paths();
    CHECK(paths == row.paths);
    CHECK(tree.root() == row.root);
    const flamelet_call_tree_stats stats = tree.stats();
    CHECK(stats.charged_no_room == row.charged_no_room);
    CHECK(stats.charged_no_jump == row.charged_no_jump);
    CHECK(stats.exits_at_root == row.exits_at_root);
    CHECK(stats.nodes_used == 1 + (paths.empty() ? 0 : 1 + std::count(paths.begin(), paths.end(), ',')));
  }
}

TEST_CASE("call tree: a call that was charged once is charged and counted every time") {
  Tree tree(with_nodes(2));
  for (int i = 0; i < 100; ++i) tree.run("a) b) c)");
  CHECK(tree.paths() == "a 100/0");
  CHECK(tree.root() == "201/0");
  CHECK(tree.stats().charged_no_room == 200);
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
  Tree tree(with_nodes(8));
  for (int i = 0; i < 3; ++i) tree.run("aa)) bb)) cc)) dd)) ee)) ff)) gg)) hh)) ii))");
  CHECK(tree.paths() == "a 6/0, b 6/0, c 6/0, d 6/0, e 6/0, f 6/0, g 6/0");
  CHECK(tree.root() == "13/0");
  CHECK(tree.stats().charged_no_room == 12);
}

TEST_CASE("call tree: past the last jump calls are charged to the top frame and exits still match") {
  Tree tree(with_jumps(1));
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

TEST_CASE_FIXTURE(Tree, "call tree: an exit at the root is ignored and counted") {
  run(")");
  run("a)) )b+");
  CHECK(paths() == "a 1/0, b 1/1");
  CHECK(stats().exits_at_root == 3);
}

TEST_CASE_FIXTURE(Tree, "call tree: id 0 is charged to its caller and its exit matches") {
  flamelet_call_thread_enter(thread(), 0);
  run("+) a");
  flamelet_call_thread_enter(thread(), 0);
  flamelet_call_thread_tail_call(thread(), 0);
  run("+ ) + ) +");
  CHECK(root() == "2/2");
  CHECK(paths() == "a 3/2");
  CHECK(stats().charged_bad_id == 3);
  CHECK(stats().exits_at_root == 0);
}

TEST_CASE_FIXTURE(Tree, "call tree: unwinding drops the open frames and their jumps, and charged ones") {
  run("abcabcabbc");
  CHECK(stats().jumps_used > 0);
  flamelet_call_thread_unwind(thread());
  CHECK(stats().jumps_used == 0);
  run("z+)");
  CHECK(stats().exits_at_root == 0);
  const uint32_t outermost[] = {FLAMELET_CALL_ROOT, 'z'};
  CHECK(flamelet_call_tree_sequence(get(), outermost, 2).calls == 1);
  Tree charged(with_jumps(0));
  charged.run("aaaa");
  flamelet_call_thread_unwind(charged.thread());
  charged.run("b+)");
  CHECK(charged.paths() == "a 4/0, b 1/1");
  CHECK(charged.stats().exits_at_root == 0);
}

TEST_CASE_FIXTURE(Tree, "call tree: destroying a thread gives back its jumps, and twice is once") {
  run("aabbaabb");
  flamelet_call_thread_destroy(thread());
  flamelet_call_thread_destroy(thread());
  CHECK(stats().jumps_used == 0);
  CHECK(stats().threads_used == 0);
  CHECK(sums_of(get()).calls == 9);
}

TEST_CASE_FIXTURE(Tree, "call tree: clear forgets paths and keeps names and threads") {
  flamelet_call_tree_set_name(get(), 'a', "update");
  flamelet_call_thread* other = flamelet_call_thread_create(get());
  run("aaabab+");
  run("xyxy)", other);
  flamelet_call_tree_clear(get());
  CHECK(root() == "2/0");
  CHECK(paths().empty());
  CHECK(stats().jumps_used == 0);
  CHECK(std::string(flamelet_call_tree_name(get(), 'a')) == "update");
  run("ab+");
  run("ac+", other);
  CHECK(paths() == "a 2/0, ab 1/1, ac 1/1");
}

// ---- Names

TEST_CASE_FIXTURE(
    Tree,
    "call tree: blocks are named before, while and after they run, which is no call, and the root keeps its name") {
  CHECK(std::string(flamelet_call_tree_name(get(), 'a')) == "(unnamed)");
  CHECK(flamelet_call_tree_set_name(get(), 'a', "update") == FLAMELET_OK);
  CHECK(flamelet_call_tree_blocks(get(), FLAMELET_CALL_ORDER_SELF, nullptr, 0) == 0);
  CHECK(stats().nodes_used == 1);
  run("ab");
  CHECK(flamelet_call_tree_set_name(get(), 'b', "draw") == FLAMELET_OK);
  CHECK(flamelet_call_tree_set_name(get(), 'a', "tick") == FLAMELET_OK);
  CHECK(std::string(flamelet_call_tree_name(get(), 'a')) == "tick");
  CHECK(std::string(flamelet_call_tree_name(get(), 'b')) == "draw");
  CHECK(flamelet_call_tree_set_name(get(), 'b', nullptr) == FLAMELET_OK);
  CHECK(std::string(flamelet_call_tree_name(get(), 'b')) == "(unnamed)");
  CHECK(std::string(flamelet_call_tree_name(get(), FLAMELET_CALL_ROOT)) == "[root]");
  CHECK(flamelet_call_tree_set_name(get(), FLAMELET_CALL_ROOT, "x") == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(std::string(flamelet_call_tree_name(get(), FLAMELET_CALL_ROOT)) == "[root]");
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
