// SPDX-License-Identifier: MIT
//
// pages.h: the pages of the overlay, of which one is shown below the frame bars. A page is one row in the table in
// pages.cpp; what it shows and does lies in a pair of files of its own.
#ifndef FLAMELET_OVERLAY_SRC_PAGES_H
#define FLAMELET_OVERLAY_SRC_PAGES_H

#include <stdint.h>

#include <string_view>

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

class JsonObject;

struct Page {
  const char* name;     // in the settings and in the state, for tests
  const char* label;    // of its button
  const char* tooltip;  // NULL = none
  const char* hint;     // what the mouse can do, below the page
  char key;             // a digit or a letter that opens it

  // Reads what it needs (update.h), draws in `height` pixels at the cursor, and moves the cursor down by as much.
  void (*draw)(Overlay& o, float height);
  // Draws what is selected there, in two lines; false if the details of the selected scope are to be drawn instead. May
  // be NULL.
  bool (*details)(Overlay& o, float x, float y, float right, float line_height);
  // Adds its fields to the state (overlay_write_state), whether the page is shown or not. May be NULL.
  void (*write_state)(const Overlay& o, JsonObject* json);
};

// In the order of their buttons.
extern const Page kPages[];
extern const uint32_t kPageCount;

class ShownPage {
 public:
  const Page& operator*() const { return kPages[index_]; }
  const Page* operator->() const { return &kPages[index_]; }
  // The number of the page in kPages.
  uint32_t index() const { return index_; }
  void open(uint32_t index) { index_ = index; }
  bool shows(std::string_view name) const { return name == kPages[index_].name; }
  // False if there is no page of this name.
  bool open(std::string_view name);
  void turn(int by) { index_ = (index_ + kPageCount + static_cast<uint32_t>(by)) % kPageCount; }

 private:
  uint32_t index_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_PAGES_H
