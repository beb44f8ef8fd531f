// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

// Ends the program with a message unless `condition` holds.
inline void require(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "make_captures: %s\n", what.c_str());
  std::exit(1);
}
