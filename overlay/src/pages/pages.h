// SPDX-License-Identifier: MIT
//
// pages.h: the pages of the overlay, of which one is shown below the frame bars. A page is a class in a pair of files of its
// own, with all that it remembers from frame to frame, and one row in the table in pages.cpp.
#ifndef FLAMELET_OVERLAY_SRC_PAGES_H
#define FLAMELET_OVERLAY_SRC_PAGES_H

#include <stdint.h>

#include <new>
#include <string_view>

#include "content/content.h"
#include "content/memory.h"
#include "draw/canvas.h"
#include "draw/text.h"
#include "flamelet/overlay.h"

namespace flamelet::ui {

class JsonObject;

struct PageContext;

// Made with the overlay, in its block, and destroyed with it.
class Page {
 public:
  virtual ~Page() = default;
  // Takes its tables from the block. Also called to measure, over a null block, on a page that is thrown away.
  virtual void carve(Carver* /*carver*/, const OverlayConfig& /*config*/) {}
  // Another capture, or another session of it: forgets what it knows of the content.
  virtual void reset(PageContext& /*o*/) {}
  // In each frame that shows the window, before a page is drawn, also when another page is shown.
  virtual void update(PageContext& /*o*/) {}
  // Goes on reading: what it has to show will still change.
  virtual bool reading(const PageContext& /*o*/) const { return false; }
  // Draws in `height` pixels at the cursor. The spans and the statistics are read, but by the lanes themselves.
  virtual void draw(PageContext& o, float height) = 0;
  // Of what stands above its rows.
  virtual float head_height(const Frame& /*frame*/) const { return 0; }
  // Draws what is selected there, in two lines; false if the details of the selected scope are to be drawn instead.
  virtual bool draw_details(PageContext& /*o*/, float /*x*/, float /*y*/, float /*right*/, float /*line_height*/) {
    return false;
  }
  // Adds its fields to the state (overlay_write_state), whether the page is shown or not.
  virtual void write_state(const PageContext& /*o*/, JsonObject* /*json*/) const {}
};

// The page in its place in the block, with its tables; over a null block only measures.
template <typename T>
Page* create_page(Carver* carver, const OverlayConfig& config) {
  void* place = carver->take_bytes(sizeof(T), alignof(T));
  if (place == nullptr) {
    T measured;
    measured.carve(carver, config);
    return nullptr;
  }
  T* page = new (place) T();
  page->carve(carver, config);
  return page;
}

struct PageRow {
  const char* name;     // in the settings and in the state, for tests
  const char* label;    // of its button
  const char* tooltip;  // NULL = none
  const char* hint;     // what the mouse can do, below the page
  char key;             // a digit or a letter that opens it
  Page* (*create)(Carver* carver, const OverlayConfig& config);
};

// In the order of their buttons.
extern const PageRow kPages[];
extern const uint32_t kPageCount;

// The pages of one overlay, and which of them is shown.
class Pages {
 public:
  static constexpr uint32_t kMost = 16;

  Pages() = default;
  ~Pages();
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  void create(Carver* carver, const OverlayConfig& config);

  void reset(PageContext& o);
  void update(PageContext& o);
  bool reading(const PageContext& o) const;

  Page& operator[](uint32_t index) { return *pages_[index]; }
  const Page& operator[](uint32_t index) const { return *pages_[index]; }
  // The page of this class, which is in the table.
  template <typename T>
  T& get() {
    return static_cast<T&>(*pages_[index_of(create_page<T>)]);
  }
  template <typename T>
  const T& get() const {
    return static_cast<const T&>(*pages_[index_of(create_page<T>)]);
  }

  // The number of the shown page in kPages.
  uint32_t index() const { return index_; }
  const PageRow& row() const { return kPages[index_]; }
  Page& shown() { return *pages_[index_]; }
  bool shows(std::string_view name) const { return name == kPages[index_].name; }
  void open(uint32_t index) { index_ = index; }
  // False if there is no page of this name.
  bool open(std::string_view name);
  void turn(int by) { index_ = (index_ + kPageCount + static_cast<uint32_t>(by)) % kPageCount; }

 private:
  static uint32_t index_of(Page* (*create)(Carver*, const OverlayConfig&)) {
    uint32_t index = 0;
    while (kPages[index].create != create) ++index;
    return index;
  }

  Page* pages_[kMost] = {};
  uint32_t index_ = 0;
};

// Status line: the one line that says what came of something: what the user did last, or a file. It stands below the
// toolbar, beside the title of a capture; over a running game, at the bottom.

// Who says something. What one says takes the place of what another said; but each takes back only its own.
enum class Speaker { kNone, kFiles, kCompare, kHitches, kKeys };

class StatusLine {
 public:
  // Begins a sentence; what the writer gets is shown.
  TextWriter say(Speaker speaker, bool is_bad = false) {
    speaker_ = speaker;
    is_bad_ = is_bad;
    ++said_;
    return TextWriter(text_, sizeof text_);
  }
  void take_back(Speaker speaker) {
    if (speaker_ == speaker) clear();
  }
  // Over a running game, where it stands in place of the truth line, a sentence goes after a while; not what went wrong.
  void expire(double now_s) {
    constexpr double kSeconds = 10;
    if (expires_ != said_) begun_s_ = now_s;
    expires_ = said_;
    if (!is_bad_ && now_s - begun_s_ > kSeconds) clear();
  }
  void clear() {
    text_[0] = 0;
    speaker_ = Speaker::kNone;
  }

  std::string_view text() const { return text_; }  // empty: nothing to say
  bool is_bad() const { return is_bad_; }
  bool is_of(Speaker speaker) const { return speaker_ == speaker; }
  uint32_t said() const { return said_; }  // tells one sentence from the next

 private:
  char text_[384] = {};
  bool is_bad_ = false;
  Speaker speaker_ = Speaker::kNone;
  uint32_t said_ = 0, expires_ = 0;
  double begun_s_ = 0;  // ImGui time, of the sentence with this number
};

// What is drawn from, together.
struct DrawContext : Content, Choice, Frame {};

// What a page draws from and acts on: all of an overlay but the shell around the pages.
struct PageContext : DrawContext {
  Pages pages;
  StatusLine status;
};

// What a page reads before it draws.

// After the input was handled, because that moves the view.
void update_spans(PageContext& o);
// For the selected scope and the filter; `all_rows`: for a page that shows all scopes.
void update_statistics(Content& content, Choice& choice, bool all_rows = false);

// What a page of figures is about: the measured range or the shown frames; or all that was captured.
TimeWindow wanted_range(const Content& content, const Choice& choice, bool whole_history);

// Another capture, or another session of it: forgets everything that was known of the content.
void reset_content(PageContext& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_PAGES_H
