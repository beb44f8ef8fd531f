// SPDX-License-Identifier: MIT
#include "lose_time.h"

#include <flamelet/file.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>
#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#endif

namespace demo {
namespace {

// How long the calling thread has run, so that work takes no less than it should where other programs run, too.
double worked_ms() {
#ifdef __linux__
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
#else
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
#endif
}

}  // namespace

Work::Work(double ms) : end_ms_(worked_ms() + ms) {}

bool Work::is_done() const {
  return worked_ms() >= end_ms_;
}

void be_busy(double ms) {
  const Work work(ms);
  while (!work.is_done()) {
  }
}

void allocate(double ms) {
  const Work work(ms);
  std::vector<std::unique_ptr<char[]>> held(512);
  for (size_t i = 0; !work.is_done(); ++i) {
    held[i % held.size()] = std::make_unique<char[]>(16 + i * 7919 % 4096);
  }
}

void stall(double ms) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
}

void read_slowly(double ms) {
  std::FILE* const file = std::tmpfile();
  char bytes[4096] = {};
  if (file != nullptr) {
    std::fwrite(bytes, 1, sizeof bytes, file);
    std::rewind(file);
  }
  const flamelet_file_call call = flamelet_file_begin();
  if (file != nullptr && std::fread(bytes, 1, sizeof bytes, file) != sizeof bytes) std::rewind(file);
  stall(ms);  // as the disk does
  flamelet_file_end(call, FLAMELET_FILE_READ, "town.pak", FLAMELET_FILE_LEAST_NS);
  if (file != nullptr) std::fclose(file);
}

#ifdef __linux__
// The allocator would soon give the same memory again.
void touch_new_pages(double ms) {
  const Work work(ms);
  constexpr size_t kBytes = size_t{8} << 20;
  while (!work.is_done()) {
    void* const block = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return be_busy(ms);
    madvise(block, kBytes, MADV_NOHUGEPAGE);
    volatile char* const pages = static_cast<volatile char*>(block);
    for (size_t i = 0; i < kBytes && !work.is_done(); i += 4096) pages[i] = 1;
    munmap(block, kBytes);
  }
}

void share_core(double ms) {
  cpu_set_t before, core;
  const int number = sched_getcpu();
  if (number < 0 || pthread_getaffinity_np(pthread_self(), sizeof before, &before) != 0) return be_busy(ms);
  CPU_ZERO(&core);
  CPU_SET(static_cast<size_t>(number), &core);
  pthread_setaffinity_np(pthread_self(), sizeof core, &core);  // which the threads inherit
  constexpr int kOthers = 9;
  std::atomic<bool> done{false};
  std::vector<std::thread> others;
  for (int i = 0; i < kOthers; ++i)
    others.emplace_back([&done] {
      while (!done) {
      }
    });
  // Each gets its turn.
  be_busy(ms / (kOthers + 1));
  done = true;
  pthread_setaffinity_np(pthread_self(), sizeof before, &before);
  for (std::thread& other : others) other.join();
}
#else
void touch_new_pages(double ms) {
  be_busy(ms);
}
void share_core(double ms) {
  be_busy(ms);
}
#endif

Errand::Errand(std::function<std::function<void()>()> prepare)
    : thread_([this, prepare = std::move(prepare)] {
        const std::function<void()> rest = prepare();
        prepared_.set_value();
        has_gone_.wait();
        rest();
      }) {}

Errand::~Errand() {
  go();
  thread_.join();
}

void Errand::wait_until_prepared() {
  is_prepared_.wait();
}

void Errand::go() {
  if (!std::exchange(gone_, true)) go_.set_value();
}

}  // namespace demo
