// SPDX-License-Identifier: MIT
//
// The code of docs/integrate.md that saves a capture after a frame that took too long.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "flamelet/capture_file.h"
#include "flamelet/recorder.h"

namespace {

uint64_t now_ns = 0;

// From here on as in the guide.
struct HitchWatch {
  flamelet_capture* capture = NULL;
  uint64_t next = 0;  // the first frame that was not looked at
  unsigned saved = 0;
};

// Now and then, on a thread of its own. Saves the frames around each frame that took longer than `bound_ns`.
void look_for_hitches(HitchWatch* watch, int64_t bound_ns, const char* folder) {
  const uint64_t around = 3;  // frames before it and behind it; results of the GPU come in late
  flamelet_capture_update(watch->capture);
  const size_t count = flamelet_capture_frame_count(watch->capture);
  for (size_t i = 0; i + around < count; ++i) {
    flamelet_frame_info frame, first, last;
    flamelet_capture_frame(watch->capture, i, &frame);
    if (frame.index < watch->next) continue;
    watch->next = frame.index + 1;
    if (frame.end_ns - frame.begin_ns <= bound_ns || frame.flags != 0) continue;
    flamelet_capture_frame(watch->capture, i > around ? i - around : 0, &first);
    flamelet_capture_frame(watch->capture, i + around, &last);
    const std::string path = std::string(folder) + "/hitch-" + std::to_string(frame.index) + ".flamelet";
    if (flamelet_capture_save(watch->capture, first.begin_ns, last.end_ns, path.c_str()) == FLAMELET_OK) ++watch->saved;
    watch->next = last.index + 1;  // what follows closely is in this file
  }
}
// To here.

void play_frames(int count, int slow) {
  for (int i = 0; i < count; ++i) {
    const flamelet_id id = flamelet_begin("Update", "", nullptr);
    now_ns += i == slow ? 80000000u : 10000000u;
    flamelet_end(id);
    flamelet_frame();
  }
}

}  // namespace

TEST_CASE("integration guide: a frame over the bound is saved once, with those around it") {
  std::string folder = (std::filesystem::temp_directory_path() / "flamelet-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  flamelet_config config = flamelet_config_default();
  config.clock = [](void*) { return now_ns; };
  config.clock_ticks_per_second = 1e9;
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  HitchWatch watch;
  const flamelet_capture_config capture_config = flamelet_capture_config_default();
  REQUIRE(flamelet_capture_create(&capture_config, &watch.capture) == FLAMELET_OK);

  play_frames(20, -1);
  look_for_hitches(&watch, 33000000, folder.c_str());
  CHECK(watch.saved == 0);
  play_frames(20, 17);
  look_for_hitches(&watch, 33000000, folder.c_str());  // too early: what follows it has not been recorded yet
  CHECK(watch.saved == 0);
  for (int i = 0; i < 3; ++i) {
    play_frames(10, -1);
    look_for_hitches(&watch, 33000000, folder.c_str());
    CHECK(watch.saved == 1);
  }
  flamelet_capture_destroy(watch.capture);
  flamelet_shutdown();

  flamelet_capture* saved = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, (folder + "/hitch-37.flamelet").c_str(), &saved, nullptr) == FLAMELET_OK);
  flamelet_frame_info frame;
  REQUIRE(flamelet_capture_frame(saved, flamelet_capture_find_frame(saved, 37), &frame));
  CHECK(frame.end_ns - frame.begin_ns == 80000000);
  CHECK(flamelet_capture_find_frame(saved, 34) != SIZE_MAX);
  CHECK(flamelet_capture_find_frame(saved, 40) != SIZE_MAX);
  flamelet_capture_destroy(saved);
  std::filesystem::remove_all(folder);
}
