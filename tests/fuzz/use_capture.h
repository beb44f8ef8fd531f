// SPDX-License-Identifier: MIT
//
// use_capture.h: asks a capture everything that can be asked, as the overlay, the statistics, the call tree and the
// exporters do, and checks what holds of every capture, wherever it came from.
#pragma once

#include <cstdint>

#include "flamelet/capture.h"

// Gives out blocks that were used before, since fresh ones would cost more time than everything else here.
// AddressSanitizer sees whoever reaches beyond them all the same.
flamelet_allocator reusing_allocator();

// `variant` chooses the windows, and whether and in which format to export: for each call something else, to be quick.
void use_capture(const flamelet_capture* capture, uint32_t variant);

// Saves the capture, loads that, and uses it. However odd the capture, nothing that was saved is refused, and saving it once
// more gives the same bytes. (Pages that contradict their tables are cut where they do, so that the loaded capture may know
// less than the saved one.)
void save_and_load_capture(const flamelet_capture* capture, uint32_t variant);
