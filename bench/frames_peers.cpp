// SPDX-License-Identifier: MIT
#include "frames.h"

namespace flamelet_bench {

std::vector<Row> peer_rows() {
  return {};
}

}  // namespace flamelet_bench
