// SPDX-License-Identifier: MIT
//
// The readers of the call tree: totals of sequences, callers and callees, the period.
#include <doctest/doctest.h>

#include <vector>

#include "profiler/call_tree/call_tree_script.h"
#include "rounds.h"

using call_tree_test::Tree;

namespace {

// 1:1; 1,2:15; 1,2,3:7; 1,4,3,4:18; 1,2,4:25
struct FilledTree : Tree {
  FilledTree() { run("1:1 2:15 3:7) 4:25)) 4 3 4:18))))"); }
};

using Ids = std::vector<uint32_t>;

// "4=43 2=15": ids and the chosen number of each entry, in the order given.
std::string text_of(const std::vector<flamelet_call_totals>& entries, uint64_t flamelet_call_totals::*number) {
  std::string text;
  for (const flamelet_call_totals& entry : entries) {
    if (!text.empty()) text += ' ';
    text += entry.id == 0 ? "root" : std::string(1, static_cast<char>(entry.id));
    text += '=' + std::to_string(entry.*number);
  }
  return text;
}

std::vector<flamelet_call_totals> blocks(const Tree& tree, flamelet_call_order order) {
  std::vector<flamelet_call_totals> entries(flamelet_call_tree_blocks(tree.get(), order, nullptr, 0));
  flamelet_call_tree_blocks(tree.get(), order, entries.data(), entries.size());
  return entries;
}

std::string incoming(const Tree& tree, const Ids& ids,
                     uint64_t flamelet_call_totals::*number = &flamelet_call_totals::overall_samples) {
  std::vector<flamelet_call_totals> entries(100);
  entries.resize(flamelet_call_tree_incoming(tree.get(), ids.data(), ids.size(), FLAMELET_CALL_ORDER_OVERALL,
                                             entries.data(), entries.size()));
  return text_of(entries, number);
}

std::string outgoing(const Tree& tree, const Ids& ids,
                     uint64_t flamelet_call_totals::*number = &flamelet_call_totals::overall_samples) {
  std::vector<flamelet_call_totals> entries(100);
  entries.resize(flamelet_call_tree_outgoing(tree.get(), ids.data(), ids.size(), FLAMELET_CALL_ORDER_OVERALL,
                                             entries.data(), entries.size()));
  return text_of(entries, number);
}

flamelet_call_totals sequence(const Tree& tree, const Ids& ids) {
  return flamelet_call_tree_sequence(tree.get(), ids.data(), ids.size());
}

}  // namespace

TEST_CASE("call tree readers: the empty sequence has the totals of the tree") {
  FilledTree tree;
  CHECK(sequence(tree, {}).overall_samples == 66);
  CHECK(sequence(tree, {}).self_samples == 66);
  CHECK(sequence(tree, {}).calls == 8);
}

TEST_CASE("call tree readers: self is what was sampled in the block itself") {
  FilledTree tree;
  CHECK(text_of(blocks(tree, FLAMELET_CALL_ORDER_SELF), &flamelet_call_totals::self_samples) == "4=43 2=15 3=7 1=1");
}

TEST_CASE("call tree readers: overall counts a sample once however often the block is on its path") {
  FilledTree tree;
  CHECK(text_of(blocks(tree, FLAMELET_CALL_ORDER_OVERALL), &flamelet_call_totals::overall_samples) ==
        "1=66 2=47 4=43 3=25");
}

TEST_CASE("call tree readers: calls of a block are summed over its paths") {
  FilledTree tree;
  CHECK(text_of(blocks(tree, FLAMELET_CALL_ORDER_CALLS), &flamelet_call_totals::calls) == "4=3 3=2 1=1 2=1");
}

TEST_CASE("call tree readers: a sequence has the samples of the paths that hold it") {
  FilledTree tree;
  CHECK(sequence(tree, {'1'}).overall_samples == 66);
  CHECK(sequence(tree, {'1', '2'}).overall_samples == 47);
  CHECK(sequence(tree, {'1', '2', '3'}).overall_samples == 7);
  CHECK(sequence(tree, {'1', '2', '3'}).id == '3');
  CHECK(sequence(tree, {'2', '1'}).overall_samples == 0);
  CHECK(sequence(tree, {'9'}).calls == 0);
}

TEST_CASE("call tree readers: a sequence from the root is held by paths that begin with it") {
  Tree tree;
  tree.run("a b:1 ) ) b:2 )");
  CHECK(sequence(tree, {'b'}).overall_samples == 3);
  CHECK(sequence(tree, {FLAMELET_CALL_ROOT, 'b'}).overall_samples == 2);
  CHECK(sequence(tree, {FLAMELET_CALL_ROOT}).overall_samples == 3);
  CHECK(sequence(tree, {'a', FLAMELET_CALL_ROOT}).overall_samples == 0);
}

TEST_CASE("call tree readers: incoming lists the callers, each sample once for each of them") {
  FilledTree tree;
  CHECK(incoming(tree, {'4'}) == "2=25 1=18 3=18");
  CHECK(incoming(tree, {'4'}, &flamelet_call_totals::calls) == "2=1 1=1 3=1");
  CHECK(incoming(tree, {'4'}, &flamelet_call_totals::self_samples) == "2=25 1=0 3=18");
  CHECK(incoming(tree, {'2', '4'}) == "1=25");
}

TEST_CASE("call tree readers: the root is a caller and nothing calls it") {
  FilledTree tree;
  CHECK(incoming(tree, {'1'}) == "root=66");
  CHECK(incoming(tree, {FLAMELET_CALL_ROOT}).empty());
  CHECK(incoming(tree, {FLAMELET_CALL_ROOT, '1'}).empty());
  CHECK(outgoing(tree, {FLAMELET_CALL_ROOT}) == "1=66");
}

TEST_CASE("call tree readers: outgoing lists the callees") {
  FilledTree tree;
  CHECK(outgoing(tree, {'1', '2'}) == "4=25 3=7");
  CHECK(outgoing(tree, {'4'}) == "3=18");
  CHECK(outgoing(tree, {'3', '4'}).empty());
}

TEST_CASE("call tree readers: calls from X to Y are summed over the paths that end in X, Y") {
  Tree tree;
  tree.run("a x y) y))) b x y))) x y y))");
  CHECK(sequence(tree, {'x', 'y'}).calls == 5);  // y in y is folded into x, y
  CHECK(outgoing(tree, {'x'}, &flamelet_call_totals::calls) == "y=5");
}

TEST_CASE("call tree readers: a caller that recurs through others counts a sample once") {
  // x calls y, which calls x again by way of z: the inner samples hold x,y twice.
  Tree tree;
  tree.run("x y z x y:10");
  CHECK(incoming(tree, {'y'}) == "x=10");
  CHECK(sequence(tree, {'x', 'y'}).overall_samples == 10);
  CHECK(sequence(tree, {'x', 'y'}).calls == 2);
  CHECK(sequence(tree, {'z'}).overall_samples == 10);
}

TEST_CASE("call tree readers: lists are cut at the capacity, largest first, and say how many there are") {
  FilledTree tree;
  std::vector<flamelet_call_totals> entries(2);
  CHECK(flamelet_call_tree_blocks(tree.get(), FLAMELET_CALL_ORDER_OVERALL, entries.data(), 2) == 4);
  CHECK(text_of(entries, &flamelet_call_totals::overall_samples) == "1=66 2=47");
  CHECK(flamelet_call_tree_blocks(tree.get(), FLAMELET_CALL_ORDER_OVERALL, nullptr, 2) == 4);
  CHECK(flamelet_call_tree_incoming(tree.get(), nullptr, 1, FLAMELET_CALL_ORDER_SELF, entries.data(), 2) == 0);
  CHECK(flamelet_call_tree_sequence(tree.get(), nullptr, 1).overall_samples == 0);
}

TEST_CASE("call tree readers: equal entries are sorted by id") {
  Tree tree;
  tree.run("d+) b+) a+) c+)");
  CHECK(text_of(blocks(tree, FLAMELET_CALL_ORDER_SELF), &flamelet_call_totals::self_samples) == "a=1 b=1 c=1 d=1");
}

TEST_CASE("call tree readers: an empty tree has one path and no blocks") {
  Tree tree;
  CHECK(flamelet_call_tree_query(
            tree.get(), 0, [](void*, const flamelet_call_path*) { return true; }, nullptr) == 1);
  CHECK(blocks(tree, FLAMELET_CALL_ORDER_SELF).empty());
  CHECK(sequence(tree, {}).overall_samples == 0);
}

TEST_CASE("call tree readers: totals of a path hold those below it") {
  Tree tree;
  tree.run(":1000 a:100 b:20 c:3 )) b:5");
  std::string text;
  flamelet_call_tree_query(
      tree.get(), 0,
      [](void* user, const flamelet_call_path* path) {
        *static_cast<std::string*>(user) += std::to_string(path->total_samples) + ' ';
        return true;
      },
      &text);
  CHECK(text == "1128 128 28 3 ");
}

TEST_CASE("call tree readers: a visitor that returns false ends the query") {
  Tree tree;
  tree.run("abc))) d");
  int visits = 0;
  const size_t visited = flamelet_call_tree_query(
      tree.get(), 0, [](void* user, const flamelet_call_path*) { return ++*static_cast<int*>(user) < 3; }, &visits);
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
      std::vector<flamelet_call_totals> entries(20);
      entries.resize(flamelet_call_tree_incoming(tree.get(), ids.data(), ids.size(), FLAMELET_CALL_ORDER_OVERALL,
                                                 entries.data(), entries.size()));
      REQUIRE(list_equals_plain(paths, entries, "", text, static_cast<char>(max_id)));
      for (size_t k = 1; k < entries.size(); ++k) {
        REQUIRE(entries[k - 1].overall_samples >= entries[k].overall_samples);
      }
      entries.resize(20);
      entries.resize(flamelet_call_tree_outgoing(tree.get(), ids.data(), ids.size(), FLAMELET_CALL_ORDER_SELF,
                                                 entries.data(), entries.size()));
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

TEST_CASE("call tree readers: a period carries the remainder to the next path and drops those at 0") {
  Tree tree;
  tree.run("a:3) b:4) c:9) d:1)");
  CHECK(tree.paths(5) == "b 1/1, c 1/2");
}

TEST_CASE("call tree readers: a period of 1 drops what has no samples and changes nothing else") {
  Tree tree;
  tree.run("a:3 b c:2");
  CHECK(tree.paths(0) == "a 1/3, ab 1/0, abc 1/2");
  CHECK(tree.paths(1) == "a 1/3, abc 1/2");
}

TEST_CASE("call tree readers: a period keeps the sum, and totals are the sums of what is below") {
  Tree tree;
  tree.run(":7 a:13 b:29 c:1) d:8)) e:3)) f:17 a:2");
  for (uint64_t period = 1; period < 90; ++period) {
    std::vector<uint64_t> self;
    flamelet_call_tree_query(
        tree.get(), period,
        [](void* user, const flamelet_call_path* path) {
          static_cast<std::vector<uint64_t>*>(user)->push_back(path->self_samples);
          return true;
        },
        &self);
    uint64_t sum = 0;
    for (const uint64_t samples : self) {
      CHECK(samples > 0);
      sum += samples;
    }
    CHECK(sum == 80 / period);
  }
  std::vector<uint64_t> numbers;
  flamelet_call_tree_query(
      tree.get(), 10,
      [](void* user, const flamelet_call_path* path) {
        static_cast<std::vector<uint64_t>*>(user)->push_back(path->self_samples);
        static_cast<std::vector<uint64_t>*>(user)->push_back(path->total_samples);
        return true;
      },
      &numbers);
  // Running sums: root 7, a 20, ab 49, abc 50, abd 58, ae 61, f 78, fa 80. Path by path, own and total:
  CHECK(numbers == std::vector<uint64_t>{2, 6, 2, 3, 1, 1, 1, 1, 1, 2, 1, 1});
}
