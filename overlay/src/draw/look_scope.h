// SPDX-License-Identifier: MIT
//
// look_scope.h: the overlay's look, from here to the end of the scope: its theme, its text size, and its colours and
// distances on ImGui's own widgets.
#ifndef FLAMELET_OVERLAY_SRC_LOOK_SCOPE_H
#define FLAMELET_OVERLAY_SRC_LOOK_SCOPE_H

#include "shell/overlay_state.h"

namespace flamelet::ui {

// The current font at a share of its size, for all windows that begin inside the scope and for the one around it.
class TextScale {
 public:
  explicit TextScale(int percent);
  ~TextScale();
  TextScale(const TextScale&) = delete;
  TextScale& operator=(const TextScale&) = delete;

 private:
  float font_scale_;
};

// Also measures the font, so that scaled() gives this look's distances.
class LookScope {
 public:
  // `percent`: of the size that the settings say.
  explicit LookScope(Overlay& o, int percent = 100);
  ~LookScope();
  LookScope(const LookScope&) = delete;
  LookScope& operator=(const LookScope&) = delete;

 private:
  TextScale text_;
  int colors_ = 0;
  int vars_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LOOK_SCOPE_H
