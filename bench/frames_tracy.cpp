// SPDX-License-Identifier: MIT
//
// frames_tracy.cpp: Tracy's client, to which no server is connected: it keeps what it records, and grows.
#include <tracy/Tracy.hpp>

#include "frames.h"
#include "limit.h"

namespace flamelet_bench {
namespace {

void flat(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    { ZoneScopedN("flat"); }
    forget();
  }
}

}  // namespace

std::vector<Row> tracy_rows() {
  return {{"Tracy, flat, not connected", flat, limit_flat}};
}

}  // namespace flamelet_bench
