// SPDX-License-Identifier: MIT
//
// GPU scopes as a program writes them: nesting, links, mistakes, switched off.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "flamelet/scope.h"
#include "gpu/gpu_bench.h"
#include "gpu_timer.h"
#include "rounds.h"

using namespace gpu_test;

extern "C" int gpu_test_draw_in_c(flamelet_gpu* gpu);  // gpu_macros.c; the line of its inner scope

TEST_CASE("scopes that are not ended are ended by an outer end or by the frame, and counted") {
  Created<TimerBench> bench;
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

TEST_CASE_FIXTURE(Created<TimerBench>, "scopes that are begun and never ended reach a limit and are counted") {
  for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 5; ++i) {
    const flamelet_id outer = flamelet_begin("CPU only", "", nullptr);
    begin("Leaked");
    flamelet_end(outer);  // ends the CPU half
  }
  CHECK(stats().dropped_depth == 5);
  CHECK(stats().scopes_open == FLAMELET_MAX_DEPTH);
  frame();
  CHECK(stats().scopes_open == 0);
  scope("Healed", 10);
  CHECK(stats().dropped_depth == 5);
}

TEST_CASE_FIXTURE(Created<TimerBench>, "nothing is queried while recording is off, and a scope ends the way it began") {
  flamelet_set_enabled(false);
  const flamelet_id unrecorded = begin("Off");
  CHECK(unrecorded == 0);
  flamelet_set_enabled(true);
  end(unrecorded);
  CHECK(device.commands == 0);
  CHECK(device.all_groups.empty());
  const flamelet_id recorded = begin("On");
  flamelet_set_enabled(false);
  end(recorded);
  CHECK(device.commands == 2);
  flamelet_set_enabled(true);
  frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"On"});
}

static void draw_shadows(flamelet_gpu* gpu) {
  FLAMELET_GPU_SCOPE(gpu, nullptr);
}

TEST_CASE_FIXTURE(Created<TimerBench>, "a GPU scope without a name is called after its function, as its CPU scope is") {
  draw_shadows(gpu);
  frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"draw_shadows"});
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"draw_shadows"});
}

TEST_CASE_FIXTURE(TimerBench, "without a GPU object GPU scopes are CPU scopes") {
  const flamelet_id id = begin("Pass");
  CHECK(id != 0);
  { FLAMELET_GPU_SCOPE(gpu, "Macro"); }
  end(id);
  frame();
  CHECK(stats().memory_bytes == 0);
  CHECK(device.calls == 0);
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"Pass", ".Macro"});
}

TEST_CASE_FIXTURE(Created<TimerBench>, "the macro is one declaration: in an unbraced if, and twice on a line") {
  if (gpu != nullptr) FLAMELET_GPU_SCOPE(gpu, "If");
  pass_ns(10);
  {
    // clang-format off
    FLAMELET_GPU_SCOPE(gpu, "Outer"); pass_ns(10); FLAMELET_GPU_SCOPE(gpu, "Inner");
    // clang-format on
    pass_ns(10);
  }
  frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"If", "Outer", ".Inner"});
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"If", "Outer", ".Inner"});
}

TEST_CASE("a GPU scope of the macros for C has its file and line, on the CPU, and its link on the GPU") {
  Created<TimerBench> bench;
  const int line = gpu_test_draw_in_c(bench.gpu);
  bench.frame(2);
  const std::vector<Span> cpu = read(FLAMELET_LANE_THREAD), gpu = read(FLAMELET_LANE_GPU);
  CHECK(names(cpu) == Names{"Frame in C", ".Shadows in C"});
  REQUIRE(cpu.size() == gpu.size());
  for (size_t i = 0; i < cpu.size(); ++i) CHECK((cpu[i].id == gpu[i].id && cpu[i].text == gpu[i].text));
  recorder_test::Capture capture(flamelet_capture_config_default(), recorder_test::Captured::kNow);
  const flamelet_site_info site = recorder_test::site_of(capture, cpu[1].site);
  CHECK(std::string(site.file.text).find("gpu_macros.c") != std::string::npos);
  CHECK(static_cast<int>(site.line) == line);
}

TEST_CASE_FIXTURE(Created<TimerBench>, "shutting the recorder down under a GPU object harms nothing") {
  scope("Pass", 100);
  frame();
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  for (int i = 0; i < 3; ++i) {
    scope("Pass", 100);
    frame();
  }
  CHECK(stats().scopes_submitted == 0);
  CHECK(stats().scopes_in_flight == 0);
  CHECK(device.commands == 2);
  const flamelet_config config = flamelet_config_default();
  CHECK(flamelet_init(&config) == FLAMELET_OK);
}

TEST_CASE("a GPU object goes on under the next recorder, with its name, and what was in flight is counted") {
  Created<TimerBench> bench;
  flamelet_gpu_set_name(bench.gpu, "renderer");
  bench.device.ready_at = [&](uint64_t) { return bench.now_ns + 1000; };
  bench.scope("Before", 100);
  bench.frame();
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  bench.frame();  // without a recorder
  bench.pass_ns(3'000'000'000);
  bench.start_recorder();
  bench.scope("Across", 100);
  bench.frame();
  bench.scope("After", 100);
  bench.frame(20);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"After"});
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"Across", "After"});
  const flamelet_gpu_stats stats = bench.stats();
  CHECK(stats.scopes_submitted == 1);
  CHECK(stats.dropped_recorder == 2);
  CHECK(stats.scopes_in_flight == 0);
  CHECK(stats.calibration_drift_ns == 0);
  recorder_test::Capture capture(flamelet_capture_config_default(), recorder_test::Captured::kNow);
  CHECK(recorder_test::lane_of(capture, capture.lane("renderer")).id == stats.track);
}

TEST_CASE("a GPU object sees another recorder also where the program's clock has not moved, or begins anew") {
  Created<TimerBench> bench;
  bench.device.ready_at = [&](uint64_t) { return bench.now_ns + 1000; };
  const uint64_t begin_ns = bench.now_ns;
  bench.scope("Before", 100);
  bench.frame();
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  bench.device.now = bench.now_ns = begin_ns;
  bench.start_recorder();
  for (int i = 0; i < 20; ++i) {
    bench.pass_ns(1000);
    bench.frame();
  }
  CHECK(bench.stats().dropped_recorder == 1);
  CHECK(bench.stats().scopes_submitted == 0);
  CHECK(bench.stats().scopes_in_flight == 0);
  bench.scope("After", 100);
  for (int i = 0; i < 20; ++i) {
    bench.pass_ns(1000);
    bench.frame();
  }
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"After"});
}

TEST_CASE_FIXTURE(Created<TimerBench>, "a GPU object of an earlier recorder leaves the tracks of this one alone") {
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  pass_ns(1000);
  start_recorder();
  const uint32_t other = flamelet_track_create("other", FLAMELET_TRACK_GPU, 1e9);
  REQUIRE(other == stats().track);  // the number of the track that was
  flamelet_gpu_set_name(gpu, "renderer");
  flamelet_gpu_destroy(gpu);
  gpu = nullptr;
  REQUIRE(flamelet_track_calibrate(other, now_ns, now_ns) == FLAMELET_OK);
  const flamelet_event pass[] = {{now_ns, 1, "pass", nullptr, nullptr, 0, 'B', false, 0},
                                 {now_ns + 5, 1, "pass", nullptr, nullptr, 0, 'E', false, 0}};
  CHECK(flamelet_submit(other, pass, 2) == 2);
  recorder_test::Capture capture(flamelet_capture_config_default(), recorder_test::Captured::kNow);
  CHECK(capture.tree(capture.lane("other")) == "pass");
}

TEST_CASE_FIXTURE(Created<TimerBench>, "two GPU objects at once have a lane each") {
  FakeBackend device_too;
  device_too.clock = [this] { return now_ns + 7; };
  flamelet_gpu_config config_too = flamelet_gpu_config_default();
  config_too.name = "too";
  flamelet_gpu* gpu_too = nullptr;
  REQUIRE(flamelet_gpu_create(&config_too, device_too.table(), &device_too, &gpu_too) == FLAMELET_OK);
  for (int i = 0; i < 3; ++i) {
    const flamelet_id around = flamelet_gpu_begin(gpu_too, "Around", "");
    scope("Inside", 100);
    pass_ns(10);
    flamelet_gpu_end(gpu_too, around);
    device_too.now = now_ns;
    flamelet_gpu_frame(gpu_too);
    frame();
  }
  device_too.now = now_ns;
  flamelet_gpu_frame(gpu_too);
  frame();
  recorder_test::Capture capture(flamelet_capture_config_default(), recorder_test::Captured::kNow);
  const std::vector<flamelet_span> around = capture.spans(capture.lane("too")),
                                   inside = capture.spans(capture.lane("GPU"));
  REQUIRE(around.size() == 3);
  REQUIRE(inside.size() == 3);
  for (size_t i = 0; i < 3; ++i) {
    CHECK(around[i].begin_ns == inside[i].begin_ns - 10);
    CHECK(around[i].end_ns == inside[i].end_ns + 10);
  }
  flamelet_gpu_destroy(gpu_too);
}

TEST_CASE("results that were given up are counted once, also where the recorder was stopped meanwhile") {
  Created<TimerBench> bench;
  bench.device.ready_at = [](uint64_t) { return FakeBackend::kNever; };
  bench.scope("Never", 100);
  bench.frame();
  REQUIRE(flamelet_shutdown() == FLAMELET_OK);
  bench.pass_ns(1000);
  bench.start_recorder();
  for (int i = 0; i < 20; ++i) {
    bench.scope("Never", 100);
    bench.frame();
    const flamelet_gpu_stats stats = bench.stats();
    CHECK(stats.dropped_recorder == 2);  // the second one began before the frame that found the new recorder
    CHECK(stats.dropped_recorder + stats.dropped_late + stats.scopes_in_flight == static_cast<uint64_t>(i) + 2);
  }
}

TEST_CASE_FIXTURE(Created<TimerBench>, "several passes of one CPU scope are several spans that all carry its id") {
  const flamelet_id scope = flamelet_begin("draw shadows", "", nullptr);
  for (const char* pass : {"near", "far"}) {
    flamelet_gpu_attach(gpu, scope, pass, "");
    pass_ns(50);
    flamelet_gpu_attach(gpu, scope, "blur", "");
    pass_ns(20);
    flamelet_gpu_detach(gpu, scope);  // the innermost
    pass_ns(30);
    flamelet_gpu_detach(gpu, scope);
  }
  flamelet_end(scope);
  frame(2);
  CHECK(stats().scopes_submitted == 4);
  CHECK(stats().missing_ends == 0);
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(names(spans) == Names{"near", ".blur", "far", ".blur"});
  for (const Span& span : spans) CHECK(span.id == scope);
  CHECK(spans[0].end_ns - spans[0].begin_ns == 100);
  CHECK(spans[3].end_ns - spans[3].begin_ns == 20);
}

TEST_CASE("a scope that begins in one command buffer and ends in another writes into each its own half") {
  Created<TimerBench> bench;
  int first = 0, second = 0;
  flamelet_gpu_set_context(bench.gpu, &first);
  const flamelet_id id = bench.begin("Pass");
  flamelet_gpu_set_context(bench.gpu, &second);
  bench.end(id);
  CHECK(bench.device.queries[0].context == &first);
  CHECK(bench.device.queries[1].context == &second);
  flamelet_gpu_set_context(nullptr, &first);
}

TEST_CASE_FIXTURE(TimerBench, "GPU scopes are groups of the same names, also those that find no query") {
  config().max_scopes = 1;
  REQUIRE(create() == FLAMELET_OK);
  const flamelet_id outer = begin("Outer");
  begin("Inner");
  CHECK(device.groups == Names{"Outer", "Inner"});
  end(outer);
  CHECK(device.groups.empty());
}

TEST_CASE_FIXTURE(TimerBench, "a backend without groups needs none") {
  device.has_groups = false;
  REQUIRE(create() == FLAMELET_OK);
  scope("Pass", 10);
  CHECK(device.all_groups.empty());
  CHECK(device.commands == 2);
}

// ---- What becomes of timestamps that come late, out of order, wrong, or never -------------------------------------

TEST_CASE_FIXTURE(TimerBench, "results that never come are given up after max_frames, and their queries serve again") {
  config().max_frames = 3;
  config().max_scopes = 4;
  REQUIRE(create() == FLAMELET_OK);
  device.ready_at = [](uint64_t) { return FakeBackend::kNever; };
  for (int i = 0; i < 20; ++i) {
    scope("Lost", 100);
    frame();
  }
  CHECK(stats().dropped_late == 17);
  CHECK(stats().dropped_pool == 0);
  CHECK(stats().frames_in_flight == 3);
  device.ready_at = [](uint64_t) { return uint64_t{0}; };
  for (int i = 0; i < 5; ++i) {
    scope("Found", 100);
    frame();
  }
  CHECK(stats().dropped_late == 20);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names(5 - 1, "Found"));
}

TEST_CASE_FIXTURE(TimerBench, "of a frame that is given up, the scopes that have come are taken") {
  config().max_frames = 2;
  REQUIRE(create() == FLAMELET_OK);
  device.ready_at = [](uint64_t command) { return command == 2 ? FakeBackend::kNever : 0; };  // the begin of "Lost"
  scope("First", 100);
  scope("Lost", 100);
  scope("Third", 100);
  for (int i = 0; i < 4; ++i) {
    frame();
    scope("Later", 100);
  }
  CHECK(stats().dropped_late == 1);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"First", "Third", "Later", "Later"});
}

TEST_CASE_FIXTURE(TimerBench, "a scope that finds no query keeps its CPU half and is counted, and the pool recovers") {
  config().max_scopes = 3;
  REQUIRE(create() == FLAMELET_OK);
  const flamelet_id outer = begin("Outer");
  for (int i = 0; i < 4; ++i) scope("Inner", 100);
  CHECK(stats().scopes_open == 1);
  CHECK(stats().queries_in_flight == 5);  // the open one's end is not issued
  end(outer);
  CHECK(stats().queries_limit == 6);
  CHECK(stats().queries_in_flight == 6);
  CHECK(stats().dropped_pool == 2);
  CHECK(device.commands == 6);
  frame(2);
  scope("Next", 100);
  frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Outer", ".Inner", ".Inner", "Next"});
  CHECK(names(read(FLAMELET_LANE_THREAD)) == Names{"Outer", ".Inner", ".Inner", ".Inner", ".Inner", "Next"});
}

TEST_CASE("what is no time is kept out: zero, an end before its begin, before the commands, after now") {
  Created<TimerBench> bench;
  bench.device.result = [](uint64_t command, uint64_t time_ns) -> uint64_t {
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
  bench.frame(2);
  CHECK(bench.stats().dropped_invalid == 5);
  CHECK(bench.stats().scopes_submitted == 1);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Good"});
}

TEST_CASE_FIXTURE(TimerBench, "a time of 0 is none also where the GPU's clock has just begun") {
  gpu_ahead_ns = 1000 - now_ns;
  REQUIRE(create() == FLAMELET_OK);
  device.result = [](uint64_t command, uint64_t time_ns) { return command == 0 || command == 3 ? 0 : time_ns; };
  for (int i = 0; i < 3; ++i) scope("Pass", 100);
  frame(2);
  CHECK(stats().dropped_invalid == 2);
  CHECK(stats().scopes_submitted == 1);
}

TEST_CASE("more scopes in a frame than one submit takes all arrive, nested as they were") {
  Created<TimerBench> bench;
  Names expected = {"Frame"};
  const flamelet_id frame = bench.begin("Frame");
  for (int i = 0; i < 300; ++i) {
    const flamelet_id pass = bench.begin("Pass");
    bench.scope("Draw", 20);
    bench.end(pass);
    expected.insert(expected.end(), {".Pass", "..Draw"});
  }
  bench.end(frame);
  bench.frame(2);
  CHECK(bench.stats().scopes_submitted == 601);
  CHECK(names(read(FLAMELET_LANE_GPU)) == expected);
}

TEST_CASE_FIXTURE(TimerBench, "a backend without resets is asked for none") {
  device.needs_reset = false;
  REQUIRE(create() == FLAMELET_OK);
  for (int i = 0; i < 5; ++i) {
    scope("Pass", 100);
    frame();
  }
  CHECK(device.resets == 0);
  CHECK(stats().scopes_submitted == 4);
}

TEST_CASE_FIXTURE(TimerBench, "results are not asked for before min_frames frames are over") {
  config().min_frames = 3;
  REQUIRE(create() == FLAMELET_OK);
  scope("Pass", 100);
  frame(3);
  CHECK(stats().scopes_in_flight == 1);
  frame();
  CHECK(stats().scopes_submitted == 1);
  CHECK(stats().lag_frames == 3);
}

TEST_CASE("times of a disturbed clock are dropped and counted, and those after it are right") {
  Created<TimerBench> bench;
  bench.scope("Before", 100);
  bench.frame(2);
  bench.scope("During", 100);
  bench.frame();
  bench.scope("During, too", 100);
  bench.device.is_disturbed = true;
  const uint64_t calibrations = bench.stats().calibrations;
  bench.frame(2);
  CHECK(bench.stats().dropped_disjoint == 2);
  CHECK(bench.stats().calibrations > calibrations);
  bench.scope("After", 100);
  bench.frame(2);
  CHECK(names(read(FLAMELET_LANE_GPU)) == Names{"Before", "After"});
  CHECK(bench.stats().scopes_submitted == 2);
}

// ---- Random use of the timer --------------------------------------------------------------------------------------

TEST_CASE("random use: every begin is counted once, and what arrives is right") {
  for (uint64_t seed = 1; seed <= rounds(100); ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    uint64_t delay_ns = 0;
    TimerBench bench;
    bench.config().max_scopes = static_cast<uint32_t>(2 + random() % 20);
    bench.config().max_frames = static_cast<uint32_t>(1 + random() % 5);
    bench.config().calibration_interval_ns = 3000;
    REQUIRE(bench.create() == FLAMELET_OK);
    bench.device.ready_at = [&](uint64_t) {
      return random() % 50 == 0 ? FakeBackend::kNever : bench.now_ns + random() % (delay_ns + 1);
    };
    bench.device.result = [&](uint64_t, uint64_t time_ns) { return random() % 50 == 0 ? random() : time_ns; };

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
          bench.device.is_disturbed = random() % 10 == 0;
          flamelet_set_enabled(random() % 4 != 0);
          break;
        default:
          bench.frame();
      }
      const flamelet_gpu_stats stats = bench.stats();
      REQUIRE(begun.size() == stats.scopes_submitted + stats.dropped_pool + stats.dropped_depth + stats.dropped_late +
                                  stats.dropped_invalid + stats.dropped_disjoint + stats.dropped_recorder +
                                  stats.scopes_open + stats.scopes_in_flight);
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

// ---- Where the GPU's times lie on the recorder's clock ------------------------------------------------------------

using flamelet::GpuClock;

TEST_CASE("after the GPU's clock jumped, its times are kept out until it is calibrated again, at once") {
  Created<TimerBench> bench;
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
  bench.frame(2);
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(names(spans) == Names{"Before", "After"});
  CHECK(spans[1].begin_ns == begin_ns);
  CHECK(spans[1].end_ns == begin_ns + 110);
}

TEST_CASE("while times stay wrong, the GPU's clock is read now and then, not at each frame") {
  Created<TimerBench> bench;
  const uint64_t reads_of_one = bench.device.clock_reads;
  const auto play_ms = [&](int count) {
    for (int i = 0; i < count; ++i) {
      bench.gpu_ahead_ns -= 7'000'000'000;
      bench.scope("Wrong", 100);
      bench.frame();
      bench.pass_ns(1'000'000);
    }
  };
  play_ms(100);
  CHECK(bench.stats().dropped_invalid > 90);
  CHECK(bench.device.clock_reads == 2 * reads_of_one);
  play_ms(1000);
  CHECK(bench.device.clock_reads == (2 + 8) * reads_of_one);
}

TEST_CASE_FIXTURE(TimerBench, "a GPU's clock that cannot be read is asked now and then, not at each frame") {
  config().calibration_interval_ns = 80'000'000;
  REQUIRE(create() == FLAMELET_OK);
  const uint64_t reads_of_one = device.clock_reads;
  device.clock_works = false;
  for (int i = 0; i < 160; ++i) {
    frame();
    pass_ns(1'000'000);
  }
  // Once when it was time, and seven times more in the interval after it.
  CHECK(device.clock_reads == (1 + 1 + 7) * reads_of_one);
  device.clock_works = true;
  for (int i = 0; i < 10; ++i) {
    frame();
    pass_ns(1'000'000);
  }
  CHECK(stats().calibrations == 2);
}

TEST_CASE("the calibration that took the shortest counts, and its error is known") {
  const uint64_t costs_ns[] = {5000, 900, 40, 700, 3000};
  TimerBench bench;
  bench.device.on_clock_read = [&] { bench.pass_ns(costs_ns[(bench.device.clock_reads - 1) % 5]); };
  REQUIRE(bench.create() == FLAMELET_OK);
  CHECK(bench.device.clock_reads == 5);
  CHECK(bench.stats().calibration_error_ns == 20);
  const int64_t begin_ns = static_cast<int64_t>(bench.now_ns - kStartNs) + 10;
  bench.scope("Pass", 100);
  bench.frame(2);
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 1);
  CHECK(std::abs(spans[0].begin_ns - begin_ns) <= 20);
}

TEST_CASE_FIXTURE(TimerBench, "the clock is calibrated once in each interval, and drift is measured and followed") {
  config().calibration_interval_ns = 10'000'000;
  REQUIRE(create() == FLAMELET_OK);
  int64_t begin_ns = 0;
  for (int i = 0; i < 100; ++i) {
    begin_ns = static_cast<int64_t>(now_ns - kStartNs) + 10;
    scope("Pass", 100);
    frame();
    pass_ns(1'000'000);
    gpu_ahead_ns += 7;
  }
  CHECK(stats().calibrations == 1 + 9);
  CHECK(stats().calibration_drift_ns == 7 * 10);
  frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 100);
  CHECK(std::abs(spans.back().begin_ns - begin_ns) <= 7 * 10);
}

TEST_CASE("a GPU that counts in units of its own is placed by its rate") {
  TimerBench bench;
  bench.device.ticks_per_second = 19.2e6;  // one tick is 52.08 ns
  bench.device.clock = [&bench] { return 1'000'000 + bench.now_ns * 192 / 10'000; };
  bench.config().calibration_interval_ns = 1'000'000;
  REQUIRE(bench.create() == FLAMELET_OK);
  int64_t begin_ns = 0;
  for (int i = 0; i < 20; ++i) {
    begin_ns = static_cast<int64_t>(bench.now_ns - kStartNs) + 10;
    bench.scope("Pass", 100'000);
    bench.frame();
  }
  bench.frame();
  const std::vector<Span> spans = read(FLAMELET_LANE_GPU);
  REQUIRE(spans.size() == 20);
  CHECK(std::abs(spans.back().begin_ns - begin_ns) <= 105);
  CHECK(std::abs(spans.back().end_ns - begin_ns - 100'010) <= 105);
  CHECK(std::abs(bench.stats().calibration_drift_ns) <= 105);
}

TEST_CASE("a read of the clock that is less exact than the calibration before is not taken, until that one is old") {
  uint64_t cost_ns = 100;
  TimerBench bench;
  bench.config().calibration_interval_ns = 1'000'000;
  bench.device.on_clock_read = [&] { bench.pass_ns(cost_ns); };
  REQUIRE(bench.create() == FLAMELET_OK);
  cost_ns = 400'000;
  for (int i = 0; i < 10; ++i) {
    bench.pass_ns(1'000'000);
    bench.frame();
  }
  CHECK(bench.stats().calibrations == 1);
  CHECK(bench.stats().calibration_error_ns == 50);
  bench.pass_ns(3'000'000'000);
  bench.frame();
  CHECK(bench.stats().calibrations == 2);
  CHECK(bench.stats().calibration_error_ns == 200'000);
  cost_ns = 100;
  bench.pass_ns(1'000'000);
  bench.frame();
  CHECK(bench.stats().calibration_error_ns == 50);
}

// ---- Gpu clock ----------------------------------------------------------------------------------------------------

TEST_CASE("extending gives back any time that is less than half a turn from the prediction") {
  std::mt19937_64 random(1);
  for (uint32_t bits = 2; bits <= 64; ++bits) {
    CAPTURE(bits);
    const GpuClock clock(bits, 1e9);
    const uint64_t mask = UINT64_MAX >> (64 - bits);
    for (int i = 0; i < 1000; ++i) {
      const uint64_t time_ns = random();
      const uint64_t distance = random() & (mask >> 1);
      CHECK(clock.extend(time_ns & mask, time_ns + distance) == time_ns);
      if (distance != 0) CHECK(clock.extend(time_ns & mask, time_ns - distance + 1) == time_ns);
    }
  }
}

TEST_CASE("predictions follow the recorder's rate from the newest calibration, both ways") {
  GpuClock clock(64, 1e9);
  CHECK(clock.calibrate(5'000'000, 1000, 2e9) == 0);  // two ticks for a nanosecond
  CHECK(clock.predict(1000) == 5'000'000);
  CHECK(clock.predict(3000) == 5'001'000);
  CHECK(clock.predict(0) == 4'999'500);
  CHECK(clock.calibrate(5'001'100, 3000, 2e9) == 100);
  CHECK(clock.calibrate(5'001'050, 3000, 2e9) == -50);
  CHECK(clock.predict(5000) == 5'002'050);
}

TEST_CASE("absurd distances stay in range") {
  GpuClock clock(64, 1e9);
  clock.calibrate(7, 0, 1e-3);
  CHECK(clock.predict(UINT64_MAX) == 7 + (uint64_t{1} << 62));
}
