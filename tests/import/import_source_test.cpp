// SPDX-License-Identifier: MIT
//
// Importing from a source: streams, files of known size, and what fails.
#include <doctest/doctest.h>
#include <zlib.h>

#include <cstring>
#include <string>

#include "flamelet/import.h"
#include "support/string_io.h"

namespace {

const std::string kTrace = R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2}])";

flamelet_result import(const flamelet_source& source, uint64_t* spans = nullptr) {
  flamelet_capture* capture = nullptr;
  flamelet_import_report report;
  const flamelet_result result = flamelet_import(nullptr, source, &capture, &report);
  CHECK((capture != nullptr) == (result == FLAMELET_OK));
  flamelet_capture_destroy(capture);
  if (spans != nullptr) *spans = report.spans;
  return result;
}

std::string gzip(std::string text) {
  z_stream stream = {};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(text.size() + 64, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<unsigned char*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace

TEST_CASE("import source: what of a gzip file is damaged is told apart") {
  const std::string whole = gzip(kTrace);
  const auto with = [&](size_t at, size_t size) {  // another byte, and an end
    std::string bytes = whole.substr(0, size);
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    return bytes;
  };
  const size_t size = whole.size();
  struct Case {
    const char* about;
    std::string bytes;
    bool truncated, damaged;
    const char* message;  // "": it can be read
  };
  const Case cases[] = {
      {"whole", whole, false, false, ""},
      {"the checksum", with(size - 8, size), false, true, ""},
      {"the length", with(size - 1, size), false, true, ""},
      {"the checksum, and no length", with(size - 8, size - 4), false, true, ""},
      {"the checksum, with another member behind it", with(size - 8, size) + whole, true, true, ""},
      {"no checksum", whole.substr(0, size - 8), true, false, ""},
      {"garbage behind the header", whole.substr(0, 10) + "garbage", true, true, "damaged right behind its header"},
      {"a header that is cut", whole.substr(0, 3), true, false, "ends before its first byte"},
      {"the header alone", whole.substr(0, 10), true, false, "ends before its first byte"},
      {"nothing in it", gzip(""), false, false, "has nothing in it"},
      {"nothing", "", false, false, "The file is empty."}};
  for (const Case& of : cases)
    for (const size_t piece : {size_t{1}, SIZE_MAX}) {
      CAPTURE(of.about);
      CAPTURE(piece);
      StringSource source = {of.bytes, piece};
      flamelet_capture* capture = nullptr;
      flamelet_import_report report;
      const flamelet_result result = flamelet_import(nullptr, source.stream(), &capture, &report);
      CHECK((result == FLAMELET_OK) == (of.message[0] == 0));
      CHECK(strstr(report.message, of.message) != nullptr);
      CHECK(report.gzip_damaged == of.damaged);
      if (result == FLAMELET_OK) CHECK(report.truncated == of.truncated);
      if (result == FLAMELET_OK) CHECK(report.spans == 1);
      flamelet_capture_destroy(capture);
    }
}

TEST_CASE("import source: a source without a function is refused, and one that fails is a read error") {
  const flamelet_source none = {nullptr, FLAMELET_SIZE_UNKNOWN, nullptr};
  CHECK(import(none) == FLAMELET_ERROR_INVALID_ARGUMENT);
  const flamelet_source broken = {[](void*, uint64_t, void*, size_t, size_t*) { return false; }, FLAMELET_SIZE_UNKNOWN,
                                  nullptr};
  CHECK(import(broken) == FLAMELET_ERROR_FILE_READ);
}

TEST_CASE("import source: a stream is read with rising offsets without gaps, up to its end") {
  for (const size_t piece : {size_t{1}, size_t{5}, SIZE_MAX}) {
    CAPTURE(piece);
    StringSource source = {kTrace, piece};
    uint64_t spans = 0;
    CHECK(import(source.stream(), &spans) == FLAMELET_OK);
    CHECK(spans == 1);
    CHECK(source.next == kTrace.size());
    CHECK_FALSE(source.has_gaps);
  }
}

TEST_CASE("import source: nothing behind a known size is asked for, and an earlier end is a read error") {
  for (const size_t piece : {size_t{1}, size_t{5}, SIZE_MAX}) {
    CAPTURE(piece);
    StringSource source = {kTrace, piece};
    uint64_t spans = 0;
    CHECK(import(source.file(), &spans) == FLAMELET_OK);
    CHECK(spans == 1);
  }
  StringSource shrunk = {kTrace};
  flamelet_source source = shrunk.stream();
  source.size = kTrace.size() + 1;
  CHECK(import(source) == FLAMELET_ERROR_FILE_READ);
  source = {nullptr, 0, nullptr};
  CHECK(import(source) == FLAMELET_ERROR_INVALID_ARGUMENT);
  StringSource empty = {""};
  CHECK(import(empty.file()) == FLAMELET_ERROR_FILE_FORMAT);
}

TEST_CASE("import source: a count above what was asked is a read error") {
  const flamelet_source liar = {[](void*, uint64_t, void*, size_t size, size_t* count) {
                                  *count = size + 1;
                                  return true;
                                },
                                FLAMELET_SIZE_UNKNOWN, nullptr};
  CHECK(import(liar) == FLAMELET_ERROR_FILE_READ);
}
