// SPDX-License-Identifier: MIT
//
// The counters of the machine: what the system says, and when frame marks record it.
#include "platform/thread_account.h"

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/flamelet.h"
#include "support/capture.h"
#include "support/clock.h"
#include "support/read.h"
#include "support/recording.h"

namespace recorder_test::machine_test {
namespace {

// The tests run without them (CMakePresets.json), as their events would come between others.
class Variable {
 public:
  explicit Variable(const char* value) { setenv("FLAMELET_MACHINE_COUNTERS", value, 1); }
  ~Variable() { setenv("FLAMELET_MACHINE_COUNTERS", "off", 1); }
};

void mark_frames(int count) {
  for (int i = 0; i < count; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    flamelet_frame();
  }
}

// The counters of the machine that a quarter of a second of frames recorded.
std::vector<std::string> recorded(const flamelet_config& config, bool has_scopes = true) {
  Recording recording(config);
  Capture capture;
  if (has_scopes) {
    FLAMELET_SCOPE("Work");
  }
  mark_frames(9);
  capture.update();
  std::vector<std::string> names;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    for (const flamelet_point& point : read_points(capture, lane)) {
      const flamelet_site_info site = site_of(capture, point.site);
      CHECK(site.category.text == std::string(FLAMELET_MACHINE_CATEGORY));
      CHECK(point.kind == FLAMELET_POINT_COUNTER);
      CHECK(point.value >= 0);
      names.emplace_back(site.name.text);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("machine: the memory of the process is what it has touched") {
  flamelet::MachineReading before, after;
  flamelet::find_machine();
  flamelet::read_machine(&before);
  REQUIRE((before.known & flamelet::kKnowsResident) != 0);
  constexpr size_t kBytes = size_t{64} << 20;
  std::vector<char> block(kBytes, 1);
  flamelet::read_machine(&after);
  CHECK(after.resident_bytes >= before.resident_bytes + kBytes / 2);
  CHECK(block[kBytes - 1] == 1);
}

TEST_CASE("machine: frame marks record its counters, ten times a second at most") {
  const Variable on("on");
  const std::vector<std::string> names = recorded(small_config());
  CHECK(std::count(names.begin(), names.end(), FLAMELET_MACHINE_MEMORY) >= 1);
  CHECK(std::count(names.begin(), names.end(), FLAMELET_MACHINE_MEMORY) <= 9);
}

TEST_CASE(
    "machine: nothing is recorded where it is off, with a clock of the program's own, and on a thread without scopes") {
  CHECK(recorded(small_config()).empty());
  const Variable on("on");
  CHECK(recorded(small_config(), false).empty());
  CHECK(recorded(with(small_config(), &flamelet_config::thread_times, false)).empty());
  ManualClock clock;
  CHECK(recorded(with_clock(small_config(), &clock)).empty());
}

}  // namespace recorder_test::machine_test
