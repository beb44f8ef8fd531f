// SPDX-License-Identifier: MIT
#include "record/decoder.h"

#include <string>

#include "profiler/record/page_builder.h"

namespace flamelet {
namespace {

// Writes what it sees as text.
struct Transcript : IgnoreEvents {
  std::string text;
  void add(const std::string& what, uint64_t ticks, uint64_t value) {
    text += what + "@" + std::to_string(ticks) + ":" + std::to_string(value) + " ";
  }
  void begin(uint64_t ticks, uint64_t, uint32_t site, uint64_t strings) {
    add(strings != 0 ? "with" : "begin", ticks, site);
  }
  void end(uint64_t ticks) { add("end", ticks, 0); }
  void end_to(uint64_t ticks, uint32_t depth) { add("to", ticks, depth); }
  void fiber(uint64_t ticks, const OpenBlock& block) {
    add("fiber", ticks, block.count);
    for (uint32_t i = 0; i < block.count; ++i) add("open", block.begin_ticks(i), block.site(i));
  }
  void other(uint64_t ticks, WordType type, uint32_t id, uint64_t, const uint64_t*) {
    add("type" + std::to_string(static_cast<uint32_t>(type)), ticks, id);
  }
};

std::string transcribe(const BuiltPage& built, uint64_t until = UINT64_MAX) {
  Transcript transcript;
  DecodeCursor cursor = {2 * built.page.header.open_count, 0};
  decode(WordRun{built.page.words, built.words, built.page.header.base_ticks}, until, &cursor, transcript);
  return transcript.text;
}

}  // namespace

TEST_CASE("every type of event is handed out with its time and its id") {
  uint64_t ticket = 1;
  PageBuilder page(1, &ticket);
  page.new_page(100);
  page.begin(101, 5);
  page.begin(102, 65535, 1, 2);
  page.next(103, 6);
  page.end(104);
  page.end_to(105, 0);
  page.instant(106, 7);
  page.counter(107, 8, 1.5);
  page.start(108, 9);
  page.finish(109, 1);
  page.span(110, 10, 90, 95);
  page.point(111, 11, 96);
  page.frame(112, 3);
  CHECK(transcribe(*page.pages[0]) ==
        "begin@101:5 with@102:65535 end@103:0 begin@103:6 end@104:0 to@105:0 type5@106:7 type6@107:8 type10@108:9 "
        "type11@109:0 type12@110:10 type13@111:11 type7@112:0 ");
}

TEST_CASE("a fiber's scopes are handed out with their own times, and skipped as events") {
  uint64_t ticket = 1;
  PageBuilder page(1, &ticket);
  const uint64_t old = (uint64_t{77} << 44) + 5;  // far more than 2^44 ticks before
  BuiltStack stack;
  stack.scopes.push_back({old + make_code(WordType::kBegin, 3), old, 0});
  stack.scopes.push_back({(old + 9) + make_code(WordType::kNext, 4), old + 9, 0});
  const uint64_t now = uint64_t{99} << 44;
  page.new_page(now);
  page.fiber(now + 1, 12, stack);
  page.end(now + 2);
  CHECK(transcribe(*page.pages[0]) == "fiber@" + std::to_string(now + 1) + ":2 open@" + std::to_string(old) +
                                          ":3 open@" + std::to_string(old + 9) + ":4 end@" + std::to_string(now + 2) +
                                          ":0 ");
}

TEST_CASE("decoding stops before the first event at or after the given time, and goes on from there") {
  uint64_t ticket = 1;
  PageBuilder page(1, &ticket);
  page.new_page(10);
  page.begin(11, 1);
  page.end(12);
  page.begin(12, 2);
  page.end(13);
  const BuiltPage& built = *page.pages[0];
  const WordRun run = {built.page.words, built.words, built.page.header.base_ticks};
  Transcript transcript;
  DecodeCursor cursor = {0, 0};
  CHECK(decode(run, 12, &cursor, transcript));
  CHECK(transcript.text == "begin@11:1 ");
  CHECK(decode(run, 12, &cursor, transcript));
  CHECK(transcript.text == "begin@11:1 ");
  CHECK_FALSE(decode(run, 14, &cursor, transcript));
  CHECK(transcript.text == "begin@11:1 end@12:0 begin@12:2 end@13:0 ");
}

TEST_CASE("time that goes back is held where it was") {
  uint64_t ticket = 1;
  PageBuilder page(1, &ticket);
  page.new_page(uint64_t{1} << 30);
  const uint64_t base = uint64_t{1} << 30;
  page.begin(base + 50, 1);
  page.end(base + 40);
  page.begin(base - 1000, 2);  // another core's counter, a little behind
  page.end(base + 60);
  const std::string held = std::to_string(base + 50);
  CHECK(transcribe(*page.pages[0]) ==
        "begin@" + held + ":1 end@" + held + ":0 begin@" + held + ":2 end@" + std::to_string(base + 60) + ":0 ");
}

TEST_CASE("an open block tells its scopes by their ids") {
  uint64_t ticket = 1;
  PageBuilder page(1, &ticket);
  page.new_page(10);
  const uint64_t outer = page.begin(11, 1);
  const uint64_t inner = page.begin(12, 2, 3, 4);
  page.new_page(20);
  const OpenBlock block = {page.pages[1]->page.words, page.pages[1]->page.header.open_count};
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
