// SPDX-License-Identifier: MIT
#include "flight_recorder.h"

#include <flamelet/scope.h>

#include <cinttypes>
#include <filesystem>
#include <stdexcept>

namespace demo {

FlightRecorder::FlightRecorder(const std::string& folder, bool small_memory) {
  if (!folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw std::runtime_error("Cannot make the folder " + folder + ": " + error.message());
  }
  flamelet_capture_config capture_config = flamelet_capture_config_default();
  capture_config.budget_bytes = size_t{16} << 20;
  if (small_memory) capture_config = flamelet_capture_config_small();
  flamelet_result result = flamelet_capture_create(&capture_config, &capture_);
  if (result == FLAMELET_OK) {
    flamelet_flight_config config = small_memory ? flamelet_flight_config_small() : flamelet_flight_config_default();
    config.median_factor = 2.2;
    config.folder = folder.empty() ? nullptr : folder.c_str();
    result = flamelet_flight_create(&config, capture_, &flight_);
  }
  if (result == FLAMELET_OK) return;
  flamelet_capture_destroy(capture_);
  throw std::runtime_error(std::string("The flight recorder does not start: ") + flamelet_result_message(result));
}

FlightRecorder::~FlightRecorder() {
  flamelet_flight_destroy(flight_);
  flamelet_capture_destroy(capture_);
}

void FlightRecorder::update() {
  FLAMELET_SCOPE("Flight recorder");
  flamelet_capture_update(capture_);
  const flamelet_result result = flamelet_flight_update(flight_);
  if (result != FLAMELET_OK) std::fprintf(stderr, "A hitch is not written: %s\n", flamelet_result_message(result));
}

void FlightRecorder::print(std::FILE* file) {
  flamelet_flight_stats stats;
  flamelet_flight_get_stats(flight_, &stats);
  if (stats.triggers == 0) return;
  std::fprintf(file, "Hitches     %" PRIu64 " kept of %" PRIu64 ", %" PRIu64 " written", stats.kept, stats.triggers,
               stats.files_written);
  if (stats.files_removed != 0) std::fprintf(file, ", %" PRIu64 " files removed (max_files)", stats.files_removed);
  std::fprintf(file, "%s\n", stats.busy ? "; one more is being kept" : "");
  flamelet_flight_info info;
  for (size_t i = 0; i < 5 && flamelet_flight_get(flight_, i, &info); ++i)
    std::fprintf(file, "            %s: %s\n", flamelet_flight_cause_name(info.cause),
                 explainer_.explain_hitch(flight_, i).c_str());
}

}  // namespace demo
