// SPDX-License-Identifier: MIT
//
// Spans to paths: random recordings, fed bit by bit, against sums over the spans of the whole capture.
#include "flamelet/span_tree.h"

#include <algorithm>
#include <map>
#include <vector>

#include "profiler/call_tree/call_tree_script.h"
#include "profiler/record/page_builder.h"
#include "rounds.h"

namespace flamelet {
namespace {

using call_tree_test::Random;

class Tree {
 public:
  explicit Tree(bool keep_recursion = false, uint32_t max_nodes = 16384) {
    flamelet_span_tree_config config = flamelet_span_tree_config_default();
    config.keep_recursion = keep_recursion;
    config.max_nodes = max_nodes;
    config.max_spans = 1024;
    config.late_ns = 0;
    memory_.resize(flamelet_span_tree_memory_required(&config));
    REQUIRE(flamelet_span_tree_create(&config, memory_.data(), memory_.size(), &tree_) == FLAMELET_OK);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  flamelet_span_tree* get() const { return tree_; }
  flamelet_call_tree* calls() const { return flamelet_span_tree_calls(tree_); }

 private:
  std::vector<unsigned char> memory_;
  flamelet_span_tree* tree_ = nullptr;
};

struct Counts {
  uint64_t calls = 0;
  uint64_t self_ns = 0;
  bool operator==(const Counts& other) const { return calls == other.calls && self_ns == other.self_ns; }
};
// By the sites of the path.
using Paths = std::map<std::vector<uint32_t>, Counts>;

Paths paths_of(flamelet_span_tree* scopes, flamelet_call_tree* calls) {
  struct Visit {
    const flamelet_span_tree* scopes;
    Paths paths;
  } visit = {scopes, {}};
  flamelet_call_tree_query(
      calls, 0,
      [](void* user, const flamelet_call_path* path) {
        Visit& to = *static_cast<Visit*>(user);
        std::vector<uint32_t> sites(path->depth);
        for (uint32_t i = 0; i < path->depth; ++i) {
          REQUIRE(flamelet_span_tree_scope(to.scopes, path->ids[i], &sites[i], nullptr));
        }
        if (path->depth != 0) to.paths[sites] = {path->calls, path->self_samples};
        return true;
      },
      &visit);
  return visit.paths;
}
Paths paths_of(const Tree& tree) {
  return paths_of(tree.get(), tree.calls());
}

// The plain way: every span's path from its parents, folded by the rule of call_tree.h.
void add_plainly(Paths* paths, const std::vector<flamelet_span>& spans, int64_t begin_ns, int64_t end_ns, bool fold) {
  const auto inside = [&](const flamelet_span& span) {
    return std::max(int64_t{0}, std::min(end_ns, span.end_ns) - std::max(begin_ns, span.begin_ns));
  };
  std::vector<std::vector<uint32_t>> path_of(spans.size());
  for (size_t i = 0; i < spans.size(); ++i) {
    const flamelet_span& span = spans[i];
    if (span.parent != FLAMELET_NO_PARENT) path_of[i] = path_of[span.parent];
    path_of[i].push_back(span.site);
    for (size_t length = 1; fold && 2 * length <= path_of[i].size(); ++length) {
      if (std::equal(path_of[i].end() - static_cast<long>(length), path_of[i].end(),
                     path_of[i].end() - 2 * static_cast<long>(length))) {
        path_of[i].resize(path_of[i].size() - length);
        break;
      }
    }
    const bool begins = span.begin_ns >= begin_ns && span.begin_ns < end_ns && !(span.flags & FLAMELET_SPAN_RESUMED);
    if (!begins && inside(span) == 0) continue;
    Counts& counts = (*paths)[path_of[i]];
    counts.calls += begins;
    counts.self_ns += static_cast<uint64_t>(inside(span));
    if (span.parent != FLAMELET_NO_PARENT)
      (*paths)[path_of[span.parent]].self_ns -= static_cast<uint64_t>(inside(span));
  }
}

// Two threads that nest few scopes at random, so that recursion of every kind occurs.
class Game {
 public:
  explicit Game(uint64_t seed) : random_(seed) {
    for (uint32_t id = 1; id <= 2; ++id) {
      tracks_.push_back(std::make_unique<PageBuilder>(id, &ticket_));
      tracks_.back()->new_page(now_);
    }
  }
  void run(uint32_t steps) {
    for (uint32_t i = 0; i < steps; ++i) {
      PageBuilder& track = *tracks_[random_.below(2)];
      now_ += 1 + random_.below(9);
      if (random_.below(150) == 0) track.new_page(now_);
      const bool may_begin = track.stack.scopes.size() < 12;
      if (may_begin && (track.stack.scopes.empty() || random_.below(2) == 0)) {
        track.begin(now_, 1 + random_.below(3));
      } else {
        track.end(now_);
      }
    }
  }
  void feed(FedCapture* capture) const {
    for (const auto& track : tracks_) capture->feed(*track);
  }
  uint64_t now() const { return now_; }

 private:
  Random random_;
  uint64_t ticket_ = 1;
  uint64_t now_ = 1000;
  std::vector<std::unique_ptr<PageBuilder>> tracks_;
};

// A capture of such a game after some steps.
struct Played : FedCapture {
  Played(uint64_t seed, uint32_t steps) : game(seed) {
    game.run(steps);
    game.feed(this);
  }
  Game game;
};

Paths plain_history(const FedCapture& capture, bool fold) {
  Paths paths;
  for (uint32_t lane = 0; lane < capture->lanes.count(); ++lane) {
    add_plainly(&paths, capture.spans(lane), capture->converter.to_ns(capture->oldest_ticks),
                capture->converter.to_ns(capture->lanes[lane].now_ticks), fold);
  }
  return paths;
}

}  // namespace

TEST_CASE("span tree: updates bit by bit equal plain sums over the whole recording" * doctest::test_suite("gate")) {
  for (uint64_t seed = 1; seed <= rounds(200); ++seed) {
    CAPTURE(seed);
    FedCapture capture;
    Game game(seed);
    const Tree folded;
    const Tree whole(true);
    for (uint32_t step = 0; step < 30; ++step) {
      game.run(static_cast<uint32_t>(seed % 37) + step);
      game.feed(&capture);
      flamelet_span_tree_update(folded.get(), capture.get());
      flamelet_span_tree_update(whole.get(), capture.get());
    }
    REQUIRE(paths_of(whole) == plain_history(capture, false));
    REQUIRE(paths_of(folded) == plain_history(capture, true));
    // Folding afterwards is the same as folding at once.
    call_tree_test::Tree merged;
    flamelet_call_tree_merge(merged.get(), whole.calls());
    REQUIRE(paths_of(whole.get(), merged.get()) == paths_of(folded));
  }
}

TEST_CASE("span tree: an update without news adds nothing") {
  Played capture(1, 500);
  const Tree tree;
  CHECK(flamelet_span_tree_update(tree.get(), capture.get()) > 0);
  const Paths before = paths_of(tree);
  CHECK(flamelet_span_tree_update(tree.get(), capture.get()) == 0);
  CHECK(paths_of(tree) == before);
}

TEST_CASE("span tree: windows that touch add up to the one around them, and read in parts to the same") {
  for (uint64_t seed = 1; seed <= rounds(30); ++seed) {
    CAPTURE(seed);
    Played capture(seed, 6000);  // more spans than the tree reads at once
    const Tree one;
    const Tree parts;
    const int64_t end_ns = static_cast<int64_t>(capture.game.now());
    flamelet_span_tree_add_window(one.get(), capture.get(), 1000, end_ns);
    Random random(seed);
    for (int64_t at_ns = 1000; at_ns < end_ns;) {
      const int64_t next_ns = std::min(end_ns, at_ns + 1 + random.below(3000));
      flamelet_span_tree_add_window(parts.get(), capture.get(), at_ns, next_ns);
      at_ns = next_ns;
    }
    Paths plain;
    for (size_t lane = 0; lane < 2; ++lane) add_plainly(&plain, capture.spans(lane), 1000, end_ns, true);
    REQUIRE(paths_of(one) == plain);
    REQUIRE(paths_of(parts) == plain);
  }
}

TEST_CASE("span tree: with too few nodes, calls and time still add up") {
  Played capture(7, 3000);
  const Tree small(true, 9);
  flamelet_span_tree_update(small.get(), capture.get());
  uint64_t calls = 0, time_ns = 0;
  for (const auto& path : plain_history(capture, false)) {
    calls += path.second.calls;
    time_ns += path.second.self_ns;
  }
  const call_tree_test::Sums sums = call_tree_test::sums_of(small.calls());
  CHECK(sums.calls == calls);
  CHECK(sums.samples == time_ns);
  flamelet_call_tree_stats stats;
  flamelet_call_tree_get_stats(small.calls(), &stats);
  CHECK(stats.nodes_used == 9);
  CHECK(stats.charged_no_room > 0);
}

TEST_CASE("span tree: a scope that began before the window has time there and no call") {
  PageBuilder track(1);
  track.play("1000(1 1100(2 1200) 1300)");
  FedCapture capture(track);
  const Tree tree;
  flamelet_span_tree_add_window(tree.get(), capture.get(), 1050, 1150);
  CHECK(paths_of(tree) == Paths{{{1}, {0, 50}}, {{1, 2}, {1, 50}}});
  flamelet_call_totals blocks[2];
  REQUIRE(flamelet_call_tree_blocks(tree.calls(), FLAMELET_CALL_ORDER_OVERALL, blocks, 2) == 2);
  CHECK(blocks[0].id == flamelet_span_tree_find(tree.get(), 1, 0));
  CHECK(blocks[0].overall_samples == 100);
}

TEST_CASE("span tree: one lane, or the lanes of one kind, can be chosen") {
  Played capture(3, 400);
  const Tree tree;
  flamelet_span_tree_select(tree.get(), FLAMELET_LANE_BIT(FLAMELET_LANE_THREAD), 2, false);
  flamelet_span_tree_update(tree.get(), capture.get());
  Paths plain;
  const size_t lane = capture.lane(2);
  add_plainly(&plain, capture.spans(lane), capture->converter.to_ns(capture->oldest_ticks),
              capture->converter.to_ns(capture->lanes[static_cast<uint32_t>(lane)].now_ticks), true);
  CHECK(paths_of(tree) == plain);
  flamelet_span_tree_select(tree.get(), FLAMELET_LANE_BIT(FLAMELET_LANE_GPU), 0, false);
  CHECK(flamelet_span_tree_update(tree.get(), capture.get()) == 0);
  CHECK(paths_of(tree).empty());
}

TEST_CASE("span tree: a capture that was restarted begins a new history") {
  FedCapture capture;
  const Tree tree;
  {
    Game game(5);
    game.run(200);
    game.feed(&capture);
    flamelet_span_tree_update(tree.get(), capture.get());
  }
  clear_capture(capture.get());
  ++capture->session;
  PageBuilder track(1);
  track.play("10(3 30)");
  for (const auto& page : track.pages) page->page.header.session = capture->session;
  capture.feed(track);
  flamelet_span_tree_update(tree.get(), capture.get());
  CHECK(paths_of(tree) == Paths{{{3}, {1, 20}}});
  CHECK(flamelet_span_tree_find(tree.get(), 1, 0) == 0);
}

TEST_CASE("span tree: another capture in the memory of the one before begins a new history") {
  const Tree tree;
  for (const uint32_t site : {2u, 3u}) {
    FedCapture capture;
    PageBuilder track(1);
    track.play(("10(" + std::to_string(site) + " 30)").c_str());
    capture.feed(track);
    flamelet_span_tree_update(tree.get(), capture.get());
    CHECK(paths_of(tree) == Paths{{{site}, {1, 20}}});
  }
}

TEST_CASE("span tree: NULL and unset configs are refused, and NULL trees do nothing") {
  flamelet_span_tree_config unset = {};
  CHECK(flamelet_span_tree_memory_required(&unset) == 0);
  CHECK(flamelet_span_tree_memory_required(nullptr) == 0);
  flamelet_span_tree* tree = nullptr;
  const flamelet_span_tree_config config = flamelet_span_tree_config_default();
  std::vector<unsigned char> memory(flamelet_span_tree_memory_required(&config));
  CHECK(flamelet_span_tree_create(&config, memory.data(), memory.size() - 1, &tree) == FLAMELET_ERROR_BUDGET_TOO_SMALL);
  CHECK(flamelet_span_tree_create(&unset, memory.data(), memory.size(), &tree) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(tree == nullptr);
  CHECK(flamelet_span_tree_update(nullptr, nullptr) == 0);
  CHECK(flamelet_span_tree_calls(nullptr) == nullptr);
  flamelet_span_tree_clear(nullptr);
  flamelet_span_tree_add_spans(nullptr, nullptr, 0, 0, 1);
}

}  // namespace flamelet
