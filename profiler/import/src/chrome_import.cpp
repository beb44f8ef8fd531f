// SPDX-License-Identifier: MIT
//
// chrome_import.cpp: what each event of a Chrome trace says, told to the builder.
//
//   ChromeTrace: the next event ──► this file ──► the builder
//                                    ├── ChromeLanes: its thread's lane
//                                    ├── ChromeScopes: its name and place
//                                    └── BeginsAndEnds: what has begun, until its end is found
//
// What our own exporter adds (docs/formats.md) makes a capture that exports to the same bytes again.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "chrome_trace.h"
#include "flamelet/detail/hash.h"
#include "importer.h"
#include "lane_stream.h"
#include "platform/number_text.h"

namespace flamelet::formats {

// The threads of a Chrome trace as lanes. Their names, and in which order they stand, may be told before,
// between or after their events.

// Chrome scopes: what the events of a Chrome trace are called, as the builder's sites. Other programs write name and
// category into each event; our own exporter tells a site once, with its place in the source, and then its number.

struct ChromeScope {
  uint32_t site;  // of the builder, as is name
  uint32_t name;
};

class ChromeScopes {
 public:
  explicit ChromeScopes(Import& job) : job_(job) {}

  // The event "flamelet_site".
  void tell(const ChromeEvent& event) {
    if (told_.size() == kMaxTold) {
      ++job_.report.events_over_limits;
      return;
    }
    Told site = {};
    site.name = job_.string(event.arg_name);
    site.file = job_.string(event.file);
    site.function = job_.string(event.function);
    site.line = parse_id(event.line);
    site.color = parse_id(event.color);
    told_.try_emplace(parse_id(event.site), site);
  }

  ChromeScope of(const ChromeEvent& event) {
    if (!event.site.empty()) {
      const auto found = told_.find(parse_id(event.site));
      if (found != told_.end()) return of(event, &found->second);
    }
    return of_text(event.name.empty() ? "(unnamed)" : event.name, event.category, event.source_file, event.source_line,
                   event.source_function);
  }

  ChromeScope of_text(std::string_view name_text, std::string_view category_text, std::string_view file_text = {},
                      std::string_view line_text = {}, std::string_view function_text = {}) {
    Met& met = met_[std::hash<std::string_view>{}(name_text) % kMet];
    if (met.is_used && met.name == name_text && met.category == category_text && met.file == file_text &&
        met.line == line_text && met.function == function_text)
      return met.scope;
    if (name_text.find('\0') != std::string_view::npos)  // each time, so that it is counted
      return of_text(repaired_name(name_text, &job_.report.texts_repaired), category_text, file_text, line_text,
                     function_text);
    const uint32_t name = job_.string(name_text), category = job_.string(category_text), file = job_.string(file_text),
                   function = job_.string(function_text);
    const ChromeScope scope = of_strings({name, category, file, function, parse_id(line_text)});
    // One that had no room is asked for each time, so that it is counted.
    const bool had_room = (name != 0 || name_text.empty()) && (category != 0 || category_text.empty()) &&
                          (file != 0 || file_text.empty()) && (function != 0 || function_text.empty());
    met.is_used = had_room && name_text.size() + category_text.size() + file_text.size() + line_text.size() +
                                      function_text.size() <=
                                  kMaxMetBytes;
    if (!met.is_used) return scope;
    met.name = name_text;
    met.category = category_text;
    met.file = file_text;
    met.line = line_text;
    met.function = function_text;
    return met.scope = scope;
  }

 private:
  static constexpr size_t kMaxTold = 1u << 20;
  static constexpr size_t kMet = 512;
  static constexpr size_t kMaxMetBytes = 256;

  // Names that came before, so that most need not be looked for in the builder.
  struct Met {
    bool is_used = false;
    std::string name, category, file, line, function;
    ChromeScope scope;
  };

  using Key = std::array<uint32_t, 5>;  // name, category, file, function, line

  ChromeScope of_strings(const Key& key) {
    const uint32_t name = key[0];
    const auto found = sites_.find(key);
    if (found != sites_.end()) return {found->second, name};
    if (sites_.size() >= FLAMELET_MAX_SITES) return {0, name};  // the name is the span's own then
    const uint32_t site = flamelet_capture_builder_site(job_.builder, name, key[1], key[2], key[3], key[4], 0);
    sites_.emplace(key, site);
    return {site, name};
  }

  struct Told {
    uint32_t name, file, function, line, color;
    bool is_used;
    ChromeScope scope;  // once it is used
  };

  // The category of a site, and its dynamic name, stand in its events.
  ChromeScope of(const ChromeEvent& event, Told* site) {
    if (!site->is_used) {
      site->is_used = true;
      site->scope.name = job_.string(event.name);
      site->scope.site = flamelet_capture_builder_site(job_.builder, site->name, job_.string(event.category),
                                                       site->file, site->function, site->line, site->color);
    }
    return site->scope;
  }

  Import& job_;
  std::unordered_map<uint32_t, Told> told_;  // by number
  std::map<Key, uint32_t> sites_;            // of others
  std::array<Met, kMet> met_;                // by the hash of the name
};

// Where the events of a thread go.
struct ChromeThread {
  enum Kind { kLane, kFrames, kFrameSet, kIntervals } kind;
  uint32_t lane;  // of the builder; of a set of frames: its name, a string of the builder
  uint32_t id;    // that the capture shows
  uint32_t process;
  int64_t sort_index;
  std::string name;    // if it is not our exporter's
  std::string number;  // tid
  bool named_by_exporter;
};

class ChromeLanes {
 public:
  explicit ChromeLanes(Import& job) : job_(job) {}

  // The thread of an event, new if this is its first one. It stays where it is. NULL, and counted, if there are too many.
  ChromeThread* thread_of(const ChromeEvent& event);
  // The lane of a thread in a trace of our exporter; 0: it has none.
  uint32_t own_lane(const ChromeEvent& event, uint32_t tid);
  // Of its process, as far as it is known here.
  std::string process_name(const ChromeThread& thread) const;
  // Metadata.
  void name_thread(const ChromeEvent& event);
  void name_process(const ChromeEvent& event);
  void sort_thread(const ChromeEvent& event);
  void sort_process(const ChromeEvent& event);
  // When all that is known.
  void finish();

 private:
  static constexpr size_t kMaxThreads = 1u << 16;
  static constexpr size_t kMaxKeyBytes = 256;

  struct Process {
    std::string name;
    std::string number;  // pid
    int64_t sort_index = 0;
  };

  bool add_lane(const ChromeEvent& event, ChromeThread* thread);
  uint32_t process_of(std::string_view pid);
  void name_lane(const ChromeThread& thread);
  std::string process_name(const Process& process) const;
  void place_lanes();

  Import& job_;
  std::unordered_map<std::string, ChromeThread> threads_;      // by pid and tid
  std::unordered_map<std::string, uint32_t> process_numbers_;  // in processes_, by pid
  std::vector<Process> processes_;
  std::unordered_map<std::string, uint32_t> called_;  // how many of them have that name
  bool is_sorted_ = false;
  std::string key_;
  std::string last_pid_, last_tid_;  // most events are of the thread of the one before
  ChromeThread* last_thread_ = nullptr;
};

namespace {

constexpr size_t kMostName = 1000;  // bytes that are kept of the name of each of many threads

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
    if (threads_.size() == kMaxThreads || key_.size() > kMaxKeyBytes) {
      ++job_.report.events_over_limits;
      return nullptr;
    }
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
  if (thread != nullptr && !thread->named_by_exporter) thread->name = whole_start(event.arg_name, kMostName);
}

void ChromeLanes::name_process(const ChromeEvent& event) {
  const uint32_t process = process_of(event.pid);
  if (process >= processes_.size()) return;
  std::string& name = processes_[process].name;
  if (!name.empty() && --called_[name] == 0) called_.erase(name);
  name = whole_start(event.arg_name, kMostName);
  if (!name.empty()) ++called_[name];
}

void ChromeLanes::sort_thread(const ChromeEvent& event) {
  ChromeThread* thread = thread_of(event);
  if (thread != nullptr && parse_decimal(event.sort_index, 0, &thread->sort_index)) is_sorted_ = true;
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
    name = is_number(thread.number) ? "thread " + thread.number : std::string(whole_start(thread.number, kMostName));
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
  return called_.at(process.name) > 1 ? process.name + " " + process.number : process.name;
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

// What a Chrome trace tells as a begin and an end, of scopes (B, E) and of intervals (b, e), paired.
//
// Writers flush buffers of several threads one after the other, write an end before its begin, and leave ends out. So begins
// and ends are put in the order of their times first; those of one time keep that of the file. An end that has a name ends
// the innermost begin of that name; one without ends the innermost. What stood inside and has no end of its own ends with it.

class BeginsAndEnds {
 public:
  // How many begins may be open at once; the ends of further ones are left out with them.
  static constexpr size_t kMaxOpen = size_t{1} << 20;
  // How many are put in order at a time: a longer trace is in order but for so many.
  static constexpr size_t kMostWaiting = size_t{1} << 21;  // 96 MiB, twice that while they are sorted

  struct Mark {
    int64_t at_ns;
    uint64_t key;         // what can end it: a lane's begins, or an interval's
    uint64_t name_hash;   // 0: it has no name
    uint32_t lane;        // of a scope; of an interval, the track
    uint32_t site, name;  // of a begin
    uint32_t object;
    bool is_end, is_interval;
    bool has_object;  // one argument of it is the object
    bool is_own;      // Flamelet wrote it
  };
  // A key that no scope's lane has.
  static uint64_t interval_key(uint64_t hash) { return hash | uint64_t{1} << 63; }

  struct Open {
    Mark begin;
    uint64_t order;      // of its begin among all
    int64_t ends_by_ns;  // the first end around it; INT64_MAX: there was none yet
  };

  // For each pair, sink.pair(open, depth, end): `end` is NULL where there was none, and the begin ends at
  // open.ends_by_ns if that is set. sink.extra() for each end without a begin, sink.over() for each begin that is left out.
  template <class Sink>
  void add(const Mark& mark, Sink& sink) {
    if (waiting_.size() == kMostWaiting) take(kMostWaiting / 2, sink);
    in_order_ = in_order_ && (waiting_.empty() || waiting_.back().at_ns <= mark.at_ns);
    waiting_.push_back(mark);
  }

  // No mark comes any more.
  template <class Sink>
  void finish(Sink& sink) {
    take(waiting_.size(), sink);
    retry(sink);
    std::vector<std::pair<Open, size_t>> left;
    left.reserve(open_);
    for (const auto& [key, stack] : stacks_)
      for (size_t depth = 0; depth < stack.open.size(); ++depth) left.emplace_back(stack.open[depth], depth);
    stacks_.clear();
    std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.first.order > b.first.order; });
    for (const auto& [open, depth] : left) give(open, depth, nullptr, sink);
  }

 private:
  struct Stack {
    std::vector<Open> open;
    uint64_t left_out = 0;
  };

  // Pairs the oldest ones. Those of one time stay together.
  template <class Sink>
  void take(size_t count, Sink& sink) {
    if (!in_order_)
      std::stable_sort(waiting_.begin(), waiting_.end(),
                       [](const Mark& a, const Mark& b) { return a.at_ns < b.at_ns; });
    in_order_ = true;
    for (size_t i = 0; i < count; ++i) {
      if (!postponed_.empty() && waiting_[i].at_ns != postponed_.front().at_ns) retry(sink);
      if (!waiting_[i].is_end)
        begin(waiting_[i], sink);
      else if (!end(waiting_[i], sink))
        postponed_.push_back(waiting_[i]);
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(count));
  }

  // An end may stand before its begin where both have one time.
  template <class Sink>
  void retry(Sink& sink) {
    for (const Mark& mark : postponed_)
      if (!end(mark, sink)) sink.extra();
    postponed_.clear();
  }

  template <class Sink>
  void begin(const Mark& mark, Sink& sink) {
    if (open_ == kMaxOpen) {
      // An end of one that is not counted here ends nothing.
      if (const auto known = stacks_.find(mark.key); known != stacks_.end()) ++known->second.left_out;
      sink.over();
      return;
    }
    Stack& stack = stacks_[mark.key];
    settle(&stack, mark.at_ns, sink);
    ++open_;
    stack.open.push_back({mark, ++order_, INT64_MAX});
  }

  // Those whose surroundings have ended before: their own ends do not come any more.
  template <class Sink>
  void settle(Stack* stack, int64_t now_ns, Sink& sink) {
    while (!stack->open.empty() && stack->open.back().ends_by_ns <= now_ns) {
      const Open open = stack->open.back();
      stack->open.pop_back();
      give(open, stack->open.size(), nullptr, sink);
    }
  }

  template <class Sink>
  bool end(const Mark& mark, Sink& sink) {
    const auto found = stacks_.find(mark.key);
    if (found == stacks_.end()) return false;
    Stack& stack = found->second;
    if (stack.left_out != 0) {
      --stack.left_out;
      return true;
    }
    std::vector<Open>& open = stack.open;
    const size_t least = open.size() - std::min(open.size(), kMostSearched);
    size_t at = open.size();
    while (at != least && mark.name_hash != 0 && open[at - 1].begin.name_hash != mark.name_hash) --at;
    if (at-- == least) return false;
    const Open ended = open[at];
    open.erase(open.begin() + static_cast<ptrdiff_t>(at));
    // What began at this very time stands behind it, and not inside.
    if (!mark.is_interval)
      for (size_t i = at; i < open.size(); ++i)
        if (open[i].begin.at_ns < mark.at_ns) open[i].ends_by_ns = std::min(open[i].ends_by_ns, mark.at_ns);
    give(ended, at, &mark, sink);
    if (open.empty() && stack.left_out == 0) stacks_.erase(found);
    return true;
  }

  template <class Sink>
  void give(const Open& open, size_t depth, const Mark* end, Sink& sink) {
    --open_;
    sink.pair(open, depth, end);
  }

  std::vector<Mark> waiting_, postponed_;
  bool in_order_ = true;
  std::unordered_map<uint64_t, Stack> stacks_;
  size_t open_ = 0;
  uint64_t order_ = 0;
};

namespace {

class ChromeImporter {
 public:
  explicit ChromeImporter(Import& job) : job_(job), trace_(job), lanes_(job), scopes_(job) {}

  flamelet_result read() {
    uint64_t events = 0;
    while (trace_.next()) events += take(trace_.event());
    if (!trace_.found_events()) return fail(trace_.other_kind());
    if (events == 0 && job_.report.events_damaged != 0) return fail("Not one event of a Chrome trace was found.");
    job_.report.truncated = !trace_.is_whole();
    finish();
    return FLAMELET_OK;
  }

 private:
  flamelet_result fail(const char* message) {
    job_.say(message);
    return FLAMELET_ERROR_FILE_FORMAT;
  }

  // False if it is no event, whatever else it is.
  bool take(const ChromeEvent& event) {
    if (event.phase.size() != 1) {
      // {} stands where a writer wants no comma behind its last event.
      if (!event.is_empty) trace_.count_damaged("it has no phase (\"ph\")");
      return false;
    }
    switch (event.phase[0]) {
      case 'M':
        take_metadata(event);
        break;
      case 'X':
      case 'B':
      case 'E':
      case 'i':
      case 'I':
      case 'R':
      case 'n':
      case 'C':
      case 'b':
      case 'e':
      case 'S':
      case 'F':
      case 's':
      case 't':
      case 'f':
        take_timed(event);
        break;
      default:
        ++job_.report.events_unsupported;
    }
    return true;
  }

  void take_metadata(const ChromeEvent& event) {
    if (event.name == "flamelet_site")
      scopes_.tell(event);
    else if (event.name == "thread_name")
      lanes_.name_thread(event);
    else if (event.name == "process_name")
      lanes_.name_process(event);
    else if (event.name == "thread_sort_index")
      lanes_.sort_thread(event);
    else if (event.name == "process_sort_index")
      lanes_.sort_process(event);
  }

  void take_timed(const ChromeEvent& event) {
    const char phase = event.phase[0];
    int64_t at_ns;
    if (!trace_.read_time(event.ts, &at_ns)) {
      trace_.count_damaged("it has no time (\"ts\")");
      return;
    }
    constexpr std::string_view kWithId = "beSFstf";
    if (event.id.empty() && !trace_.head().is_own && kWithId.find(phase) != std::string_view::npos) {
      trace_.count_damaged("nothing says what it belongs to (\"id\")");
      return;
    }
    at_ns = since_base(at_ns);
    if (phase != 'X') newest_ns_ = std::max(newest_ns_, at_ns);
    const ChromeThread* const thread = lanes_.thread_of(event);
    if (thread == nullptr) return;
    if (phase == 'b' || phase == 'S' || phase == 'e' || phase == 'F') {
      add_mark(event, interval_key(event), track_of(event, *thread), phase == 'e' || phase == 'F', true, at_ns);
    } else if (phase == 'X' && (thread->kind == ChromeThread::kFrames || thread->kind == ChromeThread::kFrameSet)) {
      take_frame(event, *thread, at_ns);
    } else if (thread->kind != ChromeThread::kLane) {
      trace_.count_damaged("it is of another kind than its thread (\"lane\")");
    } else if (phase == 's' || phase == 't' || phase == 'f') {
      take_flow(event, thread->lane, at_ns);
    } else if (phase == 'X') {
      take_span(event, *thread, at_ns);
    } else if (phase == 'B' || phase == 'E') {
      put_arrows(event, thread->lane, at_ns);
      add_mark(event, thread->lane, thread->lane, phase == 'E', thread->named_by_exporter, at_ns);
    } else if (phase == 'C') {
      take_counter(event, *thread, at_ns);
    } else {
      const ChromeScope scope = scopes_.of(event);
      ++job_.report.points;
      flamelet_capture_builder_instant(job_.builder, thread->lane, at_ns, scope.site, scope.name, object(event));
    }
  }

  // Our own times are the capture's again. Of others, 0 is far in the past, and moves to the first event in the end. It is the
  // same whichever comes first: a bad time there would take all others with it.
  int64_t since_base(int64_t at_ns) {
    const ChromeTrace::Head& head = trace_.head();
    if (head.is_own) return saturated_difference(at_ns, saturated_difference(0, head.base_ns));
    if (!has_good_time_ && is_good_time(at_ns)) {
      has_good_time_ = true;
      job_.spans.set_double_times(at_ns);
    }
    return at_ns;
  }

  // ---- Spans ----

  // From or to the scope, where it begins or ends.
  void put_arrows(const ChromeEvent& event, uint32_t lane, int64_t begin_ns) {
    if (event.bind_id.empty()) return;
    const uint64_t id = flow_of({}, event.bind_id);
    if (event.flow_in) put_flow(lane, begin_ns, id, /*ends=*/true);
    if (event.flow_in && event.flow_out)
      begin_next(lane, begin_ns, id);
    else if (event.flow_out)
      put_flow(lane, begin_ns, id, /*ends=*/false);
  }

  void put_span(uint32_t lane, const flamelet_span& span, bool is_own, uint64_t order = 0) {
    ++job_.report.spans;
    newest_ns_ = std::max(newest_ns_, span.end_ns);
    if (is_own) {
      job_.spans.nesting.add(lane, span.begin_ns, span.end_ns, /*keeps_order=*/true);
      job_.spans.add_own(lane, span);
    } else {
      job_.spans.add(lane, span, order);
    }
  }

  int64_t duration_ns(const ChromeEvent& event) {
    int64_t duration_ns;
    if (parse_decimal(event.dur, 3, &duration_ns) && duration_ns >= 0) return duration_ns;
    ++job_.report.times_clamped;
    return 0;
  }

  void take_span(const ChromeEvent& event, const ChromeThread& thread, int64_t begin_ns) {
    put_arrows(event, thread.lane, begin_ns);
    const ChromeScope scope = scopes_.of(event);
    flamelet_span span = {};
    span.begin_ns = begin_ns;
    span.site = scope.site;
    span.name = scope.name;
    span.object = object(event);
    span.depth = FLAMELET_DEPTH_UNKNOWN;
    span.end_ns = add_saturating(begin_ns, duration_ns(event));
    if (!event.depth.empty()) {  // it has no length, and may have been written 1 ns earlier
      span.begin_ns = span.end_ns = add_saturating(begin_ns, event.moved ? 1 : 0);
      span.depth = static_cast<uint16_t>(std::min<uint64_t>(parse_count(event.depth), FLAMELET_DEPTH_UNKNOWN - 1));
    }
    span.id = parse_count(event.scope_id);
    span.flags = static_cast<uint16_t>(parse_count(event.flags) & UINT16_MAX);
    job_.cut_in_file += (span.flags & FLAMELET_SPAN_CUT) != 0;
    put_span(thread.lane, span, thread.named_by_exporter);
  }

  // ---- Begins and ends ----

  void add_mark(const ChromeEvent& event, uint64_t key, uint32_t lane, bool is_end, bool is_own, int64_t at_ns) {
    BeginsAndEnds::Mark mark = {};
    mark.at_ns = at_ns;
    mark.key = key;
    mark.lane = lane;
    mark.is_end = is_end;
    mark.is_interval = key != lane;
    mark.is_own = is_own;
    if (!event.name.empty()) mark.name_hash = fnv_of_text(event.name.data(), event.name.size()) | 1;
    if (!is_end) {
      const ChromeScope scope = scopes_.of(event);
      mark.site = scope.site;
      mark.name = scope.name;
    }
    mark.object = object(event);
    mark.has_object = mark.object != 0 || event.has_object;
    begins_and_ends_.add(mark, *this);
  }

  // By process, category, scope and id, as the format has it.
  static uint64_t interval_key(const ChromeEvent& event) {
    uint64_t hash = kFnvStart;
    for (const std::string_view text :
         {event.id_is_global ? std::string_view() : event.pid, event.category, event.scope, event.id})
      hash = fnv_next<uint64_t>(fnv_of_text(text.data(), text.size(), hash), 0xFF);  // a byte of no text
    return BeginsAndEnds::interval_key(hash);
  }

 public:  // for BeginsAndEnds
  void extra() { ++job_.report.ends_extra; }
  void over() { ++job_.report.events_over_limits; }
  void pair(const BeginsAndEnds::Open& open, size_t depth, const BeginsAndEnds::Mark* end) {
    const BeginsAndEnds::Mark& begin = open.begin;
    job_.report.spans_open += end == nullptr;
    const bool is_open = end == nullptr && open.ends_by_ns == INT64_MAX;
    int64_t end_ns = end != nullptr ? end->at_ns : is_open ? newest_ns_ : open.ends_by_ns;
    job_.report.times_clamped +=
        end != nullptr && end_ns < begin.at_ns;  // further apart in the file than is put in order
    end_ns = std::max(end_ns, begin.at_ns);
    // Programs tell at the end what came out. It counts where the begin said nothing.
    uint32_t object = begin.object;
    if (end != nullptr && object == 0)
      object = end->object;
    else if (end != nullptr)
      job_.report.args_left_out += end->has_object;
    if (begin.is_interval) {
      ++job_.report.intervals;
      flamelet_capture_builder_interval(job_.builder, begin.lane, begin.at_ns, end != nullptr ? end->lane : 0, end_ns,
                                        open.order, begin.site, begin.name, object);
      return;
    }
    flamelet_span span = {};
    span.begin_ns = begin.at_ns;
    span.end_ns = end_ns;
    span.site = begin.site;
    span.name = begin.name;
    span.object = object;
    span.depth = static_cast<uint16_t>(std::min<size_t>(depth, FLAMELET_DEPTH_UNKNOWN - 1));
    span.flags = is_open ? FLAMELET_SPAN_OPEN : 0;
    put_span(begin.lane, span, begin.is_own, open.order);
  }

 private:
  // ---- Flows ----

  // Others name flows by any text, and the same one in two categories is two flows.
  static uint64_t flow_of(const ChromeEvent& event, std::string_view id) {
    uint64_t hash = kFnvStart;
    for (const std::string_view text :
         {event.id_is_local ? event.pid : std::string_view(), event.category, event.name, id})
      hash = fnv_next<uint64_t>(fnv_of_text(text.data(), text.size(), hash), 0xFF);  // a byte of no text
    return hash;
  }

  static uint64_t own_flow(std::string_view text) {
    uint64_t id = 0;
    std::from_chars(text.data(), text.data() + text.size(), id);
    return id;
  }

  // A step ends one arrow, and begins the next. Those of our own exporter are further ends.
  void take_flow(const ChromeEvent& event, uint32_t lane, int64_t at_ns) {
    const char phase = event.phase[0];
    const bool is_own = !event.flow.empty();
    const uint64_t id = is_own ? own_flow(event.flow) : flow_of(event, event.id);
    if (phase != 's') put_flow(lane, at_ns, id, /*ends=*/true);
    if (phase == 's') put_flow(lane, at_ns, id, /*ends=*/false);
    if (phase == 't' && !is_own) begin_next(lane, at_ns, id);
  }

  // One nanosecond later: a capture sorts a begin before an end of the same nanosecond.
  void begin_next(uint32_t lane, int64_t ended_ns, uint64_t id) {
    put_flow(lane, add_saturating(ended_ns, 1), id, /*ends=*/false);
  }

  void put_flow(uint32_t lane, int64_t at_ns, uint64_t id, bool ends) {
    ++job_.report.flows;
    flamelet_capture_builder_flow(job_.builder, lane, at_ns, id, ends);
  }

  // ---- Everything else ----

  struct Counter {
    std::string name;
    std::string plain;  // the series that goes by that name alone: the one that came first, alone
    // If it says whose it is: the name without that, and what its thread's process was called.
    std::string series, owner;
    const ChromeThread* thread;
  };
  struct OwnedSite {
    const Counter* counter;
    uint32_t name;
  };

  void take_counter(const ChromeEvent& event, const ChromeThread& thread, int64_t at_ns) {
    const auto put = [&](ChromeScope scope, double value) {
      if (is_nameless_counter(job_.builder, scope.site, scope.name)) {
        ++job_.report.events_over_limits;
        return;
      }
      ++job_.report.points;
      flamelet_capture_builder_counter(job_.builder, thread.lane, at_ns, scope.site, value);
    };
    const std::string_view nonfinite = event.nonfinite;
    if (!nonfinite.empty())
      return put(scopes_.of(event), nonfinite == "nan" ? std::nan("") : nonfinite == "inf" ? HUGE_VAL : -HUGE_VAL);
    values_.clear();
    keys_.clear();
    for (const auto& [key, text] : event.args)
      if (double value;
          read_double(text.data(), text.size(), &value) && std::isfinite(value) && keys_.insert(key).second)
        values_.emplace_back(key, value);
    job_.report.values_left_out += event.arg_count - values_.size();
    if (values_.empty()) {  // with {} it says nothing
      if (!event.has_args) trace_.count_damaged("the counter has no number (\"args\")");
      return;
    }
    if (!event.site.empty() && values_.size() == 1) return put(scopes_.of(event), values_[0].second);
    // A counter of one series has the event's name, also where others come later. Of several each is one of its own.
    series_.assign(event.name);
    if (!event.id.empty()) (((series_ += '[') += event.id) += ']');
    const Counter& counter = counter_of(event, thread);
    for (const auto& [key, value] : values_) {
      series_ = counter.name;
      if (key != counter.plain) ((series_ += ' ') += key);
      const ChromeScope scope = scopes_.of_text(series_, event.category);
      if (counter.thread != nullptr && scope.site != 0) owned_sites_[scope.site] = {&counter, scope.name};
      put(scope, value);
    }
  }

  // Processes may get their names behind their counters.
  void rename_counters() {
    std::unordered_map<const Counter*, std::string> names;
    for (const auto& [site, of] : owned_sites_) {
      const Counter& counter = *of.counter;
      const auto [name, is_first] = names.try_emplace(&counter, counter.name);
      if (is_first) {
        const std::string owner = lanes_.process_name(*counter.thread);
        if (owner != counter.owner) name->second = job_.counter_names.name(counter.series, owner);
      }
      const std::string_view text = text_of(job_.builder, of.name);
      if (name->second == counter.name || text.substr(0, counter.name.size()) != counter.name) continue;
      const uint32_t string = job_.string(name->second + std::string(text.substr(counter.name.size())));
      if (string != 0) flamelet_capture_builder_name_site(job_.builder, site, string);
    }
  }

  // The counter of a process that is called as series_ is there.
  const Counter& counter_of(const ChromeEvent& event, const ChromeThread& thread) {
    key_.assign(event.pid);
    (key_ += '\0') += series_;
    const auto found = counters_.find(key_);
    if (found != counters_.end()) return found->second;
    const std::string first(values_.size() == 1 ? values_[0].first : std::string_view());
    if (counters_.size() == kMaxCounters) return one_more_ = {series_, first, {}, {}, nullptr};
    const std::string owner = lanes_.process_name(thread), name = job_.counter_names.name(series_, owner);
    const ChromeThread* const of = name == series_ ? nullptr : &thread;
    return counters_.emplace(key_, Counter{name, first, series_, owner, of}).first->second;
  }

  void take_frame(const ChromeEvent& event, const ChromeThread& thread, int64_t begin_ns) {
    const int64_t end_ns = event.empty ? begin_ns : add_saturating(begin_ns, duration_ns(event));
    const uint64_t index = parse_count(event.frame);
    const auto flags = static_cast<uint32_t>(parse_count(event.flags) & UINT32_MAX);
    newest_ns_ = std::max(newest_ns_, end_ns);
    ++job_.report.frames;
    if (thread.kind == ChromeThread::kFrameSet)
      return flamelet_capture_builder_named_frame(job_.builder, thread.lane, index, begin_ns, end_ns, flags);
    const auto lane_of = [&](uint32_t tid) { return lanes_.own_lane(event, tid); };
    flamelet_capture_builder_mark_frames(job_.builder, lane_of(parse_id(event.thread)));
    flamelet_capture_builder_frame(job_.builder, index, begin_ns, end_ns, flags);
    put_thread_times(job_.builder, index, event.times, lane_of);
  }

  static uint32_t track_of(const ChromeEvent& event, const ChromeThread& thread) {
    return event.track.empty() ? thread.id : parse_id(event.track);
  }

  // What the event was about: the argument "object", or else the first text among them.
  uint32_t object(const ChromeEvent& event) {
    const uint32_t object = event.has_object ? job_.string(event.object) : job_.arguments.string(event.first_text);
    job_.report.args_left_out += event.arg_count - (object != 0 || event.has_object);
    return object;
  }
  void finish() {
    begins_and_ends_.finish(*this);
    job_.spans.finish();
    lanes_.finish();
    rename_counters();
    if (trace_.head().is_own)
      flamelet_capture_builder_set_origin(job_.builder, trace_.head().origin_unix_ns);
    else
      flamelet_capture_builder_start_at_zero(job_.builder);
  }

  Import& job_;
  ChromeTrace trace_;
  ChromeLanes lanes_;
  ChromeScopes scopes_;
  BeginsAndEnds begins_and_ends_;
  bool has_good_time_ = false;
  int64_t newest_ns_ = INT64_MIN;
  std::vector<std::pair<std::string_view, double>> values_;  // of the counter event in hand
  std::unordered_set<std::string_view> keys_;                // of these
  std::string series_;                                       // the name of one of them
  std::string key_;
  static constexpr size_t kMaxCounters = 1u << 16;
  std::unordered_map<std::string, Counter> counters_;  // by process, and name there
  Counter one_more_ = {};
  std::map<uint32_t, OwnedSite> owned_sites_;
};

}  // namespace

flamelet_result import_chrome(Import& job) {
  return ChromeImporter(job).read();
}

}  // namespace flamelet::formats
