// SPDX-License-Identifier: MIT
//
// Any bytes as the text of `perf script`: whole and in pieces they give the same call tree, which then is exported.
#include <string>
#include <string_view>
#include <vector>

#include "flamelet/export.h"
#include "fuzz.h"
#include "perf_script.h"
#include "support/string_io.h"

using namespace flamelet::tools;

namespace {

// Small enough to be met.
constexpr PerfLimits kLimits = {4096, 256, 8192, 64};

std::string read(std::string_view text, size_t piece) {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  config.max_nodes = 256;
  config.max_blocks = 64;
  config.max_threads = 1;
  config.max_jumps = 64;
  static std::vector<char> memory(flamelet_call_tree_memory_required(&config));  // fresh pages cost more than the text
  flamelet_call_tree* tree = nullptr;
  FUZZ_CHECK(flamelet_call_tree_create(&config, memory.data(), memory.size(), &tree) == FLAMELET_OK);
  uint64_t periods = 0;
  std::string seen;
  {
    PerfTree* into = nullptr;
    PerfReader reader(
        [&](const PerfSample& sample) {
          const uint64_t added = into->samples_added();
          into->add(sample);
          if (into->samples_added() == added) return;
          periods += into->counts_samples() ? 1 : sample.has_period ? sample.period : periods / added;
        },
        [&](uint64_t line, const char* problem) { seen += std::to_string(line) + problem + '\n'; }, kLimits);
    PerfTree perf_tree(tree, reader.names());
    into = &perf_tree;
    for (size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
    reader.finish();
    if (perf_tree.is_full()) periods = INT64_MAX;
    if (text.size() % 8 == 0)  // of every input it would cost more than the reader
      FUZZ_CHECK(flamelet_export_call_tree(tree, FLAMELET_EXPORT_COLLAPSED, "time", "nanoseconds", false,
                                           sink_to(&seen), nullptr) == FLAMELET_OK);
  }
  uint64_t samples = 0;
  flamelet_call_tree_query(
      tree, 0,
      [](void* user, const flamelet_call_path* path) {
        *static_cast<uint64_t*>(user) += path->self_samples;
        return true;
      },
      &samples);
  FUZZ_CHECK(samples == periods);
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  check_pieces(bytes, size, read);
  return 0;
}
