// SPDX-License-Identifier: MIT
//
// When a frame mark asks for the threads' times, and that its own time is the one at which they were.
#include <doctest/doctest.h>

#include "record/frame.h"

using namespace flamelet;

namespace {

// Two threads that run by turns on one processor. The one that marks the frame may lose it at any step.
struct Processor {
  static constexpr uint64_t kStep = 1, kStolen = 10'000, kMost = 100;
  int preempted_at;  // this step, from 0
  int preempted_again_at = -1;
  int steps = 0;
  uint64_t time = 1000, lost = 0;

  void step() {
    if (steps == preempted_at || steps == preempted_again_at) {
      time += kStolen;
      lost += kStolen;
    }
    ++steps;
    time += kStep;
  }
};

struct Mark {
  uint64_t time, lost_of_first, lost_of_second, lost_then;
  int steps;
};

Mark mark(Processor processor) {
  Mark mark = {};
  processor.step();
  mark.time = read_at_one_moment(
      Processor::kMost,
      [&processor, &mark] {
        processor.step();
        mark.lost_then = processor.lost;
        return processor.time;
      },
      [&processor, &mark] {
        processor.step();
        mark.lost_of_first = processor.lost;
        processor.step();
        mark.lost_of_second = processor.lost;
      });
  processor.step();
  mark.steps = processor.steps;
  return mark;
}

}  // namespace

TEST_CASE("frame mark: lost time and wall time stand in the same frame, wherever the mark is preempted") {
  const int steps = mark({-1}).steps;
  CHECK(steps == 6);
  for (int first = 0; first < 2 * steps; ++first) {
    for (int second = first; second < 2 * steps; ++second) {
      CAPTURE(first);
      CAPTURE(second);
      const Mark preempted = mark({first, second});
      CHECK(preempted.lost_of_first == preempted.lost_then);
      CHECK(preempted.lost_of_second == preempted.lost_then);
      CHECK(preempted.time - preempted.lost_then < 1100);  // the rest is steps
    }
  }
}

TEST_CASE("frame mark: where reading is always slow, it is read three times and no more") {
  uint64_t time = 0;
  int reads = 0;
  read_at_one_moment(
      10, [&time] { return time += 100; }, [&reads] { ++reads; });
  CHECK(reads == 3);
}

TEST_CASE("frame mark: the threads are asked once in a tenth of a millisecond a thread, and in two milliseconds") {
  AskPace pace;
  CHECK(pace.is_due(5, 1, 1e6));
  pace.asked(5);
  CHECK(!pace.is_due(5 + 199, 1, 1e6));
  CHECK(pace.is_due(5 + 200, 2, 1e6));
  CHECK(!pace.is_due(5 + 899, 9, 1e6));
  CHECK(pace.is_due(5 + 901, 9, 1e6));
  CHECK(!pace.is_due(5 + 1999, 250, 1e6));
  CHECK(pace.is_due(5 + 2000, 250, 1e6));
}

TEST_CASE("frame mark: an answer is told of a frame that it is of, and not of a short one with others before it") {
  AskPace pace;
  CHECK(!pace.asked(0));
  CHECK(pace.asked(16'000));
  pace.not_asked(16'100);
  CHECK(pace.asked(32'000));  // the mark of a library came in between
  for (uint64_t now = 32'010; now <= 32'200; now += 10) pace.not_asked(now);
  CHECK(!pace.asked(32'300));
  CHECK(pace.asked(33'000));
}
