// SPDX-License-Identifier: MIT
//
// pprof_samples.h: what stands in a pprof file.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

// The samples of a pprof file: locations, innermost first, to calls and self time.
using Samples = std::map<std::vector<uint64_t>, std::vector<int64_t>>;

inline Samples pprof_samples(const std::string& bytes) {
  Samples samples;
  size_t types = 0;
  std::vector<std::string> strings;
  for (protozero::pbf_reader profile(bytes); profile.next();) {
    if (profile.tag() == 2) {
      protozero::pbf_reader sample = profile.get_message();
      REQUIRE(sample.next(1));
      const auto locations = sample.get_packed_uint64();
      REQUIRE(sample.next(2));
      const auto values = sample.get_packed_int64();
      samples[{locations.begin(), locations.end()}].assign(values.begin(), values.end());
    } else if (profile.tag() == 6) {
      strings.push_back(profile.get_string());
    } else {
      types += profile.tag() == 1;
      profile.skip();
    }
  }
  REQUIRE_FALSE(strings.empty());
  CHECK(strings[0].empty());
  CHECK(types == 2);
  return samples;
}
