// SPDX-License-Identifier: MIT
#include "flight/scope_budgets.h"

#include <string.h>

#include <algorithm>

#include "flight/flight_watch.h"

namespace flamelet {

void ScopeBudgets::place(Carver* carver, uint32_t max_budgets, uint32_t max_strings) {
  max_budgets_ = max_budgets;
  max_strings_ = max_strings;
  budgets_ = carver->take<Budget>(max_budgets);
  budget_of_string_ = carver->take<uint16_t>(max_strings);
}

void ScopeBudgets::forget_names() {
  memset(budget_of_string_, 0, max_strings_ * sizeof *budget_of_string_);
  known_strings_ = 0;
}

void ScopeBudgets::begin_recording() {
  forget_names();
  for (uint32_t i = 0; i < count_; ++i) budgets_[i].was_over = false;
}

bool ScopeBudgets::set(const char* name, double budget_ms) {
  if (strlen(name) >= sizeof budgets_->name) return false;
  uint32_t at = 0;
  while (at < count_ && strcmp(budgets_[at].name, name) != 0) ++at;
  if (at == count_) {
    if (!(budget_ms > 0)) return true;
    if (count_ == max_budgets_) return false;
    budgets_[count_++] = Budget();
    copy_text(budgets_[at].name, name);
  }
  budgets_[at].budget_ms = budget_ms;
  if (!(budget_ms > 0)) budgets_[at] = budgets_[--count_];
  forget_names();
  return true;
}

void ScopeBudgets::clear() {
  count_ = 0;
  forget_names();
}

void ScopeBudgets::learn_names(const flamelet_capture& capture) {
  // Those behind may still be on their way.
  for (; known_strings_ < capture.strings_settled && known_strings_ < max_strings_; ++known_strings_) {
    if (!capture.strings.has(known_strings_)) continue;
    const flamelet_string text = capture.strings.get(known_strings_);
    for (uint32_t i = 0; i < count_; ++i) {
      if (strlen(budgets_[i].name) == text.size && memcmp(budgets_[i].name, text.text, text.size) == 0)
        budget_of_string_[known_strings_] = static_cast<uint16_t>(i + 1);
    }
  }
}

void ScopeBudgets::push(const flamelet_capture& capture, uint32_t level, uint64_t ticks, uint32_t site,
                        uint64_t strings) {
  if (level >= FLAMELET_MAX_DEPTH) return;
  const uint32_t name = strings_name(strings) != 0 ? strings_name(strings) : capture.sites.name(site);
  uint32_t budget = name < max_strings_ ? budget_of_string_[name] : 0u;
  if (budget != 0 && budgets_[budget - 1].open++ != 0) budget = 0;
  stack_[level] = {ticks, budget};
  depth_ = level + 1;
}

void ScopeBudgets::pop(uint32_t level, uint64_t begin_ticks, uint64_t end_ticks) {
  if (level >= depth_) return;
  depth_ = level;
  const Open& open = stack_[level];
  if (open.budget == 0) return;
  Budget& budget = budgets_[open.budget - 1];
  budget.open = 0;  // it was the outermost one
  const uint64_t from = open.begin_ticks > begin_ticks ? open.begin_ticks : begin_ticks;
  if (end_ticks > from) budget.ticks += end_ticks - from;
}

void ScopeBudgets::open_block(const flamelet_capture& capture, const OpenBlock& block, uint64_t resumed_ticks) {
  depth_ = 0;
  for (uint32_t i = 0; i < count_; ++i) budgets_[i].open = 0;
  for (uint32_t level = 0; level < block.count; ++level) {
    const uint64_t ticks = block.begin_ticks(level);
    push(capture, level, ticks > resumed_ticks ? ticks : resumed_ticks, block.site(level), block.strings(level));
  }
}

struct ScopeBudgets::Visitor : OnlyScopes {
  ScopeBudgets& budgets;
  const flamelet_capture& capture;
  const uint64_t begin_ticks;
  Visitor(ScopeBudgets& b, const flamelet_capture& c, uint64_t t) : budgets(b), capture(c), begin_ticks(t) {}

  void begin(uint64_t ticks, uint32_t level, uint64_t, uint32_t site, uint64_t strings) {
    budgets.push(capture, level, ticks, site, strings);
  }
  void end(uint64_t ticks, uint32_t level, bool) { budgets.pop(level, begin_ticks, ticks); }
  void fiber(uint64_t ticks, uint32_t depth, const FiberChange& change) {
    for (uint32_t level = depth; level > 0; --level) budgets.pop(level - 1, begin_ticks, ticks);
    budgets.open_block(capture, change.block, ticks);
  }
};

void ScopeBudgets::play(const flamelet_capture& capture, const Lane& lane, uint64_t begin_ticks, uint64_t end_ticks) {
  const PageStore& pages = capture.pages;
  Visitor visitor(*this, capture, begin_ticks);
  bool reached = false;
  PageId id = pages.page_before(lane.pages, begin_ticks);
  depth_ = 0;
  for (; id != 0 && pages.holds(id) && pages.info(id).begin_ticks < end_ticks; id = pages.info(id).next) {
    const PageInfo& info = pages.info(id);
    open_block(capture, pages.open_block(id), info.run_ticks);
    ReplayCursor cursor = page_start(pages.page(id).header);
    if (cursor.now_ticks < info.begin_ticks) cursor.now_ticks = info.begin_ticks;
    const WordRun words = pages.words(id);
    reached = cursor.at <= words.count && replay(words, end_ticks, &cursor, visitor);
  }
  // What is open then goes on to the frame's end, unless the thread is gone.
  if (!reached && !lane.alive) return;
  while (depth_ > 0) pop(depth_ - 1, begin_ticks, end_ticks);
}

struct ScopeBudgets::GpuVisitor : IgnoreEvents {
  ScopeBudgets& budgets;
  const flamelet_capture& capture;
  const uint64_t begin_ticks, end_ticks;
  GpuVisitor(ScopeBudgets& b, const flamelet_capture& c, uint64_t begin, uint64_t end)
      : budgets(b), capture(c), begin_ticks(begin), end_ticks(end) {}

  void span(const SubmittedSpan& span) {
    const uint32_t own = strings_name(span.strings);
    const uint32_t name = own != 0 ? own : capture.sites.name(span.site);
    const uint32_t budget = name < budgets.max_strings_ ? budgets.budget_of_string_[name] : 0u;
    const uint64_t from = span.begin_ticks > begin_ticks ? span.begin_ticks : begin_ticks;
    const uint64_t to = span.end_ticks < end_ticks ? span.end_ticks : end_ticks;
    if (budget != 0 && from < to) budgets.add_gpu_part(from, to, budget);
  }
};

void ScopeBudgets::add_gpu_part(uint64_t begin_ticks, uint64_t end_ticks, uint32_t budget) {
  if (gpu_part_count_ == kMostGpuParts) merge_gpu_parts();
  // Where even these do not fit, a scope inside another one of its name counts twice.
  if (gpu_part_count_ == kMostGpuParts) take_gpu_parts();
  gpu_parts_[gpu_part_count_++] = {begin_ticks, end_ticks, budget};
}

// Spans of a queue come in any order, and inner ones of a name count with the outermost.
void ScopeBudgets::merge_gpu_parts() {
  std::sort(gpu_parts_, gpu_parts_ + gpu_part_count_, [](const GpuPart& a, const GpuPart& b) {
    return a.budget != b.budget ? a.budget < b.budget : a.begin_ticks < b.begin_ticks;
  });
  uint32_t count = 0;
  for (uint32_t i = 0; i < gpu_part_count_; ++i) {
    const GpuPart& part = gpu_parts_[i];
    GpuPart* last = count != 0 ? &gpu_parts_[count - 1] : nullptr;
    if (last != nullptr && last->budget == part.budget && part.begin_ticks <= last->end_ticks)
      last->end_ticks = part.end_ticks > last->end_ticks ? part.end_ticks : last->end_ticks;
    else
      gpu_parts_[count++] = part;
  }
  gpu_part_count_ = count;
}

void ScopeBudgets::take_gpu_parts() {
  merge_gpu_parts();
  for (uint32_t i = 0; i < gpu_part_count_; ++i)
    budgets_[gpu_parts_[i].budget - 1].ticks += gpu_parts_[i].end_ticks - gpu_parts_[i].begin_ticks;
  gpu_part_count_ = 0;
}

void ScopeBudgets::begin_frame(const flamelet_capture& capture) {
  learn_names(capture);
  for (uint32_t i = 0; i < count_; ++i) budgets_[i].ticks = 0;
}

const ScopeBudgets::Budget* ScopeBudgets::find_most_over(const flamelet_capture& capture, uint64_t frame) {
  const Budget* found = nullptr;
  double most = 1;
  for (uint32_t i = 0; i < count_; ++i) {
    Budget& budget = budgets_[i];
    const double ms = static_cast<double>(budget.ticks) * 1e3 / capture.clock.ticks_per_second;
    if (ms <= budget.budget_ms) continue;
    // GPU queues are looked at later than threads: perhaps of the same frame, or of an older one.
    const bool is_newer = !budget.was_over || frame > budget.over_frame;
    if (is_newer || (frame == budget.over_frame && ms > budget.over_ms)) {
      budget.was_over = true;
      budget.over_frame = frame;
      budget.over_budget_ms = budget.budget_ms;
      budget.over_ms = ms;
    }
    if (ms / budget.budget_ms <= most) continue;
    most = ms / budget.budget_ms;
    found = &budget;
  }
  return found;
}

const ScopeBudgets::Budget* ScopeBudgets::most_over(const flamelet_capture& capture, uint64_t frame,
                                                    uint64_t begin_ticks, uint64_t end_ticks) {
  if (count_ == 0) return nullptr;
  begin_frame(capture);
  for (uint32_t i = 0; i < capture.lanes.count(); ++i) {
    if (!capture.lanes[i].submitted) play(capture, capture.lanes[i], begin_ticks, end_ticks);
  }
  return find_most_over(capture, frame);
}

const ScopeBudgets::Budget* ScopeBudgets::most_over_on_gpu(const flamelet_capture& capture, uint64_t frame,
                                                           uint64_t begin_ticks, uint64_t end_ticks) {
  if (count_ == 0 || end_ticks == 0) return nullptr;
  begin_frame(capture);
  GpuVisitor visitor(*this, capture, begin_ticks, end_ticks);
  for (uint32_t i = 0; i < capture.lanes.count(); ++i) {
    if (capture.lanes[i].kind != FLAMELET_LANE_GPU) continue;
    capture.pages.visit_submitted(capture.lanes[i].pages, begin_ticks, end_ticks - 1, [&](PageId id) {
      ReplayCursor cursor = page_start(capture.pages.page(id).header);
      replay(capture.pages.words(id), UINT64_MAX, &cursor, visitor);
    });
    take_gpu_parts();
  }
  return find_most_over(capture, frame);
}

}  // namespace flamelet
