// SPDX-License-Identifier: MIT
//
// Ways to lose time, for Troubles.
#pragma once

#include <functional>
#include <future>
#include <thread>

namespace demo {

// Some milliseconds of work for the calling thread.
class Work {
 public:
  explicit Work(double ms);
  bool is_done() const;

 private:
  double end_ms_;
};

// Computes something.
void be_busy(double ms);
// Allocates and frees.
void allocate(double ms);
// Writes to pages that the system has to find first.
void touch_new_pages(double ms);
// Sleeps, as a thread does that reads from a slow disk.
void stall(double ms);
// Reads a file, with a call that blocks for so long and is recorded as one.
void read_slowly(double ms);
// Does a little work while other threads want the same core, so that it takes about this long. Linux only.
void share_core(double ms);

// A thread that prepares something, waits for go(), and does the rest.
class Errand {
 public:
  // `prepare` returns the rest.
  explicit Errand(std::function<std::function<void()>()> prepare);
  ~Errand();
  Errand(const Errand&) = delete;
  Errand& operator=(const Errand&) = delete;

  void wait_until_prepared();
  void go();  // at most once

 private:
  std::promise<void> go_, prepared_;
  std::future<void> has_gone_ = go_.get_future(), is_prepared_ = prepared_.get_future();
  bool gone_ = false;
  std::thread thread_;  // last: it uses everything above
};

}  // namespace demo
