// SPDX-License-Identifier: MIT
//
// ring_stress [MILLION_EVENTS]: threads record as fast as they can while a reader checks everything that it gets:
//
//   whole        every value belongs to its thread, and its words to known types
//   contiguous   values and sequence numbers rise by one within a page and between pages without a gap
//   counted      what the threads recorded = what the recorder counted; recorded = read + lost, for every track
//   fixed        the recorder takes memory once, and gives it back once
//
// A tiny ring forces loss, a large one does not. Prints what it did; exits with 1 at the first thing that is wrong.
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "flamelet/flamelet.h"
#include "platform/process.h"
#include "record/ring_reader.h"
#include "record/session.h"

namespace {

using flamelet::PagePart;
using flamelet::WordType;

[[noreturn]] void fail(const char* what, uint64_t track, uint64_t got, uint64_t expected) {
  std::printf("FAILED: %s: track %" PRIu64 ", got %" PRIu64 ", expected %" PRIu64 "\n", what, track, got, expected);
  std::exit(1);
}

// What a thread records, again and again: a scope with a value in it. The value names the thread and counts.
constexpr uint64_t kEventsPerStep = 3;
constexpr uint64_t kThreadShift = 40;

void record(uint64_t thread, uint64_t steps) {
  for (uint64_t i = 0; i < steps; ++i) {
    FLAMELET_SCOPE("step");
    FLAMELET_COUNTER("value", thread << kThreadShift | i);
  }
}

// One track as the reader sees it.
struct Seen {
  uint64_t next_event = 0;
  uint64_t read = 0;
  uint64_t lost = 0;
  uint64_t thread = 0;      // named by the first value
  uint64_t next_value = 0;  // valid if known
  bool known = false;
  uint32_t depth = 0;
};

class Checker {
 public:
  explicit Checker(uint32_t max_track) : tracks_(max_track + 1) {}

  static void on_part(void* self, const PagePart& part) { static_cast<Checker*>(self)->check(part); }
  Seen& track(uint32_t id) { return tracks_.at(id); }
  uint64_t read() const { return read_; }
  uint64_t lost() const { return lost_; }
  void add_lost(uint64_t events) { lost_ += events; }

 private:
  void check(const PagePart& part) {
    const flamelet::PageHeader& header = *part.header;
    if (header.track == flamelet::kFrameTrack) return;
    Seen& seen = tracks_.at(header.track);
    uint32_t at = part.first;
    if (at == 0) {
      if (header.first_event < seen.next_event)
        fail("a page begins before the one before it ended", header.track, header.first_event, seen.next_event);
      if (header.first_event > seen.next_event) {
        seen.known = false;  // a gap
        seen.lost += header.first_event - seen.next_event;
        lost_ += header.first_event - seen.next_event;
        seen.next_event = header.first_event;
      } else if (header.open_count != seen.depth) {
        fail("a page does not re-open what was open", header.track, header.open_count, seen.depth);
      }
      at = 2 * header.open_count;
      seen.depth = header.open_count;
    }
    const uint64_t before = seen.next_event;
    while (at < part.count) {
      const uint64_t word = part.words[at];
      const uint32_t code = flamelet::word_code(word, flamelet::word_ticks(word, header.base_ticks));
      switch (flamelet::code_type(code)) {
        case WordType::kBegin:
          if (++seen.depth != 1) fail("a scope in a scope", header.track, seen.depth, 1);
          break;
        case WordType::kEnd:
          if (seen.depth-- != 1) fail("an end of nothing", header.track, seen.depth + 1, 1);
          break;
        case WordType::kCounter:
          check_value(&seen, header.track, part.words[at + 1]);
          break;
        default:
          fail("a word that nobody recorded", header.track, code, 0);
      }
      at += flamelet::event_words(flamelet::code_type(code), flamelet::code_id(code));
      ++seen.next_event;
    }
    if (at != part.count) fail("an event is cut in half", header.track, at, part.count);
    seen.read += seen.next_event - before;
    read_ += seen.next_event - before;
  }

  void check_value(Seen* seen, uint32_t track, uint64_t bits) {
    double number;
    static_assert(sizeof(number) == sizeof(bits));
    __builtin_memcpy(&number, &bits, sizeof(number));
    const uint64_t value = static_cast<uint64_t>(number);
    const uint64_t thread = value >> kThreadShift;
    const uint64_t step = value & ((uint64_t{1} << kThreadShift) - 1);
    if (seen->thread == 0) seen->thread = thread;
    if (thread != seen->thread) fail("another thread's value", track, thread, seen->thread);
    if (seen->known ? step != seen->next_value : step < seen->next_value)
      fail("a value out of order", track, step, seen->next_value);
    seen->known = true;
    seen->next_value = step + 1;
  }

  std::vector<Seen> tracks_;
  uint64_t read_ = 0;
  uint64_t lost_ = 0;
};

struct Memory {
  std::atomic<int> allocations{0};
  std::atomic<int> frees{0};
};
void* allocate(void* user, size_t size, size_t alignment) {
  ++static_cast<Memory*>(user)->allocations;
  return flamelet::allocate_aligned(size, alignment);
}
void release(void* user, void* memory, size_t, size_t) {
  ++static_cast<Memory*>(user)->frees;
  flamelet::free_aligned(memory);
}

void run(uint32_t thread_count, size_t extra_pages, uint64_t events) {
  Memory memory;
  flamelet_config config = flamelet_config_default();
  config.allocator = {allocate, release, &memory};
  config.max_tracks = thread_count;
  config.budget_bytes = flamelet_memory_required(&config) + extra_pages * (FLAMELET_PAGE_BYTES + 8);
  if (flamelet_init(&config) != FLAMELET_OK) fail("init", 0, 0, 0);

  const uint64_t steps = events / kEventsPerStep / thread_count;
  Checker checker(thread_count);
  auto reader = std::make_unique<flamelet::RingReader>();
  std::atomic<bool> done{false};
  std::thread reading([&] {
    while (!done.load(std::memory_order_acquire)) reader->poll(Checker::on_part, &checker);
    reader->poll(Checker::on_part, &checker);
  });
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < thread_count; ++i) threads.emplace_back(record, i + 1, steps);
  for (std::thread& thread : threads) thread.join();
  done.store(true, std::memory_order_release);
  reading.join();

  // Every thread has ended, so each track's total is final; what came after its last page that was read is lost.
  if (!flamelet::hold_session()) fail("the recorder is gone", 0, 0, 0);
  uint32_t ended = 0;
  for (uint32_t slot = 0; slot < flamelet::track_slots(); ++slot) {
    flamelet::TrackRecord record;
    if (!flamelet::get_track(slot, &record) || !record.ended) continue;
    ++ended;
    Seen& seen = checker.track(record.id);
    if (record.events != steps * kEventsPerStep)
      fail("events of a track", record.id, record.events, steps * kEventsPerStep);
    const uint64_t behind = record.events - seen.next_event;
    if (seen.read + seen.lost + behind != record.events)
      fail("read + lost", record.id, seen.read + seen.lost + behind, record.events);
    checker.add_lost(behind);
  }
  flamelet::release_session();
  if (ended != thread_count) fail("tracks", 0, ended, thread_count);

  flamelet_stats stats;
  flamelet_get_stats(&stats);
  const uint64_t calls = steps * kEventsPerStep * thread_count;
  const uint64_t dropped = stats.dropped_no_track + stats.dropped_no_page + stats.dropped_depth + stats.dropped_nested;
  const uint64_t frame_marks = 1;
  if (calls != stats.events_recorded - frame_marks + dropped) fail("calls", 0, stats.events_recorded + dropped, calls);
  if (dropped != 0 || stats.extra_ends != 0 || stats.missing_ends != 0) fail("dropped", 0, dropped, 0);
  if (checker.read() + checker.lost() != calls) fail("read + lost", 0, checker.read() + checker.lost(), calls);
  if (flamelet_shutdown() != FLAMELET_OK) fail("shutdown", 0, 0, 0);
  if (memory.allocations != 1 || memory.frees != 1)
    fail("allocations", 0, static_cast<uint64_t>(memory.allocations), 1);
  std::printf("%2u threads, %5u pages: %11" PRIu64 " events recorded = %11" PRIu64 " read + %11" PRIu64 " lost\n",
              thread_count, stats.page_count, calls, checker.read(), checker.lost());
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t events = 1'000'000 * (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20);
  run(1, 0, events / 4);
  run(2, 0, events / 4);
  run(16, 0, events / 4);
  run(4, 4096, events / 4);
}
