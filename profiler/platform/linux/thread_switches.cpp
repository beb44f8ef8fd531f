// SPDX-License-Identifier: MIT
//
// thread_switches.cpp: by perf events. An event that counts nothing has the kernel write a record for each switch of its
// thread, and of the threads that this one starts. Its memory is a ring for each processor. No rights are needed as long as
// kernel.perf_event_paranoid is at most 2, because nothing of the kernel itself is asked for.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
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

// A fork may come at any time: what stands here is never closed before it is forgotten, or the child would close whatever
// has the same number by then.
void close_event(OtherEvent* event) {
  const OtherEvent closed = *event;
  event->file = -1;
  uint64_t id;
  if (closed.file >= 0 && ioctl(closed.file, PERF_EVENT_IOC_ID, &id) == 0 && id == closed.id) close(closed.file);
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
    if (ioctl(file, PERF_EVENT_IOC_SET_OUTPUT, files.rings[i].file) != 0 ||
        ioctl(file, PERF_EVENT_IOC_ID, &other->id) != 0) {
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
