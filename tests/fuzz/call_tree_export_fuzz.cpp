// SPDX-License-Identifier: MIT
//
// Any bytes as a call tree, which is exported as pprof and as collapsed stacks: what is read back has each path of the tree,
// its names mended to UTF-8, and its figures.
#include <zlib.h>

#include <algorithm>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "exporter.h"
#include "flamelet/export.h"
#include "fuzz.h"
#include "support/string_io.h"
#include "tree_input.h"

using flamelet::formats::append_utf8;

namespace {

std::string unzip(const std::string& zipped) {
  z_stream stream = {};
  FUZZ_CHECK(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zipped.data()));
  stream.avail_in = static_cast<uInt>(zipped.size());
  std::string bytes;
  char piece[8192];
  int result = Z_OK;
  while (result == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    result = inflate(&stream, Z_NO_FLUSH);
    bytes.append(piece, sizeof piece - stream.avail_out);
  }
  FUZZ_CHECK(result == Z_STREAM_END && stream.avail_in == 0);
  inflateEnd(&stream);
  return bytes;
}

std::string utf8(std::string_view text) {
  std::string whole;
  append_utf8(text, &whole);
  return whole;
}

struct Sample {
  std::vector<uint64_t> locations;
  std::vector<int64_t> values;
};

// What profile.proto calls these fields.
struct Profile {
  std::vector<std::string> strings;
  std::vector<Sample> samples;
  std::vector<int64_t> types;          // two strings for each value
  std::vector<uint64_t> function_of;   // by location, from 1
  std::vector<int64_t> function_name;  // by function, from 1

  const std::string& string(int64_t index) const {
    FUZZ_CHECK(index >= 0 && static_cast<size_t>(index) < strings.size());
    return strings[static_cast<size_t>(index)];
  }
  const std::string& name_of(uint64_t location) const {
    FUZZ_CHECK(location >= 1 && location <= function_of.size());
    const uint64_t function = function_of[location - 1];
    FUZZ_CHECK(function >= 1 && function <= function_name.size());
    return string(function_name[function - 1]);
  }
};

Sample read_sample(protozero::pbf_reader message) {
  Sample sample;
  while (message.next()) {
    if (message.tag() == 1) {
      const auto range = message.get_packed_uint64();
      sample.locations.assign(range.begin(), range.end());
    } else if (message.tag() == 2) {
      const auto range = message.get_packed_int64();
      sample.values.assign(range.begin(), range.end());
    } else {
      message.skip();
    }
  }
  return sample;
}

// The number in a field of a message; its ids count from 1, in their order.
int64_t field_of(protozero::pbf_reader message, uint32_t tag, size_t id) {
  int64_t value = 0;
  uint64_t seen_id = 0;
  while (message.next()) {
    if (message.tag() == 1)
      seen_id = message.get_uint64();
    else if (message.tag() == tag)
      value = message.get_int64();
    else
      message.skip();
  }
  FUZZ_CHECK(seen_id == id);
  return value;
}

uint64_t function_in(protozero::pbf_reader location, size_t id) {
  uint64_t function = 0, seen_id = 0;
  while (location.next()) {
    if (location.tag() == 1) {
      seen_id = location.get_uint64();
    } else if (location.tag() == 4) {
      protozero::pbf_reader line = location.get_message();
      while (line.next()) {
        if (line.tag() == 1)
          function = line.get_uint64();
        else
          line.skip();
      }
    } else {
      location.skip();
    }
  }
  FUZZ_CHECK(seen_id == id);
  return function;
}

Profile read_profile(const std::string& bytes) {
  Profile profile;
  protozero::pbf_reader reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case 1: {
        protozero::pbf_reader type = reader.get_message();
        while (type.next()) profile.types.push_back(type.get_int64());
        break;
      }
      case 2:
        profile.samples.push_back(read_sample(reader.get_message()));
        break;
      case 4:
        profile.function_of.push_back(function_in(reader.get_message(), profile.function_of.size() + 1));
        break;
      case 5:
        profile.function_name.push_back(field_of(reader.get_message(), 2, profile.function_name.size() + 1));
        break;
      case 6:
        profile.strings.push_back(reader.get_string());
        break;
      default:
        reader.skip();
    }
  }
  return profile;
}

// `names`: of the paths, as UTF-8.
void check_pprof(flamelet_call_tree* tree, const std::vector<InputPath>& paths, const std::vector<std::string>& names,
                 const char* type) {
  std::string zipped;
  flamelet_export_report report;
  FUZZ_CHECK(flamelet_export_call_tree(tree, FLAMELET_EXPORT_PPROF, type, "count", false, sink_to(&zipped), &report) ==
             FLAMELET_OK);
  FUZZ_CHECK(report.bytes == zipped.size());
  const Profile profile = read_profile(unzip(zipped));
  FUZZ_CHECK(!profile.strings.empty() && profile.strings[0].empty());
  for (const std::string& text : profile.strings) FUZZ_CHECK(utf8(text) == text);
  FUZZ_CHECK(profile.types.size() == 4 && profile.string(profile.types[0]) == "calls" &&
             profile.string(profile.types[2]) == utf8(type) && profile.string(profile.types[3]) == "count");
  FUZZ_CHECK(profile.samples.size() == paths.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    const Sample& sample = profile.samples[i];
    FUZZ_CHECK(sample.values.size() == 2 && sample.values[0] == static_cast<int64_t>(paths[i].calls) &&
               sample.values[1] == static_cast<int64_t>(paths[i].self_samples));
    // The innermost location stands first.
    size_t at = i, depth = 1;
    for (const uint64_t location : sample.locations) {
      FUZZ_CHECK(profile.name_of(location) == names[at]);
      at = paths[at].parent;
    }
    for (at = i; at != 0; at = paths[at].parent) ++depth;
    FUZZ_CHECK(sample.locations.size() == depth);
  }
}

// Each line: frames with ';' between them, a space, a number.
void check_collapsed(flamelet_call_tree* tree, const std::vector<InputPath>& paths) {
  std::string text;
  FUZZ_CHECK(flamelet_export_call_tree(tree, FLAMELET_EXPORT_COLLAPSED, nullptr, nullptr, false, sink_to(&text),
                                       nullptr) == FLAMELET_OK);
  FUZZ_CHECK(utf8(text) == text);
  size_t begin = 0;
  for (const InputPath& path : paths) {
    if (path.self_samples == 0) continue;
    const size_t end = text.find('\n', begin);
    FUZZ_CHECK(end != std::string::npos);
    const std::string line = text.substr(begin, end - begin);
    size_t frames = 1, depth = 1;
    for (const char c : line) frames += c == ';';
    for (size_t at = static_cast<size_t>(&path - paths.data()); at != 0; at = paths[at].parent) ++depth;
    FUZZ_CHECK(frames == depth);
    FUZZ_CHECK(line.substr(line.rfind(' ') + 1) == std::to_string(path.self_samples));
    begin = end + 1;
  }
  FUZZ_CHECK(begin == text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  TreeBytes left = {bytes, bytes + std::min(size, kMostTreeBytes)};
  const uint8_t options = left.take();
  InputTree tree((options & 1) != 0);
  while (!left.is_empty()) tree.take(left.take(), &left);
  const std::vector<InputPath> paths = paths_of(tree.calls());
  // An exporter's buffers take more time than all the rest: it is asked of one tree in four, but of all seeds.
  if (variant_of(bytes, size) % std::min(kAskedMore, 4u) != 0) return 0;
  // One type of the samples is no UTF-8, one is the name of another string.
  static const char* const kTypes[] = {"time", "", "a\xff", "count"};
  std::vector<std::string> names;
  for (const InputPath& path : paths) names.push_back(utf8(path.name));
  check_pprof(tree.calls(), paths, names, kTypes[options / 2 % 4]);
  check_collapsed(tree.calls(), paths);
  return 0;
}
