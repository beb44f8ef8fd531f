// SPDX-License-Identifier: MIT
//
// Captures saved and loaded: the same answers to every question, the same bytes again, and every damage contained.
#include "flamelet/capture_file.h"

#include <algorithm>
#include <random>
#include <string>

#include "capture_format.h"
#include "crc32c.h"
#include "page_builder.h"
#include "rounds.h"

namespace flamelet {
namespace {

std::string save(const flamelet_capture* capture, int64_t begin_ns = INT64_MIN, int64_t end_ns = INT64_MAX) {
  std::string bytes;
  REQUIRE(flamelet_capture_write(
              capture, begin_ns, end_ns,
              [](void* user, const void* more, size_t count) {
                static_cast<std::string*>(user)->append(static_cast<const char*>(more), count);
                return true;
              },
              &bytes) == FLAMELET_OK);
  return bytes;
}

struct Loaded {
  flamelet_capture* capture = nullptr;
  flamelet_load_report report = {};
  flamelet_result result;

  explicit Loaded(const std::string& bytes) {
    result = flamelet_capture_load_bytes(nullptr, bytes.data(), bytes.size(), &capture, &report);
  }
  ~Loaded() { flamelet_capture_destroy(capture); }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
};

std::string text_of(flamelet_string text) {
  return std::string(text.text, text.size) + '\0';
}

template <class Number>
void put(std::string* to, Number value) {
  *to += std::to_string(value) + ' ';
}

// The answers to every question about a window, as text.
std::string answers(const flamelet_capture* capture, int64_t begin_ns, int64_t end_ns) {
  std::string all;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    std::vector<flamelet_span> spans(flamelet_capture_read_spans(capture, lane, begin_ns, end_ns, nullptr, 0));
    flamelet_capture_read_spans(capture, lane, begin_ns, end_ns, spans.data(), spans.size());
    for (const flamelet_span& s : spans) {
      put(&all, s.begin_ns), put(&all, s.end_ns), put(&all, s.self_ns), put(&all, s.id), put(&all, s.site);
      put(&all, s.name), put(&all, s.object), put(&all, s.parent), put(&all, s.subtree_end), put(&all, s.depth);
      put(&all, s.flags);
    }
    std::vector<flamelet_point> points(flamelet_capture_read_points(capture, lane, begin_ns, end_ns, nullptr, 0));
    flamelet_capture_read_points(capture, lane, begin_ns, end_ns, points.data(), points.size());
    for (const flamelet_point& p : points) {
      put(&all, p.time_ns), put(&all, p.value), put(&all, p.site), put(&all, p.name), put(&all, p.object);
      put(&all, p.kind);
    }
    all += '\n';
  }
  std::vector<flamelet_interval> intervals(flamelet_capture_read_intervals(capture, begin_ns, end_ns, nullptr, 0));
  flamelet_capture_read_intervals(capture, begin_ns, end_ns, intervals.data(), intervals.size());
  for (const flamelet_interval& i : intervals) {
    put(&all, i.begin_ns), put(&all, i.end_ns), put(&all, i.id), put(&all, i.site), put(&all, i.name);
    put(&all, i.object), put(&all, i.begin_track), put(&all, i.end_track), put(&all, i.flags);
  }
  return all;
}

// ... and about everything else.
std::string answers(const flamelet_capture* capture) {
  std::string all;
  for (size_t i = 0; i < flamelet_capture_lane_count(capture); ++i) {
    flamelet_lane_info info;
    REQUIRE(flamelet_capture_lane(capture, i, &info));
    put(&all, info.id), put(&all, int{info.kind}), put(&all, info.events_read), put(&all, info.events_lost);
    all += text_of(info.name);
  }
  for (size_t i = 0; i < flamelet_capture_frame_count(capture); ++i) {
    flamelet_frame_info info;
    REQUIRE(flamelet_capture_frame(capture, i, &info));
    put(&all, info.index), put(&all, info.begin_ns), put(&all, info.end_ns), put(&all, info.flags);
    put(&all, flamelet_capture_find_frame(capture, info.index));
    put(&all, flamelet_capture_frame_at(capture, info.begin_ns));
  }
  int64_t begin_ns = 0, end_ns = 0;
  put(&all, flamelet_capture_extent(capture, &begin_ns, &end_ns) ? 1 : 0);
  put(&all, begin_ns), put(&all, end_ns);
  for (uint32_t id = 0; id < 70; ++id) {
    flamelet_site_info info;
    put(&all, flamelet_capture_site(capture, id, &info) ? 1 : 0);
    all += text_of(info.name) + text_of(info.category) + text_of(info.file) + text_of(info.function);
    put(&all, info.line), put(&all, info.color);
    all += text_of(flamelet_capture_string(capture, id));
  }
  put(&all, flamelet_capture_site_count(capture));
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  put(&all, stats.pages_held), put(&all, stats.events_read), put(&all, stats.events_lost);
  put(&all, stats.events_evicted), put(&all, stats.missing_ends), put(&all, stats.extra_ends);
  put(&all, stats.bad_words), put(&all, stats.names_missing);
  const flamelet_clock clock = flamelet_capture_clock(capture);
  put(&all, int{clock.kind}), put(&all, clock.origin_ticks), put(&all, clock.ticks_per_second);
  return all;
}

// A recording of three threads, one of which runs fibers, a queue and frame marks, with losses. Deterministic.
void record_random(FedCapture* capture, uint32_t seed, int steps) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random()) % n; };
  StringCopies& strings = (*capture)->strings;
  for (uint32_t id = 0; id < 40; ++id) {
    const std::string text = "string " + std::to_string(id) + std::string(id, '\0');
    if (id % 7 != 3) strings.put(id, {text.data(), text.size()});
  }
  for (uint32_t id = 0; id < 30; ++id) {
    if (id % 11 != 5) (*capture)->sites.put(id, {id + 1, id % 3, 2, 3, id * 10, id});
  }
  uint64_t ticket = 1, now = 1000, frame = 7, interval = 0;
  std::vector<std::unique_ptr<PageBuilder>> tracks;
  for (uint32_t track = 1; track <= 4; ++track) tracks.push_back(std::make_unique<PageBuilder>(track, &ticket));
  PageBuilder marks(kFrameTrack, &ticket);
  std::vector<BuiltStack> parked(3);
  std::vector<size_t> fed(tracks.size() + 1);
  for (int step = 0; step < steps; ++step) {
    now += below(50);
    const size_t index = below(4);
    PageBuilder& track = *tracks[index];
    const uint32_t site = below(32);
    if (below(40) == 0) marks.frame(now, frame++, below(9) == 0);
    if (index == 3) {
      const uint64_t begin = now - below(400);
      if (below(3) != 0) {
        track.span(now, site, begin, begin + below(300), ticket);
      } else {
        track.point(now, site, begin);
      }
      continue;
    }
    const size_t depth = track.stack.scopes.size();
    switch (below(index == 2 ? 12 : 11)) {
      case 0:
      case 1:
      case 2:
        if (depth < 100) track.begin(now, site, below(4) == 0 ? below(40) : 0, below(4) == 0 ? below(40) : 0);
        break;
      case 3:
      case 4:
        track.end(now);
        break;
      case 5:
        track.next(now, site);
        break;
      case 6:
        track.end_to(now, depth == 0 ? 0 : below(static_cast<uint32_t>(depth)));
        break;
      case 7:
        track.instant(now, site, below(40), below(40));
        break;
      case 8:
        track.counter(now, site, below(1000) / 8.0);
        break;
      case 9:
        interval = track.start(now, site);
        break;
      case 10:
        if (interval != 0) track.finish(now, interval);
        interval = 0;
        break;
      default: {
        const uint32_t to = (track.fiber_now() + 1) % 3;
        const BuiltStack incoming = parked[to];
        parked[track.fiber_now()] = track.stack;
        track.fiber(now, to, incoming);
      }
    }
    if (track.pages.size() > 1 && below(500) == 0) track.new_page(now);
  }
  marks.frame(now, frame);
  capture->feed(marks);
  // In the order of the tickets, some of them lost, the last ones open and one in the middle of an event.
  std::vector<const BuiltPage*> pages;
  for (const auto& track : tracks) {
    for (const auto& page : track->pages) pages.push_back(page.get());
  }
  std::sort(pages.begin(), pages.end(), [](const BuiltPage* a, const BuiltPage* b) { return a->ticket < b->ticket; });
  for (const BuiltPage* page : pages) {
    if (below(12) == 0) continue;
    const uint32_t least = 2 * page->page.header.open_count;
    capture->feed(*page, page->closed ? page->words : least + below(page->words - least + 1), page->closed);
  }
}

void check_same(const flamelet_capture* a, const flamelet_capture* b, uint32_t seed) {
  CHECK(answers(a) == answers(b));
  CHECK(answers(a, INT64_MIN, INT64_MAX) == answers(b, INT64_MIN, INT64_MAX));
  int64_t begin_ns = 0, end_ns = 0;
  if (!flamelet_capture_extent(a, &begin_ns, &end_ns)) return;
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20; ++i) {
    const int64_t from = begin_ns + static_cast<int64_t>(random() % static_cast<uint64_t>(end_ns - begin_ns + 1));
    const int64_t to = from + 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(end_ns - from + 1));
    CHECK(answers(a, from, to) == answers(b, from, to));
  }
}

}  // namespace

TEST_CASE("capture file: a loaded capture answers every question as the saved one did") {
  for (uint32_t seed = 1; seed <= rounds(40); ++seed) {
    CAPTURE(seed);
    // A small budget for some of them, so that pages are evicted.
    FedCapture capture(seed % 3 == 0 ? 0 : 64, seed % 2 == 0 ? 1e9 : 2.5e9);
    record_random(&capture, seed, 12000);
    const std::string bytes = save(capture.get());
    Loaded loaded(bytes);
    REQUIRE(loaded.result == FLAMELET_OK);
    CHECK(!loaded.report.truncated);
    CHECK(loaded.report.chunks_damaged + loaded.report.chunks_unknown + loaded.report.pages_refused +
              loaded.report.entries_refused + loaded.report.duplicates ==
          0);
    CHECK(loaded.report.pages_read == capture.stats().pages_held);
    check_same(capture.get(), loaded.capture, seed);
    CHECK(save(loaded.capture) == bytes);
    CHECK(flamelet_capture_update(loaded.capture) == FLAMELET_OK);
    CHECK(save(loaded.capture) == bytes);
  }
}

TEST_CASE("capture file: an empty capture is saved and loaded") {
  FedCapture capture;
  Loaded loaded(save(capture.get()));
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(!loaded.report.truncated);
  CHECK(answers(capture.get()) == answers(loaded.capture));
}

TEST_CASE("capture file: every truncation loads exactly its intact chunks") {
  FedCapture capture;
  record_random(&capture, 5, 9000);
  const std::string whole = save(capture.get());
  REQUIRE(whole.size() > 60000);
  std::vector<size_t> ends;  // of the chunks
  for (size_t at = sizeof(FileHeader); at < whole.size();) {
    ChunkHeader header;
    memcpy(&header, &whole[at], sizeof header);
    at += sizeof header + header.payload_bytes;
    ends.push_back(at);
  }
  const size_t stride = 100 / rounds(100);
  for (size_t size = 0; size < whole.size(); size += stride * (size < 4000 ? 1 : 41)) {
    CAPTURE(size);
    Loaded loaded(whole.substr(0, size));
    if (size < sizeof(FileHeader)) {
      CHECK(loaded.result == FLAMELET_ERROR_FILE_FORMAT);
      continue;
    }
    REQUIRE(loaded.result == FLAMELET_OK);
    CHECK(loaded.report.truncated);
    CHECK(loaded.report.chunks_damaged == 0);
    const auto intact = std::upper_bound(ends.begin(), ends.end(), size) - ends.begin();
    CHECK(loaded.report.chunks_read == static_cast<uint64_t>(intact));
  }
}

TEST_CASE("capture file: a flipped bit costs at most its chunk") {
  FedCapture capture;
  record_random(&capture, 6, 3000);
  const std::string whole = save(capture.get());
  const uint64_t chunks = Loaded(whole).report.chunks_read;
  std::mt19937 random(1);
  for (uint32_t i = 0; i < rounds(2000); ++i) {
    std::string damaged = whole;
    const size_t bit = sizeof(FileHeader) * 8 + random() % ((whole.size() - sizeof(FileHeader)) * 8);
    CAPTURE(bit);
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    Loaded loaded(damaged);
    REQUIRE(loaded.result == FLAMELET_OK);
    CHECK(loaded.report.chunks_read == chunks - 1);
    CHECK(loaded.report.chunks_damaged == 1);
  }
}

// The reader went through that many entries of nothing.
TEST_CASE("capture file: a last chunk that says it has entries is damaged") {
  FedCapture capture;
  std::string bytes = save(capture.get());
  ChunkHeader header;
  char* last = &bytes[bytes.size() - sizeof header];
  memcpy(&header, last, sizeof header);
  REQUIRE(header.type == kEndChunk);
  header.count = UINT32_MAX;
  header.header_crc = crc32c(&header, offsetof(ChunkHeader, header_crc));
  memcpy(last, &header, sizeof header);
  Loaded loaded(bytes);
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(loaded.report.truncated);
  CHECK(loaded.report.chunks_damaged == 1);
}

}  // namespace flamelet
