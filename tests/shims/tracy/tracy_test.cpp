// SPDX-License-Identifier: MIT
#include <tracy/TracyC.h>
#include <tracy/Tracy.hpp>

#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
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

TEST_CASE_FIXTURE(Shim, "tracy zones: a zone without a name is its function's, with its class") {
  constexpr const char* kConstant = "a constant";
  game::Enemy enemy;
  enemy.think();
  enemy.update(1);
  enemy.update(1.0);
  { ZoneScopedN(kConstant); }
  CHECK(tree() == "game::Enemy::think game::Enemy::update game::Enemy::update a constant");
  const flamelet_span span = capture().spans(capture().lane("main"))[0];
  CHECK(site(span.site).color == 0xff6347);
  CHECK(text_of(site(span.site).file).find("tracy_test.cpp") != std::string::npos);
  CHECK(site(span.site).line == game::Enemy::kThinkLine);
}

TEST_CASE_FIXTURE(Shim, "tracy zones: a zone in a lambda is the lambda's") {
  [] { ZoneScoped; }();
  CHECK(is_lambda(tree()));
}

TEST_CASE_FIXTURE(Shim, "tracy zones: texts stand inside their zone, and an inactive zone has none") {
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
  CHECK(instants() == expected);
  const size_t lane = capture().lane("main");
  const flamelet_span zone = capture().spans(lane)[0];
  for (const flamelet_point& point : read_points(capture(), lane)) {
    CHECK(point.time_ns >= zone.begin_ns);
    CHECK(point.time_ns <= zone.end_ns);
  }
}

TEST_CASE_FIXTURE(Shim, "tracy zones: formatted text may be long") {
  const std::string longer(70000, 'x'), fits(5000, 'y');
  {
    ZoneScopedN("zone");
    ZoneTextF("%s", fits.c_str());
    ZoneTextF("%s", longer.c_str());
  }
  CHECK(instants()[0] == "text: " + fits);
  CHECK(instants()[1] == "text: " + longer.substr(0, 65535));
}

TEST_CASE_FIXTURE(Shim, "tracy zones: a zone that ends twice, or on another thread, is counted and no more") {
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
  CHECK(tree() == "around(twice elsewhere)");
}

TEST_CASE_FIXTURE(Shim, "tracy zones: colours at run time and call stacks are counted and ignored") {
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
  CHECK(tree() == "zone(deep no stack)");
}

TEST_CASE_FIXTURE(Shim, "tracy zones: names of the run are kept by their texts, not by their addresses") {
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
  CHECK(tree() == "one two %s three one two %s three");
  const std::vector<flamelet_span> spans = capture().spans(capture().lane("main"));
  CHECK(spans[0].site == spans[3].site);
  CHECK(site(spans[0].site).line == line);
}

TEST_CASE_FIXTURE(Shim, "tracy zones: zones that a program makes itself") {
  static const tracy::SourceLocationData place = {"placed", "f", "file.cpp", 7, 0x112233};
  { const tracy::ScopedZone zone(&place); }
  { const tracy::ScopedZone zone(8, "file.lua", 8, "function", 8, "named, cut", 5, 0x445566, 0, true); }
  { const tracy::ScopedZone zone(9, "file.lua", 8, "function", 8, nullptr, 0, 0, true); }
  std::optional<tracy::ScopedZone> optional;
  optional.emplace(&place, -1, true);
  optional.reset();
  CHECK(tree() == "placed named function placed");
  const std::vector<flamelet_span> spans = capture().spans(capture().lane("main"));
  CHECK(site(spans[0].site).color == 0x112233);
  CHECK(site(spans[1].site).line == 8);
  CHECK(text_of(site(spans[1].site).file) == "file.lua");
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

TEST_CASE_FIXTURE(Shim, "tracy zones: threads that meet one name first at the same time get one site") {
  on_threads(4, [](uint32_t) {
    for (int i = 0; i < 500; ++i) {
      const std::string name = "name " + std::to_string(i);
      ZoneTransientN(zone, name.c_str(), true);
    }
  });
  std::map<std::string, std::map<uint32_t, int>> sites;
  size_t zones = 0;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture()); ++lane)
    for (const flamelet_span& span : capture().spans(lane)) {
      ++sites[text_of(capture(), span.name)][span.site];
      ++zones;
    }
  CHECK(zones == 2000);
  CHECK(sites.size() == 500);
  for (const auto& name : sites) CHECK(name.second.size() == 1);
}

TEST_CASE_FIXTURE(Shim, "tracy zones: a place that is allocated may have no name, function or file") {
  ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(___tracy_alloc_srcloc(0, "", 0, "f", 1, 0), 1));
  ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(___tracy_alloc_srcloc(0, "a", 1, "", 0, 0), 1));
  ___tracy_emit_zone_end(___tracy_emit_zone_begin_alloc(___tracy_alloc_srcloc_name(0, "", 0, "", 0, "n", 1, 0), 1));
  CHECK(capture().spans(capture().lane("main")).size() == 3);
}

TEST_CASE_FIXTURE(Shim, "tracy zones: while recording is off, nothing is a zone, and nothing is kept for one") {
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
  CHECK(tree() == "on");
  CHECK(instants().empty());
}

// ---- Messages ------------------------------------------------------------------------------------------------------

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

TEST_CASE_FIXTURE(Shim, "tracy messages: colours and severities") {
  TracyMessageLC("red", 0xff0000);
  TracyMessageLC("red again", tracy::Color::Red);
  TracyLogString(tracy::MessageSeverity::Warning, 0xff0000, 0, "warned");
  TracyMessageL("plain");
  const std::vector<std::string> expected = {"message: red", "message: red again", "warning: warned", "message: plain"};
  CHECK(instants() == expected);
  const std::vector<flamelet_point> points = read_points(capture(), capture().lane("main"));
  CHECK(points[0].site == points[1].site);
  CHECK(site(points[0].site).color == 0xff0000);
  CHECK(site(points[2].site).color == 0xff0000);
  CHECK(site(points[3].site).color == 0);
}

TEST_CASE_FIXTURE(Shim, "tracy messages: of more colours than there is room for, the message is kept") {
  const uint64_t before = noted("colours of messages");
  for (uint32_t i = 1; i <= 300; ++i) TracyMessageLC("colour", 0x010000 + i);
  CHECK(instants().size() == 300);
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

TEST_CASE_FIXTURE(Shim, "tracy frames: marks from two threads are recorded or counted") {
  const auto mark = [] {
    for (int i = 0; i < 2000; ++i) FrameMark;
  };
  std::thread other(mark);
  mark();
  other.join();
  CHECK(stats().frames + stats().dropped_frame == 4000);
}

TEST_CASE_FIXTURE(Shim, "tracy frames: a start and an end make an interval, on any thread") {
  const uint64_t starts = noted("FrameMarkStart"), ends = noted("FrameMarkEnd");
  FrameMarkStart("simulation");
  FrameMarkStart("server");
  FrameMarkStart("simulation");  // before its end
  std::thread([] { FrameMarkEnd("simulation"); }).join();
  FrameMarkEnd("server");
  FrameMarkEnd("server");
  FrameMarkEnd("never");
  CHECK(intervals("simulation").size() == 1);
  CHECK(intervals("server").size() == 1);
  CHECK(intervals("server")[0].flags == 0);
  CHECK(noted("FrameMarkStart") == starts + 1);
  CHECK(noted("FrameMarkEnd") == ends + 2);
}

TEST_CASE_FIXTURE(Shim, "tracy sections: overlap, and end by their number") {
  const uint32_t level = TracySectionEnter("level %d", 3);
  const uint32_t boss = TracySectionEnterCategory(7, "boss");
  CHECK(level != boss);
  TracySectionLeave(level);
  std::thread([boss] { TracySectionLeave(boss); }).join();
  const uint64_t before = noted("TracySectionLeave");
  TracySectionLeave(0);
  TracySectionLeave(level);
  CHECK(noted("TracySectionLeave") == before + 1);
  CHECK(intervals("level 3").size() == 1);
  CHECK(intervals("boss").size() == 1);
  CHECK(intervals("boss")[0].end_track != intervals("boss")[0].begin_track);
}

TEST_CASE_FIXTURE(Shim, "tracy sections: more than there is room for lose their end, and never another one's") {
  const uint64_t begins = noted("sections beyond"), ends = noted("TracySectionLeave");
  const uint32_t first = TracySectionEnter("first");
  for (int i = 0; i < 4096; ++i) TracySectionEnter("section");
  CHECK(noted("sections beyond") == begins + 1);
  TracySectionLeave(first);
  CHECK(noted("TracySectionLeave") == ends + 1);
  CHECK(intervals("first")[0].flags == FLAMELET_SPAN_OPEN);
}

TEST_CASE_FIXTURE(Shim, "tracy threads: names, and the name of the thread that asks") {
  std::thread([] {
    ZoneScopedN("work");
    tracy::SetThreadName("worker");
    CHECK(std::string(tracy::GetThreadName(tracy::GetThreadHandle())) == "worker");
    CHECK(std::string(tracy::GetThreadName(12345)).empty());
  }).join();
  CHECK(tree("worker") == "work");
}

// ---- Locks ---------------------------------------------------------------------------------------------------------

namespace {

// A lock without try_lock().
struct Simple {
  void lock() { lock_.lock(); }
  void unlock() { lock_.unlock(); }

 private:
  std::mutex lock_;
};

struct Refusing {
  bool try_lock() { return false; }
  void lock() { throw 1; }
  void unlock() {}
};

// Until a thread of this name waits for something.
void until_waiting(Shim* shim, const char* lane) {
  for (;;) {
    const recorder_test::Capture& capture = shim->capture();
    for (size_t i = 0; i < flamelet_capture_lane_count(capture); ++i)
      if (capture.lane_name(i) == lane)
        for (const flamelet_span& span : capture.spans(i))
          if ((span.flags & FLAMELET_SPAN_OPEN) != 0) return;
    std::this_thread::yield();
  }
}

// How many flows lead from one thread to another.
size_t hand_overs(Shim* shim) {
  const std::vector<flamelet_flow> flows = recorder_test::read_flows(shim->capture());
  flamelet_flow_counts counts;
  flamelet_count_flows(flows.data(), flows.size(), &counts);
  CHECK(counts.missing_begins == 0);
  return counts.ends;
}

}  // namespace

TEST_CASE("tracy locks: who waits has a wait scope with the holder, and who does not has none") {
  Shim shim;
  TracyLockable(std::mutex, lock);
  std::thread waiter;
  {
    ZoneScopedN("holds");
    const std::lock_guard<LockableBase(std::mutex)> guard(lock);
    waiter = std::thread([&] {
      tracy::SetThreadName("waiter");
      { ZoneScopedN("first"); }
      const std::lock_guard<LockableBase(std::mutex)> inner(lock);
    });
    until_waiting(&shim, "waiter");
  }
  waiter.join();
  CHECK(shim.tree("main") == "holds");
  CHECK(shim.tree("waiter") == "first std::mutex lock");
  const flamelet_span wait = shim.capture().spans(shim.capture().lane("waiter"))[1];
  CHECK(text_of(shim.site(wait.site).category) == "wait");
  CHECK(text_of(shim.site(wait.site).name) == "lock");
  CHECK(shim.capture().string(wait.object) == "main in holds");
  CHECK(hand_overs(&shim) == 1);
}

TEST_CASE_FIXTURE(Shim, "tracy locks: a recursive lock, marks, and names that change") {
  TracyLockableN(std::recursive_mutex, lock, "first name");
  lock.lock();
  CHECK(lock.try_lock());
  LockMark(lock);
  lock.unlock();
  lock.unlock();
  LockableName(lock, "second name, cut", 11);
  LockMark(lock);
  REQUIRE(instants().size() == 2);
  CHECK(instants()[0].compare(0, 12, "first name: ") == 0);
  CHECK(instants()[1].compare(0, 13, "second name: ") == 0);
  CHECK(tree() == "");
}

TEST_CASE_FIXTURE(Shim, "tracy locks: a lock without try_lock, and one that throws") {
  {
    TracyLockable(Simple, lock);
    lock.lock();
    lock.unlock();
  }
  TracyLockable(Refusing, refusing);
  CHECK_THROWS(refusing.lock());
  CHECK_FALSE(refusing.try_lock());
  CHECK(tree() == "Simple lock Refusing refusing");
  CHECK(stats().missing_ends == 0);
}

TEST_CASE("tracy locks: readers do not wait for each other, but for who writes") {
  Shim shim;
  TracySharedLockable(std::shared_mutex, lock);
  lock.lock_shared();
  std::thread([&] {
    CHECK(lock.try_lock_shared());
    lock.unlock_shared();
  }).join();
  CHECK_FALSE(lock.try_lock());
  lock.unlock_shared();
  lock.lock();
  std::thread reader([&] {
    tracy::SetThreadName("reader");
    const std::shared_lock<SharedLockableBase(std::shared_mutex)> guard(lock);
  });
  until_waiting(&shim, "reader");
  lock.unlock();
  reader.join();
  CHECK(shim.tree("reader") == "std::shared_mutex lock");
  CHECK(hand_overs(&shim) == 1);
}

TEST_CASE_FIXTURE(Shim, "tracy locks: a name may change while others wait") {
  TracyLockable(std::mutex, lock);
  std::thread other([&] {
    for (int i = 0; i < 500; ++i) {
      lock.lock();
      lock.unlock();
    }
  });
  for (int i = 0; i < 500; ++i) {
    const std::string name = "name " + std::to_string(i);
    LockableName(lock, name.c_str(), name.size());
    lock.lock();
    lock.unlock();
  }
  other.join();
  LockMark(lock);
  CHECK(instants().back().compare(0, 10, "name 499: ") == 0);
}

TEST_CASE_FIXTURE(Shim, "tracy locks: a wait that is not recorded leaves later ends alone") {
  flamelet_begin("outer", "", nullptr);
  flamelet_set_enabled(false);
  {
    TracyLockable(Simple, lock);
    lock.lock();
    lock.unlock();
  }
  flamelet_set_enabled(true);
  flamelet_end_top();
  CHECK(capture().spans(capture().lane("main"))[0].flags == 0);
}

TEST_CASE_FIXTURE(Shim, "tracy locks in C: waits belong to their threads, and know who holds the lock") {
  TracyCLockCtx lock = nullptr;
  TracyCLockAnnounce(lock);
  TracyCLockCustomName(lock, "c lock", 6);
  TracyCLockBeforeLock(lock);
  TracyCLockAfterLock(lock);
  ZoneScopedN("holds");
  std::thread([lock] {
    tracy::SetThreadName("next");
    TracyCLockBeforeLock(lock);
    TracyCLockAfterLock(lock);
    TracyCLockAfterUnlock(lock);
  }).join();
  TracyCLockAfterUnlock(lock);
  TracyCLockAfterTryLock(lock, 0);
  TracyCLockTerminate(lock);
  CHECK(tree("main") == "c lock holds");
  CHECK(tree("next") == "c lock");
  CHECK(capture().string(capture().spans(capture().lane("next"))[0].object) == "main in holds");
}
