// SPDX-License-Identifier: MIT
#include <flamelet/export.h>
#include <flamelet/flamelet.h>
#include <flamelet/import.h>
#include <flamelet/overlay.h>

extern "C" const void* engine_uses(int part);

// Whoever links this needs the libraries, and what those need.
extern "C" const void* engine_uses(int part) {
  FLAMELET_FUNCTION();
  switch (part) {
    case 0:
      return reinterpret_cast<const void*>(&flamelet_export_file);
    case 1:
      return reinterpret_cast<const void*>(&flamelet_import_file);
    default:
      return reinterpret_cast<const void*>(&flamelet::overlay_show);
  }
}
