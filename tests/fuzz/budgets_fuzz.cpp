// SPDX-License-Identifier: MIT
//
// Any bytes as a file of budgets: what is read lies in the text, and is the same however much room there is.
#include <vector>

#include "flamelet/budgets.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const char* const text = reinterpret_cast<const char*>(bytes);
  size_t count = 0;
  flamelet_budgets_error error;
  const flamelet_result result = flamelet_budgets_read(text, size, nullptr, 0, &count, &error);
  FUZZ_CHECK(result == FLAMELET_OK || (count == 0 && error.line != 0 && error.message[0] != 0));
  std::vector<flamelet_budget> budgets(count), some(count / 2);
  size_t again = 0;
  FUZZ_CHECK(flamelet_budgets_read(text, size, budgets.data(), count, &again, &error) == result && again == count);
  FUZZ_CHECK(flamelet_budgets_read(text, size, some.data(), some.size(), &again, nullptr) == result && again == count);
  for (size_t i = 0; i < count; ++i) {
    const flamelet_budget& budget = budgets[i];
    FUZZ_CHECK(budget.limit_ns > 0 && flamelet_budget_kind_name(budget.kind)[0] != 0);
    const bool is_inside = budget.scope.text >= text && budget.scope.text + budget.scope.size <= text + size;
    FUZZ_CHECK(budget.scope.size == 0 || is_inside);
    if (i < some.size()) FUZZ_CHECK(some[i].limit_ns == budget.limit_ns && some[i].scope.text == budget.scope.text);
  }
  return 0;
}
