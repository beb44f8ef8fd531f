// SPDX-License-Identifier: MIT
//
// What the importer reads of the exporter's Perfetto traces. It is tested with traces that were put together field by
// field (tests/import), and tests/viewers asks protoc.
#include <doctest/doctest.h>
#include <protozero/pbf_reader.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "exported.h"
#include "import/imported.h"
#include "support/building.h"
#include "support/captured_recording.h"

namespace {

using protozero::pbf_reader;
using namespace recorder_test;

std::string exported_trace(const flamelet_capture* capture, flamelet_export_report* report = nullptr) {
  return exported(capture, FLAMELET_EXPORT_PERFETTO, report);
}

// It is read in small pieces.
struct Trace : Imported {
  explicit Trace(const std::string& bytes) : Imported(bytes, flamelet_import_options_default(), 7) {
    REQUIRE(result == FLAMELET_OK);
    CHECK(report.events_damaged + report.events_unsupported + report.packets_unusable + report.events_unclocked == 0);
    CHECK(report.args_left_out + report.texts_unknown + report.ends_extra + report.times_clamped == 0);
  }
  std::string named(uint32_t name, uint32_t object) const {
    return text(name) + (object != 0 ? "{" + text(object) + "} " : " ");
  }
  // "outer{object} 0-70 open .inner 10-30": a dot for each level.
  std::string spans_on(const char* lane_name) const {
    std::string all;
    for (const flamelet_span& span : spans(lane(lane_name))) {
      all += std::string(all.empty() ? "" : " ") + std::string(span.depth, '.') + named(span.name, span.object) +
             std::to_string(span.begin_ns) + "-" + std::to_string(span.end_ns);
      if ((span.flags & FLAMELET_SPAN_OPEN) != 0) all += " open";
      if ((span.flags & FLAMELET_SPAN_RESUMED) != 0) all += " resumed";
      if ((span.flags & FLAMELET_SPAN_SUSPENDED) != 0) all += " suspended";
    }
    return all;
  }
};

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

TEST_CASE_FIXTURE(Building, "perfetto export: spans nest, with their times, names, places and objects") {
  const uint32_t thread = lane(FLAMELET_LANE_THREAD, "Main");
  const uint32_t outer = flamelet_capture_builder_site(builder, string("outer"), string("test"), string("game.cpp"),
                                                       string("update"), 42, 0x0A0B0C);
  begin(thread, 1000, outer, 0, string("the \"object\""));
  begin(thread, 2500, site("inner"));
  end(thread, 2750);
  begin(thread, 2750, site("load"), string("level\xFF 1"));
  end(thread, 2750);
  end(thread, 2750);
  flamelet_export_report report;
  const std::string bytes = exported_trace(finish(), &report);
  CHECK(report.spans == 3);
  CHECK(report.bytes == bytes.size());
  CHECK(report.texts_repaired == 1);
  const Trace trace(bytes);
  CHECK(trace.spans_on("Main") == "outer{the \"object\"} 0-1750 .inner 1500-1750 .level\xEF\xBF\xBD 1 1750-1750");
  const std::vector<flamelet_span> spans = trace.spans(0);
  const flamelet_site_info place = site_of(trace.capture, spans[0].site);
  CHECK(text_of(place.name) == "outer");
  CHECK(text_of(place.category) == "test");
  CHECK(text_of(place.file) == "game.cpp");
  CHECK(text_of(place.function) == "update");
  CHECK(place.line == 42);
  CHECK(place.color == 0x0A0B0C);
  CHECK(text_of(site_of(trace.capture, spans[2].site).name) == "load");
}

TEST_CASE_FIXTURE(CapturedRecording, "perfetto export: what threads and fibers recorded, and frames and intervals") {
  const uint32_t fiber = flamelet_fiber_create("job");
  flamelet_begin("outer", "", nullptr);
  flamelet_fiber_switch(0, fiber);
  const flamelet_id load = flamelet_begin("load", "test", nullptr);
  now_ns += 10;
  flamelet_fiber_switch(fiber, 0);
  now_ns += 4;  // so the points lie inside of a piece
  const flamelet_id first = flamelet_interval_begin("first", "", nullptr);
  flamelet_instant("ping", "net", "server");
  flamelet_counter("load", "test", 0.5);
  now_ns += 6;
  flamelet_frame();
  const flamelet_id second = flamelet_interval_begin("second", "", "file");
  flamelet_fiber_switch(0, fiber);
  now_ns += 10;
  flamelet_end(load);
  flamelet_fiber_switch(fiber, 0);
  flamelet_interval_end(first);
  for (const double value : {0.75, std::nan(""), -HUGE_VAL}) flamelet_counter("load", "test", value);
  flamelet_begin("inner", "", nullptr);
  now_ns += 10;
  flamelet_interval_end(second);
  flamelet_interval_end(flamelet_interval_begin("third", "", nullptr));
  flamelet_interval_begin("fourth", "", nullptr);
  flamelet_frame();
  flamelet_export_report report;
  const std::string bytes = exported_trace(capture(), &report);
  CHECK(report.points == 5);
  CHECK(report.values_nonfinite == 2);
  CHECK(report.intervals == 4);
  CHECK(report.frames == 2);
  const Trace trace(bytes);
  CHECK(trace.spans_on("Main") ==
        "outer 0-0 suspended load 0-10 suspended outer 10-20 resumed suspended load 20-30 resumed outer 30-40 open "
        "resumed .inner 30-40 open");
  CHECK(trace.spans_on("job") == "load 0-30");
  std::string points;
  for (const flamelet_point& point : trace.points(trace.lane("Main")))
    points += trace.named(point.name, point.object) + std::to_string(point.time_ns) +
              (point.kind == FLAMELET_POINT_COUNTER ? "=" + std::to_string(point.value) : "") + "; ";
  CHECK(points == "ping{server} 14; load 14=0.500000; load 30=0.750000; load 30=nan; load 30=-inf; ");
  std::string intervals;
  for (const flamelet_interval& interval : trace.intervals())
    intervals += trace.named(interval.name, interval.object) + std::to_string(interval.begin_ns) + "-" +
                 (interval.flags == FLAMELET_SPAN_OPEN ? "" : std::to_string(interval.end_ns)) + " of " +
                 std::to_string(interval.begin_track) + "-" + std::to_string(interval.end_track) + "; ";
  CHECK(intervals == "first 14-30 of 1-1; second{file} 20-40 of 1-1; third 40-40 of 1-1; fourth 40- of 1-0; ");
  size_t said = 0;  // twice by each of two tracks, which are used again
  for (size_t at = bytes.find("Intervals"); at != std::string::npos; at = bytes.find("Intervals", at + 1)) ++said;
  CHECK(said == 4);
  std::string frames;
  for (size_t i = 0; i < flamelet_capture_frame_count(trace.capture); ++i) {
    const flamelet_frame_info frame = frame_of(trace.capture, i);
    frames += std::to_string(frame.index) + " " + std::to_string(frame.begin_ns) + "-" + std::to_string(frame.end_ns) +
              (frame.flags == FLAMELET_FRAME_PARTIAL ? " partial; " : "; ");
  }
  CHECK(frames == "0 0-20 partial; 1 20-40; ");  // the recorder started in the first
}

TEST_CASE_FIXTURE(CapturedRecording, "perfetto export: lanes keep their order and kind, and arrows lead to GPU spans") {
  flamelet_end(flamelet_begin("other", "", nullptr));
  const flamelet_id draw = flamelet_begin("draw", "", nullptr);
  now_ns += 1000;
  flamelet_end(draw);
  for (const auto& [name, kind] : {std::pair("GPU", FLAMELET_TRACK_GPU), std::pair("DSP", FLAMELET_TRACK_EXTERNAL)}) {
    const uint32_t track = flamelet_track_create(name, kind, 1e9);
    REQUIRE(flamelet_track_calibrate(track, 0, now_ns - 1000) == FLAMELET_OK);
    const flamelet_event pass[] = {event('B', 100, draw, "shadows"), event('E', 350, draw, nullptr)};
    REQUIRE(flamelet_submit(track, pass, 2) == 2);
  }
  const std::string bytes = exported_trace(capture());
  std::string ranks;  // by which viewers sort the tracks
  for (pbf_reader all(bytes); all.next(1);)
    for (pbf_reader packet = all.get_message(); packet.next(60);)
      for (pbf_reader track = packet.get_message(); track.next(12);) ranks += std::to_string(track.get_int32()) + " ";
  CHECK(ranks == "2 3 ");
  const Trace trace(bytes);
  const std::pair<const char*, flamelet_lane_kind> lanes[] = {
      {"Main", FLAMELET_LANE_THREAD}, {"GPU", FLAMELET_LANE_GPU}, {"DSP", FLAMELET_LANE_EXTERNAL}};
  REQUIRE(flamelet_capture_lane_count(trace.capture) == 3);
  for (size_t i = 0; i < 3; ++i) {
    CHECK(trace.lane_name(i) == lanes[i].first);
    CHECK(lane_of(trace.capture, i).kind == lanes[i].second);
  }
  CHECK(trace.spans_on("Main") == "other 0-0 draw 0-1000");
  CHECK(trace.spans_on("GPU") == "shadows 100-350");
  CHECK(trace.spans(1)[0].id == trace.spans(0)[1].id);
  CHECK(trace.spans(0)[0].id != trace.spans(0)[1].id);
  CHECK(flamelet_capture_clock(trace.capture).origin_unix_ns >= flamelet_capture_clock(capture()).origin_unix_ns);
}

TEST_CASE_FIXTURE(CapturedRecording, "perfetto export: every span is written once, and costs less than 40 bytes") {
  const flamelet_id outer = flamelet_begin("outer", "test", nullptr);
  constexpr int64_t kSpans = 20000;
  for (int64_t i = 0; i < kSpans; ++i) {
    const flamelet_id inner = flamelet_begin("inner", "test", nullptr);
    now_ns += static_cast<uint64_t>(1 + i % 7);
    flamelet_end(inner);
  }
  flamelet_end(outer);
  const std::string bytes = exported_trace(capture());
  CHECK(bytes.size() < kSpans * 40);
  const std::vector<flamelet_span> spans = Trace(bytes).spans(0);
  CHECK(spans.size() == kSpans + 1);
  CHECK(spans[0].self_ns == 0);
}
