// SPDX-License-Identifier: MIT
#include "capture/capture_data.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "flamelet/capture.h"
#include "flamelet/flamelet.h"
#include "profiler/capture/saved_capture.h"
#include "profiler/record/page_builder.h"
#include "support/recording.h"
#include "temporary_folder.h"

namespace flamelet {
namespace {

struct Table : FrameTable {
  explicit Table(uint32_t capacity) : frames(capacity) { attach(frames.data(), capacity, &dropped); }
  bool mark(uint64_t ticks, uint64_t index, bool ends_partial) {
    return FrameTable::mark(ticks, {index, ends_partial, 0, nullptr, 0, false});
  }
  std::vector<Frame> frames;
  uint64_t dropped = 0;
};

}  // namespace

TEST_CASE("a frame runs from its mark to the next, and the running one is not complete") {
  Table table(8);
  CHECK(table.count() == 0);
  CHECK_FALSE(table.mark(100, 0, false));  // ends none
  CHECK(table.count() == 0);
  CHECK(table.mark(120, 1, true));
  CHECK(table.mark(150, 2, false));
  REQUIRE(table.count() == 2);
  CHECK(table.at(0).index == 0);
  CHECK(table.at(0).begin_ticks == 100);
  CHECK(table.at(0).end_ticks == 120);
  CHECK(table.at(0).flags == FLAMELET_FRAME_PARTIAL);
  CHECK(table.at(1).flags == 0);
}

TEST_CASE("the oldest frames go when the table is full, and are counted") {
  Table table(3);
  for (uint64_t i = 0; i <= 10; ++i) table.mark(100 + 10 * i, i, false);
  REQUIRE(table.count() == 3);
  CHECK(table.dropped == 7);
  CHECK(table.at(0).index == 7);
  CHECK(table.find(7) == 0);
  CHECK(table.find(9) == 2);
  CHECK(table.find(6) == SIZE_MAX);
  CHECK(table.find(10) == SIZE_MAX);
}

TEST_CASE("a frame is found by a time in it") {
  Table table(8);
  table.mark(100, 0, false);
  table.mark(110, 1, false);
  table.mark(110, 2, false);  // frame 1 took no time
  table.mark(130, 3, false);
  CHECK(table.find_at(99) == SIZE_MAX);
  CHECK(table.find_at(100) == 0);
  CHECK(table.find_at(109) == 0);
  CHECK(table.find_at(110) == 2);
  CHECK(table.find_at(129) == 2);
  CHECK(table.find_at(130) == SIZE_MAX);
}

TEST_CASE("between marks that do not follow one another there is no frame") {
  Table table(8);
  table.mark(100, 0, false);
  table.mark(110, 1, false);
  table.mark(200, 5, false);
  table.mark(210, 6, false);
  REQUIRE(table.count() == 2);
  CHECK(table.at(1).index == 5);
  CHECK(table.find_at(150) == SIZE_MAX);
}

TEST_CASE("marks that go back are ignored") {
  Table table(8);
  table.mark(100, 5, false);
  CHECK_FALSE(table.mark(90, 6, false));
  CHECK_FALSE(table.mark(110, 5, false));
  CHECK_FALSE(table.mark(110, 4, false));
  CHECK(table.mark(120, 6, false));
  REQUIRE(table.count() == 1);
  CHECK(table.at(0).end_ticks == 120);
}

TEST_CASE("frames that overlap a loss are flagged, those before and after are not") {
  Table table(8);
  for (uint64_t i = 0; i <= 4; ++i) table.mark(100 + 10 * i, i, false);
  table.lose(115, 125);
  CHECK(table.at(0).flags == 0);
  CHECK(table.at(1).flags == FLAMELET_FRAME_LOSSY);
  CHECK(table.at(2).flags == FLAMELET_FRAME_LOSSY);
  CHECK(table.at(3).flags == 0);
}

TEST_CASE("a loss in a frame that still runs is remembered, however many there are") {
  Table table(300);
  table.mark(0, 0, false);
  for (uint64_t i = 0; i < 200; ++i) table.lose(20 * i + 1, 20 * i + 2);
  for (uint64_t i = 1; i <= 400; ++i) table.mark(10 * i, i, false);
  REQUIRE(table.count() == 300);
  for (size_t i = 0; i < table.count(); ++i)
    if (table.at(i).index % 2 == 0) REQUIRE(table.at(i).flags == FLAMELET_FRAME_LOSSY);
  table.mark(100000, 401, false);
  table.mark(100001, 402, false);
  CHECK(table.at(table.count() - 1).flags == 0);
}

// ---- Named frames -------------------------------------------------------------------------------------------------
namespace {

using recorder_test::now_ns;

class Recording {
 public:
  explicit Recording(const char* ring_path = nullptr) : recording_(config_with(ring_path)) {}
  flamelet_capture* update() {
    capture_.update();
    return capture_;
  }

 private:
  static flamelet_config config_with(const char* ring_path) {
    flamelet_config config = recorder_test::with_still_clock(flamelet_config_default(), 1000);
    config.ring_path = ring_path;
    return config;
  }
  recorder_test::Recording recording_;
  recorder_test::Capture capture_{flamelet_capture_config_default()};
};

std::vector<std::string> sets_of(const flamelet_capture* capture) {
  std::vector<uint32_t> sets(flamelet_capture_frame_sets(capture, nullptr, 0));
  flamelet_capture_frame_sets(capture, sets.data(), sets.size());
  std::vector<std::string> names;
  for (const uint32_t set : sets) names.push_back(recorder_test::text_of(capture, set));
  return names;
}

// "index:begin-end", with a P or L behind it where it is partial or lossy.
std::string frames_of(const flamelet_capture* capture, uint32_t set, int64_t begin_ns = INT64_MIN,
                      int64_t end_ns = INT64_MAX) {
  std::vector<flamelet_frame_info> frames(flamelet_capture_read_frames(capture, set, begin_ns, end_ns, nullptr, 0));
  CHECK(flamelet_capture_read_frames(capture, set, begin_ns, end_ns, frames.data(), frames.size()) == frames.size());
  std::string text;
  for (const flamelet_frame_info& frame : frames) {
    text += std::to_string(frame.index) + ":" + std::to_string(frame.begin_ns) + "-" + std::to_string(frame.end_ns);
    if ((frame.flags & FLAMELET_FRAME_PARTIAL) != 0) text += "P";
    if ((frame.flags & FLAMELET_FRAME_LOSSY) != 0) text += "L";
    text += " ";
  }
  return text;
}
std::string frames_of(const flamelet_capture* capture, const char* name) {
  std::vector<uint32_t> sets(flamelet_capture_frame_sets(capture, nullptr, 0));
  flamelet_capture_frame_sets(capture, sets.data(), sets.size());
  for (const uint32_t set : sets)
    if (recorder_test::text_of(capture, set) == name) return frames_of(capture, set);
  return "(no such set)";
}

void mark_at(uint64_t ticks, const char* name) {
  now_ns = 1000 + ticks;
  flamelet_frame_named(name);
}

void mark(PageBuilder* track, uint64_t ticks, uint32_t set, uint64_t index, bool partial = false) {
  track->event(ticks, WordType::kMore, make_more_id(MoreType::kNamedFrame, 1), {named_frame_mark(set, index, partial)});
}

}  // namespace

TEST_CASE_FIXTURE(Recording, "named frames: each set has frames of its own, inside the main frames and across them") {
  flamelet_frame();
  mark_at(10, "physics");
  mark_at(20, "server");
  mark_at(30, "physics");
  now_ns = 1035;
  flamelet_frame();
  mark_at(50, "physics");
  mark_at(90, "server");
  const flamelet_capture* capture = update();
  CHECK(sets_of(capture) == std::vector<std::string>{"physics", "server"});
  CHECK(frames_of(capture, "physics") == "1:10-30 2:30-50 ");
  CHECK(frames_of(capture, "server") == "1:20-90 ");
  CHECK(flamelet_capture_frame_count(capture) != 0);
}

TEST_CASE_FIXTURE(Recording, "named frames: the empty name is a name") {
  mark_at(10, "");
  mark_at(20, "physics");
  mark_at(30, "");
  mark_at(40, "physics");
  const flamelet_capture* capture = update();
  CHECK(frames_of(capture, "") == "1:10-30 ");
  CHECK(frames_of(capture, "physics") == "1:20-40 ");
}

TEST_CASE_FIXTURE(TemporaryFolder, "named frames: they are recovered from the file of a ring") {
  const std::string path = file("ring");
  Recording recording(path.c_str());
  mark_at(10, "physics");
  mark_at(20, "server");
  mark_at(30, "physics");
  flamelet_set_enabled(false);
  flamelet_set_enabled(true);
  mark_at(50, "physics");
  mark_at(90, "server");
  const recorder_test::Recovered capture(path);
  REQUIRE(capture.result == FLAMELET_OK);  // as after a crash
  CHECK(sets_of(capture) == std::vector<std::string>{"physics", "server"});
  CHECK(frames_of(capture, "physics") == "1:10-30 2:30-50P ");
  CHECK(frames_of(capture, "server") == "1:20-90P ");
}

TEST_CASE("named frames: a builder adds them in any order, and counts what does not fit") {
  flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture_builder* builder = nullptr;
  REQUIRE(flamelet_capture_builder_create(&config, &builder) == FLAMELET_OK);
  const auto string = [&](const std::string& text) {
    return flamelet_capture_builder_string(builder, text.data(), text.size());
  };
  const uint32_t physics = string("physics");
  flamelet_capture_builder_named_frame(builder, physics, 2, 30, 50, FLAMELET_FRAME_LOSSY);
  flamelet_capture_builder_named_frame(builder, physics, 1, -10, 30, FLAMELET_FRAME_PARTIAL);
  flamelet_capture_builder_named_frame(builder, string("server"), 1, 20, 20, 0);
  flamelet_capture_builder_named_frame(builder, physics, 1, 0, 1, 0);                    // there already
  flamelet_capture_builder_named_frame(builder, physics, uint64_t{1} << 42, 50, 60, 0);  // too large
  for (uint32_t i = 0; i < FLAMELET_MAX_FRAME_SETS - 1; ++i)                             // one set too many
    flamelet_capture_builder_named_frame(builder, string("set " + std::to_string(i)), 1, 0, 1, 0);
  flamelet_capture_builder_stats stats;
  flamelet_capture_builder_get_stats(builder, &stats);
  CHECK(stats.frames_dropped == 3);
  CHECK(stats.events == 3 + FLAMELET_MAX_FRAME_SETS - 2);
  flamelet_capture* capture = nullptr;
  flamelet_capture_builder_finish(builder, &capture);
  CHECK(frames_of(capture, "physics") == "1:-10-30P 2:30-50L ");
  CHECK(frames_of(capture, "server") == "1:20-20 ");
  CHECK(sets_of(capture).size() == FLAMELET_MAX_FRAME_SETS);
  flamelet_capture_destroy(capture);
}

TEST_CASE_FIXTURE(Recording, "named frames: the macro marks them, and costs no span or point") {
  now_ns = 1005;
  FLAMELET_FRAME_NAMED("step");
  now_ns = 1007;
  FLAMELET_FRAME_NAMED("step");
  const flamelet_capture* capture = update();
  CHECK(frames_of(capture, "step") == "1:5-7 ");
  CHECK(flamelet_capture_count_spans(capture, 0, INT64_MIN, INT64_MAX) == 0);
  CHECK(flamelet_capture_count_points(capture, 0, INT64_MIN, INT64_MAX) == 0);
  const flamelet_capture_stats stats = recorder_test::stats_of(capture);
  CHECK(stats.bad_words + stats.unknown_events + stats.events_lost == 0);
}

TEST_CASE_FIXTURE(Recording, "named frames: several threads may mark one set") {
  mark_at(10, "job");
  std::thread([] { mark_at(20, "job"); }).join();
  mark_at(30, "job");
  std::thread([] { mark_at(40, "job"); }).join();
  CHECK(frames_of(update(), "job") == "1:10-20 2:20-30 3:30-40 ");
}

TEST_CASE_FIXTURE(Recording, "named frames: nothing is marked while disabled, and the frame across it is partial") {
  mark_at(10, "step");
  mark_at(20, "step");
  flamelet_set_enabled(false);
  mark_at(30, "step");
  flamelet_set_enabled(true);
  mark_at(40, "step");
  mark_at(50, "step");
  CHECK(frames_of(update(), "step") == "1:10-20 2:20-40P 3:40-50 ");
}

TEST_CASE_FIXTURE(Recording, "named frames: more sets than there is room for are dropped and counted") {
  for (uint32_t i = 0; i < FLAMELET_MAX_FRAME_SETS + 3; ++i) mark_at(i, ("set " + std::to_string(i)).c_str());
  CHECK(flamelet_capture_frame_sets(update(), nullptr, 0) == FLAMELET_MAX_FRAME_SETS);
  const flamelet_stats stats = recorder_test::stats();
  CHECK(stats.dropped_frame == 3);
}

TEST_CASE("named frames: before init and after shutdown a mark does nothing") {
  flamelet_frame_named("step");
  { Recording recording; }
  flamelet_frame_named("step");
}

TEST_CASE("named frames: a new session counts them from 1 again") {
  {
    Recording recording;
    for (uint64_t i = 0; i < 5; ++i) mark_at(10 * i, "step");
  }
  Recording recording;
  mark_at(10, "step");
  mark_at(20, "step");
  CHECK(frames_of(recording.update(), "step") == "1:10-20 ");
}

TEST_CASE_FIXTURE(FirstTrack, "named frames: a window gives those that overlap it") {
  for (uint64_t i = 1; i <= 6; ++i) mark(this, 100 * i, 7, i);
  FedCapture capture(*this);
  CHECK(frames_of(capture.get(), 7) == "1:100-200 2:200-300 3:300-400 4:400-500 5:500-600 ");
  CHECK(frames_of(capture.get(), 7, 250, 410) == "2:200-300 3:300-400 4:400-500 ");
  CHECK(frames_of(capture.get(), 8) == "");
  flamelet_frame_info frame;
  CHECK(flamelet_capture_read_frames(capture.get(), 7, INT64_MIN, INT64_MAX, &frame, 1) == 5);
  CHECK(frame.index == 1);
  CHECK(flamelet_capture_read_frames(nullptr, 7, INT64_MIN, INT64_MAX, nullptr, 0) == 0);
  CHECK(flamelet_capture_frame_sets(nullptr, nullptr, 0) == 0);
}

TEST_CASE_FIXTURE(FirstTrack, "named frames: where marks were lost, no frame is made up") {
  mark(this, 100, 7, 1);
  mark(this, 200, 7, 2);
  new_page(250);
  mark(this, 300, 7, 3);
  new_page(350);
  mark(this, 400, 7, 4);
  mark(this, 500, 7, 5);
  FedCapture capture;
  capture.feed(*pages[0]);
  capture.feed(*pages[2]);
  CHECK(frames_of(capture.get(), 7) == "1:100-200 4:400-500 ");
  CHECK(capture.stats().events_lost == 1);
}

TEST_CASE_FIXTURE(FirstTrack, "named frames: a mark that stands there twice counts as bad, and the first one holds") {
  mark(this, 100, 7, 1);
  mark(this, 200, 7, 2, true);
  mark(this, 300, 7, 2);
  FedCapture capture(*this);
  CHECK(frames_of(capture.get(), 7) == "1:100-200P ");
  CHECK(capture.stats().bad_words == 2);
}

TEST_CASE_FIXTURE(Recording, "named frames: a saved capture has them, a window of it those that overlap") {
  for (uint64_t i = 1; i <= 5; ++i) mark_at(100 * i, "step");
  flamelet_set_enabled(false);
  flamelet_set_enabled(true);
  mark_at(600, "step");
  const flamelet_capture* capture = update();
  const Loaded loaded(save(capture));
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(loaded.report.chunks_unknown + loaded.report.duplicates == 0);
  CHECK(frames_of(loaded.capture, "step") == "1:100-200 2:200-300 3:300-400 4:400-500 5:500-600P ");
  CHECK(save(loaded.capture) == save(capture));
  const Loaded part(save(capture, 250, 450));
  REQUIRE(part.result == FLAMELET_OK);
  CHECK(frames_of(part.capture, "step").find("2:200-300") != std::string::npos);
  CHECK(frames_of(part.capture, "step").find("4:400-500") != std::string::npos);
}

}  // namespace flamelet
