// SPDX-License-Identifier: MIT
//
// The job system: a oneTBB arena whose worker threads carry names, so that they can be told apart in the profiler.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace demo {

class Jobs {
 public:
  // `workers` threads beside the one that calls; more than the machine has cores is allowed.
  explicit Jobs(int workers);
  ~Jobs();

  // Starts `job` on a worker. One at a time: join() it before the next.
  void run(std::function<void()> job);
  // Returns when the job and all that it started are done; the caller works along meanwhile.
  void join();

  // Calls body(i) for every i in [0, count), spread over the workers and the caller.
  void for_each(size_t count, const std::function<void(size_t)>& body);

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

}  // namespace demo
