// SPDX-License-Identifier: MIT
//
// why_page.h: the page Why: the selected frame explained, its causes, and its critical path piece by piece.
#ifndef FLAMELET_OVERLAY_SRC_WHY_PAGE_H
#define FLAMELET_OVERLAY_SRC_WHY_PAGE_H

#include <string_view>

#include "draw/text.h"
#include "draw/theme.h"
#include "flamelet/explain.h"
#include "flamelet/flight.h"
#include "lanes/viewport.h"
#include "pages/pages.h"

// Why: why the selected frame was slow (flamelet/explain.h): the answer that the Why row, the Why page and the critical
// path over the lanes show. Of several selected frames it is about the longest.
//
// A frame is explained once, when it is selected while the overlay is paused, and only if something shows the answer. The
// frames that it is compared with are read first, a few in each frame of the overlay. A hitch that the flight recorder keeps is
// explained against the frames that it keeps, whatever else the capture has: one answer, here, in the strip, in its file.

namespace flamelet::ui {

class Why {
 public:
  void carve(Carver* carver, uint32_t max_spans);
  // For another capture, or another session.
  void reset();
  void forget() { about_ = FrameRange(); }

  // Frames that take longer are explained though they be usual. Another budget forgets what was read.
  void set_budget(int64_t budget_ns);
  // Which frame the answer is about; `hitches` are what the flight recorder keeps. Cheap while the frames stay the same.
  void choose(const flamelet_capture* capture, FrameRange frames, const Array<flamelet_flight_info>& hitches);
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
  std::string_view sentence() const { return text().substr(0, text().find('\n')); }
  // Something makes the answer less sure. The text says what.
  bool doubtful() const {
    constexpr uint32_t kSure =
        FLAMELET_EXPLAIN_UNUSUAL | FLAMELET_EXPLAIN_OVER_BUDGET | FLAMELET_EXPLAIN_IN_TURN | FLAMELET_EXPLAIN_AROUND;
    return (answer_.flags & ~kSure) != 0;
  }
  bool scope(uint32_t path, flamelet_explain_scope* scope) const {
    return flamelet_explain_path(explain_, path, scope);
  }

 private:
  flamelet_explain_config config_ = {};
  Array<char> memory_;
  flamelet_explain* explain_ = nullptr;
  FrameRange about_;
  uint64_t frame_index_ = 0;
  int64_t frame_ns_ = 0;
  uint64_t first_index_ = 0, last_index_ = 0;  // of the frames that it is compared with
  uint32_t left_ = 0;
  bool known_ = false;
  flamelet_explanation answer_ = {};
  char text_[2048] = {};
};

// The page's.
Why& why_of(PageContext& o);
const Why& why_of(const PageContext& o);

// The row below the details that says the answer in one line.
void show_why_row(PageContext& o);
float why_row_height(const PageContext& o);  // 0 where there is none
// The row, the page or the lanes want the answer.
bool wants_why(const PageContext& o);

// The innermost scope of a path, and what stands for it: a time without a scope has a name, too.
struct PathName {
  std::string_view name;
  Rgb fill;
};
PathName why_name(Content& content, const Why& why, uint32_t path);
std::string_view lane_name(const Content& content, uint32_t lane);

struct WhyPage : Page {
  void carve(Carver* carver, const OverlayConfig& config) override { why.carve(carver, config.max_spans); }
  void reset(PageContext&) override { why.reset(); }
  // Chooses the selected frame, and explains it if the row, the page or the lanes want that.
  void update(PageContext& o) override;
  bool reading(const PageContext& o) const override { return wants_why(o) && why.chosen() && !why.known(); }
  void draw(PageContext& o, float height) override;
  void write_state(const PageContext& o, JsonObject* json) const override;

  Why why;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WHY_PAGE_H
