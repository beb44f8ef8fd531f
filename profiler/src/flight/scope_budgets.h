// SPDX-License-Identifier: MIT
//
// scope_budgets.h: how long the scopes of some names took in a frame: on all threads, and on all GPU queues. The frame's
// pages are played once more, and nothing but the watched scopes is kept on a stack.
#ifndef FLAMELET_SRC_SCOPE_BUDGETS_H
#define FLAMELET_SRC_SCOPE_BUDGETS_H

#include "capture/capture_data.h"
#include "flamelet/flight.h"
#include "platform/engine_memory.h"

namespace flamelet {

class ScopeBudgets {
 public:
  struct Budget {
    char name[FLAMELET_FLIGHT_TEXT_BYTES];
    double budget_ms;
    uint64_t ticks;  // in the frame that was measured last
    uint32_t open;   // while a thread is played
    bool was_over;
    uint64_t over_frame;    // the newest one
    double over_budget_ms;  // that it had there
    double over_ms;         // and how long it took
  };

  // `max_strings`: of the capture.
  void place(Carver* carver, uint32_t max_budgets, uint32_t max_strings);
  // Another one has other ids of names, and frames of the same numbers.
  void begin_recording();

  bool set(const char* name, double budget_ms);  // 0 = no more; false: there is no room, or the name is too long
  void clear();
  uint32_t count() const { return count_; }
  const Budget& operator[](uint32_t index) const { return budgets_[index]; }
  // The one that is over on the threads by the largest factor in this frame; NULL if none is.
  const Budget* most_over(const flamelet_capture& capture, uint64_t frame, uint64_t begin_ticks, uint64_t end_ticks);
  // The same on the GPU queues, whose spans come later.
  const Budget* most_over_on_gpu(const flamelet_capture& capture, uint64_t frame, uint64_t begin_ticks,
                                 uint64_t end_ticks);

 private:
  struct Visitor;
  struct Open {
    uint64_t begin_ticks;
    uint32_t budget;  // its number + 1; 0 = none, or inside another of the same
  };

  struct GpuVisitor;
  // A part of a GPU span that lies in the frame.
  struct GpuPart {
    uint64_t begin_ticks, end_ticks;
    uint32_t budget;
  };
  static constexpr uint32_t kMostGpuParts = 512;

  void forget_names();
  void learn_names(const flamelet_capture& capture);
  void begin_frame(const flamelet_capture& capture);
  const Budget* find_most_over(const flamelet_capture& capture, uint64_t frame);
  void add_gpu_part(uint64_t begin_ticks, uint64_t end_ticks, uint32_t budget);
  void merge_gpu_parts();
  void take_gpu_parts();
  void play(const flamelet_capture& capture, const Lane& lane, uint64_t begin_ticks, uint64_t end_ticks);
  void push(const flamelet_capture& capture, uint32_t level, uint64_t ticks, uint32_t site, uint64_t strings);
  void pop(uint32_t level, uint64_t begin_ticks, uint64_t end_ticks);
  void open_block(const flamelet_capture& capture, const OpenBlock& block, uint64_t resumed_ticks);

  Budget* budgets_ = nullptr;
  uint32_t max_budgets_ = 0;
  uint32_t count_ = 0;
  uint16_t* budget_of_string_ = nullptr;  // number + 1
  uint32_t max_strings_ = 0;
  uint32_t known_strings_ = 0;  // ids below were compared with the names
  uint32_t depth_ = 0;
  Open stack_[FLAMELET_MAX_DEPTH + 1];
  GpuPart gpu_parts_[kMostGpuParts];  // of one lane
  uint32_t gpu_part_count_ = 0;
};

}  // namespace flamelet

#endif  // FLAMELET_SRC_SCOPE_BUDGETS_H
