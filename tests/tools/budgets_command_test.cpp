// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "game_capture.h"
#include "tool_place.h"

using namespace flamelet::tests;

namespace {

// Physics takes 4 ms, and 24 in one frame of ten; Job takes 4 ms; in slow.flamelet it takes 7. A frame takes 10 ms, and 30.
class BudgetPlace : public ToolPlace {
 public:
  BudgetPlace() {
    GameCapture().save(path("good.flamelet"));
    GameCapture(3, "Particles").save(path("slow.flamelet"));
  }
  ToolResult check(const std::string& budgets, const std::string& files = "good.flamelet slow.flamelet") const {
    write("game.budgets", budgets);
    return run("budgets check game.budgets " + files);
  }
};

}  // namespace

TEST_CASE(
    "budgets command: what is learned from good runs is kept by them, and names what they did not have time for") {
  const BudgetPlace place;
  const ToolResult learned = place.good("budgets learn good.flamelet --kind p50");
  CHECK(learned.out ==
        "# 1 capture, 10 frames: the largest p50 of a capture, and 20 % more. Milliseconds in a frame.\n"
        "frame 12 p50\nscope 10.8 p50 Frame\nscope 7.2 p50 Update\nscope 4.8 p50 Job\nscope 4.8 p50 Physics\n"
        "scope 3.6 p50 Draw\nscope 2.4 p50 Shadow\nscope 2.4 p50 eval\nscope 1.8 p50 apply\n");
  CHECK(place.run("budgets learn good.flamelet -o game.budgets").out == "wrote game.budgets\n");
  const ToolResult kept = place.good("budgets check game.budgets good.flamelet");
  CHECK(kept.out == "all 9 budgets are kept in 1 capture\n");
  const ToolResult slow = place.run("budgets check game.budgets good.flamelet slow.flamelet");
  CHECK(slow.exit_code == 5);
  CHECK(has(slow.out, "1 of 9 budgets is exceeded in 2 captures\n"));
  CHECK(has(slow.out, "\nJob              p99   4.800 ms  7.000 ms  45.8 %  1 of 2    slow.flamelet\n"));
}

TEST_CASE("budgets command: the most of several good runs, another margin, and only what takes long") {
  const BudgetPlace place;
  const ToolResult learned =
      place.run("budgets learn good.flamelet slow.flamelet --kind max --margin 0 --min 50 --frames ..106");
  CHECK(learned.out ==
        "# 2 captures, 14 frames: the largest max of a capture, and 0 % more. Milliseconds in a frame.\n"
        "frame 10 max\nscope 9 max Frame\nscope 7 max Job\nscope 6 max Update\n");
}

TEST_CASE_FIXTURE(BudgetPlace, "budgets command: a margin is said as it was given") {
  CHECK(has(run("budgets learn good.flamelet --margin 2.5").out, " of a capture, and 2.5 % more. "));
  CHECK(has(run("budgets learn good.flamelet --margin 0.05").out, " of a capture, and 0.05 % more. "));
}

TEST_CASE("budgets command: a scope that is too short to matter has a budget, too, if every run has it") {
  const BudgetPlace place;
  // Milliseconds of 100 in each frame; the scope "Rare" is in one frame alone.
  const auto write = [&](const std::string& file, double short_ms) {
    recorder_test::Building building;
    const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
    for (uint64_t index = 1; index <= 10; ++index) {
      const auto at = [index](double ms) { return static_cast<int64_t>(static_cast<double>(index) * 1e8 + ms * 1e6); };
      const auto add = [&](const char* name, double begin_ms, double end_ms) {
        building.begin(main, at(begin_ms), building.site(name));
        building.end(main, at(end_ms));
      };
      add("Short", 0, short_ms);
      add("Long", 20, 70);
      if (index == 5) add("Rare", 80, 80.5);
      building.frame(index, at(0), at(100));
    }
    place.write(file, recorder_test::save(building.finish()));
  };
  write("base", 0.9);
  write("grown", 10);
  const ToolResult learned = place.good("budgets learn base --margin 0 -o game.budgets");
  CHECK(learned.err == "no budget for 1 scope: short, and not in most frames of every capture\n");
  CHECK(has(place.read("game.budgets"), "\nframe 100 p99\nscope 50 p99 Long\nscope 1 p99 Short\n"));
  CHECK_FALSE(has(place.read("game.budgets"), "Rare"));
  CHECK(place.run("budgets check game.budgets base").exit_code == 0);
  const ToolResult grown = place.run("budgets check game.budgets base grown");
  CHECK(grown.exit_code == 5);
  CHECK(has(grown.out, "\nShort            p99   1.000 ms  10.00 ms  900.0 %  1 of 2    grown\n"));
  const ToolResult least = place.run("budgets learn base --min 1");
  CHECK_FALSE(has(least.out, "Short"));
  CHECK(least.err == "no budget for 2 scopes: less than 1.0 % of a frame\n");
}

TEST_CASE_FIXTURE(BudgetPlace, "budgets command: what takes many times its budget is told in times") {
  CHECK(has(check("frame 0.02\n", "good.flamelet").out, "  1500 times  1 of 1 "));
  CHECK(has(check("frame 3\n", "good.flamelet").out, "  900.0 %  1 of 1 "));
}

TEST_CASE_FIXTURE(BudgetPlace, "budgets command: each kind is held against its own figure") {
  CHECK(check("scope 23.9 max Physics\n", "good.flamelet").exit_code == 5);
  CHECK(check("scope 24 max Physics\n", "good.flamelet").exit_code == 0);
  CHECK(check("scope 4 p50 Physics\n", "good.flamelet").exit_code == 0);
  CHECK(check("scope 6 mean Physics\n", "good.flamelet").exit_code == 0);
  CHECK(check("scope 5.9 mean Physics\n", "good.flamelet").exit_code == 5);
  CHECK(check("scope 6 p95 Physics\n", "good.flamelet").exit_code == 5);  // rank 10 of 10
  CHECK(check("frame 11 p50\n").exit_code == 0);
  const ToolResult frame = check("frame 25\n", "good.flamelet");
  CHECK(frame.exit_code == 5);
  CHECK(has(frame.out, "1 of 1 budget is exceeded in 1 capture\n"));
  CHECK(has(frame.out, "\nframe            max   25.00 ms  30.00 ms  20.0 %  1 of 1    good.flamelet\n"));
  // Recursion counts once, and a scope of one capture alone is within its budget in the other.
  CHECK(check("scope 2 p50 eval\nscope 1 Particles\n").exit_code == 0);
}

TEST_CASE_FIXTURE(BudgetPlace, "budgets command: a budgets file has at most 1 MiB") {
  const std::string budget = "scope 24 max Physics\n";
  const std::string comment = "#" + std::string((size_t{1} << 20) - budget.size() - 2, ' ') + "\n";
  CHECK(check(comment + budget, "good.flamelet").exit_code == 0);
  const ToolResult large = check(comment + "\n" + budget, "good.flamelet");
  CHECK(large.exit_code == 3);
  CHECK(has(large.err, "it has more than 1 MiB"));
}

TEST_CASE("budgets command: scopes of GPU queues have a sum of their own, and the larger one counts") {
  const BudgetPlace place;
  CHECK(place.check("scope 2 Shadow\n", "good.flamelet").exit_code == 0);
  const ToolResult over = place.check("scope 1.5 Shadow\n", "good.flamelet");
  CHECK(over.exit_code == 5);
  CHECK(has(over.out, "\nShadow on the GPU  max   1.500 ms  2.000 ms  33.3 %  1 of 1    good.flamelet\n"));
  recorder_test::Building building;
  const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main"), gpu = building.lane(FLAMELET_LANE_GPU, "GPU");
  const uint32_t site = building.site("Pass");
  building.begin(main, 0, site);
  building.end(main, 3000000);
  building.span(gpu, 1000000, 5000000, site);
  building.span(gpu, 2000000, 4000000, site);  // inside it
  building.span(gpu, 6000000, 7000000, site);
  building.frame(0, 0, 10000000);
  place.write("both", recorder_test::save(building.finish()));
  CHECK(place.check("scope 5 Pass\n", "both").exit_code == 0);
  CHECK(has(place.check("scope 4.9 Pass\n", "both").out, "\nPass on the GPU  max   4.900 ms  5.000 ms "));
  CHECK(has(place.run("budgets check game.budgets both --json").out, "\"most_ns\":5000000.0,\"on_gpu\":true,"));
  CHECK(has(place.run("budgets learn both --margin 0").out, "\nscope 5 p99 Pass\n"));
}

TEST_CASE("budgets command: what is learned can be read, whatever the scopes are called and however short they are") {
  const BudgetPlace place;
  const auto write = [&](const std::string& file, int64_t frame_ns) {
    recorder_test::Building building;
    const uint32_t main = building.lane(FLAMELET_LANE_THREAD, "Main");
    int64_t at = 0;
    for (const std::string& name : {std::string("zero\0byte", 9), std::string("two\nlines"), std::string(" before"),
                                    std::string("p99 Physics"), std::string("# none"), std::string("\xE6\x97\xA5")}) {
      building.begin(main, at, building.site(name));
      building.end(main, at += 100);
    }
    building.frame(0, 0, frame_ns);
    place.write(file, recorder_test::save(building.finish()));
  };
  write("odd", 1000);
  const ToolResult learned = place.good("budgets learn odd -o game.budgets");
  CHECK(learned.err == "no budget for 3 scopes: no line can hold the name\n");
  CHECK(has(place.read("game.budgets"), "\nscope 0.00012 p99 # none\nscope 0.00012 p99 p99 Physics\n"));
  CHECK(place.run("budgets check game.budgets odd").out == "all 4 budgets are kept in 1 capture\n");
  write("nothing", 0);
  const ToolResult nothing = place.run("budgets learn nothing");
  CHECK(nothing.exit_code == 1);
  CHECK(nothing.err == "flamelet: the p99 of the frames is 0: there is no budget\n");
}

TEST_CASE_FIXTURE(BudgetPlace, "budgets command: a wrong line is named with its file, and nothing is checked") {
  const ToolResult negative = check("frame 1\nscope -3 Job\n");
  CHECK(negative.exit_code == 2);
  CHECK(negative.out == "");
  CHECK(negative.err == "flamelet: game.budgets:2: a budget has to be above 0\n");
  const ToolResult unknown = check("frame 1\n\nscope 3 Jobs\n");
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.out == "");
  CHECK(unknown.err == "flamelet: game.budgets:3: no capture has a scope Jobs\n");
  CHECK(check("Job 3\n").err == "flamelet: game.budgets:1: a line begins with frame, scope or #\n");
  CHECK(check("# nothing\n").err == "flamelet: game.budgets has no budget in it\n");
  CHECK(check("# nothing\n").exit_code == 2);
}

TEST_CASE_FIXTURE(BudgetPlace, "budgets command: wrong command lines and inputs have the usual exit codes") {
  CHECK(run("budgets").exit_code == 2);
  CHECK(run("budgets learn").exit_code == 2);
  CHECK(run("budgets learn good.flamelet --kind p98").exit_code == 2);
  CHECK(run("budgets learn good.flamelet -o slow.flamelet").exit_code == 2);
  CHECK(run("budgets check").exit_code == 2);
  CHECK(run("budgets check absent good.flamelet").exit_code == 3);
  CHECK(check("frame 50\n", "absent").exit_code == 3);
  recorder_test::Building building;
  building.begin(building.lane(FLAMELET_LANE_THREAD, "Main"), 0, building.site("Work"));
  write("bare", recorder_test::save(building.finish()));
  const ToolResult bare = check("frame 50\n", "good.flamelet bare");
  CHECK(bare.exit_code == 6);
  CHECK(bare.err == "flamelet: bare has no whole frame\n");
  CHECK(run("budgets learn bare").exit_code == 1);
  CHECK(check("frame 50\n", "good.flamelet --frames 500..").exit_code == 6);
  write("empty", "");
  CHECK(check("frame 50\n", "empty").exit_code == 6);
}

TEST_CASE_FIXTURE(BudgetPlace, "budgets command: JSON has those that are kept, too") {
  write("game.budgets", "frame 20 p50\nscope 5 Job\n");
  const ToolResult result = run("budgets check game.budgets slow.flamelet --json");
  CHECK(result.exit_code == 5);
  CHECK(result.out ==
        "{\"sentence\":\"1 of 2 budgets is exceeded in 1 capture\",\"captures\":1,\"exceeded\":1,\"budgets\":["
        "{\"scope\":\"frame\",\"kind\":\"p50\",\"limit_ns\":20000000,\"most_ns\":10000000.0,\"on_gpu\":false,"
        "\"capture\":\"slow.flamelet\",\"exceeded_in\":0},"
        "{\"scope\":\"Job\",\"kind\":\"max\",\"limit_ns\":5000000,\"most_ns\":7000000.0,\"on_gpu\":false,"
        "\"capture\":\"slow.flamelet\",\"exceeded_in\":1}]}\n");
  run("budgets check game.budgets slow.flamelet -o check.json");
  CHECK(read("check.json") == result.out);
}

TEST_CASE_FIXTURE(BudgetPlace, "budgets command: the gate holds the new runs against budgets") {
  write("game.budgets", "scope 5 Job\nframe 50\n");
  const std::string files = "good.flamelet good.flamelet -- good.flamelet slow.flamelet";
  const ToolResult over =
      run("gate --budgets game.budgets --junit gate.xml --markdown gate.md --html gate.html " + files);
  CHECK(over.exit_code == 5);
  CHECK(has(over.out, "no verdict: good.flamelet is given twice\n"));
  CHECK(has(over.out, "\n1 of 2 budgets is exceeded in 2 captures\n"));
  CHECK(has(over.out, "\nJob              max   5.000 ms  7.000 ms  40.0 %  1 of 2    slow.flamelet\n"));
  CHECK(has(read("gate.xml"), "failures=\"1\""));
  CHECK(has(read("gate.xml"), "name=\"budget of Job, max\">\n      <failure message=\"7.000 ms in slow.flamelet"));
  CHECK(has(read("gate.md"), "\n| Job, max | 5.000 ms | 7.000 ms | slow.flamelet |\n"));
  CHECK(has(read("gate.html"), "<td>Job, max</td><td>5.000 ms</td><td>7.000 ms</td>"));
  // BASE may be over.
  CHECK(run("gate --budgets game.budgets slow.flamelet -- good.flamelet").exit_code == 6);
  // Where there is no verdict, there are budgets all the same; and none is kept that was not checked.
  recorder_test::Building building;
  building.begin(building.lane(FLAMELET_LANE_THREAD, "Main"), 0, building.site("Work"));
  write("bare", recorder_test::save(building.finish()));
  CHECK(run("gate --budgets game.budgets --markdown gate.md bare -- slow.flamelet").exit_code == 5);
  CHECK(has(read("gate.md"), "\n| Job, max | 5.000 ms | 7.000 ms | slow.flamelet |\n"));
  const ToolResult none = run("gate --budgets game.budgets --junit gate.xml good.flamelet -- bare");
  CHECK(none.exit_code == 6);
  CHECK(has(none.out, "\nno budget was checked: no capture has a whole frame\n"));
  CHECK(has(read("gate.xml"), "tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"3\""));
  write("game.budgets", "scope 5 Jobs\n");
  const ToolResult unknown = run("gate --budgets game.budgets " + files);
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.out == "");
}
