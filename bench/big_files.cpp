// SPDX-License-Identifier: MIT
//
// Writes the captures by which the times of `flamelet why` and `flamelet gate` in docs/performance.md were taken:
// flamelet_big_files FOLDER makes big.flamelet there (10 M scopes: 500 frames of 20,000), and base-1.flamelet to
// base-10.flamelet and new-1.flamelet to new-10.flamelet (1 M scopes each: 1000 frames of 1,000).
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "big_capture.h"
#include "flamelet/capture_file.h"
#include "flamelet/scope.h"

namespace {

// A main thread that does half of the work, then waits for a worker with the other half. Calls take 100 to 300 ns; one
// frame of 100 has twice the work.
class Game {
 public:
  Game(uint64_t seed, uint64_t started_unix_ns) : random_(seed) {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = size_t{1} << 30;
    if (flamelet_capture_builder_create(&config, &builder_) != FLAMELET_OK) std::abort();
    flamelet_capture_builder_set_origin(builder_, started_unix_ns);
    main_ = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("Main"));
    worker_ = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("Worker"));
    for (uint32_t i = 0; i < kSites; ++i) sites_[i] = site("scope " + std::to_string(i), "");
    wait_ = site("Wait", FLAMELET_WAIT_CATEGORY);
  }
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;

  void play(uint64_t frames, uint64_t scopes_a_frame) {
    for (uint64_t frame = 0; frame < frames; ++frame) {
      const int64_t begin_ns = now_ns_;
      const uint64_t groups = scopes_a_frame / 20 * (frame % 100 == 99 ? 2 : 1);
      next_ = 0;
      for (uint64_t i = 0; i < groups; ++i) group(main_);
      flamelet_capture_builder_begin(builder_, main_, now_ns_, wait_, 0, 0);
      for (uint64_t i = 0; i < groups; ++i) group(worker_);
      flamelet_capture_builder_flow(builder_, worker_, now_ns_, frame, false);
      flamelet_capture_builder_flow(builder_, main_, now_ns_ + 1, frame, true);
      flamelet_capture_builder_end(builder_, main_, now_ns_ += 2);
      flamelet_capture_builder_frame(builder_, frame, begin_ns, now_ns_, 0);
    }
  }
  void save(const std::string& path) {
    flamelet_capture* capture = nullptr;
    flamelet_capture_builder_finish(builder_, &capture);
    const flamelet_result result = flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path.c_str());
    flamelet_capture_destroy(capture);
    if (result == FLAMELET_OK) return;
    std::fprintf(stderr, "%s: %s\n", path.c_str(), flamelet_result_message(result));
    std::exit(1);
  }

 private:
  static constexpr uint32_t kSites = 200;

  uint32_t string(const std::string& text) {
    return flamelet_capture_builder_string(builder_, text.data(), text.size());
  }
  uint32_t site(const std::string& name, const char* category) {
    return flamelet_capture_builder_site(builder_, string(name), string(category), 0, 0, 0, 0);
  }
  void step() { now_ns_ += 50 + static_cast<int64_t>(random_() % 100); }
  void begin(uint32_t lane) {
    step();
    flamelet_capture_builder_begin(builder_, lane, now_ns_, sites_[next_], 0, 0);
    next_ = (next_ + 1) % kSites;
  }
  void end(uint32_t lane) {
    step();
    flamelet_capture_builder_end(builder_, lane, now_ns_);
  }
  void group(uint32_t lane) {
    ten_scopes([&] { begin(lane); }, [&] { end(lane); });
  }

  flamelet_capture_builder* builder_ = nullptr;
  uint32_t main_ = 0, worker_ = 0, wait_ = 0, sites_[kSites] = {}, next_ = 0;
  int64_t now_ns_ = 0;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::fprintf(stderr, "flamelet_big_files FOLDER\n");
    return 2;
  }
  const std::string folder = std::string(arguments[1]) + "/";
  Game big(0, 1);
  big.play(500, 20000);
  big.save(folder + "big.flamelet");
  for (uint64_t run = 0; run < 20; ++run) {  // in turns
    Game game(1 + run, 2 + run);
    game.play(1000, 1000);
    game.save(folder + (run % 2 == 0 ? "base-" : "new-") + std::to_string(1 + run / 2) + ".flamelet");
  }
}
