// SPDX-License-Identifier: MIT
//
// What the tests of `flamelet record --files` run: a program that reads and writes files and a pipe, and records none of that.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "flamelet/flamelet.h"

extern "C" char* __fgets_chk(char* text, size_t room, int size, FILE* file);

namespace {

constexpr size_t kBytes = size_t{4} << 20;  // so much that a call takes a microsecond

bool use_descriptors(std::vector<char>* bytes) {
  const int file = open("town.pak", O_RDWR | O_CREAT | O_TRUNC, 0600);
  const int copy = dup(file);
  const bool done = write(file, bytes->data(), kBytes) == static_cast<ssize_t>(kBytes) &&
                    pread(copy, bytes->data(), kBytes, 0) == static_cast<ssize_t>(kBytes);
  close(copy);
  close(file);
  return done;
}

bool use_stream(std::vector<char>* bytes) {
  std::FILE* file = std::fopen("town.pak", "rb");
  if (file == nullptr) return false;
  const bool done = std::fread(bytes->data(), 1, kBytes, file) == kBytes;
  std::fclose(file);
  return done;
}

// Of what programs call more rarely, or by other names when they are built with _FORTIFY_SOURCE.
bool use_rare_calls(std::vector<char>* bytes) {
  for (int i = 0; i < 1000; ++i)  // some of them are slow enough
    if (open(reinterpret_cast<const char*>(8), O_RDONLY) != -1 || errno != EFAULT) return false;
  const int source = creat("rare.pak", 0600);
  iovec part = {bytes->data(), kBytes};
  bool done = pwritev2(source, &part, 1, 0, 0) == static_cast<ssize_t>(kBytes);
  close(source);
  std::fill(bytes->begin(), bytes->end(), 'x');
  const int file = open("rare.pak", O_RDWR);
  done &= preadv2(file, &part, 1, 0, 0) == static_cast<ssize_t>(kBytes) && syncfs(file) == 0;
  const int copy = creat("copy.pak", 0600);
  off64_t from = 0, to = 0;
  done &= copy_file_range(file, &from, copy, &to, kBytes, 0) > 0;
  close(copy);
  std::FILE* stream = std::freopen("lines.pak", "w+", fdopen(file, "r+"));
  std::fill(bytes->begin(), bytes->end(), 'x');
  done &= fwrite_unlocked(bytes->data(), 1, kBytes, stream) == kBytes;
  std::rewind(stream);
  done &= fread_unlocked(bytes->data(), 1, kBytes, stream) == kBytes;
  std::rewind(stream);
  done &= __fgets_chk(bytes->data(), kBytes, kBytes, stream) != nullptr;
  std::rewind(stream);
  char* line = nullptr;
  size_t room = 0;
  done &= getline(&line, &room, stream) == static_cast<ssize_t>(kBytes);
  std::free(line);
  std::fclose(stream);
  return done;
}

// Not a file: whoever reads waits for who writes.
bool use_pipe() {
  int ends[2];
  char byte = 1;
  if (pipe(ends) != 0) return false;
  const bool done = write(ends[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1;
  return close(ends[0]) == 0 && close(ends[1]) == 0 && done;
}

}  // namespace

int main(int argument_count, char**) {
  std::vector<char> bytes(kBytes);
  flamelet_config config = flamelet_config_default();
  config.budget_bytes = size_t{4} << 20;
  config.ring_path_from_environment = true;
  if (flamelet_init(&config) != FLAMELET_OK) return 100;
  flamelet_set_thread_name("Main");
  flamelet_frame();
  bool done = false;
  {
    FLAMELET_SCOPE("Load");
    done = use_descriptors(&bytes) && use_stream(&bytes) && use_pipe();
    if (argument_count > 1) done &= use_rare_calls(&bytes);
  }
  flamelet_frame();
  return done ? 7 : 101;
}
