// SPDX-License-Identifier: MIT
//
// hitches.h: the hitches, which are the frames that the program's flight recorder keeps (flamelet/flight.h): a strip beside
// the frame bars, the way to each of them, and why it was slow.
#ifndef FLAMELET_OVERLAY_SRC_HITCHES_H
#define FLAMELET_OVERLAY_SRC_HITCHES_H

#include <atomic>
#include <string_view>
#include <thread>

#include "bars/frame_bars.h"
#include "draw/canvas.h"
#include "flamelet/flight.h"

namespace flamelet::ui {

struct CaptureFiles;
struct Content;
struct PageContext;
struct Settings;

// Hitch reason: why a hitch was slow, found on a thread of its own: opening and explaining it takes longer than a
// frame may. One at a time. Where there are no threads, it is found when it was begun.
//
// The thread has a copy of the hitch, so that the flight recorder may drop it meanwhile. begin() hands everything over
// by the start of the thread; done() pairs with its last store, and take() joins.

class HitchReason {
 public:
  static constexpr size_t kTextBytes = 1024;

  HitchReason() = default;
  ~HitchReason() { take(); }
  HitchReason(const HitchReason&) = delete;
  HitchReason& operator=(const HitchReason&) = delete;

  // Only while id() is 0. Copies the hitch; the rest happens on the thread. The memory is the allocator's.
  void begin(const flamelet_flight* flight, const flamelet_flight_info& info, int64_t budget_ns,
             const flamelet_allocator& allocator);

  // The hitch that is explained now, or whose answer nobody has taken yet; 0 = none.
  uint64_t id() const { return id_; }
  int64_t budget_ns() const { return budget_ns_; }
  // Acquire: pairs with the release in run(), so that the text can be read.
  bool done() const { return id_ != 0 && done_.load(std::memory_order_acquire); }
  // Waits for it. Empty if it cannot be said; valid until the next begin().
  const char* take();

 private:
  void run();
  void explain();

  uint64_t id_ = 0;
  uint64_t frame_ = 0;  // index
  int64_t budget_ns_ = 0;
  flamelet_allocator allocator_ = {};
  char* bytes_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
  char text_[kTextBytes] = {};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

struct Frame;

struct Hitches {
  static constexpr uint32_t kMost = 256;
  static constexpr uint32_t kSentences = 32;

  // Said once of each, and kept while there are not too many others.
  struct Sentence {
    uint64_t id = 0;
    int64_t budget_ns = 0;
    char text[HitchReason::kTextBytes] = {};
  };

  flamelet_flight* flight = nullptr;  // the program's; NULL = none
  flamelet_allocator allocator = {};  // the program's
  Array<flamelet_flight_info> list;   // the longest first
  Array<HitchBar> bars;
  Array<Sentence> sentences;
  HitchReason reason;  // the next sentence
  uint32_t next_sentence = 0;
  uint64_t newest = 0;            // id of the newest that was seen
  uint64_t shown = 0;             // id of the one that was gone to
  uint64_t hovered = 0;           // id; 0 = none
  uint64_t clicked = 0;           // id, while the mouse stays on it; 0 = none
  bool hold = false;              // the mouse is over the strip, which stands still
  int frame = -2;                 // ImGui's number of the frame in which they were looked at
  float x = 0, y = 0, width = 0;  // of the strip, on the screen

  void carve(Carver* carver) {
    carver->take(&list, kMost);
    carver->take(&bars, kMost);
    carver->take(&sentences, kSentences);
  }
};

// Once a frame: what is kept now. Goes to a new one, if the settings say so.
void update_hitches(PageContext& o, CaptureFiles& files);
// To the next one in time (+1), or the previous one (-1).
void step_hitch(PageContext& o, CaptureFiles& files, int direction);
// Why it was slow; empty if that cannot be said, or while it is being found. The first look at one begins that.
std::string_view hitch_sentence(Content& content, const Settings& settings, const flamelet_flight_info& info);

// The scopes that were over their budgets in the last 60 frames, which a single frame would only let flicker: furthest over
// first. Returns how many were written. Budgets are the flight recorder's (flamelet_flight_set_budgets()).
constexpr size_t kOverRows = 4;
size_t scopes_over_budget(const Content& content, flamelet_flight_over (&over)[kOverRows]);

// Of the bar of a frame.
Rgb verdict_color(FrameVerdict verdict, Rgb good = color::kFrameGood);
// The same of a frame that is shown.
Rgb lit_bar(Rgb own);
// A flag; a glyph would need a font that has it.
void draw_flag(const Frame& frame, Canvas& canvas, float x, float y, Rgb fill);
// The frame bars with all that is beside and on them.
float frame_bars_height(const Frame& frame);
void show_frame_bars(PageContext& o, CaptureFiles& files);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_HITCHES_H
