// SPDX-License-Identifier: MIT
#include "view/palette.h"

#include <doctest/doctest.h>
#include <math.h>

#include <algorithm>
#include <vector>

using namespace flamelet::ui;

namespace {

struct Linear {
  double r, g, b;
};

Linear to_linear(Rgb rgb) {
  const auto channel = [rgb](int shift) {
    const double value = (rgb >> shift & 0xFF) / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
  };
  return {channel(16), channel(8), channel(0)};
}

// Full protanopia, deuteranopia and tritanopia, after G. M. Machado et al., "A Physiologically-based Model for Simulation
// of Color Vision Deficiency", 2009. The first matrix is normal sight.
constexpr double kSights[4][9] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},
    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
    {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
    {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}};

Linear see(const double (&m)[9], Linear c) {
  const auto clamp = [](double value) { return std::min(std::max(value, 0.0), 1.0); };
  return {clamp(m[0] * c.r + m[1] * c.g + m[2] * c.b), clamp(m[3] * c.r + m[4] * c.g + m[5] * c.b),
          clamp(m[6] * c.r + m[7] * c.g + m[8] * c.b)};
}

// The distance of two colours in OKLab (B. Ottosson, 2020), where black to white is 1.
double difference(Linear a, Linear b) {
  double lab[2][3];
  const Linear colors[2] = {a, b};
  for (int i = 0; i < 2; ++i) {
    const Linear& c = colors[i];
    const double l = cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
    const double m = cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
    const double s = cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
    lab[i][0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[i][1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[i][2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
  }
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += (lab[0][i] - lab[1][i]) * (lab[0][i] - lab[1][i]);
  return sqrt(sum);
}

}  // namespace

TEST_CASE("overlay colours: any two scope colours differ, for every kind of sight") {
  for (const auto& sight : kSights) {
    for (uint32_t i = 0; i < kScopeColorCount; ++i) {
      for (uint32_t j = 0; j < i; ++j) {
        CAPTURE(&sight - kSights);
        CAPTURE(i);
        CAPTURE(j);
        // A just noticeable difference is 0.02. All pairs differ by two of them, and by three to eyes that see all colours.
        const double least = &sight == kSights ? 0.07 : 0.04;
        CHECK(difference(see(sight, to_linear(kScopeColors[i])), see(sight, to_linear(kScopeColors[j]))) > least);
      }
    }
  }
}

TEST_CASE("overlay colours: no scope looks like a merged block, a waiting one or one that the filter leaves out") {
  for (const Rgb scope : kScopeColors)
    for (const Rgb other : {color::kMerged, color::kMergedMatch, color::kWait, color::kDimmed})
      for (const auto& sight : kSights)
        CHECK(difference(see(sight, to_linear(scope)), see(sight, to_linear(other))) > 0.06);
}

TEST_CASE("overlay colours: the three verdicts on a frame differ, for every kind of sight") {
  const Rgb verdicts[] = {color::kFrameGood, color::kFrameOver, color::kFrameFar};
  for (const auto& sight : kSights)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j)
        CHECK(difference(see(sight, to_linear(verdicts[i])), see(sight, to_linear(verdicts[j]))) > 0.06);
}

TEST_CASE("overlay colours: slower, faster and unchanged differ, for every kind of sight") {
  const Rgb changes[] = {color::kSlower, color::kFaster, color::kUnchanged};
  for (const auto& sight : kSights)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j)
        CHECK(difference(see(sight, to_linear(changes[i])), see(sight, to_linear(changes[j]))) > 0.1);
}

TEST_CASE("overlay colours: every label can be read on its block") {
  for (const Rgb fill : kScopeColors) REQUIRE(contrast(ink_on(fill), fill) >= kLeastContrast);
  // Colours that the user chose can be anything.
  for (Rgb rgb = 0; rgb <= 0xFFFFFF; rgb += 0x010307) REQUIRE(contrast(ink_on(rgb), rgb) >= kLeastContrast);
}

TEST_CASE("overlay colours: every text can be read on the surfaces that it stands on") {
  const struct {
    Rgb text, surface;
  } pairs[] = {
      {color::kText, color::kWindow},
      {color::kTextMid, color::kWindow},
      {color::kTextDim, color::kWindow},
      {color::kText, color::kPanel},
      {color::kTextMid, color::kPanel},
      {color::kTextDim, color::kPanel},
      {color::kTextDim, color::kCanvas},
      {color::kTextDim, color::kStripe},
      {color::kText, color::kControl},
      {color::kText, color::kControlHot},
      {color::kInkLight, color::kControlOn},
      {color::kAccent, color::kWindow},
      {color::kAccent, color::kPanel},
      {color::kSlower, color::kPanel},
      {color::kFaster, color::kPanel},
      {color::kFrameOver, color::kPanel},
      {color::kFrameOver, color::kCanvas},
      {color::kFrameOver, color::kWindow},
      {color::kFrameFar, color::kWindow},
      {color::kMergedText, color::kMerged},
      {color::kDimmedText, color::kDimmed},
      {color::kText, color::kTableBar},
      {color::kTextDim, color::kTableBar},
      {color::kInkLight, color::kWait},
      {ink_on(color::kMergedMatch), color::kMergedMatch},
  };
  for (const auto& pair : pairs) {
    CAPTURE(&pair - pairs);
    CHECK(contrast(pair.text, pair.surface) >= kLeastContrast);
  }
}

TEST_CASE("overlay colours: the critical path and the flows stand out from whatever they run over") {
  std::vector<Rgb> under(kScopeColors, kScopeColors + kScopeColorCount);
  for (const Rgb rgb : {color::kCanvas, color::kMerged, color::kMergedMatch, color::kWait, color::kDimmed})
    under.push_back(rgb);
  for (const Rgb line : {color::kCritical, color::kFlow}) {
    CHECK(contrast(line, color::kInk) >= kLeastContrast);
    // By itself, or by its dark edge (WCAG 2.1, 1.4.11).
    for (const Rgb fill : under) {
      CAPTURE(fill);
      CHECK(std::max(contrast(line, fill), contrast(color::kInk, fill)) >= 3);
    }
  }
}

TEST_CASE("overlay colours: mixing and contrast have the right ends") {
  CHECK(mix(0x102030, 0xA0B0C0, 0) == 0x102030);
  CHECK(mix(0x102030, 0xA0B0C0, 1) == 0xA0B0C0);
  CHECK(contrast(0x000000, 0xFFFFFF) == doctest::Approx(21));
  CHECK(contrast(0x777777, 0x777777) == doctest::Approx(1));
}
