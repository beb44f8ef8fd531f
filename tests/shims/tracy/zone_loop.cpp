// SPDX-License-Identifier: MIT
#include "zone_loop.h"

#include <tracy/TracyC.h>
#include <tracy/Tracy.hpp>

#include <string>
#include <vector>

namespace {

ZONE_LOOP(run_static, { ZoneScopedN("zone"); })

ZONE_LOOP(run_text, ZoneScopedN("zone"); ZoneText("text", 4);)

ZONE_LOOP(run_c, TracyCZoneN(zone, "zone", 1); TracyCZoneEnd(zone);)

ZONE_LOOP(run_transient, { ZoneTransientN(zone, name, true); })

ZONE_LOOP(run_alloc_srcloc,
          ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(
              ___tracy_alloc_srcloc_name(10, "enemy.lua", 9, "update", 6, name, strlen(name), 0), 1));)

void run_plot(uint32_t plots) {
  for (uint32_t i = 0; i < plots; ++i) TracyPlot("plot", i);
}

void run_memory(uint32_t allocations) {
  static char space[1024];
  for (uint32_t i = 0; i < allocations; ++i) {
    TracyAlloc(&space[i % 1024], 16);
    TracyFree(&space[i % 1024]);
  }
}

// So many names that some of their addresses share a place in what finds them again.
std::vector<std::string> make_names(size_t count) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) names.push_back("function of a script, number " + std::to_string(i));
  return names;
}

void run_transient_many(uint32_t zones) {
  static const std::vector<std::string> names = make_names(10);
  for (uint32_t i = 0; i < zones; ++i) {
    { ZoneTransientN(zone, names[i % names.size()].c_str(), true); }
    FORGET();
  }
}

void run_srcloc_many(uint32_t zones) {
  static const std::vector<std::string> names = make_names(250);
  for (uint32_t i = 0; i < zones; ++i) {
    const std::string& name = names[i % names.size()];
    ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(
        ___tracy_alloc_srcloc_name(10, "enemy.lua", 9, "update", 6, name.data(), name.size(), 0), 1));
    FORGET();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const ZoneLoop loops[] = {{"static", run_static},
                            {"text", run_text},
                            {"c", run_c},
                            {"transient", run_transient},
                            {"transient_many", run_transient_many},
                            {"srcloc", run_alloc_srcloc},
                            {"srcloc_many", run_srcloc_many},
                            {"plot", run_plot},
                            {"memory", run_memory}};
  return run_zone_loop(loops, argc, argv);
}
