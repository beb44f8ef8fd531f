// SPDX-License-Identifier: MIT
//
// watched_scopes.h: scopes that the user pinned or gave a budget, by name, and the budgets that the program gave. The user's
// budget of a scope comes before the program's.
#ifndef FLAMELET_OVERLAY_SRC_WATCHED_SCOPES_H
#define FLAMELET_OVERLAY_SRC_WATCHED_SCOPES_H

#include <string_view>

#include "draw/text_buffer.h"
#include "flamelet/budgets.h"

namespace flamelet::ui {

constexpr size_t kWatchedNameBytes = 64;  // with the closing 0

// GPU scopes have a row of their own, also where a CPU scope has the same name.
struct WatchedScope {
  char name[kWatchedNameBytes] = {};
  bool on_gpu = false;
  bool pinned = false;
  int64_t budget_ns = 0;  // the user's; 0 = none
};

class WatchedScopes {
 public:
  static constexpr uint32_t kMost = 64;
  static constexpr uint32_t kMostPins = 8;
  static constexpr uint32_t kMostGiven = 64;  // kOverlayMaxBudgets

  // A name that is too long for the table, or that cannot stand in a line of the settings, is not watched.
  static bool can_watch(std::string_view name);

  // False: it cannot be watched, or there is no room.
  bool pin(std::string_view name, bool on_gpu, bool pinned);
  bool set_budget(std::string_view name, bool on_gpu, int64_t budget_ns);
  bool is_pinned(std::string_view name, bool on_gpu) const;
  uint32_t pin_count() const;
  const WatchedScope& pinned(uint32_t i) const;  // in the order of pinning
  // 0 = none.
  int64_t budget_of(std::string_view name, bool on_gpu) const;

  // The budgets of scopes that each frame is held against, the strictest of a scope (flamelet_flight_set_budgets()), in
  // place of those before. *frame_ns is the frame's budget, and stays if there is none. False, and nothing changes, if one
  // of the names is too long or there are too many.
  bool give(const flamelet_budget* budgets, size_t count, int64_t* frame_ns);

  // Lines of the settings.
  void write(TextWriter* text) const;
  void read(std::string_view value);
  uint32_t version() const { return version_; }  // changes with the pins

 private:
  struct Given {
    char name[kWatchedNameBytes];
    int64_t budget_ns;
  };

  WatchedScope* find(std::string_view name, bool on_gpu);
  const WatchedScope* find(std::string_view name, bool on_gpu) const;
  WatchedScope* find_or_add(std::string_view name, bool on_gpu);
  void drop_if_idle(WatchedScope* scope);

  WatchedScope scopes_[kMost];
  uint32_t count_ = 0;
  Given given_[kMostGiven];
  uint32_t given_count_ = 0;
  uint32_t version_ = 0;
};

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_WATCHED_SCOPES_H
