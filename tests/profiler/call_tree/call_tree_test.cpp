// SPDX-License-Identifier: MIT
//
// Where calls lead and exits return, on small cases worked out by hand. call_tree_random_test.cpp compares the same
// rules with a plain model.
#include "flamelet/call_tree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "profiler/call_tree/call_tree_script.h"
#include "rounds.h"

using namespace call_tree_test;

TEST_CASE("call tree: where calls lead, and exits return") {
  struct Row {
    const char* what;
    const char* script;
    const char* paths;
    uint32_t nodes;       // the root's is one of them
    int jumps_used = -1;  // where it is said
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
      {"returning and calling again shares the path without folding", "a+b+c+))b+c+", "a 1/1, ab 2/2, abc 2/2", 4, 0},
      {"a tail call is kept below what it replaces and returns past it", "1:10 2:20 =3:30 4:40) =5:50) 6:60))",
       "1 1/10, 12 1/20, 123 1/30, 1234 1/40, 1235 1/50, 16 1/60", 7, 0},
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
    if (row.jumps_used >= 0) CHECK(tree.stats().jumps_used == static_cast<uint32_t>(row.jumps_used));
  }
}

TEST_CASE_FIXTURE(Tree, "call tree: a child that comes after a query is in the next one, in its place") {
  run("m b) d)");
  CHECK(paths() == "m 1/0, mb 1/0, md 1/0");
  run("c) a) e)");
  CHECK(paths() == "m 1/0, ma 1/0, mb 1/0, mc 1/0, md 1/0, me 1/0");
}

TEST_CASE_FIXTURE(Tree, "call tree: the largest id is an id like any other") {
  flamelet_call_thread_enter(thread(), UINT32_MAX);
  flamelet_call_thread_enter(thread(), UINT32_MAX);
  flamelet_call_thread_sample(thread(), 7);
  const uint32_t id = UINT32_MAX;
  const flamelet_call_totals totals = flamelet_call_tree_sequence(get(), &id, 1);
  CHECK(totals.calls == 2);
  CHECK(totals.self_samples == 7);
}

TEST_CASE_FIXTURE(Tree, "call tree: threads that come while the tree is off are off, and clear leaves it off") {
  CHECK(flamelet_call_tree_enabled(get()));
  flamelet_call_tree_set_enabled(get(), false);
  CHECK_FALSE(flamelet_call_tree_enabled(get()));
  flamelet_call_thread* second = flamelet_call_thread_create(get());
  run("a+)", second);
  CHECK(paths() == "");
  flamelet_call_tree_clear(get());
  CHECK(stats().calls_skipped == 0);
  run("a+)", second);
  CHECK(stats().calls_skipped == 1);
  CHECK(stats().samples_skipped == 1);
  flamelet_call_tree_set_enabled(get(), true);
  run("a+)", second);
  CHECK(paths() == "a 1/1");
  flamelet_call_tree_set_enabled(nullptr, true);
  CHECK_FALSE(flamelet_call_tree_enabled(nullptr));
}

// ---- The readers of the call tree: totals of sequences, callers and callees, the period ---------------------------

namespace {

// 1:1; 1,2:15; 1,2,3:7; 1,4,3,4:18; 1,2,4:25
constexpr const char* kFilled = "1:1 2:15 3:7) 4:25)) 4 3 4:18))))";

using Ids = std::vector<uint32_t>;
using Totals = std::vector<flamelet_call_totals>;

// "4=43 2=15": ids and the chosen number of each entry, in the order given.
std::string text_of(const Totals& entries, uint64_t flamelet_call_totals::*number) {
  std::string text;
  for (const flamelet_call_totals& entry : entries) {
    if (!text.empty()) text += ' ';
    text += entry.id == 0 ? "root" : std::string(1, static_cast<char>(entry.id));
    text += '=' + std::to_string(entry.*number);
  }
  return text;
}

Totals blocks(const Tree& tree, flamelet_call_order order) {
  Totals entries(flamelet_call_tree_blocks(tree.get(), order, nullptr, 0));
  flamelet_call_tree_blocks(tree.get(), order, entries.data(), entries.size());
  return entries;
}

// The callers, or the callees.
Totals list(decltype(&flamelet_call_tree_incoming) function, const Tree& tree, const Ids& ids,
            flamelet_call_order order = FLAMELET_CALL_ORDER_OVERALL) {
  Totals entries(100);
  entries.resize(function(tree.get(), ids.data(), ids.size(), order, entries.data(), entries.size()));
  return entries;
}

flamelet_call_totals sequence(const Tree& tree, const Ids& ids) {
  return flamelet_call_tree_sequence(tree.get(), ids.data(), ids.size());
}

}  // namespace

TEST_CASE("call tree readers: totals of blocks, of sequences, of their callers and of their callees") {
  constexpr auto kSelf = &flamelet_call_totals::self_samples, kOverall = &flamelet_call_totals::overall_samples,
                 kCalls = &flamelet_call_totals::calls;
  constexpr const char *kFromRoot = "a b:1 ) ) b:2 )", *kManyPaths = "a x y) y))) b x y))) x y y))",
                       *kRecurs = "x y z x y:10";
  const struct {
    const char* what;
    const char* script;
    char list;        // of blocks (b), callers (<) or callees (>), or a sequence's own totals (s)
    const char* ids;  // ^ is the root
    uint64_t flamelet_call_totals::*number;
    const char* text;
  } rows[] = {
      {"the empty sequence has the totals of the tree", kFilled, 's', "", kOverall, "66"},
      {"self is what was sampled in the block itself", kFilled, 'b', "", kSelf, "4=43 2=15 3=7 1=1"},
      {"a sample counts once however often the block is there", kFilled, 'b', "", kOverall, "1=66 2=47 4=43 3=25"},
      {"calls of a block are summed over its paths", kFilled, 'b', "", kCalls, "4=3 3=2 1=1 2=1"},
      {"a sequence has the samples of the paths that hold it", kFilled, 's', "123", kOverall, "7"},
      {"from the root: of the paths that begin with it", kFromRoot, 's', "b", kOverall, "3"},
      {"the same", kFromRoot, 's', "^b", kOverall, "2"},
      {"each sample once for each of the callers", kFilled, '<', "4", kOverall, "2=25 1=18 3=18"},
      {"the root is a caller", kFilled, '<', "1", kOverall, "root=66"},
      {"nothing calls the root", kFilled, '<', "^", kOverall, ""},
      {"callees of the root", kFilled, '>', "^", kOverall, "1=66"},
      {"callees", kFilled, '>', "12", kOverall, "4=25 3=7"},
      {"calls from X to Y over all paths; y in y is folded into x, y", kManyPaths, 's', "xy", kCalls, "5"},
      // x calls y, which calls x again by way of z: the inner samples hold x,y twice.
      {"a caller that recurs through others counts a sample once", kRecurs, '<', "y", kOverall, "x=10"},
      {"equal entries are sorted by id", "d+) b+) a+) c+)", 'b', "", kSelf, "a=1 b=1 c=1 d=1"},
      {"an empty tree has no blocks", "", 'b', "", kSelf, ""},
      {"an empty tree has no samples", "", 's', "", kOverall, "0"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.what);
    CAPTURE(row.ids);
    Tree tree;
    tree.run(row.script);
    Ids ids;
    for (const char* id = row.ids; *id != 0; ++id)
      ids.push_back(*id == '^' ? FLAMELET_CALL_ROOT : static_cast<uint32_t>(*id));
    if (row.list == 's') {
      CHECK(std::to_string(sequence(tree, ids).*row.number) == row.text);
      continue;
    }
    const flamelet_call_order order = row.number == kSelf      ? FLAMELET_CALL_ORDER_SELF
                                      : row.number == kOverall ? FLAMELET_CALL_ORDER_OVERALL
                                                               : FLAMELET_CALL_ORDER_CALLS;
    CHECK(text_of(row.list == 'b'   ? blocks(tree, order)
                  : row.list == '<' ? list(flamelet_call_tree_incoming, tree, ids)
                                    : list(flamelet_call_tree_outgoing, tree, ids),
                  row.number) == row.text);
  }
}

TEST_CASE_FIXTURE(Tree, "call tree readers: lists are cut at the capacity, largest first, and say how many there are") {
  run(kFilled);
  CHECK(sequence(*this, {'1', '2', '3'}).id == '3');
  Totals entries(2);
  CHECK(flamelet_call_tree_blocks(get(), FLAMELET_CALL_ORDER_OVERALL, entries.data(), 2) == 4);
  CHECK(text_of(entries, &flamelet_call_totals::overall_samples) == "1=66 2=47");
  CHECK(flamelet_call_tree_blocks(get(), FLAMELET_CALL_ORDER_OVERALL, nullptr, 2) == 4);
  CHECK(flamelet_call_tree_incoming(get(), nullptr, 1, FLAMELET_CALL_ORDER_SELF, entries.data(), 2) == 0);
  CHECK(flamelet_call_tree_sequence(get(), nullptr, 1).overall_samples == 0);
}

TEST_CASE_FIXTURE(Tree, "call tree readers: totals of a path hold those below it") {
  run(":1000 a:100 b:20 c:3 )) b:5");
  std::string text;
  flamelet_call_tree_query(
      get(), 0,
      [](void* user, const flamelet_call_path* path) {
        *static_cast<std::string*>(user) += std::to_string(path->total_samples) + ' ';
        return true;
      },
      &text);
  CHECK(text == "1128 128 28 3 ");
}

TEST_CASE_FIXTURE(Tree, "call tree readers: a visitor that returns false ends the query") {
  const auto goes_on = [](void*, const flamelet_call_path*) { return true; };
  CHECK(flamelet_call_tree_query(get(), 0, goes_on, nullptr) == 1);  // the root's path
  run("abc))) d");
  int visits = 0;
  const size_t visited = flamelet_call_tree_query(
      get(), 0, [](void* user, const flamelet_call_path*) { return ++*static_cast<int*>(user) < 3; }, &visits);
  CHECK(visited == 3);
  CHECK(visits == 3);
}

// ---- Against a plain model: paths as strings that begin with the root's id, searched as strings

namespace {

struct PlainPath {
  std::string ids;
  uint64_t calls;
  uint64_t samples;
};

std::vector<PlainPath> plain_paths(const Tree& tree) {
  std::vector<PlainPath> paths;
  flamelet_call_tree_query(
      tree.get(), 0,
      [](void* user, const flamelet_call_path* path) {
        std::string ids(1, '\0');
        for (uint32_t i = 0; i < path->depth; ++i) ids += static_cast<char>(path->ids[i]);
        static_cast<std::vector<PlainPath>*>(user)->push_back({ids, path->calls, path->self_samples});
        return true;
      },
      &paths);
  return paths;
}

flamelet_call_totals plain_sequence(const std::vector<PlainPath>& paths, const std::string& ids) {
  flamelet_call_totals totals = {};
  for (const PlainPath& path : paths) {
    if (path.ids.find(ids) != std::string::npos) totals.overall_samples += path.samples;
    if (path.ids.size() >= ids.size() && path.ids.substr(path.ids.size() - ids.size()) == ids) {
      totals.calls += path.calls;
      totals.self_samples += path.samples;
    }
  }
  return totals;
}

bool equal(const flamelet_call_totals& a, const flamelet_call_totals& b) {
  return a.calls == b.calls && a.self_samples == b.self_samples && a.overall_samples == b.overall_samples;
}

// True if the list holds each id x in 0..max_id whose sequence (before + x + after) was called, and no more.
bool list_equals_plain(const std::vector<PlainPath>& paths, const std::vector<flamelet_call_totals>& entries,
                       const std::string& before, const std::string& after, char max_id) {
  size_t expected = 0;
  for (char id = 0; id <= max_id; ++id) {
    const flamelet_call_totals totals = plain_sequence(paths, before + id + after);
    if (totals.calls == 0) continue;
    ++expected;
    bool found = false;
    for (const flamelet_call_totals& entry : entries) {
      found = found || (entry.id == static_cast<uint32_t>(id) && equal(entry, totals));
    }
    if (!found) return false;
  }
  return entries.size() == expected;
}

}  // namespace

TEST_CASE("call tree readers: totals, callers and callees of random trees equal the model") {
  for (uint64_t seed = 1; seed <= rounds(3000); ++seed) {
    CAPTURE(seed);
    call_tree_test::Random random(seed);
    const Tree tree;
    const uint32_t max_id = 1 + random.below(5);
    for (uint32_t i = 0; i < 60; ++i) {
      if (random.below(3) < 2) {
        flamelet_call_thread_enter(tree.thread(), 1 + random.below(max_id));
      } else if (sequence(tree, {}).calls > 1) {
        flamelet_call_thread_exit(tree.thread());
      }
      flamelet_call_thread_sample(tree.thread(), random.below(10));
    }
    const std::vector<PlainPath> paths = plain_paths(tree);
    for (uint32_t i = 0; i < 10; ++i) {
      // Now and then from the root: it is the sequence's first id or none of them.
      std::vector<uint32_t> ids(random.below(4));
      std::string text;
      for (uint32_t& id : ids) {
        id = text.empty() ? random.below(max_id + 1) : 1 + random.below(max_id);
        text += static_cast<char>(id);
      }
      REQUIRE(equal(sequence(tree, ids), plain_sequence(paths, text)));
      Totals entries = list(flamelet_call_tree_incoming, tree, ids);
      REQUIRE(list_equals_plain(paths, entries, "", text, static_cast<char>(max_id)));
      for (size_t k = 1; k < entries.size(); ++k) {
        REQUIRE(entries[k - 1].overall_samples >= entries[k].overall_samples);
      }
      entries = list(flamelet_call_tree_outgoing, tree, ids, FLAMELET_CALL_ORDER_SELF);
      // Nothing calls the root, so it is no callee of the empty sequence either.
      std::vector<PlainPath> below_root = paths;
      if (ids.empty()) {
        for (PlainPath& path : below_root) path.ids.erase(0, 1);
      }
      REQUIRE(list_equals_plain(below_root, entries, text, "", static_cast<char>(max_id)));
      for (size_t k = 1; k < entries.size(); ++k) REQUIRE(entries[k - 1].self_samples >= entries[k].self_samples);
    }
  }
}

// ---- Period

TEST_CASE_FIXTURE(Tree, "call tree readers: a period carries the remainder to the next path and drops those at 0") {
  run("a:3) b:4) c:9) d:1)");
  CHECK(paths(5) == "b 1/1, c 1/2");
}

TEST_CASE_FIXTURE(Tree, "call tree readers: a period of 1 drops what has no samples and changes nothing else") {
  run("a:3 b c:2");
  CHECK(paths(0) == "a 1/3, ab 1/0, abc 1/2");
  CHECK(paths(1) == "a 1/3, abc 1/2");
}

TEST_CASE_FIXTURE(Tree, "call tree readers: a period keeps the sum, and totals are the sums of what is below") {
  run(":7 a:13 b:29 c:1) d:8)) e:3)) f:17 a:2");
  const auto add_path = [](void* user, const flamelet_call_path* path) {
    for (const uint64_t samples : {path->self_samples, path->total_samples})
      static_cast<std::vector<uint64_t>*>(user)->push_back(samples);
    return true;
  };
  std::vector<uint64_t> numbers;  // own and total, path by path
  for (uint64_t period = 1; period < 90; ++period) {
    numbers.clear();
    flamelet_call_tree_query(get(), period, add_path, &numbers);
    uint64_t sum = 0;
    for (size_t i = 0; i < numbers.size(); i += 2) {
      CHECK(numbers[i] > 0);
      sum += numbers[i];
    }
    CHECK(sum == 80 / period);
  }
  numbers.clear();
  flamelet_call_tree_query(get(), 10, add_path, &numbers);
  // Running sums: root 7, a 20, ab 49, abc 50, abd 58, ae 61, f 78, fa 80.
  CHECK(numbers == std::vector<uint64_t>{2, 6, 2, 3, 1, 1, 1, 1, 1, 2, 1, 1});
}

// ---- What a full, misused or disabled call tree does; creation; names ---------------------------------------------

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
