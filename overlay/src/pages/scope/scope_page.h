// SPDX-License-Identifier: MIT
//
// scope_page.h: the page Scope: one scope, whole. The functions are those of a Page (pages.h).
#ifndef FLAMELET_OVERLAY_SRC_SCOPE_PAGE_H
#define FLAMELET_OVERLAY_SRC_SCOPE_PAGE_H

#include "pages/scope/scope_view.h"

namespace flamelet::ui {

class JsonObject;

void draw_scope_page(Overlay& o, float height);
void write_scope_state(const Overlay& o, JsonObject* json);

// Its pictures (scope_pictures.cpp), each in a rectangle on the screen.
void show_scope_histogram(Overlay& o, PictureRect at);
void show_scope_graph(Overlay& o, PictureRect at);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_SCOPE_PAGE_H
