// SPDX-License-Identifier: MIT
//
// submit.h: memory of flamelet_submit().
#ifndef FLAMELET_SRC_SUBMIT_H
#define FLAMELET_SRC_SUBMIT_H

#include <stdint.h>

#include "platform/atomic.h"

namespace flamelet {

struct WaitingEvents;

struct SubmitState {
  WaitingEvents* waiting;  // begins and ends without a partner: one for each of config.max_tracks
  uint32_t* scratch;       // two for each of config.max_submit_events and config.max_submit_open
  Atomic<uint32_t> lock;   // the scratch is in use
};
extern SubmitState submit_state;

}  // namespace flamelet

#endif  // FLAMELET_SRC_SUBMIT_H
