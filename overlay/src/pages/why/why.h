// SPDX-License-Identifier: MIT
//
// why.h: why the selected frame was slow (flamelet/explain.h): the answer that the Why row, the Why page and the critical
// path over the lanes show. Of several selected frames it is about the longest.
//
// A frame is explained once, when it is selected while the overlay is paused, and only if something shows the answer. The
// frames before it are read first, a few in each frame of the overlay.
#ifndef FLAMELET_OVERLAY_SRC_WHY_H
#define FLAMELET_OVERLAY_SRC_WHY_H

#include <string_view>

#include "draw/palette.h"
#include "draw/text_buffer.h"
#include "flamelet/explain.h"
#include "lanes/viewport.h"

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

class Why {
 public:
  void carve(Carver* carver, uint32_t max_spans);
  // For another capture, or another session.
  void reset();
  void forget() { about_ = FrameRange(); }

  // Which frame the answer is about. Cheap while it stays the same.
  void choose(const flamelet_capture* capture, FrameRange frames);
  // Reads for a short while, then explains. Does nothing once the answer is there.
  void step(const flamelet_capture* capture);

  bool chosen() const { return about_.valid; }
  uint64_t frame_index() const { return frame_index_; }
  int64_t frame_ns() const { return frame_ns_; }
  bool known() const { return about_.valid && known_; }
  uint32_t frames_left() const { return left_; }  // to be read before the answer

  // Once it is known:
  const flamelet_explanation& answer() const { return answer_; }
  std::string_view text() const { return text_; }
  // Something makes the answer less sure. The text says what.
  bool doubtful() const { return (answer_.flags & ~uint32_t{FLAMELET_EXPLAIN_UNUSUAL}) != 0; }
  bool unusual() const { return (answer_.flags & FLAMELET_EXPLAIN_UNUSUAL) != 0; }
  bool scope(uint32_t path, flamelet_explain_scope* scope) const {
    return flamelet_explain_path(explain_, path, scope);
  }

  // On the screen, in the last frame that showed them: the row, and the first row of each table.
  float row_y = 0, causes_y = 0, pieces_y = 0;

 private:
  Array<char> memory_;
  flamelet_explain* explain_ = nullptr;
  FrameRange about_;
  uint64_t frame_index_ = 0;
  int64_t frame_ns_ = 0;
  uint32_t left_ = 0;
  bool known_ = false;
  flamelet_explanation answer_ = {};
  char text_[2048] = {};
};

// Chooses the selected frame, and explains it if the row, the page or the lanes want that.
void update_why(Overlay& o);

// The innermost scope of a path, and what stands for it: a time without a scope has a name, too.
struct PathName {
  std::string_view name;
  Rgb fill;
};
PathName why_name(Overlay& o, uint32_t path);
std::string_view lane_name(const Overlay& o, uint32_t lane);
// "Frame/Update/Solve", at most so many scopes of it.
void add_why_path(Overlay& o, uint32_t path, uint32_t most, TextWriter* text);
// The same of a cause; of time in no scope, "Audio: no scope".
void add_why_place(Overlay& o, const flamelet_cause& cause, uint32_t most, TextWriter* text);
// "(lock or wait, probably)"
void add_why_verdict(const flamelet_cause& cause, TextWriter* text);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WHY_H
