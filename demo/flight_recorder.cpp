// SPDX-License-Identifier: MIT
#include "flight_recorder.h"

#include <flamelet/capture_file.h>
#include <flamelet/scope.h>

#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace demo {

// ---- why a frame was slow

// An explainer that knows nothing yet.
bool Explainer::start() {
  const flamelet_explain_config config = flamelet_explain_config_default();
  memory_.resize(flamelet_explain_memory_required(&config));
  return flamelet_explain_create(&config, memory_.data(), memory_.size(), &explain_) == FLAMELET_OK;
}

std::string Explainer::sentence(const flamelet_capture* capture, const flamelet_explanation& why) const {
  std::string text(flamelet_explain_sentence(explain_, capture, &why, nullptr, 0) + 1, '\0');
  flamelet_explain_sentence(explain_, capture, &why, text.data(), text.size());
  text.pop_back();
  return text;
}

Explainer::Answer Explainer::explain(const flamelet_capture* capture, uint64_t frame) {
  flamelet_explanation why;
  const size_t position = flamelet_capture_find_frame(capture, frame);
  if (!start() || flamelet_explain_frame(explain_, capture, position, &why) != FLAMELET_OK) return {};
  Answer answer = {sentence(capture, why), ""};
  if (why.cause_count == 0) return answer;
  // What was waited for may have begun frames ago; the wait is in this one.
  const flamelet_cause& cause = why.causes[0];
  const bool is_here = cause.span_begin_ns >= why.frame.begin_ns || cause.waiting == FLAMELET_NO_PATH;
  flamelet_explain_scope scope;
  if (!flamelet_explain_path(explain_, is_here ? cause.path : cause.waiting, &scope) || scope.lane != UINT32_MAX)
    return answer;
  const flamelet_string name = flamelet_capture_string(capture, scope.name);
  answer.scope.assign(name.text, name.size);
  return answer;
}

std::string Explainer::explain_hitch(const flamelet_flight* flight, size_t position) {
  flamelet_capture* capture = nullptr;
  flamelet_explanation why;
  if (!start() || flamelet_explain_hitch(explain_, flight, position, &capture, &why) != FLAMELET_OK) return "";
  std::string text = sentence(capture, why);
  flamelet_capture_destroy(capture);
  return text;
}

// ---- flight recorder

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

// ---- save capture

void save_capture(const std::string& path) {
  flamelet_capture* capture = nullptr;
  const flamelet_capture_config config = flamelet_capture_config_default();
  flamelet_result result = flamelet_capture_create(&config, &capture);
  const std::unique_ptr<flamelet_capture, decltype(&flamelet_capture_destroy)> owner(capture, flamelet_capture_destroy);
  if (result == FLAMELET_OK) result = flamelet_capture_update(capture);
  if (result == FLAMELET_OK) result = flamelet_capture_save(capture, INT64_MIN, INT64_MAX, path.c_str());
  const int error = errno;
  const bool is_file = result == FLAMELET_ERROR_FILE_OPEN || result == FLAMELET_ERROR_FILE_WRITE;
  if (result != FLAMELET_OK)
    throw std::runtime_error("Cannot save the capture file " + path + ": " +
                             (is_file ? std::strerror(error) : flamelet_result_message(result)));
}

}  // namespace demo
