// SPDX-License-Identifier: MIT
//
// record_game FILE FRAMES SCOPES
//
// Saves a capture of a game that was never played: FRAMES frames with about SCOPES scopes in all, on a clock that the
// program turns by hand, so that equal arguments give equal captures.
#include <flamelet/capture_file.h>
#include <flamelet/flamelet.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

uint64_t now_ns = 1'000'000;
uint64_t read_clock(void*) {
  return now_ns;
}

class Game {
 public:
  explicit Game(unsigned scopes_per_frame) : scopes_(scopes_per_frame) {}

  void frame() {
    {
      FLAMELET_SCOPE("Frame");
      {
        FLAMELET_SCOPE("World::update");
        for (unsigned left = scopes_ / 2; left > 4; left -= 5) squad();
      }
      FLAMELET_SCOPE("Render & present");
      for (unsigned left = scopes_ / 2; left > 2; left -= 3) pass();
    }
    FLAMELET_COUNTER("draw calls", static_cast<double>(scopes_ + random_() % 50));
    flamelet_frame();
  }

 private:
  void wait() { now_ns += 200 + random_() % 4000; }

  void squad() {  // five scopes
    FLAMELET_SCOPE("Steer \"squad\"");
    wait();
    for (int i = 0; i < 3; ++i) {
      FLAMELET_SCOPE("ai_think");
      wait();
    }
    FLAMELET_SCOPE("Bewegung: Größe");
    wait();
  }
  void pass() {  // three
    FLAMELET_SCOPE("Pass");
    wait();
    {
      FLAMELET_SCOPE("Cull");
      wait();
    }
    FLAMELET_SCOPE("Draw");
    wait();
  }

  unsigned scopes_;
  std::minstd_rand random_{7};
};

int fail(const char* what, flamelet_result result) {
  std::fprintf(stderr, "%s: %s\n", what, flamelet_result_message(result));
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return std::fprintf(stderr, "usage: record_game FILE FRAMES SCOPES\n"), 2;
  const unsigned frames = static_cast<unsigned>(std::atoi(arguments[2]));
  const unsigned scopes = static_cast<unsigned>(std::atoi(arguments[3]));
  flamelet_config config = flamelet_config_default();
  config.clock = read_clock;
  config.clock_ticks_per_second = 1e9;
  config.budget_bytes = size_t{64} << 20;
  flamelet_result result = flamelet_init(&config);
  if (result != FLAMELET_OK) return fail("init", result);
  flamelet_set_thread_name("Main");
  Game game(scopes / frames);
  for (unsigned i = 0; i < frames; ++i) game.frame();

  flamelet_capture_config capture_config = flamelet_capture_config_default();
  capture_config.budget_bytes = size_t{128} << 20;
  flamelet_capture* capture = nullptr;
  result = flamelet_capture_create(&capture_config, &capture);
  if (result != FLAMELET_OK) return fail("capture", result);
  flamelet_capture_update(capture);
  result = flamelet_capture_save(capture, INT64_MIN, INT64_MAX, arguments[1]);
  if (result != FLAMELET_OK) return fail(arguments[1], result);
  flamelet_capture_destroy(capture);
  flamelet_shutdown();
  return 0;
}
