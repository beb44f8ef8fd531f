// SPDX-License-Identifier: MIT
//
// make_captures FOLDER [CAPTURE...]
//
// Writes what the viewers' tests open: captures and call trees in every export format, and beside them, in
// NAME.expected.json, what Flamelet itself says about each. Three are recorded here: `known`, `names`, and `calls`, a
// call tree. Each CAPTURE file (of the demo, for example) is exported under its own name.
#include <cstdio>
#include <string>
#include <vector>

#include "expected.h"
#include "flamelet/capture_file.h"
#include "flamelet/export.h"
#include "flamelet/flamelet.h"
#include "flamelet/span_tree.h"
#include "recordings.h"
#include "require.h"
#include "support/clock.h"
#include "support/string_io.h"

namespace {

void write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  require(file != nullptr, "cannot write " + path);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  require((std::fclose(file) == 0) && written, "cannot write " + path);
}

void export_capture(const flamelet_capture* capture, const std::string& path) {
  for (const char* ending : {".trace.json", ".pb.gz", ".speedscope.json", ".folded", ".pftrace"}) {
    const std::string file = path + ending;
    flamelet_export_format format;
    bool gzip;
    require(flamelet_export_format_of_path(file.c_str(), &format, &gzip), "no format for " + file);
    flamelet_export_options options = flamelet_export_options_default();
    options.process_name = "game";
    flamelet_export_report report;
    require(flamelet_export_file(capture, format, &options, file.c_str(), &report) == FLAMELET_OK,
            "cannot export " + file);
    require(report.spans_clamped == 0 && report.paths_dropped == 0, "spans were changed in " + file);
  }
  write_file(path + ".expected.json", expected_of(capture));
}

void export_tree(flamelet_call_tree* tree, const std::string& path, const char* type, const char* unit) {
  for (const auto format : {FLAMELET_EXPORT_PPROF, FLAMELET_EXPORT_COLLAPSED}) {
    std::string bytes;
    require(flamelet_export_call_tree(tree, format, type, unit, false, sink_to(&bytes), nullptr) == FLAMELET_OK,
            "cannot export " + path);
    write_file(path + (format == FLAMELET_EXPORT_PPROF ? ".pb.gz" : ".folded"), bytes);
  }
  write_file(path + ".expected.json", expected_of(tree));
}

void export_recording(void (*record)(), const std::string& path) {
  flamelet_config config = recorder_test::with_thread_clock(flamelet_config_default(), 1000000);
  config.max_fibers = 4;
  require(flamelet_init(&config) == FLAMELET_OK, "cannot start the recorder");
  record();
  flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  require(flamelet_capture_create(&capture_config, &capture) == FLAMELET_OK, "cannot make a capture");
  require(flamelet_capture_update(capture) == FLAMELET_OK, "cannot read the recorder");
  export_capture(capture, path);

  // Its threads once more, as a call tree that folds recursion.
  flamelet_span_tree_config tree_config = flamelet_span_tree_config_default();
  std::vector<char> memory(flamelet_span_tree_memory_required(&tree_config));
  flamelet_span_tree* tree = nullptr;
  require(flamelet_span_tree_create(&tree_config, memory.data(), memory.size(), &tree) == FLAMELET_OK, "no tree");
  flamelet_span_tree_update(tree, capture);
  export_tree(flamelet_span_tree_calls(tree), path + ".tree", "time", "nanoseconds");
  flamelet_capture_destroy(capture);
  require(flamelet_shutdown() == FLAMELET_OK, "cannot stop the recorder");
}

void export_call_tree(const std::string& path) {
  flamelet_call_tree_config config = flamelet_call_tree_config_default();
  std::vector<char> memory(flamelet_call_tree_memory_required(&config));
  flamelet_call_tree* tree = nullptr;
  require(flamelet_call_tree_create(&config, memory.data(), memory.size(), &tree) == FLAMELET_OK, "no tree");
  recordings::call_tree(tree);
  export_tree(tree, path, "instructions", "count");
}

void export_file(const std::string& from, const std::string& folder) {
  flamelet_capture* capture = nullptr;
  require(flamelet_capture_load(nullptr, from.c_str(), &capture, nullptr) == FLAMELET_OK, "cannot load " + from);
  const size_t slash = from.rfind('/');
  std::string name = slash == std::string::npos ? from : from.substr(slash + 1);
  export_capture(capture, folder + "/" + name.substr(0, name.find('.')));
  flamelet_capture_destroy(capture);
}

}  // namespace

int main(int argc, char** argv) {
  require(argc >= 2, "usage: make_captures FOLDER [CAPTURE...]");
  const std::string folder = argv[1];
  export_recording(recordings::known, folder + "/known");
  export_recording(recordings::names, folder + "/names");
  export_call_tree(folder + "/calls");
  for (int i = 2; i < argc; ++i) export_file(argv[i], folder);
  return 0;
}
