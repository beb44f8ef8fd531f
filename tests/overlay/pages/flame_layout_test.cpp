// SPDX-License-Identifier: MIT
#include "pages/path_tree.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace flamelet::ui;

namespace {

// A call tree, the copy of its paths, and room to lay them out.
struct Flame {
  explicit Flame(uint32_t max_paths = 20000, uint32_t max_blocks = 9000) {
    flamelet_call_tree_config config = flamelet_call_tree_config_default();
    config.max_nodes = config.max_blocks = 20000;
    memory.resize(flamelet_call_tree_memory_required(&config));
    REQUIRE(flamelet_call_tree_create(&config, memory.data(), memory.size(), &calls) == FLAMELET_OK);
    thread = flamelet_call_thread_create(calls);
    Carver measure(nullptr);
    carve(&measure, max_paths, max_blocks);
    tables.resize(measure.used());
    Carver carver(tables.data());
    carve(&carver, max_paths, max_blocks);
  }
  void carve(Carver* carver, uint32_t max_paths, uint32_t max_blocks) {
    if (carver->used() == 0 && tables.empty()) {
      PathTree measured;
      measured.carve(carver, max_paths);
    } else {
      tree.carve(carver, max_paths);
    }
    carver->take(&edges, max_paths);
    carver->take(&blocks, max_blocks);
  }
  void path(const std::vector<uint32_t>& ids, uint64_t samples) {
    for (const uint32_t id : ids) flamelet_call_thread_enter(thread, id);
    flamelet_call_thread_sample(thread, samples);
    for (size_t i = 0; i < ids.size(); ++i) flamelet_call_thread_exit(thread);
  }
  FlameLayout layout(float width, float limit, uint32_t zoom = UINT32_MAX) {
    tree.read(calls, nullptr);
    return layout_flame(tree.nodes(), tree.total(), zoom, width, limit, &edges, &blocks);
  }
  std::vector<char> memory, tables;
  flamelet_call_tree* calls = nullptr;
  flamelet_call_thread* thread = nullptr;
  PathTree tree;
  Array<uint64_t> edges;
  Array<FlameBlock> blocks;
};

}  // namespace

TEST_CASE("overlay flame: a path is as wide as its total, below its caller") {
  Flame f;
  f.path({1}, 10);
  f.path({1, 2}, 30);
  f.path({1, 3}, 40);
  f.path({4}, 20);
  const FlameLayout layout = f.layout(1000, 3);
  CHECK(layout.rows == 2);
  REQUIRE(f.blocks.count == 4);
  const struct {
    float x0, x1;
    uint32_t depth;
  } expected[] = {{0, 800, 0}, {0, 300, 1}, {300, 700, 1}, {800, 1000, 0}};
  for (uint32_t i = 0; i < 4; ++i) {
    CHECK(f.blocks[i].x0 == doctest::Approx(expected[i].x0));
    CHECK(f.blocks[i].x1 == doctest::Approx(expected[i].x1));
    CHECK(f.blocks[i].depth == expected[i].depth);
  }
}

TEST_CASE("overlay flame: narrow neighbours are one block, and every path is counted once at every width") {
  Flame f(20000, 20000);
  for (uint32_t i = 1; i <= 100; ++i)
    for (uint32_t j = 1; j <= 100; ++j) f.path({1, 100 + i, 200 + j}, i * j % 97 + 1);
  for (const float width : {1.0f, 10.0f, 300.0f, 1280.0f, 50000.0f}) {
    CAPTURE(width);
    const FlameLayout layout = f.layout(width, 3);
    CHECK(layout.complete);
    CHECK(f.tree.nodes().count == 10101);
    CHECK(layout.paths_drawn + layout.paths_merged == 10101);
    for (const FlameBlock& block : f.blocks) {
      REQUIRE(block.x0 >= 0);
      REQUIRE(block.x1 <= width);
      REQUIRE(block.x0 <= block.x1);
    }
  }
  CHECK(f.layout(50000, 3).paths_drawn > 5000);
  CHECK(f.layout(1, 3).paths_merged == 10101);
}

TEST_CASE_FIXTURE(Flame, "overlay flame: narrow paths of different callers are not merged") {
  path({1}, 500);
  path({1, 2}, 1);
  path({3}, 500);
  path({3, 2}, 1);
  layout(100, 3);
  REQUIRE(blocks.count == 4);
  CHECK(blocks[1].depth == 1);
  CHECK(blocks[2].depth == 0);
}

TEST_CASE("overlay flame: a zoomed path fills the width, with its callers above") {
  Flame f;
  f.path({1}, 10);
  f.path({1, 2}, 5);
  f.path({1, 2, 3}, 5);
  f.path({1, 4}, 40);
  f.path({5}, 40);
  f.layout(1000, 3);
  const FlameLayout layout = f.layout(1000, 3, 1);
  REQUIRE(f.blocks.count == 3);
  CHECK(layout.rows == 3);
  CHECK(f.blocks[0].first == 0);
  CHECK(f.blocks[0].x1 == 1000);
  CHECK(f.blocks[1].x1 == 1000);
  CHECK(f.blocks[2].x1 == 500);
  CHECK(find_path(f.tree.nodes(), f.tree.nodes()[2].key) == 2);
  CHECK(find_path(f.tree.nodes(), 12345) == f.tree.nodes().count);
}

TEST_CASE_FIXTURE(Flame, "overlay flame: nothing, one path and paths without samples are laid out") {
  CHECK(layout(1000, 3).rows == 0);
  path({1}, 0);
  CHECK(layout(1000, 3).rows == 0);
  path({1}, 1);
  CHECK(layout(1000, 3).paths_drawn == 1);
  CHECK(layout(0, 3).rows == 0);
}

TEST_CASE("overlay flame: a chain deeper than there are blocks says that it is not complete") {
  Flame f(20000, 100);
  std::vector<uint32_t> ids;
  for (uint32_t i = 1; i <= 10000; ++i) ids.push_back(i);
  f.path(ids, 7);
  const FlameLayout layout = f.layout(1000, 3);
  CHECK_FALSE(layout.complete);
  CHECK(f.blocks.count == 100);
  CHECK(f.tree.nodes().count == 10000);
}

TEST_CASE("overlay tree: more paths than the memory holds are left out, and it says so") {
  Flame f(50);
  for (uint32_t i = 1; i <= 100; ++i) f.path({i, 1000 + i}, 1);
  f.tree.read(f.calls, nullptr);
  CHECK_FALSE(f.tree.complete());
  CHECK(f.tree.nodes().count == 50);
  CHECK(f.tree.nodes()[48].subtree_end == 50);
  CHECK(f.tree.total() == 100);
}

TEST_CASE_FIXTURE(Flame, "overlay tree: rows are sorted among their caller's, and open and close") {
  path({1}, 10);
  path({1, 2}, 5);
  path({1, 3}, 6);
  path({1, 3, 6}, 1);
  path({4}, 50);
  path({4, 5}, 1);
  tree.read(calls, nullptr);
  const auto rows = [&] {
    std::string text;
    for (const uint32_t row : tree.rows()) text += std::to_string(tree.nodes()[row].id);
    return text;
  };
  tree.open_to(UINT32_MAX);
  CHECK(rows() == "451362");
  tree.sort_by(PathColumn::kTotal, false);
  CHECK(rows() == "123645");
  tree.sort_by(PathColumn::kPath, false);
  CHECK(rows() == "123645");
  tree.sort_by(PathColumn::kSelf, true);
  CHECK(rows() == "451362");
  tree.open_to(0);
  CHECK(rows() == "41");
  tree.toggle(tree.nodes()[tree.rows()[1]]);
  CHECK(rows() == "4132");
  // It outlives a reading that brings new paths before it.
  path({0x7FFFFFFF}, 90);
  path({4, 1}, 90);
  tree.read(calls, nullptr);
  CHECK(rows().substr(rows().size() - 4) == "4132");
  for (const uint32_t row : tree.rows())
    if (tree.nodes()[row].id == 1) {
      tree.toggle(tree.nodes()[row]);
      break;
    }
  CHECK(tree.rows().count == 3);
}

TEST_CASE_FIXTURE(Flame, "overlay tree: thousands of rows are toggled and toggled back") {
  for (uint32_t i = 1; i <= 3000; ++i) path({i, 5000}, i);
  tree.read(calls, nullptr);
  tree.open_to(0);
  for (uint32_t i = 0; i < 6000; i += 2) tree.toggle(tree.nodes()[i]);
  CHECK(tree.rows().count == 6000);
  for (uint32_t i = 6000; i > 0; i -= 2) tree.toggle(tree.nodes()[i - 2]);
  CHECK(tree.rows().count == 3000);
}
