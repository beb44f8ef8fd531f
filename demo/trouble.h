// SPDX-License-Identifier: MIT
//
// trouble.h: trouble on order, for those who want to see whether a profiler names its cause: `--inject CAUSE@FRAME[:MS]`.
// What that frame waits for is made slow; the game itself stays the same. docs/results.md has the causes, and what is
// answered.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace demo {

enum class TroubleKind {
  kSlowJob,
  kMoreCalls,
  kLock,
  kNewScope,
  kNoScope,
  kGpuPass,
  kPreempted,
  kAllocations,
  kCarriedOver,
  kPageFaults,
  kStall,
  kConvoy,
  kRead,
};

struct Trouble {
  TroubleKind kind;
  uint64_t frame;
  double ms;
};

// Adds what `text` orders: CAUSE@FRAME[:MS], or random@SEED:COUNT[:MS] for COUNT frames of all causes, some of them with
// two. Returns "" or what is wrong with the text.
std::string parse_troubles(const std::string& text, std::vector<Trouble>* troubles);
// "lock@150:60"
std::string text_of(const Trouble& trouble);
// All causes with a line about each, for a help text.
std::string trouble_help();

class Troubles {
 public:
  explicit Troubles(std::vector<Trouble> troubles = {}, double heavier = 0)
      : troubles_(std::move(troubles)), heavier_(heavier) {}

  // How long the trouble of this kind takes in a frame; 0 = there is none.
  double ms(TroubleKind kind, uint64_t frame) const;
  bool has(TroubleKind kind) const;
  // How much more one job does in every frame: 0.05 = a twentieth.
  double heavier() const { return heavier_; }

 private:
  std::vector<Trouble> troubles_;
  double heavier_;
};

// ---- ways to lose time

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
