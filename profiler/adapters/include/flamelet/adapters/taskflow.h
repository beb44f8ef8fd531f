// SPDX-License-Identifier: MIT
//
// flamelet/adapters/taskflow.h: Taskflow's tasks, as scopes of the category "taskflow" on the workers' threads. C++.
//
//   tf::Executor executor;
//   auto tasks = executor.make_observer<flamelet::TaskflowTasks>("physics");
//   ...
//   executor.remove_observer(tasks);  // or let the executor end
//
// A task is shown by its name (tf::Task::name), or as "task". The workers are named "physics 0", "physics 1", ...
// Threads:   make and remove it while nothing runs in the executor. The tasks may run on any of its workers.
// Cost:      of a task: one look-up of its name, and a scope by call.
#ifndef FLAMELET_ADAPTERS_TASKFLOW_H
#define FLAMELET_ADAPTERS_TASKFLOW_H

#include <cstdio>
#include <string>
#include <taskflow/taskflow.hpp>
#include <utility>

#include "flamelet/scope.h"

namespace flamelet {

class TaskflowTasks : public tf::ObserverInterface {
 public:
  FLAMELET_NOT_INSTRUMENTED_ explicit TaskflowTasks(std::string workers = "taskflow") : workers_(std::move(workers)) {}

  FLAMELET_NOT_INSTRUMENTED_ void set_up(size_t) override {}
  FLAMELET_NOT_INSTRUMENTED_ void on_entry(tf::WorkerView worker, tf::TaskView task) override {
    thread_local const TaskflowTasks* named_by = nullptr;
    if (named_by != this) {
      named_by = this;
      char name[64];
      std::snprintf(name, sizeof name, "%s %zu", workers_.c_str(), worker.id());
      flamelet_set_thread_name(name);
    }
    flamelet_begin(task.name().empty() ? "task" : flamelet_intern(task.name().c_str()), "taskflow", nullptr);
  }
  // Tasks of one worker nest: a task that waits may run others.
  FLAMELET_NOT_INSTRUMENTED_ void on_exit(tf::WorkerView, tf::TaskView) override { flamelet_end_top(); }

 private:
  const std::string workers_;
};

}  // namespace flamelet

#endif  // FLAMELET_ADAPTERS_TASKFLOW_H
