// SPDX-License-Identifier: MIT
#include <tracy/TracyC.h>
#include <tracy/Tracy.hpp>

#include <memory>
#include <optional>
#include <thread>

#include "shim_recording.h"

using namespace shim_test;

namespace game {

struct Enemy {
  template <class T>
  T update(T value) {
    ZoneScoped;
    return value;
  }
  static constexpr uint32_t kThinkLine = __LINE__ + 1;
  void think() { ZoneScopedC(tracy::Color::Tomato); }
};

}  // namespace game

TEST_CASE("tracy zones: a zone without a name is its function's, with its class") {
  Shim shim;
  constexpr const char* kConstant = "a constant";
  game::Enemy enemy;
  enemy.think();
  enemy.update(1);
  enemy.update(1.0);
  { ZoneScopedN(kConstant); }
  CHECK(shim.tree() == "game::Enemy::think game::Enemy::update game::Enemy::update a constant");
  const flamelet_span span = shim.capture().spans(shim.capture().lane("main"))[0];
  CHECK(shim.site(span.site).color == 0xff6347);
  CHECK(text_of(shim.site(span.site).file).find("zones_test.cpp") != std::string::npos);
  CHECK(shim.site(span.site).line == game::Enemy::kThinkLine);
}

TEST_CASE("tracy zones: a zone in a lambda is the lambda's") {
  Shim shim;
  [] { ZoneScoped; }();
  CHECK(is_lambda(shim.tree()));
}

TEST_CASE("tracy zones: texts stand inside their zone, and an inactive zone has none") {
  Shim shim;
  {
    ZoneScopedN("zone");
    ZoneText("text, and more", 4);
    ZoneTextF("%d%%", 12);
    ZoneName("%s", 2);
    ZoneValue(18446744073709551615u);
    ZoneNamedN(off, "off", false);
    ZoneTextV(off, "never", 5);
    ZoneTextVF(off, "never %d", 1);
    ZoneValueV(off, 1u);
    CHECK_FALSE(ZoneIsActiveV(off));
    CHECK(ZoneIsActive);
  }
  const std::vector<std::string> expected = {"text: text", "text: 12%", "name: %s", "value: 18446744073709551615"};
  CHECK(shim.instants() == expected);
  const size_t lane = shim.capture().lane("main");
  const flamelet_span zone = shim.capture().spans(lane)[0];
  for (const flamelet_point& point : read_points(shim.capture(), lane)) {
    CHECK(point.time_ns >= zone.begin_ns);
    CHECK(point.time_ns <= zone.end_ns);
  }
}

TEST_CASE("tracy zones: formatted text may be long") {
  Shim shim;
  const std::string longer(70000, 'x'), fits(5000, 'y');
  {
    ZoneScopedN("zone");
    ZoneTextF("%s", fits.c_str());
    ZoneTextF("%s", longer.c_str());
  }
  CHECK(shim.instants()[0] == "text: " + fits);
  CHECK(shim.instants()[1] == "text: " + longer.substr(0, 65535));
}

TEST_CASE("tracy zones: a zone that ends twice, or on another thread, is counted and no more") {
  Shim shim;
  {
    ZoneScopedN("around");
    TracyCZoneN(twice, "twice", 1);
    TracyCZoneEnd(twice);
    TracyCZoneEnd(twice);
    auto elsewhere = std::make_unique<TracyCZoneCtx>();
    {
      TracyCZoneN(zone, "elsewhere", 1);
      *elsewhere = zone;
    }
    std::thread([&] {
      ZoneScopedN("thread");
      TracyCZoneEnd((*elsewhere));
    }).join();
  }
  CHECK(stats().extra_ends == 2);
  CHECK(stats().missing_ends == 1);  // the other one's, by "around"
  CHECK(shim.tree() == "around(twice elsewhere)");
}

TEST_CASE("tracy zones: colours at run time and call stacks are counted and ignored") {
  Shim shim;
  const uint64_t colors = noted("ZoneColor"), stacks = noted("call stacks");
  {
    ZoneScopedN("zone");
    ZoneColor(0xff0000);
    ZoneNamedN(off, "off", false);
    ZoneColorV(off, 0xff0000);
    { ZoneScopedNS("deep", 5); }
    { ZoneScopedNS("no stack", 0); }
  }
  CHECK(noted("ZoneColor") == colors + 1);
  CHECK(noted("call stacks") == stacks + 1);
  CHECK(shim.tree() == "zone(deep no stack)");
}

TEST_CASE("tracy zones: names of the run are kept by their texts, not by their addresses") {
  Shim shim;
  char name[16];
  uint32_t line = 0;
  for (int round = 0; round < 2; ++round) {
    for (const char* text : {"one", "two %s", "three"}) {
      std::snprintf(name, sizeof(name), "%s", text);
      line = __LINE__ + 1;
      ZoneTransientN(zone, name, true);
      ZoneTransientN(off, "off", false);
    }
  }
  CHECK(shim.tree() == "one two %s three one two %s three");
  const std::vector<flamelet_span> spans = shim.capture().spans(shim.capture().lane("main"));
  CHECK(spans[0].site == spans[3].site);
  CHECK(shim.site(spans[0].site).line == line);
}

TEST_CASE("tracy zones: zones that a program makes itself") {
  Shim shim;
  static const tracy::SourceLocationData place = {"placed", "f", "file.cpp", 7, 0x112233};
  { const tracy::ScopedZone zone(&place); }
  { const tracy::ScopedZone zone(8, "file.lua", 8, "function", 8, "named, cut", 5, 0x445566, 0, true); }
  { const tracy::ScopedZone zone(9, "file.lua", 8, "function", 8, nullptr, 0, 0, true); }
  std::optional<tracy::ScopedZone> optional;
  optional.emplace(&place, -1, true);
  optional.reset();
  CHECK(shim.tree() == "placed named function placed");
  const std::vector<flamelet_span> spans = shim.capture().spans(shim.capture().lane("main"));
  CHECK(shim.site(spans[0].site).color == 0x112233);
  CHECK(shim.site(spans[1].site).line == 8);
  CHECK(text_of(shim.site(spans[1].site).file) == "file.lua");
}

TEST_CASE("tracy zones: more names than places, and names that are too long for one, are recorded without a place") {
  Shim shim;
  std::vector<std::string> names;
  for (int i = 0; i < 6000; ++i) names.push_back("asset " + std::to_string(i));
  names.push_back(std::string(5000, 'n'));
  for (const std::string& name : names) {
    ZoneTransientN(zone, name.c_str(), true);
    const uint64_t kept = ___tracy_alloc_srcloc_name(1, "f", 1, "g", 1, name.c_str(), name.size(), 0);
    ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(kept, 1));
    ___tracy_emit_zone_end(
        ___tracy_emit_zone_begin_alloc(___tracy_alloc_srcloc_name(2, "f", 1, "g", 1, name.c_str(), name.size(), 0), 0));
  }
  const std::vector<flamelet_span> spans = shim.capture().spans(shim.capture().lane("main"));
  REQUIRE(spans.size() == 2 * names.size());
  for (size_t i = 0; i < spans.size(); ++i) REQUIRE(text_of(shim.capture(), spans[i].name) == names[i / 2]);
  CHECK(stats().sites_overflowed == 0);
}

TEST_CASE("tracy zones: threads that meet one name first at the same time get one site") {
  Shim shim;
  on_threads(4, [](uint32_t) {
    for (int i = 0; i < 500; ++i) {
      const std::string name = "name " + std::to_string(i);
      ZoneTransientN(zone, name.c_str(), true);
    }
  });
  std::map<std::string, std::map<uint32_t, int>> sites;
  size_t zones = 0;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(shim.capture()); ++lane)
    for (const flamelet_span& span : shim.capture().spans(lane)) {
      ++sites[text_of(shim.capture(), span.name)][span.site];
      ++zones;
    }
  CHECK(zones == 2000);
  CHECK(sites.size() == 500);
  for (const auto& name : sites) CHECK(name.second.size() == 1);
}

TEST_CASE("tracy zones: a place that is allocated may have no name, function or file") {
  Shim shim;
  ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(___tracy_alloc_srcloc(0, "", 0, "f", 1, 0), 1));
  ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(___tracy_alloc_srcloc(0, "a", 1, "", 0, 0), 1));
  ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(___tracy_alloc_srcloc_name(0, "", 0, "", 0, "n", 1, 0), 1));
  CHECK(shim.capture().spans(shim.capture().lane("main")).size() == 3);
}

TEST_CASE("tracy zones: while recording is off, nothing is a zone, and nothing is kept for one") {
  Shim shim;
  flamelet_set_enabled(false);
  {
    ZoneScopedN("off");
    CHECK_FALSE(ZoneIsActive);
    ZoneText("off", 3);
    const uint64_t kept = ___tracy_alloc_srcloc(1, "f", 1, "g", 1, 0);
    CHECK(kept == 0);
    CHECK(___tracy_emit_zone_begin_alloc(kept, 1).active == 0);
    CHECK_FALSE(TracyIsConnected);
    TracyMessageL("off");
    TracyPlot("off", 1);
  }
  flamelet_set_enabled(true);
  { ZoneScopedN("on"); }
  CHECK(shim.tree() == "on");
  CHECK(shim.instants().empty());
}
