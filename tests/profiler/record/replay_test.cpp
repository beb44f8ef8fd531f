// SPDX-License-Identifier: MIT
#include "record/replay.h"

#include <string>

#include "profiler/record/page_builder.h"

namespace flamelet {
namespace {

// Writes what it sees as text. A visitor without a base: a kind of event that it has no member for does not compile.
struct Transcript {
  std::string text;
  void add(const std::string& what, uint64_t ticks, uint64_t value) {
    text += what + "@" + std::to_string(ticks) + ":" + std::to_string(value) + " ";
  }
  void begin(uint64_t ticks, uint32_t level, uint64_t, uint32_t site, uint64_t strings) {
    add((strings != 0 ? "with" : "begin") + std::to_string(level), ticks, site);
  }
  void end(uint64_t ticks, uint32_t level, bool missing) { add(missing ? "missing" : "end", ticks, level); }
  void fiber(uint64_t ticks, uint32_t depth, const FiberChange& change) {
    add("from" + std::to_string(change.from) + "to" + std::to_string(change.to), ticks, depth);
    for (uint32_t i = 0; i < change.block.count; ++i) add("open", change.block.begin_ticks(i), change.block.site(i));
  }
  void point(uint64_t ticks, const PointEvent& point) {
    add(point.kind == PointKind::kInstant ? "instant" : "counter", ticks, point.site);
  }
  void frame(uint64_t ticks, const FrameMark& mark) { add(mark.ends_partial ? "partial" : "frame", ticks, mark.index); }
  void named_frame(uint64_t ticks, uint32_t set, uint64_t index, bool partial) {
    add((partial ? "partial" : "frame") + std::to_string(set), ticks, index);
  }
  void interval_begin(uint64_t ticks, uint64_t, uint32_t site, uint64_t) { add("start", ticks, site); }
  void interval_end(uint64_t ticks, uint64_t id) { add("finish", ticks, id); }
  void span(const SubmittedSpan& span) { add("span" + std::to_string(span.site), span.begin_ticks, span.end_ticks); }
  void flow(uint64_t ticks, const FlowEvent& flow) { add(flow.ends ? "flow_end" : "flow_begin", ticks, flow.id); }
  void fiber_end(uint64_t ticks, uint32_t fiber, uint32_t depth) {
    add("destroyed" + std::to_string(fiber), ticks, depth);
  }
  void thread_switch(uint64_t ticks, const SwitchEvent& event) {
    add("switch" + std::to_string(event.what) + "on" + std::to_string(event.processor), ticks, event.thread);
  }
  void submitted_flow(uint64_t ticks, const FlowEvent& flow) { add(flow.ends ? "came" : "went", ticks, flow.id); }
  void submitted_point(uint64_t ticks, const PointEvent& point) {
    add(point.kind == PointKind::kInstant ? "point" : "value", ticks, point.site);
  }
};

std::string transcribe(const BuiltPage& built, uint64_t until = UINT64_MAX) {
  Transcript transcript;
  ReplayCursor cursor = page_start(built.page.header);
  replay(WordRun{built.page.words, built.words, built.page.header.base_ticks}, until, &cursor, transcript);
  return transcript.text;
}

}  // namespace

TEST_CASE_FIXTURE(FirstTrack, "every type of event is handed out with its time and its id") {
  play("100| 101(5");
  begin(102, 65535, 1, 2);
  play("103>6 104) 105(7 105(8 106^0");
  instant(107, 7);
  counter(108, 8, 1.5);
  start(109, 9);
  finish(110, 1);
  span(111, 10, 90, 95);
  point(112, 11, 96);
  event(113, WordType::kValue, 12, {97, 0});
  frame(114, 3);
  frame(115, 4, true);
  event(116, WordType::kMore, make_more_id(MoreType::kNamedFrame, 1), {named_frame_mark(2000000, 77, false)});
  event(117, WordType::kMore, make_more_id(MoreType::kNamedFrame, 1), {named_frame_mark(5, 78, true)});
  event(118, WordType::kMore, make_more_id(MoreType::kFlowBegin, 1), {UINT64_MAX});
  event(119, WordType::kMore, make_more_id(MoreType::kFlowEnd, 1), {6});
  event(120, WordType::kMore, make_more_id(MoreType::kFlowBegin, 2), {98, 7});
  event(121, WordType::kMore, make_more_id(MoreType::kFlowEnd, 2), {99, 8});
  thread_switch(122, UINT32_MAX, UINT16_MAX, kSwitchTakenOff);
  fiber_end(123, 7, 3);
  CHECK(transcribe(*pages[0]) ==
        "begin0@101:5 with1@102:65535 end@103:1 begin1@103:6 end@104:1 begin1@105:7 begin2@105:8 missing@106:2 "
        "missing@106:1 end@106:0 instant@107:7 counter@108:8 start@109:9 finish@110:1 span10@90:95 point@96:11 "
        "value@97:12 frame@114:3 partial@115:4 frame2000000@116:77 partial5@117:78 flow_begin@118:18446744073709551615 "
        "flow_end@119:6 went@98:7 came@99:8 "
        "switch2on65535@122:4294967295 destroyed7@123:3 ");
}

TEST_CASE_FIXTURE(FirstTrack, "ends without a begin are handed to nobody, and a sibling without one begins") {
  play("10) 11^3 12>4 13^1 14)");
  CHECK(transcribe(*pages[0]) == "begin0@12:4 end@14:0 ");
}

TEST_CASE_FIXTURE(FirstTrack, "a kind of event that is not known yet is skipped, and counted where words are checked") {
  begin(10, 1);
  event(11, WordType::kMore, make_more_id(static_cast<MoreType>(255), 3), {1, 2, 3});
  event(12, WordType::kMore, make_more_id(static_cast<MoreType>(99), 0));
  end(13);
  const BuiltPage& built = *pages[0];
  CHECK(transcribe(built) == "begin0@10:1 end@13:0 ");
  Transcript transcript;
  ReplayCursor cursor = page_start(built.page.header);
  RepairCounts counts = {};
  const WordRun run = {built.page.words, built.words, built.page.header.base_ticks};
  CHECK(check(run, &cursor, transcript, &counts) == ReplayEnd::kUsedUp);
  CHECK(transcript.text == "begin0@10:1 end@13:0 ");
  CHECK(counts.unknown_events == 2);
  CHECK(cursor.events == 4);
}

TEST_CASE_FIXTURE(FirstTrack, "a check stops before an event that is not whole, and goes on from there") {
  begin(10, 1);
  event(11, WordType::kMore, make_more_id(static_cast<MoreType>(7), 2), {1, 2});
  instant(12, 3);
  const BuiltPage& built = *pages[0];
  WordRun run = {built.page.words, 0, built.page.header.base_ticks};
  Transcript transcript;
  ReplayCursor cursor = page_start(built.page.header);
  RepairCounts counts = {};
  const uint32_t at_words[] = {0, 1, 1, 1, 4, 4, 6};
  for (run.count = 0; run.count <= built.words; ++run.count) {
    const bool whole = run.count == at_words[run.count];
    CHECK(check(run, &cursor, transcript, &counts) == (whole ? ReplayEnd::kUsedUp : ReplayEnd::kIncomplete));
    CHECK(cursor.at == at_words[run.count]);
  }
  CHECK(transcript.text == "begin0@10:1 instant@12:3 ");
}

TEST_CASE("a check stops at words that no recorder writes") {
  const auto check_fails = [](WordType type, uint32_t id, uint32_t depth) {
    PageBuilder page(1);
    page.new_page(5);
    for (uint32_t i = 0; i < depth; ++i) page.begin(10, 1);
    page.event(11, type, id, {0, 0});
    const BuiltPage& built = *page.pages[0];
    IgnoreEvents visitor;
    ReplayCursor cursor = page_start(built.page.header);
    RepairCounts counts = {};
    const ReplayEnd end = check({built.page.words, built.words, 5}, &cursor, visitor, &counts);
    return end == ReplayEnd::kBad && cursor.at == depth;
  };
  CHECK(check_fails(WordType::kReopen, 0, 0));
  CHECK(check_fails(WordType::kFiber, FLAMELET_MAX_DEPTH + 1, 0));
  CHECK(check_fails(WordType::kBegin, 1, FLAMELET_MAX_DEPTH));
  CHECK(check_fails(WordType::kBeginWith, 1, FLAMELET_MAX_DEPTH));
  CHECK_FALSE(check_fails(WordType::kBegin, 1, FLAMELET_MAX_DEPTH - 1));
  CHECK(check_fails(WordType::kMore, make_more_id(MoreType::kNamedFrame, 0), 0));
  CHECK(check_fails(WordType::kMore, make_more_id(MoreType::kFlowBegin, 0), 0));
}

TEST_CASE_FIXTURE(FirstTrack, "a fiber's scopes are handed out with their own times, and skipped as events") {
  const uint64_t old = (uint64_t{77} << 44) + 5;  // far more than 2^44 ticks before
  BuiltStack incoming;
  incoming.scopes.push_back({old + make_code(WordType::kBegin, 3), old, 0});
  incoming.scopes.push_back({(old + 9) + make_code(WordType::kNext, 4), old + 9, 0});
  const uint64_t now = uint64_t{99} << 44;
  new_page(now);
  fiber(now + 1, 12, incoming);
  end(now + 2);
  CHECK(transcribe(*pages[0]) == "from0to12@" + std::to_string(now + 1) + ":0 open@" + std::to_string(old) +
                                     ":3 open@" + std::to_string(old + 9) + ":4 end@" + std::to_string(now + 2) +
                                     ":1 ");
}

TEST_CASE_FIXTURE(FirstTrack,
                  "a replay stops before the first event at or after the given time, and goes on from there") {
  play("10| 11(1 12) 12(2 13)");
  const BuiltPage& built = *pages[0];
  const WordRun run = {built.page.words, built.words, built.page.header.base_ticks};
  Transcript transcript;
  ReplayCursor cursor = {};
  CHECK(replay(run, 12, &cursor, transcript));
  CHECK(transcript.text == "begin0@11:1 ");
  CHECK(replay(run, 12, &cursor, transcript));
  CHECK(transcript.text == "begin0@11:1 ");
  CHECK_FALSE(replay(run, 14, &cursor, transcript));
  CHECK(transcript.text == "begin0@11:1 end@12:0 begin0@12:2 end@13:0 ");
}

TEST_CASE_FIXTURE(FirstTrack, "time that goes back is held where it was") {
  new_page(uint64_t{1} << 30);
  const uint64_t base = uint64_t{1} << 30;
  begin(base + 50, 1);
  end(base + 40);
  begin(base - 1000, 2);  // another core's counter, a little behind
  end(base + 60);
  const std::string held = std::to_string(base + 50);
  CHECK(transcribe(*pages[0]) ==
        "begin0@" + held + ":1 end@" + held + ":0 begin0@" + held + ":2 end@" + std::to_string(base + 60) + ":0 ");
}

TEST_CASE_FIXTURE(FirstTrack, "an open block tells its scopes by their ids") {
  new_page(10);
  const uint64_t outer = begin(11, 1);
  const uint64_t inner = begin(12, 2, 3, 4);
  new_page(20);
  const OpenBlock block = {pages[1]->page.words, pages[1]->page.header.open_count};
  REQUIRE(block.count == 2);
  CHECK(block.id(0) == outer);
  CHECK(block.id(1) == inner);
  CHECK(block.shows(0, outer));
  CHECK(block.shows(1, inner));
  CHECK_FALSE(block.shows(0, inner));
  CHECK_FALSE(block.shows(2, inner));
  CHECK(strings_name(block.strings(1)) == 3);
  CHECK(strings_object(block.strings(1)) == 4);
  CHECK(block.begin_ticks(1) == 12);
}

}  // namespace flamelet
