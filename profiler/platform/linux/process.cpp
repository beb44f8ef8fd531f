// SPDX-License-Identifier: MIT
//
// process.cpp: the process, and its threads from /proc/self/task and their CPU clocks. No rights are needed.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>

#include "platform/atomic.h"
#include "platform/posix/file_calls.h"
#include "platform/process.h"
#include "platform/thread_account.h"

namespace flamelet {

// ---- environment

const char* environment_of_user(const char* name) {
  if (getauxval(AT_SECURE) != 0) return nullptr;  // also for file capabilities, which no user id tells
  const char* value = getenv(name);
  return value != nullptr && value[0] != 0 ? value : nullptr;
}

// ---- huge pages

void* allocate_huge_pages(size_t size, size_t alignment) {
  constexpr size_t kHugePageBytes = size_t{2} << 20;
  if (size < kHugePageBytes || alignment > kHugePageBytes) return allocate_aligned(size, alignment);
  void* memory = allocate_aligned(size, kHugePageBytes);
  if (memory != nullptr) madvise(memory, size & ~(kHugePageBytes - 1), MADV_HUGEPAGE);
  return memory;
}

// ---- process barrier

bool prepare_process_barrier() {
  return syscall(__NR_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0;
}

bool process_barrier() {
  return syscall(__NR_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == 0;
}

}  // namespace flamelet

// ---- process symbol

// Before glibc 2.34 it is in a library of its own, which a program need not link.
#pragma weak dlsym

namespace flamelet {

void* symbol_of_process(const char* name) {
  return &dlsym != nullptr ? dlsym(nullptr, name) : nullptr;  // NULL: all that is loaded
}

// ---- threads

namespace {

class KeepErrno {
 public:
  KeepErrno() : errno_(errno) {}
  ~KeepErrno() { errno = errno_; }
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;

 private:
  const int errno_;
};

// Not by snprintf(), which may not be called in a signal handler.
int open_task_file(uint32_t thread, const char* name) {
  char digits[10];
  size_t first = sizeof digits;
  for (; first == sizeof digits || thread != 0; thread /= 10) digits[--first] = static_cast<char>('0' + thread % 10);
  char path[64] = "/proc/self/task/";
  char* end = path + strlen(path);
  memcpy(end, digits + first, sizeof digits - first);
  end += sizeof digits - first;
  *end++ = '/';
  strcpy(end, name);
  return static_cast<int>(retried([&path] { return open(path, O_RDONLY | O_CLOEXEC); }));
}

// The next decimal number from *at on; moves *at behind it. False: there is none.
bool take_number(const char** at, uint64_t* number) {
  while (**at == ' ') ++*at;
  if (**at < '0' || **at > '9') return false;
  for (*number = 0; **at >= '0' && **at <= '9'; ++*at) *number = *number * 10 + static_cast<uint64_t>(**at - '0');
  return true;
}

template <size_t kSize>
bool read_text(int file, char (&text)[kSize]) {
  const ssize_t count = retried([&] { return pread(file, text, kSize - 1, 0); });
  text[count > 0 ? count : 0] = 0;
  return count > 0;
}

// That of the main thread, which others begin with.
char process_name[17];

// As pthread_getcpuclockid() makes it, which wants a pthread_t: the number's complement, the thread's own and not its
// process's, by the scheduler.
clockid_t cpu_clock_of(uint32_t thread) {
  return static_cast<clockid_t>(~thread << 3 | 4u | 2u);
}

}  // namespace

uint32_t this_thread_number() {
  return static_cast<uint32_t>(syscall(SYS_gettid));
}

OpenAccount open_thread_account(uint32_t thread) {
  const KeepErrno kept;
  const int file = open_task_file(thread, "schedstat");
  return file < 0 ? OpenAccount{} : OpenAccount{intptr_t{file} + 1, identity_of(file)};
}

size_t most_open_accounts() {
  const KeepErrno kept;
  rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) != 0 ? 0 : static_cast<size_t>(limit.rlim_cur / 4);
}

void read_thread_account(OpenAccount* open, uint32_t thread, ThreadAccount* account) {
  *account = {};
  const KeepErrno kept;
  // The clock counts the running stretch, too; schedstat has it only up to the last tick of the scheduler.
  timespec ran;
  if (clock_gettime(cpu_clock_of(thread), &ran) == 0) {
    account->ran = static_cast<uint64_t>(ran.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(ran.tv_nsec);
    account->known |= kKnowsRan;
  }
  char text[96];
  if (open->handle == 0) return;
  if (!is_same_file(static_cast<int>(open->handle) - 1, open->identity)) *open = open_thread_account(thread);
  if (open->handle == 0 || !read_text(static_cast<int>(open->handle) - 1, text)) return;
  const char* at = text;
  uint64_t on_cpu, ready_ns, switches;
  // A thread was on a processor at least once: a kernel without these counts says 0.
  if (!take_number(&at, &on_cpu) || !take_number(&at, &ready_ns) || !take_number(&at, &switches) || switches == 0)
    return;
  account->ready_ns = ready_ns;
  account->switches = switches;
  account->known |= kKnowsReady | kKnowsSwitches;
}

void close_thread_account(const OpenAccount& open) {
  const KeepErrno kept;
  const int file = static_cast<int>(open.handle) - 1;
  if (file >= 0 && is_same_file(file, open.identity)) close(file);
}

bool process_page_faults(PageFaults* faults) {
  const KeepErrno kept;
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return false;
  *faults = {static_cast<uint64_t>(usage.ru_majflt), static_cast<uint64_t>(usage.ru_minflt)};
  return true;
}

bool thread_page_faults(uint32_t thread, PageFaults* faults) {
  const KeepErrno kept;
  const int file = open_task_file(thread, "stat");
  if (file < 0) return false;
  char text[512];
  const bool is_read = read_text(file, text);
  close(file);
  // The name may hold anything, so the last bracket ends it. Behind it, the eighth field has the minor faults, the ninth
  // those of children, and the tenth the major ones.
  const char* at = is_read ? strrchr(text, ')') : nullptr;
  for (int field = 0; at != nullptr && field < 8; ++field) at = strchr(at + 1, ' ');
  uint64_t of_children;
  return at != nullptr && take_number(&at, &faults->minor) && take_number(&at, &of_children) &&
         take_number(&at, &faults->major);
}

void know_process_name() {
  const KeepErrno kept;
  const int file = static_cast<int>(retried([] { return open("/proc/self/comm", O_RDONLY | O_CLOEXEC); }));
  if (file < 0) return;
  if (read_text(file, process_name)) process_name[strcspn(process_name, "\n")] = 0;
  close(file);
}

bool this_thread_name(char (&name)[kThreadNameBytes]) {
  return prctl(PR_GET_NAME, name) == 0 && name[0] != 0 && strcmp(name, process_name) != 0;  // 16 bytes at most
}

bool thread_name(uint32_t thread, char (&name)[kThreadNameBytes]) {
  const KeepErrno kept;
  const int file = open_task_file(thread, "comm");
  if (file < 0) return false;
  const bool is_read = read_text(file, name);
  close(file);
  name[strcspn(name, "\n")] = 0;
  return is_read && name[0] != 0 && strcmp(name, process_name) != 0;
}

// The machine: from /proc and /sys. No rights are needed. Temperatures are not read: a sensor can take milliseconds.

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

// Switches of threads: by perf events. An event that counts nothing has the kernel write a record for each switch of its
// thread, and of the threads that this one starts. Its memory is a ring for each processor. No rights are needed as long as
// kernel.perf_event_paranoid is at most 2, because nothing of the kernel itself is asked for.

#ifndef PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
#define PERF_RECORD_MISC_SWITCH_OUT_PREEMPT (1 << 14)  // since Linux 4.17
#endif

namespace flamelet {
namespace {

constexpr size_t kMostRingBytes = 256 * 1024;  // 8,192 switches
constexpr size_t kLeastRingBytes = 16 * 1024;
constexpr uint64_t kMostRecordBytes = 56, kLostBytes = 48;

// An event of a thread that ran already. The kernel gives an event's id to no other, so it tells whether the file is still
// the event: all events, and much else, share one inode.
struct OtherEvent {
  int file;
  uint64_t id;
};

// One processor's.
struct SwitchRing {
  int file;  // only until all is opened: the mapping keeps the event
  uint32_t processor;
  perf_event_mmap_page* head_page;
  const char* data;
  size_t bytes;  // of the data
  uint64_t at, end;
  uint64_t last_ns;  // of the newest record that was taken
  bool is_full;      // and so, perhaps, something is missing behind the end
  // The record at `at`.
  ThreadSwitch next;
  uint64_t next_bytes;
};

// The rings, which of them have something, and behind these the files of the threads that ran already.
struct SwitchFiles {
  SwitchRing* rings;
  SwitchRing** waiting;  // a heap, the oldest record first
  OtherEvent* others;
  uint32_t ring_count, waiting_count, other_count, most_others;
  size_t bytes;  // of this table
  uint32_t process;
};
SwitchFiles switch_files = {};

size_t page_bytes() {
  return static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

perf_event_attr switch_event() {
  perf_event_attr event;
  memset(&event, 0, sizeof event);
  event.size = sizeof event;
  event.type = PERF_TYPE_SOFTWARE;
  event.config = PERF_COUNT_SW_DUMMY;
  event.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
  event.sample_id_all = 1;
  event.context_switch = 1;
  event.task = 1;  // a thread that ends is not switched off with a record
  event.exclude_kernel = 1;
  event.exclude_hv = 1;
  event.inherit = 1;
#ifdef PERF_ATTR_SIZE_VER7
  event.inherit_thread = 1;  // not by the children of a fork
#endif
  event.use_clockid = 1;
  event.clockid = CLOCK_MONOTONIC;
  event.watermark = 1;
  event.wakeup_watermark = 1u << 30;  // nobody is woken
  return event;
}

int open_event(uint32_t thread, uint32_t processor) {
  perf_event_attr event = switch_event();
  const auto call = [&] {
    return retried([&] {
      return syscall(SYS_perf_event_open, &event, static_cast<pid_t>(thread), static_cast<int>(processor), -1,
                     PERF_FLAG_FD_CLOEXEC);
    });
  };
  long file = call();
#ifdef PERF_ATTR_SIZE_VER7
  if (file < 0 &&
      (errno == EINVAL || errno == E2BIG)) {  // before Linux 5.13: what children of a fork write is left out
    event.inherit_thread = 0;
    file = call();
  }
#endif
  return static_cast<int>(file);
}

// -1: the kernel has no perf events.
int paranoid_level() {
  const int file =
      static_cast<int>(retried([] { return open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC); }));
  if (file < 0) return errno == ENOENT ? -1 : 0;
  char text[16] = {};
  const ssize_t count = retried([&] { return read(file, text, sizeof text - 1); });
  close(file);
  return count > 0 ? std::max(0, atoi(text)) : 0;
}

flamelet_thread_states refusal(int error) {
  const int level = paranoid_level();
  if (level < 0) return FLAMELET_THREAD_STATES_NOT_IN_KERNEL;
  switch (error) {
    case EACCES:
    case EPERM:
      return level > 2 ? FLAMELET_THREAD_STATES_PARANOID : FLAMELET_THREAD_STATES_FILTERED;
    case ENOSYS:
      return FLAMELET_THREAD_STATES_FILTERED;
    case EMFILE:
    case ENFILE:
      return FLAMELET_THREAD_STATES_OPEN_FILES;
    default:
      return FLAMELET_THREAD_STATES_FAILED;
  }
}

// The type of a request is an int in musl.
template <class Request>
bool read_id(int (*control)(int, Request, ...), int file, uint64_t* id) {
  return control(file, static_cast<Request>(PERF_EVENT_IOC_ID), id) == 0;
}

// A fork may come at any time: what stands here is never closed before it is forgotten, or the child would close whatever
// has the same number by then.
void close_event(OtherEvent* event) {
  const OtherEvent closed = *event;
  event->file = -1;
  uint64_t id;
  if (closed.file >= 0 && read_id(ioctl, closed.file, &id) && id == closed.id) close(closed.file);
}

void close_ring_files() {
  for (uint32_t i = 0; i < switch_files.ring_count; ++i) {
    const int closed = switch_files.rings[i].file;
    switch_files.rings[i].file = -1;
    if (closed >= 0) close(closed);
  }
}

bool make_table(uint32_t processors, uint32_t most_files) {
  SwitchFiles& files = switch_files;
  const size_t bytes =
      processors * (sizeof(SwitchRing) + sizeof(SwitchRing*)) + size_t{most_files} * sizeof(OtherEvent) + page_bytes();
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  files = {};
  files.bytes = bytes;
  files.rings = static_cast<SwitchRing*>(memory);
  files.waiting = reinterpret_cast<SwitchRing**>(files.rings + processors);
  files.others = reinterpret_cast<OtherEvent*>(files.waiting + processors);
  files.most_others = most_files;
  files.process = static_cast<uint32_t>(getpid());
  return true;
}

// A user may lock so much for all processes and rings together, so a smaller ring may still fit.
bool map_ring(SwitchRing* ring) {
  for (size_t bytes = kMostRingBytes; bytes >= kLeastRingBytes; bytes /= 2) {
    void* memory = mmap(nullptr, bytes + page_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, ring->file, 0);
    if (memory == MAP_FAILED) continue;
    ring->head_page = static_cast<perf_event_mmap_page*>(memory);
    ring->data = static_cast<const char*>(memory) + page_bytes();
    ring->bytes = bytes;
    ring->last_ns = os_clock_ns();
    return true;
  }
  return false;
}

flamelet_thread_states open_rings(uint32_t processors) {
  SwitchFiles& files = switch_files;
  for (uint32_t processor = 0; processor < processors; ++processor) {
    SwitchRing* ring = &files.rings[files.ring_count];
    *ring = {};
    ring->processor = ring->next.processor = processor;
    ring->file = open_event(0, processor);
    if (ring->file < 0 && errno == ENODEV) continue;  // it is switched off
    if (ring->file < 0) return refusal(errno);
    ++files.ring_count;
    if (!map_ring(ring)) return FLAMELET_THREAD_STATES_LOCKED_MEMORY;
  }
  return files.ring_count != 0 ? FLAMELET_THREAD_STATES_RECORDED : FLAMELET_THREAD_STATES_FAILED;
}

// Events for a thread that ran already; false: there may be no more files. An event can write only to a ring of its own
// processor, so that is one for each.
bool add_thread(uint32_t thread) {
  SwitchFiles& files = switch_files;
  if (files.other_count + files.ring_count > files.most_others) return false;
  for (uint32_t i = 0; i < files.ring_count; ++i) {
    int file = open_event(thread, files.rings[i].processor);
    if (file < 0) return errno == ESRCH;  // it has ended
    OtherEvent* other = &files.others[files.other_count];
    if (ioctl(file, PERF_EVENT_IOC_SET_OUTPUT, files.rings[i].file) != 0 || !read_id(ioctl, file, &other->id)) {
      close(file);
      return false;
    }
    other->file = file;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // a child of a fork closes what is counted
    ++files.other_count;
  }
  return true;
}

uint32_t add_other_threads() {
  DIR* folder = opendir("/proc/self/task");
  if (folder == nullptr) return 0;
  uint32_t missed = 0;
  while (const dirent* entry = readdir(folder)) {
    const uint32_t thread = static_cast<uint32_t>(atoi(entry->d_name));
    if (thread != 0 && thread != this_thread_number() && !add_thread(thread)) ++missed;
  }
  closedir(folder);
  return missed;
}

// ---- Records --------------------------------------------------------------------------------------------------------

uint64_t record_word(const SwitchRing& ring, uint64_t index) {
  uint64_t word;
  memcpy(&word, ring.data + ((ring.at + 8 * index) & (ring.bytes - 1)), sizeof word);
  return word;
}

// Makes the next record that says something the ring's `next`. False: there is none.
bool look_ahead(SwitchRing* ring) {
  for (; ring->at != ring->end; ring->at += ring->next_bytes) {
    const uint64_t head = record_word(*ring, 0);  // type : 32 | misc : 16 | bytes : 16
    ring->next_bytes = head >> 48;
    if (ring->next_bytes < 8) ring->next_bytes = ring->end - ring->at;  // none that the kernel writes
    ThreadSwitch& next = ring->next;
    if (static_cast<uint32_t>(head) == PERF_RECORD_SWITCH) {
      const uint64_t ids = record_word(*ring, 1);
      if (static_cast<uint32_t>(ids) != switch_files.process) continue;
      const uint64_t misc = head >> 32 & 0xFFFF;
      next.thread = static_cast<uint32_t>(ids >> 32);
      next.time_ns = record_word(*ring, 2);
      next.kind = (misc & PERF_RECORD_MISC_SWITCH_OUT) == 0           ? SwitchKind::kIn
                  : (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) == 0 ? SwitchKind::kOutAsleep
                                                                      : SwitchKind::kOutTakenOff;
      return true;
    }
    if (static_cast<uint32_t>(head) == PERF_RECORD_EXIT) {
      if (static_cast<uint32_t>(record_word(*ring, 1)) != switch_files.process) continue;
      next.thread = static_cast<uint32_t>(record_word(*ring, 2));
      next.time_ns = record_word(*ring, 3);
      next.kind = SwitchKind::kOutAsleep;
      return true;
    }
    if (static_cast<uint32_t>(head) == PERF_RECORD_LOST) {
      next = {ring->last_ns, 0, ring->processor, SwitchKind::kLost, record_word(*ring, 2), record_word(*ring, 4)};
      return true;
    }
  }
  if (!ring->is_full) return false;
  ring->is_full = false;
  ring->next_bytes = 0;
  ring->next = {ring->last_ns, 0, ring->processor, SwitchKind::kLost, 0, os_clock_ns()};
  return true;
}

bool comes_later(const SwitchRing* a, const SwitchRing* b) {
  return a->next.time_ns > b->next.time_ns;
}

// Makes `waiting` a heap again whose first ring has a later record than before.
void sift_down(SwitchRing** waiting, uint32_t count) {
  for (uint32_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && comes_later(waiting[child], waiting[child + 1])) ++child;
    if (!comes_later(waiting[at], waiting[child])) return;
    std::swap(waiting[at], waiting[child]);
  }
}

}  // namespace

flamelet_thread_states open_thread_switches(SwitchMemory* memory) {
  *memory = {};
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  const uint32_t processors = static_cast<uint32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_CONF)));
  // The program wants to open files, too.
  const uint32_t most_files = static_cast<uint32_t>(std::min<rlim_t>(limit.rlim_cur / 4, 1u << 16));
  if (!make_table(processors, most_files > processors ? most_files - processors : 0))
    return FLAMELET_THREAD_STATES_FAILED;
  const flamelet_thread_states opened = open_rings(processors);
  if (opened != FLAMELET_THREAD_STATES_RECORDED) {
    close_thread_switches();
    return opened;
  }
  memory->missed_threads = add_other_threads();
  close_ring_files();
  memory->bytes = switch_files.bytes;
  for (uint32_t i = 0; i < switch_files.ring_count; ++i) memory->bytes += switch_files.rings[i].bytes + page_bytes();
  return opened;
}

void begin_thread_switches() {
  SwitchFiles& files = switch_files;
  files.waiting_count = 0;
  for (uint32_t i = 0; i < files.ring_count; ++i) {
    SwitchRing& ring = files.rings[i];
    // acquire: pairs with the kernel's release, behind the record.
    ring.end = as_atomic(ring.head_page->data_head).load_acquire();
    ring.is_full = ring.bytes - (ring.end - ring.at) <= kMostRecordBytes + kLostBytes;
    if (look_ahead(&ring)) files.waiting[files.waiting_count++] = &ring;
  }
  std::make_heap(files.waiting, files.waiting + files.waiting_count, comes_later);
}

bool next_thread_switch(uint64_t until_ns, ThreadSwitch* next) {
  SwitchFiles& files = switch_files;
  if (files.waiting_count == 0 || files.waiting[0]->next.time_ns >= until_ns) return false;
  SwitchRing* const ring = files.waiting[0];
  *next = ring->next;
  if (next->kind != SwitchKind::kLost) ring->last_ns = next->time_ns;
  ring->at += ring->next_bytes;
  if (!look_ahead(ring)) files.waiting[0] = files.waiting[--files.waiting_count];
  sift_down(files.waiting, files.waiting_count);
  return true;
}

void end_thread_switches() {
  for (uint32_t i = 0; i < switch_files.ring_count; ++i) {
    const SwitchRing& ring = switch_files.rings[i];
    as_atomic(ring.head_page->data_tail).store_release(ring.at);  // pairs with the kernel's look before it writes
  }
}

void forget_thread_switches() {
  SwitchFiles& files = switch_files;
  if (files.rings == nullptr) return;
  for (uint32_t i = 0; i < files.other_count; ++i) close_event(&files.others[i]);
  close_ring_files();
  void* const rings = files.rings;
  const size_t bytes = files.bytes;
  files = {};
  std::atomic_signal_fence(std::memory_order_seq_cst);  // a child of a fork reads what is not forgotten
  munmap(rings, bytes);
}

void close_thread_switches() {
  for (uint32_t i = 0; i < switch_files.ring_count; ++i) {
    SwitchRing& ring = switch_files.rings[i];
    if (ring.head_page != nullptr) munmap(ring.head_page, ring.bytes + page_bytes());
  }
  forget_thread_switches();
}

}  // namespace flamelet
