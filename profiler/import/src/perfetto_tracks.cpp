// SPDX-License-Identifier: MIT
#include "perfetto_tracks.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "flamelet/detail/hash.h"

namespace flamelet::formats::perfetto {

// ---- perfetto names

using protozero::data_view;
using protozero::pbf_reader;

void Names::Name::tell(std::string_view name, Source from) {
  if (name.empty() || from < source) return;
  source = from;
  name = whole_start(name, kMaxBytes);
  if (text != name) text = name;
}

void Names::tell_process(int64_t pid, std::string_view name, Source source) {
  if (processes_.size() < kMost || processes_.count(pid) != 0) processes_[pid].tell(name, source);
}

void Names::tell_thread(int64_t pid, int64_t tid, std::string_view name, Source source) {
  if (threads_.size() < kMost || threads_.count(tid) != 0) {
    Thread& thread = threads_[tid];
    if (pid != 0) thread.pid = pid;
    if (source < Source::kTrack) thread.name.tell(name, source);
  }
  const auto key = std::make_pair(pid, tid);
  if (source >= Source::kTrack && (of_processes_.size() < kMost || of_processes_.count(key) != 0))
    of_processes_[key].tell(name, source);
}

void Names::read_tree(data_view bytes) {
  for (pbf_reader tree(bytes); tree.next();) {
    int64_t pid = 0, tid = 0;
    data_view name;
    if (tree.tag_and_type() == length(process_tree::kProcess)) {
      for (pbf_reader reader(tree.get_view()); reader.next();) {
        if (reader.tag_and_type() == varint(process_tree::kProcessPid))
          pid = reader.get_int64();
        else if (reader.tag_and_type() == length(process_tree::kProcessCommandLine) && name.data() == nullptr)
          name = reader.get_view();
        else
          reader.skip();
      }
      tell_process(pid, view(name), Source::kCommand);
      tell_thread(pid, pid, "", Source::kTree);
    } else if (tree.tag_and_type() == length(process_tree::kThread)) {
      for (pbf_reader reader(tree.get_view()); reader.next();) {
        switch (reader.tag_and_type()) {
          case varint(process_tree::kThreadTid):
            tid = reader.get_int64();
            break;
          case length(process_tree::kThreadName):
            name = reader.get_view();
            break;
          case varint(process_tree::kThreadPid):
            pid = reader.get_int64();
            break;
          default:
            reader.skip();
        }
      }
      tell_thread(pid, tid, view(name), Source::kTree);
    } else {
      tree.skip();
    }
  }
}

int64_t Names::read_process(data_view bytes) {
  int64_t pid = 0;
  data_view name, command;
  for (pbf_reader reader(bytes); reader.next();) {
    if (reader.tag_and_type() == varint(process::kPid))
      pid = reader.get_int64();
    else if (reader.tag_and_type() == length(process::kName))
      name = reader.get_view();
    else if (reader.tag_and_type() == length(process::kCommandLine) && command.data() == nullptr)
      command = reader.get_view();
    else
      reader.skip();
  }
  tell_process(pid, view(command), Source::kCommand);
  tell_process(pid, view(name), Source::kDescriptor);
  return pid;
}

int64_t Names::pid_of(int64_t tid) const {
  const auto at = threads_.find(tid);
  return at != threads_.end() ? at->second.pid : 0;
}

std::string Names::process(int64_t pid) const {
  const auto at = processes_.find(pid);
  return at != processes_.end() && !at->second.text.empty() ? at->second.text : "process " + std::to_string(pid);
}

std::string Names::thread(int64_t pid, int64_t tid) const {
  const auto described = of_processes_.find({pid, tid});
  if (described != of_processes_.end() && !described->second.text.empty()) return described->second.text;
  const auto told = threads_.find(tid);
  if (told != threads_.end() && !told->second.name.text.empty()) return told->second.name.text;
  // A process's first thread: process trees name no such one.
  const auto process = processes_.find(tid);
  if (pid == tid && process != processes_.end() && !process->second.text.empty()) return process->second.text;
  return "thread " + std::to_string(tid);
}

using protozero::data_view;
using protozero::pbf_reader;

namespace {

enum : uint64_t { kThreadKey = 1, kProcessKey, kWorkKey };  // kinds of tracks that no descriptor has

}  // namespace

void Tracks::describe(data_view bytes) {
  Track track;
  data_view description("", 0), name("", 0), thread_name("", 0), type_name("", 0);
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(track::kUuid):
        track.uuid = reader.get_uint64();
        break;
      case varint(track::kParentUuid):
        track.parent = reader.get_uint64();
        break;
      case length(track::kName):
      case length(track::kStaticName):
      case length(track::kAtraceName):
        name = reader.get_view();
        break;
      case varint(track::kChildOrdering):
        track.orders_children = reader.get_uint64() == track::kExplicitOrder;
        break;
      case varint(track::kSiblingRank):
        track.rank = reader.get_int32();
        break;
      case length(track::kDescription):
        description = reader.get_view();
        break;
      case length(track::kProcess):
        track.kind = TrackKind::kProcess;
        track.pid = names_.read_process(reader.get_view());
        break;
      case length(track::kThread):
        describe_thread(reader.get_view(), &track, &thread_name);
        break;
      case length(track::kCounter):
        describe_counter(reader.get_view(), &track, &type_name);
        break;
      default:
        reader.skip();
    }
  }
  if (thread_name.size() != 0) name = thread_name;
  if (name.size() == 0) name = type_name;
  // Threads and processes have the names that are told here.
  const bool is_told = track.kind == TrackKind::kThread || track.kind == TrackKind::kProcess;
  track.name = is_told ? formats::string(builder_, view(name)) : sequences_.string(name);
  tell(track, view(name));
  if (track.kind == TrackKind::kProcess && view(description) == kOwnDescription && tracks_.empty() && machine_ == 0) {
    is_own_ = true;
    sequences_.set_own_words(true);
  }
  Track* const known = find(track.uuid);
  if (known == nullptr) return;
  if (known->described || known->lane != 0 || known->slot != 0 || !known->open.empty()) return rename(known, track);
  track.described = true;
  if (is_own_ && track.kind == TrackKind::kOther) {
    if (view(description) == kFramesDescription) track.kind = TrackKind::kFrames;
    if (view(description) == kFrameSetDescription) track.kind = TrackKind::kFrameSet;
    if (view(description) == kIntervalsDescription) track.kind = TrackKind::kIntervals;
    if (view(description) == kNewestDescription) track.kind = TrackKind::kNewest;
    for (const flamelet_lane_kind kind : {FLAMELET_LANE_GPU, FLAMELET_LANE_EXTERNAL, FLAMELET_LANE_FIBER})
      if (view(description) == kLaneDescriptions[kind]) track.lane_kind = kind;
  }
  const bool is_lane = track.kind == TrackKind::kThread || (is_own_ && track.kind == TrackKind::kOther);
  if (is_lane && is_own_) track.lane = new_lane(track);
  *known = std::move(track);
}

// Programs describe a track when it begins, and again when they know its name.
void Tracks::rename(Track* known, const Track& track) {
  if (!is_own_ && track.name != 0) known->name = track.name;
}

void Tracks::describe_thread(data_view bytes, Track* track, data_view* name) {
  track->kind = TrackKind::kThread;
  track->lane_kind = FLAMELET_LANE_THREAD;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(thread::kPid):
        track->pid = reader.get_int64();
        break;
      case varint(thread::kTid):
        track->tid = reader.get_int64();
        break;
      case length(thread::kName):
        *name = reader.get_view();
        break;
      default:
        reader.skip();
    }
  }
}

// What holds for a thread or process, whichever tracks it has.
void Tracks::tell(const Track& track, std::string_view name) {
  if (track.kind == TrackKind::kThread) {
    names_.tell_thread(track.pid, track.tid, name, Names::Source::kTrack);
  } else if (track.kind == TrackKind::kProcess) {
    names_.tell_process(track.pid, name, Names::Source::kTrack);
    if (processes_.size() < kMaxTracks) processes_[track.pid] = track.uuid;
  }
}

uint64_t Tracks::read_thread(data_view bytes, uint64_t* reference_us) {
  Track track;
  data_view name("", 0);
  describe_thread(bytes, &track, &name);
  tell(track, view(name));
  *reference_us = 0;
  for (pbf_reader reader(bytes); reader.next();) {
    if (reader.tag_and_type() == varint(thread::kReferenceUs))
      *reference_us = reader.get_uint64();
    else
      reader.skip();
  }
  return thread(track.pid, track.tid);
}

uint64_t Tracks::make(uint64_t uuid, TrackKind kind, int64_t pid, int64_t tid) {
  Track* const track = find(uuid);
  if (track == nullptr || track->described) return uuid;
  track->described = true;
  track->kind = kind;
  track->pid = pid;
  track->tid = tid;
  if (kind == TrackKind::kThread) track->lane_kind = FLAMELET_LANE_THREAD;
  return uuid;
}

uint64_t Tracks::thread(int64_t pid, int64_t tid) {
  names_.tell_thread(pid, tid, "", Names::Source::kNone);
  return make(hash_of({kThreadKey, static_cast<uint64_t>(pid), static_cast<uint64_t>(tid)}), TrackKind::kThread, pid,
              tid);
}

uint64_t Tracks::process(int64_t pid) {
  const auto at = processes_.find(pid);
  if (at != processes_.end()) return at->second;
  return make(hash_of({kProcessKey, static_cast<uint64_t>(pid)}), TrackKind::kProcess, pid, 0);
}

uint64_t Tracks::work(uint64_t key, uint32_t name, uint64_t parent) {
  const uint64_t uuid = hash_of({kWorkKey, key});
  Track* const track = find(uuid);
  if (track == nullptr || track->described) return uuid;
  track->described = true;
  track->name = name;
  track->parent = parent;
  return uuid;
}

void Tracks::describe_counter(data_view bytes, Track* track, data_view* type_name) {
  track->kind = TrackKind::kCounter;
  data_view unit_name("", 0);
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(counter::kType): {
        const uint64_t type = reader.get_uint64();
        if (type == counter::kThreadTime) *type_name = data_view("thread time");
        if (type == counter::kThreadInstructions) *type_name = data_view("thread instructions");
        break;
      }
      case varint(counter::kUnit): {
        const uint64_t unit = reader.get_uint64();
        if (unit == counter::kTimeNs && unit_name.size() == 0) unit_name = data_view("ns");
        if (unit == counter::kSizeBytes && unit_name.size() == 0) unit_name = data_view("B");
        break;
      }
      case length(counter::kUnitName):
        unit_name = reader.get_view();
        break;
      case varint(counter::kUnitMultiplier):
        track->multiplier = static_cast<double>(reader.get_int64());
        break;
      case varint(counter::kIsIncremental):
        track->incremental = reader.get_uint64() != 0;
        break;
      default:
        reader.skip();
    }
  }
  if (!is_own_ && unit_name.size() != 0) track->unit = sequences_.string(unit_name);
}

std::string Tracks::owner_name(const Track& track) const {
  if (track.kind == TrackKind::kThread) return on_machine(names_.thread(pid_of(track), track.tid));
  if (track.name != 0) return on_machine(std::string(text_of(builder_, track.name)));
  return on_machine(track.kind == TrackKind::kProcess ? names_.process(track.pid)
                                                      : "track " + std::to_string(track.uuid));
}

// "worker (game, machine 2)"
std::string Tracks::on_machine(const std::string& name, std::string process) const {
  if (machine_ != 0) process += (process.empty() ? "machine " : ", machine ") + std::to_string(machine_);
  return process.empty() ? name : name + " (" + process + ")";
}

uint32_t Tracks::string(const std::string& text) {
  return flamelet_capture_builder_string(builder_, text.data(), text.size());
}

Track* Tracks::find(uint64_t uuid) {
  const auto at = numbers_.find(uuid);
  if (at != numbers_.end()) return &tracks_[at->second];
  if (tracks_.size() >= kMaxTracks) {
    ++dropped_;
    return nullptr;
  }
  numbers_.emplace(uuid, static_cast<uint32_t>(tracks_.size()));
  tracks_.emplace_back();
  tracks_.back().uuid = uuid;
  return &tracks_.back();
}

double Tracks::counted(uint64_t uuid, double value, uint64_t run) {
  Track* const track = find(uuid);
  if (track == nullptr || track->kind != TrackKind::kCounter) return value;
  value *= track->multiplier;
  if (!track->incremental) return value;
  if (track->run != run) track->value = 0;
  track->run = run;
  return track->value += value;
}

uint32_t Tracks::new_lane(const Track& track) {
  if (is_own_) {
    const auto id = static_cast<uint32_t>(track.uuid - 1);  // as the exporter numbers them
    const bool needs_name = track.name == 0 && track.kind == TrackKind::kThread;
    const uint32_t name = needs_name ? string(names_.thread(track.pid, track.tid)) : track.name;
    return flamelet_capture_builder_span_lane(builder_, track.lane_kind, id, name, true);
  }
  // A track without a name has its parent's.
  auto named = numbers_.find(track.uuid);
  if (const auto parent = numbers_.find(track.parent);
      track.name == 0 && track.kind == TrackKind::kOther && parent != numbers_.end())
    named = parent;
  const Track& of = tracks_[named->second];
  const bool is_named_late = of.kind == TrackKind::kThread || of.kind == TrackKind::kProcess;
  uint32_t name = of.name;
  if (name == 0 && !is_named_late) name = string(track.uuid == 0 ? "Global" : "track " + std::to_string(track.uuid));
  if (machine_ != 0 && name != 0) name = string(on_machine(std::string(text_of(builder_, name))));
  const bool has_id = track.tid > 0 && track.tid <= UINT32_MAX;
  const uint32_t lane = flamelet_capture_builder_span_lane(builder_, track.lane_kind,
                                                           has_id ? static_cast<uint32_t>(track.tid) : 0, name, true);
  if (lane == 0) return 0;
  families_[track.parent].push_back({track.rank, lane});
  if (is_named_late) named_late_.push_back({lane, named->second});
  return lane;
}

// The lanes of threads and processes: their names may stand behind their events.
void Tracks::name_lanes() {
  int64_t first_pid = 0;
  bool has_several = false;  // processes
  for (const auto& [lane, number] : named_late_) {
    const int64_t pid = pid_of(tracks_[number]);
    has_several = has_several || (pid != 0 && first_pid != 0 && pid != first_pid);
    if (pid != 0) first_pid = pid;
  }
  for (const auto& [lane, number] : named_late_) {
    const Track& track = tracks_[number];
    const int64_t pid = pid_of(track);
    if (track.kind == TrackKind::kThread) {
      const std::string process = has_several && pid != 0 ? names_.process(pid) : "";
      flamelet_capture_builder_name_lane(builder_, lane, string(on_machine(names_.thread(pid, track.tid), process)));
    } else if (track.name == 0) {
      flamelet_capture_builder_name_lane(builder_, lane, string(on_machine(names_.process(pid))));
    }
  }
}

// The children of a parent that orders them change places with each other. Everything else stays where it is.
void Tracks::place_lanes() {
  for (auto& [parent, lanes] : families_) {
    const auto at = numbers_.find(parent);
    if (at == numbers_.end() || !tracks_[at->second].orders_children) continue;
    auto order = lanes;
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < order.size(); ++i)
      flamelet_capture_builder_place_lane(builder_, order[i].second, lanes[i].second);
  }
}

Tracks::Group& Tracks::group(const Track& track) {
  constexpr uint32_t kNoName = UINT32_MAX;  // tracks that say nothing of themselves have nothing in common
  if (track.name == 0 && track.parent == 0) return groups_[{track.uuid, kNoName}];
  return groups_[{track.parent, track.name}];
}

uint32_t Tracks::lane_of_points(Track& track) {
  if (track.lane != 0) return track.lane;
  if (track.kind == TrackKind::kThread) {
    uint32_t& lane = threads_[{pid_of(track), track.tid}];
    if (lane == 0) lane = new_lane(track);
    return track.lane = lane;
  }
  Group& slots = group(track);
  if (slots.empty()) slots.push_back({new_lane(track), false, INT64_MIN});
  return slots[track.slot == 0 ? 0 : track.slot - 1].lane;
}

// Our exporter's track of a lane has the number behind its tid.
uint32_t Tracks::own_lane(uint64_t tid) const {
  const auto found = numbers_.find(tid + 1);
  return found != numbers_.end() && tracks_[found->second].kind == TrackKind::kThread ? tracks_[found->second].lane : 0;
}

std::unordered_map<int64_t, uint32_t> Tracks::thread_lanes() const {
  std::unordered_map<int64_t, uint32_t> lanes;
  for (const Track& track : tracks_)
    if (track.kind == TrackKind::kThread && track.lane != 0) lanes.try_emplace(track.tid, track.lane);
  return lanes;
}

bool Tracks::take_slot(Track& track, int64_t begin_ns) {
  if (track.kind == TrackKind::kThread) lane_of_points(track);
  if (track.lane != 0) return true;
  Group& slots = group(track);
  size_t slot = 0;
  while (slot < slots.size() && (slots[slot].busy || slots[slot].free_ns > begin_ns)) ++slot;
  if (slot == slots.size()) {
    if (slot >= kMaxSlots && more_slots_ == kMaxMoreSlots) return false;
    const uint32_t lane = new_lane(track);
    if (lane == 0) return false;
    more_slots_ += slot >= kMaxSlots;
    slots.push_back({lane, false, INT64_MIN});
  }
  if (slots[slot].lane == 0) return false;
  slots[slot].busy = true;
  track.slot = static_cast<uint32_t>(slot) + 1;
  return true;
}

void Tracks::leave_slot(Track& track, int64_t end_ns) {
  if (track.slot == 0) return;
  Slot& slot = group(track)[track.slot - 1];
  slot.busy = false;
  slot.free_ns = std::max(slot.free_ns, end_ns);
  track.slot = 0;
}

// ---- sequences

using protozero::data_view;
using protozero::pbf_reader;

namespace {

Word word_of(std::string_view name) {
  static constexpr struct {
    const char* name;
    Word word;
  } kWords[] = {{annotation_name::kObject, Word::kObject},   {annotation_name::kColor, Word::kColor},
                {annotation_name::kScope, Word::kScope},     {annotation_name::kFlags, Word::kFlags},
                {annotation_name::kCounter, Word::kCounter}, {annotation_name::kFrame, Word::kFrame},
                {annotation_name::kThread, Word::kThread},   {annotation_name::kTimes, Word::kTimes},
                {annotation_name::kCall, Word::kCall},       {annotation_name::kBeginTid, Word::kBeginTid},
                {annotation_name::kEndTid, Word::kEndTid},   {annotation_name::kFlowBegin, Word::kFlowBegin},
                {annotation_name::kFlowEnd, Word::kFlowEnd}};
  for (const auto& known : kWords)
    if (name == known.name) return known.word;
  return Word::kOther;
}

// Spans and frames have no word in common.
uint32_t flags_of(std::string_view words) {
  uint32_t bits = 0;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(','));
    for (const Flag& flag : kSpanFlags) bits |= word == flag.word ? flag.bit : 0;
    for (const Flag& flag : kFrameFlags) bits |= word == flag.word ? flag.bit : 0;
    words.remove_prefix(std::min(words.size(), word.size() + 2));  // ", "
  }
  return bits;
}

}  // namespace

uint32_t SequenceReader::string(data_view text) {
  const auto is_plain = [](char c) { return c > 0 && c < 0x7F; };
  if (own_words_ || std::all_of(text.data(), text.data() + text.size(), is_plain))
    return formats::string(builder_, view(text));
  return formats::string(builder_, repaired_name(view(text), &repaired_));
}

template <class Number>
void SequenceReader::add_varints(pbf_reader& reader, std::vector<Number>* to) {
  each_varint(reader, [&](int64_t value) { add(static_cast<Number>(value), to); });
}

void SequenceReader::add_doubles(pbf_reader& reader, std::vector<double>* to) {
  each_fixed64(reader, [&](uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    add(value, to);
  });
}

template <class Number>
void SequenceReader::add(Number value, std::vector<Number>* to, size_t most) {
  if (to->size() < most)
    to->push_back(value);
  else
    ++dropped_;
}

bool SequenceReader::take(size_t bytes) {
  if (entries_ >= kMaxEntries || bytes > kMaxTextBytes - text_bytes_) {
    ++dropped_;
    return false;
  }
  ++entries_;
  text_bytes_ += bytes;
  return true;
}

void SequenceReader::clear(Sequence* sequence) {
  entries_ -= sequence->categories.size() + sequence->names.size() + sequence->places.size() + sequence->words.size() +
              sequence->texts.size();
  for (const auto& [id, text] : sequence->texts) text_bytes_ -= text.text.size();
  for (const auto& [id, named] : sequence->words) text_bytes_ -= named.name.size();
  Clocks::Map clocks = std::move(sequence->clocks);  // those go on
  *sequence = {};
  sequence->clocks = std::move(clocks);
  sequence->run = ++runs_;
  sequence->has_begun = sequence->valid = true;
}

void SequenceReader::read_defaults(data_view bytes, Sequence* sequence) {
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(defaults::kTimestampClock):
        sequence->clock = get_uint32(reader);
        break;
      case length(defaults::kTrackEvent):
        read_default_event(reader.get_view(), sequence);
        break;
      default:
        reader.skip();
    }
  }
}

void SequenceReader::read_default_event(data_view bytes, Sequence* sequence) {
  sequence->extra_counters.clear();
  sequence->extra_double_counters.clear();
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(event::kTrackUuid):
        sequence->track = reader.get_uint64();
        sequence->has_track = true;
        break;
      case varint(event::kExtraCounterTracks):
      case length(event::kExtraCounterTracks):
        add_varints(reader, &sequence->extra_counters);
        break;
      case varint(event::kExtraDoubleCounterTracks):
      case length(event::kExtraDoubleCounterTracks):
        add_varints(reader, &sequence->extra_double_counters);
        break;
      default:
        reader.skip();
    }
  }
}

void SequenceReader::read_interned(data_view bytes, Sequence* sequence) {
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case length(interned::kCategory):
      case length(interned::kEventName):
      case length(interned::kAnnotationName):
      case length(interned::kSourceLocation):
      case length(interned::kAnnotationString): {
        const uint32_t field = reader.tag();
        read_entry(field, reader.get_view(), sequence);
        break;
      }
      default:
        reader.skip();
    }
  }
}

// The first meaning of a number stays.
void SequenceReader::read_entry(uint32_t field, data_view bytes, Sequence* sequence) {
  uint64_t id = 0;
  if (field == interned::kSourceLocation) {
    const Place place = read_place(bytes, &id);
    if (sequence->places.count(id) == 0 && take(0)) sequence->places.emplace(id, place);
    return;
  }
  data_view text("", 0);
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(interned::kId):
        id = reader.get_uint64();
        break;
      case length(interned::kText):
        text = reader.get_view();
        break;
      default:
        reader.skip();
    }
  }
  if (field == interned::kCategory) {
    if (sequence->categories.count(id) == 0 && take(0)) sequence->categories.emplace(id, string(text));
  } else if (field == interned::kEventName) {
    if (sequence->names.count(id) == 0 && take(0)) sequence->names.emplace(id, string(text));
  } else if (field == interned::kAnnotationName) {
    if (sequence->words.count(id) == 0 && take(text.size()))
      sequence->words.emplace(id, Sequence::Named{word_of(view(text)), std::string(view(text))});
  } else if (sequence->texts.count(id) == 0 && take(text.size())) {
    sequence->texts.emplace(id, Sequence::Text{std::string(view(text)), 0});
  }
}

Place SequenceReader::read_place(data_view bytes, uint64_t* id) {
  Place place;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(source_location::kId):
        *id = reader.get_uint64();
        break;
      case length(source_location::kFile):
        place.file = string(reader.get_view());
        break;
      case length(source_location::kFunction):
        place.function = string(reader.get_view());
        break;
      case varint(source_location::kLine):
        place.line = get_uint32(reader);
        break;
      default:
        reader.skip();
    }
  }
  return place;
}

void SequenceReader::read_event(data_view bytes, Sequence* sequence, Event* event, EventParts* parts) {
  const auto find = [this](const auto& table, uint64_t id) {
    const auto at = table.find(id);
    unknown_ += at == table.end();
    return at == table.end() ? decltype(at->second){} : at->second;
  };
  event->flows.clear();
  event->terminating_flows.clear();
  Event made;
  made.flows.swap(event->flows);  // their memory
  made.terminating_flows.swap(event->terminating_flows);
  parts->has_delta = parts->has_absolute = parts->has_legacy = false;
  parts->counters.clear();
  parts->series.clear();
  extra_tracks_.clear();
  extra_double_tracks_.clear();
  extra_values_.clear();
  extra_double_values_.clear();
  data_view first_text("", 0);
  Place posted_from;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(event::kTimestampDeltaUs):
        parts->delta_us = reader.get_int64();
        parts->has_delta = true;
        break;
      case varint(event::kTimestampAbsoluteUs):
        parts->absolute_us = reader.get_int64();
        parts->has_absolute = true;
        break;
      case varint(event::kCategoryId):
      case length(event::kCategoryId):
        each_varint(reader, [&](int64_t id) {
          const uint32_t category = find(sequence->categories, static_cast<uint64_t>(id));
          if (made.category == 0) made.category = category;
        });
        break;
      case length(event::kCategory): {
        const data_view category = reader.get_view();
        if (made.category == 0) made.category = string(category);
        break;
      }
      case length(event::kAnnotation):
        read_annotation(reader.get_view(), sequence, &made, &first_text);
        break;
      case length(event::kLegacy):
        parts->legacy = read_legacy(reader.get_view(), sequence, &made);
        parts->has_legacy = true;
        break;
      case varint(event::kType):
        made.type = get_uint32(reader);
        break;
      case varint(event::kNameId):
        made.name = find(sequence->names, reader.get_uint64());
        break;
      case length(event::kName):
        made.name = string(reader.get_view());
        break;
      case varint(event::kTrackUuid):
        made.track = reader.get_uint64();
        made.has_track = true;
        break;
      case varint(event::kCounterValue):
        made.value = static_cast<double>(reader.get_int64());
        made.has_value = true;
        break;
      case fixed64(event::kDoubleCounterValue):
        made.value = reader.get_double();
        made.has_value = true;
        break;
      case length(event::kSourceLocation): {
        uint64_t id = 0;
        made.place = read_place(reader.get_view(), &id);
        break;
      }
      case varint(event::kSourceLocationId):
        made.place = find(sequence->places, reader.get_uint64());
        break;
      case length(event::kTaskExecution):
        for (pbf_reader task(reader.get_view()); task.next();) {
          if (task.tag_and_type() == varint(task_execution::kPostedFromId))
            posted_from = find(sequence->places, task.get_uint64());
          else
            task.skip();
        }
        break;
      case fixed64(event::kFlowId):
      case length(event::kFlowId):
        each_fixed64(reader, [&](uint64_t id) { add(id, &made.flows, kMaxFlows); });
        break;
      case fixed64(event::kTerminatingFlowId):
      case length(event::kTerminatingFlowId):
        each_fixed64(reader, [&](uint64_t id) { add(id, &made.terminating_flows, kMaxFlows); });
        break;
      case varint(event::kOldFlowId):
      case length(event::kOldFlowId):
        each_varint(reader, [&](int64_t id) { add(static_cast<uint64_t>(id), &made.flows, kMaxFlows); });
        break;
      case varint(event::kOldTerminatingFlowId):
      case length(event::kOldTerminatingFlowId):
        each_varint(reader, [&](int64_t id) { add(static_cast<uint64_t>(id), &made.terminating_flows, kMaxFlows); });
        break;
      case varint(event::kExtraCounterTracks):
      case length(event::kExtraCounterTracks):
        add_varints(reader, &extra_tracks_);
        break;
      case varint(event::kExtraDoubleCounterTracks):
      case length(event::kExtraDoubleCounterTracks):
        add_varints(reader, &extra_double_tracks_);
        break;
      case varint(event::kExtraCounterValues):
      case length(event::kExtraCounterValues):
        add_varints(reader, &extra_values_);
        break;
      case fixed64(event::kExtraDoubleCounterValues):
      case length(event::kExtraDoubleCounterValues):
        add_doubles(reader, &extra_double_values_);
        break;
      default:
        reader.skip();
    }
  }
  if (made.place.file == 0 && posted_from.file != 0) made.place = posted_from;
  const bool is_old_counter = made.type == 0 && parts->has_legacy && parts->legacy.phase == 'C' && !own_words_;
  if (is_old_counter) {
    read_series(bytes, *sequence, parts);
    made.args_left_out -= std::min(made.args_left_out, static_cast<uint32_t>(parts->series.size()));
  }
  // Without an annotation "object" the first text is the object.
  if (made.object == 0 && first_text.size() != 0 && made.type != event::kCounter && !is_old_counter) {
    made.object = arguments_.string(view(first_text));
    made.args_left_out -= made.object != 0;
  }
  if (!made.has_track && sequence->has_track) {
    made.track = sequence->track;
    made.has_track = true;
  }
  const auto add_counters = [&](const std::vector<uint64_t>& tracks, const std::vector<double>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (i < tracks.size())
        parts->counters.emplace_back(tracks[i], values[i]);
      else
        ++made.args_left_out;  // it is no track's
    }
  };
  add_counters(extra_tracks_.empty() ? sequence->extra_counters : extra_tracks_, extra_values_);
  add_counters(extra_double_tracks_.empty() ? sequence->extra_double_counters : extra_double_tracks_,
               extra_double_values_);
  *event = std::move(made);
}

Legacy SequenceReader::read_legacy(data_view bytes, Sequence* sequence, Event* event) {
  Legacy legacy;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(legacy::kNameId): {
        const auto name = sequence->names.find(reader.get_uint64());
        unknown_ += name == sequence->names.end();
        if (name != sequence->names.end() && event->name == 0) event->name = name->second;
        break;
      }
      case varint(legacy::kPhase):
        legacy.phase = reader.get_int32();
        break;
      case varint(legacy::kDurationUs):
        legacy.duration_us = reader.get_int64();
        legacy.has_duration = true;
        break;
      case varint(legacy::kLocalId):
      case varint(legacy::kUnscopedId):
      case varint(legacy::kGlobalId):
        legacy.is_local = reader.tag() == legacy::kLocalId;
        legacy.has_id = true;
        legacy.id = reader.get_uint64();
        break;
      case length(legacy::kIdScope): {
        const data_view scope = reader.get_view();
        legacy.scope = fnv_of_text(scope.data(), scope.size());
        break;
      }
      case varint(legacy::kBindId):
        event->flow = reader.get_uint64();
        break;
      case varint(legacy::kFlowDirection): {
        const uint64_t direction = reader.get_uint64();
        event->begins_flow = (direction & legacy::kFlowOut) != 0;
        event->ends_flow = (direction & legacy::kFlowIn) != 0;
        break;
      }
      case varint(legacy::kPid):
        legacy.pid = reader.get_int64();
        break;
      case varint(legacy::kTid):
        legacy.tid = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
  return legacy;
}

// The numbers among the annotations.
void SequenceReader::read_series(data_view bytes, const Sequence& sequence, EventParts* parts) {
  for (pbf_reader reader(bytes); reader.next();) {
    if (reader.tag_and_type() == length(event::kAnnotation))
      read_number(reader.get_view(), sequence, parts);
    else
      reader.skip();
  }
}

void SequenceReader::read_number(data_view bytes, const Sequence& sequence, EventParts* parts) {
  data_view name("", 0);
  double number = 0;
  bool has_number = false;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(annotation::kNameId): {
        const auto at = sequence.words.find(reader.get_uint64());
        if (at != sequence.words.end()) name = data_view(at->second.name);
        break;
      }
      case length(annotation::kName):
        name = reader.get_view();
        break;
      case varint(annotation::kUint):
        number = static_cast<double>(reader.get_uint64());
        has_number = true;
        break;
      case varint(annotation::kInt):
        number = static_cast<double>(reader.get_int64());
        has_number = true;
        break;
      case fixed64(annotation::kDouble):
        number = reader.get_double();
        has_number = true;
        break;
      default:
        reader.skip();
    }
  }
  if (has_number && parts->series.size() < kMaxExtraCounters) parts->series.emplace_back(view(name), number);
}

void SequenceReader::read_annotation(data_view bytes, Sequence* sequence, Event* event, data_view* first_text) {
  Word word = Word::kOther;
  Sequence::Text* interned = nullptr;
  data_view text("", 0);
  uint64_t number = 0;
  for (pbf_reader reader(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case varint(annotation::kNameId): {
        const auto at = sequence->words.find(reader.get_uint64());
        unknown_ += at == sequence->words.end();
        if (at != sequence->words.end()) word = at->second.word;
        break;
      }
      case length(annotation::kName):
        word = word_of(view(reader.get_view()));
        break;
      case varint(annotation::kUint):
        number = reader.get_uint64();
        break;
      case length(annotation::kString):
        text = reader.get_view();
        break;
      case varint(annotation::kStringId): {
        const auto at = sequence->texts.find(reader.get_uint64());
        unknown_ += at == sequence->texts.end();
        if (at != sequence->texts.end()) interned = &at->second;
        break;
      }
      default:
        reader.skip();
    }
  }
  if (interned != nullptr) text = data_view(interned->text);
  const auto string_id = [&] {
    if (interned == nullptr) return string(text);
    if (interned->string == 0) interned->string = string(text);
    return interned->string;
  };
  if (word == Word::kObject && (own_words_ || text.size() != 0)) {
    event->object = string_id();
    return;
  }
  if (!own_words_) {
    ++event->args_left_out;
    if (first_text->size() == 0) *first_text = text;
    return;
  }
  switch (word) {
    case Word::kOther:
      break;
    case Word::kScope:
      event->own_name = string_id();
      event->has_own_name = true;
      break;
    case Word::kFrame:
      event->frame = number;
      break;
    case Word::kThread:
      event->thread = number;
      break;
    case Word::kTimes:
      event->times = view(text);
      break;
    case Word::kCall:
      event->call = number;
      break;
    case Word::kBeginTid:
      event->begin_tid = number;
      break;
    case Word::kEndTid:
      event->end_tid = number;
      break;
    case Word::kFlowBegin:
    case Word::kFlowEnd:
      event->flow = number;
      event->is_flow = true;
      (word == Word::kFlowEnd ? event->ends_flow : event->begins_flow) = true;
      break;
    default:
      apply(word, view(text), event);
  }
}

void SequenceReader::apply(Word word, std::string_view text, Event* event) {
  if (word == Word::kFlags) {
    event->flags = flags_of(text);
  } else if (word == Word::kColor) {
    if (text.size() == 7 && text[0] == '#') std::from_chars(text.data() + 1, text.data() + 7, event->color, 16);
  } else if (word == Word::kCounter && event->type == event::kInstant) {
    event->type = event::kCounter;
    event->has_value = true;
    event->value = text == "nan"   ? std::numeric_limits<double>::quiet_NaN()
                   : text == "inf" ? std::numeric_limits<double>::infinity()
                                   : -std::numeric_limits<double>::infinity();
  }
}

}  // namespace flamelet::formats::perfetto
