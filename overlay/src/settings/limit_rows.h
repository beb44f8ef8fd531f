// SPDX-License-Identifier: MIT
//
// limit_rows.h: the limits of the overlay, its capture and the recorder, with what is used of each. One table, from which
// the panel of settings draws them. A test compares it with OverlayConfig and the structs of numbers.
#ifndef FLAMELET_OVERLAY_SRC_LIMIT_ROWS_H
#define FLAMELET_OVERLAY_SRC_LIMIT_ROWS_H

#include "flamelet/overlay.h"

namespace flamelet::ui {

struct Fill {
  uint64_t used = 0, limit = 0;
};

// What the rows are read from.
struct LimitSources {
  const Overlay& o;
  flamelet_capture_stats capture;
  flamelet_stats recorder;
};

enum class LimitOf : uint32_t { kOverlay, kCapture, kRecorder };

struct LimitRow {
  LimitOf of;
  const char* name;  // of the member that has it: of OverlayConfig, flamelet_capture_stats or flamelet_stats
  const char* label;
  Fill (*read)(const LimitSources& sources);
  bool bytes = false;
};

constexpr uint32_t kMostLimits = 24;
extern const LimitRow kLimitTable[];
extern const uint32_t kLimitCount;

// As they were a quarter of a second ago at most: numbers that change with every frame cannot be read.
struct ToldFills {
  Fill fills[kMostLimits];
  double next_s = 0;  // ImGui time
};

void show_limit_rows(Overlay& o, float label_width);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LIMIT_ROWS_H
