// SPDX-License-Identifier: MIT
//
// parlour.cpp: a strategy game in a browser. The compositor begins each frame at vsync and sends it to the main thread, which
// runs scripts, draws with WebGL into a ring of commands, lays the page out and commits it; then tiles are rasterised and drawn
// and the GPU service swaps them; only when the GPU has shown that, the next frame may begin. A web worker steps the world, turns
// come from a server in lockstep, and a garbage collector, a compiler, storage and sound run beside that.
#include <cmath>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engines/machine.h"

namespace engines {
namespace {

enum ParlourKind : size_t {
  kFragmentedHeap,
  kScavengeStorm,
  kLayoutThrash,
  kDeoptimised,
  kMicrotasks,
  kContentScript,
  kIdleOverrun,
  kBakeFirst,
  kMessageFlood,
  kFullSnapshot,
  kDecodeOnMain,
  kHeapSwappedOut,
  kSlowJournal,
  kBusyDiskBehindStorage,
  kGlyphsBehindVacuum,
  kGridUnderLock,
  kConvolverHoldsGraph,
  kFarSafepoint,
  kSpinForCompiler,
  kManyRoutes,
  kWorkerGrows,
  kTickThrottled,
  kTurnLate,
  kWorkerDemoted,
  kMarkingStarved,
  kBigUpload,
  kShaderLink,
  kReadPixels,
  kOverdraw,
  kOtherTabOnGpu,
  kSwapSleeps,
  kUnbatchedDraws,
  kLayerExplosion,
  kHeavyTile,
  kAllInvalid,
  kTileAwaitsCache,
  kPrepaintFirst,
  kCompileStorm,
  kVirusScan,
  kThrottledClock,
  kStoppedByDebugger,
  kFullIdle,
  kChattyLog,
  kBusyBackground
};

constexpr double kVsync = 1000.0 / 60;

// What is sent to a thread that does one thing after the other.
struct ParlourMailbox {
  std::deque<std::function<void()>> letters;
  Semaphore count;
};

struct ParlourMessage {
  std::string about;
  double parse_ms;
};

class Parlour {
 public:
  explicit Parlour(Machine& machine) : m(machine) {}

  void run() {
    start();
    for (;;) {
      m.wait_scope("Wait for frame", [&] { m.acquire(begin_); });
      m.flow_end(begin_flow_);
      m.frame();
      restore();
      if (m.take_hitch(kThrottledClock)) {
        m.set_speed(10 / (10 + m.hitch_ms()));
        is_throttled_ = true;
      }
      const bool bakes_first = m.take_hitch(kBakeFirst);
      if (bakes_first) idle(0);
      m.scope("Animation frame", [&] { animation_frame(); });
      // Microtasks: nobody marked them.
      m.work(m.about(0.05));
      if (m.take_hitch(kMicrotasks)) m.work(m.hitch_ms());
      m.scope("Update rendering", [&] { update_rendering(); });
      background_requests();
      // In the time that is left, if it is enough.
      const double left = kVsync - std::fmod(m.now(), kVsync);
      if (!bakes_first && left > 7.7) idle(m.take_hitch(kIdleOverrun) ? m.hitch_ms() + 8 : 0);
    }
  }

 private:
  void start() {
    gpu_ = m.gpu_queue("GPU");
    shared_.name = "shared state";
    graph_.name = "audio graph";
    fonts_.name = "font cache";
    database_.name = "database";
    m.release(ring_space_, 32);

    const unsigned n = m.processors();
    const uint64_t all = (1ull << n) - 1;
    background_ = 1ull << (n - 1);
    foreground_ = n > 1 ? all & ~background_ : all;
    m.set_processors(m.this_thread(), foreground_);
    const ThreadOptions front{0, foreground_, true}, back{-1, background_, true};
    m.start_thread(
        "Compositor", [this] { compose_forever(); }, front);
    for (const char* name : {"Raster 1", "Raster 2"})
      m.start_thread(
          name, [this] { serve_forever(to_raster_); }, front);
    m.start_thread(
        "GPU service", [this] { serve_forever(to_gpu_); }, front);
    sim_ = m.start_thread(
        "Sim worker", [this] { serve_forever(to_sim_); }, front);
    m.start_thread(
        "IO", [this] { receive_forever(); }, front);
    m.start_thread(
        "Storage", [this] { serve_forever(to_storage_); }, front);
    m.start_thread(
        "Audio", [this] { sound_forever(); }, ThreadOptions{5, foreground_, true});
    m.start_thread(
        "GC helper", [this] { serve_forever(to_gc_); }, back);
    jit_ = m.start_thread(
        "JIT", [this] { serve_forever(to_jit_); }, back);
    m.start_thread(
        "driver", [this] { serve_forever(to_driver_); }, ThreadOptions{0, all, false});
    to_wasm_.resize(n);
    for (unsigned i = 0; i < n; ++i) {
      m.start_thread(
          "wasm", [this, i] { serve_forever(to_wasm_[i]); }, ThreadOptions{1, 1ull << i, false});
    }
  }

  // What the last frame's policies changed is set back.
  void restore() {
    if (is_throttled_) m.set_speed(1);
    if (is_demoted_) {
      m.set_processors(sim_, foreground_);
      m.set_priority(jit_, -1);
    }
    is_throttled_ = is_demoted_ = false;
  }

  void post(ParlourMailbox& to, std::function<void()> letter) {
    to.letters.push_back(std::move(letter));
    m.release(to.count);
  }
  void serve_forever(ParlourMailbox& box) {
    for (;;) {
      m.acquire(box.count);
      const std::function<void()> letter = std::move(box.letters.front());
      box.letters.pop_front();
      letter();
    }
  }
  bool is_each(uint64_t period, uint64_t offset) const { return m.frame_index() % period == offset; }

  // ---- Main: scripts ------------------------------------------------------------------------------------------------
  void animation_frame() {
    m.scope("Dispatch input", [&] {
      m.work(m.about(0.2));
      if (m.take_hitch(kContentScript)) m.work(m.hitch_ms());  // an extension's listener
    });
    drain_messages();
    m.wait_scope("Wait for turn", [&] { m.acquire(turn_); });
    --turns_;
    collect_garbage();
    post_tick();
    m.scope("Run scripts", [&] { run_scripts(); });
    m.wait_scope("Wait for tick", [&] { m.acquire(ticked_); });
    m.flow_end(tick_flow_);
    // All threads of the page have to stand at a safe place for a moment.
    if (needs_safepoint_) {
      m.scope("Reach safepoint", [&] {
        post(to_sim_, [this] { m.release(safe_); });
        m.acquire(safe_);
        m.work(0.05);
      });
    }
    m.scope("Read state", [&] {
      m.lock(shared_);
      m.work(m.about(0.3));
      m.unlock(shared_);
    });
    storage_items();
    m.scope("Build instances", [&] {
      m.work(m.about(0.6));
      if (m.take_hitch(kHeapSwappedOut)) m.touch_swapped_memory(static_cast<unsigned>(m.hitch_ms() * 10));
    });
    m.scope("Draw scene", [&] { draw_scene(); });
    m.scope("Update HUD", [&] {
      m.work(m.about(0.2));
      const int n = m.take_hitch(kLayoutThrash) ? 1 + static_cast<int>(m.hitch_ms() / 0.3) : 1;
      for (int i = 0; i < n; ++i) {
        if (i > 0) m.work(0.03);
        m.scope("Forced layout", [&] { m.work(m.about(0.27)); });
      }
    });
  }

  void drain_messages() {
    m.scope("Drain messages", [&] {
      m.counter("Inbox", static_cast<double>(inbox_.size()));
      while (!inbox_.empty()) {
        const ParlourMessage message = inbox_.front();
        inbox_.pop_front();
        m.scope("Apply message", message.about, [&] {
          m.scope("Parse delta", [&] { m.work(message.parse_ms); });
          m.work(m.about(0.04));
        });
      }
    });
  }

  // Marks on the helper from one frame on, and compacts two frames later.
  void collect_garbage() {
    const bool is_starved = marking_since_ == 0 && m.take_hitch(kMarkingStarved);
    if (is_starved || (is_each(120, 50) && marking_since_ == 0)) {
      marking_since_ = m.frame_index();
      if (is_starved) m.other_program(m.processors() - 1, 2 * kVsync - 12 + m.hitch_ms(), 1);
      m.scope("Start marking", [&] { m.work(m.about(0.2)); });
      post(to_gc_, [this] {
        for (int i = 0; i < 5; ++i) m.scope("Mark concurrently", [&] { m.work(m.about(3)); });
        m.release(marked_);
      });
    }
    const bool is_due = marking_since_ != 0 && m.frame_index() >= marking_since_ + 2;
    const bool is_fragmented = !is_due && m.take_hitch(kFragmentedHeap);
    if (!is_due && !is_fragmented) return;
    m.scope("Mark-compact", [&] {
      if (is_due) m.wait_scope("Finish marking", [&] { m.acquire(marked_); });
      m.scope("Sweep", [&] { m.work(m.about(0.2)); });
      m.scope("Evacuate pages", [&] { m.work(m.about(0.5) + (is_fragmented ? m.hitch_ms() : 0)); });
    });
    if (is_due) marking_since_ = 0;
  }

  void run_scripts() {
    const double slower = m.take_hitch(kDeoptimised) ? m.hitch_ms() / 8 : 0;
    if (slower > 0) m.instant("Deoptimised");
    for (const char* group : {"people", "animals", "carts", "ships", "smoke", "water", "trees", "birds"}) {
      m.scope("Animate group", group, [&] { m.work(m.about(0.18) + slower); });
    }
    m.scope("Emit particles", [&] {
      m.work(m.about(0.25));
      const int n = m.take_hitch(kScavengeStorm) ? 1 + static_cast<int>(m.hitch_ms() / 0.25) : 1;
      for (int i = 0; i < n; ++i) {
        if (i > 0) m.work(0.05);
        m.scope("Scavenge", [&] { m.work(m.about(0.2)); });
      }
    });
    m.scope("Spatialise", [&] {
      m.work(0.03);
      m.locked(graph_, [&] { m.work(m.about(0.05)); });
    });
    if (m.take_hitch(kChattyLog)) {
      for (int i = 0; i < 140; ++i) m.scope("Log event", [&] { m.work(0.004); });
    }
    if (m.take_hitch(kStoppedByDebugger)) m.stop_process(m.hitch_ms());
    if (m.take_hitch(kVirusScan)) {
      for (unsigned i = 0; i < m.processors(); ++i) m.other_program(i, m.hitch_ms(), 1);
    }
    if (m.take_hitch(kCompileStorm)) {
      const double ms = m.hitch_ms();
      for (ParlourMailbox& box : to_wasm_) post(box, [this, ms] { m.work(ms); });
    }
    m.work(m.about(0.1));
    if (marking_since_ == 0) {  // else the compiler's processor is the collector's
      const bool is_slow = m.take_hitch(kSpinForCompiler);
      if (is_each(40, 33) || is_slow) call_wasm(is_slow ? m.hitch_ms() : 0);
    }
  }

  // A page's main thread may not block, so it spins until the function is there.
  void call_wasm(double extra) {
    m.scope("Call export", [&] {
      is_compiled_ = false;
      post(to_jit_, [this, extra] {
        m.scope("Compile lazily", [&] { m.work(m.about(0.4) + extra); });
        is_compiled_ = true;
      });
      m.spin_until([this] { return is_compiled_; });
    });
  }

  // The page's local storage answers while the script waits. This was never marked as a wait.
  void storage_items() {
    const bool is_slow = m.take_hitch(kSlowJournal);
    const double journal = is_slow ? m.hitch_ms() : 0;
    if (is_each(90, 40) || is_slow) {
      m.scope("localStorage.setItem", [&] {
        post(to_storage_, [this, journal] {
          m.scope("Set item", [&] {
            m.work(m.about(0.15));
            if (journal > 0) m.scope("Sync journal", [&] { m.read_file(journal); });
          });
          m.release(stored_);
        });
        m.acquire(stored_);
      });
    }
    const bool is_behind = m.take_hitch(kBusyDiskBehindStorage);
    if (is_behind) {
      m.other_program_reads(m.hitch_ms());
      ask_io([this] { write_cache_entry(); });
      m.work(0.2);
    }
    if (is_each(30, 3) || is_behind) {
      m.scope("localStorage.getItem", [&] {
        post(to_storage_, [this] {
          m.scope("Get item", [&] { m.locked(database_, [&] { m.work(m.about(0.15)); }); });
          m.release(stored_);
        });
        m.acquire(stored_);
      });
    }
  }

  // ---- Main: drawing ------------------------------------------------------------------------------------------------
  void draw_scene() {
    if (m.take_hitch(kDecodeOnMain)) {
      m.scope("Upload sprites", [&] {
        m.scope("Decode image", "dragon.webp", [&] { m.work(m.hitch_ms()); });
        m.work(0.1);
      });
    }
    const bool is_big = m.take_hitch(kBigUpload);
    if (is_each(50, 20) || is_big) {
      const double ms = m.about(0.4) + (is_big ? m.hitch_ms() : 0);
      post(to_gpu_, [this, ms] { m.scope("Upload texture", [&] { m.work(ms); }); });
    }
    if (m.take_hitch(kShaderLink)) {
      const double ms = m.hitch_ms();
      m.scope("Get link status", [&] {
        post(to_gpu_, [this, ms] {
          m.scope("Link program", [&] {
            m.work(0.2);
            post(to_driver_, [this, ms] {
              m.work(ms);
              m.release(driver_done_);
            });
            m.acquire(driver_done_);
          });
          m.release(answered_);
        });
        m.acquire(answered_);
      });
    }
    const int n = m.take_hitch(kUnbatchedDraws) ? 16 + static_cast<int>(m.hitch_ms() / 0.1) : 16;
    for (int i = 0; i < n; ++i) {
      m.scope("Draw batch", [&] {
        m.work(m.about(0.045));
        m.acquire(ring_space_);
      });
      post(to_gpu_, [this] {
        m.scope("Decode batch", [&] { m.work(m.about(0.11)); });
        m.release(ring_space_);
      });
    }
    const double particles = m.about(0.7) + (m.take_hitch(kOverdraw) ? m.hitch_ms() : 0);
    const double other = m.take_hitch(kOtherTabOnGpu) ? m.hitch_ms() : 0;
    const uint64_t flow = m.flow_begin();
    post(to_gpu_, [this, particles, other, flow] {
      m.flow_end(flow);
      m.scope("Flush WebGL", [&] {
        m.work(m.about(0.1));
        if (other > 0) m.other_program_uses_gpu(gpu_, other);
        const double sprites = m.about(0.8) * (m.frame_index() / 45 % 2 == 0 ? 1 : 1.2);
        m.gpu_submit(
            gpu_, "WebGL",
            {{"Shadows", m.about(0.8)}, {"Terrain", m.about(1.4)}, {"Sprites", sprites}, {"Particles", particles}});
      });
    });
    if (m.take_hitch(kReadPixels)) {
      const double ms = m.hitch_ms();
      m.scope("Read pixels", [&] {
        post(to_gpu_, [this, ms] {
          const Fence read = m.gpu_submit(gpu_, "Readback", ms);
          m.wait(read);
          m.release(answered_);
        });
        m.acquire(answered_);
      });
    }
  }

  void update_rendering() {
    m.scope("Style", [&] { m.work(m.about(0.3)); });
    if (m.take_hitch(kGlyphsBehindVacuum)) {
      const double ms = m.hitch_ms();
      post(to_storage_, [this, ms] { m.locked(database_, [&] { m.scope("Vacuum", [&] { m.work(ms); }); }); });
      m.work(0.1);
      post(to_raster_, [this] {
        m.scope("Load glyphs", [&] {
          m.lock(fonts_);
          m.locked(database_, [&] { m.work(0.2); });
          m.unlock(fonts_);
        });
      });
      m.work(0.15);
    }
    m.scope("Layout", [&] {
      m.work(m.about(0.3));
      m.scope("Measure text", [&] { m.locked(fonts_, [&] { m.work(m.about(0.15)); }); });
    });
    m.scope("Paint", [&] { m.work(m.about(0.5)); });
    m.scope("Commit", [&] {
      commit_flow_ = m.flow_begin();
      m.release(commit_);
      m.acquire(committed_);
    });
  }

  // The little map.
  void idle(double extra) {
    const double ms = m.about(6.5) + extra + (extra == 0 && m.take_hitch(kFullIdle) ? 1.1 : 0);
    m.scope("Idle callback", [&] { m.scope("Bake minimap", [&] { m.work(ms); }); });
  }

  // What nobody waits for.
  void background_requests() {
    if (is_each(45, 7)) put_record(2);
    if (is_each(40, 13)) optimise(5);
    if (is_each(29, 5)) ask_io([this] { write_cache_entry(); });
    if (is_each(31, 9)) ask_io([this] { read_cache_entry(1); });
    if (is_each(23, 11)) {
      post(to_raster_, [this] { m.scope("Decode image", "portrait.webp", [&] { m.work(m.about(4)); }); });
    }
    const bool is_awaited = is_each(30, 2) || is_each(90, 39) || m.frame_index() % 40 / 3 == 10 || marking_since_ != 0;
    if (!is_awaited && m.take_hitch(kBusyBackground)) {
      put_record(22);
      optimise(25);
    }
  }
  void put_record(double ms) {
    post(to_storage_, [this, ms] {
      m.scope("Put record", [&] {
        m.work(m.about(0.2));
        m.read_file(m.about(ms));
      });
    });
  }
  void optimise(double ms) {
    post(to_jit_, [this, ms] { m.scope("Optimise function", [&] { m.work(m.about(ms)); }); });
  }

  // ---- Compositor ---------------------------------------------------------------------------------------------------
  void compose_forever() {
    for (;;) {
      m.wait_scope("Wait for vsync", [&] { m.wait_vsync(); });
      m.scope("Begin frame", [&] {
        m.work(m.about(0.08));
        begin_flow_ = m.flow_begin();
        m.release(begin_);
      });
      m.wait_scope("Wait for commit", [&] { m.acquire(commit_); });
      m.flow_end(commit_flow_);
      m.scope("Copy layer tree", [&] { m.work(m.about(0.35)); });
      m.release(committed_);
      m.scope("Prepare tiles", [&] { prepare_tiles(); });
      m.wait_scope("Wait for tiles", [&] {
        for (int i = 0; i < tiles_; ++i) m.acquire(rastered_);
      });
      m.flow_end(tile_flow_);
      m.scope("Draw quads", [&] {
        m.work(m.about(0.1));
        const int layers = m.take_hitch(kLayerExplosion) ? 6 + static_cast<int>(m.hitch_ms() / 0.06) : 6;
        for (int i = 0; i < layers; ++i) m.scope("Append quads", [&] { m.work(m.about(0.06)); });
        const uint64_t flow = m.flow_begin();
        post(to_gpu_, [this, flow] {
          m.flow_end(flow);
          swap();
        });
      });
      m.wait_scope("Wait for swap", [&] { m.acquire(swapped_); });
      m.flow_end(swap_flow_);
    }
  }

  void prepare_tiles() {
    m.work(m.about(0.1));
    const double heavy = m.take_hitch(kHeavyTile) ? m.hitch_ms() : 0;
    const double cache = m.take_hitch(kTileAwaitsCache) ? m.hitch_ms() : 0;
    tiles_ = m.take_hitch(kAllInvalid) ? 6 + static_cast<int>(m.hitch_ms() * 2 / 0.5) : 6;
    const bool prepaints_first = m.take_hitch(kPrepaintFirst);
    m.counter("Tiles", tiles_);
    if (prepaints_first) prepaint();
    for (int i = 0; i < tiles_; ++i) {
      const double ms = m.about(0.5) + (i == 3 ? heavy : 0);
      const double read = i == 2 ? cache : 0;
      const uint64_t flow = m.flow_begin();
      post(to_raster_, [this, ms, read, flow] {
        m.flow_end(flow);
        raster_tile(ms, read);
      });
    }
    if (!prepaints_first) prepaint();
  }
  // Tiles that are not visible yet.
  void prepaint() {
    for (int i = 0; i < 8; ++i) {
      post(to_raster_, [this] { m.scope("Raster prepaint", [&] { m.work(m.about(1.65)); }); });
    }
  }
  void raster_tile(double ms, double read) {
    m.scope("Raster tile", [&] {
      m.work(0.04);
      m.scope("Play paint ops", [&] {
        if (read > 0) {
          ask_io([this, read] {
            read_cache_entry(read);
            m.release(cached_);
          });
          m.wait_scope("Await image", [&] { m.acquire(cached_); });
        }
        m.work(ms);
      });
    });
    tile_flow_ = m.flow_begin();
    m.release(rastered_);
  }

  // ---- GPU service --------------------------------------------------------------------------------------------------
  void swap() {
    m.scope("Swap buffers", [&] {
      m.work(m.about(0.15));
      if (m.take_hitch(kSwapSleeps)) m.sleep(m.hitch_ms());  // in the driver
    });
    const Fence shown = m.gpu_submit(gpu_, "Composite", m.about(0.8));
    m.wait_scope("Wait for GPU", [&] { m.wait(shown); });
    swap_flow_ = m.flow_begin();
    m.release(swapped_);
  }

  // ---- Sim worker ---------------------------------------------------------------------------------------------------
  void post_tick() {
    m.scope("Post tick", [&] {
      m.work(0.04);
      if (m.take_hitch(kWorkerDemoted)) {
        is_demoted_ = true;
        m.set_processors(sim_, background_);
        m.set_priority(jit_, 1);
        optimise(m.hitch_ms());
      }
      const bool is_far = m.take_hitch(kFarSafepoint);
      const double fill = is_far ? m.hitch_ms() : is_each(60, 25) ? 0.8 : 0;
      const uint64_t flow = m.flow_begin();
      post(to_sim_, [this, fill, flow] {
        m.flow_end(flow);
        tick(fill);
      });
      needs_safepoint_ = is_far || is_each(60, 11);
    });
  }

  void tick(double fill) {
    if (m.take_hitch(kTickThrottled)) m.sleep(m.hitch_ms());
    m.scope("Sim step", [&] {
      for (int i = 0; i < 4; ++i) {
        m.scope("Step squad", [&] {
          m.work(m.about(0.35));
          if (i == 1 && m.take_hitch(kWorkerGrows)) m.touch_new_memory(static_cast<unsigned>(m.hitch_ms() * 2000));
        });
      }
      const int routes = m.take_hitch(kManyRoutes) ? 5 + static_cast<int>(m.hitch_ms() / 0.2) : 5;
      for (int i = 0; i < routes; ++i) m.scope("Find route", [&] { m.work(m.about(0.2)); });
      m.locked(shared_, [&] { m.scope("Publish state", [&] { m.work(m.about(0.25)); }); });
    });
    tick_flow_ = m.flow_begin();
    m.release(ticked_);
    if (m.take_hitch(kGridUnderLock)) {
      m.locked(shared_, [&] { m.scope("Rebuild grid", [&] { m.work(m.hitch_ms()); }); });
    } else if (is_each(61, 30)) {
      m.scope("Rebuild grid", [&] { m.work(m.about(1.5)); });
    }
    if (fill > 0) m.scope("Flood fill", [&] { m.work(fill); });
  }

  // ---- IO, sound ----------------------------------------------------------------------------------------------------
  void ask_io(std::function<void()> request) {
    io_requests_.push_back(std::move(request));
    m.set(io_wakes_);
  }
  void write_cache_entry() {
    m.locked(database_, [&] { m.scope("Write cache entry", [&] { m.read_file(m.about(0.6)); }); });
  }
  void read_cache_entry(double ms) {
    m.scope("Read cache entry", [&] { m.read_file(m.about(ms)); });
  }

  // The server's turns come in the middle of frames, each for the next one.
  void receive_forever() {
    constexpr double kPhase = 9;
    for (;;) {
      double next = (std::floor((m.now() - kPhase) / kVsync) + 1) * kVsync + kPhase;
      if (m.take_hitch(kTurnLate)) next += kVsync - kPhase + 1 + m.hitch_ms();
      m.wait_scope("Receive", [&] { receive_until(next); });
      m.scope("Inflate", [&] {
        m.work(m.about(0.08));
        const int n = m.take_hitch(kMessageFlood) ? 3 + static_cast<int>(m.hitch_ms() / 0.12) : 3;
        for (int i = 0; i < n; ++i) {
          m.work(0.01);
          inbox_.push_back({"delta", m.about(0.08)});
        }
        if (m.take_hitch(kFullSnapshot)) inbox_.push_back({"snapshot", m.hitch_ms()});
      });
      if (turns_ < 1) {
        ++turns_;
        m.release(turn_);
      }
    }
  }
  void receive_until(double ms) {
    while (m.now() < ms && m.wait_for(io_wakes_, ms - m.now())) {
      m.reset(io_wakes_);
      while (!io_requests_.empty()) {
        const std::function<void()> request = std::move(io_requests_.front());
        io_requests_.pop_front();
        request();
      }
    }
  }

  void sound_forever() {
    for (;;) {
      m.sleep_until((std::floor(m.now() / 10) + 1) * 10);
      // Main wants the graph about 2 ms after vsync: only a quantum that begins shortly before that is in its way.
      const double to_vsync = kVsync - std::fmod(m.now(), kVsync);
      const double extra = to_vsync < 4 && m.take_hitch(kConvolverHoldsGraph) ? m.hitch_ms() + to_vsync + 2 : 0;
      m.lock(graph_);
      m.scope("Render quantum", [&] {
        m.work(m.about(0.15));
        m.scope("Convolve", [&] { m.work(m.about(0.1) + extra); });
      });
      m.unlock(graph_);
    }
  }

  Machine& m;
  Queue gpu_;
  Thread sim_ = nullptr, jit_ = nullptr;
  uint64_t background_ = 0, foreground_ = 0;
  ParlourMailbox to_raster_, to_gpu_, to_sim_, to_storage_, to_gc_, to_jit_, to_driver_;
  std::vector<ParlourMailbox> to_wasm_;
  Mutex shared_, graph_, fonts_, database_;
  Semaphore begin_, commit_, committed_, rastered_, swapped_, ticked_, turn_, stored_, answered_, driver_done_, marked_;
  Semaphore safe_, cached_, ring_space_;
  Event io_wakes_;
  std::deque<std::function<void()>> io_requests_;
  std::deque<ParlourMessage> inbox_;
  uint64_t begin_flow_ = 0, commit_flow_ = 0, tile_flow_ = 0, swap_flow_ = 0, tick_flow_ = 0, marking_since_ = 0;
  int turns_ = 0, tiles_ = 0;
  bool is_throttled_ = false, is_demoted_ = false, is_compiled_ = false, needs_safepoint_ = false;
};

Kind trouble(const char* name, const char* what, uint32_t causes, std::vector<std::string> scopes, const char* lane) {
  return {name, what, causes, std::move(scopes), lane};
}

const Engine kParlour = {
    "parlour",
    {
        trouble("fragmented heap", "The collector compacted a heap full of holes, and moving objects took long.",
                kWorkTookLonger | kNewWork, {"Evacuate pages"}, "Main"),
        trouble("scavenge storm", "The particle emitter allocated so much that it took many scavenges.", kMoreCalls,
                {"Scavenge", "Emit particles"}, "Main"),
        trouble("layout thrash", "The HUD's script wrote and read sizes in turns, so layout was forced very often.",
                kMoreCalls, {"Forced layout"}, "Main"),
        trouble("deoptimised", "The compiled code was thrown away, and the interpreter animated all eight groups.",
                kWorkTookLonger, {"Animate group"}, "Main"),
        trouble("microtasks", "A chain of promises ran after the animation frame, where nothing is marked.",
                kWorkTookLonger | kNewWork, {""}, "Main"),
        trouble("content script", "An extension's listener, which nobody marked, worked inside of the dispatch.",
                kWorkTookLonger | kNewWork, {"Dispatch input"}, "Main"),
        trouble("idle overrun",
                "The idle callback ignored its deadline, so the main thread took up the next frame late.",
                kWorkTookLonger, {"Bake minimap"}, "Main"),
        trouble("bake first",
                "The minimap was baked as long as ever, but before the animation frame instead of after it.",
                kPlacedDifferently, {"Bake minimap"}, "Main"),
        trouble("message flood",
                "The server sent very many messages at once, and the main thread applied all in one frame.", kMoreCalls,
                {"Apply message", "Parse delta"}, "Main"),
        trouble("full snapshot", "One message was a snapshot of the whole world, and parsing it took long.",
                kWorkTookLonger, {"Parse delta"}, "Main"),
        trouble("decode on main", "The main thread decoded an image itself, which the raster threads had not done yet.",
                kPlacedDifferently | kNewWork, {"Decode image"}, "Main"),
        trouble("heap swapped out", "The heap was swapped out, and building the instances read it back by pages.",
                kMemoryFaults, {"Build instances"}, "Main"),
        trouble("slow journal", "The script waited for storage, which waited for the disk to write its journal.",
                kFileOrSleep | kWaitedForWork | kNewWork, {"Sync journal"}, "Storage"),
        trouble("busy disk behind storage",
                "The script waited for storage, which waited for the database's lock, which IO held while it wrote a "
                "cache entry to a disk that another program kept busy.",
                kFileOrSleep | kWaitedForLock, {"Write cache entry"}, "IO"),
        trouble("glyphs behind vacuum",
                "Layout waited for the font cache, locked by a raster thread that waited for the database, locked by "
                "the storage thread's vacuum.",
                kWaitedForLock | kNewWork, {"Vacuum"}, "Storage"),
        trouble("grid under lock",
                "The worker rebuilt its grid under the shared state's lock, which the main thread needed.",
                kWaitedForLock | kWorkTookLonger, {"Rebuild grid"}, "Sim worker"),
        trouble("convolver holds graph",
                "The audio thread convolved very long under the graph's lock, which the main thread wanted.",
                kWaitedForLock | kWorkTookLonger, {"Convolve"}, "Audio"),
        trouble("far safepoint",
                "The main thread wanted a safepoint, and the worker reached none during a long flood fill.",
                kWaitedForWork | kWorkTookLonger, {"Flood fill"}, "Sim worker"),
        trouble("spin for compiler", "The main thread spun until the compiler's thread had compiled a large function.",
                kWaitedForWork | kWorkTookLonger, {"Compile lazily"}, "JIT"),
        trouble("many routes", "The worker found very many routes in this tick, and the main thread waited for it.",
                kMoreCalls | kWaitedForWork, {"Find route"}, "Sim worker"),
        trouble("worker grows", "Stepping a squad touched very many new pages, while the main thread waited.",
                kMemoryFaults | kWaitedForWork, {"Step squad"}, "Sim worker"),
        trouble("tick throttled",
                "The worker's timer was throttled, so it slept, in no scope, before a step of usual length.",
                kFileOrSleep | kPlacedDifferently | kWaitedForWork, {"", "Sim step"}, "Sim worker"),
        trouble("turn late", "The server's turn came late, and the main thread may not go on without it.",
                kFileOrSleep | kWaitedForWork, {"Receive"}, "IO"),
        trouble("worker demoted",
                "The worker was confined to the processor for background work, where the compiler's thread with a "
                "higher priority kept it from its step.",
                kOwnThread | kWaitedForWork, {"Optimise function"}, "JIT"),
        trouble("marking starved",
                "Another program took the background processor, so the marking that the helper began two frames ago "
                "was not done when the main thread needed it.",
                kOtherProgram | kWaitedForWork, {}, ""),
        trouble("big upload", "The GPU service converted a huge texture, and all drawing after that came late.",
                kWorkTookLonger | kWaitedForWork, {"Upload texture"}, "GPU service"),
        trouble("shader link",
                "The script asked for a program's link status and waited for the GPU service, which waited for a "
                "compiler thread of the driver that nobody recorded.",
                kWaitedForWork | kFileOrSleep | kNewWork, {"Link program"}, "GPU service"),
        trouble("read pixels", "The script read pixels back, and stood until the GPU had copied a large image.",
                kGpu | kNewWork, {"Read pixels", "Readback"}, ""),
        trouble("overdraw", "Particles covered the screen many times over, and drawing them took the GPU long.", kGpu,
                {"Particles"}, "GPU"),
        trouble("other tab on the GPU", "Another program used the GPU, so this one's drawing began late.",
                kGpu | kOtherProgram, {}, ""),
        trouble("swap sleeps", "The driver slept inside of the GPU service's buffer swap.",
                kFileOrSleep | kWaitedForWork, {"Swap buffers"}, "GPU service"),
        trouble("unbatched draws",
                "The script drew without batching, so the GPU service had very many draw calls to decode.",
                kMoreCalls | kWaitedForWork, {"Draw batch", "Decode batch"}, ""),
        trouble("layer explosion",
                "The page fell into hundreds of layers, and the compositor appended each one's quads.",
                kMoreCalls | kWaitedForWork, {"Append quads"}, "Compositor"),
        trouble("heavy tile", "One tile had a monstrous path in it, and the compositor waited for that tile.",
                kWorkTookLonger | kWaitedForWork, {"Play paint ops"}, ""),
        trouble("all invalid", "The whole page was invalidated, so many times as many tiles had to be rasterised.",
                kMoreCalls | kWaitedForWork, {"Raster tile", "Play paint ops"}, ""),
        trouble("tile awaits cache",
                "The compositor waited for a tile, and its raster thread for an image that IO read slowly.",
                kFileOrSleep | kWaitedForWork, {"Read cache entry"}, "IO"),
        trouble("prepaint first",
                "The raster threads did the usual invisible tiles before the visible ones, not after them.",
                kPlacedDifferently | kWaitedForWork, {"Raster prepaint", "Raster tile"}, ""),
        trouble("compile storm", "The program's compiler threads, which nobody recorded, took all processors.",
                kOwnThread | kOtherProgram, {}, ""),
        trouble("virus scan", "A virus scanner took all processors for a while, with a higher priority.", kOtherProgram,
                {}, ""),
        trouble("throttled clock",
                "The processors ran at a fraction of their speed for one frame, so everything took longer.",
                kWorkTookLonger, {}, ""),
        trouble("stopped by debugger", "A debugger stopped the whole process for a while.", kProcessStopped, {}, ""),
        trouble("full idle", "The idle callback used up the time until vsync, as it may, and nothing came late.",
                kOrdinary, {}, ""),
        trouble("chatty log", "A hundred and forty log events, of a few microseconds each, delayed nothing.", kOrdinary,
                {}, ""),
        trouble("busy background", "Storage wrote and the compiler optimised for long, but nobody waited for either.",
                kOrdinary, {}, ""),
    },
    [](Machine& machine) { Parlour(machine).run(); },
};
const AddEngine kParlourAdded(&kParlour);

}  // namespace
}  // namespace engines
