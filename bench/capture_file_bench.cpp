// SPDX-License-Identifier: MIT
//
// What saving and loading cost: a capture of 10 million scopes on one thread, each in a process of its own, whose memory
// beyond what it began with is then known. Arguments: the number of scopes, and the file, which goes afterwards. Time is
// the processor's, so that other programs on the machine do not count; what the kernel took of it (copies of the file,
// new memory) stands apart, because that differs from machine to machine and from run to run.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "big_capture.h"
#include "flamelet/capture_file.h"

namespace {

double to_ns(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
}

struct CpuTime {
  double program_ns, kernel_ns;
};
CpuTime cpu_time() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return {to_ns(usage.ru_utime), to_ns(usage.ru_stime)};
}

// In a child: the peak counts from the fork on.
template <class Work>
int measure(const char* name, const char* path, Work work) {
  const pid_t child = fork();
  if (child == 0) {
    const long before_kib = peak_kib();
    const CpuTime before = cpu_time();
    const uint64_t events = work();
    const CpuTime after = cpu_time();
    const double kernel_ns = after.kernel_ns - before.kernel_ns;
    const double taken_ns = after.program_ns - before.program_ns + kernel_ns;
    FILE* file = std::fopen(path, "rb");
    if (events == 0 || file == nullptr) _exit(1);
    std::fseek(file, 0, SEEK_END);
    const auto bytes = static_cast<double>(std::ftell(file));
    const auto count = static_cast<double>(events);
    std::printf(
        "%-5s %9.0f events %6.2f ns/event (kernel: %5.2f) %7.1f M events/s %8.1f MB/s %6.2f bytes/event "
        "%8.1f MiB at most\n",
        name, count, taken_ns / count, kernel_ns / count, count / taken_ns * 1e3, bytes / taken_ns * 1e3, bytes / count,
        static_cast<double>(peak_kib() - before_kib) / 1024);
    std::fflush(stdout);
    _exit(0);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child ? status : 1;
}

uint64_t events_in(const flamelet_capture* capture) {
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  return stats.events_read;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t scopes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000000;
  const char* path = argc > 2 ? argv[2] : "capture_file_bench.flamelet";
  flamelet_capture* capture = make_big_capture(scopes);
  int failures = measure("save", path, [&]() -> uint64_t {
    return flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path) == FLAMELET_OK ? events_in(capture) : 0;
  });
  flamelet_capture_destroy(capture);
  failures += measure("load", path, [&]() -> uint64_t {
    flamelet_capture* loaded = nullptr;
    return flamelet_capture_load(nullptr, path, &loaded, nullptr) == FLAMELET_OK ? events_in(loaded) : 0;
  });
  std::remove(path);
  return failures == 0 ? 0 : 1;
}
