// SPDX-License-Identifier: MIT
//
// burrow.cpp: a voxel colony game with one large main thread on a processor of its own, which runs scripts and helps
// with a graph of tasks that depend on each other, while others mesh, search paths over frames, save, load and log.
#include <cmath>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engines/machine.h"

namespace engines {
namespace {

enum BurrowKind : size_t {
  kFullCollection,
  kFinalizers,
  kModReadsFile,
  kInterpreted,
  kBlockCascade,
  kAllRegions,
  kWaterFlood,
  kExclusiveMod,
  kMeshesOnMain,
  kLongSearch,
  kTwoLocks,
  kCopyOnWrite,
  kSwappedPlants,
  kDriverCompiles,
  kShadowPass,
  kStagingRing,
  kVirusScanner,
  kMapPlugin,
  kMusicInversion,
  kClockJump,
  kArenaSpin,
  kConfigCheck,
  kStockList,
  kMinidump,
  kBehindPrefetches,
  kStolenCompression,
  kWeatherNap,
  kJournalConvoy,
  kRehash,
  kForgottenPaths,
  kLogRotation,
};

struct BurrowTask {
  std::string name;
  std::function<void()> body;
  std::vector<size_t> then;
  int unmet = 0;
  uint64_t flow = 0;
};

struct BurrowSearch {
  double ms;
  uint64_t asked_in;
  uint64_t flow;
};

struct BurrowRead {
  double ms;
  Event* done;  // null if nobody waits
};

class Burrow {
 public:
  explicit Burrow(Machine& machine) : m(machine) {}

  void run() {
    gpu_ = m.gpu_queue("GPU");
    copy_ = m.gpu_queue("GPU copy");
    main_ = m.this_thread();
    m.set_processors(main_, 1);
    start_threads();
    for (;;) {
      run_frame();
      m.frame();
    }
  }

 private:
  // ---- The main thread ----------------------------------------------------------------------------------------------
  void run_frame() {
    m.scope("Poll input", [&] { m.work(m.about(0.1)); });
    const int ticks = m.take_hitch(kClockJump) ? 1 + static_cast<int>(std::ceil(m.hitch_ms() / kTickMs)) : 1;
    for (int i = 0; i < ticks; ++i) m.scope("Sim tick", [&] { tick(); });
    m.scope("Stream chunks", [&] { stream_chunks(); });
    m.scope("Update UI", [&] { update_ui(); });
    m.scope("Render", [&] { render(); });
    wake_helpers();
    if (m.take_hitch(kConfigCheck)) m.work(m.hitch_ms());
  }

  void tick() {
    if (m.take_hitch(kTwoLocks)) {
      save_ms_ = m.hitch_ms() + 2;
      m.set(save_);
      m.work(0.2);
    }
    m.set(weather_go_);
    ask_for_path();
    m.scope("Run scripts", [&] { run_scripts(); });
    m.scope("Apply orders", [&] { apply_orders(); });
    m.scope("Update blocks", [&] { update_blocks(); });
    m.scope("Update items", [&] { update_items(); });
    build_graph();
    m.scope("Run graph", [&] { run_graph(); });
    m.scope("Receive paths", [&] { receive_paths(); });
    m.wait_scope("Wait for weather", [&] { m.wait(weather_done_); });
    m.reset(weather_done_);
  }

  void run_scripts() {
    if (m.take_hitch(kVirusScanner)) m.other_program(0, m.hitch_ms(), 9);
    const bool is_interpreted = m.in_hitch(kInterpreted);
    const char* const mods[] = {"base", "farming", "trade", "weather+", "better beds", "minimap"};
    for (const char* mod : mods) {
      for (int i = 0; i < 2; ++i) {
        m.scope("Run handler", mod, [&] {
          m.work(m.about(0.1, 0.2) + (is_interpreted ? m.hitch_ms() / 12 : 0));
          if (i == 1 && mod == mods[2] && m.take_hitch(kModReadsFile)) m.read_file(m.hitch_ms());
        });
      }
    }
    log_lines();
    m.scope("Step garbage", [&] { step_garbage(); });
    if (m.take_hitch(kFullCollection)) m.scope("Collect all garbage", [&] { collect_all(); });
  }

  void step_garbage() {
    m.work(m.about(0.25));
    int calls = 1 + static_cast<int>(m.random(4));
    if (m.take_hitch(kFinalizers)) calls += static_cast<int>(m.hitch_ms() / 0.05);
    for (int i = 0; i < calls; ++i) m.scope("Run finalizer", [&] { m.work(m.about(0.05, 0.1)); });
  }

  void collect_all() {
    const double ms = m.hitch_ms();
    m.scope("Mark heap", [&] { m.work(ms * 0.8); });
    m.scope("Sweep heap", [&] { m.work(ms * 0.2); });
  }

  void log_lines() {
    for (int i = 0; i < 10; ++i) {
      m.scope("Log line", [&] {
        m.acquire(log_free_);
        m.work(0.005);
        m.release(log_used_);
      });
    }
  }

  void apply_orders() {
    m.wait_scope("Lock agents", [&] { m.lock(agents_); });
    m.work(m.about(0.3));
    m.unlock(agents_);
  }

  void update_blocks() {
    int left = 12;
    int depth = 3;
    if (m.take_hitch(kBlockCascade)) {
      left += static_cast<int>(m.hitch_ms() / 0.04);
      depth = 20;
    }
    while (left > 0) update_block(left, depth);
    const bool has_all = m.take_hitch(kAllRegions);
    if (has_all || m.frame_index() % 8 == 0) {
      m.scope("Rebuild regions", [&] { m.work(m.about(0.4, 0.2) + (has_all ? m.hitch_ms() : 0)); });
    }
  }

  // A block wakes its neighbour, as far as the wire goes.
  void update_block(int& left, int depth) {
    --left;
    m.scope("Update block", [&] {
      m.work(m.about(0.04));
      if (depth > 1 && left > 0) update_block(left, depth - 1);
    });
  }

  void update_items() {
    const int grows_at = m.take_hitch(kRehash) ? static_cast<int>(m.random(25)) : -1;
    for (int i = 0; i < 25; ++i) {
      m.scope("Insert item", [&] { m.work(m.about(0.01, 0.1) + (i == grows_at ? m.hitch_ms() : 0)); });
    }
    m.scope("Update stockpiles", [&] {
      m.work(m.about(0.3));
      if (m.take_hitch(kCopyOnWrite)) m.touch_new_memory(static_cast<unsigned>(m.hitch_ms() * 2000));
    });
    m.scope("Spawn items", [&] { spawn_items(); });
    if (m.take_hitch(kMinidump)) m.stop_process(m.hitch_ms());
  }

  void spawn_items() {
    if (m.take_hitch(kArenaSpin)) {
      trim_ms_ = m.hitch_ms() + 0.3;
      m.set(trim_);
    }
    m.work(m.about(0.2));
    if (arena_is_busy_) m.wait_scope("Spin for arena", [&] { m.spin_until([&] { return !arena_is_busy_; }); });
    m.work(m.about(0.1));
  }

  void stream_chunks() {
    if (m.frame_index() % 5 == 0) ask_for_chunk(m.about(1.2), nullptr);
    const bool has_turned = m.take_hitch(kBehindPrefetches);
    if (has_turned) {
      for (int i = 0; i < 8; ++i) ask_for_chunk(m.hitch_ms() / 8, nullptr);
    }
    if (has_turned || m.frame_index() % 12 == 0) {
      ask_for_chunk(m.about(0.8), &chunk_is_here_);
      m.wait_scope("Wait for chunk", [&] { m.wait(chunk_is_here_); });
      m.reset(chunk_is_here_);
    }
    m.release(has_mesh_job_, 1 + static_cast<int>(m.random(2)));
    if (m.take_hitch(kMeshesOnMain)) {
      const int chunks = static_cast<int>(std::ceil(m.hitch_ms() / kMeshMs));
      for (int i = 0; i < chunks; ++i) mesh_chunk();
    }
    if (m.frame_index() % 30 == 0) m.scope("Switch detail", [&] { m.work(m.about(0.8)); });
  }

  void ask_for_chunk(double ms, Event* done) {
    reads_.push_back({ms, done});
    m.release(has_read_);
  }

  void mesh_chunk() {
    m.scope("Mesh chunk", [&] { m.work(m.about(kMeshMs, 0.2)); });
  }

  void update_ui() {
    for (const char* panel : {"clock", "alerts", "stocks", "orders", "map"}) {
      m.scope("Draw panel", panel, [&] { m.work(m.about(0.08)); });
    }
    m.work(m.about(0.1));
    if (m.take_hitch(kStockList)) m.work(m.hitch_ms());
    if (m.frame_index() % 60 == 0) m.scope("Refill glyph cache", [&] { m.work(m.about(1)); });
  }

  void render() {
    m.scope("Cull chunks", [&] { m.work(m.about(0.5)); });
    upload_meshes();
    for (const char* layer : {"sky", "ground", "water", "plants", "agents", "items", "fog", "labels"}) {
      m.scope("Draw layer", layer, [&] {
        m.work(m.about(0.1));
        if (layer[0] == 'w' && m.take_hitch(kDriverCompiles)) compile_in_driver();
      });
    }
    const double shadows = m.about(1.8) + (m.take_hitch(kShadowPass) ? m.hitch_ms() + 5 : 0);
    const Fence before = shown_;
    const std::vector<Pass> passes = {{"Voxel shadows", shadows}, {"Terrain", m.about(2.5)}, {"Sprites", m.about(1)}};
    shown_ = m.gpu_submit(gpu_, "GPU frame", passes);
    m.wait_scope("Present", [&] { m.wait(before); });
  }

  void upload_meshes() {
    m.scope("Upload meshes", [&] {
      Fence& slot = staging_[m.frame_index() % 2];
      m.wait_scope("Wait for staging", [&] { m.wait(slot); });
      m.work(m.about(0.2));
      slot = m.gpu_submit(copy_, "Copy meshes", m.about(0.8) + (m.take_hitch(kStagingRing) ? m.hitch_ms() + 20 : 0));
    });
  }

  void compile_in_driver() {
    driver_ms_ = m.hitch_ms();
    m.set(driver_go_);
    m.wait(driver_done_);
    m.reset(driver_done_);
  }

  // Threads that have something to do now and then.
  void wake_helpers() {
    const uint64_t frame = m.frame_index();
    if (frame % 50 == 10) m.set(save_);
    if (frame % 20 == 7) m.set(trim_);
    if (frame % 25 == 3) m.set(map_);
    if (frame % 18 == 0) m.set(compress_);
    if (m.take_hitch(kMapPlugin)) {
      map_ms_ = m.hitch_ms();
      m.set(map_);
    }
    m.counter("Agents", static_cast<double>(20000 + m.random(40)));
  }

  // ---- The graph of tasks -------------------------------------------------------------------------------------------
  size_t add_task(const std::string& name, const std::vector<size_t>& after, std::function<void()> body) {
    const size_t index = tasks_.size();
    BurrowTask task;
    task.name = name;
    task.body = std::move(body);
    task.unmet = static_cast<int>(after.size());
    tasks_.push_back(std::move(task));
    for (size_t earlier : after) tasks_[earlier].then.push_back(index);
    return index;
  }

  size_t add_work(const std::string& name, const std::vector<size_t>& after, double ms) {
    return add_task(name, after, [this, ms] { m.work(ms); });
  }

  void build_graph() {
    tasks_.clear();
    const double flood = m.take_hitch(kWaterFlood) ? m.hitch_ms() + 4 : 0;
    const size_t water = add_work("Flow water", {}, m.about(1) + flood);
    const size_t light = add_work("Spread light", {water}, m.about(0.8));
    add_work("Melt snow", {light}, m.about(0.3));
    for (int i = 0; i < 2; ++i) add_task("Grow plants", {}, [this] { grow_plants(); });
    std::vector<size_t> sensed, decided;
    for (int i = 0; i < 6; ++i) sensed.push_back(add_work("Sense agents", {}, m.about(0.4)));
    const bool has_forgotten = m.take_hitch(kForgottenPaths);
    const int paths = has_forgotten ? 1 + static_cast<int>(m.hitch_ms() / kFindMs) : 1;
    const auto decide = [this, paths] { decide_jobs(paths); };
    for (int i = 0; i < 4; ++i) decided.push_back(add_task("Decide jobs", sensed, decide));
    add_moves(decided);
    decided.push_back(water);
    add_work("Haul items", decided, m.about(0.6));
  }

  void add_moves(std::vector<size_t> after) {
    const bool is_exclusive = m.take_hitch(kExclusiveMod);
    const bool has_convoy = m.take_hitch(kJournalConvoy);
    const int entries = has_convoy ? 20 : 1;
    const double entry_ms = has_convoy ? (m.hitch_ms() + 3) / (kMoves * entries) : 0.02;
    for (int i = 0; i < kMoves; ++i) {
      const size_t move = add_task("Move agents", after, [this, entries, entry_ms] { move_agents(entries, entry_ms); });
      if (is_exclusive) after = {move};
    }
  }

  void grow_plants() {
    m.work(m.about(0.5));
    if (m.take_hitch(kSwappedPlants)) m.touch_swapped_memory(static_cast<unsigned>((m.hitch_ms() + 4) * 10));
  }

  void decide_jobs(int paths) {
    m.work(m.about(0.3));
    for (int i = 0; i < paths; ++i) m.scope("Find path", [&] { m.work(m.about(kFindMs, 0.2)); });
  }

  void move_agents(int entries, double entry_ms) {
    m.work(m.about(kMoveMs, 0.15));
    for (int i = 0; i < entries; ++i) {
      m.scope("Write journal", [&] { m.locked(journal_, [&] { m.work(entry_ms); }); });
    }
  }

  void run_graph() {
    last_flow_ = 0;
    tasks_left_ = tasks_.size();
    std::vector<size_t> roots;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].unmet == 0) roots.push_back(i);
    }
    for (size_t root : roots) make_ready(root);
    while (tasks_left_ > 0) help_or_wait();
    if (last_flow_ != 0) m.flow_end(last_flow_);
  }

  // The main thread runs what is ready, and waits only if nothing is.
  void help_or_wait() {
    m.reset(graph_moved_);
    if (tasks_left_ == 0) return;
    if (has_ready_.count > 0) {
      m.acquire(has_ready_);
      run_ready();
    } else if (m.take_hitch(kStolenCompression)) {
      compress_region(m.hitch_ms() + 2);
    } else {
      m.wait_scope("Wait for graph", [&] { m.wait(graph_moved_); });
    }
  }

  void make_ready(size_t index) {
    tasks_[index].flow = m.flow_begin();
    ready_.push_back(index);
    m.release(has_ready_);
    m.set(graph_moved_);
  }

  void run_ready() {
    const size_t index = ready_.front();
    ready_.pop_front();
    m.flow_end(tasks_[index].flow);
    m.scope(tasks_[index].name, [&] { tasks_[index].body(); });
    for (size_t next : tasks_[index].then) {
      if (--tasks_[next].unmet == 0) make_ready(next);
    }
    const uint64_t flow = m.this_thread() == main_ ? 0 : m.flow_begin();
    last_flow_ = flow;
    --tasks_left_;
    m.set(graph_moved_);
  }

  // ---- Paths that may take some frames ------------------------------------------------------------------------------
  void ask_for_path() {
    const double ms = m.about(0.8, 0.3) + (m.take_hitch(kLongSearch) ? m.hitch_ms() + 20 : 0);
    searches_.push_back({ms, m.frame_index(), m.flow_begin()});
    m.release(has_search_);
  }

  // An agent may stand still for two frames, then it has to have its path.
  void receive_paths() {
    m.work(m.about(0.1));
    for (;;) {
      m.reset(path_found_);
      if (searches_.empty() || searches_.front().asked_in + 2 > m.frame_index()) return;
      m.wait_scope("Wait for path", [&] { m.wait(path_found_); });
    }
  }

  void search_forever() {
    for (;;) {
      m.acquire(has_search_);
      const BurrowSearch search = searches_.front();
      m.flow_end(search.flow);
      m.scope("Snap agents", [&] { snap_agents(); });
      m.scope("Search path", [&] { m.work(search.ms); });
      searches_.pop_front();
      m.set(path_found_);
    }
  }

  void snap_agents() {
    m.locked(agents_, [&] {
      if (m.take_hitch(kMusicInversion)) {
        music_ms_ = m.hitch_ms() + 1.5;
        m.set(music_);
      }
      m.work(m.about(0.05));
      m.wait_scope("Lock terrain", [&] { m.lock(terrain_); });
      m.work(m.about(0.02));
      m.unlock(terrain_);
    });
  }

  // ---- Other threads ------------------------------------------------------------------------------------------------
  void start_threads() {
    const uint64_t all = (1ull << m.processors()) - 1;
    const uint64_t others = all > 1 ? all & ~1ull : all;
    const uint64_t last = 1ull << (m.processors() - 1);
    for (const char* name : {"Graph 1", "Graph 2", "Graph 3"}) {
      start(name, 0, others, [this] { m.acquire(has_ready_), run_ready(); });
    }
    m.start_thread(
        "Path finder", [this] { search_forever(); }, ThreadOptions{-1, last, true});
    start("Mesher", -1, others, [this] { m.acquire(has_mesh_job_), mesh_chunk(); });
    start("Background", -1, others, [this] { await(compress_), compress_region(m.about(20, 0.3)); });
    start("Saver", 0, others, [this] { await(save_), save(); });
    start("Loader", 1, others, [this] { load_chunk(); });
    start("Log writer", 1, others, [this] { write_log(); });
    start("Music", 3, last, [this] { m.wait_for(music_, 25), decode_music(); });
    start("Weather", 0, others, [this] { await(weather_go_), step_weather(); });
    start("Trimmer", 0, others, [this] { await(trim_), compact_arena(); });
    start("Map plugin", 5, 1, [this] { await(map_), draw_minimap(); });
    m.start_thread(
        "Driver", [this] { compile_forever(); }, ThreadOptions{0, others, false});
  }

  void start(const char* name, int priority, uint64_t processors, const std::function<void()>& once) {
    const auto forever = [once] {
      for (;;) once();
    };
    m.start_thread(name, forever, ThreadOptions{priority, processors, true});
  }

  void await(Event& event) {
    m.wait(event);
    m.reset(event);
  }

  // What a hitch has asked for, once, or else the usual.
  static double take(double& asked, double usual) {
    const double ms = asked > 0 ? asked : usual;
    asked = 0;
    return ms;
  }

  void compress_region(double ms) {
    m.scope("Compress region", [&] { m.work(ms); });
  }

  void save() {
    const double ms = take(save_ms_, 0.4);
    m.locked(terrain_, [&] { m.scope("Serialize region", [&] { m.work(ms); }); });
    m.scope("Write save", [&] { m.read_file(m.about(2)); });
  }

  void load_chunk() {
    m.acquire(has_read_);
    const BurrowRead read = reads_.front();
    reads_.pop_front();
    m.scope("Read chunk", [&] { m.read_file(read.ms); });
    m.scope("Unpack chunk", [&] { m.work(m.about(0.1)); });
    if (read.done != nullptr) m.set(*read.done);
  }

  void write_log() {
    m.acquire(log_used_);
    if (m.take_hitch(kLogRotation)) m.scope("Rotate log", [&] { m.read_file(m.hitch_ms() + 22); });
    m.scope("Write log", [&] { m.read_file(0.03); });
    m.release(log_free_);
  }

  void decode_music() {
    m.reset(music_);
    m.scope("Decode music", [&] { m.work(take(music_ms_, m.about(0.3))); });
  }

  void step_weather() {
    if (m.take_hitch(kWeatherNap)) m.wait_scope("Nap", [&] { m.sleep(m.hitch_ms() + 7); });
    m.scope("Step weather", [&] { m.work(m.about(1)); });
    m.set(weather_done_);
  }

  void compact_arena() {
    arena_is_busy_ = true;
    m.scope("Compact arena", [&] { m.work(take(trim_ms_, m.about(0.2))); });
    arena_is_busy_ = false;
  }

  void draw_minimap() {
    m.scope("Draw minimap", [&] { m.work(take(map_ms_, m.about(0.4))); });
  }

  void compile_forever() {
    for (;;) {
      await(driver_go_);
      m.work(driver_ms_);
      m.set(driver_done_);
    }
  }

  static constexpr double kTickMs = 9;
  static constexpr double kMeshMs = 1.5;
  static constexpr double kFindMs = 0.3;
  static constexpr double kMoveMs = 1.2;
  static constexpr int kMoves = 12;

  Machine& m;
  Thread main_ = nullptr;
  Queue gpu_, copy_;
  Fence shown_;
  Fence staging_[2];
  Mutex agents_, terrain_, journal_;
  std::vector<BurrowTask> tasks_;
  std::deque<size_t> ready_;
  size_t tasks_left_ = 0;
  uint64_t last_flow_ = 0;
  Semaphore has_ready_;
  Event graph_moved_;
  std::deque<BurrowSearch> searches_;  // the first is under way
  Semaphore has_search_;
  Event path_found_;
  std::deque<BurrowRead> reads_;
  Semaphore has_read_, has_mesh_job_, log_used_;
  Semaphore log_free_{20, {}};
  Event chunk_is_here_, save_, compress_, music_, trim_, map_;
  Event weather_go_, weather_done_, driver_go_, driver_done_;
  bool arena_is_busy_ = false;
  double save_ms_ = 0, music_ms_ = 0, trim_ms_ = 0, map_ms_ = 0, driver_ms_ = 0;
};

const Engine kBurrow = {
    "burrow",
    {
        {"full collection",
         "The script VM's heap was full, and it marked and swept all of it in one go on the main thread.",
         kNewWork,
         {"Collect all garbage", "Mark heap"},
         "Main"},
        {"finalizers",
         "A step of the garbage collector had hundreds of finalizers to run instead of a few.",
         kMoreCalls,
         {"Run finalizer"},
         "Main"},
        {"mod reads file", "A mod's handler read a file on the main thread.", kFileOrSleep, {"Run handler"}, "Main"},
        {"interpreted",
         "The script VM had thrown its compiled code away, and every handler ran slowly in the interpreter.",
         kWorkTookLonger,
         {"Run handler"},
         "Main"},
        {"block cascade",
         "A long wire was switched, and block after block woke its neighbour.",
         kMoreCalls,
         {"Update block"},
         "Main"},
        {"all regions",
         "A broken wall joined two caves, and the regions of the whole map were filled anew instead of one.",
         kWorkTookLonger,
         {"Rebuild regions"},
         "Main"},
        {"water flood",
         "A lake broke out, the water task took long, and what depends on it began late.",
         kWorkTookLonger,
         {"Flow water"},
         ""},
        {"exclusive mod",
         "A mod claimed to write to all agents, so the graph ran the parts of their movement one after the other.",
         kPlacedDifferently,
         {"Move agents"},
         ""},
        {"meshes on main",
         "The player jumped far away, and the main thread meshed the chunks itself, not the mesher.",
         kPlacedDifferently | kMoreCalls,
         {"Mesh chunk"},
         "Main"},
        {"long search",
         "A path across the map was searched for some frames, and was not yet found when its agent had to have it.",
         kWaitedForWork | kWorkTookLonger,
         {"Search path"},
         "Path finder"},
        {"two locks",
         "The path finder held the agents' lock while it waited for the terrain's, which the saver held for long.",
         kWaitedForLock,
         {"Serialize region"},
         "Saver"},
        {"copy on write",
         "After a snapshot, the stockpiles' pages were copied as the main thread first wrote to each of them.",
         kMemoryFaults,
         {"Update stockpiles"},
         "Main"},
        {"swapped plants",
         "The plants of a far valley had been swapped out, and a task had to get them from the disk page by page.",
         kMemoryFaults,
         {"Grow plants"},
         ""},
        {"driver compiles",
         "The graphics driver compiled a shader on a thread of its own while the main thread stood in a draw call.",
         kWaitedForWork | kFileOrSleep,
         {"Draw layer"},
         "Main"},
        {"shadow pass",
         "The GPU took long for the shadows, and the next frame waited for it.",
         kGpu,
         {"Voxel shadows"},
         "GPU"},
        {"staging ring",
         "A huge copy kept a staging buffer in use until its turn came again two frames later.",
         kGpu,
         {"Copy meshes"},
         "GPU copy"},
        {"virus scanner", "A virus scanner took the main thread's processor.", kOtherProgram, {}, ""},
        {"map plugin",
         "A mod's plugin with a high priority drew the whole map on the main thread's processor.",
         kOwnThread,
         {"Draw minimap"},
         "Map plugin"},
        {"music inversion",
         "The music thread decoded a whole track on the path finder's processor while that held the agents' lock.",
         kWaitedForLock | kOwnThread,
         {"Decode music", "Snap agents"},
         ""},
        {"clock jump",
         "The system's clock was set forward, and the game ran several ticks in one frame to catch up.",
         kMoreCalls,
         {"Sim tick"},
         "Main"},
        {"arena spin",
         "The main thread spun for the arena's lock while the trimmer held it for a long compaction.",
         kWaitedForLock,
         {"Compact arena"},
         "Trimmer"},
        {"config check",
         "After its last scope, the main thread compared all mods' settings with those on record.",
         kNewWork,
         {""},
         "Main"},
        {"stock list",
         "The UI laid out a list of all stocks, for which no scope is marked.",
         kNewWork | kWorkTookLonger,
         {"Update UI"},
         "Main"},
        {"minidump", "A crash reporter stopped the whole process to write its memory down.", kProcessStopped, {}, ""},
        {"behind prefetches",
         "A chunk that was needed at once stood in the loader's queue behind eight that were only read ahead.",
         kWaitedForWork | kFileOrSleep | kMoreCalls,
         {"Read chunk"},
         "Loader"},
        {"stolen compression",
         "While it helped with the graph, the main thread took a long background job from another thread.",
         kPlacedDifferently,
         {"Compress region"},
         "Main"},
        {"weather nap",
         "The weather thread slept on a timer before it took up its step, and the main thread waited for that.",
         kWaitedForWork | kFileOrSleep | kPlacedDifferently,
         {"Nap"},
         "Weather"},
        {"journal convoy",
         "Each part of the movement wrote to one journal again and again, and they queued for its lock.",
         kWaitedForLock | kMoreCalls,
         {"Write journal"},
         ""},
        {"rehash",
         "The table of items grew, and a single insertion moved all of them.",
         kWorkTookLonger,
         {"Insert item"},
         "Main"},
        {"forgotten paths",
         "The cache of paths was thrown away, and the agents found hundreds of them anew.",
         kMoreCalls,
         {"Find path"},
         ""},
        {"log rotation",
         "The log writer moved a full log file away, until the ring of log lines was full and the main thread waited.",
         kWaitedForWork | kFileOrSleep | kNewWork,
         {"Rotate log"},
         "Log writer"},
    },
    [](Machine& machine) { Burrow(machine).run(); },
};
const AddEngine kAdded(&kBurrow);

}  // namespace
}  // namespace engines
