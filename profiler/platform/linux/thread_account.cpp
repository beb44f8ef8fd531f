// SPDX-License-Identifier: MIT
//
// thread_account.cpp: from /proc/self/task and the threads' CPU clocks. No rights are needed.
#include "platform/thread_account.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "platform/posix/file_calls.h"

namespace flamelet {
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

}  // namespace flamelet
