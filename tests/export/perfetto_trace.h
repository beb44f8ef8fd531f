// SPDX-License-Identifier: MIT
//
// perfetto_trace.h: reads the exporter's Perfetto traces with code that shares nothing with it but protozero: sequences,
// interned texts and clocks as Perfetto's readers take them. What such a reader would drop without a word fails here.
#ifndef FLAMELET_TESTS_EXPORT_PERFETTO_TRACE_H
#define FLAMELET_TESTS_EXPORT_PERFETTO_TRACE_H

#include <doctest/doctest.h>

#include <map>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

namespace perfetto_trace {

using protozero::pbf_reader;

struct Track {
  std::string name, description;
  uint64_t parent = 0;
  int64_t tid = 0;
  bool process = false, counter = false;
  int rank = 0;
};
struct Slice {
  std::string name, category, file, function;
  uint64_t line = 0, track = 0, begin_ns = 0, end_ns = 0;
  size_t depth = 0;
  bool ended = false;
  std::map<std::string, std::string> annotations;
  std::vector<uint64_t> flows, terminating_flows;
};
struct Value {
  uint64_t track, time_ns;
  double value;
};

class Trace {
 public:
  explicit Trace(const std::string& bytes) {
    pbf_reader trace(bytes);
    while (trace.next()) {
      REQUIRE(trace.tag() == 1);
      read_packet(trace.get_view());
    }
  }
  // The track of this name under the process; 0 if there is none.
  uint64_t track(const std::string& name) const {
    for (const auto& [uuid, track] : tracks)
      if (track.name == name) return uuid;
    return 0;
  }
  std::vector<Slice> on(const std::string& name) const {
    std::vector<Slice> found;
    for (const Slice& slice : slices)
      if (tracks.at(slice.track).name == name) found.push_back(slice);
    return found;
  }

  std::map<uint64_t, Track> tracks;
  std::vector<Slice> slices, instants;
  std::vector<Value> values;
  uint64_t wall_clock_ns = 0;

 private:
  struct Location {
    std::string file, function;
    uint64_t line = 0;
  };
  struct Sequence {
    bool cleared = false, has_clock = false;
    uint64_t now_ns = 0, track = 0;
    std::map<uint64_t, std::string> texts[30];  // by field of InternedData
    std::map<uint64_t, Location> locations;
  };

  void read_packet(protozero::data_view bytes) {
    uint32_t id = 0, flags = 0;
    uint64_t delta_ns = 0;
    bool has_time = false;
    for (pbf_reader packet(bytes); packet.next();) {
      if (packet.tag() == 10)
        id = packet.get_uint32();
      else if (packet.tag() == 13)
        flags = packet.get_uint32();
      else if (packet.tag() == 8)
        delta_ns = packet.get_uint64(), has_time = true;
      else
        packet.skip();
    }
    REQUIRE(id != 0);
    Sequence& sequence = sequences_[id];
    if (flags == 1) {
      sequence = Sequence();
      sequence.cleared = true;
    }
    if (flags == 2) REQUIRE(sequence.cleared);
    // In this order, wherever they stand: defaults, texts, clocks, events.
    for (const uint32_t pass : {59u, 12u, 6u, 60u, 11u})
      for (pbf_reader packet(bytes); packet.next(pass);)
        read_part(pass, packet.get_message(), &sequence, delta_ns, has_time);
  }

  void read_part(uint32_t tag, pbf_reader part, Sequence* sequence, uint64_t delta_ns, bool has_time) {
    switch (tag) {
      case 59:
        while (part.next()) {
          if (part.tag() == 58) {
            CHECK(part.get_uint32() == 64);
          } else {
            REQUIRE(part.tag() == 11);
            pbf_reader defaults = part.get_message();
            REQUIRE(defaults.next(11));
            sequence->track = defaults.get_uint64();
          }
        }
        break;
      case 12:
        while (part.next()) {
          const uint32_t field = part.tag();  // get_message() forgets it
          read_interned(field, part.get_message(), sequence);
        }
        break;
      case 6:
        read_clocks(part, sequence);
        break;
      case 60:
        read_track(part);
        break;
      case 11:
        REQUIRE(has_time);
        REQUIRE(sequence->has_clock);
        sequence->now_ns += delta_ns;
        read_event(part, sequence);
        break;
    }
  }

  static void read_interned(uint32_t tag, pbf_reader entry, Sequence* sequence) {
    uint64_t id = 0;
    std::string text;
    Location location;
    while (entry.next()) {
      if (entry.tag() == 1)
        id = entry.get_uint64();
      else if (entry.tag() == 2)
        text = entry.get_string();
      else if (entry.tag() == 3)
        location.function = entry.get_string();
      else
        location.line = entry.get_uint32();
    }
    REQUIRE(id != 0);
    location.file = text;
    if (tag == 4)
      CHECK(sequence->locations.emplace(id, location).second);
    else
      CHECK(sequence->texts[tag].emplace(id, text).second);
  }

  void read_clocks(pbf_reader snapshot, Sequence* sequence) {
    std::map<uint32_t, uint64_t> times;
    while (snapshot.next()) {
      if (snapshot.tag() != 1) {
        CHECK(snapshot.get_uint32() == 6);
        continue;
      }
      uint32_t id = 0;
      bool incremental = false;
      for (pbf_reader clock = snapshot.get_message(); clock.next();) {
        if (clock.tag() == 1)
          id = clock.get_uint32();
        else if (clock.tag() == 2)
          times[id] = clock.get_uint64();
        else
          incremental = clock.get_bool();
      }
      CHECK(incremental == (id == 64));
    }
    REQUIRE(times.count(6) == 1);
    if (times.count(1) != 0) wall_clock_ns = times[1] - times[6];
    if (times.count(64) == 0) return;
    sequence->has_clock = true;
    sequence->now_ns = times[6];
  }

  void read_track(pbf_reader descriptor) {
    Track track;
    uint64_t uuid = 0;
    while (descriptor.next()) {
      switch (descriptor.tag()) {
        case 1:
          uuid = descriptor.get_uint64();
          break;
        case 2:
          track.name = descriptor.get_string();
          break;
        case 3:
          track.process = true;
          descriptor.skip();
          break;
        case 4:
          for (pbf_reader thread = descriptor.get_message(); thread.next();) {
            if (thread.tag() == 5)
              track.name = thread.get_string();
            else if (thread.tag() == 2)
              track.tid = thread.get_int64();
            else
              CHECK(thread.get_int32() == 1);
          }
          break;
        case 5:
          track.parent = descriptor.get_uint64();
          break;
        case 8:
          track.counter = true;
          descriptor.skip();
          break;
        case 12:
          track.rank = descriptor.get_int32();
          break;
        case 14:
          track.description = descriptor.get_string();
          break;
        default:
          descriptor.skip();
      }
    }
    REQUIRE(uuid != 0);
    if (track.parent != 0) REQUIRE(tracks.count(track.parent) == 1);
    CHECK(tracks.emplace(uuid, track).second);
  }

  void read_event(pbf_reader event, Sequence* sequence) {
    Slice slice;
    int type = 0;
    double value = 0;
    slice.track = sequence->track;
    while (event.next()) {
      switch (event.tag()) {
        case 3:
          slice.category = sequence->texts[1].at(event.get_uint64());
          break;
        case 4:
          read_annotation(event.get_message(), *sequence, &slice);
          break;
        case 9:
          type = event.get_enum();
          break;
        case 10:
          slice.name = sequence->texts[2].at(event.get_uint64());
          break;
        case 11:
          slice.track = event.get_uint64();
          break;
        case 34: {
          const Location& location = sequence->locations.at(event.get_uint64());
          slice.file = location.file;
          slice.function = location.function;
          slice.line = location.line;
          break;
        }
        case 44:
          value = event.get_double();
          break;
        case 47:
          slice.flows.push_back(event.get_fixed64());
          break;
        case 48:
          slice.terminating_flows.push_back(event.get_fixed64());
          break;
        default:
          FAIL("field ", event.tag());
      }
    }
    REQUIRE(tracks.count(slice.track) == 1);
    CHECK((type == 4) == tracks[slice.track].counter);
    slice.begin_ns = sequence->now_ns;
    std::vector<size_t>& open = open_[slice.track];
    if (type == 1) {
      slice.depth = open.size();
      open.push_back(slices.size());
      slices.push_back(slice);
    } else if (type == 2) {
      REQUIRE_FALSE(open.empty());
      slices[open.back()].end_ns = sequence->now_ns;
      slices[open.back()].ended = true;
      open.pop_back();
    } else if (type == 3) {
      instants.push_back(slice);
    } else {
      values.push_back({slice.track, sequence->now_ns, value});
    }
  }

  static void read_annotation(pbf_reader annotation, const Sequence& sequence, Slice* slice) {
    std::string name, text;
    while (annotation.next()) {
      if (annotation.tag() == 1)
        name = sequence.texts[3].at(annotation.get_uint64());
      else if (annotation.tag() == 3)
        text = std::to_string(annotation.get_uint64());
      else
        text = sequence.texts[29].at(annotation.get_uint64());
    }
    slice->annotations[name] = text;
  }

  std::map<uint32_t, Sequence> sequences_;
  std::map<uint64_t, std::vector<size_t>> open_;  // slices, by track
};

}  // namespace perfetto_trace

#endif  // FLAMELET_TESTS_EXPORT_PERFETTO_TRACE_H
