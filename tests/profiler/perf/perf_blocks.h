// SPDX-License-Identifier: MIT
//
// A recorder whose time stands still until work() passes some, and the blocks that it recorded.
#pragma once

#undef FLAMELET_DISABLED
#include <string>
#include <vector>

#include "flamelet/perf.h"
#include "support/capture.h"
#include "support/recording.h"

namespace perf_test {

using recorder_test::now_ns;

inline void work(uint64_t ns = 10) {
  now_ns += ns;
}

// `pages` beyond the least, a clock that only work() moves, a few fibers.
inline flamelet_config still_config(uint32_t pages = 1024) {
  flamelet_config config = recorder_test::small_config();
  config.max_tracks = 16;
  config.max_fibers = 8;
  recorder_test::keep_pages(&config, pages);
  return recorder_test::with_still_clock(config, 1000);  // where the recorder's time begins
}

struct Block {
  std::string name;
  std::string category;
  int depth;
  int64_t begin_ns;
  int64_t end_ns;
  uint32_t flags;
};

class Blocks : public recorder_test::Recording {
 public:
  Blocks() : Recording(still_config()) {}

  // What a lane holds, the calling thread's unless another is given.
  std::vector<Block> all(flamelet_lane_kind kind = FLAMELET_LANE_THREAD, uint32_t id = flamelet_thread_id()) const {
    recorder_test::Capture capture(flamelet_capture_config_default(), recorder_test::Captured::kNow);
    std::vector<Block> result;
    for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
      const flamelet_lane_info info = recorder_test::lane_of(capture, lane);
      if (info.kind != kind || info.id != id) continue;
      for (const flamelet_span& span : capture.spans(lane)) {
        const flamelet_site_info site = recorder_test::site_of(capture, span.site);
        result.push_back(
            {capture.string(span.name), site.category.text, span.depth, span.begin_ns, span.end_ns, span.flags});
      }
    }
    return result;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const Block& block : all()) result.push_back(block.name);
    return result;
  }
  // "outer 0..30, >inner 10..20", and ", extra ends: 1" if there are any.
  std::string text(flamelet_lane_kind kind = FLAMELET_LANE_THREAD, uint32_t id = flamelet_thread_id()) const {
    std::string result;
    for (const Block& block : all(kind, id)) {
      if (!result.empty()) result += ", ";
      result += std::string(static_cast<size_t>(block.depth), '>') + block.name + " " + std::to_string(block.begin_ns) +
                ".." + std::to_string(block.end_ns);
      CHECK(block.flags == 0);
    }
    if (extra_ends() != 0) result += ", extra ends: " + std::to_string(extra_ends());
    return result;
  }
  uint64_t extra_ends() const {
    const flamelet_stats stats = recorder_test::stats();
    CHECK(stats.missing_ends == 0);
    return stats.extra_ends;
  }
};

}  // namespace perf_test
