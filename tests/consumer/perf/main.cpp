// SPDX-License-Identifier: MIT
//
// A program that logs its PERF blocks. Exits with 0 when each of them is in the log.
#include <flamelet/flamelet.h>
#include <flamelet/perf.h>
#include <flamelet/perf_log.h>

#include <cstdio>
#include <string>

static void frame() {
  PERF_FUNCTION();
  PERF_BLOCK(collect);
  PERF_BLOCK_END;
}

int main() {
  const flamelet_config config = flamelet_config_default();
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  std::string text;
  flamelet_perf_log_config log_config = flamelet_perf_log_config_default();
  log_config.sink = {[](void* user, const void* more, size_t size) {
                       static_cast<std::string*>(user)->append(static_cast<const char*>(more), size);
                       return true;
                     },
                     &text};
  flamelet_perf_log* log = nullptr;
  if (flamelet_perf_log_create(&log_config, &log) != FLAMELET_OK) return 1;
  for (int i = 0; i < 3; ++i) frame();
  const bool logged = flamelet_perf_log_destroy(log) == FLAMELET_OK;
  flamelet_shutdown();
  std::fputs(text.c_str(), stdout);
  int frames = 0;
  for (size_t at = text.find("2,collect,"); at != std::string::npos; at = text.find("2,collect,", at + 1)) ++frames;
#ifdef FLAMELET_DISABLED
  return logged && frames == 0 ? 0 : 1;
#else
  return logged && frames == 3 ? 0 : 1;
#endif
}
