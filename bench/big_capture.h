// SPDX-License-Identifier: MIT
//
// big_capture.h: a capture of any number of scopes on one thread, for the benches of what leaves a capture.
#pragma once

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

#include "flamelet/capture_builder.h"

// Ten scopes: 1 + 3 * (1 + 2).
template <class Begin, class End>
void ten_scopes(Begin begin, End end) {
  begin();
  for (int i = 0; i < 3; ++i) {
    begin();
    for (int leaf = 0; leaf < 2; ++leaf) {
      begin();
      end();
    }
    end();
  }
  end();
}

// Groups of ten scopes, one in the other twice over: 1 + 3 * (1 + 2). Sites come in turn.
class BigCaptureBuilder {
 public:
  explicit BigCaptureBuilder(uint64_t scopes) {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.budget_bytes = size_t{3} << 30;  // address space: pages are touched as they fill
    if (flamelet_capture_builder_create(&config, &builder_) != FLAMELET_OK) std::abort();
    lane_ = flamelet_capture_builder_lane(builder_, FLAMELET_LANE_THREAD, string("main", 0));
    for (uint32_t i = 0; i < kSites; ++i)
      sites_[i] = flamelet_capture_builder_site(builder_, string("scope", i), string("bench", 0), string("file", i / 8),
                                                0, i, 0);
    for (uint64_t done = 0; done < scopes; done += kScopesPerFrame) {
      const int64_t begin_ns = now_ns_;
      for (uint32_t i = 0; i < kScopesPerFrame; i += 10) group();
      flamelet_capture_builder_frame(builder_, done / kScopesPerFrame, begin_ns, now_ns_, 0);
    }
  }
  flamelet_capture* finish() {
    flamelet_capture* capture = nullptr;
    flamelet_capture_builder_finish(builder_, &capture);
    return capture;
  }

 private:
  static constexpr uint32_t kSites = 200;
  static constexpr uint32_t kScopesPerFrame = 1000;
  static constexpr int64_t kStepNs = 100;

  uint32_t string(const char* text, uint32_t number) {
    char name[32];
    const int size = snprintf(name, sizeof name, "%s %u", text, number);
    return flamelet_capture_builder_string(builder_, name, static_cast<size_t>(size));
  }
  void begin() {
    flamelet_capture_builder_begin(builder_, lane_, now_ns_ += kStepNs, sites_[next_], 0, 0);
    next_ = next_ + 1 == kSites ? 0 : next_ + 1;
  }
  void end() { flamelet_capture_builder_end(builder_, lane_, now_ns_ += kStepNs); }
  void group() {
    ten_scopes([this] { begin(); }, [this] { end(); });
  }

  flamelet_capture_builder* builder_ = nullptr;
  uint32_t lane_ = 0;
  uint32_t sites_[kSites] = {};
  uint32_t next_ = 0;
  int64_t now_ns_ = 0;
};

inline flamelet_capture* make_big_capture(uint64_t scopes) {
  return BigCaptureBuilder(scopes).finish();
}

inline long peak_kib() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}
