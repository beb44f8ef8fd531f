// SPDX-License-Identifier: MIT
#include "explainer.h"

#include <flamelet/capture.h>

namespace demo {

Explainer::Answer Explainer::explain(const flamelet_capture* capture, uint64_t frame) {
  const flamelet_explain_config config = flamelet_explain_config_default();
  memory_.resize(flamelet_explain_memory_required(&config));
  flamelet_explain* explain = nullptr;
  flamelet_explanation why;
  const size_t position = flamelet_capture_find_frame(capture, frame);
  if (flamelet_explain_create(&config, memory_.data(), memory_.size(), &explain) != FLAMELET_OK ||
      flamelet_explain_frame(explain, capture, position, &why) != FLAMELET_OK)
    return {};
  Answer answer;
  answer.sentence.resize(flamelet_explain_text(explain, capture, &why, nullptr, 0) + 1);
  flamelet_explain_text(explain, capture, &why, answer.sentence.data(), answer.sentence.size());
  answer.sentence.resize(
      answer.sentence.find_first_of(std::string_view("\n\0", 2)));  // behind it comes a line for each cause
  if (why.cause_count == 0) return answer;
  // What was waited for may have begun frames ago; the wait is in this one.
  const flamelet_cause& cause = why.causes[0];
  const bool is_here = cause.span_begin_ns >= why.frame.begin_ns || cause.waiting == FLAMELET_NO_PATH;
  flamelet_explain_scope scope;
  if (!flamelet_explain_path(explain, is_here ? cause.path : cause.waiting, &scope) || scope.lane != UINT32_MAX)
    return answer;
  const flamelet_string name = flamelet_capture_string(capture, scope.name);
  answer.scope.assign(name.text, name.size);
  return answer;
}

}  // namespace demo
