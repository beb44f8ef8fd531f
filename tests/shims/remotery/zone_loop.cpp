// SPDX-License-Identifier: MIT
#include "zone_loop.h"

#include <Remotery.h>

namespace {

ZONE_LOOP(run_static, { rmt_ScopedCPUSample(zone, 0); })

ZONE_LOOP(run_named, {
  rmt_BeginCPUSampleDynamic(name, 0);
  rmt_EndCPUSample();
})

ZONE_LOOP(run_pair, rmt_BeginCPUSample(zone, 0); rmt_EndCPUSample();)

}  // namespace

int main(int argc, char** argv) {
  const ZoneLoop loops[] = {{"static", run_static}, {"named", run_named}, {"pair", run_pair}};
  return run_zone_loop(loops, argc, argv);
}
