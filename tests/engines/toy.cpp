// SPDX-License-Identifier: MIT
//
// toy.cpp: a small engine with three kinds of hitches, as an example. A main thread, two workers that take jobs from a queue, and
// a thread that saves the game now and then.
#include <deque>
#include <functional>

#include "engines/machine.h"

namespace engines {
namespace {

enum ToyKind : size_t { kSlowPath, kSaveHoldsWorld, kTextureRead };

class Toy {
 public:
  explicit Toy(Machine& machine) : m(machine) {}

  void run() {
    queue_ = m.gpu_queue("GPU");
    for (const char* name : {"Worker 1", "Worker 2"}) m.start_thread(name, [this] { work_forever(); });
    m.start_thread("Saver", [this] { save_forever(); });
    for (;;) {
      m.scope("Update", [&] {
        move_people();
        plan_paths();
      });
      m.scope("Render", [&] { render(); });
      m.frame();
    }
  }

 private:
  void move_people() {
    m.scope("Move people", [&] {
      if (m.take_hitch(kSaveHoldsWorld)) {
        saves_long_ = m.hitch_ms();
        m.set(save_);
        m.work(0.3);
      }
      m.wait_scope("Lock world", [&] { m.lock(world_); });
      m.work(m.about(2));
      m.unlock(world_);
    });
  }

  void plan_paths() {
    m.scope("Plan paths", [&] {
      constexpr int kJobs = 6;
      const bool has_slow_one = m.take_hitch(kSlowPath);
      for (int i = 0; i < kJobs; ++i) {
        const double ms = m.about(0.8) + (has_slow_one && i == 2 ? m.hitch_ms() : 0);
        const uint64_t flow = m.flow_begin();
        jobs_.push_back([this, ms, flow] {
          m.flow_end(flow);
          m.scope("Find path", [&] { m.work(ms); });
          done_ = m.flow_begin();  // the last one's is the one that counts
          m.release(finished_);
        });
        m.release(has_job_);
      }
      m.wait_scope("Wait for paths", [&] {
        for (int i = 0; i < kJobs; ++i) m.acquire(finished_);
      });
      m.flow_end(done_);
    });
  }

  void render() {
    if (m.take_hitch(kTextureRead)) m.scope("Load texture", "wall.dds", [&] { m.read_file(m.hitch_ms()); });
    m.work(m.about(1.5));
    const Fence before = shown_;
    shown_ = m.gpu_submit(queue_, "GPU frame", {{"Shadows", m.about(1.5)}, {"Scene", m.about(3)}});
    m.wait_scope("Present", [&] { m.wait(before); });
  }

  void work_forever() {
    for (;;) {
      m.acquire(has_job_);
      const std::function<void()> job = jobs_.front();
      jobs_.pop_front();
      job();
    }
  }

  void save_forever() {
    for (;;) {
      m.wait(save_);
      m.reset(save_);
      m.locked(world_, [&] { m.scope("Save game", [&] { m.work(saves_long_); }); });
    }
  }

  Machine& m;
  Mutex world_;
  Event save_;
  Semaphore has_job_, finished_;
  std::deque<std::function<void()>> jobs_;
  Queue queue_;
  Fence shown_;
  uint64_t done_ = 0;
  double saves_long_ = 0;
};

const Engine kToy = {
    "toy",
    {
        kind("slow path", "One of the six paths took a worker much longer than the others.", kWorkTookLonger,
             "Find path", ""),
        kind("save holds world", "The saver held the world's lock for the whole save.", kWaitedForLock | kNewWork,
             "Save game", "Saver"),
        kind("texture read", "The main thread read a texture from the disk while it drew.", kFileOrSleep | kNewWork,
             "Load texture", "Main"),
    },
    [](Machine& machine) { Toy(machine).run(); },
};
const AddEngine kAdded(&kToy);

}  // namespace
}  // namespace engines
