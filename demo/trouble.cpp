// SPDX-License-Identifier: MIT
#include "trouble.h"

#include <chrono>
#include <cstdio>
#include <iterator>

namespace demo {
namespace {

constexpr double kUsualMs = 60;

constexpr struct {
  const char* name;
  TroubleKind kind;
} kKinds[] = {{"slow-job", TroubleKind::kSlowJob},
              {"more-calls", TroubleKind::kMoreCalls},
              {"lock", TroubleKind::kLock},
              {"new-scope", TroubleKind::kNewScope},
              {"no-scope", TroubleKind::kNoScope}};

}  // namespace

std::optional<Trouble> parse_trouble(const std::string& text) {
  const size_t at = text.find('@');
  if (at == std::string::npos) return std::nullopt;
  for (const auto& known : kKinds) {
    if (text.compare(0, at, known.name) != 0) continue;
    Trouble trouble = {known.kind, 0, kUsualMs};
    unsigned long long frame = 0;
    char rest = 0;
    const char* const numbers = text.c_str() + at + 1;
    const int read = std::sscanf(numbers, "%llu:%lf%c", &frame, &trouble.ms, &rest);
    const bool is_alone = read == 1 && text.find(':') == std::string::npos &&
                          text.find_first_not_of("0123456789", at + 1) == std::string::npos;
    if (!(is_alone || read == 2) || frame == 0 || *numbers == '-' || !(trouble.ms > 0) || trouble.ms > 10000)
      return std::nullopt;
    trouble.frame = frame;
    return trouble;
  }
  return std::nullopt;
}

double Troubles::ms(TroubleKind kind, uint64_t frame) const {
  double sum = 0;
  for (const Trouble& trouble : troubles_)
    if (trouble.kind == kind && trouble.frame == frame) sum += trouble.ms;
  return sum;
}

void be_busy(double ms) {
  using Clock = std::chrono::steady_clock;
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(ms));
  while (Clock::now() < end) {
  }
}

}  // namespace demo
