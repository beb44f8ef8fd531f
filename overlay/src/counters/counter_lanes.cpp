// SPDX-License-Identifier: MIT
//
// What the user asks of counters: tooltips, the menu, newest values.
#include "counters/counter_lanes.h"

#include <algorithm>

#include "draw/widgets.h"
#include "imgui.h"
#include "lanes/lane_parts.h"
#include "shell/json.h"
#include "shell/menu.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

namespace {

constexpr uint32_t kMostListedCounters = 12;  // counters in a tooltip

void dim_line(std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kTextDim));
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopStyleColor();
}

const CounterLine* find_line(const LanesPage& page, uint32_t counter) {
  for (const CounterLine& line : page.counters.lines)
    if (line.counter == counter) return &line;
  return nullptr;
}

// The values of the column under the mouse, if they are several.
void here_row(const Content& content, const LanesPage& page, const Counter& counter, uint32_t number, float column) {
  const uint32_t level = std::max(page.counters.level, content.series.bins().level());
  const int64_t at = page.mouse.hover.time_ns >> level;
  const CounterBinRange bins = content.series.bins().bins(number, level);
  const CounterBin* bin = std::partition_point(bins.begin(), bins.end(),
                                               [&](const CounterBin& other) { return other.first_ns >> level < at; });
  if (bin == bins.end() || bin->first_ns >> level != at) return;
  CounterBin all = *bin;
  for (++bin; bin != bins.end() && bin->first_ns >> level == at; ++bin) all.merge(*bin);
  if (all.count < 2) return;
  FixedText<128> text;
  add_counter_value(&text, all.min);
  text.add(" to ");
  add_counter_value(&text, all.max, counter.unit);
  text.add(" in ").add_grouped(all.count).add(" values");
  tooltip_row("just here", text.view(), column);
}

void counter_rows(Overlay& o, LanesPage& page, uint32_t number, float column) {
  const Counter& counter = o.points.counters()[number];
  name_line(o, counter.text, counter_color(o, page, number));
  FixedText<128> text;
  const HeldValue value = o.series.value_at(number, page.mouse.hover.time_ns);
  if (value.known)
    add_counter_value(&text, value.value, counter.unit);
  else
    text.add("no value yet");
  tooltip_row("at the cursor", text.view(), column);
  here_row(o, page, counter, number, column);
  const CounterLine* line = find_line(page, number);
  if (line == nullptr || line->count == 0) return;
  text.clear();
  add_counter_value(&text, line->min);
  text.add(" to ");
  add_counter_value(&text, line->max, counter.unit);
  tooltip_row("in view", text.view(), column);
  text.clear();
  text.add_grouped(line->values_drawn + line->values_merged);
  tooltip_row("values", text.view(), column);
}

}  // namespace

void show_counter_tooltip(Overlay& o, LanesPage& page, const Lane& lane) {
  const float column = text_width(o.metrics, "at the cursor") + scaled(o, 18);
  uint32_t listed = 0;
  for (uint32_t i = 0; i < o.points.counters().count(); ++i) {
    if (o.points.counters()[i].lane != lane.counter || listed == kMostListedCounters) continue;
    if (listed++ != 0) ImGui::Dummy(ImVec2(0, scaled(o, 3)));
    counter_rows(o, page, i, column);
  }
  const uint32_t size = o.points.counters().lane_size(lane.counter);
  if (size <= kMostListedCounters) return;
  FixedText<48> text;
  text.add("and ").add_unsigned(size - kMostListedCounters).add(" more");
  dim_line(text.view());
}

void show_counter_label_tooltip(Overlay& o, LanesPage& page, const Lane& lane) {
  const float column = text_width(o.metrics, "newest") + scaled(o, 18);
  for (uint32_t i = 0; i < o.points.counters().count(); ++i) {
    const Counter& counter = o.points.counters()[i];
    if (counter.lane != lane.counter) continue;
    name_line(o, counter.text, counter_color(o, page, i));
    if (counter.last_ns == INT64_MIN) continue;
    FixedText<128> text;
    add_counter_value(&text, counter.last, counter.unit);
    tooltip_row("newest", text.view(), column);
  }
  dim_line("Right click: merge lanes, or take them apart.");
}

void show_counter_menu(Overlay& o, const Lane& lane) {
  CounterTable& counters = o.points.counters();
  const Lane* above = nullptr;
  for (const Lane* other = o.store.lanes().begin(); other != &lane; ++other)
    if (other->content == LaneContent::kCounters && other->height > 0) above = other;
  if (above != nullptr && menu_item(o, "On one axis with the lane above", nullptr, false,
                                    counters.can_choose(lane.counter, above->counter)))
    o.settings.changed |= counters.merge_lanes(lane.counter, above->counter);
  if (counters.lane_size(lane.counter) > 1 &&
      menu_item(o, "A lane for each counter", nullptr, false, counters.can_choose(lane.counter, lane.counter)))
    o.settings.changed |= counters.part_lane(lane.counter);
}

void write_counters_state(const Content& content, const LanesPage& page, JsonObject* json) {
  JsonList list = json->add_list("counter_list");
  for (const CounterLine& line : page.counters.lines) {
    const Counter& counter = content.points.counters()[line.counter];
    JsonObject item = list.add_object();
    item.add("counter", counter.text);
    item.add("counter_unit", counter.unit);
    item.add("counter_lane", content.points.counters()[counter.lane].text);
    item.add("values_drawn", line.values_drawn);
    item.add("values_merged", line.values_merged);
    item.add_number("counter_min", line.min);
    item.add_number("counter_max", line.max);
    item.add_number("counter_last", counter.last);
    item.close();
  }
  list.close();
  json->add("counters", content.points.counters().count());
  json->add("counter_columns", page.counters.columns.count);
  json->add("counters_left_out", content.points.counters().left_out());
  json->add("counter_values_left_out", content.series.bins().left_out());
  json->add("counter_values_not_finite", content.series.bins().not_finite());
}

uint32_t counter_count(const Content& content) {
  return content.points.counters().count();
}

bool read_counter(const Content& content, uint32_t counter, CounterReading* reading) {
  if (counter >= counter_count(content) || content.points.counters()[counter].last_ns == INT64_MIN) return false;
  const Counter& from = content.points.counters()[counter];
  *reading = {from.text, from.unit, from.last, from.last_ns};
  return true;
}

bool find_counter(const Content& content, std::string_view name, CounterReading* reading) {
  for (uint32_t i = 0; i < counter_count(content); ++i)
    if (content.points.counters()[i].text == name) return read_counter(content, i, reading);
  return false;
}

}  // namespace flamelet::ui
