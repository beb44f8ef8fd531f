// SPDX-License-Identifier: MIT
//
// html_page.h: one HTML file that shows a capture: the page of `flamelet view` (web/), and behind it the capture as base64
// of gzip in a script element. The page finds it there (web/page.js).
#pragma once

#include <flamelet/io.h>
#include <zlib.h>

#include <string>
#include <string_view>

namespace flamelet::tools {

// The page without a capture; empty if this program was built without it (tools/CMakeLists.txt).
std::string_view html_page();

// Takes the bytes of a capture and passes the HTML file on.
class HtmlPageWriter {
 public:
  // `name` of the capture, as the page shows it.
  HtmlPageWriter(const std::string& name, flamelet_sink to);
  ~HtmlPageWriter();
  HtmlPageWriter(const HtmlPageWriter&) = delete;
  HtmlPageWriter& operator=(const HtmlPageWriter&) = delete;

  // Each is false once the sink has failed. begin() before, finish() after all bytes.
  bool begin();
  flamelet_sink sink() { return {write, this}; }
  bool finish();

 private:
  static bool write(void* user, const void* bytes, size_t size);
  bool compress(const void* bytes, size_t size, int flush);
  void add_base64(std::string_view bytes);
  bool pass(std::string_view text) { return to_.write(to_.user, text.data(), text.size()); }

  const std::string name_;
  const flamelet_sink to_;
  z_stream stream_ = {};
  std::string left_;     // up to two bytes that make no group of three yet
  std::string encoded_;  // of this piece
};

}  // namespace flamelet::tools
