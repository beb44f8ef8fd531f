// SPDX-License-Identifier: MIT
//
// files.cpp: stands in front of glibc's calls to files, and records those that block for long (flamelet/file.h).
//
// Which file a descriptor is, is asked of the system where a call was long: so no table of descriptors is kept, and what was
// opened before, copied or inherited has its name, too. Pipes, sockets and terminals are no files here: threads wait there
// for what is not there yet.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "next_function.h"

// Those of programs that are built with _FORTIFY_SOURCE.
extern "C" {
ssize_t __read_chk(int file, void* bytes, size_t size, size_t room);
ssize_t __pread_chk(int file, void* bytes, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int file, void* bytes, size_t size, off64_t at, size_t room);
size_t __fread_chk(void* bytes, size_t room, size_t size, size_t count, FILE* file);
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int folder, const char* path, int flags);
int __openat64_2(int folder, const char* path, int flags);
}

using namespace flamelet_preload;

namespace {

const flamelet_preload_calls_* file_recorder = nullptr;  // atomic
int64_t least_ns = FLAMELET_FILE_LEAST_NS;               // written before the recorder is

bool is_of_system(const char* path) {
  return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0;
}

// The path of a descriptor. False: it is no file on a disk.
bool find_path(int file, char (&path)[4096]) {
  struct stat status;
  if (fstat(file, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISBLK(status.st_mode))) return false;
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size <= 0) return false;
  path[size] = 0;
  return !is_of_system(path);
}

int64_t now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

// `block()` as a call to a file, which is a path that is opened, or the descriptor. errno is block()'s.
template <class Block>
auto call_file(flamelet_file_kind kind, const char* path, int file, Block block) {
  const flamelet_preload_calls_* to = is_inside ? nullptr : __atomic_load_n(&file_recorder, __ATOMIC_ACQUIRE);
  if (to == nullptr) return block();
  const int64_t began_ns = now_ns();
  flamelet_file_call call;
  {
    const Inside inside;
    call = to->file_begin();
  }
  const auto result = block();
  if (now_ns() - began_ns < least_ns) return result;
  const int error = errno;
  {
    const Inside inside;
    char text[4096];
    if (path == nullptr && find_path(file, text)) path = text;
    if (path != nullptr && !is_of_system(path)) to->file_end(call, kind, last_part(path), 0);
  }
  errno = error;
  return result;
}

template <class Block>
auto call_file(flamelet_file_kind kind, int file, Block block) {
  return call_file(kind, nullptr, file, block);
}

// What a stream has in memory is not read or written: then the call is short.
template <class Block>
auto call_file(flamelet_file_kind kind, FILE* file, Block block) {
  return call_file(kind, nullptr, file != nullptr ? fileno_unlocked(file) : -1, block);
}

}  // namespace

void flamelet_preload::connect_files(const flamelet_preload_calls_* calls, const char* microseconds) {
  const long long least = atoll(microseconds);
  if (least > 0 && least < INT64_MAX / 1000) least_ns = least * 1000;
  __atomic_store_n(&file_recorder, calls, __ATOMIC_RELEASE);
}

// ---- Descriptors --------------------------------------------------------------------------------------------------------

#define CALL(kind, file, name, ...) \
  return call_file(FLAMELET_FILE_##kind, file, [=] { return NEXT(name)(__VA_ARGS__); })

EXPORTED ssize_t read(int file, void* bytes, size_t size) {
  CALL(READ, file, read, file, bytes, size);
}
EXPORTED ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  CALL(READ, file, pread, file, bytes, size, at);
}
EXPORTED ssize_t pread64(int file, void* bytes, size_t size, off64_t at) {
  CALL(READ, file, pread64, file, bytes, size, at);
}
EXPORTED ssize_t readv(int file, const iovec* parts, int count) {
  CALL(READ, file, readv, file, parts, count);
}
EXPORTED ssize_t preadv(int file, const iovec* parts, int count, off_t at) {
  CALL(READ, file, preadv, file, parts, count, at);
}
EXPORTED ssize_t preadv64(int file, const iovec* parts, int count, off64_t at) {
  CALL(READ, file, preadv64, file, parts, count, at);
}
EXPORTED ssize_t __read_chk(int file, void* bytes, size_t size, size_t room) {
  CALL(READ, file, __read_chk, file, bytes, size, room);
}
EXPORTED ssize_t __pread_chk(int file, void* bytes, size_t size, off_t at, size_t room) {
  CALL(READ, file, __pread_chk, file, bytes, size, at, room);
}
EXPORTED ssize_t __pread64_chk(int file, void* bytes, size_t size, off64_t at, size_t room) {
  CALL(READ, file, __pread64_chk, file, bytes, size, at, room);
}

EXPORTED ssize_t write(int file, const void* bytes, size_t size) {
  CALL(WRITE, file, write, file, bytes, size);
}
EXPORTED ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  CALL(WRITE, file, pwrite, file, bytes, size, at);
}
EXPORTED ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  CALL(WRITE, file, pwrite64, file, bytes, size, at);
}
EXPORTED ssize_t writev(int file, const iovec* parts, int count) {
  CALL(WRITE, file, writev, file, parts, count);
}
EXPORTED ssize_t pwritev(int file, const iovec* parts, int count, off_t at) {
  CALL(WRITE, file, pwritev, file, parts, count, at);
}
EXPORTED ssize_t pwritev64(int file, const iovec* parts, int count, off64_t at) {
  CALL(WRITE, file, pwritev64, file, parts, count, at);
}

EXPORTED int fsync(int file) {
  CALL(SYNC, file, fsync, file);
}
EXPORTED int fdatasync(int file) {
  CALL(SYNC, file, fdatasync, file);
}

// ---- Opens --------------------------------------------------------------------------------------------------------------

#define OPEN(name, ...) return call_file(FLAMELET_FILE_OPEN, path, -1, [=] { return NEXT(name)(__VA_ARGS__); })

// Without O_CREAT, the mode is not there, and nobody looks at it.
#define MODE_BEHIND(flags)                                                          \
  va_list rest;                                                                     \
  va_start(rest, flags);                                                            \
  const bool has_mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; \
  const mode_t mode = has_mode ? va_arg(rest, mode_t) : 0;                          \
  va_end(rest)

EXPORTED int open(const char* path, int flags, ...) {
  MODE_BEHIND(flags);
  OPEN(open, path, flags, mode);
}
EXPORTED int open64(const char* path, int flags, ...) {
  MODE_BEHIND(flags);
  OPEN(open64, path, flags, mode);
}
EXPORTED int openat(int folder, const char* path, int flags, ...) {
  MODE_BEHIND(flags);
  OPEN(openat, folder, path, flags, mode);
}
EXPORTED int openat64(int folder, const char* path, int flags, ...) {
  MODE_BEHIND(flags);
  OPEN(openat64, folder, path, flags, mode);
}
EXPORTED int __open_2(const char* path, int flags) {
  OPEN(__open_2, path, flags);
}
EXPORTED int __open64_2(const char* path, int flags) {
  OPEN(__open64_2, path, flags);
}
EXPORTED int __openat_2(int folder, const char* path, int flags) {
  OPEN(__openat_2, folder, path, flags);
}
EXPORTED int __openat64_2(int folder, const char* path, int flags) {
  OPEN(__openat64_2, folder, path, flags);
}

// ---- Streams ------------------------------------------------------------------------------------------------------------

EXPORTED FILE* fopen(const char* path, const char* mode) {
  OPEN(fopen, path, mode);
}
EXPORTED FILE* fopen64(const char* path, const char* mode) {
  OPEN(fopen64, path, mode);
}
EXPORTED size_t fread(void* bytes, size_t size, size_t count, FILE* file) {
  CALL(READ, file, fread, bytes, size, count, file);
}
EXPORTED size_t __fread_chk(void* bytes, size_t room, size_t size, size_t count, FILE* file) {
  CALL(READ, file, __fread_chk, bytes, room, size, count, file);
}
EXPORTED char* fgets(char* text, int size, FILE* file) {
  CALL(READ, file, fgets, text, size, file);
}
EXPORTED size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  CALL(WRITE, file, fwrite, bytes, size, count, file);
}
EXPORTED int fflush(FILE* file) {
  CALL(WRITE, file, fflush, file);
}
