// SPDX-License-Identifier: MIT
//
// The JobFiber of job_fiber.h, on a fiber of Windows.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include "flamelet/recorder.h"

namespace recorder_test {

class JobFiber {
 public:
  explicit JobFiber(void (*work)(JobFiber*)) : work_(work), id_(flamelet_fiber_create("job")) {
    fiber_ = CreateFiber(
        0,
        [](void* self) {
          auto* job = static_cast<JobFiber*>(self);
          job->work_(job);
          job->done_ = true;
          SwitchToFiber(job->caller_);
        },
        this);
  }
  ~JobFiber() {
    DeleteFiber(fiber_);
    flamelet_fiber_destroy(id_);
  }
  JobFiber(const JobFiber&) = delete;
  JobFiber& operator=(const JobFiber&) = delete;

  // Runs on the calling thread, not inside of another fiber, until it yields or is done. To be called until it is done.
  void run() {
    static thread_local void* thread_as_fiber = ConvertThreadToFiber(nullptr);
    caller_ = thread_as_fiber;
    flamelet_fiber_switch(0, id_);
    SwitchToFiber(fiber_);
    flamelet_fiber_switch(id_, 0);
  }
  // By the work itself.
  void yield() { SwitchToFiber(caller_); }
  bool done() const { return done_; }

 private:
  void (*work_)(JobFiber*);
  uint32_t id_;
  bool done_ = false;
  void* fiber_;
  void* caller_ = nullptr;
};

}  // namespace recorder_test
