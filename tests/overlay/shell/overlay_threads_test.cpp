// SPDX-License-Identifier: MIT
//
// The overlay beside threads that record: what ThreadSanitizer is asked about.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "overlay/headless_imgui.h"
#include "support/recording.h"

using namespace flamelet_tests;
using flamelet::OverlayStats;

TEST_CASE("overlay: it can be used while other threads record") {
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{4} << 20;  // so that pages are overwritten while they are read
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  std::atomic<bool> stop(false);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&stop] {
      for (uint32_t round = 0; !stop.load(std::memory_order_relaxed); ++round) {
        const flamelet_id outer = flamelet_begin("outer", "test", nullptr);
        for (int j = 0; j < 50; ++j) flamelet_end(flamelet_begin("inner", "test", nullptr));
        flamelet_instant("mark", "test", nullptr);
        flamelet_end(outer);
        if (round % 64 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  }
  {
    OverlayPlayer player;
    for (int i = 0; i < 120; ++i) {
      flamelet_frame();
      player.move(static_cast<float>(200 + i * 7), static_cast<float>(100 + i * 3));
      if (i % 40 == 20) player.click();
      if (i % 40 == 30) player.press(TestKey::kSpace);
      if (i % 10 == 0) player.wheel(i % 20 == 0 ? 2.0f : -2.0f);
    }
    CHECK(HeadlessImGui::vertices_sane());
    const OverlayStats stats = player.stats();
    CHECK(stats.zones_drawn + stats.zones_merged == stats.zones_in_view);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(flamelet_shutdown() == FLAMELET_OK);
}
