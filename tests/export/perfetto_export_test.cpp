// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <unistd.h>
#include <protozero/pbf_reader.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "exported.h"
#include "support/building.h"
#include "support/captured_recording.h"

// ---- perfetto trace
//
// Reads the exporter's Perfetto traces with code that shares nothing with it but protozero: sequences,
// interned texts and clocks as Perfetto's readers take them. What such a reader would drop without a word fails here.

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

namespace {

using namespace perfetto_trace;
using namespace recorder_test;

std::string exported_trace(const flamelet_capture* capture, flamelet_export_report* report = nullptr) {
  return exported(capture, FLAMELET_EXPORT_PERFETTO, report);
}

// "3 cpu 0: Main(1) R -> another program(1073741824)", a line for each switch; a * where some are missing before it.
std::string switches_in(const std::string& bytes) {
  std::string text;
  for (pbf_reader trace(bytes); trace.next(1);) {
    for (pbf_reader packet = trace.get_message(); packet.next(1);) {
      std::string processor, lost;
      for (pbf_reader bundle = packet.get_message(); bundle.next();) {
        if (bundle.tag() == 1) processor = std::to_string(bundle.get_uint32());
        if (bundle.tag() == 3) lost = bundle.get_bool() ? "*" : "";
        if (bundle.tag() != 2) continue;
        pbf_reader event = bundle.get_message();
        REQUIRE(event.next(1));
        text += lost + std::to_string(event.get_uint64()) + " cpu " + processor + ": ";
        lost.clear();
        REQUIRE(event.next(4));
        pbf_reader what = event.get_message();
        std::string names[8];
        while (what.next()) {
          const uint32_t tag = what.tag();
          names[tag] = tag == 1 || tag == 5 ? what.get_string() : std::to_string(what.get_int64());
        }
        text += names[1] + "(" + names[2] + ") " + (names[4] == "0" ? "R" : "S") + " -> " + names[5] + "(" + names[6] +
                ")\n";
      }
    }
  }
  return text;
}

}  // namespace

TEST_CASE("perfetto export: states of threads are switches of the processors") {
  Building building;
  const uint32_t site = building.site("Work");
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), worker = building.lane(FLAMELET_LANE_THREAD, "W");
  for (const uint32_t lane : {main, worker}) {
    building.begin(lane, 0, site);
    building.end(lane, 90'000'000);
  }
  const auto add = [&](int64_t ms, uint32_t lane, flamelet_state_kind state, uint32_t processor) {
    REQUIRE(flamelet_capture_builder_switch(building.builder, lane, ms * 1'000'000, state, processor));
  };
  add(10, main, FLAMELET_STATE_RUNNING, 0);
  add(20, main, FLAMELET_STATE_TAKEN_OFF, 0);
  add(30, worker, FLAMELET_STATE_RUNNING, 0);
  add(40, worker, FLAMELET_STATE_ASLEEP, 0);
  add(40, main, FLAMELET_STATE_RUNNING, 0);
  add(50, 0, FLAMELET_STATE_UNKNOWN, 0);
  add(60, worker, FLAMELET_STATE_RUNNING, 0);
  add(70, worker, FLAMELET_STATE_ASLEEP, 0);
  CHECK(switches_in(exported_trace(building.finish())) ==
        "10000000 cpu 0: swapper(0) R -> Main(1)\n"
        "20000000 cpu 0: Main(1) R -> another program(1073741824)\n"
        "30000000 cpu 0: another program(1073741824) R -> W(2)\n"
        "40000000 cpu 0: W(2) S -> Main(1)\n"
        "*60000000 cpu 0: swapper(0) R -> W(2)\n"
        "70000000 cpu 0: W(2) S -> swapper(0)\n");
}

TEST_CASE("perfetto export: spans nest, with their times, names, places and objects") {
  Building building;
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
  const uint32_t site =
      flamelet_capture_builder_site(building.builder, building.string("outer"), building.string("test"),
                                    building.string("game.cpp"), building.string("update"), 42, 0x0A0B0C);
  building.begin(lane, 1000, site, 0, building.string("the \"object\""));
  building.begin(lane, 2500, building.site("inner"));
  building.end(lane, 2750);
  building.begin(lane, 2750, building.site("empty"));
  building.end(lane, 2750);
  building.end(lane, 2750);
  flamelet_export_report report;
  const std::string bytes = exported_trace(building.finish(), &report);
  CHECK(report.spans == 3);
  CHECK(report.bytes == bytes.size());
  const Trace trace(bytes);
  const std::vector<Slice> slices = trace.on("Main");
  REQUIRE(slices.size() == 3);
  CHECK(slices[0].name == "outer");
  CHECK(slices[0].category == "test");
  CHECK(slices[0].file == "game.cpp");
  CHECK(slices[0].function == "update");
  CHECK(slices[0].line == 42);
  CHECK(slices[0].annotations ==
        std::map<std::string, std::string>{{"color", "#0a0b0c"}, {"object", "the \"object\""}});
  CHECK(slices[0].begin_ns == 0);
  CHECK(slices[0].end_ns == 1750);
  CHECK(slices[1].name == "inner");
  CHECK(slices[1].depth == 1);
  CHECK(slices[1].begin_ns == 1500);
  CHECK(slices[1].end_ns == 1750);
  CHECK(slices[2].name == "empty");
  CHECK(slices[2].category.empty());
  CHECK(slices[2].begin_ns == 1750);
  CHECK(slices[2].end_ns == 1750);
}

TEST_CASE_FIXTURE(CapturedRecording,
                  "perfetto export: a span that never ended has no end, and neither has what is around it") {
  flamelet_begin("outer", "", nullptr);
  now_ns += 10;
  flamelet_end(flamelet_begin("done", "", nullptr));
  flamelet_begin("inner", "", nullptr);
  now_ns += 10;
  const Trace trace(exported_trace(capture()));
  REQUIRE(trace.slices.size() == 3);
  CHECK_FALSE(trace.slices[0].ended);
  CHECK(trace.slices[1].ended);
  CHECK_FALSE(trace.slices[2].ended);
  CHECK(trace.slices[2].depth == 1);
}

TEST_CASE_FIXTURE(CapturedRecording, "perfetto export: instants and counters stand in time on their tracks") {
  const flamelet_id outer = flamelet_begin("outer", "", nullptr);
  now_ns += 10;
  flamelet_instant("ping", "net", "server");
  flamelet_counter("load", "test", 0.5);
  now_ns += 10;
  flamelet_counter("load", "test", 0.75);
  flamelet_counter("load", "test", std::nan(""));
  flamelet_counter("load", "test", -HUGE_VAL);
  flamelet_end(outer);
  flamelet_export_report report;
  const Trace trace(exported_trace(capture(), &report));
  CHECK(report.points == 5);
  CHECK(report.values_nonfinite == 2);
  REQUIRE(trace.instants.size() == 3);
  CHECK(trace.instants[0].name == "ping");
  CHECK(trace.instants[0].category == "net");
  CHECK(trace.instants[0].begin_ns == 10);
  CHECK(trace.instants[0].annotations.at("object") == "server");
  CHECK(trace.instants[1].annotations.at("counter") == "nan");
  CHECK(trace.instants[2].annotations.at("counter") == "-inf");
  REQUIRE(trace.values.size() == 2);
  CHECK(trace.values[0].value == 0.5);
  CHECK(trace.values[0].time_ns == 10);
  CHECK(trace.values[1].value == 0.75);
  CHECK(trace.values[1].time_ns == 20);
  const Track& track = trace.tracks.at(trace.values[0].track);
  CHECK(track.name == "load");
  CHECK(trace.tracks.at(track.parent).name == "Main");
}

TEST_CASE_FIXTURE(CapturedRecording,
                  "perfetto export: overlapping intervals are on tracks of their own, which are used again") {
  const flamelet_id first = flamelet_interval_begin("first", "", nullptr);
  now_ns += 10;
  const flamelet_id second = flamelet_interval_begin("second", "", "file");
  now_ns += 10;
  flamelet_interval_end(first);
  now_ns += 10;
  flamelet_interval_end(second);
  const flamelet_id third = flamelet_interval_begin("third", "", nullptr);
  now_ns += 10;
  flamelet_interval_end(third);
  flamelet_interval_begin("fourth", "", nullptr);
  flamelet_export_report report;
  const Trace trace(exported_trace(capture(), &report));
  CHECK(report.intervals == 4);
  const std::vector<Slice> slices = trace.on("Intervals");
  REQUIRE(slices.size() == 4);
  CHECK(slices[0].begin_ns == 0);
  CHECK(slices[0].end_ns == 20);
  CHECK(slices[1].begin_ns == 10);
  CHECK(slices[1].end_ns == 30);
  CHECK(slices[1].annotations ==
        std::map<std::string, std::string>{{"object", "file"}, {"begin_tid", "1"}, {"end_tid", "1"}});
  CHECK(slices[2].track == slices[0].track);
  CHECK(slices[1].track != slices[0].track);
  CHECK_FALSE(slices[3].ended);
  CHECK(slices[3].annotations.count("end_tid") == 0);
  CHECK(trace.tracks.at(slices[0].track).description == "Intervals");
}

TEST_CASE_FIXTURE(CapturedRecording, "perfetto export: frames are a track, with their numbers and flags") {
  for (int i = 0; i < 3; ++i) {
    now_ns += 100;
    flamelet_frame();
  }
  flamelet_export_report report;
  const Trace trace(exported_trace(capture(), &report));
  const std::vector<Slice> frames = trace.on("Frames");
  REQUIRE(frames.size() == 3);
  CHECK(report.frames == 3);
  CHECK(frames[0].annotations.at("flags") == "partial");  // the recorder started in it
  CHECK(frames[1].annotations.count("flags") == 0);
  for (size_t i = 0; i < 3; ++i) {
    CHECK(frames[i].name == "Frame");
    CHECK(frames[i].depth == 0);
    CHECK(frames[i].annotations.at("frame") == std::to_string(i));
    CHECK(frames[i].begin_ns == i * 100);
    CHECK(frames[i].end_ns == i * 100 + 100);
  }
}

TEST_CASE_FIXTURE(CapturedRecording, "perfetto export: arrows lead from a scope to each GPU span that it submitted") {
  const uint32_t queue = flamelet_track_create("Queue", FLAMELET_TRACK_GPU, 1e9);
  REQUIRE(flamelet_track_calibrate(queue, 0, now_ns) == FLAMELET_OK);
  flamelet_end(flamelet_begin("other", "", nullptr));
  const flamelet_id draw = flamelet_begin("draw", "", nullptr);
  now_ns += 1000;
  flamelet_end(draw);
  const flamelet_event passes[] = {event('B', 100, draw, "shadows"), event('E', 350, draw, nullptr)};
  REQUIRE(flamelet_submit(queue, passes, 2) == 2);
  const Trace trace(exported_trace(capture()));
  CHECK(trace.tracks.at(trace.track("Queue")).description == "GPU queue");
  const std::vector<Slice> scopes = trace.on("Main"), spans = trace.on("Queue");
  REQUIRE(scopes.size() == 2);
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].name == "shadows");
  CHECK(spans[0].begin_ns == 100);
  CHECK(spans[0].end_ns == 350);
  CHECK(scopes[0].flows.empty());
  REQUIRE(scopes[1].flows.size() == 1);
  CHECK(spans[0].terminating_flows == scopes[1].flows);
}

TEST_CASE_FIXTURE(CapturedRecording,
                  "perfetto export: a fiber is a track of its own, and its thread shows the pieces") {
  const uint32_t fiber = flamelet_fiber_create("job");
  REQUIRE(fiber != 0);
  flamelet_fiber_switch(0, fiber);
  const flamelet_id load = flamelet_begin("load", "test", nullptr);
  now_ns += 100;
  flamelet_fiber_switch(fiber, 0);
  now_ns += 50;
  flamelet_fiber_switch(0, fiber);
  now_ns += 30;
  flamelet_end(load);
  flamelet_fiber_switch(fiber, 0);
  const Trace trace(exported_trace(capture()));
  CHECK(trace.tracks.at(trace.track("job")).description == "Fiber");
  const std::vector<Slice> whole = trace.on("job"), pieces = trace.on("Main");
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].begin_ns == 0);
  CHECK(whole[0].end_ns == 180);
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].annotations.at("flags") == "suspended");
  CHECK(pieces[0].end_ns == 100);
  CHECK(pieces[1].annotations.at("flags") == "resumed");
  CHECK(pieces[1].begin_ns == 150);
}

TEST_CASE_FIXTURE(CapturedRecording, "perfetto export: lanes keep their order, and say what they are") {
  flamelet_end(flamelet_begin("scope", "", nullptr));
  for (const auto& [name, kind] : {std::pair("GPU", FLAMELET_TRACK_GPU), std::pair("DSP", FLAMELET_TRACK_EXTERNAL)}) {
    const uint32_t track = flamelet_track_create(name, kind, 1e9);
    REQUIRE(flamelet_track_calibrate(track, 0, now_ns) == FLAMELET_OK);
    const flamelet_event span[] = {event('B', 0, 1, "work"), event('E', 5, 1, nullptr)};
    REQUIRE(flamelet_submit(track, span, 2) == 2);
  }
  const Trace trace(exported_trace(capture()));
  CHECK(trace.tracks.at(trace.track("Main")).tid == 1);
  CHECK(trace.tracks.at(trace.track("GPU")).rank == 2);
  CHECK(trace.tracks.at(trace.track("DSP")).rank == 3);
  CHECK(trace.tracks.at(trace.track("DSP")).description == "External source");
  CHECK(trace.tracks.at(trace.tracks.at(trace.track("Main")).parent).process);
  CHECK(trace.wall_clock_ns >= flamelet_capture_clock(capture()).origin_unix_ns);
}

TEST_CASE_FIXTURE(Building, "perfetto export: a dynamic name is shown, and its scope's own name is told") {
  const uint32_t thread = lane(FLAMELET_LANE_THREAD, "Main");
  begin(thread, 5, site("load"), string("level\xFF 1"));
  end(thread, 7);
  flamelet_export_report report;
  const Trace trace(exported_trace(finish(), &report));
  CHECK(report.texts_repaired == 1);
  REQUIRE(trace.slices.size() == 1);
  CHECK(trace.slices[0].name == "level\xEF\xBF\xBD 1");
  CHECK(trace.slices[0].annotations.at("scope") == "load");
}

TEST_CASE_FIXTURE(CapturedRecording, "perfetto export: every span is written once, and costs less than 40 bytes") {
  const flamelet_id outer = flamelet_begin("outer", "test", nullptr);
  constexpr uint64_t kSpans = 20000;
  for (uint64_t i = 0; i < kSpans; ++i) {
    const flamelet_id inner = flamelet_begin("inner", "test", nullptr);
    now_ns += 1 + i % 7;
    flamelet_end(inner);
  }
  flamelet_end(outer);
  const std::string bytes = exported_trace(capture());
  CHECK(bytes.size() < kSpans * 40);
  const Trace trace(bytes);
  CHECK(trace.slices.size() == kSpans + 1);
  uint64_t total_ns = 0;
  for (const Slice& slice : trace.slices) total_ns += slice.depth == 1 ? slice.end_ns - slice.begin_ns : 0;
  CHECK(total_ns == trace.slices[0].end_ns);
}

#ifdef FLAMELET_PROTOC
TEST_CASE_FIXTURE(CapturedRecording, "perfetto export: protoc decodes all of a trace") {
  flamelet_frame();
  const flamelet_id outer = flamelet_begin("outer", "test", "object");
  flamelet_counter("load", "test", 0.5);
  flamelet_interval_end(flamelet_interval_begin("job", "test", nullptr));
  flamelet_end(outer);
  flamelet_frame();
  const std::string path = "perfetto_export_test." + std::to_string(getpid());
  REQUIRE(flamelet_export_file(capture(), FLAMELET_EXPORT_PERFETTO, nullptr, path.c_str(), nullptr) == FLAMELET_OK);
  const std::string command = std::string("'" FLAMELET_PROTOC "' --decode=flamelet_test.Trace --proto_path='") +
                              FLAMELET_PERFETTO_SCHEMA + "' perfetto.proto < " + path + " > " + path + ".txt";
  CHECK(std::system(command.c_str()) == 0);
  std::ostringstream decoded;
  decoded << std::ifstream(path + ".txt").rdbuf();
  const std::string text = decoded.str();
  CHECK(text.find("text: \"outer\"") != std::string::npos);
  CHECK(text.find("type: COUNTER") != std::string::npos);
  CHECK(text.find("double_value: 0.5") != std::string::npos);
  // What the schema does not know would be printed with its number.
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find_first_not_of(' ');
    CHECK_MESSAGE((at == std::string::npos || line[at] < '0' || line[at] > '9'), line);
  }
  unlink(path.c_str());
  unlink((path + ".txt").c_str());
}
#endif
