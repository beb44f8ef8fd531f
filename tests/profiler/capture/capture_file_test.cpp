// SPDX-License-Identifier: MIT
//
// Captures saved and loaded: the same answers to every question, the same bytes again, and every damage contained.
#include "flamelet/capture_file.h"
#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>
#include "capture/capture_format.h"
#include "capture/file_chunks.h"
#include "platform/process.h"
#include "profiler/capture/capture_answers.h"
#include "profiler/capture/saved_capture.h"
#include "rounds.h"

#include <doctest/doctest.h>

#include "capture/capture_writer.h"
#include "profiler/record/page_builder.h"

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

// As a version of the library writes a file whose entry of the session is shorter or longer.
std::string with_session_of(std::string bytes, uint32_t entry_bytes) {
  ChunkHeader header = {};
  size_t at = sizeof(FileHeader);
  for (;; at += sizeof header + header.payload_bytes) {
    REQUIRE(at + sizeof header <= bytes.size());
    memcpy(&header, &bytes[at], sizeof header);
    if (header.type == kSessionChunk) break;
  }
  std::string entry = bytes.substr(at + sizeof header, header.payload_bytes);
  const size_t entry_end = at + sizeof header + entry.size();
  entry.resize(entry_bytes, '\x55');
  header.payload_bytes = entry_bytes;
  header.payload_crc = crc32c(entry.data(), entry.size());
  header.header_crc = crc32c(&header, offsetof(ChunkHeader, header_crc));
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

TEST_CASE("capture file: an empty capture is saved and loaded") {
  FedCapture capture;
  Loaded loaded(save(capture.get()));
  REQUIRE(loaded.result == FLAMELET_OK);
  CHECK(!loaded.report.truncated);
  CHECK(answers(capture.get()) == answers(loaded.capture));
}

// Loading made room for lanes whose entries are damaged, and other fibers took it.
TEST_CASE("capture file: lanes that the capture had no room for are not there after loading either") {
  flamelet_capture_config config = FedCapture::small_config();
  config.max_tracks = 3;
  FedCapture capture(64, 1e9, config);
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
  std::vector<size_t> ends;  // of the chunks
  for (size_t at = sizeof(FileHeader); at < whole.size();) {
    ChunkHeader header;
    memcpy(&header, &whole[at], sizeof header);
    at += sizeof header + header.payload_bytes;
    ends.push_back(at);
  }
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
    for (size_t at = sizeof(FileHeader); at < bytes.size();) {
      ChunkHeader header;
      memcpy(&header, &bytes[at], sizeof header);
      char* payload = &bytes[at] + sizeof header;
      for (uint32_t changes = static_cast<uint32_t>(random() % 3); changes != 0 && header.payload_bytes != 0;
           --changes) {
        // Small numbers, and words of every type and any time.
        const uint64_t word = random() % 2 == 0 ? random() % 4 : random() >> random() % 44;
        memcpy(payload + random() % (header.payload_bytes / 8) * 8, &word, 4 + random() % 5);
      }
      header.payload_crc = crc32c(payload, header.payload_bytes);
      header.header_crc = crc32c(&header, offsetof(ChunkHeader, header_crc));
      memcpy(&bytes[at], &header, sizeof header);
      at += sizeof header + header.payload_bytes;
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

}  // namespace flamelet

// ---- Crc32c -------------------------------------------------------------------------------------------------------

namespace flamelet {

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

}  // namespace flamelet

// ---- Capture writer -----------------------------------------------------------------------------------------------

// A capture written a piece at a time, while it is updated.

namespace flamelet {

TEST_CASE("capture writer: names that come while it writes are in what was said of the size") {
  flamelet_capture_config config = FedCapture::small_config();
  config.string_bytes = 1 << 20;
  FedCapture capture(64, 1e9, config);
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
