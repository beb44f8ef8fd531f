// SPDX-License-Identifier: MIT
#include "bars/hitches.h"
#include "draw/theme.h"

#include <doctest/doctest.h>

#include <math.h>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "overlay/carved.h"
#include "overlay/span_trees.h"

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

// In the eyes of the palette's readers: kAll is for all four sights.
bool meant_for(Palette palette, int sight) {
  constexpr int kOwnSight[] = {0, 2, 1, 3};
  return sight == 0 || palette == Palette::kAll || kOwnSight[static_cast<int>(palette)] == sight;
}

double seen_apart(int sight, Rgb a, Rgb b) {
  return difference(see(kSights[sight], to_linear(a)), see(kSights[sight], to_linear(b)));
}

// Each colour differs from each other by more than `least`, for every kind of sight.
void check_apart(const std::vector<Rgb>& colors, double least) {
  for (int sight = 0; sight < 4; ++sight)
    for (size_t i = 0; i < colors.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        CAPTURE(sight);
        CAPTURE(i);
        CAPTURE(j);
        CHECK(seen_apart(sight, colors[i], colors[j]) > least);
      }
}

// Calls check(palette) with each theme in use.
template <typename Check>
void for_each_theme(Check check) {
  const Theme before = theme();
  for (uint32_t name = 0; name < kThemeCount; ++name)
    for (uint32_t palette = 0; palette < kPaletteCount; ++palette) {
      CAPTURE(name);
      CAPTURE(palette);
      use_theme(make_theme(static_cast<ThemeName>(name), static_cast<Palette>(palette)));
      check(static_cast<Palette>(palette));
    }
  use_theme(before);
}

}  // namespace

TEST_CASE("overlay colours: any two scope colours differ for the eyes that the palette is for") {
  // A just noticeable difference is 0.02. A palette for one kind of sight keeps its colours further apart for it.
  for_each_theme([](Palette palette) {
    for (int sight = 0; sight < 4; ++sight) {
      if (!meant_for(palette, sight)) continue;
      const double least = sight == 0 ? 0.07 : palette == Palette::kAll ? 0.04 : 0.055;
      for (uint32_t i = 0; i < kScopeColorCount; ++i)
        for (uint32_t j = 0; j < i; ++j) {
          CAPTURE(sight);
          CAPTURE(i);
          CAPTURE(j);
          CHECK(seen_apart(sight, theme().scopes[i], theme().scopes[j]) > least);
        }
    }
  });
}

TEST_CASE("overlay colours: no scope looks like a merged block, a waiting one or one that the filter leaves out") {
  for_each_theme([](Palette) {
    for (uint32_t i = 0; i < kScopeColorCount; ++i)
      for (const Rgb other : {color::kMerged, color::kMergedMatch, color::kWait, color::kDimmed, color::kCanvas})
        for (int sight = 0; sight < 4; ++sight) {
          CAPTURE(i);
          CAPTURE(other);
          CAPTURE(sight);
          CHECK(seen_apart(sight, theme().scopes[i], other) > 0.06);
        }
  });
}

TEST_CASE("overlay colours: the verdicts on a frame differ, and so do the changes, for every kind of sight") {
  for_each_theme([](Palette) {
    check_apart({color::kFrameGood, color::kFrameOver, color::kFrameFar}, 0.06);
    check_apart({color::kSlower, color::kFaster, color::kUnchanged}, 0.1);
  });
}

TEST_CASE("overlay colours: the bar of the shown frame differs from the bars around it and from what is behind them") {
  for_each_theme([](Palette) {
    for (const Rgb own : {color::kFrameGood, color::kFrameOver, color::kFrameFar}) {
      CAPTURE(own);
      for (const Rgb other : {color::kFrameGood, color::kFrameOver, color::kFrameFar}) {
        CAPTURE(other);
        for (int sight = 0; sight < 4; ++sight) CHECK(seen_apart(sight, lit_bar(own), other) > 0.06);
      }
      if (color::kCanvas != 0) CHECK(contrast(lit_bar(own), own) > 1.5f);  // in high contrast all is light
      CHECK(contrast(lit_bar(own), color::kCanvas) > 1.5f);
    }
  });
}

TEST_CASE("overlay colours: every label can be read on its block, whatever colour the program chose for it") {
  for_each_theme([](Palette) {
    for (uint32_t i = 0; i < kScopeColorCount; ++i)
      REQUIRE(contrast(ink_on(theme().scopes[i]), theme().scopes[i]) >= kLeastContrast);
  });
  for (Rgb rgb = 0; rgb <= 0xFFFFFF; rgb += 0x010307) REQUIRE(contrast(ink_on(rgb), rgb) >= kLeastContrast);
}

TEST_CASE("overlay colours: every colour has another shade, which differs for all eyes and takes the same ink") {
  for (Rgb rgb = 0; rgb <= 0xFFFFFF; rgb += 0x010307) {
    CAPTURE(rgb);
    const Rgb other = other_shade(rgb);
    for (int sight = 0; sight < 4; ++sight) REQUIRE(seen_apart(sight, rgb, other) > 0.02);
    REQUIRE(contrast(ink_on(rgb), other) >= kLeastContrast);
  }
}

TEST_CASE("overlay colours: every text can be read on the surfaces that it stands on") {
  // What is drawn on what is found out by "overlay eyes"; these are the pairs that every page relies on.
  for_each_theme([](Palette) {
    for (const Rgb text : {color::kText, color::kTextMid, color::kTextDim})
      for (const Rgb surface : {color::kWindow, color::kCanvas, color::kStripe, color::kPanel, color::kControl,
                                color::kRowChosen, color::kTableBar}) {
        CAPTURE(text);
        CAPTURE(surface);
        CHECK(contrast(text, surface) >= kLeastContrast);
      }
    for (const Rgb text : {color::kAccent, color::kSlower, color::kFaster, color::kFrameOver, color::kFrameFar,
                           color::kBudget, color::kGpu})
      for (const Rgb surface : {color::kWindow, color::kCanvas, color::kStripe, color::kPanel}) {
        CAPTURE(text);
        CAPTURE(surface);
        CHECK(contrast(text, surface) >= kLeastContrast);
      }
    CHECK(contrast(color::kText, color::kControlHot) >= kLeastContrast);
    CHECK(contrast(color::kInkLight, color::kControlOn) >= kLeastContrast);
    CHECK(contrast(color::kMergedText, color::kMerged) >= kLeastContrast);
    CHECK(contrast(color::kDimmedText, color::kDimmed) >= kLeastContrast);
    CHECK(contrast(color::kText, color::kHeat) >= kLeastContrast);
  });
}

TEST_CASE("overlay colours: text of the theme with high contrast has seven to one, as WCAG asks for its level AAA") {
  const Theme before = theme();
  use_theme(make_theme(ThemeName::kHighContrast, Palette::kAll));
  for (const Rgb text : {color::kText, color::kTextMid, color::kTextDim})
    for (const Rgb surface : {color::kWindow, color::kCanvas, color::kStripe, color::kPanel, color::kControl,
                              color::kControlHot, color::kRowChosen, color::kTableBar})
      CHECK(contrast(text, surface) >= 7);
  use_theme(before);
}

TEST_CASE("overlay colours: the critical path and the flows stand out from whatever they run over") {
  for_each_theme([](Palette) {
    std::vector<Rgb> under(theme().scopes, theme().scopes + kScopeColorCount);
    for (const Rgb rgb : {color::kCanvas, color::kMerged, color::kMergedMatch, color::kWait, color::kDimmed})
      under.push_back(rgb);
    for (const Rgb line : {color::kCritical, color::kFlow, color::kSelect}) {
      CHECK(contrast(line, color::kEdge) >= kLeastContrast);
      // By itself, or by its edge (WCAG 2.1, 1.4.11).
      for (const Rgb fill : under) {
        CAPTURE(fill);
        CHECK(std::max(contrast(line, fill), contrast(color::kEdge, fill)) >= 3);
      }
    }
  });
}

TEST_CASE("overlay colours: mixing and contrast have the right ends") {
  CHECK(mix(0x102030, 0xA0B0C0, 0) == 0x102030);
  CHECK(mix(0x102030, 0xA0B0C0, 1) == 0xA0B0C0);
  CHECK(contrast(0x000000, 0xFFFFFF) == doctest::Approx(21));
  CHECK(contrast(0x777777, 0x777777) == doctest::Approx(1));
}

TEST_CASE("overlay colours: what a thread does differs for all eyes, and from what lies behind it") {
  for_each_theme([](Palette) {
    check_apart({color::kRunning, color::kTakenOff, color::kAsleep, color::kCanvas}, 0.1);
    CHECK(contrast(color::kRunning, color::kCanvas) >= 3);
    CHECK(contrast(color::kTakenOff, color::kCanvas) >= 3);
  });
}

// ---- Scope colors -------------------------------------------------------------------------------------------------

namespace scope_colors_test {

using namespace flamelet::ui;
using flamelet_tests::Random;

namespace {

// With memory of their own.
struct Colors : ScopeColors {
  const std::vector<char> memory = flamelet_tests::carved([this](Carver* carver) { carve(carver); });
};

// Looks at the rows again and again, as frames do, until nothing moves. Returns how many looks that took.
int settle(ScopeColors* colors, const std::vector<std::vector<std::string>>& rows) {
  for (int looks = 0; looks < 100; ++looks) {
    bool moved = false;
    for (const auto& row : rows)
      for (size_t i = 1; i < row.size(); ++i) moved = colors->separate(row[i - 1], row[i]) || moved;
    if (!moved) return looks;
  }
  return 100;
}

bool neighbours_differ(const ScopeColors& colors, const std::vector<std::string>& row) {
  for (size_t i = 1; i < row.size(); ++i)
    if (row[i - 1] != row[i] && colors.of(row[i - 1]) == colors.of(row[i])) return false;
  return true;
}

std::vector<std::string> random_row(Random* random, size_t size) {
  std::vector<std::string> row;
  for (size_t i = 0; i < size; ++i) {
    std::string name = "scope ";
    for (int letter = 0; letter < 6; ++letter) name += static_cast<char>('a' + random->below(26));
    row.push_back(name);
  }
  return row;
}

}  // namespace

TEST_CASE_FIXTURE(Colors, "overlay colours: a scope has one of these colours, and names are spread over all of them") {
  uint32_t used[kScopeColorCount] = {};
  char name[] = "scope 000";
  for (int i = 0; i < 1000; ++i) {
    name[6] = static_cast<char>('0' + i / 100);
    name[7] = static_cast<char>('0' + i / 10 % 10);
    name[8] = static_cast<char>('0' + i % 10);
    const Rgb* colors_end = theme().scopes + kScopeColorCount;
    const Rgb* found = std::find(theme().scopes, colors_end, of(name));
    REQUIRE(found != colors_end);
    ++used[found - theme().scopes];
  }
  for (const uint32_t count : used) CHECK(count > 1000 / kScopeColorCount / 2);
}

TEST_CASE("overlay colours: a name chooses the same colour in every session") {
  CHECK(Colors().of("Physics::step") == Colors().of("Physics::step"));
  CHECK(Colors().of("") == Colors().of(std::string_view()));
}

TEST_CASE("overlay colours: scopes side by side differ, the demo's and random ones, and others keep their colour") {
  // As they follow each other on the demo's lanes.
  std::vector<std::vector<std::string>> rows = {
      {"Input", "Simulate", "Render", "Build UI", "Present"},
      {"Physics", "Plan paths", "Captains", "Steer", "Snapshot"},
      {"Broadphase", "Narrowphase", "Solve", "Integrate", "Callbacks"},
      {"Shadow pass", "Scene pass", "Particles", "Bloom", "Post pass", "Draw UI"},
  };
  Random random(7);
  for (int i = 0; i < 40; ++i) rows.push_back(random_row(&random, 30));
  auto colors = std::make_unique<Colors>();
  CHECK(settle(colors.get(), rows) < 10);
  const Colors before;
  size_t names = 0, kept = 0;
  for (const auto& row : rows) {
    CHECK(neighbours_differ(*colors, row));
    names += row.size();
    for (const std::string& name : row) kept += colors->of(name) == before.of(name) ? 1u : 0u;
  }
  CHECK(kept > names * 9 / 10);
  // Another session that meets them comes to the same colours.
  auto again = std::make_unique<Colors>();
  settle(again.get(), rows);
  for (const auto& row : rows)
    for (const std::string& name : row) CHECK(again->of(name) == colors->of(name));
}

TEST_CASE("overlay colours: of two neighbours in one colour the same one moves, whichever comes first") {
  Random random(11);
  int pairs = 0;
  while (pairs < 50) {
    const std::vector<std::string> pair = random_row(&random, 2);
    Colors forward, backward;
    if (forward.of(pair[0]) != forward.of(pair[1])) continue;
    ++pairs;
    CHECK(forward.separate(pair[0], pair[1]));
    CHECK(backward.separate(pair[1], pair[0]));
    CHECK(forward.of(pair[0]) == backward.of(pair[0]));
    CHECK(forward.of(pair[1]) == backward.of(pair[1]));
    CHECK_FALSE(forward.separate(pair[0], pair[1]));
  }
}

TEST_CASE("overlay colours: more neighbours than there are colours come to rest all the same") {
  Random random(3);
  const std::vector<std::string> names = random_row(&random, 40);
  std::vector<std::vector<std::string>> rows;
  for (const std::string& a : names)
    for (const std::string& b : names) rows.push_back({a, b});
  Colors colors;
  CHECK(settle(&colors, rows) < 60);
  // A full table of names that moved leaves the rest as they are.
  Colors full;
  CHECK(settle(&full, {random_row(&random, 20000)}) < 60);
}

}  // namespace scope_colors_test
