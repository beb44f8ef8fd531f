// SPDX-License-Identifier: MIT
//
// explaining.h: an explainer with its memory, which is exactly what it asked for.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "flamelet/explain.h"
#include "support/read.h"
#include "support/string_io.h"

namespace explain_test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Explaining {
 public:
  explicit Explaining(const flamelet_explain_config& config = flamelet_explain_config_default()) {
    memory_.resize(flamelet_explain_memory_required(&config));
    REQUIRE(flamelet_explain_create(&config, memory_.data(), memory_.size(), &explain_) == FLAMELET_OK);
  }
  Explaining(const Explaining&) = delete;
  Explaining& operator=(const Explaining&) = delete;

  operator flamelet_explain*() const { return explain_; }

  flamelet_explanation frame(const flamelet_capture* capture, size_t position) const {
    flamelet_explanation why;
    REQUIRE(flamelet_explain_frame(explain_, capture, position, &why) == FLAMELET_OK);
    check_tiles(why);
    return why;
  }
  std::string text(const flamelet_capture* capture, const flamelet_explanation& why) const {
    std::string text(flamelet_explain_text(explain_, capture, &why, nullptr, 0) + 1, '\0');
    CHECK(flamelet_explain_text(explain_, capture, &why, text.data(), text.size()) == text.size() - 1);
    text.pop_back();
    return text;
  }
  std::string json(const flamelet_capture* capture, const flamelet_explanation& why) const {
    std::string json;
    CHECK(flamelet_explain_json(explain_, capture, &why, sink_to(&json)));
    return json;
  }
  // "Update > Physics"
  std::string path(const flamelet_capture* capture, uint32_t path) const {
    flamelet_explain_scope scope;
    if (!flamelet_explain_path(explain_, path, &scope)) return "";
    const std::string name = scope.lane != UINT32_MAX ? "no scope" : recorder_test::text_of(capture, scope.name);
    return scope.parent == FLAMELET_NO_PATH ? name : this->path(capture, scope.parent) + " > " + name;
  }

 private:
  // The pieces are the frame: no gap, no overlap.
  static void check_tiles(const flamelet_explanation& why) {
    if ((why.flags & FLAMELET_EXPLAIN_NO_MAIN_THREAD) != 0) {
      CHECK(why.piece_count == 0);
      return;
    }
    int64_t at_ns = why.frame.begin_ns;
    for (size_t i = 0; i < why.piece_count; ++i) {
      REQUIRE(why.pieces[i].begin_ns == at_ns);
      REQUIRE(why.pieces[i].end_ns > at_ns);
      at_ns = why.pieces[i].end_ns;
    }
    REQUIRE(at_ns == why.frame.end_ns);
  }

  std::vector<char> memory_;
  flamelet_explain* explain_ = nullptr;
};

}  // namespace explain_test
