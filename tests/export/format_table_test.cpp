// SPDX-License-Identifier: MIT
#include <fstream>
#include <iterator>
#include <string>

#include "exported.h"
#include "support/captured_recording.h"

namespace {

const flamelet_export_format_info* info_of(int format) {
  return flamelet_export_format_get_info(format);
}

}  // namespace

TEST_CASE("export: each end of a name leads to its format, with and without .gz") {
  for (int number = 0; number < FLAMELET_EXPORT_FORMAT_COUNT; ++number) {
    REQUIRE(info_of(number) != nullptr);
    for (const char* end : info_of(number)->name_ends) {
      if (end == nullptr) continue;
      CAPTURE(end);
      flamelet_export_format format;
      bool gzip;
      REQUIRE(flamelet_export_format_of_path((std::string("game") + end).c_str(), &format, &gzip));
      CHECK(format == number);
      CHECK_FALSE(gzip);
      REQUIRE(flamelet_export_format_of_path((std::string("game") + end + ".gz").c_str(), &format, &gzip));
      CHECK(format == number);
      CHECK(gzip);
    }
  }
  CHECK(info_of(FLAMELET_EXPORT_FORMAT_COUNT) == nullptr);
  CHECK(info_of(-1) == nullptr);
}

TEST_CASE("export: the manual of the command names each format and each end of a name") {
  std::ifstream file(FLAMELET_DOCS "/tool.md");
  const std::string manual{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (int number = 0; info_of(number) != nullptr; ++number) {
    CAPTURE(info_of(number)->name);
    CHECK(manual.find("`" + std::string(info_of(number)->name) + "`") != std::string::npos);
    for (const char* end : info_of(number)->name_ends) {
      if (end != nullptr) CHECK(manual.find("`" + std::string(end) + "`") != std::string::npos);
    }
  }
}

TEST_CASE("export: what the program is called is the caller's to say") {
  recorder_test::CapturedRecording recording("main");
  flamelet_end(flamelet_begin("scope", "test", nullptr));
  flamelet_export_options options = flamelet_export_options_default();
  CHECK(std::string(options.process_name) == "program");
  options.process_name = "asteroid miner";
  std::string chrome, perfetto, pprof;
  REQUIRE(flamelet_export(recording.capture(), FLAMELET_EXPORT_CHROME, &options, sink_to(&chrome), nullptr) ==
          FLAMELET_OK);
  CHECK(chrome.find("\"args\":{\"name\":\"asteroid miner\"}") != std::string::npos);
  REQUIRE(flamelet_export(recording.capture(), FLAMELET_EXPORT_PERFETTO, &options, sink_to(&perfetto), nullptr) ==
          FLAMELET_OK);
  CHECK(perfetto.find("asteroid miner") != std::string::npos);
  REQUIRE(flamelet_export(recording.capture(), FLAMELET_EXPORT_PPROF, &options, sink_to(&pprof), nullptr) ==
          FLAMELET_OK);
  CHECK(unzip(pprof).find("asteroid miner") != std::string::npos);
  options.process_name = nullptr;
  CHECK(flamelet_export(recording.capture(), FLAMELET_EXPORT_PPROF, &options, sink_to(&pprof), nullptr) ==
        FLAMELET_ERROR_INVALID_ARGUMENT);
}
