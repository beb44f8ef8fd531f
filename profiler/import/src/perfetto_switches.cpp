// SPDX-License-Identifier: MIT
#include "perfetto_switches.h"

#include <algorithm>
#include <map>

#include "perfetto_wire.h"

namespace flamelet::formats::perfetto {

using protozero::data_view;
using protozero::pbf_reader;

namespace {

void tell(Names* names, int64_t tid, data_view name) {
  if (tid != sched_switch::kIdle) names->tell_thread(0, tid, view(name), Names::Source::kSwitch);
}

}  // namespace

uint64_t Switches::read_bundle(data_view bytes, Names* names, const OnPrint& on_print) {
  uint64_t others = 0;
  uint32_t processor = 0;
  bool lost = false;
  const size_t first = switches_.size();
  data_view compact("", 0);
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(ftrace_bundle::kProcessor):
        processor = get_uint32(reader);
        break;
      case varint(ftrace_bundle::kLostEvents):
        lost = reader.get_uint64() != 0;
        break;
      case length(ftrace_bundle::kEvent):
        others += !read_event(reader.get_view(), names, on_print);
        break;
      case length(ftrace_bundle::kCompactSched):
        compact = reader.get_view();
        break;
      default:
        reader.skip();
    }
  }
  if (lost) running_.erase(processor);
  gaps_ += lost;
  read_compact(compact, processor, names);
  for (size_t i = first; i < switches_.size(); ++i) switches_[i].processor = processor;
  if (lost && first != switches_.size()) switches_[first].lost_before = true;
  return others;
}

void Switches::add(const Switch& next) {
  if (switches_.size() == kMaxSwitches)
    ++dropped_;
  else
    switches_.push_back(next);
}

// As Android writes them. Who was taken off by the first one is not told.
void Switches::read_compact(data_view bytes, uint32_t processor, Names* names) {
  std::vector<uint64_t> steps, comms;
  std::vector<int64_t> states, threads;
  std::vector<data_view> texts;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case length(compact_sched::kTimeSteps):
        for (const uint64_t step : reader.get_packed_uint64()) steps.push_back(step);
        break;
      case length(compact_sched::kPrevStates):
        for (const int64_t state : reader.get_packed_int64()) states.push_back(state);
        break;
      case length(compact_sched::kNextPids):
        for (const int32_t thread : reader.get_packed_int32()) threads.push_back(thread);
        break;
      case length(compact_sched::kComms):
        texts.push_back(reader.get_view());
        break;
      case length(compact_sched::kNextComms):
        for (const uint64_t comm : reader.get_packed_uint64()) comms.push_back(comm);
        break;
      default:
        reader.skip();
    }
  }
  uint64_t time_ns = 0;
  for (size_t i = 0; i < std::min({steps.size(), states.size(), threads.size()}); ++i) {
    time_ns += steps[i];
    Switch next = {};
    next.time_ns = static_cast<int64_t>(time_ns);
    const auto running = running_.find(processor);
    next.from = running != running_.end() ? running->second : sched_switch::kOthers;
    next.to = threads[i];
    next.sleeps = (states[i] & sched_switch::kSleepBits) != 0;
    running_[processor] = next.to;
    add(next);
    if (i < comms.size() && comms[i] < texts.size()) tell(names, next.to, texts[static_cast<size_t>(comms[i])]);
  }
}

// False: it is another one.
bool Switches::read_event(data_view bytes, Names* names, const OnPrint& on_print) {
  Switch next = {};
  Print print = {0, 0, {"", 0}};
  bool is_switch = false, is_print = false;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(ftrace_event::kTimestamp):
        next.time_ns = print.time_ns = static_cast<int64_t>(reader.get_uint64());
        break;
      case varint(ftrace_event::kPid):
        print.tid = reader.get_int64();
        break;
      case length(ftrace_event::kPrint):
        for (pbf_reader what(reader.get_view()); what.next();) {
          if (what.tag_and_type() == length(print::kText))
            print.line = what.get_view();
          else
            what.skip();
        }
        is_print = true;
        break;
      case length(ftrace_event::kSchedSwitch):
        read_switch(reader.get_view(), names, &next);
        is_switch = true;
        break;
      default:
        reader.skip();
    }
  }
  if (is_switch) add(next);
  if (is_print) on_print(print);
  return is_switch || is_print;
}

void Switches::read_switch(data_view bytes, Names* names, Switch* into) {
  data_view from_name("", 0), to_name("", 0);
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case length(sched_switch::kPrevComm):
        from_name = reader.get_view();
        break;
      case varint(sched_switch::kPrevPid):
        into->from = reader.get_int64();
        break;
      case varint(sched_switch::kPrevState):
        into->sleeps = (reader.get_uint64() & sched_switch::kSleepBits) != 0;
        break;
      case length(sched_switch::kNextComm):
        to_name = reader.get_view();
        break;
      case varint(sched_switch::kNextPid):
        into->to = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
  tell(names, into->from, from_name);
  tell(names, into->to, to_name);
}

// Where some are missing, nothing is known from the one before them on.
uint64_t Switches::put(flamelet_capture_builder* builder, const Tracks& tracks, int64_t base_ns) {
  std::stable_sort(switches_.begin(), switches_.end(),
                   [](const Switch& a, const Switch& b) { return a.time_ns < b.time_ns; });
  const std::unordered_map<int64_t, uint32_t> lanes = tracks.thread_lanes();
  std::map<uint32_t, Switch*> before;  // by processor
  for (Switch& next : switches_) {
    Switch*& last = before[next.processor];
    if (last != nullptr) last->lost_after = next.lost_before;
    last = &next;
  }
  const auto put_one = [&](const Switch& of, int64_t thread, flamelet_state_kind state) {
    const auto lane = lanes.find(thread);
    if (lane == lanes.end() && state != FLAMELET_STATE_UNKNOWN) return;
    const int64_t time_ns = static_cast<int64_t>(static_cast<uint64_t>(of.time_ns) - static_cast<uint64_t>(base_ns));
    dropped_ +=
        !flamelet_capture_builder_switch(builder, lane == lanes.end() ? 0 : lane->second, time_ns, state, of.processor);
  };
  for (const Switch& next : switches_) {
    put_one(next, next.from, next.sleeps ? FLAMELET_STATE_ASLEEP : FLAMELET_STATE_TAKEN_OFF);
    put_one(next, next.to, FLAMELET_STATE_RUNNING);
    if (next.lost_after) put_one(next, 0, FLAMELET_STATE_UNKNOWN);
  }
  return dropped_;
}

}  // namespace flamelet::formats::perfetto
