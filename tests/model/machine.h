// SPDX-License-Identifier: MIT
//
// machine.h: a machine that executes a few threads as the C++ memory model allows, one step at a time: which thread
// goes next, which store a load sees, and where in a location's order a store falls, is chosen from outside
// (explorer.h chooses everything, one after the other).
//
// What is modelled: atomic loads, stores, compare-exchange and fetch-and-modify, relaxed, acquire, release and
// sequentially consistent; release sequences; a barrier across threads (membarrier); joining a thread; and plain
// accesses, which are not steps: they only have to be ordered by what the atomic ones establish, and any that are not
// are a violation, whichever comes first.
// How: a view machine. Each location has its stores in their modification order. Each thread has a view: the oldest
// store of each location that it may still see. A release store carries its thread's view, and an acquire load that
// reads it takes the view over. Vector clocks travel with the views and find the races.
// What is not: fences, consume, volatile, mixed sizes, out-of-thin-air reads and load buffering (a load never sees a
// store that is executed later). A relaxed load that hardware executes early, before an older load, is modelled: it may
// see any old store.
// Sequentially consistent steps are modelled as if each were preceded and followed by a fence of that order, which is a
// little stronger than C++ where a location is accessed by other orders, too.
//
// A machine is a value: copying it copies the whole state of all threads. That works because a thread is nothing but
// what its steps gave it so far: to go on, its body is run again from the start, and every step it has made answers
// from the log. So a body must be a function of what its steps return, and own nothing that needs a destructor: it is
// left by longjmp.
#pragma once

#include <csetjmp>
#include <cstdint>

namespace model {

constexpr int kMaxThreads = 4;
constexpr int kMaxLocations = 16;
constexpr int kMaxStores = 24;  // of one location
constexpr int kMaxPlain = 24;   // plain locations
constexpr int kMaxSteps = 160;  // of one thread, plain accesses included

enum class Order : uint8_t { kRelaxed, kAcquire, kRelease, kSeqCst };

struct Step {
  enum Kind : uint8_t { kLoad, kStore, kExchange, kFetchAdd, kFetchAnd, kAwait, kBarrier, kJoin };
  Kind kind;
  Order order;
  uint8_t location;   // or the other thread
  uint64_t expected;  // kExchange: compared; kAwait: the value that is not waited for
  uint64_t operand;
};

class Machine {
 public:
  using Body = void (*)();

  // ---- Set-up, before the first step --------------------------------------------------------------------------------

  void add_thread(Body body);
  void set_initial(int location, uint64_t value);
  void set_plain(int location, uint64_t value);

  // ---- For bodies, through the machine that runs them ---------------------------------------------------------------

  static Machine& running();
  int thread() const { return running_; }

  uint64_t load(int location, Order order);
  void store(int location, uint64_t value, Order order);
  bool compare_exchange(int location, uint64_t expected, uint64_t desired, Order order);
  uint64_t fetch_add(int location, uint64_t value, Order order);
  uint64_t fetch_and(int location, uint64_t mask, Order order);
  // Loads until it sees another value than `value`; the loads that see it are left out.
  uint64_t await_not(int location, uint64_t value, Order order);
  // A full memory barrier in that thread, and one here.
  void barrier_in(int thread);
  // Waits until that thread has ended.
  void join(int thread);

  uint64_t read_plain(int location);
  void write_plain(int location, uint64_t value);

  // For properties; no part of the program under test. The newest value of an atomic location, and variables that all
  // threads share without any order.
  uint64_t newest(int location);
  uint64_t ghost(int variable);
  void set_ghost(int variable, uint64_t value);
  // False ends the execution as a violation.
  void check(bool condition, const char* what);

  // ---- For the explorer ---------------------------------------------------------------------------------------------

  // Runs every thread up to its first step. False: a violation.
  bool start();
  // Number of ways in which the thread's next step can go; 0 = it has ended or must wait.
  int choices(int thread) const;
  // Takes the step. False: a violation.
  bool step(int thread, int choice);
  bool ended(int thread) const { return threads_[thread].ended; }
  int thread_count() const { return thread_count_; }
  const char* violation() const { return violation_; }
  const Step& next_step(int thread) const { return threads_[thread].next; }
  // What the thread's last step gave.
  uint64_t last_result(int thread) const;
  // Equal states have equal digests, and different ones hardly ever.
  struct Digest {
    uint64_t high, low;
    bool operator==(const Digest& other) const { return high == other.high && low == other.low; }
  };
  Digest digest() const;

 private:
  // The oldest store of each location that can still be seen, and how much of each thread's steps has happened before.
  struct View {
    uint8_t store[kMaxLocations];
    uint8_t clock[kMaxThreads];
  };
  struct Store {
    uint64_t value;
    View view;      // what an acquire load takes over; of a relaxed store nothing but the store itself
    uint8_t rank;   // place in the modification order
    bool modifies;  // by a read-modify-write: nothing falls between it and the one before
  };
  struct Location {
    Store stores[kMaxStores];
    uint8_t count;
  };
  struct Plain {
    uint64_t value;
    uint8_t writer, written_at;
    uint8_t read_at[kMaxThreads];  // the newest read of each thread
  };
  struct Thread {
    Body body;
    View view;
    Step next;
    bool ended;
    uint8_t steps, log_size;
    uint64_t log[kMaxSteps];
  };

  bool run(int thread, bool granted, int choice);
  uint64_t perform(const Step& step);
  uint64_t execute(const Step& step);
  void see(int location, int store, bool acquire);
  void put(int location, int rank, uint64_t value, bool release, bool modifies, const View* continued);
  int candidates(const Step& step, const Thread& thread, uint8_t* stores) const;
  void join_views(View* into, const View& from) const;
  bool happened_before(int thread, uint8_t at) const;
  uint64_t logged(uint64_t value);
  [[noreturn]] void violate(const char* what);

  int thread_count_ = 0;
  int running_ = 0;
  uint32_t replayed_ = 0;
  bool granted_ = false;
  int choice_ = 0;
  const char* violation_ = nullptr;
  View sequential_ = {};
  Thread threads_[kMaxThreads] = {};
  Location locations_[kMaxLocations] = {};
  Plain plain_[kMaxPlain] = {};
  uint64_t ghosts_[16] = {};
};

}  // namespace model
