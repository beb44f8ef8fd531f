// SPDX-License-Identifier: MIT
//
// flight_game.h: a game on a clock that the test moves, whose frames a flight recorder watches.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "flamelet/flight.h"
#include "flamelet/scope.h"
#include "flight/flight_data.h"
#include "support/building.h"
#include "support/capture.h"
#include "support/counting_allocator.h"
#include "support/recording.h"

namespace recorder_test {

// Little to touch, no trigger, and no dead time.
inline flamelet_flight_config quiet_flight() {
  flamelet_flight_config config = flamelet_flight_config_default();
  config.store_bytes = size_t{4} << 20;
  config.frames_before = 3;
  config.frames_after = 2;
  config.median_factor = 0;
  config.ring_share = 0;
  config.loss = false;
  config.dead_time_ms = 0;
  return config;
}

inline flamelet_flight_config flight_over(double budget_ms) {
  return with(quiet_flight(), &flamelet_flight_config::frame_budget_ns, static_cast<int64_t>(budget_ms * 1e6));
}

class FlightGame {
 public:
  explicit FlightGame(flamelet_flight_config config = quiet_flight(), uint32_t ring_pages = 512,
                      flamelet_capture_config capture_config = small_capture_config())
      : recording_(with_still_clock(small_config(ring_pages), 1000000)), capture(capture_config) {
    flamelet_set_thread_name("Main");
    config.allocator = allocator.get();
    REQUIRE(flamelet_flight_create(&config, capture, &flight) == FLAMELET_OK);
    flamelet_frame();
    update();
  }
  ~FlightGame() {
    flamelet_flight_destroy(flight);
    CHECK(allocator.blocks_held() == 0);
  }

  // A frame in which a scope takes all the time, with others of no length in it.
  flamelet_result frame(double ms = 10, const char* scope = "Update", int inner = 0) {
    const flamelet_id id = flamelet_begin(scope, "game", nullptr);
    for (int i = 0; i < inner; ++i) {
      FLAMELET_SCOPE("inner");
      now_ns += 10;
    }
    pass(ms);
    flamelet_end(id);
    return mark();
  }
  void frames(int count, double ms = 10, int inner = 0) {
    for (int i = 0; i < count; ++i) CHECK(frame(ms, "Update", inner) == FLAMELET_OK);
  }
  // The frame ends here.
  flamelet_result mark() {
    flamelet_frame();
    return update();
  }
  // A new session of the recorder.
  static void restart() {
    REQUIRE(flamelet_shutdown() == FLAMELET_OK);
    const flamelet_config config = with_still_clock(small_config(512), 1000000);
    REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  }
  flamelet_result update() {
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
    return flamelet_flight_update(flight);
  }
  static void pass(double ms) { now_ns += static_cast<uint64_t>(ms * 1e6); }

  uint64_t newest_frame() const { return capture.frames().back().index; }
  size_t count() const { return flamelet_flight_count(flight); }
  flamelet_flight_info info(size_t position = 0) const {
    flamelet_flight_info found;
    REQUIRE(flamelet_flight_get(flight, position, &found));
    return found;
  }
  flamelet_flight_stats stats() const {
    flamelet_flight_stats found;
    flamelet_flight_get_stats(flight, &found);
    return found;
  }
  std::string bytes(uint64_t id) const {
    std::string found;
    REQUIRE(flamelet_flight_save_to(flight, id, sink_to(&found)) == FLAMELET_OK);
    return found;
  }
  // Frame after frame until what was triggered is kept.
  void settle() {
    for (int i = 0; stats().busy && i < 10000; ++i) frames(1);
    REQUIRE(!stats().busy);
  }

 private:
  const Recording recording_;

 public:
  Capture capture;
  CountingAllocator allocator;
  flamelet_flight* flight = nullptr;
};

// What a save of the same frames would write now, with what triggered.
inline std::string saved_now(flamelet_capture* capture, const flamelet_flight_info& info) {
  const flamelet_frame_info first = frame_of(capture, flamelet_capture_find_frame(capture, info.first_frame));
  const flamelet_frame_info last = frame_of(capture, flamelet_capture_find_frame(capture, info.last_frame));
  capture->trigger = {info.frame.index, static_cast<double>(info.limit_ns) / 1e6, info.cause, 0, {}};
  memcpy(capture->trigger.text, info.text, sizeof info.text);
  capture->has_trigger = true;
  const std::string bytes = save(capture, first.begin_ns, last.end_ns);
  capture->has_trigger = false;
  return bytes;
}

}  // namespace recorder_test
