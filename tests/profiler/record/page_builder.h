// SPDX-License-Identifier: MIT
//
// page_builder.h: writes pages word by word as page.h describes them, without a recorder, so that tests decide what stands
// in each page, which pages a capture gets to see, and in which portions.
#pragma once

#include <doctest/doctest.h>
#include <string.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "capture/capture_data.h"
#include "record/page.h"
#include "support/read.h"

namespace flamelet {

// A page that is or was written, and how far.
struct BuiltPage {
  Page page = {};
  uint64_t ticket = 0;
  uint32_t words = 0;
  bool closed = false;
};

// The open scopes of a thread or fiber.
struct BuiltStack {
  struct Scope {
    uint64_t id;
    uint64_t begin_ticks;
    uint64_t strings;
  };
  std::vector<Scope> scopes;
};

// One track's writer. Several that make pages of one ring share the next ticket.
class PageBuilder {
 public:
  explicit PageBuilder(uint32_t track) : PageBuilder(track, &own_ticket_) {}
  PageBuilder(uint32_t track, uint64_t* next_ticket) : track_(track), next_ticket_(next_ticket) {}
  PageBuilder(const PageBuilder&) = delete;
  PageBuilder& operator=(const PageBuilder&) = delete;

  // Ends the current page and begins the next. Events written from here on have sequence numbers that go on.
  void new_page(uint64_t ticks) {
    if (!pages.empty()) close(ticks);
    pages.push_back(std::make_unique<BuiltPage>());
    BuiltPage& built = *pages.back();
    built.ticket = (*next_ticket_)++;
    PageHeader& header = built.page.header;
    header.base_ticks = ticks;
    header.first_event = events;
    header.track = track_;
    header.fiber = fiber_;
    header.open_count = static_cast<uint32_t>(stack.scopes.size());
    for (const BuiltStack::Scope& scope : stack.scopes) push_pair(scope);
  }
  void close(uint64_t ticks) {
    pages.back()->closed = true;
    pages.back()->page.header.last_ticks = ticks;
  }

  uint64_t begin(uint64_t ticks, uint32_t site, uint32_t name = 0, uint32_t object = 0) {
    const bool with = name != 0 || object != 0;
    const uint64_t id = ticks + make_code(with ? WordType::kBeginWith : WordType::kBegin, site);
    reserve(ticks, with ? 2 : 1);
    push(id);
    if (with) push(make_strings(name, object));
    ++events;
    stack.scopes.push_back({id, ticks, make_strings(name, object)});
    return id;
  }
  void end(uint64_t ticks) {
    event(ticks, WordType::kEnd, 0);
    if (!stack.scopes.empty()) stack.scopes.pop_back();
  }
  uint64_t next(uint64_t ticks, uint32_t site) {
    event(ticks, WordType::kNext, site);
    if (!stack.scopes.empty()) stack.scopes.pop_back();
    stack.scopes.push_back({ticks + make_code(WordType::kNext, site), ticks, 0});
    return stack.scopes.back().id;
  }
  void end_to(uint64_t ticks, uint32_t depth) {
    event(ticks, WordType::kEndTo, depth);
    if (depth < stack.scopes.size()) stack.scopes.resize(depth);
  }
  // Scopes in the order of time: "1000(1" begins site 1 at 1000, "1010>2" goes on with site 2, "1020)" ends, "1030^1" ends
  // all but one, "1040|" makes a page, "1050@9" switches to fiber 9, and "1060@0" to the thread itself. The scopes of a
  // fiber that several tracks run are in `fibers`.
  using Fibers = std::map<uint32_t, BuiltStack>;
  void play(const std::string& script, Fibers* fibers = nullptr) {
    std::istringstream in(script);
    uint64_t ticks;
    for (char what; in >> ticks >> what;) {
      uint32_t number = 0;
      if (what == '(' || what == '>' || what == '^' || what == '@') in >> number;
      if (what == '@') {
        (fiber_ != 0 ? (*fibers)[fiber_] : own_stack_) = stack;
        fiber(ticks, number, number != 0 ? (*fibers)[number] : own_stack_);
      }
      if (what == '(') begin(ticks, number);
      if (what == '>') next(ticks, number);
      if (what == '^') end_to(ticks, number);
      if (what == ')') end(ticks);
      if (what == '|') new_page(ticks);
    }
    REQUIRE(in.eof());
  }
  void instant(uint64_t ticks, uint32_t site, uint32_t name = 0, uint32_t object = 0) {
    event(ticks, WordType::kInstant, site, {make_strings(name, object)});
  }
  void counter(uint64_t ticks, uint32_t site, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    event(ticks, WordType::kCounter, site, {bits});
  }
  void frame(uint64_t ticks, uint64_t index, bool partial = false, uint32_t thread = 0,
             const std::vector<ThreadTime>& times = {}) {
    const uint32_t count = static_cast<uint32_t>(times.size());
    reserve(ticks, 1 + kFramePayloadWords + kThreadTimeWords * count);
    push(ticks + make_code(WordType::kFrame, count));
    push(index | (partial ? kFramePartialBit : 0));
    push(thread);
    for (const ThreadTime& time : times) {
      uint64_t words[kThreadTimeWords];
      write_thread_time(time, words);
      for (uint64_t word : words) push(word);
    }
    ++events;
  }
  // The thread runs another fiber (0 = itself) from here on; `incoming` becomes its stack.
  void fiber(uint64_t ticks, uint32_t to, const BuiltStack& incoming) {
    const uint32_t count = static_cast<uint32_t>(incoming.scopes.size());
    reserve(ticks, 2 + 2 * count);
    push(ticks + make_code(WordType::kFiber, count));
    push(fiber_ | uint64_t{to} << 32);
    for (const BuiltStack::Scope& scope : incoming.scopes) push_pair(scope);
    ++events;
    fiber_ = to;
    stack = incoming;
  }
  void fiber_end(uint64_t ticks, uint32_t fiber, uint32_t depth) {
    event(ticks, WordType::kMore, make_more_id(MoreType::kFiberEnd, 1), {fiber | uint64_t{depth} << 32});
  }
  uint64_t start(uint64_t ticks, uint32_t site) {
    event(ticks, WordType::kStart, site, {make_strings(0, 0)});
    return ticks + make_code(WordType::kStart, site);
  }
  void finish(uint64_t ticks, uint64_t id) { event(ticks, WordType::kFinish, 0, {id}); }
  void span(uint64_t ticks, uint32_t site, uint64_t begin, uint64_t end, uint64_t id = 0) {
    event(ticks, WordType::kSpan, site, {begin, end, id, 0});
  }
  void thread_switch(uint64_t ticks, uint32_t thread, uint16_t processor, uint16_t what) {
    event(ticks, WordType::kMore, make_more_id(MoreType::kSwitch, 1), {write_switch({thread, processor, what})});
  }
  void point(uint64_t ticks, uint32_t site, uint64_t time) { event(ticks, WordType::kPoint, site, {time, 0}); }

  // An event with any words.
  void event(uint64_t ticks, WordType type, uint32_t id, std::initializer_list<uint64_t> payload = {}) {
    reserve(ticks, 1 + static_cast<uint32_t>(payload.size()));
    push(ticks + make_code(type, id));
    for (uint64_t word : payload) push(word);
    ++events;
  }
  // A word, as it is.
  void push(uint64_t word) {
    BuiltPage& built = *pages.back();
    REQUIRE(built.words < kPageWords);
    built.page.words[built.words++] = word;
  }

  uint32_t track() const { return track_; }
  uint32_t fiber_now() const { return fiber_; }
  uint32_t room() const { return kPageWords - pages.back()->words; }

  std::vector<std::unique_ptr<BuiltPage>> pages;
  BuiltStack stack;
  uint64_t events = 0;

 private:
  void reserve(uint64_t ticks, uint32_t words) {
    if (pages.empty() || room() < words) new_page(ticks);
  }
  void push_pair(const BuiltStack::Scope& scope) {
    push(scope.id);
    push(make_reopen_strings(scope.strings, code_type(word_code(scope.id, scope.begin_ticks)), scope.begin_ticks));
  }

  uint32_t track_;
  uint64_t own_ticket_ = 1;
  uint64_t* next_ticket_;
  uint32_t fiber_ = 0;
  BuiltStack own_stack_;
};

// The writer of track 1.
struct FirstTrack : PageBuilder {
  FirstTrack() : PageBuilder(1) {}
};

// A capture that is fed by hand, with exactly these limits. One tick is one nanosecond unless set otherwise. Nearly all of
// its pages are packed.
class FedCapture {
 public:
  explicit FedCapture(uint32_t extra_pages = 64, double ticks_per_second = 1e9,
                      flamelet_capture_config config = small_config()) {
    REQUIRE(create_for_pages(config, extra_pages, &capture_, 3) == FLAMELET_OK);
    set_rate(ticks_per_second);
  }
  explicit FedCapture(const PageBuilder& track) : FedCapture() { feed(track); }
  ~FedCapture() { flamelet_capture_destroy(capture_); }
  FedCapture(const FedCapture&) = delete;
  FedCapture& operator=(const FedCapture&) = delete;

  static flamelet_capture_config small_config() {
    flamelet_capture_config config = flamelet_capture_config_default();
    config.max_tracks = 64;
    config.max_sites = 64;
    config.max_strings = 64;
    config.string_bytes = 4096;
    config.max_frames = 256;
    config.max_fiber_runs = 4096;
    config.max_intervals = 64;
    config.max_named_frames = 64;
    config.max_thread_times = 256;
    config.max_switches = 256;
    return config;
  }

  void set_rate(double ticks_per_second) {
    flamelet_clock clock = {};
    clock.kind = FLAMELET_CLOCK_INJECTED;
    clock.ticks_per_second = ticks_per_second;
    set_clock(capture_, clock);
  }

  // Hands out the words of a page up to `words`, as a poll would.
  void feed(const BuiltPage& built, uint32_t words, bool closed) {
    const PageInfo* info = nullptr;
    const uint32_t lane = capture_->lanes.find(built.page.header.track, false);
    if (lane != kNoLane && capture_->lanes[lane].ticket == built.ticket)
      info = &capture_->pages.info(capture_->lanes[lane].pages.newest);
    add_part(capture_, {built.ticket, &built.page.header, built.page.words, info == nullptr ? 0u : info->copied_words,
                        words, closed});
  }
  void feed(const BuiltPage& built) { feed(built, built.words, built.closed); }
  void feed(const PageBuilder& builder) {
    for (const auto& built : builder.pages) feed(*built);
  }

  flamelet_capture* get() const { return capture_; }
  flamelet_capture* operator->() const { return capture_; }

  size_t lane(uint32_t id, bool fiber = false) const {
    const uint32_t found = capture_->lanes.find(id, fiber);
    REQUIRE(found != kNoLane);
    return found;
  }
  std::vector<flamelet_span> spans(size_t lane, int64_t begin_ns = INT64_MIN, int64_t end_ns = INT64_MAX) const {
    return recorder_test::read_spans(capture_, lane, begin_ns, end_ns);
  }
  std::vector<flamelet_point> points(size_t lane, int64_t begin_ns = INT64_MIN, int64_t end_ns = INT64_MAX) const {
    return recorder_test::read_points(capture_, lane, begin_ns, end_ns);
  }
  flamelet_capture_stats stats() const { return recorder_test::stats_of(capture_); }

 private:
  flamelet_capture* capture_ = nullptr;
};

}  // namespace flamelet
