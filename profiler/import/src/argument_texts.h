// SPDX-License-Identifier: MIT
//
// argument_texts.h: texts of the arguments of other programs' events, as strings of the builder. Each event may have a new
// one, so they get half of the room for strings: the names of what comes later are worth more.
#ifndef FLAMELET_IMPORT_SRC_ARGUMENT_TEXTS_H
#define FLAMELET_IMPORT_SRC_ARGUMENT_TEXTS_H

#include <cstdint>
#include <string_view>

#include "flamelet/capture_builder.h"

namespace flamelet::formats {

class ArgumentTexts {
 public:
  ArgumentTexts(flamelet_capture_builder* builder, const flamelet_capture_config& config)
      : builder_(builder), max_string_(config.max_strings / 2), bytes_left_(config.string_bytes / 2) {}

  // 0: it is empty, or there is no room for it.
  uint32_t string(std::string_view text) {
    if (text.empty() || newest_ >= max_string_ || text.size() > bytes_left_) return 0;
    const uint32_t string = flamelet_capture_builder_string(builder_, text.data(), text.size());
    if (string > newest_) {  // numbers rise, so this text is a new one, or at least new here
      newest_ = string;
      bytes_left_ -= text.size();
    }
    return string;
  }

 private:
  flamelet_capture_builder* const builder_;
  const uint32_t max_string_;
  size_t bytes_left_;
  uint32_t newest_ = 0;
};

}  // namespace flamelet::formats

#endif  // FLAMELET_IMPORT_SRC_ARGUMENT_TEXTS_H
