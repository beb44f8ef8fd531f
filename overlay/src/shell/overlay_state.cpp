// SPDX-License-Identifier: MIT
#include "shell/overlay_state.h"

#include <stdint.h>

#include "draw/canvas.h"
#include "draw/widgets.h"
#include "imgui.h"
#include "platform/system.h"
#include "shell/window_parts.h"

namespace flamelet::ui {

// ---- overlay memory

namespace {

void* capture_allocate(void* user, size_t size, size_t alignment) {
  OverlayMemory& memory = *static_cast<OverlayMemory*>(user);
  if (memory.rest == nullptr) return allocate_block(memory.allocator, size);
  const uintptr_t address = reinterpret_cast<uintptr_t>(memory.rest);
  const size_t padding = (alignment - address % alignment) % alignment;
  if (padding + size > memory.rest_bytes) return nullptr;
  char* taken = memory.rest + padding;
  memory.rest = nullptr;
  return taken;
}

void capture_free(void* user, void* memory, size_t size, size_t) {
  const OverlayMemory& overlay = *static_cast<OverlayMemory*>(user);
  const char* block = static_cast<char*>(overlay.block);
  const char* at = static_cast<char*>(memory);
  if (at < block || at >= block + overlay.block_bytes) release_block(overlay.allocator, memory, size);
}

}  // namespace

void* allocate_block(const flamelet_allocator& allocator, size_t size) {
  constexpr size_t kAlignment = OverlayMemory::kAlignment;
  if (allocator.allocate != nullptr) return allocator.allocate(allocator.user, size, kAlignment);
  return allocate_aligned(size, kAlignment);
}

void release_block(const flamelet_allocator& allocator, void* block, size_t size) {
  if (allocator.free != nullptr)
    allocator.free(allocator.user, block, size, OverlayMemory::kAlignment);
  else
    free_aligned(block);
}

flamelet_allocator OverlayMemory::capture_allocator() {
  return {capture_allocate, capture_free, this};
}

// ---- status line

void show_status_line(Overlay& o) {
  const CaptureFiles& files = o.files;
  const bool busy = files.job.task() != FileTask::kNone;
  if (!o.standing && !busy && o.status.text().empty()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = control_height(o);
  Canvas canvas(ImGui::GetWindowDrawList(), o.metrics);
  canvas.rect(at.x, at.y, at.x + width, at.y + height, color::kPanel);
  const float y = at.y + scaled(o, 3);
  float x = at.x + scaled(o, 8);
  float right = at.x + width - scaled(o, 8);
  const float gap = 2 * o.metrics.of(' ');

  if (!o.status.text().empty()) {
    right = at.x + width - height;
    ImGui::SetCursorScreenPos(ImVec2(right, at.y));
    if (tool_button(o, "##notice", Icon::kClose, {}, false, height, nullptr)) o.status.clear();
    o.notes.note_place("close_status", right + height * 0.5f, at.y + height * 0.5f);
    right -= gap;
  }
  const std::string_view said =
      busy ? files.job.task() == FileTask::kSave ? "saving ..." : "opening ..." : o.status.text();
  if (o.standing) {
    FixedText<64> frames;
    frames.add_grouped(flamelet_capture_frame_count(o.capture)).add(" frames, ").add_time(o.numbers.oldest_ns);
    x += canvas.text(x, y, color::kAccent, "capture") + gap;
    const float most = (said.empty() ? right - x : (right - x) * 0.5f) - canvas.width(frames.view()) - gap;
    // The end of a long path tells files apart.
    std::string_view title = o.title;
    if (canvas.width(title) > most) title.remove_prefix(title.rfind('/') + 1);
    x += canvas.text_fit(x, y, most, color::kText, title) + gap;
    x += canvas.text_fit(x, y, right - x, color::kTextDim, frames.view()) + gap;
  }
  const Rgb ink = busy ? color::kAccent : o.status.is_bad() ? color::kFrameFar : color::kTextMid;
  if (!said.empty()) canvas.text_fit(x, y, right - x, ink, said);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height + scaled(o, 4)));
}

}  // namespace flamelet::ui
