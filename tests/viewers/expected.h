// SPDX-License-Identifier: MIT
//
// expected.h: what Flamelet itself says about a capture or a call tree, as JSON for the viewers' tests.
//
// Totals come from flamelet_statistics and from the tree's readers, call paths from the parents of the spans: nothing
// here shares code with an exporter. Viewers know names and no sites, so scopes of one name are one. Names stand as
// hexadecimal digits, so that the reader decides himself what becomes of bytes that are not UTF-8.
#pragma once

#include <string>

#include "flamelet/call_tree.h"
#include "flamelet/capture.h"

std::string expected_of(const flamelet_capture* capture);
std::string expected_of(flamelet_call_tree* tree);
