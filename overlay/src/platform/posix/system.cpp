// SPDX-License-Identifier: MIT
#include "platform/system.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace flamelet::ui {

void* allocate_aligned(size_t size, size_t alignment) {
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

void free_aligned(void* memory) {
  free(memory);
}

bool path_exists(const char* path) {
  return access(path, F_OK) == 0;
}

uint64_t size_of_file(const char* path) {
  struct stat status;
  return stat(path, &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

bool list_folder(const char* path, VisitEntry visit, void* user) {
#ifdef __EMSCRIPTEN__
  path = "";  // a page sees no folder of its user
#endif
  DIR* const folder = opendir(path);
  if (folder == nullptr) return false;
  while (const dirent* entry = readdir(folder)) {
    struct stat status;
    const bool is_known = fstatat(dirfd(folder), entry->d_name, &status, 0) == 0;
    visit(user, entry->d_name, is_known && S_ISDIR(status.st_mode));
  }
  closedir(folder);
  return true;
}

LocalTime local_time() {
  const time_t now = time(nullptr);
  tm local = {};
  localtime_r(&now, &local);
  return {local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec};
}

bool start_thread([[maybe_unused]] void (*run)(void*), [[maybe_unused]] void* user,
                  [[maybe_unused]] std::thread* thread) {
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)  // a page with one thread; its files lie in memory
  return false;
#else
  *thread = std::thread(run, user);
  return true;
#endif
}

}  // namespace flamelet::ui
