// SPDX-License-Identifier: MIT
#include "pages/locks/locks_page.h"

#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/pages.h"

namespace flamelet::ui {

namespace {

constexpr float kLeastLockNamePx = 160;
constexpr TableColumn kLockColumns[] = {{FLAMELET_WAITS_COUNT, "waits", "0,000,000", 2},
                                        {FLAMELET_WAITS_THREADS, "threads", "000,000", 3},
                                        {FLAMELET_WAITS_TOTAL, "total", "0000.00 ms", 0},
                                        {FLAMELET_WAITS_LONGEST, "longest", "000.00 ms", 1}};
constexpr uint32_t kLockColumnCount = sizeof kLockColumns / sizeof kLockColumns[0];

// "job queue  lock, convoy of 4 threads   Loader in Compact log 12 ms": the name, the kind, who held it.
void draw_lock_name(Content& content, const Frame& frame, Canvas& canvas, const TableLayout& layout,
                    const flamelet_lock_waits& row, float text_y) {
  const ScopeStyle& style = content.styles.of({row.site, row.name});
  const float right = layout.name_right - scaled(frame, 10);
  flamelet_site_info site;
  flamelet_capture_site(content.capture, row.site, &site);
  FixedText<64> kind;
  if (row.is_convoy)
    kind.add("convoy of ").add_unsigned(row.threads).add(" threads");
  else
    kind.add(view_of(site.name));
  FixedText<320> holder;
  if (row.holder != 0)
    holder.add(view_of(flamelet_capture_string(content.capture, row.holder))).add(' ').add_time(row.holder_ns);
  const float gap = scaled(frame, 12);
  float x = layout.left + draw_swatch(frame, canvas, layout.left, text_y, style.fill) + scaled(frame, 7);
  // The kind gives way to the holder, and both to half of the name.
  const bool is_held = row.holder != 0;
  const float room = right - x, others = canvas.width(kind.view()) + canvas.width(holder.view()) + 2 * gap;
  x += canvas.text_fit(x, text_y, is_held ? std::max(room - others, room / 2) : room,
                       row.is_convoy ? color::kFrameOver : color::kText, style.name) +
       gap;
  const float kind_room = right - x - (is_held ? canvas.width(holder.view()) + gap : 0);
  const float kind_width = canvas.text_fit(x, text_y, kind_room, color::kTextDim, kind.view());
  if (kind_width > 0) x += kind_width + gap;
  canvas.text_fit(x, text_y, right - x, color::kInstant, holder.view());
}

void draw_lock_row(Content& content, const Frame& frame, const LocksPage& page, Canvas& canvas,
                   const TableLayout& layout, uint32_t i, float y) {
  const flamelet_lock_waits& row = page.row(i);
  const float text_y = y + scaled(frame, 2);
  draw_lock_name(content, frame, canvas, layout, row, text_y);
  draw_cells(canvas, layout, text_y, [&](uint32_t column, TextWriter& text, Rgb&) {
    const auto id = static_cast<flamelet_waits_column>(kLockColumns[column].id);
    const int64_t value = flamelet_waits_value(&row, id);
    if (id == FLAMELET_WAITS_TOTAL || id == FLAMELET_WAITS_LONGEST)
      text.add_time(value);
    else
      text.add_grouped(static_cast<uint64_t>(value));
  });
}

// The longest wait, on the lanes.
void show_longest(PageContext& o, const flamelet_lock_waits& row) {
  const TimeWindow times = {row.longest_begin_ns, row.longest_begin_ns + row.longest_ns};
  if (!go_to_span(o, o, row.longest_lane, times, row.name)) return;
  zoom_to_selection(o, o);
  o.pages.open("lanes");
}

void show_lock_rows(PageContext& o, const LocksPage& page, const TableLayout& layout, ImVec2 at, float width,
                    float height) {
  ImGui::SetCursorScreenPos(at);
  o.notes.note_place("lock_rows", at.x, at.y);
  const auto is_scope = [&](uint32_t i) { return o.selection.scope.is({page.row(i).site, page.row(i).name}); };
  // A lock has a row for each of its convoys: the keys choose one.
  const uint32_t by_key = o.rows.row;
  const bool one = by_key < page.order.count && is_scope(by_key);
  const auto chosen = [&](uint32_t i) { return one ? i == by_key : is_scope(i); };
  const uint32_t hovered = scrolling_rows(
      o, "##locks", width, height, page.order.count,
      o.timeline.shown().valid ? "no thread waited for a lock that is recorded in the shown frames"
                               : "no thread waited for a lock that is recorded",
      [&](Canvas& canvas, uint32_t i, float y) { draw_lock_row(o, o, page, canvas, layout, i, y); }, chosen);
  if (hovered >= page.order.count) return;
  const flamelet_lock_waits& lock = page.row(hovered);
  if (o.rows.chosen)
    o.selection.select_scope({{lock.site, lock.name}, 0, false});
  else if (o.rows.opened || ImGui::IsMouseClicked(0))
    show_longest(o, lock);
}

}  // namespace

void LocksPage::carve(Carver* carver, const OverlayConfig& config) {
  const uint32_t max_locks = std::max(config.max_scopes / 64, 8u), max_waits = 16 * max_locks;
  carver->take(&rows, 2 * max_locks);
  carver->take(&order, 2 * max_locks);
  const size_t bytes = flamelet_waits_memory_required(max_locks, max_waits);
  void* memory = carver->take_bytes(bytes, alignof(uint64_t));
  if (memory != nullptr) flamelet_waits_create(max_locks, max_waits, memory, bytes, &waits);
}

void LocksPage::reset(PageContext&) {
  rows.clear();
  order.clear();
  summary = {};
  range = {};
  refresh = {};
  is_reading = false;
}

bool LocksPage::reading(const PageContext& o) const {
  return is_reading && o.pages.shows("locks");
}

void LocksPage::read(Content& content, const Choice& choice) {
  const TimeWindow wanted = wanted_range(content, choice, false);
  const uint64_t version = flamelet_capture_version(content.capture);
  const double now_s = ImGui::GetTime();
  const bool begin = refresh.due(wanted != range, version, content.timeline.paused(), is_reading, now_s,
                                 content.timeline.shown().valid);
  if (!begin && !is_reading) return;
  const CaptureTime time(content.numbers);
  Array<flamelet_span>& scratch = content.statistics.scratch();
  if (begin) {
    range = wanted;
    refresh.begin(version, now_s);
    flamelet_waits_begin(waits, content.capture, range.begin_ns, range.end_ns);
  }
  // Live, the capture has changed in the next frame: what is not read in this one is dropped, and the rows before it stay.
  constexpr uint32_t kLiveSteps = 32;
  const bool is_live = !content.timeline.paused();
  is_reading = version == refresh.version;
  for (uint32_t steps = is_live ? kLiveSteps : 1; is_reading && steps != 0; --steps)
    if (flamelet_waits_step(waits, scratch.data, scratch.capacity, Refresh::kZonesPerFrame)) return show_rows(content);
  is_reading = is_reading && !is_live;
}

void LocksPage::show_rows(const Content& content) {
  is_reading = false;
  summary = flamelet_waits_result(waits);
  rows.clear();
  for (size_t i = 0; i < summary.row_count; ++i) rows.push(summary.rows[i]);
  sort_rows(content.capture);
}

void LocksPage::sort_rows(const flamelet_capture* capture) {
  order.count = rows.count;
  flamelet_waits_sort(rows.data, rows.count, static_cast<flamelet_waits_column>(sort.column), sort.descending, capture,
                      order.data);
}

void LocksPage::draw(PageContext& o, float height) {
  read(o, o);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float header = table_header_height(o);
  if (height >= header + row_height(o)) {
    const TableLayout layout = layout_table(o, kLockColumns, kLockColumnCount, at.x, width, kLeastLockNamePx);
    FixedText<64> title;
    title.add("lock, and who held it");
    if (summary.left_out_count != 0) title.add(" (no room for ").add_grouped(summary.left_out_count).add(" waits)");
    if (show_table_header(o, layout, at, width, FLAMELET_WAITS_NAME, title.c_str(), &sort)) sort_rows(o.capture);
    show_lock_rows(o, *this, layout, ImVec2(at.x, at.y + header), width, height - header);
  }
}

void LocksPage::write_state(const PageContext& o, JsonObject* json) const {
  json->add("locks", uint64_t{summary.lock_count});
  json->add("convoys", uint64_t{summary.row_count - summary.lock_count});
  json->add("lock_waits", summary.wait_count);
  json->add("lock_waits_left_out", summary.left_out_count);
  json->add("lock_column", uint64_t{sort.column});
  json->add("lock_first", order.count == 0 ? "" : view_of(flamelet_capture_string(o.capture, row(0).name)));
}

}  // namespace flamelet::ui
