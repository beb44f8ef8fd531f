// SPDX-License-Identifier: MIT
//
// Any bytes as two call trees, which are compared: what is said of each path is what a plain join of the two by names says,
// and where there was no room for a path, no other one changed.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "flamelet/compare.h"
#include "fuzz.h"
#include "tree_input.h"

namespace {

// The first byte.
enum : uint8_t { kByScope = 1, kKeepRecursion = 2, kLittleRoom = 4, kLittleText = 8, kTwice = 16 };

struct Joined {
  std::vector<flamelet_compare_figures> sides[2];  // [0] is the root
  std::map<std::pair<size_t, std::string>, size_t> places;
};

// As compare.h says it.
void join(const std::vector<InputPath>& paths, size_t side, double divisor, bool by_scope, Joined* joined) {
  std::vector<size_t> place(paths.size(), 0);
  for (size_t i = 0; i < paths.size(); ++i) {
    const size_t parent = i == 0 || by_scope ? 0 : place[paths[i].parent];
    if (i != 0) {
      const size_t next = joined->places.size() + 1;
      place[i] = joined->places.try_emplace({parent, paths[i].name}, next).first->second;
    }
    for (auto& figures : joined->sides)
      if (figures.size() <= place[i]) figures.resize(place[i] + 1);
    bool is_inside_itself = false;
    for (size_t at = i; by_scope && at != 0 && !is_inside_itself;) {
      at = paths[at].parent;
      is_inside_itself = at != 0 && place[at] == place[i];
    }
    flamelet_compare_figures& figures = joined->sides[side][place[i]];
    figures.is_there = true;
    if (!is_inside_itself) figures.total += static_cast<double>(paths[i].total_samples) / divisor;
    figures.self += static_cast<double>(paths[i].self_samples) / divisor;
    figures.calls += static_cast<double>(paths[i].calls) / divisor;
  }
}

void check_figures(const flamelet_compare_figures& said, const flamelet_compare_figures& joined, bool has_room) {
  if (has_room) {
    FUZZ_CHECK(said.is_there == joined.is_there && said.total == joined.total && said.self == joined.self &&
               said.calls == joined.calls);
    return;
  }
  FUZZ_CHECK(!said.is_there || joined.is_there);
  FUZZ_CHECK(said.total >= 0 && said.total <= joined.total && said.self >= 0 && said.self <= joined.self &&
             said.calls >= 0 && said.calls <= joined.calls);
}

flamelet_compare* create(uint8_t options) {
  flamelet_compare_config config = flamelet_compare_config_default();
  config.max_paths = (options & kLittleRoom) != 0 ? 12 : 2 * InputTree::kMaxNodes;
  config.max_text = (options & kLittleText) != 0 ? 24 : 4096;
  config.by_scope = (options & kByScope) != 0;
  static std::vector<char> memory;
  memory.resize(flamelet_compare_memory_required(&config));
  flamelet_compare* compare = nullptr;
  FUZZ_CHECK(flamelet_compare_create(&config, memory.data(), memory.size(), &compare) == FLAMELET_OK);
  return compare;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  TreeBytes left = {bytes, bytes + std::min(size, kMostTreeBytes)};
  const uint8_t options = left.take();
  const bool by_scope = (options & kByScope) != 0;
  InputTree trees[2] = {InputTree((options & kKeepRecursion) != 0), InputTree((options & kKeepRecursion) != 0)};
  double divisors[2] = {1, 1};
  size_t side = 0;
  while (!left.is_empty()) {
    const uint8_t step = left.take();
    if (trees[side].take(step, &left)) continue;
    divisors[side] = 1 + step % 32 / 2;
    side = step % 2;
  }

  flamelet_compare* const compare = create(options);
  Joined joined;
  const auto add = [&] {
    for (uint32_t i = 0; i < 2; ++i) flamelet_compare_add(compare, i, trees[i].calls(), divisors[i]);
  };
  add();
  if ((options & kTwice) != 0) flamelet_compare_clear(compare), add();
  for (size_t i = 0; i < 2; ++i) join(paths_of(trees[i].calls()), i, divisors[i], by_scope, &joined);

  const bool has_room = flamelet_compare_left_out(compare) == 0;
  FUZZ_CHECK(has_room || (options & (kLittleRoom | kLittleText)) != 0);
  const size_t count = flamelet_compare_count(compare);
  FUZZ_CHECK(count >= 1 && (has_room ? count == joined.places.size() + 1 : count <= joined.places.size() + 1));
  std::vector<size_t> place(count, 0);
  for (size_t i = 0; i < count; ++i) {
    flamelet_compared_path path;
    FUZZ_CHECK(flamelet_compare_path(compare, i, &path));
    FUZZ_CHECK(path.parent < count && (i == 0 || path.parent < i) && (!by_scope || path.parent == 0));
    if (i == 0) {
      FUZZ_CHECK(path.parent == 0 && path.name[0] == 0);
    } else {
      const auto found = joined.places.find({place[path.parent], path.name});
      FUZZ_CHECK(found != joined.places.end());
      place[i] = found->second;
      joined.places.erase(found);  // each path once
    }
    for (size_t j = 0; j < 2; ++j) check_figures(path.side[j], joined.sides[j][place[i]], has_room);
  }
  flamelet_compared_path none;
  FUZZ_CHECK(!flamelet_compare_path(compare, count, &none));
  return 0;
}
