// SPDX-License-Identifier: MIT
#include "pages/compare/compare_page.h"

#include <math.h>

#include <algorithm>

#include "pages/calls_view.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

void set_compared_side(Overlay& o) {
  ComparePage& compare = o.pages.get<ComparePage>();
  CallsView& calls = calls_of(o);
  ComparedPaths& paths = compare.paths;
  if (paths.reading()) return;
  const bool measured = o.selection.measures();
  const TimeWindow range = measured ? o.selection.measured : o.timeline.shown_window();
  const FrameRange frames = measured ? FrameRange() : o.timeline.selected();
  if (!measured && !frames.valid) return;
  const bool is_b = paths.side(0).is_set && !paths.side(1).is_set;
  if (!is_b) compare.selected = ComparedPaths::kNone;
  o.timeline.set_paused(true);  // so that what is read stays
  calls.forget_paths();
  paths.set_next(o.capture, range, frames, o.standing ? std::string_view(o.title) : "this run", &calls.range);
  if (is_b) {
    o.status.take_back(Speaker::kCompare);
    o.pages.open("compare");
    return;
  }
  TextWriter notice = o.status.say(Speaker::kCompare);
  notice.add("A: ");
  if (measured)
    notice.add("the measured ").add_time(range.end_ns - range.begin_ns);
  else
    notice.add(frames.first == frames.last ? "frame #" : "frames #").add_grouped(frames.first);
  if (!measured && frames.first != frames.last) notice.add(" - #").add_grouped(frames.last);
  notice.add(". Choose others, also of another capture, and press B to compare.");
}

void ComparePage::update(Overlay& o) {
  if (!paths.reading()) return;
  const CaptureTime time(o.numbers);
  paths.step(Refresh::kZonesPerFrame, &o.statistics.scratch());
}

Rgb change_fill(double share) {
  const float strength = static_cast<float>(sqrt(std::min(fabs(share), 1.0)));  // small ones are still seen
  return mix(color::kUnchanged, share < 0 ? color::kFaster : color::kSlower, strength);
}

void add_change(const ComparedPaths& paths, double change, TextWriter* text) {
  if (change > 0) text->add('+');
  if (paths.by() == CompareBy::kCalls)
    text->add_fixed(change, fabs(change) < 100 && change != floor(change) ? 1 : 0);
  else
    text->add_time(static_cast<int64_t>(change));
}

}  // namespace flamelet::ui
