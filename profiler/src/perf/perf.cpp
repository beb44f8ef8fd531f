// SPDX-License-Identifier: MIT
#include "flamelet/perf.h"

#include "record/ring_reader.h"
#include "record/session.h"

extern "C" {
__attribute__((used)) __thread flamelet_perf_current_block_ flamelet_perf_current_
    __attribute__((tls_model("initial-exec"))) = {};
}

// Not on the thread's track: it may have none yet.
void flamelet_perf_extra_end_(void*) {
  using namespace flamelet;
  if (!begin_read()) return;
  count(&recorder.extra_ends);
  end_read();
}
