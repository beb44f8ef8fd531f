// SPDX-License-Identifier: MIT
//
// preload.cpp: stands in front of the locks of glibc in a program that nobody changed, and records who waits for whom in the
// recorder that the program has; and in front of its calls to files, of which it records those that block for long. It is
// the library that `flamelet record --locks` and `--files` preload.
//
// A lock is tried first. Only one that threads waited for has a place in the table; where the table is full, later locks are
// not recorded. Nothing here allocates, and what the recorder or the loader locks meanwhile is not recorded.
#include <features.h>
// Of what is defined here, glibc has inline definitions for optimized programs, which clang++ takes for the same function.
#undef __USE_EXTERN_INLINES

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "flamelet/detail/hash.h"
#include "flamelet/detail/preload.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

// Those of programs that are built with _FORTIFY_SOURCE.
extern "C" {
ssize_t __read_chk(int file, void* bytes, size_t size, size_t room);
ssize_t __pread_chk(int file, void* bytes, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int file, void* bytes, size_t size, off64_t at, size_t room);
size_t __fread_chk(void* bytes, size_t room, size_t size, size_t count, FILE* file);
size_t __fread_unlocked_chk(void* bytes, size_t room, size_t size, size_t count, FILE* file);
char* __fgets_chk(char* text, size_t room, int size, FILE* file);
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int folder, const char* path, int flags);
int __openat64_2(int folder, const char* path, int flags);
}

namespace {

// ---- What stands in front of functions of glibc, and how it finds the real ones -------------------------------------------

// The thread is in the recorder or the loader: what it calls meanwhile is theirs.
__thread bool is_inside __attribute__((tls_model("initial-exec"))) = false;

class Inside {
 public:
  Inside() { is_inside = true; }
  ~Inside() { is_inside = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

// "town.pak" of "/game/data/town.pak".
const char* last_part(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr && slash[1] != 0 ? slash + 1 : path;
}

// The next one of this name, of this version if it has several.
template <class Function>
Function next_function(Function* known, const char* name, const char* version) {
  Function function = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (function != nullptr) return function;
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  if (found == nullptr) found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) abort();
  function = reinterpret_cast<Function>(found);
  __atomic_store_n(known, function, __ATOMIC_RELAXED);
  return function;
}
#define NEXT_VERSION(function, version)               \
  ([]() {                                             \
    static decltype(&function) known = nullptr;       \
    return next_function(&known, #function, version); \
  }())
#define NEXT(function) NEXT_VERSION(function, nullptr)

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
  bool is_named_now;  // atomic: of a thread's end
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

// Such a place, where what is called meanwhile is the recorder's.
Place* place_of(const void* address, const void* caller, const char* name = nullptr) {
  const Inside inside;
  return find_or_add_place(address, caller, name);
}

// ---- Waits --------------------------------------------------------------------------------------------------------------

// Ends also if the thread is cancelled in it.
struct Waiting {
  Waiting(const flamelet_preload_calls_* calls, flamelet_lock* of, flamelet_wait_kind kind) : to(calls), lock(of) {
    const Inside inside;
    wait = to->wait_begin(lock, kind);
  }
  // For the end of a thread, from then on.
  Waiting(const flamelet_preload_calls_* calls, flamelet_lock* of, flamelet_file_call since, uint64_t hand_over)
      : to(calls), lock(of) {
    const Inside inside;
    wait = to->join_begin(lock, since);
    wait.hand_over_ = hand_over;
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

// ---- Calls to files that block for long (flamelet/file.h) --------------------------------------------------------------
//
// Which file a descriptor is, is asked of the system where a call was long: so no table of descriptors is kept, and what was
// opened before, copied or inherited has its name, too. Pipes, sockets and terminals are no files here: threads wait there
// for what is not there yet.

const flamelet_preload_calls_* file_recorder = nullptr;  // atomic
int64_t least_ns = FLAMELET_FILE_LEAST_NS;               // written before the recorder is

bool is_of_system(const char* path) {
  return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0;
}

// The path of a descriptor. False: it is no file on a disk.
bool find_path(int file, char (&path)[4096]) {
  struct stat status;
  if (fstat(file, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISBLK(status.st_mode))) return false;
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size <= 0) return false;
  path[size] = 0;
  return !is_of_system(path);
}

int64_t now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

// `block()` as a call to a file, which is a path that is opened, or the descriptor. errno is block()'s.
template <class Block>
auto call_file(flamelet_file_kind kind, const char* path, int file, Block block) {
  const flamelet_preload_calls_* to = is_inside ? nullptr : __atomic_load_n(&file_recorder, __ATOMIC_ACQUIRE);
  if (to == nullptr) return block();
  const int64_t began_ns = now_ns();
  flamelet_file_call call;
  {
    const Inside inside;
    call = to->file_begin();
  }
  const auto result = block();
  if (now_ns() - began_ns < least_ns) return result;
  const int error = errno;
  {
    const Inside inside;
    char text[4096];
    if (error == EFAULT && !(result > decltype(result)())) path = nullptr;  // which it may not read
    if (path == nullptr && find_path(file, text)) path = text;
    if (path != nullptr && !is_of_system(path)) to->file_end(call, kind, last_part(path), 0);
  }
  errno = error;
  return result;
}

template <class Block>
auto call_file(flamelet_file_kind kind, int file, Block block) {
  return call_file(kind, nullptr, file, block);
}

template <class Block>
auto call_file(flamelet_file_kind kind, const char* path, Block block) {
  return call_file(kind, path, -1, block);
}

// What a stream has in memory is not read or written: then the call is short.
template <class Block>
auto call_file(flamelet_file_kind kind, FILE* file, Block block) {
  return call_file(kind, nullptr, file != nullptr ? fileno_unlocked(file) : -1, block);
}

// They are recorded from now on, those that take so many microseconds or longer.
void connect_files(const flamelet_preload_calls_* to, const char* microseconds) {
  const long long least = atoll(microseconds);
  if (least > 0 && least < INT64_MAX / 1000) least_ns = least * 1000;
  __atomic_store_n(&file_recorder, to, __ATOMIC_RELEASE);
}

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
  Place* const place = place_of(condition, caller);
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
  Place* const place = place_of(semaphore, CALLER);
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
  Place* const place = place_of(barrier, CALLER);
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
  uint32_t number;      // atomic; 0: it has ended
  char name[64];        // of one that has ended; "" if it had none
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

// As the program calls the thread, which the recorder knows, else as the system does, unless that is only the name of the
// process, which a thread has that was given none. False: it has no name.
template <size_t kSize>
bool get_thread_name(const flamelet_preload_calls_* to, pthread_t thread, uint32_t number, char (&name)[kSize]) {
  constexpr size_t kNameBytes = 16;  // of the system
  char process[kNameBytes];
  snprintf(process, sizeof process, "%s", program_invocation_short_name);
  return to->name_of(to->track_of(number), name, kSize) ||
         (pthread_getname_np(thread, name, kNameBytes) == 0 && strcmp(name, process) != 0);
}

void begin_thread() {
  ThreadNumber* const at = number_at(pthread_self(), true);
  if (at != nullptr) __atomic_store_n(&at->number, static_cast<uint32_t>(syscall(SYS_gettid)), __ATOMIC_RELAXED);
}

// Who joins it later may find neither its track nor the system's name of it.
void forget_thread() {
  ThreadNumber* const at = number_at(pthread_self(), false);
  if (at == nullptr) return;
  const flamelet_preload_calls_* to = calls();
  const Inside inside;
  if (to == nullptr || !get_thread_name(to, pthread_self(), __atomic_load_n(&at->number, __ATOMIC_RELAXED), at->name))
    at->name[0] = 0;
  __atomic_store_n(&at->number, 0, __ATOMIC_RELEASE);
}

// The end of a thread at its place, named after it. False: it has no name yet, or another thread gives it one just now. Who
// waits does, and the thread itself where it ends.
bool name_end(const flamelet_preload_calls_* to, Place* place, pthread_t thread) {
  if (__atomic_exchange_n(&place->is_named_now, true, __ATOMIC_ACQUIRE)) return false;
  const Inside inside;
  const ThreadNumber* const at = number_at(thread, false);
  const uint32_t number = at == nullptr ? 0 : __atomic_load_n(&at->number, __ATOMIC_RELAXED);
  char name[sizeof(ThreadNumber::name)];
  const bool is_known = get_thread_name(to, thread, number, name);
  snprintf(place->name, sizeof place->name, "end of %s",
           is_known ? name : kNoName);  // another one had the address, too
  __atomic_store_n(&place->is_named_now, false, __ATOMIC_RELEASE);
  return is_known;
}

// So that a hand-over finds somebody who waits, though no wait is recorded yet. Ends also if the thread is cancelled in it.
struct Expecting {
  explicit Expecting(flamelet_lock* of) : lock(of) { __atomic_fetch_add(&lock->waiting_, 1u, __ATOMIC_SEQ_CST); }
  ~Expecting() { __atomic_fetch_sub(&lock->waiting_, 1u, __ATOMIC_RELAXED); }
  Expecting(const Expecting&) = delete;
  Expecting& operator=(const Expecting&) = delete;
  flamelet_lock* const lock;
};

// It was about to end when the wait for it began: nobody could ask for its name any more.
void name_ended(Place* place, pthread_t thread) {
  const ThreadNumber* const at = number_at(thread, false);
  if (at == nullptr || __atomic_load_n(&at->number, __ATOMIC_ACQUIRE) != 0 || at->name[0] == 0) return;
  snprintf(place->name, sizeof place->name, "end of %s", at->name);
}

// Waits for the end of a thread that has no name so far. The wait is recorded once it has one, with all the time until then;
// else where the thread ends, or has had the time to take one.
int join_nameless(const flamelet_preload_calls_* to, Place* place, pthread_t thread, void** answer) {
  constexpr long kMostMs = 128;  // who has none by then gets none
  flamelet_file_call since;
  {
    const Inside inside;
    since = to->file_begin();
  }
  const uint64_t hand_over = __atomic_load_n(&place->lock.hand_over_, __ATOMIC_RELAXED);
  const Expecting expecting(&place->lock);
  int result = ETIMEDOUT;
  for (long ms = 1; ms <= kMostMs && result == ETIMEDOUT; ms *= 2) {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ms * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    result = NEXT(pthread_timedjoin_np)(thread, answer, &until);
    if (result == ETIMEDOUT && name_end(to, place, thread)) break;
  }
  if (result == 0) name_ended(place, thread);
  Waiting waiting(to, &place->lock, since, hand_over);
  if (result == ETIMEDOUT) result = NEXT(pthread_join)(thread, answer);
  waiting.got = is_taken(result);
  return result;
}

// Of the thread that ends. Who waits for that without a name for it finds one.
void name_own_end() {
  const flamelet_preload_calls_* to = calls();
  Place* place = to == nullptr ? nullptr : find_place(reinterpret_cast<const void*>(pthread_self()));
  if (place != nullptr && __atomic_load_n(&place->lock.waiting_, __ATOMIC_RELAXED) != 0)
    name_end(to, place, pthread_self());
}

void end_thread(void*) {
  name_own_end();
  notify_at(reinterpret_cast<const void*>(pthread_self()));
  forget_thread();
}

void* run_thread(void* memory) {
  const Start start = *static_cast<Start*>(memory);
  free(memory);
  void* result = nullptr;
  begin_thread();
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
  Place* const place = place_of(reinterpret_cast<const void*>(thread), CALLER, kNoName);
  if (place != nullptr && !name_end(to, place, thread)) return join_nameless(to, place, thread, answer);
  return wait_at(to, place, FLAMELET_WAIT_THREAD, block, is_taken);
}

// ---- Threads of C11, which call glibc's own functions and not those above ------------------------------------------------

namespace {

pthread_mutex_t* mutex_of(mtx_t* mutex) {
  return reinterpret_cast<pthread_mutex_t*>(mutex);
}
pthread_cond_t* condition_of(cnd_t* condition) {
  return reinterpret_cast<pthread_cond_t*>(condition);
}

}  // namespace

EXPORTED int mtx_lock(mtx_t* mutex) {
  const auto block = [mutex] { return NEXT(mtx_lock)(mutex); };
  if (calls() == nullptr) return block();
  const int tried = NEXT(mtx_trylock)(mutex);
  return tried != thrd_busy ? tried
                            : wait_for_lock(mutex, owner_of(mutex_of(mutex)), FLAMELET_WAIT_LOCK, CALLER, block);
}

EXPORTED int mtx_unlock(mtx_t* mutex) {
  notify_at(mutex);
  return NEXT(mtx_unlock)(mutex);
}

EXPORTED int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return wait_for_condition(condition_of(condition), mutex_of(mutex), CALLER,
                            [=] { return NEXT(cnd_wait)(condition, mutex); });
}

EXPORTED int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  return wait_for_condition(condition_of(condition), mutex_of(mutex), CALLER,
                            [=] { return NEXT(cnd_timedwait)(condition, mutex, until); });
}

EXPORTED int cnd_signal(cnd_t* condition) {
  notify_at(condition);
  return NEXT(cnd_signal)(condition);
}

EXPORTED int cnd_broadcast(cnd_t* condition) {
  notify_at(condition);
  return NEXT(cnd_broadcast)(condition);
}

// ---- Descriptors --------------------------------------------------------------------------------------------------------

// A function that goes on to glibc's of the same name, as a call to `of`: a descriptor, a path or a stream.
#define FORWARD(kind, of, type, name, parameters, ...)                                   \
  EXPORTED type name parameters {                                                        \
    return call_file(FLAMELET_FILE_##kind, of, [=] { return NEXT(name)(__VA_ARGS__); }); \
  }

FORWARD(READ, file, ssize_t, read, (int file, void* bytes, size_t size), file, bytes, size)
FORWARD(READ, file, ssize_t, pread, (int file, void* bytes, size_t size, off_t at), file, bytes, size, at)
FORWARD(READ, file, ssize_t, pread64, (int file, void* bytes, size_t size, off64_t at), file, bytes, size, at)
FORWARD(READ, file, ssize_t, readv, (int file, const iovec* parts, int count), file, parts, count)
FORWARD(READ, file, ssize_t, preadv, (int file, const iovec* parts, int count, off_t at), file, parts, count, at)
FORWARD(READ, file, ssize_t, preadv64, (int file, const iovec* parts, int count, off64_t at), file, parts, count, at)
FORWARD(READ, file, ssize_t, preadv2, (int file, const iovec* parts, int count, off_t at, int flags), file, parts,
        count, at, flags)
FORWARD(READ, file, ssize_t, preadv64v2, (int file, const iovec* parts, int count, off64_t at, int flags), file, parts,
        count, at, flags)
FORWARD(READ, file, ssize_t, __read_chk, (int file, void* bytes, size_t size, size_t room), file, bytes, size, room)
FORWARD(READ, file, ssize_t, __pread_chk, (int file, void* bytes, size_t size, off_t at, size_t room), file, bytes,
        size, at, room)
FORWARD(READ, file, ssize_t, __pread64_chk, (int file, void* bytes, size_t size, off64_t at, size_t room), file, bytes,
        size, at, room)

FORWARD(WRITE, file, ssize_t, write, (int file, const void* bytes, size_t size), file, bytes, size)
FORWARD(WRITE, file, ssize_t, pwrite, (int file, const void* bytes, size_t size, off_t at), file, bytes, size, at)
FORWARD(WRITE, file, ssize_t, pwrite64, (int file, const void* bytes, size_t size, off64_t at), file, bytes, size, at)
FORWARD(WRITE, file, ssize_t, writev, (int file, const iovec* parts, int count), file, parts, count)
FORWARD(WRITE, file, ssize_t, pwritev, (int file, const iovec* parts, int count, off_t at), file, parts, count, at)
FORWARD(WRITE, file, ssize_t, pwritev64, (int file, const iovec* parts, int count, off64_t at), file, parts, count, at)
FORWARD(WRITE, file, ssize_t, pwritev2, (int file, const iovec* parts, int count, off_t at, int flags), file, parts,
        count, at, flags)
FORWARD(WRITE, file, ssize_t, pwritev64v2, (int file, const iovec* parts, int count, off64_t at, int flags), file,
        parts, count, at, flags)
FORWARD(WRITE, to, ssize_t, copy_file_range,
        (int from, off64_t* from_at, int to, off64_t* to_at, size_t size, unsigned flags), from, from_at, to, to_at,
        size, flags)

FORWARD(SYNC, file, int, syncfs, (int file) noexcept, file)
FORWARD(SYNC, file, int, fsync, (int file), file)
FORWARD(SYNC, file, int, fdatasync, (int file), file)

// ---- Opens --------------------------------------------------------------------------------------------------------------

// One whose mode stands behind the flags. Without O_CREAT, it is not there, and nobody looks at it.
#define FORWARD_OPEN(name, parameters, ...)                                                    \
  EXPORTED int name parameters {                                                               \
    va_list rest;                                                                              \
    va_start(rest, flags);                                                                     \
    const bool has_mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;          \
    const mode_t mode = has_mode ? va_arg(rest, mode_t) : 0;                                   \
    va_end(rest);                                                                              \
    return call_file(FLAMELET_FILE_OPEN, path, [=] { return NEXT(name)(__VA_ARGS__, mode); }); \
  }

FORWARD_OPEN(open, (const char* path, int flags, ...), path, flags)
FORWARD_OPEN(open64, (const char* path, int flags, ...), path, flags)
FORWARD_OPEN(openat, (int folder, const char* path, int flags, ...), folder, path, flags)
FORWARD_OPEN(openat64, (int folder, const char* path, int flags, ...), folder, path, flags)
FORWARD(OPEN, path, int, creat, (const char* path, mode_t mode), path, mode)
FORWARD(OPEN, path, int, creat64, (const char* path, mode_t mode), path, mode)
FORWARD(OPEN, path, int, __open_2, (const char* path, int flags), path, flags)
FORWARD(OPEN, path, int, __open64_2, (const char* path, int flags), path, flags)
FORWARD(OPEN, path, int, __openat_2, (int folder, const char* path, int flags), folder, path, flags)
FORWARD(OPEN, path, int, __openat64_2, (int folder, const char* path, int flags), folder, path, flags)

// ---- Streams ------------------------------------------------------------------------------------------------------------

FORWARD(OPEN, path, FILE*, fopen, (const char* path, const char* mode), path, mode)
FORWARD(OPEN, path, FILE*, fopen64, (const char* path, const char* mode), path, mode)
FORWARD(OPEN, path, FILE*, freopen, (const char* path, const char* mode, FILE* file), path, mode, file)
FORWARD(OPEN, path, FILE*, freopen64, (const char* path, const char* mode, FILE* file), path, mode, file)
FORWARD(READ, file, size_t, fread, (void* bytes, size_t size, size_t count, FILE* file), bytes, size, count, file)
FORWARD(READ, file, size_t, __fread_chk, (void* bytes, size_t room, size_t size, size_t count, FILE* file), bytes, room,
        size, count, file)
FORWARD(READ, file, char*, fgets, (char* text, int size, FILE* file), text, size, file)
FORWARD(READ, file, size_t, fread_unlocked, (void* bytes, size_t size, size_t count, FILE* file), bytes, size, count,
        file)
FORWARD(READ, file, size_t, __fread_unlocked_chk, (void* bytes, size_t room, size_t size, size_t count, FILE* file),
        bytes, room, size, count, file)
FORWARD(READ, file, char*, __fgets_chk, (char* text, size_t room, int size, FILE* file), text, room, size, file)
FORWARD(READ, file, ssize_t, getline, (char** text, size_t* room, FILE* file), text, room, file)
FORWARD(READ, file, ssize_t, getdelim, (char** text, size_t* room, int until, FILE* file), text, room, until, file)
// What getline() is inlined to.
FORWARD(READ, file, ssize_t, __getdelim, (char** text, size_t* room, int until, FILE* file), text, room, until, file)
FORWARD(WRITE, file, size_t, fwrite_unlocked, (const void* bytes, size_t size, size_t count, FILE* file), bytes, size,
        count, file)
FORWARD(WRITE, file, size_t, fwrite, (const void* bytes, size_t size, size_t count, FILE* file), bytes, size, count,
        file)
FORWARD(WRITE, file, int, fflush, (FILE * file), file)
