// SPDX-License-Identifier: MIT
//
// harbour.cpp: a streamed open world whose simulation (on the main thread) and render thread work one frame apart, each
// pinned to a processor of its own as on a console, with a physics pool of two queues, a loader, audio, and slow
// helpers on what is left.
#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "engines/machine.h"

namespace engines {
namespace {

enum HarbourKind : size_t {
  kSlowScript,
  kMessageStorm,
  kFullCollection,
  kPhysicsCatchUp,
  kGiantIsland,
  kPhysicsRobbed,
  kCookOnPool,
  kReadUnderLock,
  kNameConvoy,
  kPriorityInversion,
  kLockChain,
  kRoutesForgotten,
  kFarChunksFirst,
  kDiskShared,
  kLostWakeup,
  kSoundDeviceChange,
  kPipelineCompile,
  kDriverEvicts,
  kInstancingBroken,
  kStagingCopy,
  kSaveBoosted,
  kLowSun,
  kGpuShared,
  kCameraCut,
  kArraysGrow,
  kMapSwappedOut,
  kDebugger,
  kHostPause,
  kThrottled,
  kTileOnMain,
  kRegionFreed,
  kLimiterOversleeps,
  kQuietSave,
};

// A thread's own list of jobs, served in order.
struct HarbourInbox {
  std::deque<std::function<void()>> jobs;
  Semaphore has_job;
  int unfinished = 0;
};

struct HarbourSave {
  double copy_ms = 0.4;
  double pack_ms = 4;
  bool is_boosted = false;
  bool flushes_streamer = false;
};

class Harbour {
 public:
  explicit Harbour(Machine& machine) : m(machine) {}

  void run() {
    start();
    next_frame_at_ = m.now();
    for (;;) {
      outside_trouble();
      m.scope("Simulate", [&] { simulate(); });
      free_dead();
      hand_over();
      limit_rate();
      m.set_speed(1);
      m.frame();
    }
  }

 private:
  // What a trouble must be longer than the hitch, as this much of it disappears in waits that are there anyway.
  static constexpr double kMainSlack = 1.4;
  static constexpr double kRenderSlack = 3.6;
  static constexpr double kGpuSlack = 7.4;
  static constexpr double kPeriod = 1000.0 / 120;

  static constexpr int kIslands = 12;
  static constexpr int kScripts = 8;
  static constexpr int kNamesPerScript = 6;
  static constexpr int kSounds = 12;
  static constexpr int kRingSize = 14;

  double late(double slack) const { return m.hitch_ms() + slack; }
  uint64_t on(unsigned processor) const { return 1ull << (processor % m.processors()); }
  bool every(uint64_t frames, uint64_t at) const { return m.frame_index() % frames == at; }

  // ---- Threads ------------------------------------------------------------------------------------------------------
  void start() {
    gpu_ = m.gpu_queue("GPU");
    compute_ = m.gpu_queue("GPU compute");
    m.set_processors(m.this_thread(), on(0));
    m.set_priority(m.this_thread(), 1);
    m.start_thread("Render", [this] { render_forever(); }, {1, on(1), true});
    m.start_thread("Audio", [this] { mix_forever(); }, {3, ~0ull, true});
    start_server("Physics 1", physics_[0], {1, on(2), true});
    start_server("Physics 2", physics_[1], {1, on(3), true});
    start_server("Streamer", streamer_, {0, on(2) | on(3), true});
    start_server("Decompressor", decompressor_, {0, on(2), true});
    start_server("Uploader", uploader_, {0, on(2) | on(3), true});
    start_server("Navmesh", navmesh_, {-1, on(3), true});
    start_server("Autosave", autosave_, {-1, on(2), true});
    start_server("Telemetry", telemetry_, {-2, on(3), true});
    start_server("driver", driver_, {1, on(1), false});
  }

  void start_server(const char* name, HarbourInbox& inbox, const ThreadOptions& options) {
    m.start_thread(
        name, [this, &inbox] { serve_forever(inbox); }, options);
  }

  void post(HarbourInbox& inbox, std::function<void()> job) {
    ++inbox.unfinished;
    inbox.jobs.push_back(std::move(job));
    m.release(inbox.has_job);
  }

  void serve_forever(HarbourInbox& inbox) {
    for (;;) {
      m.acquire(inbox.has_job);
      const std::function<void()> job = std::move(inbox.jobs.front());
      inbox.jobs.pop_front();
      job();
      --inbox.unfinished;
    }
  }

  static bool is_idle(const HarbourInbox& inbox) { return inbox.unfinished == 0; }

  // ---- Simulation, on the main thread -------------------------------------------------------------------------------
  void outside_trouble() {
    if (m.take_hitch(kThrottled)) m.set_speed(7.0 / late(kPeriod));
  }

  void simulate() {
    m.scope("Read input", [&] { m.work(m.about(0.1)); });
    request_chunks();
    post(telemetry_, [this] { flush_telemetry(); });
    pump_messages();
    run_scripts();
    steer_traffic();
    run_physics();
    move_ships();
    animate();
    post_sounds();
    update_minimap();
    wait_for_ground();
    write_events();
    build_snapshot();
    start_background_work();
  }

  void pump_messages() {
    m.scope("Pump messages", [&] {
      int messages = 12 + static_cast<int>(m.random(5));
      if (m.take_hitch(kMessageStorm)) messages += static_cast<int>(late(kMainSlack) / 0.045);
      for (int i = 0; i < messages; ++i) m.scope("Handle message", [&] { m.work(m.about(0.045)); });
    });
  }

  void run_scripts() {
    static const char* const kNames[kScripts] = {"ferry",  "customs", "pilot_boat", "dockers",
                                                 "market", "gulls",   "lighthouse", "smugglers"};
    if (is_idle(streamer_) && m.take_hitch(kNameConvoy)) intern_many();
    if (can_chain_locks() && m.take_hitch(kLockChain)) post_save({late(kMainSlack + 4), 1, false, true});
    m.scope("Scripts", [&] {
      const bool has_slow_one = m.take_hitch(kSlowScript);
      for (int i = 0; i < kScripts; ++i) run_script(kNames[i], has_slow_one && i == 3 ? late(kMainSlack) : 0);
      collect_garbage();
    });
  }

  void run_script(const char* name, double more_ms) {
    m.scope("Run script", name, [&] {
      for (int i = 0; i < kNamesPerScript; ++i) {
        m.work(m.about(0.012));
        m.locked(names_, [&] { m.work(0.003); });
      }
      m.work(more_ms);
    });
  }

  void collect_garbage() {
    m.scope("Collect step", [&] { m.work(m.about(0.15)); });
    if (m.take_hitch(kFullCollection)) m.scope("Collect whole heap", [&] { m.work(late(kMainSlack)); });
  }

  void steer_traffic() {
    m.scope("Traffic", [&] {
      if (m.take_hitch(kTileOnMain)) build_tile(late(kMainSlack));
      m.scope("Look up routes", [&] {
        int misses = 2 + static_cast<int>(m.random(3));
        if (m.take_hitch(kRoutesForgotten)) misses += static_cast<int>(std::ceil(late(kMainSlack) / 0.25));
        m.work(m.about(0.25));
        for (int i = 0; i < misses; ++i) m.scope("Search route", [&] { m.work(m.about(0.25, 0.1)); });
      });
    });
  }

  void run_physics() {
    m.scope("Physics", [&] {
      int steps = 1;
      if (m.take_hitch(kPhysicsCatchUp)) steps += static_cast<int>(std::ceil(late(kMainSlack) / 1.5));
      if (m.take_hitch(kPhysicsRobbed)) m.other_program(2 % m.processors(), late(kMainSlack), 5);
      if (m.take_hitch(kCookOnPool)) post(physics_[0], [this, ms = late(kMainSlack)] { cook_mesh(ms); });
      for (int i = 0; i < steps; ++i) m.scope("Physics step", [&] { step_physics(); });
    });
  }

  void step_physics() {
    m.work(m.about(0.1));
    const bool has_giant = m.take_hitch(kGiantIsland);
    for (int i = 0; i < kIslands; ++i) post_island(i, m.about(0.2) + (has_giant && i == 7 ? late(kMainSlack) : 0));
    m.wait_scope("Wait for islands", [&] {
      for (int i = 0; i < kIslands; ++i) m.acquire(island_done_);
    });
    m.flow_end(last_island_);
    m.work(m.about(0.1));
  }

  void post_island(int i, double ms) {
    const uint64_t flow = m.flow_begin();
    post(physics_[i % 2], [this, ms, flow] {
      m.flow_end(flow);
      m.scope("Solve island", [&] { m.work(ms); });
      last_island_ = m.flow_begin();
      m.release(island_done_);
    });
  }

  void move_ships() {
    m.scope("Move ships", [&] {
      if (is_idle(streamer_) && m.take_hitch(kReadUnderLock)) {
        post(streamer_, [this, ms = late(kMainSlack + 0.3)] { register_chunk(ms); });
      }
      m.work(m.about(0.3));
      m.wait_scope("Lock registry", [&] { m.lock(registry_); });
      if (m.take_hitch(kArraysGrow)) grow_arrays();
      m.work(m.about(0.3));
      m.unlock(registry_);
    });
  }

  void grow_arrays() {
    m.scope("Grow entity arrays", [&] { m.touch_new_memory(static_cast<unsigned>(late(kMainSlack) / 0.0005)); });
  }

  void animate() {
    m.scope("Animate", [&] {
      m.work(m.about(0.5));
      if (m.take_hitch(kDebugger)) m.stop_process(late(kMainSlack));
      if (m.take_hitch(kHostPause)) m.stop_machine(late(kMainSlack));
      m.work(m.about(0.4));
    });
  }

  // The ring to the mixer has few places; nobody thought that it could be full, so the wait isn't marked.
  void post_sounds() {
    m.scope("Post sounds", [&] {
      for (int i = 0; i < kSounds; ++i) {
        m.acquire(ring_free_);
        ++ring_used_;
        m.work(0.005);
      }
    });
    if (m.take_hitch(kSoundDeviceChange)) reopen_ms_ = late(kMainSlack + kPeriod - 2);
  }

  void update_minimap() {
    m.scope("Update minimap", [&] {
      m.work(m.about(0.15));
      if (m.take_hitch(kMapSwappedOut)) m.touch_swapped_memory(static_cast<unsigned>(late(kMainSlack) / 0.1));
    });
  }

  void write_events() {
    m.scope("Write events", [&] { m.locked(log_, [&] { m.work(m.about(0.08)); }); });
  }

  void build_snapshot() {
    m.scope("Build snapshot", [&] { m.work(m.about(0.7)); });
    m.counter("Ships", 140 + static_cast<double>(m.frame_index() % 7));
  }

  // Objects that died in this frame are freed here. Nobody has marked it.
  void free_dead() {
    m.work(m.about(0.05));
    if (m.take_hitch(kRegionFreed)) m.work(late(kMainSlack));
  }

  void hand_over() {
    m.wait_scope("Wait for render", [&] { m.acquire(snapshot_free_); });
    if (rendered_ != 0) m.flow_end(std::exchange(rendered_, 0));
    m.scope("Hand over", [&] {
      m.work(0.03);
      snapshot_ = m.flow_begin();
      m.release(snapshot_ready_);
    });
  }

  void limit_rate() {
    next_frame_at_ = std::max(next_frame_at_ + kPeriod, m.now());
    const double oversleeps = m.take_hitch(kLimiterOversleeps) ? m.hitch_ms() : 0;
    m.wait_scope("Frame limiter", [&] { m.sleep_until(next_frame_at_ + oversleeps); });
  }

  // ---- Streaming ----------------------------------------------------------------------------------------------------
  // The ground under the player is asked for at the start of each frame, and needed near its end.
  void request_chunks() {
    m.scope("Request chunks", [&] {
      m.work(0.04);
      m.reset(ground_ready_);
      is_ground_there_ = false;
      if (m.take_hitch(kDiskShared)) m.other_program_reads(late(kMainSlack + 5));
      if (m.take_hitch(kFarChunksFirst)) request_far_chunks(static_cast<int>(std::ceil(late(6) / 6.7)));
      post(streamer_, [this] { load_ground(); });
      if (every(15, 3)) request_far_chunks(1);
    });
  }

  void request_far_chunks(int count) {
    for (int i = 0; i < count; ++i) post(streamer_, [this] { load_far_chunk(); });
  }

  void load_ground() {
    m.scope("Read chunk", "ground", [&] { m.read_file(m.about(0.4)); });
    post(decompressor_, [this] {
      m.scope("Decompress chunk", "ground", [&] { m.work(m.about(0.4)); });
      is_ground_there_ = true;
      m.set(ground_ready_);
    });
  }

  void load_far_chunk() {
    const std::string name = "far_" + std::to_string(++far_chunks_ % 40);
    m.scope("Read chunk", name, [&] { m.read_file(m.about(5)); });
    post(decompressor_, [this, name] { m.scope("Decompress chunk", name, [&] { m.work(m.about(3)); }); });
    cook_mesh(m.about(1.4));
    register_chunk(0);
    m.counter("Chunks loaded", far_chunks_);
  }

  void cook_mesh(double ms) {
    m.scope("Cook mesh", [&] { m.work(ms); });
  }

  void register_chunk(double header_ms) {
    m.scope("Register chunk", [&] {
      m.lock(registry_);
      if (header_ms > 0) m.scope("Read chunk header", [&] { m.read_file(header_ms); });
      m.locked(save_, [&] { m.work(m.about(0.1)); });
      m.unlock(registry_);
      for (int i = 0; i < 3; ++i) intern_name(0.02);
    });
  }

  void intern_name(double ms) {
    m.scope("Intern name", [&] { m.locked(names_, [&] { m.work(ms); }); });
  }

  // One short hold for each name that the scripts are going to look up.
  void intern_many() {
    constexpr int kCount = kScripts * kNamesPerScript;
    post(streamer_, [this, ms = late(kMainSlack) / kCount] {
      for (int i = 0; i < kCount; ++i) intern_name(ms);
    });
    m.scope("Sort scripts", [&] { m.work(0.06); });
  }

  // The bug is the reset: the event may have been set already.
  void wait_for_ground() {
    double patience_ms = 200;
    if (is_ground_there_ && m.take_hitch(kLostWakeup)) {
      m.reset(ground_ready_);
      patience_ms = late(kMainSlack);
    }
    m.wait_scope("Wait for ground", [&] {
      while (!m.wait_for(ground_ready_, patience_ms) && !is_ground_there_) {
      }
    });
  }

  // ---- Helpers ------------------------------------------------------------------------------------------------------
  void start_background_work() {
    if (every(23, 11) && is_idle(telemetry_)) post_tile(14 + 8 * m.chance());
    if (every(120, 10) && is_idle(autosave_)) post_save({});
    if (is_idle(autosave_) && m.take_hitch(kQuietSave)) post_save({0.4, m.hitch_ms(), false, false});
  }

  bool can_chain_locks() const { return is_idle(streamer_) && is_idle(autosave_); }

  void post_save(const HarbourSave& save) {
    post(autosave_, [this, save] { write_save(save); });
  }

  void write_save(const HarbourSave& save) {
    m.lock(save_);
    m.scope("Copy save state", [&] {
      if (save.flushes_streamer) post(streamer_, [this] { register_chunk(0); });
      m.work(save.copy_ms);
    });
    m.unlock(save_);
    if (save.is_boosted) place_autosave(2, on(1));
    m.scope("Pack save", [&] { m.work(save.pack_ms); });
    if (save.is_boosted) place_autosave(-1, on(2));
  }

  void place_autosave(int priority, uint64_t processors) {
    m.set_priority(m.this_thread(), priority);
    m.set_processors(m.this_thread(), processors);
  }

  void post_tile(double ms) {
    post(navmesh_, [this, ms] { build_tile(ms); });
  }

  void build_tile(double ms) {
    m.scope("Build navmesh tile", [&] { m.work(ms); });
  }

  // Of the lowest priority. What wakes the navmesh builder here takes the processor from it while it holds the log.
  void flush_telemetry() {
    m.locked(log_, [&] {
      m.scope("Flush telemetry", [&] {
        m.work(m.about(0.1));
        if (is_idle(navmesh_) && m.take_hitch(kPriorityInversion)) post_tile(late(kMainSlack + 5));
        m.work(m.about(0.1));
      });
    });
  }

  void mix_forever() {
    for (;;) {
      m.sleep(5);
      const double reopen_ms = std::exchange(reopen_ms_, 0);
      if (reopen_ms > 0) m.scope("Reopen sound device", [&] { m.sleep(reopen_ms); });
      m.scope("Mix", [&] {
        m.work(m.about(0.3));
        const int taken = std::exchange(ring_used_, 0);
        if (taken > 0) m.release(ring_free_, taken);
      });
    }
  }

  // ---- Render thread: draws the frame that was simulated before -----------------------------------------------------
  void render_forever() {
    for (;;) {
      m.wait_scope("Wait for snapshot", [&] { m.acquire(snapshot_ready_); });
      m.flow_end(snapshot_);
      m.scope("Render frame", [&] { render(); });
      rendered_ = m.flow_begin();
      m.release(snapshot_free_);
      ++renders_;
    }
  }

  void render() {
    if (is_idle(autosave_) && m.take_hitch(kSaveBoosted)) post_save({0.05, late(kRenderSlack), true, false});
    begin_upload();
    cull();
    end_upload();
    light();
    record_draws();
    map_buffer();
    submit();
    m.wait_scope("Wait for GPU", [&] { m.wait(shown_before_); });
  }

  void begin_upload() {
    is_staged_ = false;
    const double ms = m.about(0.3) + (m.take_hitch(kStagingCopy) ? late(kRenderSlack + 1) : 0);
    const uint64_t flow = m.flow_begin();
    post(uploader_, [this, ms, flow] {
      m.flow_end(flow);
      m.scope("Copy to staging", [&] { m.work(ms); });
      is_staged_ = true;
    });
  }

  void cull() {
    m.scope("Cull", [&] {
      m.work(m.about(1.3));
      if (renders_ % 110 == 60) m.scope("Refresh occluders", [&] { m.work(m.about(1.2)); });
    });
  }

  void end_upload() {
    m.scope("Take staging", [&] {
      m.spin_until([this] { return is_staged_; });
      m.work(0.05);
    });
  }

  // Probes bake for some frames, and are taken when they are ready; only after a camera cut they're needed at once.
  void light() {
    m.scope("Light", [&] {
      m.work(m.about(0.4));
      if (!m.is_done(probes_)) return;
      if (renders_ % 30 == 20)
        probes_ = m.gpu_submit(compute_, "Bake probes", 12 + 20 * m.chance());
      else if (m.take_hitch(kCameraCut))
        bake_probes_now();
    });
  }

  void bake_probes_now() {
    probes_ = m.gpu_submit(compute_, "Bake probes", late(kRenderSlack));
    m.wait_scope("Wait for probes", [&] { m.wait(probes_); });
  }

  void record_draws() {
    m.scope("Record draws", [&] {
      int batches = 24 + static_cast<int>(m.random(4));
      if (m.take_hitch(kInstancingBroken)) batches += static_cast<int>(late(kRenderSlack) / 0.11);
      for (int i = 0; i < batches; ++i) m.scope("Draw batch", [&] { m.work(m.about(0.11)); });
      if (m.take_hitch(kPipelineCompile)) compile_pipeline();
      if (renders_ % 40 == 15) swap_detail();
      m.counter("Batches", batches);
    });
  }

  void compile_pipeline() {
    m.scope("Compile pipeline", "wet_planks", [&] { m.work(late(kRenderSlack)); });
  }

  void swap_detail() {
    m.instant("Level of detail changes");
    m.scope("Swap detail", [&] { m.work(m.about(0.6)); });
  }

  void map_buffer() {
    m.scope("Map vertex buffer", [&] {
      m.work(m.about(0.15));
      if (!m.take_hitch(kDriverEvicts)) return;
      m.reset(driver_done_);
      post(driver_, [this, ms = late(kRenderSlack)] {
        m.work(ms);
        m.set(driver_done_);
      });
      m.wait(driver_done_);
    });
  }

  void submit() {
    m.scope("Submit", [&] {
      m.work(m.about(0.25));
      if (m.take_hitch(kGpuShared)) m.other_program_uses_gpu(gpu_, late(kGpuSlack));
      const double shadows = m.about(1.4) + (m.take_hitch(kLowSun) ? late(kGpuSlack) : 0);
      shown_before_ = shown_;
      shown_ = m.gpu_submit(gpu_, "GPU frame",
                            {{"Cascade shadows", shadows},
                             {"Opaque", m.about(2.4)},
                             {"Water", m.about(1)},
                             {"Post effects", m.about(0.8)}});
    });
  }

  Machine& m;
  double next_frame_at_ = 0;
  HarbourInbox physics_[2], streamer_, decompressor_, uploader_, navmesh_, autosave_, telemetry_, driver_;
  // Between simulation and render thread
  Semaphore snapshot_free_{1, {}}, snapshot_ready_;
  uint64_t snapshot_ = 0, rendered_ = 0, renders_ = 0;
  // Physics
  Semaphore island_done_;
  uint64_t last_island_ = 0;
  // The world, and who shares it
  Mutex registry_, names_, save_, log_;
  Event ground_ready_;
  bool is_ground_there_ = false;
  int far_chunks_ = 0;
  // Audio
  Semaphore ring_free_{kRingSize, {}};
  int ring_used_ = 0;
  double reopen_ms_ = 0;
  // Drawing
  Queue gpu_, compute_;
  Fence shown_, shown_before_, probes_;
  Event driver_done_;
  bool is_staged_ = false;
};

const Engine kHarbour = {
    "harbour",
    {
        {"slow script",
         "One of the eight scripts ran much longer than usual.",
         kWorkTookLonger,
         {"Run script"},
         "Main"},
        {"message storm",
         "Messages set off further messages, so that the main thread handled many times more of them.",
         kMoreCalls,
         {"Handle message"},
         "Main"},
        {"full collection",
         "The script machine collected its whole heap at once; in other frames it does a small step.",
         kNewWork,
         {"Collect whole heap"},
         "Main"},
        {"physics catch-up",
         "Physics was behind the clock and made many steps in one frame, each of the usual length.",
         kMoreCalls,
         {"Physics step", "Solve island"},
         ""},
        {"giant island",
         "A pile of containers became one physics island that one worker solved alone, while the main thread waited.",
         kWorkTookLonger,
         {"Solve island"},
         "Physics 2"},
        {"physics robbed",
         "Another program had the processor to which the first physics worker is pinned.",
         kOtherProgram,
         {},
         ""},
        {"cook on pool",
         "A mesh was cooked on a physics worker instead of the streamer, and the islands waited behind it.",
         kPlacedDifferently | kWaitedForWork,
         {"Cook mesh"},
         "Physics 1"},
        {"read under lock",
         "The streamer read from the disk while it held the registry's lock, which moving the ships needs.",
         kWaitedForLock | kFileOrSleep,
         {"Read chunk header"},
         "Streamer"},
        {"name convoy",
         "The streamer took the lock of the name table again and again, so that scripts waited a little at each name.",
         kWaitedForLock,
         {"Intern name"},
         "Streamer"},
        {"priority inversion",
         "Telemetry held the log's lock but had no processor, as the navmesh builder of higher priority was on it.",
         kWaitedForLock | kOwnThread,
         {"Flush telemetry", "Build navmesh tile"},
         ""},
        {"lock chain",
         "The streamer held the registry's lock and itself waited for a lock that the copying autosave held.",
         kWaitedForLock,
         {"Copy save state"},
         "Autosave"},
        {"routes forgotten",
         "A raised bridge emptied the cache of routes, so that far more ships than usual had theirs searched.",
         kMoreCalls,
         {"Search route"},
         "Main"},
        {"far chunks first",
         "The streamer loaded far chunks before the one under the player, for which the main thread waited.",
         kWaitedForWork | kFileOrSleep | kMoreCalls,
         {"Read chunk"},
         "Streamer"},
        {"disk shared",
         "Another program read from the disk, so that the streamer's small read for the player's ground came late.",
         kFileOrSleep,
         {"Read chunk"},
         "Streamer"},
        {"lost wakeup",
         "The main thread reset an event that had been set already, and slept until its wait ran out of time.",
         kFileOrSleep | kWaitedForWork,
         {"Wait for ground"},
         "Main"},
        {"sound device change",
         "The mixer slept while it opened another sound device, and the main thread waited at its full ring.",
         kWaitedForWork | kFileOrSleep,
         {"Reopen sound device"},
         "Audio"},
        {"pipeline compile",
         "The render thread met a material for the first time and compiled its pipeline.",
         kNewWork,
         {"Compile pipeline"},
         "Render"},
        {"driver evicts",
         "The render thread slept in a call of the driver, whose own thread made room in video memory.",
         kFileOrSleep | kWaitedForWork,
         {"Map vertex buffer"},
         "Render"},
        {"instancing broken",
         "Objects were no longer drawn together, so that the render thread recorded many times more batches.",
         kMoreCalls,
         {"Draw batch"},
         "Render"},
        {"staging copy",
         "The uploader copied far more than usual, and the render thread spun until it was done.",
         kWaitedForWork | kWorkTookLonger,
         {"Copy to staging"},
         "Uploader"},
        {"save boosted",
         "The autosave packed with too high a priority on the processor to which the render thread is pinned.",
         kOwnThread,
         {"Pack save"},
         "Autosave"},
        {"low sun", "The sun was low, and the GPU's shadow pass took much longer.", kGpu, {"Cascade shadows"}, "GPU"},
        {"GPU shared",
         "Another program used the GPU, so that the frame's passes began late; each took as long as ever.",
         kOtherProgram | kGpu,
         {},
         ""},
        {"camera cut",
         "After a camera cut the render thread waited for a bake of probes that otherwise it takes frames later.",
         kPlacedDifferently | kGpu,
         {"Bake probes"},
         "GPU compute"},
        {"arrays grow",
         "The entity arrays grew, and the main thread touched their many new pages for the first time.",
         kMemoryFaults | kNewWork,
         {"Grow entity arrays"},
         "Main"},
        {"map swapped out",
         "The minimap's memory had been swapped out and came back from the disk, page by page.",
         kMemoryFaults,
         {"Update minimap"},
         "Main"},
        {"debugger", "A debugger stopped the whole process for a while.", kProcessStopped, {}, ""},
        {"host pause",
         "The host did not run the virtual machine for a while, so that everything stood still.",
         kProcessStopped,
         {},
         ""},
        {"throttled",
         "The processors were hot and ran at a fraction of their speed, so that everything took longer in proportion.",
         kWorkTookLonger,
         {},
         ""},
        {"tile on main",
         "A navmesh tile was built on the main thread instead of the navmesh thread in the background.",
         kPlacedDifferently,
         {"Build navmesh tile"},
         "Main"},
        {"region freed",
         "The main thread freed the objects of a whole region, in code that nobody has marked.",
         kNewWork | kWorkTookLonger,
         {""},
         "Main"},
        {"limiter oversleeps",
         "The timer of the frame limiter woke the main thread much too late.",
         kFileOrSleep,
         {"Frame limiter"},
         "Main"},
        {"quiet save",
         "Nothing went wrong: an autosave packed for long in the background, and nobody waited for it.",
         kOrdinary,
         {},
         ""},
    },
    [](Machine& machine) { Harbour(machine).run(); },
};
const AddEngine kHarbourAdded(&kHarbour);

}  // namespace
}  // namespace engines
