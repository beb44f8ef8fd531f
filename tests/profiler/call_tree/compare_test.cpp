// SPDX-License-Identifier: MIT
#include "flamelet/compare.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "call_tree_script.h"

using call_tree_test::Tree;

namespace {

class Compare {
 public:
  explicit Compare(bool by_scope = false, uint32_t max_paths = 256, uint32_t max_text = 4096) {
    flamelet_compare_config config = flamelet_compare_config_default();
    config.by_scope = by_scope;
    config.max_paths = max_paths;
    config.max_text = max_text;
    memory_.resize(flamelet_compare_memory_required(&config));
    REQUIRE(flamelet_compare_create(&config, memory_.data(), memory_.size(), &compare_) == FLAMELET_OK);
  }
  flamelet_compare* get() const { return compare_; }
  // A script's blocks are called by their letters.
  void add(uint32_t side, const char* script, double divisor = 1) {
    Tree tree;
    const std::string letters = "abcdefgh";
    std::vector<std::string> names;
    for (const char letter : letters) names.push_back(std::string(1, letter));
    for (size_t i = 0; i < names.size(); ++i)
      flamelet_call_tree_set_name(tree.get(), static_cast<uint32_t>(letters[i]), names[i].c_str());
    tree.run(script);
    flamelet_compare_add(compare_, side, tree.get(), divisor);
  }
  // "a>b self A/self B total A/total B calls A/calls B", a line for each path but the root; "-" = not there.
  std::string text() const {
    std::string text;
    flamelet_compared_path path;
    for (size_t i = 1; flamelet_compare_path(compare_, i, &path); ++i) {
      CHECK(path.parent < i);
      text += name_of(i);
      for (double flamelet_compare_figures::*figure :
           {&flamelet_compare_figures::self, &flamelet_compare_figures::total, &flamelet_compare_figures::calls}) {
        text += " ";
        for (int side = 0; side < 2; ++side) {
          if (side == 1) text += "/";
          text += path.side[side].is_there ? std::to_string(static_cast<int>(path.side[side].*figure)) : "-";
        }
      }
      text += "\n";
    }
    return text;
  }

 private:
  std::string name_of(size_t number) const {
    flamelet_compared_path path;
    flamelet_compare_path(compare_, number, &path);
    return (path.parent != 0 ? name_of(path.parent) + ">" : "") + path.name;
  }

  std::vector<char> memory_;
  flamelet_compare* compare_ = nullptr;
};

}  // namespace

TEST_CASE_FIXTURE(Compare, "compare: paths are joined by their names, and are new, gone or on both sides") {
  add(0, "a:10b:3)c:5))");
  add(1, "a:12b:4)b:4)d:1))");
  CHECK(text() ==
        "a 10/12 18/21 1/1\n"
        "a>b 3/8 3/8 1/2\n"
        "a>c 5/- 5/- 1/-\n"
        "a>d -/1 -/1 -/1\n");
  flamelet_compared_path root;
  REQUIRE(flamelet_compare_path(get(), 0, &root));
  CHECK(root.side[0].total == 18);
  CHECK(root.side[1].total == 21);
  CHECK_FALSE(flamelet_compare_path(get(), 5, &root));
  CHECK(flamelet_compare_left_out(get()) == 0);
}

TEST_CASE_FIXTURE(Compare, "compare: figures are divided, and trees of one side add up") {
  add(0, "a:30)a:10)", 2);
  add(1, "a:8)", 4);
  add(1, "a:8)", 4);
  CHECK(text() == "a 20/4 20/4 1/0\n");
  flamelet_compare_clear(get());
  CHECK(flamelet_compare_count(get()) == 1);
  add(1, "b:1)");
  CHECK(text() == "b -/1 -/1 -/1\n");
}

TEST_CASE("compare: by scope, callers do not matter, and a scope inside itself counts once in its total") {
  Compare compare(true);
  compare.add(0, "a:1b:2a:4)))");
  compare.add(1, "b:6)");
  CHECK(compare.text() ==
        "a 5/- 7/- 2/-\n"
        "b 2/6 6/6 1/1\n");
}

TEST_CASE("compare: what finds no room is counted, with what it called") {
  Compare few(false, 3);
  few.add(0, "a:1b:1c:1d:1))))");
  CHECK(few.text() ==
        "a 1/- 4/- 1/-\n"
        "a>b 1/- 3/- 1/-\n");
  CHECK(flamelet_compare_left_out(few.get()) == 2);
  Compare short_names(false, 256, 4);
  short_names.add(0, "a:1)b:1c:1))");
  CHECK(short_names.text() == "a 1/- 1/- 1/-\n");  // the root's name, "a", and no room for "b"
  CHECK(flamelet_compare_left_out(short_names.get()) == 2);
}

TEST_CASE("compare: wrong arguments change nothing") {
  flamelet_compare_config config = flamelet_compare_config_default();
  const size_t bytes = flamelet_compare_memory_required(&config);
  std::vector<char> memory(bytes);
  flamelet_compare* compare = nullptr;
  CHECK(flamelet_compare_create(&config, memory.data(), bytes - 1, &compare) == FLAMELET_ERROR_BUDGET_TOO_SMALL);
  CHECK(flamelet_compare_create(&config, nullptr, bytes, &compare) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_compare_create(&config, memory.data(), bytes, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  config.max_paths = 1;
  CHECK(flamelet_compare_memory_required(&config) == 0);
  CHECK(flamelet_compare_memory_required(nullptr) == 0);
  Compare made;
  made.add(2, "a:1)");
  made.add(0, "a:1)", 0);
  flamelet_compare_add(made.get(), 0, nullptr, 1);
  CHECK(made.text().empty());
  flamelet_compare_clear(nullptr);
  CHECK(flamelet_compare_count(nullptr) == 0);
}
