// SPDX-License-Identifier: MIT
//
// The child of a fork has one thread and a copy of everything: its recorder is off, and can be started.
//
// Nothing that it calls waits without end for a thread of its parent: after_fork_in_child() opens every lock, and what is
// interned takes none. The runtime of a sanitizer has locks of its own.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "stress.h"

using namespace recorder_test;

namespace {

// What a child does; 0 if all was as it should be, else the number of what was not.
int child(const flamelet_config& config, flamelet_id open) {
  if (flamelet_enabled()) return 1;
  if (flamelet_begin("off", "", nullptr) != 0) return 2;
  flamelet_end(open);
  { FLAMELET_SCOPE("off"); }
  flamelet_frame();
  if (flamelet_shutdown() != FLAMELET_ERROR_NOT_INITIALIZED) return 3;
  for (int round = 0; round < 2; ++round) {
    if (flamelet_init(&config) != FLAMELET_OK) return 4;
    EventLog log;
    {
      FLAMELET_SCOPE("child");
      FLAMELET_INSTANT("point");
    }
    flamelet_frame();
    if (own_events(&log) != "+child !point -") return 5;
    if (stats().events_recorded != 5) return 6;
    if (stats().tracks_live != 1) return 7;
    // The places of the parent's threads are free here.
    if (flamelet_track_create("a", FLAMELET_TRACK_GPU, 1e9) == 0) return 8;
    if (flamelet_shutdown() != FLAMELET_OK) return 9;
  }
  return 0;
}

// What each thread of a process waits for, as far as the system tells it.
void print_waits(pid_t pid) {
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", none)) {
    for (const char* name : {"wchan", "syscall", "stack", "status"}) {
      std::ifstream file(thread.path() / name);
      std::cerr << thread.path().string() << "/" << name << ":\n" << file.rdbuf() << "\n";
      std::cerr.clear();  // there was nothing to print
    }
  }
}

// SIGCHLD, blocked: for this thread, its children, and the threads that it starts from now on.
class ChildSignal {
 public:
  ChildSignal() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~ChildSignal() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  // False: none came in so many seconds.
  bool wait(int seconds) const {
    const timespec limit = {seconds, 0};
    return sigtimedwait(&set_, nullptr, &limit) > 0 || errno != EAGAIN;
  }

 private:
  sigset_t set_, before_;
};

int status_of(pid_t pid, const ChildSignal* signal = nullptr) {
  int status = 0;
  while (waitpid(pid, &status, signal == nullptr ? 0 : WNOHANG) <= 0) {
    if (signal == nullptr || signal->wait(60)) continue;
    print_waits(getpid());
    print_waits(pid);
    signal = nullptr;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("fork: a child starts clean while the parent's threads record, and the parent goes on" *
          doctest::test_suite("gate")) {
  const uint64_t forks = scaled(1000);
  const ChildSignal child_signal;
  flamelet_config config = with_tracks(8);
  Recording recording(config);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&stop] {
      while (!stop) {
        FLAMELET_SCOPE("parent");
        flamelet_intern("name");
        flamelet_frame();
      }
    });
  EventReader reader;
  const flamelet_id open = flamelet_begin("open in the parent", "", nullptr);
  for (uint64_t i = 0; i < forks; ++i) {
    const pid_t pid = fork();
    if (pid == 0) _exit(child(config, open));
    REQUIRE(pid > 0);
    reader.poll();
    REQUIRE(status_of(pid, &child_signal) == 0);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  flamelet_end(open);
  CHECK(reader.read_problem() == "");
  CHECK(stats().missing_ends + stats().extra_ends == 0);
  MESSAGE(forks << " forks");
}

TEST_CASE("fork: of a process whose recorder is stopped, with threads of an earlier session") {
  std::atomic<int> step{0};
  std::vector<std::thread> threads;
  flamelet_config config = small_config();
  {
    Recording recording(config);
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&step] {
        flamelet_begin("left open", "", nullptr);
        ++step;
        while (step < 100) std::this_thread::yield();
      });
    while (step != 4) std::this_thread::yield();
  }
  const pid_t pid = fork();
  if (pid == 0) {
    uint32_t taken = 0;
    for (uint32_t slot = 0; slot < FLAMELET_MAX_TRACKS; ++slot)
      taken += flamelet::tracks[slot].state.load_relaxed() == flamelet::kTrackFree ? 0u : 1u;
    _exit(taken <= 1 ? child(config, 0) : 50);
  }
  REQUIRE(pid > 0);
  CHECK(status_of(pid) == 0);
  step = 100;
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("fork: a child measures scopes, also of a parent in which a thread was measuring") {
  const flamelet_config config = small_config();
  Recording recording(config);
  const bool measures = flamelet_measure_scope_ns(FLAMELET_SCOPE_KIND_MACRO) > 0;
  std::atomic<bool> stop{false};
  std::thread thread([&stop] {
    while (!stop) flamelet_measure_scope_ns(FLAMELET_SCOPE_KIND_BY_CALL_WITH_TEXT);
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t pid = fork();
    if (pid == 0) {
      if (flamelet_init(&config) != FLAMELET_OK) _exit(1);
      _exit((flamelet_measure_scope_ns(FLAMELET_SCOPE_KIND_MACRO) > 0) == measures ? 0 : 2);
    }
    REQUIRE(pid > 0);
    CHECK(status_of(pid) == 0);
  }
  stop = true;
  thread.join();
}

TEST_CASE_FIXTURE(Recording, "fork: a child may exit at once, and its destructors record nothing") {
  FLAMELET_SCOPE("parent");
  for (int i = 0; i < 20; ++i) {
    const pid_t pid = fork();
    if (pid == 0) _exit(7);
    REQUIRE(pid > 0);
    CHECK(status_of(pid) == 7);
  }
}
