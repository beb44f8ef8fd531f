// SPDX-License-Identifier: MIT
//
// interval_details.h: what is said of an interval: in its tooltip, in the details below the page, in the state.
#ifndef FLAMELET_OVERLAY_SRC_INTERVAL_DETAILS_H
#define FLAMELET_OVERLAY_SRC_INTERVAL_DETAILS_H

#include "flamelet/capture.h"

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

class JsonObject;
class ValueLine;
struct Lane;

void show_interval(Overlay& o, const flamelet_span& span);
// The tooltip of the lane's label.
void show_interval_lane(Overlay& o, const Lane& lane);
// NULL if none is selected.
const flamelet_interval* selected_interval(const Overlay& o);
void add_interval_values(const Overlay& o, const flamelet_interval& interval, ValueLine* line);
void write_intervals_state(const Overlay& o, JsonObject* json);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_INTERVAL_DETAILS_H
