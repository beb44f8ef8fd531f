// SPDX-License-Identifier: MIT
#include "capture/capture_data.h"

#include <doctest/doctest.h>

#include <string>

#include "capture/capture_lanes.h"

namespace flamelet {

TEST_CASE("strings are copied with any bytes and end in a zero") {
  StringCopies::Entry entries[4];
  char bytes[16];
  StringCopies strings;
  strings.attach(entries, 4, bytes, sizeof bytes);
  char text[] = "a\0b";
  REQUIRE(strings.put(2, {text, 3}));
  text[0] = 'x';
  CHECK(strings.has(2));
  CHECK_FALSE(strings.has(1));
  CHECK(std::string(strings.get(2).text, strings.get(2).size) == std::string("a\0b", 3));
  CHECK(strings.get(2).text[3] == 0);
  REQUIRE(strings.put(0, {"", 0}));
  CHECK(strings.get(0).size == 0);
}

TEST_CASE("strings that do not fit are refused and the rest stay") {
  StringCopies::Entry entries[4];
  char bytes[8];
  StringCopies strings;
  strings.attach(entries, 4, bytes, sizeof bytes);
  CHECK_FALSE(strings.put(0, {"12345678", 8}));  // no room for its zero
  CHECK(strings.put(1, {"1234567", 7}));
  CHECK_FALSE(strings.put(2, {"", 0}));
  CHECK_FALSE(strings.put(4, {"", 0}));
  CHECK_FALSE(strings.has(4));
  CHECK(strings.has(1));
  strings.clear();
  CHECK_FALSE(strings.has(1));
  CHECK(strings.put(2, {"1234567", 7}));
}

TEST_CASE("a site that is not known has no name") {
  SiteRecord records[4];
  bool known[4];
  SiteCopies sites;
  sites.attach(records, known, 4);
  CHECK(sites.name(0) == 0);
  CHECK(sites.name(70000) == 0);
  REQUIRE(sites.put(3, {9, 0, 0, 0, 0, 0}));
  CHECK(sites.name(3) == 9);
  CHECK(sites.has(3));
  CHECK_FALSE(sites.has(2));
  CHECK(sites.count() == 4);
  CHECK_FALSE(sites.put(4, {1, 0, 0, 0, 0, 0}));
}

TEST_CASE("an entry that is still being written is copied later, and holds up no other") {
  static bool written;
  written = false;
  const auto get = [](uint32_t id, SiteRecord* site) {
    *site = {id, 0, 0, 0, 0, 0};
    return id != 1 || written;
  };
  SiteRecord records[4];
  bool known[4];
  SiteCopies sites;
  sites.attach(records, known, 4);
  uint32_t settled = 0;
  TableNews news;
  bool (*const function)(uint32_t, SiteRecord*) = get;
  copy_new(&sites, 6, function, &settled, &news);
  CHECK(settled == 1);
  CHECK(news.copied == 3);
  CHECK(news.refused == 0);
  CHECK(sites.has(3));
  CHECK_FALSE(sites.has(1));
  written = true;
  copy_new(&sites, 6, function, &settled, &news);
  CHECK(settled == 6);
  CHECK(news.copied == 4);
  CHECK(news.refused == 2);
  CHECK(sites.name(1) == 1);
  copy_new(&sites, 6, function, &settled, &news);
  CHECK(news.refused == 2);
}

TEST_CASE("a lane is found by its id and by whether it is a fiber") {
  Lane lanes[4];
  uint32_t slots[HashIndex::slots_for(4)];
  LaneTable table;
  table.attach(lanes, 4, slots);
  const uint32_t thread = table.add(7, FLAMELET_LANE_THREAD, kNoLane);
  const uint32_t fiber = table.add(7, FLAMELET_LANE_FIBER, kNoLane);
  CHECK(table.find(7, false) == thread);
  CHECK(table.find(7, true) == fiber);
  CHECK(table.find(8, false) == kNoLane);
  CHECK(std::string(table[thread].default_name) == "thread 7");
  CHECK(std::string(table[fiber].default_name) == "fiber 7");
  table.set_kind(thread, FLAMELET_LANE_GPU);
  CHECK(std::string(table[thread].default_name) == "GPU 7");
  table.add(UINT32_MAX - 1, FLAMELET_LANE_EXTERNAL, kNoLane);
  CHECK(std::string(table[2].default_name) == "external 4294967294");
}

TEST_CASE("a new lane takes the place of another one in a full table") {
  Lane lanes[3];
  uint32_t slots[HashIndex::slots_for(3)];
  LaneTable table;
  table.attach(lanes, 3, slots);
  for (uint32_t id = 1; id <= 3; ++id) table.add(id, FLAMELET_LANE_THREAD, kNoLane);
  CHECK(table.full());
  lanes[1].counts.events_read = 5;
  for (uint32_t id = 4; id < 1000; ++id) {
    REQUIRE(table.add(id, FLAMELET_LANE_THREAD, 1) == 1);
    REQUIRE(table.find(id, false) == 1);
    REQUIRE(table.find(id == 4 ? 2 : id - 1, false) == kNoLane);
    REQUIRE(table.find(1, false) == 0);
    REQUIRE(table.find(3, false) == 2);
  }
  CHECK(table.count() == 3);
  CHECK(lanes[1].counts.events_read == 0);
}

}  // namespace flamelet
