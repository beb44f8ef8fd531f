// SPDX-License-Identifier: MIT
//
// atelier.cpp: a level editor. Main asks a circle of services with letter boxes (document, journal, plugins, importer, bakers),
// draws panels meanwhile, and collects the replies. Frames are as long as they are; only too short ones sleep.
#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <string>

#include "engines/machine.h"

namespace engines {
namespace {

enum AtelierKind : size_t {
  kBigUndo,
  kJournalFull,
  kGarbage,
  kRegistryRead,
  kAutosave,
  kManyRows,
  kGlyphs,
  kBounce,
  kTranslucency,
  kOtherGpu,
  kMarquee,
  kDriverCompiles,
  kCheckout,
  kVirusScan,
  kInversion,
  kHumblePlugins,
  kLibraryPool,
  kIndexer,
  kDebugger,
  kHotProcessor,
  kVertexPool,
  kSwappedDocument,
  kIndexFirst,
  kInlineThumbnails,
  kNavmeshNow,
  kHookInNoScope,
  kPropertyBlob,
  kLockChain,
  kLogStorm,
  kCoalescedTimer,
  kAudioDevice,
  kStagingStarves,
  kLostReply,
  kQuietImport,
  kInTime,
  kManyTinyCalls,
};

// A service takes letters one after the other.
struct AtelierBox {
  std::deque<std::function<void()>> letters;
  Semaphore has_letter;
  bool is_busy = false;
  bool has_flows = true;

  bool is_idle() const { return !is_busy && letters.empty(); }
};

class Atelier {
 public:
  explicit Atelier(Machine& machine) : m(machine) {}

  void run() {
    graphics_ = m.gpu_queue("Graphics");
    copy_ = m.gpu_queue("Copy");
    name_locks();
    m.release(journal_slots_, 3);
    m.release(staging_, 2);
    importer_box_.has_flows = false;
    builder_box_.has_flows = false;
    m.set_processors(m.this_thread(), kFastPair);
    serve("Document", document_box_, {0, ~0ull, true});
    plugins_ = serve("Plugins", plugin_box_, {0, kSlowPair, true});
    importer_ = serve("Importer", importer_box_, {0, kAnywhere, true});
    serve("Thumbnails", thumbnail_box_, {0, kAnywhere, true});
    serve("Uploader", upload_box_, {0, kAnywhere, true});
    serve("Builder", builder_box_, {0, kAnywhere, true});
    m.start_thread("Journal", [this] { write_journal(); });
    m.start_thread("Bake 0", [this] { bake(0); }, {-1, 4, true});
    m.start_thread("Bake 1", [this] { bake(1); }, {-1, 8, true});
    m.start_thread("Audio", [this] { play_audio(); }, {3, kAnywhere, true});
    m.start_thread("driver", [this] { compile_shaders(); }, {0, kAnywhere, false});
    for (int i = 0; i < 4; ++i) {
      m.start_thread("meshlib", [this] { compress_meshes(); }, {2, 1ull << i, false});
    }
    for (;;) tick();
  }

 private:
  static constexpr uint64_t kFastPair = 3, kSlowPair = 12, kAnywhere = 15;

  void name_locks() {
    heap_.name = "gpu heap";
    registry_.name = "asset registry";
    selection_.name = "selection";
    console_.name = "console";
    hooks_replied_.name = "hooks replied";
    journal_slots_.name = "journal slots";
    staging_.name = "staging buffers";
  }

  Thread serve(const char* name, AtelierBox& box, const ThreadOptions& options) {
    return m.start_thread(
        name,
        [this, &box] {
          for (;;) {
            m.acquire(box.has_letter);
            const std::function<void()> letter = box.letters.front();
            box.letters.pop_front();
            box.is_busy = true;
            letter();
            box.is_busy = false;
          }
        },
        options);
  }

  void post(AtelierBox& box, std::function<void()> letter) {
    if (box.has_flows) {
      const uint64_t flow = m.flow_begin();
      box.letters.push_back([this, flow, letter = std::move(letter)] {
        m.flow_end(flow);
        letter();
      });
    } else {
      box.letters.push_back(std::move(letter));
    }
    m.release(box.has_letter);
  }

  // ---- The user interface's thread ----------------------------------------------------------------------------------

  void tick() {
    began_ = m.now();
    detail_ = 1.1 + 0.25 * std::sin(static_cast<double>(m.frame_index()) / 2.5);  // the camera moves
    m.work(m.about(0.2));  // the toolkit's message hooks, which nobody has marked
    if (m.take_hitch(kHookInNoScope)) m.work(m.hitch_ms() + 2);
    outside();
    m.scope("Pump messages", [&] { pump(); });
    m.scope("Tick tools", [&] { tick_tools(); });
    m.scope("Idle tasks", [&] { idle_tasks(); });
    m.scope("Panels", [&] { panels(); });
    m.scope("Viewports", [&] { viewports(); });
    m.scope("Present", [&] { present(); });
    m.set_speed(1);
    pace();
    m.counter("Undo depth", static_cast<double>(undo_depth_));
    m.frame();
  }

  void outside() {
    if (m.take_hitch(kIndexer)) {
      for (unsigned i = 0; i < m.processors(); ++i) m.other_program(i, m.hitch_ms() + 2, 4);
    }
    if (m.take_hitch(kLibraryPool)) {
      pool_ms_ = m.hitch_ms() + 2;
      m.release(pool_, 4);
    }
    if (m.take_hitch(kHotProcessor)) m.set_speed(8 / (10 + m.hitch_ms()));
    if (m.take_hitch(kOtherGpu)) m.other_program_uses_gpu(graphics_, m.hitch_ms() + 8);
  }

  void pump() {
    const uint64_t moves = 2 + m.random(3);
    for (uint64_t i = 0; i < moves; ++i) m.scope("Mouse move", [&] { m.work(m.about(0.05)); });
    if (m.frame_index() % 9 == 4) {
      m.scope("Key press", [&] { m.work(m.about(0.1)); });
    }
    if (m.take_hitch(kCheckout)) {
      m.scope("Key press", [&] {
        m.work(0.1);
        m.scope("Check out file", "castle.level", [&] { m.sleep(m.hitch_ms() + 2); });
      });
    }
    if (m.take_hitch(kDebugger)) m.stop_process(m.hitch_ms() + 2);
  }

  void tick_tools() {
    if (m.take_hitch(kLockChain)) {
      store_long_ms_ = m.hitch_ms() + 5;
      m.set(bake_wake_[0]);
    }
    ask_document();
    m.scope("Snap to surface", [&] {
      for (int i = 0; i < 5; ++i) m.scope("Raycast", [&] { m.work(m.about(0.12)); });
    });
    if (m.take_hitch(kManyTinyCalls)) {
      m.scope("Snap to surface", [&] {
        for (int i = 0; i < 150; ++i) m.scope("Raycast", [&] { m.work(0.002); });
      });
    }
    m.scope("Sculpt", [&] {
      m.work(m.about(0.4));
      m.scope("Append vertices", "brush", [&] {
        m.work(m.about(0.1));
        m.touch_new_memory(16);
        if (m.take_hitch(kVertexPool)) m.touch_new_memory(static_cast<unsigned>((m.hitch_ms() + 2) * 2000));
      });
    });
    sync_audio();
    pick();
    navmesh();
    m.wait_scope("Document reply", [&] { m.acquire(document_replied_); });
    m.flow_end(document_reply_flow_);
    m.scope("Move gizmo", [&] { m.work(m.about(0.3)); });
  }

  void ask_document() {
    if (m.take_hitch(kIndexFirst)) {
      const int chunks = static_cast<int>(std::ceil((m.hitch_ms() + 4) / kChunkMs));
      post(document_box_, [this, chunks] {
        for (int i = 0; i < chunks; ++i) index_chunk();
      });
    }
    post(document_box_, [this] { serve_query(); });
    if (m.frame_index() % 31 == 7) index_politely(12);
  }

  void sync_audio() {
    m.scope("Sync audio clock", [&] {
      m.work(0.02);
      if (m.take_hitch(kAudioDevice)) {
        device_ms_ = m.hitch_ms() + 2;
        device_is_lost_ = true;
        m.set(audio_wake_);
      }
      m.spin_until([&] { return !device_is_lost_; });
    });
  }

  // What lies below the mouse: asked now, looked up when the GPU has it. A marquee is in more of a hurry.
  void pick() {
    m.scope("Pick tile", [&] {
      m.work(m.about(0.03));
      m.gpu_submit(graphics_, "Hit proxies", m.about(0.15));
    });
    if (!m.take_hitch(kMarquee)) return;
    const int tiles = static_cast<int>((m.hitch_ms() + 2) / 1.1);
    for (int i = 0; i < tiles; ++i) {
      m.scope("Pick tile", [&] {
        m.work(0.03);
        m.wait(m.gpu_submit(graphics_, "Hit proxies", m.about(1.05)));
      });
    }
  }

  // A navigation mesh is built now and then, and fetched when it is ready. Whoever presses play needs it in the next frame.
  void navmesh() {
    if (needs_navmesh_) {
      m.wait_scope("Wait for navmesh", [&] { m.wait(navmesh_built_); });
      needs_navmesh_ = false;
    }
    if (!builder_box_.is_idle()) return;
    needs_navmesh_ = m.take_hitch(kNavmeshNow);
    if (!needs_navmesh_ && m.frame_index() % 43 != 11) return;
    const double ms = needs_navmesh_ ? m.hitch_ms() + 12 : m.about(30);
    m.reset(navmesh_built_);
    post(builder_box_, [this, ms] {
      m.scope("Build navmesh", [&] { m.work(ms); });
      m.set(navmesh_built_);
    });
  }

  void idle_tasks() {
    m.scope("Drain results", [&] {
      for (; results_ > 0; --results_) m.scope("Apply result", [&] { m.work(m.about(0.15)); });
      m.work(m.about(0.05));
    });
    const bool is_scanned = m.take_hitch(kVirusScan);
    if (is_scanned) m.other_program_reads(m.hitch_ms() + 2);
    if (is_scanned || (m.frame_index() % 12 == 5 && !has_long_read_)) {
      m.scope("Stat files", [&] {
        m.work(0.05);
        m.read_file(0.1);
      });
    }
    if (m.take_hitch(kAutosave)) {
      m.scope("Autosave", [&] {
        m.scope("Serialise objects", [&] { m.work(m.hitch_ms() + 1); });
        m.scope("Queue write", [&] { m.work(0.3); });
      });
    }
    if (m.take_hitch(kQuietImport)) {
      post(importer_box_, [this, ms = m.hitch_ms()] { import_asset(ms, ms); });
    } else if (m.frame_index() % 10 == 3) {
      post(importer_box_, [this] { import_asset(m.about(3), m.about(2)); });
    }
  }

  void panels() {
    ask_plugins();
    draw_panel("Toolbar", 2);
    m.scope("Panel", "Outliner", [&] {
      const bool is_expanded = m.take_hitch(kManyRows);
      const int rows =
          14 + static_cast<int>(m.random(3)) + (is_expanded ? static_cast<int>((m.hitch_ms() + 2) / 0.05) : 0);
      for (int i = 0; i < rows; ++i) m.scope("Draw row", [&] { m.work(m.about(0.05)); });
    });
    draw_panel("Layers", 2);
    draw_browser();
    m.scope("Panel", "Console", [&] {
      if (importer_box_.is_idle() && m.take_hitch(kLogStorm)) {
        post(importer_box_, [this, ms = m.hitch_ms() / 10] { write_log(14, ms); });
        m.work(0.05);
      }
      for (int i = 0; i < 12; ++i) m.locked(console_, [&] { m.work(0.01); });
      m.work(m.about(0.1));
    });
    draw_panel("Timeline", 4);
    m.scope("Panel", "Inspector", [&] {
      m.wait_scope("Lock selection", [&] { m.lock(selection_); });
      m.scope("Measure text", [&] { m.work(m.about(0.1)); });
      m.unlock(selection_);
      m.work(m.about(0.3));
    });
    if (detail_ < 0.95 && m.take_hitch(kInTime)) m.work(0.45);
    m.wait_scope("Wait for hooks", [&] {
      do {
        m.wait_for(hooks_replied_, hooks_timeout_ms_);
      } while (!has_hooks_reply_);
    });
  }

  void draw_panel(const char* name, int texts) {
    m.scope("Panel", name, [&] {
      for (int i = 0; i < texts; ++i) {
        m.scope("Measure text", [&] {
          m.work(m.about(0.04));
          if (texts == 4 && i == 1 && m.take_hitch(kGlyphs)) m.work(m.hitch_ms() + 2);
        });
      }
      m.work(m.about(0.15));
    });
  }

  void draw_browser() {
    m.scope("Panel", "Asset browser", [&] {
      m.work(m.about(0.2));
      if (m.take_hitch(kInlineThumbnails)) {
        const int thumbnails = static_cast<int>((m.hitch_ms() + 3) / 2);
        for (int i = 0; i < thumbnails; ++i) m.scope("Render thumbnail", [&] { m.work(m.about(2)); });
      } else if (m.frame_index() % 4 == 1) {
        post(thumbnail_box_, [this] {
          m.scope("Render thumbnail", [&] { m.work(m.about(2)); });
          collect_selected();
          ++results_;
        });
      }
    });
  }

  void viewports() {
    for (const char* view : {"Perspective", "Top", "Front", "Side"}) {
      m.scope("Viewport", view, [&] {
        m.scope("Cull", [&] { m.work(m.about(0.2 * detail_)); });
        m.scope("Collect", [&] { m.work(m.about(0.3 * detail_)); });
      });
    }
    m.lock(heap_);  // nobody has marked this one
    m.scope("Suballocate", [&] { m.work(m.about(0.1)); });
    m.unlock(heap_);
    m.scope("Stream textures", [&] {
      m.wait_scope("Take staging buffer", [&] { m.acquire(staging_); });
      m.work(m.about(0.1));
      post(upload_box_, [this] { upload(); });
    });
  }

  void present() {
    m.scope("Record commands", [&] { m.work(m.about(0.7 * detail_)); });
    m.scope("Submit", [&] {
      m.work(m.about(0.15));
      if (m.take_hitch(kDriverCompiles)) {
        compile_ms_ = m.hitch_ms() + 2;
        m.set(driver_wake_);
        m.wait(driver_done_);
        m.reset(driver_done_);
      }
    });
    const bool is_long_bounce = m.take_hitch(kBounce);
    if (is_long_bounce || m.frame_index() % 4 == 2) {
      const double ms = is_long_bounce ? m.hitch_ms() + 8 : m.about(1.5);
      m.gpu_submit(graphics_, "Lightmap preview", {{"Gather bounce", ms}, {"Denoise", m.about(0.2)}});
    }
    const double overdraw = m.take_hitch(kTranslucency) ? m.hitch_ms() + 8 : 0;
    const Fence before = shown_;
    shown_ = m.gpu_submit(graphics_, "Editor frame",
                          {{"Depth", m.about(0.7)},
                           {"Opaque", m.about(1.9)},
                           {"Translucency", m.about(0.8) + overdraw},
                           {"Gizmos", m.about(0.3)},
                           {"Interface", m.about(0.6)}});
    m.wait_scope("Wait for last frame", [&] { m.wait(before); });
  }

  // No more frames than a screen could show; most take longer anyway.
  void pace() {
    double until = began_ + 7.8;
    if (m.take_hitch(kCoalescedTimer)) until = std::max(until, m.now()) + m.hitch_ms();
    if (m.now() < until) m.wait_scope("Pace", [&] { m.sleep_until(until); });
  }

  // ---- The document and its journal ---------------------------------------------------------------------------------

  static constexpr double kChunkMs = 1.5;

  void serve_query() {
    m.scope("Serve query", [&] {
      m.scope("Find object", [&] {
        m.work(m.about(0.3));
        if (m.take_hitch(kSwappedDocument)) {
          has_long_read_ = true;
          m.touch_swapped_memory(static_cast<unsigned>((m.hitch_ms() + 3) * 10));
          has_long_read_ = false;
        }
      });
      const int edits = 3 + (m.take_hitch(kBigUndo) ? static_cast<int>((m.hitch_ms() + 3) / 0.2) : 0);
      for (int i = 0; i < edits; ++i) m.scope("Apply edit", [&] { m.work(m.about(0.2)); });
      for (int i = 0; i < 2; ++i) append_record();
    });
    document_reply_flow_ = m.flow_begin();
    m.release(document_replied_);
  }

  void append_record() {
    m.acquire(journal_slots_);
    m.work(0.03);
    ++undo_depth_;
    m.release(journal_records_);
  }

  void write_journal() {
    for (;;) {
      m.acquire(journal_records_);
      m.scope("Flush journal", [&] {
        m.work(m.about(0.05));
        m.sleep(m.about(0.4));  // a share on the network
        if (m.take_hitch(kJournalFull)) m.sleep(m.hitch_ms() + 17);
      });
      m.release(journal_slots_);
    }
  }

  void index_chunk() {
    m.scope("Index chunk", [&] { m.work(m.about(kChunkMs)); });
  }

  // Lets others go first after each chunk.
  void index_politely(int chunks) {
    post(document_box_, [this, chunks] {
      index_chunk();
      if (chunks > 1) index_politely(chunks - 1);
    });
  }

  // ---- Plugins ------------------------------------------------------------------------------------------------------

  void ask_plugins() {
    if (importer_box_.is_idle() && m.take_hitch(kRegistryRead)) {
      post(importer_box_, [this, ms = m.hitch_ms() + 4] { scan_folder(ms); });
      m.work(0.05);
    }
    if (m.take_hitch(kHumblePlugins)) {
      m.set_priority(plugins_, -3);
      rush_until_ = m.now() + m.hitch_ms() + 4;
      for (Event& wake : bake_wake_) m.set(wake);
      m.work(0.05);
    }
    m.reset(hooks_replied_);
    has_hooks_reply_ = false;
    hooks_timeout_ms_ = 500;
    if (m.take_hitch(kLostReply)) {
      hooks_timeout_ms_ = m.hitch_ms();
      loses_reply_ = true;
    }
    post(plugin_box_, [this] { run_hooks(); });
  }

  void run_hooks() {
    m.scope("Run hooks", [&] {
      for (const char* plugin : {"snap-tools", "naming-rules", "terrain-paths", "prefab-sync", "asset-linter"}) {
        m.scope("Run hook", plugin, [&] {
          m.work(m.about(0.2));
          if (plugin == std::string("prefab-sync")) read_property();
          if (plugin == std::string("asset-linter")) {
            m.lock(registry_);
            m.work(0.05);
            m.unlock(registry_);
          }
        });
      }
      m.scope("Collect garbage", [&] { m.work(m.about(0.25) + (m.take_hitch(kGarbage) ? m.hitch_ms() + 4 : 0)); });
    });
    m.set_priority(plugins_, 0);
    has_hooks_reply_ = true;
    if (!loses_reply_) m.set(hooks_replied_);
    loses_reply_ = false;
  }

  // A plugin asks the document, and waits for it as scripts do: nobody has marked that.
  void read_property() {
    const double blob_ms = m.take_hitch(kPropertyBlob) ? m.hitch_ms() + 4 : 0;
    post(document_box_, [this, blob_ms] {
      m.scope("Decode property", [&] { m.work(m.about(0.1) + blob_ms); });
      m.release(property_read_);
    });
    m.acquire(property_read_);
  }

  // ---- The importer -------------------------------------------------------------------------------------------------

  void import_asset(double read_ms, double decode_ms) {
    m.scope("Import asset", [&] {
      has_long_read_ = true;
      m.scope("Read file", [&] { m.read_file(read_ms); });
      has_long_read_ = false;
      m.scope("Decode mesh", [&] { m.work(decode_ms); });
      m.lock(registry_);
      m.scope("Register asset", [&] { m.work(m.about(0.1)); });
      m.unlock(registry_);
    });
    write_log(2, 0.02);
    ++results_;
  }

  // Goes through a new folder with the registry locked, as somebody thought that headers are short.
  void scan_folder(double ms) {
    has_long_read_ = true;
    m.locked(registry_, [&] {
      m.scope("Scan folder", [&] {
        m.work(0.1);
        m.scope("Read header", [&] { m.read_file(ms); });
      });
    });
    has_long_read_ = false;
  }

  void write_log(int lines, double ms) {
    for (int i = 0; i < lines; ++i) {
      m.locked(console_, [&] { m.scope("Write log line", [&] { m.work(ms); }); });
    }
  }

  // ---- Bakers, thumbnails, uploads, audio, libraries ----------------------------------------------------------------

  void bake(size_t baker) {
    for (;;) {
      do {
        m.scope("Trace tile", [&] { m.work(m.about(2.5)); });
      } while (m.now() < rush_until_);
      const bool is_humble = baker == 1 && importer_box_.is_idle() && m.take_hitch(kInversion);
      if (!is_humble) m.set_priority(m.this_thread(), 1);  // as long as it has the lock
      m.lock(heap_);
      m.scope("Store tile", [&] {
        m.work(0.05);
        if (baker == 0 && store_long_ms_ > 0) {
          post(thumbnail_box_, [this] { collect_selected(); });
          m.work(store_long_ms_);
          store_long_ms_ = 0;
        }
        if (is_humble) {
          m.set_processors(importer_, 8);
          post(importer_box_, [this, ms = m.hitch_ms() + 9] {
            m.scope("Import asset", [&] { m.scope("Decode mesh", [&] { m.work(ms); }); });
            m.set_processors(importer_, kAnywhere);
          });
        }
        m.work(m.about(0.1));
      });
      m.unlock(heap_);
      m.set_priority(m.this_thread(), -1);
      m.wait_for(bake_wake_[baker], m.about(4, 0.2));
      m.reset(bake_wake_[baker]);
    }
  }

  void collect_selected() {
    m.locked(selection_, [&] {
      m.scope("Collect selected", [&] {
        m.work(m.about(0.05));
        m.locked(heap_, [&] { m.work(0.05); });
      });
    });
  }

  void upload() {
    const double ms = m.take_hitch(kStagingStarves) ? m.hitch_ms() + 18 : m.about(1);
    const Fence fence = m.gpu_submit(copy_, "Upload texture", ms);
    m.wait(fence);
    m.release(staging_);
  }

  void play_audio() {
    for (;;) {
      m.wait_for(audio_wake_, 5);
      m.reset(audio_wake_);
      if (device_is_lost_) {
        m.scope("Reopen device", [&] { m.sleep(device_ms_); });
        device_is_lost_ = false;
      }
      m.scope("Mix", [&] { m.work(m.about(0.2)); });
    }
  }

  void compile_shaders() {
    for (;;) {
      m.wait(driver_wake_);
      m.reset(driver_wake_);
      m.work(compile_ms_);
      m.set(driver_done_);
    }
  }

  void compress_meshes() {
    for (;;) {
      m.acquire(pool_);
      m.work(pool_ms_);
    }
  }

  Machine& m;
  Queue graphics_, copy_;
  Fence shown_;
  Thread plugins_ = nullptr, importer_ = nullptr;
  AtelierBox document_box_, plugin_box_, importer_box_, thumbnail_box_, upload_box_, builder_box_;
  Mutex heap_, registry_, selection_, console_;
  Semaphore document_replied_, property_read_, journal_slots_, journal_records_, staging_, pool_;
  Event hooks_replied_, navmesh_built_, audio_wake_, driver_wake_, driver_done_;
  Event bake_wake_[2];
  double began_ = 0, pool_ms_ = 0, device_ms_ = 0, compile_ms_ = 0, detail_ = 1, store_long_ms_ = 0, rush_until_ = 0,
         hooks_timeout_ms_ = 500;
  bool device_is_lost_ = false, needs_navmesh_ = false, has_long_read_ = false, has_hooks_reply_ = false,
       loses_reply_ = false;
  int results_ = 0;
  uint64_t document_reply_flow_ = 0, undo_depth_ = 0;
};

const Engine kAtelier = {
    "atelier",
    {
        kind("big undo",
             "Somebody undid a transaction of many edits; the document applied each of them while Main waited.",
             kMoreCalls | kWaitedForWork, "Apply edit", "Document"),
        kind("journal full",
             "The journal's flush to a share hung, the document waited for a slot in its queue, and Main for the "
             "document.",
             kFileOrSleep | kWaitedForWork, "Flush journal", "Journal"),
        kind("garbage",
             "The plugins' machine collected all of its garbage instead of a little, and their reply came late.",
             kWorkTookLonger | kWaitedForWork, "Collect garbage", "Plugins"),
        kind("registry read",
             "The importer read from the disk with the registry locked; a plugin waited for the lock, Main for the "
             "plugin.",
             kWaitedForLock | kFileOrSleep, "Read header", "Importer"),
        kind("autosave", "Main serialised all objects for an autosave.", kNewWork, "Serialise objects", "Main"),
        kind("many rows", "The outliner was expanded and drew hundreds of rows more.", kMoreCalls, "Draw row", "Main"),
        kind("glyphs", "A text had signs that the font cache lacked, and measuring it made them.", kWorkTookLonger,
             "Measure text", "Main"),
        kind(
            "long bounce",
            "The lightmap preview gathered light for much longer than usual on the GPU, before the editor's own frame.",
            kGpu | kWorkTookLonger, "Gather bounce", "Graphics"),
        kind("translucency", "The GPU drew very many layers of translucent grass.", kGpu | kWorkTookLonger,
             "Translucency", "Graphics"),
        kind("other gpu", "Another program used the GPU.", kGpu | kOtherProgram, kNoScope, ""),
        kind("marquee", "A marquee selection read the hit buffer back tile by tile, and waited for the GPU each time.",
             kMoreCalls | kGpu, "Pick tile | Hit proxies", ""),
        kind("driver compiles",
             "The driver compiled a shader on a thread of its own while the main thread waited inside the submit.",
             kFileOrSleep, "Submit", "Main"),
        kind("checkout", "The main thread waited for the source control's server to check out a file.",
             kFileOrSleep | kNewWork, "Check out file", "Main"),
        kind("virus scan",
             "A virus scanner kept the disk busy, and the main thread's look at its files waited for the disk.",
             kFileOrSleep, "Stat files", "Main"),
        kind("inversion",
             "A baker of low priority held the heap's lock while the importer's decoding had its only processor.",
             kWaitedForLock | kOwnThread, "Store tile | Decode mesh", ""),
        kind(
            "humble plugins",
            "The plugins' thread had a priority below the bakers', which kept both of its processors with their tiles.",
            kOwnThread | kWaitedForWork, "Trace tile", ""),
        kind("library pool",
             "The mesh library's own threads, which nobody recorded, worked on all processors at a higher priority.",
             kOwnThread | kOtherProgram, kNoScope, ""),
        kind("indexer", "Another program had all processors.", kOtherProgram, kNoScope, ""),
        kind("debugger", "A debugger stopped the process.", kProcessStopped, kNoScope, ""),
        kind("hot processor", "The processors were hot and ran much slower.", kWorkTookLonger, kNoScope, ""),
        kind("vertex pool", "The brush's vertex pool grew, and the main thread touched all its new memory.",
             kMemoryFaults, "Append vertices", "Main"),
        kind("swapped document",
             "The document's pages had been swapped out, and finding an object read them from the disk.",
             kMemoryFaults | kWaitedForWork, "Find object", "Document"),
        kind("index first",
             "The document indexed in one go before the frame's query, which it otherwise lets through between chunks.",
             kPlacedDifferently | kWaitedForWork, "Index chunk", "Document"),
        kind("inline thumbnails",
             "The main thread rendered thumbnails itself, which the thumbnail thread does otherwise.",
             kPlacedDifferently | kNewWork, "Render thumbnail", "Main"),
        kind("navmesh now",
             "Somebody pressed play, and Main waited for the navigation mesh that it otherwise fetches when it is "
             "built.",
             kPlacedDifferently | kWaitedForWork, "Build navmesh", "Builder"),
        kind("hook in no scope",
             "A message hook of the toolkit worked on the main thread, where nobody has marked a scope.",
             kWorkTookLonger | kNewWork, "", "Main"),
        kind("property blob", "A plugin waited for the document to decode a huge property, and Main for the plugin.",
             kWorkTookLonger | kWaitedForWork, "Decode property", "Document"),
        kind("lock chain",
             "A baker stored a tile under the heap's lock; thumbnails waited with the selection locked, Main for that.",
             kWaitedForLock, "Store tile", "Bake 0"),
        kind("log storm",
             "The importer wrote slow log lines, and the main thread waited for the console's lock line after line.",
             kWaitedForLock, "Write log line", "Importer"),
        kind("coalesced timer", "The limiter's sleep lasted much longer than asked for.", kFileOrSleep, "Pace", "Main"),
        kind("audio device",
             "The audio thread slept while its device was opened again, and the main thread spun until the clock was "
             "back.",
             kFileOrSleep | kWaitedForWork, "Reopen device", "Audio"),
        kind("staging starves",
             "A huge upload on the copy queue kept a staging buffer, until the main thread found none free.",
             kGpu | kWaitedForWork, "Upload texture", "Copy"),
        kind("lost reply",
             "The hooks were done in time, but their reply got lost, and the main thread slept until its timeout.",
             kFileOrSleep, "Wait for hooks", "Main"),
        kind("quiet import", "The importer read and decoded a large file, for which nobody waited.", kOrdinary,
             kNoScope, ""),
        kind("in time", "The panels worked a little more, and the limiter slept that much less.", kOrdinary, kNoScope,
             ""),
        kind("many tiny calls", "The snapping cast very many rays, which took next to no time.", kOrdinary, kNoScope,
             ""),
    },
    [](Machine& machine) { Atelier(machine).run(); },
};
const AddEngine kAdded(&kAtelier);

}  // namespace
}  // namespace engines
