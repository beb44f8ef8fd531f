// SPDX-License-Identifier: MIT
//
// A file that lacks pages in its middle or at its end: calls end at the last known event, and the frames that miss something
// are lossy, and no others.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "capture/capture_format.h"
#include "capture/file_chunks.h"
#include "profiler/capture/saved_capture.h"

using namespace flamelet;

namespace {

constexpr uint32_t kFrames = 80;
constexpr uint64_t kFrameTicks = 10000;

// A frame and a page each 10,000 ticks. A call begins on each page and ends on the next one.
void record_frames(FedCapture* capture) {
  uint64_t ticket = 1;
  PageBuilder marks(kFrameTrack, &ticket), track(1, &ticket), small(2, &ticket);
  small.play("100|110(1 120)");
  for (uint32_t frame = 1; frame <= kFrames; ++frame) {
    const uint64_t ticks = frame * kFrameTicks;
    marks.frame(ticks, frame);
    track.new_page(ticks);
    if (frame != 1) track.end(ticks + 10);
    for (uint32_t i = 0; i < 200; ++i) track.instant(ticks + 20 + i, 3);
    track.begin(ticks + 5000, 2);
  }
  capture->feed(marks);
  capture->feed(track);
  capture->feed(small);  // its page is the last one of the file
}

std::vector<size_t> page_chunks(const std::string& bytes) {
  std::vector<size_t> places;
  ChunkHeader chunk;
  for (size_t at = sizeof(FileHeader); at < bytes.size(); at += sizeof chunk + chunk.payload_bytes) {
    memcpy(&chunk, &bytes[at], sizeof chunk);
    if (chunk.type == kPagesChunk) places.push_back(at);
  }
  return places;
}

struct Pages {
  FedCapture capture;
  std::string whole;
  std::vector<size_t> chunks;
  Pages() {
    record_frames(&capture);
    whole = save(capture.get());
    chunks = page_chunks(whole);
    REQUIRE(chunks.size() >= 4);
  }
};

int64_t longest_ns(const flamelet_capture* capture) {
  int64_t longest = 0;
  for (const flamelet_span& span : recorder_test::read_spans(capture, 0, INT64_MIN, INT64_MAX))
    longest = std::max(longest, span.end_ns - span.begin_ns);
  return longest;
}

// The indices of the frames with losses, if they are in a row.
struct Lossy {
  uint64_t first = 0, last = 0, count = 0;
  explicit Lossy(const flamelet_capture* capture) {
    flamelet_frame_info frame;
    for (size_t i = 0; flamelet_capture_frame(capture, i, &frame); ++i) {
      if ((frame.flags & FLAMELET_FRAME_LOSSY) == 0) continue;
      if (count++ == 0) first = frame.index;
      last = frame.index;
    }
  }
};

}  // namespace

TEST_CASE_FIXTURE(Pages, "a hole in a file: calls end at the last event before it, and all its frames are lossy") {
  const int64_t longest = longest_ns(capture.get());
  CHECK(longest == 5010);
  CHECK(Lossy(capture.get()).count == 0);
  std::string damaged = whole;
  memset(&damaged[chunks[1]], 0, chunks[2] - chunks[1]);
  const Loaded loaded(damaged);
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(loaded.report.chunks_damaged == 1);
  const uint64_t missing = 80 + 1 - loaded.report.pages_read;
  CHECK(missing > 10);
  CHECK(longest_ns(loaded.capture) <= longest);
  const Lossy lossy(loaded.capture);
  CHECK(lossy.count == lossy.last - lossy.first + 1);
  CHECK(lossy.count >= missing);
  CHECK(lossy.count <= missing + 2);
  // What is saved of it has the same calls.
  CHECK(longest_ns(Loaded(save(loaded.capture)).capture) == longest_ns(loaded.capture));
}

TEST_CASE(
    "events overwritten before they were read: a call ends at the last event before them, unless it is open behind") {
  FedCapture gap;
  PageBuilder track(1);
  track.play("100|110(1 120(2 130(3 140) 200|210) 300|310) 320(4 330)");
  gap.feed(*track.pages[0]);
  gap.feed(*track.pages[2]);
  const Loaded loaded(save(gap.get()));
  for (const flamelet_capture* const capture : {gap.get(), loaded.capture}) {
    const std::vector<flamelet_span> spans = recorder_test::read_spans(capture, 0, INT64_MIN, INT64_MAX);
    REQUIRE(spans.size() == 4);
    CHECK(spans[0].end_ns - spans[0].begin_ns == 200);  // 1 is open behind the gap
    CHECK(spans[0].flags == 0);
    CHECK(spans[1].end_ns - spans[1].begin_ns == 20);  // 2 is not
    CHECK(spans[1].flags == FLAMELET_SPAN_MISSING_END);
    CHECK(spans[0].self_ns == 180);
  }
}

TEST_CASE_FIXTURE(Pages, "a damaged file: no length is known of a frame that takes hours") {
  const auto frame_of_hours = [&](size_t bytes) {
    std::string changed = whole.substr(0, bytes);
    ChunkHeader chunk;
    size_t at = sizeof(FileHeader);
    for (;; at += sizeof chunk + chunk.payload_bytes) {
      memcpy(&chunk, &changed[at], sizeof chunk);
      if (chunk.type == kFramesChunk) break;
    }
    const size_t payload = at + sizeof chunk, last = payload + chunk.payload_bytes - sizeof(FrameEntry);
    const uint64_t end_ticks = uint64_t{1} << 60;
    memcpy(&changed[last + offsetof(FrameEntry, end_ticks)], &end_ticks, sizeof end_ticks);
    chunk.payload_crc = crc32c(&changed[payload], chunk.payload_bytes);
    chunk.header_crc = crc32c(&chunk, offsetof(ChunkHeader, header_crc));
    memcpy(&changed[at], &chunk, sizeof chunk);
    const Loaded loaded(changed);
    const flamelet_frame_info frame =
        recorder_test::frame_of(loaded.capture, flamelet_capture_frame_count(loaded.capture) - 1);
    CHECK(frame.end_ns > int64_t{1} << 59);
    return frame.flags & (FLAMELET_FRAME_CLOCK_JUMPED | FLAMELET_FRAME_PARTIAL);
  };
  CHECK(frame_of_hours(whole.size()) == 0);
  CHECK(frame_of_hours(chunks[2]) == (FLAMELET_FRAME_CLOCK_JUMPED | FLAMELET_FRAME_PARTIAL));
}

TEST_CASE_FIXTURE(Pages, "a cut file: the frames before the cut are not lossy, though a lane has no page left") {
  const Loaded loaded(whole.substr(0, chunks[2]));
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(loaded.report.truncated);
  const Lossy lossy(loaded.capture);
  CHECK(lossy.first == loaded.report.pages_read);
  CHECK(lossy.last == kFrames - 1);
}
