// SPDX-License-Identifier: MIT
//
// A capture written a piece at a time, while it is updated.
#include "capture/capture_writer.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "profiler/record/page_builder.h"

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
