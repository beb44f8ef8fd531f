// SPDX-License-Identifier: MIT
//
// The call tree against a model that is nothing but the rule, over a million random sequences of operations; its
// invariants where every limit is too small; and depth.
#include <doctest/doctest.h>
#include <pthread.h>

#include <map>
#include <memory>
#include <string>

#include "profiler/call_tree/call_tree_script.h"
#include "rounds.h"

using namespace call_tree_test;

namespace {

// ---- The model: a path is a string of ids, the tree a map of paths, a thread a stack of paths.

struct Counts {
  uint64_t calls = 0;
  uint64_t samples = 0;
};

class Model {
 public:
  explicit Model(size_t max_nodes) : max_nodes_(max_nodes) { nodes_[""]; }

  void add_thread() {
    threads_.push_back({""});
    ++nodes_[""].calls;
  }
  // While off, a frame is opened that leads nowhere else.
  void enter(size_t thread, char id) {
    std::vector<std::string>& frames = threads_[thread];
    frames.push_back(off_ ? frames.back() : call(frames.back(), id));
    if (off_) ++calls_skipped_;
  }
  void tail_call(size_t thread, char id) {
    std::vector<std::string>& frames = threads_[thread];
    if (frames.size() == 1) return enter(thread, id);
    if (off_) {
      frames.pop_back();
      return enter(thread, id);
    }
    frames.back() = call(frames.back(), id);
  }
  void exit(size_t thread) {
    if (threads_[thread].size() > 1) {
      threads_[thread].pop_back();
    } else {
      ++exits_at_root_;
    }
  }
  void sample(size_t thread, uint64_t samples) {
    (off_ ? samples_skipped_ : nodes_[threads_[thread].back()].samples) += samples;
  }
  bool switch_over() { return off_ = !off_; }

  const std::map<std::string, Counts>& nodes() const { return nodes_; }
  uint64_t charged() const { return charged_; }
  uint64_t exits_at_root() const { return exits_at_root_; }
  uint64_t calls_skipped() const { return calls_skipped_; }
  uint64_t samples_skipped() const { return samples_skipped_; }

 private:
  // Append; if the path then ends in WW, shortest W first, drop the last W.
  std::string call(const std::string& from, char id) {
    std::string path = from + id;
    for (size_t length = 1; 2 * length <= path.size(); ++length) {
      if (path.compare(path.size() - length, length, path, path.size() - 2 * length, length) == 0) {
        path.resize(path.size() - length);
        break;
      }
    }
    if (nodes_.count(path) == 0 && nodes_.size() == max_nodes_) {
      ++charged_;
      path = from;
    }
    ++nodes_[path].calls;
    return path;
  }

  size_t max_nodes_;
  std::map<std::string, Counts> nodes_;
  std::vector<std::vector<std::string>> threads_;
  uint64_t charged_ = 0;
  uint64_t exits_at_root_ = 0;
  uint64_t calls_skipped_ = 0;
  uint64_t samples_skipped_ = 0;
  bool off_ = false;
};

// A map of strings is sorted like the query: a path before those that begin with it, then by rising id.
struct Comparison {
  std::map<std::string, Counts>::const_iterator expected;
  std::map<std::string, Counts>::const_iterator end;
  bool equal;
};

bool visit_compare(void* user, const flamelet_call_path* path) {
  Comparison& comparison = *static_cast<Comparison*>(user);
  comparison.equal = comparison.expected != comparison.end && comparison.expected->first.size() == path->depth &&
                     comparison.expected->second.calls == path->calls &&
                     comparison.expected->second.samples == path->self_samples;
  for (uint32_t i = 0; comparison.equal && i < path->depth; ++i) {
    comparison.equal = static_cast<uint32_t>(comparison.expected->first[i]) == path->ids[i];
  }
  if (comparison.equal) ++comparison.expected;
  return comparison.equal;
}

bool equals_model(const Tree& tree, const Model& model) {
  Comparison comparison = {model.nodes().begin(), model.nodes().end(), true};
  flamelet_call_tree_query(tree.get(), 0, visit_compare, &comparison);
  const flamelet_call_tree_stats stats = tree.stats();
  return comparison.equal && comparison.expected == comparison.end && stats.charged_no_room == model.charged() &&
         stats.exits_at_root == model.exits_at_root() && stats.calls_skipped == model.calls_skipped() &&
         stats.samples_skipped == model.samples_skipped();
}

// Runs `length` random operations on tree and model. The seed decides how many ids there are and how deep it goes.
bool run_equals_model(const Tree& tree, flamelet_call_thread* second_thread, size_t max_nodes, uint64_t seed,
                      uint32_t length) {
  Random random(seed);
  Model model(max_nodes);
  model.add_thread();
  model.add_thread();
  flamelet_call_tree_clear(tree.get());
  flamelet_call_tree_set_enabled(tree.get(), true);
  flamelet_call_thread* const threads[2] = {tree.thread(), second_thread};
  const uint32_t ids = 1 + random.below(5);
  const uint32_t enters = 30 + random.below(40);  // in percent
  for (uint32_t i = 0; i < length; ++i) {
    const size_t thread = random.below(4) == 0;
    const char id = static_cast<char>(1 + random.below(ids));
    const uint32_t dice = random.below(100);
    if (dice < enters) {
      flamelet_call_thread_enter(threads[thread], static_cast<uint32_t>(id));
      model.enter(thread, id);
    } else if (dice < enters + 10) {
      flamelet_call_thread_tail_call(threads[thread], static_cast<uint32_t>(id));
      model.tail_call(thread, id);
    } else if (dice < enters + 20) {
      flamelet_call_thread_sample(threads[thread], dice);
      model.sample(thread, dice);
    } else if (dice < enters + 22) {
      flamelet_call_tree_set_enabled(tree.get(), !model.switch_over());
    } else {
      flamelet_call_thread_exit(threads[thread]);
      model.exit(thread);
    }
  }
  return equals_model(tree, model);
}

void check_against_model(uint32_t max_nodes, uint64_t first_seed, uint32_t sequences, uint32_t max_length) {
  Limits limits;
  limits.nodes = max_nodes;
  limits.jumps = max_length;  // never the limit here
  const Tree tree(limits);
  flamelet_call_thread* second = flamelet_call_thread_create(tree.get());
  uint32_t equal = 0;
  for (uint64_t seed = first_seed; seed < first_seed + sequences; ++seed) {
    const uint32_t length = 1 + Random(~seed).below(max_length);
    if (!run_equals_model(tree, second, max_nodes, seed, length)) {
      FAIL("seed " << seed << ", " << length << " operations, " << max_nodes << " nodes");
    }
    ++equal;
  }
  CHECK(equal == sequences);
}

}  // namespace

TEST_CASE("call tree: a million random sequences equal the model" * doctest::test_suite("gate")) {
  check_against_model(64, 1, rounds(1000000), 24);
}

TEST_CASE("call tree: long random sequences equal the model") {
  check_against_model(256, 2000000, rounds(20000), 250);
  check_against_model(4096, 3000000, rounds(200), 5000);
}

TEST_CASE("call tree: random sequences in a full tree equal the model") {
  for (uint32_t max_nodes = 1; max_nodes <= 12; ++max_nodes) {
    check_against_model(max_nodes, 4000000 + max_nodes * 100000, rounds(5000), 60);
  }
}

TEST_CASE("call tree: with every limit too small, calls and samples add up and exits match") {
  uint64_t charged_no_room = 0;
  uint64_t charged_no_jump = 0;
  for (uint64_t seed = 1; seed <= 20000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Limits limits;
    limits.nodes = 1 + random.below(20);
    limits.blocks = random.below(6);
    limits.jumps = random.below(6);
    Tree tree(limits);
    uint64_t calls = 1;  // the root's
    uint64_t samples = 0;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < 200; ++i) {
      const uint32_t id = random.below(6);
      const uint32_t dice = random.below(10);
      if (random.below(20) == 0) flamelet_call_tree_set_enabled(tree.get(), random.below(2) == 0);
      if (dice < 5 || (dice == 5 && depth == 0)) {
        flamelet_call_thread_enter(tree.thread(), id);
        ++depth;
        ++calls;
      } else if (dice == 5) {
        flamelet_call_thread_tail_call(tree.thread(), id);
        ++calls;
      } else if (dice < 8) {
        flamelet_call_thread_sample(tree.thread(), i);
        samples += i;
      } else if (depth > 0) {
        flamelet_call_thread_exit(tree.thread());
        --depth;
      }
    }
    for (; depth > 0; --depth) flamelet_call_thread_exit(tree.thread());
    const call_tree_test::Sums sums = sums_of(tree.get());
    REQUIRE(sums.calls + tree.stats().calls_skipped == calls);
    REQUIRE(sums.samples + tree.stats().samples_skipped == samples);
    // As many exits as enters lead back to the root, and the one after them is too many.
    REQUIRE(tree.stats().exits_at_root == 0);
    REQUIRE(tree.stats().jumps_used == 0);
    flamelet_call_thread_exit(tree.thread());
    REQUIRE(tree.stats().exits_at_root == 1);
    charged_no_room += tree.stats().charged_no_room;
    charged_no_jump += tree.stats().charged_no_jump;
  }
  CHECK(charged_no_room > 0);
  CHECK(charged_no_jump > 0);
}

TEST_CASE("call tree: random trees merge to what one tree would have recorded") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Tree parts[2];
    Tree whole;
    flamelet_call_thread* const threads[2] = {whole.thread(), flamelet_call_thread_create(whole.get())};
    for (uint32_t i = 0; i < 400; ++i) {
      const uint32_t part = random.below(2);
      const uint32_t id = 1 + random.below(4);
      for (flamelet_call_thread* thread : {parts[part].thread(), threads[part]}) {
        if (id + i % 2 == 5) {
          flamelet_call_thread_tail_call(thread, id);
        } else if (i % 5 < 3) {
          flamelet_call_thread_enter(thread, id);
        } else {
          flamelet_call_thread_exit(thread);
        }
        flamelet_call_thread_sample(thread, id);
      }
    }
    flamelet_call_tree_merge(parts[0].get(), parts[1].get());
    REQUIRE(parts[0].paths() == whole.paths());
    REQUIRE(parts[0].root() == whole.root());
    REQUIRE(parts[0].stats().exits_at_root == whole.stats().exits_at_root);
  }
}

// ---- Depth

TEST_CASE("call tree: recursion 5 million deep takes one jump and finds all the way back") {
  constexpr uint32_t kDepth = 5000000;
  for (const uint32_t period : {1u, 2u, 7u, 100u}) {
    CAPTURE(period);
    Tree tree;
    for (uint32_t i = 0; i < kDepth; ++i) flamelet_call_thread_enter(tree.thread(), 1 + i % period);
    const flamelet_call_tree_stats stats = tree.stats();
    CHECK(stats.nodes_used == 2 * period);  // W, W without its last id, and the root
    CHECK(stats.jumps_used == 1);
    CHECK(stats.charged_no_jump == 0);
    for (uint32_t i = 0; i < kDepth - 1; ++i) flamelet_call_thread_exit(tree.thread());
    CHECK(tree.stats().jumps_used == 0);
    flamelet_call_thread_sample(tree.thread(), 1);
    const uint32_t outermost[] = {FLAMELET_CALL_ROOT, 1};
    CHECK(flamelet_call_tree_sequence(tree.get(), outermost, 2).self_samples == 1);
    flamelet_call_thread_exit(tree.thread());
    CHECK(tree.stats().exits_at_root == 0);
    CHECK(sums_of(tree.get()).calls == kDepth + 1);
  }
}

TEST_CASE_FIXTURE(Tree, "call tree: recursion by tail calls through two functions is constant at 5 million") {
  run("m a");
  for (uint32_t i = 0; i < 2500000; ++i) {
    flamelet_call_thread_tail_call(thread(), 'b');
    flamelet_call_thread_tail_call(thread(), 'a');
  }
  CHECK(stats().jumps_used == 1);
  CHECK(stats().nodes_used == 5);
  run(")+");
  CHECK(stats().jumps_used == 0);
  CHECK(paths() == "m 1/1, ma 1/0, mab 2500000/0, maba 2500000/0");
}

namespace {

// Every call that follows paths, on one path of a million ids. Run on a stack that could not hold a frame for each.
void* record_and_read_a_million_deep(void* passed) {
  constexpr uint32_t kDepth = 1000000;
  Limits limits;
  limits.nodes = kDepth + 1;
  limits.blocks = kDepth;
  const auto tree = std::make_unique<Tree>(limits);
  const auto other = std::make_unique<Tree>(limits);
  for (uint32_t i = 1; i <= kDepth; ++i) flamelet_call_thread_enter(tree->thread(), i);
  flamelet_call_thread_sample(tree->thread(), 5);
  flamelet_call_tree_merge(other->get(), tree->get());
  const uint32_t last[] = {kDepth - 1, kDepth};
  flamelet_call_totals entry = {};
  bool ok = other->stats().nodes_used == kDepth + 1;
  ok = ok && sums_of(other->get()).calls == kDepth + 2;  // and both trees' threads
  ok = ok && flamelet_call_tree_sequence(other->get(), last, 2).overall_samples == 5;
  ok = ok && flamelet_call_tree_incoming(other->get(), &last[1], 1, FLAMELET_CALL_ORDER_SELF, &entry, 1) == 1;
  ok = ok && entry.id == kDepth - 1;
  ok = ok && flamelet_call_tree_outgoing(other->get(), last, 1, FLAMELET_CALL_ORDER_SELF, &entry, 1) == 1;
  ok = ok && entry.id == kDepth;
  ok = ok && flamelet_call_tree_blocks(other->get(), FLAMELET_CALL_ORDER_OVERALL, &entry, 1) == kDepth;
  ok = ok && entry.id == 1 && entry.overall_samples == 5;
  for (uint32_t i = 1; i <= kDepth; ++i) flamelet_call_thread_exit(tree->thread());
  flamelet_call_thread_sample(tree->thread(), 3);
  ok = ok && tree->root() == "1/3" && tree->stats().exits_at_root == 0;
  *static_cast<bool*>(passed) = ok;
  return nullptr;
}

}  // namespace

TEST_CASE("call tree: a path a million deep fits a C stack of 256 KiB" * doctest::test_suite("gate")) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
  pthread_t thread;
  bool passed = false;
  REQUIRE(pthread_create(&thread, &attributes, record_and_read_a_million_deep, &passed) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
  CHECK(passed);
}
