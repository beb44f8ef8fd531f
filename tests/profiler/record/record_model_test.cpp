// SPDX-License-Identifier: MIT
//
// Random operations on one thread and its fibers against a model that is nothing but the rules: what is read back is
// what the model says, event by event and, by an injected clock, tick by tick, and so are the counts.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "flamelet/scope.h"
#include "profiler/record/event_log.h"
#include "record/session.h"
#include "rounds.h"
#include "support/recording.h"

using namespace recorder_test;

namespace {

struct Random : std::mt19937 {
  using std::mt19937::mt19937;
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>((*this)() % bound); }
};

struct Scope {
  flamelet_id id;
  std::string name;
};

// The rules. Every event is "text@ticks".
class Model {
 public:
  std::vector<std::string> events;
  uint64_t missing_ends = 0, extra_ends = 0, dropped_depth = 0, fiber_misuse = 0;
  bool has_times = true;
  bool enabled = true;
  bool switched_on = true;  // the category "x"
  uint32_t fiber = 0;
  std::map<uint32_t, std::vector<Scope>> stacks;
  std::map<uint32_t, std::vector<std::vector<flamelet_id>>> unrecorded;  // begins by call: what was open around each

  std::vector<Scope>& open() { return stacks[fiber]; }
  std::string timed(const std::string& text, uint64_t ticks) const {
    return has_times ? text + "@" + std::to_string(ticks) : text;
  }
  void add(const std::string& text, uint64_t ticks) { events.push_back(timed(text, ticks)); }

  bool is_on(const char* category) const { return enabled && (*category == 0 || switched_on); }

  // `id` is what the recorder answered: whether it is 0 is for the model to say.
  void begin(flamelet_id id, const std::string& name, bool on, uint64_t ticks) {
    if (!on || open().size() == FLAMELET_MAX_DEPTH) {
      if (on) ++dropped_depth;
      REQUIRE(id == 0);
      return;
    }
    REQUIRE(id != 0);
    open().push_back({id, name});
    add("+" + name, ticks);
  }
  size_t level_of(flamelet_id id) {
    for (size_t level = open().size(); level > 0; --level)
      if (open()[level - 1].id == id) return level;
    return 0;
  }
  void end(flamelet_id id, uint64_t ticks) {
    if (id == 0) return;
    const size_t level = level_of(id);
    if (level == 0) {
      ++extra_ends;
      return;
    }
    const size_t closed = open().size() - level + 1;
    missing_ends += closed - 1;
    add(closed == 1 ? "-" : "-" + std::to_string(closed), ticks);
    open().resize(level - 1);
  }
  void call_begun(flamelet_id id) {
    if (id != 0) return;
    drop_ended();
    unrecorded[fiber].push_back(open_ids());
  }
  // Whether the innermost begin by call was not recorded.
  bool call_ended() {
    drop_ended();
    std::vector<std::vector<flamelet_id>>& begins = unrecorded[fiber];
    if (begins.empty() || begins.back() != open_ids()) return false;
    begins.pop_back();
    return true;
  }
  std::vector<flamelet_id> open_ids() {
    std::vector<flamelet_id> ids;
    for (const Scope& scope : open()) ids.push_back(scope.id);
    return ids;
  }
  // They end with the scopes around them.
  void drop_ended() {
    const std::vector<flamelet_id> now = open_ids();
    std::vector<std::vector<flamelet_id>>& begins = unrecorded[fiber];
    const auto is_around = [&now](const std::vector<flamelet_id>& ids) {
      return ids.size() <= now.size() && std::equal(ids.begin(), ids.end(), now.begin());
    };
    while (!begins.empty() && !is_around(begins.back())) begins.pop_back();
  }
  void end_top(uint64_t ticks) {
    if (call_ended()) return;
    if (open().empty()) {
      ++extra_ends;
      return;
    }
    add("-", ticks);
    open().pop_back();
  }
  void next(flamelet_id id, flamelet_id answer, const std::string& name, bool on, uint64_t ticks) {
    if (!on) {
      REQUIRE(answer == 0);
      return end(id, ticks);
    }
    if (id != 0 && !open().empty() && open().back().id == id) {
      REQUIRE(answer != 0);
      open().back() = {answer, name};
      return add("~" + name, ticks);
    }
    end(id, ticks);
    begin(answer, name, on, ticks);
  }
  void point(const std::string& text, bool on, uint64_t ticks) {
    if (on) add(text, ticks);
  }
  void fiber_switch(uint32_t from, uint32_t to, bool exists, uint64_t ticks) {
    if (from != fiber || to == from || !exists) {
      ++fiber_misuse;
      return;
    }
    fiber = to;
    std::string names;
    for (const Scope& scope : open()) names += (names.empty() ? "" : ",") + scope.name;
    add("@" + std::to_string(from) + ">" + std::to_string(to) + "(" + names + ")", ticks);
  }
};

// A run of random operations. Names are one letter, so that an object can stand behind: "a{x}".
class Run {
 public:
  Run(uint64_t seed, const flamelet_config& config)
      : random_(static_cast<uint32_t>(seed)), recording_(start(config, &random_, &clock_)) {
    model_.has_times = config.clock != nullptr;
    flamelet_thread_id();  // an end registers nobody, and would not be counted
    interned_ = flamelet_intern("y");
    for (int i = 0; i < 3; ++i) fibers_.push_back(flamelet_fiber_create("fiber"));
    deep_ = random_.below(4) == 0;
  }

  ~Run() {
    flamelet_category_set_enabled("x", true);  // it holds for the process
    flamelet_end_top();  // begins that this thread only counted go to the session's track, and end with it
  }

  void operate() {
    // Mostly small steps, sometimes a pause that no page survives.
    now_ = clock_.ticks += 1 + (random_.below(50) == 0 ? uint64_t{1} << random_.below(45) : random_.below(100));
    if (deep_ && random_.below(20) == 0) return switch_something();
    switch (random_.below(deep_ ? 8 : 16)) {
      case 0:
      case 1:
      case 2:
        return begin_by_call();
      case 3:
        return begin_by_macro();
      case 4:
      case 5:
        return next();
      case 6:
        if (deep_) return begin_by_call();
        return fiber_switch();
      case 7:
      case 8:
      case 9:
      case 10: {
        const flamelet_id id = some_id();
        if (random_.below(2) == 0) {
          flamelet_end(id);
          if (id == 0) model_.call_ended();
        } else {
          flamelet_scope_end_(id);  // as a macro
        }
        return model_.end(id, now_);
      }
      case 11:
        flamelet_end_top();
        return model_.end_top(now_);
      case 12: {
        const char* category = some_category();
        flamelet_instant("i", category, nullptr);
        return model_.point("!i", model_.is_on(category), now_);
      }
      case 13: {
        const char* category = some_category();
        flamelet_counter("c", category, 5);
        return model_.point("c=5", model_.is_on(category), now_);
      }
      case 14:
        return switch_something();
      default:
        log_.read();
    }
  }

  void check() {
    REQUIRE(log_.read_problem() == "");
    std::vector<std::string> read;
    for (const LoggedEvent& event : log_.events(1)) read.push_back(model_.timed(event.text, event.ticks));
    REQUIRE(read.size() == model_.events.size());
    for (size_t i = 0; i < read.size(); ++i) REQUIRE(read[i] == model_.events[i]);
    const flamelet_stats now = stats();
    CHECK(now.missing_ends == model_.missing_ends);
    CHECK(now.extra_ends == model_.extra_ends);
    CHECK(now.dropped_depth == model_.dropped_depth);
    CHECK(now.fiber_misuse == model_.fiber_misuse);
    CHECK(now.events_recorded == read.size() + 1);
    CHECK(now.dropped_no_track + now.dropped_no_page + now.dropped_nested + now.dropped_fiber == 0);
  }

 private:
  // An injected clock is replaced by one that the operations move.
  static flamelet_config start(const flamelet_config& config, Random* random, ManualClock* clock) {
    clock->step = 0;
    clock->ticks = uint64_t{random->below(1000)} << (40 + random->below(12));
    return config.clock != nullptr ? with_clock(config, clock) : config;
  }

  // The id of an open scope, mostly a near one; or of any earlier one, of whichever fiber; or none; or nonsense.
  flamelet_id some_id() {
    const std::vector<Scope>& open = model_.open();
    if (open.empty() || random_.below(4) == 0) return past_[random_.below(static_cast<uint32_t>(past_.size()))];
    const uint32_t depth = static_cast<uint32_t>(open.size());
    return open[depth - 1 - random_.below(1 + random_.below(depth))].id;
  }
  const char* some_name() {
    static const char* const kNames[] = {"a", "b", "c", "d"};
    return kNames[random_.below(4)];
  }

  flamelet_site* some_site() {
    static flamelet_site sites[] = {{0, "site", "", "", "", 1, 0}, {0, "site", "x", "", "", 1, 0}};
    return &sites[random_.below(2)];
  }
  const char* some_category() { return random_.below(2) == 0 ? "" : "x"; }

  void switch_something() {
    if (random_.below(2) == 0) {
      model_.switched_on = !model_.switched_on;
      CHECK(flamelet_category_set_enabled("x", model_.switched_on) == FLAMELET_OK);
    } else if (random_.below(2) == 0) {
      model_.enabled = !model_.enabled;
      flamelet_set_enabled(model_.enabled);
    }
  }
  void begin_by_call() {
    const char* const objects[] = {nullptr, "x", interned_};
    const char* name = some_name();
    const char* category = some_category();
    const char* object = objects[random_.below(3)];
    const flamelet_id id = flamelet_begin(name, category, object);
    const std::string text = object == nullptr ? std::string(name) : std::string(name) + "{" + object + "}";
    model_.begin(id, text, model_.is_on(category), now_);
    model_.call_begun(id);
    past_.push_back(id);
  }
  void begin_by_macro() {
    flamelet_site* site = some_site();
    const bool with = random_.below(2) == 0;
    const flamelet_id id = with ? flamelet_scope_begin_with_(site, "dynamic", "object") : flamelet_scope_begin_(site);
    model_.begin(id, with ? "dynamic{object}" : "site", model_.is_on(site->category), now_);
    past_.push_back(id);
  }
  void next() {
    const flamelet_id id = some_id();
    if (random_.below(3) == 0) {
      flamelet_site* site = some_site();
      past_.push_back(flamelet_scope_next_(id, site));
      return model_.next(id, past_.back(), "site", model_.is_on(site->category), now_);
    }
    const char* name = some_name();
    const char* category = some_category();
    const flamelet_id answer = flamelet_next(id, name, category);
    if (id == 0) model_.call_ended();
    model_.next(id, answer, name, model_.is_on(category), now_);
    model_.call_begun(answer);
    past_.push_back(answer);
  }
  void fiber_switch() {
    const uint32_t from = random_.below(8) == 0 ? fibers_[random_.below(4)] : model_.fiber;
    const uint32_t to = random_.below(8) == 0 ? 99 : fibers_[random_.below(4)];
    flamelet_fiber_switch(from, to);
    model_.fiber_switch(from, to, to != 99, now_);
  }

  Random random_;
  ManualClock clock_;
  Recording recording_;
  EventLog log_;
  Model model_;
  const char* interned_ = nullptr;
  std::vector<uint32_t> fibers_ = {0};
  std::vector<flamelet_id> past_ = {0, 1, UINT64_MAX};
  uint64_t now_ = 0;
  bool deep_ = false;
};

}  // namespace

TEST_CASE("record: random operations give what the rules say") {
  // FLAMELET_TEST_SEEDS asks for more than the usual number.
  const char* asked = std::getenv("FLAMELET_TEST_SEEDS");
  const uint64_t seeds = asked != nullptr ? std::strtoull(asked, nullptr, 10) : rounds(300);
  for_each_clock(with_fibers(3, 200), [seeds](const flamelet_config& config) {
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      CAPTURE(seed);
      Run run(seed, config);
      for (uint32_t operation = 0; operation < 1000; ++operation) run.operate();
      run.check();
    }
  });
}
