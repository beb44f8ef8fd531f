// SPDX-License-Identifier: MIT
//
// flamelet/flamelet.h: everything that code under measurement needs. Readers also include capture.h.
#ifndef FLAMELET_FLAMELET_H
#define FLAMELET_FLAMELET_H

#include "flamelet/recorder.h"
#include "flamelet/scope.h"

#endif  // FLAMELET_FLAMELET_H
