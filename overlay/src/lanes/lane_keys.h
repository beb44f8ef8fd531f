// SPDX-License-Identifier: MIT
//
// lane_keys.h: scopes and lanes without a mouse: from the selected one to its neighbours, and what can be done with it.
#ifndef FLAMELET_OVERLAY_SRC_LANE_KEYS_H
#define FLAMELET_OVERLAY_SRC_LANE_KEYS_H

#include "shell/overlay_state.h"

namespace flamelet::ui {

enum class Neighbor { kParent, kChild, kPrevious, kNext };

// Beyond an outermost scope lies the lane above, beyond an innermost one the lane below. Without a selection: the longest
// scope in view.
void select_neighbor(Overlay& o, Neighbor direction);
// The longest scope in view; if one is selected, zooms to it.
void select_or_zoom(Overlay& o);
// The selected scope's time becomes the measured one; again: no more.
void measure_selection(Overlay& o);
// The menu of the selected scope and its lane, on the page Lanes.
void open_selection_menu(Overlay& o);

// The lane of the selection, or else the one under the mouse, or the first; NULL if there is none.
Lane* lane_of_keys(Overlay& o);
void fold_selected_lane(Overlay& o);
// Up (-1) or down (+1), past the next shown one.
void move_lane(Overlay& o, const Lane& lane, int by);
void move_selected_lane(Overlay& o, int by);
void show_hidden_lanes(Overlay& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANE_KEYS_H
