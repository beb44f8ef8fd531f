// SPDX-License-Identifier: MIT
//
// What the evidence says: each row of the table by itself, and the same rows in docs/why.md.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "explain/src/evidence.h"

namespace explain_test::verdicts_test {
namespace {

using namespace flamelet::explain;

flamelet_verdict verdict_with(uint32_t facts) {
  Evidence evidence = {};
  evidence.facts = facts;
  return verdict_of(evidence);
}

}  // namespace

TEST_CASE("verdicts: the first row that fits decides, whatever else is known") {
  for (const VerdictRow& row : kVerdictRows) {
    CAPTURE(row.rule);
    CHECK(verdict_with(row.needs) == row.verdict);
    for (const VerdictRow* below = &row + 1; below != std::end(kVerdictRows); ++below) {
      const uint32_t facts = row.needs | below->needs;
      if ((facts & row.excludes) == 0) CHECK(verdict_with(facts) == row.verdict);
    }
  }
}

TEST_CASE("verdicts: a row is left out for what it excludes") {
  CHECK(verdict_with(kIsRare | kIsUsualJob) == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(verdict_with(kIsRare | kIsProbable | kIsUsualJob | kMoreOnAll) == FLAMELET_VERDICT_MORE_CALLS);
  CHECK(verdict_with(kIsRare | kBeganEarlier | kIsUsualJob) == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(verdict_with(kMoreOnPath | kIsUsualJob) == FLAMELET_VERDICT_SLOWER_CALLS);
  CHECK(verdict_with(kIsOwnTime | kTookFaults) == FLAMELET_VERDICT_SLOWER_CALLS);
}

TEST_CASE("verdicts: docs/why.md has the rows of the table, in their order") {
  std::ifstream file(FLAMELET_DOCS "/why.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  size_t at = 0;
  for (const VerdictRow& row : kVerdictRows) {
    const std::string line = std::string("| ") + row.rule + " | " + flamelet_verdict_name(row.verdict) + " |\n";
    CAPTURE(line);
    const size_t found = page.find(line, at);
    REQUIRE(found != std::string::npos);
    at = found + line.size();
  }
}

}  // namespace explain_test::verdicts_test
