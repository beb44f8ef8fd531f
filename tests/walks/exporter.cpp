// SPDX-License-Identifier: MIT
//
// The format of exporter.patch is found by the end of a file name, and writes what it should.
#include <flamelet/export.h>
#include <flamelet/flamelet.h>

#include <string>

int main() {
  flamelet_config config = flamelet_config_default();
  if (flamelet_init(&config) != FLAMELET_OK) return 1;
  { FLAMELET_SCOPE("walked"); }
  flamelet_capture_config capture_config = flamelet_capture_config_default();
  flamelet_capture* capture = nullptr;
  if (flamelet_capture_create(&capture_config, &capture) != FLAMELET_OK) return 2;
  if (flamelet_capture_update(capture) != FLAMELET_OK) return 3;
  flamelet_export_format format;
  bool gzip;
  if (!flamelet_export_format_of_path("game.toy", &format, &gzip) || format != FLAMELET_EXPORT_TOY) return 4;
  std::string text;
  const auto write = [](void* user, const void* bytes, size_t size) {
    static_cast<std::string*>(user)->append(static_cast<const char*>(bytes), size);
    return true;
  };
  const flamelet_sink sink = {write, &text};
  if (flamelet_export(capture, format, nullptr, sink, nullptr) != FLAMELET_OK || text != "walked\n") return 5;
  flamelet_capture_destroy(capture);
  return flamelet_shutdown() == FLAMELET_OK ? 0 : 6;
}
