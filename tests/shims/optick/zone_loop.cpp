// SPDX-License-Identifier: MIT
#include "zone_loop.h"

#include <optick.h>

namespace {

ZONE_LOOP(run_static, { OPTICK_EVENT("zone"); })

ZONE_LOOP(run_named, { OPTICK_EVENT_DYNAMIC(name); })

ZONE_LOOP(run_pair, OPTICK_PUSH("zone"); OPTICK_POP();)

}  // namespace

int main(int argc, char** argv) {
  const ZoneLoop loops[] = {{"static", run_static}, {"named", run_named}, {"pair", run_pair}};
  return run_zone_loop(loops, argc, argv);
}
