// SPDX-License-Identifier: MIT
//
// precompiled.h: what most test programs include of other libraries (cmake/flamelet_test_program.cmake). No test source
// includes it: each still names what it uses.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>
