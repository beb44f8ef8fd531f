// SPDX-License-Identifier: MIT
#include "machine.h"

#include <cstdlib>

namespace model {
namespace {

Machine* machine = nullptr;
std::jmp_buf out_of_body;

enum : int { kSuspended = 1, kViolated = 2 };

bool acquires(Order order) {
  return order == Order::kAcquire || order == Order::kSeqCst;
}
bool releases(Order order) {
  return order == Order::kRelease || order == Order::kSeqCst;
}

}  // namespace

Machine& Machine::running() {
  return *machine;
}

void Machine::add_thread(Body body) {
  threads_[thread_count_++].body = body;
}

void Machine::set_initial(int location, uint64_t value) {
  locations_[location].stores[0].value = value;
}

void Machine::set_plain(int location, uint64_t value) {
  plain_[location].value = value;
}

// ---- Running a body --------------------------------------------------------------------------------------------------

bool Machine::start() {
  for (Location& location : locations_) location.count = 1;  // the initial value, which every thread has seen
  for (int i = 0; i < thread_count_; ++i)
    if (!run(i, false, 0)) return false;
  return true;
}

bool Machine::step(int thread, int choice) {
  return run(thread, true, choice);
}

bool Machine::run(int thread, bool granted, int choice) {
  machine = this;
  running_ = thread;
  replayed_ = 0;
  granted_ = granted;
  choice_ = choice;
  switch (setjmp(out_of_body)) {
    case 0:
      threads_[thread].body();
      threads_[running_].ended = true;
      return true;
    case kSuspended:
      return true;
    default:
      return false;
  }
}

void Machine::violate(const char* what) {
  violation_ = what;
  std::longjmp(out_of_body, kViolated);
}

void Machine::check(bool condition, const char* what) {
  if (!condition) violate(what);
}

uint64_t Machine::logged(uint64_t value) {
  Thread& thread = threads_[running_];
  if (thread.log_size == kMaxSteps) std::abort();
  thread.log[thread.log_size++] = value;
  ++replayed_;
  return value;
}

uint64_t Machine::last_result(int thread) const {
  const Thread& of = threads_[thread];
  return of.log_size == 0 ? 0 : of.log[of.log_size - 1];
}

uint64_t Machine::perform(const Step& step) {
  Thread& thread = threads_[running_];
  if (replayed_ < thread.log_size) return thread.log[replayed_++];
  if (!granted_) {
    thread.next = step;
    std::longjmp(out_of_body, kSuspended);
  }
  granted_ = false;
  ++thread.steps;
  thread.view.clock[running_] = thread.steps;
  return logged(execute(step));
}

// ---- Views -----------------------------------------------------------------------------------------------------------

void Machine::join_views(View* into, const View& from) const {
  for (int i = 0; i < kMaxLocations; ++i) {
    const Store* stores = locations_[i].stores;
    if (stores[from.store[i]].rank > stores[into->store[i]].rank) into->store[i] = from.store[i];
  }
  for (int i = 0; i < kMaxThreads; ++i)
    if (from.clock[i] > into->clock[i]) into->clock[i] = from.clock[i];
}

void Machine::see(int location, int store, bool acquire) {
  View& view = threads_[running_].view;
  const Store& seen = locations_[location].stores[store];
  if (seen.rank > locations_[location].stores[view.store[location]].rank)
    view.store[location] = static_cast<uint8_t>(store);
  if (acquire) join_views(&view, seen.view);
}

// A new store at this place of the order. `continued` is what the store that it modifies released.
void Machine::put(int location, int rank, uint64_t value, bool release, bool modifies, const View* continued) {
  Location& at = locations_[location];
  if (at.count == kMaxStores) std::abort();
  for (int i = 0; i < at.count; ++i)
    if (at.stores[i].rank >= rank) ++at.stores[i].rank;
  const uint8_t index = at.count++;
  Store& made = at.stores[index];
  made = {};
  made.value = value;
  made.rank = static_cast<uint8_t>(rank);
  made.modifies = modifies;
  View& view = threads_[running_].view;
  view.store[location] = index;
  made.view.store[location] = index;
  if (continued != nullptr) join_views(&made.view, *continued);
  if (release) join_views(&made.view, view);
}

// The stores that the step can read, or (of a plain store) that it can follow in the order.
int Machine::candidates(const Step& step, const Thread& thread, uint8_t* stores) const {
  const Location& at = locations_[step.location];
  View view = thread.view;
  if (step.order == Order::kSeqCst) join_views(&view, sequential_);
  const uint8_t oldest = at.stores[view.store[step.location]].rank;
  int count = 0;
  for (uint8_t i = 0; i < at.count; ++i) {
    const Store& store = at.stores[i];
    if (store.rank < oldest) continue;
    bool modified = false;
    for (int k = 0; k < at.count; ++k) modified |= at.stores[k].modifies && at.stores[k].rank == store.rank + 1;
    const bool writes = step.kind == Step::kStore || step.kind == Step::kFetchAdd || step.kind == Step::kFetchAnd ||
                        (step.kind == Step::kExchange && store.value == step.expected);
    if (writes && modified) continue;
    if (step.kind == Step::kAwait && store.value == step.expected) continue;
    stores[count++] = i;
  }
  return count;
}

int Machine::choices(int thread) const {
  const Thread& of = threads_[thread];
  if (of.ended) return 0;
  uint8_t stores[kMaxStores];
  switch (of.next.kind) {
    case Step::kBarrier:
      return 1;
    case Step::kJoin:
      return threads_[of.next.location].ended ? 1 : 0;
    default:
      return candidates(of.next, of, stores);
  }
}

uint64_t Machine::execute(const Step& step) {
  Thread& thread = threads_[running_];
  if (step.kind == Step::kBarrier) {
    // Each sees what the other had seen: as if both stood at a full barrier at this moment. Clocks stay: a barrier
    // orders what the threads see, but only an acquire of a release makes plain accesses safe in C++.
    View& other = threads_[step.location].view;
    for (int i = 0; i < kMaxLocations; ++i) {
      const Store* stores = locations_[i].stores;
      const bool here = stores[thread.view.store[i]].rank > stores[other.store[i]].rank;
      (here ? other : thread.view).store[i] = here ? thread.view.store[i] : other.store[i];
    }
    return 0;
  }
  if (step.kind == Step::kJoin) {
    const Thread& other = threads_[step.location];
    join_views(&thread.view, other.view);
    thread.view.clock[step.location] = static_cast<uint8_t>(other.steps + 1);  // with what it did after its last step
    return 0;
  }
  uint8_t stores[kMaxStores];
  candidates(step, thread, stores);
  if (step.order == Order::kSeqCst) join_views(&thread.view, sequential_);
  const int chosen = stores[choice_];
  const Store read = locations_[step.location].stores[chosen];
  const bool release = releases(step.order);
  uint64_t result = read.value;
  switch (step.kind) {
    case Step::kStore:
      put(step.location, read.rank + 1, step.operand, release, false, nullptr);
      break;
    case Step::kExchange: {
      const bool equal = read.value == step.expected;
      see(step.location, chosen, equal && acquires(step.order));
      if (equal) put(step.location, read.rank + 1, step.operand, release, true, &read.view);
      result = equal ? 1 : 0;
      break;
    }
    case Step::kFetchAdd:
    case Step::kFetchAnd:
      see(step.location, chosen, acquires(step.order));
      put(step.location, read.rank + 1,
          step.kind == Step::kFetchAdd ? read.value + step.operand : read.value & step.operand, release, true,
          &read.view);
      break;
    default:
      see(step.location, chosen, acquires(step.order));
      break;
  }
  if (step.order == Order::kSeqCst) join_views(&sequential_, thread.view);
  return result;
}

// ---- Steps -----------------------------------------------------------------------------------------------------------

uint64_t Machine::load(int location, Order order) {
  return perform({Step::kLoad, order, static_cast<uint8_t>(location), 0, 0});
}
void Machine::store(int location, uint64_t value, Order order) {
  perform({Step::kStore, order, static_cast<uint8_t>(location), 0, value});
}
bool Machine::compare_exchange(int location, uint64_t expected, uint64_t desired, Order order) {
  return perform({Step::kExchange, order, static_cast<uint8_t>(location), expected, desired}) != 0;
}
uint64_t Machine::fetch_add(int location, uint64_t value, Order order) {
  return perform({Step::kFetchAdd, order, static_cast<uint8_t>(location), 0, value});
}
uint64_t Machine::fetch_and(int location, uint64_t mask, Order order) {
  return perform({Step::kFetchAnd, order, static_cast<uint8_t>(location), 0, mask});
}
uint64_t Machine::await_not(int location, uint64_t value, Order order) {
  return perform({Step::kAwait, order, static_cast<uint8_t>(location), value, 0});
}
void Machine::barrier_in(int thread) {
  perform({Step::kBarrier, Order::kSeqCst, static_cast<uint8_t>(thread), 0, 0});
}
void Machine::join(int thread) {
  perform({Step::kJoin, Order::kAcquire, static_cast<uint8_t>(thread), 0, 0});
}

// ---- Plain accesses and ghosts -----------------------------------------------------------------------------------------

bool Machine::happened_before(int thread, uint8_t at) const {
  return thread == running_ || at <= threads_[running_].view.clock[thread];
}

uint64_t Machine::read_plain(int location) {
  Thread& thread = threads_[running_];
  if (replayed_ < thread.log_size) return thread.log[replayed_++];
  Plain& plain = plain_[location];
  if (!happened_before(plain.writer, plain.written_at)) violate("a plain read races with a write");
  // The step that comes next publishes it at the earliest.
  plain.read_at[running_] = static_cast<uint8_t>(thread.steps + 1);
  return logged(plain.value);
}

void Machine::write_plain(int location, uint64_t value) {
  Thread& thread = threads_[running_];
  if (replayed_ < thread.log_size) {
    ++replayed_;
    return;
  }
  Plain& plain = plain_[location];
  if (!happened_before(plain.writer, plain.written_at)) violate("a plain write races with a write");
  for (int i = 0; i < thread_count_; ++i)
    if (!happened_before(i, plain.read_at[i])) violate("a plain write races with a read");
  plain.value = value;
  plain.writer = static_cast<uint8_t>(running_);
  plain.written_at = static_cast<uint8_t>(thread.steps + 1);
  logged(0);
}

uint64_t Machine::newest(int location) {
  Thread& thread = threads_[running_];
  if (replayed_ < thread.log_size) return thread.log[replayed_++];
  const Location& at = locations_[location];
  int last = 0;
  for (int i = 0; i < at.count; ++i)
    if (at.stores[i].rank > at.stores[last].rank) last = i;
  return logged(at.stores[last].value);
}

uint64_t Machine::ghost(int variable) {
  Thread& thread = threads_[running_];
  if (replayed_ < thread.log_size) return thread.log[replayed_++];
  return logged(ghosts_[variable]);
}

void Machine::set_ghost(int variable, uint64_t value) {
  Thread& thread = threads_[running_];
  if (replayed_ < thread.log_size) {
    ++replayed_;
    return;
  }
  ghosts_[variable] = value;
  logged(0);
}

// ---- Digest ----------------------------------------------------------------------------------------------------------

Machine::Digest Machine::digest() const {
  Digest digest = {0x243F6A8885A308D3u, 0x13198A2E03707344u};
  const auto mix = [&digest](uint64_t value) {
    digest.high = (digest.high ^ value) * 0x9E3779B97F4A7C15u;
    digest.high ^= digest.high >> 29;
    digest.low = (digest.low + value) * 0xD6E8FEB86659FD93u;
    digest.low ^= digest.low >> 32;
  };
  const auto mix_view = [&mix](const View& view) {
    for (int i = 0; i < kMaxLocations; i += 8) {
      uint64_t word = 0;
      for (int k = 0; k < 8; ++k) word = word << 8 | view.store[i + k];
      mix(word);
    }
    uint64_t word = 0;
    for (const uint8_t clock : view.clock) word = word << 8 | clock;
    mix(word);
  };
  // A thread's log and the stores it can see give everything else of it.
  for (int i = 0; i < thread_count_; ++i) {
    mix(threads_[i].log_size);
    for (int k = 0; k < threads_[i].log_size; ++k) mix(threads_[i].log[k]);
    mix_view(threads_[i].view);
  }
  for (const Location& location : locations_) {
    mix(location.count);
    for (int k = 0; k < location.count; ++k) {
      mix(location.stores[k].value);
      mix(uint64_t{location.stores[k].rank} << 1 | (location.stores[k].modifies ? 1 : 0));
      mix_view(location.stores[k].view);
    }
  }
  for (const Plain& plain : plain_) {
    mix(plain.value);
    uint64_t word = uint64_t{plain.writer} << 8 | plain.written_at;
    for (const uint8_t read : plain.read_at) word = word << 8 | read;
    mix(word);
  }
  for (const uint64_t ghost : ghosts_) mix(ghost);
  mix_view(sequential_);
  return digest;
}

}  // namespace model
