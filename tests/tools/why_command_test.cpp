// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "capture/capture_data.h"
#include "explain/simulated_game.h"
#include "flamelet/flight.h"
#include "tool_place.h"

namespace why_command_test {

namespace {

using explain_test::SimulatedGame;
using explain_test::Trouble;
using flamelet::tests::begins_with;
using flamelet::tests::has;
using flamelet::tests::ToolResult;

// 100 frames of a game, of which the one with index 80 has a new scope of 20 ms, and 90 ten times the calls; and the same
// as a flight recorder keeps it: frame 90 triggered.
class GameFolder : public flamelet::tests::ToolPlace {
 public:
  GameFolder() {
    SimulatedGame game(1);
    for (int i = 1; i <= 100; ++i)
      game.add_frame(i == 80 ? Trouble::kNewScope : i == 90 ? Trouble::kMoreCalls : Trouble::kNone, 20);
    flamelet_capture* const capture = game.finish();
    write("game.flamelet", recorder_test::save(capture));
    capture->trigger = {90, 25, FLAMELET_FLIGHT_SCOPE_BUDGET, 0, "Physics"};
    capture->has_trigger = true;
    write("flight.flamelet", recorder_test::save(capture));
  }
};

}  // namespace

TEST_CASE("why command: the longest frame in a sentence, and its causes in lines") {
  const ToolResult result = GameFolder().quiet("why game.flamelet");
  CHECK(begins_with(result.out, "Frame 80 took 32."));
  CHECK(has(result.out, " more than usual (79 frames, 12."));
  CHECK(has(result.out,
            "Main spent 20.0 ms in Load level: new, never in those frames.\n"
            "  +20.0 ms  Main: Update > Load level: new, never in those frames\n"));
}

namespace {

// What `why` says of a game whose frames have a new scope so long, by index; the first of them is the one after a mark.
class StartedGame : public flamelet::tests::ToolPlace {
 public:
  StartedGame(int frames, const std::map<int, int>& new_scope_ms, int64_t before_first_mark_ms = 0) {
    SimulatedGame game(1);
    if (before_first_mark_ms != 0) game.add_time_before_frames(before_first_mark_ms);
    for (int i = 1; i <= frames; ++i) {
      const auto found = new_scope_ms.find(i);
      game.add_frame(found != new_scope_ms.end() ? Trouble::kNewScope : Trouble::kNone,
                     found != new_scope_ms.end() ? found->second : 0);
    }
    write("game.flamelet", recorder_test::save(game.finish()));
  }
};

}  // namespace

TEST_CASE("why command: the frame that loads is said, and the worst one after it is explained") {
  const StartedGame place(100, {{1, 200}, {80, 20}});
  const ToolResult result = place.good("why game.flamelet");
  CHECK(begins_with(result.out, "Frame 80 took 32."));
  CHECK(has(result.out, "\n\nAt the start: Frame 1 took 21"));
  CHECK(has(result.out, " frames around it, 12."));
  CHECK(has(result.out, "Main spent 200.0 ms in Load level: rare, 20.0 ms in 1 of those frames.\n"));
  CHECK(has(place.run("why game.flamelet --json").out, "],\"start\":{\"frame\":1,"));
  // Asked for, it is explained with the frames behind it.
  CHECK(begins_with(place.run("why game.flamelet --frame 1").out, "Frame 1 took 21"));
  // Each of the worst has something to compare with.
  const ToolResult worst = place.run("why game.flamelet --worst 4");
  CHECK(!has(worst.out, "There is little to compare with"));
  CHECK(worst.out == place.run("why game.flamelet --top 4").out);
  CHECK(has(worst.out, "\n\nAt the start: Frame 1 took 21"));
}

TEST_CASE("why command: where only loading was slow, it is the answer") {
  const StartedGame place(100, {{1, 200}});
  const ToolResult result = place.run("why game.flamelet");
  CHECK(begins_with(result.out, "Frame 1 took 21"));
  CHECK(has(result.out, "Main spent 200.0 ms in Load level: new, never in those frames.\n"));
  CHECK(!has(result.out, "At the start"));
}

TEST_CASE("why command: where all frames are alike it says so") {
  const ToolResult result = StartedGame(100, {}).run("why game.flamelet");
  CHECK(result.exit_code == 0);
  CHECK(begins_with(result.out, "No frame stands out. The longest: Frame "));
}

TEST_CASE("why command: of two frames or one it says what they consist of") {
  CHECK(has(StartedGame(1, {}).run("why game.flamelet").out, " Most took "));
  const ToolResult two = StartedGame(2, {}).run("why game.flamelet");
  CHECK(begins_with(two.out, "There is little to compare with: 1 whole frame. Frame "));
  CHECK(has(two.out, " Most took "));
}

TEST_CASE("why command: what is usual where it is does not hide a shorter frame that is not") {
  // From frame 101 on, each frame has the scope.
  std::map<int, int> scopes = {{60, 15}};
  for (int i = 101; i <= 700; ++i) scopes[i] = 30;
  const StartedGame place(700, scopes);
  const ToolResult result = place.run("why game.flamelet");
  CHECK(begins_with(result.out, "Frame 1"));
  CHECK(has(result.out, "Main spent 30.0 ms in Load level: "));
  CHECK(has(result.out, "\n\nThe longest, frame "));
  CHECK(has(result.out, ", as is usual where it is.\n"));
  CHECK(begins_with(place.run("why game.flamelet --frames 400..").out, "No frame stands out. The longest: Frame "));
}

TEST_CASE("why command: only some frames") {
  const StartedGame place(100, {{60, 40}, {80, 20}});
  CHECK(begins_with(place.run("why game.flamelet").out, "Frame 60 took "));
  CHECK(begins_with(place.run("why game.flamelet --frames 61..").out, "Frame 80 took "));
  CHECK(place.run("why game.flamelet --frames 61.. --frame 80").exit_code == 2);
  CHECK(place.run("why game.flamelet --frames 500..").exit_code == 1);
}

TEST_CASE("why command: the time before the first mark is said, and is no frame") {
  const StartedGame place(100, {{80, 20}}, 323);
  const ToolResult result = place.run("why game.flamelet");
  CHECK(begins_with(result.out, "Frame 80 took 32."));
  CHECK(has(result.out, "\n\nBefore the first frame mark, 323.000 ms passed: --frame 0 says in what.\n"));
  CHECK(has(place.run("why game.flamelet --json").out, "],\"before_first_mark_ns\":323000000}"));
}

TEST_CASE_FIXTURE(GameFolder, "why command: a frame by its index, or several of the worst") {
  const ToolResult one = good("why game.flamelet --frame 90");
  CHECK(has(one.out, "in Contact: 200 calls, usually 20, each about as long as usual."));
  const ToolResult two = run("why game.flamelet --worst 2");
  CHECK(two.out == run("why game.flamelet").out + "\n" + one.out);
  const ToolResult usual = good("why game.flamelet --frame 60");
  CHECK(has(usual.out, " is usual (59 frames"));
}

TEST_CASE_FIXTURE(GameFolder, "why command: a list of frames, or as many of the worst as there are") {
  for (const char* const frames : {"--frame 90,80", "--frame 90 --frame 80"}) {
    const std::string text = quiet(std::string("why game.flamelet ") + frames).out;
    CHECK(begins_with(text, "Frame 90 took "));
    CHECK(has(text, "\n\nFrame 80 took "));
  }
  CHECK(has(error("why game.flamelet --frame 80,1000"), "1: flamelet: there is no complete frame 1000 in"));
  for (const char* const wrong : {"80,", ",80", "80,,90", "''"})
    CHECK(run(std::string("why game.flamelet --frame ") + wrong).exit_code == 2);
  CHECK(quiet("why game.flamelet --worst 1500").out == quiet("why game.flamelet --worst 100").out);
}

TEST_CASE_FIXTURE(flamelet::tests::ToolPlace, "why command: a line of a name is no line of the answer") {
  std::string events;
  for (int i = 0; i < 50; ++i) {
    const std::string place = "\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(i * 20000);
    const std::string ms = i == 40 ? "10000}," : "1000},";
    events += "{\"name\":\"frame\"," + place + ",\"dur\":" + ms;
    if (i == 40) events += R"({"name":"spike\r\nFrame 7 took \u001b\u007f99.0 ms",)" + place + ",\"dur\":" + ms;
  }
  write("game.json", "[" + events + R"({"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"A\nB\u009b"}}])");
  const std::string text = quiet("why game.json --frames-of frame").out;
  CHECK(has(text, "A\uFFFDB\uFFFD spent 10.0 ms in spike\uFFFD\uFFFDFrame 7 took \uFFFD\uFFFD99.0 ms: new"));
  CHECK(!has(text, "\nFrame 7"));
  CHECK(!has(text, "\nB"));
  const std::string json = quiet("why game.json --frames-of frame --json").out;
  CHECK(has(json, R"("spike\u000d\u000aFrame 7 took )"));
  CHECK_FALSE(has(json, "\u009b"));
}

TEST_CASE("why command: from ten seconds on, times have the units that they have in tables") {
  const flamelet::tests::ToolPlace folder;
  const auto why = [&](int64_t usual_s, int64_t long_s) {
    std::string events;
    for (int i = 0; i < 50; ++i)
      events += (i == 0 ? "" : ",") + std::string(R"({"name":"frame","ph":"X","pid":1,"tid":1,"ts":)") +
                std::to_string(i * 8 * usual_s * 1000000) +
                ",\"dur\":" + std::to_string((i == 40 ? long_s : usual_s) * 1000000) + "}";
    folder.write("game.json", "[" + events + "]");
    return folder.quiet("why game.json --frames-of frame").out;
  };
  CHECK(why(3600, 7259) ==
        "Frame 41 took 2 h 1 min, 1 h 1 min more than usual (40 frames, 1 h 0 min \u00B1 0.0 ms). thread 1 spent 2 h 1 "
        "min "
        "in frame: 1 call took 2 h 1 min, usually 1 h 0 min.\n"
        "  +1 h 1 min  thread 1: frame: 1 call took 2 h 1 min, usually 1 h 0 min\n");
  CHECK(has(why(50, 119), "Frame 41 took 1 min 59 s, 1 min 9 s more than usual (40 frames, 50.0 s \u00B1 0.0 ms). "));
  CHECK(has(why(10, 59), "Frame 41 took 59.0 s, 49.0 s more than usual (40 frames, 10.0 s"));
  CHECK(has(why(9, 71), "Frame 41 took 1 min 11 s, 1 min 2 s more than usual (40 frames, 9000.0 ms \u00B1 0.0 ms). "));
  CHECK(has(why(40, 60), "Frame 41 took 1 min 0 s, 20.0 s more than usual"));
  CHECK(has(why(43200, 86399), "Frame 41 took 1 d 0 h, 12 h 0 min more than usual"));
}

TEST_CASE("why command: of a flight recorder's file, the frame that triggered, which info names") {
  const GameFolder folder;
  const ToolResult triggered = folder.good("why flight.flamelet");
  CHECK(triggered.out == folder.run("why flight.flamelet --frame 90").out);
  CHECK(begins_with(folder.run("why flight.flamelet --worst 1").out, "Frame 80 took "));
  CHECK(has(folder.run("info flight.flamelet").out, "triggered frame 90, "));
  CHECK(has(folder.run("info flight.flamelet").out, "scope over budget (25.0 ms), Physics\n"));
  CHECK(has(folder.run("info flight.flamelet --json").out,
            "\"trigger\":{\"frame\":90,\"cause\":\"scope over budget\",\"text\":\"Physics\",\"limit_ns\":25000000,"));
}

TEST_CASE("why command: a frame of which everything was lost is not chosen, and if asked for, the exit code tells") {
  recorder_test::Building building;
  const uint32_t main =
      flamelet_capture_builder_span_lane(building.builder, FLAMELET_LANE_THREAD, 0, building.string("Main"), false);
  for (uint64_t i = 1; i <= 40; ++i) {
    const int64_t at = static_cast<int64_t>(i) * 10000;
    if (i != 20) building.span(main, at, at + 9000, building.site("Update"));
    building.frame(i, at, at + (i == 20 ? 10000 : 9999), i == 20 ? uint32_t{FLAMELET_FRAME_LOSSY} : 0);
  }
  const flamelet::tests::ToolPlace place;
  place.write("lossy.flamelet", recorder_test::save(building.finish()));
  CHECK(place.run("why lossy.flamelet").exit_code == 0);
  CHECK(!has(place.run("why lossy.flamelet").out, "Frame 20 took"));
  const ToolResult asked = place.run("why lossy.flamelet --frame 20");
  CHECK(asked.exit_code == place.run("why lossy.flamelet --frame 99").exit_code);
  CHECK(asked.exit_code != 0);
}

TEST_CASE_FIXTURE(GameFolder, "why command: JSON has the sentence, the causes and the critical path of each frame") {
  const ToolResult result = good("why game.flamelet --worst 2 --json");
  CHECK(begins_with(result.out, "{\"file\":\"game.flamelet\",\"frames\":[{\"frame\":80,"));
  CHECK(has(result.out, "\"sentence\":\"Frame 80 took "));
  CHECK(has(result.out, "\"causes\":[{\"verdict\":\"new\",\"lane\":\"Main\",\"path\":[\"Update\",\"Load level\"]"));
  CHECK(has(result.out, "},{\"frame\":90,"));
  CHECK(has(result.out, "\"critical_path\":[{\"begin_ns\":"));
  CHECK(result.out.back() == '\n');
  CHECK(run("why game.flamelet -o why.json").out == "wrote why.json\n");  // the name says that it is JSON
  CHECK(begins_with(read("why.json"), "{\"file\":\"game.flamelet\",\"frames\":[{\"frame\":80,"));
}

TEST_CASE_FIXTURE(GameFolder, "why command: what makes the answer less sure stands first") {
  CHECK(begins_with(run("why game.flamelet --frame 10 --baseline 1..9").out,
                    "There is little to compare with: 9 whole frames. Frame 10 took "));
  CHECK(begins_with(run("why game.flamelet --frame 80 --baseline 5").out,
                    "There is little to compare with: 5 whole frames. Frame 80 took "));
  recorder_test::Building building;
  building.frame(1, 0, 1000, FLAMELET_FRAME_LOSSY);
  building.frame(2, 1000, 2000);
  write("bare.flamelet", recorder_test::save(building.finish()));
  const ToolResult bare = run("why bare.flamelet --frame 1");
  CHECK(bare.exit_code == 1);
  CHECK(begins_with(bare.out,
                    "Events of this frame were lost, so what follows may be wrong. No thread has a scope in "
                    "this frame. Frame 1 took 0.001 ms."));
}

TEST_CASE("why command: a frame whose times of threads were dropped says so") {
  SimulatedGame game(1);
  for (int i = 1; i <= 100; ++i) game.add_frame(i == 80 || i == 90 ? Trouble::kNewScope : Trouble::kNone, 20);
  flamelet_capture* const capture = game.finish();
  capture->counts.timed_from = 85;
  const flamelet::tests::ToolPlace place;
  place.write("long.flamelet", recorder_test::save(capture));
  const std::string said =
      "Whether its threads ran is not known any more: newer frames took that place (max_thread_times).\n";
  CHECK(has(place.run("why long.flamelet --frame 80").out, said));
  CHECK_FALSE(has(place.run("why long.flamelet --frame 90").out, said));
}

TEST_CASE_FIXTURE(GameFolder, "why command: the main thread can be named") {
  CHECK(has(run("why game.flamelet --main-thread Main").out, "Main spent 20.0 ms in Load level"));
  CHECK(has(run("why game.flamelet --frame 90 --main-thread 'Worker 2' --json").out, "\"main_thread\":\"Worker 2\""));
  const ToolResult nobody = run("why game.flamelet --main-thread Nobody");
  CHECK(nobody.exit_code == 1);
  CHECK(nobody.err == "flamelet: there is no lane \"Nobody\" in game.flamelet\n");
}

TEST_CASE_FIXTURE(GameFolder, "why command: without the frame it says so, and a wrong option is a wrong option") {
  const ToolResult missing = run("why game.flamelet --frame 1000");
  CHECK(missing.exit_code == 1);
  CHECK(missing.err == "flamelet: there is no complete frame 1000 in game.flamelet\n");
  CHECK(run("why game.flamelet --frame x").exit_code == 2);
  CHECK(run("why game.flamelet --worst 0").exit_code == 2);
  CHECK(run("why game.flamelet --worst 2 --frame 3").exit_code == 2);
  CHECK(run("why").exit_code == 2);
  write("text", "no capture");
  CHECK(run("why text").exit_code == 3);
  recorder_test::Building building;
  write("empty.flamelet", recorder_test::save(building.finish()));
  const ToolResult empty = run("why empty.flamelet");
  CHECK(empty.exit_code == 1);
  CHECK(empty.err ==
        "flamelet: there is no complete frame in empty.flamelet: nothing marks them, and nothing was there three "
        "times\n");
}

TEST_CASE("why command: where no frame can be explained, it says why") {
  const GameFolder folder;
  const std::string whole = folder.read("game.flamelet");
  folder.write("cut.flamelet", whole.substr(0, 1000));
  CHECK(has(folder.error("why cut.flamelet"),
            "flamelet: there is no complete frame in cut.flamelet: nothing marks them in what is left of the damaged "
            "file\n"));
  std::string error;  // longer files have the frames before their scopes
  for (size_t size = 1000; size < whole.size() && !has(error, "took what"); size += 1000) {
    folder.write("cut.flamelet", whole.substr(0, size));
    error = folder.run("why cut.flamelet").err;
  }
  CHECK(has(error, "flamelet: there is no complete frame in cut.flamelet: the damage took what was in 100 frames\n"));
  const std::string time = "there is no complete frame in that time of game.flamelet: it has the frames 1..100\n";
  CHECK(has(folder.error("why game.flamelet --time 1ms..2ms"), time));
  CHECK(has(folder.error("frames game.flamelet --time 1ms..2ms"), time));
  CHECK(has(folder.error("stats game.flamelet --per-frame --time 1ms..2ms"), time));
}

TEST_CASE_FIXTURE(GameFolder, "why command: the baseline is a range of frames") {
  const ToolResult range = good("why game.flamelet --frame 40 --baseline 41..100");
  CHECK(has(range.out, "(60 frames, 12."));
  const ToolResult slow = run("why game.flamelet --frame 80 --baseline 1..60");
  CHECK(has(slow.out, "(60 frames, 12."));
  CHECK(has(slow.out, "Main spent 20.0 ms in Load level: new, never in those frames.\n"));
  CHECK(begins_with(run("why game.flamelet --frame 80 --baseline 1..5").out,
                    "There is little to compare with: 5 whole frames"));
  const ToolResult none = run("why game.flamelet --frame 80 --baseline 200..300");
  CHECK(none.exit_code == 1);
  CHECK(none.err == "flamelet: there are no frames 200..300 in game.flamelet\n");
  CHECK(run("why game.flamelet --baseline 0").exit_code == 2);
  CHECK(run("why game.flamelet --baseline 5000").exit_code == 2);
  for (const std::string wrong : {"5..2", "-5", "1.5"}) {
    CAPTURE(wrong);
    const auto result = run("why game.flamelet --baseline=" + wrong);
    CHECK(result.exit_code == 2);
    CHECK(result.err == "flamelet: --baseline " + wrong + ": give a number of frames, or some as 5..20\n");
  }
}

TEST_CASE_FIXTURE(GameFolder, "why command: the baseline is another capture, by the names of scopes and lanes") {
  SimulatedGame good(2), bad(3);
  for (int i = 1; i <= 100; ++i) good.add_frame();
  for (int i = 1; i <= 60; ++i) bad.add_frame(Trouble::kNewScope, 20);  // in each frame
  write("good.flamelet", recorder_test::save(good.finish()));
  write("bad.flamelet", recorder_test::save(bad.finish()));
  // Among its own frames it is usual.
  CHECK(has(run("why bad.flamelet --frame 50").out, " is usual (49 frames"));
  const ToolResult other = quiet("why bad.flamelet --frame 50 --baseline good.flamelet");
  CHECK(begins_with(other.out, "Frame 50 took 3"));
  CHECK(has(other.out, " more than usual (100 frames, 12."));
  CHECK(has(other.out,
            "Main spent 20.0 ms in Load level: new, never in those frames.\n"
            "  +20.0 ms  Main: Update > Load level: new, never in those frames\n"));
  // What waits for others is followed in the joined captures, too.
  const ToolResult more = run("why game.flamelet --worst 2 --baseline good.flamelet --json");
  CHECK(has(more.out, "\"frames\":[{\"frame\":80,"));
  CHECK(has(more.out, "},{\"frame\":90,"));
  CHECK(has(more.out, "\"path\":[\"Update\",\"Physics\",\"Narrow phase\",\"Contact\"]"));
  CHECK(run("why good.flamelet --frame 70 --baseline game.flamelet --main-thread Main").exit_code == 0);
}

TEST_CASE_FIXTURE(GameFolder, "why command: another capture that is no baseline is said") {
  CHECK(run("why game.flamelet --baseline absent").exit_code == 3);
  write("text", "no capture");
  CHECK(run("why game.flamelet --baseline text").exit_code == 3);
  recorder_test::Building building;
  building.begin(building.lane(FLAMELET_LANE_THREAD, "Main"), 0, building.site("Work"));
  write("bare.flamelet", recorder_test::save(building.finish()));
  const ToolResult bare = run("why game.flamelet --baseline bare.flamelet");
  CHECK(bare.exit_code == 1);
  CHECK(
      bare.err ==
      "flamelet: there is no complete frame in bare.flamelet: nothing marks them, and nothing was there three times\n");
}

TEST_CASE_FIXTURE(GameFolder, "why command: losses, a partial frame and no baseline are said first") {
  SimulatedGame game(5);
  game.add_frame(Trouble::kNone, 0);
  write("one.flamelet", recorder_test::save(game.finish()));
  CHECK(begins_with(run("why one.flamelet").out, "There is little to compare with: 0 whole frames"));
  recorder_test::Building building;
  building.begin(building.lane(FLAMELET_LANE_THREAD, "Main"), 100, building.site("Work"));
  building.frame(1, 0, 1000, FLAMELET_FRAME_PARTIAL);
  write("partial.flamelet", recorder_test::save(building.finish()));
  const ToolResult partial = run("why partial.flamelet --frame 1");
  CHECK(has(partial.out.substr(0, partial.out.find("Frame 1 took")), "Recording was off in this frame"));
}

}  // namespace why_command_test
