// SPDX-License-Identifier: MIT
//
// choice.h: what the user chose, wherever it is shown.
#ifndef FLAMELET_OVERLAY_SRC_CHOICE_H
#define FLAMELET_OVERLAY_SRC_CHOICE_H

#include "content/filter.h"
#include "hud/watched_scopes.h"
#include "lanes/lane_choices.h"
#include "settings/settings.h"
#include "shell/selection.h"

namespace flamelet::ui {

struct Choice {
  Settings settings;
  Settings initial_settings;  // what "reset" gives back
  Filter filter;
  Selection selection;
  LaneChoices lane_choices;
  WatchedScopes watched;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_CHOICE_H
