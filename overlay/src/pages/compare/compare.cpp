// SPDX-License-Identifier: MIT
#include "pages/compare/compare.h"

#include <math.h>

#include <algorithm>

#include "shell/overlay_state.h"

namespace flamelet::ui {

void set_compared_side(Overlay& o) {
  ComparedPaths& paths = o.compare.paths;
  if (paths.reading()) return;
  const bool measured = o.selection.measures();
  const TimeWindow range = measured ? o.selection.measured : o.timeline.shown_window();
  const FrameRange frames = measured ? FrameRange() : o.timeline.selected();
  if (!measured && !frames.valid) return;
  const bool is_b = paths.side(0).is_set && !paths.side(1).is_set;
  if (!is_b) o.compare.selected = ComparedPaths::kNone;
  o.timeline.set_paused(true);  // so that what is read stays
  forget_paths(o);
  paths.set_next(o.capture, range, frames, o.files.standing ? std::string_view(o.files.title) : "this run");
  if (is_b) {
    o.files.notice[0] = 0;
    o.page.open("compare");
    return;
  }
  TextWriter notice(o.files.notice, sizeof o.files.notice);
  notice.add("A: ");
  if (measured)
    notice.add("the measured ").add_time(range.end_ns - range.begin_ns);
  else
    notice.add(frames.first == frames.last ? "frame #" : "frames #").add_grouped(frames.first);
  if (!measured && frames.first != frames.last) notice.add(" - #").add_grouped(frames.last);
  notice.add(". Choose others, also of another capture, and press B to compare.");
  o.files.notice_is_bad = false;
}

void clear_compared(Overlay& o) {
  o.compare.paths.clear();
  o.compare.selected = ComparedPaths::kNone;
}

void update_compare(Overlay& o) {
  if (!o.compare.paths.reading()) return;
  const CaptureTime time(o.numbers);
  o.compare.paths.step(ReadingPace::kZonesPerFrame, &o.statistics.scratch());
}

Rgb change_fill(double share) {
  const float strength = static_cast<float>(sqrt(std::min(fabs(share), 1.0)));  // small ones are still seen
  return mix(color::kUnchanged, share < 0 ? color::kFaster : color::kSlower, strength);
}

void add_change(const Overlay& o, double change, TextWriter* text) {
  if (change > 0) text->add('+');
  if (o.compare.paths.by() == CompareBy::kCalls)
    text->add_fixed(change, fabs(change) < 100 && change != floor(change) ? 1 : 0);
  else
    text->add_time(static_cast<int64_t>(change));
}

}  // namespace flamelet::ui
