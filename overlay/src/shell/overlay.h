// SPDX-License-Identifier: MIT
//
// overlay.h: what happens before anything is drawn: the capture takes in what is new, the timeline follows it, and the
// spans around the view are read when the ones at hand do not do. While nothing moves, nothing is read.
#ifndef FLAMELET_OVERLAY_SRC_OVERLAY_H
#define FLAMELET_OVERLAY_SRC_OVERLAY_H

#include "shell/overlay_state.h"

namespace flamelet::ui {

// At the start of a frame that draws anything, and only once if it draws several things.
void update_capture(Overlay& o);
// What the program shares must not move while it is looked at, or read by the thread that saves it. In every call that may
// pause, go on or save: the program may update the capture right after it.
class Hold {
 public:
  explicit Hold(Overlay& o) : o_(o) {}
  ~Hold();
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  Overlay& o_;
};
// After the input was handled, because that moves the view.
void update_spans(Overlay& o);
// For the selected scope and the filter; `all_rows`: for a page that shows all scopes.
void update_statistics(Overlay& o, bool all_rows = false);

// What recording the newest of the shown frames cost the game.
void update_costs(Content& content);

// Something that is shown is still being read, a piece in each frame.
bool is_reading(const Overlay& o);

// What a page of figures is about: the measured range or the shown frames; or all that was captured.
TimeWindow wanted_range(const Overlay& o, bool whole_history);

// Another capture, or another session of it: forgets everything that was known of the content.
void reset_content(Overlay& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_OVERLAY_H
