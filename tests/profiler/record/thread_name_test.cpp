// SPDX-License-Identifier: MIT
//
// Names that threads have from the system.
#include <doctest/doctest.h>
#include <pthread.h>

#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "flamelet/scope.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

void name_by_system(const char* name) {
  REQUIRE(pthread_setname_np(pthread_self(), name) == 0);
}

void record_scopes(int count) {
  for (int i = 0; i < count; ++i) {
    FLAMELET_SCOPE("Work");
  }
}

// What the lane of a thread that runs `work` is called.
template <class Work>
std::string lane_after(Work work) {
  Capture capture;
  std::thread(work).join();
  capture.update();
  REQUIRE(flamelet_capture_lane_count(capture) == 1);
  const flamelet_lane_info lane = lane_of(capture, 0);
  return lane.name.text;
}

}  // namespace

TEST_CASE_FIXTURE(Recording, "thread names: a thread without a name of the program's has the system's") {
  CHECK(lane_after([] {
          name_by_system("Worker 1");
          record_scopes(1);
        }) == "Worker 1");
}

TEST_CASE_FIXTURE(Recording, "thread names: a thread that has its name from the process has none") {
  CHECK(lane_after([] { record_scopes(1); }) == "thread 1");
}

TEST_CASE("thread names: the program's own name wins, before and after") {
  for (const bool before : {false, true}) {
    const Recording recording;
    CHECK(lane_after([before] {
            name_by_system("Worker 1");
            if (before) flamelet_set_thread_name("Render");
            record_scopes(2000);
            if (!before) flamelet_set_thread_name("Render");
            record_scopes(2000);
          }) == "Render");
  }
}

TEST_CASE_FIXTURE(Recording, "thread names: the system's may come after the first event, or change") {
  CHECK(lane_after([] {
          record_scopes(1);
          name_by_system("Worker 2");
          record_scopes(1000);
          name_by_system("Worker 3");
          record_scopes(4000);
        }) == "Worker 3");
}

TEST_CASE_FIXTURE(Recording,
                  "thread names: a thread that ends or lives with few events has the name that it got after them") {
  CHECK(lane_after([] {
          record_scopes(1);
          name_by_system("Worker 5");
        }) == "Worker 5");
  std::promise<void> is_named, may_end;
  std::thread thread([&] {
    record_scopes(1);
    name_by_system("Worker 6");
    is_named.set_value();
    may_end.get_future().wait();
  });
  is_named.get_future().wait();
  // Another capture asked less than a second ago.
  Capture capture;
  bool has_name = false;
  for (int i = 0; i < 300 && !has_name; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    record_scopes(1);
    capture.update();
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane)
      has_name = has_name || capture.lane_name(lane) == "Worker 6";
  }
  CHECK(has_name);
  may_end.set_value();
  thread.join();
}

TEST_CASE("thread names: a thread has the system's again after a restart of the recorder") {
  CHECK(lane_after([] {
          name_by_system("Worker 4");
          for (int session = 0; session < 2; ++session) {
            REQUIRE(flamelet_init(nullptr) == FLAMELET_OK);
            record_scopes(1);
            if (session == 0) REQUIRE(flamelet_shutdown() == FLAMELET_OK);
          }
        }) == "Worker 4");
  CHECK(flamelet_shutdown() == FLAMELET_OK);
}
