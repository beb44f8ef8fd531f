// SPDX-License-Identifier: MIT
//
// `flamelet record --files` on a program that knows what it reads and writes.
#include <string>
#include <vector>

#include "flamelet/capture_file.h"
#include "flamelet/file.h"
#include "support/read.h"
#include "tool_place.h"

using namespace flamelet::tests;
using recorder_test::text_of;

namespace {

ToolResult record_files(const ToolPlace& place, const std::string& options) {
  return place.shell("mkdir -p run && XDG_RUNTIME_DIR=" + place.path("run") + " '" FLAMELET_TOOL "' record --files " +
                     options + " -o saved.flamelet -- '" FLAMELET_FILE_PROGRAM "'");
}

// "read town.pak": the calls that were recorded, but for opens, which may be shorter than a microsecond.
std::vector<std::string> calls(const std::string& path) {
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, path.c_str(), &capture, nullptr) == FLAMELET_OK);
  std::vector<std::string> result;
  for (const flamelet_span& span : recorder_test::read_spans(capture, recorder_test::find_lane(capture, "Main"))) {
    flamelet_site_info site;
    REQUIRE(flamelet_capture_site(capture, span.site, &site));
    if (text_of(site.function) != FLAMELET_FILE_FUNCTION_) continue;
    CHECK(span.depth == 1);
    const std::string kind = text_of(site.name);
    if (kind != "open") result.push_back(kind + " " + text_of(capture, span.object));
  }
  flamelet_capture_destroy(capture);
  return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("record command: --files records calls to files with their names, in a program that has no mark at them") {
  const ToolPlace place;
  const ToolResult result = record_files(place, "--files-from 1");
  CAPTURE(result.err);
  CHECK(result.exit_code == 7);
  CHECK(calls(place.path("saved.flamelet")) == Texts{"write town.pak", "read town.pak", "read town.pak"});
  CHECK(has(place.run("stats saved.flamelet --csv").out, "read"));
}

TEST_CASE("record command: --files leaves out what is shorter than it is told, and refuses what is no time") {
  const ToolPlace place;
  CHECK(record_files(place, "--files-from 600000000").exit_code == 7);
  CHECK(calls(place.path("saved.flamelet")).empty());
  for (const char* wrong : {"0", "-1", "5us", "''"}) {
    const ToolResult result = record_files(place, std::string("--files-from ") + wrong);
    CHECK(result.exit_code == 2);
    CHECK(has(result.err, "no number of microseconds"));
  }
}
