// SPDX-License-Identifier: MIT
//
// apex.cpp: a racing game in VR at 90 Hz. The main thread, bound to the first processor, runs ticks of 120 Hz with
// rollback, lends a hand to a pool that steals physics islands, and stays one frame ahead of a render thread that must
// meet vsync. A browser-like UI, network, audio, voice, fonts, telemetry, replays, streaming, a shader compiler and two
// libraries' hidden threads live beside them.
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "engines/machine.h"

namespace engines {
namespace {

enum ApexKind : size_t {
  kDeepRollback,
  kStateRingGrows,
  kPileUp,
  kDebris,
  kStolenBake,
  kVoiceInverts,
  kGlyphChain,
  kPipelineOnDraw,
  kLatePermutation,
  kLayoutThrash,
  kMajorCollection,
  kPacketBurst,
  kSilentPeer,
  kDownloadOnDisk,
  kReplayCardFlush,
  kSmokeOnGpu,
  kEncoderOnGpu,
  kResidency,
  kControllerUnplugged,
  kDenormals,
  kScannerOnMain,
  kOverlayAttaches,
  kThrottled,
  kFocusLost,
  kScannerOnPool,
  kAntiCheat,
  kUnmarkedTeardown,
  kFastMouse,
  kSwappedCrowd,
  kClockJump,
  kLostKick,
  kCoarseTimer,
};

constexpr double kApexVsync = 1000.0 / 90;
constexpr double kApexTick = 1000.0 / 120;
constexpr double kApexSlack = 4;  // what an ordinary frame of the main thread waits for vsync, about
// Which processors a thread may run on, as bits.
constexpr uint64_t kApexCpuMain = 1, kApexCpuPool = 2 | 4, kApexCpuLastOfPool = 4;
constexpr uint64_t kApexCpuRender = 2 | 8, kApexCpuRest = 8;

class Apex {
 public:
  explicit Apex(Machine& machine) : m(machine) {}

  void run() {
    gpu_ = m.gpu_queue("GPU");
    start_threads();
    m.set(remote_input_);
    last_tick_ = m.now();
    for (;;) {
      m.set_speed(1);
      read_devices();
      trouble_from_outside();
      read_inbox();
      roll_back();
      run_ticks();
      update_game();
      tear_down();
      build_snapshot();
      hand_over();
      m.frame();
    }
  }

 private:
  using Job = std::function<void()>;

  // A main or render thread that is late by this is late by about hitch_ms() after its slack.
  double trouble() const { return m.hitch_ms() + kApexSlack; }
  bool every(uint64_t frames, uint64_t offset) const { return m.frame_index() % frames == offset; }
  void part(const char* name, double ms) {
    m.scope(name, [&] { m.work(m.about(ms)); });
  }

  void start_threads() {
    m.set_processors(m.this_thread(), kApexCpuMain);
    m.start_thread("Render", [this] { render_forever(); }, {1, kApexCpuRender, true});
    for (size_t i = 0; i < 3; ++i) {
      const uint64_t processors = i == 2 ? kApexCpuLastOfPool : kApexCpuPool;
      m.start_thread("Pool " + std::to_string(i + 1), [this, i] { steal_forever(i); }, {0, processors, true});
    }
    m.start_thread("UI", [this] { ui_forever(); }, {0, kApexCpuRest | kApexCpuPool, true});
    m.start_thread("Network", [this] { receive_forever(); }, {2, kApexCpuRest, true});
    m.start_thread("Audio", [this] { mix_forever(); }, {5, kApexCpuMain, true});
    m.start_thread("Voice", [this] { encode_forever(); }, {0, kApexCpuRest, true});
    m.start_thread("Telemetry", [this] { log_forever(); }, {-1, kApexCpuRest, true});
    m.start_thread("Fonts", [this] { rasterise_forever(); }, {0, kApexCpuPool, true});
    m.start_thread("Replay writer", [this] { write_forever(); }, {1, kApexCpuRest, true});
    m.start_thread("Streaming", [this] { stream_forever(); }, {1, kApexCpuRest, true});
    m.start_thread("Shader compiler", [this] { compile_forever(); }, {-2, kApexCpuRest, true});
    m.start_thread("Graphics driver", [this] { drive_forever(); }, {2, kApexCpuPool, false});
    m.start_thread("Anti-cheat", [this] { scan_forever(); }, {3, kApexCpuMain, false});
  }

  // ---- Main: devices and network ------------------------------------------------------------------------------------
  void read_devices() {
    m.scope("Input", [&] {
      int messages = 3 + static_cast<int>(m.random(6));
      if (m.take_hitch(kFastMouse)) messages += static_cast<int>(trouble() / 0.05);
      for (int i = 0; i < messages; ++i) part("Handle raw input", 0.05);
      m.scope("Poll controllers", [&] {
        m.work(m.about(0.06));
        if (m.take_hitch(kControllerUnplugged)) m.sleep(trouble());
      });
    });
  }

  void trouble_from_outside() {
    if (m.take_hitch(kThrottled)) m.set_speed(6 / (6 + trouble()));
    if (m.take_hitch(kScannerOnMain)) m.other_program(0, trouble(), 4);
    if (m.take_hitch(kPacketBurst)) {
      burst_ = static_cast<int>(trouble() / 0.05);
      m.set(socket_);
    }
    if (every(120, 50)) scan_for(0.2);
    if (m.take_hitch(kAntiCheat)) scan_for(trouble());
  }

  void scan_for(double ms) {
    scan_ms_ = ms;
    m.set(scan_);
  }

  void read_inbox() {
    part("Sort peers", 0.1);
    m.scope("Read inbox", [&] {
      m.wait_scope("Lock inbox", [&] { m.lock(inbox_); });
      m.work(m.about(0.1));
      m.unlock(inbox_);
    });
  }

  // ---- Main: ticks --------------------------------------------------------------------------------------------------
  void roll_back() {
    int ticks = m.random(3) == 0 ? 1 + static_cast<int>(m.random(2)) : 0;
    if (m.take_hitch(kDeepRollback)) ticks += static_cast<int>(trouble() / 0.7);
    m.counter("Ticks rolled back", ticks);
    if (ticks == 0) return;
    m.scope("Roll back", [&] {
      part("Load state", 0.1);
      for (int i = 0; i < ticks; ++i) part("Resimulate tick", 0.7);
    });
  }

  int ticks_due() {
    constexpr int kMostTicks = 4;
    const int due = static_cast<int>((m.now() - last_tick_) / kApexTick);
    last_tick_ += due * kApexTick;  // more than the most are dropped: the race slows down
    const int jumped = m.take_hitch(kClockJump) ? static_cast<int>(trouble() / 1.2) : 0;
    return std::min(due, kMostTicks) + jumped;
  }

  void run_ticks() {
    const int ticks = ticks_due();
    for (int i = 0; i < ticks; ++i) m.scope("Tick", [&] { tick(); });
  }

  void tick() {
    m.scope("Read inputs", [&] { read_inputs(); });
    part("Step cars", 0.35);
    m.scope("Solve physics", [&] { solve_physics(); });
    m.scope("Save state", [&] {
      m.work(m.about(0.12));
      if (m.take_hitch(kStateRingGrows)) m.touch_new_memory(static_cast<unsigned>(trouble() / 0.0005));
    });
    m.scope("Push replay", [&] { push_replay(); });
  }

  void read_inputs() {
    m.work(m.about(0.06));
    if (m.take_hitch(kSilentPeer)) {
      m.reset(remote_input_);
      silent_until_ = m.now() + trouble();
    }
    m.wait_scope("Wait for remote input", [&] { m.wait(remote_input_); });
  }

  void push_replay() {
    if (m.take_hitch(kReplayCardFlush)) flush_ms_ = 2 * kApexTick + trouble();
    m.wait_scope("Wait for replay page", [&] { m.acquire(replay_pages_); });
    m.work(m.about(0.04));
    m.release(replay_ticks_);
  }

  // ---- Main and pool: islands ---------------------------------------------------------------------------------------
  void solve_physics() {
    int islands = 5 + static_cast<int>(m.random(4));
    if (m.take_hitch(kDebris)) islands += static_cast<int>(trouble() * 2.3 / 0.12);
    const double pile_up = m.take_hitch(kPileUp) ? trouble() : 0;
    m.counter("Islands", islands);
    part("Find islands", 0.08);
    m.reset(islands_done_);
    islands_left_ = islands;
    for (int i = 0; i < islands; ++i) push_island(m.about(0.12, 0.2) + (i == 1 ? pile_up : 0), static_cast<size_t>(i));
    if (every(45, 20)) push_bake(m.about(12, 0.2));
    if (m.take_hitch(kStolenBake)) steal_bake();
    while (can_help()) help();
    m.wait_scope("Wait for islands", [&] { m.wait(islands_done_); });
    m.flow_end(last_island_);
  }

  void push_island(double ms, size_t number) {
    const uint64_t flow = m.flow_begin();
    islands_[number % islands_.size()].push_back([this, ms, flow] {
      m.flow_end(flow);
      m.scope("Solve island", [&] { m.work(ms); });
      if (--islands_left_ > 0) return;
      last_island_ = m.flow_begin();
      m.set(islands_done_);
    });
    m.release(has_job_);
  }

  Job bake(double ms) {
    const uint64_t flow = m.flow_begin();
    return [this, ms, flow] {
      m.flow_end(flow);
      m.scope("Bake reflection probe", [&] { m.work(ms); });
    };
  }

  void push_bake(double ms) {
    background_.push_back(bake(ms));
    m.release(has_job_);
  }

  // The thief doesn't look whether what it steals can wait.
  void steal_bake() { bake(trouble())(); }

  bool has_island() const {
    return std::any_of(islands_.begin(), islands_.end(), [](const std::deque<Job>& jobs) { return !jobs.empty(); });
  }
  bool can_help() const { return has_job_.count > 0 && has_island(); }

  void help() {
    m.acquire(has_job_);
    take_island(0)();
  }

  // From the back of one's own, else from the front of another's.
  Job take_island(size_t own) {
    std::deque<Job>* jobs = &islands_[own];
    Job job;
    if (!jobs->empty()) {
      job = std::move(jobs->back());
      jobs->pop_back();
      return job;
    }
    for (size_t i = 1; jobs->empty(); ++i) jobs = &islands_[(own + i) % islands_.size()];
    job = std::move(jobs->front());
    jobs->pop_front();
    return job;
  }

  void steal_forever(size_t own) {
    for (;;) {
      m.acquire(has_job_);
      if (!has_island()) {
        do_in_background();
        continue;
      }
      const Job job = take_island(own);
      if (own == 2 && m.take_hitch(kScannerOnPool)) m.other_program(2, trouble(), 4);
      job();
    }
  }

  void do_in_background() {
    const Job job = std::move(background_.front());
    background_.pop_front();
    m.set_priority(m.this_thread(), -1);
    job();
    m.set_priority(m.this_thread(), 0);
  }

  // ---- Main: the rest of a frame ------------------------------------------------------------------------------------
  void update_game() {
    m.scope("Game", [&] {
      part("Update camera", 0.25);
      if (m.take_hitch(kOverlayAttaches)) m.stop_process(trouble());
      if (m.take_hitch(kVoiceInverts)) {
        voice_ms_ = trouble() + 1.2;
        m.set(log_now_);
      }
      m.scope("Update crowd", [&] {
        m.work(m.about(0.7));
        if (m.take_hitch(kSwappedCrowd)) m.touch_swapped_memory(static_cast<unsigned>(trouble() / 0.1));
      });
      part("Update sounds", 0.25);
      if (every(90, 30)) part("Refresh leaderboard", 0.8);
      m.scope("Track tiles", [&] { ask_for_tile(); });
      m.scope("Emit telemetry", [&] {
        m.wait_scope("Lock log", [&] { m.lock(log_); });
        m.work(m.about(0.06));
        m.unlock(log_);
      });
    });
  }

  // A tile is asked for one frame before it is needed.
  void ask_for_tile() {
    m.work(m.about(0.1));
    if (std::exchange(is_tile_due_, false)) {
      m.wait_scope("Wait for tile", [&] { m.wait(tile_ready_); });
      m.flow_end(tile_flow_);
      return;
    }
    const bool is_disk_busy = m.take_hitch(kDownloadOnDisk);
    if (!is_disk_busy && !every(10, 4)) return;
    if (is_disk_busy) m.other_program_reads(kApexVsync + trouble());
    is_tile_due_ = true;
    m.reset(tile_ready_);
    m.set(tile_wanted_);
  }

  void tear_down() {
    if (m.take_hitch(kUnmarkedTeardown)) m.work(trouble());
    if (m.take_hitch(kFocusLost)) m.wait_scope("Limit frame rate", [&] { m.sleep(trouble()); });
  }

  void build_snapshot() {
    m.wait_scope("Wait for pose", [&] { m.sleep(0.5 + (m.take_hitch(kCoarseTimer) ? trouble() : 0)); });
    m.scope("Build snapshot", [&] {
      m.wait_scope("Lock scene", [&] { m.lock(scene_); });
      for (const char* name : {"Copy poses", "Copy lights", "Copy particles"}) part(name, 0.2);
      m.unlock(scene_);
    });
  }

  void hand_over() {
    m.wait_scope("Wait for render", [&] { m.acquire(free_snapshots_); });
    snapshot_flow_ = m.flow_begin();
    m.release(snapshots_);
  }

  // ---- Render -------------------------------------------------------------------------------------------------------
  void render_forever() {
    for (;;) {
      m.wait_scope("Wait for snapshot", [&] { m.acquire(snapshots_); });
      m.flow_end(snapshot_flow_);
      m.scope("Render", [&] { render(); });
      m.wait_scope("Present", [&] {
        m.wait(shown_);
        m.wait_vsync(kApexVsync);
      });
      shown_ = submitted_;
      m.release(free_snapshots_);
    }
  }

  void render() {
    kick_ui();
    part("Cull", 0.5);
    if (every(70, 10)) part("Switch level of detail", 0.9);
    m.scope("Upload textures", [&] { upload(); });
    m.scope("Draw", [&] { draw(); });
    m.scope("Compose UI", [&] {
      wait_for_ui();
      m.work(m.about(0.2));
    });
    m.scope("Submit", [&] { submit(); });
  }

  void kick_ui() {
    m.reset(ui_done_);
    ui_patience_ = 500;
    if (m.take_hitch(kLostKick)) {
      ui_patience_ = trouble();
      return;
    }
    m.set(ui_kicked_);
  }

  void wait_for_ui() {
    m.wait_scope("Wait for UI", [&] {
      while (!m.wait_for(ui_done_, ui_patience_)) m.set(ui_kicked_);
    });
  }

  void upload() {
    m.work(m.about(0.1));
    driver_ms_ = m.take_hitch(kResidency) ? trouble() : m.about(0.08);
    m.reset(driver_done_);
    m.set(driver_asked_);
    m.wait(driver_done_);
  }

  void draw() {
    if (std::exchange(is_permutation_due_, false)) {
      m.wait_scope("Wait for permutation", [&] { m.wait(permutation_ready_); });
    }
    if (m.take_hitch(kLatePermutation)) {
      is_permutation_due_ = true;
      compile(kApexVsync + trouble());
    } else if (every(80, 40)) {
      compile(m.about(3));  // until it is there, the car is drawn in a plain colour
    }
    for (const char* name : {"Draw track", "Draw cars", "Draw crowd", "Draw sky"}) {
      m.scope(name, [&] {
        for (const char* eye : {"left eye", "right eye"}) draw_eye(eye);
      });
    }
  }

  void draw_eye(const char* eye) {
    m.scope("Record eye", eye, [&] {
      if (m.take_hitch(kPipelineOnDraw)) m.scope("Create pipeline", [&] { m.work(trouble()); });
      m.work(m.about(0.2));
    });
  }

  void submit() {
    m.work(m.about(0.15));
    if (m.take_hitch(kEncoderOnGpu)) m.other_program_uses_gpu(gpu_, kApexVsync + trouble());
    const double smoke = m.about(0.6) + (m.take_hitch(kSmokeOnGpu) ? kApexVsync + trouble() : 0);
    submitted_ = m.gpu_submit(
        gpu_, "GPU frame",
        {{"Shadows", m.about(1)}, {"Opaque", m.about(2.4)}, {"Smoke", smoke}, {"Distortion", m.about(0.9)}});
  }

  // ---- UI and fonts -------------------------------------------------------------------------------------------------
  void ui_forever() {
    for (;;) {
      m.wait(ui_kicked_);
      m.reset(ui_kicked_);
      m.scope("UI frame", [&] { ui_frame(); });
      m.set(ui_done_);
    }
  }

  void ui_frame() {
    if (m.take_hitch(kGlyphChain)) rasterise(trouble() + 5);
    m.scope("Run scripts", [&] { run_scripts(); });
    m.scope("Copy nameplates", [&] {
      part("Shape text", 0.1);
      m.lock(scene_);
      m.locked(atlas_, [&] { m.work(m.about(0.08)); });
      m.unlock(scene_);
    });
    if (every(40, 7)) rasterise(0.2);
    part("Paint", 0.6);
  }

  void run_scripts() {
    m.work(m.about(0.3));
    if (every(25, 3)) part("Minor collection", 0.3);
    if (m.take_hitch(kMajorCollection)) m.scope("Major collection", [&] { m.work(trouble() + 2); });
    int layouts = 1 + static_cast<int>(m.random(2));
    if (m.take_hitch(kLayoutThrash)) layouts += static_cast<int>((trouble() + 2) / 0.3);
    for (int i = 0; i < layouts; ++i) part("Layout", 0.3);
  }

  void rasterise(double ms) {
    glyphs_ms_ = ms;
    m.set(glyphs_wanted_);
  }

  void rasterise_forever() {
    for (;;) {
      m.wait(glyphs_wanted_);
      m.reset(glyphs_wanted_);
      m.locked(atlas_, [&] { m.scope("Rasterise glyphs", [&] { m.work(glyphs_ms_); }); });
    }
  }

  // ---- Network, audio, voice, telemetry -----------------------------------------------------------------------------
  void receive_forever() {
    for (;;) {
      m.wait_for(socket_, m.about(4, 0.2));
      m.reset(socket_);
      m.scope("Receive", [&] {
        m.lock(inbox_);
        const int packets = 1 + static_cast<int>(m.random(3)) + std::exchange(burst_, 0);
        for (int i = 0; i < packets; ++i) part("Decode packet", 0.05);
        m.unlock(inbox_);
      });
      if (m.now() >= silent_until_) m.set(remote_input_);
    }
  }

  void mix_forever() {
    constexpr double kBuffer = 256 / 48.0;
    double next = kBuffer;
    for (;;) {
      m.sleep_until(next);
      next = std::max(next + kBuffer, m.now());
      m.scope("Mix", [&] {
        part("Mix engines", 0.12);
        m.scope("Reverb", [&] { m.work(m.take_hitch(kDenormals) ? trouble() + 2 : m.about(0.1)); });
      });
    }
  }

  void encode_forever() {
    for (;;) {
      m.wait_for(voice_, 20);
      m.reset(voice_);
      const double extra = std::exchange(talk_ms_, 0.0);
      m.scope("Encode voice", [&] { m.work(m.about(0.3) + extra); });
    }
  }

  void log_forever() {
    for (;;) {
      m.wait_for(log_now_, m.about(25, 0.1));
      m.reset(log_now_);
      m.scope("Flush telemetry", [&] {
        m.lock(log_);
        m.work(m.about(0.05));
        talk_ms_ = std::exchange(voice_ms_, 0.0);
        if (talk_ms_ > 0) m.set(voice_);  // somebody begins to talk just now
        m.work(m.about(0.05));
        m.unlock(log_);
      });
    }
  }

  // ---- Files, shaders, libraries ------------------------------------------------------------------------------------
  void write_forever() {
    for (uint64_t ticks = 1;; ++ticks) {
      m.acquire(replay_ticks_);
      part("Pack tick", 0.05);
      const double late = std::exchange(flush_ms_, 0.0);
      if (late > 0 || ticks % 64 == 0) m.scope("Flush replay", [&] { m.sleep(m.about(1) + late); });
      m.release(replay_pages_);
    }
  }

  void stream_forever() {
    for (;;) {
      m.wait(tile_wanted_);
      m.reset(tile_wanted_);
      m.scope("Read tile", [&] { m.read_file(m.about(1.5)); });
      part("Unpack tile", 0.6);
      tile_flow_ = m.flow_begin();
      m.set(tile_ready_);
    }
  }

  void compile(double ms) {
    compile_ms_ = ms;
    m.reset(permutation_ready_);
    m.set(permutation_wanted_);
  }

  void compile_forever() {
    for (;;) {
      m.wait(permutation_wanted_);
      m.reset(permutation_wanted_);
      m.scope("Compile permutation", [&] { m.work(compile_ms_); });
      m.set(permutation_ready_);
    }
  }

  void drive_forever() {
    for (;;) {
      m.wait(driver_asked_);
      m.reset(driver_asked_);
      m.sleep(driver_ms_);  // while another engine of the GPU copies
      m.set(driver_done_);
    }
  }

  void scan_forever() {
    for (;;) {
      m.wait(scan_);
      m.reset(scan_);
      m.work(scan_ms_);
    }
  }

  Machine& m;
  Queue gpu_;
  Fence shown_, submitted_;
  Mutex inbox_, scene_, atlas_, log_;
  Event islands_done_, remote_input_, socket_, scan_, voice_, log_now_;
  Event tile_wanted_, tile_ready_, permutation_wanted_, permutation_ready_, driver_asked_, driver_done_;
  Event ui_kicked_, ui_done_, glyphs_wanted_;
  Semaphore has_job_, snapshots_, replay_ticks_;
  Semaphore free_snapshots_{1, {}}, replay_pages_{2, {}};
  std::array<std::deque<Job>, 3> islands_;
  std::deque<Job> background_;
  int islands_left_ = 0, burst_ = 0;
  uint64_t last_island_ = 0, snapshot_flow_ = 0, tile_flow_ = 0;
  bool is_tile_due_ = false, is_permutation_due_ = false;
  double last_tick_ = 0, silent_until_ = 0, ui_patience_ = 0;
  double scan_ms_ = 0, flush_ms_ = 0, voice_ms_ = 0, talk_ms_ = 0;
  double glyphs_ms_ = 0, compile_ms_ = 0, driver_ms_ = 0;
};

const Engine kApex = {
    "apex",
    {
        {"deep rollback",
         "A late input contradicted the prediction, and the game resimulated many ticks instead of one or two.",
         kMoreCalls,
         {"Resimulate tick"},
         "Main"},
        {"state ring grows",
         "The ring of saved states outgrew its buffer, and saving a state touched the new one for the first time.",
         kMemoryFaults,
         {"Save state"},
         "Main"},
        {"pile-up",
         "Cars that touched became one large island, which only one thread could solve.",
         kWorkTookLonger,
         {"Solve island"},
         ""},
        {"debris", "A crash made hundreds of small islands in one tick.", kMoreCalls, {"Solve island"}, ""},
        {"stolen bake",
         "The main thread had to wait for islands and stole a long background job that the pool does else.",
         kPlacedDifferently,
         {"Bake reflection probe"},
         "Main"},
        {"voice inverts priorities",
         "Telemetry held the log's lock and got no processor, as the voice encoder of higher priority worked there.",
         kWaitedForLock | kOwnThread,
         {"Flush telemetry", "Encode voice"},
         ""},
        {"glyph chain",
         "The UI held the scene while it waited for the font atlas, which the font thread held for a long text.",
         kWaitedForLock | kWorkTookLonger,
         {"Rasterise glyphs"},
         "Fonts"},
        {"pipeline on draw",
         "The render thread compiled a pipeline at its first draw.",
         kNewWork,
         {"Create pipeline"},
         "Render"},
        {"late permutation",
         "A shader's permutation that was asked for a frame ago was needed, and its long compilation hadn't ended.",
         kWaitedForWork | kWorkTookLonger,
         {"Compile permutation"},
         "Shader compiler"},
        {"layout thrash",
         "A script of the UI read and wrote sizes by turns, and each read forced another layout.",
         kMoreCalls,
         {"Layout"},
         "UI"},
        {"major collection",
         "The UI's script engine collected all of its garbage.",
         kNewWork,
         {"Major collection"},
         "UI"},
        {"packet burst",
         "A burst of packets arrived, and the network thread held the inbox's lock until all were decoded.",
         kWaitedForLock | kMoreCalls,
         {"Decode packet"},
         "Network"},
        {"silent peer",
         "The other player's input didn't arrive, and the tick waited for it.",
         kFileOrSleep | kWaitedForWork,
         {"Wait for remote input"},
         "Main"},
        {"download on disk",
         "Another program kept the disk busy, so the tile that the race needed was read late.",
         kFileOrSleep | kWaitedForWork,
         {"Read tile"},
         "Streaming"},
        {"replay card flush",
         "The replay writer slept in a flush to a slow card until the pages for ticks ran out.",
         kFileOrSleep | kWaitedForWork,
         {"Flush replay"},
         "Replay writer"},
        {"smoke on GPU", "Smoke filled both eyes, and the GPU took long to blend it.", kGpu, {"Smoke"}, "GPU"},
        {"encoder on GPU",
         "Another program's video encoder had the GPU, so the frame began there late.",
         kOtherProgram | kGpu,
         {},
         ""},
        {"residency",
         "The driver's hidden thread moved textures back to video memory while the upload waited for it.",
         kFileOrSleep | kWaitedForWork,
         {"Upload textures"},
         "Render"},
        {"controller unplugged",
         "The poll of the controllers slept in the device's driver, as one was unplugged.",
         kFileOrSleep,
         {"Poll controllers"},
         "Main"},
        {"denormals",
         "The reverb's tail became denormal and slow, and the mixer of high priority kept the main thread's processor.",
         kOwnThread | kWorkTookLonger,
         {"Reverb"},
         "Audio"},
        {"scanner on main",
         "A virus scanner of high priority had the one processor on which the main thread may run.",
         kOtherProgram,
         {},
         ""},
        {"overlay attaches",
         "An overlay attached itself to the game and stopped all of its threads.",
         kProcessStopped,
         {},
         ""},
        {"throttled",
         "The headset grew hot and slowed all processors for a frame, so that all work took longer.",
         kWorkTookLonger,
         {},
         ""},
        {"focus lost",
         "The player looked at another window, and the limiter held the frame back on purpose.",
         kOrdinary | kFileOrSleep,
         {"Limit frame rate"},
         "Main"},
        {"scanner on pool",
         "A virus scanner of high priority had the processor of a pool thread that had just taken an island.",
         kOtherProgram,
         {},
         ""},
        {"anti-cheat",
         "The anti-cheat's hidden thread of high priority had the main thread's processor.",
         kOwnThread | kOtherProgram,
         {},
         ""},
        {"unmarked teardown", "The main thread freed a left race's objects, in no scope.", kNewWork, {""}, "Main"},
        {"fast mouse",
         "A mouse that reports 8000 times a second filled the message queue.",
         kMoreCalls,
         {"Handle raw input"},
         "Main"},
        {"swapped crowd",
         "The crowd came into view again after long, and its memory had been swapped out.",
         kMemoryFaults,
         {"Update crowd"},
         "Main"},
        {"clock jump",
         "The match's clock was set forward, and the game ran all of the ticks between in one frame.",
         kMoreCalls,
         {"Tick"},
         "Main"},
        {"lost kick",
         "The UI wasn't woken, and did its usual frame only when the render thread's watchdog woke it again.",
         kPlacedDifferently | kWaitedForWork,
         {"UI frame"},
         "UI"},
        {"coarse timer",
         "The system's timer became coarse, and the short sleep before the headset's pose lasted too long.",
         kFileOrSleep,
         {"Wait for pose"},
         "Main"},
    },
    [](Machine& machine) { Apex(machine).run(); },
};
const AddEngine kAdded(&kApex);

}  // namespace
}  // namespace engines
