// SPDX-License-Identifier: MIT
//
// counter_choices.h: which counters the user put on one axis or took out of the lane of their unit. By name, so
// that it holds for the next run of the program.
#ifndef FLAMELET_OVERLAY_SRC_COUNTER_CHOICES_H
#define FLAMELET_OVERLAY_SRC_COUNTER_CHOICES_H

#include <string_view>

#include "draw/text_buffer.h"

namespace flamelet::ui {

// Counters of one group share a lane.
class CounterChoices {
 public:
  static constexpr uint32_t kMost = 128;
  static constexpr uint32_t kAlone = 0;  // a lane of its own; groups count from 1
  static constexpr uint32_t kNone = UINT32_MAX;

  // kNone if nothing was chosen for this counter.
  uint32_t group_of(std::string_view name) const;
  // How many more counters can be chosen for, and whether one of this name can be.
  uint32_t room() const { return kMost - count_; }
  static bool takes(std::string_view name);
  // False if there is no room, or if the name is too long.
  bool set(std::string_view name, uint32_t group);
  // All counters of one group go into another.
  void join(uint32_t group, uint32_t into);
  uint32_t free_group() const;

  // As lines `counter=GROUP,NAME` of the settings; what stands behind the "=" is read back.
  void write(TextWriter* text) const;
  bool read(std::string_view value);

 private:
  struct Choice {
    char name[64] = {};
    uint32_t group = 0;
  };

  Choice choices_[kMost];
  uint32_t count_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COUNTER_CHOICES_H
