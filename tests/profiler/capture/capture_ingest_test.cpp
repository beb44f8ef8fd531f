// SPDX-License-Identifier: MIT
//
// What a capture takes in: pages in parts, out of room, of another session, and pages that no recorder wrote.
#include <algorithm>
#include <random>
#include <string>
#include "flamelet/flamelet.h"
#include "profiler/capture/saved_capture.h"
#include "profiler/record/page_builder.h"
#include "support/recording.h"

#include <doctest/doctest.h>

#include "capture/capture_data.h"
#include "capture/capture_lanes.h"

namespace flamelet {
namespace {

// What must hold for every answer, however broken the pages are.
void check_sound(const FedCapture& capture) {
  std::vector<flamelet_span> spans(3000);
  std::vector<flamelet_point> points(3000);
  std::vector<flamelet_interval> intervals(100);
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture.get()); ++lane) {
    for (int64_t begin : {INT64_MIN, int64_t{-5}, int64_t{900}, int64_t{1} << 44, INT64_MAX - 10}) {
      for (int64_t end : {INT64_MIN, int64_t{901}, int64_t{5000}, INT64_MAX}) {
        size_t found = 0;
        flamelet_capture_read_spans(capture.get(), lane, begin, end, spans.data(), spans.size(), &found);
        if (begin >= end) REQUIRE(found == 0);
        const size_t count = std::min(found, spans.size());
        for (size_t i = 0; i < count; ++i) {
          const flamelet_span& span = spans[i];
          REQUIRE(span.begin_ns <= span.end_ns);
          REQUIRE(span.self_ns >= 0);
          REQUIRE(span.subtree_end > i);
          REQUIRE(span.subtree_end <= count);
          if (i != 0 && span.depth <= spans[i - 1].depth) REQUIRE(span.begin_ns >= spans[i - 1].begin_ns);
          if (span.parent == FLAMELET_NO_PARENT) continue;
          REQUIRE(span.parent < i);
          const flamelet_span& parent = spans[span.parent];
          REQUIRE(span.depth == parent.depth + 1);
          REQUIRE(span.begin_ns >= parent.begin_ns);
          REQUIRE(span.end_ns <= parent.end_ns);
          REQUIRE(span.subtree_end <= parent.subtree_end);
        }
        flamelet_capture_read_points(capture.get(), lane, begin, end, points.data(), points.size(), nullptr);
      }
    }
  }
  flamelet_capture_read_intervals(capture.get(), INT64_MIN, INT64_MAX, intervals.data(), intervals.size());
}

}  // namespace

TEST_CASE_FIXTURE(FirstTrack, "a page that comes word by word ends up as one that came at once") {
  begin(1000, 1, 2, 3);
  counter(1001, 1, 1);
  play("1002) 1003| 1004(2");
  const uint64_t interval = start(1005, 3);
  finish(1006, interval);
  const BuiltStack own = stack;
  fiber(1007, 9, BuiltStack());
  fiber(1008, 0, own);
  FedCapture at_once, by_word;
  at_once.feed(*this);
  for (const auto& built : pages) {
    for (uint32_t words = 0; words <= built->words; ++words) by_word.feed(*built, words, false);
    by_word.feed(*built);
  }
  CHECK(by_word.stats().events_read == 8);
  CHECK(by_word.stats().events_lost == 0);
  CHECK(by_word.stats().bad_words == 0);
  const std::vector<flamelet_span> a = at_once.spans(0), b = by_word.spans(0);
  REQUIRE(a.size() == 3);
  REQUIRE(b.size() == 3);
  for (size_t i = 0; i < 3; ++i) CHECK(memcmp(&a[i], &b[i], sizeof a[i]) == 0);
  flamelet_interval found[2];
  REQUIRE(flamelet_capture_read_intervals(by_word.get(), 0, 2000, found, 2) == 1);
  CHECK(found[0].flags == 0);
  CHECK(by_word.points(0).size() == 1);
}

TEST_CASE_FIXTURE(FirstTrack, "an old page of a track that comes again, or too late, is left out") {
  instant(1000, 1);
  new_page(1010);
  instant(1010, 1);
  FedCapture capture(*this);
  const uint64_t read = capture.stats().events_read;
  capture.feed(*this);
  capture.feed(*pages[0]);
  CHECK(capture.stats().events_read == read);
  CHECK(capture.points(0).size() == 2);
}

TEST_CASE("the page that a quiet thread still writes outlives newer pages") {
  uint64_t ticket = 1;
  PageBuilder quiet(1, &ticket), busy(2, &ticket);
  quiet.play("1000(1");
  FedCapture capture(0);
  capture.feed(*quiet.pages[0]);
  const uint32_t capacity = capture.stats().pages_limit;
  for (uint64_t i = 0; i < 3 * capacity; ++i) {
    busy.new_page(1001 + i);
    busy.instant(1001 + i, 2);
    capture.feed(*busy.pages.back());
  }
  CHECK(capture.stats().pages_held == capacity);
  CHECK(capture.stats().events_evicted > capacity);
  quiet.end(9000);
  capture.feed(*quiet.pages[0]);
  const std::vector<flamelet_span> spans = capture.spans(capture.lane(1));
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].begin_ns == 1000);
  CHECK(spans[0].end_ns == 9000);
}

TEST_CASE_FIXTURE(FirstTrack, "the oldest pages go first, and the extent moves with them") {
  FedCapture capture(0);
  const uint32_t capacity = capture.stats().pages_limit;
  int64_t begin = 0, end = 0;
  CHECK_FALSE(flamelet_capture_extent(capture.get(), &begin, &end));
  for (uint64_t i = 0; i < capacity + 10; ++i) {
    new_page(1000 + 10 * i);
    instant(1005 + 10 * i, 1);
  }
  close(1000 + 10 * (capacity + 10));
  capture.feed(*this);
  CHECK(capture.stats().events_evicted == 10);
  CHECK(capture.points(0).size() == capacity);
  REQUIRE(flamelet_capture_extent(capture.get(), &begin, &end));
  CHECK(begin == 1100);
  CHECK(end == static_cast<int64_t>(1000 + 10 * (capacity + 10)));
}

TEST_CASE_FIXTURE(FirstTrack, "a closing time that its page cannot have is not believed") {
  play("1000(1");
  close(UINT64_MAX);
  FedCapture capture(*this);
  CHECK(capture->newest_ticks == 1000);
}

TEST_CASE("frames whose events are lost or evicted are flagged") {
  uint64_t ticket = 1;
  PageBuilder track(1, &ticket), frames(kFrameTrack, &ticket);
  frames.new_page(1000);
  for (uint64_t i = 0; i < 10; ++i) frames.frame(1000 + 100 * i, i);
  track.new_page(1000);
  track.instant(1010, 1);
  track.new_page(1250);
  track.instant(1260, 1);
  track.new_page(1320);
  FedCapture capture(0);
  capture.feed(*frames.pages[0]);
  capture.feed(*track.pages[0], track.pages[0]->words, false);
  capture.feed(*track.pages[2]);
  const auto lossy = [&] {
    std::string text;
    for (size_t i = 0; i < flamelet_capture_frame_count(capture.get()); ++i) {
      const flamelet_frame_info frame = recorder_test::frame_of(capture.get(), i);
      text += (frame.flags & FLAMELET_FRAME_LOSSY) != 0 ? 'L' : '.';
    }
    return text;
  };
  CHECK(lossy() == "LLLL.....");  // between 1010 and 1320
  for (uint64_t i = 0; i < capture.stats().pages_limit; ++i) track.new_page(1330 + i);
  track.close(1330 + capture.stats().pages_limit);
  for (size_t i = 2; i < track.pages.size(); ++i) capture.feed(*track.pages[i]);
  CHECK(lossy() == "LLLL.....");
  track.new_page(1750);
  for (uint64_t i = 0; i < capture.stats().pages_limit; ++i) {
    track.new_page(1760 + i);
    capture.feed(*track.pages[track.pages.size() - 2]);
  }
  CHECK(lossy() == "LLLLLLL..");  // all pages that begin before 1750 are gone; the last of them ended before 1700
}

TEST_CASE_FIXTURE(FirstTrack, "a word that no recorder writes ends its page, counted, and nothing else") {
  play("1000(1");
  event(1001, static_cast<WordType>(15), 3);
  play("1002) 1010| 1020)");
  FedCapture capture(*this);
  CHECK(capture.stats().bad_words == 2);
  const std::vector<flamelet_span> spans = capture.spans(0);
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].end_ns == 1000);  // the last event before what is missing
  CHECK(spans[0].flags == FLAMELET_SPAN_MISSING_END);
}

TEST_CASE_FIXTURE(FirstTrack, "scopes deeper than the limit end their page") {
  new_page(1000);
  for (uint64_t i = 0; i < FLAMELET_MAX_DEPTH; ++i) begin(1000 + i, 1);
  FedCapture capture(*this);
  CHECK(capture.stats().bad_words == 0);
  CHECK(capture.spans(0).size() == FLAMELET_MAX_DEPTH);
  begin(1500, 2);
  capture.feed(*this);
  CHECK(capture.stats().bad_words == 1);
  CHECK(capture.spans(0).size() == FLAMELET_MAX_DEPTH);
}

TEST_CASE_FIXTURE(FirstTrack, "an event that its page has no room for is not an event") {
  new_page(1000);
  while (room() > 1) event(1000, WordType::kEnd, 0);
  push(1001 + make_code(WordType::kInstant, 1));
  FedCapture capture(*this);
  CHECK(capture.stats().bad_words == 1);
  CHECK(capture.points(0).empty());
}

TEST_CASE("a page that re-opens more scopes than there can be is skipped") {
  uint64_t ticket = 1;
  for (uint32_t open_count : {FLAMELET_MAX_DEPTH + 1, 252u, 253u, 1u << 31, UINT32_MAX}) {
    PageBuilder track(1, &ticket);
    track.instant(1000, 1);
    track.pages[0]->page.header.open_count = open_count;
    FedCapture capture(track);
    CHECK(capture.stats().bad_words == 2);
    CHECK(capture.spans(0).empty());
  }
}

TEST_CASE("a page whose re-opened scopes have not all come shows none of them, nor what was in its memory before") {
  uint64_t ticket = 1;
  FedCapture capture(0);
  PageBuilder busy(1, &ticket);
  for (uint32_t i = 0; i < 2 * capture->pages.capacity(); ++i) {
    busy.new_page(1000 * (i + 1));
    for (int scope = 0; scope < 3; ++scope) {
      busy.begin(1000 * (i + 1), 1);
      busy.end(1000 * (i + 1) + 5);
    }
    capture.feed(*busy.pages.back());
  }
  PageBuilder cut(2, &ticket);
  BuiltStack stack;
  for (uint64_t i = 0; i < 3; ++i) stack.scopes.push_back({5000 + i + make_code(WordType::kBegin, 2), 5000 + i, 0});
  cut.stack = stack;
  cut.new_page(1000000);
  cut.fiber(1000001, 7, {});
  const BuiltPage& built = *cut.pages.back();
  for (const bool closed : {false, true}) {
    capture.feed(built, 5, closed);
    CHECK(capture.spans(capture.lane(2)).empty());
    // It can be saved and read again.
    const Loaded loaded(save(capture.get()));
    CHECK(loaded.result == FLAMELET_OK);
    CHECK(loaded.report.pages_refused == 0);
  }
}

TEST_CASE_FIXTURE(FirstTrack, "a part that is longer than a page is left out") {
  new_page(1000);
  FedCapture capture;
  capture.feed(*pages[0], kPageWords + 1, true);
  CHECK(flamelet_capture_lane_count(capture.get()) == 0);
}

TEST_CASE("any words give sound answers") {
  std::mt19937_64 random(5);
  const uint64_t bases[] = {0, 1000, uint64_t{1} << 44, UINT64_MAX - 100000, UINT64_MAX};
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    FedCapture capture(0);
    uint64_t ticket = 1;
    for (int page = 0; page < 400; ++page) {
      BuiltPage built;
      built.ticket = ticket++;
      PageHeader& header = built.page.header;
      header.base_ticks = random() % 4 == 0 ? bases[random() % 5] : 1000 + static_cast<uint64_t>(page) * 20;
      header.track = static_cast<uint32_t>(random() % 4 == 0 ? random() % 8 : 1);
      header.fiber = static_cast<uint32_t>(random() % 4 == 0 ? random() % 5 : 0);
      header.first_event = random() % 3 == 0 ? random() : static_cast<uint64_t>(page) * 5;
      header.open_count = static_cast<uint32_t>(random() % 3 == 0 ? random() % 140 : 0);
      header.last_ticks = random() % 3 == 0 ? random() : header.base_ticks + 15;
      built.words = static_cast<uint32_t>(random() % (random() % 4 == 0 ? kPageWords + 1 : 60));
      built.closed = random() % 4 != 0;
      for (uint32_t i = 0; i < built.words; ++i) {
        // Mostly events that make sense by themselves, some that do not, some noise.
        const uint64_t ticks = header.base_ticks + (random() % 3 == 0 ? random() >> 20 : random() % 30);
        const auto type = static_cast<WordType>(random() % 8 == 0 ? random() % 16 : random() % 5);
        const uint32_t id = static_cast<uint32_t>(random() % 16 == 0 ? random() % 65536 : random() % 4);
        built.page.words[i] = random() % 40 == 0 ? random() : ticks + make_code(type, id);
      }
      capture.feed(built);
    }
    check_sound(capture);
    const flamelet_capture_stats stats = capture.stats();
    CHECK(stats.bad_words != 0);
    CHECK(stats.pages_held <= stats.pages_limit);
  }
}

TEST_CASE("any frame track gives frames that follow one another") {
  std::mt19937_64 random(6);
  FedCapture capture;
  for (uint64_t page = 0; page < 300; ++page) {
    BuiltPage built;
    built.ticket = page + 1;
    built.page.header.track = kFrameTrack;
    built.page.header.base_ticks = 1000 * page;
    built.words = static_cast<uint32_t>(random() % 20);
    for (uint32_t i = 0; i < built.words; ++i)
      built.page.words[i] = i % 3 == 0 ? 1000 * page + random() % 2000 + make_code(WordType::kFrame, 0)
                                       : (random() % 50 == 0 ? random() : page * 10 + i / 3);
    if (random() % 50 == 0) built.page.words[0] = random();
    capture.feed(built, built.words, true);
  }
  flamelet_frame_info last = {};
  REQUIRE(flamelet_capture_frame_count(capture.get()) > 10);
  for (size_t i = 0; i < flamelet_capture_frame_count(capture.get()); ++i) {
    const flamelet_frame_info frame = recorder_test::frame_of(capture.get(), i);
    REQUIRE(frame.begin_ns <= frame.end_ns);
    if (i != 0) {
      REQUIRE(frame.index > last.index);
      REQUIRE(frame.begin_ns >= last.end_ns);
    }
    REQUIRE(flamelet_capture_find_frame(capture.get(), frame.index) == i);
    last = frame;
  }
}

// ---- Capture counts -----------------------------------------------------------------------------------------------

TEST_CASE_FIXTURE(FirstTrack,
                  "a loaded capture has the counts of the saved one, clamped times and unknown events too") {
  new_page(100);
  for (uint64_t i = 0; i < 5; ++i) instant(1000 - 10 * i, 1);
  event(2000, WordType::kMore, make_more_id(static_cast<MoreType>(200), 2), {1, 2});
  play("2001) 3000|");
  instant(3001, 1);
  FedCapture capture(0);
  capture.feed(*this);
  const flamelet_capture_stats saved = capture.stats();
  REQUIRE(saved.times_clamped == 4);
  REQUIRE(saved.unknown_events == 1);
  REQUIRE(saved.extra_ends == 1);
  // Counts that the pages in the file do not show again.
  capture->counts.times_clamped += 1000;
  capture->counts.unknown_events += 1000;
  const Loaded loaded(save(capture.get()));
  REQUIRE(loaded.result == FLAMELET_OK);
  const flamelet_capture_stats stats = recorder_test::stats_of(loaded.capture);
  CHECK(stats.times_clamped == 1004);
  CHECK(stats.unknown_events == 1001);
  CHECK(stats.extra_ends == 1);
  CHECK(stats.events_read == saved.events_read);
}

// ---- Capture tables -----------------------------------------------------------------------------------------------

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
