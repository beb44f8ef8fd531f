// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "gate.h"
#include "support/building.h"
#include "tool_place.h"

using namespace flamelet::tests;

namespace gate_command_test {

namespace {

// Captures of 40 frames of about 10 ms, in which Physics takes about 4 ms, times `slowdown`.
class Place : public ToolPlace {
 public:
  void add_run(const std::string& name, uint64_t seed, double slowdown = 1) const {
    flamelet::tools::RandomNumbers random(seed);
    const auto about = [&](double ns, size_t percent) {
      return static_cast<int64_t>(
          ns * (1 + 0.0001 * (static_cast<double>(random.below(200 * percent)) - static_cast<double>(100 * percent))));
    };
    recorder_test::Building building;
    const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
    int64_t at = 0;
    for (uint64_t index = 0; index < 40; ++index) {
      const int64_t begin = at;
      building.begin(main, at, building.site("Frame"));
      for (const auto& [scope, ns] : {std::pair{"Update", 3e6}, {"Physics", 4e6 * slowdown}, {"Draw", 3e6}}) {
        building.begin(main, at, building.site(scope));
        building.end(main, at += about(ns, 2));
      }
      building.end(main, at);
      building.frame(index, begin, at, index == 0 ? FLAMELET_FRAME_PARTIAL : 0);
    }
    write(name, recorder_test::save(building.finish()));
  }
  // a1 .. an and b1 .. bn; "a1 a2 a3 -- b1 b2 b3".
  std::string add_pair(size_t count, double slowdown) const {
    std::string sides[2];
    for (size_t i = 1; i <= count; ++i) {
      sides[0] += "a" + std::to_string(i) + " ";
      sides[1] += " b" + std::to_string(i);
      add_run("a" + std::to_string(i), i);
      add_run("b" + std::to_string(i), 100 + i, slowdown);
    }
    return sides[0] + "--" + sides[1];
  }
};

}  // namespace

TEST_CASE_FIXTURE(Place, "gate command: a slower path is named, with the exit code 5") {
  const std::string files = add_pair(6, 1.05);
  const ToolResult result = run("gate " + files);
  CHECK(result.exit_code == 5);
  CHECK(result.err == "");
  CHECK(begins_with(result.out, "slower: Frame > Physics takes 4."));
  CHECK(has(result.out, "BASE: 6 runs, 234 frames"));
  CHECK(has(result.out, "\nslower call path "));
  CHECK(has(result.out, "\nFrame > Physics  "));
  CHECK_FALSE(has(result.out, "\nFrame  "));
  CHECK_FALSE(has(result.out, "faster call path"));
  CHECK(run("gate " + files).out == result.out);
}

TEST_CASE("gate command: a path that takes many times as long is told in times, not in thousands of percent") {
  const Place place;
  const ToolResult result = place.run("gate --width 200 " + place.add_pair(6, 1000));
  CHECK(result.exit_code == 5);
  CHECK(begins_with(result.out, "slower: Frame > Physics takes 4."));
  const std::string sentence = result.out.substr(0, result.out.find('\n'));
  CHECK(has(sentence, " s a frame, "));
  CHECK(has(sentence, " times 4."));
  CHECK(has(result.out, " times ("));
  CHECK_FALSE(has(result.out, "0000"));
}

TEST_CASE_FIXTURE(Place, "gate command: what it says is no wider than the terminal") {
  for (const double slowdown : {1.0, 1.05, 0.9, 1000.0}) {
    const std::string files = add_pair(6, slowdown);
    for (const std::string columns : {"50", "80", "100", "120"}) {
      CAPTURE(slowdown);
      CAPTURE(columns);
      const ToolResult result = run("gate --budget 10.2 --width " + columns + " " + files);
      std::istringstream lines(result.out);
      for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        size_t used = 0;
        for (const char c : line) used += (c & 0xC0) != 0x80;
        CHECK(used <= std::stoul(columns));
      }
    }
  }
}

TEST_CASE_FIXTURE(Place, "gate command: faster and no difference are fine") {
  const ToolResult faster = good("gate " + add_pair(6, 0.9));
  CHECK(begins_with(faster.out, "faster: Frame > Physics takes 3."));
  const ToolResult same = good("gate --width 400 " + add_pair(6, 1));
  CHECK(begins_with(same.out, "no difference seen in 6 and 6 runs\n"));
  CHECK(has(same.out, "frames, p99 "));
  CHECK_FALSE(has(same.out, "call path"));
  // What "no difference" is worth.
  CHECK(has(same.out, " a change is seen every second time from "));
  CHECK(has(same.out, " on in half of the "));
}

TEST_CASE_FIXTURE(Place, "gate command: a frame budget is compared, too") {
  const std::string files = add_pair(6, 1.1);
  const ToolResult result = run("gate --budget 10.2 " + files);
  CHECK(result.exit_code == 5);
  CHECK(has(result.out, "over 10.200 ms  "));
  CHECK(has(result.out, " of all ("));
}

TEST_CASE_FIXTURE(Place, "gate command: without enough runs there is no verdict, but there are the figures") {
  const ToolResult few = run("gate " + add_pair(3, 2));
  CHECK(few.exit_code == 6);
  CHECK(begins_with(few.out,
                    "not enough runs: 3 and 3 runs; with less than 5 and 5, a change cannot be told from chance\n"));
  CHECK(has(few.out, "frames, p50 "));
  CHECK_FALSE(has(few.out, "verdict"));
  // Who accepts more false alarms needs less.
  CHECK(run("gate --alarms 10 a1 a2 a3 -- b1 b2 b3").exit_code == 5);
}

TEST_CASE_FIXTURE(Place, "gate command: runs that cannot be compared give no verdict") {
  add_pair(5, 1);
  recorder_test::Building building;
  building.begin(building.lane(FLAMELET_LANE_THREAD, "Main"), 0, building.site("Work"));
  write("bare", recorder_test::save(building.finish()));
  const ToolResult bare = run("gate a1 a2 a3 a4 a5 -- b1 b2 bare b4 b5");
  CHECK(bare.exit_code == 6);
  CHECK(bare.out == "no verdict: bare has no whole frame\n");
  CHECK(has(run("gate a1 a2 -- bare --json").out, "\"verdict\":\"no verdict\""));
  run("gate a1 a2 -- bare --junit j.xml");
  CHECK(has(read("j.xml"), "<skipped message=\"no verdict: bare has no whole frame\"/>"));
}

TEST_CASE_FIXTURE(Place, "gate command: a run that has nothing in it gives no verdict, but all reports") {
  add_pair(1, 1);
  write("empty", "");
  const ToolResult result = run("gate a1 -- b1 empty --junit gate.xml --markdown gate.md --html gate.html");
  CHECK(result.exit_code == 6);
  CHECK(result.out == "no verdict: empty is empty\n");
  CHECK(has(run("gate a1 -- b1 empty --json").out, "{\"file\":\"empty\",\"problem\":\"empty is empty\",\"frames\":0,"));
  CHECK(has(read("gate.xml"), "<skipped message=\"no verdict: empty is empty\"/>"));
  CHECK(has(read("gate.md"), "no verdict: empty is empty"));
  CHECK(has(read("gate.html"), "no verdict: empty is empty"));
}

TEST_CASE("gate command: frames of no length are compared, and drawn") {
  const Place place;
  // Eight scopes that take that long, and twice as long, and so on.
  const auto add_runs = [&](const std::string& side, int64_t scope_ns) {
    for (int run = 1; run <= 5; ++run) {
      recorder_test::Building building;
      const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
      int64_t at = 5;
      for (const char* const scope : {"a", "b", "c", "d", "e", "f", "g", "h"})
        for (int64_t step = scope[0] - 'a'; step >= 0; --step) {
          building.begin(main, at, building.site(scope));
          building.end(main, at += scope_ns);
        }
      building.frame(0, 5, at);
      place.write(side + std::to_string(run), recorder_test::save(building.finish()));
    }
  };
  add_runs("a", 0);
  add_runs("b", 0);
  add_runs("c", 10);
  const ToolResult same = place.good("gate --budget 1 --html gate.html a1 a2 a3 a4 a5 -- b1 b2 b3 b4 b5");
  CHECK(begins_with(same.out, "no difference seen in 5 and 5 runs\n"));
  CHECK_FALSE(has(place.read("gate.html"), "=\"-\""));  // a number that is none
  const ToolResult slower = place.run("gate a1 a2 a3 a4 a5 -- c1 c2 c3 c4 c5 --json");
  CHECK(slower.exit_code == 5);
  CHECK(has(slower.out, "\"pace\":{\"change\":0.0,"));
  CHECK(has(slower.out,
            "\"slower\":[{\"path\":\"h\",\"in_all_paths\":false,\"time\":\"self\",\"before_ns\":0.0,"
            "\"after_ns\":80.0,"));
  // No path took time before, so a change is no share of it.
  const ToolResult once = place.run("gate a1 a2 a3 a4 a5 -- b1 b2 b3 b4 c1 --json");
  CHECK(has(once.out, "\"least_seen_paths\":0,\"least_seen_of_half\":0.0,"));
}

TEST_CASE_FIXTURE(Place, "gate command: wrong command lines and inputs have the usual exit codes") {
  const std::string files = add_pair(1, 1);
  CHECK(run("gate").exit_code == 2);
  const ToolResult one_side = run("gate a1 b1");
  CHECK(one_side.exit_code == 2);
  CHECK(has(one_side.err, "with -- between them"));
  CHECK(run("gate -- a1").exit_code == 2);
  CHECK(run("gate a1 -- b1 --budget -3").exit_code == 2);
  CHECK(run("gate a1 -- b1 --alarms 0").exit_code == 2);
  CHECK(run("gate a1 -- b1 --nonsense").exit_code == 2);
  CHECK(error("gate a1 -- b1 -- a1") == "2: flamelet: there are two lists, and one -- between them\n");
  shell("cp a1 a1.flamelet");
  const ToolResult overwritten = run("gate --html a1.flamelet a1 -- b1");  // --html *.flamelet -- ...
  CHECK(overwritten.exit_code == 2);
  CHECK(has(overwritten.err, "--html: this is no .flamelet: a1.flamelet\n"));
  CHECK(read("a1.flamelet") == read("a1"));
  CHECK(run("gate a1 -- absent").exit_code == 3);
  write("text", "no capture");
  CHECK(run("gate text -- b1").exit_code == 3);
  CHECK(run("gate a1 -- b1 --html absent/page.html").exit_code == 4);
  CHECK(has(run("gate --help").out, "gate [OPTIONS] BASE... -- NEW..."));
}

TEST_CASE_FIXTURE(Place, "gate command: only the frames that were asked for") {
  const std::string files = add_pair(5, 1);
  CHECK(has(run("gate --frames 20.. " + files).out, "BASE: 5 runs, 100 frames"));
  const ToolResult none = run("gate --frames 500.. " + files);
  CHECK(none.exit_code == 6);
  CHECK(none.out == "no verdict: there are no such frames in a1: it has the frames 0..39\n");
}

TEST_CASE_FIXTURE(Place, "gate command: JSON has the verdict, the intervals and the paths") {
  const ToolResult result = run("gate --json " + add_pair(6, 1.05));
  CHECK(result.exit_code == 5);
  CHECK(begins_with(result.out, "{\"verdict\":\"slower\",\"sentence\":\"slower: Frame > Physics takes "));
  CHECK(has(result.out, "\"base\":[{\"file\":\"a1\",\"frames\":39,\"partial_frames\":1,\"lossy_frames\":0},"));
  CHECK(has(result.out, "\"frames\":{\"p50_ns\":{\"base\":{\"value\":"));
  CHECK(has(result.out,
            "\"slower\":[{\"path\":\"Frame > Physics\",\"in_all_paths\":false,\"time\":\"self\",\"before_ns\":"));
}

TEST_CASE_FIXTURE(Place, "gate command: JUnit has a failure for each figure and path that is slower") {
  run("gate --junit gate.xml " + add_pair(6, 1.2));
  const std::string xml = read("gate.xml");
  CHECK(begins_with(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"5\" failures=\"5\""));
  CHECK(has(xml, "<testcase classname=\"flamelet gate\" name=\"Frame &gt; Physics\">\n"));
  CHECK(count_of(xml, "<failure message=") == 5);
  CHECK(shell("xmllint --noout gate.xml || ! command -v xmllint").exit_code == 0);
  run("gate --junit same.xml " + add_pair(6, 1));
  CHECK(has(read("same.xml"), "tests=\"4\" failures=\"0\""));
}

TEST_CASE_FIXTURE(Place, "gate command: Markdown and HTML have tables, and HTML plots") {
  run("gate --markdown gate.md --html gate.html " + add_pair(6, 1.05));
  const std::string markdown = read("gate.md");
  CHECK(begins_with(markdown, "**flamelet gate**: slower: Frame > Physics takes "));
  CHECK(has(markdown, "\n|  | BASE: 6 runs, 234 frames | NEW: 6 runs, 234 frames | change | p | verdict |\n|---|"));
  CHECK(has(markdown, "\n| Frame > Physics | 4."));
  const std::string html = read("gate.html");
  CHECK(has(html, "<h1 class=\"slower\">slower: Frame &gt; Physics takes "));
  CHECK(count_of(html, "<svg ") == 6);  // p50, p95, p99, the path, and two histograms
  // Nothing from the network: the one address is that of SVG's names.
  CHECK(has(html, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "));
  CHECK(count_of(html, "http:") == count_of(html, "http://www.w3.org/2000/svg"));
}

TEST_CASE_FIXTURE(Place, "gate command: whatever a scope is called, the reports stay what they are") {
  const std::string hostile = "<script>]]> a|b & \"c\" `d` \n\x1B[2J \xEF\xBF\xBE \xFF";
  const std::string shown = "<script>]]> a|b & \"c\" `d` \xEF\xBF\xBD\xEF\xBF\xBD[2J \xEF\xBF\xBD \xEF\xBF\xBD";
  std::string files;
  for (int i = 0; i < 10; ++i) {
    const std::string name = "run" + std::to_string(i);
    files += (i == 5 ? "-- " : "") + name + " ";
    recorder_test::Building building;
    const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
    for (int64_t frame = 0; frame < 20; ++frame) {
      const int64_t took_ns = (i < 5 ? 5000000 : 8000000) + 1000 * ((7 * frame + 3 * i) % 11);
      building.begin(main, frame * 10000000, building.site(hostile));
      building.end(main, frame * 10000000 + took_ns);
      building.frame(static_cast<uint64_t>(frame), frame * 10000000, (frame + 1) * 10000000);
    }
    write(name, recorder_test::save(building.finish()));
  }
  const ToolResult result = run("gate " + files + "--junit gate.xml --markdown gate.md --html gate.html");
  CHECK(result.exit_code == 5);
  CHECK(begins_with(result.out, "slower: " + shown + " takes 8."));
  const std::string xml = "&lt;script&gt;]]&gt; a|b &amp; &quot;c&quot; `d` \xEF\xBF\xBD";
  CHECK(has(read("gate.xml"), "name=\"" + xml));
  CHECK(has(read("gate.html"), "<td>" + xml));
  CHECK_FALSE(has(read("gate.html"), "<script"));
  CHECK(has(read("gate.md"), "\n| \\<script>]]> a\\|b \\& \"c\" \\`d\\` \xEF\xBF\xBD"));
  CHECK(shell("xmllint --noout gate.xml || ! command -v xmllint").exit_code == 0);
  // The name of the file says that it is JSON.
  run("gate " + files + "-o gate.json");
  CHECK(begins_with(read("gate.json"), "{\"verdict\":\"slower\",\"sentence\":\"slower: <script>]]> a|b & \\\"c\\\""));
  CHECK(run("gate " + files + "-o gate.csv").exit_code == 2);
}

}  // namespace gate_command_test
