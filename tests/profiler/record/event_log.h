// SPDX-License-Identifier: MIT
//
// A second decoder of ring pages, written from the description in page.h without its functions: slow, plain, and strict.
// Whatever does not agree with the format or with what came before is listed in problems().
//
// EventReader hands out events as they are; EventLog keeps them as text:
//   +name  +name{object}   begin               ~name         next: an end and a begin with one time
//   -                      end                 -2            end of the scope outside the innermost, which had none
//   !name  !name{object}   instant             name=1.5      counter
//   >name  >name{object}   start               <name         finish; <? if its start was not read
//   #3  #3*                frame 3 begins; * if frame 2 was partial
//   @1>2(a,b)              switch from fiber 1 to fiber 2, in which a and b are open
//   x1(2)                  fiber 1 is destroyed, in which 2 scopes are open
//   name[10..20]           submitted span      name[10]      submitted instant
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "profiler/record/categories_guard.h"
#include "record/ring_reader.h"
#include "support/recording.h"

namespace recorder_test {

struct OpenScope {
  uint64_t id;     // the word that began it
  uint64_t ticks;  // when
  uint32_t site;
  uint32_t name, object;  // strings; 0 = none
};

struct RawEvent {
  flamelet::WordType type;
  uint64_t index;  // on its track, from 0
  uint64_t ticks;
  uint64_t word;
  uint32_t id;  // site, or what page.h says for the type
  const uint64_t* payload;
};

// What was read of one track.
struct TrackState {
  uint32_t id = 0;
  uint64_t ticket = 0;  // of the newest page
  uint32_t words = 0;   // of it, read
  bool closed = true;   // it is
  uint32_t slot = 0;
  uint64_t read = 0;
  uint64_t lost = 0;       // in gaps between pages
  uint64_t backwards = 0;  // events stamped before the one before them
  uint64_t ticks = 0;      // of the newest event
  uint32_t fiber = 0;
  std::vector<OpenScope> open;

  uint64_t next_index() const { return read + lost; }
};

class EventReader {
 public:
  EventReader();
  virtual ~EventReader() = default;

  // Reads all there is; with threads that record faster than this reads, until they stop. False if no recorder runs.
  // What was read of an earlier session is forgotten at the first page of the next one, except its problems.
  bool read();
  // Reads what there is when it begins.
  bool poll();

  const std::map<uint32_t, TrackState>& tracks() const { return tracks_; }
  const TrackState& track(uint32_t id) const;  // an empty one if nothing of it was read
  const std::vector<std::string>& problems() const { return problems_; }
  std::string problem() const { return problems_.empty() ? "" : problems_.front(); }
  std::string read_problem() {
    read();
    return problem();
  }
  uint64_t total_read() const;
  uint64_t total_lost() const;  // in gaps; what is missing at the end of a track is not known here

 protected:
  virtual void on_event(const TrackState&, const RawEvent&) {}
  virtual void on_gap(const TrackState&, uint64_t /*lost*/) {}
  virtual void on_session() {}
  void fail(const TrackState& track, const std::string& what);

 private:
  static void on_part(void* self, const flamelet::PagePart& part);
  void take(const flamelet::PagePart& part);
  void begin_page(TrackState* track, const flamelet::PagePart& part);
  uint32_t take_event(TrackState* track, const flamelet::PagePart& part, uint32_t at);
  std::vector<OpenScope> open_block(const TrackState& track, const flamelet::PagePart& part, uint32_t at,
                                    uint32_t count);

  std::unique_ptr<flamelet::RingReader> reader_;
  bool any_ = false;
  uint32_t session_ = 0;
  std::map<uint32_t, TrackState> tracks_;
  std::vector<std::string> problems_;
};

struct LoggedEvent {
  uint64_t index;
  uint64_t ticks;
  std::string text;
};

class EventLog : public EventReader {
 public:
  // All events of a track, with a space between; "..." for each gap.
  std::string text(uint32_t track) const;
  const std::vector<LoggedEvent>& events(uint32_t track) const;

 private:
  void on_event(const TrackState& track, const RawEvent& event) override;
  void on_gap(const TrackState& track, uint64_t lost) override;
  void on_session() override;

  std::map<uint32_t, std::vector<LoggedEvent>> events_;
  std::map<uint64_t, std::string> started_;
};

struct LoggedRecording : Recording {
  EventLog log;
};

// Text of a string id; "?" if it is not in the table (yet). Under a SessionGuard.
std::string string_text(uint32_t id);
std::string site_name(uint32_t site);

// The track of this id in the static table.
struct FoundTrack {
  bool found = false;
  flamelet::TrackRecord record = {};
  std::string name;
};
FoundTrack find_track(uint32_t id, bool fiber = false);

// What the recorder has recorded and this log has read of the calling thread, as text.
std::string own_events(EventLog* log);

// The same test on each clock, with a recorder that runs and an empty log. Whatever categories it switches off, all are on
// afterwards.
template <class Test>
void on_each_clock(const flamelet_config& config, Test test) {
  for_each_clock(config, [&test](const flamelet_config& clocked) {
    const CategoriesGuard guard;
    const Recording recording(clocked);
    EventLog log;
    test(log);
  });
}
template <class Test>
void on_each_clock(Test test) {
  on_each_clock(small_config(), test);
}

}  // namespace recorder_test

// A test case that runs on each clock, with a recorder of this config that runs and an empty log, `log`.
#define TEST_CASE_ON_EACH_CLOCK_OF(config, name) \
  FLAMELET_TESTS_ON_EACH_CLOCK_(DOCTEST_ANONYMOUS(on_each_clock_), config, name)
#define TEST_CASE_ON_EACH_CLOCK(name) TEST_CASE_ON_EACH_CLOCK_OF(recorder_test::small_config(), name)
#define FLAMELET_TESTS_ON_EACH_CLOCK_(function, config, name) \
  static void function(recorder_test::EventLog& log);         \
  TEST_CASE(name) {                                           \
    recorder_test::on_each_clock(config, function);           \
  }                                                           \
  static void function([[maybe_unused]] recorder_test::EventLog& log)
