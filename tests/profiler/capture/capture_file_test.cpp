// SPDX-License-Identifier: MIT
//
// Captures saved and loaded: the same answers to every question, the same bytes again, and every damage contained.
#include "flamelet/capture_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "capture/capture_format.h"
#include "capture/capture_writer.h"
#include "capture/file_chunks.h"
#include "platform/process.h"
#include "profiler/capture/capture_answers.h"
#include "profiler/capture/saved_capture.h"
#include "profiler/record/page_builder.h"
#include "rounds.h"
#include "support/building.h"
#include "support/capture.h"
#include "support/loaded.h"
#include "support/read.h"
#include "support/recording.h"
#include "support/string_io.h"
#include "temporary_folder.h"

namespace flamelet {
namespace {

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

// Gives the same memory again and again, as it was left: most of a small file's load is the kernel's work for new memory,
// and a load must not lean on zeros.
class ReusedMemory {
 public:
  flamelet_load_options options() {
    flamelet_load_options options = flamelet_load_options_default();
    options.allocator = {take, give_back, this};
    return options;
  }
  ~ReusedMemory() {
    for (const Block& block : blocks_) free_aligned(block.memory);
  }

 private:
  struct Block {
    void* memory;
    size_t size;
    bool used;
  };

  static void* take(void* self, size_t size, size_t) {
    std::vector<Block>& blocks = static_cast<ReusedMemory*>(self)->blocks_;
    for (Block& block : blocks) {
      if (block.used || block.size < size) continue;
      block.used = true;
      return block.memory;
    }
    const size_t rounded = (size + 65535) / 65536 * 65536;
    blocks.push_back({std::memset(allocate_aligned(rounded, 4096), 0xA5, rounded), rounded, true});
    return blocks.back().memory;
  }
  static void give_back(void* self, void* memory, size_t, size_t) {
    for (Block& block : static_cast<ReusedMemory*>(self)->blocks_) {
      if (block.memory == memory) block.used = false;
    }
  }

  std::vector<Block> blocks_;
};

// The places of the chunks of a file: all of them, or those of a type.
std::vector<size_t> chunks_of(const std::string& bytes, uint32_t type = 0) {
  std::vector<size_t> places;
  ChunkHeader header;
  for (size_t at = sizeof(FileHeader); at < bytes.size(); at += sizeof header + header.payload_bytes) {
    memcpy(&header, &bytes[at], sizeof header);
    if (type == 0 || header.type == type) places.push_back(at);
  }
  return places;
}
// With the sums of what is in it.
void seal(ChunkHeader* header, const char* payload) {
  header->payload_crc = crc32c(payload, header->payload_bytes);
  header->header_crc = crc32c(header, offsetof(ChunkHeader, header_crc));
}

// As a version of the library writes a file whose entry of the session is shorter or longer.
std::string with_session_of(std::string bytes, uint32_t entry_bytes) {
  ChunkHeader header;
  const size_t at = chunks_of(bytes, kSessionChunk).at(0);
  memcpy(&header, &bytes[at], sizeof header);
  std::string entry = bytes.substr(at + sizeof header, header.payload_bytes);
  const size_t entry_end = at + sizeof header + entry.size();
  entry.resize(entry_bytes, '\x55');
  header.payload_bytes = entry_bytes;
  seal(&header, entry.data());
  std::string head(sizeof header, 0);
  memcpy(&head[0], &header, sizeof header);
  return bytes.substr(0, at) + head + entry + bytes.substr(entry_end);
}

}  // namespace

TEST_CASE("capture file: a loaded capture answers every question as the saved one did, whatever was in its memory" *
          doctest::test_suite("gate")) {
  ReusedMemory memory;
  const flamelet_load_options options = memory.options();
  for (uint32_t seed = 1; seed <= rounds(40); ++seed) {
    CAPTURE(seed);
    // A small budget for some of them, so that pages are evicted.
    // With room for all intervals: for what is dropped, the pages stand in the file.
    flamelet_capture_config config = FedCapture::small_config();
    config.max_intervals = config.max_named_frames = 1u << 14;
    FedCapture capture(seed % 3 == 0 ? 0 : 64, seed % 2 == 0 ? 1e9 : 2.5e9, config);
    record_random(&capture, seed, 12000);
    const std::string bytes = save(capture.get());
    Loaded loaded(bytes, &options);
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

TEST_CASE_FIXTURE(FedCapture, "capture file: an empty capture is saved and loaded") {
  Loaded loaded(save(get()));
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(!loaded.report.truncated);
  CHECK(answers(get()) == answers(loaded.capture));
}

// Loading made room for lanes whose entries are damaged, and other fibers took it.
TEST_CASE("capture file: lanes that the capture had no room for are not there after loading either") {
  FedCapture capture(64, 1e9, with(FedCapture::small_config(), &flamelet_capture_config::max_tracks, 3));
  PageBuilder track(1);
  for (uint32_t fiber = 1; fiber <= 40; ++fiber) track.fiber(1000 * fiber, fiber, BuiltStack());
  track.close(50000);
  capture.feed(track);
  REQUIRE(flamelet_capture_lane_count(capture.get()) == 3);
  const std::string bytes = save(capture.get());
  Loaded loaded(bytes);
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(answers(capture.get()) == answers(loaded.capture));
  CHECK(save(loaded.capture) == bytes);
}

TEST_CASE("capture file: every truncation loads exactly its intact chunks" * doctest::test_suite("gate")) {
  FedCapture capture;
  record_random(&capture, 5, 9000);
  const std::string whole = save(capture.get());
  REQUIRE(whole.size() > 60000);
  std::vector<size_t> ends = chunks_of(whole);
  ends.erase(ends.begin());  // each but the first begins where another ends
  ends.push_back(whole.size());
  ReusedMemory memory;
  const flamelet_load_options options = memory.options();
#if defined(NDEBUG)
  const size_t stride = 1;
#else
  const size_t stride = 41 * (100 / rounds(100));  // minutes otherwise
#endif
  for (size_t size = 0; size < whole.size(); size += size < 400 ? 1 : stride) {
    CAPTURE(size);
    Loaded loaded(whole.substr(0, size), &options);
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

TEST_CASE("capture file: what only looks like chunks is read once a walk") {
  const std::string whole = save(FedCapture().get());
  struct Counted {
    StringSource source;
    uint64_t reads;
  };
  const auto reads_of = [](const std::string& bytes) {
    Counted counted = {{bytes}, 0};
    const auto read = [](void* user, uint64_t offset, void* to, size_t size, size_t* count) {
      auto* self = static_cast<Counted*>(user);
      ++self->reads;
      const flamelet_source file = self->source.file();
      return file.read(file.user, offset, to, size, count);
    };
    recorder_test::ReadCapture<flamelet_load_report> loaded;
    CHECK(flamelet_capture_load_from(nullptr, {read, bytes.size(), &counted}, &loaded.capture, &loaded.report) ==
          FLAMELET_OK);
    CHECK(loaded.report.chunks_damaged == (bytes.size() > 65536 ? 1 : 0));
    return counted.reads;
  };
  std::string magic;
  for (int i = 0; i < 8192; ++i) magic.append("FLck\0\0\0\0", 8);
  const std::string damaged = whole.substr(0, sizeof(FileHeader)) + magic + whole.substr(sizeof(FileHeader));
  CHECK(reads_of(damaged) - reads_of(whole) == 4 * (1 + 17));  // four walks, 4 KiB at a time
}

TEST_CASE("capture file: what is loaded from a file with anything in it is saved and loaded as the same bytes") {
  FedCapture capture;
  record_random(&capture, 8, 2000);
  const std::string whole = save(capture.get());
  std::mt19937_64 random(1);
  ReusedMemory memory;
  const flamelet_load_options options = memory.options();
  for (uint32_t i = 0; i < rounds(300); ++i) {
    CAPTURE(i);
    std::string bytes = whole;
    for (const size_t at : chunks_of(bytes)) {
      ChunkHeader header;
      memcpy(&header, &bytes[at], sizeof header);
      char* payload = &bytes[at] + sizeof header;
      for (uint32_t changes = static_cast<uint32_t>(random() % 3); changes != 0 && header.payload_bytes != 0;
           --changes) {
        // Small numbers, and words of every type and any time.
        const uint64_t word = random() % 2 == 0 ? random() % 4 : random() >> random() % 44;
        memcpy(payload + random() % (header.payload_bytes / 8) * 8, &word, 4 + random() % 5);
      }
      seal(&header, payload);
      memcpy(&bytes[at], &header, sizeof header);
    }
    Loaded odd(bytes, &options);
    REQUIRE(odd.result == FLAMELET_OK);
    const std::string saved = save(odd.capture);
    Loaded again(saved, &options);
    REQUIRE(again.result == FLAMELET_OK);
    CHECK(again.report.pages_refused + again.report.entries_refused + again.report.duplicates == 0);
    CHECK(save(again.capture) == saved);
  }
}

// The reader went through that many entries of nothing.
TEST_CASE_FIXTURE(FedCapture, "capture file: a last chunk that says it has entries is damaged") {
  std::string bytes = save(get());
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

TEST_CASE("capture file: what it was saved for, in files of this version, older and later ones") {
  flamelet_capture_config config = FedCapture::small_config();
  config.max_intervals = config.max_named_frames = 1u << 14;
  FedCapture capture(64, 1e9, config);
  record_random(&capture, 3, 12000);
  int64_t first_ns = 0, last_ns = 0;
  REQUIRE(flamelet_capture_extent(capture.get(), &first_ns, &last_ns));
  const int64_t third_ns = (last_ns - first_ns) / 3, from = first_ns + third_ns, to = last_ns - third_ns;
  constexpr int64_t kFirst = INT64_MIN, kLast = INT64_MAX;
  constexpr uint32_t kVersion1 = kSessionBytesOfVersion1, kOlder = 152, kNow = sizeof(SessionEntry), kLater = kNow + 64;
  const struct {
    const char* what;
    int64_t save_begin_ns, save_end_ns;
    uint32_t entry_bytes;
    bool has_window;
    int64_t begin_ns, end_ns;
  } kCases[] = {
      {"all", kFirst, kLast, kNow, false, 0, 0},
      {"all, older", kFirst, kLast, kOlder, false, 0, 0},
      {"all, version 1", kFirst, kLast, kVersion1, false, 0, 0},
      {"all, later", kFirst, kLast, kLater, false, 0, 0},
      {"the middle", from, to, kNow, true, from, to},
      {"the middle, older: the begin is known", from, to, kOlder, true, from, kLast},
      {"the middle, version 1", from, to, kVersion1, true, from, kLast},
      {"the middle, later", from, to, kLater, true, from, to},
      {"from the middle on", from, kLast, kNow, true, from, kLast},
      {"up to the middle", kFirst, to, kNow, true, kFirst, to},
      {"up to the middle, older: nothing is known", kFirst, to, kOlder, false, 0, 0},
      {"around all of it", first_ns - 1, last_ns + 1, kNow, false, 0, 0},
  };
  for (const auto& each : kCases) {
    CAPTURE(std::string(each.what));
    const std::string bytes = save(capture.get(), each.save_begin_ns, each.save_end_ns);
    Loaded loaded(with_session_of(bytes, each.entry_bytes));
    REQUIRE(loaded.result == FLAMELET_OK);
    CHECK(loaded.report.chunks_damaged + loaded.report.entries_refused + loaded.report.pages_refused == 0);
    int64_t begin_ns = 0, end_ns = 0;
    CHECK(flamelet_capture_window(loaded.capture, &begin_ns, &end_ns) == each.has_window);
    CHECK(begin_ns == each.begin_ns);
    CHECK(end_ns == each.end_ns);
    if (each.entry_bytes == kNow) CHECK(save(loaded.capture) == bytes);
    // A part of it is of both.
    Loaded part(save(loaded.capture, from + third_ns / 4, kLast));
    REQUIRE(flamelet_capture_window(part.capture, &begin_ns, &end_ns));
    CHECK(begin_ns == from + third_ns / 4);
    CHECK(end_ns == (each.entry_bytes < kNow ? kLast : each.save_end_ns));
  }
  CHECK_FALSE(flamelet_capture_window(capture.get(), nullptr, nullptr));
  CHECK_FALSE(flamelet_capture_window(nullptr, &first_ns, &last_ns));
}

// ---- Crc32c -------------------------------------------------------------------------------------------------------

// RFC 3720, B.4.
TEST_CASE("crc32c: the sums of the published examples") {
  unsigned char bytes[32];
  const auto sums_to = [&](uint32_t expected) {
    CHECK(crc32c(bytes, sizeof bytes) == expected);
    CHECK(crc32c_by_table(bytes, sizeof bytes) == expected);
  };
  std::memset(bytes, 0, sizeof bytes);
  sums_to(0x8A9136AA);
  std::memset(bytes, 0xFF, sizeof bytes);
  sums_to(0x62A8AB43);
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<unsigned char>(i);
  sums_to(0x46DD794E);
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<unsigned char>(31 - i);
  sums_to(0x113FDB5C);
  CHECK(crc32c("123456789", 9) == 0xE3069283);
  CHECK(crc32c(nullptr, 0) == 0);
}

TEST_CASE("crc32c: the instruction and the table give the same sum, at any size and place") {
  std::string bytes(300, 0);
  std::mt19937 random(1);
  for (char& byte : bytes) byte = static_cast<char>(random());
  for (size_t from = 0; from < 8; ++from) {
    for (size_t size = 0; size < 100; ++size)
      REQUIRE(crc32c(&bytes[from], size) == crc32c_by_table(&bytes[from], size));
  }
}

// ---- A capture written a piece at a time, while it is updated -----------------------------------------------------

TEST_CASE("capture writer: names that come while it writes are in what was said of the size") {
  FedCapture capture(64, 1e9, with(FedCapture::small_config(), &flamelet_capture_config::string_bytes, 1 << 20));
  PageBuilder builder(1);
  builder.play("10| 11(0");
  capture.feed(builder);
  capture->strings.put(8, {"known", 5});

  std::vector<PageSelection::LanePart> parts(8);
  PageSelection selection;
  selection.attach(parts.data());
  selection.select(*capture.get(), INT64_MIN, INT64_MAX);
  const uint64_t most = CaptureWriter::likely_kept_bytes(*capture.get(), selection);
  std::vector<char> buffer(ChunkWriter::kBufferBytes);
  uint64_t written = 0;
  const auto count = [](void* user, const void*, size_t size) {
    *static_cast<uint64_t*>(user) += size;
    return true;
  };
  CaptureWriter writer(capture.get(), &selection, buffer.data(), {count, &written}, PageForm::kKept);
  writer.begin(nullptr);
  const std::string late(60000, 'x');
  for (uint32_t id = 0; id < 8; ++id) REQUIRE(capture->strings.put(id, {late.data(), late.size()}));
  while (writer.step(SIZE_MAX)) {
  }
  CHECK(writer.good());
  CHECK(written > 8 * late.size());
  CHECK(written <= most);
}

}  // namespace flamelet

// ---- What a capture knows of the recorder behind it: how the library was built, and the program's note ------------

namespace {

using namespace recorder_test;

std::string build_of(const flamelet_capture* capture) {
  return flamelet_capture_build(capture).text;
}
std::string note_of(const flamelet_capture* capture) {
  return flamelet_capture_note(capture).text;
}
flamelet_config config_with(const char* note) {
  return with(recorder_test::small_config(), &flamelet_config::note, note);
}

}  // namespace

TEST_CASE("build info: a capture says how the recorder was built, and keeps it in its file") {
  const Recording recording(config_with("rocks 1.2"));
  Capture capture;
  CHECK(build_of(capture).empty());
  capture.update();
  const std::string build = build_of(capture);
  CHECK(build.find("Flamelet 0.1.0, ") == 0);
#ifdef FLAMELET_INLINE_RECORD_
  CHECK(build.find(", inlined scopes, ") != std::string::npos);
#else
  CHECK(build.find(", scopes by call, ") != std::string::npos);
#endif
  CHECK(note_of(capture) == "rocks 1.2");

  const std::string bytes = recorder_test::save(capture);
  const recorder_test::Loaded loaded(bytes);
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(build_of(loaded) == build);
  CHECK(note_of(loaded) == "rocks 1.2");
  CHECK(recorder_test::save(loaded) == bytes);
}

TEST_CASE("build info: a note is copied, cut at 127 bytes, and that of the session that is read") {
  Capture capture;
  {
    std::string note(300, 'x');
    const Recording recording(config_with(note.c_str()));
    note = "changed";
    capture.update();
    CHECK(note_of(capture) == std::string(127, 'x'));
  }
  const Recording recording(config_with(nullptr));
  capture.update();
  CHECK(note_of(capture).empty());
  CHECK_FALSE(build_of(capture).empty());
}

TEST_CASE("build info: nothing is said of a capture that no recorder made, and it is not in the file") {
  recorder_test::Building building;
  building.lane(FLAMELET_LANE_THREAD, "Main");
  const flamelet_capture* capture = building.finish();
  CHECK(build_of(capture).empty());
  CHECK(note_of(capture).empty());
  CHECK(recorder_test::save(capture).find("BILT") == std::string::npos);
  CHECK(build_of(nullptr).empty());
}

TEST_CASE("build info: a damaged chunk of it is counted, and the rest of the file is read") {
  const Recording recording(config_with("rocks"));
  Capture capture(Captured::kNow);
  std::string bytes = recorder_test::save(capture);
  const size_t note = bytes.find("rocks");
  REQUIRE(note != std::string::npos);
  bytes[note] = '\xFF';  // and the checksum is another one
  const recorder_test::Loaded loaded(bytes);
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(loaded.report.chunks_damaged == 1);
  CHECK(build_of(loaded).empty());
}

#ifndef _WIN32
TEST_CASE_FIXTURE(TemporaryFolder, "build info: a ring file has it, too") {
  const std::string path = file("ring");
  const Recording recording(with(config_with("rocks 1.2"), &flamelet_config::ring_path, path.c_str()));
  { FLAMELET_SCOPE("work"); }
  flamelet_frame();
  const recorder_test::Recovered recovered(path);
  REQUIRE(recovered.result == FLAMELET_OK);
  CHECK(build_of(recovered.capture).find("Flamelet 0.1.0, ") == 0);
  CHECK(note_of(recovered.capture) == "rocks 1.2");
}
#endif

// ---- Old versions -------------------------------------------------------------------------------------------------

// Files that earlier versions of the library wrote, and what stands in them. A file is made once, when its version is
// the newest, and never again.
//
// data/version_1.flamelet: the last frames of a small game by a clock that rises 10 ns with each reading. In frame 1 the
// ring was overwritten before it was read; in frame 2 are scopes, an object, a dynamic name, an instant, a counter, a
// missing end and an extra one; an interval goes on to another thread, and so does a fiber in frame 3; recording is
// switched off and on; in frame 4 is the GPU.
// data/version_2.flamelet: two frames of what platform/record_everything.cpp records, by the library of November 2026.
// data/version_3.ring: a ring file of two fibers on one thread, as tests/fuzz/make_seeds.cpp recorded them. There is
// a lane for one of them.

namespace flamelet {
namespace {

std::string string_of(flamelet_string text) {
  return std::string(text.text, text.size);
}

// A capture's content as lines of text.
class Description {
 public:
  explicit Description(const flamelet_capture* capture) : capture_(capture) {
    for (size_t i = 0; i < flamelet_capture_frame_count(capture); ++i) add_frame(i);
    for (size_t i = 0; i < flamelet_capture_lane_count(capture); ++i) add_lane(i);
    add_intervals();
  }
  std::string text;

 private:
  std::string named(uint32_t name, uint32_t site, uint32_t object) const {
    const flamelet_site_info info = recorder_test::site_of(capture_, site);
    std::string all = string_of(flamelet_capture_string(capture_, name)) + " in " + string_of(info.category);
    if (object != 0) all += " of " + string_of(flamelet_capture_string(capture_, object));
    return all;
  }
  static std::string times(int64_t begin_ns, int64_t end_ns) {
    return std::to_string(begin_ns) + "-" + std::to_string(end_ns) + " ";
  }
  void add_frame(size_t position) {
    const flamelet_frame_info frame = recorder_test::frame_of(capture_, position);
    text += "frame " + std::to_string(frame.index) + ": " + times(frame.begin_ns, frame.end_ns) + "flags " +
            std::to_string(frame.flags) + "\n";
  }
  void add_lane(size_t lane) {
    const flamelet_lane_info info = recorder_test::lane_of(capture_, lane);
    text += "lane " + string_of(info.name) + ": kind " + std::to_string(info.kind) + ", read " +
            std::to_string(info.events_read) + ", lost " + std::to_string(info.events_lost) + "\n";
    for (const flamelet_span& span : recorder_test::read_spans(capture_, lane)) {
      text += "  " + std::string(2 * size_t{span.depth}, ' ') + times(span.begin_ns, span.end_ns) +
              named(span.name, span.site, span.object);
      if (span.flags != 0) text += ", flags " + std::to_string(span.flags);
      text += "\n";
    }
    size_t fillers = 0;
    for (const flamelet_point& point : recorder_test::read_points(capture_, lane)) {
      const std::string name = string_of(flamelet_capture_string(capture_, point.name));
      if (name == "lost" || name == "filler") {
        ++fillers;
        continue;
      }
      text += "  " + std::to_string(point.time_ns) + " " + named(point.name, point.site, point.object);
      if (point.kind == FLAMELET_POINT_COUNTER) text += " = " + std::to_string(point.value);
      text += "\n";
    }
    if (fillers != 0) text += "  " + std::to_string(fillers) + " fillers\n";
  }
  void add_intervals() {
    flamelet_interval intervals[4];
    const size_t count = flamelet_capture_read_intervals(capture_, INT64_MIN, INT64_MAX, intervals, 4);
    REQUIRE(count <= 4);
    for (size_t i = 0; i < count; ++i) {
      const flamelet_interval& interval = intervals[i];
      text += "interval " + times(interval.begin_ns, interval.end_ns) +
              named(interval.name, interval.site, interval.object) + ", from thread " +
              std::to_string(interval.begin_track) + " to " + std::to_string(interval.end_track) + ", flags " +
              std::to_string(interval.flags) + "\n";
    }
  }

  const flamelet_capture* capture_;
};

// The report of a file, all of which was read.
void check_whole(const recorder_test::LoadedFile& file, uint32_t version) {
  REQUIRE(file.result == FLAMELET_OK);
  CHECK(file.report.format_version == version);
  CHECK_FALSE(file.report.truncated);
  CHECK(file.report.chunks_damaged + file.report.chunks_unknown + file.report.entries_refused +
            file.report.pages_refused ==
        0);
}

constexpr const char* kVersion1 = R"(frame 1: 30-78150 flags 2
frame 2: 78150-78290 flags 0
frame 3: 78290-78400 flags 1
frame 4: 78400-78440 flags 1
lane main: kind 0, read 4787, lost 3013
  40-75940 burst in game
  78160-78260 update in game
    78180-78210 ai in game of troll 7
    78210-78220 path in game
    78230-78250 level 3 in 
      78240-78250 forgotten in game, flags 2
  78310-78320 job in game, flags 32
  78410-78430 draw in render
  78450-78560 still open in game, flags 1
  78190 spawn in game of arrow
  78200 entities in game = 42.500000
  250 fillers
lane script: kind 3, read 0, lost 0
  78310-78360 job in game
lane worker: kind 0, read 6, lost 0
  78330-78350 work in game, flags 32
  78350-78360 job in game, flags 16
  78370-78380 work in game, flags 16
lane GPU: kind 1, read 3, lost 0
  78415-78515 shadow in render
    78460-78515 cut in render, flags 8
  78470 flip in render
interval 78270-78340 load in io of a.png, from thread 1 to 2, flags 0
interval 78280-78560 never finished in io, from thread 1 to 0, flags 1
)";

constexpr const char* kRingVersion3 = R"(lane thread 1: kind 0, read 8, lost 0
  28-35 in the first in seed, flags 32
  42-49 in the second in , flags 32
  49-56 in the first in seed, flags 16
  63-70 in the second in , flags 16
lane first fiber: kind 3, read 0, lost 0
  28-56 in the first in seed
)";

}  // namespace

TEST_CASE("a capture file of version 1 loads with everything that is in it") {
  const recorder_test::LoadedFile capture(FLAMELET_CAPTURE_TEST_DATA "/version_1.flamelet");
  check_whole(capture, 1);
  CHECK(Description(capture).text == kVersion1);

  const flamelet_capture_stats stats = recorder_test::stats_of(capture);
  CHECK(stats.events_read == 4802);
  CHECK(stats.events_lost == 3013);
  CHECK(stats.missing_ends == 1);
  CHECK(stats.extra_ends == 0);
  CHECK(stats.bad_words == 0);
  CHECK(stats.names_missing == 0);
  CHECK(stats.times_clamped == 0);
  const flamelet_clock clock = flamelet_capture_clock(capture);
  CHECK(clock.kind == FLAMELET_CLOCK_INJECTED);
  CHECK(clock.origin_ticks == 1000010);
  CHECK(clock.ticks_per_second == 1e9);
}

TEST_CASE("a capture file of version 2 loads with everything that is in it") {
  const recorder_test::LoadedFile capture(FLAMELET_CAPTURE_TEST_DATA "/version_2.flamelet");
  check_whole(capture, 2);
  std::string lanes;
  for (size_t lane = 0; lane < flamelet_capture_lane_count(capture); ++lane) {
    const flamelet_lane_info info = recorder_test::lane_of(capture, lane);
    lanes += string_of(info.name) + " " + std::to_string(recorder_test::read_spans(capture, lane).size()) + " " +
             std::to_string(recorder_test::read_points(capture, lane).size()) + ", ";
  }
  CHECK(lanes == "Main 246 14, Loader 23 0, Worker 69 0, GPU queue 100 0, ");
  CHECK(flamelet_capture_frame_count(capture) == 2);
  CHECK(flamelet_capture_frame_sets(capture, nullptr, 0) == 1);
  flamelet_interval intervals[4];
  CHECK(flamelet_capture_read_intervals(capture, INT64_MIN, INT64_MAX, intervals, 4) == 2);
  CHECK(flamelet_capture_count_flows(capture, INT64_MIN, INT64_MAX) == 35);
}

TEST_CASE("a ring file of version 3 is recovered with everything that is in it") {
  const recorder_test::Recovered capture(FLAMELET_CAPTURE_TEST_DATA "/version_3.ring");
  REQUIRE(capture.result == FLAMELET_OK);
  CHECK(capture.report.pages_refused + capture.report.names_refused == 0);
  CHECK(Description(capture).text == kRingVersion3);
  const flamelet_capture_stats stats = recorder_test::stats_of(capture);
  CHECK(stats.events_lost == 0);
  CHECK(stats.bad_words == 0);
}

}  // namespace flamelet

// ---- A file that lacks pages in its middle or at its end ----------------------------------------------------------

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

struct Pages {
  FedCapture capture;
  std::string whole;
  std::vector<size_t> chunks;
  Pages() {
    record_frames(&capture);
    whole = save(capture.get());
    chunks = chunks_of(whole, kPagesChunk);
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
    const size_t at = chunks_of(changed, kFramesChunk).at(0);
    memcpy(&chunk, &changed[at], sizeof chunk);
    const size_t payload = at + sizeof chunk, last = payload + chunk.payload_bytes - sizeof(FrameEntry);
    const uint64_t end_ticks = uint64_t{1} << 60;
    memcpy(&changed[last + offsetof(FrameEntry, end_ticks)], &end_ticks, sizeof end_ticks);
    seal(&chunk, &changed[payload]);
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
