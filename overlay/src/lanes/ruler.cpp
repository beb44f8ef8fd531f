// SPDX-License-Identifier: MIT
#include "lanes/ruler.h"

#include <math.h>

namespace flamelet::ui {

namespace {

constexpr uint32_t kMostTicks = 512;

struct Unit {
  int64_t ns;
  const char* name;
};

Unit unit_of(int64_t step_ns) {
  if (step_ns >= 1000000000) return {1000000000, " s"};
  if (step_ns >= 100000) return {1000000, " ms"};
  if (step_ns >= 100) return {1000, " us"};
  return {1, " ns"};
}

}  // namespace

Ruler make_ruler(View view, int64_t origin_ns, float width_px, float label_width_px) {
  Ruler ruler;
  const double duration = view.duration_ns();
  if (!(duration > 0) || !(width_px > 0) || !(label_width_px > 0) || !(duration < 4e18)) return ruler;
  const double least_step = duration * static_cast<double>(label_width_px / width_px);
  int64_t power = 1;
  while (static_cast<double>(power) * 10 <= least_step) power *= 10;
  const int64_t factors[] = {1, 2, 5, 10};
  ruler.step_ns = power * 10;
  ruler.minor_per_step = 5;
  for (const int64_t factor : factors) {
    if (static_cast<double>(power * factor) < least_step) continue;
    ruler.step_ns = power * factor;
    ruler.minor_per_step = factor == 2 ? 2 : 5;
    break;
  }
  if (ruler.step_ns < 10) ruler.minor_per_step = 1;
  const double steps_before =
      floor((view.begin_ns - static_cast<double>(origin_ns)) / static_cast<double>(ruler.step_ns));
  ruler.first_ns = origin_ns + static_cast<int64_t>(steps_before) * ruler.step_ns;
  const double count = floor((view.end_ns - static_cast<double>(ruler.first_ns)) / static_cast<double>(ruler.step_ns));
  ruler.count = count < kMostTicks ? static_cast<uint32_t>(count) + 1 : kMostTicks;
  return ruler;
}

uint64_t frame_label_step(uint64_t frames, float width_px, float label_width_px) {
  if (!(width_px > 0) || !(label_width_px > 0)) return UINT64_MAX;
  const double least =
      static_cast<double>(frames) * static_cast<double>(label_width_px) / static_cast<double>(width_px);
  for (uint64_t power = 1; power < UINT64_MAX / 100; power *= 10)
    for (const uint64_t factor : {1u, 2u, 5u})
      if (static_cast<double>(power * factor) >= least) return power * factor;
  return UINT64_MAX;
}

void write_tick(int64_t offset_ns, int64_t step_ns, bool with_unit, TextWriter* text) {
  const Unit unit = unit_of(step_ns);
  int decimals = 0;
  for (int64_t part = unit.ns; part > 1 && step_ns % part != 0; part /= 10) ++decimals;
  text->add_fixed(static_cast<double>(offset_ns) / static_cast<double>(unit.ns), decimals);
  if (with_unit) text->add(unit.name);
}

}  // namespace flamelet::ui
