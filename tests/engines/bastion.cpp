// SPDX-License-Identifier: MIT
//
// bastion.cpp: a dedicated server of a game for 64 players. The main thread runs a tick 30 times a second, paced by a
// timer. Physics and snapshots are graphs of tasks with continuations, on a pool of three workers with priorities.
// Around it are threads for the network, paths, the database, the log, the maps, figures and a spectators' video, and
// an anti-cheat library's own.
//
// A tick is busy for some 17 of its 33 ms. So a hitch has to use up the rest before anybody sees it: see spare().
#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/machine.h"

namespace engines {
namespace {

enum BastionKind : size_t {
  kCommandFlood,
  kInterestExplodes,
  kBaselineLost,
  kFullCollection,
  kStuckBehindChunks,
  kTelemetryInversion,
  kReceiverTakenOff,
  kPathDeadlines,
  kTradeFsync,
  kInventoryThenSectors,
  kLogRotation,
  kLogQueueFull,
  kNameLookup,
  kTimerOverslept,
  kMapMemory,
  kSubsteps,
  kGridRehash,
  kAntiCheatLate,
  kEncoderSlow,
  kHandshakeFirst,
  kSendRingFull,
  kRowsOnMain,
  kWavePlanLate,
  kQuietTick,
  kBackgroundFlush,
  kBusyButInTime,
};

constexpr double kTickMs = 1000.0 / 30;
constexpr double kSpareMs = 16;  // of an ordinary tick, about
constexpr int kGroups = 16;      // of four players each
constexpr int kPlayers = 64;
constexpr int kLow = 0, kNormal = 1, kHigh = 2;  // priorities of tasks

struct BastionTask {
  std::string name, object;
  int priority = kNormal;
  std::function<void()> body;
  int awaited = 0;  // how many tasks have to end before this one begins
  std::vector<std::shared_ptr<BastionTask>> continuations;
  uint64_t flow = 0;
};
using BastionTaskPtr = std::shared_ptr<BastionTask>;

// A thread with a queue of what it has to do.
struct BastionMailbox {
  std::deque<std::function<void()>> queue;
  Semaphore count;
};

struct BastionPathRequest {
  uint64_t deadline;  // a tick; the earliest goes first
  double ms;
  bool is_boss;
  uint64_t flow;
};

struct BastionView {  // a picture for the spectators
  double scale_ms, search_ms;
  bool has_buffer;
};

class Bastion {
 public:
  explicit Bastion(Machine& machine) : m(machine) {
    entities_.name = "entities";
    sessions_.name = "sessions";
    inventories_.name = "inventories";
    sectors_.name = "sectors";
    log_file_.name = "log file";
    physics_done_.name = "physics done";
    sent_.name = "snapshots done";
    boss_path_.name = "boss path";
  }

  void run() {
    encoder_ = m.gpu_queue("Video encode");
    start_threads();
    deadline_ = m.now() + kTickMs;
    for (;; ++tick_) {
      m.scope("Server tick", "match 7", [&] { tick(); });
      pace();
      m.frame();
    }
  }

 private:
  // ---- Threads ------------------------------------------------------------------------------------------------------

  static ThreadOptions with(int priority, uint64_t processors = ~0ull, bool is_recorded = true) {
    ThreadOptions options;
    options.priority = priority;
    options.processors = processors;
    options.is_recorded = is_recorded;
    return options;
  }

  void start_threads() {
    // As servers do: the main thread and the network go first, all that is no hurry shares the last processor.
    const unsigned last = m.processors() - 1;
    receive_processor_ = last > 0 ? last - 1 : 0;
    const uint64_t housekeeping = 1ull << last;
    m.set_priority(m.this_thread(), 3);
    for (const char* name : {"Job 0", "Job 1", "Job 2"})
      m.start_thread(
          name, [this] { run_tasks(); }, with(1));
    m.start_thread(
        "Net receive", [this] { receive_forever(); }, with(2, 1ull << receive_processor_));
    m.start_thread(
        "Net send", [this] { serve(outbox_); }, with(2));
    m.start_thread(
        "Pathfinder", [this] { find_paths(); }, with(1));
    m.start_thread(
        "Database", [this] { serve(database_); }, with(0));
    m.start_thread(
        "Streamer", [this] { serve(streamer_); }, with(0));
    m.start_thread(
        "Logger", [this] { log_forever(); }, with(0));
    m.start_thread(
        "Replay", [this] { encode_views(); }, with(0, housekeeping));
    m.start_thread(
        "Telemetry", [this] { sample_forever(); }, with(-1, housekeeping));
    m.start_thread(
        "Anti-cheat", [this] { check_forever(); }, with(1, ~0ull, false));
  }

  void serve(BastionMailbox& mailbox) {
    for (;;) {
      m.acquire(mailbox.count);
      const std::function<void()> letter = mailbox.queue.front();
      mailbox.queue.pop_front();
      letter();
    }
  }

  void post(BastionMailbox& mailbox, std::function<void()> body, bool is_urgent = false) {
    const uint64_t flow = m.flow_begin();
    auto letter = [this, flow, body = std::move(body)] {
      m.flow_end(flow);
      body();
    };
    if (is_urgent) mailbox.queue.push_front(letter);
    if (!is_urgent) mailbox.queue.push_back(letter);
    m.release(mailbox.count);
  }

  // ---- The pool -----------------------------------------------------------------------------------------------------

  BastionTaskPtr task(const std::string& name, const std::string& object, int priority, std::function<void()> body) {
    auto made = std::make_shared<BastionTask>();
    made->name = name;
    made->object = object;
    made->priority = priority;
    made->body = std::move(body);
    return made;
  }

  static void then(const BastionTaskPtr& first, const BastionTaskPtr& second) {
    first->continuations.push_back(second);
    ++second->awaited;
  }

  void submit(const BastionTaskPtr& ready) {
    if (ready->priority < kHigh) ++unhurried_;
    ready->flow = m.flow_begin();
    ready_[ready->priority].push_back(ready);
    m.release(has_task_);
  }

  void run_tasks() {
    for (;;) {
      m.acquire(has_task_);
      auto& queue = !ready_[kHigh].empty() ? ready_[kHigh] : !ready_[kNormal].empty() ? ready_[kNormal] : ready_[kLow];
      const BastionTaskPtr mine = queue.front();
      queue.pop_front();
      m.flow_end(mine->flow);
      m.scope(mine->name, mine->object, mine->body);
      if (mine->priority < kHigh) --unhurried_;
      for (const BastionTaskPtr& next : mine->continuations) {
        if (--next->awaited == 0) submit(next);
      }
    }
  }

  // ---- The tick -----------------------------------------------------------------------------------------------------

  // How much trouble it takes until the tick is late by the hitch's size.
  double spare() const { return m.hitch_ms() + kSpareMs; }
  bool each(uint64_t ticks, uint64_t phase) const { return tick_ % ticks == phase; }

  void tick() {
    share_ = m.take_hitch(kQuietTick) ? 0.3 : 1;
    begin_background();
    receive();
    start_physics();
    run_scripts();
    m.wait_scope("Wait for physics", [&] { m.wait(physics_done_); });
    m.flow_end(physics_flow_);
    update_interest();
    replicate();
    take_paths();
    persist();
    m.wait_scope("Wait for snapshots", [&] { m.wait(sent_); });
    m.flow_end(sent_flow_);
    show_spectators();
  }

  void pace() {
    m.scope("Wait for tick", [&] {
      const double overslept = m.take_hitch(kTimerOverslept) ? m.hitch_ms() : 0;
      m.sleep_until(deadline_ + overslept);
    });
    // A tick that is late is not made up for: the timer starts anew.
    if (m.now() > deadline_ + 2) deadline_ = m.now();
    deadline_ += kTickMs;
  }

  // What others do in the meantime, once in a while.
  void begin_background() {
    if (m.take_hitch(kInventoryThenSectors)) {
      const double until_sectors = spare() + 12;
      copy_inventories(until_sectors / 2);
      swap_sectors(until_sectors);
    } else {
      if (each(15, 4)) copy_inventories(m.about(0.4));
      if (each(20, 11)) swap_sectors(m.about(0.3));
    }
    if (m.take_hitch(kTelemetryInversion)) {
      scale_in_sample_ms_ = spare() + 3;
      m.set(sample_);
    } else if (each(6, 2)) {
      m.set(sample_);
    }
    if (m.take_hitch(kLogRotation)) {
      rotate_ms_ = spare() + 8;
      log();
      expires_now_ = true;
    }
    if (each(20, 7)) post(streamer_, [this] { read_sector(m.about(3)); });
    if (each(20, 16)) submit(task("Pack replay chunk", "minute", kLow, [this] { m.work(m.about(22)); }));
    plan_wave();
  }

  void receive() {
    m.scope("Receive commands", [&] {
      if (m.take_hitch(kHandshakeFirst)) {
        handshake_ms_ = spare();
      } else if (each(45, 20)) {
        handshake_ms_ = m.about(0.9);
      }
      m.reset(swapped_);
      swap_wanted_ = true;
      m.set(net_wake_);
      m.wait_scope("Swap inbound", [&] { m.wait(swapped_); });
      m.flow_end(swap_flow_);
      if (m.take_hitch(kReceiverTakenOff)) {
        stolen_ms_ = spare() + 3;
        refresh_wanted_ = true;
      }
      if (each(10, 3)) refresh_wanted_ = true;
      if (refresh_wanted_) m.set(net_wake_);
      int commands = 14 + static_cast<int>(m.random(5));
      if (m.take_hitch(kCommandFlood)) commands += static_cast<int>(spare() / 0.18);
      for (int i = 0; i < commands; ++i) m.scope("Apply command", [&] { m.work(m.about(0.18, 0.2) * share_); });
      m.locked(sessions_, [&] { m.scope("Touch sessions", [&] { m.work(m.about(0.2)); }); });
      if (each(45, 21)) check_ban();
      if (m.take_hitch(kNameLookup)) {
        lookup_ms_ = spare();
        check_ban();
      }
    });
    if (expires_now_ || each(30, 9)) {
      expires_now_ = false;
      post(outbox_, [this] { expire_sessions(); });
    }
  }

  // A new player's address; its name is in the cache if it has been here before.
  void check_ban() {
    m.scope("Check ban", "new player", [&] {
      m.work(m.about(0.1));
      const double ms = std::exchange(lookup_ms_, 0);
      if (ms > 0) m.scope("Resolve host", [&] { m.sleep(ms); });
    });
    full_state_in_ = static_cast<int>(m.random(kGroups));
  }

  void run_scripts() {
    m.scope("Run scripts", [&] {
      m.wait_scope("Lock entities", [&] { m.lock(entities_); });
      const double more = m.take_hitch(kBusyButInTime) ? 5.0 / 22 : 0;
      for (int i = 0; i < 22; ++i) m.scope("Think", [&] { m.work(m.about(0.19, 0.2) * share_ + more); });
      m.unlock(entities_);
      m.scope("Trade", [&] {
        m.lock(inventories_);
        m.work(m.about(0.3));
        m.unlock(inventories_);
      });
      m.scope("Report script errors", [&] {
        int lines = 1 + static_cast<int>(m.random(3));
        if (m.take_hitch(kLogQueueFull)) lines += kLogLines + static_cast<int>(spare() / 0.25);
        for (int i = 0; i < lines; ++i) log();
      });
      m.scope("GC step", [&] { m.work(m.about(0.6, 0.1) + (m.take_hitch(kFullCollection) ? spare() : 0)); });
      m.counter("Script heap", 40 + 3.0 * static_cast<double>(tick_ % 16));
    });
  }

  // A graph that makes itself: the end of a substep submits the next.
  void start_physics() {
    m.reset(physics_done_);
    if (unhurried_ == 0 && m.take_hitch(kStuckBehindChunks)) {
      const double ms = spare() + 5;
      for (const char* minute : {"minute 1", "minute 2", "minute 3"}) {
        submit(task("Pack replay chunk", minute, kLow, [this, ms] { m.work(ms); }));
      }
      m.work(0.05);
    }
    substeps_left_ = 2;
    if (m.take_hitch(kSubsteps)) substeps_left_ += static_cast<int>(spare() / 2.8) + 1;
    start_substep();
  }

  void start_substep() {
    const auto broadphase = task("Broadphase", "", kHigh, [this] { m.work(m.about(0.6)); });
    const auto integrate = task("Integrate", "", kHigh, [this] {
      m.work(m.about(0.5));
      if (--substeps_left_ > 0) return start_substep();
      physics_flow_ = m.flow_begin();
      m.set(physics_done_);
    });
    for (int i = 0; i < 4; ++i) {
      const auto solve = task("Solve islands", "", kHigh, [this] { m.work(m.about(0.8, 0.1) * share_); });
      then(broadphase, solve);
      then(solve, integrate);
    }
    submit(broadphase);
  }

  void update_interest() {
    m.scope("Update interest", [&] {
      m.scope("Read sessions", [&] {
        m.lock(sessions_);
        m.work(m.about(0.1));
        m.unlock(sessions_);
      });
      m.wait_scope("Lock sectors", [&] { m.lock(sectors_); });
      const int rehashed = m.take_hitch(kGridRehash) ? static_cast<int>(m.random(kPlayers)) : -1;
      for (int i = 0; i < kPlayers; ++i) {
        m.scope("Move in grid", [&] { m.work(m.about(0.03, 0.2) + (i == rehashed ? spare() : 0)); });
      }
      const bool is_new = m.take_hitch(kMapMemory);
      if (is_new || each(30, 14)) {
        m.scope("Spawn sector", is_new ? "new map" : "old map", [&] {
          m.work(m.about(0.8));
          if (is_new) m.touch_new_memory(static_cast<unsigned>(spare() / 0.0005));
        });
      }
      m.unlock(sectors_);
    });
  }

  // For each group of players: what concerns them, how it differs from what they have, and that packed for the sender.
  void replicate() {
    m.scope("Start snapshots", [&] {
      m.reset(sent_);
      groups_left_ = kGroups;
      const int exploding = m.take_hitch(kInterestExplodes) ? static_cast<int>(m.random(kGroups)) : -1;
      const double full_ms = m.take_hitch(kBaselineLost) ? spare() * 3 / kGroups : 0;
      if (m.take_hitch(kSendRingFull)) stall_ms_ = spare();
      const int joined = std::exchange(full_state_in_, -1);
      for (int i = 0; i < kGroups; ++i) {
        const std::string players = "group " + std::to_string(i);
        const double gather_ms = m.about(0.3, 0.1) + (i == exploding ? spare() + 6 : 0);
        const double state_ms = full_ms > 0 ? full_ms : i == joined ? 0.8 : 0;
        const auto gather = task("Gather relevant", players, kHigh, [this, gather_ms] { m.work(gather_ms); });
        const auto serialise = task("Serialise snapshot", players, kHigh, [this, state_ms] {
          m.work(m.about(0.4, 0.1));
          if (state_ms > 0) m.scope("Write full state", [&] { m.work(m.about(state_ms)); });
        });
        const auto pack = task("Pack snapshot", players, kHigh, [this] { pack_snapshot(); });
        then(gather, serialise);
        then(serialise, pack);
        submit(gather);
      }
      m.work(m.about(0.2));
    });
  }

  void pack_snapshot() {
    m.work(m.about(0.15, 0.1));
    m.acquire(send_free_);
    post(outbox_, [this] {
      m.scope("Send datagrams", [&] {
        m.work(m.about(0.08));
        const double ms = std::exchange(stall_ms_, 0);
        if (ms > 0) m.sleep(ms);
      });
      m.release(send_free_);
    });
    if (--groups_left_ > 0) return;
    sent_flow_ = m.flow_begin();
    m.set(sent_);
  }

  void take_paths() {
    m.scope("Plan creatures", [&] {
      m.reset(boss_path_);
      for (int i = 0; i < 3; ++i) request_path(tick_ + 2, m.about(0.9, 0.2), false);
      request_path(tick_, m.about(0.9, 0.1), true);
      if (m.take_hitch(kPathDeadlines)) {
        // A gate has closed: the whole squad needs other paths, and all are overdue already.
        for (double ms = spare() + 4; ms > 0; ms -= 0.9) request_path(tick_ - 1, m.about(0.9, 0.2), false);
      }
      m.work(m.about(0.9));
      m.wait_scope("Wait for boss path", [&] { m.wait(boss_path_); });
      m.flow_end(boss_flow_);
    });
  }

  void request_path(uint64_t deadline, double ms, bool is_boss) {
    const BastionPathRequest request = {deadline, ms, is_boss, m.flow_begin()};
    const auto at = std::upper_bound(
        requests_.begin(), requests_.end(), request,
        [](const BastionPathRequest& a, const BastionPathRequest& b) { return a.deadline < b.deadline; });
    requests_.insert(at, request);
    m.release(has_request_);
  }

  void persist() {
    m.scope("Persist", [&] {
      m.work(m.about(0.2));
      if (m.take_hitch(kRowsOnMain)) {
        for (double ms = spare(); ms > 0; ms -= 0.5) write_rows();
        return;
      }
      if (m.take_hitch(kBackgroundFlush)) {
        const double ms = m.hitch_ms();
        no_trade_until_ = tick_ + 4;
        post(database_, [this, ms] { fsync(ms); });
        post(streamer_, [this, ms] { read_sector(ms); });
      }
      if (each(15, 8)) {
        for (int i = 0; i < 50; ++i) post(database_, [this] { write_rows(); });
        post(database_, [this] { fsync(m.about(0.5)); });
      }
      const double fsync_ms = m.take_hitch(kTradeFsync) ? spare() : 0;
      if (fsync_ms > 0 || (each(12, 5) && tick_ >= no_trade_until_)) commit_trade(fsync_ms);
    });
    m.scope("Validate players", [&] {
      m.work(m.about(0.1));
      if (m.take_hitch(kAntiCheatLate)) scan_ms_ = spare();
      m.reset(checked_);
      m.set(check_);
      m.wait(checked_);
    });
  }

  // Nobody may have the thing before it is on the disk.
  void commit_trade(double fsync_ms) {
    m.scope("Commit trade", [&] {
      m.reset(committed_);
      auto commit = [this, fsync_ms] {
        m.scope("Append to WAL", [&] { m.work(m.about(0.15)); });
        fsync(fsync_ms > 0 ? fsync_ms : m.about(0.4));
        commit_flow_ = m.flow_begin();
        m.set(committed_);
      };
      post(database_, commit, true);
      m.wait(committed_);
      m.flow_end(commit_flow_);
    });
  }

  void show_spectators() {
    m.scope("Show spectators", [&] {
      m.wait_scope("Take view buffer", [&] { m.acquire(free_views_); });
      m.work(m.about(0.3));
      // There are two buffers: who keeps one is noticed two ticks later.
      const double slow_ms = m.take_hitch(kEncoderSlow) ? 2 * kTickMs + m.hitch_ms() : 0;
      const double key_ms = each(60, 33) ? 5 : 0;
      views_.push_back({m.about(0.9), m.about(5) + key_ms + slow_ms, true});
      m.release(has_view_);
    });
  }

  // A plan that is begun two ticks before it is needed.
  void plan_wave() {
    if (wave_due_ == 0) {
      const bool is_late = m.take_hitch(kWavePlanLate);
      if (!is_late && !each(25, 13)) return;
      m.reset(wave_planned_);
      wave_due_ = tick_ + 2;
      const double ms = is_late ? 2 * kTickMs + spare() : m.about(18);
      submit(task("Plan spawn wave", "", kNormal, [this, ms] {
        m.work(ms);
        wave_flow_ = m.flow_begin();
        m.set(wave_planned_);
      }));
    } else if (tick_ >= wave_due_) {
      wave_due_ = 0;
      m.scope("Spawn wave", [&] {
        m.wait(wave_planned_);
        m.flow_end(wave_flow_);
        m.work(m.about(0.4));
      });
    }
  }

  // ---- The others ---------------------------------------------------------------------------------------------------

  void receive_forever() {
    for (;;) {
      m.wait_scope("Poll socket", [&] { m.wait_for(net_wake_, m.about(4, 0.3)); });
      m.reset(net_wake_);
      const double handshake_ms = std::exchange(handshake_ms_, 0);
      if (handshake_ms > 0) m.scope("Handshake", "new player", [&] { m.work(handshake_ms); });
      m.scope("Receive batch", [&] { m.work(m.about(0.15, 0.3)); });
      if (std::exchange(refresh_wanted_, false)) {
        m.lock(sessions_);
        m.scope("Refresh sessions", [&] {
          const double stolen_ms = std::exchange(stolen_ms_, 0);
          m.work(m.about(0.1));
          if (stolen_ms > 0) m.other_program(receive_processor_, stolen_ms, 10);
          m.work(m.about(0.2));
        });
        m.unlock(sessions_);
      }
      if (std::exchange(swap_wanted_, false)) {
        swap_flow_ = m.flow_begin();
        m.set(swapped_);
      }
    }
  }

  void expire_sessions() {
    m.scope("Expire sessions", [&] {
      m.lock(sessions_);
      m.work(m.about(0.1));
      m.lock(log_file_);  // each one is written to the log at once
      m.work(m.about(0.05));
      m.unlock(log_file_);
      m.unlock(sessions_);
    });
  }

  void find_paths() {
    for (;;) {
      m.acquire(has_request_);
      const BastionPathRequest request = requests_.front();
      requests_.pop_front();
      m.flow_end(request.flow);
      m.scope("Find path", [&] { m.work(request.ms); });
      if (!request.is_boss) continue;
      boss_flow_ = m.flow_begin();
      m.set(boss_path_);
    }
  }

  void fsync(double ms) {
    m.scope("fsync WAL", [&] { m.read_file(ms); });
  }
  void write_rows() {
    m.scope("Write rows", [&] { m.work(m.about(0.5)); });
  }
  void copy_inventories(double ms) {
    auto copy = [this, ms] { m.locked(inventories_, [&] { m.scope("Copy inventories", [&] { m.work(ms); }); }); };
    post(database_, copy, true);
  }
  void swap_sectors(double ms) {
    auto swap = [this, ms] { m.locked(sectors_, [&] { m.scope("Swap sectors", [&] { m.work(ms); }); }); };
    post(streamer_, swap, true);
  }
  void read_sector(double ms) {
    m.scope("Read sector", [&] { m.read_file(ms); });
    m.scope("Unpack sector", [&] { m.work(m.about(1.2)); });
  }

  void log() {
    m.acquire(log_space_);
    m.work(0.005);
    m.release(log_lines_);
  }

  void log_forever() {
    for (;;) {
      m.acquire(log_lines_);
      m.locked(log_file_, [&] {
        const double rotate_ms = std::exchange(rotate_ms_, 0);
        if (rotate_ms > 0) m.scope("Rotate log", [&] { m.read_file(rotate_ms); });
        m.scope("Format line", [&] { m.work(m.about(0.25)); });
      });
      m.release(log_space_);
    }
  }

  void sample_forever() {
    for (;;) {
      m.wait(sample_);
      m.reset(sample_);
      m.lock(entities_);
      m.scope("Sample entities", [&] {
        m.work(m.about(0.1));
        const double ms = std::exchange(scale_in_sample_ms_, 0);
        if (ms > 0) {  // a large picture that a spectator has asked for
          views_.push_back({ms, 2, false});
          m.release(has_view_);
        }
        m.work(m.about(0.3));
      });
      m.unlock(entities_);
    }
  }

  void encode_views() {
    for (;;) {
      m.acquire(has_view_);
      const BastionView view = views_.front();
      views_.pop_front();
      m.scope("Scale picture", [&] { m.work(view.scale_ms); });
      const Fence encoded =
          m.gpu_submit(encoder_, "Encode picture", {{"Motion search", view.search_ms}, {"Entropy code", m.about(2)}});
      m.wait_scope("Wait for encoder", [&] { m.wait(encoded); });
      m.scope("Write stream", [&] { m.work(m.about(0.2)); });
      if (view.has_buffer) m.release(free_views_);
    }
  }

  // The library's thread, of which the profiler knows nothing.
  void check_forever() {
    for (;;) {
      m.wait(check_);
      m.reset(check_);
      m.work(m.about(0.15) + std::exchange(scan_ms_, 0));
      m.set(checked_);
    }
  }

  static constexpr int kLogLines = 16;

  Machine& m;
  uint64_t tick_ = 1;
  double deadline_ = 0;
  unsigned receive_processor_ = 0;
  double share_ = 1;  // of what players and creatures have to do in an ordinary tick

  Mutex entities_, sessions_, inventories_, sectors_, log_file_;

  std::deque<BastionTaskPtr> ready_[3];  // by priority
  Semaphore has_task_;
  int unhurried_ = 0;  // tasks that are not of high priority, and not done yet
  int substeps_left_ = 0, groups_left_ = 0;
  Event physics_done_, sent_;
  uint64_t physics_flow_ = 0, sent_flow_ = 0;
  int full_state_in_ = -1;  // the group that a player has joined
  uint64_t wave_due_ = 0, wave_flow_ = 0;
  Event wave_planned_;

  Event net_wake_, swapped_;
  bool swap_wanted_ = false, refresh_wanted_ = false, expires_now_ = false;
  uint64_t swap_flow_ = 0;
  double handshake_ms_ = 0, stolen_ms_ = 0, stall_ms_ = 0, lookup_ms_ = 0;
  BastionMailbox outbox_, database_, streamer_;
  Semaphore send_free_{6, {}, "send buffers"};

  std::deque<BastionPathRequest> requests_;  // by deadline
  Semaphore has_request_;
  Event boss_path_;
  uint64_t boss_flow_ = 0;

  Event committed_;
  uint64_t commit_flow_ = 0, no_trade_until_ = 0;

  Semaphore log_space_{kLogLines, {}, "log space"}, log_lines_;
  double rotate_ms_ = 0;

  Event sample_, check_, checked_;
  double scale_in_sample_ms_ = 0, scan_ms_ = 0;

  Queue encoder_;
  std::deque<BastionView> views_;
  Semaphore has_view_, free_views_{2, {}, "view buffers"};
};

const Engine kBastion = {
    "bastion",
    {
        kind("command flood", "One player sent hundreds of commands, and the tick applied all of them.", kMoreCalls,
             "Apply command", "Main", ""),
        kind("interest explodes",
             "One group's players saw the whole map at once, and a worker gathered what concerns them for very long.",
             kWorkTookLonger, "Gather relevant", ""),
        kind("baseline lost",
             "All players had lost their baseline, so the workers wrote the full state into each snapshot.",
             kNewWork | kMoreCalls, "Write full state", ""),
        kind("full collection",
             "The scripts' garbage collector did a full collection in a step that is small otherwise.", kWorkTookLonger,
             "GC step", "Main", ""),
        kind("stuck behind chunks",
             "Three long jobs of low priority had all workers when the physics was submitted, so it began late.",
             kPlacedDifferently | kWaitedForWork | kMoreCalls, "Pack replay chunk", ""),
        kind("telemetry inversion",
             "Telemetry held the entities' lock, and Replay, of a higher priority, kept it off its processor.",
             kWaitedForLock | kOwnThread, "Sample entities | Scale picture", ""),
        kind("receiver taken off", "The receiver held the sessions' lock while another program had its processor.",
             kWaitedForLock | kOtherProgram, "Refresh sessions", "Net receive", ""),
        kind("path deadlines",
             "A squad's many overdue requests went before the boss's path, for which the tick waited.",
             kMoreCalls | kWaitedForWork | kPlacedDifferently, "Find path", "Pathfinder", ""),
        kind("trade fsync", "The tick waited until a trade was on the disk, and the database's fsync took long.",
             kFileOrSleep, "fsync WAL", "Database", ""),
        kind("inventory then sectors",
             "The tick waited for the lock of the inventories, which the database copied, and then for that of the "
             "sectors, which the "
             "streamer swapped.",
             kWaitedForLock, "Copy inventories | Swap sectors", "", ""),
        kind("log rotation",
             "The logger rotated its file while the sender waited for the file with the sessions' lock in its hands.",
             kFileOrSleep | kNewWork | kWaitedForLock, "Rotate log", "Logger", "Net send"),
        kind("log queue full",
             "A script reported hundreds of errors, so the log's queue was full and the tick waited for the logger.",
             kMoreCalls | kWaitedForWork, "Format line | Report script errors", "", ""),
        kind("name lookup", "The tick itself asked the DNS for a new player's host and waited for the answer.",
             kFileOrSleep | kNewWork, "Resolve host", "Main", ""),
        kind("timer overslept", "The timer woke the main thread too late.", kFileOrSleep, "Wait for tick", "Main", ""),
        kind("map memory", "A sector of a new map was put into memory that was touched for the first time.",
             kMemoryFaults | kNewWork, "Spawn sector", "Main", ""),
        kind("substeps", "The physics ran many substeps more than its two.", kMoreCalls,
             "Broadphase | Solve islands | Integrate", ""),
        kind("grid rehash", "The interest grid was rehashed when one of the players moved.", kWorkTookLonger,
             "Move in grid", "Main", ""),
        kind("anti-cheat late", "The anti-cheat library's own thread, which is not recorded, took long to answer.",
             kWaitedForWork, "Validate players", "Main", ""),
        kind("encoder slow",
             "The video encoder searched one picture for so long that the spectators' buffers were all taken two ticks "
             "later.",
             kGpu, "Motion search", "Video encode", "Replay"),
        kind("handshake first", "The receiver did a new player's handshake before it handed over the commands.",
             kNewWork | kWorkTookLonger, "Handshake", "Net receive", ""),
        kind("send ring full",
             "The sender slept in the network driver, whose ring was full, so the workers had no buffers for the "
             "snapshots.",
             kFileOrSleep, "Send datagrams", "Net send"),
        kind("rows on main", "The main thread wrote the rows that otherwise the database's thread writes.",
             kPlacedDifferently | kNewWork, "Write rows", "Main", ""),
        kind("wave plan late",
             "The plan that was begun two ticks before was not ready when the wave had to be spawned.",
             kWorkTookLonger | kWaitedForWork, "Plan spawn wave", ""),
        kind("quiet tick", "The players and creatures had little to do, so the main thread slept for longer.",
             kOrdinary, kNoScope, ""),
        kind("background flush", "The database and the streamer used the disk for long, and nobody waited for them.",
             kOrdinary, kNoScope, ""),
        kind("busy but in time", "The scripts did more, within the tick's time.", kOrdinary, kNoScope, ""),
    },
    [](Machine& machine) { Bastion(machine).run(); },
};
const AddEngine kAdded(&kBastion);

}  // namespace
}  // namespace engines
