// SPDX-License-Identifier: MIT
//
// perfetto_import.cpp: a Perfetto trace, packet by packet.
//
//   PacketReader: the next packet ──► this file ──► Tracks, TrackEvents ──► the builder
//                                      ├── Machine: whose sequences, clocks and tracks it means
//                                      ├── Clocks: its time
//                                      └── SequenceReader: its event, with what numbers stand for
//
// What is read: track descriptors and track events, with interned texts, defaults and clocks, by Perfetto's own rules: a
// packet that needs what its sequence said before counts only while nothing of it is missing; a stamp counts only on a
// clock that a snapshot told. Of the kernel's events, switches of threads that have a lane are read, and what programs print
// (perfetto_events.h). Everything else is counted and left out. A packet that is no protobuf is left out by itself: its length says
// where the next one is.
//
// Order: events are taken in the order of their times, and in the file's at one time, so many at once: buffers of several
// threads that write to one track stand one after the other. What packets say by number is looked up before that, in the order
// of the file. A trace of Flamelet's own is taken as it stands.
#include <algorithm>
#include <memory>
#include <unordered_map>

#include "importer.h"
#include "perfetto_events.h"
#include "perfetto_wire.h"

namespace flamelet::formats {
namespace {

using namespace perfetto;
using protozero::data_view;
using protozero::pbf_reader;

class PerfettoReader {
 public:
  explicit PerfettoReader(Import& job) : job_(job), sequence_reader_(job.builder, &job.arguments), events_(job) {
    find_machine(0);
  }

  flamelet_result read() {
    read_packets(job_.in);
    take(waiting_.size());
    const int64_t newest_ns = switches_.count() == 0 ? 0 : saturated_difference(switches_.newest_ns(), base_ns_);
    for (const auto& machine : machines_) events_.finish(machine->tracks, newest_ns);
    job_.spans.finish();
    std::vector<Switches::Lanes> lanes;
    bool has_threads = false;
    for (const auto& machine : machines_) {
      lanes.push_back(machine->tracks.thread_lanes());
      has_threads = has_threads || !lanes.back().empty();
      machine->tracks.name_lanes();
      machine->tracks.place_lanes();
    }
    switches_dropped_ = switches_.put(job_.builder, lanes, base_ns_);
    if (!has_threads) left_out_ += switches_.count();
    for (const auto& machine : machines_) {
      const Clocks& clocks = machine->clocks;
      if (!clocks.has_wall_clock()) continue;
      flamelet_capture_builder_set_origin(job_.builder, clocks.wall_clock_ns() + static_cast<uint64_t>(base_ns_));
      break;
    }
    if (!machines_[0]->tracks.is_own()) flamelet_capture_builder_start_at_zero(job_.builder);
    report();
    if (packets_ > bad_packets_) return FLAMELET_OK;
    job_.say(has_zstd_ ? "The trace's packets are compressed with zstd, which is not read."
                       : "The trace is damaged before its first whole packet.");
    return FLAMELET_ERROR_FILE_FORMAT;
  }

 private:
  // The parts of a packet, before any of them is read; NULL where there is none.
  struct Packet {
    bool has_stamp = false, cleared = false, lost = false, other = false;
    uint64_t stamp = 0;
    uint32_t clock = 0, sequence = 0, flags = 0, machine = 0;
    data_view event, track, clocks, defaults, interned, compressed, zstd, ftrace, tree, process, thread, stats, sync;
  };
  static bool has(data_view part) { return part.data() != nullptr; }

  struct Waiting {
    int64_t time_ns;
    Tracks* tracks;
    Event event;
  };

  // Another machine may give the same numbers to its sequences, clocks, processes, threads and tracks.
  struct Machine {
    Machine(flamelet_capture_builder* builder, SequenceReader& sequence_reader, uint32_t machine)
        : id(machine), tracks(builder, sequence_reader, machine), series_names(builder) {}

    const uint32_t id;
    uint32_t number = 0;  // in machines_
    bool has_events = false;
    std::unordered_map<uint32_t, Sequence> sequences;  // whose values stay where they are
    Clocks clocks;
    Tracks tracks;
    SeriesNames series_names;
    // Of the kernel's clock, by its newest bundle that tells it.
    bool has_kernel_clock = false;
    uint64_t kernel_behind_ns = 0;  // BOOTTIME
  };

  static constexpr size_t kMostWaiting = size_t{1} << 18;             // 64 MiB
  static constexpr size_t kMaxSequences = size_t{1} << 16;            // of a machine
  static constexpr uint64_t kMaxInflatedBytes = uint64_t{256} << 20;  // of one packet
  static constexpr uint64_t kMaxInflatedInAll = uint64_t{16} << 30;

  template <class Source>
  void read_packets(Source& source) {
    using Reader = PacketReader<Source>;
    Reader reader(source);
    data_view packet;
    for (;;) {
      const typename Reader::Result result = reader.next(&packet);
      if (result == Reader::Result::kPacket) {
        ++packets_;
        try {
          read_packet(split(packet));
        } catch (const protozero::exception&) {
          ++bad_packets_;
        }
      } else if (result == Reader::Result::kOther) {
        ++left_out_;
      } else {
        job_.report.truncated = job_.report.truncated || result == Reader::Result::kTruncated;
        return;
      }
    }
  }

  // Packets that were compressed together are a trace in one packet. What is compressed in there once more is left out.
  void read_compressed(data_view bytes) {
    if (inside_compressed_) {
      ++left_out_;
      return;
    }
    inside_compressed_ = true;
    InflateSource source(bytes, static_cast<size_t>(std::min(kMaxInflatedBytes, inflated_left_)));
    read_packets(source);
    inside_compressed_ = false;
    inflated_left_ -= source.bytes();
    bad_packets_ += source.damaged();
  }

  void count_zstd() {
    ++bad_packets_;
    has_zstd_ = true;
    snprintf(job_.report.first_damaged, sizeof job_.report.first_damaged,
             "packets are compressed with zstd, which is not read");
  }

  static Packet split(data_view bytes) {
    Packet packet;
    for (pbf_reader reader(bytes); reader.next();) {
      switch (reader.tag_and_type()) {
        case varint(packet::kTimestamp):
          packet.stamp = reader.get_uint64();
          packet.has_stamp = true;
          break;
        case varint(packet::kTimestampClock):
          packet.clock = get_uint32(reader);
          break;
        case varint(packet::kSequenceId):
          packet.sequence = get_uint32(reader);
          break;
        case varint(packet::kMachineId):
          packet.machine = get_uint32(reader);
          break;
        case varint(packet::kSequenceFlags):
          packet.flags = get_uint32(reader);
          break;
        case varint(packet::kIncrementalStateCleared):
          packet.cleared = reader.get_uint64() != 0;
          break;
        case varint(packet::kPreviousPacketDropped):
          packet.lost = reader.get_uint64() != 0;
          break;
        case length(packet::kTrackEvent):
          packet.event = reader.get_view();
          break;
        case length(packet::kTrackDescriptor):
          packet.track = reader.get_view();
          break;
        case length(packet::kClockSnapshot):
          packet.clocks = reader.get_view();
          break;
        case length(packet::kDefaults):
          packet.defaults = reader.get_view();
          break;
        case length(packet::kInternedData):
          packet.interned = reader.get_view();
          break;
        case length(packet::kFtraceEvents):
          packet.ftrace = reader.get_view();
          break;
        case length(packet::kProcessTree):
          packet.tree = reader.get_view();
          break;
        case length(packet::kProcessDescriptor):
          packet.process = reader.get_view();
          break;
        case length(packet::kThreadDescriptor):
          packet.thread = reader.get_view();
          break;
        case length(packet::kTraceStats):
          packet.stats = reader.get_view();
          break;
        case length(packet::kRemoteClockSync):
          packet.sync = reader.get_view();
          break;
        case length(packet::kCompressedPackets):
          packet.compressed = reader.get_view();
          break;
        case length(packet::kZstdCompressedPackets):
          packet.zstd = reader.get_view();
          break;
        case varint(packet::kTrustedUid):
        case varint(packet::kTrustedPid):
        case varint(packet::kFirstOnSequence):
          reader.skip();
          break;
        default:
          packet.other = packet.other || std::find(std::begin(packet::kNoEvents), std::end(packet::kNoEvents),
                                                   reader.tag()) == std::end(packet::kNoEvents);
          reader.skip();
      }
    }
    return packet;
  }

  void read_packet(const Packet& packet) {
    if (has(packet.compressed) || has(packet.zstd)) {
      if (has(packet.zstd) || view(packet.compressed).substr(0, 4) == "\x28\xb5\x2f\xfd")
        count_zstd();
      else
        read_compressed(packet.compressed);
      return;
    }
    Sequence* const sequence = find_machine(packet.machine) ? find(packet.sequence) : nullptr;
    if (sequence == nullptr) {
      ++without_sequence_;
      return;
    }
    // The first packet of a sequence says that one before it was dropped, too.
    job_.report.packets_lost += packet.lost && sequence->has_begun;
    sequence->has_begun = true;
    if (packet.cleared || (packet.flags & packet::kStateCleared) != 0)
      sequence_reader_.clear(sequence);
    else if (packet.lost)
      sequence->valid = sequence->has_reference = false;
    if (has(packet.defaults)) sequence_reader_.read_defaults(packet.defaults, sequence);
    if (has(packet.interned)) sequence_reader_.read_interned(packet.interned, sequence);
    if (has(packet.clocks)) on_->clocks.read_snapshot(packet.clocks, &sequence->clocks);
    // Times do not change in the middle.
    if (has(packet.sync) && on_->id != 0 && !on_->has_events)
      on_->clocks.read_sync(packet.sync, &machines_[0]->clocks, &sequence->clocks);
    if ((packet.flags & packet::kNeedsState) != 0 && !sequence->valid) {
      ++job_.report.packets_unusable;
      return;
    }
    if (has(packet.thread)) read_thread(packet.thread, sequence);
    if (has(packet.process)) on_->tracks.names().read_process(packet.process);
    if (has(packet.tree)) on_->tracks.names().read_tree(packet.tree);
    if (has(packet.track)) on_->tracks.describe(packet.track);
    if (has(packet.ftrace)) read_ftrace(packet.ftrace, sequence);
    if (has(packet.stats)) read_stats(packet.stats);
    // Also the stamp of another packet counts where a clock goes from stamp to stamp.
    Time time;
    if (packet.has_stamp) time = time_of(packet.clock != 0 ? packet.clock : sequence->clock, packet.stamp, sequence);
    if (has(packet.event)) {
      read_event(packet.event, sequence, time);
    } else if (packet.other) {
      bool is_read = false;
      for (const data_view part : {packet.track, packet.clocks, packet.defaults, packet.interned, packet.ftrace,
                                   packet.tree, packet.process, packet.thread, packet.stats, packet.sync})
        is_read = is_read || has(part);
      left_out_ += !is_read;
    }
  }

  struct Time {
    bool is_known = false;
    int64_t ns = 0;
    uint32_t unknown_clock = 0;  // 0: it has no stamp
  };

  Time time_of(uint32_t clock, uint64_t stamp, Sequence* sequence) {
    Time time;
    time.is_known = on_->clocks.to_trace_ns(clock, stamp, &sequence->clocks, &time.ns);
    time.unknown_clock = time.is_known ? 0 : clock;
    return time;
  }

  // Chrome's older events have µs of MONOTONIC in place of a stamp, from one to the next or one alone.
  Time older_time(const EventParts& parts, Sequence* sequence) {
    if (parts.has_delta && !sequence->has_reference) return {};
    uint64_t us = static_cast<uint64_t>(parts.absolute_us);
    if (parts.has_delta) us = sequence->reference_us += static_cast<uint64_t>(parts.delta_us);
    const Time time = time_of(clock::kMonotonic, us * 1000, sequence);
    return time.is_known ? time : time_of(0, us * 1000, sequence);
  }

  void read_thread(data_view bytes, Sequence* sequence) {
    const uint64_t track = on_->tracks.read_thread(bytes, &sequence->reference_us);
    sequence->has_reference = true;
    if (sequence->has_track) return;
    sequence->track = track;
    sequence->has_track = true;
  }

  void read_event(data_view bytes, Sequence* sequence, Time time) {
    sequence_reader_.read_event(bytes, sequence, &event_, &parts_);
    if (parts_.has_delta || parts_.has_absolute) time = older_time(parts_, sequence);
    if (!time.is_known) {
      count_without_time(time);
      return;
    }
    job_.report.args_left_out += event_.args_left_out;
    const bool is_older = event_.type == 0 && parts_.has_legacy && !on_->tracks.is_own();
    if (is_older && parts_.legacy.phase == 'M') {
      tell_names(parts_.legacy, job_.builder, on_->tracks, event_);
    } else if (is_older && parts_.legacy.phase == 'C') {
      hold_series(time.ns);
    } else if (event_.type != 0 || (is_older && read_legacy(parts_.legacy, on_->tracks, &event_))) {
      job_.report.times_clamped += event_.is_whole && (!parts_.legacy.has_duration || parts_.legacy.duration_us < 0 ||
                                                       parts_.legacy.duration_us > INT64_MAX / 1000);
      if (event_.type == event::kCounter) event_.value = on_->tracks.counted(event_.track, event_.value, sequence->run);
      hold(time.ns);
    } else {
      ++left_out_;
    }
    for (const auto& [track, value] : parts_.counters) {
      event_ = Event();
      event_.type = event::kCounter;
      event_.track = track;
      event_.has_value = true;
      event_.value = on_->tracks.counted(track, value, sequence->run);
      hold(time.ns);
    }
  }

  void hold_series(int64_t time_ns) {
    left_out_ += parts_.series.empty();
    read_legacy(parts_.legacy, on_->tracks, &event_);
    const Event counter = event_;
    for (size_t i = 0; i < parts_.series.size(); ++i) {
      event_ = counter;
      event_.name = on_->series_names.name(counter, parts_.legacy, parts_, i);
      event_.value = parts_.series[i].second;
      event_.has_value = true;
      hold(time_ns);
    }
  }

  void count_without_time(const Time& time) {
    if (time.unknown_clock == 0) {
      ++without_time_;
      return;
    }
    if (job_.report.events_unclocked++ == 0) job_.report.unknown_clock = time.unknown_clock;
  }

  // Whose clock the stamps of a bundle have; false: nothing relates it to the trace's. They are `behind_ns` behind it.
  bool find_kernel_clock(data_view bytes, uint32_t* clock, uint64_t* behind_ns) {
    uint64_t kind = ftrace_bundle::kClockBoot, kernel_ns = 0, boot_ns = 0;
    for (pbf_reader reader(bytes); reader.next();) {
      switch (reader.tag_and_type()) {
        case varint(ftrace_bundle::kClock):
          kind = reader.get_uint64();
          break;
        case varint(ftrace_bundle::kClockTimestamp):
          kernel_ns = reader.get_uint64();
          break;
        case varint(ftrace_bundle::kBootTimestamp):
          boot_ns = reader.get_uint64();
          break;
        default:
          reader.skip();
      }
    }
    *behind_ns = 0;
    if (kind == ftrace_bundle::kClockMonotonicRaw) {
      *clock = clock::kMonotonicRaw;
      int64_t time_ns;
      Clocks::Map none;
      return on_->clocks.to_trace_ns(*clock, 0, &none, &time_ns);
    }
    *clock = clock::kBoottime;
    if (kind == ftrace_bundle::kClockBoot) return true;
    *clock = 0;
    if (kind != ftrace_bundle::kClockGlobal && kind != ftrace_bundle::kClockLocal) return false;
    if (boot_ns != 0) {
      on_->has_kernel_clock = true;
      on_->kernel_behind_ns = boot_ns - kernel_ns;
    }
    if (!on_->has_kernel_clock) return false;
    *clock = clock::kBoottime;
    *behind_ns = on_->kernel_behind_ns;
    return true;
  }

  void read_ftrace(data_view bytes, Sequence* sequence) {
    uint32_t clock;
    uint64_t behind_ns;
    if (!find_kernel_clock(bytes, &clock, &behind_ns)) {
      const uint64_t events = Switches::count_events(bytes);
      if (job_.report.events_unclocked == 0) job_.report.unknown_clock = clock;
      job_.report.events_unclocked += events;
      return;
    }
    on_->has_events = true;
    const auto time_of = [&](int64_t stamp) {
      const uint64_t ns = static_cast<uint64_t>(stamp) + behind_ns;
      int64_t time_ns = 0;
      if (!on_->clocks.to_trace_ns(clock, ns, &sequence->clocks, &time_ns))
        on_->clocks.to_trace_ns(0, ns, &sequence->clocks, &time_ns);
      return time_ns;
    };
    left_out_ += switches_.read_bundle(bytes, on_->number, time_of, &on_->tracks.names(), [&](const Print& print) {
      if (!on_->tracks.is_own() && read_line(view(print.line), print.tid, sequence_reader_, on_->tracks, &event_))
        hold(time_of(print.time_ns));
      else
        ++left_out_;
    });
  }

  // What the tracing service lost, by its own count, from the trace's begin on.
  void read_stats(data_view bytes) {
    uint64_t chunks = 0, packets = 0;
    for (pbf_reader stats(bytes); stats.next();) {
      switch (stats.tag_and_type()) {
        case varint(trace_stats::kChunksDiscarded):
        case varint(trace_stats::kPatchesDiscarded):
          chunks += stats.get_uint64();
          break;
        case length(trace_stats::kBuffer):
          for (pbf_reader buffer(stats.get_view()); buffer.next();) {
            switch (buffer.tag_and_type()) {
              case varint(trace_stats::kBufferChunksOverwritten):
              case varint(trace_stats::kBufferChunksDiscarded):
              case varint(trace_stats::kBufferPatchesFailed):
                chunks += buffer.get_uint64();
                break;
              case varint(trace_stats::kBufferPacketLoss):
                packets += buffer.get_uint64();
                break;
              default:
                buffer.skip();
            }
          }
          break;
        default:
          stats.skip();
      }
    }
    job_.report.chunks_lost = std::max(job_.report.chunks_lost, chunks);
    packets_lost_ = std::max(packets_lost_, packets);
  }

  void hold(int64_t time_ns) {
    on_->has_events = true;
    if (on_->tracks.is_own()) {
      events_.take(on_->tracks, event_, time_ns);
      return;
    }
    if (waiting_.size() == kMostWaiting) take(kMostWaiting / 4 * 3);
    in_order_ = in_order_ && (waiting_.empty() || waiting_.back().time_ns <= time_ns);
    waiting_.push_back({time_ns, &on_->tracks, std::move(event_)});
  }

  // The oldest ones. Time 0 is the first of them whose time is good, or, if most are not, one in their middle.
  void take(size_t count) {
    if (!in_order_)
      std::stable_sort(waiting_.begin(), waiting_.end(),
                       [](const Waiting& a, const Waiting& b) { return a.time_ns < b.time_ns; });
    in_order_ = true;
    if (!has_base_ && count != 0) {
      const auto is_good = [](const Waiting& waiting) { return is_good_time(waiting.time_ns); };
      const auto good = static_cast<size_t>(std::count_if(waiting_.begin(), waiting_.end(), is_good));
      const auto first = 2 * good >= waiting_.size() ? std::find_if(waiting_.begin(), waiting_.end(), is_good)
                                                     : waiting_.begin() + static_cast<ptrdiff_t>(waiting_.size() / 2);
      base_ns_ = first->time_ns;
      has_base_ = true;
    }
    for (size_t i = 0; i < count; ++i)
      events_.take(*waiting_[i].tracks, waiting_[i].event, saturated_difference(waiting_[i].time_ns, base_ns_));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(count));
  }

  // Of the machine of the packet in hand. NULL: there are too many.
  Sequence* find(uint32_t id) {
    if (last_ != nullptr && id == last_id_) return last_;
    const auto at = on_->sequences.find(id);
    if (at == on_->sequences.end() && on_->sequences.size() >= kMaxSequences) return nullptr;
    last_id_ = id;
    return last_ = at != on_->sequences.end() ? &at->second : &on_->sequences[id];
  }

  // Makes it the one of the packet in hand. False: there are too many.
  bool find_machine(uint32_t id) {
    if (on_ != nullptr && on_->id == id) return true;
    size_t number = 0;
    while (number < machines_.size() && machines_[number]->id != id) ++number;
    if (number == Switches::kMaxMachines) return false;
    if (number == machines_.size()) {
      machines_.push_back(std::make_unique<Machine>(job_.builder, sequence_reader_, id));
      machines_.back()->number = static_cast<uint32_t>(number);
    }
    on_ = machines_[number].get();
    last_ = nullptr;
    return true;
  }

  void report() {
    const EventCounts& counts = events_.counts();
    flamelet_import_report& report = job_.report;
    report.spans += counts.spans;
    report.points += counts.points;
    report.intervals += counts.intervals;
    report.frames += counts.frames;
    report.flows += counts.flows;
    report.spans_open += counts.open;
    report.ends_extra += counts.extra_ends;
    report.args_left_out += counts.args_left_out;
    report.texts_unknown += sequence_reader_.unknown();
    report.texts_repaired += sequence_reader_.repaired();
    report.packets_lost = std::max(report.packets_lost, packets_lost_) + switches_.gaps();
    report.events_damaged += bad_packets_ + without_time_;
    report.events_unsupported += left_out_ + counts.unsupported;
    report.events_over_limits += counts.dropped + sequence_reader_.dropped() + without_sequence_ + switches_dropped_;
    // The host's time is that of all who were brought together with it.
    uint32_t apart = 0;
    bool is_any_with_host = false;
    for (const auto& machine : machines_) {
      report.events_over_limits += machine->tracks.dropped();
      const bool is_with_host = machine->id == 0 || machine->clocks.is_synced();
      is_any_with_host = is_any_with_host || (machine->has_events && is_with_host);
      apart += machine->has_events && !is_with_host;
    }
    report.machines_apart = apart - (apart != 0 && !is_any_with_host);
    job_.cut_in_file += counts.cut;
  }

  Import& job_;
  SequenceReader sequence_reader_;
  TrackEvents events_;
  Switches switches_;
  std::vector<std::unique_ptr<Machine>> machines_;  // the one that wrote the trace first
  Machine* on_ = nullptr;                           // of the packet in hand
  Sequence* last_ = nullptr;
  uint32_t last_id_ = 0;
  Event event_;
  EventParts parts_;
  std::vector<Waiting> waiting_;  // of other programs
  bool in_order_ = true;
  bool has_base_ = false, inside_compressed_ = false, has_zstd_ = false;
  int64_t base_ns_ = 0;
  uint64_t inflated_left_ = kMaxInflatedInAll;
  uint64_t packets_ = 0, bad_packets_ = 0, left_out_ = 0;
  uint64_t switches_dropped_ = 0, packets_lost_ = 0;
  uint64_t without_sequence_ = 0, without_time_ = 0;
};

}  // namespace

flamelet_result import_perfetto(Import& job) {
  return PerfettoReader(job).read();
}

}  // namespace flamelet::formats
