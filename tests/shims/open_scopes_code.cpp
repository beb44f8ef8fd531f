// SPDX-License-Identifier: MIT
//
// Open scopes on both sides of a call from which a fiber may come back on another thread. Read by open_scopes_code.cmake.
#include "flamelet_shim/open_scopes.h"

void switch_fiber();

void begin_and_switch(flamelet_id id, int times) {
  for (int i = 0; i < times; ++i) {
    flamelet_shim_push_(id);
    switch_fiber();
    flamelet_shim_push_(id);
  }
}
