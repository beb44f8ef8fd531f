// SPDX-License-Identifier: MIT
#include "save_capture.h"

#include <flamelet/capture_file.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace demo {

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
