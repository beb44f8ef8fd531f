// SPDX-License-Identifier: MIT
//
// flamelet/lock.h: locks that record who waits for whom. A lock is tried first. Only where that fails something is recorded:
// a WAIT scope with the lock's name, whose object says who held it, and in which scope: "Loader in Compact log"; of a
// fiber that does not run, "fiber 7 in Save". A flow leads from the release to who gets the lock, and from a notify to
// who wakes.
//
//   C++  flamelet::Mutex, SharedMutex, ConditionVariable, Semaphore   as those of the standard library, with a name:
//          flamelet::Mutex queue_mutex{"job queue"};
//        FLAMELET_LOCKABLE(type, name);                               the same for another type with lock(), unlock(), and
//                                                                     perhaps try_lock() and the others of the standard
//   C    flamelet_lock and its calls: for locks of your own, and for other waits; they are in flamelet/detail/lock_calls.h
//
// Threads:   any thread, as the lock itself. A lock may be used before flamelet_init() and after flamelet_shutdown().
// Names:     are not copied; they live as long as the lock. Locks of one name are one row in tables. NULL: "lock".
// Memory:    32 bytes a lock beside its own.
// Cost:      without a wait: 10 instructions, about 1 ns, for a lock and its unlock together. A wait: about 90 ns of the thread
//            that waits, and 35 ns of the one that gives it the lock.
// Limits:    a lock without try_lock() always counts as waited for. Of those who share a lock, the newest is who holds it. Who
//            holds a recursive lock is not known between an inner unlock and the outer one. A ConditionVariable lives until
//            every wait for it has returned: those of the standard library may go once all were notified.
// Compiled out (FLAMELET_DISABLED): the same types without what they record, as large and as fast as the plain ones. All
//            files that share a lock must agree on it.
#ifndef FLAMELET_LOCK_H
#define FLAMELET_LOCK_H

#include "flamelet/detail/lock_calls.h"

#ifdef __cplusplus

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <type_traits>
#include <utility>

namespace flamelet {

#ifdef FLAMELET_DISABLED
inline namespace compiled_out {
#endif

namespace detail {

#ifdef FLAMELET_DISABLED
// Records nothing, and is empty.
class WaitRecord {
 public:
  static constexpr bool kRecords = false;
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit WaitRecord(const char*) noexcept {}
  FLAMELET_NOT_INSTRUMENTED_ void taken() noexcept {}
  FLAMELET_NOT_INSTRUMENTED_ void freed() noexcept {}
  FLAMELET_NOT_INSTRUMENTED_ void shared_freed() noexcept {}
  FLAMELET_NOT_INSTRUMENTED_ void notify() noexcept {}
  template <class Block>
  FLAMELET_NOT_INSTRUMENTED_ void wait(flamelet_wait_kind, Block block) {
    block();
  }
  template <class Block>
  FLAMELET_NOT_INSTRUMENTED_ bool try_wait(flamelet_wait_kind, Block block) {
    return block();
  }
};
#else
class WaitRecord {
 public:
  static constexpr bool kRecords = true;
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit WaitRecord(const char* name) noexcept : lock_{name, nullptr, 0, 0, 0} {}
  FLAMELET_NOT_INSTRUMENTED_ void taken() noexcept { flamelet_lock_taken(&lock_); }
  FLAMELET_NOT_INSTRUMENTED_ void freed() noexcept { flamelet_lock_freed(&lock_); }
  FLAMELET_NOT_INSTRUMENTED_ void shared_freed() noexcept { flamelet_lock_shared_freed(&lock_); }
  FLAMELET_NOT_INSTRUMENTED_ void notify() noexcept { flamelet_notify(&lock_); }
  template <class Block>
  __attribute__((noinline, no_instrument_function)) void wait(flamelet_wait_kind kind, Block block) {
    Waiting waiting(&lock_, kind);
    block();
    waiting.got = true;
  }
  template <class Block>
  __attribute__((noinline, no_instrument_function)) bool try_wait(flamelet_wait_kind kind, Block block) {
    Waiting waiting(&lock_, kind);
    return waiting.got = block();
  }

 protected:
  flamelet_lock lock_;

 private:
  // Ends also where the lock throws.
  struct Waiting {
    FLAMELET_NOT_INSTRUMENTED_ Waiting(flamelet_lock* of, flamelet_wait_kind kind) noexcept
        : lock(of), wait(flamelet_wait_begin(of, kind)) {}
    FLAMELET_NOT_INSTRUMENTED_ ~Waiting() noexcept { flamelet_wait_end(lock, wait, got); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    flamelet_lock* const lock;
    const flamelet_wait wait;
    bool got = false;
  };
};
#endif

template <class T, class = void>
inline constexpr bool kHasTryLock = false;
template <class T>
inline constexpr bool kHasTryLock<T, std::void_t<decltype(std::declval<T&>().try_lock())>> = true;
template <class T, class = void>
inline constexpr bool kHasTryLockShared = false;
template <class T>
inline constexpr bool kHasTryLockShared<T, std::void_t<decltype(std::declval<T&>().try_lock_shared())>> = true;

}  // namespace detail

// A lock of type T. What T has not, this has not either.
template <class T>
class Lockable : protected detail::WaitRecord {
 public:
  FLAMELET_NOT_INSTRUMENTED_ constexpr Lockable() noexcept(std::is_nothrow_default_constructible_v<T>)
      : Lockable(nullptr) {}
  FLAMELET_NOT_INSTRUMENTED_ constexpr explicit Lockable(const char* name) noexcept(
      std::is_nothrow_default_constructible_v<T>)
      : WaitRecord(name), native_() {}
  FLAMELET_NOT_INSTRUMENTED_ ~Lockable() = default;
  Lockable(const Lockable&) = delete;
  Lockable& operator=(const Lockable&) = delete;

  FLAMELET_NOT_INSTRUMENTED_ void lock() {
    if constexpr (kRecords && detail::kHasTryLock<T>)
      if (native_.try_lock()) return taken();
    wait(FLAMELET_WAIT_LOCK, [this]() FLAMELET_NOT_INSTRUMENTED_ { native_.lock(); });
    taken();
  }
  FLAMELET_NOT_INSTRUMENTED_ bool try_lock() { return and_taken(native_.try_lock()); }
  FLAMELET_NOT_INSTRUMENTED_ void unlock() {
    freed();
    native_.unlock();
  }
  template <class Rep, class Period>
  FLAMELET_NOT_INSTRUMENTED_ bool try_lock_for(const std::chrono::duration<Rep, Period>& time) {
    return try_lock() || and_taken(try_wait(FLAMELET_WAIT_LOCK, [this, &time]() FLAMELET_NOT_INSTRUMENTED_ {
             return native_.try_lock_for(time);
           }));
  }
  template <class Clock, class Duration>
  FLAMELET_NOT_INSTRUMENTED_ bool try_lock_until(const std::chrono::time_point<Clock, Duration>& time) {
    return try_lock() || and_taken(try_wait(FLAMELET_WAIT_LOCK, [this, &time]() FLAMELET_NOT_INSTRUMENTED_ {
             return native_.try_lock_until(time);
           }));
  }

  FLAMELET_NOT_INSTRUMENTED_ void lock_shared() {
    if constexpr (kRecords && detail::kHasTryLockShared<T>)
      if (native_.try_lock_shared()) return taken();
    wait(FLAMELET_WAIT_SHARED_LOCK, [this]() FLAMELET_NOT_INSTRUMENTED_ { native_.lock_shared(); });
    taken();
  }
  FLAMELET_NOT_INSTRUMENTED_ bool try_lock_shared() { return and_taken(native_.try_lock_shared()); }
  FLAMELET_NOT_INSTRUMENTED_ void unlock_shared() {
    shared_freed();
    native_.unlock_shared();
  }
  template <class Rep, class Period>
  FLAMELET_NOT_INSTRUMENTED_ bool try_lock_shared_for(const std::chrono::duration<Rep, Period>& time) {
    return try_lock_shared() ||
           and_taken(try_wait(FLAMELET_WAIT_SHARED_LOCK, [this, &time]() FLAMELET_NOT_INSTRUMENTED_ {
             return native_.try_lock_shared_for(time);
           }));
  }
  template <class Clock, class Duration>
  FLAMELET_NOT_INSTRUMENTED_ bool try_lock_shared_until(const std::chrono::time_point<Clock, Duration>& time) {
    return try_lock_shared() ||
           and_taken(try_wait(FLAMELET_WAIT_SHARED_LOCK, [this, &time]() FLAMELET_NOT_INSTRUMENTED_ {
             return native_.try_lock_shared_until(time);
           }));
  }

  // The lock itself. Who takes it there is not known as its holder.
  FLAMELET_NOT_INSTRUMENTED_ T& native() noexcept { return native_; }

 private:
  friend class ConditionVariable;
  FLAMELET_NOT_INSTRUMENTED_ bool and_taken(bool has_it) noexcept {
    if (has_it) taken();
    return has_it;
  }

  T native_;
};

using Mutex = Lockable<std::mutex>;
using SharedMutex = Lockable<std::shared_mutex>;

// For std::unique_lock<flamelet::Mutex>; std::condition_variable_any takes any of the locks, and records their waits alone.
// Each time that a thread sleeps is a wait of its own.
class ConditionVariable : detail::WaitRecord {
 public:
  FLAMELET_NOT_INSTRUMENTED_ ConditionVariable() : ConditionVariable(nullptr) {}
  FLAMELET_NOT_INSTRUMENTED_ explicit ConditionVariable(const char* name) : WaitRecord(name) {}
  FLAMELET_NOT_INSTRUMENTED_ ~ConditionVariable() = default;

  FLAMELET_NOT_INSTRUMENTED_ void notify_one() noexcept {
    notify();
    native_.notify_one();
  }
  FLAMELET_NOT_INSTRUMENTED_ void notify_all() noexcept {
    notify();
    native_.notify_all();
  }
  FLAMELET_NOT_INSTRUMENTED_ void wait(std::unique_lock<Mutex>& lock) {
    sleep(lock, [this](std::unique_lock<std::mutex>& native) FLAMELET_NOT_INSTRUMENTED_ {
      native_.wait(native);
      return true;
    });
  }
  template <class Predicate>
  FLAMELET_NOT_INSTRUMENTED_ void wait(std::unique_lock<Mutex>& lock, Predicate predicate) {
    while (!predicate()) wait(lock);
  }
  template <class Clock, class Duration>
  FLAMELET_NOT_INSTRUMENTED_ std::cv_status wait_until(std::unique_lock<Mutex>& lock,
                                                       const std::chrono::time_point<Clock, Duration>& time) {
    const bool woken = sleep(lock, [this, &time](std::unique_lock<std::mutex>& native) FLAMELET_NOT_INSTRUMENTED_ {
      return native_.wait_until(native, time) == std::cv_status::no_timeout;
    });
    return woken ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  template <class Clock, class Duration, class Predicate>
  FLAMELET_NOT_INSTRUMENTED_ bool wait_until(std::unique_lock<Mutex>& lock,
                                             const std::chrono::time_point<Clock, Duration>& time,
                                             Predicate predicate) {
    while (!predicate())
      if (wait_until(lock, time) == std::cv_status::timeout) return predicate();
    return true;
  }
  template <class Rep, class Period>
  FLAMELET_NOT_INSTRUMENTED_ std::cv_status wait_for(std::unique_lock<Mutex>& lock,
                                                     const std::chrono::duration<Rep, Period>& time) {
    return wait_until(lock, std::chrono::steady_clock::now() + time);
  }
  template <class Rep, class Period, class Predicate>
  FLAMELET_NOT_INSTRUMENTED_ bool wait_for(std::unique_lock<Mutex>& lock,
                                           const std::chrono::duration<Rep, Period>& time, Predicate predicate) {
    return wait_until(lock, std::chrono::steady_clock::now() + time, std::move(predicate));
  }

 private:
  template <class Block>
  FLAMELET_NOT_INSTRUMENTED_ bool sleep(std::unique_lock<Mutex>& lock, Block block) {
    // The mutex goes on belonging to `lock`, also where the clock throws.
    struct Lent {
      FLAMELET_NOT_INSTRUMENTED_ explicit Lent(Mutex* of) : mutex(of), native(of->native(), std::adopt_lock) {
        mutex->freed();
      }
      FLAMELET_NOT_INSTRUMENTED_ ~Lent() {
        native.release();
        mutex->taken();
      }
      Lent(const Lent&) = delete;
      Lent& operator=(const Lent&) = delete;
      Mutex* const mutex;
      std::unique_lock<std::mutex> native;
    };
    return try_wait(FLAMELET_WAIT_CONDITION, [&lock, &block]() FLAMELET_NOT_INSTRUMENTED_ {
      Lent lent(lock.mutex());
      return block(lent.native);
    });
  }

  std::condition_variable native_;
};

class Semaphore : detail::WaitRecord {
 public:
  FLAMELET_NOT_INSTRUMENTED_ explicit Semaphore(uint32_t count = 0, const char* name = nullptr)
      : WaitRecord(name), count_(count) {}
  FLAMELET_NOT_INSTRUMENTED_ ~Semaphore() = default;

  FLAMELET_NOT_INSTRUMENTED_ void release(uint32_t count = 1) {
    const std::lock_guard<std::mutex> guard(mutex_);
    count_ += count;
    notify();
    count == 1 ? is_free_.notify_one() : is_free_.notify_all();
  }
  FLAMELET_NOT_INSTRUMENTED_ bool try_acquire() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return count_ != 0 && take();
  }
  FLAMELET_NOT_INSTRUMENTED_ void acquire() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (count_ == 0)
      WaitRecord::wait(FLAMELET_WAIT_SEMAPHORE, [this, &lock]() FLAMELET_NOT_INSTRUMENTED_ {
        is_free_.wait(lock, [this]() FLAMELET_NOT_INSTRUMENTED_ { return count_ != 0; });
      });
    take();
  }
  template <class Clock, class Duration>
  FLAMELET_NOT_INSTRUMENTED_ bool try_acquire_until(const std::chrono::time_point<Clock, Duration>& time) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto block = [this, &lock, &time]() FLAMELET_NOT_INSTRUMENTED_ {
      return is_free_.wait_until(lock, time, [this]() FLAMELET_NOT_INSTRUMENTED_ { return count_ != 0; });
    };
    return (count_ != 0 || try_wait(FLAMELET_WAIT_SEMAPHORE, block)) && take();
  }
  template <class Rep, class Period>
  FLAMELET_NOT_INSTRUMENTED_ bool try_acquire_for(const std::chrono::duration<Rep, Period>& time) {
    return try_acquire_until(std::chrono::steady_clock::now() + time);
  }

 private:
  FLAMELET_NOT_INSTRUMENTED_ bool take() {
    --count_;
    return true;
  }

  std::mutex mutex_;
  std::condition_variable is_free_;
  uint32_t count_;
};

#ifdef FLAMELET_DISABLED
}  // namespace compiled_out
#endif
}  // namespace flamelet

#ifdef FLAMELET_DISABLED
#define FLAMELET_LOCKABLE(type, name) type name
#else
#define FLAMELET_LOCKABLE(type, name) \
  ::flamelet::Lockable<type> name {   \
#name                             \
  }
#endif

#endif  // __cplusplus

#endif  // FLAMELET_LOCK_H
