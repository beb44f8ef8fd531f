// SPDX-License-Identifier: MIT
//
// `flamelet record --files` and `--locks` on programs that know what they read, write and wait for.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "flamelet/capture_file.h"
#include "flamelet/file.h"
#include "flamelet/lock.h"
#include "support/read.h"
#include "tool_place.h"

using namespace flamelet::tests;
using namespace recorder_test;

namespace {

ToolResult record_files(const ToolPlace& place, const std::string& options, const std::string& arguments = "") {
  return place.shell("mkdir -p run && XDG_RUNTIME_DIR=" + place.path("run") + " '" FLAMELET_TOOL "' record --files " +
                     options + " -o saved.flamelet -- '" FLAMELET_FILE_PROGRAM "' " + arguments);
}

// "read town.pak": the calls that were recorded, but for opens, which may be shorter than a microsecond.
std::vector<std::string> calls(const std::string& path) {
  flamelet_capture* capture = nullptr;
  REQUIRE(flamelet_capture_load(nullptr, path.c_str(), &capture, nullptr) == FLAMELET_OK);
  std::vector<std::string> result;
  for (const flamelet_span& span : read_spans(capture, find_lane(capture, "Main"))) {
    const flamelet_site_info site = site_of(capture, span.site);
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

TEST_CASE(
    "record command: --files records calls that are rarer, too, and those of programs built with _FORTIFY_SOURCE") {
  const ToolPlace place;
  const ToolResult result = record_files(place, "--files-from 1", "rare");
  CAPTURE(result.err);
  CHECK(result.exit_code == 7);
  const Texts all = calls(place.path("saved.flamelet"));
  REQUIRE(all.size() > 3);
  CHECK(Texts(all.begin() + 3, all.end()) == Texts{"write rare.pak", "read rare.pak", "sync rare.pak", "write copy.pak",
                                                   "write lines.pak", "read lines.pak", "read lines.pak",
                                                   "read lines.pak"});
}

TEST_CASE("record command: --files records also where the command's folder has a space and a colon in its name") {
  const ToolPlace place;
  const std::string tool = "'My :Tools/flamelet' record --files --files-from 1 -o ";
  const ToolResult result = place.shell("mkdir -p run 'My :Tools' && cp '" FLAMELET_TOOL "' \"$(dirname '" FLAMELET_TOOL
                                        "')\"/libflamelet_preload.so 'My :Tools' && TMPDIR=run XDG_RUNTIME_DIR=" +
                                        place.path("run") + " " + tool + "saved.flamelet '" FLAMELET_FILE_PROGRAM "'");
  CHECK(result.exit_code == 7);
  CHECK_FALSE(has(result.err, "cannot be preloaded"));
  CHECK(calls(place.path("saved.flamelet")).size() == 3);
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

// ---- `flamelet record --locks` on a program that knows who waits for whom -----------------------------------------

namespace {

ToolResult record_locks(const ToolPlace& place, const std::string& arguments) {
  return place.shell("mkdir -p run && XDG_RUNTIME_DIR=" + place.path("run") + " '" FLAMELET_TOOL "' record --locks " +
                     arguments);
}

class RecordedLocks {
 public:
  explicit RecordedLocks(const std::string& path) {
    REQUIRE(flamelet_capture_load(nullptr, path.c_str(), &capture_, nullptr) == FLAMELET_OK);
    flows_ = read_flows(capture_);
  }
  ~RecordedLocks() { flamelet_capture_destroy(capture_); }
  RecordedLocks(const RecordedLocks&) = delete;
  RecordedLocks& operator=(const RecordedLocks&) = delete;

  // "lock, held by Main in Compact log, by Main": the waits of a thread of this kind, with who let it go on.
  std::vector<std::string> waits(const std::string& thread, const std::string& kind) const {
    std::vector<std::string> result;
    const size_t lane = find_lane(capture_, thread);
    for (const flamelet_span& span : read_spans(capture_, lane)) {
      const flamelet_site_info site = site_of(capture_, span.site);
      if (text_of(site.function) != FLAMELET_WAIT_FUNCTION_ || text_of(site.name) != kind) continue;
      CHECK((span.flags & (FLAMELET_SPAN_OPEN | FLAMELET_SPAN_MISSING_END)) == 0);
      result.push_back((span.object != 0 ? "held by " + text_of(capture_, span.object) + ", " : "") + "by " +
                       waker(lane, span));
    }
    return result;
  }
  std::vector<std::string> names(const std::string& thread, const std::string& kind) const {
    std::vector<std::string> result;
    for (const flamelet_span& span : read_spans(capture_, find_lane(capture_, thread))) {
      const flamelet_site_info site = site_of(capture_, span.site);
      if (text_of(site.name) == kind) result.push_back(text_of(capture_, span.name));
    }
    return result;
  }

 private:
  std::string waker(size_t lane, const flamelet_span& wait) const {
    for (const flamelet_flow& flow : flows_)
      if ((flow.flags & FLAMELET_FLOW_IS_END) != 0 && flow.lane == lane && flow.time_ns >= wait.begin_ns &&
          flow.time_ns <= wait.end_ns && flow.begin != FLAMELET_NO_PARENT)
        return text_of(lane_of(capture_, flows_[flow.begin].lane).name);
    return "nobody";
  }

  flamelet_capture* capture_ = nullptr;
  std::vector<flamelet_flow> flows_;
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("record command: --locks records waits of a program that has no mark at them, who held and who woke") {
  const ToolPlace place;
  const ToolResult result = record_locks(place, "-o saved.flamelet -- '" FLAMELET_LOCKING_PROGRAM "'");
  CHECK(result.exit_code == 7);
  const RecordedLocks locks(place.path("saved.flamelet"));
  CHECK(locks.waits("Locker", "lock") == Texts{"held by Main in Compact log, by Main"});
  CHECK(locks.waits("Reader", "shared lock") == Texts{"held by Main in Write world, by Main"});
  const Texts sleeps = locks.waits("Sleeper", "condition");
  REQUIRE(!sleeps.empty());  // the system may wake it for nothing
  CHECK(sleeps.back() == "by Main");
  CHECK(locks.waits("Main", "semaphore") == Texts{"by Poster"});
  CHECK(locks.waits("Main", "barrier") == Texts{"by Poster"});
  CHECK(locks.waits("C", "lock") == Texts{"held by Main, by Main"});
  const Texts c_waits = locks.waits("Main", "condition");
  REQUIRE(!c_waits.empty());
  CHECK(c_waits.back() == "by C");
  const Texts joins = locks.waits("Main", "thread");
  REQUIRE(!joins.empty());
  CHECK(joins.back() == "by Poster");
  const Texts ends = locks.names("Main", "thread");
  CHECK(ends.back() == "end of Poster");
  CHECK(std::count(ends.begin(), ends.end(), "end of Late") == 1);
  CHECK(std::count(ends.begin(), ends.end(), "end of a thread") == 0);
  CHECK(has(place.run("locks saved.flamelet --csv").out, "Main in Write world"));
}

TEST_CASE("record command: --locks leaves a program alone that starts no recorder") {
  const ToolPlace place;
  const ToolResult result = record_locks(place, "-o saved.flamelet -- '" FLAMELET_LOCKING_PROGRAM "' silent");
  CHECK(result.exit_code == 7);
  CHECK(has(result.err, "recorded nothing here"));
  CHECK(record_locks(place, "-o saved.flamelet -- /bin/sh -c 'exit 3'").exit_code == 3);
}

TEST_CASE_FIXTURE(ToolPlace, "record command: of a static program it is said that its locks and files are not seen") {
  const auto record = [&](const std::string& arguments) { return shell("'" FLAMELET_TOOL "' record " + arguments); };
  std::ifstream file(FLAMELET_RECORDED_PROGRAM, std::ios::binary);
  std::string program((std::istreambuf_iterator<char>(file)), {});
  REQUIRE(program.size() > 64);
  // The segment that names the loader is made none. What remains need not run.
  uint64_t table;
  std::memcpy(&table, &program[32], sizeof table);
  for (size_t i = 0; i < 8; ++i)
    if (program[table + i * 56] == 3) program[table + i * 56] = 0;
  write("static", program);
  REQUIRE(shell("chmod +x static; cp static in_path").exit_code == 0);
  const std::string message = " is linked statically: --locks and --files record nothing of it\n";
  CHECK(has(record("--locks -o x -- ./static").err, "flamelet: ./static" + message));
  const ToolResult in_path = shell("PATH=/bin:. '" FLAMELET_TOOL "' record --files -o x -- in_path");
  CHECK(has(in_path.err, "flamelet: in_path" + message));
  CHECK_FALSE(has(record("-o x -- ./static").err, message));
  CHECK_FALSE(has(record("--locks -o x -- '" FLAMELET_RECORDED_PROGRAM "' exit 0").err, message));
}
