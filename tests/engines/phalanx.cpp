// SPDX-License-Identifier: MIT
//
// phalanx.cpp: a lock-step strategy game. Main shows what the simulation did a tick ago, and hands packets to Render, which hands
// lists to Submit, which hands them to the GPU: a frame is three deep, and the GPU sets the pace. Sim needs the turn of the other
// players from Net, the orders of the computer player from Planner, room in the ring of Replay, and two job threads. Loader asks
// Storage for blocks. Main, Render and Sim have a processor each; a driver, an anti-cheat, a codec and a physics library have
// threads that nobody recorded.
#include <algorithm>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "engines/machine.h"

namespace engines {
namespace {

enum PhalanxKind : size_t {
  kTriggerStorm,
  kMinimapRedrawn,
  kChatLaidOut,
  kKeymapReloaded,
  kHudSwappedOut,
  kChunkOnMain,
  kPicksTooEarly,
  kManyAttacks,
  kStateDump,
  kFlowField,
  kCatchUp,
  kPoolsGrow,
  kOrdersTakeLong,
  kSlowSector,
  kTurnLate,
  kLongSearch,
  kPlanBegunLate,
  kBookFromDisk,
  kReplayRingFull,
  kIndexHeld,
  kIndexInversion,
  kUnitsAndTerrain,
  kPhysicsLibrary,
  kPipelineMade,
  kBatchesBroken,
  kMaterialsHeld,
  kMaterialsRead,
  kPresentSleeps,
  kDriverCompiles,
  kShadowsLong,
  kSmokeLayers,
  kUploadLong,
  kGpuElsewhere,
  kPortraitRead,
  kDiskElsewhere,
  kPortraitLong,
  kPortraitSwapped,
  kPortraitStarved,
  kHeapTrimmed,
  kClipsHeld,
  kTilesFirst,
  kMusicHeld,
  kMusicRead,
  kVoiceChatHolds,
  kSoundRingFull,
  kHistoryResent,
  kHistoryRead,
  kLoaderOnMain,
  kAntiCheat,
  kCodecOnRender,
  kScannerOnMain,
  kScannerOnSim,
  kDebugger,
  kHostPaused,
  kChunkInBackground,
  kHudHidden,
  kLightBaked,
};

// Main and Sim are ready so long before the GPU is; a trouble has to be that much larger before anybody notices.
constexpr double kPhalanxSlack = 5;
constexpr double kPhalanxDeep = 9;     // what the pipeline can bear of those at its end
constexpr double kPhalanxFrame = 10;   // about; for troubles that somebody only meets in his next frame
constexpr double kPhalanxPiece = 1.5;  // of a chunk, in ms of unpacking

struct PhalanxGroup {  // jobs that somebody waits for
  int left = 0;
  Event done;
  uint64_t flow = 0;
};

struct PhalanxRead {  // of Storage
  double ms;
  std::function<void()> then;
};

class Phalanx {
 public:
  explicit Phalanx(Machine& machine) : m(machine) {
    units_.name = "units";
    terrain_.name = "terrain";
    index_.name = "replay index";
    materials_.name = "materials";
    heap_.name = "heap";
    clips_.name = "clips";
    voices_.name = "voices";
    session_.name = "session";
    posed_.done.name = "posed";
    revealed_.done.name = "vision done";
    ticked_.name = "ticked";
    planned_.name = "plan ready";
    free_packets_.name = "free packets";
    ready_packets_.name = "packets";
    replay_room_.name = "replay room";
    sound_room_.name = "sound room";
    free_packets_.count = 2;
    free_lists_.count = 1;
    turn_wanted_.count = 1;
    replay_room_.count = 2;
    sound_room_.count = 12;
  }

  void run() {
    main_ = m.this_thread();
    m.set_priority(main_, 1);
    m.set_processors(main_, 1);
    graphics_ = m.gpu_queue("GPU");
    copy_ = m.gpu_queue("Copy");
    compute_ = m.gpu_queue("Compute");
    m.start_thread("Render", [this] { render_forever(); }, {1, 2});
    m.start_thread("Submit", [this] { submit_forever(); }, {2, 12});
    m.start_thread("Sim", [this] { simulate_forever(); }, {1, 4});
    for (const char* name : {"Job 1", "Job 2"}) m.start_thread(name, [this] { do_jobs_forever(); });
    planner_ = m.start_thread("Planner", [this] { plan_forever(); });
    loader_ = m.start_thread("Loader", [this] { load_forever(); }, {-1});
    m.start_thread("Storage", [this] { store_forever(); });
    m.start_thread("Net", [this] { receive_forever(); });
    replay_ = m.start_thread("Replay", [this] { write_replay_forever(); }, {-1});
    m.start_thread("Audio", [this] { mix_forever(); }, {3, 8});
    m.start_thread("nvdrv", [this] { drive_forever(); }, {2, 14, false});
    m.start_thread("debris", [this] { collide_forever(); }, {1, 12, false});
    m.start_thread("shield", [this] { guard_forever(); }, {6, 1, false});
    m.start_thread("codec", [this] { decode_forever(); }, {6, 2, false});
    m.start_thread("voicechat", [this] { chat_forever(); }, {1, 12, false});
    for (;;) {
      show_frame();
      m.frame();
    }
  }

 private:
  // ---- Main ---------------------------------------------------------------------------------------------------------
  void show_frame() {
    trouble_from_outside();
    m.scope("Input", [&] {
      m.work(m.about(0.2));
      if (m.take_hitch(kKeymapReloaded)) m.scope("Reload keymap", "keys.ini", [&] { m.read_file(trouble_ms()); });
      m.scope("Send orders", [&] {
        m.wait_scope("Lock session", [&] { m.lock(session_); });
        m.work(m.about(0.1));
        m.unlock(session_);
      });
      tick_flow_ = m.flow_begin();
      m.release(tick_wanted_);
    });
    m.scope("UI", [&] { draw_ui(); });
    // The chat's text. Nobody marked it.
    m.work(m.about(0.2));
    if (m.take_hitch(kChatLaidOut)) m.work(trouble_ms());

    m.scope("Queue orders", [&] {
      m.wait_scope("Spin for order buffer", [&] { m.spin_until([&] { return !orders_busy_; }); });
      m.work(m.about(0.08));
    });
    m.scope("Triggers", [&] { run_triggers(); });
    m.scope("Play sounds", [&] { play_sounds(); });
    m.scope("Animate", [&] { animate(); });
    stream();
    m.scope("Build packet", [&] {
      m.wait_scope("Wait for packet", [&] { m.acquire(free_packets_); });
      m.scope("Gather scene", [&] { m.work(m.about(1.5)); });
      packet_flows_.push_back(m.flow_begin());
      ++packets_;
      m.release(ready_packets_);
    });
    m.scope("Swap state", [&] {
      m.wait(ticked_);  // nobody marked that wait
      m.reset(ticked_);
      m.work(m.about(0.2));
    });
    m.counter("Units", 400 + static_cast<double>(m.random(20)));
  }

  void draw_ui() {
    const bool is_hidden = m.take_hitch(kHudHidden);
    if (!is_hidden) {
      m.scope("Update HUD", [&] {
        m.work(m.about(0.8));
        if (m.take_hitch(kHudSwappedOut)) m.touch_swapped_memory(static_cast<unsigned>(trouble_ms() / 0.1));
      });
      m.scope("Draw minimap", [&] {
        m.work(m.about(0.7) + (m.frame_index() % 60 == 0 ? 0.9 : 0));
        if (m.take_hitch(kMinimapRedrawn)) m.work(trouble_ms());
      });
    }
    m.scope("Read picks", [&] {
      if (m.take_hitch(kPicksTooEarly)) {  // of the packet that was made just now, and not of that of three frames ago
        if (presented_ < packets_) {
          flush_at_ = packets_;
          m.wait(flushed_);
          m.reset(flushed_);
        }
        m.wait(shown_);
      }
      m.work(m.about(0.1));
    });
  }

  void run_triggers() {
    int calls = 10;
    if (m.take_hitch(kTriggerStorm)) calls += static_cast<int>(trouble_ms() / 0.08);
    for (int i = 0; i < calls; ++i)
      m.scope("Trigger", "zone " + std::to_string(i % 10), [&] { m.work(m.about(0.08, 0.2)); });
    m.locked(heap_, [&] { m.work(0.03); });  // a list of what fired; nobody marked the lock
  }

  void play_sounds() {
    const int sounds = 5 + static_cast<int>(m.random(2));
    for (int i = 0; i < sounds; ++i) {
      m.acquire(sound_room_);  // of the ring. Nobody marked that wait
      ++sounds_;
      m.work(0.02);
    }
    m.wait_scope("Lock voices", [&] { m.lock(voices_); });
    m.work(m.about(0.05));
    m.unlock(voices_);
  }

  void animate() {
    if (m.take_hitch(kTilesFirst)) {
      bake_tiles(trouble_ms() * 2 / 36, jobs_);
    } else if (m.frame_index() % 40 == 7) {
      bake_tiles(0.5 + 1.5 * m.chance(), low_jobs_);
    }
    start_jobs(posed_, 8, "Pose unit", [this](int i) {
      m.work(m.about(0.45, 0.1));
      if (i == 3) m.locked(clips_, [&] { m.work(0.05); });
    });
    m.wait_scope("Wait for poses", [&] { m.wait(posed_.done); });
    m.flow_end(posed_.flow);
  }

  void bake_tiles(double ms, std::deque<std::function<void()>>& queue) {
    for (int i = 0; i < 36; ++i) queue.push_back([this, ms] { m.scope("Bake tile", [&] { m.work(m.about(ms)); }); });
    m.release(has_job_, 36);
  }

  void stream() {
    m.scope("Stream", [&] {
      m.work(m.about(0.1));
      stream_chunks();
      load_hitches();
      fetch_portrait();
    });
  }

  void stream_chunks() {
    if (m.take_hitch(kChunkOnMain)) {  // it was needed at once, the code says; Loader would have done it as well
      const int pieces = static_cast<int>(trouble_ms() / kPhalanxPiece) + 1;
      for (int i = 0; i < pieces; ++i) m.scope("Unpack chunk", [&] { m.work(m.about(kPhalanxPiece)); });
    }
    if (m.frame_index() % 20 == 3) load_chunk(8 + static_cast<int>(m.random(20)));
    if (m.take_hitch(kChunkInBackground)) load_chunk(static_cast<int>(m.hitch_ms() / kPhalanxPiece) + 8);
  }

  void load_chunk(int pieces) {
    ask_storage(m.about(1.5), [this, pieces] {
      for (int i = 0; i < pieces; ++i)
        post_load([this] { m.scope("Unpack chunk", [&] { m.work(m.about(kPhalanxPiece)); }); });
    });
  }

  // ---- Jobs ---------------------------------------------------------------------------------------------------------
  void start_jobs(PhalanxGroup& group, int count, const char* name, std::function<void(int)> body) {
    group.left = count;
    m.reset(group.done);
    for (int i = 0; i < count; ++i) {
      const uint64_t flow = m.flow_begin();
      jobs_.push_back([this, &group, name, i, flow, body] {
        m.flow_end(flow);
        m.scope(name, [&] { body(i); });
        if (--group.left == 0) {
          group.flow = m.flow_begin();
          m.set(group.done);
        }
      });
    }
    m.release(has_job_, count);
  }

  void do_jobs_forever() {
    for (;;) {
      m.acquire(has_job_);
      auto& queue = jobs_.empty() ? low_jobs_ : jobs_;
      const std::function<void()> job = queue.front();
      queue.pop_front();
      job();
    }
  }

  double trouble_ms() const { return m.hitch_ms() + kPhalanxSlack; }

  // Holds what somebody will want soon, for so long after he wants it.
  void work_until_wanted(const Mutex& mutex, double ms) {
    for (int i = 0; i < 200 && mutex.waiters.empty(); ++i) m.work(0.2);
    m.work(ms);
  }

  // ---- Sim ----------------------------------------------------------------------------------------------------------
  void simulate_forever() {
    for (;;) {
      m.acquire(tick_wanted_);
      m.flow_end(tick_flow_);
      if (m.take_hitch(kScannerOnSim)) m.other_program(2, trouble_ms(), 6);
      m.scope("Tick", [&] { tick(true); });
      if (m.take_hitch(kCatchUp)) {  // ticks that were owed to the other players
        const int owed = static_cast<int>(trouble_ms() / 5) + 1;
        for (int i = 0; i < owed; ++i) m.scope("Tick", [&] { tick(false); });
      }
      m.set(ticked_);
    }
  }

  void tick(bool is_in_turn) {
    if (is_in_turn) {
      ++tick_;
      m.wait_scope("Wait for turn", [&] { m.acquire(turns_); });
      m.release(turn_wanted_);
      computer_player();
    }
    orders_busy_ = true;
    m.scope("Apply orders", [&] {
      m.work(m.about(0.4));
      if (m.take_hitch(kOrdersTakeLong)) m.work(trouble_ms());
    });
    orders_busy_ = false;
    m.scope("Movement", [&] { move_units(); });
    m.scope("Vision", [&] { see(); });
    m.scope("Combat", [&] { fight(); });
    m.scope("Checksum", [&] { m.work(m.about(0.3)); });
    if (m.take_hitch(kStateDump)) m.scope("Dump state", [&] { m.work(trouble_ms()); });
    if (is_in_turn) m.scope("Record turn", [&] { record(); });
  }

  // Its orders are due in the second tick after it was asked, each third tick.
  void computer_player() {
    if (tick_ % 3 == 0) {
      plan_is_late_ = m.take_hitch(kPlanBegunLate);
      if (!plan_is_late_) ask_planner();
    } else if (tick_ % 3 == 2 && tick_ > 3) {
      m.scope("Collect plan", [&] {
        if (plan_is_late_) {
          search_ms_ = std::min(trouble_ms(), 17.0);
          ask_planner();
        }
        m.wait_scope("Wait for plan", [&] { m.wait(planned_); });
        m.reset(planned_);
        m.work(0.05);
      });
      if (m.take_hitch(kUnitsAndTerrain)) {
        const double ms = trouble_ms();
        post_holder([this, ms] {
          m.locked(terrain_, [&] { m.scope("Patch terrain", [&] { work_until_wanted(terrain_, ms); }); });
        });
      }
    }
  }

  void ask_planner() {
    plan_is_due_ = true;
    plan_flow_ = m.flow_begin();
    m.release(plan_wanted_);
  }

  void move_units() {
    m.lock(units_);  // nobody marked that wait
    if (tick_ % 90 == 50) m.scope("Grow pools", [&] { m.touch_new_memory(60); });
    if (m.take_hitch(kPoolsGrow))
      m.scope("Grow pools", [&] { m.touch_new_memory(static_cast<unsigned>(trouble_ms() * 2000)); });
    m.work(m.about(1.4));
    if (m.take_hitch(kFlowField)) m.work(trouble_ms());
    m.unlock(units_);
  }

  void see() {
    const double more = m.take_hitch(kSlowSector) ? trouble_ms() : 0;
    start_jobs(revealed_, 6, "Reveal sector", [this, more](int i) { m.work(m.about(0.4, 0.1) + (i == 4 ? more : 0)); });
    m.wait_scope("Wait for vision", [&] { m.wait(revealed_.done); });
    m.flow_end(revealed_.flow);
  }

  void fight() {
    int attacks = 12 + static_cast<int>(m.random(5));
    if (m.take_hitch(kManyAttacks)) attacks += static_cast<int>(trouble_ms() / 0.06);
    for (int i = 0; i < attacks; ++i) m.scope("Resolve attack", [&] { m.work(m.about(0.06, 0.2)); });
    m.scope("Collide debris", [&] {  // the library's thread does it
      collide_ms_ = m.about(0.4) + (m.take_hitch(kPhysicsLibrary) ? trouble_ms() : 0);
      m.set(collide_);
      m.wait(collided_);
      m.reset(collided_);
    });
  }

  void record() {
    m.wait_scope("Wait for replay room", [&] { m.acquire(replay_room_); });
    m.locked(index_, [&] { m.work(0.05); });  // nobody marked the lock
    m.work(m.about(0.1));
    ++turns_to_write_;
    m.release(replay_ready_);
  }

  // ---- Those whom Sim needs -----------------------------------------------------------------------------------------
  void plan_forever() {
    for (;;) {
      planner_is_idle_ = true;
      m.acquire(plan_wanted_);
      planner_is_idle_ = false;
      if (ponder_ms_ > 0) {
        m.scope("Ponder", [&] { m.work(ponder_ms_); });
        ponder_ms_ = 0;
        m.set_processors(planner_, ~0ull);
        m.set_processors(replay_, ~0ull);
      }
      if (!plan_is_due_) continue;
      plan_is_due_ = false;
      m.scope("Plan", [&] { plan(); });
      m.set(planned_);
      if (m.take_hitch(kPortraitStarved)) ponder_before_portrait();
    }
  }

  void plan() {
    m.flow_end(plan_flow_);
    m.scope("Snapshot units", [&] {
      m.locked(units_, [&] {
        m.work(m.about(0.15));
        m.locked(terrain_, [&] { m.work(0.05); });
      });
    });
    double ms = search_ms_ > 0 ? search_ms_ : 8 + 9 * m.chance();
    const bool is_late = search_ms_ > 0;
    search_ms_ = 0;
    const double until_due = 2 * kPhalanxFrame + kPhalanxSlack - ms;
    if (!is_late && m.take_hitch(kBookFromDisk)) {
      const double read = until_due + m.hitch_ms();
      m.scope("Consult book", "openings", [&] { read_through_storage(read, planner_read_); });
    } else if (++plans_ % 5 == 0 && !storage_is_busy_ && !disk_is_busy_) {
      m.scope("Consult book", "openings", [&] { read_through_storage(m.about(0.8), planner_read_); });
    }
    if (!is_late && m.take_hitch(kLongSearch)) ms += until_due + m.hitch_ms();
    m.scope("Search plan", [&] { m.work(ms); });
  }

  // Both share one processor for a while, as they do when the game saves power; and the one that thinks goes first.
  void ponder_before_portrait() {
    m.set_processors(planner_, 8);
    m.set_processors(loader_, 8);
    portrait_now_ = true;
    portrait_asked_ = false;
    m.scope("Ponder", [&] {
      for (int i = 0; i < 200 && !portrait_asked_; ++i) m.work(0.2);
      m.work(trouble_ms());
    });
    m.set_processors(planner_, ~0ull);
    m.set_processors(loader_, ~0ull);
  }

  void receive_forever() {
    for (;;) {
      m.acquire(turn_wanted_);
      m.scope("Receive turn", [&] {
        m.sleep(m.about(4, 0.2) + (m.take_hitch(kTurnLate) ? m.hitch_ms() + kPhalanxFrame + kPhalanxSlack : 0));
      });
      m.locked(session_, [&] { m.scope("Unpack turn", [&] { m.work(m.about(0.08)); }); });
      m.release(turns_);
      if (m.take_hitch(kHistoryResent)) {
        m.locked(session_, [&] { m.scope("Resend history", [&] { work_until_wanted(session_, trouble_ms()); }); });
      }
      if (m.take_hitch(kHistoryRead)) {
        m.locked(session_, [&] {
          m.scope("Resend history", [&] {
            work_until_wanted(session_, 0.2);  // packs the newest turns
            history_ms_ = trouble_ms();
            m.release(replay_ready_);
            m.wait(history_ready_);
            m.reset(history_ready_);
            m.work(0.2);
          });
        });
      }
    }
  }

  void write_replay_forever() {
    for (;;) {
      m.acquire(replay_ready_);
      if (history_ms_ > 0) {
        m.scope("Read old turns", [&] { m.read_file(history_ms_); });
        history_ms_ = 0;
        m.set(history_ready_);
      }
      if (turns_to_write_ == 0) continue;
      --turns_to_write_;
      m.scope("Write turn", [&] { write_turn(); });
      m.release(replay_room_);
    }
  }

  void write_turn() {
    m.work(m.about(0.15));
    m.locked(index_, [&] {
      m.scope("Index turn", [&] {
        m.work(0.03);
        if (planner_is_idle_ && !plan_is_due_ && m.take_hitch(kIndexInversion)) {
          m.set_processors(replay_, 8);
          m.set_processors(planner_, 8);
          ponder_ms_ = m.hitch_ms() + kPhalanxFrame + kPhalanxSlack;
          m.release(plan_wanted_);
          for (int i = 0; i < 4; ++i) m.work(0.1);
        }
      });
      if (m.take_hitch(kIndexHeld)) m.scope("Compact index", [&] { work_until_wanted(index_, trouble_ms()); });
    });
    if (m.take_hitch(kReplayRingFull)) {
      disk_is_busy_ = true;
      m.scope("Flush replay", [&] { m.read_file(m.hitch_ms() + 2 * kPhalanxFrame + kPhalanxSlack); });
      disk_is_busy_ = false;
    } else if (++turns_written_ % 16 == 0) {
      m.scope("Flush replay", [&] { m.read_file(m.about(0.8)); });
    }
  }

  // ---- Render, Submit, and the GPU ----------------------------------------------------------------------------------
  void render_forever() {
    for (;;) {
      m.wait_scope("Wait for scene", [&] { m.acquire(ready_packets_); });
      m.flow_end(packet_flows_.front());
      packet_flows_.pop_front();
      m.scope("Draw scene", [&] { draw_scene(); });
      m.wait_scope("Wait for list", [&] { m.acquire(free_lists_); });
      m.release(ready_lists_);
      m.release(free_packets_);
    }
  }

  void draw_scene() {
    m.scope("Cull", [&] { m.work(m.about(0.8)); });
    m.scope("Sort by material", [&] {
      m.wait_scope("Lock materials", [&] { m.lock(materials_); });
      m.work(m.about(0.4));
      m.unlock(materials_);
    });
    if (m.take_hitch(kCodecOnRender)) {
      decode_ms_ = m.hitch_ms() + kPhalanxDeep;
      m.set(decode_);
    }
    if (m.take_hitch(kPipelineMade)) m.scope("Create pipeline", "lava", [&] { m.work(trouble_ms()); });
    int draws = 22 + static_cast<int>(m.random(5));
    if (m.take_hitch(kBatchesBroken)) draws += static_cast<int>(trouble_ms() / 0.12);
    for (int i = 0; i < draws; ++i) m.scope("Record draw", [&] { m.work(m.about(0.12, 0.2)); });
    const double more = m.take_hitch(kUploadLong) ? m.hitch_ms() + kPhalanxDeep : 0;
    uploaded_ = m.gpu_submit(copy_, "Upload textures", m.about(0.4) + more);
    if (m.take_hitch(kLightBaked)) m.gpu_submit(compute_, "Bake light", m.hitch_ms() + kPhalanxFrame);
  }

  void submit_forever() {
    for (;;) {
      m.acquire(ready_lists_);
      m.scope("Submit lists", [&] {
        m.work(m.about(0.4));
        drive_ms_ = m.about(0.3) + (m.take_hitch(kDriverCompiles) ? m.hitch_ms() + kPhalanxDeep : 0);
        m.set(drive_);
        m.wait(driven_);
        m.reset(driven_);
      });
      m.wait_scope("Wait for uploads", [&] { m.wait(uploaded_); });
      const Fence before = shown_;
      submit_frame();
      m.wait_scope("Wait for swap chain", [&] { m.wait(before); });
      m.scope("Present", [&] {
        m.work(m.about(0.1));
        if (m.take_hitch(kPresentSleeps)) m.sleep(m.hitch_ms() + kPhalanxDeep);
      });
      ++presented_;
      if (flush_at_ > 0 && presented_ >= flush_at_) {
        flush_at_ = 0;
        m.set(flushed_);
      }
      m.release(free_lists_);
    }
  }

  void submit_frame() {
    if (m.take_hitch(kGpuElsewhere)) m.other_program_uses_gpu(graphics_, m.hitch_ms() + kPhalanxDeep);
    const bool is_far = m.frame_index() / 100 % 2 == 1;  // the camera: other levels of detail
    std::vector<Pass> passes;
    passes.push_back({"Shadow maps", m.about(2) + (m.take_hitch(kShadowsLong) ? m.hitch_ms() + kPhalanxDeep : 0)});
    passes.push_back({"Terrain", m.about(is_far ? 2.3 : 2)});
    passes.push_back({"Units", m.about(is_far ? 2.2 : 2.5)});
    const int layers = 2 + (m.take_hitch(kSmokeLayers) ? static_cast<int>((m.hitch_ms() + kPhalanxDeep) / 0.4) : 0);
    for (int i = 0; i < layers; ++i) passes.push_back({"Smoke layer", m.about(0.4)});
    passes.push_back({"Post", m.about(1.4)});
    passes.push_back({"Overlay", m.about(0.6)});
    shown_ = m.gpu_submit(graphics_, "GPU frame", passes);
  }

  // ---- Loader and Storage -------------------------------------------------------------------------------------------
  void post_load(const std::function<void()>& load) {
    loads_.push_back(load);
    m.release(load_wanted_);
  }
  void post_urgent_load(const std::function<void()>& load) {
    loads_.push_front(load);
    m.release(load_wanted_);
  }
  // One that keeps a lock for long: meanwhile, no portrait is wanted.
  void post_holder(const std::function<void()>& load) {
    ++holders_;
    post_urgent_load([this, load] {
      load();
      --holders_;
    });
  }

  void load_forever() {
    for (;;) {
      m.acquire(load_wanted_);
      const std::function<void()> load = loads_.front();
      loads_.pop_front();
      load();
    }
  }

  void load_hitches() {
    if (m.take_hitch(kHeapTrimmed)) {
      const double ms = trouble_ms();
      post_holder(
          [this, ms] { m.locked(heap_, [&] { m.scope("Trim heap", [&] { work_until_wanted(heap_, ms); }); }); });
    }
    if (m.take_hitch(kClipsHeld)) {
      const double ms = trouble_ms();
      post_holder(
          [this, ms] { m.locked(clips_, [&] { m.scope("Replace clips", [&] { work_until_wanted(clips_, ms); }); }); });
    }
    if (m.take_hitch(kMaterialsHeld)) {
      const double ms = trouble_ms();
      post_holder([this, ms] {
        m.locked(materials_, [&] { m.scope("Link materials", [&] { work_until_wanted(materials_, ms); }); });
      });
    }
    if (m.take_hitch(kMaterialsRead)) {
      const double ms = trouble_ms();
      post_holder([this, ms] {
        m.locked(materials_, [&] { m.scope("Link materials", [&] { read_through_storage(ms + 6, loader_read_); }); });
      });
    }
    if (m.frame_index() % 30 == 9) {  // as in any game: short
      post_load([this] {
        m.locked(materials_, [&] { m.scope("Link materials", [&] { m.work(0.2); }); });
        m.locked(terrain_, [&] { m.scope("Patch terrain", [&] { m.work(0.2); }); });
      });
    }
    if (m.take_hitch(kLoaderOnMain)) {
      const double ms = trouble_ms();
      m.set_priority(loader_, 4);
      m.set_processors(loader_, 1);
      const int pieces = static_cast<int>(ms / kPhalanxPiece) + 1;
      loads_.push_front([this] {
        m.set_priority(loader_, -1);
        m.set_processors(loader_, ~0ull);
      });
      for (int i = 0; i < pieces; ++i)
        loads_.push_front([this] { m.scope("Unpack chunk", [&] { m.work(m.about(kPhalanxPiece)); }); });
      m.release(load_wanted_, pieces + 1);
    }
  }

  // The portrait of whom the player selected: Main wants it at once.
  void fetch_portrait() {
    double read_ms = m.about(0.3), unpack_ms = m.about(0.3);
    unsigned pages = 0;
    bool is_wanted = portrait_now_;
    portrait_now_ = false;
    if (m.take_hitch(kPortraitRead)) is_wanted = true, read_ms += trouble_ms();
    if (m.take_hitch(kDiskElsewhere)) is_wanted = true, m.other_program_reads(trouble_ms());
    if (m.take_hitch(kPortraitLong)) is_wanted = true, unpack_ms += trouble_ms();
    if (m.take_hitch(kPortraitSwapped)) is_wanted = true, pages = static_cast<unsigned>(trouble_ms() / 0.1);
    if (m.frame_index() % 25 == 11) portrait_is_due_ = true;
    if (portrait_is_due_ && holders_ == 0 && !storage_is_busy_ && !disk_is_busy_) {
      is_wanted = true;
      portrait_is_due_ = false;
    }
    if (!is_wanted) return;
    m.scope("Fetch portrait", "hero", [&] {
      const uint64_t flow = m.flow_begin();
      portrait_asked_ = true;
      post_urgent_load([this, flow, read_ms, unpack_ms, pages] {
        m.flow_end(flow);
        m.scope("Load portrait", "hero", [&] {
          read_through_storage(read_ms, loader_read_);
          m.scope("Unpack portrait", [&] {
            m.work(unpack_ms);
            if (pages > 0) m.touch_swapped_memory(pages);
          });
        });
        m.set(portrait_ready_);
      });
      m.wait(portrait_ready_);  // nobody marked that wait
      m.reset(portrait_ready_);
      m.work(0.05);
    });
  }

  void ask_storage(double ms, const std::function<void()>& then) {
    reads_.push_back({ms, then});
    m.release(read_wanted_);
  }
  void read_through_storage(double ms, Event& done) {
    ask_storage(ms, [this, &done] { m.set(done); });
    m.wait(done);
    m.reset(done);
  }
  void store_forever() {
    for (;;) {
      m.acquire(read_wanted_);
      const PhalanxRead read = reads_.front();
      reads_.pop_front();
      storage_is_busy_ = true;
      m.scope("Read block", [&] { m.read_file(read.ms); });
      storage_is_busy_ = !reads_.empty();
      read.then();
    }
  }

  // ---- Audio --------------------------------------------------------------------------------------------------------
  void mix_forever() {
    constexpr double kPeriod = 5.33;
    for (double next = kPeriod;; next = std::max(next, m.now()) + kPeriod) {
      m.sleep_until(next);
      m.lock(voices_);
      m.scope("Mix", [&] {
        m.work(m.about(0.25));
        if (m.take_hitch(kMusicHeld))
          m.scope("Open music", "battle", [&] { work_until_wanted(voices_, trouble_ms()); });
        if (m.take_hitch(kMusicRead))
          m.scope("Open music", "battle", [&] { read_through_storage(trouble_ms() + 6, audio_read_); });
      });
      m.unlock(voices_);
      if (sounds_ > 0) m.release(sound_room_, sounds_);
      sounds_ = 0;
      m.scope("Write device", [&] {
        m.work(0.03);
        if (m.take_hitch(kSoundRingFull)) {
          const double ms = trouble_ms();
          for (int i = 0; i < 40 && sound_room_.waiters.empty(); ++i) m.sleep(1);
          m.sleep(ms);
        }
      });
    }
  }

  // ---- Threads of libraries -----------------------------------------------------------------------------------------
  void drive_forever() {
    for (;;) {
      m.wait(drive_);
      m.reset(drive_);
      m.work(drive_ms_);
      m.set(driven_);
    }
  }
  void collide_forever() {
    for (;;) {
      m.wait(collide_);
      m.reset(collide_);
      m.work(collide_ms_);
      m.set(collided_);
    }
  }
  void guard_forever() {
    for (;;) {
      m.wait(guard_);
      m.reset(guard_);
      m.work(guard_ms_);
    }
  }
  void decode_forever() {
    for (;;) {
      m.wait(decode_);
      m.reset(decode_);
      m.work(decode_ms_);
    }
  }
  void chat_forever() {
    for (;;) {
      m.wait(chat_);
      m.reset(chat_);
      m.lock(voices_);
      for (int i = 0; i < 100 && !is_wanted_by_main(voices_); ++i) m.work(0.2);
      m.work(chat_ms_);
      m.unlock(voices_);
    }
  }
  bool is_wanted_by_main(const Mutex& mutex) const {
    return std::find(mutex.waiters.begin(), mutex.waiters.end(), main_) != mutex.waiters.end();
  }

  void trouble_from_outside() {
    if (m.take_hitch(kScannerOnMain)) m.other_program(0, trouble_ms(), 6);
    if (m.take_hitch(kDebugger)) m.stop_process(trouble_ms());
    if (m.take_hitch(kHostPaused)) m.stop_machine(trouble_ms());
    if (m.take_hitch(kAntiCheat)) {
      guard_ms_ = trouble_ms();
      m.set(guard_);
    }
    if (m.take_hitch(kVoiceChatHolds)) {
      chat_ms_ = trouble_ms();
      m.set(chat_);
    }
  }

  Machine& m;
  Thread main_ = nullptr, planner_ = nullptr, loader_ = nullptr, replay_ = nullptr;
  Queue graphics_, copy_, compute_;
  Mutex units_, terrain_, index_, materials_, heap_, clips_, voices_, session_;
  // Main and Render, Render and Submit
  Semaphore free_packets_, ready_packets_, free_lists_, ready_lists_;
  std::deque<uint64_t> packet_flows_;
  uint64_t packets_ = 0, presented_ = 0, flush_at_ = 0;
  Event flushed_;
  Fence shown_, uploaded_;
  // Jobs
  Semaphore has_job_;
  std::deque<std::function<void()>> jobs_, low_jobs_;
  PhalanxGroup posed_, revealed_;
  // Sim and those it needs
  Semaphore tick_wanted_, turn_wanted_, turns_, plan_wanted_, replay_ready_, replay_room_;
  Event ticked_, planned_;
  uint64_t tick_flow_ = 0, plan_flow_ = 0, tick_ = 0;
  bool orders_busy_ = false, plan_is_late_ = false, planner_is_idle_ = false;
  bool plan_is_due_ = false;
  double ponder_ms_ = 0, search_ms_ = 0;
  int plans_ = 0, turns_to_write_ = 0, turns_written_ = 0;
  // Loader and Storage
  Semaphore load_wanted_, read_wanted_;
  std::deque<std::function<void()>> loads_;
  std::deque<PhalanxRead> reads_;
  Event portrait_ready_, loader_read_, audio_read_, planner_read_;
  bool portrait_now_ = false, portrait_asked_ = false, portrait_is_due_ = false, storage_is_busy_ = false,
       disk_is_busy_ = false;
  int holders_ = 0;
  // Audio, Net
  Semaphore sound_room_;
  int sounds_ = 0;
  Event history_ready_;
  double history_ms_ = 0;
  // Those that nobody recorded
  Event drive_, driven_, collide_, collided_, guard_, decode_, chat_;
  double drive_ms_ = 0, collide_ms_ = 0, guard_ms_ = 0, decode_ms_ = 0, chat_ms_ = 0;
};

const Engine kPhalanx = {
    "phalanx",
    {
        // Main's own
        kind("trigger storm", "A unit crossed many zones at once, and Main ran some hundred triggers instead of ten.",
             kMoreCalls, "Trigger", "Main", ""),
        kind("minimap redrawn", "The whole minimap was drawn anew, and not only what moved.", kWorkTookLonger,
             "Draw minimap", "Main", ""),
        kind("chat laid out", "Main laid out the whole chat after the UI, where nobody marked anything.",
             kWorkTookLonger | kNewWork, "", "Main", ""),
        kind("keymap reloaded", "Main read the file with the keys from the disk.", kFileOrSleep | kNewWork,
             "Reload keymap", "Main", ""),
        kind("hud swapped out", "The HUD's memory had been swapped out, and was read back page by page.", kMemoryFaults,
             "Update HUD", "Main", ""),
        kind("chunk on main", "Main unpacked a chunk itself, which else Loader does.", kPlacedDifferently,
             "Unpack chunk", "Main", ""),
        kind("picks too early",
             "Main read the picks of the last packet at once, and so had to wait until all that is in the pipeline was "
             "drawn.",
             kPlacedDifferently, "Read picks", "Main", ""),
        // Sim's own
        kind("many attacks", "A great battle: Sim resolved some hundred attacks instead of a dozen.", kMoreCalls,
             "Resolve attack", "Sim", ""),
        kind("state dump", "The checksums differed, so Sim wrote down its whole state.", kNewWork, "Dump state", "Sim",
             ""),
        kind("flow field", "A wall fell, and moving the units took Sim much longer.", kWorkTookLonger, "Movement",
             "Sim", ""),
        kind("catch up", "Sim ran several ticks instead of one, to catch up with the other players.", kMoreCalls,
             "Tick", "Sim", ""),
        kind("pools grow", "Sim made its pools larger, and touched all that memory for the first time.",
             kMemoryFaults | kNewWork, "Grow pools", "Sim", ""),
        kind("orders take long", "Sim took long to apply the orders, and Main spun until the order buffer was free.",
             kWorkTookLonger | kWaitedForLock, "Apply orders", "Sim", ""),
        // Those whom Sim waits for
        kind("slow sector",
             "One of the six sectors took a job thread much longer than the others, and Sim waited for it.",
             kWorkTookLonger, "Reveal sector", "", "Sim"),
        kind("turn late", "The other player's turn came late over the network: Net slept, Sim waited for Net.",
             kFileOrSleep | kWaitedForWork, "Receive turn", "Net", "Sim"),
        kind("long search", "Planner searched longer than it had time, and Sim waited for its orders.", kWorkTookLonger,
             "Search plan", "Planner", "Sim"),
        kind("plan begun late", "Sim asked for a plan only when it was due, so it waited for an ordinary search.",
             kPlacedDifferently, "Search plan", "Planner", "Sim"),
        kind("book from disk",
             "Storage read the book of openings for long; Planner waited for it, and Sim for Planner.", kFileOrSleep,
             "Read block", "Storage", "Sim > Planner"),
        kind("replay ring full",
             "Replay slept in a write to the disk until its ring was full and Sim had no room for its turn.",
             kFileOrSleep, "Flush replay", "Replay", "Sim"),
        kind("index held", "Replay compacted its index and held its lock for the whole time; Sim waited for that.",
             kWaitedForLock | kNewWork, "Compact index", "Replay", "Sim"),
        kind("index inversion",
             "Replay held the index, and did not run because Planner thought on its processor with a higher priority; "
             "Sim "
             "waited for the lock.",
             kOwnThread | kWaitedForLock, "Ponder | Index turn", ""),
        kind("units and terrain",
             "Loader held the terrain for long; Planner waited for that and held the units, for which Sim waited.",
             kWaitedForLock | kWorkTookLonger, "Patch terrain", "Loader", "Sim > Planner"),
        kind("physics library",
             "The thread of the physics library, which nobody recorded, took long; Sim waited for it.",
             kWaitedForWork | kWorkTookLonger, "Collide debris", "Sim", ""),
        // Render, and those whom it waits for
        kind("pipeline made", "Render made a pipeline for a material that was not seen before.", kNewWork,
             "Create pipeline", "Render", ""),
        kind("batches broken", "Nothing could be batched, so Render recorded many more draws.", kMoreCalls,
             "Record draw", "Render", ""),
        kind("materials held",
             "Loader held the lock of the materials while it linked many of them; Render waited for it, and Main for "
             "Render.",
             kWaitedForLock | kWorkTookLonger, "Link materials", "Loader", "Render"),
        kind("materials read",
             "Storage read for long; Loader waited for it and held the lock of the materials, for which Render waited.",
             kFileOrSleep | kWaitedForLock, "Read block", "Storage", "Render > Loader"),
        kind("present sleeps", "The driver slept in Submit's call to present.", kFileOrSleep, "Present", "Submit",
             "Render"),
        kind("driver compiles",
             "The driver's thread, which nobody recorded, compiled a shader, and Submit waited for it in its call.",
             kWaitedForWork | kFileOrSleep, "Submit lists", "Submit", "Render"),
        // The GPU
        kind("shadows long", "The GPU took long for the shadow maps.", kGpu, "Shadow maps", "GPU", "Render > Submit"),
        kind("smoke layers", "The GPU drew dozens of layers of smoke instead of two.", kGpu | kMoreCalls, "Smoke layer",
             "GPU", "Render > Submit"),
        kind("upload long", "The GPU's copy queue took long for a large upload, and Submit waited for it.", kGpu,
             "Upload textures", "Copy", "Render > Submit"),
        kind("gpu elsewhere", "Another program used the GPU.", kGpu | kOtherProgram, kNoScope, ""),
        // Those whom Main waits for at once
        kind("portrait read", "Storage read the portrait for long; Loader waited for it, and Main for Loader.",
             kFileOrSleep, "Read block", "Storage", "Loader"),
        kind("disk elsewhere", "Another program kept the disk busy, so Storage's short read of the portrait took long.",
             kFileOrSleep, "Read block", "Storage", "Loader"),
        kind("portrait long", "Loader took long to unpack the portrait for which Main waited.", kWorkTookLonger,
             "Unpack portrait", "Loader", ""),
        kind("portrait swapped", "Loader unpacked the portrait into memory that had been swapped out.", kMemoryFaults,
             "Unpack portrait", "Loader", ""),
        kind("portrait starved",
             "Loader, for which Main waited, had no processor because Planner thought there with a higher priority.",
             kOwnThread, "Ponder", "Planner", "Loader"),
        kind("heap trimmed", "Loader trimmed the heap and held its lock for the whole time.", kWaitedForLock | kNewWork,
             "Trim heap", "Loader", ""),
        kind("clips held",
             "Loader replaced the clips and held their lock; a job waited for that, and Main for the job.",
             kWaitedForLock | kNewWork, "Replace clips", "Loader"),
        kind("tiles first", "The tiles that are baked when nothing else is to do went before the poses in the queue.",
             kPlacedDifferently, "Bake tile", "", ""),
        kind("music held", "Audio opened a piece of music and held the lock of the voices for the whole time.",
             kWaitedForLock | kNewWork, "Open music", "Audio", ""),
        kind("music read",
             "Storage read a piece of music for long; Audio waited for it and held the lock of the voices, for which "
             "Main "
             "waited.",
             kFileOrSleep | kWaitedForLock, "Read block", "Storage", "Audio"),
        kind("voice chat holds", "The voice chat's thread, which nobody recorded, held the lock of the voices.",
             kWaitedForLock, "Lock voices", "Main", ""),
        kind("sound ring full",
             "The audio device kept Audio asleep until its ring was full and Main had no room for a sound.",
             kFileOrSleep, "Write device", "Audio", ""),
        kind("history resent",
             "Net sent the history to a player who had lost it, and held the session's lock for the whole time.",
             kWaitedForLock | kNewWork, "Resend history", "Net", ""),
        kind("history read",
             "Replay read old turns from the disk; Net waited for them and held the session's lock, for which Main "
             "waited.",
             kFileOrSleep | kWaitedForLock | kNewWork, "Read old turns", "Replay", "Net"),
        // Who had the processor
        kind("loader on main", "Loader unpacked a chunk on Main's processor, with a priority above that of Main.",
             kOwnThread | kPlacedDifferently, "Unpack chunk", "Loader", ""),
        kind("anti-cheat", "The anti-cheat's thread, which nobody recorded, had Main's processor.", kOwnThread,
             kNoScope, "", ""),
        kind("codec on render",
             "The codec's thread, which nobody recorded, had the processor of Render, for which Main waited.",
             kOwnThread, kNoScope, ""),
        kind("scanner on main", "Another program had Main's processor.", kOtherProgram, kNoScope, "", ""),
        kind("scanner on sim", "Another program had the processor of Sim, for which Main waited.", kOtherProgram,
             kNoScope, ""),
        kind("debugger", "A debugger stopped the game for a moment.", kProcessStopped, kNoScope, "", ""),
        kind("host paused", "The host did not run the virtual machine in which the game runs.", kProcessStopped,
             kNoScope, "", ""),
        // Frames as any
        kind("chunk in background", "Loader unpacked a large chunk in the background, and nobody waited for it.",
             kOrdinary, kNoScope, ""),
        kind("hud hidden",
             "The HUD was hidden: Main had less to do, and waited longer for the GPU, which sets the pace anyway.",
             kOrdinary, kNoScope, ""),
        kind("light baked", "The GPU's compute queue baked light, and nobody waited for it.", kOrdinary, kNoScope, ""),
    },
    [](Machine& machine) { Phalanx(machine).run(); },
};
const AddEngine kAdded(&kPhalanx);

}  // namespace
}  // namespace engines
