// SPDX-License-Identifier: MIT
#include "run.h"

#include <doctest/doctest.h>

using flamelet::tools::PathNames;

namespace {

uint32_t path_of(PathNames* names, std::initializer_list<const char*> calls) {
  uint32_t path = PathNames::kRoot;
  for (const char* name : calls) path = names->child(path, name, false);
  return path;
}

}  // namespace

TEST_CASE("path names: the same names are the same path") {
  PathNames names;
  const uint32_t physics = path_of(&names, {"Frame", "Update", "Physics"});
  CHECK(path_of(&names, {"Frame", "Update", "Physics"}) == physics);
  CHECK(path_of(&names, {"Frame", "Physics"}) != physics);
  CHECK(names.text(physics) == "Frame > Update > Physics");
  CHECK(names.size() == 5);  // the root, and "Frame > Physics"
}

TEST_CASE("path names: recursion is folded as in the call tree") {
  PathNames names;
  const uint32_t apply = path_of(&names, {"eval", "apply"});
  CHECK(path_of(&names, {"eval", "apply", "eval", "apply"}) == apply);
  CHECK(path_of(&names, {"eval", "apply", "eval", "apply", "eval", "apply"}) == apply);
  CHECK(path_of(&names, {"f", "f", "f"}) == path_of(&names, {"f"}));
  CHECK(names.text(path_of(&names, {"a", "b", "c", "a", "b"})) == "a > b > c > a > b");
  CHECK(names.text(path_of(&names, {"a", "b", "c", "a", "b", "c"})) == "a > b > c");
}

TEST_CASE("path names: without room, a path is its caller's, and counted") {
  PathNames names;
  const uint32_t frame = path_of(&names, {"Frame"});
  for (size_t i = names.size(); i < PathNames::kMost; ++i) names.child(frame, std::to_string(i), false);
  CHECK(names.without_room() == 0);
  CHECK(names.child(frame, "one more", false) == frame);
  CHECK(names.child(frame, "2", false) != frame);
  CHECK(names.without_room() == 1);
}
