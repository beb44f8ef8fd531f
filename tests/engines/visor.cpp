// SPDX-License-Identifier: MIT
//
// visor.cpp: a virtual reality title at 90 Hz. A compositor begins each frame at the display's beat and warps the last image; the
// main thread runs scripts, waits for the hand tracker's sample, and gives physics and poses to two job threads and itself; a
// render thread is one frame behind and latches the newest pose at the end; a spatializer mixes blocks at its own beat.
// Streaming, decompression, shaders, telemetry and the network share one small core. Each frame ends at the beat: what is late
// by a little costs a whole one.
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "engines/machine.h"

namespace engines {
namespace {

enum VisorKind : size_t {
  kFullCollection,
  kCollectorStep,
  kEventStorm,
  kScriptHeapGrows,
  kEntityTableGrows,
  kOneBigIsland,
  kCrowdPosedLast,
  kWorkersBake,
  kWorkersNotWoken,
  kStatsHeldByStarved,
  kHandleConvoy,
  kTableHeldWhileReading,
  kRelocalise,
  kLatchHeld,
  kMeshRebuilt,
  kCompositorOffItsCore,
  kPipelineOnRender,
  kPipelineAwaited,
  kDriverReadsCache,
  kTooManyDraws,
  kShadowsHeavy,
  kFullResolution,
  kGpuTaken,
  kWarpHeavy,
  kPresentStall,
  kLogFlushHeld,
  kLogSync,
  kSocketFull,
  kScriptSwapped,
  kChunkFromDisk,
  kChunkInflates,
  kChunkStarved,
  kStoppedByDebugger,
  kHostTookMachine,
  kThrottled,
  kMainOffItsCore,
  kReverbOnMainsCore,
  kPoolSpin,
  kGuardianSilent,
  kTwoUnequal,
  kInstancesOnMain,
  kTrailsGrow,
  kCheckpoint,
  kPosesTouchMemory,
  kPluginUnmarked,
  kEyeCameraUnmarked,
  kDriverHoldsBuffer,
  kCubemapOnMain,
  kDiskBusy,
  kMainMigrated,
  kCameraLate,
  kHandsOverlap,
  kSkeletonsPatched,
  kSectorsMultiply,
  kTexturesFreed,
  kTwoLocksInARow,
  kHalfRate,
  kCompilerOutranksRender,
  kQuietBurst,
  kQuietGpu,
  kQuietNeighbour,
  kQuietHands,
};

constexpr double kBeat = 1000.0 / 90;

// Tasks for one thread, in turn.
struct VisorInbox {
  Semaphore has_task;
  std::deque<std::function<void()>> tasks;
};
struct VisorJob {
  const char* name;
  double ms;
  unsigned new_pages = 0;
  bool needs_skeleton = false;
  uint64_t flow = 0;
};

class Visor {
 public:
  explicit Visor(Machine& machine) : m(machine) {
    pose_.name = "pose", latch_.name = "latch ring", table_.name = "asset table", stats_.name = "stats",
    log_.name = "log";
    audio_.name = "audio graph", skeleton_.name = "skeleton cache", peers_.name = "peers", routes_.name = "routes";
    buffer_.name = "driver heap", frame_start_.name = "frame start", hands_.name = "hands", slot_.name = "render slot";
    batch_done_.name = "batch done", packet_.name = "packet", send_room_.name = "send queue", has_job_.name = "jobs";
  }

  void run() {
    gpu_ = m.gpu_queue("GPU");
    warp_queue_ = m.gpu_queue("Warp queue");
    main_ = m.this_thread();
    m.set_processors(main_, 2);
    m.start_thread("Compositor", [this] { composite_forever(); }, {5, 1, true});
    m.start_thread("Hand tracker", [this] { track_forever(); }, {3, 9, true});
    m.start_thread("Spatializer", [this] { mix_forever(); }, {4, 9, true});
    m.start_thread("Render", [this] { render_forever(); }, {1, 4, true});
    for (const char* name : {"Job 1", "Job 2"}) m.start_thread(name, [this] { jobs_forever(); }, {0, 13, true});
    start_inbox("Streamer", streamer_, {-1, 8, true});
    start_inbox("Decompress", decompress_, {-1, 8, true});
    compiler_ = start_inbox("Shader compiler", shaders_, {-1, 8, true});
    start_inbox("Telemetry", telemetry_, {-2, 8, true});
    start_inbox("Net", net_, {-1, 8, true});
    start_inbox("guardian service", guardian_, {1, 9, false});
    start_inbox("driver", driver_, {1, 9, false});
    for (;;) {
      trouble_from_outside();
      m.scope("Input", [&] { m.work(m.about(0.15)); });
      run_scripts();
      read_hands();
      simulate();
      animate();
      use_assets();
      talk();
      cull();
      send_frame();
      if (m.take_hitch(kCompositorOffItsCore)) m.other_program(0, m.hitch_ms() + 3, 9);
      m.reset(frame_start_);
      m.wait_scope("Wait frame start", [&] { m.wait(frame_start_); });
      m.frame();
      after_frame();
    }
  }

 private:
  // ---- Threads with an inbox ----
  Thread start_inbox(const char* name, VisorInbox& inbox, const ThreadOptions& options) {
    inbox.has_task.name = std::string(name) + " inbox";
    const auto body = [this, &inbox] {
      for (;;) {
        m.acquire(inbox.has_task);
        const std::function<void()> task = inbox.tasks.front();
        inbox.tasks.pop_front();
        task();
      }
    };
    return m.start_thread(name, body, options);
  }
  void post(VisorInbox& inbox, std::function<void()> task) {
    const uint64_t flow = m.flow_begin();
    inbox.tasks.push_back([this, flow, task = std::move(task)] {
      m.flow_end(flow);
      task();
    });
    m.release(inbox.has_task);
  }
  void plain(const char* name, double ms) {
    m.scope(name, [&] { m.work(ms); });
  }

  // ---- Jobs ----
  void run_batch(std::vector<VisorJob> batch, bool wakes_workers = true) {
    pending_ = batch.size();
    m.reset(batch_done_);
    for (VisorJob& job : batch) {
      job.flow = m.flow_begin();
      jobs_.push_back(job);
    }
    if (wakes_workers) m.release(has_job_, 2);
    drain_jobs();
    m.wait_scope("Wait for jobs", [&] { m.wait(batch_done_); });
    m.flow_end(batch_flow_);
  }
  void drain_jobs() {
    while (!jobs_.empty()) {
      const VisorJob job = jobs_.front();
      jobs_.pop_front();
      m.flow_end(job.flow);
      m.scope(job.name, [&] {
        if (job.needs_skeleton) m.locked(skeleton_, [&] { m.work(0.01); });
        if (job.new_pages != 0) m.touch_new_memory(job.new_pages);
        m.work(job.ms);
      });
      if (--pending_ != 0) continue;
      batch_flow_ = m.flow_begin();
      m.set(batch_done_);
    }
  }
  void jobs_forever() {
    for (;;) {
      m.acquire(has_job_);
      if (bakes_ > 0) {
        --bakes_;
        plain("Bake probe", bake_ms_);
      }
      drain_jobs();
    }
  }

  // ---- The main thread ----
  void trouble_from_outside() {
    if (m.take_hitch(kStoppedByDebugger)) m.stop_process(m.hitch_ms());
    if (m.take_hitch(kThrottled)) {
      m.set_speed(0.4);
      slow_frames_ = 2;
    }
    if (m.take_hitch(kMainMigrated)) {
      m.other_program(3, 25, 0);
      m.set_processors(main_, 8);
    }
    if (m.take_hitch(kQuietBurst)) post(decompress_, [this, ms = m.hitch_ms()] { plain("Inflate", ms / 3); });
    if (m.take_hitch(kQuietNeighbour)) m.other_program(3, 8, 0);
    if (m.take_hitch(kRelocalise)) relocalise_ms_ = m.hitch_ms() + kBeat;
    if (m.take_hitch(kSkeletonsPatched)) {
      post(streamer_, [this, ms = m.hitch_ms()] { m.locked(skeleton_, [&] { plain("Patch skeletons", ms); }); });
    }
    if (m.take_hitch(kStatsHeldByStarved)) {
      post(telemetry_, [this, ms = m.hitch_ms()] {
        m.locked(stats_, [&] {
          m.scope("Snapshot stats", [&] {
            m.work(0.2);
            post(decompress_, [this, ms] { plain("Inflate", ms); });
            m.work(0.3);
          });
        });
      });
    }
    if (m.take_hitch(kTableHeldWhileReading)) {
      post(streamer_, [this, ms = m.hitch_ms() + 4] {
        m.locked(table_, [&] { m.scope("Read chunk", "atrium.pak", [&] { m.read_file(ms); }); });
      });
    }
    if (m.take_hitch(kPoolSpin)) {
      post(streamer_, [this, ms = m.hitch_ms() + 5] {
        m.scope("Trim pool", [&] {
          is_pool_taken_ = true;
          m.work(0.1);
          m.other_program(3, ms, 5);
          m.work(0.2);
          is_pool_taken_ = false;
        });
      });
    }
    if (m.take_hitch(kLogFlushHeld)) {
      post(telemetry_,
           [this, ms = m.hitch_ms() + 5] { m.locked(log_, [&] { m.scope("Flush log", [&] { m.read_file(ms); }); }); });
    }
    if (m.take_hitch(kTwoLocksInARow)) {
      post(telemetry_, [this, ms = m.hitch_ms() + 5] { m.locked(routes_, [&] { plain("Rank routes", ms); }); });
      post(net_, [this] {
        m.sleep(1);
        m.locked(peers_, [&] {
          m.scope("Refresh peers", [&] {
            m.wait_scope("Lock routes", [&] { m.lock(routes_); });
            m.work(0.1);
            m.unlock(routes_);
          });
        });
      });
    }
  }
  void after_frame() {
    m.set_processors(main_, 2);
    if (slow_frames_ > 0 && --slow_frames_ == 0) m.set_speed(1);
  }

  void run_scripts() {
    m.scope("Scripts", [&] {
      const bool is_two = m.take_hitch(kTwoUnequal);
      two_ms_ = is_two ? m.hitch_ms() + 3 : 0;
      for (const char* actor : {"door", "drone", "lamp", "hand menu", "vendor", "map"}) {
        m.scope("Script tick", actor, [&] {
          m.work(m.about(0.14, 0.08));
          if (actor[0] != 'd') return;
          if (is_two && actor[1] == 'r') m.work(4);
          if (actor[1] == 'o' && m.random(60) == 0) m.work(0.6);  // an expensive branch, as scripts have them
          if (m.take_hitch(kScriptHeapGrows)) m.touch_new_memory(static_cast<unsigned>(m.hitch_ms() * 2000));
          if (m.take_hitch(kScriptSwapped)) m.touch_swapped_memory(static_cast<unsigned>(m.hitch_ms() * 10));
        });
      }
      const int events =
          3 + static_cast<int>(m.random(3)) + (m.take_hitch(kEventStorm) ? static_cast<int>(m.hitch_ms() / 0.04) : 0);
      for (int i = 0; i < events; ++i) plain("On event", m.about(0.04));
      if (m.frame_index() % 4 == 0) {
        plain("Collector step", m.about(0.2) + (m.take_hitch(kCollectorStep) ? m.hitch_ms() : 0));
      }
      if (m.take_hitch(kFullCollection)) plain("Full collection", m.hitch_ms());
      if (m.take_hitch(kCheckpoint)) plain("Serialise checkpoint", m.hitch_ms());
    });
    if (m.take_hitch(kPluginUnmarked)) m.work(m.hitch_ms());
    if (m.take_hitch(kEyeCameraUnmarked)) m.sleep(m.hitch_ms());
  }

  void read_hands() {
    m.scope("Hands", [&] {
      m.wait_scope("Wait for hands", [&] { m.wait(hands_); });
      m.flow_end(hands_flow_);
      m.reset(hands_);
      m.lock(pose_);
      m.work(0.05);
      m.unlock(pose_);
    });
  }

  void simulate() {
    m.scope("Physics", [&] {
      if (m.take_hitch(kWorkersBake)) {
        bakes_ = 2;
        bake_ms_ = m.hitch_ms() + 8;
        m.release(has_job_, 2);
      }
      plain("Broadphase", m.about(0.5) + two_ms_);
      if (m.take_hitch(kHostTookMachine)) m.stop_machine(m.hitch_ms());
      const bool is_one = m.take_hitch(kOneBigIsland);
      std::vector<VisorJob> islands;
      for (int i = 0; i < (is_one ? 2 : 8); ++i) islands.push_back({"Solve island", m.about(0.3, 0.1)});
      if (is_one) islands[0].ms = m.hitch_ms() + 2;
      run_batch(islands);
      for (int i = 0; i < 10; ++i) {
        const bool grows = i == 4 && m.take_hitch(kEntityTableGrows);
        plain("Register entity", m.about(0.01) + (grows ? m.hitch_ms() : 0));
      }
    });
  }

  void animate() {
    m.scope("Animate", [&] {
      const unsigned pages = m.take_hitch(kPosesTouchMemory) ? static_cast<unsigned>(m.hitch_ms() * 2000 * 3 / 18) : 0;
      std::vector<VisorJob> poses;
      for (int i = 0; i < 18; ++i) poses.push_back({"Pose limb", m.about(0.52, 0.06), pages, true});
      const VisorJob crowd = {"Pose crowd", m.about(4.6)};
      poses.insert(m.take_hitch(kCrowdPosedLast) ? poses.end() : poses.begin(), crowd);
      run_batch(poses, !m.take_hitch(kWorkersNotWoken));
    });
  }

  void use_assets() {
    m.scope("Assets", [&] {
      if (m.take_hitch(kHandleConvoy)) {
        convoy_ = true;
        post(streamer_, [this, ms = m.hitch_ms() / 18] {
          while (convoy_) {
            m.locked(table_, [&] { plain("Patch entry", m.about(ms)); });
            m.yield();
          }
        });
        m.work(0.1);
      }
      for (int i = 0; i < 18; ++i) {
        m.scope("Resolve handle", [&] { m.locked(table_, [&] { m.work(0.008); }); });
      }
      convoy_ = false;
      if (m.frame_index() % 6 == 4) request_chunk(m.about(1.5, 0.2), m.about(1.2, 0.2));
      if (m.take_hitch(kCubemapOnMain)) m.scope("Load cubemap", "cave.hdr", [&] { m.read_file(m.hitch_ms()); });
      const bool from_disk = m.take_hitch(kChunkFromDisk), inflates = !from_disk && m.take_hitch(kChunkInflates);
      const bool is_starved = !from_disk && !inflates && m.take_hitch(kChunkStarved);
      if (from_disk || inflates || is_starved) {
        const double ms = m.hitch_ms();
        m.reset(chunk_ready_);
        if (is_starved) m.other_program(3, ms + 2, 9);
        request_chunk(from_disk ? ms : 0.5, inflates ? ms : 1, true);
        m.wait_scope("Wait for chunk", [&] { m.wait(chunk_ready_); });
        m.flow_end(chunk_flow_);
      }
      m.scope("Take pool page", [&] {
        m.spin_until([this] { return !is_pool_taken_; });
        m.work(0.03);
      });
    });
  }
  void request_chunk(double read_ms, double inflate_ms, bool is_awaited = false) {
    post(streamer_, [this, read_ms, inflate_ms, is_awaited] {
      m.scope("Read chunk", "world.pak", [&] { m.read_file(read_ms); });
      post(decompress_, [this, inflate_ms, is_awaited] {
        plain("Inflate", inflate_ms);
        ++uploads_;
        if (!is_awaited) return;
        chunk_flow_ = m.flow_begin();
        m.set(chunk_ready_);
      });
    });
  }

  void talk() {
    m.scope("Audio update", [&] { m.locked(audio_, [&] { m.work(m.about(0.08)); }); });
    m.scope("Network", [&] {
      if (m.take_hitch(kSocketFull)) socket_ms_ = m.hitch_ms() + 2 * kBeat;
      for (int i = 0; i < 2; ++i) {
        m.scope("Queue packet", [&] { m.acquire(send_room_); });
        post(net_, [this] {
          m.scope("Socket send", [&] { m.sleep(0.05 + socket_ms_); });
          socket_ms_ = 0;
          m.release(send_room_);
        });
      }
      m.scope("Read peers", [&] { m.locked(peers_, [&] { m.work(0.03); }); });
    });
    m.scope("Ask guardian", [&] {
      m.reset(guardian_said_);
      const bool is_silent = m.take_hitch(kGuardianSilent);
      post(guardian_, [this, is_silent] {
        m.work(0.05);
        if (!is_silent) m.set(guardian_said_);
      });
      m.wait_for(guardian_said_, 20);
    });
    m.scope("Log line", [&] {
      m.locked(log_, [&] { m.work(0.01); });
      if (m.take_hitch(kLogSync)) m.read_file(m.hitch_ms());
    });
    m.scope("Write replay", [&] {
      if (m.frame_index() % 6 != 1) return;  // nobody else reads then, as a rule
      if (m.take_hitch(kDiskBusy)) m.other_program_reads(m.hitch_ms());
      m.read_file(0.1);
    });
    m.scope("Update counters", [&] { m.locked(stats_, [&] { m.work(0.02); }); });
    m.counter("entities", 400 + static_cast<double>(m.random(20)));
    if (m.frame_index() % 10 == 0)
      post(telemetry_, [this] { m.locked(stats_, [&] { plain("Snapshot stats", 0.08); }); });
    if (m.frame_index() % 30 == 2) post(telemetry_, [this] { m.scope("Flush log", [&] { m.read_file(1.5); }); });
    if (m.frame_index() % 40 == 0) post(shaders_, [this] { plain("Compile pipeline", m.about(2, 0.2)); });
  }

  void cull() {
    const int sectors = 6 + (m.take_hitch(kSectorsMultiply) ? static_cast<int>(3 * (m.hitch_ms() + 2) / 0.12) : 0);
    m.scope("Cull", [&] {
      std::vector<VisorJob> batch;
      for (int i = 0; i < sectors; ++i) batch.push_back({"Cull sector", m.about(0.12, 0.1)});
      run_batch(batch);
    });
    if (m.take_hitch(kTrailsGrow)) growing_ = 1, trails_ms_ = m.hitch_ms();
    const double part[] = {0, 0.06, 0.15, 1};
    plain("Update trails", m.about(0.1) + trails_ms_ * part[growing_]);
    growing_ = growing_ == 0 || growing_ == 3 ? 0 : growing_ + 1;
    if (m.frame_index() % 90 == 0) plain("Refresh probes", 0.6);
  }

  void send_frame() {
    m.scope("Send frame", [&] {
      has_instances_ = m.take_hitch(kInstancesOnMain);
      if (has_instances_) plain("Build instances", m.about(3.6));
      m.wait_scope("Wait for render", [&] { m.acquire(slot_); });
      m.flow_end(rendered_);
      m.work(0.05);
      draws_ = 24 + static_cast<int>(m.frame_index() / 25 % 3) * 4;
      packet_flow_ = m.flow_begin();
      m.release(packet_);
      if (m.take_hitch(kMainOffItsCore)) m.other_program(1, m.hitch_ms() + 3, 9);
      m.work(0.05);
    });
  }

  // ---- Rendering ----
  void render_forever() {
    for (;;) {
      m.acquire(packet_);
      m.flow_end(packet_flow_);
      m.scope("Render frame", [&] { render(has_instances_); });
      rendered_ = m.flow_begin();
      m.release(slot_);
    }
  }
  void render(bool has_instances) {
    for (; uploads_ > 0; --uploads_) plain("Upload chunk", m.about(0.25, 0.1));
    const int freed = (m.frame_index() % 8 == 0 ? 1 : 0) +
                      (m.take_hitch(kTexturesFreed) ? static_cast<int>((m.hitch_ms() + 4) / 0.06) : 0);
    for (int i = 0; i < freed; ++i) plain("Free texture", m.about(0.06));
    if (m.take_hitch(kCompilerOutranksRender)) {
      m.set_priority(compiler_, 4);
      m.set_processors(compiler_, 4);
      post(shaders_, [this, ms = m.hitch_ms() + 4] {
        plain("Compile pipeline", ms);
        m.set_priority(compiler_, -1);
        m.set_processors(compiler_, 8);
      });
    }
    if (!has_instances) plain("Build instances", m.about(3.2));
    m.scope("Bind pipeline", [&] {
      m.work(m.about(0.05));
      if (m.take_hitch(kDriverReadsCache)) m.read_file(m.hitch_ms() + 4);
    });
    if (m.take_hitch(kPipelineOnRender)) m.scope("Compile pipeline", "glass", [&] { m.work(m.hitch_ms() + 4); });
    if (m.take_hitch(kPipelineAwaited)) {
      m.reset(compiled_);
      post(shaders_, [this, ms = m.hitch_ms() + 4] {
        m.scope("Compile pipeline", "water", [&] { m.work(ms); });
        compiled_flow_ = m.flow_begin();
        m.set(compiled_);
      });
      m.wait_scope("Wait for pipeline", [&] { m.wait(compiled_); });
      m.flow_end(compiled_flow_);
    }
    m.scope("Map buffer", [&] {
      if (m.take_hitch(kDriverHoldsBuffer)) {
        post(driver_, [this, ms = m.hitch_ms() + 5] { m.locked(buffer_, [&] { m.work(ms); }); });
        m.spin_until([this] { return buffer_.owner != nullptr; });
      }
      m.locked(buffer_, [&] { m.work(0.03); });
    });
    m.scope("Draw", [&] {
      const int draws = draws_ + (m.take_hitch(kTooManyDraws) ? static_cast<int>((m.hitch_ms() + 4) / 0.05) : 0);
      for (int i = 0; i < draws; ++i) plain("Draw batch", m.about(0.05));
    });
    m.scope("Late latch", [&] {
      if (m.take_hitch(kLatchHeld)) refit_ms_ = m.hitch_ms() + 8;
      m.locked(latch_, [&] { m.work(0.03); });
    });
    const double shadows = m.about(1.4) + (m.take_hitch(kShadowsHeavy) ? m.hitch_ms() + 12 : 0);
    const double size = m.take_hitch(kFullResolution) ? 1 + (m.hitch_ms() + 12) / 6 : 1;
    if (m.take_hitch(kGpuTaken)) m.other_program_uses_gpu(gpu_, m.hitch_ms() + 12);
    const double more = m.take_hitch(kQuietGpu) ? 2 : 0;
    const Fence before = drawn_;
    m.scope("Submit", [&] {
      m.work(0.1);
      drawn_ = m.gpu_submit(
          gpu_, "Eye frame",
          {{"Shadows", shadows * size}, {"Eyes", (m.about(3.6) + more) * size}, {"Resolve", m.about(0.8) * size}});
    });
    m.wait_scope("Wait for GPU", [&] { m.wait(before); });
    m.scope("Present", [&] {
      m.reset(presented_);
      post(driver_, [this, ms = m.take_hitch(kPresentStall) ? m.hitch_ms() + 5 : 0.0] {
        m.work(0.08);
        if (ms > 0) m.sleep(ms);
        m.set(presented_);
      });
      m.wait(presented_);
    });
  }

  // ---- Threads with a beat of their own ----
  void composite_forever() {
    for (;;) {
      m.wait_scope("Wait display", [&] {
        m.wait_vsync(kBeat);
        if (m.take_hitch(kHalfRate)) m.wait_vsync(kBeat);
      });
      m.scope("Composite", [&] {
        if (m.take_hitch(kMeshRebuilt)) plain("Rebuild mesh", m.hitch_ms());
        m.wait_scope("Wait for warp", [&] { m.wait(warped_); });
        m.work(m.about(0.2));
        const double more = m.take_hitch(kWarpHeavy) ? m.hitch_ms() + 11 : 0;
        warped_ = m.gpu_submit(warp_queue_, "Timewarp", m.about(0.8) + more);
      });
      m.set(frame_start_);
    }
  }

  void track_forever() {
    for (;;) {
      m.wait_scope("Wait exposure", [&] { m.wait_vsync(kBeat); });
      m.scope("Track hands", [&] {
        m.scope("Grab image", [&] { m.sleep(0.4 + (m.take_hitch(kCameraLate) ? m.hitch_ms() : 0)); });
        const double fit = m.take_hitch(kQuietHands) ? 0.2 : m.about(1.1, 0.08);
        plain("Fit hands", fit + (m.take_hitch(kHandsOverlap) ? m.hitch_ms() : 0));
        m.locked(pose_, [&] {
          if (relocalise_ms_ > 0) {
            hands_flow_ = m.flow_begin();
            m.set(hands_);
            plain("Relocalise", relocalise_ms_);
            relocalise_ms_ = 0;
          }
          m.work(0.03);
        });
        m.locked(latch_, [&] {
          if (refit_ms_ > 0) plain("Refit skeleton", refit_ms_);
          refit_ms_ = 0;
          m.work(0.02);
        });
      });
      hands_flow_ = m.flow_begin();
      m.set(hands_);
    }
  }

  void mix_forever() {
    double next = m.now();
    for (;;) {
      next += 16.0 / 3;
      m.sleep_until(next);
      m.scope("Mix block", [&] {
        m.locked(audio_, [&] { m.work(0.05); });
        m.work(m.about(0.4, 0.08));
        if (m.take_hitch(kReverbOnMainsCore)) {
          m.set_processors(m.this_thread(), 2);
          plain("Convolve reverb", m.hitch_ms());
          m.set_processors(m.this_thread(), 9);
        }
      });
    }
  }

  Machine& m;
  Thread main_ = nullptr, compiler_ = nullptr;
  Queue gpu_, warp_queue_;
  Fence drawn_, warped_;
  Mutex pose_, latch_, table_, stats_, log_, audio_, skeleton_, peers_, routes_, buffer_;
  Event frame_start_, hands_, batch_done_, chunk_ready_, guardian_said_, compiled_, presented_;
  Semaphore slot_{1, {}, ""}, packet_, has_job_, send_room_{4, {}, ""};
  VisorInbox streamer_, decompress_, shaders_, telemetry_, net_, guardian_, driver_;
  std::deque<VisorJob> jobs_;
  size_t pending_ = 0;
  uint64_t batch_flow_ = 0, hands_flow_ = 0, chunk_flow_ = 0, rendered_ = 0, packet_flow_ = 0, compiled_flow_ = 0;
  int bakes_ = 0, slow_frames_ = 0, uploads_ = 0, draws_ = 24, growing_ = 0;
  double bake_ms_ = 0, two_ms_ = 0, socket_ms_ = 0, trails_ms_ = 0, relocalise_ms_ = 0, refit_ms_ = 0;
  bool convoy_ = false, is_pool_taken_ = false, has_instances_ = false;
};

const Engine kVisor = {
    "visor",
    {
        kind("full collection", "The script machine collected all of its garbage at once.", kNewWork, "Full collection",
             "Main", ""),
        kind("collector step", "One step of the collector ran all finalizers.", kWorkTookLonger, "Collector step",
             "Main", ""),
        kind("event storm", "The scripts were called for hundreds of events instead of four.", kMoreCalls, "On event",
             "Main", ""),
        kind("script heap grows", "A script's allocation touched new pages of memory.", kMemoryFaults | kWorkTookLonger,
             "Script tick", "Main", ""),
        kind("entity table grows", "One registration rehashed the table of entities.", kWorkTookLonger,
             "Register entity", "Main", ""),
        kind("one big island", "All islands were one, and one thread solved it.", kWorkTookLonger, "Solve island", ""),
        kind("crowd posed last", "The longest job was taken last instead of first.", kPlacedDifferently, "Pose crowd",
             ""),
        kind("workers bake", "Both job threads baked probes, and Main did all jobs alone.",
             kPlacedDifferently | kNewWork, "Bake probe | Pose limb | Pose crowd", ""),
        kind("workers not woken", "Nobody woke the job threads, and Main posed all limbs alone.", kPlacedDifferently,
             "Pose limb | Pose crowd", "Main", ""),
        kind("stats held by starved",
             "Main waited for Telemetry's lock, and Decompress kept Telemetry off the small core.",
             kWaitedForLock | kOwnThread, "Snapshot stats", "Telemetry", ""),
        kind("handle convoy", "The streamer took the asset table's lock again between all of Main's look-ups.",
             kWaitedForLock, "Patch entry", "Streamer", ""),
        kind("table held while reading", "The streamer held the asset table's lock while it read from the disk.",
             kWaitedForLock | kFileOrSleep, "Read chunk", "Streamer", ""),
        kind("relocalise", "The hand tracker searched its place anew and held the pose's lock.",
             kWaitedForLock | kNewWork, "Relocalise", "Hand tracker", ""),
        kind("latch held", "The hand tracker refitted the skeleton under the latch's lock; Render waited for it.",
             kWaitedForLock | kNewWork, "Refit skeleton", "Hand tracker"),
        // Main waits for Render, or, if that is earlier, for the tracker's next sample
        kind("mesh rebuilt", "The compositor rebuilt its distortion mesh before it began the frame.",
             kNewWork | kWaitedForWork, "Rebuild mesh", "Compositor", ""),
        kind("compositor off its core", "Another program had the compositor's core.", kOtherProgram, kNoScope,
             "Compositor", ""),
        kind("pipeline on render", "The render thread compiled a pipeline itself.", kNewWork, "Compile pipeline",
             "Render", ""),
        kind("pipeline awaited", "Render waited for the shader compiler.", kNewWork | kWorkTookLonger | kWaitedForWork,
             "Compile pipeline", "Shader compiler", "Render"),
        kind("driver reads cache", "The driver read its cache from the disk while Render bound a pipeline.",
             kFileOrSleep, "Bind pipeline", "Render", ""),
        kind("too many draws", "Render drew many times as many batches.", kMoreCalls, "Draw batch", "Render", ""),
        kind("shadows heavy", "The GPU's shadows took longer.", kGpu, "Shadows", "GPU", "Render"),
        kind("full resolution", "The GPU drew all passes without foveation.", kGpu,
             "Eye frame | Shadows | Eyes | Resolve", "GPU", "Render"),
        kind("gpu taken", "Another program used the GPU before the eyes.", kOtherProgram | kPlacedDifferently, kNoScope,
             "GPU", "Render"),
        kind("warp heavy", "The GPU's warp took longer than a beat.", kGpu, "Timewarp", "Warp queue", "Compositor"),
        kind("present stall", "The driver's own thread slept before it presented.", kFileOrSleep | kWaitedForWork,
             "Present", "Render", ""),
        kind("log flush held", "Telemetry synced the log to the disk under its lock, and Main wanted a line.",
             kWaitedForLock | kFileOrSleep, "Flush log", "Telemetry", ""),
        kind("log sync", "Main synced the log to the disk itself.", kFileOrSleep, "Log line", "Main", ""),
        kind("socket full", "The network took no more data; the send queue was full, and Main waited for room.",
             kFileOrSleep | kWaitedForWork, "Socket send", "Net", ""),
        kind("script swapped", "A script's memory had to be read back from the disk.", kMemoryFaults | kFileOrSleep,
             "Script tick", "Main", ""),
        kind("chunk from disk", "Main needed a chunk now, and the disk was slow.", kFileOrSleep | kWaitedForWork,
             "Read chunk", "Streamer", "Decompress"),
        kind("chunk inflates", "Main needed a chunk now, and it was large to inflate.",
             kWorkTookLonger | kWaitedForWork, "Inflate", "Decompress", ""),
        // The streamer or the decompressor, whichever was just about to run.
        kind("chunk starved", "Main needed a chunk now, and another program had the small core.", kOtherProgram,
             kNoScope, ""),
        kind("stopped by debugger", "A debugger stopped the process.", kProcessStopped, kNoScope, "", ""),
        kind("host took machine", "The host did not run the virtual machine.", kProcessStopped | kOtherProgram,
             kNoScope, "", ""),
        kind("throttled", "All cores were throttled to less than half.", kWorkTookLonger, kNoScope, ""),
        kind("main off its core", "Another program had Main's core.", kOtherProgram, kNoScope, "Main", ""),
        kind("reverb on Main's core", "The spatializer convolved a reverb on Main's core.", kOwnThread,
             "Convolve reverb", "Spatializer", ""),
        // It spins: the recording has work in one scope, and a thread off its core in the other.
        kind("pool spin",
             "Main spun for the pool while its holder, the streamer, had lost the core to another program.",
             kWaitedForLock | kOtherProgram | kWorkTookLonger, "Trim pool | Take pool page", ""),
        kind("guardian silent", "The guardian service never answered, and Main waited for the timeout.",
             kFileOrSleep | kWaitedForWork, "Ask guardian", "Main", ""),
        kind("two unequal", "The broad phase took much longer, and one script a little.", kWorkTookLonger, "Broadphase",
             "Main", ""),
        kind("instances on main", "Main built the instances that Render builds as a rule.",
             kPlacedDifferently | kNewWork, "Build instances", "Main", ""),
        kind("trails grow", "The list of trails grew from frame to frame.", kWorkTookLonger, "Update trails", "Main",
             ""),
        kind("checkpoint", "Main serialised a checkpoint.", kNewWork, "Serialise checkpoint", "Main", ""),
        kind("poses touch memory", "Each pose touched new pages of memory.", kMemoryFaults | kWorkTookLonger,
             "Pose limb", ""),
        kind("plugin unmarked", "A plug-in worked on Main in no scope.", kNewWork | kWorkTookLonger, "", "Main", ""),
        kind("eye camera unmarked", "Main slept in no scope, in a read of the eye camera.", kFileOrSleep, "", "Main",
             ""),
        kind("driver holds buffer", "The driver's own thread held the heap's lock that Render needs to map a buffer.",
             kWaitedForLock | kFileOrSleep, "Map buffer | driver heap", "Render", ""),
        kind("cubemap on main", "Main read a cubemap from the disk.", kFileOrSleep | kNewWork, "Load cubemap", "Main",
             ""),
        kind("disk busy", "Another program kept the disk busy while Main wrote the replay.",
             kFileOrSleep | kOtherProgram, "Write replay", "Main", ""),
        kind("main migrated", "Main was moved to the small core and shared it with another program.", kOtherProgram,
             kNoScope, "Main", ""),
        kind("camera late", "The camera delivered its image late, and Main waited for the hands.",
             kFileOrSleep | kWaitedForWork, "Grab image", "Hand tracker", ""),
        kind("hands overlap", "The hands overlapped and took long to fit.", kWorkTookLonger | kWaitedForWork,
             "Fit hands", "Hand tracker", ""),
        kind("skeletons patched", "The streamer patched skeletons under the lock that each pose needs.",
             kWaitedForLock | kNewWork, "Patch skeletons", "Streamer"),
        kind("sectors multiply", "Many times as many sectors had to be culled.", kMoreCalls, "Cull sector", ""),
        kind("textures freed", "Render freed the textures of a whole level.", kMoreCalls | kNewWork, "Free texture",
             "Render", ""),
        kind("two locks in a row",
             "Main waited for Net's lock, Net for the routes, which Telemetry held while it ranked them.",
             kWaitedForLock | kNewWork, "Rank routes", "Telemetry", "Net"),
        kind("half rate", "The compositor left out one beat of the display.",
             kFileOrSleep | kWaitedForWork | kPlacedDifferently, "Wait display", "Compositor", ""),
        kind("compiler outranks render", "The shader compiler had a high priority and took Render's core.", kOwnThread,
             "Compile pipeline", "Shader compiler"),
        kind("quiet burst", "A burst of decompression nobody waited for.", kOrdinary, kNoScope, ""),
        kind("quiet gpu", "The GPU was busier, and still in time.", kOrdinary, kNoScope, ""),
        kind("quiet neighbour", "Another program used the small core, and nobody waited.", kOrdinary, kNoScope, ""),
        kind("quiet hands", "The hands were out of view, and the tracker was done early.", kOrdinary, kNoScope, ""),
    },
    [](Machine& machine) { Visor(machine).run(); },
};
const AddEngine kAddedVisor(&kVisor);

}  // namespace
}  // namespace engines
