// SPDX-License-Identifier: MIT
//
// preload.cpp: stands in front of the locks of glibc in a program that nobody changed, and records who waits for whom in the
// recorder that the program has. Built with files.cpp as the library that `flamelet record --locks` and `--files` preload.
//
// A lock is tried first. Only one that threads waited for has a place in the table; where the table is full, later locks are
// not recorded. Nothing here allocates, and what the recorder or the loader locks meanwhile is not recorded.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "flamelet/detail/hash.h"
#include "next_function.h"

using namespace flamelet_preload;

namespace flamelet_preload {
__thread bool is_inside __attribute__((tls_model("initial-exec"))) = false;
}

namespace {

const flamelet_preload_calls_* recorder = nullptr;  // atomic; NULL: no waits for locks are recorded

// NULL: nothing is to be recorded here.
const flamelet_preload_calls_* calls() {
  return is_inside ? nullptr : __atomic_load_n(&recorder, __ATOMIC_ACQUIRE);
}

#define NEXT_CONDITION(function) NEXT_VERSION(function, "GLIBC_2.3.2")  // before it, conditions were smaller

// ---- Places -------------------------------------------------------------------------------------------------------------

struct Place {
  const void* address;  // atomic; NULL: free
  flamelet_lock lock;
  char name[112];
};
constexpr uint32_t kPlaces = 4096;  // a power of two
constexpr uint32_t kProbes = 8;
Place places[kPlaces];

uint32_t index_of(const void* address, uint32_t probe) {
  const uint64_t hash = flamelet::spread_key(reinterpret_cast<uintptr_t>(address));
  return (static_cast<uint32_t>(hash >> 40) + probe) % kPlaces;
}
Place* place_at(const void* address, uint32_t probe) {
  return &places[index_of(address, probe)];
}

Place* find_place(const void* address) {
  for (uint32_t probe = 0; probe < kProbes; ++probe) {
    Place* place = place_at(address, probe);
    const void* there = __atomic_load_n(&place->address, __ATOMIC_ACQUIRE);
    if (there == address) return place;
    if (there == nullptr) return nullptr;
  }
  return nullptr;
}

// "queue_mutex" of a lock that has a name for the linker; else by who waits first: "main+0x2c1 in game", "game+0x12f4". One
// function may wait for several locks.
void write_name(char* text, size_t size, const void* lock, const void* caller) {
  Dl_info info;
  const auto caller_from = [caller](const void* base) {
    return static_cast<size_t>(reinterpret_cast<uintptr_t>(caller) - reinterpret_cast<uintptr_t>(base));
  };
  if (dladdr(lock, &info) != 0 && info.dli_sname != nullptr) {
    snprintf(text, size, "%s", info.dli_sname);
  } else if (dladdr(caller, &info) == 0) {
    snprintf(text, size, "lock at %p", lock);
  } else if (info.dli_sname != nullptr) {
    snprintf(text, size, "%s+0x%zx in %s", info.dli_sname, caller_from(info.dli_saddr), last_part(info.dli_fname));
  } else {
    snprintf(text, size, "%s+0x%zx", last_part(info.dli_fname), caller_from(info.dli_fbase));
  }
}

const char kBusy = 0;  // an address that no lock has

// Name == NULL: it is made of the lock and the caller. NULL: there is no room.
Place* find_or_add_place(const void* address, const void* caller, const char* name = nullptr) {
  for (uint32_t probe = 0; probe < kProbes;) {
    Place* place = place_at(address, probe);
    const void* there = __atomic_load_n(&place->address, __ATOMIC_ACQUIRE);
    if (there == address) return place;
    if (there != nullptr) {  // or kBusy: it may never end in the child of a fork(), so nobody waits for it
      ++probe;
      continue;
    }
    const void* expected = nullptr;
    if (!__atomic_compare_exchange_n(&place->address, &expected, static_cast<const void*>(&kBusy), false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      continue;
    if (name != nullptr)
      snprintf(place->name, sizeof place->name, "%s", name);
    else
      write_name(place->name, sizeof place->name, address, caller);
    place->lock.name = place->name;
    place->lock.fiber_ = FLAMELET_ANY_FIBER_;
    __atomic_store_n(&place->address, address, __ATOMIC_RELEASE);
    return place;
  }
  return nullptr;
}

// ---- Waits --------------------------------------------------------------------------------------------------------------

// Ends also if the thread is cancelled in it.
struct Waiting {
  Waiting(const flamelet_preload_calls_* calls, flamelet_lock* of, flamelet_wait_kind kind) : to(calls), lock(of) {
    const Inside inside;
    wait = to->wait_begin(lock, kind);
  }
  ~Waiting() {
    const int error = errno;
    {
      const Inside inside;
      to->wait_end(lock, wait, got);
    }
    errno = error;
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  const flamelet_preload_calls_* const to;
  flamelet_lock* const lock;
  flamelet_wait wait;
  bool got = false;
};

// `block()` as a wait; is_got(result) says whether it has what it waited for. errno is block()'s.
template <class Block, class IsGot>
int wait_at(const flamelet_preload_calls_* to, Place* place, flamelet_wait_kind kind, Block block, IsGot is_got) {
  if (place == nullptr) return block();
  Waiting waiting(to, &place->lock, kind);
  const int result = block();
  waiting.got = is_got(result);
  return result;
}

bool is_taken(int result) {
  return result == 0 || result == EOWNERDEAD;
}

// A flow to who waits there.
void notify_at(const void* address, uint32_t whom = UINT32_MAX) {
  const flamelet_preload_calls_* to = calls();
  if (to == nullptr) return;
  Place* place = find_place(address);
  if (place == nullptr || (__atomic_load_n(&place->lock.waiting_, __ATOMIC_RELAXED) & whom) == 0) return;
  const int error = errno;
  {
    const Inside inside;
    to->hand_over(&place->lock);
  }
  errno = error;
}

// A lock that was tried, and is not free.
template <class Block>
int wait_for_lock(const void* lock, int owner, flamelet_wait_kind kind, const void* caller, Block block) {
  const flamelet_preload_calls_* to = calls();
  if (to == nullptr) return block();
  Place* place = nullptr;
  {
    const Inside inside;
    place = find_or_add_place(lock, caller);
    if (place != nullptr)
      __atomic_store_n(&place->lock.holder_, to->track_of(static_cast<uint32_t>(owner)), __ATOMIC_RELAXED);
  }
  return wait_at(to, place, kind, block, is_taken);
}

// glibc's locks hold the number of the thread that has them; written by that thread.
int owner_of(const pthread_mutex_t* mutex) {
  return __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
}
int writer_of(const pthread_rwlock_t* lock) {
  return __atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED);
}

#define CALLER __builtin_return_address(0)

}  // namespace

EXPORTED void flamelet_preload_connect_(const flamelet_preload_calls_* table) {
  if (table->version != FLAMELET_PRELOAD_VERSION_) return;
  if (getenv("FLAMELET_PRELOAD_LOCKS") != nullptr) __atomic_store_n(&recorder, table, __ATOMIC_RELEASE);
  if (const char* microseconds = getenv("FLAMELET_PRELOAD_FILES")) connect_files(table, microseconds);
}

// ---- Mutexes ------------------------------------------------------------------------------------------------------------

EXPORTED int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  const auto block = [mutex] { return NEXT(pthread_mutex_lock)(mutex); };
  if (calls() == nullptr) return block();
  const int tried = NEXT(pthread_mutex_trylock)(mutex);
  return tried != EBUSY ? tried : wait_for_lock(mutex, owner_of(mutex), FLAMELET_WAIT_LOCK, CALLER, block);
}

EXPORTED int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
  const auto block = [=] { return NEXT(pthread_mutex_timedlock)(mutex, until); };
  if (calls() == nullptr) return block();
  const int tried = NEXT(pthread_mutex_trylock)(mutex);
  return tried != EBUSY ? tried : wait_for_lock(mutex, owner_of(mutex), FLAMELET_WAIT_LOCK, CALLER, block);
}

EXPORTED int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  notify_at(mutex);
  return NEXT(pthread_mutex_unlock)(mutex);
}

// ---- Locks that can be shared -------------------------------------------------------------------------------------------

EXPORTED int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  const auto block = [lock] { return NEXT(pthread_rwlock_rdlock)(lock); };
  if (calls() == nullptr) return block();
  const int tried = NEXT(pthread_rwlock_tryrdlock)(lock);
  return tried != EBUSY ? tried : wait_for_lock(lock, writer_of(lock), FLAMELET_WAIT_SHARED_LOCK, CALLER, block);
}

EXPORTED int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  const auto block = [lock] { return NEXT(pthread_rwlock_wrlock)(lock); };
  if (calls() == nullptr) return block();
  const int tried = NEXT(pthread_rwlock_trywrlock)(lock);
  return tried != EBUSY ? tried : wait_for_lock(lock, writer_of(lock), FLAMELET_WAIT_LOCK, CALLER, block);
}

EXPORTED int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  notify_at(lock,
            writer_of(lock) != 0 ? UINT32_MAX : 0xFFFF);  // who shares it is not waited for by who wants to share it
  return NEXT(pthread_rwlock_unlock)(lock);
}

// ---- Condition variables ------------------------------------------------------------------------------------------------

namespace {

template <class Block>
int wait_for_condition(const pthread_cond_t* condition, const pthread_mutex_t* mutex, const void* caller, Block block) {
  const flamelet_preload_calls_* to = calls();
  if (to == nullptr) return block();
  Place* place = nullptr;
  {
    const Inside inside;
    place = find_or_add_place(condition, caller);
  }
  notify_at(mutex);  // it is given back meanwhile
  return wait_at(to, place, FLAMELET_WAIT_CONDITION, block, is_taken);
}

}  // namespace

EXPORTED int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_for_condition(condition, mutex, CALLER,
                            [=] { return NEXT_CONDITION(pthread_cond_wait)(condition, mutex); });
}

EXPORTED int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  return wait_for_condition(condition, mutex, CALLER,
                            [=] { return NEXT_CONDITION(pthread_cond_timedwait)(condition, mutex, until); });
}

EXPORTED int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                    const timespec* until) {
  return wait_for_condition(condition, mutex, CALLER,
                            [=] { return NEXT(pthread_cond_clockwait)(condition, mutex, clock, until); });
}

EXPORTED int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  notify_at(condition);
  return NEXT_CONDITION(pthread_cond_signal)(condition);
}

EXPORTED int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  notify_at(condition);
  return NEXT_CONDITION(pthread_cond_broadcast)(condition);
}

// ---- Semaphores and barriers --------------------------------------------------------------------------------------------

EXPORTED int sem_wait(sem_t* semaphore) {
  const flamelet_preload_calls_* to = calls();
  const auto block = [semaphore] { return NEXT(sem_wait)(semaphore); };
  if (to == nullptr) return block();
  const int error = errno;
  if (NEXT(sem_trywait)(semaphore) == 0) return 0;
  errno = error;
  Place* place = nullptr;
  {
    const Inside inside;
    place = find_or_add_place(semaphore, CALLER);
  }
  return wait_at(to, place, FLAMELET_WAIT_SEMAPHORE, block, [](int result) { return result == 0; });
}

EXPORTED int sem_post(sem_t* semaphore) noexcept {
  notify_at(semaphore);
  return NEXT(sem_post)(semaphore);
}

// The last one that arrives lets the others go on.
EXPORTED int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  const flamelet_preload_calls_* to = calls();
  const auto block = [barrier] { return NEXT(pthread_barrier_wait)(barrier); };
  if (to == nullptr) return block();
  notify_at(barrier);
  Place* place = nullptr;
  {
    const Inside inside;
    place = find_or_add_place(barrier, CALLER);
  }
  return wait_at(to, place, FLAMELET_WAIT_BARRIER, block,
                 [](int result) { return result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD; });
}

// ---- Threads that end ---------------------------------------------------------------------------------------------------

namespace {

struct Start {
  void* (*run)(void*);
  void* argument;
};

// The system's numbers of threads. Where there is no room for one, it has none.
struct ThreadNumber {
  const void* address;  // atomic: its pthread_t; NULL: free. Stays, for later threads get it, too
  uint32_t number;      // atomic
};
ThreadNumber thread_numbers[kPlaces];

ThreadNumber* number_at(pthread_t thread, bool adds) {
  const void* const address = reinterpret_cast<const void*>(thread);
  for (uint32_t probe = 0; probe < kProbes; ++probe) {
    ThreadNumber* const at = &thread_numbers[index_of(address, probe)];
    const void* there = __atomic_load_n(&at->address, __ATOMIC_RELAXED);
    if (there == nullptr && adds &&
        __atomic_compare_exchange_n(&at->address, &there, address, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return at;
    if (there == address) return at;
  }
  return nullptr;
}

constexpr const char* kNoName = "a thread";

void know_thread(uint32_t number) {
  ThreadNumber* const at = number_at(pthread_self(), true);
  if (at != nullptr) __atomic_store_n(&at->number, number, __ATOMIC_RELAXED);
}

uint32_t number_of(pthread_t thread) {
  const ThreadNumber* const at = number_at(thread, false);
  return at == nullptr ? 0 : __atomic_load_n(&at->number, __ATOMIC_RELAXED);
}

// The end of a thread at its place, named after it: as the program calls it, which the recorder knows, else as the system
// does, unless that is only the name of the process, which a thread has that was given none. False: it has no name yet.
bool name_end(const flamelet_preload_calls_* to, Place* place, pthread_t thread) {
  const Inside inside;
  constexpr size_t kNameBytes = 16;
  char name[kNameBytes], process[kNameBytes];
  snprintf(process, sizeof process, "%s", program_invocation_short_name);
  const bool is_known = pthread_getname_np(thread, name, sizeof name) == 0 && strcmp(name, process) != 0;
  void* const track = to->track_of(number_of(thread));
  snprintf(place->name, sizeof place->name, "end of %s",
           is_known ? name : kNoName);  // another one had the address, too
  __atomic_store_n(&place->lock.holder_, track, __ATOMIC_RELAXED);
  return is_known || track != nullptr;
}

// Waits for the end of a thread that has no name. ETIMEDOUT: it has one now, and the wait is to go on under that.
int join_nameless(const flamelet_preload_calls_* to, Place* place, pthread_t thread, void** answer) {
  constexpr long kMostMs = 1024;  // who has none by then gets none
  Waiting waiting(to, &place->lock, FLAMELET_WAIT_THREAD);
  int result = ETIMEDOUT;
  for (long ms = 1; ms <= kMostMs && result == ETIMEDOUT; ms *= 2) {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ms % 1000 * 1000000;
    until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    result = NEXT(pthread_timedjoin_np)(thread, answer, &until);
    if (result == ETIMEDOUT && name_end(to, place, thread)) return result;
  }
  if (result == ETIMEDOUT) result = NEXT(pthread_join)(thread, answer);
  waiting.got = is_taken(result);
  return result;
}

void end_thread(void*) {
  notify_at(reinterpret_cast<const void*>(pthread_self()));
  know_thread(0);
}

void* run_thread(void* memory) {
  const Start start = *static_cast<Start*>(memory);
  free(memory);
  void* result = nullptr;
  know_thread(static_cast<uint32_t>(syscall(SYS_gettid)));
  pthread_cleanup_push(end_thread, nullptr);  // also where it ends by pthread_exit()
  result = start.run(start.argument);
  pthread_cleanup_pop(1);
  return result;
}

}  // namespace

EXPORTED int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                            void* argument) noexcept {
  Start* start = static_cast<Start*>(malloc(sizeof(Start)));
  if (start == nullptr) return NEXT(pthread_create)(thread, attributes, run, argument);
  *start = {run, argument};
  const int result = NEXT(pthread_create)(thread, attributes, run_thread, start);
  if (result != 0) free(start);
  return result;
}

EXPORTED int pthread_join(pthread_t thread, void** answer) {
  const flamelet_preload_calls_* to = calls();
  const auto block = [=] { return NEXT(pthread_join)(thread, answer); };
  if (to == nullptr || pthread_equal(thread, pthread_self()) != 0) return block();
  const int tried = NEXT(pthread_tryjoin_np)(thread, answer);
  if (tried != EBUSY) return tried;
  Place* place = nullptr;
  {
    const Inside inside;
    place = find_or_add_place(reinterpret_cast<const void*>(thread), CALLER, kNoName);
  }
  if (place != nullptr && !name_end(to, place, thread)) {
    const int result = join_nameless(to, place, thread, answer);
    if (result != ETIMEDOUT) return result;
  }
  return wait_at(to, place, FLAMELET_WAIT_THREAD, block, is_taken);
}
