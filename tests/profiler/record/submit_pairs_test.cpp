// SPDX-License-Identifier: MIT
//
// How begins and ends of other clocks find each other: by id and pair number, in any order, in one call or in several.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "profiler/record/submit_source.h"
#include "rounds.h"

using namespace recorder_test;

namespace {

flamelet_event numbered(flamelet_event event, uint16_t pair) {
  event.pair = pair;
  return event;
}

// The submitted spans of a track as they lie in the ring.
class SpanReader : public EventReader {
 public:
  struct Span {
    uint64_t begin, end, id;
  };
  const std::vector<Span>& read_spans() {
    read();
    return spans_;
  }

 private:
  void on_event(const TrackState&, const RawEvent& event) override {
    if (event.type == flamelet::WordType::kSpan)
      spans_.push_back({event.payload[0], event.payload[1], event.payload[2]});
  }
  std::vector<Span> spans_;
};

flamelet_config holding(uint32_t max_submit_open) {
  flamelet_config config = small_config();
  config.max_submit_open = max_submit_open;
  keep_pages(&config, 64);
  return config;
}

}  // namespace

TEST_CASE("submit: of duplicates the first is taken") {
  Source source;
  CHECK(source.submit({event('B', 5, 1, "second"), event('B', 1, 1, "first"), event('E', 9, 1, nullptr),
                       event('E', 7, 1, nullptr)}) == 2);
  CHECK(stats().dropped_submit == 2);
  CHECK(source.text() == "first" + Source::at(1, 7));
}

TEST_CASE("submit: an end at its begin's time is a span of no length") {
  Source source;
  CHECK(source.submit({event('B', 5, 1, "a"), event('E', 5, 1, nullptr)}) == 2);
  CHECK(source.text() == "a" + Source::at(5, 5));
}

TEST_CASE("submit: two passes of one CPU scope are two spans that both name it") {
  Source source;
  const uint64_t scope = uint64_t{77} << 44 | 5;
  CHECK(source.submit({numbered(event('B', 10, scope, "shadows"), 1), numbered(event('E', 20, scope, nullptr), 1),
                       numbered(event('B', 30, scope, "lights"), 2), numbered(event('E', 45, scope, nullptr), 2)}) ==
        4);
  CHECK(source.text() == "shadows" + Source::at(10, 20) + " lights" + Source::at(30, 45));
  SpanReader reader;
  REQUIRE(reader.read_spans().size() == 2);
  for (const SpanReader::Span& span : reader.read_spans()) CHECK(span.id == scope);
  CHECK(stats().dropped_submit == 0);
}

TEST_CASE("submit: passes of one CPU scope may overlap and end in any order") {
  Source source;
  CHECK(source.submit({numbered(event('E', 40, 9, nullptr), 1), numbered(event('B', 20, 9, "inner"), 2),
                       numbered(event('E', 30, 9, nullptr), 2), numbered(event('B', 10, 9, "outer"), 1)}) == 4);
  CHECK(source.text() == "inner" + Source::at(20, 30) + " outer" + Source::at(10, 40));
}

TEST_CASE("submit: a pair number alone pairs what no CPU scope submitted") {
  Source source;
  CHECK(source.submit({numbered(event('B', 1, 0, "a"), 3), numbered(event('E', 2, 0, nullptr), 3)}) == 2);
  CHECK(source.text() == "a" + Source::at(1, 2));
  SpanReader reader;
  REQUIRE(reader.read_spans().size() == 1);
  CHECK(reader.read_spans()[0].id == 0);
}

TEST_CASE("submit: an end in a later call ends its begin, with the begin's names") {
  Source source;
  flamelet_event begin = event('B', 10, 1, "pass");
  {
    std::string object = "shadow map";  // need not outlive the call
    begin.object = object.c_str();
    CHECK(source.submit({begin}) == 1);
  }
  CHECK(stats().submit_waiting == 1);
  CHECK(stats().submit_waiting_most == 1);
  CHECK(stats().submit_waiting_limit == flamelet_config_default().max_submit_open);
  CHECK(source.text() == "");
  source.clock.ticks += 1000;
  CHECK(source.submit({event('E', 500, 1, nullptr), event('B', 600, 2, "next")}) == 2);
  CHECK(source.text() == "pass{shadow map}" + Source::at(10, 500));
  CHECK(source.submit({event('E', 700, 2, nullptr)}) == 1);
  CHECK(source.text() == "pass{shadow map}" + Source::at(10, 500) + " next" + Source::at(600, 700));
  CHECK(stats().submit_waiting == 0);
  CHECK(stats().dropped_submit == 0);
}

TEST_CASE("submit: an end that comes a call before its begin waits for it") {
  Source source;
  CHECK(source.submit({event('E', 20, 1, nullptr)}) == 1);
  CHECK(source.submit({event('B', 10, 1, "late")}) == 1);
  CHECK(source.text() == "late" + Source::at(10, 20));
  CHECK(stats().submit_waiting == 0);
}

TEST_CASE("submit: an id may be used again, in the same call and while its begin waits") {
  Source source;
  CHECK(source.submit({event('B', 10, 1, "a"), event('E', 20, 1, nullptr), event('B', 20, 1, "b")}) == 3);
  CHECK(source.submit({event('E', 30, 1, nullptr), event('B', 40, 1, "c"), event('E', 50, 1, nullptr)}) == 3);
  CHECK(source.text() == "a" + Source::at(10, 20) + " b" + Source::at(20, 30) + " c" + Source::at(40, 50));
  CHECK(stats().dropped_submit == 0);
}

TEST_CASE("submit: an unmatched begin or end is never recorded, and counted when its track goes") {
  Source source;
  CHECK(source.submit({event('B', 1, 1, "no end"), event('E', 2, 2, nullptr)}) == 2);
  CHECK(source.submit({event('B', 1, 3, "good"), event('E', 2, 3, nullptr), event('B', 3, 4, "no end")}) == 3);
  CHECK(source.text() == "good" + Source::at(1, 2));
  CHECK(stats().submit_waiting == 3);
  CHECK(stats().dropped_submit == 0);
  flamelet_track_destroy(source.track);
  CHECK(stats().submit_waiting == 0);
  CHECK(stats().dropped_submit == 3);
}

TEST_CASE("submit: max_submit_open events wait on a track; of one more the oldest is dropped") {
  constexpr uint32_t kLimit = 4;
  Source source(1e9, holding(kLimit));
  for (uint64_t id = 1; id <= kLimit; ++id) CHECK(source.submit({event('B', id, id, "held")}) == 1);
  CHECK(stats().submit_waiting == kLimit);
  CHECK(stats().dropped_submit == 0);
  CHECK(source.submit({event('B', 5, 5, "one more")}) == 1);
  CHECK(stats().submit_waiting == kLimit);
  CHECK(stats().dropped_submit == 1);
  // The first has lost its place, the others have not.
  CHECK(source.submit({event('E', 10, 2, nullptr), event('E', 11, 5, nullptr)}) == 2);
  CHECK(source.text() == "held" + Source::at(2, 10) + " one more" + Source::at(5, 11));
  CHECK(source.submit({event('E', 12, 1, nullptr)}) == 1);  // waits now itself
  CHECK(stats().submit_waiting == 3);
  CHECK(stats().dropped_submit == 1);
}

TEST_CASE("submit: of one call's unmatched events as many as may wait are kept, the newest") {
  Source source(1e9, holding(2));
  CHECK(source.submit({event('B', 1, 1, "a"), event('B', 2, 2, "b"), event('B', 3, 3, "c")}) == 2);
  CHECK(stats().dropped_submit == 1);
  CHECK(source.submit({event('E', 9, 1, nullptr), event('E', 9, 2, nullptr), event('E', 9, 3, nullptr)}) == 3);
  CHECK(source.text() == "b" + Source::at(2, 9) + " c" + Source::at(3, 9));
}

TEST_CASE("submit: where nothing may wait, a begin and its end must be in one call") {
  Source source(1e9, holding(0));
  CHECK(source.submit({event('B', 1, 1, "a")}) == 0);
  CHECK(source.submit({event('E', 2, 1, nullptr)}) == 0);
  CHECK(source.submit({event('B', 1, 2, "b"), event('E', 2, 2, nullptr)}) == 2);
  CHECK(stats().dropped_submit == 2);
  CHECK(source.text() == "b" + Source::at(1, 2));
}

TEST_CASE("submit: what waits on one track is not another's, nor that of the next track") {
  Source source;
  const uint32_t other = flamelet_track_create("other", FLAMELET_TRACK_GPU, 1e9);
  CHECK(flamelet_track_calibrate(other, 0, kNow) == FLAMELET_OK);
  const flamelet_event end = event('E', 5, 1, nullptr);
  CHECK(source.submit({event('B', 1, 1, "a")}) == 1);
  CHECK(flamelet_submit(other, &end, 1) == 1);
  CHECK(stats().submit_waiting == 2);
  flamelet_track_destroy(other);
  flamelet_track_destroy(source.track);
  CHECK(stats().dropped_submit == 2);
  for (uint32_t i = 0; i < FLAMELET_MAX_TRACKS; ++i) {
    const uint32_t track = flamelet_track_create("next", FLAMELET_TRACK_GPU, 1e9);
    CHECK(flamelet_track_calibrate(track, 0, kNow) == FLAMELET_OK);
    CHECK(flamelet_submit(track, &end, 1) == 1);
    CHECK(stats().submit_waiting == 1);
    flamelet_track_destroy(track);
  }
  CHECK(source.log.read_problem() == "");
}

TEST_CASE("submit: a second begin while one waits is a duplicate: the earlier one counts") {
  Source source;
  CHECK(source.submit({event('B', 5, 1, "second")}) == 1);
  CHECK(source.submit({event('B', 1, 1, "first")}) == 1);
  CHECK(stats().dropped_submit == 1);
  CHECK(source.submit({event('B', 7, 1, "third")}) == 0);
  CHECK(stats().dropped_submit == 2);
  CHECK(source.submit({event('E', 9, 1, nullptr)}) == 1);
  CHECK(source.text() == "first" + Source::at(1, 9));
}

TEST_CASE("submit: an end before its begin, no id at all and an unknown type are kept out") {
  Source source;
  CHECK(source.submit({event('B', 5, 1, "a"), event('E', 4, 1, nullptr)}) == 1);  // the begin may have another end
  CHECK(stats().dropped_submit == 1);
  CHECK(source.submit({event('E', 3, 1, nullptr)}) == 0);
  CHECK(source.submit({event('B', 5, 0, "a"), event('E', 6, 0, nullptr)}) == 0);
  CHECK(source.submit({event('X', 5, 1, "a"), event(0, 6, 1, "a"), event('\xff', 6, 1, "a"), event('b', 6, 1, "a")}) ==
        0);
  CHECK(stats().dropped_submit == 8);
  CHECK(source.text() == "");
}

TEST_CASE("submit: a zero-length span whose end is submitted first is one, too") {
  Source source;
  CHECK(source.submit({event('E', 5, 1, nullptr), event('B', 5, 1, "a")}) == 2);
  CHECK(source.submit({event('E', 6, 1, nullptr)}) == 1);
  CHECK(source.submit({event('B', 6, 1, "b")}) == 1);
  CHECK(source.text() == "a" + Source::at(5, 5) + " b" + Source::at(6, 6));
}

TEST_CASE("submit: what has waited too long for a time to be sound goes with its end") {
  Source source;
  CHECK(source.submit({event('B', 0, 1, "yesterday")}) == 1);
  source.clock.ticks += 3601ull * 1'000'000'000;
  CHECK(source.submit({event('E', 3601ull * 1'000'000'000, 1, nullptr)}) == 0);
  CHECK(stats().dropped_submit == 2);
  CHECK(stats().submit_waiting == 0);
}

TEST_CASE("submit: what waits is placed by the calibration that holds when its partner comes") {
  Source source;
  CHECK(source.submit({event('B', 100, 1, "a")}) == 1);
  CHECK(flamelet_track_calibrate(source.track, 100, kNow + 150) == FLAMELET_OK);
  CHECK(source.submit({event('E', 110, 1, nullptr)}) == 1);
  CHECK(source.text() == "a" + Source::at(150, 160));
}

TEST_CASE("submit: spans cut into calls at random and shuffled are those of one call, and every event is counted") {
  for (uint64_t seed = 1; seed <= rounds(200); ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    Source source(1e9, holding(64));
    std::vector<flamelet_event> events;
    std::map<std::pair<uint64_t, uint64_t>, int> expected;  // begin and end, on the recorder's clock
    for (uint16_t i = 0; i < 30; ++i) {
      const uint64_t begin = random() % 1000, end = begin + random() % 1000;
      events.push_back(numbered(event('B', begin, 1 + i % 3u, "span"), i));
      events.push_back(numbered(event('E', end, 1 + i % 3u, nullptr), i));
      ++expected[{kNow + begin, kNow + end}];
    }
    std::shuffle(events.begin(), events.end(), random);
    SpanReader reader;
    size_t taken = 0;
    for (size_t at = 0; at < events.size();) {
      const size_t count = std::min<size_t>(1 + random() % 9, events.size() - at);
      taken += flamelet_submit(source.track, events.data() + at, count);
      at += count;
      const flamelet_stats now = stats();
      REQUIRE(2 * reader.read_spans().size() + now.submit_waiting + now.dropped_submit == at);
    }
    CHECK(taken == events.size());
    CHECK(stats().submit_waiting == 0);
    CHECK(reader.problem() == "");
    for (const SpanReader::Span& span : reader.read_spans()) --expected[{span.begin, span.end}];
    for (const auto& [times, count] : expected) CHECK(count == 0);
  }
}
