// SPDX-License-Identifier: MIT
//
// A thread that is pushed off its processor for real: threads that spin on the same one take it away.
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <thread>
#include <vector>

#include "explain/explaining.h"
#include "flamelet/flamelet.h"
#include "platform/thread_account.h"
#include "support/capture.h"
#include "support/recording.h"

namespace explain_test::preempted_thread_test {
namespace {

constexpr uint64_t kMs = 1000000;

// What the system has told of the calling thread since it began.
flamelet::ThreadAccount own_account() {
  static thread_local const uint32_t thread = flamelet::this_thread_number();
  static thread_local flamelet::OpenAccount handle = flamelet::open_thread_account(thread);
  flamelet::ThreadAccount account;
  flamelet::read_thread_account(&handle, thread, &account);
  return account;
}

void stay_on_this_processor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(sched_getcpu()), &set);
  REQUIRE(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
}

class Spinners {
 public:
  explicit Spinners(int count) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this] {
        while (!ends_) {
        }
      });  // they inherit the processor
    }
  }
  ~Spinners() {
    ends_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> ends_{false};
  std::vector<std::thread> threads_;
};

// Works until it has run for so long, or until it lost so much beside it.
void work(uint64_t ran_ns, uint64_t lost_ns) {
  FLAMELET_SCOPE("Update");
  const flamelet::ThreadAccount begin = own_account();
  for (;;) {
    FLAMELET_SCOPE("Physics");
    for (int i = 0; i < 20; ++i) {
      const flamelet::ThreadAccount now = own_account();
      if (now.ran - begin.ran >= ran_ns && now.ready_ns - begin.ready_ns >= lost_ns) return;
    }
  }
}

void play() {
  stay_on_this_processor();
  flamelet_set_thread_name("Game");
  flamelet_frame();
  for (int i = 0; i < 60; ++i) {
    work(2 * kMs, 0);
    flamelet_frame();
  }
  {
    const Spinners others(6);
    work(2 * kMs, 200 * kMs);
    flamelet_frame();
  }
}

}  // namespace

TEST_CASE("preempted: processes that spin on the thread's processor are the cause, not the scope that they hit") {
  if ((own_account().known & flamelet::kKnowsReady) == 0) return;
  const recorder_test::Recording recording;
  recorder_test::Capture capture;
  std::thread(play).join();  // keeps its processor to itself
  capture.update();
  const Explaining explain;
  const flamelet_explanation why = explain.frame(capture, flamelet_capture_frame_count(capture) - 1);
  const std::string text = explain.text(capture, why);
  INFO(text);
  REQUIRE(why.cause_count >= 1);
  CHECK(why.causes[0].verdict == FLAMELET_VERDICT_PREEMPTED);
  CHECK(recorder_test::text_of(recorder_test::lane_of(capture, why.causes[0].lane).name) == "Game");
  CHECK(why.causes[0].time_ns >= 200 * int64_t{kMs});
  CHECK(text.find("Game lost its processor") != std::string::npos);
}

}  // namespace explain_test::preempted_thread_test
