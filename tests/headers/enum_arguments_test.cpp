// SPDX-License-Identifier: MIT
//
// Every public function that takes an enum gets numbers that the enum does not have. UndefinedBehaviorSanitizer, where it is
// on, sees whoever uses one before it is refused.
#include <doctest/doctest.h>

#include <climits>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "headers/enum_calls.h"
#include "support/capture.h"
#include "support/recording.h"
#include "temporary_folder.h"

namespace enum_arguments_test {

namespace {

struct Scene {
  Scene() {
    flamelet_frame();
    REQUIRE(flamelet_capture_update(capture) == FLAMELET_OK);
    const flamelet_capture_config capture_config = flamelet_capture_config_default();
    REQUIRE(flamelet_capture_builder_create(&capture_config, &builder) == FLAMELET_OK);
    flamelet_call_tree_config config = flamelet_call_tree_config_default();
    tree_memory.resize(flamelet_call_tree_memory_required(&config));
    REQUIRE(flamelet_call_tree_create(&config, tree_memory.data(), tree_memory.size(), &tree) == FLAMELET_OK);
    flamelet_call_thread* const thread = flamelet_call_thread_create(tree);
    for (const uint32_t id : {1u, 2u}) flamelet_call_thread_enter(thread, id);
    flamelet_call_thread_sample(thread, 9);
    budget.limit_ns = 1000;
    export_path = folder.file("exported");
    scene = {capture,
             builder,
             flamelet_capture_builder_lane(builder, FLAMELET_LANE_THREAD, 0),
             tree,
             {[](void* user, const void*, size_t size) {
                *static_cast<size_t*>(user) += size;
                return true;
              },
              &bytes},
             &bytes,
             export_path.c_str(),
             &budget};
  }
  ~Scene() { flamelet_capture_builder_destroy(builder); }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  recorder_test::Recording recording;
  recorder_test::Capture capture;
  TemporaryFolder folder;
  flamelet_capture_builder* builder = nullptr;
  std::vector<char> tree_memory;
  flamelet_call_tree* tree = nullptr;
  size_t bytes = 0;
  std::string export_path;
  flamelet_budget budget = {};
  enum_scene scene = {};
};

// The public functions of a header that take an enum by value.
std::set<std::string> functions_with_enums(const std::string& text, const std::set<std::string>& enums) {
  std::set<std::string> functions;
  const std::regex words("\\w+");
  for (size_t at = text.find("FLAMELET_API "); at != std::string::npos; at = text.find("FLAMELET_API ", at + 1)) {
    const std::string declaration = text.substr(at, text.find(';', at) - at);
    const size_t open = declaration.find('(');
    if (open == std::string::npos || declaration.find("#define") != std::string::npos) continue;
    const size_t name = declaration.find_last_of(" *", open) + 1;
    const std::string parameters = declaration.substr(open);
    for (std::sregex_iterator word(parameters.begin(), parameters.end(), words), end; word != end; ++word) {
      const auto behind = static_cast<size_t>(word->position() + word->length());
      const bool is_pointer = parameters.compare(behind, 1, "*") == 0;
      if (!is_pointer && enums.count(word->str()) != 0) functions.insert(declaration.substr(name, open - name));
    }
  }
  return functions;
}

}  // namespace

TEST_CASE("enum arguments: a number that the enum does not have is refused, and one that it has is taken") {
  Scene scene;
  for (size_t i = 0; i < enum_call_count; ++i) {
    const enum_call& call = enum_calls[i];
    CAPTURE(std::string(call.function));
    CHECK_FALSE(call.refuses(&scene.scene, call.valid));
    for (const int number : {call.count, call.count + 1, 99, INT_MAX, -1, INT_MIN}) {
      CAPTURE(number);
      CHECK(call.refuses(&scene.scene, number));
    }
  }
}

TEST_CASE("enum arguments: each public function with one is tried") {
  std::vector<std::string> headers;
  const std::filesystem::path profiler = FLAMELET_PROFILER_FOLDER;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(profiler))
    if (entry.path().extension() == ".h" && entry.path().string().find("include") != std::string::npos)
      headers.push_back(read_file(entry.path().string()));
  REQUIRE(headers.size() > 30);
  std::set<std::string> enums, functions, tried;
  const std::regex definition("typedef enum (\\w+)");
  for (const std::string& text : headers)
    for (std::sregex_iterator found(text.begin(), text.end(), definition), end; found != end; ++found)
      enums.insert((*found)[1].str());
  CHECK(enums.count("flamelet_track_kind") == 1);
  for (const std::string& text : headers) functions.merge(functions_with_enums(text, enums));
  CHECK(functions.size() >= 20);
  for (size_t i = 0; i < enum_call_count; ++i) tried.insert(enum_calls[i].function);
  for (const std::string& function : functions) {
    CAPTURE(function);
    CHECK(tried.count(function) == 1);
  }
}

}  // namespace enum_arguments_test
