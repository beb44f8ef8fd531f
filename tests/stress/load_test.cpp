// SPDX-License-Identifier: MIT
//
// Many threads record while a reader reads. What must hold, however fast or slow the reader is:
//   every event that is read is whole, and the one that its number says; numbers rise without a gap that is not counted;
//   calls = recorded, since nothing is dropped; recorded = read + lost; nothing is allocated after init.
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "stress.h"

using namespace recorder_test;

namespace {

// Checks each event by its number.
class CheckingReader : public EventReader {
 public:
  explicit CheckingReader(const Pattern& pattern, uint32_t main_track) : pattern_(pattern), main_track_(main_track) {}

 private:
  void on_event(const TrackState& track, const RawEvent& event) override {
    if (track.id == flamelet::kFrameTrack || track.id == main_track_) return;
    if (ended_.count(track.id) != 0) fail(track, "an event after the thread's exit");
    // The exit closes what the pattern left open.
    if (event.type == flamelet::WordType::kEndTo && event.id == flamelet::kEndToMissing) {
      ended_.insert(track.id);
      return;
    }
    const char* wrong = pattern_.check(track.id, event);
    if (wrong != nullptr && problems().empty()) fail(track, wrong);
  }
  const Pattern& pattern_;
  const uint32_t main_track_;
  std::set<uint32_t> ended_;
};

enum class Reading { kAlways, kSeldom, kAtTheEnd };

struct Load {
  uint32_t threads;
  uint32_t pages;   // beyond the least
  uint64_t events;  // of all threads
  Reading reading;
};

struct Outcome {
  uint64_t read;
  uint64_t lost;
};

Outcome run(const Load& load) {
  CAPTURE(load.threads);
  CAPTURE(load.pages);
  PoisonedHeap heap;
  flamelet_config config = heap.in(small_config());
  config.max_tracks = load.threads + 1;
  keep_pages(&config, load.pages);
  Recording recording(config);
  Pattern pattern;
  const uint32_t main_track = flamelet_thread_id();
  const uint64_t main_events = 2 * Pattern::kSites;
  CheckingReader reader(pattern, main_track);

  const uint64_t each = load.events / load.threads + 1;
  std::map<uint32_t, uint64_t> recorded;
  std::mutex mutex;
  std::atomic<uint32_t> running{load.threads};
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < load.threads; ++i)
    threads.emplace_back([&, i] {
      const uint32_t track = flamelet_thread_id();
      const uint64_t count = each + i * 3;
      pattern.record(count);
      {
        std::lock_guard<std::mutex> lock(mutex);
        recorded[track] = count;
      }
      --running;
      while (running != 0) std::this_thread::yield();  // so that each track can be asked for its total
    });
  // The reader is this thread, so that writers and reader run at the same time.
  if (load.reading != Reading::kAtTheEnd) {
    while (running != 0) {
      reader.poll();
      const int pauses = load.reading == Reading::kSeldom ? 1000 : 1;
      for (int i = 0; i < pauses && running != 0; ++i) std::this_thread::yield();
    }
  }
  for (std::thread& thread : threads) thread.join();
  reader.read();

  CHECK(reader.problem() == "");
  const flamelet_stats now = stats();
  CHECK(dropped(now) == 0);
  CHECK(now.dropped_no_page == 0);
  CHECK(now.extra_ends == 0);
  uint64_t total = 1 + main_events, lost = 0;
  for (const auto& thread : recorded) {
    const TrackState& track = reader.track(thread.first);
    // The exit closes what the pattern left open, with one event more.
    const uint64_t events = find_track(thread.first).record.events;
    CHECK(events >= thread.second);
    CHECK(events <= thread.second + 1);
    CHECK(track.next_index() <= events);
    total += events;
    lost += track.lost + (events - track.next_index());
  }
  CHECK(now.events_recorded == total);
  const TrackState& own = reader.track(main_track);
  const TrackState& frames = reader.track(flamelet::kFrameTrack);
  lost += main_events - own.read + (1 - frames.read);
  CHECK(reader.total_read() + lost == total);
  CHECK(heap.allocations == 1);
  CHECK(heap.frees == 0);
  return {reader.total_read(), lost};
}

}  // namespace

TEST_CASE("load: in a tiny ring, with forced loss, every event is whole and every loss is counted") {
  uint64_t lost = 0, read = 0;
  for (uint32_t threads : {1u, 2u, 4u, 8u, 16u}) {
    const Outcome outcome = run({threads, 0, scaled(4'000'000), Reading::kAlways});
    lost += outcome.lost;
    read += outcome.read;
  }
  CHECK(read > 0);
  MESSAGE(read << " events read, " << lost << " lost");
}

TEST_CASE("load: with a reader that seldom looks, every event is whole and every loss is counted") {
  uint64_t lost = 0;
  for (uint32_t threads : {1u, 3u, 16u}) {
    for (uint32_t pages : {8u, 200u}) lost += run({threads, pages, scaled(2'000'000), Reading::kSeldom}).lost;
  }
  CHECK(lost > 0);
}

TEST_CASE("load: a ring that holds everything loses nothing") {
  for (uint32_t threads : {1u, 2u, 4u, 8u, 16u}) {
    // The pattern takes 1.5 words an event, and re-opened scopes up to half of a page.
    const uint64_t events = scaled(500'000);
    const uint32_t pages = static_cast<uint32_t>(events * 3 / flamelet::kPageWords + 2 * threads);
    const Reading reading = threads % 2 == 0 ? Reading::kAtTheEnd : Reading::kAlways;
    CHECK(run({threads, pages, events, reading}).lost == 0);
  }
}
