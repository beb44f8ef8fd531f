// SPDX-License-Identifier: MIT
//
// check_capture FILE WANTED...: exits with 0 if the capture has all that is wanted, and lost nothing. [LANE/]SCOPE=COUNT
// wants so many spans of a scope, in all lanes or in the lane of this name; @INDEX wants a frame.
#include <flamelet/capture_file.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static size_t count_spans(const flamelet_capture* capture, const std::string& lane, const std::string& scope) {
  size_t count = 0;
  for (size_t i = 0; i < flamelet_capture_lane_count(capture); ++i) {
    flamelet_lane_info info;
    if (!lane.empty() && (!flamelet_capture_lane(capture, i, &info) || lane != info.name.text)) continue;
    std::vector<flamelet_span> spans(flamelet_capture_count_spans(capture, i, INT64_MIN, INT64_MAX));
    flamelet_capture_read_spans(capture, i, INT64_MIN, INT64_MAX, spans.data(), spans.size(), nullptr);
    for (const flamelet_span& span : spans) count += scope == flamelet_capture_string(capture, span.name).text;
  }
  return count;
}

static bool has_frame(const flamelet_capture* capture, uint64_t index) {
  flamelet_frame_info frame;
  const size_t position = flamelet_capture_find_frame(capture, index);
  return flamelet_capture_frame(capture, position, &frame) && frame.index == index;
}

int main(int argc, char** argv) {
  flamelet_capture* capture = nullptr;
  if (argc < 3 || flamelet_capture_load(nullptr, argv[1], &capture, nullptr) != FLAMELET_OK) return 1;
  int wrong = 0;
  for (int i = 2; i < argc; ++i) {
    const std::string wanted = argv[i];
    if (wanted[0] == '@') {
      wrong += !has_frame(capture, std::strtoul(wanted.c_str() + 1, nullptr, 10));
      continue;
    }
    const size_t equals = wanted.rfind('='), slash = wanted.find('/');
    const bool has_lane = slash < equals;
    const std::string lane = has_lane ? wanted.substr(0, slash) : "";
    const size_t begin = has_lane ? slash + 1 : 0;
    const size_t count = count_spans(capture, lane, wanted.substr(begin, equals - begin));
    if (count != std::strtoul(wanted.c_str() + equals + 1, nullptr, 10)) {
      std::fprintf(stderr, "%s: %zu, and not %s\n", argv[1], count, wanted.c_str());
      ++wrong;
    }
  }
  flamelet_capture_stats stats;
  flamelet_capture_get_stats(capture, &stats);
  if (stats.events_lost != 0 || stats.missing_ends != 0 || stats.extra_ends != 0) ++wrong;
  flamelet_capture_destroy(capture);
  return wrong == 0 ? 0 : 1;
}
