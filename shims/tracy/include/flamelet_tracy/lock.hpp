// SPDX-License-Identifier: MIT
//
// lock.hpp: Tracy's locks are flamelet::Lockable (flamelet/lock.h), with marks and names that change.
#ifndef FLAMELET_TRACY_LOCK_HPP
#define FLAMELET_TRACY_LOCK_HPP

#include "flamelet_tracy/zone.hpp"

namespace tracy {

template <class T>
class Lockable : public flamelet::Lockable<T> {
 public:
  FLAMELET_NOT_INSTRUMENTED_ explicit Lockable(const SourceLocationData* place) noexcept(
      std::is_nothrow_default_constructible<T>::value)
      : flamelet::Lockable<T>(place->name) {}
  FLAMELET_NOT_INSTRUMENTED_ ~Lockable() { flamelet_shim_lock_end(&names_); }

  FLAMELET_NOT_INSTRUMENTED_ void Mark(const SourceLocationData* place) noexcept {
    if constexpr (Lockable::kRecords) flamelet_shim_lock_mark(&this->lock_, place->function);
  }
  FLAMELET_NOT_INSTRUMENTED_ void CustomName(const char* text, size_t size) noexcept {
    if constexpr (Lockable::kRecords) flamelet_shim_lock_name(&this->lock_, &names_, text, size);
  }

 private:
  flamelet_shim_lock_names names_ = {nullptr, 0};
};

template <class T>
using SharedLockable = Lockable<T>;

}  // namespace tracy

#endif  // FLAMELET_TRACY_LOCK_HPP
