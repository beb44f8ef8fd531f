// SPDX-License-Identifier: MIT
//
// placed_gestures.h: gestures for which the place matters, and those that are no single key or button.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "overlay/key_effects.h"
#include "pages/scope/scope_figures.h"

namespace flamelet_tests {

using flamelet::ui::Device;

// Gestures for which the place matters, and those that are no single key or button.
struct GestureTest {
  const char* action;
  Device device;
  const char* gesture;
  Prepare prepare;
  std::function<void(Scene&)> perform;
  Seen seen;
};

inline const std::vector<GestureTest>& placed_gestures() {
  const auto on_scope = [](int button) {
    return [=](Scene& s) {
      s.over(0.25, 1);
      s.player().click(button);
    };
  };
  const auto wheel = [](uint8_t modifiers) {
    return [=](Scene& s) {
      s.over(0.4, 2);
      set_modifiers(modifiers, true);
      s.player().wheel(1);
      set_modifiers(modifiers, false);
    };
  };
  const Seen narrower = [](Scene& s, const State& b) { return s.played.view_ns() < view_ns(b); };
  const auto drag_lanes = [](int button, uint8_t modifiers) {
    return [=](Scene& s) {
      set_modifiers(modifiers, true);
      s.player().drag(s.played.x(0.5), s.played.row(14), s.played.x(0.5) + 120, s.played.row(14), button);
      set_modifiers(modifiers, false);
      s.player().frames(2);
    };
  };
  const Prepare paused_hud = [](Scene& s) {
    flamelet::overlay_set_paused(s.player().overlay, true);
    flamelet::overlay_set_mode(s.player().overlay, flamelet::OverlayMode::kHud);
    s.player().frames(4);
  };
  const Seen resumed_hud = [](Scene& s, const State& b) {
    return b.at("paused") == "true" && s.player().state("paused") == "false" && s.player().state("mode") == "\"hud\"";
  };
  static const std::vector<GestureTest> all = {
      {"mode", Device::kKeys, "(setting)", nothing, [](Scene& s) { s.player().press(TestKey::kF1); },
       becomes("mode", "\"off\"")},
      {"save", Device::kKeys, "(setting)", [](Scene& s) { s.save_nowhere(); },
       [](Scene& s) {
         s.player().press(TestKey::kF2);
         s.wait_for_notice();
       },
       [](Scene& s, const State&) { return s.player().state("file_notice").find("Not saved") != std::string::npos; }},
      {"pause_everywhere", Device::kKeys, "(setting)", paused_hud,
       [](Scene& s) {
         set_modifiers(flamelet::ui::kCtrl, true);
         s.player().press(TestKey::kF1);
         set_modifiers(flamelet::ui::kCtrl, false);
       },
       resumed_hud},
      {"pause_everywhere", Device::kMouse, "click on Resume in the HUD", paused_hud,
       [](Scene& s) {
         s.player().move_to("hud_resume");
         s.player().click();
       },
       resumed_hud},
      {"pause_everywhere", Device::kTouch, "tap on Resume in the HUD", paused_hud,
       [](Scene& s) {
         s.tap(static_cast<float>(s.player().number("hud_resume_x_px")),
               static_cast<float>(s.player().number("hud_resume_y_px")));
       },
       resumed_hud},
      {"peek", Device::kKeys, "(setting)", [](Scene& s) { s.peek_with_home(); },
       [](Scene& s) {
         s.player().gui.key(TestKey::kHome, true);
         s.player().frames(2);
       },
       becomes("mode", "\"active\"")},
      {"mode", Device::kGamepad, "L1+R1+Y", nothing,
       [](Scene& s) {
         pad_frames(&s.player(), {Pad::kL1, Pad::kR1}, 2);
         pad_frames(&s.player(), {Pad::kL1, Pad::kR1, Pad::kY});
       },
       becomes("mode", "\"off\"")},
      {"list", Device::kKeys, "Down", [](Scene& s) { s.open_settings(); },
       [](Scene& s) { press_chord(&s.player(), {Key::kDown}); },
       [](Scene& s, const State& b) { return s.player().state("setting") != b.at("setting"); }},
      {"list", Device::kKeys, "Up", [](Scene& s) { s.open_settings(); },
       [](Scene& s) { press_chord(&s.player(), {Key::kUp}); },
       [](Scene& s, const State& b) { return s.player().state("setting") != b.at("setting"); }},
      {"list", Device::kKeys, "Enter",
       [](Scene& s) {
         select(s);
         press_chord(&s.player(), {flamelet::ui::key_of('m')});
         press_chord(&s.player(), {Key::kDown});
       },
       [](Scene& s) { press_chord(&s.player(), {Key::kEnter}); }, becomes("fitted", "false")},  // its first item zooms
      {"preview", Device::kMouse, "over the frame bars", nothing,
       [](Scene& s) { s.player().move(s.played.bar(20), s.played.bars_y()); }, becomes("previewing", "true")},
      {"keep", Device::kMouse, "click on the bars", nothing,
       [](Scene& s) {
         s.player().move(s.played.bar(20), s.played.bars_y());
         s.player().click();
       },
       becomes("paused", "true")},
      {"previous_hitch", Device::kMouse, "click on a flag at the left", [](Scene& s) { s.keep_two_hitches(); },
       [](Scene& s) { s.click_first_flag(); }, more("hitch_shown")},
      {"fewer_frames", Device::kMouse, "drag over the bars", pause,
       [](Scene& s) { s.player().drag(s.played.bar(20), s.played.bars_y(), s.played.bar(11), s.played.bars_y()); },
       [](Scene& s, const State&) { return s.player().number("last_frame") == s.player().number("first_frame") + 9; }},
      {"fewer_frames", Device::kMouse, "Shift+click on the bars",
       [](Scene& s) {
         s.player().move(s.played.bar(20), s.played.bars_y());
         s.player().click();
       },
       [](Scene& s) {
         set_modifiers(flamelet::ui::kShift, true);
         s.player().move(s.played.bar(15), s.played.bars_y());
         s.player().click();
         set_modifiers(flamelet::ui::kShift, false);
       },
       [](Scene& s, const State&) { return s.player().number("last_frame") == s.player().number("first_frame") + 5; }},
      {"wider_bars", Device::kMouse, "wheel over the bars",
       [](Scene& s) { s.player().move(s.played.bar(20), s.played.bars_y()); }, [](Scene& s) { s.player().wheel(1); },
       changes_by("set_bar_px", 1)},
      {"older_bars", Device::kMouse, "Shift+wheel over the bars",
       [](Scene& s) {
         s.many_frames();
         s.player().move(s.played.bar(20), s.played.bars_y());
       },
       [](Scene& s) {
         set_modifiers(flamelet::ui::kShift, true);
         s.player().wheel(1);
         set_modifiers(flamelet::ui::kShift, false);
       },
       more("bars_scroll")},
      {"older_bars", Device::kMouse, "drag below them", [](Scene& s) { s.many_frames(); },
       [](Scene& s) {
         const float x = static_cast<float>(s.player().number("overview_x_px"));
         const float y = static_cast<float>(s.player().number("overview_y_px")) + 4;
         s.player().drag(x + 200, y, x + 2, y);
       },
       more("bars_scroll")},
      {"zoom_in", Device::kMouse, "wheel", pause, wheel(0), narrower},
      {"zoom_in", Device::kMouse, "Ctrl+wheel", pause, wheel(flamelet::ui::kCtrl), narrower},
      {"zoom_in", Device::kMouse, "Shift+wheel", pause, wheel(flamelet::ui::kShift), narrower},
      {"zoom_in", Device::kGamepad, "right stick", pause, [](Scene& s) { push_sticks(&s.player(), 0, 0, 1); },
       narrower},
      {"pan_left", Device::kMouse, "right drag", zoomed, drag_lanes(1, 0), less("view_begin_ns")},
      {"pan_left", Device::kMouse, "Shift+drag", zoomed, drag_lanes(0, flamelet::ui::kShift), less("view_begin_ns")},
      {"pan_left", Device::kGamepad, "left stick", zoomed, [](Scene& s) { push_sticks(&s.player(), -1, 0, 0); },
       less("view_begin_ns")},
      {"scroll_up", Device::kMouse, "wheel over the labels",
       [](Scene& s) {
         s.low_window();
         s.player().move(60, s.played.row(2));
       },
       [](Scene& s) { s.player().wheel(-1); }, less("canvas_top_px")},
      {"scroll_up", Device::kGamepad, "left stick up, down", [](Scene& s) { s.low_window(); },
       [](Scene& s) { push_sticks(&s.player(), 0, -1, 0); }, less("canvas_top_px")},
      {"whole_frame", Device::kMouse, "double-click beside a scope", zoomed,
       [](Scene& s) {
         s.player().settle();
         s.over(0.5, 14);
         s.player().double_click();
       },
       becomes("fitted", "true")},
      {"zoom_to", Device::kMouse, "double-click", nothing,
       [](Scene& s) {
         s.over(0.25, 1);
         s.player().double_click();
       },
       becomes("fitted", "false")},
      {"zoom_to", Device::kMouse, "middle click", nothing, on_scope(2), becomes("fitted", "false")},
      {"measure", Device::kMouse, "drag", nothing, drag_lanes(0, 0), more("measured_ns")},
      {"select_at", Device::kMouse, "click", nothing, on_scope(0), becomes("selected_name", "\"World::update\"")},
      {"menu", Device::kMouse, "right click", nothing, on_scope(1), opens_popup()},
      {"menu", Device::kMouse, "Ctrl+click", nothing,
       [](Scene& s) {
         s.over(0.25, 1);
         set_modifiers(flamelet::ui::kCtrl, true);
         s.player().click();
         set_modifiers(flamelet::ui::kCtrl, false);
       },
       opens_popup()},
      {"keep", Device::kTouch, "tap on the bars", nothing, [](Scene& s) { s.tap(s.played.bar(20), s.played.bars_y()); },
       becomes("paused", "true")},
      {"fewer_frames", Device::kTouch, "drag over the bars", pause,
       [](Scene& s) { s.swipe(s.played.bar(20), s.played.bars_y(), s.played.bar(11), s.played.bars_y()); },
       [](Scene& s, const State&) { return s.player().number("last_frame") == s.player().number("first_frame") + 9; }},
      {"zoom_in", Device::kTouch, "two fingers", pause,
       [](Scene& s) {
         s.touch(flamelet::TouchPhase::kBegan, s.played.x(0.4), s.played.row(2), 1);
         s.touch(flamelet::TouchPhase::kBegan, s.played.x(0.6), s.played.row(2), 2);
         s.touch_frames(2);
         s.touch(flamelet::TouchPhase::kMoved, s.played.x(0.8), s.played.row(2), 2);
         s.touch_frames(3);
       },
       [](Scene& s, const State& b) {
         // The time under each finger stays there: 0.4 and 0.6 of the view are 0.4 and 0.8 of it now.
         const double begin = b.number("view_begin_ns") + 0.2 * view_ns(b);
         return fabs(s.played.view_ns() - view_ns(b) / 2) < view_ns(b) * 0.01 &&
                fabs(s.player().number("view_begin_ns") - begin) < view_ns(b) * 0.01;
       }},
      {"pan_left", Device::kTouch, "one finger", zoomed,
       [](Scene& s) { s.swipe(s.played.x(0.5), s.played.row(3), s.played.x(0.5) + 150, s.played.row(3)); },
       less("view_begin_ns")},
      {"zoom_to", Device::kTouch, "double tap", nothing,
       [](Scene& s) {
         s.tap(s.played.x(0.25), s.played.row(1));
         s.tap(s.played.x(0.25), s.played.row(1));
       },
       becomes("fitted", "false")},
      {"select_at", Device::kTouch, "tap", nothing, [](Scene& s) { s.tap(s.played.x(0.25), s.played.row(1)); },
       becomes("selected_name", "\"World::update\"")},
      {"menu", Device::kTouch, "long press", nothing,
       [](Scene& s) {
         s.touch(flamelet::TouchPhase::kBegan, s.played.x(0.25), s.played.row(1));
         s.touch_frames(40);
       },
       opens_popup()},
      {"scope_part", Device::kMouse, "click on a row of the list",
       [](Scene& s) {
         s.overlay().settings.scope_group = static_cast<int>(flamelet::ui::GroupBy::kThread);
         s.open_scope_page();
       },
       [](Scene& s) {
         s.player().move(s.in_picture("histogram", 'x', 1) + 40, s.in_picture("histogram", 'y', 0) + 27);
         s.player().click();
       },
       becomes("scope_calls_of", "\"on Main\"")},
      {"scope_calls", Device::kMouse, "drag over the histogram", [](Scene& s) { s.open_scope_page(); },
       [](Scene& s) {
         const float y = s.in_picture("histogram", 'y', 0.5);
         s.player().drag(s.in_picture("histogram", 'x', 0.01), y, s.in_picture("histogram", 'x', 0.99), y);
       },
       more("scope_chosen")},
      {"scope_calls", Device::kMouse, "click on its graph", [](Scene& s) { s.open_scope_page(); },
       [](Scene& s) {
         s.player().move(s.in_picture("graph", 'x', 0.9), s.in_picture("graph", 'y', 0.8));
         s.player().click();
       },
       [](Scene& s, const State& b) { return s.player().state("last_frame") != b.at("last_frame"); }},
      {"message_frame", Device::kMouse, "click on a message",
       [](Scene& s) {
         s.player().open_page("messages");
         s.player().frames(40);
       },
       [](Scene& s) {
         s.player().move(400, static_cast<float>(s.player().number("message_rows_y_px")) + 8);
         s.player().click();
       },
       [](Scene& s, const State& b) {
         return s.player().state("page") == "\"lanes\"" && s.player().state("last_frame") != b.at("last_frame");
       }},
      {"lane_up", Device::kMouse, "drag of a label", nothing,
       [](Scene& s) {
         const float y = s.played.row(0);
         s.player().drag(60, y, 60, y + 300);
       },
       [](Scene& s, const State& b) { return b.at("lane") == "\"Main\"" && s.player().state("lane") != "\"Main\""; }},
      {"fold", Device::kMouse, "click on a label", nothing,
       [](Scene& s) {
         s.player().move(60, s.played.row(0));
         s.player().click();
       },
       less("zones_in_view")},
  };
  return all;
}

}  // namespace flamelet_tests
