// SPDX-License-Identifier: MIT
//
// What an export costs: a capture of 10 million scopes on one thread, written in each format by a process of its own,
// whose memory beyond the capture's is then known. The output goes nowhere. Argument: the number of scopes.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "flamelet/capture_builder.h"
#include "flamelet/export.h"

namespace {

constexpr const char* kFormats[FLAMELET_EXPORT_FORMAT_COUNT] = {"Chrome JSON", "pprof", "speedscope", "collapsed",
                                                                "Perfetto"};
constexpr uint32_t kSites = 200;
constexpr uint32_t kScopesPerFrame = 1000;
constexpr int64_t kStepNs = 100;

// Groups of ten scopes, one in the other twice over: 1 + 3 * (1 + 2). Sites come in turn.
class Builder {
 public:
  explicit Builder(uint64_t scopes) {
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

  flamelet_capture_builder* builder_ = nullptr;
  uint32_t lane_ = 0;
  uint32_t sites_[kSites] = {};
  uint32_t next_ = 0;
  int64_t now_ns_ = 0;
};

long peak_kib() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// In a child: the peak counts from the fork on.
int measure(const flamelet_capture* capture, flamelet_export_format format, bool gzip) {
  const long before_kib = peak_kib();
  flamelet_export_options options = flamelet_export_options_default();
  options.gzip = gzip;
  const flamelet_export_sink nowhere = {[](void*, const void*, size_t) { return true; }, nullptr};
  flamelet_export_report report;
  const auto begin = std::chrono::steady_clock::now();
  const flamelet_result result = flamelet_export(capture, format, &options, nowhere, &report);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  const long peak = peak_kib() - before_kib;
  if (result != FLAMELET_OK || report.spans == 0) return 1;
  const auto spans = static_cast<double>(report.spans);
  printf("%-12s %-5s %9.0f scopes %7.1f ns/scope %7.2f bytes/scope %8.1f MiB at most\n", kFormats[format],
         gzip ? "gzip" : "", spans, taken.count() / spans, static_cast<double>(report.bytes) / spans,
         static_cast<double>(peak) / 1024);
  fflush(stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t scopes = argc > 1 ? strtoull(argv[1], nullptr, 10) : 10000000;
  flamelet_capture* capture = Builder(scopes).finish();
  int failures = 0;
  for (int format = 0; format < FLAMELET_EXPORT_FORMAT_COUNT; ++format) {
    for (int gzip = format == FLAMELET_EXPORT_PPROF ? 1 : 0; gzip < 2; ++gzip) {  // pprof is always compressed
      const pid_t child = fork();
      if (child == 0) _exit(measure(capture, static_cast<flamelet_export_format>(format), gzip != 0));
      int status = 1;
      if (child < 0 || waitpid(child, &status, 0) != child) status = 1;
      failures += status != 0;
    }
  }
  flamelet_capture_destroy(capture);
  return failures == 0 ? 0 : 1;
}
