// SPDX-License-Identifier: MIT
//
// Importing from a source: streams, files of known size, and what fails.
#include <doctest/doctest.h>

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

}  // namespace

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
