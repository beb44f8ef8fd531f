// SPDX-License-Identifier: MIT
#include "content/point_history.h"

#include <doctest/doctest.h>

#include <vector>

#include "overlay/carved.h"
#include "support/capture.h"
#include "support/recording.h"

using namespace flamelet::ui;

namespace {

struct List {
  explicit List(uint32_t room) {
    memory = flamelet_tests::carved([&](Carver* carver) {
      messages.carve(carver, room);
      styles.carve(carver);
    });
    styles.reset(nullptr, {});
    messages.clear();
  }
  void add(int64_t time_ns) { messages.add({time_ns, 1, 1, 0, 1, FLAMELET_LANE_THREAD}); }
  void update(bool anew = false) { messages.update_rows(nullptr, &styles, {}, anew); }
  std::vector<char> memory;
  Messages messages;
  ScopeStyles styles;
};

}  // namespace

TEST_CASE("overlay messages: they stand by time, whatever lane they came from") {
  List list(64);
  list.messages.begin_replacing(0);
  for (const int64_t time_ns : {30, 10, 20}) list.add(time_ns);
  list.messages.end_replacing();
  list.update();
  REQUIRE(list.messages.row_count() == 3);
  for (uint32_t i = 0; i < 3; ++i) CHECK(list.messages.row(i).time_ns == 10 * (i + 1));
  CHECK(list.messages.row_at(20) == 1);
  CHECK(list.messages.row_at(21) == 2);
  CHECK(list.messages.row_at(99) == 3);
}

TEST_CASE("overlay messages: what is read again takes the place of what was read before") {
  List list(64);
  list.messages.begin_replacing(0);
  for (int64_t i = 0; i < 10; ++i) list.add(i * 10);
  list.messages.end_replacing();
  list.update();
  list.messages.begin_replacing(50);
  for (int64_t i = 5; i < 12; ++i) list.add(i * 10 + 1);
  list.messages.end_replacing();
  list.update();
  REQUIRE(list.messages.row_count() == 12);
  CHECK(list.messages.row(4).time_ns == 40);
  CHECK(list.messages.row(5).time_ns == 51);
  CHECK(list.messages.find_row(list.messages[7]) == 7);
}

TEST_CASE("overlay messages: when the list is full the oldest go, and are counted") {
  List list(64);
  for (int64_t piece = 0; piece < 20; ++piece) {
    list.messages.begin_replacing(piece * 1000);
    for (int64_t i = 9; i >= 0; --i) list.add(piece * 1000 + i);
    list.messages.end_replacing();
    list.update();
    CHECK(list.messages.count() + list.messages.left_out() == static_cast<uint64_t>(piece + 1) * 10);
    CHECK(list.messages.row_count() == list.messages.count());
    CHECK(list.messages[list.messages.count() - 1].time_ns == piece * 1000 + 9);
    for (uint32_t i = 1; i < list.messages.row_count(); ++i)
      REQUIRE(list.messages.row(i - 1).time_ns < list.messages.row(i).time_ns);
  }
}

TEST_CASE("overlay messages: the filter finds names and texts") {
  const recorder_test::TickingRecording recording;
  flamelet_instant("Explosion", "", "tower");
  flamelet_instant("Rebuild", "", "town hall");
  flamelet_instant("Quake", "", nullptr);
  recorder_test::Capture capture;
  capture.update();
  PointHistory history;
  ScopeStyles styles;
  const std::vector<char> memory = flamelet_tests::carved([&](Carver* carver) {
    history.carve(carver, {4, 64, 64});
    styles.carve(carver);
  });
  history.clear();
  history.begin_round(capture);
  while (history.step(capture, 1000000)) {
  }
  const auto rows = [&](const char* filter) {
    styles.reset(capture, filter);
    history.messages().update_rows(capture, &styles, filter, true);
    return history.messages().row_count();
  };
  CHECK(rows("") == 3);
  CHECK(rows("qua") == 1);
  CHECK(rows("TOW") == 2);
  CHECK(rows("nothing") == 0);
}
