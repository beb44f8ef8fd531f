// SPDX-License-Identifier: MIT
//
// Every config and every set of options of the public API: made by its default factory it works as it is, and one that is
// all zeros, as a program has it that forgot the factory, is refused.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "flamelet/call_tree.h"
#include "flamelet/capture_builder.h"
#include "flamelet/capture_file.h"
#include "flamelet/events.h"
#include "flamelet/export.h"
#include "flamelet/flight.h"
#include "flamelet/gpu_opengl.h"
#include "flamelet/import.h"
#include "flamelet/perf_log.h"
#include "flamelet/span_tree.h"
#include "gpu/fake_backend.h"
#include "support/capture.h"
#include "support/recording.h"
#include "support/string_io.h"

namespace {

// `use(config)` makes something with it, and destroys it if there is something.
template <class Config, class Use>
void check_config(const char* name, Config (*make_default)(void), Use use) {
  CAPTURE(name);
  const Config zeros = {};
  CHECK(use(zeros) == FLAMELET_ERROR_INVALID_ARGUMENT);
  const Config defaults = make_default();
  CHECK(use(defaults) == FLAMELET_OK);
  Config unmade = defaults;
  unmade.cookie = 0;
  CHECK(use(unmade) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

// As check_config(), and the same verdict comes from the function that tells the size.
template <class Config, class Use>
void check_config(const char* name, Config (*make_default)(void), size_t (*memory_required)(const Config*), Use use) {
  check_config(name, make_default, use);
  CAPTURE(name);
  const Config zeros = {}, defaults = make_default();
  CHECK(memory_required(&zeros) == 0);
  CHECK(memory_required(&defaults) != 0);
}

// Makes a tree in the caller's memory.
template <class Config, class Tree>
flamelet_result create_in_memory(const Config& config, size_t (*memory_required)(const Config*),
                                 flamelet_result (*create)(const Config*, void*, size_t, Tree**)) {
  std::vector<char> memory(memory_required(&config) + 64);
  Tree* tree = nullptr;
  return create(&config, memory.data(), memory.size(), &tree);
}

// 0 of none.
size_t memory_bytes_of(const flamelet_gpu* gpu) {
  flamelet_gpu_stats stats;
  flamelet_gpu_get_stats(gpu, &stats);
  return stats.memory_bytes;
}

}  // namespace

TEST_CASE("configs: the recorder refuses zeros and takes the default") {
  check_config("recorder", flamelet_config_default, flamelet_memory_required, [](const flamelet_config& config) {
    const flamelet_result result = flamelet_init(&config);
    if (result == FLAMELET_OK) flamelet_shutdown();
    return result;
  });
}

TEST_CASE("configs: captures, trees, events and the log refuse zeros and take the default") {
  check_config("capture", flamelet_capture_config_default, flamelet_capture_memory_required,
               [](const flamelet_capture_config& config) {
                 flamelet_capture* capture = nullptr;
                 const flamelet_result result = flamelet_capture_create(&config, &capture);
                 flamelet_capture_destroy(capture);
                 return result;
               });
  check_config("capture builder", flamelet_capture_config_default, [](const flamelet_capture_config& config) {
    flamelet_capture_builder* builder = nullptr;
    const flamelet_result result = flamelet_capture_builder_create(&config, &builder);
    flamelet_capture_builder_destroy(builder);
    return result;
  });
  check_config("call tree", flamelet_call_tree_config_default, flamelet_call_tree_memory_required,
               [](const flamelet_call_tree_config& config) {
                 return create_in_memory(config, flamelet_call_tree_memory_required, flamelet_call_tree_create);
               });
  check_config("span tree", flamelet_span_tree_config_default, flamelet_span_tree_memory_required,
               [](const flamelet_span_tree_config& config) {
                 return create_in_memory(config, flamelet_span_tree_memory_required, flamelet_span_tree_create);
               });
  check_config("events", flamelet_events_config_default, flamelet_events_memory_required,
               [](const flamelet_events_config& config) {
                 flamelet_events* events = nullptr;
                 const flamelet_result result = flamelet_events_create(&config, &events);
                 flamelet_events_destroy(events);
                 return result;
               });
  check_config("perf log", flamelet_perf_log_config_default, flamelet_perf_log_memory_required,
               [](const flamelet_perf_log_config& config) {
                 flamelet_perf_log* log = nullptr;
                 const flamelet_result result = flamelet_perf_log_create(&config, &log);
                 flamelet_perf_log_destroy(log);
                 return result;
               });
}

TEST_CASE("configs: flight recorders refuse zeros and take the default") {
  recorder_test::Capture capture;
  check_config("flight", flamelet_flight_config_default, [&](const flamelet_flight_config& config) {
    flamelet_flight* flight = nullptr;
    const flamelet_result result = flamelet_flight_create(&config, capture, &flight);
    CHECK((flamelet_flight_memory_required(&config, capture) != 0) == (result == FLAMELET_OK));
    flamelet_flight_destroy(flight);
    return result;
  });
}

TEST_CASE("configs: GPU timers refuse zeros and take the default") {
  recorder_test::Recording recording;
  FakeBackend device;
  check_config("gpu", flamelet_gpu_config_default, [&](const flamelet_gpu_config& config) {
    flamelet_gpu* gpu = nullptr;
    const flamelet_result result = flamelet_gpu_create(&config, device.table(), &device, &gpu);
    CHECK(flamelet_gpu_memory_required(&config, device.table()) == memory_bytes_of(gpu));
    flamelet_gpu_destroy(gpu);
    return result;
  });
  // The default lacks the one thing that it cannot know.
  const auto without_gl = [](const flamelet_gpu_opengl_config& config) {
    flamelet_gpu_opengl_config complete = config;
    complete.get_proc = [](const char*) -> flamelet_gl_function { return nullptr; };
    flamelet_gpu* gpu = nullptr;
    const flamelet_result result = flamelet_gpu_opengl_create(&complete, &gpu);
    return result == FLAMELET_ERROR_NO_GPU_TIMESTAMPS ? FLAMELET_OK : result;
  };
  check_config("gpu_opengl", flamelet_gpu_opengl_config_default, flamelet_gpu_opengl_memory_required, without_gl);
}

TEST_CASE("configs: options of files refuse zeros and take the default") {
  recorder_test::Recording recording;
  recorder_test::Capture capture;
  std::string saved, trace;
  REQUIRE(flamelet_capture_save_to(capture, INT64_MIN, INT64_MAX, sink_to(&saved)) == FLAMELET_OK);
  check_config("load", flamelet_load_options_default, [&](const flamelet_load_options& options) {
    flamelet_capture* loaded = nullptr;
    const flamelet_result result = flamelet_capture_load_bytes(&options, saved.data(), saved.size(), &loaded, nullptr);
    flamelet_capture_destroy(loaded);
    return result;
  });
  const flamelet_load_options zeros = {};
  flamelet_capture* recovered = nullptr;
  StringSource source = {saved};
  CHECK(flamelet_capture_recover_from(&zeros, source.file(), &recovered, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  check_config("export", flamelet_export_options_default, [&](const flamelet_export_options& options) {
    trace.clear();
    return flamelet_export(capture, FLAMELET_EXPORT_CHROME, &options, sink_to(&trace), nullptr);
  });
  REQUIRE(flamelet_export(capture, FLAMELET_EXPORT_CHROME, nullptr, sink_to(&trace), nullptr) == FLAMELET_OK);
  check_config("import", flamelet_import_options_default, [&](const flamelet_import_options& options) {
    StringSource from = {trace};
    flamelet_capture* imported = nullptr;
    const flamelet_result result = flamelet_import(&options, from.file(), &imported, nullptr);
    flamelet_capture_destroy(imported);
    return result;
  });
}
