// SPDX-License-Identifier: MIT
//
// The pictures of the page Compare.
#include <algorithm>

#include "draw/canvas.h"
#include "draw/text_buffer.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "pages/calls_view.h"
#include "pages/compare/compare_page.h"
#include "pages/flame/flame_layout.h"
#include "shell/overlay_state.h"

namespace flamelet::ui {

namespace {

double share_of(const ComparedPaths& paths, const flamelet_compared_path& path) {
  return paths.most_change() > 0 ? paths.change_of(path) / paths.most_change() : 0;
}

// "Solve +1.20 ms", as far as there is room. Returns the characters drawn.
uint32_t draw_label(Frame& frame, const ComparedPaths& paths, Canvas& canvas, std::string_view name, double change,
                    float x0, float x1, float y, Rgb ink) {
  const float pad = scaled(frame, 4);
  if (x1 - x0 < pad * 2 + frame.metrics.size) return 0;
  const TextFit fit = fit_text(frame.metrics, name, x1 - x0 - 2 * pad);
  canvas.draw_fit(x0 + pad, y, ink, name, fit);
  if (fit.elided) return fit.bytes;
  FixedText<32> text;
  add_change(paths, change, &text);
  const float x = x0 + pad + fit.width + 2 * frame.metrics.of(' ');
  if (x + canvas.width(text.view()) > x1 - pad) return fit.bytes;
  canvas.text(x, y, ink, text.view());
  return fit.bytes + static_cast<uint32_t>(text.view().size());
}

void draw_blocks(Frame& frame, const ComparePage& compare, const Array<FlameBlock>& blocks, Canvas& canvas, float x,
                 float y, float bottom, uint32_t hovered) {
  const ComparedPaths& paths = compare.paths;
  const float row = row_height(frame);
  uint32_t characters = 0;
  for (uint32_t i = 0; i < blocks.count; ++i) {
    const FlameBlock& block = blocks[i];
    const float top = y + static_cast<float>(block.depth) * row;
    if (top >= bottom) continue;
    const float x0 = x + static_cast<float>(static_cast<int>(block.x0));
    const float x1 = std::max(x + static_cast<float>(static_cast<int>(block.x1)) - 1, x0 + 1);
    if (block.merged()) {
      canvas.rect(x0, top + scaled(frame, 2), x1, top + row - 1 - scaled(frame, 2), color::kMerged);
      continue;
    }
    const uint32_t number = paths.nodes()[block.first].id;
    const flamelet_compared_path path = paths.path(number);
    const Rgb fill = change_fill(share_of(paths, path));
    canvas.rect(x0, top, x1, top + row - 1, fill);
    if (characters < kMostCharacters)
      characters += draw_label(frame, paths, canvas, path.name, paths.change_of(path), x0, x1, top + scaled(frame, 1),
                               ink_on(fill));
    if (number == compare.selected)
      canvas.outline(x0, top, x1, top + row - 1, color::kSelect, std::max(2.0f, scaled(frame, 2)));
    else if (i == hovered)
      canvas.outline(x0, top, x1, top + row - 1, color::kHover);
  }
}

void show_tooltip(Frame& frame, const ComparedPaths& paths, const flamelet_compared_path& path) {
  const float column = text_width(frame.metrics, "total") + scaled(frame, 18);
  name_line(frame, path.name, change_fill(share_of(paths, path)));
  FixedText<96> text;
  const auto row = [&](const char* label, double a, double b) {
    text.clear();
    text.add_time(static_cast<int64_t>(a)).add(" -> ").add_time(static_cast<int64_t>(b));
    tooltip_row(label, text.view(), column);
  };
  row("self", path.side[0].self, path.side[1].self);
  row("total", path.side[0].total, path.side[1].total);
  text.clear();
  text.add_fixed(path.side[0].calls, 1).add(" -> ").add_fixed(path.side[1].calls, 1);
  tooltip_row("calls", text.view(), column);
  if (!path.side[0].is_there) tooltip_row("", "new in B", column);
}

}  // namespace

void show_compared_flame(Overlay& o, ComparePage& compare, float x, float y, float width, float height) {
  const ComparedPaths& paths = compare.paths;
  CallsView& calls = calls_of(o);
  Array<FlameBlock>& blocks = calls.blocks;
  float limit_px = kMergeLimitPx * o.unit;
  FlameLayout layout;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt, limit_px *= 2) {
    layout = layout_flame(paths.nodes(), paths.total(), UINT32_MAX, width, limit_px, &calls.edges, &blocks);
    if (layout.complete) break;
  }
  o.notes.note_count("compare_flame_blocks", blocks.count);
  compare.flame_rows = layout.rows;
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("##compared_flame", ImVec2(width, height), false, page_child_flags(o));
  ImGui::PopStyleVar();
  const float row = row_height(o);
  const ImVec2 content = ImGui::GetCursorScreenPos();
  const float inner = std::max(width - ImGui::GetStyle().ScrollbarSize, 1.0f);
  ImGui::InvisibleButton("##all", ImVec2(inner, std::max(row * static_cast<float>(layout.rows), height)));
  const bool inside = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  uint32_t hovered = blocks.count;
  for (uint32_t i = 0; inside && i < blocks.count; ++i) {
    const float top = content.y + static_cast<float>(blocks[i].depth) * row;
    const bool here = mouse.y >= top && mouse.y < top + row && mouse.x >= content.x + blocks[i].x0 &&
                      mouse.x < content.x + std::max(blocks[i].x1, blocks[i].x0 + 1);
    if (here && !blocks[i].merged()) hovered = i;
  }
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  draw_blocks(o, compare, blocks, canvas, content.x, content.y, y + height, hovered);
  if (blocks.empty()) canvas.text_center(x, x + width, y + row, color::kTextDim, "no calls in B that took time");
  ImGui::EndChild();
  if (hovered == blocks.count) return;
  const uint32_t number = paths.nodes()[blocks[hovered].first].id;
  if (ImGui::IsMouseClicked(0)) compare.selected = number;
  if (!begin_tooltip(o)) return;
  show_tooltip(o, paths, paths.path(number));
  ImGui::EndTooltip();
}

void draw_compared_histogram(Frame& frame, const ComparePage& compare, Canvas& canvas, float x, float y, float width,
                             float height) {
  canvas.rect(x, y, x + width, y + height, color::kPanel);
  const float pad = scaled(frame, 8);
  const float line = frame.metrics.size + scaled(frame, 3);
  const flamelet_compared_path path = compare.paths.path(compare.selected);
  canvas.text_fit(x + pad, y + scaled(frame, 3), width - 2 * pad, color::kText, path.name);
  float legend = x + pad;
  legend += canvas.text(legend, y + scaled(frame, 3) + line, color::kFaster, "A outline") + 2 * frame.metrics.of(' ');
  legend += canvas.text(legend, y + scaled(frame, 3) + line, color::kSlower, "B filled") + 2 * frame.metrics.of(' ');
  canvas.text_fit(legend, y + scaled(frame, 3) + line, x + width - pad - legend, color::kTextDim, "% of calls");
  const ScopeHistogram* histogram = compare.paths.histograms().find(path.name);
  const float top = y + 2 * line + scaled(frame, 10);
  const float bottom = y + height - line - scaled(frame, 4);
  if (histogram == nullptr || bottom - top < scaled(frame, 16)) return;
  uint32_t first = ScopeHistogram::kBins, last = 0;
  double sums[2] = {0, 0}, most = 0;
  for (uint32_t side = 0; side < 2; ++side)
    for (uint32_t bin = 0; bin < ScopeHistogram::kBins; ++bin) {
      if (histogram->calls[side][bin] == 0) continue;
      first = std::min(first, bin);
      last = std::max(last, bin);
      sums[side] += histogram->calls[side][bin];
    }
  if (first > last) return;
  frame.notes.note_count("compare_histogram_bins", last - first + 1);
  const auto share = [&](uint32_t side, uint32_t bin) {
    return sums[side] > 0 ? histogram->calls[side][bin] / sums[side] : 0;
  };
  for (uint32_t bin = first; bin <= last; ++bin) most = std::max({most, share(0, bin), share(1, bin)});
  const float left = x + pad;
  const float step = (width - 2 * pad) / static_cast<float>(last - first + 1);
  const auto bar_top = [&](uint32_t side, uint32_t bin) {
    const double part = share(side, bin) / most;
    return bottom - static_cast<float>(static_cast<int>(part * static_cast<double>(bottom - top)));
  };
  for (uint32_t bin = first; bin <= last; ++bin) {
    const float x0 = left + step * static_cast<float>(bin - first);
    const float x1 = std::max(x0 + step - 1, x0 + 1);
    if (share(1, bin) > 0) canvas.rect(x0, std::min(bar_top(1, bin), bottom - 1), x1, bottom, color::kSlower);
    if (share(0, bin) > 0)
      canvas.outline(x0, std::min(bar_top(0, bin), bottom - scaled(frame, 2)), x1, bottom, color::kFaster,
                     scaled(frame, 2));
  }
  FixedText<32> least, longest;
  least.add_time(bin_begin_ns(first));
  longest.add_time(bin_begin_ns(std::min(last + 1, ScopeHistogram::kBins - 1)));
  canvas.text(left, bottom + scaled(frame, 2), color::kTextDim, least.view());
  canvas.text_right(x + width - pad, bottom + scaled(frame, 2), color::kTextDim, longest.view());
}

}  // namespace flamelet::ui
