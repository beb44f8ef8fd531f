// SPDX-License-Identifier: MIT
#include "html_page.h"

#include <new>

#include "plot.h"

namespace flamelet::tools {

HtmlPageWriter::HtmlPageWriter(const std::string& name, flamelet_sink to) : name_(name), to_(to) {
  // 16: gzip's header, without a time, so that equal captures give equal pages.
  if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

HtmlPageWriter::~HtmlPageWriter() {
  deflateEnd(&stream_);
}

bool HtmlPageWriter::begin() {
  return pass(html_page()) && pass("<script id=\"capture\" type=\"text/plain\" data-name=\"" + xml_text(name_) + "\">");
}

bool HtmlPageWriter::write(void* user, const void* bytes, size_t size) {
  constexpr size_t kPiece = size_t{1} << 20;  // zlib counts in 32 bits
  HtmlPageWriter& self = *static_cast<HtmlPageWriter*>(user);
  const char* at = static_cast<const char*>(bytes);
  for (; size > kPiece; at += kPiece, size -= kPiece)
    if (!self.compress(at, kPiece, Z_NO_FLUSH)) return false;
  return self.compress(at, size, Z_NO_FLUSH);
}

bool HtmlPageWriter::finish() {
  return compress(nullptr, 0, Z_FINISH) && pass("</script>\n");
}

bool HtmlPageWriter::compress(const void* bytes, size_t size, int flush) {
  stream_.next_in = static_cast<unsigned char*>(const_cast<void*>(bytes));
  stream_.avail_in = static_cast<uInt>(size);
  char buffer[1 << 16];
  encoded_.clear();
  do {
    stream_.next_out = reinterpret_cast<unsigned char*>(buffer);
    stream_.avail_out = sizeof buffer;
    deflate(&stream_, flush);
    add_base64({buffer, sizeof buffer - stream_.avail_out});
  } while (stream_.avail_out == 0);
  if (flush == Z_FINISH && !left_.empty()) {
    const size_t missing = 3 - left_.size();
    add_base64(std::string(missing, '\0'));
    encoded_.replace(encoded_.size() - missing, missing, missing, '=');
  }
  return encoded_.empty() || pass(encoded_);
}

void HtmlPageWriter::add_base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  left_ += bytes;
  size_t at = 0;
  for (; at + 3 <= left_.size(); at += 3) {
    const auto byte = [&](size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(left_[at + i])); };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (int shift = 18; shift >= 0; shift -= 6) encoded_ += kDigits[group >> shift & 63];
  }
  left_.erase(0, at);
}

}  // namespace flamelet::tools
