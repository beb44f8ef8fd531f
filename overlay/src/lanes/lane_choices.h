// SPDX-License-Identifier: MIT
//
// lane_choices.h: what the user chose for lanes: their order, which are hidden or pinned to the top, their colours. By
// name, so that it holds for the next run of the program.
#ifndef FLAMELET_OVERLAY_SRC_LANE_CHOICES_H
#define FLAMELET_OVERLAY_SRC_LANE_CHOICES_H

#include "draw/text.h"
#include "lanes/span_store.h"

namespace flamelet::ui {

struct LaneChoice {
  char name[64] = {};
  uint16_t order = 0;  // from 1 on; 0 = behind those that have one, where the recorder met it
  uint8_t color = 0;   // from 1 on; 0 = the colour of its kind
  bool hidden = false;
  bool pinned = false;
};

class LaneChoices {
 public:
  static constexpr uint32_t kMost = 128;
  static constexpr uint8_t kColors = 8;

  // Puts the lanes in order, and tells each what was chosen for it. Allocates nothing.
  void arrange(Array<Lane>* lanes) const;
  const LaneChoice* find(std::string_view name) const;
  // To be changed. NULL if the name is too long, or if there are kMost others.
  LaneChoice* of(std::string_view name);
  // Changes places with the nearest shown lane of another name above (-1) or below (+1), and arranges them. False if there
  // is none, or no room for what was chosen.
  bool move(Array<Lane>* lanes, uint32_t lane, int by);
  uint32_t hidden_count() const;
  void show_all();

  // As lines `lane=ORDER,FLAGS,COLOUR,NAME` of the settings; what stands behind the "=" is read back.
  void write(TextWriter* text) const;
  bool read(std::string_view value);
  void clear() { count_ = 0; }

 private:
  LaneChoice choices_[kMost];
  uint32_t count_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_LANE_CHOICES_H
