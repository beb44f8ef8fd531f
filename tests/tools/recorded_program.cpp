// SPDX-License-Identifier: MIT
//
// What the tests of `flamelet record` run: records a frame with 100 scopes, and ends as its argument says.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>

#include "flamelet/flamelet.h"

namespace {

// The first of two sessions, or the only one.
void record_one_frame() {
  { FLAMELET_SCOPE("the one"); }
  flamelet_frame();
}

}  // namespace

int main(int argument_count, char** arguments) {
  const char* end = argument_count > 1 ? arguments[1] : "";
  if (std::strcmp(end, "silent") == 0) return 5;
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{4} << 20;
  config.ring_path_from_environment = true;
  config.note = "recorded program";
  if (flamelet_init(&config) != FLAMELET_OK) return 100;
  if (std::strcmp(end, "one") == 0 || std::strcmp(end, "sessions") == 0) {
    record_one_frame();
    if (std::strcmp(end, "one") == 0) return 0;
    if (flamelet_shutdown() != FLAMELET_OK || flamelet_init(&config) != FLAMELET_OK) return 100;
  }
  flamelet_frame();
  for (int i = 0; i < 100; ++i) FLAMELET_SCOPE_CATEGORY("work", "work");
  flamelet_frame();
  FLAMELET_SCOPE("the end");
  for (int i = 0; std::strcmp(end, "deep") == 0 && i < 300; ++i) flamelet_begin("deep", "", nullptr);
  if (std::strcmp(end, "outlive") == 0)  // its launcher
    for (creat("begun", 0600); access("begun", F_OK) == 0 && access("go", F_OK) != 0;) usleep(1000);
  if (std::strcmp(end, "crash") == 0) abort();
  if (std::strcmp(end, "stop") == 0) {  // by the signal that the parent is asked to pass on
    kill(getppid(), SIGTERM);
    for (;;) pause();
  }
  return argument_count > 2 ? atoi(arguments[2]) : 0;
}
