// SPDX-License-Identifier: MIT
//
// pages.h: the pages of the overlay, of which one is shown below the frame bars. A page is a class in a pair of files of its
// own, with all that it remembers from frame to frame, and one row in the table in pages.cpp.
#ifndef FLAMELET_OVERLAY_SRC_PAGES_H
#define FLAMELET_OVERLAY_SRC_PAGES_H

#include <stdint.h>

#include <new>
#include <string_view>

#include "content/memory.h"
#include "flamelet/overlay.h"

namespace flamelet::ui {

class JsonObject;

// Made with the overlay, in its block, and destroyed with it.
class Page {
 public:
  virtual ~Page() = default;
  // Takes its tables from the block. Also called to measure, over a null block, on a page that is thrown away.
  virtual void carve(Carver* /*carver*/, const OverlayConfig& /*config*/) {}
  // Another capture, or another session of it: forgets what it knows of the content.
  virtual void reset(Overlay& /*o*/) {}
  // In each frame that shows the window, before a page is drawn, also when another page is shown.
  virtual void update(Overlay& /*o*/) {}
  // Goes on reading: what it has to show will still change.
  virtual bool reading(const Overlay& /*o*/) const { return false; }
  // Reads what it needs (overlay.h), draws in `height` pixels at the cursor, and moves the cursor down by as much.
  virtual void draw(Overlay& o, float height) = 0;
  // Draws what is selected there, in two lines; false if the details of the selected scope are to be drawn instead.
  virtual bool draw_details(Overlay& /*o*/, float /*x*/, float /*y*/, float /*right*/, float /*line_height*/) {
    return false;
  }
  // Adds its fields to the state (overlay_write_state), whether the page is shown or not.
  virtual void write_state(const Overlay& /*o*/, JsonObject* /*json*/) const {}
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

  void reset(Overlay& o);
  void update(Overlay& o);
  bool reading(const Overlay& o) const;

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

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_PAGES_H
