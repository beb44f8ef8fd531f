// SPDX-License-Identifier: MIT
//
// A recorder whose time passes by hand, with its performance log as text.
#pragma once

#include <fstream>
#include <string>

#include "flamelet/perf_log.h"
#include "perf_blocks.h"
#include "support/string_io.h"
#include "temporary_folder.h"

namespace perf_test {

inline flamelet_perf_log* log_to(std::string* text,
                                 flamelet_perf_log_config config = flamelet_perf_log_config_default()) {
  config.sink = sink_to(text);
  flamelet_perf_log* log = nullptr;
  REQUIRE(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  return log;
}

// Time begins at 0, and the calling thread is "main".
inline void start_recorder(uint32_t pages = 1024) {
  flamelet_config config = still_config(pages);
  now_ns = 0;
  REQUIRE(flamelet_init(&config) == FLAMELET_OK);
  flamelet_set_thread_name("main");
}

class Log {
 public:
  explicit Log(flamelet_perf_log_config config = flamelet_perf_log_config_default(), uint32_t pages = 1024) {
    start_recorder(pages);
    if (config.path == nullptr && config.sink.write == nullptr) config.sink = sink_to(&text);
    REQUIRE(flamelet_perf_log_create(&config, &log) == FLAMELET_OK);
  }
  ~Log() {
    flamelet_perf_log_destroy(log);
    flamelet_shutdown();
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  std::string poll() {
    text.clear();
    CHECK(flamelet_perf_log_poll(log) == FLAMELET_OK);
    return text;
  }
  flamelet_perf_log_stats stats() const {
    flamelet_perf_log_stats result;
    flamelet_perf_log_get_stats(log, &result);
    return result;
  }
  flamelet_perf_routine routine(const std::string& name) const {
    flamelet_perf_routine result;
    for (size_t i = 0; flamelet_perf_log_routine(log, i, &result); ++i)
      if (std::string(result.name.text, result.name.size) == name) return result;
    FAIL("no routine of this name");
    return result;
  }

  flamelet_perf_log* log = nullptr;
  std::string text;
};

inline void named_block(const char* name, uint64_t ns) {
  const flamelet_id id = flamelet_begin(flamelet_intern(name), FLAMELET_PERF_CATEGORY, nullptr);
  work(ns);
  flamelet_end(id);
}

inline size_t count_of(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// A log's file, in a folder of its own.
class LogFile {
 public:
  std::string read() const { return read_file(path); }
  void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }

 private:
  TemporaryFolder folder_;

 public:
  const std::string path = folder_.file("perf.log");
};

}  // namespace perf_test
