// SPDX-License-Identifier: MIT
//
// The files that a flight recorder writes by itself, and the folder's limits.
#include <algorithm>
#include <ctime>
#include <regex>
#include <thread>

#include "profiler/flight/flight_game.h"
#include "support/loaded.h"
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
  return with(flight_over(33), &flamelet_flight_config::folder, folder.c_str());
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

TEST_CASE_FIXTURE(TemporaryFolder,
                  "flight files: each kept one is written by itself, named by time, frame, cause and length") {
  FlightGame game(flight_into(path()));
  game.frames(10);
  CHECK(save_slow_frame(&game) == FLAMELET_OK);
  REQUIRE(flamelet_flight_set_scope_budget(game.flight, "AI: plan/path", 5000000) == FLAMELET_OK);
  const flamelet_id id = flamelet_begin("AI: plan/path", "ai", nullptr);
  FlightGame::pass(6);
  flamelet_end(id);
  game.settle();
  CHECK(save_slow_frame(&game, 60) == FLAMELET_OK);
  const std::vector<std::string> names = names_in(path());
  REQUIRE(names.size() >= 2);
  const uint64_t first = game.info(flamelet_flight_find(game.flight, 1)).frame.index;
  CHECK(std::regex_match(names[0], std::regex("flight-\\d{8}T\\d{6}\\.\\d{3}Z-frame" + std::to_string(first) +
                                              "-frame-over-budget-50\\.000ms\\.flamelet")));
  CHECK(read_file(file(names[0])) == game.bytes(1));
  CHECK((game.info(flamelet_flight_find(game.flight, 1)).flags & FLAMELET_FLIGHT_WRITTEN) != 0);
  CHECK(std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return name.find("-scope-over-budget-AI--plan-path-66.000ms.flamelet") != std::string::npos;
  }));
}

TEST_CASE_FIXTURE(TemporaryFolder, "flight files: the name has the time of the wall clock, also on leap days") {
  FlightGame game(flight_into(path()));
  game.frames(3);
  CHECK(save_slow_frame(&game) == FLAMELET_OK);
  const std::time_t seconds = static_cast<std::time_t>(game.info().unix_ns / 1000000000);
  char text[64];
  std::strftime(text, sizeof text, "flight-%Y%m%dT%H%M%S.", std::gmtime(&seconds));
  CHECK(names_in(path()).at(0).compare(0, strlen(text), text) == 0);
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
    std::strftime(text, sizeof text, "flight-%Y%m%dT%H%M%S.000Z-frame0-call-0.000ms.flamelet", std::gmtime(&day));
    CHECK(names_in(place.path()) == std::vector<std::string>{text});
  }
}

TEST_CASE_FIXTURE(TemporaryFolder,
                  "flight files: some go when there are too many, and only those of flight recorders") {
  const char* strangers[] = {"flight-notes.txt", "my.flamelet", "aaa", "flight-20000101T000000.000Z.flamelet.bak"};
  for (const char* name : strangers) std::ofstream(file(name)) << "mine";
  std::ofstream(file("flight-20000101T000000.000Z-frame1-call.flamelet")) << "old";
  std::ofstream(file("flight-20000102T000000.000Z-frame1-call.flamelet.tmp-100")) << "killed";
  FlightGame game(with(flight_into(path()), &flamelet_flight_config::max_files, 3));
  game.frames(5);
  for (int i = 0; i < 5; ++i) CHECK(save_slow_frame(&game, 40 + i) == FLAMELET_OK);
  std::vector<std::string> names = names_in(path());
  CHECK(names.size() == 7);
  for (const char* name : strangers) CHECK(read_file(file(name)) == "mine");
  CHECK(game.stats().files_removed == 4);
  CHECK(game.stats().files_written == 5);
  for (uint64_t id = 3; id <= 5; ++id) {
    const std::string frame = "-frame" + std::to_string(game.info(flamelet_flight_find(game.flight, id)).frame.index);
    CHECK(std::any_of(names.begin(), names.end(),
                      [&](const std::string& name) { return name.find(frame) != std::string::npos; }));
  }
}

TEST_CASE("flight files: of too many, those of the longest frames stay, and the newest quarter") {
  struct Case {
    const char* order;
    uint32_t max_files;
    int count;
    int (*length_ms)(int number, int count);
  };
  const auto shuffled = [](int number, int count) { return 40 + number * 17 % count; };
  const auto rising = [](int number, int) { return 40 + number; };
  const auto falling = [](int number, int count) { return 40 + count - number; };
  for (const Case& each :
       {Case{"shuffled", 8, 41, shuffled}, Case{"rising", 8, 30, rising}, Case{"falling", 8, 30, falling},
        Case{"few", 3, 20, shuffled}, Case{"one", 1, 10, falling}, Case{"many", 32, 60, falling}}) {
    CAPTURE(each.order);
    const TemporaryFolder folder;
    FlightGame game(with(flight_into(folder.path()), &flamelet_flight_config::max_files, each.max_files));
    game.frames(5);
    std::vector<std::pair<int, uint64_t>> by_length;  // and the frame
    std::vector<uint64_t> by_age;
    for (int i = 0; i < each.count; ++i) {
      const int ms = each.length_ms(i, each.count);
      CHECK(save_slow_frame(&game, ms) == FLAMELET_OK);
      const uint64_t id = game.stats().kept;
      by_age.push_back(game.info(flamelet_flight_find(game.flight, id)).frame.index);
      by_length.emplace_back(ms, by_age.back());
    }
    std::sort(by_length.rbegin(), by_length.rend());
    const std::vector<std::string> names = names_in(folder.path());
    CHECK(names.size() == each.max_files);
    const auto has_file = [&](uint64_t frame) {
      return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return name.find("-frame" + std::to_string(frame) + "-") != std::string::npos;
      });
    };
    const size_t newest = each.max_files / 4 + 1;
    for (size_t i = 0; i < each.max_files - newest; ++i) CHECK(has_file(by_length[i].second));
    for (size_t i = 0; i < newest; ++i) CHECK(has_file(by_age[by_age.size() - 1 - i]));
    const flamelet_flight_stats stats = game.stats();
    CHECK(stats.files_written == static_cast<uint64_t>(each.count));
    CHECK(stats.files_removed == stats.files_written - each.max_files);
    // Whoever looks at what is kept in memory knows which have no file any more.
    for (size_t i = 0; i < game.count(); ++i) {
      const flamelet_flight_info info = game.info(i);
      CAPTURE(info.id);
      const bool has = has_file(info.frame.index);
      CHECK(((info.flags & FLAMELET_FLIGHT_WRITTEN) != 0) == has);
      CHECK(((info.flags & FLAMELET_FLIGHT_FILE_REMOVED) != 0) == !has);
    }
  }
}

TEST_CASE("flight files: what earlier runs left goes by length, too, and what says no length goes first") {
  const std::string kOld = "flight-20200101T000000.000Z-frame1-call";
  const std::string kNewer = "flight-20210101T000000.000Z-frame1-call";
  const std::string kNewest = "flight-20220101T000000.000Z-frame1-call";
  const struct {
    const char* what;
    std::vector<std::string> files;  // the first one goes
  } kCases[] = {
      {"the shortest", {kNewer + "-40.000ms.flamelet", kOld + "-40.001ms.flamelet", kNewest + "-900.000ms.flamelet"}},
      {"more digits", {kNewest + "-99.999ms.flamelet", kOld + "-100.000ms.flamelet", kNewer + "-1000.000ms.flamelet"}},
      {"the older of two",
       {kOld + "-40.000ms.flamelet", kNewer + "-40.000ms.flamelet", kNewest + "-40.000ms.flamelet"}},
      {"of an older version", {kNewest + ".flamelet", kOld + "-1.000ms.flamelet", kNewer + "-2.000ms.flamelet"}},
      {"no length", {kNewest + "-5ms.flamelet", kOld + "-1.000ms.flamelet", kNewer + "-2.000ms.flamelet"}},
      {"a text like one", {kNewest + "-77-000ms.flamelet", kOld + "-1.000ms.flamelet", kNewer + "-2.000ms.flamelet"}},
      {"not whole", {kNewest + "-900.000ms.flamelet.tmp-7", kOld + "-1.000ms.flamelet", kNewer + "-2.000ms.flamelet"}},
  };
  for (const auto& each : kCases) {
    CAPTURE(each.what);
    const TemporaryFolder folder;
    for (const std::string& name : each.files) std::ofstream(folder.file(name)) << "old";
    FlightGame game(with(flight_into(folder.path()), &flamelet_flight_config::max_files, 3));
    game.frames(5);
    CHECK(save_slow_frame(&game, 40) == FLAMELET_OK);
    CHECK(game.stats().files_removed == 1);
    CHECK(folder.count() == 3);
    CHECK_FALSE(std::filesystem::exists(folder.file(each.files[0])));
  }
}

TEST_CASE_FIXTURE(TemporaryFolder,
                  "flight files: one that somebody removes has no file any more when the next one is written") {
  FlightGame game(flight_into(path()));
  game.frames(5);
  CHECK(save_slow_frame(&game, 50) == FLAMELET_OK);
  CHECK(save_slow_frame(&game, 60) == FLAMELET_OK);
  std::filesystem::remove(file(names_in(path()).at(0)));
  CHECK(save_slow_frame(&game, 70) == FLAMELET_OK);
  const auto flags = [&](uint64_t id) {
    return game.info(flamelet_flight_find(game.flight, id)).flags &
           (FLAMELET_FLIGHT_WRITTEN | FLAMELET_FLIGHT_FILE_REMOVED);
  };
  CHECK(flags(1) == FLAMELET_FLIGHT_FILE_REMOVED);
  CHECK(flags(2) == FLAMELET_FLIGHT_WRITTEN);
  CHECK(flags(3) == FLAMELET_FLIGHT_WRITTEN);
  CHECK(game.stats().files_removed == 0);
}

TEST_CASE_FIXTURE(TemporaryFolder,
                  "flight files: what one was written for are the frames that were kept, and no others") {
  FlightGame game(flight_into(path()));
  game.frames(20);
  CHECK(save_slow_frame(&game, 50) == FLAMELET_OK);
  const flamelet_flight_info info = game.info();
  const LoadedFile capture(file(names_in(path()).at(0)));
  REQUIRE(capture.result == FLAMELET_OK);
  const flamelet_frame_info first = frame_of(capture, flamelet_capture_find_frame(capture, info.first_frame));
  const flamelet_frame_info last = frame_of(capture, flamelet_capture_find_frame(capture, info.last_frame));
  int64_t begin_ns = 0, end_ns = 0;
  REQUIRE(flamelet_capture_window(capture, &begin_ns, &end_ns));
  CHECK(begin_ns == first.begin_ns);
  CHECK(end_ns == last.end_ns);
}

TEST_CASE_FIXTURE(TemporaryFolder, "flight files: some go when they are too large together") {
  flamelet_flight_config config = flight_into(path());
  FlightGame measure(config);
  measure.frames(5);
  CHECK(save_slow_frame(&measure) == FLAMELET_OK);
  const uint64_t bytes = measure.info().bytes;
  std::filesystem::remove(file(names_in(path()).at(0)));
  flamelet_flight_destroy(measure.flight);
  config.max_file_bytes = 3 * bytes;
  config.allocator = measure.allocator.get();
  REQUIRE(flamelet_flight_create(&config, measure.capture, &measure.flight) == FLAMELET_OK);
  for (int i = 0; i < 6; ++i) CHECK(save_slow_frame(&measure) == FLAMELET_OK);
  uint64_t sum = 0;
  for (const std::string& name : names_in(path())) sum += std::filesystem::file_size(file(name));
  CHECK(sum <= 3 * bytes);
  CHECK(names_in(path()).size() >= 1);
  CHECK(measure.stats().files_removed >= 3);
}

TEST_CASE_FIXTURE(TemporaryFolder,
                  "flight files: limits that let no file be written are said once, and recording goes on") {
  for (const bool files : {true, false}) {
    flamelet_flight_config config = flight_into(path());
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
    CHECK(count() == 0);
    CHECK(game.capture.stats().events_lost == 0);
  }
}

TEST_CASE_FIXTURE(TemporaryFolder,
                  "flight files: a folder that vanishes is said once, and written to again when it is back") {
  const std::string place = file("place");
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

TEST_CASE_FIXTURE(
    TemporaryFolder,
    "flight files: the longest frame has its file, though a smaller one was being written nine frames before it") {
  flamelet_flight_config config = flight_into(path());
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
  const std::vector<std::string> names = names_in(path());
  REQUIRE(names.size() == 2);
  CHECK(names[1].find("-frame" + std::to_string(longest) + "-frame-over-budget") != std::string::npos);
}

TEST_CASE_FIXTURE(TemporaryFolder, "flight files: what was triggered when the game ends is written before") {
  {
    FlightGame game(flight_into(path()));
    game.frames(10);
    game.frame(50);
  }
  REQUIRE(count() == 1);
  const LoadedFile capture(file(names_in(path()).at(0)));
  REQUIRE(capture.result == FLAMELET_OK);
  const size_t frames = flamelet_capture_frame_count(capture);
  const flamelet_frame_info last = frame_of(capture, frames - 1);
  CHECK(last.end_ns - last.begin_ns == 50000000);
}
