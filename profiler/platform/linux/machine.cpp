// SPDX-License-Identifier: MIT
//
// machine.cpp: from /proc and /sys. No rights are needed. Temperatures are not read: a sensor can take milliseconds.
#include "platform/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/posix/file_calls.h"

namespace flamelet {
namespace {

char limit_path[512];  // cpu.stat of the control group that has a limit of processor time; "": none has

// The first bytes of a file as text; "" if it cannot be read.
template <size_t kSize>
bool read_file(const char* path, char (&text)[kSize]) {
  text[0] = 0;
  const int file = static_cast<int>(retried([path] { return open(path, O_RDONLY | O_CLOEXEC); }));
  if (file < 0) return false;
  const ssize_t count = retried([&] { return read(file, text, kSize - 1); });
  close(file);
  text[count > 0 ? count : 0] = 0;
  return count > 0;
}

// The number behind a word at the beginning of a line, or of what follows.
bool number_after(const char* text, const char* word, uint64_t* number) {
  const char* const at = text == nullptr ? nullptr : strstr(text, word);
  if (at == nullptr) return false;
  char* end;
  *number = strtoull(at + strlen(word), &end, 10);
  return end != at + strlen(word);
}

// Whether this control group limits the processor time of its members. Version 2 writes "max 100000" for none, 1 writes -1.
bool has_limit(const char* group, const char* file) {
  char path[512], text[64];
  const int length = snprintf(path, sizeof path, "%s/%s", group, file);
  return length > 0 && static_cast<size_t>(length) < sizeof path && read_file(path, text) && text[0] >= '0' &&
         text[0] <= '9';
}

// From the process's control group upwards, the first one that has a limit. `path` is as /proc/self/cgroup has it, and
// becomes shorter.
void find_limit(const char* mount, char* path, const char* limit_file) {
  for (;;) {
    char group[480];
    const int length = snprintf(group, sizeof group, "%s%s", mount, strcmp(path, "/") == 0 ? "" : path);
    const bool fits = length > 0 && static_cast<size_t>(length) < sizeof group;
    if (fits && has_limit(group, limit_file)) {
      snprintf(limit_path, sizeof limit_path, "%s/cpu.stat", group);
      return;
    }
    char* const slash = strrchr(path, '/');
    if (slash == nullptr || path[1] == 0) return;
    slash[slash == path ? 1 : 0] = 0;
  }
}

// Lines of "0::/path" (version 2) and "4:cpu,cpuacct:/path" (version 1).
void find_limits(char* lines) {
  char* rest = lines;
  for (char* line; limit_path[0] == 0 && (line = strsep(&rest, "\n")) != nullptr;) {
    const char* const controllers = strchr(line, ':');
    char* const path = controllers == nullptr ? nullptr : strchr(line, '/');
    if (path == nullptr) continue;
    if (strncmp(line, "0::", 3) == 0) {
      find_limit("/sys/fs/cgroup", path, "cpu.max");
      if (limit_path[0] == 0) find_limit("/sys/fs/cgroup/unified", path, "cpu.max");
    } else if (strncmp(controllers, ":cpu:", 5) == 0 || strncmp(controllers, ":cpu,", 5) == 0) {
      find_limit("/sys/fs/cgroup/cpu", path, "cpu.cfs_quota_us");
    }
  }
}

}  // namespace

void find_machine() {
  const int kept = errno;
  char text[4096];
  limit_path[0] = 0;
  if (read_file("/proc/self/cgroup", text)) find_limits(text);
  errno = kept;
}

void read_machine(MachineReading* reading) {
  const int kept = errno;
  *reading = {};
  char text[1024], path[96];
  uint64_t number;
  if (read_file("/proc/self/statm", text) && number_after(strchr(text, ' '), " ", &number)) {
    reading->resident_bytes = number * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    reading->known |= kKnowsResident;
  }
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", sched_getcpu());
  if (read_file(path, text) && number_after(text, "", &number)) {
    reading->processor_hz = number * 1000;
    reading->known |= kKnowsProcessor;
  }
  if (limit_path[0] != 0 && read_file(limit_path, text)) {
    if (number_after(text, "throttled_usec ", &number)) {
      reading->limited_ns = number * 1000;
      reading->known |= kKnowsLimited;
    } else if (number_after(text, "throttled_time ", &reading->limited_ns)) {
      reading->known |= kKnowsLimited;
    }
  }
  // "cpu" and user, nice, system, idle, iowait, irq, softirq, steal.
  if (read_file("/proc/stat", text)) {
    const char* at = strchr(text, ' ');
    for (int field = 0; at != nullptr && field < 7; ++field) at = strchr(at + (field == 0 ? 2 : 1), ' ');
    if (number_after(at, " ", &number)) {
      reading->host_ns = number * 1'000'000'000 / static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
      reading->known |= kKnowsHost;
    }
  }
  if (read_file("/proc/pressure/memory", text) && number_after(text, "total=", &number)) {
    reading->memory_ns = number * 1000;
    reading->known |= kKnowsMemory;
  }
  errno = kept;
}

}  // namespace flamelet
