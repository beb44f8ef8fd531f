// SPDX-License-Identifier: MIT
//
// explainer.h: the explainer for a file: its memory, with as much room as the frames need. A file may have more in a frame than
// a game looks at while it runs.
#pragma once

#include <flamelet/explain.h>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

namespace flamelet::tools {

class Explainer {
 public:
  explicit Explainer(const flamelet_explain_config& config) : config_(config) {}
  Explainer(const Explainer&) = delete;
  Explainer& operator=(const Explainer&) = delete;

  // Against the frames before it.
  flamelet_explanation explain(const flamelet_capture* capture, size_t position) {
    return ask(capture, [&](flamelet_explanation* why) { flamelet_explain_frame(explain_, capture, position, why); });
  }
  flamelet_explanation explain_against(const flamelet_capture* capture, size_t position, size_t first, size_t count) {
    return ask(capture, [&](flamelet_explanation* why) {
      flamelet_explain_frame_against(explain_, capture, position, first, count, why);
    });
  }
  // Before another capture, or another main lane.
  void forget(uint32_t main_lane) {
    config_.main_lane = main_lane;
    explain_ = nullptr;
  }

  const flamelet_explain* get() const { return explain_; }
  // What a function of explain.h writes, such as flamelet_explain_text().
  template <class About>
  std::string words(size_t (*write)(const flamelet_explain*, const flamelet_capture*, const About*, char*, size_t),
                    const flamelet_capture* capture, const About& about) const {
    std::string text(write(explain_, capture, &about, nullptr, 0) + 1, '\0');
    write(explain_, capture, &about, text.data(), text.size());
    text.pop_back();
    return text;
  }

 private:
  template <class Question>
  flamelet_explanation ask(const flamelet_capture* capture, Question question) {
    constexpr uint32_t kMostSpans = 1u << 22;
    const auto lanes = static_cast<uint32_t>(flamelet_capture_lane_count(capture));
    if (lanes > config_.max_lanes) {
      config_.max_lanes = lanes;
      explain_ = nullptr;
    }
    for (;;) {
      flamelet_explanation why;
      if (explain_ == nullptr) create();
      question(&why);
      if ((why.flags & FLAMELET_EXPLAIN_OVER_LIMITS) == 0 || config_.max_spans >= kMostSpans) return why;
      for (uint32_t* limit :
           {&config_.max_spans, &config_.max_flows, &config_.max_paths, &config_.max_samples, &config_.max_pieces})
        *limit *= 4;
      explain_ = nullptr;
    }
  }

  void create() {
    memory_.resize(flamelet_explain_memory_required(&config_));
    if (flamelet_explain_create(&config_, memory_.data(), memory_.size(), &explain_) != FLAMELET_OK)
      throw std::bad_alloc();
  }

  flamelet_explain_config config_;
  std::vector<char> memory_;
  flamelet_explain* explain_ = nullptr;
};

}  // namespace flamelet::tools
