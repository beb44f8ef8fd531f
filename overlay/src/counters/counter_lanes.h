// SPDX-License-Identifier: MIT
//
// counter_lanes.h: the lanes of counters on the page Lanes, and their newest values for who shows them elsewhere.
#ifndef FLAMELET_OVERLAY_SRC_COUNTER_LANES_H
#define FLAMELET_OVERLAY_SRC_COUNTER_LANES_H

#include <string_view>

#include "counters/counter_table.h"
#include "draw/theme.h"

namespace flamelet::ui {

struct Frame;
struct DrawContext;
struct Content;
class Canvas;
class JsonObject;
struct Lane;

struct LanesPage;

// The lines of the lanes in sight. They are laid out anew only when one of these has changed.
struct CounterCanvas {
  struct Key {
    View view;
    uint64_t series = 0;
    uint32_t counters = 0;
    uint32_t lanes = 0;
    uint32_t most_columns = 0;
    float width = 0;

    bool operator==(const Key& other) const {
      return view == other.view && series == other.series && counters == other.counters && lanes == other.lanes &&
             most_columns == other.most_columns && width == other.width;
    }
  };

  Array<CounterColumn> columns;
  Array<CounterLine> lines;
  Key key;
  uint32_t level = 0;
  // What the colours depend on.
  struct ColorKey {
    uint32_t counters = 0;
    uint64_t lanes = 0;
    const Rgb* scopes = nullptr;
    Rgb canvas = 0;

    bool operator==(const ColorKey& other) const {
      return counters == other.counters && lanes == other.lanes && scopes == other.scopes && canvas == other.canvas;
    }
  };
  Array<Rgb> colors;  // by counter
  ColorKey colored;

  void carve(Carver* carver, uint32_t max_counters);
  void clear();
};

// How many rows the lane takes: those whose lines are flat in view have no range.
uint32_t counter_lane_rows(const Content& content, const Lane& lane);
// The lines of all lanes of counters in sight, after all blocks were drawn: they take what those left of the draw list.
// `x` and `y` are where the content begins.
void lay_out_counter_lanes(Content& content, const Frame& frame, LanesPage& page, const Canvas& canvas, float y,
                           float clip_top, float clip_bottom);
// Those that stay at the top, or those that scroll.
void draw_counter_lanes(const Content& content, const Frame& frame, LanesPage& page, Canvas& canvas, float x, float y,
                        float clip_top, float clip_bottom, bool stays);
// Over the lane's canvas, and over its label.
void show_counter_tooltip(const Content& content, const Frame& frame, LanesPage& page, const Lane& lane);
void show_counter_label_tooltip(const Content& content, const Frame& frame, LanesPage& page, const Lane& lane);
// Items of the lane's menu.
void show_counter_menu(DrawContext& o, const Lane& lane);
void write_counters_state(const Content& content, const LanesPage& page, JsonObject* json);

// ---- Newest values ---------------------------------------------------------------------------------------------------
// Known in every mode but off. While live they are at most a tenth of a second old.

struct CounterReading {
  std::string_view name;  // with its unit; valid in this frame
  std::string_view unit;  // a part of the name; may be empty
  double value = 0;       // add_counter_value() writes it
  int64_t time_ns = 0;
  bool is_off = false;  // is_switched_off(): the value is an old one
};
uint32_t counter_count(const Content& content);
// By number, in the order in which counters were met. False if it has no value yet.
bool read_counter(const Content& content, uint32_t counter, CounterReading* reading);
// The colour of its line.
Rgb counter_color(const Content& content, const LanesPage& page, uint32_t counter);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_COUNTER_LANES_H
