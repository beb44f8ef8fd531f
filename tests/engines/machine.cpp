// SPDX-License-Identifier: MIT
//
// machine.cpp: the simulation. Each thread of the program is a fiber. It runs, in no time, up to its next call that takes
// some; then the clock goes on to the next moment at which anything happens.
#include "engines/machine.h"

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <cmath>
#include <exception>
#include <map>
#include <queue>
#include <random>
#include <tuple>

#include "flamelet/capture_builder.h"
#include "flamelet/lock.h"
#include "flamelet/recorder.h"
#include "profiler/record/job_fiber.h"

namespace engines {
namespace {

constexpr int64_t kSliceNs = 3'000'000;
constexpr int64_t kCacheNs =
    1'000'000;  // a thread that was taken off its processor goes to another one after this time
constexpr int64_t kFaultNs = 500, kDiskFaultNs = 100'000, kSubmitNs = 20'000;
constexpr int64_t kNever = INT64_MAX;

int64_t to_ns(double ms) {
  return ms <= 0 ? 0 : static_cast<int64_t>(std::llround(ms * 1e6));
}

// Thrown on a simulated thread to unwind it when the capture is complete.
struct IsOver {};

class ThreadFiber {
 public:
  ThreadFiber(std::function<void()> body, std::exception_ptr* failed) {
    boost::context::fixedsize_stack allocator(256 * 1024);
    boost::context::stack_context stack = allocator.allocate();
    bottom_ = static_cast<char*>(stack.sp) - stack.size;
    size_ = stack.size;
    fiber_ = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                                   allocator, [this, body = std::move(body), failed](boost::context::fiber&& caller) {
                                     switch_.on_fiber();
                                     caller_ = std::move(caller);
                                     try {
                                       body();
                                     } catch (const IsOver&) {
                                     } catch (...) {
                                       *failed = std::current_exception();
                                     }
                                     is_done_ = true;
                                     switch_.to_caller(true);
                                     return std::move(caller_);
                                   });
  }
  // Until it leaves or is done.
  void enter() {
    switch_.to_fiber(bottom_, size_);
    fiber_ = std::move(fiber_).resume();
    switch_.on_caller();
  }
  void leave() {
    switch_.to_caller(false);
    caller_ = std::move(caller_).resume();
    switch_.on_fiber();
  }
  bool is_done() const { return is_done_; }

 private:
  const void* bottom_ = nullptr;
  size_t size_ = 0;
  bool is_done_ = false;
  recorder_test::StackSwitch switch_;
  boost::context::fiber fiber_, caller_;
};

struct Totals {
  int64_t ran_ns = 0, ready_ns = 0;
  uint32_t switches = 0, major_faults = 0, minor_faults = 0;
};

}  // namespace

struct MachineThread {
  enum State { kReady, kRunning, kAsleep, kDone };
  std::string name;
  std::unique_ptr<ThreadFiber> fiber;  // NULL: another program's
  uint32_t lane = 0;
  int priority = 0;
  uint64_t processors = ~0ull;
  State state = kAsleep;
  unsigned processor = 0;  // on which it runs, or ran last
  double work_ns = 0;      // that is left, while it does not run
  int64_t done_at_ns = 0;  // with its work, while it runs
  int64_t ran_since_ns = 0;
  int64_t ready_since_ns = 0;
  int64_t elsewhere_at_ns = 0;  // from then on it may run on another processor
  uint64_t turn = 0;            // among ready ones
  uint64_t sleep = 0;           // counts its sleeps, so that old timers are known
  bool was_in_time = false;
  const char* waits_for = "";
  uint64_t woken_by = 0;            // the flow from who woke it
  std::vector<std::string> scopes;  // open ones
  Totals total, at_mark;

  bool is_program() const { return fiber != nullptr; }
  bool is_recorded() const { return is_program() && lane != FLAMELET_BY_UNKNOWN; }
};

struct Machine::Simulation {
  struct Timer {
    int64_t at_ns;
    uint64_t order;
    Thread thread;  // NULL: just look who may run
    uint64_t sleep;
    bool operator<(const Timer& other) const { return std::tie(other.at_ns, other.order) < std::tie(at_ns, order); }
  };
  struct Processor {
    Thread thread = nullptr;
    int64_t slice_end_ns = 0;
    std::unique_ptr<MachineThread> other;  // what other programs do now and then
  };
  struct Order {
    Hitch hitch;
    bool is_taken = false;
    uint64_t begun_in = UINT64_MAX;
  };

  explicit Simulation(const Options& o) : options(o), random(o.seed), processors(o.processors) {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.max_frames = static_cast<uint32_t>(options.frames + 1);
    config.max_thread_times = 1 << 18;
    config.max_switches = 1 << 20;
    config.budget_bytes = flamelet_capture_memory_required(&config) + (size_t{64} << 20);
    if (options.processors == 0 || options.processors > 64 ||
        flamelet_capture_builder_create(&config, &builder) != FLAMELET_OK)
      throw std::logic_error("no machine with these options");
    for (const Hitch& hitch : options.hitches) orders.push_back({hitch});
    for (unsigned i = 0; i < processors.size() && options.has_other_programs; ++i) {
      processors[i].other = std::make_unique<MachineThread>();
      processors[i].other->priority = 1;
      processors[i].other->processors = 1ull << i;
      processors[i].other->processor = i;
      rest(processors[i].other.get());
    }
  }
  ~Simulation() { flamelet_capture_builder_destroy(builder); }

  // ---- Names ----
  uint32_t string(const std::string& text) {
    return flamelet_capture_builder_string(builder, text.data(), text.size());
  }
  uint32_t site(const std::string& name, const char* category, const char* function = "") {
    const auto key = std::make_tuple(name, std::string(category), std::string(function));
    const auto found = sites.find(key);
    if (found != sites.end()) return found->second;
    return sites[key] = flamelet_capture_builder_site(builder, string(name), string(category), string("engine.cpp"),
                                                      string(function), 0, 0);
  }

  // ---- Who runs ----
  Thread current() const {
    if (running == nullptr) throw std::logic_error("a call of a thread outside of the machine's threads");
    return running;
  }
  Thread add_thread(const std::string& name, std::function<void()> body, const ThreadOptions& o) {
    if ((o.processors & all_processors()) == 0) throw std::logic_error(name + " may run on no processor");
    threads.push_back(std::make_unique<MachineThread>());
    const Thread thread = threads.back().get();
    thread->name = name;
    thread->priority = o.priority;
    thread->processors = o.processors;
    thread->fiber = std::make_unique<ThreadFiber>(std::move(body), &failed);
    thread->lane = o.is_recorded ? flamelet_capture_builder_thread_lane(builder, 0, string(name)) : FLAMELET_BY_UNKNOWN;
    wake(thread);
    return thread;
  }
  uint64_t all_processors() const { return processors.size() == 64 ? ~0ull : (1ull << processors.size()) - 1; }
  void note_switch(const MachineThread& thread, flamelet_state_kind state) {
    if (thread.is_program() && options.facts == Facts::kStates && builder != nullptr)
      flamelet_capture_builder_switch(builder, thread.lane, now_ns, state, thread.processor);
  }
  void make_ready(Thread thread, int64_t elsewhere_at_ns) {
    thread->state = MachineThread::kReady;
    thread->ready_since_ns = now_ns;
    thread->elsewhere_at_ns = elsewhere_at_ns;
    thread->turn = ++turns;
    ready.push_back(thread);
    if (elsewhere_at_ns > now_ns) add_timer(elsewhere_at_ns, nullptr);
  }
  void put_on(Thread thread, unsigned processor) {
    ready.erase(std::find(ready.begin(), ready.end(), thread));
    thread->state = MachineThread::kRunning;
    thread->processor = processor;
    thread->total.ready_ns += now_ns - std::max(thread->ready_since_ns, thread->is_program() ? stopped_until_ns : 0);
    ++thread->total.switches;
    thread->ran_since_ns = now_ns;
    begin_work(thread);
    processors[processor].thread = thread;
    processors[processor].slice_end_ns = now_ns + kSliceNs;
    note_switch(*thread, FLAMELET_STATE_RUNNING);
  }
  void begin_work(Thread thread) {
    thread->done_at_ns = now_ns + static_cast<int64_t>(std::ceil(thread->work_ns / speed));
  }
  void end_work(Thread thread) {
    thread->work_ns = static_cast<double>(std::max<int64_t>(0, thread->done_at_ns - now_ns)) * speed;
  }
  void count_run(Thread thread) {
    thread->total.ran_ns += now_ns - thread->ran_since_ns;
    thread->ran_since_ns = now_ns;
  }
  void take_off(Thread thread, flamelet_state_kind state) {
    end_work(thread);
    count_run(thread);
    processors[thread->processor].thread = nullptr;
    note_switch(*thread, state);
  }
  void preempt(Thread thread) {
    take_off(thread, FLAMELET_STATE_TAKEN_OFF);
    make_ready(thread, now_ns + kCacheNs);
  }
  bool is_stopped(const MachineThread& thread) const { return thread.is_program() && now_ns < stopped_until_ns; }
  bool may_run(const MachineThread& thread, unsigned processor) const {
    return (thread.processors >> processor & 1) != 0 && !is_stopped(thread) &&
           (processor == thread.processor || now_ns >= thread.elsewhere_at_ns);
  }
  // The processor on which it can run now: a free one, its last one before others, or that of the lowest priority below its own.
  int place_for(const MachineThread& thread) const {
    int best = -1;
    int best_rank = INT32_MIN;
    for (unsigned i = 0; i < processors.size(); ++i) {
      if (!may_run(thread, i)) continue;
      const Thread there = processors[i].thread;
      if (there != nullptr && there->priority >= thread.priority) continue;
      const int rank = (there == nullptr ? 1'000'000 : -2 * there->priority) + (i == thread.processor ? 1 : 0);
      if (rank > best_rank) {
        best = static_cast<int>(i);
        best_rank = rank;
      }
    }
    return best;
  }
  void schedule() {
    std::sort(ready.begin(), ready.end(),
              [](Thread a, Thread b) { return std::tie(b->priority, a->turn) < std::tie(a->priority, b->turn); });
    for (size_t i = 0; i < ready.size();) {
      const Thread thread = ready[i];
      const int place = place_for(*thread);
      if (place < 0) {
        ++i;
        continue;
      }
      const Thread there = processors[static_cast<size_t>(place)].thread;
      if (there != nullptr) preempt(there);  // stands at the end now
      put_on(thread, static_cast<unsigned>(place));
    }
  }
  void end_slices() {
    for (unsigned i = 0; i < processors.size(); ++i) {
      const Thread thread = processors[i].thread;
      if (thread == nullptr || processors[i].slice_end_ns > now_ns) continue;
      processors[i].slice_end_ns = now_ns + kSliceNs;
      const bool is_wanted = std::any_of(ready.begin(), ready.end(), [&](Thread other) {
        return other->priority >= thread->priority && may_run(*other, i);
      });
      if (is_wanted) preempt(thread);
    }
  }

  // ---- Time ----
  void add_timer(int64_t at_ns, Thread thread) {
    timers.push({at_ns, ++timer_count, thread, thread == nullptr ? 0 : thread->sleep});
  }
  // It gets its processor some microseconds after it is woken.
  void wake(Thread thread) { add_timer(now_ns + 4'000 + static_cast<int64_t>(random() % 10'000), thread); }
  void fire(const Timer& timer) {
    const Thread thread = timer.thread;
    if (thread == nullptr && is_in_stop && now_ns == stopped_until_ns) {
      wake_sleepers(now_ns - 1000 * static_cast<int64_t>(threads.size() + 1));
      is_in_stop = false;
    }
    if (thread == nullptr || thread->state != MachineThread::kAsleep || thread->sleep != timer.sleep) return;
    make_ready(thread, now_ns);
  }
  bool run_code() {
    for (Processor& processor : processors) {
      const Thread thread = processor.thread;
      if (thread == nullptr || thread->done_at_ns > now_ns) continue;
      if (!thread->is_program()) {
        finish_other(thread);
        return true;
      }
      thread->work_ns = 0;
      running = thread;
      thread->fiber->enter();
      running = nullptr;
      if (failed != nullptr) is_over = true;
      if (thread->fiber->is_done() && !is_over) {
        thread->done_at_ns = now_ns;
        take_off(thread, FLAMELET_STATE_ASLEEP);
        thread->state = MachineThread::kDone;
      }
      return true;
    }
    return false;
  }
  void advance() {
    int64_t next = timers.empty() ? kNever : timers.top().at_ns;
    for (const Processor& processor : processors)
      if (processor.thread != nullptr)
        next = std::min({next, processor.thread->done_at_ns, std::max(processor.slice_end_ns, now_ns + 1)});
    if (next == kNever || frame_begin_ns + 60'000'000'000 < now_ns) throw std::logic_error(deadlock());
    now_ns = std::max(now_ns, next);
    while (!timers.empty() && timers.top().at_ns <= now_ns) {
      const Timer timer = timers.top();
      timers.pop();
      fire(timer);
    }
    end_slices();
  }
  std::string deadlock() const {
    std::string text = "no frame was marked for 60 s, as in a deadlock";
    for (const auto& thread : threads)
      if (thread->state == MachineThread::kAsleep) text += "; " + thread->name + " waits for a " + thread->waits_for;
    return text;
  }
  void run() {
    while (!is_over) {
      schedule();
      if (!run_code()) advance();
    }
  }
  void unwind() {
    is_over = true;
    for (size_t i = threads.size(); i-- > 0;) {  // the main thread last: it owns what others use
      running = threads[i].get();
      if (!running->fiber->is_done()) running->fiber->enter();
    }
    running = nullptr;
  }

  // ---- Other programs ----
  void rest(Thread other) {
    other->state = MachineThread::kAsleep;
    ++other->sleep;
    other->work_ns = 20'000 + static_cast<double>(random() % 100'000);
    add_timer(now_ns + 3'000'000 + static_cast<int64_t>(random() % 50'000'000), other);
  }
  void finish_other(Thread other) {
    take_off(other, FLAMELET_STATE_ASLEEP);
    other->state = MachineThread::kDone;
    for (const Processor& processor : processors)
      if (processor.other.get() == other) return rest(other);
  }

  // ---- What threads call ----
  // False: the calls of a thread that is unwound do nothing.
  bool goes_on() const {
    if (!is_over) return true;
    if (std::uncaught_exceptions() == 0) throw IsOver();
    return false;
  }
  void leave() {
    current()->fiber->leave();
    goes_on();
  }
  void work(int64_t ns) {
    if (!goes_on()) return;
    const Thread thread = current();
    thread->work_ns = static_cast<double>(ns);
    begin_work(thread);
    leave();
  }
  // Until somebody wakes it, or that time.
  bool sleep(int64_t until_ns, const char* waits_for) {
    if (!goes_on()) return false;
    const Thread thread = current();
    thread->waits_for = waits_for;
    take_off(thread, FLAMELET_STATE_ASLEEP);
    thread->work_ns = 0;
    thread->state = MachineThread::kAsleep;
    thread->was_in_time = false;
    ++thread->sleep;
    if (until_ns != kNever) add_timer(std::max(until_ns, now_ns + 1000), thread);
    leave();
    return thread->was_in_time;
  }
  // In a mutex, an event or a semaphore, of which flamelet/lock.h says `kind`.
  template <class Lock>
  bool sleep_in(Lock* lock, int64_t until_ns, const char* kind, const MachineThread* owner = nullptr) {
    if (!goes_on()) return false;
    const Thread thread = current();
    const bool is_recorded = options.records_locks && thread->is_recorded();
    if (is_recorded) {
      std::string object = owner == nullptr || !owner->is_recorded() ? "" : owner->name;
      if (!object.empty() && !owner->scopes.empty()) object += " in " + owner->scopes.back();
      flamelet_capture_builder_begin(builder, thread->lane, now_ns, site(kind, "wait", FLAMELET_WAIT_FUNCTION_),
                                     string(lock->name), string(object));
    }
    lock->waiters.push_back(thread);
    thread->woken_by = 0;
    const bool was_in_time = sleep(until_ns, kind);
    if (is_recorded && thread->woken_by != 0)
      flamelet_capture_builder_flow(builder, thread->lane, now_ns, thread->woken_by, true);
    if (is_recorded) flamelet_capture_builder_end(builder, thread->lane, now_ns);
    if (was_in_time) return true;
    const auto found = std::find(lock->waiters.begin(), lock->waiters.end(), thread);
    if (found != lock->waiters.end()) lock->waiters.erase(found);
    return false;
  }
  Thread wake_first(std::deque<Thread>* waiters) {
    const Thread thread = waiters->front();
    waiters->pop_front();
    thread->was_in_time = true;
    ++thread->sleep;  // its own timer does not count any more
    if (options.records_locks && current()->is_recorded()) {
      thread->woken_by = ++flows;
      flamelet_capture_builder_flow(builder, current()->lane, now_ns, flows, false);
    }
    wake(thread);
    return thread;
  }
  void read_disk(int64_t ns) {
    disk_free_at_ns = std::max(disk_free_at_ns, now_ns) + ns;
    sleep(disk_free_at_ns, "disk");
  }
  // A signal wakes each thread that sleeps, one after the other, when it stops the program and when the program goes on.
  // One that waits for a processor gets one as it stops.
  void wake_sleepers(int64_t at_ns) {
    constexpr int64_t kMomentNs = 500;
    for (const auto& thread : threads) {
      const bool is_ready = thread->state == MachineThread::kReady && !is_in_stop && thread->ready_since_ns < now_ns;
      if (is_ready) thread->total.ready_ns += now_ns - thread->ready_since_ns;
      if (thread->state != MachineThread::kAsleep && !is_ready) continue;
      at_ns += 2 * kMomentNs;
      thread->total.ran_ns += kMomentNs;
      ++thread->total.switches;
      if (options.facts != Facts::kStates || builder == nullptr) continue;
      flamelet_capture_builder_switch(builder, thread->lane, at_ns, FLAMELET_STATE_RUNNING, thread->processor);
      flamelet_capture_builder_switch(builder, thread->lane, at_ns + kMomentNs, FLAMELET_STATE_ASLEEP,
                                      thread->processor);
    }
  }
  void stop(int64_t ns) {
    stopped_until_ns = now_ns + ns;
    add_timer(stopped_until_ns, nullptr);
    for (const Processor& processor : processors) {
      const Thread thread = processor.thread;
      if (thread == nullptr || !thread->is_program()) continue;
      take_off(thread, FLAMELET_STATE_ASLEEP);
      make_ready(thread, now_ns);
    }
    wake_sleepers(now_ns);
    is_in_stop = true;
    leave();
  }

  // ---- Frames ----
  void mark_frame() {
    const Thread thread = current();
    if (frame_count == 0) flamelet_capture_builder_mark_frames(builder, thread->lane);
    flamelet_capture_builder_frame(builder, frame_count, frame_begin_ns, now_ns,
                                   frame_count == 0 ? uint32_t{FLAMELET_FRAME_PARTIAL} : 0);
    frame_begin_ns = now_ns;
    if (options.facts != Facts::kNone) read_machine(*thread);
    for (const auto& of : threads) {
      if (of->state == MachineThread::kRunning) count_run(of.get());
      if (of->is_recorded() && frame_count != 0) add_times(*of);
      of->at_mark = of->total;
    }
    if (frame_count++ < options.frames) return;
    is_over = true;
    flamelet_capture_builder_finish(builder, &capture);
    builder = nullptr;
    leave();
  }
  // The counters of the machine, as the recorder's frame marks record them.
  void read_machine(const MachineThread& marker) {
    constexpr int64_t kBetween = 100'000'000, kStep = 10'000'000;
    if (now_ns < machine_read_at_ns + kBetween) return;
    machine_read_at_ns = now_ns;
    const auto put = [&](const char* name, double value) {
      flamelet_capture_builder_counter(builder, marker.lane, now_ns, site(name, FLAMELET_MACHINE_CATEGORY), value);
    };
    if (clock_read != speed) put(FLAMELET_MACHINE_CLOCK, 3500 * speed);
    clock_read = speed;
    const int64_t host_now_ns = host_ns / kStep * kStep;
    if (host_now_ns != host_read_ns) put(FLAMELET_MACHINE_HOST, static_cast<double>(host_now_ns - host_read_ns) / 1e6);
    host_read_ns = host_now_ns;
  }
  void add_times(const MachineThread& thread) {
    if (options.facts == Facts::kNone) return;
    flamelet_thread_time time = {};
    time.ran_ns = thread.total.ran_ns - thread.at_mark.ran_ns;
    time.ready_ns = thread.total.ready_ns - thread.at_mark.ready_ns;
    time.switches = thread.total.switches - thread.at_mark.switches;
    time.major_faults = thread.total.major_faults - thread.at_mark.major_faults;
    time.minor_faults = thread.total.minor_faults - thread.at_mark.minor_faults;
    time.known = FLAMELET_TIME_RAN | FLAMELET_TIME_READY | FLAMELET_TIME_SWITCHES | FLAMELET_TIME_MAJOR_FAULTS |
                 FLAMELET_TIME_MINOR_FAULTS;
    flamelet_capture_builder_thread_time(builder, frame_count, thread.lane, &time);
  }
  void begin_hitch(Order* order) {
    order->begun_in = std::min(order->begun_in, frame_count);
    hitch_ms = order->hitch.ms;
  }

  const Options options;
  std::mt19937_64 random;
  flamelet_capture_builder* builder = nullptr;
  flamelet_capture* capture = nullptr;
  std::map<std::tuple<std::string, std::string, std::string>, uint32_t> sites;
  std::vector<Processor> processors;
  std::vector<std::unique_ptr<MachineThread>> threads;  // of the program
  std::vector<std::unique_ptr<MachineThread>> others;   // programs that were asked for
  std::vector<Thread> ready;
  std::priority_queue<Timer> timers;
  std::vector<Order> orders;
  Thread running = nullptr;
  std::exception_ptr failed;
  bool is_over = false;
  int64_t now_ns = 1'000'000, frame_begin_ns = 0, disk_free_at_ns = 0, stopped_until_ns = 0;
  bool is_in_stop = false;
  int64_t host_ns = 0, host_read_ns = 0, machine_read_at_ns = 0;
  double clock_read = 0;
  uint64_t timer_count = 0, turns = 0, frame_count = 0, flows = 0;
  double speed = 1, hitch_ms = 0;
};

Machine::Machine(const Options& options) : simulation_(std::make_unique<Simulation>(options)) {}
Machine::~Machine() = default;

flamelet_capture* Machine::run(const std::function<void(Machine&)>& engine) {
  Simulation& s = *simulation_;
  s.add_thread("Main", [&] { engine(*this); }, {});
  try {
    s.run();
  } catch (...) {
    s.failed = std::current_exception();
  }
  s.unwind();
  if (s.failed != nullptr) {
    flamelet_capture_destroy(s.capture);
    std::rethrow_exception(s.failed);
  }
  return s.capture;
}

uint64_t Machine::begun_in(size_t hitch) const {
  return simulation_->orders.at(hitch).begun_in;
}

void Machine::work(double ms) {
  simulation_->work(to_ns(ms));
}
void Machine::sleep(double ms) {
  simulation_->sleep(simulation_->now_ns + to_ns(ms), "timer");
}
void Machine::sleep_until(double ms) {
  if (to_ns(ms) > simulation_->now_ns) simulation_->sleep(to_ns(ms), "timer");
}
void Machine::wait_vsync(double period_ms) {
  const int64_t period = std::max<int64_t>(1, to_ns(period_ms));
  simulation_->sleep((simulation_->now_ns / period + 1) * period, "display");
}
void Machine::yield() {
  Simulation& s = *simulation_;
  if (!s.goes_on()) return;
  const Thread thread = s.current();
  s.take_off(thread, FLAMELET_STATE_TAKEN_OFF);
  s.make_ready(thread, s.now_ns);
  s.leave();
}
void Machine::spin_until(const std::function<bool()>& is_done) {
  while (!is_done()) work(0.002);
}
void Machine::read_file(double ms) {
  simulation_->read_disk(to_ns(ms));
}
void Machine::touch_new_memory(unsigned pages) {
  if (simulation_->is_over) return;
  simulation_->current()->total.minor_faults += pages;
  simulation_->work(kFaultNs * pages);
}
void Machine::touch_swapped_memory(unsigned pages) {
  for (unsigned i = 0; i < pages && !simulation_->is_over; ++i) {
    ++simulation_->current()->total.major_faults;
    simulation_->read_disk(kDiskFaultNs);
  }
}

void Machine::lock(Mutex& mutex) {
  if (!simulation_->goes_on()) return;
  const Thread thread = simulation_->current();
  if (mutex.owner == thread) throw std::logic_error(thread->name + " locks a mutex twice");
  if (!try_lock(mutex)) simulation_->sleep_in(&mutex, kNever, "lock", mutex.owner);
}
bool Machine::try_lock(Mutex& mutex) {
  if (!simulation_->goes_on() || mutex.owner != nullptr) return false;
  mutex.owner = simulation_->current();
  return true;
}
void Machine::unlock(Mutex& mutex) {
  if (!simulation_->goes_on()) return;
  const Thread thread = simulation_->current();
  if (mutex.owner != thread) throw std::logic_error(thread->name + " unlocks a mutex that it has not locked");
  mutex.owner = mutex.waiters.empty() ? nullptr : simulation_->wake_first(&mutex.waiters);
}
void Machine::set(Event& event) {
  event.is_set = true;
  while (!event.waiters.empty() && simulation_->goes_on()) simulation_->wake_first(&event.waiters);
}
void Machine::reset(Event& event) {
  event.is_set = false;
}
void Machine::wait(Event& event) {
  if (!event.is_set) simulation_->sleep_in(&event, kNever, "condition");
}
bool Machine::wait_for(Event& event, double ms) {
  return event.is_set || simulation_->sleep_in(&event, simulation_->now_ns + to_ns(ms), "condition");
}
void Machine::release(Semaphore& semaphore, int count) {
  for (; count > 0 && simulation_->goes_on(); --count) {
    if (semaphore.waiters.empty()) {
      ++semaphore.count;
    } else {
      simulation_->wake_first(&semaphore.waiters);
    }
  }
}
void Machine::acquire(Semaphore& semaphore) {
  if (semaphore.count > 0) {
    --semaphore.count;
  } else {
    simulation_->sleep_in(&semaphore, kNever, "semaphore");
  }
}

void Machine::begin(const std::string& name, const std::string& object, const char* category) {
  Simulation& s = *simulation_;
  if (!s.goes_on() || !s.current()->is_recorded()) return;
  s.current()->scopes.push_back(name);
  flamelet_capture_builder_begin(s.builder, s.current()->lane, s.now_ns, s.site(name, category), 0, s.string(object));
}
void Machine::end() {
  Simulation& s = *simulation_;
  if (!s.goes_on() || !s.current()->is_recorded()) return;
  s.current()->scopes.pop_back();
  flamelet_capture_builder_end(s.builder, s.current()->lane, s.now_ns);
}
uint64_t Machine::flow_begin() {
  Simulation& s = *simulation_;
  if (!s.goes_on()) return 0;
  if (s.current()->is_recorded())
    flamelet_capture_builder_flow(s.builder, s.current()->lane, s.now_ns, s.flows + 1, false);
  return ++s.flows;
}
void Machine::flow_end(uint64_t flow) {
  Simulation& s = *simulation_;
  if (s.goes_on() && s.current()->is_recorded())
    flamelet_capture_builder_flow(s.builder, s.current()->lane, s.now_ns, flow, true);
}
void Machine::counter(const std::string& name, double value) {
  Simulation& s = *simulation_;
  if (s.goes_on() && s.current()->is_recorded())
    flamelet_capture_builder_counter(s.builder, s.current()->lane, s.now_ns, s.site(name, ""), value);
}
void Machine::instant(const std::string& name) {
  Simulation& s = *simulation_;
  if (s.goes_on() && s.current()->is_recorded())
    flamelet_capture_builder_instant(s.builder, s.current()->lane, s.now_ns, s.site(name, ""), 0, 0);
}
void Machine::frame() {
  if (simulation_->goes_on()) simulation_->mark_frame();
}

Thread Machine::start_thread(const std::string& name, std::function<void()> body, const ThreadOptions& options) {
  return simulation_->add_thread(name, std::move(body), options);
}
void Machine::set_priority(Thread thread, int priority) {
  thread->priority = priority;
}
void Machine::set_processors(Thread thread, uint64_t processors) {
  Simulation& s = *simulation_;
  if ((processors & s.all_processors()) == 0) throw std::logic_error(thread->name + " may run on no processor");
  thread->processors = processors;
  const bool moves = thread->state == MachineThread::kRunning && (processors >> thread->processor & 1) == 0;
  if (!moves || !s.goes_on()) return;
  s.take_off(thread, FLAMELET_STATE_TAKEN_OFF);
  s.make_ready(thread, s.now_ns);
  if (thread == s.running) s.leave();
}
Thread Machine::this_thread() const {
  return simulation_->current();
}
unsigned Machine::processors() const {
  return simulation_->options.processors;
}

Queue Machine::gpu_queue(const std::string& name) {
  return {flamelet_capture_builder_lane(simulation_->builder, FLAMELET_LANE_GPU, simulation_->string(name)), 0};
}
Fence Machine::gpu_submit(Queue& queue, const std::string& name, double ms) {
  return gpu_submit(queue, name, {{nullptr, ms}});
}
Fence Machine::gpu_submit(Queue& queue, const std::string& name, const std::vector<Pass>& parts) {
  Simulation& s = *simulation_;
  if (!s.goes_on()) return {};
  flamelet_span span = {};
  span.depth = FLAMELET_DEPTH_UNKNOWN;
  const auto add = [&](const std::string& of, int64_t begin_ns, int64_t end_ns) {
    span.begin_ns = begin_ns;
    span.end_ns = end_ns;
    span.site = s.site(of, "");
    flamelet_capture_builder_span(s.builder, queue.lane, &span);
  };
  const int64_t begin_ns = std::max(queue.free_at_ns, s.now_ns + kSubmitNs);
  int64_t end_ns = begin_ns;
  for (const Pass& pass : parts) {
    const int64_t pass_begin_ns = end_ns;
    end_ns += to_ns(pass.ms);
    if (pass.name != nullptr) add(pass.name, pass_begin_ns, end_ns);
  }
  add(name, begin_ns, end_ns);
  queue.free_at_ns = end_ns;
  return {end_ns};
}
bool Machine::is_done(const Fence& fence) const {
  return fence.at_ns <= simulation_->now_ns;
}
void Machine::wait(const Fence& fence) {
  if (!is_done(fence)) simulation_->sleep(fence.at_ns, "GPU");
}

double Machine::now() const {
  return static_cast<double>(simulation_->now_ns) / 1e6;
}
uint64_t Machine::frame_index() const {
  return simulation_->frame_count;
}
uint64_t Machine::random(uint64_t below) {
  return below == 0 ? 0 : simulation_->random() % below;
}
double Machine::chance() {
  return static_cast<double>(simulation_->random() >> 11) / 9007199254740992.0;
}
// The sum of four even ones is nearly normal, and alike on every system; its spread is sqrt(1/3).
double Machine::about(double ms, double spread) {
  const double sum = chance() + chance() + chance() + chance() - 2;
  return std::max(0.1, 1 + sum * 1.7320508 * spread) * ms;
}

void Machine::other_program(unsigned processor, double ms, int priority) {
  Simulation& s = *simulation_;
  if (processor >= s.processors.size()) throw std::logic_error("the machine has no such processor");
  s.others.push_back(std::make_unique<MachineThread>());
  const Thread other = s.others.back().get();
  other->processors = 1ull << processor;
  other->processor = processor;
  other->priority = priority;
  other->work_ns = static_cast<double>(to_ns(ms));
  s.make_ready(other, s.now_ns);
}
void Machine::other_program_reads(double ms) {
  simulation_->disk_free_at_ns = std::max(simulation_->disk_free_at_ns, simulation_->now_ns) + to_ns(ms);
}
void Machine::other_program_uses_gpu(Queue& queue, double ms) {
  queue.free_at_ns = std::max(queue.free_at_ns, simulation_->now_ns) + to_ns(ms);
}
void Machine::stop_process(double ms) {
  if (simulation_->goes_on()) simulation_->stop(to_ns(ms));
}
void Machine::stop_machine(double ms) {
  Simulation& s = *simulation_;
  for (Simulation::Processor& processor : s.processors) {
    processor.slice_end_ns += to_ns(ms);
    if (processor.thread == nullptr) continue;
    processor.thread->done_at_ns += to_ns(ms);
    s.host_ns += to_ns(ms);
  }
  s.now_ns += to_ns(ms);
}
void Machine::set_speed(double factor) {
  Simulation& s = *simulation_;
  if (!(factor > 0)) throw std::logic_error("a speed is above 0");
  for (const Simulation::Processor& processor : s.processors)
    if (processor.thread != nullptr) s.end_work(processor.thread);
  s.speed = factor;
  for (const Simulation::Processor& processor : s.processors)
    if (processor.thread != nullptr) s.begin_work(processor.thread);
}

bool Machine::take_hitch(size_t kind) {
  for (Simulation::Order& order : simulation_->orders) {
    if (order.hitch.kind != kind || order.is_taken || order.hitch.frame > frame_index()) continue;
    order.is_taken = true;
    simulation_->begin_hitch(&order);
    return true;
  }
  return false;
}
bool Machine::in_hitch(size_t kind) {
  for (Simulation::Order& order : simulation_->orders) {
    if (order.hitch.kind != kind || order.hitch.frame != frame_index()) continue;
    simulation_->begin_hitch(&order);
    return true;
  }
  return false;
}
double Machine::hitch_ms() const {
  return simulation_->hitch_ms;
}

Kind kind(const char* name, const char* what, uint32_t causes, const char* scopes, const char* lane, const char* via) {
  Kind kind = {name, what, causes, {}, lane, via};
  if (scopes == nullptr) return kind;
  const std::string text = scopes;
  size_t begin = 0;
  for (size_t bar; (bar = text.find(" | ", begin)) != std::string::npos; begin = bar + 3)
    kind.scopes.push_back(text.substr(begin, bar - begin));
  kind.scopes.push_back(text.substr(begin));
  return kind;
}

std::vector<const Engine*>& all_engines() {
  static std::vector<const Engine*> engines;
  return engines;
}

}  // namespace engines
