// SPDX-License-Identifier: MIT
#include "flamelet/gpu_opengl.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fake_gl.h"
#include "flamelet/capture.h"
#include "rounds.h"

namespace doctest {
template <>
struct StringMaker<std::vector<std::string>> {
  static String convert(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
    return all.c_str();
  }
};
}  // namespace doctest

namespace {

constexpr uint64_t kStartNs = 1'000'000'000'000;  // of the recorder's clock
constexpr uint64_t kGpuAheadNs = 50'000'000'000;  // the GPU's clock is another one

// A recorder on a clock that the test moves, and a GPU whose clock runs with it. `now_ns` is both "now" and the time at
// which the fake driver's results become ready.
class Bench {
 public:
  explicit Bench(uint32_t max_tracks = 8) {
    flamelet_config config = flamelet_config_default();
    config.budget_bytes = 4 << 20;
    config.max_tracks = max_tracks;
    config.clock = [](void* user) { return static_cast<Bench*>(user)->now_ns; };
    config.clock_user = this;
    config.clock_ticks_per_second = 1e9;
    REQUIRE(flamelet_init(&config) == FLAMELET_OK);
    gl.clock = [this] { return now_ns + gpu_ahead_ns; };
    gl.now = now_ns;
    config_ = flamelet_gpu_opengl_config_default();
    config_.get_proc = FakeGl::get_proc;
  }
  ~Bench() {
    flamelet_gpu_opengl_destroy(gpu);
    CHECK(gl.waits == 0);
    CHECK(gl.misuses == 0);
    CHECK(gl.groups.empty());
    CHECK(flamelet_shutdown() == FLAMELET_OK);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  flamelet_gpu_opengl_config& config() { return config_; }
  flamelet_result create() { return flamelet_gpu_opengl_create(&config_, &gpu); }

  void pass_ns(uint64_t ns) { gl.now = now_ns += ns; }
  flamelet_id begin(const char* name) {
    pass_ns(10);
    return flamelet_gpu_opengl_begin(gpu, name, "pass");
  }
  void end(flamelet_id id) {
    pass_ns(10);
    flamelet_gpu_opengl_end(gpu, id);
  }
  void scope(const char* name, uint64_t ns) {
    const flamelet_id id = begin(name);
    pass_ns(ns);
    end(id);
  }
  void frame() {
    pass_ns(100);
    flamelet_gpu_opengl_frame(gpu);
    flamelet_frame();
  }
  flamelet_gpu_opengl_stats stats() const {
    flamelet_gpu_opengl_stats stats;
    flamelet_gpu_opengl_get_stats(gpu, &stats);
    return stats;
  }

  FakeGl gl;
  uint64_t now_ns = kStartNs;
  uint64_t gpu_ahead_ns = kGpuAheadNs;
  flamelet_gpu_opengl* gpu = nullptr;

 private:
  flamelet_gpu_opengl_config config_;
};

struct Span : flamelet_span {
  std::string text;
};

// Everything recorded on lanes of this kind.
std::vector<Span> read(flamelet_lane_kind kind) {
  const flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_create(&config, &capture) == FLAMELET_OK);
  REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
  std::vector<Span> all;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    flamelet_lane_info info;
    REQUIRE(flamelet_capture_lane(capture, lane, &info));
    if (info.kind != kind) continue;
    std::vector<flamelet_span> spans(flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, nullptr, 0));
    flamelet_capture_read_spans(capture, lane, INT64_MIN, INT64_MAX, spans.data(), spans.size());
    for (const flamelet_span& span : spans) {
      const flamelet_string name = flamelet_capture_string(capture, span.name);
      all.push_back({span, std::string(name.text, name.size)});
    }
  }
  flamelet_capture_destroy(capture);
  return all;
}

std::vector<std::string> names(const std::vector<Span>& spans) {
  std::vector<std::string> all;
  for (const Span& span : spans) all.push_back(std::string(span.depth, '.') + span.text);
  return all;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("GPU spans nest, lie at their place in the recorder's time, and carry their CPU scopes' ids") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id scene = bench.begin("Scene");  // at 10
  bench.scope("Opaque", 1000);                     // 20 .. 1030
  bench.scope("Sky", 500);                         // 1040 .. 1550
  bench.end(scene);                                // 1560
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 0);  // the frame that just ended is left alone
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 3);
  CHECK(bench.stats().lag_frames == 1);

  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(names(spans) == Names{"Scene", ".Opaque", ".Sky"});
  CHECK(spans[0].begin_ns == 10);
  CHECK(spans[0].end_ns == 1560);
  CHECK(spans[1].begin_ns == 20);
  CHECK(spans[1].end_ns == 1030);
  CHECK(spans[2].begin_ns == 1040);
  CHECK(spans[2].end_ns == 1550);
  CHECK(spans[0].id == scene);

  const std::vector<Span> cpu = read(FLAMELET_LANE_THREAD);
  REQUIRE(names(cpu) == names(spans));
  for (size_t i = 0; i < cpu.size(); ++i) CHECK(cpu[i].id == spans[i].id);
}

TEST_CASE("results that come late are waited for by no one, and none is lost") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.gl.ready_at = [&](uint64_t) { return bench.now_ns + 3'500'000; };
  for (int i = 0; i < 10; ++i) {
    bench.scope("Pass", 1000);
    bench.pass_ns(1'000'000);
    bench.frame();
  }
  CHECK(bench.stats().lag_frames == 3);
  CHECK(bench.stats().scopes_submitted == 7);
  CHECK(bench.stats().scopes_in_flight == 3);
  CHECK(bench.stats().queries_in_flight == 6);
  CHECK(bench.stats().frames_in_flight == 3);
  bench.pass_ns(3'500'000);
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 10);
  CHECK(bench.stats().queries_in_flight == 0);
  CHECK(read(FLAMELET_LANE_GPU).size() == 10);
}

TEST_CASE("results that come out of order are all taken, in order") {
  const uint64_t delays_ns[] = {5000, 1000, 4000, 0, 7000, 2000, 6000};
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.gl.ready_at = [&](uint64_t command) { return bench.now_ns + delays_ns[command % 7]; };
  Names expected;
  for (int i = 0; i < 50; ++i) {
    const flamelet_id outer = bench.begin("Outer");
    bench.scope("Inner", 100);
    bench.end(outer);
    bench.frame();
    expected.insert(expected.end(), {"Outer", ".Inner"});
    bench.pass_ns(2000);
  }
  bench.pass_ns(10000);
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 100);
  CHECK(names(read(FLAMELET_LANE_GPU)) == expected);
}

TEST_CASE("results that never come are given up after max_frames, and their queries serve again") {
  Bench bench;
  bench.config().max_frames = 3;
  bench.config().max_scopes = 4;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.gl.ready_at = [](uint64_t) { return FakeGl::kNever; };
  for (int i = 0; i < 20; ++i) {
    bench.scope("Lost", 100);
    bench.frame();
  }
  CHECK(bench.stats().dropped_late == 17);
  CHECK(bench.stats().dropped_pool == 0);
  CHECK(bench.stats().frames_in_flight == 3);
  bench.gl.ready_at = [](uint64_t) { return uint64_t{0}; };
  for (int i = 0; i < 5; ++i) {
    bench.scope("Found", 100);
    bench.frame();
  }
  CHECK(bench.stats().dropped_late == 20);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names(5 - 1, "Found"));
}

TEST_CASE("of a frame that is given up, the scopes that have come are taken") {
  Bench bench;
  bench.config().max_frames = 2;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.gl.ready_at = [](uint64_t command) { return command == 2 ? FakeGl::kNever : 0; };  // the begin of "Lost"
  bench.scope("First", 100);
  bench.scope("Lost", 100);
  bench.scope("Third", 100);
  for (int i = 0; i < 4; ++i) {
    bench.frame();
    bench.scope("Later", 100);
  }
  CHECK(bench.stats().dropped_late == 1);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"First", "Third", "Later", "Later"});
}

TEST_CASE("a scope that finds no query keeps its CPU half and is counted, and the pool recovers") {
  Bench bench;
  bench.config().max_scopes = 3;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id outer = bench.begin("Outer");
  for (int i = 0; i < 4; ++i) bench.scope("Inner", 100);
  CHECK(bench.stats().scopes_open == 1);
  CHECK(bench.stats().queries_in_flight == 5);  // the open one's end is not issued
  bench.end(outer);
  CHECK(bench.stats().queries_limit == 6);
  CHECK(bench.stats().queries_in_flight == 6);
  CHECK(bench.stats().dropped_pool == 2);
  CHECK(bench.gl.commands == 6);
  bench.frame();
  bench.frame();
  bench.scope("Next", 100);
  bench.frame();
  bench.frame();
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Outer", ".Inner", ".Inner", "Next"});
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"Outer", ".Inner", ".Inner", ".Inner", ".Inner", "Next"});
}

TEST_CASE("what is no time is kept out: zero, an end before its begin, before the commands, after now") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.gl.result = [](uint64_t command, uint64_t time_ns) -> uint64_t {
    constexpr uint64_t kSecond = 1'000'000'000;
    switch (command) {
      case 0:
        return 0;  // begin of scope 0
      case 3:
        return 0;  // end of scope 1
      case 5:
        return time_ns - 10000;  // end of scope 2
      case 6:
        return time_ns - kSecond;  // begin of scope 3
      case 9:
        return time_ns + kSecond;  // end of scope 4
      default:
        return time_ns;
    }
  };
  for (int i = 0; i < 5; ++i) bench.scope("Bad", 100);
  bench.scope("Good", 100);
  bench.frame();
  bench.frame();
  CHECK(bench.stats().dropped_invalid == 5);
  CHECK(bench.stats().scopes_submitted == 1);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Good"});
}

TEST_CASE("a time of 0 is none also where the GPU's clock has just begun") {
  Bench bench;
  bench.gpu_ahead_ns = 1000 - bench.now_ns;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.gl.result = [](uint64_t command, uint64_t time_ns) { return command == 0 || command == 3 ? 0 : time_ns; };
  for (int i = 0; i < 3; ++i) bench.scope("Pass", 100);
  bench.frame();
  bench.frame();
  CHECK(bench.stats().dropped_invalid == 2);
  CHECK(bench.stats().scopes_submitted == 1);
}

TEST_CASE("after the GPU's clock jumped, its times are kept out until it is calibrated again, at once") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.frame();
  bench.scope("Before", 100);
  bench.frame();
  bench.gpu_ahead_ns -= 7'000'000'000;
  bench.scope("Across", 100);
  bench.frame();
  CHECK(bench.stats().calibrations == 1);
  bench.frame();
  CHECK(bench.stats().dropped_invalid == 1);
  CHECK(bench.stats().calibrations == 2);
  CHECK(bench.stats().calibration_drift_ns == -7'000'000'000);
  const int64_t begin_ns = static_cast<int64_t>(bench.now_ns - kStartNs) + 10;
  bench.scope("After", 100);
  bench.frame();
  bench.frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(names(spans) == Names{"Before", "After"});
  CHECK(spans[1].begin_ns == begin_ns);
  CHECK(spans[1].end_ns == begin_ns + 110);
}

TEST_CASE("a clock of 32 bits that wraps in a scope and between frames gives right times") {
  Bench bench;
  const uint64_t turn = uint64_t{1} << 32;
  bench.gl.counter_bits = 32;
  bench.gpu_ahead_ns = turn - bench.now_ns % turn - 500;  // wraps 500 ns from now
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.stats().counter_bits == 32);
  std::vector<int64_t> begins_ns;
  for (int i = 0; i < 100; ++i) {
    begins_ns.push_back(static_cast<int64_t>(bench.now_ns - kStartNs) + 10);
    bench.scope("Pass", 1000);
    bench.frame();
    bench.pass_ns(150'000'000);
  }
  bench.frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 100);
  for (size_t i = 0; i < spans.size(); ++i) {
    CHECK(spans[i].begin_ns == begins_ns[i]);
    CHECK(spans[i].end_ns == begins_ns[i] + 1010);
  }
  CHECK(bench.stats().calibrations > 10);
  CHECK(bench.stats().calibration_drift_ns == 0);
}

TEST_CASE("the calibration that took the shortest counts, and its error is known") {
  const uint64_t costs_ns[] = {5000, 900, 40, 700, 3000};
  Bench bench;
  bench.gl.on_clock_read = [&] { bench.pass_ns(costs_ns[(bench.gl.clock_reads - 1) % 5]); };
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.gl.clock_reads == 5);
  CHECK(bench.stats().calibration_error_ns == 20);
  const int64_t begin_ns = static_cast<int64_t>(bench.now_ns - kStartNs) + 10;
  bench.scope("Pass", 100);
  bench.frame();
  bench.frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 1);
  CHECK(std::abs(spans[0].begin_ns - begin_ns) <= 20);
}

TEST_CASE("the clock is calibrated once in each interval, and drift is measured and followed") {
  Bench bench;
  bench.config().calibration_interval_ns = 10'000'000;
  REQUIRE(bench.create() == FLAMELET_OK);
  int64_t begin_ns = 0;
  for (int i = 0; i < 100; ++i) {
    begin_ns = static_cast<int64_t>(bench.now_ns - kStartNs) + 10;
    bench.scope("Pass", 100);
    bench.frame();
    bench.pass_ns(1'000'000);
    bench.gpu_ahead_ns += 7;
  }
  CHECK(bench.stats().calibrations == 1 + 9);
  CHECK(bench.stats().calibration_drift_ns == 7 * 10);
  bench.frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 100);
  CHECK(std::abs(spans.back().begin_ns - begin_ns) <= 7 * 10);
}

TEST_CASE("scopes that are not ended are ended by an outer end or by the frame, and counted") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id outer = bench.begin("Outer");
  bench.begin("Forgotten");
  bench.begin("Forgotten too");
  bench.end(outer);
  CHECK(bench.stats().missing_ends == 2);
  const flamelet_id late = bench.begin("Across");
  bench.frame();
  CHECK(bench.stats().missing_ends == 3);
  CHECK(bench.stats().scopes_open == 0);
  bench.end(late);
  CHECK(bench.stats().extra_ends == 1);
  bench.frame();
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Outer", ".Forgotten", "..Forgotten too", "Across"});
}

TEST_CASE("an end that is not open ends nothing on the GPU") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id outer = bench.begin("Outer");
  bench.end(12345);
  bench.end(0);
  CHECK(bench.stats().extra_ends == 1);
  CHECK(bench.stats().scopes_open == 1);
  bench.end(outer);
  bench.end(outer);
  CHECK(bench.stats().extra_ends == 2);
  CHECK(bench.stats().missing_ends == 0);
}

TEST_CASE("scopes that are begun and never ended reach a limit and are counted") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 5; ++i) {
    const flamelet_id outer = flamelet_begin("CPU only", "", nullptr);
    bench.begin("Leaked");
    flamelet_end(outer);  // ends the CPU half
  }
  CHECK(bench.stats().dropped_depth == 5);
  CHECK(bench.stats().scopes_open == FLAMELET_MAX_DEPTH);
  bench.frame();
  CHECK(bench.stats().scopes_open == 0);
  bench.scope("Healed", 10);
  CHECK(bench.stats().dropped_depth == 5);
}

TEST_CASE("nothing is queried while recording is off, and a scope ends the way it began") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  flamelet_set_enabled(false);
  const flamelet_id unrecorded = bench.begin("Off");
  CHECK(unrecorded == 0);
  flamelet_set_enabled(true);
  bench.end(unrecorded);
  CHECK(bench.gl.commands == 0);
  CHECK(bench.gl.all_groups.empty());
  const flamelet_id recorded = bench.begin("On");
  flamelet_set_enabled(false);
  bench.end(recorded);
  CHECK(bench.gl.commands == 2);
  flamelet_set_enabled(true);
  bench.frame();
  bench.frame();
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"On"});
}

TEST_CASE("results that come while recording is off are counted as not taken") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Pass", 100);
  bench.frame();
  flamelet_set_enabled(false);
  bench.frame();
  CHECK(bench.stats().dropped_recorder == 1);
  CHECK(bench.stats().scopes_submitted == 0);
}

TEST_CASE("more scopes in a frame than one submit takes all arrive, nested as they were") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  Names expected = {"Frame"};
  const flamelet_id frame = bench.begin("Frame");
  for (int i = 0; i < 300; ++i) {
    const flamelet_id pass = bench.begin("Pass");
    bench.scope("Draw", 20);
    bench.end(pass);
    expected.insert(expected.end(), {".Pass", "..Draw"});
  }
  bench.end(frame);
  bench.frame();
  bench.frame();
  CHECK(bench.stats().scopes_submitted == 601);
  CHECK(names(read(FLAMELET_LANE_GPU)) == expected);
}

TEST_CASE("without a GPU object GPU scopes are CPU scopes") {
  Bench bench;
  const flamelet_id id = bench.begin("Pass");
  CHECK(id != 0);
  { FLAMELET_GPU_SCOPE(bench.gpu, "Macro"); }
  bench.end(id);
  bench.frame();
  CHECK(bench.stats().memory_bytes == 0);
  CHECK(bench.gl.calls == 0);
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"Pass", ".Macro"});
}

TEST_CASE("who asks for the stats of a GPU object and has no place for them gets none") {
  Bench bench;
  flamelet_gpu_opengl_get_stats(nullptr, nullptr);
  REQUIRE(bench.create() == FLAMELET_OK);
  flamelet_gpu_opengl_get_stats(bench.gpu, nullptr);
}

TEST_CASE("the macro is one declaration: in an unbraced if, and twice on a line") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  if (bench.gpu != nullptr) FLAMELET_GPU_SCOPE(bench.gpu, "If");
  bench.pass_ns(10);
  {
    // clang-format off
    FLAMELET_GPU_SCOPE(bench.gpu, "Outer"); bench.pass_ns(10); FLAMELET_GPU_SCOPE(bench.gpu, "Inner");
    // clang-format on
    bench.pass_ns(10);
  }
  bench.frame();
  bench.frame();
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"If", "Outer", ".Inner"});
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"If", "Outer", ".Inner"});
}

TEST_CASE("GPU scopes are debug groups of the same names where the context has GL_KHR_debug") {
  Bench bench;
  bench.gl.max_debug_message_length = 8;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id outer = bench.begin("Outer");
  bench.begin("A name too long");
  CHECK(bench.gl.groups == Names{"Outer", "A name "});
  bench.end(outer);
  CHECK(bench.gl.groups.empty());
}

TEST_CASE("debug groups leave room for the program's own") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  const flamelet_id outer = bench.begin("Outer");
  for (int i = 0; i < 60; ++i) bench.begin("Deep");
  CHECK(bench.gl.groups.size() == 32);
  bench.end(outer);
  CHECK(bench.gl.groups.empty());
}

TEST_CASE("no debug groups without the extension, without its functions, or where they are not wanted") {
  Bench bench;
  SUBCASE("extension") {
    bench.gl.extensions = {"GL_ARB_timer_query", "GL_KHR_debug_not"};
  }
  SUBCASE("function") {
    bench.gl.missing_functions = {"glPopDebugGroup"};
  }
  SUBCASE("list") {
    bench.gl.missing_functions = {"glGetStringi"};
  }
  SUBCASE("wish") {
    bench.config().debug_groups = false;
  }
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Pass", 10);
  CHECK(bench.gl.all_groups.empty());
  CHECK(bench.gl.commands == 2);
}

TEST_CASE("what asking a context too old for a list of extensions raises is fetched") {
  Bench bench;
  bench.gl.extensions.clear();
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.gl.errors_fetched == 1);
}

TEST_CASE("a context without timestamps makes no GPU object and no lane") {
  Bench bench;
  SUBCASE("functions are missing") {
    bench.gl.missing_functions = {"glQueryCounter"};
  }
  SUBCASE("the counter has no bits") {
    bench.gl.counter_bits = 0;
    bench.create();
    CHECK(bench.gl.errors_fetched == 1);  // what the question may have raised
  }
  CHECK(bench.create() == FLAMELET_ERROR_NO_GPU_TIMESTAMPS);
  CHECK(bench.gpu == nullptr);
  CHECK(bench.gl.queries.empty());
  flamelet_stats stats;
  flamelet_get_stats(&stats);
  CHECK(stats.tracks_live == 0);
}

TEST_CASE("create without a recorder says so") {
  FakeGl gl;
  flamelet_gpu_opengl_config config = flamelet_gpu_opengl_config_default();
  config.get_proc = FakeGl::get_proc;
  flamelet_gpu_opengl* gpu = nullptr;
  CHECK(flamelet_gpu_opengl_create(&config, &gpu) == FLAMELET_ERROR_NOT_INITIALIZED);
  CHECK(gpu == nullptr);
}

TEST_CASE("create refuses a config that was not made, and values out of range") {
  Bench bench;
  flamelet_gpu_opengl_config& config = bench.config();
  SUBCASE("cookie") {
    config.cookie = 0;
  }
  SUBCASE("loader") {
    config.get_proc = nullptr;
  }
  SUBCASE("no scopes") {
    config.max_scopes = 0;
  }
  SUBCASE("too many scopes") {
    config.max_scopes = 65537;
  }
  SUBCASE("no frames") {
    config.max_frames = 0;
  }
  SUBCASE("too many frames") {
    config.max_frames = 65;
  }
  SUBCASE("interval") {
    config.calibration_interval_ns = -1;
  }
  SUBCASE("half an allocator") {
    config.allocator.free = [](void*, void*, size_t, size_t) {};
  }
  CHECK(bench.create() == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(bench.gpu == nullptr);
  CHECK(flamelet_gpu_opengl_create(nullptr, &bench.gpu) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_gpu_opengl_create(&config, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

namespace {

// Counts, and fails if it is told to.
struct CountingAllocator {
  size_t bytes_live = 0;
  int allocations = 0;
  bool fail = false;

  flamelet_allocator get() {
    flamelet_allocator allocator = {};
    allocator.allocate = [](void* user, size_t size, size_t) -> void* {
      CountingAllocator& self = *static_cast<CountingAllocator*>(user);
      if (self.fail) return nullptr;
      ++self.allocations;
      self.bytes_live += size;
      return std::malloc(size);
    };
    allocator.free = [](void* user, void* memory, size_t size, size_t) {
      static_cast<CountingAllocator*>(user)->bytes_live -= size;
      std::free(memory);
    };
    allocator.user = this;
    return allocator;
  }
};

}  // namespace

TEST_CASE("one allocation, whose size is in the stats, and one free") {
  CountingAllocator allocator;
  Bench bench;
  bench.config().allocator = allocator.get();
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.stats().memory_bytes == allocator.bytes_live);
  CHECK(bench.gl.queries.size() == 2 * bench.config().max_scopes);
  for (int i = 0; i < 100; ++i) {
    bench.scope("Pass", 100);
    bench.frame();
  }
  CHECK(allocator.allocations == 1);
  flamelet_gpu_opengl_destroy(bench.gpu);
  bench.gpu = nullptr;
  CHECK(allocator.bytes_live == 0);
  CHECK(bench.gl.queries.empty());
}

TEST_CASE("create that fails half-way leaves nothing behind") {
  CountingAllocator allocator;
  Bench bench(1);
  bench.config().allocator = allocator.get();
  SUBCASE("memory") {
    allocator.fail = true;
    CHECK(bench.create() == FLAMELET_ERROR_OUT_OF_MEMORY);
  }
  SUBCASE("tracks") {
    flamelet_instant("takes the only track", "", nullptr);
    CHECK(bench.create() == FLAMELET_ERROR_LIMIT);
  }
  CHECK(bench.gpu == nullptr);
  CHECK(bench.gl.queries.empty());
  CHECK(allocator.bytes_live == 0);
}

TEST_CASE("abandon frees the memory and the track without a GL call") {
  CountingAllocator allocator;
  Bench bench(1);
  bench.config().allocator = allocator.get();
  REQUIRE(bench.create() == FLAMELET_OK);
  const uint64_t calls = bench.gl.calls;
  flamelet_gpu_opengl_abandon(bench.gpu);
  bench.gpu = nullptr;
  CHECK(bench.gl.calls == calls);
  CHECK(allocator.bytes_live == 0);
  CHECK(bench.create() == FLAMELET_OK);  // the only track is free again
}

TEST_CASE("shutting the recorder down under a GPU object harms nothing") {
  Bench bench;
  REQUIRE(bench.create() == FLAMELET_OK);
  bench.scope("Pass", 100);
  bench.frame();
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  for (int i = 0; i < 3; ++i) {
    bench.scope("Pass", 100);
    bench.frame();
  }
  CHECK(bench.stats().scopes_submitted == 0);
  CHECK(bench.stats().scopes_in_flight == 0);
  CHECK(bench.gl.commands == 2);
  const flamelet_config config = flamelet_config_default();
  CHECK(flamelet_init(&config) == FLAMELET_OK);
}

TEST_CASE("results arrive in a second session, too") {
  for (int session = 0; session < 2; ++session) {
    Bench bench;
    if (session == 0) flamelet_instant("this thread is track 1 of the first session", "", nullptr);
    REQUIRE(bench.create() == FLAMELET_OK);
    bench.scope("Pass", 100);
    bench.frame();
    bench.frame();
    CHECK(bench.stats().track == 2 - static_cast<uint32_t>(session));
    CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Pass"});
  }
}

TEST_CASE("random use: every begin is counted once, and what arrives is right") {
  for (uint64_t seed = 1; seed <= rounds(100); ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    uint64_t delay_ns = 0;
    Bench bench;
    bench.config().max_scopes = static_cast<uint32_t>(2 + random() % 20);
    bench.config().max_frames = static_cast<uint32_t>(1 + random() % 5);
    bench.config().calibration_interval_ns = 3000;
    REQUIRE(bench.create() == FLAMELET_OK);
    bench.gl.ready_at = [&](uint64_t) {
      return random() % 50 == 0 ? FakeGl::kNever : bench.now_ns + random() % (delay_ns + 1);
    };
    bench.gl.result = [&](uint64_t, uint64_t time_ns) { return random() % 50 == 0 ? random() : time_ns; };

    std::map<flamelet_id, std::string> begun;
    std::vector<flamelet_id> open;
    for (int step = 0; step < 400; ++step) {
      switch (random() % 10) {
        case 0:
        case 1:
        case 2: {
          const char* const all[] = {"Shadow", "Scene", "Post"};
          const char* name = all[random() % 3];
          const flamelet_id id = bench.begin(name);
          if (id != 0) begun[id] = name;
          open.push_back(id);
          break;
        }
        case 3:
        case 4:
        case 5:
        case 6:
          if (!open.empty()) {
            // Mostly the innermost; sometimes one further out, whose inner ones then miss their ends.
            const size_t position = random() % 5 == 0 ? random() % open.size() : open.size() - 1;
            bench.end(open[position]);
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(position));
          }
          break;
        case 7:
          delay_ns = random() % 1000;
          break;
        case 8:
          flamelet_set_enabled(random() % 4 != 0);
          break;
        default:
          bench.frame();
      }
      const flamelet_gpu_opengl_stats stats = bench.stats();
      REQUIRE(begun.size() == stats.scopes_submitted + stats.dropped_pool + stats.dropped_depth + stats.dropped_late +
                                  stats.dropped_invalid + stats.dropped_recorder + stats.scopes_open +
                                  stats.scopes_in_flight);
      REQUIRE(stats.queries_in_flight <= stats.queries_limit);
      REQUIRE(stats.frames_in_flight <= bench.config().max_frames);
    }
    std::map<flamelet_id, Span> cpu;
    for (const Span& span : read(FLAMELET_LANE_THREAD)) cpu[span.id] = span;
    const std::vector<Span> gpu = read(FLAMELET_LANE_GPU);
    CHECK(gpu.size() == bench.stats().scopes_submitted);
    for (const Span& span : gpu) {
      REQUIRE(begun.count(span.id) == 1);
      CHECK(span.text == begun[span.id]);
      REQUIRE(cpu.count(span.id) == 1);
      CHECK(span.begin_ns == cpu[span.id].begin_ns);
      CHECK(span.end_ns >= span.begin_ns);
      begun.erase(span.id);
    }
  }
}
