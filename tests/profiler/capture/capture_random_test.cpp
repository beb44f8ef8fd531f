// SPDX-License-Identifier: MIT
//
// Random recordings against a model that is too simple to be wrong: it keeps every event that a capture can see as an
// object, replays all of them from the oldest held page on, and filters the resulting tree by brute force. The capture
// decodes words, starts in the middle, and finds ends by search; the answers must be equal, field by field.
#include <algorithm>
#include <random>

#include "profiler/capture/replay_model.h"
#include "rounds.h"

namespace flamelet {
namespace {

using namespace replay_model;

// A program that records at random.
class Program {
 public:
  Program(uint32_t seed, FedCapture* capture) : random_(seed), capture_(capture) {
    tracks_.resize(1 + pick(3));
    fiber_stacks_.resize(tracks_.size() + pick(4));  // a stack for each thread itself, then the fibers'
    running_.assign(fiber_stacks_.size(), false);
    fiber_runs_.resize(fiber_stacks_.size());
    for (size_t i = 0; i < tracks_.size(); ++i) {
      tracks_[i].builder = std::make_unique<PageBuilder>(static_cast<uint32_t>(i + 1), &next_ticket_);
      tracks_[i].stack = i;
      running_[i] = true;
    }
    max_step_ = pick(2) ? 2 : 60;
    page_events_ = 3 + pick(40);
    loss_percent_ = pick(3) ? pick(30) : 0;
  }

  void run(size_t steps) {
    for (size_t i = 0; i < steps; ++i) step();
  }

  // Feeds what is new.
  void poll() {
    std::vector<size_t> order(tracks_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    for (size_t i : order) {
      Track& track = tracks_[i];
      for (; track.fed_pages < track.pages.size(); ++track.fed_pages) {
        LoggedPage& page = track.pages[track.fed_pages];
        feed(page);
        if (page.built == track.builder->pages.back().get()) break;
      }
    }
  }

  void check() {
    for (size_t i = 0; i < tracks_.size(); ++i)
      if (capture_->get()->lanes.find(static_cast<uint32_t>(i + 1), false) != kNoLane)
        check_lane(replay_track(i), i + 1, false);
    for (size_t i = tracks_.size(); i < fiber_stacks_.size(); ++i)
      if (capture_->get()->lanes.find(static_cast<uint32_t>(i), true) != kNoLane) check_lane(replay_fiber(i), i, true);
    check_counts();
  }

 private:
  struct Track {
    std::unique_ptr<PageBuilder> builder;
    std::vector<LoggedPage> pages;
    size_t fed_pages = 0;
    size_t stack = 0;         // that runs
    uint32_t seen_fiber = 0;  // as far as a reader can know
    uint64_t run_ticks = 0;
    uint64_t now = 0;
  };

  uint32_t pick(uint32_t count) { return std::uniform_int_distribution<uint32_t>(0, count - 1)(random_); }

  bool is_fiber(size_t stack) const { return stack >= tracks_.size(); }
  uint32_t fiber_id(size_t stack) const { return is_fiber(stack) ? static_cast<uint32_t>(stack) : 0; }

  static Block block_of(const BuiltStack& stack) {
    Block block;
    for (const BuiltStack::Scope& scope : stack.scopes)
      block.push_back({scope.id, scope.begin_ticks, code_id(word_code(scope.id, scope.begin_ticks)),
                       strings_name(scope.strings), strings_object(scope.strings)});
    return block;
  }

  // What the track's newest page shows is logged when the builder has taken a new page.
  void note_new_page(size_t index, const Block& block, uint32_t fiber) {
    Track& track = tracks_[index];
    BuiltPage* built = track.builder->pages.back().get();
    if (!track.pages.empty() && track.pages.back().built == built) return;
    end_open_run(index, SIZE_MAX);
    if (!track.pages.empty()) {
      LoggedPage& last = track.pages.back();
      if (last.cut == UINT32_MAX) {
        last.end_ticks = std::max(last.end_ticks, last.built->page.header.last_ticks);
        track.now = std::max(track.now, last.end_ticks);
      }
    }
    LoggedPage page = {};
    page.built = built;
    page.ticket = built->ticket;
    page.cut = UINT32_MAX;
    if (pick(100) < loss_percent_) {
      page.cut = pick(2) ? 0 : 2 * built->page.header.open_count + pick(20);
      if (page.cut <= 2 * built->page.header.open_count) page.cut = 0;
    }
    page.block = block;
    page.fiber = fiber;
    if (page.cut != 0) {
      track.now = std::max(track.now, built->page.header.base_ticks);
      if (track.seen_fiber != fiber) {
        track.seen_fiber = fiber;
        track.run_ticks = track.now;
      }
    }
    page.begin_ticks = page.end_ticks = track.now;
    page.run_ticks = track.run_ticks;
    track.pages.push_back(page);
    if (page.cut != 0 && fiber != 0) begin_run(index, 0, page.begin_ticks, block);
  }

  void begin_run(size_t index, size_t first_event, uint64_t ticks, const Block& block) {
    fiber_runs_[tracks_[index].stack].push_back(
        {static_cast<uint32_t>(index), tracks_[index].pages.size() - 1, first_event, SIZE_MAX, ticks, block});
    open_run_[index] = true;
  }
  void end_open_run(size_t index, size_t last_event) {
    if (!open_run_[index]) return;
    Run& run = fiber_runs_[tracks_[index].stack].back();
    run.last_event = last_event;
    open_run_[index] = false;
  }

  // The event was written: a reader sees it if it stands before the cut.
  bool seen(size_t index) {
    const LoggedPage& page = tracks_[index].pages.back();
    return page.built->words <= page.cut;
  }
  void log(size_t index, const Event& event) {
    Track& track = tracks_[index];
    track.now = std::max(track.now, event.ticks);
    track.pages.back().end_ticks = track.now;
    track.pages.back().events.push_back(event);
  }

  void step() {
    const size_t index = pick(static_cast<uint32_t>(tracks_.size()));
    Track& track = tracks_[index];
    PageBuilder& builder = *track.builder;
    ticks_ += pick(max_step_ + 1);
    // The block and fiber that a page shows which the builder takes before it writes the event.
    const Block block = block_of(builder.stack);
    const uint32_t fiber = builder.fiber_now();
    if (builder.pages.empty() || pick(page_events_) == 0) builder.new_page(ticks_);
    note_new_page(index, block, fiber);
    const size_t depth = builder.stack.scopes.size();
    Event event = {};
    event.ticks = ticks_;
    const uint32_t site = pick(8);
    switch (pick(depth > 12 ? 4 : 12)) {
      case 0:
      case 1:
      case 2:
        builder.end(ticks_);
        event.type = Event::kEnd;
        break;
      case 3:
        event.type = Event::kEndTo;
        event.depth = pick(static_cast<uint32_t>(depth) + 2);
        builder.end_to(ticks_, static_cast<uint32_t>(event.depth));
        break;
      case 4:
      case 5:
      case 6:
      case 7: {
        event.type = Event::kBegin;
        const uint32_t name = pick(4) ? 0 : pick(5), object = pick(4) ? 0 : pick(5);
        const uint64_t id = builder.begin(ticks_, site, name, object);
        event.scope = {id, ticks_, site, name, object};
        break;
      }
      case 8: {
        event.type = Event::kEnd;
        const uint64_t id = builder.next(ticks_, site);
        note_new_page(index, block, fiber);
        if (!seen(index)) return;
        log(index, event);
        event.type = Event::kBegin;
        event.scope = {id, ticks_, site, 0, 0};
        break;
      }
      case 9:
        event.type = Event::kPoint;
        event.site = site;
        event.value = pick(100);
        builder.counter(ticks_, site, event.value);
        break;
      case 10:
        event.type = Event::kPoint;
        event.site = site;
        event.value = -1;
        builder.instant(ticks_, site);
        break;
      default:
        switch_fiber(index);
        return;
    }
    note_new_page(index, block, fiber);
    if (seen(index)) log(index, event);
  }

  void switch_fiber(size_t index) {
    Track& track = tracks_[index];
    PageBuilder& builder = *track.builder;
    const size_t to = is_fiber(track.stack) && pick(2)
                          ? index
                          : tracks_.size() + pick(static_cast<uint32_t>(fiber_stacks_.size() - tracks_.size()) + 1);
    if (to >= fiber_stacks_.size() || to == track.stack || (is_fiber(to) && running_[to])) return;
    ticks_ += 2;  // switches to and from a fiber have times of their own, as they have in life
    const Block block = block_of(builder.stack);
    const uint32_t fiber = builder.fiber_now();
    const size_t from = track.stack;
    fiber_stacks_[from] = builder.stack;
    builder.fiber(ticks_, fiber_id(to), fiber_stacks_[to]);
    ticks_ += 2;
    note_new_page(index, block, fiber);
    const uint64_t ticks = ticks_ - 2;
    if (seen(index)) {
      Event event = {};
      event.type = Event::kFiber;
      event.ticks = ticks;
      event.block = block_of(fiber_stacks_[to]);
      event.fiber = fiber_id(to);
      end_open_run(index, track.pages.back().events.size());
      log(index, event);
      track.seen_fiber = event.fiber;
      track.run_ticks = ticks;
    } else {
      end_open_run(index, SIZE_MAX);
    }
    running_[from] = false;
    running_[to] = true;
    track.stack = to;
    if (is_fiber(to) && seen(index))
      begin_run(index, track.pages.back().events.size(), ticks, block_of(fiber_stacks_[to]));
  }

  void feed(const LoggedPage& page) {
    if (page.cut == 0) return;
    if (page.cut == UINT32_MAX) {
      capture_->feed(*page.built);
      return;
    }
    // Up to the last whole event before the cut.
    const uint32_t cut = std::min(page.cut, page.built->words);
    ReplayCursor cursor = page_start(page.built->page.header);
    IgnoreEvents visitor;
    RepairCounts counts = {};
    flamelet::check({page.built->page.words, cut, page.built->page.header.base_ticks}, &cursor, visitor, &counts);
    capture_->feed(*page.built, cursor.at, false);
  }

  bool held(const LoggedPage& page) const {
    if (page.cut == 0) return false;
    // Only places in use: any other holds what was in the memory before.
    const PageStore& pages = capture_->get()->pages;
    for (uint32_t i = 0; i < pages.held(); ++i)
      if (pages.info_at(pages.place(pages.oldest() + i)).ticket == page.ticket) return true;
    return false;
  }

  // The newest time that any page has told.
  uint64_t newest() const {
    uint64_t newest = 0;
    for (const Track& track : tracks_) {
      for (const LoggedPage& page : track.pages)
        if (page.cut != 0) newest = std::max(newest, page.end_ticks);
    }
    return newest;
  }

  Replay replay_track(size_t index) {
    Replay replay;
    for (const LoggedPage& page : tracks_[index].pages) {
      if (!held(page)) continue;
      replay.show(page.block, page.begin_ticks, page.run_ticks);
      for (const Event& event : page.events) replay.apply(event);
    }
    replay.finish(newest());
    return replay;
  }

  Replay replay_fiber(size_t stack) {
    Replay replay;
    const Run* last = nullptr;
    for (const Run& run : fiber_runs_[stack]) {
      const LoggedPage& page = tracks_[run.track].pages[run.page];
      if (!held(page)) continue;
      last = &run;
      replay.show(run.block, run.begin_ticks, 0);
      for (size_t i = run.first_event; i < std::min(run.last_event, page.events.size()); ++i)
        replay.apply(page.events[i]);
    }
    if (last != nullptr && last->last_event == SIZE_MAX) {
      const std::vector<LoggedPage>& pages = tracks_[last->track].pages;
      size_t next = last->page + 1;
      while (next < pages.size() && pages[next].cut == 0) ++next;
      if (next < pages.size() && pages[next].fiber != fiber_id(stack)) replay.leave_in_gap(pages[last->page].end_ticks);
    }
    replay.finish(newest());
    return replay;
  }

  void check_lane(const Replay& replay, size_t id, bool fiber) {
    const size_t lane = capture_->lane(static_cast<uint32_t>(id), fiber);
    const int64_t last = capture_->get()->converter.to_ns(ticks_);
    check_window(replay, lane, INT64_MIN, INT64_MAX);
    for (int i = 0; i < 12; ++i) {
      const int64_t begin = std::uniform_int_distribution<int64_t>(-2, last + 2)(random_);
      const int64_t size = pick(3) ? pick(20) : std::uniform_int_distribution<int64_t>(0, last + 2)(random_);
      check_window(replay, lane, begin, begin + size);
    }
  }

  void check_window(const Replay& replay, size_t lane, int64_t begin, int64_t end) {
    CAPTURE(lane);
    CAPTURE(begin);
    CAPTURE(end);
    const TickConverter& converter = capture_->get()->converter;
    const std::vector<flamelet_span> expected = expected_spans(replay, converter, begin, end);
    const std::vector<flamelet_span> spans = capture_->spans(lane, begin, end);
    REQUIRE(spans.size() == expected.size());
    for (size_t i = 0; i < spans.size(); ++i) check_span(spans[i], expected[i], i);

    // With too little room, the same spans, as many as fit.
    const size_t capacity = pick(static_cast<uint32_t>(expected.size()) + 1);
    std::vector<flamelet_span> some(capacity);
    flamelet_capture_read_spans(capture_->get(), lane, begin, end, some.data(), capacity, nullptr);
    REQUIRE(flamelet_capture_count_spans(capture_->get(), lane, begin, end) == expected.size());
    for (size_t i = 0; i < capacity; ++i) {
      flamelet_span cut = expected[i];
      cut.subtree_end = std::min(cut.subtree_end, static_cast<uint32_t>(capacity));
      cut.self_ns = cut.end_ns - cut.begin_ns;
      for (size_t child = i + 1; child < cut.subtree_end; ++child)
        if (expected[child].parent == i) cut.self_ns -= expected[child].end_ns - expected[child].begin_ns;
      check_span(some[i], cut, i);
    }

    const std::vector<flamelet_point> points = capture_->points(lane, begin, end);
    size_t count = 0;
    for (const Event& event : replay.points) {
      const int64_t time = converter.to_ns(event.ticks);
      if (time < begin || time >= end) continue;
      REQUIRE(count < points.size());
      REQUIRE(points[count].time_ns == time);
      REQUIRE(points[count].site == event.site);
      REQUIRE(points[count].value == (event.value < 0 ? 0 : event.value));
      REQUIRE(points[count].kind == (event.value < 0 ? FLAMELET_POINT_INSTANT : FLAMELET_POINT_COUNTER));
      ++count;
    }
    REQUIRE(points.size() == count);
  }

  // What was seen and what was lost in front of it, track by track.
  void check_counts() {
    for (size_t i = 0; i < tracks_.size(); ++i) {
      if (capture_->get()->lanes.find(static_cast<uint32_t>(i + 1), false) == kNoLane) continue;
      uint64_t read = 0, upto = 0;
      for (const LoggedPage& page : tracks_[i].pages) {
        if (page.cut == 0) continue;
        const uint64_t before = page.built->page.header.first_event;
        uint64_t events = 0;
        for (const Event& event : page.events)
          if (event.type != Event::kBegin || !is_next(event)) ++events;
        read += events;
        upto = before + events;
      }
      const flamelet_lane_info info =
          recorder_test::lane_of(capture_->get(), capture_->lane(static_cast<uint32_t>(i + 1)));
      REQUIRE(info.events_read == read);
      REQUIRE(info.events_read + info.events_lost == upto);
    }
  }
  // The begin of a kNext, which is logged as an end and a begin.
  static bool is_next(const Event& event) {
    return code_type(word_code(event.scope.id, event.scope.begin_ticks)) == WordType::kNext;
  }

  std::mt19937 random_;
  FedCapture* capture_;
  std::vector<Track> tracks_;
  std::vector<BuiltStack> fiber_stacks_;
  std::vector<bool> running_;
  std::vector<std::vector<Run>> fiber_runs_;
  bool open_run_[4] = {};
  uint64_t next_ticket_ = 1;
  uint64_t ticks_ = 1000;
  uint32_t max_step_;
  uint32_t page_events_;
  uint32_t loss_percent_;
};

void run_seed(uint32_t seed, size_t rounds, size_t steps) {
  CAPTURE(seed);
  const double rates[] = {1e9, 3e9, 1e8, 123456789.0};
  FedCapture capture(0, rates[seed % 4]);
  Program program(seed, &capture);
  for (size_t round = 0; round < rounds; ++round) {
    program.run(steps);
    program.poll();
    program.check();
  }
}

}  // namespace

TEST_CASE("a capture answers as a replay of everything it holds does" * doctest::test_suite("gate")) {
  for (uint32_t seed = 1; seed <= rounds(150); ++seed) run_seed(seed, 4, 120);
}

TEST_CASE("a capture that has evicted pages answers as a replay of those that are left does") {
  for (uint32_t seed = 1000; seed < 1000 + rounds(6); ++seed) run_seed(seed, 6, 3000);
}

}  // namespace flamelet
