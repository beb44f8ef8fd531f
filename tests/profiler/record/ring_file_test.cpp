// SPDX-License-Identifier: MIT
//
// The recorder's memory in a file: what is found there is what the recorder held, whoever looks, and whenever.
#include "record/ring_file.h"

#include <doctest/doctest.h>

#include <fstream>
#include <random>
#include <string>
#include <thread>

#include "flamelet/capture_file.h"
#include "profiler/capture/capture_answers.h"
#include "record/page.h"
#include "record/page_ring.h"
#include "rounds.h"
#include "support/capture.h"
#include "support/loaded.h"
#include "support/recording.h"
#include "support/string_io.h"
#include "temporary_folder.h"

namespace ring_file_test {

using namespace recorder_test;
using flamelet::answers;

namespace {

// What the running recorder holds, as a capture sees it.
struct Live : Capture {
  Live() : Capture(flamelet_capture_config_default()) { update(); }
};

void record_scopes(int count) {
  for (int i = 0; i < count; ++i) {
    FLAMELET_SCOPE("scope");
    FLAMELET_SCOPE_DYNAMIC(i % 2 == 0 ? "even" : "odd");
    if (i % 16 == 0) FLAMELET_COUNTER("i", i);
    if (i % 64 == 0) flamelet_frame();
  }
}

// Everything that can be recorded, on three tracks, with scopes that stay open.
void record_all(int scopes) {
  flamelet_set_thread_name("main");
  flamelet_begin("open", "test", flamelet_intern("an object"));
  const flamelet_id interval = flamelet_interval_begin("interval", "test", nullptr);
  flamelet_interval_begin("without an end", "test", nullptr);
  const uint32_t fiber = flamelet_fiber_create("fiber");
  flamelet_fiber_switch(0, fiber);
  flamelet_begin("on the fiber", "test", nullptr);
  flamelet_fiber_switch(fiber, 0);
  flamelet_interval_end(interval);
  std::thread([scopes] {
    flamelet_set_thread_name("worker");
    record_scopes(scopes / 2);
  }).join();
  const uint32_t queue = flamelet_track_create("queue", FLAMELET_TRACK_GPU, 1e9);
  const uint64_t now = flamelet_now_ticks();
  flamelet_track_calibrate(queue, 0, now);
  flamelet_event events[2] = {};
  events[0].type = 'B', events[0].name = "pass", events[0].time_ticks = 100, events[0].id = 1;
  events[1].type = 'E', events[1].time_ticks = 200, events[1].id = 1;
  CHECK(flamelet_submit(queue, events, 2) == 2);
  record_scopes(scopes);
  flamelet_fiber_switch(0, fiber);
  flamelet_begin("and open there", "test", nullptr);
}

}  // namespace

TEST_CASE("ring file: a recovered capture answers every question as one that reads the recorder") {
  for (const int scopes : {0, 10, 3000, 60000}) {  // 60,000 go round the ring several times
    CAPTURE(scopes);
    for (const bool os_clock : {false, true}) {
      TemporaryFolder folder;
      ManualClock clock;
      flamelet_config config = with_fibers(3, 16);
      if (os_clock)
        config.force_os_clock = true;
      else
        config = with_clock(config, &clock, 2.5e9);
      const std::string path = folder.file("ring");
      config.ring_path = path.c_str();
      std::string expected;
      {
        Recording recording(config);
        record_all(scopes);
        Live live;
        expected = answers(live) + answers(live, INT64_MIN, INT64_MAX);
        Recovered recovered(path);  // while the process that records lives
        REQUIRE(recovered.result == FLAMELET_OK);
        CHECK(!recovered.report.shut_down);
        CHECK(!recovered.report.truncated);
        CHECK(recovered.report.pages_refused + recovered.report.names_refused == 0);
        CHECK(recovered.report.pages_open >= 3);
        CHECK(answers(recovered.capture) + answers(recovered.capture, INT64_MIN, INT64_MAX) == expected);
      }
      Recovered recovered(path);
      REQUIRE(recovered.result == FLAMELET_OK);
      CHECK(recovered.report.shut_down);
      CHECK(answers(recovered.capture) + answers(recovered.capture, INT64_MIN, INT64_MAX) == expected);
      CHECK(flamelet_capture_update(recovered.capture) == FLAMELET_OK);
    }
  }
}

TEST_CASE_FIXTURE(
    TemporaryFolder,
    "ring file: the scopes of a destroyed fiber end there, live, saved and recovered, though others take its place") {
  const std::string path = file("ring"), saved_path = file("saved");
  ManualClock clock(1000, 0);
  flamelet_config config = with_clock(with_fibers(3, 16), &clock);
  config.max_fibers = 1;
  config.ring_path = path.c_str();
  const Recording recording(config);
  const uint32_t fiber = flamelet_fiber_create("loader");
  flamelet_fiber_switch(0, fiber);
  flamelet_begin("load", "", nullptr);
  clock.ticks = 2000;
  flamelet_begin("read", "", nullptr);
  flamelet_fiber_switch(fiber, 0);
  clock.ticks = 7000;
  std::thread(flamelet_fiber_destroy, fiber).join();
  const uint32_t next = flamelet_fiber_create("next");
  flamelet_fiber_switch(0, next);
  clock.ticks = 90000;
  flamelet_fiber_switch(next, 0);
  const Live live;
  REQUIRE(flamelet_capture_save(live, INT64_MIN, INT64_MAX, saved_path.c_str()) == FLAMELET_OK);
  const LoadedFile saved(saved_path);
  REQUIRE(saved.result == FLAMELET_OK);
  const Recovered recovered(path);
  for (const flamelet_capture* capture :
       {static_cast<const flamelet_capture*>(live), static_cast<const flamelet_capture*>(saved),
        static_cast<const flamelet_capture*>(recovered.capture)}) {
    const std::vector<flamelet_span> spans = read_spans(capture, find_lane(capture, "fiber 1"));
    REQUIRE(spans.size() == 2);
    CHECK(spans[0].end_ns - spans[0].begin_ns == 6000);
    CHECK(spans[1].end_ns - spans[1].begin_ns == 5000);
    for (const flamelet_span& span : spans)
      CHECK((span.flags & (FLAMELET_SPAN_MISSING_END | FLAMELET_SPAN_OPEN)) == FLAMELET_SPAN_MISSING_END);
    CHECK(stats_of(capture).missing_ends == 2);
    CHECK(stats_of(capture).missing_ends == stats().missing_ends);
  }
}

TEST_CASE_FIXTURE(TemporaryFolder,
                  "ring file: what the recorder dropped is in the file at once, without a frame mark") {
  const std::string path = file("ring");
  const auto dropped_depth = [&path] {
    const Recovered recovered(path);
    REQUIRE(recovered.result == FLAMELET_OK);
    flamelet_capture_dropped dropped;
    flamelet_capture_get_dropped(recovered.capture, &dropped);
    return dropped.dropped_depth;
  };
  {
    const Recording recording(with(small_config(), &flamelet_config::ring_path, path.c_str()));
    CHECK(dropped_depth() == 0);
    for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 3; ++i) flamelet_begin("deep", "", nullptr);
    flamelet_frame();
    CHECK(dropped_depth() == 3);
    flamelet_begin("deep", "", nullptr);
    CHECK(dropped_depth() == 4);
    std::thread([] {
      for (uint32_t i = 0; i < FLAMELET_MAX_DEPTH + 2; ++i) flamelet_begin("deep", "", nullptr);
    }).join();
    CHECK(dropped_depth() == 6);
    flamelet_interval_end(1);
    flamelet_end(1);
    flamelet_fiber_switch(7, 9);
    const Recovered recovered(path);
    REQUIRE(recovered.result == FLAMELET_OK);
    flamelet_capture_dropped dropped;
    flamelet_capture_get_dropped(recovered.capture, &dropped);
    CHECK(dropped.extra_ends == 1);
    CHECK(dropped.fiber_misuse == 1);
    flamelet_frame();
    CHECK(dropped_depth() == 6);
  }
  CHECK(dropped_depth() == 6);
}

TEST_CASE_FIXTURE(TemporaryFolder, "ring file: the counter's rate is in the file") {
  flamelet_config config = small_config();
  const std::string path = file("ring");
  config.ring_path = path.c_str();
  Recording recording(config);
  record_scopes(2000);
  Recovered recovered(path);
  REQUIRE(recovered.result == FLAMELET_OK);
  const flamelet_clock here = flamelet_clock_info(), there = flamelet_capture_clock(recovered.capture);
  CHECK(there.kind == here.kind);
  CHECK(there.origin_ticks == here.origin_ticks);
  CHECK(there.origin_unix_ns == here.origin_unix_ns);
  // Measured over a millisecond at least, so a hundredth is far more than it can be wrong by.
  CHECK(there.ticks_per_second == doctest::Approx(here.ticks_per_second).epsilon(0.01));
}

TEST_CASE_FIXTURE(TemporaryFolder,
                  "ring file: whatever is cut off or changed, it is recovered as far as it is sound, or refused") {
  const std::string path = file("ring");
  flamelet_config config = with_fibers(3, 4);
  config.max_strings = 256;
  config.string_bytes = 8192;
  config.max_sites = 64;
  keep_pages(&config, 4);
  config.ring_path = path.c_str();
  {
    Recording recording(config);
    record_all(500);
  }
  const std::string whole = read_file(path);
  const auto recover = [](const std::string& bytes, flamelet_recover_report* report) {
    flamelet_capture* capture = nullptr;
    StringSource from = {bytes};
    const flamelet_result result = flamelet_capture_recover_from(nullptr, from.file(), &capture, report);
    CHECK((result == FLAMELET_OK || result == FLAMELET_ERROR_FILE_FORMAT));
    CHECK((capture != nullptr) == (result == FLAMELET_OK));
    if (capture != nullptr) answers(capture, INT64_MIN, INT64_MAX);
    flamelet_capture_destroy(capture);
    return result;
  };
  flamelet_recover_report report;
  REQUIRE(recover(whole, &report) == FLAMELET_OK);
  const uint64_t pages = report.pages_read;
  REQUIRE(pages > 4);
  for (size_t size = 0; size < whole.size(); size += size < 9000 ? 601 : 4801) {
    CAPTURE(size);
    const flamelet_result result = recover(whole.substr(0, size), &report);
    CHECK((result == FLAMELET_OK) == (size >= sizeof(flamelet::RingFileHeader)));
    if (result == FLAMELET_OK) CHECK((report.truncated && report.pages_read <= pages));
  }
  std::mt19937 random(1);
  for (uint32_t i = 0; i < rounds(300); ++i) {
    std::string bytes = whole;
    // The first change is in the header, the others are anywhere.
    for (int changes = 0; changes < 8; ++changes)
      bytes[random() % (changes == 0 ? 256 : bytes.size())] = static_cast<char>(random());
    recover(bytes, &report);
  }
}

TEST_CASE_FIXTURE(TemporaryFolder,
                  "ring file: a closed page with fewer words than the scopes that it re-opens is refused") {
  const std::string path = file("ring");
  const flamelet_config config = with(small_config(4), &flamelet_config::ring_path, path.c_str());
  {
    Recording recording(config);
    record_scopes(3000);
  }
  std::string bytes = read_file(path);
  flamelet::RingFileHeader header;
  bytes.copy(reinterpret_cast<char*>(&header), sizeof header);
  flamelet::PageHeader page = {};
  size_t at = header.pages_offset;  // of a closed one
  for (; at < bytes.size(); at += sizeof(flamelet::Page)) {
    bytes.copy(reinterpret_cast<char*>(&page), sizeof page, at);
    if ((page.commit & flamelet::Protocol::kCountMask) != 0) break;
  }
  REQUIRE(at < bytes.size());
  const auto recover = [&](uint32_t words) {
    page.commit = (page.commit & ~flamelet::Protocol::kCountMask) | (uint64_t{words} + 1);
    page.open_count = 3;
    bytes.replace(at, sizeof page, reinterpret_cast<const char*>(&page), sizeof page);
    flamelet_capture* capture = nullptr;
    flamelet_recover_report report;
    StringSource from = {bytes};
    CHECK(flamelet_capture_recover_from(nullptr, from.file(), &capture, &report) == FLAMELET_OK);
    answers(capture, INT64_MIN, INT64_MAX);
    flamelet_capture_destroy(capture);
    return report.pages_refused;
  };
  CHECK(recover(5) == 1);
  CHECK(recover(6) == 0);
}

TEST_CASE_FIXTURE(TemporaryFolder,
                  "ring file: what was overwritten stays so where pages are overwritten while they are read") {
  const std::string path = file("ring");
  const Recording recording(with(small_config(4), &flamelet_config::ring_path, path.c_str()));
  record_scopes(30000);
  // All pages that are read whole from the `intact`th on have new owners.
  struct Overwritten {
    std::string bytes;
    uint64_t intact, read;
  } from = {read_file(path), UINT64_MAX, 0};
  const auto lost = [&from](uint64_t intact) {
    from.intact = intact;
    from.read = 0;
    const auto read = [](void* self, uint64_t offset, void* to, size_t size, size_t* count) {
      Overwritten& ring = *static_cast<Overwritten*>(self);
      *count = ring.bytes.copy(static_cast<char*>(to), size, offset);
      if (size == sizeof(flamelet::Page) && ring.read++ >= ring.intact) memset(to, 0xFF, sizeof(flamelet::PageHeader));
      return true;
    };
    flamelet_capture* capture = nullptr;
    flamelet_recover_report report;
    REQUIRE(flamelet_capture_recover_from(nullptr, {read, from.bytes.size(), &from}, &capture, &report) == FLAMELET_OK);
    CHECK((report.pages_refused != 0) == (intact != UINT64_MAX));
    const flamelet_capture_stats found = stats_of(capture);
    flamelet_capture_destroy(capture);
    CHECK(found.events_read + found.events_lost <= stats().events_recorded);
    return found.events_lost;
  };
  const uint64_t before = lost(UINT64_MAX);
  CHECK(before > 10000);
  for (uint64_t intact = 0, pages = from.read; intact < pages; ++intact) CHECK(lost(intact) >= before);
}

TEST_CASE_FIXTURE(TemporaryFolder, "ring file: a read that fails is an error of its own") {
  const std::string path = file("ring");
  const flamelet_config config = with(small_config(4), &flamelet_config::ring_path, path.c_str());
  {
    Recording recording(config);
    record_scopes(100);
  }
  struct Failing {
    std::string bytes;
    int reads_left;
  } from = {read_file(path), 0};
  int reads = 0;
  for (flamelet_result result = FLAMELET_ERROR_FILE_READ; result != FLAMELET_OK; reads += reads < 40 ? 1 : 97) {
    CAPTURE(reads);
    from.reads_left = reads;
    flamelet_capture* capture = nullptr;
    const auto read = [](void* self, uint64_t offset, void* to, size_t size, size_t* count) {
      Failing& failing = *static_cast<Failing*>(self);
      if (failing.reads_left-- <= 0) return false;
      *count = failing.bytes.copy(static_cast<char*>(to), size, offset);
      return true;
    };
    result = flamelet_capture_recover_from(nullptr, {read, from.bytes.size(), &from}, &capture, nullptr);
    CHECK((result == FLAMELET_OK || result == FLAMELET_ERROR_FILE_READ));
    CHECK((capture != nullptr) == (result == FLAMELET_OK));
    flamelet_capture_destroy(capture);
  }
  CHECK(reads > 100);
}

TEST_CASE_FIXTURE(TemporaryFolder, "ring file: what is no ring, is not there, or is empty is refused") {
  CHECK(Recovered(file("nothing")).result == FLAMELET_ERROR_FILE_OPEN);
  const std::string path = file("file");
  std::ofstream(path) << "";
  CHECK(Recovered(path).result == FLAMELET_ERROR_FILE_FORMAT);
  std::ofstream(path) << std::string(20000, 'x');
  CHECK(Recovered(path).result == FLAMELET_ERROR_FILE_FORMAT);
  flamelet_capture* capture = nullptr;
  CHECK(flamelet_capture_recover(nullptr, nullptr, &capture, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
  CHECK(flamelet_capture_recover(nullptr, path.c_str(), nullptr, nullptr) == FLAMELET_ERROR_INVALID_ARGUMENT);
}

}  // namespace ring_file_test
