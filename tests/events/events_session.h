// SPDX-License-Identifier: MIT
//
// events_session.h: a small recorder on a clock that the test sets, and a flamelet_events that reads it.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "flamelet/events.h"
#include "flamelet/flamelet.h"
#include "support/recording.h"

namespace events_test {

using recorder_test::now_ns;

// A recorder of the smallest size with `extra_pages` more.
struct Session : recorder_test::Recording {
  explicit Session(uint32_t extra_pages) : Recording(config(extra_pages)) {}
  static flamelet_config config(uint32_t extra_pages) {
    flamelet_config config = flamelet_config_default();
    config.max_tracks = 4;
    recorder_test::keep_pages(&config, extra_pages);
    return recorder_test::with_still_clock(config, 1'000'000'000);
  }
};

template <uint32_t kExtraPages>
struct SmallSession : Session {
  SmallSession() : Session(kExtraPages) {}
};

struct Answer {
  std::vector<flamelet_event> events;
  uint64_t start = 0;
  flamelet_result result = FLAMELET_OK;

  uint64_t end() const { return start + events.size(); }
};

inline std::string types(const Answer& answer) {
  std::string text;
  for (const flamelet_event& event : answer.events) text += event.type;
  return text;
}

// A flamelet_events, and what it has been asked.
class Reader {
 public:
  explicit Reader(uint32_t max_parts = 4096) {
    flamelet_events_config config = flamelet_events_config_default();
    config.max_parts = max_parts;
    REQUIRE(flamelet_events_create(&config, &events_) == FLAMELET_OK);
  }
  ~Reader() { flamelet_events_destroy(events_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  flamelet_events* get() const { return events_; }
  Answer copy(uint64_t start, size_t count) const {
    Answer answer;
    answer.events.resize(count);
    size_t written = 0;
    answer.result = flamelet_events_copy(events_, answer.events.data(), start, count, &answer.start, &written);
    answer.events.resize(written);
    return answer;
  }
  uint64_t total() const { return copy(UINT64_MAX, 1).start; }

 private:
  flamelet_events* events_ = nullptr;
};

// A session, and who reads it from its begin.
template <uint32_t kExtraPages>
struct ReadSession : SmallSession<kExtraPages> {
  const Reader reader;
};

// Reads on from where it stopped, as a program does that ships events.
struct Poller {
  const Reader& reader;
  uint64_t next = 0;
  uint64_t read = 0;
  uint64_t lost = 0;

  // use(event, index) for each that is new.
  template <class Use>
  void poll(size_t piece, Use use) {
    for (;;) {
      const Answer answer = reader.copy(next, piece);
      REQUIRE(answer.result == FLAMELET_OK);
      REQUIRE(answer.start >= next);
      lost += answer.start - next;
      for (size_t i = 0; i < answer.events.size(); ++i) use(answer.events[i], answer.start + i);
      read += answer.events.size();
      next = answer.end();
      if (answer.events.empty()) return;
    }
  }
};

}  // namespace events_test
