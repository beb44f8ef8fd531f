// SPDX-License-Identifier: MIT
#include "zone_loop.h"

#include <microprofile.h>

namespace {

ZONE_LOOP(run_static, { MICROPROFILE_SCOPEI("group", "zone", MP_RED); })

ZONE_LOOP(run_named, { MICROPROFILE_SCOPE_CSTR(name); })

ZONE_LOOP(run_pair, MICROPROFILE_ENTERI("group", "zone", MP_RED); MICROPROFILE_LEAVE();)

// One scope is open in the fiber, and one outside of it.
void run_switch(uint32_t switches) {
  flamelet_shutdown();
  flamelet_config config = flamelet_config_default();
  config.max_fibers = 4;
  if (flamelet_init(&config) != FLAMELET_OK) std::exit(1);
  const uint32_t fiber = flamelet_fiber_create("fiber");
  MICROPROFILE_ENTERI("group", "outside", MP_RED);
  flamelet_fiber_switch(0, fiber);
  MICROPROFILE_ENTERI("group", "inside", MP_RED);
  for (uint32_t i = 0; i < switches; i += 2) {
    flamelet_fiber_switch(fiber, 0);
    flamelet_fiber_switch(0, fiber);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const ZoneLoop loops[] = {{"static", run_static}, {"named", run_named}, {"pair", run_pair}, {"switch", run_switch}};
  return run_zone_loop(loops, argc, argv);
}
