// SPDX-License-Identifier: MIT
//
// status_line.h: the one line below the toolbar that says what came of something: what the user did last, or a file.
#ifndef FLAMELET_OVERLAY_SRC_STATUS_LINE_H
#define FLAMELET_OVERLAY_SRC_STATUS_LINE_H

#include <string_view>

#include "draw/text_buffer.h"

namespace flamelet::ui {

// Who says something. What one says takes the place of what another said; but each takes back only its own.
enum class Speaker { kNone, kFiles, kCompare, kHitches };

class StatusLine {
 public:
  // Begins a sentence; what the writer gets is shown.
  TextWriter say(Speaker speaker, bool is_bad = false) {
    speaker_ = speaker;
    is_bad_ = is_bad;
    return TextWriter(text_, sizeof text_);
  }
  void take_back(Speaker speaker) {
    if (speaker_ == speaker) clear();
  }
  void clear() {
    text_[0] = 0;
    speaker_ = Speaker::kNone;
  }

  std::string_view text() const { return text_; }  // empty: nothing to say
  bool is_bad() const { return is_bad_; }
  bool is_of(Speaker speaker) const { return speaker_ == speaker; }

 private:
  char text_[384] = {};
  bool is_bad_ = false;
  Speaker speaker_ = Speaker::kNone;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_STATUS_LINE_H
