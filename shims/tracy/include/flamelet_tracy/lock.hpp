// SPDX-License-Identifier: MIT
//
// lock.hpp: a lock that records who waits for it and who holds it. A thread waits only where try_lock() says that it
// would; a lock without try_lock() always counts as waited for.
#ifndef FLAMELET_TRACY_LOCK_HPP
#define FLAMELET_TRACY_LOCK_HPP

#include <type_traits>
#include <utility>

#include "flamelet_tracy/zone.hpp"

namespace tracy {

// The wait ends also where lock() throws.
class LockWait {
 public:
  explicit LockWait(const flamelet_shim_lock& lock) noexcept : id_(flamelet_shim_lock_wait(&lock)) {}
  ~LockWait() noexcept { flamelet_end(id_); }
  LockWait(const LockWait&) = delete;
  LockWait& operator=(const LockWait&) = delete;

 private:
  flamelet_id id_;
};

template <class T, class = void>
struct HasTryLock : std::false_type {};
template <class T>
struct HasTryLock<T, std::void_t<decltype(std::declval<T&>().try_lock())>> : std::true_type {};
template <class T, class = void>
struct HasTryLockShared : std::false_type {};
template <class T>
struct HasTryLockShared<T, std::void_t<decltype(std::declval<T&>().try_lock_shared())>> : std::true_type {};

template <class T>
class Lockable {
 public:
  explicit Lockable(const SourceLocationData* place) noexcept(std::is_nothrow_default_constructible<T>::value)
      : record_{place->name, nullptr, 0, 0, 0, 0, 0}, lockable_() {}
  ~Lockable() { flamelet_shim_lock_end(&record_); }
  Lockable(const Lockable&) = delete;
  Lockable& operator=(const Lockable&) = delete;

  void lock() {
    bool taken = false;
    if constexpr (HasTryLock<T>::value) taken = lockable_.try_lock();
    if (!taken) {
      const LockWait wait(record_);
      lockable_.lock();
    }
    flamelet_shim_lock_held(&record_);
  }
  void unlock() {
    flamelet_shim_lock_freed(&record_);
    lockable_.unlock();
  }
  bool try_lock() {
    const bool taken = lockable_.try_lock();
    if (taken) flamelet_shim_lock_held(&record_);
    return taken;
  }
  void Mark(const SourceLocationData* place) noexcept { flamelet_shim_lock_mark(&record_, place->function); }
  void CustomName(const char* text, size_t size) noexcept { flamelet_shim_lock_name(&record_, text, size); }

 protected:
  flamelet_shim_lock record_;
  T lockable_;
};

template <class T>
class SharedLockable : public Lockable<T> {
 public:
  using Lockable<T>::Lockable;

  void lock_shared() {
    bool taken = false;
    if constexpr (HasTryLockShared<T>::value) taken = this->lockable_.try_lock_shared();
    if (!taken) {
      const LockWait wait(this->record_);
      this->lockable_.lock_shared();
    }
    flamelet_shim_lock_shared_held(&this->record_);
  }
  void unlock_shared() {
    flamelet_shim_lock_shared_freed(&this->record_);
    this->lockable_.unlock_shared();
  }
  bool try_lock_shared() {
    const bool taken = this->lockable_.try_lock_shared();
    if (taken) flamelet_shim_lock_shared_held(&this->record_);
    return taken;
  }
};

}  // namespace tracy

#endif  // FLAMELET_TRACY_LOCK_HPP
