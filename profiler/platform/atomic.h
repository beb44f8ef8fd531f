// SPDX-License-Identifier: MIT
//
// atomic.h: memory that threads share. Every access names its memory order, and there is no other access: the compiler
// refuses a plain one. Each use of an order that is not relaxed says what it pairs with; each relaxed one says why that
// is enough, unless it is a count, or only its own thread writes it.
#ifndef FLAMELET_PLATFORM_ATOMIC_H
#define FLAMELET_PLATFORM_ATOMIC_H

namespace flamelet {

template <class T>
class Atomic {
 public:
  constexpr Atomic() = default;
  constexpr explicit Atomic(T value) : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load_relaxed() const { return load(__ATOMIC_RELAXED); }
  T load_acquire() const { return load(__ATOMIC_ACQUIRE); }
  T load_seq_cst() const { return load(__ATOMIC_SEQ_CST); }

  void store_relaxed(T value) { __atomic_store(&value_, &value, __ATOMIC_RELAXED); }
  void store_release(T value) { __atomic_store(&value_, &value, __ATOMIC_RELEASE); }
  void store_seq_cst(T value) { __atomic_store(&value_, &value, __ATOMIC_SEQ_CST); }

  // Each returns the value before it.
  T exchange_relaxed(T value) { return __atomic_exchange_n(&value_, value, __ATOMIC_RELAXED); }
  T fetch_add_relaxed(T amount) { return __atomic_fetch_add(&value_, amount, __ATOMIC_RELAXED); }
  T fetch_add_release(T amount) { return __atomic_fetch_add(&value_, amount, __ATOMIC_RELEASE); }
  T fetch_add_seq_cst(T amount) { return __atomic_fetch_add(&value_, amount, __ATOMIC_SEQ_CST); }
  T fetch_sub_relaxed(T amount) { return __atomic_fetch_sub(&value_, amount, __ATOMIC_RELAXED); }
  T fetch_sub_release(T amount) { return __atomic_fetch_sub(&value_, amount, __ATOMIC_RELEASE); }
  T fetch_and_release(T mask) { return __atomic_fetch_and(&value_, mask, __ATOMIC_RELEASE); }

  // Compare and swap: false, and nothing changed, if the value is not `expected`. A failure is relaxed.
  bool cas_relaxed(T expected, T desired) { return cas(expected, desired, __ATOMIC_RELAXED); }
  bool cas_acquire(T expected, T desired) { return cas(expected, desired, __ATOMIC_ACQUIRE); }
  bool cas_release(T expected, T desired) { return cas(expected, desired, __ATOMIC_RELEASE); }
  bool cas_acq_rel(T expected, T desired) { return cas(expected, desired, __ATOMIC_ACQ_REL); }

 private:
  __attribute__((always_inline)) T load(int order) const {
    T value;
    __atomic_load(&value_, &value, order);
    return value;
  }
  __attribute__((always_inline)) bool cas(T expected, T desired, int order) {
    return __atomic_compare_exchange(&value_, &expected, &desired, false, order, __ATOMIC_RELAXED);
  }

  T value_ = T();
};

// The same for a field of a layout that is plain elsewhere: the C headers', a page's, a file's.
template <class T>
Atomic<T>& as_atomic(T& field) {
  static_assert(sizeof(Atomic<T>) == sizeof(T) && alignof(Atomic<T>) == alignof(T), "the layout is the field's");
  return reinterpret_cast<Atomic<T>&>(field);
}
template <class T>
const Atomic<T>& as_atomic(const T& field) {
  return reinterpret_cast<const Atomic<T>&>(field);
}

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_ATOMIC_H
