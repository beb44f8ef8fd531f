// SPDX-License-Identifier: MIT
//
// counting.cpp: counts what a program asked of the stand-in, and prints it: a line for each thing, in the form of
// recorded.cpp.
#include "counting.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "lines.h"
#include "program.h"

namespace {

using Stack = std::vector<std::string>;

struct State {
  std::mutex mutex;
  Lines lines;
  std::map<std::string, std::map<const void*, size_t>> pools;
  std::map<std::string, Stack> fibers;
};
// Made at its first use, which is before main().
State& all() {
  static State state;
  return state;
}
thread_local Stack own_stack;
thread_local Stack* stack = &own_stack;
thread_local std::string thread_name;

void count(const std::string& line, double value = 1) {
  const std::lock_guard<std::mutex> guard(all().mutex);
  all().lines.add(line, value);
}

std::string pool_name(const char* pool) {
  return pool == nullptr ? "memory" : pool;
}

}  // namespace

int counting_begin(const char* name, int active) {
  if (active == 0) return 0;
  stack->push_back(name);
  std::string path;
  for (const std::string& zone : *stack) path += "/" + zone;
  count("zone [" + thread_name + "] " + path);
  return 1;
}
void counting_end(int active) {
  if (active != 0) stack->pop_back();
}
void counting_zone(const char* kind, int active, const char* text, size_t size) {
  if (active != 0) count(std::string(kind) + " [" + thread_name + "] " + std::string(text, size));
}
void counting_value(int active, uint64_t value) {
  const std::string text = std::to_string(value);
  counting_zone("value", active, text.data(), text.size());
}
void counting_frame(const char* name) {
  count(name == nullptr ? std::string("frame") : "frame of " + std::string(name));
}
void counting_frame_end(const char* name) {
  count("interval frame " + std::string(name));
}
void counting_plot(const char* name, double value) {
  count("plot " + std::string(name));
  if (value == value)
    count("plot " + std::string(name) + " sum", value);
  else
    count("plot " + std::string(name) + " not a number");
}
void counting_message(const char* severity, uint32_t color, const char* text, size_t size) {
  count(std::string(severity) + " " + std::to_string(color) + ": " + std::string(text, size));
}
void counting_app_info(const char* text, size_t size) {
  counting_message("app info", 0, text, size);
}
void counting_alloc(const void* address, size_t size, const char* pool) {
  count("counter " + pool_name(pool) + " alloc");
  count("counter " + pool_name(pool) + " alloc sum", static_cast<double>(size));
  count("live " + pool_name(pool), static_cast<double>(size));
  const std::lock_guard<std::mutex> guard(all().mutex);
  all().pools[pool_name(pool)][address] = size;
}
void counting_free(const void* address, const char* pool) {
  size_t size = 0;
  {
    const std::lock_guard<std::mutex> guard(all().mutex);
    auto& live = all().pools[pool_name(pool)];
    const auto found = live.find(address);
    if (found == live.end()) return;
    size = found->second;
    live.erase(found);
  }
  count("counter " + pool_name(pool) + " free");
  count("counter " + pool_name(pool) + " free sum", static_cast<double>(size));
  count("live " + pool_name(pool), -static_cast<double>(size));
}
void counting_discard(const char* pool) {
  size_t size = 0;
  {
    const std::lock_guard<std::mutex> guard(all().mutex);
    for (const auto& allocation : all().pools[pool_name(pool)]) size += allocation.second;
    all().pools[pool_name(pool)].clear();
  }
  count("counter " + pool_name(pool) + " free");
  count("counter " + pool_name(pool) + " free sum", static_cast<double>(size));
  count("live " + pool_name(pool), -static_cast<double>(size));
}
void counting_mark(const char* lock) {
  count("mark " + std::string(lock));
}
void counting_fiber(const char* name) {
  if (name == nullptr) {
    stack = &own_stack;
    return;
  }
  const std::lock_guard<std::mutex> guard(all().mutex);
  stack = &all().fibers[name];
}
void counting_thread(const char* name) {
  thread_name = name;
}
void counting_tag(const char* name, const char* value) {
  count("tag " + std::string(name) + ": " + value);
}
void counting_section(const char* name) {
  count("interval section " + std::string(name));
}

int main() {
  play();
  all().lines.print();
  return 0;
}
