// SPDX-License-Identifier: MIT
//
// exported.h: what an exporter writes, in memory.
#pragma once

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>

#include "flamelet/export.h"
#include "support/string_io.h"

inline std::string exported(const flamelet_capture* capture, flamelet_export_format format,
                            flamelet_export_report* report = nullptr, bool gzip = false) {
  flamelet_export_options options = flamelet_export_options_default();
  options.gzip = gzip;
  std::string bytes;
  REQUIRE(flamelet_export(capture, format, &options, sink_to(&bytes), report) == FLAMELET_OK);
  return bytes;
}

inline std::string unzip(const std::string& zipped) {
  z_stream stream = {};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  std::string bytes(size_t{1} << 22, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zipped.data()));
  stream.avail_in = static_cast<uInt>(zipped.size());
  int result = Z_OK;
  while (result == Z_OK || result == Z_BUF_ERROR) {
    if (stream.total_out == bytes.size()) bytes.resize(bytes.size() * 4);
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + stream.total_out);
    stream.avail_out = static_cast<uInt>(bytes.size() - stream.total_out);
    result = inflate(&stream, Z_FINISH);
    if (result == Z_BUF_ERROR && stream.avail_out != 0) break;  // it is cut off
  }
  CHECK(result == Z_STREAM_END);
  bytes.resize(stream.total_out);
  inflateEnd(&stream);
  return bytes;
}
