// SPDX-License-Identifier: MIT
#include "perfetto_events.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <system_error>

#include "flamelet/detail/hash.h"
#include "perfetto_wire.h"
#include "platform/number_text.h"

namespace flamelet::formats::perfetto {

// ---- perfetto letters

namespace {

constexpr std::string_view kBegins = "BbSG", kEnds = "EeFH", kInstants = "IinRTpNstf";

bool is_in(std::string_view letters, char letter) {
  return letters.find(letter) != std::string_view::npos;
}

uint32_t type_of(char letter) {
  if (is_in(kBegins, letter)) return event::kSliceBegin;
  if (is_in(kEnds, letter)) return event::kSliceEnd;
  return is_in(kInstants, letter) ? event::kInstant : event::kCounter;
}

// Up to the next bar, and without it.
std::string_view take_field(std::string_view* line) {
  const std::string_view field = line->substr(0, line->find('|'));
  line->remove_prefix(std::min(line->size(), field.size() + 1));
  return field;
}

// Behind the last bar. Names may have bars.
std::string_view take_last_field(std::string_view* line) {
  const std::string_view field = line->substr(line->rfind('|') + 1);
  line->remove_suffix(std::min(line->size(), field.size() + 1));
  return field;
}

bool is_integer(std::string_view text) {
  int64_t value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_number(std::string_view text) {
  int64_t value;
  return parse_decimal(text, 0, &value);
}

// Behind the last bar, or the one before it: Chromium writes a category behind it. False: neither is such a number.
bool take_last_number(bool (*is_such)(std::string_view), std::string_view* line, std::string_view* number) {
  *number = take_last_field(line);
  if (!is_such(*number)) *number = take_last_field(line);
  return is_such(*number);
}

uint64_t key_of(int64_t pid, std::string_view name, std::string_view cookie) {
  const uint64_t hash = fnv_of_text(cookie.data(), cookie.size(), fnv_next(kFnvStart, static_cast<uint64_t>(pid)));
  return fnv_of_text(name.data(), name.size(), fnv_next<uint64_t>(hash, '|'));
}

int64_t pid_of(const Legacy& legacy, const Event& event, Tracks& tracks) {
  const Track* const track = tracks.find(event.track);
  return legacy.pid != 0 || track == nullptr ? legacy.pid : track->pid;
}

}  // namespace

bool read_legacy(const Legacy& legacy, Tracks& tracks, Event* event) {
  const char letter = legacy.phase > 0 && legacy.phase < 0x80 ? static_cast<char>(legacy.phase) : '\0';
  const bool is_work = is_in("bneSTpF", letter);  // that has an id in place of a thread
  if (!is_work && !is_in("BEXiIRCstf", letter)) return false;
  if (is_in("beSFstf", letter) && !legacy.has_id) return false;  // nothing says what they belong to
  event->type = type_of(letter);
  if (letter == 'X') {
    event->type = event::kSliceBegin;
    event->is_whole = true;
    event->duration_ns = static_cast<uint64_t>(std::clamp<int64_t>(legacy.duration_us, 0, INT64_MAX / 1000)) * 1000;
  }
  event->ends_named = event->type == event::kSliceEnd && event->name != 0;
  event->ends_inside = letter == 'E';
  if (legacy.tid != 0) event->track = tracks.thread(legacy.pid, legacy.tid);
  if (is_in("stf", letter)) {
    event->is_flow = true;
    event->begins_flow = letter != 'f';
    event->ends_flow = letter != 's';
    event->flow = hash_of({event->category, event->name, legacy.id,
                           legacy.is_local ? static_cast<uint64_t>(pid_of(legacy, *event, tracks)) : 0});
    return true;
  }
  if (!is_work && letter != 'C') return true;
  const int64_t pid = pid_of(legacy, *event, tracks);
  if (letter == 'C') {
    if (pid != 0) event->track = tracks.process(pid);
    return true;
  }
  const uint64_t key = hash_of({legacy.id, legacy.scope != 0 ? legacy.scope : uint64_t{event->category},
                                legacy.is_local ? static_cast<uint64_t>(pid) : 0});
  event->track = tracks.work(key, event->name, pid != 0 ? tracks.process(pid) : 0);
  return true;
}

void tell_names(const Legacy& legacy, flamelet_capture_builder* builder, Tracks& tracks, const Event& event) {
  const std::string_view kind = text_of(builder, event.name);
  const std::string name(text_of(builder, event.object));
  const int64_t pid = pid_of(legacy, event, tracks);
  if (kind == "process_name" && pid != 0) {
    tracks.names().tell_process(pid, name, Names::Source::kTrack);
  } else if (kind == "thread_name") {
    const Track* const track = tracks.find(event.track);
    const int64_t tid = legacy.tid != 0 || track == nullptr ? legacy.tid : track->tid;
    if (tid != 0) tracks.names().tell_thread(pid, tid, name, Names::Source::kTrack);
  }
}

uint32_t SeriesNames::name(const Event& counter, const Legacy& legacy, const EventParts& parts, size_t series) {
  std::string name(text_of(builder_, counter.name));
  char id[24];
  snprintf(id, sizeof id, "[0x%llx]", static_cast<unsigned long long>(legacy.id));
  if (legacy.has_id) name += id;
  const std::string& own = parts.series[series].first;
  const std::string alone = parts.series.size() == 1 ? own : std::string();
  const auto at = plain_.find({counter.track, name});
  const bool is_plain = own == (at != plain_.end() ? at->second : alone);
  if (at == plain_.end() && plain_.size() < kMostCounters) plain_.emplace(std::make_pair(counter.track, name), alone);
  if (!is_plain) (name += ' ') += own;
  return formats::string(builder_, name);
}

bool read_line(std::string_view line, int64_t tid, SequenceReader& sequences, Tracks& tracks, Event* event) {
  const auto string = [&](std::string_view text) { return sequences.string({text.data(), text.size()}); };
  while (!line.empty() && (line.back() == '\n' || line.back() == '\0')) line.remove_suffix(1);
  const std::string_view kind = take_field(&line);
  if (kind.size() != 1 || !is_in("BEINSFGHC", kind[0])) return false;
  const char letter = kind[0];
  int64_t pid = 0;
  std::string_view number;
  if (!parse_decimal(take_field(&line), 0, &pid) && letter != 'E') return false;
  *event = Event();
  event->type = type_of(letter);
  if (letter == 'C') {  // name, value
    if (!take_last_number(is_number, &line, &number) || line.empty()) return false;
    event->has_value = read_double(number.data(), number.size(), &event->value);
    event->track = tracks.process(pid);
  } else if (letter == 'S' || letter == 'F') {  // name, cookie
    if (!take_last_number(is_integer, &line, &number) || line.empty()) return false;
    event->track = tracks.work(key_of(pid, line, number), string(line), tracks.process(pid));
  } else if (is_in("NGH", letter)) {  // track, name, cookie; N has no cookie, and H may have no name
    const std::string_view track = take_field(&line);
    if (letter != 'N' && !take_last_number(is_integer, &line, &number)) return false;
    if (letter != 'H' && line.empty()) return false;
    event->track = tracks.work(key_of(pid, track, number), string(track), tracks.process(pid));
  } else {
    if (letter == 'B') tracks.names().tell_thread(pid, tid, "", Names::Source::kNone);
    event->track = tracks.thread(0, tid);
  }
  if (event->type != event::kSliceEnd) event->name = string(line);
  return true;
}

void TrackEvents::take(Tracks& tracks, const Event& event, int64_t time_ns) {
  tracks_ = &tracks;
  Track* const track = tracks.find(event.track);
  if (track == nullptr) return;
  newest_ns_ = std::max(newest_ns_, time_ns);
  if (track->kind == TrackKind::kNewest) return;
  if (event.is_whole) return whole(*track, event, time_ns);
  switch (event.type) {
    case event::kSliceBegin:
      begin(*track, event, time_ns);
      break;
    case event::kSliceEnd:
      if (track->dropped_begins != 0)
        --track->dropped_begins;
      else if (track->open.empty())
        ++counts_.extra_ends;
      else
        end(*track, event, time_ns);
      break;
    case event::kInstant:
      instant(*track, event, time_ns);
      break;
    case event::kCounter:
      counter(*track, event, time_ns);
      break;
    default:
      ++counts_.unsupported;
  }
}

void TrackEvents::finish(Tracks& tracks, int64_t newest_ns) {
  tracks_ = &tracks;
  newest_ns_ = std::max(newest_ns_, newest_ns);
  for (Track& track : tracks.all()) {
    settle(track, INT64_MAX - 1);
    while (!track.open.empty()) {
      ++counts_.open;
      close(track, track.open.size() - 1, newest_ns_, FLAMELET_SPAN_OPEN);
      settle(track, INT64_MAX - 1);
    }
  }
}

uint32_t TrackEvents::site(const Event& event, uint32_t shown, uint32_t* name) {
  if (shown == 0 && !event.has_own_name && !tracks_->is_own())
    shown = flamelet_capture_builder_string(builder_, "(unnamed)", 9);
  const uint32_t own = event.has_own_name ? event.own_name : shown;
  const uint32_t site = flamelet_capture_builder_site(builder_, own, event.category, event.place.file,
                                                      event.place.function, event.place.line, event.color);
  *name = event.has_own_name || site == 0 ? shown : 0;
  return site;
}

void TrackEvents::begin(Track& track, const Event& event, int64_t time_ns) {
  settle(track, time_ns);
  const bool needs_slot = track.open.empty() && track.kind < TrackKind::kFrames;
  if (open_ == kMaxOpen || track.open.size() == kMaxDepth || track.dropped_begins != 0 ||
      (needs_slot && !tracks_->take_slot(track, time_ns))) {
    ++track.dropped_begins;
    ++counts_.dropped;
    return;
  }
  OpenSlice open = {};
  flamelet_span& span = open.span;
  span.begin_ns = time_ns;
  span.site = site(event, event.name, &span.name);
  span.object = event.object;
  span.flags = static_cast<uint16_t>(event.flags);
  open.name = event.name;
  open.ends_by_ns = INT64_MAX;
  link(event, track, &span);
  if (track.kind == TrackKind::kFrames || track.kind == TrackKind::kFrameSet) {
    open.number = event.frame;
    track.frame_thread = event.thread;
    track.frame_times = event.times;
  } else if (track.kind == TrackKind::kIntervals) {
    open.begin_tid = event.begin_tid;
    open.end_tid = event.end_tid;
    open.number = first_interval_ + intervals_.size();
    intervals_.push_back({false, open});
  } else {
    open.number = begun_++;
    open.held = track.held.size();
    open.is_held =
        tracks_->is_own() && !track.open.empty() && track.open.back().span.begin_ns == time_ns && held_ < kMaxHeld;
    if (open.is_held) track.held.push_back(span);
    held_ += open.is_held;
    mark_flows(track, event, time_ns);
  }
  track.open.push_back(open);
  ++open_;
}

// A slice that was written at its end, with its duration: such ones stand in any order, and nest by their times alone.
void TrackEvents::whole(Track& track, const Event& event, int64_t time_ns) {
  flamelet_span span = {};
  span.begin_ns = time_ns;
  span.end_ns = add_saturating(time_ns, static_cast<int64_t>(std::min<uint64_t>(event.duration_ns, INT64_MAX)));
  span.site = site(event, event.name, &span.name);
  span.object = event.object;
  span.depth = FLAMELET_DEPTH_UNKNOWN;
  newest_ns_ = std::max(newest_ns_, span.end_ns);
  mark_flows(track, event, time_ns);
  put(track, span, 0);
}

// Programs tell at the end what came out. It counts where the begin said nothing. Those inside may have ends of their own,
// which come later.
void TrackEvents::end(Track& track, const Event& event, int64_t time_ns) {
  std::vector<OpenSlice>& open = track.open;
  const size_t least = open.size() - std::min(open.size(), kMostSearched);
  size_t at = open.size();
  while (at != least && event.ends_named && open[at - 1].name != event.name) --at;
  if (at-- == least) {
    ++counts_.extra_ends;
    return;
  }
  for (size_t i = at + 1; event.ends_inside && i < open.size(); ++i)
    if (open[i].span.begin_ns < time_ns) open[i].ends_by_ns = std::min(open[i].ends_by_ns, time_ns);
  uint32_t& object = open[at].span.object;
  if (object == 0)
    object = event.object;
  else
    counts_.args_left_out += event.object != 0;
  mark_flows(track, event, time_ns);
  close(track, at, time_ns, 0);
}

// Those whose surroundings have ended before: their own ends do not come any more.
void TrackEvents::settle(Track& track, int64_t now_ns) {
  while (!track.open.empty() && track.open.back().ends_by_ns <= now_ns) {
    ++counts_.open;
    close(track, track.open.size() - 1, track.open.back().ends_by_ns, 0);
  }
}

void TrackEvents::close(Track& track, size_t at, int64_t time_ns, uint32_t flags) {
  OpenSlice open = track.open[at];
  track.open.erase(track.open.begin() + static_cast<ptrdiff_t>(at));
  --open_;
  flamelet_span& span = open.span;
  span.depth = static_cast<uint16_t>(at);
  span.end_ns = std::max(time_ns, span.begin_ns);
  span.flags = static_cast<uint16_t>(span.flags | flags);
  if (track.kind == TrackKind::kFrames) {
    const auto lane_of = [this](uint64_t tid) { return tracks_->own_lane(tid); };
    flamelet_capture_builder_mark_frames(builder_, lane_of(track.frame_thread));
    flamelet_capture_builder_frame(builder_, open.number, span.begin_ns, span.end_ns, span.flags);
    put_thread_times(builder_, open.number, track.frame_times, lane_of);
    ++counts_.frames;
    return;
  }
  if (track.kind == TrackKind::kFrameSet) {
    flamelet_capture_builder_named_frame(builder_, track.name, open.number, span.begin_ns, span.end_ns, span.flags);
    ++counts_.frames;
    return;
  }
  if (track.kind == TrackKind::kIntervals) {
    put_interval(open);
    return;
  }
  // Those that begin together are put parents first, if they can be held.
  if (tracks_->is_own())
    spans_.nesting.add(tracks_->lane_of_points(track), span.begin_ns, span.end_ns, /*keeps_order=*/held_ == kMaxHeld);
  if (open.is_held) {
    track.held[open.held] = span;
  } else {
    put(track, span, open.number);
    for (size_t i = open.held; i < track.held.size(); ++i) put(track, track.held[i], 0);
    held_ -= track.held.size() - open.held;
    track.held.resize(open.held);
  }
  if (track.open.empty()) tracks_->leave_slot(track, span.end_ns);
}

void TrackEvents::put(Track& track, const flamelet_span& span, uint64_t order) {
  const uint32_t lane = tracks_->lane_of_points(track);
  if (tracks_->is_own())
    spans_.add_own(lane, span);
  else
    spans_.add(lane, span, order);
  ++counts_.spans;
  counts_.cut += (span.flags & FLAMELET_SPAN_CUT) != 0;
}

// In the order of their begins, as far as they fit: those of one time have no other.
void TrackEvents::put_interval(const OpenSlice& open) {
  const auto put = [this](const OpenSlice& interval) {
    const flamelet_span& span = interval.span;
    // 0 would say that the begin or the end is missing.
    const auto thread = [](uint64_t tid) { return tid == 0 ? UINT32_MAX : static_cast<uint32_t>(tid); };
    flamelet_capture_builder_interval(
        builder_, (span.flags & FLAMELET_SPAN_MISSING_BEGIN) != 0 ? 0 : thread(interval.begin_tid), span.begin_ns,
        (span.flags & FLAMELET_SPAN_OPEN) != 0 ? 0 : thread(interval.end_tid), span.end_ns, interval.number + 1,
        span.site, span.name, span.object);
    ++counts_.intervals;
  };
  if (open.number < first_interval_)
    put(open);
  else
    intervals_[static_cast<size_t>(open.number - first_interval_)] = {true, open};
  while (!intervals_.empty() && (intervals_.front().first || intervals_.size() > kMaxIntervals)) {
    if (intervals_.front().first) put(intervals_.front().second);
    intervals_.pop_front();
    ++first_interval_;
  }
}

// A flow becomes the id of the scope where it begins, which the span of a GPU queue where it ends then names.
void TrackEvents::link(const Event& event, const Track& track, flamelet_span* span) {
  for (const uint64_t flow : event.terminating_flows) {
    const auto at = flows_.find(flow);
    if (at == flows_.end()) continue;
    if (track.lane_kind == FLAMELET_LANE_GPU) span->id = at->second;
    flows_.erase(at);
  }
  if (track.lane_kind == FLAMELET_LANE_GPU) return;
  if (event.call != 0) {
    const auto [call, is_new] = calls_.try_emplace(event.call, next_id_);
    next_id_ += is_new;
    span->id = call->second;
  }
  if (event.flows.empty()) return;
  if (span->id == 0) span->id = next_id_++;
  for (const uint64_t flow : event.flows) {
    if (flows_.size() < kMaxFlows)
      flows_[flow] = span->id;
    else
      ++counts_.dropped;
  }
}

// Other programs' flows lead from scope to scope: the first one begins it, each further one is an end. Flamelet writes
// the ends of its own as instants.
void TrackEvents::mark_flows(Track& track, const Event& event, int64_t time_ns) {
  if (tracks_->is_own()) return;
  put_arrow(track, event, time_ns);
  for (const uint64_t flow : event.terminating_flows) {
    put_flow(track, time_ns, flow, true);
    begun_flows_.erase(flow);
  }
  for (const uint64_t flow : event.flows) {
    const bool has_begun = begun_flows_.count(flow) != 0;
    if (!has_begun && begun_flows_.size() >= kMaxFlows) {
      ++counts_.dropped;
      continue;
    }
    put_flow(track, time_ns, flow, has_begun);
    begun_flows_.insert(flow);
  }
}

// A step ends one arrow and begins the next, 1 ns later: a capture sorts a begin before an end of the same nanosecond.
void TrackEvents::put_arrow(Track& track, const Event& event, int64_t time_ns) {
  if (event.ends_flow) put_flow(track, time_ns, event.flow, true);
  if (event.begins_flow) put_flow(track, time_ns + (event.ends_flow && time_ns != INT64_MAX), event.flow, false);
}

void TrackEvents::put_flow(Track& track, int64_t time_ns, uint64_t id, bool ends) {
  flamelet_capture_builder_flow(builder_, tracks_->lane_of_points(track), time_ns, id, ends);
  ++counts_.flows;
}

void TrackEvents::instant(Track& track, const Event& event, int64_t time_ns) {
  if (event.is_flow) return put_arrow(track, event, time_ns);
  mark_flows(track, event, time_ns);
  uint32_t name;
  const uint32_t site = this->site(event, event.name, &name);
  flamelet_capture_builder_instant(builder_, tracks_->lane_of_points(track), time_ns, site, name, event.object);
  ++counts_.points;
}

void TrackEvents::counter(Track& track, const Event& event, int64_t time_ns) {
  if (!event.has_value) {
    ++counts_.unsupported;
    return;
  }
  uint32_t shown = event.name;
  const uint32_t unit = track.unit;  // the track may move
  Track* owner = &track;
  if (track.kind == TrackKind::kCounter) {
    if (track.name != 0) shown = track.name;
    owner = tracks_->find(track.parent);
    if (owner == nullptr) return;
  }
  if (!tracks_->is_own()) shown = counter_name(shown, unit, *owner);
  uint32_t name;
  const uint32_t site = this->site(event, shown, &name);
  if (is_nameless_counter(builder_, site, name)) {
    ++counts_.dropped;
    return;
  }
  flamelet_capture_builder_counter(builder_, tracks_->lane_of_points(*owner), time_ns, site, event.value);
  ++counts_.points;
}

// "memory (GPU process) [MB]": the overlay takes the unit from there. A name that ends in its unit says it already.
uint32_t TrackEvents::counter_name(uint32_t name, uint32_t unit, const Track& owner) {
  const auto [counter, is_new] = counters_.try_emplace({name, unit, owner.uuid, tracks_}, name);
  if (!is_new || name == 0) return counter->second;
  const std::string alone(text_of(builder_, name));
  std::string shown = counter_names_.name(alone, tracks_->owner_name(owner));
  const std::string_view unit_name = text_of(builder_, unit);
  const size_t at = alone.rfind(unit_name);
  const bool is_said = at != std::string::npos && at != 0 && alone.size() - at - unit_name.size() <= 1;
  if (unit != 0 && !is_said) ((shown += " [") += unit_name) += ']';
  return counter->second = flamelet_capture_builder_string(builder_, shown.data(), shown.size());
}

// ---- Switches of threads ------------------------------------------------------------------------------------------

using protozero::data_view;
using protozero::pbf_reader;

namespace {

void tell(Names* names, int64_t tid, data_view name) {
  if (tid != sched_switch::kIdle) names->tell_thread(0, tid, view(name), Names::Source::kSwitch);
}

}  // namespace

uint64_t Switches::count_events(data_view bytes) {
  uint64_t count = 0;
  for (pbf_reader reader(bytes); reader.next();) {
    if (reader.tag_and_type() == length(ftrace_bundle::kEvent)) {
      ++count;
      reader.skip();
    } else if (reader.tag_and_type() == length(ftrace_bundle::kCompactSched)) {
      for (pbf_reader compact(reader.get_view()); compact.next();) {
        if (compact.tag_and_type() == length(compact_sched::kTimeSteps) ||
            compact.tag_and_type() == varint(compact_sched::kTimeSteps))
          each_varint(compact, [&](int64_t) { ++count; });
        else
          compact.skip();
      }
    } else {
      reader.skip();
    }
  }
  return count;
}

uint64_t Switches::read_bundle(data_view bytes, uint32_t machine, const TimeOf& time_of, Names* names,
                               const OnPrint& on_print) {
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
  if (machine != 0) processor = machine * kMachineProcessors + processor % kMachineProcessors;
  if (lost) running_.erase(processor);
  if (lost) lost_.insert(processor);
  gaps_ += lost;
  read_compact(compact, processor, names);
  for (size_t i = first; i < switches_.size(); ++i) {
    switches_[i].time_ns = time_of(switches_[i].time_ns);
    switches_[i].processor = processor;
    switches_[i].machine = machine;
  }
  if (first != switches_.size()) switches_[first].lost_before = lost_.erase(processor) != 0;
  return others;
}

int64_t Switches::newest_ns() const {
  int64_t newest_ns = INT64_MIN;
  for (const Switch& at : switches_) newest_ns = std::max(newest_ns, at.time_ns);
  return newest_ns;
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
      case varint(compact_sched::kTimeSteps):
      case length(compact_sched::kTimeSteps):
        push_varints(reader, &steps);
        break;
      case varint(compact_sched::kPrevStates):
      case length(compact_sched::kPrevStates):
        each_varint(reader, [&](int64_t state) { states.push_back(state); });
        break;
      case varint(compact_sched::kNextPids):
      case length(compact_sched::kNextPids):
        each_varint(reader, [&](int64_t thread) { threads.push_back(static_cast<int32_t>(thread)); });
        break;
      case length(compact_sched::kComms):
        texts.push_back(reader.get_view());
        break;
      case varint(compact_sched::kNextComms):
      case length(compact_sched::kNextComms):
        push_varints(reader, &comms);
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
uint64_t Switches::put(flamelet_capture_builder* builder, const std::vector<Lanes>& lanes, int64_t base_ns) {
  std::stable_sort(switches_.begin(), switches_.end(),
                   [](const Switch& a, const Switch& b) { return a.time_ns < b.time_ns; });
  std::map<uint32_t, Switch*> before;  // by processor
  for (Switch& next : switches_) {
    Switch*& last = before[next.processor];
    if (last != nullptr) last->lost_after = next.lost_before;
    last = &next;
  }
  const auto put_one = [&](const Switch& of, int64_t thread, flamelet_state_kind state) {
    const auto lane = lanes[of.machine].find(thread);
    const bool has_lane = lane != lanes[of.machine].end(), is_own = thread == sched_switch::kNoLane;
    if (!has_lane && !is_own && state != FLAMELET_STATE_UNKNOWN) return;
    const int64_t time_ns = static_cast<int64_t>(static_cast<uint64_t>(of.time_ns) - static_cast<uint64_t>(base_ns));
    dropped_ += !flamelet_capture_builder_switch(builder,
                                                 has_lane ? lane->second
                                                 : is_own ? FLAMELET_BY_UNKNOWN
                                                          : 0,
                                                 time_ns, state, of.processor);
  };
  for (const Switch& next : switches_) {
    put_one(next, next.from, next.sleeps ? FLAMELET_STATE_ASLEEP : FLAMELET_STATE_TAKEN_OFF);
    put_one(next, next.to, FLAMELET_STATE_RUNNING);
    if (next.lost_after) put_one(next, 0, FLAMELET_STATE_UNKNOWN);
  }
  return dropped_;
}

}  // namespace flamelet::formats::perfetto
