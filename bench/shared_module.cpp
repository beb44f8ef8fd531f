// SPDX-License-Identifier: MIT
//
// shared_module.cpp: a plug-in that records into a Flamelet of its own, which is a shared library. Loaded by the bench
// at run time, so that both builds of the recorder are measured in one process against one limit.

#include "flamelet/flamelet.h"
#include "measure.h"

namespace flamelet_bench {
namespace {

bool start() {
  const flamelet_config config = flamelet_config_default();
  return flamelet_init(&config) == FLAMELET_OK;
}

void flat(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    { FLAMELET_SCOPE("flat"); }
    forget();
  }
}

void function_calls(uint32_t scopes) {
  for (uint32_t i = 0; i < scopes; ++i) {
    flamelet_end(flamelet_begin("call", "bench", nullptr));
    forget();
  }
}

uint64_t events() {
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  return stats.events_recorded;
}

}  // namespace
}  // namespace flamelet_bench

extern "C" __attribute__((visibility("default"))) const flamelet_bench::SharedModule flamelet_bench_module = {
    flamelet_bench::start, flamelet_bench::flat, flamelet_bench::function_calls, flamelet_bench::events};
