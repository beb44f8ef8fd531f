// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <utility>
#include <vector>
#include "exported.h"
#include "pprof_samples.h"
#include "support/building.h"
#include "support/captured_recording.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "exporter.h"

using namespace flamelet::formats;

namespace {

using namespace recorder_test;

// In the first frame of a thread with a name that needs care.
struct FrameRecording : CapturedRecording {
  explicit FrameRecording(size_t bytes = size_t{4} << 20) : CapturedRecording("Main \"1\"", 1e9, bytes) {
    flamelet_frame();
  }
  void scope(const char* name, uint64_t ns, int inner = 0) {
    const flamelet_id id = flamelet_begin(name, "test", nullptr);
    now_ns += ns;
    for (int i = 0; i < inner; ++i) scope(name, ns, 0);
    flamelet_end(id);
  }
};

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Whether Chrome JSON has, between the texts `before` and `after`, a stretch of time with this begin and duration.
bool has_stretch(const std::string& json, const std::string& before, double begin_us, int64_t duration_ns,
                 const std::string& after) {
  const std::string text = before + ",\"ts\":", middle = ",\"dur\":";
  for (size_t at = json.find(text); at != std::string::npos; at = json.find(text, at + 1)) {
    char* rest = nullptr;
    const double ts = std::strtod(json.c_str() + at + text.size(), &rest);
    if (middle.compare(0, middle.size(), rest, middle.size()) != 0) continue;
    const double dur = std::strtod(rest + middle.size(), &rest);
    if (std::llround(ts * 1000) == std::llround(begin_us * 1000) && std::llround(dur * 1000) == duration_ns &&
        after.compare(0, after.size(), rest, after.size()) == 0)
      return true;
  }
  return false;
}

Samples samples_of(const flamelet_capture* capture, int64_t begin_ns = INT64_MIN, int64_t end_ns = INT64_MAX) {
  flamelet_export_options options = flamelet_export_options_default();
  options.begin_ns = begin_ns;
  options.end_ns = end_ns;
  std::string zipped;
  REQUIRE(flamelet_export(capture, FLAMELET_EXPORT_PPROF, &options, sink_to(&zipped), nullptr) == FLAMELET_OK);
  return pprof_samples(unzip(zipped));
}

}  // namespace

TEST_CASE_FIXTURE(FrameRecording, "export: Chrome JSON holds spans, instants, counters, intervals and frames") {
  const flamelet_id outer = flamelet_begin("outer", "test", "the \"object\"");
  now_ns += 1500;
  scope("inner", 250);
  flamelet_instant("ping", "test", nullptr);
  flamelet_counter("load", "test", 0.5);
  flamelet_counter("load", "test", std::nan(""));
  const flamelet_id job = flamelet_interval_begin("job", "test", nullptr);
  flamelet_end(outer);
  now_ns += 1000;
  flamelet_interval_end(job);
  flamelet_frame();
  flamelet_export_report report;
  const std::string json = exported(capture(), FLAMELET_EXPORT_CHROME, &report);
  CHECK(report.spans == 2);
  CHECK(report.points == 3);
  CHECK(report.intervals == 1);
  CHECK(report.frames == 2);  // the first began with the recorder
  CHECK(report.values_nonfinite == 1);
  CHECK(report.bytes == json.size());
  CHECK(has_stretch(json, "\"name\":\"outer\",\"cat\":\"test\",\"pid\":1,\"site\":0,\"tid\":1", 1.000, 1750,
                    ",\"args\":{\"object\":\"the \\\"object\\\"\"}}"));
  CHECK(has_stretch(json, "\"tid\":1", 2.500, 250, "}"));
  CHECK(json.find("\"args\":{\"value\":0.5}}") != std::string::npos);
  CHECK(json.find("\"nonfinite\":\"nan\",\"args\":{\"value\":null}}") != std::string::npos);
  CHECK(json.find("\"name\":\"Main \\\"1\\\"\"") != std::string::npos);
  CHECK(count(json, "\"ph\":\"b\"") == 1);
  CHECK(count(json, "\"ph\":\"e\"") == 1);
  CHECK(has_stretch(json, "\"cat\":\"frame\",\"pid\":1,\"tid\":2", 1.000, 2750, ",\"frame\":"));
}

TEST_CASE("export: a GPU queue is a lane of its own in every format") {
  FrameRecording recording;
  const uint32_t queue = flamelet_track_create("GPU", FLAMELET_TRACK_GPU, 1e9);
  REQUIRE(flamelet_track_calibrate(queue, 0, now_ns) == FLAMELET_OK);
  recording.scope("cpu", 1000);
  const flamelet_event pass[] = {event('B', 100, 7, "shadows"), event('E', 350, 7, nullptr)};
  REQUIRE(flamelet_submit(queue, pass, 2) == 2);
  flamelet_capture* const capture = recording.capture();
  const std::string chrome = exported(capture, FLAMELET_EXPORT_CHROME);
  CHECK(chrome.find("\"tid\":2,\"args\":{\"name\":\"GPU\"},\"lane\":\"gpu\"") != std::string::npos);
  CHECK(has_stretch(chrome, "\"tid\":2", 1.100, 250, ",\"scope_id\":1}"));
  CHECK(exported(capture, FLAMELET_EXPORT_COLLAPSED) == "Main \"1\";cpu 1000\nGPU;shadows 250\n");
  const std::string speedscope = exported(capture, FLAMELET_EXPORT_SPEEDSCOPE);
  CHECK(speedscope.find("\"name\":\"GPU\"") != std::string::npos);
  CHECK(speedscope.find("\"frame\":1,\"at\":100},\n{\"type\":\"C\",\"frame\":1,\"at\":350}") != std::string::npos);
  CHECK(samples_of(capture) == Samples{{{1}, {1, 1000}}, {{2}, {1, 250}}});
}

TEST_CASE("export: a fiber is a lane of the time lines, and its time counts once by call path") {
  FrameRecording recording;
  const uint32_t fiber = flamelet_fiber_create("job");
  REQUIRE(fiber != 0);
  flamelet_fiber_switch(0, fiber);
  const flamelet_id load = flamelet_begin("load", "test", nullptr);
  now_ns += 100;
  flamelet_fiber_switch(fiber, 0);
  recording.scope("main", 50);
  flamelet_fiber_switch(0, fiber);
  now_ns += 30;
  flamelet_end(load);
  flamelet_fiber_switch(fiber, 0);
  flamelet_capture* const capture = recording.capture();
  // 130 ns of work, and 50 ns in which the fiber waited.
  const std::string chrome = exported(capture, FLAMELET_EXPORT_CHROME);
  CHECK(chrome.find("\"tid\":2,\"args\":{\"name\":\"job\"},\"lane\":\"fiber\"") != std::string::npos);
  CHECK(has_stretch(chrome, "\"tid\":2", 1.000, 180, ""));
  CHECK(exported(capture, FLAMELET_EXPORT_SPEEDSCOPE).find("\"name\":\"job\"") != std::string::npos);
  CHECK(exported(capture, FLAMELET_EXPORT_COLLAPSED) == "Main \"1\";load 130\nMain \"1\";main 50\n");
  CHECK(samples_of(capture) == Samples{{{1}, {1, 130}}, {{2}, {1, 50}}});
}

TEST_CASE_FIXTURE(FrameRecording, "export: a Chrome span of no length is one nanosecond long, inside its parent") {
  const flamelet_id outer = flamelet_begin("outer", "", nullptr);
  scope("first", 0);
  now_ns += 10;
  scope("last", 0);
  flamelet_end(outer);
  const std::string json = exported(capture(), FLAMELET_EXPORT_CHROME);
  CHECK(has_stretch(json, "\"tid\":1", 1.000, 1, ",\"depth\":1}"));
  CHECK(has_stretch(json, "\"tid\":1", 1.009, 1, ",\"depth\":1,\"moved\":1}"));
}

TEST_CASE("export: a reader that adds a Chrome span's times as doubles finds its end where the next one begins") {
  // And one that cuts both to nanoseconds before it adds finds it there, or 1 ns before.
  const auto cut_ns = [](double us) { return static_cast<int64_t>(us * 1000); };
  FrameRecording recording;
  flamelet_instant("earlier", "", nullptr);
  now_ns += 5000123;  // so the lane's first span begins at no round time
  const flamelet_id outer = flamelet_begin("outer", "", nullptr);
  flamelet_id sibling = flamelet_begin("sibling", "", nullptr);
  uint64_t random = 12345;
  constexpr int kSiblings = 2000;
  for (int i = 0; i < kSiblings; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    now_ns += 1 + (random >> 40) % (i % 2 == 0 ? 1000u : 10000000u);
    sibling = flamelet_next(sibling, "sibling", "");
  }
  now_ns += 3;
  flamelet_end(outer);
  const std::string json = exported(recording.capture(), FLAMELET_EXPORT_CHROME);
  int siblings = 0, longer = 0, shorter = 0;
  // As the numbers stand, and after a reader moved the first one of the thread id to 0.
  for (const bool moved : {false, true}) {
    double moved_us = 0, end_us = 0, outer_end_us = 0;
    int64_t cut_end_ns = 0, outer_cut_end_ns = 0;
    for (size_t at = json.find("\"ph\":\"X\""); at != std::string::npos; at = json.find("\"ph\":\"X\"", at + 1)) {
      const size_t ts = json.find("\"ts\":", at) + 5, dur = json.find("\"dur\":", at) + 6;
      if (json.compare(at + 9, 14, "\"name\":\"Frame\"") == 0) continue;
      char* rest = nullptr;
      const double written_us = std::strtod(json.c_str() + ts, &rest);
      longer += rest - (json.c_str() + ts) > 12;
      if (moved && moved_us == 0) moved_us = written_us;
      const double begin_us = written_us - moved_us;
      if (outer_end_us == 0) CHECK(std::llround((begin_us + moved_us) * 1000) == 5000123 + 1000);
      const double duration_us = std::strtod(json.c_str() + dur, &rest);
      longer += rest - (json.c_str() + dur) > 12;
      const int64_t cut_begin_ns = cut_ns(begin_us + moved_us);
      const int64_t cut_before_ns = std::exchange(cut_end_ns, cut_begin_ns + cut_ns(duration_us));
      if (outer_end_us == 0) {
        outer_end_us = begin_us + duration_us;
        outer_cut_end_ns = cut_end_ns;
        continue;
      }
      if (end_us != 0) {
        CHECK(begin_us == end_us);
        if (!moved) CHECK(cut_before_ns <= cut_begin_ns);
        if (!moved) shorter += cut_before_ns < cut_begin_ns;
      }
      ++siblings;
      end_us = begin_us + duration_us;
    }
    CHECK(end_us == outer_end_us);
    if (!moved) CHECK(cut_end_ns <= outer_cut_end_ns);
  }
  CHECK(shorter == 0);
  CHECK(siblings == 2 * (kSiblings + 1));
  CHECK(longer > 100);  // so the test does meet sums that are not exact
}

TEST_CASE("export: every span is written once, however many windows are read") {
  FrameRecording recording(size_t{16} << 20);
  const flamelet_id outer = flamelet_begin("outer", "", nullptr);
  constexpr int kSpans = 200000;
  for (int i = 0; i < kSpans; ++i) recording.scope("inner", 1 + static_cast<uint64_t>(i % 7 == 0) * 1000);
  now_ns += 1;
  for (int i = 0; i < 40000; ++i) recording.scope("burst", 0);  // in one nanosecond
  flamelet_end(outer);
  for (int format = 0; format < FLAMELET_EXPORT_FORMAT_COUNT; ++format) {
    flamelet_export_report report;
    exported(recording.capture(), static_cast<flamelet_export_format>(format), &report);
    CHECK(report.spans == kSpans + 40000 + 1);
    CHECK(report.spans_clamped == 0);
  }
  CHECK(count(exported(recording.capture(), FLAMELET_EXPORT_CHROME), "\"name\":\"inner\",\"cat\"") == kSpans);
}

TEST_CASE_FIXTURE(FrameRecording, "export: collapsed stacks add up to the time of the lane") {
  const flamelet_id outer = flamelet_begin("outer;x", "", nullptr);
  now_ns += 5;
  scope("inner", 10, 2);
  flamelet_end(outer);
  CHECK(exported(capture(), FLAMELET_EXPORT_COLLAPSED) ==
        "Main \"1\";outer:x 5\nMain \"1\";outer:x;inner 10\nMain \"1\";outer:x;inner;inner 20\n");
}

TEST_CASE_FIXTURE(FrameRecording,
                  "export: of a scope that reaches out of the window, call paths have what lies in it") {
  const flamelet_id outer = flamelet_begin("outer", "", nullptr);
  for (int i = 0; i < 10; ++i) scope("inner", 10);
  now_ns += 4;
  flamelet_end(outer);
  flamelet_export_options options = flamelet_export_options_default();
  int64_t begin_ns = 0, end_ns = 0;
  REQUIRE(flamelet_capture_extent(capture(), &begin_ns, &end_ns));
  begin_ns = end_ns - 104;
  options.begin_ns = begin_ns + 75;  // in the middle of the eighth, to the end of the ninth
  options.end_ns = begin_ns + 90;
  std::string bytes;
  REQUIRE(flamelet_export(capture(), FLAMELET_EXPORT_COLLAPSED, &options, sink_to(&bytes), nullptr) == FLAMELET_OK);
  CHECK(bytes == "Main \"1\";outer;inner 15\n");
}

TEST_CASE_FIXTURE(FrameRecording, "export: speedscope opens and closes frames like a stack") {
  const flamelet_id outer = flamelet_begin("outer", "", nullptr);
  now_ns += 5;
  scope("inner", 10);
  flamelet_end(outer);
  const std::string json = exported(capture(), FLAMELET_EXPORT_SPEEDSCOPE);
  CHECK(json.find("\"events\":[\n{\"type\":\"O\",\"frame\":0,\"at\":0},\n{\"type\":\"O\",\"frame\":1,\"at\":5},\n"
                  "{\"type\":\"C\",\"frame\":1,\"at\":15},\n{\"type\":\"C\",\"frame\":0,\"at\":15}\n],"
                  "\"startValue\":0,\"endValue\":15}") != std::string::npos);
  CHECK(json.find("\"frames\":[\n{\"name\":\"outer\"") != std::string::npos);
}

TEST_CASE_FIXTURE(FrameRecording, "export: pprof samples add up to the calls and self times of the spans") {
  const flamelet_id outer = flamelet_begin("outer", "", nullptr);
  now_ns += 5;
  scope("inner", 10, 2);
  flamelet_end(outer);
  CHECK(samples_of(capture()) == Samples{{{1}, {1, 5}}, {{2, 1}, {1, 10}}, {{2, 2, 1}, {2, 20}}});
  // So do windows that lie side by side.
  int64_t first_ns = 0, end_ns = 0;
  REQUIRE(flamelet_capture_extent(capture(), &first_ns, &end_ns));
  for (int64_t split_ns = end_ns - 35; split_ns <= end_ns; ++split_ns) {
    int64_t calls = 0, self_ns = 0;
    for (const Samples& samples :
         {samples_of(capture(), INT64_MIN, split_ns), samples_of(capture(), split_ns, INT64_MAX)})
      for (const auto& [locations, values] : samples) calls += values[0], self_ns += values[1];
    CHECK(calls == 4);
    CHECK(self_ns == 35);
  }
}

// 2^20 paths have room: here 1,024 scopes and all pairs of them. So none that comes later has.
TEST_CASE("export: spans that found no room among the call paths count at their callers, or else at their lane") {
  constexpr int64_t kScopes = 1024;
  Building building(with(flamelet_capture_config_default(), &flamelet_capture_config::budget_bytes, size_t{64} << 20));
  const uint32_t lane = building.lane(FLAMELET_LANE_THREAD, "Main");
  std::vector<uint32_t> sites;
  for (int64_t i = 0; i < kScopes; ++i) sites.push_back(building.site("scope " + std::to_string(i)));
  int64_t at_ns = 0;
  const auto call = [&](uint32_t outer, int64_t inner_ns, uint32_t inner) {
    building.begin(lane, at_ns, outer);
    building.begin(lane, at_ns, inner);
    building.end(lane, at_ns += inner_ns);
    building.end(lane, ++at_ns);
  };
  for (const uint32_t outer : sites)
    for (const uint32_t inner : sites) call(outer, 0, inner);
  call(building.site("last"), 100, sites[0]);
  at_ns += 50;
  call(building.site("very last"), 200, building.site("in it"));
  flamelet_capture* const capture = building.finish();

  flamelet_export_report report;
  std::istringstream lines(exported(capture, FLAMELET_EXPORT_COLLAPSED, &report));
  CHECK(report.paths_dropped >= 3);
  int64_t sum_ns = 0, of_lane_ns = 0;
  for (std::string line; std::getline(lines, line);) {
    const int64_t ns = std::stoll(line.substr(line.rfind(' ')));
    sum_ns += ns;
    if (line.rfind("Main ", 0) == 0) of_lane_ns += ns;
  }
  CHECK(sum_ns == at_ns - 50);
  CHECK(of_lane_ns == kScopes + 1 + 201);  // of the last of the 1,024, of "last", and of "very last"
  int64_t pprof_ns = 0;
  for (const auto& [locations, values] : samples_of(capture)) pprof_ns += values.back();
  CHECK(pprof_ns == at_ns - 50);
}

TEST_CASE_FIXTURE(FrameRecording, "export: pprof has no system name where it would be the name itself") {
  scope("take", 5);  // a name that is no signature stands for its function, too
  { FLAMELET_SCOPE("macro"); }
  const std::string bytes = unzip(exported(capture(), FLAMELET_EXPORT_PPROF));
  size_t functions = 0, system_names = 0;
  protozero::pbf_reader profile(bytes);
  while (profile.next(5)) {
    protozero::pbf_reader function = profile.get_message();
    ++functions;
    while (function.next()) {
      system_names += function.tag() == 3;
      function.skip();
    }
  }
  CHECK(functions == 2);
  CHECK(system_names == 1);  // of the macro, which knows its function
}

TEST_CASE_FIXTURE(FrameRecording, "export: a name of 64 KiB and names that are not UTF-8 survive") {
  const std::string huge(65000, 'x');
  scope(flamelet_intern(huge.c_str()), 5);
  for (int i = 0; i < 3; ++i) scope(flamelet_intern("bad \xFF name"), 5);
  for (int i = 0; i < 2; ++i) flamelet_instant("instant", "", flamelet_intern("bad \xFF name"));
  for (int format = 0; format < FLAMELET_EXPORT_FORMAT_COUNT; ++format) {
    flamelet_export_report report;
    std::string text = exported(capture(), static_cast<flamelet_export_format>(format), &report);
    if (format == FLAMELET_EXPORT_PPROF) text = unzip(text);
    CHECK(text.find(huge) != std::string::npos);
    CHECK(text.find("bad \xEF\xBF\xBD name") != std::string::npos);
    CHECK(report.texts_repaired == 1);
  }
}

TEST_CASE_FIXTURE(FrameRecording, "export: a sink that refuses ends the export with an error") {
  scope("scope", 5);
  const flamelet_sink sink = {[](void*, const void*, size_t) { return false; }, nullptr};
  for (int format = 0; format < FLAMELET_EXPORT_FORMAT_COUNT; ++format)
    CHECK(flamelet_export(capture(), static_cast<flamelet_export_format>(format), nullptr, sink, nullptr) ==
          FLAMELET_ERROR_FILE_WRITE);
  CHECK(flamelet_export(nullptr, FLAMELET_EXPORT_CHROME, nullptr, sink, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_export_file(capture(), FLAMELET_EXPORT_CHROME, nullptr, "/no/such/folder/x", nullptr) ==
        FLAMELET_ERROR_FILE_OPEN);
}

// ---- Text ---------------------------------------------------------------------------------------------------------

namespace {
std::string json(std::string_view text) {
  std::string to;
  append_json_string(text, &to);
  return to;
}
std::string repaired(std::string_view text) {
  std::string to;
  append_utf8(text, &to);
  return to;
}
const std::string kBad = "\xEF\xBF\xBD";
}  // namespace

TEST_CASE("export text: quotes, backslashes and control characters are escaped") {
  CHECK(json("a\"b\\c\nd\x1f\x7f") == "\"a\\\"b\\\\c\\u000ad\\u001f\\u007f\"");
  CHECK(json(std::string_view("\0", 1)) == "\"\\u0000\"");
  CHECK(json("") == "\"\"");
}

TEST_CASE("export text: UTF-8 passes and every other byte becomes U+FFFD") {
  const std::string whole = "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x94\xA5 \xF4\x8F\xBF\xBF \xED\x9F\xBF";
  std::string to;
  CHECK(append_utf8(whole, &to));
  CHECK(to == whole);
  CHECK(repaired("a\xFFz") == "a" + kBad + "z");
  CHECK(repaired("\xC0\x80") == kBad + kBad);                        // overlong
  CHECK(repaired("\xE0\x9F\xBF") == kBad + kBad + kBad);             // overlong
  CHECK(repaired("\xED\xA0\x80") == kBad + kBad + kBad);             // surrogate
  CHECK(repaired("\xF4\x90\x80\x80") == kBad + kBad + kBad + kBad);  // past U+10FFFF
  CHECK(repaired("\xE2\x82") == kBad + kBad);                        // cut
  to.clear();
  CHECK_FALSE(append_utf8("\x80", &to));
}

TEST_CASE("export text: a frame of a collapsed stack holds no separator") {
  std::string to;
  append_collapsed_frame("a;b\nc d", &to);
  CHECK(to == "a:b c d");
}

// ---- Format table -------------------------------------------------------------------------------------------------

namespace {

const flamelet_export_format_info* info_of(int format) {
  return flamelet_export_format_get_info(format);
}

}  // namespace

TEST_CASE("export: each end of a name leads to its format, with and without .gz") {
  flamelet_export_format format;
  bool gzip;
  for (int number = 0; number < FLAMELET_EXPORT_FORMAT_COUNT; ++number) {
    REQUIRE(info_of(number) != nullptr);
    for (const char* end : info_of(number)->name_ends) {
      if (end == nullptr) continue;
      CAPTURE(end);
      REQUIRE(flamelet_export_format_of_path((std::string("game") + end).c_str(), &format, &gzip));
      CHECK(format == number);
      CHECK_FALSE(gzip);
      REQUIRE(flamelet_export_format_of_path((std::string("game") + end + ".gz").c_str(), &format, &gzip));
      CHECK(format == number);
      CHECK(gzip);
    }
  }
  CHECK_FALSE(flamelet_export_format_of_path("a.txt", &format, &gzip));
  CHECK(info_of(FLAMELET_EXPORT_FORMAT_COUNT) == nullptr);
  CHECK(info_of(-1) == nullptr);
}

TEST_CASE("export: the manual of the command names each format and each end of a name") {
  std::ifstream file(FLAMELET_DOCS "/tool.md");
  const std::string manual{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (int number = 0; info_of(number) != nullptr; ++number) {
    CAPTURE(info_of(number)->name);
    CHECK(manual.find("`" + std::string(info_of(number)->name) + "`") != std::string::npos);
    for (const char* end : info_of(number)->name_ends) {
      if (end != nullptr) CHECK(manual.find("`" + std::string(end) + "`") != std::string::npos);
    }
  }
}

TEST_CASE("export: what the program is called is the caller's to say") {
  recorder_test::CapturedRecording recording("main");
  flamelet_end(flamelet_begin("scope", "test", nullptr));
  flamelet_export_options options = flamelet_export_options_default();
  CHECK(std::string(options.process_name) == "program");
  options.process_name = "asteroid miner";
  std::string chrome, perfetto, pprof;
  REQUIRE(flamelet_export(recording.capture(), FLAMELET_EXPORT_CHROME, &options, sink_to(&chrome), nullptr) ==
          FLAMELET_OK);
  CHECK(chrome.find("\"args\":{\"name\":\"asteroid miner\"}") != std::string::npos);
  REQUIRE(flamelet_export(recording.capture(), FLAMELET_EXPORT_PERFETTO, &options, sink_to(&perfetto), nullptr) ==
          FLAMELET_OK);
  CHECK(perfetto.find("asteroid miner") != std::string::npos);
  REQUIRE(flamelet_export(recording.capture(), FLAMELET_EXPORT_PPROF, &options, sink_to(&pprof), nullptr) ==
          FLAMELET_OK);
  CHECK(unzip(pprof).find("asteroid miner") != std::string::npos);
  options.process_name = nullptr;
  CHECK(flamelet_export(recording.capture(), FLAMELET_EXPORT_PPROF, &options, sink_to(&pprof), nullptr) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
}
