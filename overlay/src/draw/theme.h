// SPDX-License-Identifier: MIT
//
// theme.h: every colour of the overlay. A theme is one table: a colour for each role. Code names roles (color::kText),
// and gets the colour of the theme in use.
//
// What a colour means is always said a second way: over budget also reaches over a line, a selection also has a frame,
// a merged block also has a count and another height. Every text has at least kLeastContrast against what lies behind it.
#ifndef FLAMELET_OVERLAY_SRC_THEME_H
#define FLAMELET_OVERLAY_SRC_THEME_H

#include <stdint.h>
#include <string_view>

#include "content/memory.h"
#include "flamelet/capture.h"
#include "flamelet/detail/hash.h"
#include "flamelet/detail/text.h"

namespace flamelet::ui {

using flamelet::view_of;  // and of a window: viewport.h

// Palette: colours, the arithmetic on them, and the colours that scopes take.
//
// A palette has 24 colours. Any two of palette kAll differ for eyes that see all colours and under protanopia,
// deuteranopia and tritanopia. Each of the others is made for one of these and keeps its colours further apart for it.
// A test simulates all three, and computes the distances.

using Rgb = uint32_t;  // 0xRRGGBB

// The least contrast of a text and what it stands on: WCAG 2.1, success criterion 1.4.3.
constexpr float kLeastContrast = 4.5f;

enum class Palette : uint32_t { kAll, kDeuteranopia, kProtanopia, kTritanopia };
constexpr uint32_t kPaletteCount = 4;
constexpr uint32_t kScopeColorCount = 24;

// Relative luminance and its contrast, 1 to 21, as WCAG 2.1 defines them.
float luminance(Rgb rgb);
float contrast(Rgb a, Rgb b);

Rgb mix(Rgb a, Rgb b, float share_of_b);

// On blocks of any colour: the ink that reads better on it.
constexpr Rgb kDarkInk = 0x040507;
constexpr Rgb kLightInk = 0xFFFFFF;
Rgb ink_on(Rgb background);

// Another shade of this colour, which differs from it and takes the same ink.
Rgb other_shade(Rgb fill);

// Role, and its colour in the themes kDark, kLight and kHighContrast.
#define FLAMELET_THEME_ROLES(ROLE)                                                        \
  /* Surfaces, from back to front. */                                                     \
  ROLE(Window, 0x14171D, 0xEEF1F5, 0x000000)                                              \
  ROLE(Canvas, 0x0E1116, 0xFBFCFD, 0x000000)                                              \
  ROLE(Stripe, 0x12161C, 0xF1F4F7, 0x0C0C0C) /* every other lane, every other row */      \
  ROLE(Panel, 0x1B2028, 0xE3E8EE, 0x121212)                                               \
  ROLE(Control, 0x252C37, 0xD3DAE3, 0x202020)                                             \
  ROLE(ControlHot, 0x333D4C, 0xC2CCD8, 0x3A3A3A)                                          \
  ROLE(ControlOn, 0x2B5F8F, 0x1F5C94, 0x00489A) /* its text is InkLight */                \
  ROLE(RowChosen, 0x1A3145, 0xC9DFF5, 0x00306A)                                           \
  ROLE(Line, 0x2B323D, 0xB9C3CF, 0x9A9A9A)                                                \
  ROLE(Grid, 0x1F252E, 0xE0E5EB, 0x262626)                                                \
  ROLE(GridFrame, 0x4A5566, 0x9AA6B5, 0x8A8A8A)                                           \
  /* Text on them. */                                                                     \
  ROLE(Text, 0xDCE2EC, 0x141A22, 0xFFFFFF)                                                \
  ROLE(TextMid, 0xAEB8C7, 0x303A47, 0xEDEDED)                                             \
  ROLE(TextDim, 0x8B97A8, 0x485360, 0xD2D2D2)                                             \
  ROLE(InkLight, 0xFFFFFF, 0xFFFFFF, 0xFFFFFF)                                            \
  /* Meanings. */                                                                         \
  ROLE(Select, 0xFFFFFF, 0x0A0E14, 0xFFFFFF)                                              \
  ROLE(Edge, 0x040507, 0xFFFFFF, 0x000000) /* of what is drawn over blocks */             \
  ROLE(Hover, 0xC9D4E4, 0x3A4656, 0xE6E6E6)                                               \
  ROLE(Accent, 0x5AB4F0, 0x0B568C, 0x6CC8FF)                                              \
  ROLE(Critical, 0xFFE14D, 0x6A1B9A, 0xFFE14D) /* the critical path */                    \
  ROLE(Flow, 0x8CF0D0, 0x004D40, 0x8CF0D0)     /* arrows of flows */                      \
  /* Compared: warm is slower, cold is faster, and the sign says it, too. */              \
  ROLE(Slower, 0xE06A3C, 0xA03A0C, 0xFF8A50)                                              \
  ROLE(Faster, 0x5AA0F0, 0x0F55A8, 0x6CB8FF)                                              \
  ROLE(Unchanged, 0x3A4250, 0xB4BDC9, 0x505050)                                           \
  ROLE(FrameGood, 0x5F87A6, 0x5E8FB8, 0x7FB2D9)                                           \
  ROLE(FrameOver, 0xE3A13A, 0x865200, 0xFFB840)                                           \
  ROLE(FrameFar, 0xF0684E, 0x780018, 0xFF7B66)                                            \
  ROLE(Budget, 0xE3A13A, 0x865200, 0xFFB840)                                              \
  ROLE(Merged, 0x4B5667, 0xA9B4C1, 0x5A5A5A)                                              \
  ROLE(MergedMatch, 0x5078A0, 0x7FA8D1, 0x0060C0) /* with a match of the filter inside */ \
  ROLE(MergedText, 0xDCE2EC, 0x10151C, 0xFFFFFF)                                          \
  ROLE(TableBar, 0x1A3044, 0xC4DCF2, 0x002A55)                                            \
  ROLE(Heat, 0x7A2F22, 0xF0B5A6, 0x7A1400)    /* the hottest row of the tree */           \
  ROLE(Gpu, 0xB9A7E8, 0x5A3FA3, 0xD0BFFF)     /* the GPU's time in the frame bars */      \
  ROLE(Instant, 0xE8D9A8, 0x6B5510, 0xFFF0B0) /* marks above a lane */                    \
  ROLE(Wait, 0x39424F, 0xC9D0D9, 0x404040)    /* scopes of the category "wait" */         \
  /* What a thread does; asleep is also a thinner line. */                                \
  ROLE(Running, 0x4C9BE8, 0x1F6FB2, 0x6CB8FF)                                             \
  ROLE(TakenOff, 0xFF7A45, 0xB93A00, 0xFF8A2B)                                            \
  ROLE(Asleep, 0x66738A, 0x8793A3, 0xA0A0A0)                                              \
  ROLE(Dimmed, 0x272D37, 0xDDE2E8, 0x242424) /* what the filter leaves out */             \
  ROLE(DimmedText, 0x8B97A8, 0x4A5563, 0xC4C4C4)                                          \
  /* The mark of a lane's kind. */                                                        \
  ROLE(LaneThread, 0x5A7FA3, 0x5A7FA3, 0x7FB2E8)                                          \
  ROLE(LaneGpu, 0x8E79BD, 0x8E79BD, 0xC0A8FF)                                             \
  ROLE(LaneExternal, 0x8F9A6A, 0x7A8650, 0xC8D890)                                        \
  ROLE(LaneFiber, 0x4FA39A, 0x2F8A80, 0x70E0D4)

enum class Role : uint32_t {
#define FLAMELET_ROLE(name, dark, light, high) k##name,
  FLAMELET_THEME_ROLES(FLAMELET_ROLE)
#undef FLAMELET_ROLE
      kCount
};

enum class ThemeName : uint32_t { kDark, kLight, kHighContrast };
constexpr uint32_t kThemeCount = 3;

struct Theme {
  const Rgb* colors;  // by role
  const Rgb* scopes;  // kScopeColorCount
  bool operator==(const Theme& other) const { return colors == other.colors && scopes == other.scopes; }
  bool operator!=(const Theme& other) const { return !(*this == other); }
};
Theme make_theme(ThemeName name, Palette palette);

// The theme in use: each overlay sets its own before it draws. Like ImGui's current context, it belongs to the thread
// that draws, and all overlays are drawn on one thread.
const Theme& theme();
void use_theme(const Theme& theme);

// A role where a colour is wanted.
struct ThemeColor {
  Role role;
  operator Rgb() const { return theme().colors[static_cast<uint32_t>(role)]; }
};

namespace color {
#define FLAMELET_ROLE(name, dark, light, high) constexpr ThemeColor k##name = {Role::k##name};
FLAMELET_THEME_ROLES(FLAMELET_ROLE)
#undef FLAMELET_ROLE
}  // namespace color

// What the canvas needs to know of a scope, looked up once: its name, its colours, whether the filter
// matches. A direct-mapped cache; a collision costs a second look into the capture and nothing else.

// Scope colors: which colour a scope has. Its name chooses one of the scope colours, the same one in every session and
// on every machine. Where two names that chose the same colour stand side by side, one of them moves to its next choice:
// always the one with the higher hash, so that two sessions agree on it. A name that moved keeps its new colour.

class ScopeColors {
 public:
  void carve(Carver* carver) { moved_.carve(carver, kSlots); }

  Rgb of(std::string_view name) const;

  // Two scopes that stand side by side: moves one of them if they have the same colour. False if nothing was moved,
  // because they are one name or differ already, or because both have moved too often or the table is full.
  bool separate(std::string_view a, std::string_view b);

 private:
  static constexpr uint32_t kSlots = 512;
  static constexpr uint32_t kMostMoves = 12;  // of one name: colours must not change for ever

  struct Moved {
    uint64_t key = 0;  // the name's hash
    uint32_t moves = 0;
  };

  Rgb color_of(uint32_t hash) const;
  bool move(uint32_t hash);

  HashTable<Moved> moved_;
};

// Scope key: which scope, in every table of the overlay: the place in code, and the name that it had there.

// Ids of one capture and one session.
struct ScopeKey {
  uint32_t site = 0;
  uint32_t name = 0;

  uint64_t bits() const { return uint64_t{site} << 32 | name; }
  bool operator==(const ScopeKey& other) const { return site == other.site && name == other.name; }
  bool operator!=(const ScopeKey& other) const { return !(*this == other); }
};

inline ScopeKey key_of_bits(uint64_t bits) {
  return {static_cast<uint32_t>(bits >> 32), static_cast<uint32_t>(bits)};
}

// A scope on the threads or on the GPU queues, which may have the same place and name: their times are no sum. Or one
// object of it, where objects are apart.
struct ScopePart {
  ScopeKey key;
  uint32_t object = 0;  // flamelet_capture_string(); 0 = the whole scope
  bool on_gpu = false;

  bool operator==(const ScopePart& other) const {
    return key == other.key && object == other.object && on_gpu == other.on_gpu;
  }
};

// The key of a span, a point or a row of statistics.
template <typename T>
ScopeKey key_of(const T& of) {
  return {of.site, of.name};
}

struct ScopeStyle {
  uint64_t key;  // ScopeKey::bits()
  std::string_view name;
  Rgb fill;
  Rgb ink;
  bool own_color;  // it does not come from the name
  bool matches;    // the filter
};

class ScopeStyles {
 public:
  static constexpr uint32_t kEntries = 8192;

  void carve(Carver* carver) {
    carver->take(&entries_, kEntries);
    colors_.carve(carver);
  }
  // After the capture or the filter changed. Names keep their colours. `filter` must live until the next call.
  void reset(const flamelet_capture* capture, std::string_view filter);

  // After the theme changed.
  void forget() {
    for (ScopeStyle& entry : entries_) entry.key = kNoKey;
  }

  // Valid until the next call.
  const ScopeStyle& of(ScopeKey scope) {
    const uint64_t key = scope.bits();
    ScopeStyle& entry = entries_[static_cast<uint32_t>(spread_key(key) >> 51)];
    if (entry.key != key) fill(key, &entry);
    return entry;
  }

  // Two that stand side by side, in the same colour: one of them gets another if its name chose it.
  void separate(ScopeKey a, ScopeKey b);
  // For names that are not the capture's.
  const ScopeColors& colors() const { return colors_; }

 private:
  static constexpr uint64_t kNoKey = UINT64_MAX;

  void fill(uint64_t key, ScopeStyle* entry) const;

  const flamelet_capture* capture_ = nullptr;
  std::string_view filter_;
  Array<ScopeStyle> entries_;
  ScopeColors colors_;
};

static_assert(ScopeStyles::kEntries == 1u << (64 - 51), "the hash's top bits number the entries");

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_THEME_H
