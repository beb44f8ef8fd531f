// SPDX-License-Identifier: MIT
//
// Sites that are made at run time.
#include "flamelet/site.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "flamelet/capture.h"
#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace recorder_test;

// Before anything of the library is initialized: it is linked behind this file.
static flamelet_site* const early_site = flamelet_site_create("early", "f", "file", 1, "", 0);

TEST_CASE("site: a static initializer may create one") {
  CHECK(flamelet_site_create("early", "f", "file", 1, "", 0) == early_site);
  CHECK(flamelet_site_create("later", "f", "file", 2, "", 0) != early_site);
  CHECK(std::string(early_site->name) == "early");
}

TEST_CASE("site: the same content is the same site, from any thread, whatever its text lies in") {
  char name[] = "update", file[] = "enemy.lua";
  flamelet_site* const site = flamelet_site_create(name, "Enemy.update", file, 12, "script", 0x112233);
  name[0] = file[0] = 'x';
  std::vector<flamelet_site*> found(4);
  std::vector<std::thread> threads;
  for (flamelet_site*& each : found)
    threads.emplace_back(
        [&each] { each = flamelet_site_create("update", "Enemy.update", "enemy.lua", 12, "script", 0x112233); });
  for (std::thread& thread : threads) thread.join();
  for (flamelet_site* each : found) CHECK(each == site);
  CHECK(flamelet_site_create("update", "Enemy.update", "enemy.lua", 13, "script", 0x112233) != site);
  CHECK(flamelet_site_create("update", "Enemy.update", "enemy.lua", 12, "script", 0) != site);
  CHECK(flamelet_site_create(nullptr, "Enemy.update", "enemy.lua", 12, "script", 0x112233) != site);
}

TEST_CASE("site: it records as a macro's does, and the capture knows all of it") {
  for_each_clock([](const flamelet_config& config) {
    flamelet_site* const site = flamelet_site_create("update", "Enemy.update", "enemy.lua", 12, "script", 0x112233);
    flamelet_site* const other = flamelet_site_create(nullptr, "Enemy.attack", nullptr, 0, nullptr, 0);
    Recording recording(config);
    EventLog log;
    flamelet_id id = flamelet_site_begin(site);
    id = flamelet_site_next(id, other);
    flamelet_site_end(id);
    { FLAMELET_SCOPE_SITE(site); }
    CHECK(own_events(&log) == "+update ~Enemy.attack - +update -");

    Capture capture(Captured::kNow);
    bool found = false;
    for (uint32_t i = 0; i < flamelet_capture_site_count(capture); ++i) {
      flamelet_site_info info;
      if (!flamelet_capture_site(capture, i, &info) || std::string(info.name.text) != "update") continue;
      found = true;
      CHECK(std::string(info.function.text) == "Enemy.update");
      CHECK(std::string(info.file.text) == "enemy.lua");
      CHECK(std::string(info.category.text) == "script");
      CHECK(info.line == 12);
      CHECK(info.color == 0x112233);
    }
    CHECK(found);
  });
}

TEST_CASE("site: one that was made before init, or in an earlier session, records in the next") {
  flamelet_site* const site = flamelet_site_create("long-lived", nullptr, nullptr, 0, "script", 0);
  CHECK(flamelet_site_begin(site) == 0);
  for (int session = 0; session < 3; ++session) {
    Recording recording(small_config());
    EventLog log;
    flamelet_site_end(flamelet_site_begin(site));
    CHECK(own_events(&log) == "+long-lived -");
    CHECK(flamelet_site_create("long-lived", nullptr, nullptr, 0, "script", 0) == site);
  }
}

TEST_CASE("site: without room all further ones are one site, and counted") {
  std::optional<Recording> recording(small_config());
  const std::string wide(1000, 'w');
  flamelet_site* last = nullptr;
  uint32_t made = 0;
  for (; made < FLAMELET_MAX_RUN_TIME_SITES + 2; ++made) {
    flamelet_site* site = flamelet_site_create((wide + std::to_string(made)).c_str(), nullptr, nullptr, 0, "", 0);
    REQUIRE(site != nullptr);
    if (site == last) break;
    last = site;
  }
  CHECK(made > 900);
  CHECK(made < 1100);  // a MiB of names of 1000 bytes
  CHECK(stats().sites_overflowed == 2);
  EventLog log;
  flamelet_site_end(flamelet_site_begin(last));
  CHECK(own_events(&log) == "+(overflow) -");
  recording.reset();
  flamelet_site_create((wide + "before init").c_str(), nullptr, nullptr, 0, "", 0);
  recording.emplace(small_config());
  CHECK(stats().sites_overflowed == 1);
}

TEST_CASE_FIXTURE(Recording, "site: a signature is shown without its types by each way to record, and kept whole") {
  const char* const signature = "void game::World::step(float) const";
  flamelet_site_end(flamelet_site_begin(flamelet_site_create(signature, nullptr, "a.cpp", 1, "", 0)));
  flamelet_site_end(flamelet_site_begin(flamelet_site_create(nullptr, signature, "a.cpp", 2, "", 0)));
  flamelet_end(flamelet_begin(signature, "", nullptr));
  { FLAMELET_SCOPE("void game::World::step(float) const"); }
  flamelet_instant(signature, "", nullptr);
  flamelet_instant("int game::World::step(int)", "", nullptr);  // an overload: another site of the same name
  flamelet_instant("wait (for the GPU)", "", nullptr);
  Capture capture(Captured::kNow);
  size_t named = 0, whole = 0, labels = 0;
  for (uint32_t site = 0; site < flamelet_capture_site_count(capture); ++site) {
    const flamelet_site_info info = site_of(capture, site);
    named += std::string(info.name.text) == "game::World::step";
    whole += std::string(info.function.text) == signature;
    labels += std::string(info.name.text) == "wait (for the GPU)" && info.function.size == 0;
  }
  CHECK(named == 5);  // the calls and the instant are one site
  CHECK(whole == 3);  // the macro's function is this one
  CHECK(labels == 1);
}
