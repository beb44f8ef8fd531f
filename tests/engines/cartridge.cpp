// SPDX-License-Identifier: MIT
//
// cartridge.cpp: an emulator of an old console. The main thread is the console's processor; the sound card is its clock: it waits
// for room in the ring of sound. A graphics thread translates the console's display lists, a recompiler makes code faster, shaders
// compile on a thread of their own, a disc image is read and inflated by two threads. All that is shown is also recorded as a
// video, snapshots are kept for rewinding, and somebody plays along over the network.
#include <deque>
#include <functional>
#include <string>

#include "engines/machine.h"

namespace engines {
namespace {

enum CartridgeKind : size_t {
  kCodeRewritesItself,
  kCodeCacheFlush,
  kBigLink,
  kLinkCrowdedOut,
  kLateOptimizer,
  kInterpreter,
  kGuestBusy,
  kManyReadbacks,
  kUpscaleSlow,
  kBrowserOnGpu,
  kCompileInPlace,
  kSlowPipeline,
  kPipelinesInARow,
  kDriverCompiles,
  kManyDraws,
  kSpinOnUpload,
  kEvictTextures,
  kWindowResized,
  kVsyncForced,
  kTwoLocks,
  kKeyFrame,
  kNetworkShare,
  kEncoderFirst,
  kVirusScanner,
  kDriveAsleep,
  kBigHunk,
  kReadAheadFirst,
  kCardOnMain,
  kCardLocked,
  kHeapTrim,
  kSnapshotFaults,
  kGuestSwappedOut,
  kLogFlush,
  kSoundDevice,
  kLostPackets,
  kAchievementsLocked,
  kPadScan,
  kPadLost,
  kDelayOverslept,
  kWindowEvents,
  kScreenshot,
  kMovie,
  kDebugger,
  kHostBusy,
  kHot,
  kBuildOnMain,
  kIndexerOnGraphics,
  kOnlyCompression,
};

// Each of several threads has one of these: what it is to do, in order.
struct CartridgeTasks {
  std::deque<std::function<void()>> tasks;
  Semaphore has_task;
};

class Cartridge {
 public:
  explicit Cartridge(Machine& machine) : m(machine) {}

  void run() {
    queue_ = m.gpu_queue("GPU");
    name_locks();
    fifo_free_.count = 3;
    sound_free_.count = 4;
    encoder_free_.count = 1;
    m.set_processors(m.this_thread(), kMainProcessor);
    m.start_thread("Graphics", [this] { translate_forever(); }, {0, kGraphicsProcessor});
    m.start_thread("Recompiler", [this] { serve(recompiler_); }, {-1, kCompilerProcessor});
    m.start_thread("Shaders", [this] { serve(shaders_); }, {0, kCompilerProcessor});
    m.start_thread("Disc", [this] { serve(disc_); }, {1, kOtherProcessors});
    m.start_thread("Unpacker", [this] { serve(unpacker_); }, {1, kOtherProcessors});
    m.start_thread("Rewind", [this] { serve(rewind_); }, {-1, kOtherProcessors});
    m.start_thread("Card writer", [this] { serve(card_writer_); }, {0, kOtherProcessors});
    m.start_thread("Encoder", [this] { encode_forever(); }, {0, kOtherProcessors});
    m.start_thread("Muxer", [this] { mux_forever(); }, {1, kOtherProcessors});
    m.start_thread("Network", [this] { talk_forever(); }, {1, kOtherProcessors});
    m.start_thread("Audio", [this] { play_forever(); }, {10, kOtherProcessors});
    m.start_thread("hid", [this] { scan_pads_forever(); }, {0, kOtherProcessors, false});
    m.start_thread("driver", [this] { compile_in_driver_forever(); }, {0, kOtherProcessors, false});
    for (;;) {
      outside_trouble();
      m.scope("Emulate frame", [&] { emulate_frame(); });
      handle_window_events();
      if (is_hot_) m.set_speed(1);
      is_hot_ = false;
      ++frame_;
      m.frame();
    }
  }

 private:
  static constexpr uint64_t kMainProcessor = 1, kGraphicsProcessor = 2, kCompilerProcessor = 8, kOtherProcessors = 12;
  static constexpr int kSlices = 6;
  static constexpr double kAudioSlack = 4;  // what a frame waits for the sound card, as a rule
  static constexpr double kChunkMs = 1000.0 / 60 / 3;

  struct List {
    int slice;  // -1: a copy of the picture into the console's memory
    uint64_t flow;
  };

  void name_locks() {
    code_.name = "code cache";
    memory_.name = "guest memory";
    vram_.name = "vram";
    heap_.name = "heap";
    card_.name = "card";
    pads_.name = "pads";
    achievements_.name = "achievements";
    has_list_.name = "lists";
    fifo_free_.name = "fifo slots";
    sound_free_.name = "sound ring";
    encoder_free_.name = "encoder slot";
    copied_.name = "copy done";
    sector_ready_.name = "sector";
    peer_inputs_.name = "peer inputs";
  }

  double trouble(double slack = kAudioSlack) const { return m.hitch_ms() + slack; }

  void post(CartridgeTasks& to, std::function<void()> task) {
    to.tasks.push_back(std::move(task));
    m.release(to.has_task);
  }

  void serve(CartridgeTasks& mine) {
    for (;;) {
      m.acquire(mine.has_task);
      const std::function<void()> task = mine.tasks.front();
      mine.tasks.pop_front();
      task();
    }
  }

  // ---- The console's processor: the main thread ---------------------------------------------------------------------
  void outside_trouble() {
    if (m.take_hitch(kHot)) {
      is_hot_ = true;
      m.set_speed(13 / (13 + trouble()));
    }
  }

  void emulate_frame() {
    // So that pads are read as late as possible.
    m.scope("Frame delay", [&] { m.sleep(m.take_hitch(kDelayOverslept) ? trouble() : m.about(0.6)); });
    m.scope("Poll pads", [&] { poll_pads(); });
    m.set(inputs_sent_);
    for (int slice = 0; slice < kSlices; ++slice) {
      m.scope("Run CPU", [&] { run_guest(slice); });
      if (slice == 0 && m.take_hitch(kMovie)) decode_movie();
      if (slice == 1) sync_gpu();
      if (slice == 2) wait_for_peer();
      if (slice == 3) request_sector();
      if (slice == 4) read_frame_buffer();
      if (slice == 5) take_sector();
      if (slice % 2 == 1) mix_audio();
      m.scope("DMA", [&] { send_list(slice); });
    }
    m.scope("Vertical blank", [&] { vertical_blank(); });
  }

  void poll_pads() {
    if (m.take_hitch(kPadLost)) {
      m.scope("Reconnect pad", [&] {
        const double each = trouble() / 5;
        for (int i = 0; i < 5; ++i) {
          m.scope("Open pad", "/dev/hidraw3", [&] {
            m.work(0.05);
            m.sleep(each);
          });
        }
      });
    }
    if (m.take_hitch(kPadScan)) {
      scan_ms_ = trouble();
      m.set(scan_);
      m.work(0.2);
    }
    m.locked(pads_, [&] { m.work(m.about(0.04)); });
  }

  void run_guest(int slice) {
    if (m.take_hitch(kBuildOnMain)) m.other_program(0, trouble(), 5);
    if (m.take_hitch(kDebugger)) m.stop_process(trouble());
    if (m.take_hitch(kHostBusy)) m.stop_machine(trouble());
    if (slice == 2 && m.take_hitch(kGuestSwappedOut)) m.touch_swapped_memory(static_cast<unsigned>(trouble() * 9.5));
    if (slice == 0) guest_slowness_ = m.take_hitch(kGuestBusy) ? trouble() / (kSlices * 3) : 0;
    for (int i = 0; i < 3; ++i) {
      m.work(m.about(0.56) + guest_slowness_);
      m.scope("Dispatch block", [&] {
        m.locked(code_, [&] { m.work(0.01); });
        if (m.random(6) == 0) compile_block();
      });
    }
    if (slice == 1 && m.take_hitch(kCodeRewritesItself)) {
      for (double ms = 0; ms < trouble(); ms += 0.15) m.scope("Dispatch block", [&] { compile_block(); });
    }
    if (slice == 3 && m.take_hitch(kCodeCacheFlush)) {
      m.locked(code_, [&] { m.scope("Flush code cache", [&] { m.work(trouble()); }); });
    }
    if (slice == 4) {
      m.scope("Interpret", [&] { m.work(m.about(0.06) + (m.take_hitch(kInterpreter) ? trouble() : 0)); });
    }
  }

  void compile_block() {
    m.scope("Compile block", [&] { m.work(m.about(0.14, 0.2)); });
  }

  void decode_movie() {
    m.scope("Decode movie", [&] {
      for (double ms = 0; ms < trouble(); ms += 0.2) m.scope("Decode macroblock", [&] { m.work(m.about(0.2)); });
    });
  }

  // Burns the processor until the graphics thread has seen the first list, as the console's own would.
  void sync_gpu() {
    m.scope("Sync GPU", [&] {
      m.spin_until([&] { return lists_done_ >= frame_ * kSlices + 1; });
      m.work(0.02);
    });
  }

  void wait_for_peer() {
    m.wait_scope("Wait for peer", [&] { m.wait(peer_inputs_); });
    m.reset(peer_inputs_);
    m.scope("Check achievements", [&] { m.locked(achievements_, [&] { m.work(m.about(0.05)); }); });
  }

  void request_sector() {
    wants_sector_ = frame_ % 4 == 0;
    if (!wants_sector_) return;
    if (m.take_hitch(kVirusScanner)) m.other_program_reads(trouble() + 3);
    const double spin_up = m.take_hitch(kDriveAsleep) ? trouble() + 3 : 0;
    if (m.take_hitch(kReadAheadFirst)) read_ahead(trouble() + 3);
    const uint64_t flow = m.flow_begin();
    post(unpacker_, [this, flow, spin_up] {
      m.flow_end(flow);
      m.scope("Load hunk", "track02.chd", [&] { load_hunk(spin_up); });
    });
  }

  void load_hunk(double spin_up) {
    post(disc_, [this, spin_up] {
      if (spin_up > 0) m.scope("Spin up", [&] { m.sleep(spin_up); });
      m.scope("Read sectors", "track02.chd", [&] {
        m.read_file(m.about(0.8));
        m.work(0.05);
      });
      m.set(sectors_read_);
    });
    m.wait_scope("Wait for disc", [&] { m.wait(sectors_read_); });
    m.reset(sectors_read_);
    m.scope("Inflate hunk", [&] { m.work(m.about(1.2) + (m.take_hitch(kBigHunk) ? trouble() + 2 : 0)); });
    sector_flow_ = m.flow_begin();
    m.set(sector_ready_);
  }

  void read_ahead(double ms) {
    for (; ms > 0; ms -= 1.05) {
      post(disc_, [this] { m.scope("Read ahead", "track02.chd", [&] { m.read_file(m.about(1)); }); });
    }
  }

  void take_sector() {
    if (!wants_sector_) return;
    m.wait_scope("Wait for sector", [&] { m.wait(sector_ready_); });
    m.flow_end(sector_flow_);
    m.reset(sector_ready_);
    if (frame_ % 16 == 0) read_ahead(3);
  }

  void read_frame_buffer() {
    int times = 1;
    if (m.take_hitch(kManyReadbacks)) times += static_cast<int>(trouble() / 0.42);
    for (int i = 0; i < times; ++i) {
      m.scope("Read frame buffer", [&] {
        push({-1, m.flow_begin()});
        m.wait(copied_);
        m.flow_end(copy_flow_);
        m.reset(copied_);
        m.work(0.03);
      });
    }
  }

  void mix_audio() {
    m.scope("Mix audio", [&] {
      m.locked(heap_, [&] { m.work(0.01); });
      m.work(m.about(0.28));
    });
    m.wait_scope("Wait for sound ring", [&] { m.acquire(sound_free_); });
    ++sound_filled_;
  }

  void send_list(int slice) {
    m.locked(memory_, [&] { m.work(m.about(0.06)); });
    push({slice, m.flow_begin()});
  }

  void push(const List& list) {
    if (fifo_free_.count > 0) {
      m.acquire(fifo_free_);
    } else {
      m.wait_scope("FIFO full", [&] { m.acquire(fifo_free_); });
    }
    lists_.push_back(list);
    m.release(has_list_);
  }

  void vertical_blank() {
    access_card();
    const bool is_asked_for = m.in_hitch(kSnapshotFaults) || m.in_hitch(kHeapTrim) || m.in_hitch(kOnlyCompression);
    if (frame_ % 10 == 3 || is_asked_for) take_snapshot();
    if (frame_ % 5 == 1) optimize(m.about(4));
    meet_optimizer();
    if (frame_ % 30 == 7 || m.in_hitch(kLogFlush)) {
      const double ms = m.take_hitch(kLogFlush) ? trouble() : 0.2;
      m.scope("Flush log", [&] { m.read_file(ms); });
    }
    if (m.take_hitch(kScreenshot)) {
      m.scope("Save screenshot", "shot0012.png", [&] {
        m.scope("Compress PNG", [&] { m.work(trouble() - 0.5); });
        m.scope("Write file", [&] { m.read_file(0.5); });
      });
    }
    m.work(m.about(0.1));
  }

  // Is not marked: the windows' library calls back from here.
  void handle_window_events() { m.work(m.about(0.08) + (m.take_hitch(kWindowEvents) ? trouble() : 0)); }

  // ---- The memory card ----------------------------------------------------------------------------------------------
  void access_card() {
    const bool holds_lock = m.take_hitch(kCardLocked);
    if (m.take_hitch(kCardOnMain)) {
      const double ms = trouble();
      m.scope("Write card file", "card0.mcr", [&] { m.sleep(ms); });
    }
    if (frame_ % 30 == 11 || holds_lock) {
      const double ms = holds_lock ? trouble() : 0;
      post(card_writer_, [this, ms] {
        m.locked(card_, [&] {
          m.scope("Copy card", [&] {
            m.work(0.1);
            if (ms > 0) m.sleep(ms);
          });
        });
        m.scope("Write card file", "card0.mcr", [&] { m.sleep(m.about(12)); });
      });
      m.work(0.2);
    }
    m.scope("Poll card", [&] { m.locked(card_, [&] { m.work(m.about(0.03)); }); });
  }

  // ---- Rewinding ----------------------------------------------------------------------------------------------------
  void take_snapshot() {
    m.scope("Copy RAM", [&] {
      m.touch_new_memory(m.take_hitch(kSnapshotFaults) ? static_cast<unsigned>(trouble() * 2000) : 200);
      m.work(m.about(0.5));
    });
    const double more = m.take_hitch(kOnlyCompression) ? m.hitch_ms() : 0;
    const double trim = m.take_hitch(kHeapTrim) ? trouble() + 3 : 0;
    post(rewind_, [this, more, trim] {
      m.scope("Compress snapshot", [&] { m.work(m.about(5) + more); });
      m.locked(heap_, [&] { m.scope("Drop old snapshots", [&] { m.work(m.about(0.1) + trim); }); });
    });
  }

  // ---- The recompiler -----------------------------------------------------------------------------------------------
  void optimize(double ms) {
    post(recompiler_, [this, ms] {
      m.scope("Optimize function", [&] { m.work(ms); });
      m.locked(code_, [&] { m.scope("Link function", [&] { link_function(); }); });
    });
  }

  void link_function() {
    if (m.take_hitch(kBigLink)) m.work(trouble(5));
    if (m.take_hitch(kLinkCrowdedOut)) {
      compile_pipeline_later(trouble(5), nullptr);  // goes first on this processor
      m.work(0.3);
    }
    m.work(m.about(0.1));
  }

  // Sometimes a function is needed that began to be optimized two frames ago.
  void meet_optimizer() {
    if (m.take_hitch(kLateOptimizer)) {
      needed_in_ = frame_ + 2;
      optimize_needed(trouble() + 2 * 1000.0 / 60);
    }
    if (needed_in_ == frame_) {
      m.wait_scope("Wait for function", [&] { m.wait(needed_function_); });
      m.reset(needed_function_);
    }
  }

  void optimize_needed(double ms) {
    post(recompiler_, [this, ms] {
      m.scope("Optimize function", [&] { m.work(ms); });
      m.locked(code_, [&] { m.scope("Link function", [&] { m.work(0.1); }); });
      m.set(needed_function_);
    });
  }

  // ---- Graphics -----------------------------------------------------------------------------------------------------
  void translate_forever() {
    for (;;) {
      m.acquire(has_list_);
      const List list = lists_.front();
      lists_.pop_front();
      m.flow_end(list.flow);
      if (list.slice < 0) {
        m.scope("Copy to RAM", [&] { copy_to_ram(); });
      } else {
        m.scope("Translate list", [&] { translate(list.slice); });
        ++lists_done_;
      }
      m.release(fifo_free_);
    }
  }

  void copy_to_ram() {
    m.work(0.05);
    m.wait(m.gpu_submit(queue_, "Resolve", 0.15));
    m.work(m.about(0.1));
    copy_flow_ = m.flow_begin();
    m.set(copied_);
  }

  void translate(int slice) {
    if (slice == 0) begin_picture();
    if (slice == 1) prepare_pipelines();
    if (slice == 2 && m.take_hitch(kBrowserOnGpu)) m.other_program_uses_gpu(queue_, trouble() + 4);
    if (slice == 2 && m.take_hitch(kIndexerOnGraphics)) m.other_program(1, trouble() + 4, 5);
    if (slice == 3) grab_for_video();
    upload_textures(slice);
    int draws = 4;
    if (slice == 2 && m.take_hitch(kManyDraws)) draws += static_cast<int>((trouble() + 4) / 0.17);
    for (int i = 0; i < draws; ++i) m.scope("Draw batch", [&] { m.work(m.about(0.17, 0.1)); });
    m.gpu_submit(queue_, "Scene", m.about(0.7));
    if (slice == kSlices - 1) present();
  }

  void begin_picture() {
    if (frame_ % 60 == 20 || m.in_hitch(kEvictTextures)) {
      m.scope("Evict textures", [&] { m.work(m.about(1.5) + (m.take_hitch(kEvictTextures) ? trouble() + 3 : 0)); });
    }
    if (m.take_hitch(kWindowResized)) {
      const double ms = trouble() + 3;
      m.scope("Recreate swap chain", "3840x2160", [&] {
        m.wait(shown_);
        m.sleep(ms);
        m.work(0.3);
      });
    }
  }

  void upload_textures(int slice) {
    double more = 0;
    m.lock(vram_);
    if (slice == 0 && m.take_hitch(kSpinOnUpload)) more = trouble();
    if (slice == 1 && frame_ % 10 != 4 && m.take_hitch(kTwoLocks)) {
      more = trouble() + 4;
      post(rewind_, [this] {
        m.locked(memory_, [&] { m.scope("Save VRAM", [&] { m.locked(vram_, [&] { m.work(0.2); }); }); });
      });
    }
    m.scope("Upload textures", [&] { m.work(m.about(0.18) + more); });
    m.unlock(vram_);
  }

  void compile_pipeline_later(double ms, Event* done) {
    post(shaders_, [this, ms, done] {
      m.scope("Compile pipeline", [&] { m.work(ms); });
      if (done != nullptr) m.set(*done);
    });
  }

  // Pipelines that were not seen yet are drawn without until they are compiled; some cannot be.
  void prepare_pipelines() {
    if (frame_ % 40 == 25) {
      compile_pipeline_later(m.about(3), nullptr);
      is_new_pipeline_ = true;
    }
    if (m.take_hitch(kCompileInPlace)) {
      for (double ms = trouble() + 3; ms > 0; ms -= 3) m.scope("Compile pipeline", [&] { m.work(m.about(3)); });
    }
    const bool is_slow = m.take_hitch(kSlowPipeline);
    const bool is_last_of_many = m.take_hitch(kPipelinesInARow);
    if (is_last_of_many) {
      for (double ms = trouble(); ms > 0; ms -= 3) compile_pipeline_later(m.about(3), nullptr);
    }
    if (is_slow || is_last_of_many) {
      compile_pipeline_later(is_slow ? trouble() + 3 : 3, &pipeline_ready_);
      m.wait_scope("Wait for pipeline", [&] { m.wait(pipeline_ready_); });
      m.reset(pipeline_ready_);
    }
    driver_ms_ = m.take_hitch(kDriverCompiles) ? trouble() + 3 : 0.1;
    if (driver_ms_ > 1 || (is_new_pipeline_ && frame_ % 40 == 27)) {
      is_new_pipeline_ = false;
      m.scope("Link pipeline", [&] {
        m.work(0.05);
        m.set(driver_begins_);
        m.wait(driver_is_done_);
        m.reset(driver_is_done_);
      });
    }
  }

  void present() {
    m.gpu_submit(queue_, "Post",
                 {{"Upscale", m.about(1.5) + (m.take_hitch(kUpscaleSlow) ? trouble() + 7 : 0)}, {"Overlay", 0.2}});
    m.scope("Present", [&] {
      m.work(m.about(0.1));
      if (m.take_hitch(kVsyncForced)) {
        for (const double until = m.now() + trouble() + 7; m.now() < until;) m.wait_vsync();
      }
      m.wait(shown_);
    });
    shown_ = m.gpu_submit(queue_, "Flip", 0.05);
  }

  void compile_in_driver_forever() {
    for (;;) {
      m.wait(driver_begins_);
      m.reset(driver_begins_);
      m.work(driver_ms_);
      m.set(driver_is_done_);
    }
  }

  // ---- The video ----------------------------------------------------------------------------------------------------
  void grab_for_video() {
    m.wait_scope("Wait for encoder", [&] { m.acquire(encoder_free_); });
    m.scope("Grab frame", [&] { m.work(m.about(0.15)); });
    m.set(grabbed_);
  }

  void encode_forever() {
    for (;;) {
      m.wait(grabbed_);
      m.reset(grabbed_);
      const bool goes_first = m.take_hitch(kEncoderFirst);
      double ms = m.about(4.5) + (m.take_hitch(kKeyFrame) ? trouble() + 9 : 0);
      if (goes_first) {
        ms = trouble();
        m.set_processors(m.this_thread(), kMainProcessor);
        m.set_priority(m.this_thread(), 3);
      }
      m.scope("Encode frame", [&] { m.work(ms); });
      if (goes_first) {
        m.set_priority(m.this_thread(), 0);
        m.set_processors(m.this_thread(), kOtherProcessors);
      }
      m.set(packet_);
      m.wait_scope("Wait for muxer", [&] { m.wait(packet_written_); });
      m.reset(packet_written_);
      m.release(encoder_free_);
    }
  }

  // Writes to another computer.
  void mux_forever() {
    for (;;) {
      m.wait(packet_);
      m.reset(packet_);
      m.scope("Write packet", "//nas/videos/play.mkv", [&] {
        m.work(0.03);
        m.sleep(m.about(0.4) + (m.take_hitch(kNetworkShare) ? trouble() + 9 : 0));
      });
      m.set(packet_written_);
    }
  }

  // ---- Sound, network, pads -----------------------------------------------------------------------------------------
  void play_forever() {
    double next = m.now() + kChunkMs;
    for (;;) {
      m.sleep_until(next);
      next += kChunkMs;
      if (sound_filled_ > 0) {
        m.scope("Stretch audio", [&] { m.work(m.about(0.15)); });
        m.scope("Write to device", [&] {
          m.work(0.03);
          if (m.take_hitch(kSoundDevice)) {
            m.sleep(m.hitch_ms() + 2);
            next = m.now() + kChunkMs;
          }
        });
        --sound_filled_;
        m.release(sound_free_);
      } else {
        m.instant("Underrun");
      }
    }
  }

  void talk_forever() {
    for (;;) {
      m.wait(inputs_sent_);
      m.reset(inputs_sent_);
      m.scope("Exchange inputs", [&] {
        m.sleep(m.about(1.5, 0.1));
        if (m.take_hitch(kLostPackets)) {
          const double each = (trouble() + 3) / 4;
          for (int i = 0; i < 4; ++i) m.scope("Resend inputs", [&] { m.sleep(each); });
        }
        m.work(0.05);
      });
      m.set(peer_inputs_);
      // The achievements' library; marks nothing.
      const double more = m.take_hitch(kAchievementsLocked) ? trouble() + 4 : 0;
      if (m.frame_index() % 20 == 5 || more > 0) m.locked(achievements_, [&] { m.work(m.about(0.2) + more); });
    }
  }

  void scan_pads_forever() {
    for (;;) {
      m.wait_for(scan_, 4);
      m.reset(scan_);
      const double ms = scan_ms_;
      scan_ms_ = 0;
      m.locked(pads_, [&] {
        m.work(0.02);
        if (ms > 0) m.sleep(ms);
      });
    }
  }

  Machine& m;
  Queue queue_;
  Fence shown_;
  Mutex code_, memory_, vram_, heap_, card_, pads_, achievements_;
  CartridgeTasks recompiler_, shaders_, disc_, unpacker_, rewind_, card_writer_;
  std::deque<List> lists_;
  Semaphore has_list_, fifo_free_, sound_free_, encoder_free_;
  Event copied_, sectors_read_, sector_ready_, inputs_sent_, peer_inputs_, needed_function_, pipeline_ready_;
  Event driver_begins_, driver_is_done_, grabbed_, packet_, packet_written_, scan_;
  uint64_t frame_ = 0, lists_done_ = 0, copy_flow_ = 0, sector_flow_ = 0, needed_in_ = UINT64_MAX;
  int sound_filled_ = 0;
  double scan_ms_ = 0, driver_ms_ = 0, guest_slowness_ = 0;
  bool wants_sector_ = false, is_new_pipeline_ = false, is_hot_ = false;
};

const Engine kCartridge = {
    "cartridge",
    {
        kind("code rewrites itself",
             "The game wrote over its own code, so the main thread compiled very many blocks again.", kMoreCalls,
             "Compile block", "Main", ""),
        kind("code cache flush", "The code cache was full, and the main thread emptied it.", kNewWork,
             "Flush code cache", "Main", ""),
        kind("big link",
             "The recompiler linked a giant function and held the code cache's lock for it, which the main thread "
             "wanted.",
             kWaitedForLock | kWorkTookLonger, "Link function", "Recompiler", ""),
        kind("link crowded out",
             "The recompiler held the code cache's lock and lost its processor to the shaders' thread, which has a "
             "higher "
             "priority.",
             kWaitedForLock | kOwnThread, "Compile pipeline", "Shaders", "Recompiler"),
        kind("late optimizer",
             "The main thread needed a function that the recompiler had begun to optimize two frames ago and had not "
             "finished.",
             kWaitedForWork | kWorkTookLonger, "Optimize function", "Recompiler", ""),
        kind("interpreter",
             "The main thread interpreted a piece of code that could not be compiled, which took much longer than "
             "others.",
             kWorkTookLonger, "Interpret", "Main", ""),
        kind("guest busy", "The game itself had more to do in each slice of the frame.", kWorkTookLonger, "Run CPU",
             "Main", ""),
        kind("many readbacks",
             "The game read the frame buffer many times instead of once; each time the main thread waited for a copy.",
             kMoreCalls, "Read frame buffer | Copy to RAM", "", ""),
        kind("upscale slow",
             "The GPU took longer to scale the picture up; the graphics thread waited for it, and the main thread for "
             "that.",
             kGpu, "Upscale", "GPU", "Graphics"),
        kind("browser on GPU",
             "Another program used the GPU; the graphics thread waited for its own work there, and the main thread for "
             "that.",
             kGpu | kOtherProgram, kNoScope, "GPU", "Graphics"),
        kind("compile in place",
             "The graphics thread compiled pipelines itself instead of leaving that to the shaders' thread.",
             kPlacedDifferently | kMoreCalls | kNewWork | kWaitedForWork, "Compile pipeline", "Graphics", ""),
        kind("slow pipeline",
             "The graphics thread could not draw without a pipeline, which took the shaders' thread long to compile.",
             kWaitedForWork | kWorkTookLonger, "Compile pipeline", "Shaders", "Graphics"),
        kind("pipelines in a row",
             "The pipeline that the graphics thread waited for stood behind many others in the queue of the shaders' "
             "thread.",
             kWaitedForWork | kMoreCalls, "Compile pipeline", "Shaders", "Graphics"),
        kind("driver compiles",
             "The graphics thread linked a pipeline and slept until a thread of the driver, which nobody recorded, had "
             "compiled it.",
             kFileOrSleep | kWaitedForWork, "Link pipeline", "Graphics", ""),
        kind("many draws", "The graphics thread had very many batches to draw.", kMoreCalls | kWaitedForWork,
             "Draw batch", "Graphics", ""),
        kind("spin on upload",
             "The main thread burned its processor until the graphics thread had uploaded large textures.",
             kWaitedForWork | kWorkTookLonger, "Upload textures", "Graphics", ""),
        kind("evict textures", "The graphics thread threw out far more old textures than it does each second.",
             kWaitedForWork | kWorkTookLonger, "Evict textures", "Graphics", ""),
        kind("window resized", "The graphics thread made the swap chain anew and slept in the driver for that.",
             kNewWork | kFileOrSleep, "Recreate swap chain", "Graphics", ""),
        kind("vsync forced", "The desktop made the graphics thread wait for some vertical syncs when it presented.",
             kFileOrSleep, "Present", "Graphics", ""),
        kind("two locks",
             "The main thread wanted the memory's lock from the rewinder, which wanted the VRAM's from the graphics "
             "thread, which uploaded long.",
             kWaitedForLock | kWorkTookLonger, "Upload textures", "Graphics", "Rewind"),
        kind("key frame", "The encoder took long for a frame, and the graphics thread had to wait for its slot.",
             kWaitedForWork | kWorkTookLonger, "Encode frame", "Encoder", "Graphics"),
        kind("network share",
             "The muxer slept in a write to another computer; the encoder waited for it, and the graphics thread for "
             "the "
             "encoder.",
             kFileOrSleep, "Write packet", "Muxer", "Graphics > Encoder"),
        kind("encoder first", "The encoder had a higher priority and took the main thread's processor.", kOwnThread,
             "Encode frame", "Encoder", ""),
        kind("virus scanner",
             "Another program kept the disk busy, so the disc's thread read its sectors late, and the unpacker waited "
             "for "
             "them.",
             kFileOrSleep, "Read sectors", "Disc", "Unpacker"),
        kind("drive asleep", "The drive had to spin up before the disc's thread could read for the unpacker.",
             kFileOrSleep | kNewWork, "Spin up", "Disc", "Unpacker"),
        kind("big hunk", "The unpacker took longer to inflate a hunk that the main thread waited for.",
             kWaitedForWork | kWorkTookLonger, "Inflate hunk", "Unpacker", ""),
        kind("read ahead first",
             "The disc's thread had many reads ahead to do before the sectors that were needed now.",
             kMoreCalls | kFileOrSleep | kPlacedDifferently, "Read ahead", "Disc", "Unpacker"),
        kind("card on main", "The main thread wrote the card's file itself, as only the card writer does otherwise.",
             kPlacedDifferently | kFileOrSleep, "Write card file", "Main", ""),
        kind("card locked", "The card writer slept while it held the card's lock, which the main thread wanted.",
             kWaitedForLock | kFileOrSleep, "Copy card", "Card writer", ""),
        kind("heap trim",
             "The rewinder freed old snapshots, which took long, and held the heap's lock, which the main thread "
             "wanted.",
             kWaitedForLock | kWorkTookLonger, "Drop old snapshots", "Rewind", ""),
        kind("snapshot faults", "The main thread copied into very many pages that nobody had touched before.",
             kMemoryFaults, "Copy RAM", "Main", ""),
        kind("guest swapped out", "The game's memory had been swapped out and was read from the disk.", kMemoryFaults,
             "Run CPU", "Main", ""),
        kind("log flush",
             "The main thread's write of the log slept on the disk far longer than it does each half second.",
             kFileOrSleep, "Flush log", "Main", ""),
        kind("sound device",
             "The sound device took nothing for a while: the sound's thread slept, and the main thread waited for room "
             "in "
             "the ring.",
             kFileOrSleep | kWaitedForWork, "Write to device", "Audio", ""),
        kind("lost packets", "The network's thread sent the inputs again and again, and slept until an answer came.",
             kFileOrSleep | kNewWork, "Resend inputs", "Network", ""),
        kind("achievements locked", "The network's thread held the achievements' lock for work that is in no scope.",
             kWaitedForLock | kWorkTookLonger, "", "Network", ""),
        kind("pad scan", "A library's thread, which nobody recorded, held the pads' lock while it looked for pads.",
             kWaitedForLock | kFileOrSleep, "Poll pads", "Main", ""),
        kind("pad lost", "The main thread tried to open a pad five times and slept each time.", kFileOrSleep | kNewWork,
             "Open pad", "Main", ""),
        kind("delay overslept", "The sleep at the beginning of the frame took much longer than it was to.",
             kFileOrSleep, "Frame delay", "Main", ""),
        kind("window events", "The main thread worked long in the window's events, which are in no scope.",
             kWorkTookLonger | kNewWork, "", "Main", ""),
        kind("screenshot", "The main thread compressed a screenshot.", kNewWork, "Compress PNG", "Main", ""),
        kind("movie", "The main thread decoded a movie's picture, in very many pieces.", kNewWork,
             "Decode movie | Decode macroblock", "Main", ""),
        kind("debugger", "A debugger stopped the whole program.", kProcessStopped, kNoScope, "", ""),
        kind("host busy", "The host did not run the virtual machine.", kProcessStopped, kNoScope, "", ""),
        kind("hot", "The processors were hot and ran slower, so all work took longer.", kWorkTookLonger,
             "Run CPU | Emulate frame", "Main", ""),
        kind("build on main", "Another program took the main thread's processor.", kOtherProgram, kNoScope, "Main", ""),
        kind("indexer on graphics",
             "Another program took the processor of the graphics thread, for which the main thread waited.",
             kOtherProgram, kNoScope, "Graphics", ""),
        kind("only compression", "The rewinder compressed a snapshot for long, but nobody waited for it.", kOrdinary,
             kNoScope, ""),
    },
    [](Machine& machine) { Cartridge(machine).run(); },
};
const AddEngine kAdded(&kCartridge);

}  // namespace
}  // namespace engines
