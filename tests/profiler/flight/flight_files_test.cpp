// SPDX-License-Identifier: MIT
//
// The files that a flight recorder writes by itself, and the folder's limits.
#include <algorithm>
#include <ctime>
#include <regex>
#include <thread>

#include "profiler/flight/flight_game.h"
#include "temporary_folder.h"

using namespace recorder_test;

namespace {

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

flamelet_flight_config flight_into(const std::string& folder) {
  flamelet_flight_config config = flight_over(33);
  config.folder = folder.c_str();
  return config;
}

// A slow frame, until its file is written or has failed. Returns the first error that an update said.
flamelet_result save_slow_frame(FlightGame* game, double ms = 50) {
  flamelet_result said = game->frame(ms);
  const flamelet_flight_stats before = game->stats();
  for (;;) {
    const flamelet_flight_stats stats = game->stats();
    if (stats.files_written + stats.files_failed > before.files_written + before.files_failed) return said;
    const flamelet_result result = stats.busy ? game->frame() : game->update();
    if (result != FLAMELET_OK) said = result;
    std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("flight files: each kept one is written by itself, named by time, frame and cause") {
  const TemporaryFolder folder;
  FlightGame game(flight_into(folder.path()));
  game.frames(10);
  CHECK(save_slow_frame(&game) == FLAMELET_OK);
  REQUIRE(flamelet_flight_set_scope_budget(game.flight, "AI: plan/path", 5000000) == FLAMELET_OK);
  const flamelet_id id = flamelet_begin("AI: plan/path", "ai", nullptr);
  FlightGame::pass(6);
  flamelet_end(id);
  game.settle();
  CHECK(save_slow_frame(&game, 60) == FLAMELET_OK);
  const std::vector<std::string> names = names_in(folder.path());
  REQUIRE(names.size() >= 2);
  const uint64_t first = game.info(flamelet_flight_find(game.flight, 1)).frame.index;
  CHECK(std::regex_match(names[0], std::regex("flight-\\d{8}T\\d{6}\\.\\d{3}Z-frame" + std::to_string(first) +
                                              "-frame-over-budget\\.flamelet")));
  CHECK(read_file(folder.file(names[0])) == game.bytes(1));
  CHECK((game.info(flamelet_flight_find(game.flight, 1)).flags & FLAMELET_FLIGHT_WRITTEN) != 0);
  CHECK(std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name.find("-scope-over-budget-AI--plan-path.flamelet") != std::string::npos;
  }));
}

TEST_CASE("flight files: the name has the time of the wall clock, also on leap days") {
  const TemporaryFolder folder;
  FlightGame game(flight_into(folder.path()));
  game.frames(3);
  CHECK(save_slow_frame(&game) == FLAMELET_OK);
  const std::time_t seconds = static_cast<std::time_t>(game.info().unix_ns / 1000000000);
  char text[64];
  std::strftime(text, sizeof text, "flight-%Y%m%dT%H%M%S.", std::gmtime(&seconds));
  CHECK(names_in(folder.path()).at(0).compare(0, strlen(text), text) == 0);
  // Through the class, for days that no clock shows now.
  flamelet_flight_config config = quiet_flight();
  for (const int64_t unix_s : {951782400LL, 4107456000LL, 1709164800LL, 0LL, 86399LL, 1735689599LL}) {
    const std::time_t day = static_cast<std::time_t>(unix_s);
    if (day != unix_s) continue;  // that of 32 bits ends in 2038
    std::vector<char> memory(config.store_bytes + (size_t{1} << 20));
    flamelet::Carver carver(memory.data());
    flamelet::FlightStore store;
    store.place(&carver, config);
    store.clear();
    flamelet::KeptFlight* kept = store.begin(100);
    kept->info.unix_ns = static_cast<uint64_t>(day) * 1000000000;
    const auto append = [](void* to, const void* bytes, size_t size) {
      return static_cast<flamelet::FlightStore*>(to)->append(bytes, size);
    };
    std::vector<char> buffer(flamelet::ChunkWriter::kBufferBytes);
    flamelet::ChunkWriter chunks(buffer.data(), {append, &store});
    const flamelet::FileHeader header = {};
    chunks.bytes(&header, sizeof header);
    chunks.finish();
    store.finish();
    const TemporaryFolder place;
    flamelet::FlightFiles files;
    files.attach(buffer.data());
    REQUIRE(files.set(place.path().c_str(), 5, 1000));
    files.start(store, kept);
    CHECK(files.take().result == FLAMELET_OK);
    std::strftime(text, sizeof text, "flight-%Y%m%dT%H%M%S.000Z-frame0-call.flamelet", std::gmtime(&day));
    CHECK(names_in(place.path()) == std::vector<std::string>{text});
  }
}

TEST_CASE("flight files: the oldest go when there are too many, and only those of flight recorders") {
  const TemporaryFolder folder;
  const char* strangers[] = {"flight-notes.txt", "my.flamelet", "aaa", "flight-20000101T000000.000Z.flamelet.bak"};
  for (const char* name : strangers) std::ofstream(folder.file(name)) << "mine";
  std::ofstream(folder.file("flight-20000101T000000.000Z-frame1-call.flamelet")) << "old";
  std::ofstream(folder.file("flight-20000102T000000.000Z-frame1-call.flamelet.tmp-100")) << "killed";
  flamelet_flight_config config = flight_into(folder.path());
  config.max_files = 3;
  FlightGame game(config);
  game.frames(5);
  for (int i = 0; i < 5; ++i) CHECK(save_slow_frame(&game, 40 + i) == FLAMELET_OK);
  std::vector<std::string> names = names_in(folder.path());
  CHECK(names.size() == 7);
  for (const char* name : strangers) CHECK(read_file(folder.file(name)) == "mine");
  CHECK(game.stats().files_removed == 4);
  CHECK(game.stats().files_written == 5);
  for (uint64_t id = 3; id <= 5; ++id) {
    const std::string frame = "-frame" + std::to_string(game.info(flamelet_flight_find(game.flight, id)).frame.index);
    CHECK(std::any_of(names.begin(), names.end(),
                      [&](const std::string& name) { return name.find(frame) != std::string::npos; }));
  }
}

TEST_CASE("flight files: the oldest go when they are too large together") {
  const TemporaryFolder folder;
  flamelet_flight_config config = flight_into(folder.path());
  FlightGame measure(config);
  measure.frames(5);
  CHECK(save_slow_frame(&measure) == FLAMELET_OK);
  const uint64_t bytes = measure.info().bytes;
  std::filesystem::remove(folder.file(names_in(folder.path()).at(0)));
  flamelet_flight_destroy(measure.flight);
  config.max_file_bytes = 3 * bytes;
  config.allocator = measure.allocator.get();
  REQUIRE(flamelet_flight_create(&config, measure.capture, &measure.flight) == FLAMELET_OK);
  for (int i = 0; i < 6; ++i) CHECK(save_slow_frame(&measure) == FLAMELET_OK);
  uint64_t sum = 0;
  for (const std::string& name : names_in(folder.path())) sum += std::filesystem::file_size(folder.file(name));
  CHECK(sum <= 3 * bytes);
  CHECK(names_in(folder.path()).size() >= 1);
  CHECK(measure.stats().files_removed >= 3);
}

TEST_CASE("flight files: limits that let no file be written are said once, and recording goes on") {
  const TemporaryFolder folder;
  for (const bool files : {true, false}) {
    flamelet_flight_config config = flight_into(folder.path());
    if (files)
      config.max_files = 0;
    else
      config.max_file_bytes = 0;
    FlightGame game(config);
    game.frames(5);
    CHECK(save_slow_frame(&game) == FLAMELET_ERROR_LIMIT);
    CHECK(save_slow_frame(&game) == FLAMELET_OK);
    CHECK(game.stats().files_failed == 2);
    CHECK(game.count() == 2);
    CHECK(folder.count() == 0);
    CHECK(game.capture.stats().events_lost == 0);
  }
}

TEST_CASE("flight files: a folder that vanishes is said once, and written to again when it is back") {
  const TemporaryFolder folder;
  const std::string place = folder.file("place");
  std::filesystem::create_directory(place);
  FlightGame game(flight_into(place));
  game.frames(5);
  CHECK(save_slow_frame(&game) == FLAMELET_OK);
  std::filesystem::remove_all(place);
  CHECK(save_slow_frame(&game) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(game.stats().last_errno == ENOENT);
  CHECK(save_slow_frame(&game) == FLAMELET_OK);
  CHECK(game.stats().files_failed == 2);
  std::filesystem::create_directory(place);
  CHECK(save_slow_frame(&game) == FLAMELET_OK);
  CHECK(game.stats().files_written == 2);
  std::filesystem::remove_all(place);
  CHECK(save_slow_frame(&game) == FLAMELET_ERROR_FILE_OPEN);
  CHECK(game.count() == 5);
  CHECK(game.capture.stats().events_lost == 0);
}

TEST_CASE(
    "flight files: the longest frame has its file, though a smaller one was being written nine frames before it") {
  const TemporaryFolder folder;
  flamelet_flight_config config = flight_into(folder.path());
  config.dead_time_ms = 500;
  config.copy_bytes = 1;
  uint64_t longest = 0;
  {
    FlightGame game(config);
    game.frames(20);
    game.frame(48);
    game.frames(8);
    game.frame(526);
    longest = game.newest_frame();
  }
  const std::vector<std::string> names = names_in(folder.path());
  REQUIRE(names.size() == 2);
  CHECK(names[1].find("-frame" + std::to_string(longest) + "-frame-over-budget") != std::string::npos);
}

TEST_CASE("flight files: what was triggered when the game ends is written before") {
  const TemporaryFolder folder;
  {
    FlightGame game(flight_into(folder.path()));
    game.frames(10);
    game.frame(50);
  }
  REQUIRE(folder.count() == 1);
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, folder.file(names_in(folder.path()).at(0)).c_str(), &capture, nullptr) ==
          FLAMELET_OK);
  const size_t frames = flamelet_capture_frame_count(capture);
  flamelet_frame_info last;
  REQUIRE(flamelet_capture_frame(capture, frames - 1, &last));
  CHECK(last.end_ns - last.begin_ns == 50000000);
  flamelet_capture_destroy(capture);
}
