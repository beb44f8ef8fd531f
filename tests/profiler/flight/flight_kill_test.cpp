// SPDX-License-Identifier: MIT
//
// A game that is killed while its flight recorder writes.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/flight/flight_game.h"
#include "rounds.h"
#include "support/loaded.h"
#include "temporary_folder.h"

using namespace recorder_test;

namespace {

// One hitch after the other, for ever.
[[noreturn]] void play(const std::string& folder) {
  const flamelet_config config = with_still_clock(small_config(2048), 1000000);
  flamelet_capture* capture = nullptr;
  flamelet_flight* flight = nullptr;
  flamelet_capture_config capture_config = small_capture_config();
  const flamelet_flight_config flight_config = with(flight_over(33), &flamelet_flight_config::folder, folder.c_str());
  if (flamelet_init(&config) != FLAMELET_OK) _exit(1);
  if (flamelet_capture_create(&capture_config, &capture) != FLAMELET_OK) _exit(2);
  if (flamelet_flight_create(&flight_config, capture, &flight) != FLAMELET_OK) _exit(3);
  for (int i = 0;; ++i) {
    for (int k = 0; k < 5000; ++k) {
      FLAMELET_SCOPE("work");
    }
    now_ns += i % 10 == 9 ? 50000000 : 10000000;
    flamelet_frame();
    flamelet_capture_update(capture);
    flamelet_flight_update(flight);
  }
}

bool is_temporary(const std::string& name) {
  return name.find(".tmp-") != std::string::npos;
}

}  // namespace

TEST_CASE("flight files: of a game that is killed while it writes, no file looks whole and is not") {
  uint32_t cut = 0, whole = 0;
  for (uint32_t round = 0; round < rounds(15) || cut == 0; ++round) {
    const TemporaryFolder folder;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) play(folder.path());
    // When a file is on its way, after none or some that were whole.
    for (uint32_t seen = 0; seen <= round % 3;) {
      for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        seen += is_temporary(entry.path().filename().string()) ? 1u : 0u;
    }
    REQUIRE(kill(child, SIGKILL) == 0);
    REQUIRE(waitpid(child, nullptr, 0) == child);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      if (is_temporary(entry.path().filename().string())) {
        ++cut;
        continue;
      }
      const LoadedFile capture(entry.path());
      REQUIRE(capture.result == FLAMELET_OK);
      CHECK(!capture.report.truncated);
      CHECK(capture.report.chunks_damaged == 0);
      ++whole;
    }
  }
  MESSAGE(cut, " files were cut off, ", whole, " are whole");
}
