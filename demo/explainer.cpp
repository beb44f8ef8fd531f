// SPDX-License-Identifier: MIT
#include "explainer.h"

namespace demo {

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

}  // namespace demo
