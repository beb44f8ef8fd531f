// SPDX-License-Identifier: MIT
#include "draw/scope_styles.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "draw/theme.h"
#include "overlay/carved.h"
#include "overlay/span_trees.h"

namespace scope_colors_test {

using namespace flamelet::ui;
using flamelet_tests::Random;

namespace {

// With memory of their own.
struct Colors : ScopeColors {
  const std::vector<char> memory = flamelet_tests::carved([this](Carver* carver) { carve(carver); });
};

// Looks at the rows again and again, as frames do, until nothing moves. Returns how many looks that took.
int settle(ScopeColors* colors, const std::vector<std::vector<std::string>>& rows) {
  for (int looks = 0; looks < 100; ++looks) {
    bool moved = false;
    for (const auto& row : rows)
      for (size_t i = 1; i < row.size(); ++i) moved = colors->separate(row[i - 1], row[i]) || moved;
    if (!moved) return looks;
  }
  return 100;
}

bool neighbours_differ(const ScopeColors& colors, const std::vector<std::string>& row) {
  for (size_t i = 1; i < row.size(); ++i)
    if (row[i - 1] != row[i] && colors.of(row[i - 1]) == colors.of(row[i])) return false;
  return true;
}

std::vector<std::string> random_row(Random* random, size_t size) {
  std::vector<std::string> row;
  for (size_t i = 0; i < size; ++i) {
    std::string name = "scope ";
    for (int letter = 0; letter < 6; ++letter) name += static_cast<char>('a' + random->below(26));
    row.push_back(name);
  }
  return row;
}

}  // namespace

TEST_CASE("overlay colours: a scope has one of these colours, and names are spread over all of them") {
  const Colors colors;
  uint32_t used[kScopeColorCount] = {};
  char name[] = "scope 000";
  for (int i = 0; i < 1000; ++i) {
    name[6] = static_cast<char>('0' + i / 100);
    name[7] = static_cast<char>('0' + i / 10 % 10);
    name[8] = static_cast<char>('0' + i % 10);
    const Rgb* colors_end = theme().scopes + kScopeColorCount;
    const Rgb* found = std::find(theme().scopes, colors_end, colors.of(name));
    REQUIRE(found != colors_end);
    ++used[found - theme().scopes];
  }
  for (const uint32_t count : used) CHECK(count > 1000 / kScopeColorCount / 2);
}

TEST_CASE("overlay colours: a name chooses the same colour in every session") {
  CHECK(Colors().of("Physics::step") == Colors().of("Physics::step"));
  CHECK(Colors().of("") == Colors().of(std::string_view()));
}

TEST_CASE("overlay colours: scopes side by side differ, the demo's and random ones, and others keep their colour") {
  // As they follow each other on the demo's lanes.
  std::vector<std::vector<std::string>> rows = {
      {"Input", "Simulate", "Render", "Build UI", "Present"},
      {"Physics", "Plan paths", "Captains", "Steer", "Snapshot"},
      {"Broadphase", "Narrowphase", "Solve", "Integrate", "Callbacks"},
      {"Shadow pass", "Scene pass", "Particles", "Bloom", "Post pass", "Draw UI"},
  };
  Random random(7);
  for (int i = 0; i < 40; ++i) rows.push_back(random_row(&random, 30));
  auto colors = std::make_unique<Colors>();
  CHECK(settle(colors.get(), rows) < 10);
  const Colors before;
  size_t names = 0, kept = 0;
  for (const auto& row : rows) {
    CHECK(neighbours_differ(*colors, row));
    names += row.size();
    for (const std::string& name : row) kept += colors->of(name) == before.of(name) ? 1u : 0u;
  }
  CHECK(kept > names * 9 / 10);
  // Another session that meets them comes to the same colours.
  auto again = std::make_unique<Colors>();
  settle(again.get(), rows);
  for (const auto& row : rows)
    for (const std::string& name : row) CHECK(again->of(name) == colors->of(name));
}

TEST_CASE("overlay colours: of two neighbours in one colour the same one moves, whichever comes first") {
  Random random(11);
  int pairs = 0;
  while (pairs < 50) {
    const std::vector<std::string> pair = random_row(&random, 2);
    Colors forward, backward;
    if (forward.of(pair[0]) != forward.of(pair[1])) continue;
    ++pairs;
    CHECK(forward.separate(pair[0], pair[1]));
    CHECK(backward.separate(pair[1], pair[0]));
    CHECK(forward.of(pair[0]) == backward.of(pair[0]));
    CHECK(forward.of(pair[1]) == backward.of(pair[1]));
    CHECK_FALSE(forward.separate(pair[0], pair[1]));
  }
}

TEST_CASE("overlay colours: more neighbours than there are colours come to rest all the same") {
  Random random(3);
  const std::vector<std::string> names = random_row(&random, 40);
  std::vector<std::vector<std::string>> rows;
  for (const std::string& a : names)
    for (const std::string& b : names) rows.push_back({a, b});
  Colors colors;
  CHECK(settle(&colors, rows) < 60);
  // A full table of names that moved leaves the rest as they are.
  Colors full;
  CHECK(settle(&full, {random_row(&random, 20000)}) < 60);
}

}  // namespace scope_colors_test
