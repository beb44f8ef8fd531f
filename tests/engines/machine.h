// SPDX-License-Identifier: MIT
//
// machine.h: a simulated machine for made-up engines, and what an engine tells of its hitches. README.md says how to write one.
//
// Threads:   all simulated threads run on one real thread, one at a time; they change only inside of the machine's calls. So
//            an engine's own data needs no lock, and each run with the same seed is the same to the nanosecond.
// Units:     milliseconds; of memory, pages of 4 KiB.
// Errors:    std::logic_error for calls that cannot be (an unlock of somebody else's mutex, a deadlock).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct flamelet_capture;

namespace engines {

struct MachineThread;  // of the machine; an engine only keeps pointers to them
using Thread = MachineThread*;

struct Mutex {
  Thread owner = nullptr;
  std::deque<Thread> waiters;
  std::string name = "mutex";
};
// Stays set until it is reset.
struct Event {
  bool is_set = false;
  std::deque<Thread> waiters;
  std::string name = "event";
};
struct Semaphore {
  int count = 0;
  std::deque<Thread> waiters;
  std::string name = "semaphore";
};
struct Queue {  // of a GPU; made by Machine::gpu_queue()
  uint32_t lane = 0;
  int64_t free_at_ns = 0;
};
struct Fence {  // when what was submitted to a GPU is done
  int64_t at_ns = 0;
};
struct Pass {  // a part of what is submitted to a GPU
  const char* name;
  double ms;
};

struct ThreadOptions {
  int priority = 0;             // higher ones go first, and take the processor of lower ones
  uint64_t processors = ~0ull;  // a bit for each one that it may run on
  bool is_recorded = true;      // false: a library's thread, which calls nothing of the profiler
};

// What can be guilty of a long frame.
enum Cause : uint32_t {
  kWorkTookLonger = 1,        // a call did more than usual
  kMoreCalls = 2,             // of what is called anyway
  kNewWork = 4,               // what is not done in other frames
  kWaitedForLock = 8,         // that another thread held
  kWaitedForWork = 16,        // of another thread
  kGpu = 32,                  // the GPU's own work took longer
  kOtherProgram = 64,         // had the processor
  kOwnThread = 128,           // another thread of this program had the processor
  kFileOrSleep = 256,         // the thread slept: a file, a device, a timer
  kProcessStopped = 512,      // all threads stood still
  kPlacedDifferently = 1024,  // the work is as ever, but it began later, or ran in another order or on another thread
  kMemoryFaults = 2048,       // pages that were touched for the first time, or had to be read from the disk
  kOrdinary = 4096,           // nothing went wrong: it is no hitch
};

struct Kind {
  const char* name;
  const char* what;                 // what truly happened, in one plain sentence
  uint32_t causes;                  // Cause: any of these is right
  std::vector<std::string> scopes;  // names, any of these is right; "" = no scope at all. Empty: no scope is guilty
  std::string lane;                 // name of the thread or queue that is guilty; "" = it does not matter which
  // The threads between Main and that one, such as "Loader > Storage": Main waited for Loader, which waited for Storage, which
  // waited for the guilty one. "": Main waited for that itself, or is it. Null: the engine does not say.
  const char* via = nullptr;
};
// A kind. `scopes`: names with " | " between them, any of these is right; "" = no scope at all; kNoScope: no scope is guilty.
constexpr const char* kNoScope = nullptr;
Kind kind(const char* name, const char* what, uint32_t causes, const char* scopes, const char* lane,
          const char* via = nullptr);

// Which hitch begins in which frame, and about how much longer it is to make it.
struct Hitch {
  uint64_t frame;
  size_t kind;
  double ms;
};

// What the system tells of threads.
enum class Facts {
  kStates,  // every switch, and times in each frame
  kTimes,   // times in each frame; the switches are refused
  kNone,
};

struct Options {
  unsigned processors = 4;
  uint64_t seed = 1;
  uint64_t frames = 600;
  Facts facts = Facts::kStates;
  bool records_locks = false;      // mutexes, events and semaphores record their waits, as those of flamelet/lock.h do
  bool has_other_programs = true;  // that take a processor for a moment, as on any machine
  std::vector<Hitch> hitches;      // by frame
};

class Machine {
 public:
  explicit Machine(const Options& options);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Runs `engine` on a thread "Main" until that many frames are marked. The capture is the caller's.
  flamelet_capture* run(const std::function<void(Machine&)>& engine);
  // The first frame in which the engine saw this hitch; UINT64_MAX: it never did.
  uint64_t begun_in(size_t hitch) const;

  // ---- What a thread does: calls of the running thread --------------------------------------------------------------
  void work(double ms);   // takes that long on a processor; longer if it has none
  void sleep(double ms);  // at least so long
  void sleep_until(double ms);
  void wait_vsync(double period_ms = 1000.0 / 60);  // until the next multiple of the period
  void yield();
  void spin_until(const std::function<bool()>& is_done);  // works until then
  void read_file(double ms);                              // sleeps; one disk serves one read after the other
  void touch_new_memory(unsigned pages);                  // minor page faults: 0.5 us of work each
  void touch_swapped_memory(unsigned pages);              // major page faults: each one reads from the disk for 0.1 ms

  void lock(Mutex& mutex);
  bool try_lock(Mutex& mutex);
  void unlock(Mutex& mutex);
  template <class Body>
  void locked(Mutex& mutex, Body body) {
    lock(mutex);
    body();
    unlock(mutex);
  }
  void set(Event& event);
  void reset(Event& event);
  void wait(Event& event);
  bool wait_for(Event& event, double ms);  // false: it was not set in time
  void release(Semaphore& semaphore, int count = 1);
  void acquire(Semaphore& semaphore);

  // ---- What is recorded ---------------------------------------------------------------------------------------------
  template <class Body>
  void scope(const std::string& name, Body body) {
    begin(name, "", "");
    body();
    end();
  }
  // With the name of the thing it works on.
  template <class Body>
  void scope(const std::string& name, const std::string& object, Body body) {
    begin(name, object, "");
    body();
    end();
  }
  // One that is marked as a wait. lock(), wait(), sleep() and the like record nothing themselves.
  template <class Body>
  void wait_scope(const std::string& name, Body body) {
    begin(name, "", "wait");
    body();
    end();
  }
  uint64_t flow_begin();         // where work is handed over
  void flow_end(uint64_t flow);  // where it is taken up, or where somebody has waited for it
  void counter(const std::string& name, double value);
  void instant(const std::string& name);
  // Ends a frame. By one and the same thread, each time.
  void frame();

  // ---- Threads, GPU, time, chance -----------------------------------------------------------------------------------
  Thread start_thread(const std::string& name, std::function<void()> body, const ThreadOptions& options = {});
  void set_priority(Thread thread, int priority);
  void set_processors(Thread thread, uint64_t processors);
  Thread this_thread() const;
  unsigned processors() const;

  Queue gpu_queue(const std::string& name);
  // The GPU begins it when it has done what came before; passes follow each other. With parts, `name` is around them.
  Fence gpu_submit(Queue& queue, const std::string& name, double ms);
  Fence gpu_submit(Queue& queue, const std::string& name, const std::vector<Pass>& parts);
  bool is_done(const Fence& fence) const;
  void wait(const Fence& fence);

  double now() const;
  uint64_t frame_index() const;                   // of the frame that runs, from 1
  uint64_t random(uint64_t below);                // 0 .. below - 1
  double chance();                                // 0 .. 1
  double about(double ms, double spread = 0.04);  // this, a few per cent more or less

  // ---- Trouble from outside -----------------------------------------------------------------------------------------
  // Another program works for so long on this processor, beginning now. With priority 0 it shares with the engine's threads in
  // slices of 3 ms; with a higher one, it goes first.
  void other_program(unsigned processor, double ms, int priority = 0);
  void other_program_reads(double ms);                   // it keeps the disk busy
  void other_program_uses_gpu(Queue& queue, double ms);  // what is submitted from now on begins later
  void stop_process(double ms);   // as by a debugger or SIGSTOP: all threads of the program stand still
  void stop_machine(double ms);   // as a virtual machine whose host does not run it: only the clock goes on
  void set_speed(double factor);  // of all processors, as if they were hot: 0.5 = half

  // ---- Hitches ------------------------------------------------------------------------------------------------------
  // Whether a hitch of this kind is to be made here and now. Says so once, in the hitch's frame, or later if nobody asked then.
  bool take_hitch(size_t kind);
  // Says so each time, during the hitch's frame.
  bool in_hitch(size_t kind);
  // About how much longer the present hitch is to make its frame.
  double hitch_ms() const;

 private:
  void begin(const std::string& name, const std::string& object, const char* category);
  void end();

  struct Simulation;
  std::unique_ptr<Simulation> simulation_;
};

// ---- An engine ------------------------------------------------------------------------------------------------------

struct Engine {
  const char* name;
  std::vector<Kind> kinds;
  void (*run)(Machine& machine);  // never returns: the machine ends it
};
std::vector<const Engine*>& all_engines();
struct AddEngine {
  explicit AddEngine(const Engine* engine) { all_engines().push_back(engine); }
};

}  // namespace engines
