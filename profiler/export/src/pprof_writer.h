// SPDX-License-Identifier: MIT
//
// pprof_writer.h: the messages of profile.proto, for whatever has samples by call path.
//
// By pprof's rules: string 0 is empty, ids count from 1, the innermost location stands first. A mapping that claims to
// have symbols keeps `go tool pprof` from looking for a program.
#ifndef FLAMELET_EXPORT_SRC_PPROF_WRITER_H
#define FLAMELET_EXPORT_SRC_PPROF_WRITER_H

#include <iterator>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "output.h"

namespace flamelet::formats {

class PprofWriter {
 public:
  PprofWriter(Output& out, flamelet_export_report& report) : out_(out), report_(report) { string(""); }

  // Index in the string table; new ones are written on the spot.
  int64_t string(std::string_view text) {
    std::string whole;
    const bool was_whole = append_utf8(text, &whole);
    const auto [at, added] = strings_.try_emplace(whole, static_cast<int64_t>(strings_.size()));
    if (added) {
      report_.texts_repaired += !was_whole;
      std::string bytes;
      protozero::pbf_writer(bytes).add_string(kProfileString, whole);
      out_.append(bytes);
    }
    return at->second;
  }

  // What the values of a sample are, in their order: two of these.
  void sample_type(int64_t type, int64_t unit) { value_type(kProfileSampleType, type, unit); }

  // `label`: a Label message, or nothing.
  void sample(const std::vector<uint64_t>& locations, int64_t first_value, int64_t second_value,
              const std::string& label) {
    const int64_t values[] = {first_value, second_value};
    protozero::pbf_writer sample = message(kProfileSample);
    sample.add_packed_uint64(1, locations.begin(), locations.end());
    sample.add_packed_int64(2, std::begin(values), std::end(values));
    if (!label.empty()) sample.add_message(3, label);
    flush();
  }

  // A location, and the function that it is in, of the same id. Where the system's name is the name itself, go tool
  // pprof takes it for one that it failed to demangle, and cuts what stands in brackets off: so it is left out.
  void location(uint64_t id, int64_t name, int64_t system_name, int64_t file, int64_t line_number) {
    if (system_name == name) system_name = 0;
    protozero::pbf_writer function = message(kProfileFunction);
    function.add_uint64(1, id);
    function.add_int64(2, name);
    if (system_name != 0) function.add_int64(3, system_name);
    function.add_int64(4, file);
    flush();
    std::string line;
    protozero::pbf_writer line_writer(line);
    line_writer.add_uint64(1, id);
    line_writer.add_int64(2, line_number);
    protozero::pbf_writer location = message(kProfileLocation);
    location.add_uint64(1, id);
    location.add_uint64(2, 1);
    location.add_message(4, line);
    flush();
  }

  void mapping(std::string_view file) {
    const int64_t name = string(file);
    protozero::pbf_writer mapping = message(kProfileMapping);
    mapping.add_uint64(1, 1);
    mapping.add_int64(5, name);
    mapping.add_bool(7, true);   // has functions
    mapping.add_bool(8, true);   // has file names
    mapping.add_bool(9, true);   // has lines
    mapping.add_bool(10, true);  // has inlined frames: nothing is left to look up
    flush();
  }

  void time(int64_t unix_ns, int64_t duration_ns) {
    std::string bytes;
    protozero::pbf_writer profile(bytes);
    profile.add_int64(kProfileTime, unix_ns);
    profile.add_int64(kProfileDuration, duration_ns);
    out_.append(bytes);
  }

  // Each sample counts 1 of this, and it is shown unless another type is asked for.
  void default_type(int64_t type, int64_t unit) {
    value_type(kProfilePeriodType, type, unit);
    std::string bytes;
    protozero::pbf_writer profile(bytes);
    profile.add_int64(kProfilePeriod, 1);
    profile.add_int64(kProfileDefaultSampleType, type);
    out_.append(bytes);
  }

 private:
  // Field numbers of profile.proto.
  enum : protozero::pbf_tag_type {
    kProfileSampleType = 1,
    kProfileSample = 2,
    kProfileMapping = 3,
    kProfileLocation = 4,
    kProfileFunction = 5,
    kProfileString = 6,
    kProfileTime = 9,
    kProfileDuration = 10,
    kProfilePeriodType = 11,
    kProfilePeriod = 12,
    kProfileDefaultSampleType = 14,
  };

  // One message at a time: fill it, then flush() it.
  protozero::pbf_writer message(protozero::pbf_tag_type tag) {
    tag_ = tag;
    bytes_.clear();
    return protozero::pbf_writer(bytes_);
  }
  void flush() {
    std::string framed;
    protozero::pbf_writer(framed).add_message(tag_, bytes_);
    out_.append(framed);
    bytes_.clear();
  }

  void value_type(protozero::pbf_tag_type tag, int64_t type, int64_t unit) {
    protozero::pbf_writer value = message(tag);
    value.add_int64(1, type);
    value.add_int64(2, unit);
    flush();
  }

  Output& out_;
  flamelet_export_report& report_;
  std::unordered_map<std::string, int64_t> strings_;
  std::string bytes_;
  protozero::pbf_tag_type tag_ = 0;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_PPROF_WRITER_H
