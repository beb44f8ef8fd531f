// SPDX-License-Identifier: MIT
//
// early.cpp: knows nothing of Tracy, and is initialized first. What it calls has a zone.
bool record_zone();
extern const bool early_zone_is_active;
const bool early_zone_is_active = record_zone();
