// SPDX-License-Identifier: MIT
#include <string>
#include <thread>
#include <vector>

#include "flamelet/flamelet.h"
#include "profiler/capture/saved_capture.h"
#include "profiler/record/page_builder.h"
#include "support/captured_recording.h"
#include "temporary_folder.h"

namespace flamelet {
namespace {

using recorder_test::CapturedRecording;
using recorder_test::now_ns;
using recorder_test::read_flows;

// "id>time@lane" for a begin, "id<time@lane" for an end with the time of its begin behind it in brackets; then an O, A
// or M where it is open, was begun again, or its begin is missing.
std::string flows_of(const flamelet_capture* capture, int64_t begin_ns = INT64_MIN, int64_t end_ns = INT64_MAX) {
  const std::vector<flamelet_flow> flows = read_flows(capture, begin_ns, end_ns);
  std::string text;
  for (const flamelet_flow& flow : flows) {
    const bool ends = (flow.flags & FLAMELET_FLOW_IS_END) != 0;
    text += std::to_string(flow.id) + (ends ? "<" : ">") + std::to_string(flow.time_ns) + "@" +
            recorder_test::text_of(recorder_test::lane_of(capture, flow.lane).name);
    if (ends && flow.begin != FLAMELET_NO_PARENT) text += "(" + std::to_string(flows[flow.begin].time_ns) + ")";
    if ((flow.flags & FLAMELET_FLOW_OPEN) != 0) text += "O";
    if ((flow.flags & FLAMELET_FLOW_BEGUN_AGAIN) != 0) text += "A";
    if ((flow.flags & FLAMELET_FLOW_MISSING_BEGIN) != 0) text += "M";
    text += " ";
  }
  return text;
}

flamelet_flow_counts counts_of(const flamelet_capture* capture) {
  const std::vector<flamelet_flow> flows = read_flows(capture);
  flamelet_flow_counts counts;
  flamelet_count_flows(flows.data(), flows.size(), &counts);
  return counts;
}

void begin_at(uint64_t ns, uint64_t id) {
  now_ns = 1000000 + ns;
  flamelet_flow_begin(id);
}
void end_at(uint64_t ns, uint64_t id) {
  now_ns = 1000000 + ns;
  flamelet_flow_end(id);
}
template <class Work>
void on_worker(Work work) {
  std::thread([work] {
    flamelet_set_thread_name("Worker");
    work();
  }).join();
}

}  // namespace

TEST_CASE_FIXTURE(CapturedRecording, "flows: an end on another thread belongs to the begin of its id") {
  begin_at(10, 7);
  begin_at(20, UINT64_MAX);
  on_worker([] {
    end_at(30, UINT64_MAX);
    end_at(40, 7);
  });
  CHECK(flows_of(capture()) ==
        "7>10@Main 7<40@Worker(10) 18446744073709551615>20@Main 18446744073709551615<30@Worker(20) ");
}

TEST_CASE_FIXTURE(CapturedRecording, "flows: any number of ends, and an id that is used again") {
  begin_at(10, 7);
  end_at(20, 7);
  end_at(30, 7);
  begin_at(40, 7);
  end_at(50, 7);
  CHECK(flows_of(capture()) == "7>10@Main 7<20@Main(10) 7<30@Main(10) 7>40@Main 7<50@Main(40) ");
  const flamelet_flow_counts counts = counts_of(capture());
  CHECK(counts.begins == 2);
  CHECK(counts.ends == 3);
  CHECK(counts.open + counts.begun_again + counts.missing_begins == 0);
}

TEST_CASE_FIXTURE(CapturedRecording, "flows: what does not pair is kept, flagged and counted") {
  end_at(5, 1);  // before its begin
  begin_at(10, 1);
  begin_at(20, 2);  // begun twice
  begin_at(30, 2);
  end_at(40, 2);
  begin_at(50, 3);  // never ended
  CHECK(flows_of(capture()) == "1<5@MainM 1>10@MainO 2>20@MainOA 2>30@Main 2<40@Main(30) 3>50@MainO ");
  const flamelet_flow_counts counts = counts_of(capture());
  CHECK(counts.begins == 4);
  CHECK(counts.ends == 2);
  CHECK(counts.open == 3);
  CHECK(counts.begun_again == 1);
  CHECK(counts.missing_begins == 1);
}

TEST_CASE_FIXTURE(CapturedRecording, "flows: begin and end in one nanosecond pair, whichever thread is read first") {
  end_at(10, 7);
  on_worker([] { begin_at(10, 7); });
  CHECK(flows_of(capture()) == "7>10@Worker 7<10@Main(10) ");
}

TEST_CASE_FIXTURE(CapturedRecording, "flows: a window has its own, and pairs what is in it") {
  for (uint64_t i = 0; i < 2000; ++i) {  // several pages
    begin_at(100 * i, i % 3);
    end_at(100 * i + 50, i % 3);
  }
  CHECK(read_flows(capture()).size() == 4000);
  CHECK(flows_of(capture(), 30000, 30151) == "0>30000@Main 0<30050@Main(30000) 1>30100@Main 1<30150@Main(30100) ");
  CHECK(flows_of(capture(), 30050, 30150) == "0<30050@MainM 1>30100@MainO ");
  CHECK(flows_of(capture(), 30051, 30100) == "");
}

TEST_CASE_FIXTURE(CapturedRecording,
                  "flows: a small answer is the beginning of the whole one, and pairs within itself") {
  begin_at(10, 2);
  end_at(20, 2);
  begin_at(30, 1);
  end_at(40, 1);
  flamelet_flow some[3];
  flamelet_capture_read_flows(capture(), INT64_MIN, INT64_MAX, some, 3, nullptr);
  CHECK(flamelet_capture_count_flows(capture(), INT64_MIN, INT64_MAX) == 4);
  CHECK(some[0].id == 1);
  CHECK(some[1].begin == 0);
  CHECK(some[2].id == 2);
  CHECK(some[2].flags == FLAMELET_FLOW_OPEN);
  flamelet_capture_read_flows(nullptr, INT64_MIN, INT64_MAX, some, 3, nullptr);
  CHECK(flamelet_capture_count_flows(nullptr, INT64_MIN, INT64_MAX) == 0);
  flamelet_count_flows(nullptr, 5, nullptr);
}

TEST_CASE_FIXTURE(CapturedRecording,
                  "flows: they cost no span, point or bad word, and nothing is marked while disabled") {
  begin_at(10, 7);
  flamelet_set_enabled(false);
  begin_at(20, 8);
  end_at(30, 7);
  flamelet_set_enabled(true);
  end_at(40, 7);
  flamelet_capture* const found = capture();
  CHECK(flows_of(found) == "7>10@Main 7<40@Main(10) ");
  CHECK(flamelet_capture_count_spans(found, 0, INT64_MIN, INT64_MAX) == 0);
  CHECK(flamelet_capture_count_points(found, 0, INT64_MIN, INT64_MAX) == 0);
  const flamelet_capture_stats stats = recorder_test::stats_of(found);
  CHECK(stats.events_read == 3);  // and the first frame's mark
  CHECK(stats.bad_words + stats.unknown_events + stats.events_lost == 0);
}

TEST_CASE("flows: before init and after shutdown a mark does nothing") {
  flamelet_flow_begin(1);
  { const CapturedRecording recording; }
  flamelet_flow_end(1);
}

TEST_CASE_FIXTURE(CapturedRecording, "flows: the macros take numbers and pointers") {
  enum class Job : int { kPaths = 5 };
  int object = 0;
  const int* const constant = &object;
  now_ns = 1000010;
  FLAMELET_FLOW_BEGIN(&object);
  FLAMELET_FLOW_END(constant);
  FLAMELET_FLOW_BEGIN(Job::kPaths);
  FLAMELET_FLOW_END(5);
  const std::vector<flamelet_flow> flows = read_flows(capture());
  REQUIRE(flows.size() == 4);
  CHECK(flows[0].id == 5);
  CHECK(flows[1].begin == 0);
  CHECK(flows[2].id == reinterpret_cast<uintptr_t>(&object));
  CHECK(flows[3].begin == 2);
}

TEST_CASE_FIXTURE(CapturedRecording, "flows: of a fiber they stand on the thread that ran it, once") {
  const uint32_t fiber = flamelet_fiber_create("job");
  begin_at(10, 7);
  flamelet_fiber_switch(0, fiber);
  end_at(20, 7);
  flamelet_fiber_switch(fiber, 0);
  CHECK(flows_of(capture()) == "7>10@Main 7<20@Main(10) ");
}

TEST_CASE_FIXTURE(TemporaryFolder, "flows: a saved capture has them, and so has a recovered ring") {
  flamelet_config config = recorder_test::with_still_clock(recorder_test::small_config(), 1000000);
  const std::string path = file("ring");
  config.ring_path = path.c_str();
  recorder_test::Recording recording(config);
  flamelet_set_thread_name("Main");
  begin_at(10, 7);
  end_at(20, 7);
  end_at(30, 0);
  recorder_test::Capture capture(recorder_test::Captured::kNow);
  const std::string expected = "0<30@MainM 7>10@Main 7<20@Main(10) ";
  CHECK(flows_of(capture) == expected);
  const Loaded loaded(save(capture));
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(flows_of(loaded.capture) == expected);
  CHECK(save(loaded.capture) == save(capture));
  const recorder_test::Recovered recovered(path);
  REQUIRE(recovered.result == FLAMELET_OK);
  CHECK(flows_of(recovered) == expected);
}

TEST_CASE("flows: a builder adds them to every kind of lane, in any order where spans are") {
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), queue = building.lane(FLAMELET_LANE_GPU, "Queue");
  flamelet_capture_builder* const builder = building.builder;
  flamelet_capture_builder_flow(builder, main, -10, 7, false);
  flamelet_capture_builder_flow(builder, queue, 50, 8, true);
  flamelet_capture_builder_flow(builder, queue, 20, 7, true);
  flamelet_capture_builder_flow(builder, 99, 20, 7, true);  // no such lane
  flamelet_capture_builder_stats stats;
  flamelet_capture_builder_get_stats(builder, &stats);
  CHECK(stats.dropped_lane == 1);
  CHECK(stats.events == 3);
  flamelet_capture* const capture = building.finish();
  CHECK(flows_of(capture) == "7>-10@Main 7<20@Queue(-10) 8<50@QueueM ");
  CHECK(flows_of(capture, 15, 25) == "7<20@QueueM ");
  CHECK(flows_of(Loaded(recorder_test::save(capture)).capture) == flows_of(capture));
}

TEST_CASE("flows: a mark without its id stops the check of its page") {
  PageBuilder track(1);
  track.event(100, WordType::kMore, make_more_id(MoreType::kFlowBegin, 1), {7});
  track.event(200, WordType::kMore, make_more_id(MoreType::kFlowEnd, 0));
  FedCapture capture(track);
  CHECK(flows_of(capture.get()) == "7>100@thread 1O ");
  CHECK(capture.stats().bad_words == 1);
}

}  // namespace flamelet
