// SPDX-License-Identifier: MIT
#include <tracy/Tracy.hpp>

#include <cmath>
#include <limits>
#include <thread>

#include "shim_recording.h"

using namespace shim_test;

TEST_CASE("tracy messages: a message of 100 KB is cut at a character, and nothing else is lost") {
  Shim shim;
  std::string text(65534, 'm');
  text += "\xc3\xa4";  // a character over the border
  text += std::string(40000, 'n');
  { ZoneScopedN("before"); }
  TracyMessage(text.data(), text.size());
  TracyMessageL("short %s %n");
  { ZoneScopedN("after"); }
  const std::vector<std::string> instants = shim.instants();
  REQUIRE(instants.size() == 2);
  CHECK(instants[0] == "message: " + text.substr(0, 65534));
  CHECK(instants[1] == "message: short %s %n");
  CHECK(shim.tree() == "before after");
}

TEST_CASE("tracy messages: colours and severities") {
  Shim shim;
  TracyMessageLC("red", 0xff0000);
  TracyMessageLC("red again", tracy::Color::Red);
  TracyLogString(tracy::MessageSeverity::Warning, 0xff0000, 0, "warned");
  TracyMessageL("plain");
  const std::vector<std::string> expected = {"message: red", "message: red again", "warning: warned", "message: plain"};
  CHECK(shim.instants() == expected);
  const std::vector<flamelet_point> points = read_points(shim.capture(), shim.capture().lane("main"));
  CHECK(points[0].site == points[1].site);
  CHECK(shim.site(points[0].site).color == 0xff0000);
  CHECK(shim.site(points[2].site).color == 0xff0000);
  CHECK(shim.site(points[3].site).color == 0);
}

TEST_CASE("tracy messages: of more colours than there is room for, the message is kept") {
  Shim shim;
  const uint64_t before = noted("colours of messages");
  for (uint32_t i = 1; i <= 300; ++i) TracyMessageLC("colour", 0x010000 + i);
  CHECK(shim.instants().size() == 300);
  CHECK(noted("colours of messages") - before >= 44);
}

TEST_CASE("tracy plots: numbers of every type, and what is not a number") {
  Shim shim;
  TracyPlot("plot", -1);
  TracyPlot("plot", 2.5f);
  TracyPlot("plot", static_cast<int64_t>(1) << 53);
  TracyPlot("plot", true);
  TracyPlot("plot", std::numeric_limits<double>::infinity());
  TracyPlot("plot", std::nan(""));
  const std::vector<double> values = shim.values("plot");
  REQUIRE(values.size() == 6);
  CHECK(values[0] == -1);
  CHECK(values[1] == 2.5);
  CHECK(values[2] == 9007199254740992.0);
  CHECK(values[3] == 1);
  CHECK(std::isinf(values[4]));
  CHECK(std::isnan(values[5]));
}

TEST_CASE("tracy frames: marks from two threads are recorded or counted") {
  Shim shim;
  const auto mark = [] {
    for (int i = 0; i < 2000; ++i) FrameMark;
  };
  std::thread other(mark);
  mark();
  other.join();
  CHECK(stats().frames + stats().dropped_frame == 4000);
}

TEST_CASE("tracy frames: a start and an end make an interval, on any thread") {
  Shim shim;
  const uint64_t starts = noted("FrameMarkStart"), ends = noted("FrameMarkEnd");
  FrameMarkStart("simulation");
  FrameMarkStart("server");
  FrameMarkStart("simulation");  // before its end
  std::thread([] { FrameMarkEnd("simulation"); }).join();
  FrameMarkEnd("server");
  FrameMarkEnd("server");
  FrameMarkEnd("never");
  CHECK(shim.intervals("simulation").size() == 1);
  CHECK(shim.intervals("server").size() == 1);
  CHECK(shim.intervals("server")[0].flags == 0);
  CHECK(noted("FrameMarkStart") == starts + 1);
  CHECK(noted("FrameMarkEnd") == ends + 2);
}

TEST_CASE("tracy sections: overlap, and end by their number") {
  Shim shim;
  const uint32_t level = TracySectionEnter("level %d", 3);
  const uint32_t boss = TracySectionEnterCategory(7, "boss");
  CHECK(level != boss);
  TracySectionLeave(level);
  std::thread([boss] { TracySectionLeave(boss); }).join();
  const uint64_t before = noted("TracySectionLeave");
  TracySectionLeave(0);
  TracySectionLeave(level);
  CHECK(noted("TracySectionLeave") == before + 1);
  CHECK(shim.intervals("level 3").size() == 1);
  CHECK(shim.intervals("boss").size() == 1);
  CHECK(shim.intervals("boss")[0].end_track != shim.intervals("boss")[0].begin_track);
}

TEST_CASE("tracy sections: more than there is room for lose their end, and never another one's") {
  Shim shim;
  const uint64_t begins = noted("sections beyond"), ends = noted("TracySectionLeave");
  const uint32_t first = TracySectionEnter("first");
  for (int i = 0; i < 4096; ++i) TracySectionEnter("section");
  CHECK(noted("sections beyond") == begins + 1);
  TracySectionLeave(first);
  CHECK(noted("TracySectionLeave") == ends + 1);
  CHECK(shim.intervals("first")[0].flags == FLAMELET_SPAN_OPEN);
}

TEST_CASE("tracy threads: names, and the name of the thread that asks") {
  Shim shim;
  std::thread([] {
    ZoneScopedN("work");
    tracy::SetThreadName("worker");
    CHECK(std::string(tracy::GetThreadName(tracy::GetThreadHandle())) == "worker");
    CHECK(std::string(tracy::GetThreadName(12345)).empty());
  }).join();
  CHECK(shim.tree("worker") == "work");
}
