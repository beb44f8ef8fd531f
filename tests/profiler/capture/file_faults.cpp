// SPDX-License-Identifier: MIT
#include "profiler/capture/file_faults.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>

namespace file_faults {
namespace {

Plan plan;
bool counts = false;
bool was_interrupted = false;
size_t call_count = 0;
size_t written = 0;
Call calls[20000];  // no memory is allocated inside a call

// Those that wait for a device.
bool is_interruptible(Call call) {
  return call != Call::kStat && call != Call::kMap && call != Call::kRename && call != Call::kUnlink &&
         call != Call::kMode;
}

// Whether the call fails; errno says why.
bool fails(Call call) {
  if (!counts) return false;
  if (plan.before != nullptr) plan.before(call);
  if (plan.interrupts && is_interruptible(call) && !was_interrupted) {
    was_interrupted = true;
    errno = EINTR;
    return true;
  }
  was_interrupted = false;
  const size_t number = call_count++;
  if (number >= std::size(calls)) std::abort();
  calls[number] = call;
  if (number < plan.fails_at || (number != plan.fails_at && !(plan.goes_on && call == calls[plan.fails_at])))
    return false;
  errno = plan.error;
  return true;
}

// How many of the bytes the process writes before it is killed; all of them if it is not.
size_t before_death(size_t count) {
  if (!counts) return count;
  const size_t left = plan.dies_at - std::min(written, plan.dies_at);
  written += count;
  return std::min(count, left);
}

size_t limited(size_t count) {
  return counts ? std::min(count, plan.most_bytes) : count;
}

}  // namespace

void begin(const Plan& new_plan) {
  plan = new_plan;
  call_count = 0;
  written = 0;
  was_interrupted = false;
  counts = true;
}

std::vector<Call> end() {
  const int why = errno;
  counts = false;
  std::vector<Call> made(calls, calls + call_count);
  errno = why;
  return made;
}

}  // namespace file_faults

using file_faults::Call;
using file_faults::fails;
using file_faults::limited;

extern "C" {

int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, ...) {
  if (fails(Call::kOpen)) return -1;
  if ((flags & O_CREAT) == 0) return __real_open(path, flags);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return __real_open(path, flags, mode);
}

int __real_fstat(int descriptor, struct stat* status);
int __wrap_fstat(int descriptor, struct stat* status) {
  return fails(Call::kStat) ? -1 : __real_fstat(descriptor, status);
}

ssize_t __real_pread(int descriptor, void* bytes, size_t count, off_t offset);
ssize_t __wrap_pread(int descriptor, void* bytes, size_t count, off_t offset) {
  if (fails(Call::kRead)) return errno == 0 ? 0 : -1;
  return __real_pread(descriptor, bytes, limited(count), offset);
}

ssize_t __real_write(int descriptor, const void* bytes, size_t count);
ssize_t __wrap_write(int descriptor, const void* bytes, size_t count) {
  if (fails(Call::kWrite)) return errno == 0 ? 0 : -1;
  const size_t moved = limited(count), alive = file_faults::before_death(moved);
  const ssize_t result = __real_write(descriptor, bytes, alive);
  if (alive != moved) raise(SIGKILL);
  return result;
}

int __real_ftruncate(int descriptor, off_t size);
int __wrap_ftruncate(int descriptor, off_t size) {
  return fails(Call::kTruncate) ? -1 : __real_ftruncate(descriptor, size);
}

// Answers with the error itself.
int __real_posix_fallocate(int descriptor, off_t offset, off_t count);
int __wrap_posix_fallocate(int descriptor, off_t offset, off_t count) {
  return fails(Call::kReserve) ? errno : __real_posix_fallocate(descriptor, offset, count);
}

void* __real_mmap(void* at, size_t size, int protection, int flags, int descriptor, off_t offset);
void* __wrap_mmap(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) {
  return fails(Call::kMap) ? MAP_FAILED : __real_mmap(at, size, protection, flags, descriptor, offset);
}

// Nothing goes to the disk: no test cuts the power.
int __wrap_fsync(int) {
  return fails(Call::kSync) ? -1 : 0;
}

// The descriptor is gone, whatever the answer, as on Linux. So a signal comes after it, and nobody calls again.
int __real_close(int descriptor);
int __wrap_close(int descriptor) {
  const int answer = __real_close(descriptor);
  const bool failed = fails(Call::kClose);
  file_faults::was_interrupted = false;
  return failed ? -1 : answer;
}

int __real_rename(const char* from, const char* to);
int __wrap_rename(const char* from, const char* to) {
  return fails(Call::kRename) ? -1 : __real_rename(from, to);
}

int __real_unlink(const char* path);
int __wrap_unlink(const char* path) {
  return fails(Call::kUnlink) ? -1 : __real_unlink(path);
}

int __real_fchmod(int descriptor, mode_t mode);
int __wrap_fchmod(int descriptor, mode_t mode) {
  return fails(Call::kMode) ? -1 : __real_fchmod(descriptor, mode);
}

}  // extern "C"
