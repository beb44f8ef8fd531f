// SPDX-License-Identifier: MIT
//
// It looks like the lanes: the same colours and labels, and merged blocks are lower and have their count.
#include "pages/calls_view.h"

#include <algorithm>

#include "draw/canvas.h"
#include "draw/text.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "input/actions.h"
#include "pages/pages.h"
#include "shell/state_text.h"

namespace flamelet::ui {

namespace {

constexpr uint32_t kMostOutlines = 200;
constexpr uint32_t kMostListed = 3;            // names in the tooltip of a merged block
constexpr uint32_t kMostExaminedPaths = 4096;  // paths of it that are looked at

// Whole pixels, with a gap of one on the right where there is room for it.
Edges edges(const FlameBlock& block, float x) {
  const float left = x + static_cast<float>(static_cast<int>(block.x0));
  const float right = x + static_cast<float>(static_cast<int>(block.x1));
  return {left, right - left >= 3 ? right - 1 : std::max(right, left + 1)};
}

Rgb block_fill(Content& content, const Choice& choice, CallsView& v, const FlameBlock& block, Rgb* ink) {
  if (block.merged()) {
    *ink = color::kMergedText;
    if (!choice.filter.active()) return color::kMerged;
    const uint32_t end = block.first + std::min(block.paths, kMostExaminedPaths);
    for (uint32_t i = block.first; i < end; ++i) {
      if (!path_look(content, choice, v.tree.nodes()[i]).matches) continue;
      *ink = ink_on(color::kMergedMatch);
      return color::kMergedMatch;
    }
    *ink = color::kDimmedText;
    return color::kDimmed;
  }
  const PathLook look = path_look(content, choice, v.tree.nodes()[block.first]);
  if (choice.filter.active() && !look.matches) {
    *ink = color::kDimmedText;
    return color::kDimmed;
  }
  *ink = look.ink;
  return look.fill;
}

// Returns the characters drawn.
uint32_t draw_label(DrawContext& o, CallsView& v, Canvas& canvas, const FlameBlock& block, const Edges& x, float top,
                    Rgb ink) {
  const float pad = scaled(o, 4);
  if (x.right - x.left < pad * 2 + o.metrics.size) return 0;
  const float text_y = top + scaled(o, 1);
  if (block.merged()) {
    FixedText<32> count;
    count.add('x').add_grouped(block.paths);
    if (canvas.width(count.view()) > x.right - x.left - pad) return 0;
    canvas.text_center(x.left, x.right, text_y, ink, count.view());
    return static_cast<uint32_t>(count.view().size());
  }
  const PathNode& node = v.tree.nodes()[block.first];
  SeenText seen;
  const std::string_view name = seen_text(path_look(o, o, node).name, &seen);
  const float left = x.left + pad, right = x.right - pad;
  const TextFit fit = fit_text(o.metrics, name, right - left);
  canvas.draw_fit(left, text_y, ink, name, fit);
  if (fit.elided) return fit.bytes;
  FixedText<32> value;
  add_samples(v, node.total, &value);
  const float gap = o.metrics.of(' ') * 2;
  if (left + fit.width + gap + canvas.width(value.view()) > right) return fit.bytes;
  canvas.text(left + fit.width + gap, text_y, ink, value.view());
  return fit.bytes + static_cast<uint32_t>(value.view().size());
}

// As in the lanes. The blocks stand in the order of the tree, so the left neighbour is the last one of the same depth.
class NeighbourColors {
 public:
  void add(Content& content, const Choice& choice, const CallsView& v, const FlameBlock& block, Rgb fill) {
    if (block.depth >= kMostDepth || choice.filter.active() || v.shown_user() != nullptr) return;
    Left& left = left_[block.depth];
    if (left.block != nullptr && left.fill == fill && !left.block->merged() && !block.merged()) {
      const PathNode& a = v.tree.nodes()[left.block->first];
      const PathNode& b = v.tree.nodes()[block.first];
      if (a.scope.name != b.scope.name) content.styles.separate(a.scope, b.scope);
    }
    left = {&block, fill};
  }

 private:
  static constexpr uint32_t kMostDepth = 64;
  struct Left {
    const FlameBlock* block = nullptr;
    Rgb fill = 0;
  };
  Left left_[kMostDepth];
};

void draw_blocks(DrawContext& o, CallsView& v, Canvas& canvas, ImVec2 content, float clip_top, float clip_bottom,
                 uint32_t hovered) {
  const float row = row_height(o);
  const float inset = static_cast<float>(static_cast<int>(row * 0.16f));
  uint32_t characters = 0, outlines = 0;
  NeighbourColors neighbours;
  for (uint32_t i = 0; i < v.blocks.count; ++i) {
    const FlameBlock& block = v.blocks[i];
    const float top = content.y + static_cast<float>(block.depth) * row;
    if (top >= clip_bottom || top + row <= clip_top) continue;
    const Edges x = edges(block, content.x);
    Rgb ink;
    const Rgb fill = block_fill(o, o, v, block, &ink);
    neighbours.add(o, o, v, block, fill);
    const float shrink = block.merged() ? inset : 0;
    canvas.rect(x.left, top + shrink, x.right, top + row - 1 - shrink, fill);
    if (characters < kMostCharacters) characters += draw_label(o, v, canvas, block, x, top, ink);
    const bool selected = !block.merged() && is_selected(o, v, v.tree.nodes()[block.first]);
    if ((selected && outlines++ < kMostOutlines) || i == hovered)
      canvas.outline(x.left, top, x.right, top + row - 1, selected ? color::kSelect : color::kHover,
                     selected ? std::max(2.0f, scaled(o, 2)) : 1);
  }
}

uint32_t find_block(const Frame& frame, const CallsView& v, float x, float y) {
  const float row = row_height(frame);
  for (uint32_t i = 0; i < v.blocks.count; ++i) {
    const FlameBlock& block = v.blocks[i];
    const float top = static_cast<float>(block.depth) * row;
    if (y >= top && y < top + row && x >= block.x0 && x < std::max(block.x1, block.x0 + 1)) return i;
  }
  return v.blocks.count;
}

void show_single(DrawContext& o, CallsView& v, const PathNode& node) {
  const float column = text_width(o.metrics, "of all paths") + scaled(o, 18);
  {
    const PathLook look = path_look(o, o, node);
    name_line(o, look.name, look.fill);
  }
  FixedText<256> text;
  if (node.text == nullptr) {
    flamelet_site_info site;
    flamelet_capture_site(o.capture, node.scope.site, &site);
    const std::string_view file = view_of(site.file);
    if (!file.empty()) {
      const TextFit fit = fit_text(o.metrics, file, scaled(o, kMostNamePx));
      text.add(file.substr(0, fit.bytes)).add(fit.elided ? o.metrics.ellipsis : "").add_line(site.line);
      ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kTextDim));
      ImGui::TextUnformatted(text.c_str());
      ImGui::PopStyleColor();
    }
  }
  const auto samples_row = [&](const char* label, uint64_t samples) {
    text.clear();
    add_samples(v, samples, &text);
    tooltip_row(label, text.view(), column);
  };
  samples_row("total", node.total);
  samples_row("self", node.self);
  text.clear();
  text.add_grouped(node.calls);
  tooltip_row("calls", text.view(), column);
  if (node.calls > 1)
    samples_row("a call", static_cast<uint64_t>(mean_of(static_cast<int64_t>(node.total), node.calls)));
  text.clear();
  text.add_percent(static_cast<double>(node.total) / static_cast<double>(std::max<uint64_t>(v.tree.total(), 1)));
  tooltip_row("of all paths", text.view(), column);
}

void show_merged(DrawContext& o, CallsView& v, const FlameBlock& block) {
  FixedText<64> text;
  text.add_grouped(block.paths).add(" paths too narrow to draw");
  ImGui::TextUnformatted(text.c_str());
  ImGui::Dummy(ImVec2(0, scaled(o, 1)));
  const Array<PathNode>& nodes = v.tree.nodes();
  // Those with the most time of their own.
  uint32_t top[kMostListed];
  uint32_t count = 0;
  const uint32_t end = block.first + std::min(block.paths, kMostExaminedPaths);
  for (uint32_t i = block.first; i < end; ++i) {
    uint32_t place = count;
    while (place > 0 && nodes[top[place - 1]].self < nodes[i].self) --place;
    if (place == kMostListed) continue;
    count = std::min(count + 1, kMostListed);
    for (uint32_t j = count - 1; j > place; --j) top[j] = top[j - 1];
    top[place] = i;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const PathLook look = path_look(o, o, nodes[top[i]]);
    name_line(o, look.name, look.fill);
    ImGui::SameLine(0, scaled(o, 12));
    text.clear();
    text.add("self ");
    add_samples(v, nodes[top[i]].self, &text);
    text.add("  ").add_grouped(nodes[top[i]].calls).add('x');
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color::kTextMid));
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopStyleColor();
  }
}

void handle_flame_mouse(Content& content, Choice& choice, CallsView& v, uint32_t hovered) {
  if (hovered == v.blocks.count) {
    if (ImGui::IsMouseDoubleClicked(0)) v.zoom_key = 0;
    return;
  }
  const FlameBlock& block = v.blocks[hovered];
  const PathNode& node = v.tree.nodes()[block.first];
  if (ImGui::IsMouseClicked(0) && !block.merged()) select_block(choice, v, node.id);
  if (ImGui::IsMouseReleased(1) && !block.merged()) choice.filter.set(path_look(content, choice, node).name);
  // Into it; and back out on what fills the width already.
  if (ImGui::IsMouseDoubleClicked(0)) v.zoom_key = v.zoom_key == node.key ? 0 : node.key;
}

}  // namespace

void FlamePage::draw(PageContext& o, float height) {
  CallsView& v = calls_of(o);
  update_spans(o);
  update_statistics(o, o);
  update_calls(o, v);
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float full_width = ImGui::GetContentRegionAvail().x;
  show_calls_bar(o, v, false);
  const float rest = height - calls_bar_height(o);
  o.notes.note_place("flame", begin.x, begin.y + calls_bar_height(o));
  const float row = row_height(o);
  if (rest >= row * 2) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("##flame", ImVec2(full_width, rest), false, page_child_flags(o));
    ImGui::PopStyleVar();
    const ImVec2 child = ImGui::GetWindowPos();
    const ImVec2 content = ImGui::GetCursorScreenPos();
    const float width = std::max(full_width - ImGui::GetStyle().ScrollbarSize, 1.0f);
    uint32_t zoom = UINT32_MAX;
    if (v.zoom_key != 0) zoom = find_path(v.tree.nodes(), v.zoom_key);
    if (zoom < v.tree.nodes().count && v.tree.nodes()[zoom].total == 0) zoom = UINT32_MAX;
    float limit_px = kMergeLimitPx * o.unit;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt, limit_px *= 2) {
      v.flame = layout_flame(v.tree.nodes(), v.tree.total(), zoom, width, limit_px, &v.edges, &v.blocks);
      if (v.flame.complete) break;
    }
    ImGui::InvisibleButton("##all", ImVec2(width, std::max(row * static_cast<float>(v.flame.rows), rest)));
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool inside = ImGui::IsItemHovered();
    const uint32_t hovered = inside ? find_block(o, v, mouse.x - content.x, mouse.y - content.y) : v.blocks.count;
    Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
    canvas.rect(child.x, child.y, child.x + full_width, child.y + rest, color::kCanvas);
    draw_blocks(o, v, canvas, content, child.y, child.y + rest, hovered);
    if (v.blocks.empty())
      canvas.text_center(child.x, child.x + full_width, child.y + row * 2, color::kTextDim,
                         v.range.reading() ? "reading" : "no calls here that took time");
    ImGui::EndChild();
    if (hovered < v.blocks.count && begin_tooltip(o)) {
      if (v.blocks[hovered].merged())
        show_merged(o, v, v.blocks[hovered]);
      else
        show_single(o, v, v.tree.nodes()[v.blocks[hovered].first]);
      ImGui::EndTooltip();
    }
    if (inside) handle_flame_mouse(o, o, v, hovered);
  }
  ImGui::SetCursorScreenPos(ImVec2(begin.x, begin.y + height));
}

bool FlamePage::draw_details(PageContext& o, float x, float y, float right, float line_height) {
  return draw_calls_details(o, calls_of(o), x, y, right, line_height);
}

void FlamePage::write_state(const PageContext& o, JsonObject* json) const {
  const CallsView& v = calls_of(o);
  const FlameLayout& flame = v.flame;
  json->add("flame_rows", flame.rows);
  json->add("flame_drawn", flame.paths_drawn);
  json->add("flame_merged", flame.paths_merged);
  json->add("flame_zoomed", v.zoom_key != 0);
}

}  // namespace flamelet::ui
