// SPDX-License-Identifier: MIT
//
// Plug-ins that record, are unloaded and replaced: what was recorded keeps its names, and what comes gets its own.
#include <dlfcn.h>

#include <string>

#include "flamelet/api.h"
#include "stress.h"

using namespace recorder_test;

namespace {

// The address at which the plug-in was.
const void* work_with(const char* path) {
  void* plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) FAIL(dlerror());
  using Work = void (*)(const flamelet_api*);
  const Work work = reinterpret_cast<Work>(dlsym(plugin, "plugin_work"));
  const bool found = work != nullptr;
  REQUIRE(found);
  work(flamelet_get_api(FLAMELET_API_VERSION));
  const void* address = reinterpret_cast<const void*>(work);
  REQUIRE(dlclose(plugin) == 0);
  CHECK(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == nullptr);
  return address;
}

std::string expected_of(const std::string& name) {
  return "+" + name + " macro +object{" + name + " object} !" + name + " instant +" + name + " call - +" + name +
         " table - - -";
}

}  // namespace

TEST_CASE("plug-in: what it recorded keeps its names after it is unloaded") {
  on_each_clock([](EventLog& log) {
    work_with(FLAMELET_TESTS_first_PLUGIN);
    CHECK(own_events(&log) == expected_of("first"));
  });
}

TEST_CASE("plug-in: another one at the same address has names of its own") {
  on_each_clock([](EventLog& log) {
    std::string expected;
    const void* last = nullptr;
    int same_address = 0;
    for (int i = 0; i < 20; ++i) {
      const bool first = i % 2 == 0;
      const void* address = work_with(first ? FLAMELET_TESTS_first_PLUGIN : FLAMELET_TESTS_second_PLUGIN);
      if (address == last) ++same_address;
      last = address;
      expected += (i == 0 ? "" : " ") + expected_of(first ? "first" : "second");
    }
    CHECK(own_events(&log) == expected);
    MESSAGE(same_address << " of 19 were loaded where the one before had been");
  });
}

TEST_CASE("plug-in: one that links nothing can do everything through the table") {
  void* plugin = dlopen(FLAMELET_TESTS_TABLE_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) FAIL(dlerror());
  using CallEveryEntry = const char* (*)(const flamelet_api*);
  const CallEveryEntry call = reinterpret_cast<CallEveryEntry>(dlsym(plugin, "plugin_call_every_entry"));
  const bool found = call != nullptr;
  REQUIRE(found);
  const flamelet_api* api = flamelet_get_api(FLAMELET_API_VERSION);
  REQUIRE(api != nullptr);
  CHECK(flamelet_get_api(1) == api);
  CHECK(flamelet_get_api(FLAMELET_API_VERSION + 1) == nullptr);
  CHECK(api->version == FLAMELET_API_VERSION);
  CHECK(api->size == sizeof(flamelet_api));
  const char* wrong = call(api);
  CHECK(std::string(wrong == nullptr ? "" : wrong) == "");
  CHECK(dlclose(plugin) == 0);
}
