// SPDX-License-Identifier: MIT
//
// build.h: how this library was built, and what the program says of itself. Captures and ring files keep it.
#ifndef FLAMELET_SRC_BUILD_H
#define FLAMELET_SRC_BUILD_H

namespace flamelet {

// As it is saved. Each text ends with a 0, with zeros behind it.
struct BuildInfo {
  char library[128];  // "Flamelet 0.1.0, g++ 12.2.0, x86-64, inlined scopes, optimized"; "" if it is not known
  char note[128];     // flamelet_config.note
};

// `note` may be NULL.
BuildInfo describe_build(const char* note);
// Makes a description from a file valid, whatever it holds.
BuildInfo checked(const BuildInfo& info);

}  // namespace flamelet

#endif  // FLAMELET_SRC_BUILD_H
