// SPDX-License-Identifier: MIT
//
// submit.h: memory of flamelet_submit().
#ifndef FLAMELET_SRC_SUBMIT_H
#define FLAMELET_SRC_SUBMIT_H

#include <stdint.h>

#include "platform/atomic.h"

namespace flamelet {

struct SubmitScratch {
  uint32_t* order;        // two for each of config.max_submit_events
  Atomic<uint32_t> lock;  // it is in use
};
extern SubmitScratch submit_scratch;

}  // namespace flamelet

#endif  // FLAMELET_SRC_SUBMIT_H
