// SPDX-License-Identifier: MIT
//
// deep_link.h: where the user is, in a text that leads back there (overlay_write_link, overlay_open_link).
#ifndef FLAMELET_OVERLAY_SRC_DEEP_LINK_H
#define FLAMELET_OVERLAY_SRC_DEEP_LINK_H

namespace flamelet {
struct Overlay;
}

namespace flamelet::ui {

// Gives the link to the program, which has OverlayHost::copy_link.
void copy_link(Overlay& o);

}  // namespace flamelet::ui

#endif  // FLAMELET_OVERLAY_SRC_DEEP_LINK_H
