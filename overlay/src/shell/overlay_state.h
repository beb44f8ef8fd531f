// SPDX-License-Identifier: MIT
//
// overlay_state.h: an overlay is four things: its content, what the user chose, the frame being drawn, and the shell around
// its pages. A function takes those that it needs; the pages remember the rest themselves (pages.h).
#ifndef FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H
#define FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H

#include "bars/frame_history.h"
#include "bars/hitches.h"
#include "content/choice.h"
#include "content/content.h"
#include "draw/frame.h"
#include "files/capture_files.h"
#include "hud/hud_numbers.h"
#include "input/touch_gestures.h"
#include "settings/settings_panel.h"
#include "shell/overlay_memory.h"
#include "shell/pages.h"
#include "shell/status_line.h"
#include "shell/window_state.h"

namespace flamelet::ui {

// What the bumpers of a gamepad did before.
struct PadState {
  bool left_down = false, right_down = false;
  bool bumper_used = false;  // for something else than a step
};

struct Shell {
  OverlayMemory memory;
  WindowState window;
  Pages pages;
  StatusLine status;
  SettingsPanel panel;
  CaptureFiles files;
  FrameHistory history;
  Hitches hitches;
  HudNumbers hud;
  PadState pad;
  TouchGestures touch;
};

}  // namespace flamelet::ui

namespace flamelet {

struct Overlay : ui::Content, ui::Choice, ui::Frame, ui::Shell {};

namespace ui {
inline bool has_flight(const Overlay& o) {
  return o.hitches.flight != nullptr;
}
}  // namespace ui

}  // namespace flamelet

#endif  // FLAMELET_OVERLAY_SRC_OVERLAY_STATE_H
