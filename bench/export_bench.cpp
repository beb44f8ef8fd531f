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

#include "big_capture.h"
#include "flamelet/export.h"

namespace {

// In a child: the peak counts from the fork on.
int measure(const flamelet_capture* capture, flamelet_export_format format, bool gzip) {
  const long before_kib = peak_kib();
  flamelet_export_options options = flamelet_export_options_default();
  options.gzip = gzip;
  const flamelet_sink nowhere = {[](void*, const void*, size_t) { return true; }, nullptr};
  flamelet_export_report report;
  const auto begin = std::chrono::steady_clock::now();
  const flamelet_result result = flamelet_export(capture, format, &options, nowhere, &report);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  const long peak = peak_kib() - before_kib;
  if (result != FLAMELET_OK || report.spans == 0) return 1;
  const auto spans = static_cast<double>(report.spans);
  printf("%-12s %-5s %9.0f scopes %7.1f ns/scope %7.2f bytes/scope %8.1f MiB at most\n",
         flamelet_export_format_get_info(static_cast<int>(format))->name, gzip ? "gzip" : "", spans,
         taken.count() / spans, static_cast<double>(report.bytes) / spans, static_cast<double>(peak) / 1024);
  fflush(stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t scopes = argc > 1 ? strtoull(argv[1], nullptr, 10) : 10000000;
  flamelet_capture* capture = make_big_capture(scopes);
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
