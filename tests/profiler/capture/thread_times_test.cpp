// SPDX-License-Identifier: MIT
//
// How long each thread ran in each frame, as a capture keeps it.
#include <doctest/doctest.h>

#include "profiler/capture/saved_capture.h"
#include "profiler/record/page_builder.h"

namespace flamelet {
namespace {

flamelet_thread_time time_of(const flamelet_capture* capture, size_t position, size_t lane) {
  flamelet_thread_time time;
  const bool is_known = flamelet_capture_thread_time(capture, position, lane, &time);
  CHECK(is_known == (time.known != 0));
  return time;
}

// Threads 1 and 2, and `frames` frames from 0 on of which each tells its index as thread 1's times.
struct Fed {
  explicit Fed(uint64_t frames, uint32_t max_thread_times = 256)
      : capture(64, 1e9,
                with(FedCapture::small_config(), &flamelet_capture_config::max_thread_times, max_thread_times)) {
    uint64_t ticket = 1;
    for (uint32_t track = 1; track <= 2; ++track) {
      PageBuilder builder(track, &ticket);
      builder.play("10| 11(0");
      capture.feed(builder);
    }
    PageBuilder marks(kFrameTrack, &ticket);
    marks.frame(100, 0, false, 1);
    for (uint64_t i = 0; i < frames; ++i)
      marks.frame(200 + 100 * i, i + 1, false, 1,
                  {{1, kTimeAll, 50 + i, 20 + i, 3 + i, i, 90 + i},
                   {9, kTimeAll, 1, 1, 1, 1, 1},
                   {2, kTimeRan, 7, 6, 5, 4, 3}});
    capture.feed(marks);
  }
  FedCapture capture;
};

}  // namespace

TEST_CASE("a frame tells how long each thread ran, and what was not told is unknown") {
  Fed fed(3);
  const flamelet_capture* capture = fed.capture.get();
  REQUIRE(flamelet_capture_frame_count(capture) == 3);
  CHECK(recorder_test::frame_of(capture, 1).thread == 1);  // which marked its end
  const size_t one = fed.capture.lane(1), two = fed.capture.lane(2);
  const flamelet_thread_time time = time_of(capture, 2, one);
  CHECK(time.known == (FLAMELET_TIME_RAN | FLAMELET_TIME_READY | FLAMELET_TIME_SWITCHES | FLAMELET_TIME_MAJOR_FAULTS |
                       FLAMELET_TIME_MINOR_FAULTS));
  CHECK(time.ran_ns == 52);
  CHECK(time.ready_ns == 22);
  CHECK(time.switches == 5);
  CHECK(time.major_faults == 2);
  CHECK(time.minor_faults == 92);
  const flamelet_thread_time part = time_of(capture, 0, two);
  CHECK(part.known == FLAMELET_TIME_RAN);
  CHECK(part.ran_ns == 7);
  CHECK(part.ready_ns + part.switches + part.major_faults + part.minor_faults == 0);
  CHECK(time.lane == one);
  flamelet_thread_time all[3];
  REQUIRE(flamelet_capture_read_thread_times(capture, 2, all, 3) == 2);  // thread 9 has no lane
  CHECK(all[0].lane == one);
  CHECK(all[0].ran_ns == 52);
  CHECK(all[1].lane == two);
  CHECK(all[1].known == FLAMELET_TIME_RAN);
  CHECK(flamelet_capture_read_thread_times(capture, 2, nullptr, 0) == 2);
  CHECK(flamelet_capture_read_thread_times(capture, 3, all, 3) == 0);
  CHECK(flamelet_capture_read_thread_times(nullptr, 0, all, 3) == 0);
  CHECK(time_of(capture, 3, one).known == 0);
  CHECK(time_of(capture, 0, 2).known == 0);
  flamelet_thread_time none;
  CHECK_FALSE(flamelet_capture_thread_time(nullptr, 0, 0, &none));
  CHECK_FALSE(flamelet_capture_thread_time(capture, 0, 0, nullptr));
}

TEST_CASE("the times of the newest frames are kept, as many as the config says") {
  Fed fed(20, 7);  // three threads a frame
  const size_t one = fed.capture.lane(1), two = fed.capture.lane(2);
  CHECK(time_of(fed.capture.get(), 19, one).ran_ns == 69);
  CHECK(time_of(fed.capture.get(), 18, one).ran_ns == 68);
  CHECK(time_of(fed.capture.get(), 17, one).known == 0);
  CHECK(time_of(fed.capture.get(), 17, two).ran_ns == 7);
  CHECK(time_of(fed.capture.get(), 16, two).known == 0);
  CHECK(time_of(Fed(20, 0).capture.get(), 19, one).known == 0);
}

TEST_CASE("frames whose times were dropped for newer ones say so, also in files of all and of a window") {
  Fed fed(20, 7);
  const auto untimed = [](const flamelet_capture* capture) {
    std::string indices;
    flamelet_frame_info frame;
    for (size_t i = 0; flamelet_capture_frame(capture, i, &frame); ++i)
      if ((frame.flags & FLAMELET_FRAME_TIMES_DROPPED) != 0) indices += std::to_string(frame.index) + " ";
    return indices;
  };
  const std::string all = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 ";  // 17 has two of three
  CHECK(untimed(fed.capture.get()) == all);
  CHECK(fed.capture.stats().thread_times_dropped == 53);
  CHECK(fed.capture.stats().frames_dropped == 0);
  const Loaded whole(save(fed.capture.get()));
  CHECK(untimed(whole.capture) == all);
  CHECK(recorder_test::stats_of(whole.capture).thread_times_dropped == 53);
  const Loaded part(save(fed.capture.get(), 1750, 1950));
  CHECK(untimed(part.capture) == "16 17 ");
  CHECK(untimed(Loaded(save(part.capture)).capture) == "16 17 ");
  CHECK(untimed(Fed(20, 60).capture.get()) == "");
  CHECK(untimed(Fed(20, 0).capture.get()) == "");  // none were wanted
}

TEST_CASE("frames beyond max_frames are counted, also in the file") {
  FedCapture capture(64, 1e9, with(FedCapture::small_config(), &flamelet_capture_config::max_frames, 4));
  uint64_t ticket = 1;
  PageBuilder marks(kFrameTrack, &ticket);
  marks.new_page(100);
  for (uint64_t i = 0; i <= 10; ++i) marks.frame(100 + 100 * i, i);
  capture.feed(marks);
  CHECK(capture.stats().frames_dropped == 6);
  CHECK(recorder_test::stats_of(Loaded(save(capture.get())).capture).frames_dropped == 6);
}

TEST_CASE("memory_required counts the thread times") {
  flamelet_capture_config config = FedCapture::small_config();
  const size_t before = flamelet_capture_memory_required(&config);
  config.max_thread_times += 1000;
  CHECK(flamelet_capture_memory_required(&config) >= before + 1000 * sizeof(ThreadTimeEntry));
  CHECK(flamelet_capture_memory_required(&config) <= before + 1000 * sizeof(ThreadTimeEntry) + 64);
  config.max_thread_times = UINT32_MAX;
  CHECK(flamelet_capture_memory_required(&config) == 0);
}

TEST_CASE("a mark that is left out leaves the times of its threads out") {
  uint64_t ticket = 1;
  FedCapture capture;
  PageBuilder thread(1, &ticket);
  thread.play("10| 11(0");
  capture.feed(thread);
  PageBuilder marks(kFrameTrack, &ticket);
  marks.frame(100, 0);
  marks.frame(200, 1, false, 1, {{1, kTimeAll, 50, 0, 0, 0, 0}});
  marks.frame(250, 1, false, 1, {{1, kTimeAll, 51, 0, 0, 0, 0}});  // the index does not rise
  marks.frame(300, 5, false, 1, {{1, kTimeAll, 52, 0, 0, 0, 0}});  // marks are missing before it
  marks.frame(400, 6, false, 1, {{1, kTimeAll, 53, 0, 0, 0, 0}});
  capture.feed(marks);
  REQUIRE(flamelet_capture_frame_count(capture.get()) == 2);
  CHECK(time_of(capture.get(), 0, capture.lane(1)).ran_ns == 50);
  CHECK(time_of(capture.get(), 1, capture.lane(1)).ran_ns == 53);
}

TEST_CASE("a file keeps the times and the markers of the frames that it has") {
  Fed fed(6);
  const std::string bytes = save(fed.capture.get());
  const Loaded loaded(bytes);
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(loaded.report.entries_refused == 0);
  CHECK(loaded.report.chunks_unknown == 0);
  for (size_t i = 0; i < 6; ++i) {
    const flamelet_thread_time time = time_of(loaded.capture, i, 0);
    CHECK(time.ran_ns == 50 + static_cast<int64_t>(i));
    CHECK(time.known == uint32_t{kTimeAll});
    CHECK(time_of(loaded.capture, i, 1).known == FLAMELET_TIME_RAN);
    const flamelet_frame_info frame = recorder_test::frame_of(loaded.capture, i);
    CHECK(frame.thread == 1);
  }
  CHECK(save(loaded.capture) == bytes);
}

TEST_CASE("what stands in a frame of threads is kept, and the largest number that fits stands for larger ones") {
  const auto through_words = [](const ThreadTime& time) {
    uint64_t words[kThreadTimeWords];
    write_thread_time(time, words);
    return read_thread_time(words);
  };
  const ThreadTime time =
      through_words({0xFFFFFFFE, 5, (uint64_t{1} << 40) - 2, 12345, 77, (1u << 24) - 2, (1u << 24) - 3});
  CHECK(time.thread == 0xFFFFFFFE);
  CHECK(time.known == 5);
  CHECK(time.ran_ns == (uint64_t{1} << 40) - 2);
  CHECK(time.ready_ns == 12345);
  CHECK(time.switches == 77);
  CHECK(time.major_faults == (1u << 24) - 2);
  CHECK(time.minor_faults == (1u << 24) - 3);
  const ThreadTime most = through_words({1, kTimeAll, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX});
  CHECK(most.ran_ns == (uint64_t{1} << 40) - 1);
  CHECK(most.ready_ns == (uint64_t{1} << 40) - 1);
  CHECK(most.switches == (1u << 24) - 1);
  CHECK(most.major_faults == (1u << 24) - 1);
  CHECK(most.minor_faults == (1u << 24) - 1);
  CHECK(most.known == kTimeAll);
}

TEST_CASE("times of a file that no thread can have become the largest, so that sums of them stay in range") {
  FedCapture capture;
  ThreadTimeTable& table = capture.get()->thread_times;
  table.add(1, {1, kTimeAll, UINT64_MAX, uint64_t{1} << 63, 1, 1, UINT64_MAX});
  size_t count = 0;
  table.for_each(1, [&count](const ThreadTimeEntry& entry) {
    CHECK(entry.ran_ns == (uint64_t{1} << 53) - 1);
    CHECK(entry.ready_ns == (uint64_t{1} << 53) - 1);
    CHECK(entry.minor_faults == (1u << 24) - 1);
    ++count;
  });
  CHECK(count == 1);
}

TEST_CASE("a frame that claims more threads than its page has words is a bad word") {
  for (uint32_t threads : {1u, kMostThreadTimes, kMostThreadTimes + 1, 0xFFFFu}) {
    uint64_t ticket = 1;
    FedCapture capture;
    PageBuilder marks(kFrameTrack, &ticket);
    marks.frame(100, 0);
    marks.event(200, WordType::kFrame, threads, {1, 1});
    marks.close(300);
    capture.feed(marks);
    CHECK(flamelet_capture_frame_count(capture.get()) == 0);
  }
}

}  // namespace flamelet
