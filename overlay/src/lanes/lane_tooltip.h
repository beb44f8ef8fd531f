// SPDX-License-Identifier: MIT
//
// lane_tooltip.h: what is said of an interval: in its tooltip, in the details below the page, in the state.
#ifndef FLAMELET_OVERLAY_SRC_LANE_TOOLTIP_H
#define FLAMELET_OVERLAY_SRC_LANE_TOOLTIP_H

#include "flamelet/capture.h"

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

struct Content;
struct Frame;
struct LanesPage;

class JsonObject;
class ValueLine;
struct Lane;
struct LaneRows;

void show_interval(Overlay& o, const LaneRows& rows, uint32_t index);
// The tooltip of the lane's label.
void show_interval_lane(Frame& frame, const Lane& lane);
// NULL if none is selected.
const flamelet_interval* selected_interval(const Overlay& o);
void add_interval_values(const Content& content, const flamelet_interval& interval, ValueLine* line);
void write_intervals_state(const Overlay& o, const LanesPage& page, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANE_TOOLTIP_H
