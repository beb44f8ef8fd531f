// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "exported.h"
#include "flamelet/span_tree.h"
#include "pprof_samples.h"

namespace call_tree_export_test {

namespace {

// main > step > push; step > push; with samples 1, 20, 300, and a name that needs care.
struct Tree {
  Tree() {
    flamelet_call_tree_config config = flamelet_call_tree_config_default();
    config.max_nodes = config.max_blocks = 16;
    memory.resize(flamelet_call_tree_memory_required(&config));
    REQUIRE(flamelet_call_tree_create(&config, memory.data(), memory.size(), &tree) == FLAMELET_OK);
    flamelet_call_tree_set_name(tree, 7, "main");
    flamelet_call_tree_set_name(tree, 8, "step;\xff");
    flamelet_call_thread* thread = flamelet_call_thread_create(tree);
    flamelet_call_thread_enter(thread, 7);
    flamelet_call_thread_sample(thread, 1);
    flamelet_call_thread_enter(thread, 8);
    flamelet_call_thread_sample(thread, 20);
    flamelet_call_thread_enter(thread, 9);
    flamelet_call_thread_sample(thread, 300);
  }
  std::vector<unsigned char> memory;
  flamelet_call_tree* tree = nullptr;
};

}  // namespace

TEST_CASE_FIXTURE(Tree, "call tree export: collapsed stacks hold each path's own samples") {
  std::string bytes;
  flamelet_export_report report;
  REQUIRE(flamelet_export_call_tree(tree, FLAMELET_EXPORT_COLLAPSED, nullptr, nullptr, false, sink_to(&bytes),
                                    &report) == FLAMELET_OK);
  CHECK(bytes ==
        "[root];main 1\n"
        "[root];main;step:\xEF\xBF\xBD 20\n"
        "[root];main;step:\xEF\xBF\xBD;(unnamed) 300\n");
  CHECK(report.bytes == bytes.size());
  CHECK(report.texts_repaired == 1);
}

// tests/fuzz/call_tree_export_fuzz.cpp reads all of the profiles of any trees.
TEST_CASE_FIXTURE(Tree,
                  "call tree export: pprof's first figure is calls, or samples that were taken in the path itself") {
  for (const bool calls_are_samples : {false, true}) {
    std::string zipped;
    REQUIRE(flamelet_export_call_tree(tree, FLAMELET_EXPORT_PPROF, "time", "nanoseconds", calls_are_samples,
                                      sink_to(&zipped), nullptr) == FLAMELET_OK);
    const int64_t inner = calls_are_samples ? 0 : 1;
    CHECK(pprof_samples(unzip(zipped)) ==
          Samples{{{1}, {inner, 0}}, {{2, 1}, {inner, 1}}, {{3, 2, 1}, {inner, 20}}, {{4, 3, 2, 1}, {1, 300}}});
    CHECK((unzip(zipped).find("samples") != std::string::npos) == calls_are_samples);
  }
}

// It is in no list of blocks.
TEST_CASE("call tree export: a scope that was resumed for no time is written like any other") {
  const flamelet_span_tree_config config = flamelet_span_tree_config_default();
  std::vector<unsigned char> memory(flamelet_span_tree_memory_required(&config));
  flamelet_span_tree* tree = nullptr;
  REQUIRE(flamelet_span_tree_create(&config, memory.data(), memory.size(), &tree) == FLAMELET_OK);
  flamelet_span span = {};
  span.begin_ns = span.end_ns = 100;
  span.flags = FLAMELET_SPAN_RESUMED;
  flamelet_span_tree_add_spans(tree, &span, 1, 100, 200);
  flamelet_call_tree* const calls = flamelet_span_tree_calls(tree);
  REQUIRE(flamelet_call_tree_blocks(calls, FLAMELET_CALL_ORDER_OVERALL, nullptr, 0) == 0);
  REQUIRE(flamelet_call_tree_query(
              calls, 0, [](void*, const flamelet_call_path*) { return true; }, nullptr) == 2);
  std::string bytes;
  for (const flamelet_export_format format : {FLAMELET_EXPORT_COLLAPSED, FLAMELET_EXPORT_PPROF})
    CHECK(flamelet_export_call_tree(calls, format, "time", "nanoseconds", false, sink_to(&bytes), nullptr) ==
          FLAMELET_OK);
}

TEST_CASE_FIXTURE(Tree, "call tree export: what has no meaning is refused, and a sink that is full reported") {
  std::string bytes;
  CHECK(flamelet_export_call_tree(nullptr, FLAMELET_EXPORT_PPROF, "time", "ns", false, sink_to(&bytes), nullptr) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_export_call_tree(tree, FLAMELET_EXPORT_CHROME, "time", "ns", false, sink_to(&bytes), nullptr) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_export_call_tree(tree, FLAMELET_EXPORT_PPROF, nullptr, "ns", false, sink_to(&bytes), nullptr) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(bytes.empty());
  const flamelet_sink full = {[](void*, const void*, size_t) { return false; }, nullptr};
  CHECK(flamelet_export_call_tree(tree, FLAMELET_EXPORT_PPROF, "time", "ns", false, full, nullptr) ==
        FLAMELET_ERROR_FILE_WRITE);
}

}  // namespace call_tree_export_test
