// SPDX-License-Identifier: MIT
//
// with.h: a config with other values in some of its fields.
#ifndef FLAMELET_TESTS_SUPPORT_WITH_H
#define FLAMELET_TESTS_SUPPORT_WITH_H

#include <type_traits>

template <class Config, class Field>
Config with(Config config, Field Config::*field, std::common_type_t<Field> value) {
  config.*field = value;
  return config;
}

#endif  // FLAMELET_TESTS_SUPPORT_WITH_H
