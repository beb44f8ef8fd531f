// SPDX-License-Identifier: MIT
#include "counters/counter_lanes.h"

#include <math.h>
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "flamelet/detail/hash.h"
#include "imgui.h"
#include "lanes/lanes_page.h"
#include "pages/pages.h"

namespace flamelet::ui {

// What the user asks of counters: tooltips, the menu, newest values.

namespace {

constexpr uint32_t kMostListedCounters = 12;  // counters in a tooltip
constexpr uint32_t kCounterRows = 5;          // of one in it, at most

// How many counters with so many rows each, of those of a lane, have room in a tooltip.
uint32_t listed_counters(const Frame& frame, uint32_t counters, uint32_t rows) {
  const float row = ImGui::GetTextLineHeightWithSpacing() + scaled(frame, 3) / static_cast<float>(rows);
  const float room = ImGui::GetMainViewport()->WorkSize.y / row - 3;  // beside what stands below them
  const uint32_t most = std::max(static_cast<uint32_t>(std::max(room, 0.0f)) / rows, 1u);
  return std::min({counters, most, kMostListedCounters});
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
  tooltip_row("just here", text.add(" in ").add_grouped(all.count).add(" values"), column);
}

void and_more(uint32_t left_out) {
  if (left_out == 0) return;
  FixedText<48> text;
  colored_text(color::kTextDim, text.add("and ").add_unsigned(left_out).add(" more").view());
}

void counter_rows(const Content& content, const Frame& frame, LanesPage& page, uint32_t number, float column,
                  bool brief) {
  const Counter& counter = content.points.counters()[number];
  name_line(frame, counter.text, counter_color(content, page, number));
  FixedText<128> text;
  const HeldValue value = content.series.value_at(number, page.mouse.hover.time_ns);
  if (value.known())
    add_counter_value(&text, value.value, counter.unit);
  else
    text.add("no value yet");
  tooltip_row("at the cursor", text, column);
  if (brief) return;
  here_row(content, page, counter, number, column);
  const CounterLine* line = find_line(page, number);
  if (line == nullptr || line->min > line->max) return;
  add_counter_value(&text, line->min);
  text.add(" to ");
  add_counter_value(&text, line->max, counter.unit);
  tooltip_row("in view", text, column);
  tooltip_row("values", text.add_grouped(line->values_drawn + line->values_merged), column);
}

// Lanes of counters: their labels with the values at the cursor, and their lines.

constexpr float kColumnPx = 3;           // columns are at most so wide, where there is room
constexpr uint32_t kMostColumns = 6000;  // of two rectangles at most
constexpr float kLeastLineContrast = 3;
constexpr uint32_t kColorStep = 7;   // prime to the number of colours, so that each is tried
constexpr uint32_t kLeastRows = 3;   // name, value, range
constexpr uint32_t kMostLabels = 8;  // counters of one lane that its label lists

// Vertices of a draw list with indices of 16 bits, without those of what is drawn over the lanes.
constexpr int kMostCounterVertices = 65535 - 3072;

struct PlotArea {
  float left, right;
  float top, bottom;  // of the lane
  float line;         // thickness
  float line_end;     // from the left edge: where nothing more is known

  float y(const CounterAxis& axis, double value) const {
    const float room = bottom - top - line - 2;
    return whole(bottom - line - 1 - axis.place(value) * room);
  }
};

bool in_sight(const Lane& lane, float y, float clip_top, float clip_bottom) {
  return lane.content == LaneContent::kCounters && lane.height > 0 && y + lane.y < clip_bottom &&
         y + lane.y + lane.height > std::max(clip_top, y + lane.covered_to);
}

// Where nothing more is known: at the newest time of the capture.
float line_end(const Content& content, const LanesPage& page) {
  TimeWindow extent;
  if (!flamelet_capture_extent(content.capture, &extent.begin_ns, &extent.end_ns)) return 0;
  const double width = static_cast<double>(page.canvas.width);
  return static_cast<float>(
      std::min(std::max(x_at(content.timeline.view(), static_cast<double>(extent.end_ns), width), 0.0), width));
}

// While live the range only grows, so that the line does not jump.
void fit_axis(const Content& content, Lane* lane, double min, double max) {
  const CounterAxis fitted = counter_axis(min, max);
  const bool grows = !content.timeline.paused() && !content.compact_lanes && lane->axis_known && !lane->axis.flat;
  if (grows) {
    lane->axis.low = std::min(lane->axis.low, fitted.flat ? min : fitted.low);
    lane->axis.high = std::max(lane->axis.high, fitted.flat ? max : fitted.high);
  } else {
    lane->axis = fitted;
  }
  lane->axis_known = true;
}

void fit_axes(Content& content, const CounterCanvas& lines, float y, float clip_top, float clip_bottom) {
  for (Lane& lane : content.store.lanes()) {
    if (!in_sight(lane, y, clip_top, clip_bottom)) continue;
    double min = 0, max = 0;
    bool any = false;
    for (const CounterLine& line : lines.lines) {
      if (content.points.counters()[line.counter].lane != lane.counter || line.min > line.max) continue;
      min = any ? std::min(min, line.min) : line.min;
      max = any ? std::max(max, line.max) : line.max;
      any = true;
    }
    if (any)
      fit_axis(content, &lane, min, max);
    else
      lane.axis.flat = true;  // no value, no range
  }
}

// Finds the columns of all lanes in sight; fewer and wider ones if there are too many.
void lay_out(Content& content, const Frame& frame, LanesPage& page, const Canvas& canvas, float y, float clip_top,
             float clip_bottom) {
  CounterCanvas& lines = page.counters;
  const int room = std::max(kMostCounterVertices - canvas.list()->VtxBuffer.Size, 0) / 8;
  CounterCanvas::Key key;
  key.view = content.timeline.view();
  key.series = content.series.generation();
  key.counters = content.points.counters().version();
  key.width = page.canvas.width;
  key.most_columns = std::min(kMostColumns, static_cast<uint32_t>(room) / 64 * 64);
  key.lanes = 1;
  for (const Lane& lane : content.store.lanes())
    if (in_sight(lane, y, clip_top, clip_bottom)) key.lanes = key.lanes * 31 + lane.id;
  if (key == lines.key) return;
  lines.key = key;
  lines.level = counter_level(key.view, key.width, kColumnPx * frame.unit);
  const auto for_each_counter = [&](auto visit) {
    for (const Lane& lane : content.store.lanes()) {
      if (!in_sight(lane, y, clip_top, clip_bottom)) continue;
      for (uint32_t counter = 0; counter < content.points.counters().count(); ++counter)
        if (content.points.counters()[counter].lane == lane.counter) visit(counter);
    }
  };
  for (; lines.level < 62; ++lines.level) {
    uint64_t columns = 0;
    for_each_counter(
        [&](uint32_t counter) { columns += most_columns(content.series, counter, key.view, lines.level); });
    if (columns <= key.most_columns) break;
  }
  lines.columns.clear();
  lines.lines.clear();
  for_each_counter([&](uint32_t counter) {
    CounterLine line;
    lay_out_counter(content.series, counter, key.view, key.width, lines.level, &lines.columns, &line);
    lines.lines.push(line);
  });
  fit_axes(content, lines, y, clip_top, clip_bottom);
}

void draw_line(const Frame& frame, const LanesPage& page, Canvas& canvas, const CounterLine& line,
               const PlotArea& place, const CounterAxis& axis) {
  if (line.count == 0) return;
  const CounterColumn* columns = page.counters.columns.data + line.first;
  const ImU32 fill = pack(page.counters.colors[line.counter]);
  const float end = std::max(place.line_end, columns[line.count - 1].x1);
  const float near = kColumnPx * frame.unit;
  uint32_t rects = 0;
  const auto draw = [&](float x0, float x1, double high, double low) {
    canvas.reserved_rect(place.left + x0, place.y(axis, high), place.left + x1, place.y(axis, low) + place.line, fill);
    ++rects;
  };
  canvas.reserve(line.count * 2);
  for (uint32_t i = 0; i < line.count; ++i) {
    const CounterColumn& column = columns[i];
    if (column.min > column.max) continue;
    const double before = i != 0 && isfinite(columns[i - 1].last) ? columns[i - 1].last : column.min;
    const double low = std::min(column.min, before), high = std::max(column.max, before);
    const float next = i + 1 < line.count ? columns[i + 1].x0 : end;
    const bool ends = !isfinite(column.last);
    const bool holds = !ends && next - column.x1 > near;
    if (!(holds && low == high))
      draw(column.x0, std::max(holds || ends ? column.x1 : next, column.x0 + place.line), high, low);
    if (holds) draw(low == high ? column.x0 : column.x1, next, column.last, column.last);
  }
  canvas.unreserve(line.count * 2 - rects);
}

Rgb readable(Rgb color) {
  while (contrast(color, color::kCanvas) < kLeastLineContrast) color = mix(color, color::kText, 0.2f);
  return color;
}

// Colours of the theme, by their places, that are taken.
using TakenColors = uint32_t;
static_assert(kScopeColorCount <= 32, "a bit for each");

// Its name's colour, or the next one that is not taken. All are taken: its name's.
Rgb find_color(const Content& content, std::string_view name, TakenColors taken, TakenColors* own) {
  const Rgb named = content.styles.colors().of(name);
  uint32_t first = 0;
  while (first + 1 < kScopeColorCount && theme().scopes[first] != named) ++first;
  for (uint32_t i = 0; i < kScopeColorCount; ++i) {
    const uint32_t place = (first + i * kColorStep) % kScopeColorCount;
    if ((taken >> place & 1) != 0) continue;
    *own |= 1u << place;
    return readable(theme().scopes[place]);
  }
  return readable(named);
}

uint64_t hash_lanes(const Content& content) {
  uint64_t hash = kFnvStart;
  for (const Lane& lane : content.store.lanes())
    if (lane.content == LaneContent::kCounters && lane.height > 0)
      hash = fnv_next(hash, uint64_t{lane.counter} << 8 | lane.color);
  return hash;
}

// Counters of one lane differ, and from those of the lane above. Anew when the lanes or the theme have changed.
void find_colors(Content& content, LanesPage& page) {
  CounterCanvas& lines = page.counters;
  const CounterTable& counters = content.points.counters();
  const CounterCanvas::ColorKey key = {counters.version(), hash_lanes(content), theme().scopes, Rgb{color::kCanvas}};
  if (lines.colors.count == counters.count() && lines.colored == key) return;
  lines.colored = key;
  lines.colors.clear();
  for (uint32_t i = 0; i < counters.count(); ++i)
    lines.colors.push(readable(content.styles.colors().of(counters[i].text)));
  TakenColors above = 0;
  for (const Lane& lane : content.store.lanes()) {
    if (lane.content != LaneContent::kCounters || !(lane.height > 0)) continue;
    TakenColors own = 0;
    for (uint32_t i = lane.counter; i < counters.count(); ++i)
      if (counters[i].lane == lane.counter) lines.colors[i] = find_color(content, counters[i].text, above | own, &own);
    if (lane.color != 0) lines.colors[lane.counter] = readable(lane_color(lane.color));
    above = own;
  }
}

// The time of the values in the labels: under the mouse, or else the end of the view.
int64_t label_time(const Content& content, const LanesPage& page) {
  const bool over = page.mouse.hover.canvas && ImGui::GetIO().MousePos.x >= page.canvas.x;
  return over ? page.mouse.hover.time_ns : window_of(content.timeline.view()).end_ns - 1;
}

// In this width, if it can be; with fewer digits where it is narrow.
void add_value(const Content& content, const LanesPage& page, const Canvas& canvas, uint32_t counter, float width,
               TextWriter* text) {
  if (is_switched_off(content, content.points.counters()[counter].site)) {
    text->add("off");
    return;
  }
  const HeldValue value = content.series.value_at(counter, label_time(content, page));
  if (value.known())
    add_counter_value(text, value.value);
  else
    text->add('-');
  if (!value.known() || canvas.width(text->view()) <= width) return;
  text->clear();
  add_short_value(text, value.value, 1);
}

// What the height of the lane stands for; nothing for lines that are flat.
void add_range(const CounterAxis& axis, const Canvas& canvas, float width, TextWriter* text) {
  if (axis.flat) return;
  for (const int decimals : {2, 1, 0}) {
    const auto add = [&](double value) {
      decimals == 2 ? add_counter_value(text, value) : add_short_value(text, value, decimals);
    };
    text->clear();
    add(axis.low);
    text->add(" to ");
    add(axis.high);
    if (canvas.width(text->view()) <= width) return;
  }
}

// A name, and a value at the right edge, which comes first where there is no room for both.
void draw_label_row(const Frame& frame, Canvas& canvas, float x, float right, float y, std::string_view name,
                    std::string_view value) {
  const float gap = scaled(frame, 6);
  const float value_x = right - canvas.width(value);
  canvas.text_fit(x, y, value_x - gap - x, color::kText, name);
  canvas.text(value_x, y, color::kTextMid, value);
}

bool is_one_row(const Frame& frame, const Lane& lane) {
  return !lane.folded && lane.height < 2 * row_height(frame);
}

// Of a flat line in one row: its value stands on it, so that the name has all of the label.
void draw_value_on_line(const Content& content, const Frame& frame, const LanesPage& page, Canvas& canvas,
                        const Lane& lane, const PlotArea& place) {
  FixedText<64> text;
  add_value(content, page, canvas, lane.counter, INFINITY, &text);
  const float x = place.left + scaled(frame, 8), gap = scaled(frame, 3);
  canvas.rect(x - gap, place.top, x + canvas.width(text.view()) + gap, place.bottom, color::kCanvas);
  canvas.text(x, place.top + scaled(frame, 1), color::kText, text.view());
}

void draw_label(const Content& content, const Frame& frame, LanesPage& page, Canvas& canvas, const Lane& lane, float x,
                float top) {
  const CounterTable& counters = content.points.counters();
  const uint32_t size = counters.lane_size(lane.counter);
  const float row = row_height(frame);
  const float text_x = x + scaled(frame, 21);
  const float right = x + gutter_width(frame) - scaled(frame, 6);
  float y = top + scaled(frame, 1);
  FixedText<64> text;
  draw_fold_arrow(frame, canvas, lane, x, top);
  if (size == 1) {
    add_value(content, page, canvas, lane.counter, (right - text_x) * (lane.folded ? 0.5f : 1), &text);
    if (lane.folded) return draw_label_row(frame, canvas, text_x, right, y, lane.name, text.view());
    canvas.text_fit(text_x, y, right - text_x, color::kText, lane.name);
    if (is_one_row(frame, lane)) return;
    canvas.text_fit(text_x, y + row, right - text_x, color::kText, text.view());
    text.clear();
    add_range(lane.axis, canvas, right - text_x, &text);
    canvas.text_fit(text_x, y + 2 * row, right - text_x, color::kTextDim, text.view());
    return;
  }
  text.add_unsigned(size).add(" counters");
  const std::string_view unit = counters[lane.counter].unit;
  if (!unit.empty()) text.add(" in ").add(unit);
  canvas.text_fit(text_x, y, right - text_x, color::kText, text.view());
  if (lane.folded) return;
  // In the last row for names is what finds no room in it.
  const uint32_t named = size > kMostLabels ? kMostLabels - 1 : size;
  uint32_t labels = 0;
  for (uint32_t i = 0; i < counters.count() && labels < named; ++i) {
    if (counters[i].lane != lane.counter) continue;
    ++labels;
    y += row;
    const float swatch = scaled(frame, 8);
    const float swatch_y = y + whole((frame.metrics.size - swatch) * 0.5f);
    canvas.rect(text_x - scaled(frame, 13), swatch_y, text_x - scaled(frame, 13) + swatch, swatch_y + swatch,
                counter_color(content, page, i));
    text.clear();
    add_value(content, page, canvas, i, (right - text_x) * 0.5f, &text);
    // The unit stands above.
    const std::string_view without = name_without_unit(counters[i].text, counters[i].unit);
    const bool is_said = counters[i].unit == unit && !without.empty();
    const std::string_view name = is_said ? without : counters[i].text;
    draw_label_row(frame, canvas, text_x, right, y, name, text.view());
  }
  text.clear();
  if (named < size) {
    y += row;
    text.add("and ").add_unsigned(size - named).add(" more");
    canvas.text_fit(text_x, y, right - text_x, color::kTextDim, text.view());
    text.clear();
  }
  if (y + 2 * row > top + lane.height + row * 0.5f) return;  // all are flat: the values say it
  add_range(lane.axis, canvas, right - text_x, &text);
  canvas.text_fit(text_x, y + row, right - text_x, color::kTextDim, text.view());
}

// Where the mouse is, on every line.
void draw_cursor(const Content& content, const Frame& frame, LanesPage& page, Canvas& canvas, const PlotArea& place,
                 const Lane& lane) {
  if (!page.mouse.hover.canvas || ImGui::GetIO().MousePos.x < page.canvas.x || page.mouse.drag.active()) return;
  const float x = whole(ImGui::GetIO().MousePos.x);
  canvas.rect(x, place.top, x + 1, place.bottom, color::kHover, 90);
  const float dot = scaled(frame, 2);
  for (const CounterLine& line : page.counters.lines) {
    if (content.points.counters()[line.counter].lane != lane.counter) continue;
    const HeldValue value = content.series.value_at(line.counter, page.mouse.hover.time_ns);
    if (!value.known() || !isfinite(value.value)) continue;
    const float y = place.y(lane.axis, std::min(std::max(value.value, lane.axis.low), lane.axis.high));
    canvas.rect(x - dot, y - dot, x + dot + 1, y + place.line + dot, counter_color(content, page, line.counter));
  }
}

}  // namespace

void show_counter_tooltip(const Content& content, const Frame& frame, LanesPage& page, const Lane& lane) {
  const float column = text_width(frame.metrics, "at the cursor") + scaled(frame, 18);
  const uint32_t size = content.points.counters().lane_size(lane.counter);
  const bool brief = listed_counters(frame, size, kCounterRows) < std::min(size, kMostListedCounters);
  const uint32_t most = listed_counters(frame, size, brief ? 2 : kCounterRows);
  uint32_t listed = 0;
  for (uint32_t i = 0; i < content.points.counters().count() && listed < most; ++i) {
    if (content.points.counters()[i].lane != lane.counter) continue;
    if (listed++ != 0) ImGui::Dummy(ImVec2(0, scaled(frame, 3)));
    counter_rows(content, frame, page, i, column, brief);
  }
  and_more(size - most);
}

void show_counter_label_tooltip(const Content& content, const Frame& frame, LanesPage& page, const Lane& lane) {
  // A file is read a bit in each frame; a running game is never far behind.
  const char* const newest = content.standing && content.points.reading() ? "newest so far" : "newest";
  const float column = text_width(frame.metrics, newest) + scaled(frame, 18);
  const uint32_t size = content.points.counters().lane_size(lane.counter);
  const uint32_t most = listed_counters(frame, size, 2);
  uint32_t listed = 0;
  for (uint32_t i = 0; i < content.points.counters().count() && listed < most; ++i) {
    const Counter& counter = content.points.counters()[i];
    if (counter.lane != lane.counter) continue;
    ++listed;
    name_line(frame, counter.text, counter_color(content, page, i));
    if (counter.last_ns == INT64_MIN) continue;
    FixedText<128> text;
    add_counter_value(&text, counter.last, counter.unit);
    tooltip_row(newest, text, column);
  }
  and_more(size - most);
  colored_text(color::kTextDim, "Right click: merge lanes, or take them apart.");
}

void show_counter_menu(DrawContext& o, const Lane& lane) {
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
  *reading = {from.text, from.unit, from.last, from.last_ns, is_switched_off(content, from.site)};
  return true;
}

void CounterCanvas::carve(Carver* carver, uint32_t max_counters) {
  carver->take(&columns, size_t{kMostColumns} + max_counters);
  carver->take(&lines, max_counters);
  carver->take(&colors, max_counters);
}

void CounterCanvas::clear() {
  columns.clear();
  lines.clear();
  colors.clear();
  key = Key();
}

uint32_t counter_lane_rows(const Content& content, const Lane& lane) {
  const CounterTable& counters = content.points.counters();
  const uint32_t size = counters.lane_size(lane.counter);
  const TimeWindow view = window_of(content.timeline.view());
  bool flat = true;
  for (uint32_t i = 0; flat && i < counters.count(); ++i)
    flat = counters[i].lane != lane.counter || content.series.is_flat(i, view);
  if (flat) return size == 1 ? 1 : std::min(size, kMostLabels) + 1;
  return size == 1 ? kLeastRows : std::min(size, kMostLabels) + 2;
}

Rgb counter_color(const Content& content, const LanesPage& page, uint32_t counter) {
  const Array<Rgb>& colors = page.counters.colors;
  return counter < colors.count ? colors[counter]
                                : readable(content.styles.colors().of(content.points.counters()[counter].text));
}

void lay_out_counter_lanes(Content& content, const Frame& frame, LanesPage& page, const Canvas& canvas, float y,
                           float clip_top, float clip_bottom) {
  lay_out(content, frame, page, canvas, y, clip_top, clip_bottom);
  if (!page.counters.lines.empty()) find_colors(content, page);
}

void draw_counter_lanes(const Content& content, const Frame& frame, LanesPage& page, Canvas& canvas, float x, float y,
                        float clip_top, float clip_bottom, bool stays) {
  const float end = line_end(content, page);
  for (const Lane& lane : content.store.lanes()) {
    if (lane.stays != stays || !in_sight(lane, y, clip_top, clip_bottom)) continue;
    const float top = y + lane.y;
    const PlotArea place = {
        page.canvas.x, page.canvas.x + page.canvas.width, top, top + lane.height - 1, scaled(frame, 1.5f), end};
    canvas.rect(x, top, x + scaled(frame, 3), place.bottom, counter_color(content, page, lane.counter));
    canvas.rect(place.left, place.bottom, place.right, place.bottom + 1, color::kGrid);
    draw_label(content, frame, page, canvas, lane, x, top);
    for (const CounterLine& line : page.counters.lines)
      if (content.points.counters()[line.counter].lane == lane.counter)
        draw_line(frame, page, canvas, line, place, lane.axis);
    if (is_one_row(frame, lane)) draw_value_on_line(content, frame, page, canvas, lane, place);
    draw_cursor(content, frame, page, canvas, place, lane);
  }
}

}  // namespace flamelet::ui
