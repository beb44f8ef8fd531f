// SPDX-License-Identifier: MIT
//
// What the tests of `flamelet record --locks` run: a program with locks of the standard library, that knows who waits for whom.
// Nothing of it records a wait.
#include <semaphore.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

#include "flamelet/flamelet.h"

namespace {

std::mutex queue_mutex;
std::shared_mutex world_mutex;
std::condition_variable filled;
sem_t slots;
pthread_barrier_t barrier;

template <class Work>
std::thread thread_named(const char* name, Work work) {
  return std::thread([name, work] {
    pthread_setname_np(pthread_self(), name);
    FLAMELET_SCOPE("thread");
    work();
  });
}

// Until the main thread sleeps in the system.
void until_main_sleeps() {
  const std::string path = "/proc/self/task/" + std::to_string(getpid()) + "/stat";
  for (;;) {
    char text[512] = {};
    std::FILE* file = std::fopen(path.c_str(), "r");
    if (file == nullptr) return;
    const size_t size = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    const char* name_end = size != 0 ? std::strrchr(text, ')') : nullptr;
    if (name_end != nullptr && name_end[1] == ' ' && name_end[2] == 'S') return;
    std::this_thread::yield();
  }
}

void hold_a_lock() {
  std::thread worker;
  {
    FLAMELET_SCOPE("Compact log");
    const std::lock_guard<std::mutex> guard(queue_mutex);
    worker = thread_named("Locker", [] { const std::lock_guard<std::mutex> inner(queue_mutex); });
    while (__atomic_load_n(&queue_mutex.native_handle()->__data.__lock, __ATOMIC_RELAXED) != 2) sched_yield();
  }
  worker.join();
}

void share_a_lock() {
  FLAMELET_SCOPE("Write world");
  std::atomic<bool> starts{false};
  world_mutex.lock();
  std::thread worker = thread_named("Reader", [&starts] {
    starts = true;
    const std::shared_lock<std::shared_mutex> inner(world_mutex);
  });
  while (!starts || __atomic_load_n(&static_cast<pthread_rwlock_t*>(world_mutex.native_handle())->__data.__readers,
                                    __ATOMIC_RELAXED) < 8)
    sched_yield();
  world_mutex.unlock();
  worker.join();
}

void notify() {
  bool waits = false, is_filled = false;
  std::thread worker = thread_named("Sleeper", [&] {
    std::unique_lock<std::mutex> lock(queue_mutex);
    waits = true;
    while (!is_filled) filled.wait(lock);
  });
  for (bool done = false; !done; sched_yield()) {  // each time that it is given back is a flow to who waits for it
    const std::lock_guard<std::mutex> guard(queue_mutex);
    done = is_filled = waits;
  }
  filled.notify_one();
  worker.join();
}

// By C11's names.
void wait_in_c() {
  static mtx_t mutex;
  static cnd_t condition;
  static bool is_done = false;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  mtx_lock(&mutex);
  std::thread worker = thread_named("C", [] {
    mtx_lock(&mutex);
    until_main_sleeps();
    is_done = true;
    cnd_signal(&condition);
    mtx_unlock(&mutex);
  });
  while (__atomic_load_n(&reinterpret_cast<pthread_mutex_t*>(&mutex)->__data.__lock, __ATOMIC_RELAXED) != 2)
    sched_yield();
  while (!is_done) cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  worker.join();
}

// It gets its name when it is joined already.
void join_early() {
  std::thread worker([] {
    until_main_sleeps();
    pthread_setname_np(pthread_self(), "Late");
    FLAMELET_SCOPE("thread");
    usleep(50000);
  });
  worker.join();
}

void wait_for_others() {
  sem_init(&slots, 0, 0);
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread worker([] {
    flamelet_set_thread_name("Poster");  // which the system does not know
    FLAMELET_SCOPE("thread");
    until_main_sleeps();
    sem_post(&slots);
    until_main_sleeps();
    pthread_barrier_wait(&barrier);
    until_main_sleeps();
  });
  sem_wait(&slots);
  pthread_barrier_wait(&barrier);
  worker.join();
}

}  // namespace

int main(int argument_count, char** arguments) {
  const bool records = argument_count < 2 || std::strcmp(arguments[1], "silent") != 0;
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{4} << 20;
  config.ring_path_from_environment = true;
  if (records && flamelet_init(&config) != FLAMELET_OK) return 100;
  flamelet_set_thread_name("Main");
  flamelet_frame();
  hold_a_lock();
  share_a_lock();
  notify();
  wait_in_c();
  join_early();
  wait_for_others();
  flamelet_frame();
  return 7;
}
