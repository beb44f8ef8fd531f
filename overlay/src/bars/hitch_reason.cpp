// SPDX-License-Identifier: MIT
#include "bars/hitch_reason.h"

#include <string.h>

#include "flamelet/explain.h"
#include "platform/thread.h"
#include "shell/overlay_memory.h"

namespace flamelet::ui {

void HitchReason::begin(const flamelet_flight* flight, const flamelet_flight_info& info, int64_t budget_ns,
                        const flamelet_allocator& allocator) {
  id_ = info.id;
  frame_ = info.frame.index;
  budget_ns_ = budget_ns;
  allocator_ = allocator;
  text_[0] = 0;
  size_ = 0;
  capacity_ = static_cast<size_t>(info.bytes);
  bytes_ = capacity_ != 0 ? static_cast<char*>(allocate_block(allocator, capacity_)) : nullptr;
  const auto append = [](void* self, const void* bytes, size_t size) {
    HitchReason& reason = *static_cast<HitchReason*>(self);
    if (size > reason.capacity_ - reason.size_) return false;
    memcpy(reason.bytes_ + reason.size_, bytes, size);
    reason.size_ += size;
    return true;
  };
  if (bytes_ != nullptr && flamelet_flight_save_to(flight, info.id, {append, this}) != FLAMELET_OK) size_ = 0;
  // Relaxed: the start of the thread comes after it.
  done_.store(false, std::memory_order_relaxed);
  if (!start_thread([](void* reason) { static_cast<HitchReason*>(reason)->run(); }, this, &thread_)) run();
}

void HitchReason::run() {
  if (size_ != 0) explain();
  if (bytes_ != nullptr) release_block(allocator_, bytes_, capacity_);
  bytes_ = nullptr;
  // Release: pairs with the acquire in done().
  done_.store(true, std::memory_order_release);
}

void HitchReason::explain() {
  flamelet_load_options options = flamelet_load_options_default();
  options.allocator = allocator_;
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_load_bytes(&options, bytes_, size_, &capture, nullptr) != FLAMELET_OK) return;
  flamelet_explain_config config = flamelet_explain_config_default();
  config.budget_ns = budget_ns_;
  const size_t bytes = flamelet_explain_memory_required(&config);
  void* memory = allocate_block(allocator_, bytes);
  flamelet_explain* explain = nullptr;
  flamelet_explanation why;
  if (memory != nullptr && flamelet_explain_create(&config, memory, bytes, &explain) == FLAMELET_OK &&
      flamelet_explain_frame(explain, capture, flamelet_capture_find_frame(capture, frame_), &why) == FLAMELET_OK)
    flamelet_explain_text(explain, capture, &why, text_, sizeof text_);
  if (memory != nullptr) release_block(allocator_, memory, bytes);
  flamelet_capture_destroy(capture);
}

const char* HitchReason::take() {
  if (thread_.joinable()) thread_.join();
  id_ = 0;
  return text_;
}

}  // namespace flamelet::ui
