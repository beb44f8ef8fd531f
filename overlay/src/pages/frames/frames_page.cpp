// SPDX-License-Identifier: MIT
#include "pages/frames/frames_page.h"

#include "bars/hitches.h"
#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"

namespace flamelet::ui {

namespace {

constexpr float kLeastFrameNamePx = 120;
constexpr TableColumn kFrameColumns[] = {{FramesPage::kTime, "time", "0000.00 ms", 0},
                                         {FramesPage::kAbove, "above median", "above median", 1},
                                         {FramesPage::kTimes, "times median", "times median", 2}};
constexpr uint32_t kFrameColumnCount = sizeof kFrameColumns / sizeof kFrameColumns[0];

std::string_view frame_flag(const Content& content, uint64_t index) {
  flamelet_frame_info frame;
  if (!flamelet_capture_frame(content.capture, flamelet_capture_find_frame(content.capture, index), &frame))
    return "no longer recorded";
  if ((frame.flags & FLAMELET_FRAME_LOSSY) != 0) return "events lost";
  if ((frame.flags & FLAMELET_FRAME_PARTIAL) != 0) return frame.index == 0 ? "start" : "recording switched";
  return {};
}

// "#1,234  events lost", and behind it the time as a length, with a line where the median frame ends.
void draw_frame_name(const Content& content, const Settings& settings, const Frame& frame, const FramesPage& page,
                     Canvas& canvas, const TableLayout& layout, const FramesPage::Row& row, float y) {
  const float text_y = y + scaled(frame, 2);
  const float right = layout.name_right - scaled(frame, 10);
  FixedText<32> number;
  number.add('#').add_grouped(row.index);
  float x = layout.left;
  canvas.text_fit(x, text_y, right - x, color::kText, number.view());
  x += std::max(canvas.width("#0,000,000"), canvas.width(number.view())) + scaled(frame, 8);
  const float flags_x = x + scaled(frame, 4);
  const float length = right - x;
  if (length > scaled(frame, 40) && page.longest_ns > 0) {
    const auto px = [&](int64_t ns) {
      const double share = static_cast<double>(ns) / static_cast<double>(page.longest_ns);
      return whole(static_cast<double>(length) * std::min(share, 1.0));
    };
    const float pad = scaled(frame, 3);
    canvas.rect(x, y + pad, x + px(row.duration_ns), y + row_height(frame) - pad,
                mix(verdict_color(frame_verdict(row.duration_ns, settings.budget_ns)), color::kCanvas, 0.5f));
    canvas.rect(x + px(page.median_ns), y, x + px(page.median_ns) + 1, y + row_height(frame), color::kTextDim);
  }
  canvas.text_fit(flags_x, text_y, right - flags_x, color::kText, frame_flag(content, row.index));
}

void draw_frame_row(const Content& content, const Settings& settings, const Frame& frame, const FramesPage& page,
                    Canvas& canvas, const TableLayout& layout, const FramesPage::Row& row, float y) {
  draw_frame_name(content, settings, frame, page, canvas, layout, row, y);
  const int64_t above_ns = row.duration_ns - page.median_ns;
  draw_cells(canvas, layout, y + scaled(frame, 2), [&](uint32_t i, TextWriter& text, Rgb& ink) {
    switch (static_cast<FramesPage::Column>(kFrameColumns[i].id)) {
      case FramesPage::kTime:
        text.add_time(row.duration_ns);
        ink = color::kText;
        break;
      case FramesPage::kAbove:
        text.add(above_ns > 0 ? "+" : "").add_time(above_ns);
        break;
      default:
        if (page.median_ns <= 0) return;
        text.add_fixed(static_cast<double>(row.duration_ns) / static_cast<double>(page.median_ns), 1).add('x');
    }
  });
}

void show_frame_rows(PageContext& o, FramesPage& page, const TableLayout& layout, ImVec2 at, float width,
                     float height) {
  ImGui::SetCursorScreenPos(at);
  o.notes.note_place("slow_frames", at.x, at.y);
  const FrameRange selected = o.timeline.paused() ? o.timeline.selected() : FrameRange();
  const char* empty = o.standing ? "no frames: flamelet view --frames-of NAME takes the calls of a scope for frames"
                                 : "no frames: no flamelet_frame() was called";
  const auto chosen = [&](uint32_t i) { return selected.contains(page.rows[i].index); };
  const auto draw = [&](Canvas& canvas, uint32_t i, float y) {
    draw_frame_row(o, o.settings, o, page, canvas, layout, page.rows[i], y);
  };
  const uint32_t row = scrolling_rows(o, "##frames", width, height, page.rows.count, empty, draw, chosen);
  page.held = row < page.rows.count;
  if (!page.held || (!row_chosen(o) && !row_opened(o))) return;
  page.gone = !show_frames(o, o, page.rows[row].index, page.rows[row].index);
  if (page.gone || !row_opened(o)) return;
  show_whole_frame(o);
  o.pages.open("lanes");
}

void write_title(const Content& content, const FramesPage& page, TextWriter* text) {
  text->add("frame");
  if (page.rows.empty()) return;
  if (page.known > page.rows.count) text->add(", the slowest ").add_grouped(page.rows.count);
  text->add(", of ").add_grouped(page.known);
  text->add("; median ").add_time(page.median_ns);
  if (page.gone)
    text->add("; that one is not in the recording any more");
  else if (page.held && !content.timeline.paused())
    text->add("; held while the mouse is here");
}

}  // namespace

void FramesPage::reset(PageContext&) {
  rows.clear();
  median_ns = longest_ns = 0;
  refresh = {};
  gone = false;
}

void FramesPage::read(const Content& content) {
  const uint64_t version = flamelet_capture_version(content.capture);
  const double now_s = ImGui::GetTime();
  const bool paused = content.timeline.paused();
  if ((held && !paused && !rows.empty()) || !refresh.due(false, version, paused, false, now_s)) return;
  refresh.begin(version, now_s);
  rows.clear();
  longest_ns = 0;
  known = 0;
  const auto slower = [](const Row& a, const Row& b) { return a.duration_ns > b.duration_ns; };
  flamelet_frame_info frame;
  const size_t first = has_start(content.capture) ? 1 : 0;
  for (size_t i = flamelet_capture_frame_count(content.capture); i-- > first;) {
    if (!flamelet_capture_frame(content.capture, i, &frame) || (frame.flags & FLAMELET_FRAME_CLOCK_JUMPED) != 0)
      continue;
    const Row row = {frame.index, frame.end_ns - frame.begin_ns};
    if ((frame.flags & FLAMELET_FRAME_PARTIAL) == 0) longest_ns = std::max(longest_ns, row.duration_ns);
    ++known;
    if (rows.push(row)) continue;
    // The fastest of a full list, which is a heap from here on, gives its place to a slower one.
    if (known == rows.count + 1) std::make_heap(rows.begin(), rows.end(), slower);
    if (!slower(row, rows[0])) continue;
    std::pop_heap(rows.begin(), rows.end(), slower);
    rows[rows.count - 1] = row;
    std::push_heap(rows.begin(), rows.end(), slower);
  }
  // What is not in the list is faster. The median of very many frames is among that; that of the newest stands for it.
  const uint64_t not_listed = known - rows.count, rank = known != 0 ? (known - 1) / 2 : 0;
  if (!rows.empty() && rank >= not_listed) {
    Row* middle = rows.begin() + (rank - not_listed);
    std::nth_element(rows.begin(), middle, rows.end(), [&](const Row& a, const Row& b) { return slower(b, a); });
    median_ns = middle->duration_ns;
  } else if (!rows.empty()) {
    median_ns = content.numbers.frame_times.median_ns;
  }
  sort_rows();
}

void FramesPage::sort_rows() {
  std::sort(rows.begin(), rows.end(), [this](const Row& a, const Row& b) {
    const Row &first = sort.descending ? b : a, &second = sort.descending ? a : b;
    if (sort.column != kFrame && first.duration_ns != second.duration_ns) return first.duration_ns < second.duration_ns;
    return first.index < second.index;
  });
}

void FramesPage::draw(PageContext& o, float height) {
  {
    const CaptureTime time(o.numbers);
    read(o);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float header = table_header_height(o);
  if (height >= header + row_height(o)) {
    const TableLayout layout = layout_table(o, kFrameColumns, kFrameColumnCount, at.x, width, kLeastFrameNamePx);
    FixedText<160> title;
    write_title(o, *this, &title);
    if (show_table_header(o, layout, at, width, kFrame, title.c_str(), &sort)) sort_rows();
    show_frame_rows(o, *this, layout, ImVec2(at.x, at.y + header), width, height - header);
  }
}

void FramesPage::write_state(const PageContext&, JsonObject* json) const {
  json->add("listed_frames", rows.count);
  json->add("listed_first", rows.empty() ? uint64_t{0} : rows[0].index);
  json->add("listed_median_ns", median_ns);
  json->add("listed_column", uint64_t{sort.column});
  json->add("listed_gone", gone);
}

}  // namespace flamelet::ui
