// SPDX-License-Identifier: MIT
#include "chrome_lanes.h"

#include <algorithm>
#include <tuple>

#include "chrome_words.h"
#include "decimal.h"

namespace flamelet::formats {
namespace {

// As much of a name as is kept of each of many threads.
std::string_view whole_start(std::string_view text) {
  constexpr size_t kMost = 1000;
  if (text.size() <= kMost) return text;
  size_t size = kMost;
  while ((static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

bool is_number(const std::string& text) {
  return text.find_first_not_of("-0123456789") == std::string::npos;
}

}  // namespace

ChromeThread* ChromeLanes::thread_of(const ChromeEvent& event) {
  if (last_thread_ != nullptr && event.tid == last_tid_ && event.pid == last_pid_) return last_thread_;
  key_.assign(event.pid);
  key_ += '\0';
  key_ += event.tid;
  auto found = threads_.find(key_);
  if (found == threads_.end()) {
    if (threads_.size() == kMaxThreads || key_.size() > kMaxKeyBytes) return nullptr;
    ChromeThread thread = {};
    if (!add_lane(event, &thread)) return nullptr;
    found = threads_.emplace(key_, std::move(thread)).first;
  }
  last_pid_ = event.pid;
  last_tid_ = event.tid;
  return last_thread_ = &found->second;
}

uint32_t ChromeLanes::own_lane(const ChromeEvent& event, uint32_t tid) {
  key_.assign(event.pid);
  key_ += '\0';
  key_ += std::to_string(tid);
  const auto found = threads_.find(key_);
  const bool is_lane = found != threads_.end() && found->second.kind == ChromeThread::kLane;
  return is_lane && found->second.named_by_exporter ? found->second.lane : 0;
}

bool ChromeLanes::add_lane(const ChromeEvent& event, ChromeThread* thread) {
  thread->process = process_of(event.pid);
  thread->number = event.tid;
  thread->named_by_exporter = !event.lane.empty();
  if (event.lane == kFramesWord || event.lane == kIntervalsWord) {
    thread->kind = event.lane == kFramesWord ? ChromeThread::kFrames : ChromeThread::kIntervals;
    return true;
  }
  if (event.lane == kFrameSetWord) {
    thread->kind = ChromeThread::kFrameSet;
    thread->lane = job_.string(event.arg_name);
    return true;
  }
  flamelet_lane_kind kind = FLAMELET_LANE_THREAD;
  for (uint32_t i = 0; i < std::size(kLaneWords); ++i)
    if (event.lane == kLaneWords[i]) kind = static_cast<flamelet_lane_kind>(i);
  const uint32_t name = thread->named_by_exporter ? job_.string(event.arg_name) : 0;
  thread->id = parse_id(thread->named_by_exporter ? event.lane_id : event.tid);
  thread->lane =
      flamelet_capture_builder_span_lane(job_.builder, kind, thread->id, name, /*in_order=*/thread->named_by_exporter);
  thread->id = flamelet_capture_builder_lane_id(job_.builder, thread->lane);
  return thread->lane != 0;
}

// UINT32_MAX if there are too many.
uint32_t ChromeLanes::process_of(std::string_view pid) {
  const auto found = process_numbers_.find(std::string(pid));
  if (found != process_numbers_.end()) return found->second;
  if (processes_.size() == kMaxThreads || pid.size() > kMaxKeyBytes) return UINT32_MAX;
  process_numbers_.emplace(pid, static_cast<uint32_t>(processes_.size()));
  processes_.emplace_back();
  processes_.back().number = pid;
  return static_cast<uint32_t>(processes_.size() - 1);
}

void ChromeLanes::name_thread(const ChromeEvent& event) {
  ChromeThread* thread = thread_of(event);
  if (thread == nullptr)
    ++job_.report.events_over_limits;
  else if (!thread->named_by_exporter)
    thread->name = whole_start(event.arg_name);
}

void ChromeLanes::name_process(const ChromeEvent& event) {
  const uint32_t process = process_of(event.pid);
  if (process < processes_.size()) processes_[process].name = whole_start(event.arg_name);
}

void ChromeLanes::sort_thread(const ChromeEvent& event) {
  ChromeThread* thread = thread_of(event);
  if (thread == nullptr)
    ++job_.report.events_over_limits;
  else if (parse_decimal(event.sort_index, 0, &thread->sort_index))
    is_sorted_ = true;
}

void ChromeLanes::sort_process(const ChromeEvent& event) {
  const uint32_t process = process_of(event.pid);
  if (process < processes_.size() && parse_decimal(event.sort_index, 0, &processes_[process].sort_index))
    is_sorted_ = true;
}

void ChromeLanes::finish() {
  for (const auto& [key, thread] : threads_)
    if (thread.kind == ChromeThread::kLane && !thread.named_by_exporter) name_lane(thread);
  if (is_sorted_) place_lanes();
}

// By its own name or number, with its process, if there are several. "": events that name no thread.
void ChromeLanes::name_lane(const ChromeThread& thread) {
  std::string name = thread.name;
  if (name.empty() && !thread.number.empty())
    name = is_number(thread.number) ? "thread " + thread.number : std::string(whole_start(thread.number));
  const std::string process = process_name(thread);
  if (name.empty())
    name = process;
  else if (processes_.size() > 1 && !process.empty())
    name = process + ": " + name;
  flamelet_capture_builder_name_lane(job_.builder, thread.lane, job_.string(name));
}

std::string ChromeLanes::process_name(const ChromeThread& thread) const {
  return thread.process < processes_.size() ? process_name(processes_[thread.process]) : "";
}

// With its number where it has no name, or others have the same.
std::string ChromeLanes::process_name(const Process& process) const {
  if (process.name.empty() && process.number.empty()) return "";
  if (process.name.empty()) return is_number(process.number) ? "process " + process.number : process.number;
  for (const Process& other : processes_)
    if (&other != &process && other.name == process.name) return process.name + " " + process.number;
  return process.name;
}

// The processes by their index, and the threads of each by theirs; one that has none has 0. Equal ones stand in the
// order in which they came.
void ChromeLanes::place_lanes() {
  std::vector<const ChromeThread*> order;
  for (const auto& [key, thread] : threads_)
    if (thread.kind == ChromeThread::kLane) order.push_back(&thread);
  const auto key_of = [this](const ChromeThread& thread) {
    const int64_t process = thread.process < processes_.size() ? processes_[thread.process].sort_index : 0;
    return std::make_tuple(process, thread.process, thread.sort_index, thread.lane);
  };
  std::sort(order.begin(), order.end(),
            [&](const ChromeThread* a, const ChromeThread* b) { return key_of(*a) < key_of(*b); });
  uint32_t place = 0;
  for (const ChromeThread* thread : order) flamelet_capture_builder_place_lane(job_.builder, thread->lane, ++place);
}

}  // namespace flamelet::formats
