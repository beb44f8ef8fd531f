// SPDX-License-Identifier: MIT
//
// What the tests of `flamelet record --files` run: a program that reads and writes files and a pipe, and records none of that.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "flamelet/flamelet.h"

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

// Not a file: whoever reads waits for who writes.
bool use_pipe() {
  int ends[2];
  char byte = 1;
  if (pipe(ends) != 0) return false;
  const bool done = write(ends[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1;
  return close(ends[0]) == 0 && close(ends[1]) == 0 && done;
}

}  // namespace

int main() {
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
  }
  flamelet_frame();
  return done ? 7 : 101;
}
