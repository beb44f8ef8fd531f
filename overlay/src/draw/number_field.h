// SPDX-License-Identifier: MIT
//
// number_field.h: a number that can be typed. ImGui's own field reads and writes by the C library, so where the game's locale
// has a decimal comma, "16.7" would be 16.
#ifndef FLAMELET_OVERLAY_SRC_NUMBER_FIELD_H
#define FLAMELET_OVERLAY_SRC_NUMBER_FIELD_H

#include <string_view>

namespace flamelet::ui {

// "-12", "0.85": up to nine digits behind a point. False: it is none, and *value is as before.
bool read_number(std::string_view text, double* value);

// At the cursor, as wide as ImGui::SetNextItemWidth() says. Buttons for less and more by `step`, with Ctrl by ten times that;
// 0 = no buttons. True in each frame in which it changes; then, and for IsItemActive() and the like, it is one item.
bool number_field(const char* id, double* value, double step, int decimals);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_NUMBER_FIELD_H
