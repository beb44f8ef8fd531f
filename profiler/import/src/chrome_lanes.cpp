// SPDX-License-Identifier: MIT
#include "chrome_lanes.h"

#include "decimal.h"

namespace flamelet::formats {
namespace {

constexpr std::string_view kKinds[] = {"thread", "gpu", "external", "fiber"};  // flamelet_lane_kind

// As much of a name as is kept of each of many threads.
std::string_view whole_start(std::string_view text) {
  constexpr size_t kMost = 1000;
  if (text.size() <= kMost) return text;
  size_t size = kMost;
  while ((static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

}  // namespace

ChromeThread* ChromeLanes::thread_of(const ChromeEvent& event) {
  key_.assign(event.pid);
  key_ += '\0';
  key_ += event.tid;
  if (key_ == last_key_ && last_thread_ != nullptr) return last_thread_;
  auto found = threads_.find(key_);
  if (found == threads_.end()) {
    if (threads_.size() == kMaxThreads || key_.size() > kMaxKeyBytes) return nullptr;
    ChromeThread thread = {};
    if (!add_lane(event, &thread)) return nullptr;
    found = threads_.emplace(key_, std::move(thread)).first;
  }
  last_key_ = key_;
  return last_thread_ = &found->second;
}

bool ChromeLanes::add_lane(const ChromeEvent& event, ChromeThread* thread) {
  thread->process = process_of(event.pid);
  thread->number = event.tid;
  thread->named_by_exporter = !event.lane.empty();
  if (event.lane == "frames" || event.lane == "intervals") {
    thread->kind = event.lane == "frames" ? ChromeThread::kFrames : ChromeThread::kIntervals;
    return true;
  }
  flamelet_lane_kind kind = FLAMELET_LANE_THREAD;
  for (uint32_t i = 0; i < std::size(kKinds); ++i)
    if (event.lane == kKinds[i]) kind = static_cast<flamelet_lane_kind>(i);
  const uint32_t name = thread->named_by_exporter ? job_.string(event.arg_name) : 0;
  thread->id = parse_id(thread->named_by_exporter ? event.lane_id : event.tid);
  thread->lane =
      flamelet_capture_builder_span_lane(job_.builder, kind, thread->id, name, /*in_order=*/thread->named_by_exporter);
  return thread->lane != 0;
}

uint32_t ChromeLanes::process_of(std::string_view pid) {
  const auto found = processes_.find(std::string(pid));
  if (found != processes_.end()) return found->second;
  if (processes_.size() == kMaxThreads || pid.size() > kMaxKeyBytes) return UINT32_MAX;
  processes_.emplace(pid, static_cast<uint32_t>(process_names_.size()));
  process_names_.emplace_back();
  return static_cast<uint32_t>(process_names_.size() - 1);
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
  if (process < process_names_.size()) process_names_[process] = whole_start(event.arg_name);
}

void ChromeLanes::finish() {
  for (const auto& [key, thread] : threads_)
    if (thread.kind == ChromeThread::kLane && !thread.named_by_exporter) name_lane(thread);
}

// With its process, if there are several.
void ChromeLanes::name_lane(const ChromeThread& thread) {
  std::string name = thread.name;
  if (process_names_.size() > 1 && thread.process < process_names_.size() && !process_names_[thread.process].empty()) {
    if (name.empty()) name = "thread " + thread.number;
    name = process_names_[thread.process] + ": " + name;
  }
  flamelet_capture_builder_name_lane(job_.builder, thread.lane, job_.string(name));
}

}  // namespace flamelet::formats
