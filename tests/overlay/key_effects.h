// SPDX-License-Identifier: MIT
//
// key_effects.h: what each action that a key or a button runs changes in the state.
#pragma once

#include <functional>
#include <vector>

#include "lanes/lanes_page.h"
#include "overlay/gesture_scene.h"

namespace flamelet_tests {

// What is done before a gesture.
using Prepare = std::function<void(Scene&)>;
// After the gesture; `before` has the values from before it.
using Seen = std::function<bool(Scene&, const State& before)>;

struct Effect {
  const char* action;
  Prepare prepare;
  Seen seen;
};

inline Seen becomes(const char* field, const char* value) {
  return [=](Scene& s, const State& before) { return before.at(field) != value && s.player().state(field) == value; };
}
inline Seen changes_by(const char* field, double by) {
  return [=](Scene& s, const State& before) { return s.player().number(field) == before.number(field) + by; };
}
inline Seen less(const char* field) {
  return [=](Scene& s, const State& before) { return s.player().number(field) < before.number(field); };
}
inline Seen more(const char* field) {
  return [=](Scene& s, const State& before) { return s.player().number(field) > before.number(field); };
}
inline bool popup_open() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}
inline Seen opens_popup() {
  return [](Scene&, const State& before) { return !before.popup && popup_open(); };
}
inline double view_ns(const State& state) {
  return state.number("view_end_ns") - state.number("view_begin_ns");
}

inline void nothing(Scene&) {}
inline void select(Scene& s) {
  s.select(1);
}
inline void pause(Scene& s) {
  flamelet::overlay_set_paused(s.player().overlay, true);
  s.player().frames(2);
}
inline void zoomed(Scene& s) {
  s.select(1);
  press_chord(&s.player(), {flamelet::ui::key_of('f')});
}
inline Prepare page(const char* name) {
  return [=](Scene& s) {
    s.player().open_page(name);
    s.player().frames(20);
    s.player().move(s.played.x(0.5), 300);
  };
}
inline Prepare chosen_row(const char* name) {
  return [=](Scene& s) {
    page(name)(s);
    press_chord(&s.player(), {Key::kDown});
    press_chord(&s.player(), {Key::kDown});
  };
}

// What each action that keys or buttons run changes.
inline const std::vector<Effect>& effects() {
  static const std::vector<Effect> all = {
      {"pause", nothing, becomes("paused", "true")},
      {"escape", [](Scene& s) { flamelet::overlay_set_filter(s.player().overlay, "x"); }, becomes("filter", "\"\"")},
      {"help", nothing, becomes("help_open", "true")},
      {"settings", nothing, becomes("settings_open", "true")},
      {"file", nothing, opens_popup()},
      {"filter", nothing, [](Scene&, const State&) { return ImGui::GetIO().WantTextInput; }},
      {"previous_frame", pause, changes_by("last_frame", -1)},
      {"next_frame", [](Scene& s) { s.step_back(2); }, changes_by("last_frame", 1)},
      {"previous_hitch", [](Scene& s) { s.keep_two_hitches(); }, more("hitch_shown")},
      {"next_hitch",
       [](Scene& s) {
         s.keep_two_hitches();
         s.to_first_hitch();
       },
       more("hitch_shown")},
      {"fewer_frames", [](Scene& s) { s.show_frames(10, 14); }, changes_by("last_frame", -1)},
      {"more_frames", [](Scene& s) { s.show_frames(10, 14); }, changes_by("last_frame", 1)},
      {"wider_bars", nothing, changes_by("set_bar_px", 1)},
      {"narrower_bars", nothing, changes_by("set_bar_px", -1)},
      {"older_bars", [](Scene& s) { s.many_frames(); }, more("bars_scroll")},
      {"newer_bars",
       [](Scene& s) {
         s.many_frames();
         s.player().overlay->history.scroll = 20;
       },
       less("bars_scroll")},
      {"zoom_in", pause, [](Scene& s, const State& b) { return s.played.view_ns() < view_ns(b); }},
      {"zoom_out", zoomed, [](Scene& s, const State& b) { return s.played.view_ns() > view_ns(b); }},
      {"pan_left", zoomed, less("view_begin_ns")},
      {"pan_right", zoomed, more("view_begin_ns")},
      {"scroll_up",
       [](Scene& s) {
         s.low_window();
         flamelet::ui::lanes_of(*s.player().overlay).canvas.scroll_rows = 30;
         s.player().frames(2);
       },
       more("canvas_top_px")},
      {"scroll_down", [](Scene& s) { s.low_window(); }, less("canvas_top_px")},
      {"whole_frame", zoomed, becomes("fitted", "true")},
      {"zoom_to", select, becomes("fitted", "false")},
      {"back", zoomed, becomes("fitted", "true")},
      {"measure", select, more("measured_ns")},
      {"select", nothing,
       [](Scene& s, const State& b) {
         return b.at("selected_name") == "null" && s.player().state("selected_name") != "null";
       }},
      {"parent", [](Scene& s) { s.select(2); },
       [](Scene& s, const State& b) {
         return s.selected_ns() > b.number("selected_end_ns") - b.number("selected_begin_ns");
       }},
      {"child", select,
       [](Scene& s, const State& b) {
         return s.selected_ns() < b.number("selected_end_ns") - b.number("selected_begin_ns") &&
                s.player().number("selected_begin_ns") >= b.number("selected_begin_ns");
       }},
      {"previous_sibling", [](Scene& s) { s.select(1, 0.8); }, less("selected_begin_ns")},
      {"next_sibling", select, more("selected_begin_ns")},
      {"next_instance", [](Scene& s) { s.select(4); }, more("selected_begin_ns")},
      {"previous_instance", [](Scene& s) { s.select(4); }, less("selected_begin_ns")},
      {"worst",
       [](Scene& s) {
         s.play_slow_frame();
         s.select(1);
       },
       [](Scene& s, const State& b) {
         return s.selected_ns() > b.number("selected_end_ns") - b.number("selected_begin_ns");
       }},
      {"menu", select, opens_popup()},
      {"fold", nothing, less("zones_in_view")},
      {"pin", select, changes_by("pins", 1)},
      {"lane_up",
       [](Scene& s) {
         select(s);
         press_chord(&s.player(), {Key::kDown, flamelet::ui::kShift});
       },
       [](Scene& s, const State& b) { return b.at("lane") != "\"Main\"" && s.player().state("lane") == "\"Main\""; }},
      {"lane_down", select,
       [](Scene& s, const State& b) { return b.at("lane") == "\"Main\"" && s.player().state("lane") != "\"Main\""; }},
      {"show_lanes", [](Scene& s) { s.player().load_settings("lane=0,1,0,Main"); }, more("lane_rows")},
      {"full_screen", nothing, changes_by("set_place", 3)},
      {"hide_empty", nothing, changes_by("set_hide_empty", 1)},
      {"critical_path", nothing, changes_by("set_critical_path", 1)},
      {"compare", pause, becomes("compare_a", "true")},
      {"next_page", nothing, becomes("page", "\"flame\"")},
      {"previous_page", page("flame"), becomes("page", "\"lanes\"")},
      {"row_up", chosen_row("table"), changes_by("row", -1)},
      {"row_down", chosen_row("table"), changes_by("row", 1)},
      {"row_open", chosen_row("table"), becomes("page", "\"lanes\"")},
      {"sort", chosen_row("table"),
       [](Scene& s, const State& b) { return s.player().state("table_column") != b.at("table_column"); }},
      {"choice", page("tree"), becomes("marked_button", "0")},
      {"choose",
       [](Scene& s) {
         page("tree")(s);
         press_chord(&s.player(), {flamelet::ui::key_of('i')});
         press_chord(&s.player(), {flamelet::ui::key_of('i')});
       },
       becomes("tree_source", "\"GPU\"")},
      {"scope_history", page("scope"), changes_by("set_scope_history", 1)},
      {"scope_log_axis", page("scope"), changes_by("set_scope_log_axis", 1)},
      {"fold_recursion", page("tree"), becomes("tree_folds_recursion", "false")},
  };
  return all;
}

}  // namespace flamelet_tests
