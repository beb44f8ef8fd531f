// SPDX-License-Identifier: MIT
//
// Every call of the operating system that a flight recorder's file takes, and what happens when it fails.
#include <algorithm>
#include <cerrno>
#include <thread>

#include "profiler/capture/file_faults.h"
#include "profiler/flight/flight_game.h"
#include "support/loaded.h"
#include "temporary_folder.h"

using namespace recorder_test;
using file_faults::Call;
using file_faults::Plan;

namespace {

// A slow frame whose file is written with one call that fails: only the file's own thread opens and writes files. What
// the updates said.
flamelet_result save_slow_frame_by(FlightGame* game, const Plan& plan, std::vector<Call>* calls = nullptr) {
  game->frame(50);
  while (game->flight->state != FlightState::kReady && game->flight->store.oldest_to_be_written() == nullptr) {
    file_faults::begin(plan);
    const flamelet_result result = game->frame();
    if (!game->flight->files.idle()) {
      while (!game->flight->files.done()) std::this_thread::yield();
      const std::vector<Call> made = file_faults::end();
      if (calls != nullptr) *calls = made;
      CHECK(result == FLAMELET_OK);
      return game->update();
    }
    file_faults::end();
  }
  FAIL("nothing was kept");
  return FLAMELET_OK;
}

}  // namespace

TEST_CASE_FIXTURE(
    TemporaryFolder,
    "file faults: whichever call of a flight recorder's file fails, it says so once, and records and keeps on") {
  FlightGame game(with(flight_over(33), &flamelet_flight_config::folder, path().c_str()));
  game.frames(5);
  std::vector<Call> calls;
  REQUIRE(save_slow_frame_by(&game, Plan(), &calls) == FLAMELET_OK);
  const auto renamed = static_cast<size_t>(std::find(calls.begin(), calls.end(), Call::kRename) - calls.begin());
  REQUIRE(renamed < calls.size());
  uint64_t failed = 0;
  for (size_t number = 0; number <= renamed; ++number) {
    if (calls[number] == Call::kStat) continue;  // whether the file is still the same: if that is not told, it is
    CAPTURE(number);
    failed += 2;
    const uint64_t files = count(), kept = game.stats().kept;
    Plan plan;
    plan.fails_at = number;
    plan.error = ENOSPC;
    plan.goes_on = true;
    const flamelet_result expected =
        calls[number] == Call::kOpen ? FLAMELET_ERROR_FILE_OPEN : FLAMELET_ERROR_FILE_WRITE;
    CHECK(save_slow_frame_by(&game, plan) == expected);
    CHECK(game.stats().last_errno == ENOSPC);
    CHECK(save_slow_frame_by(&game, plan) == FLAMELET_OK);  // said before
    CHECK(count() == files);
    CHECK(game.stats().kept == kept + 2);
    CHECK(save_slow_frame_by(&game, Plan()) == FLAMELET_OK);
    CHECK(count() == files + 1);
  }
  CHECK(game.stats().files_failed == failed);
  CHECK(game.capture.stats().events_lost == 0);
  for (const auto& entry : std::filesystem::directory_iterator(path())) {
    const LoadedFile capture(entry.path());
    REQUIRE(capture.result == FLAMELET_OK);
    CHECK(!capture.report.truncated);
  }
}

TEST_CASE_FIXTURE(
    TemporaryFolder,
    "file faults: an old file that cannot be removed is not counted as removed, and no other is written") {
  flamelet_flight_config config = flight_over(33);
  config.folder = path().c_str();
  config.max_files = 1;
  FlightGame game(config);
  game.frames(5);
  REQUIRE(save_slow_frame_by(&game, Plan()) == FLAMELET_OK);
  Plan plan;
  plan.fails_at = 0;
  plan.error = EPERM;
  CHECK(save_slow_frame_by(&game, plan) == FLAMELET_ERROR_LIMIT);
  CHECK(game.stats().files_removed == 0);
  CHECK(count() == 1);
  CHECK(save_slow_frame_by(&game, Plan()) == FLAMELET_OK);
  CHECK(game.stats().files_removed == 1);
  CHECK(count() == 1);
}
