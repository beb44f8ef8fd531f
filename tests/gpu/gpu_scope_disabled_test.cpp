// SPDX-License-Identifier: MIT
#define FLAMELET_DISABLED
#include <doctest/doctest.h>

#include "flamelet/gpu.h"

TEST_CASE("compiled out, a GPU scope checks its arguments' types and evaluates none") {
  int evaluated = 0;
  const auto gpu = [&evaluated]() -> flamelet_gpu* {
    ++evaluated;
    return nullptr;
  };
  const auto name = [&evaluated] {
    ++evaluated;
    return "name";
  };
  FLAMELET_GPU_SCOPE(gpu(), name());
  if (evaluated == 0) FLAMELET_GPU_SCOPE(gpu(), "in an unbraced if");
  CHECK(evaluated == 0);
}
