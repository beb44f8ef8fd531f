// SPDX-License-Identifier: MIT
//
// with.h: a config with other values in some of its fields.
#pragma once

#include <type_traits>

template <class Config, class Field>
Config with(Config config, Field Config::*field, std::common_type_t<Field> value) {
  config.*field = value;
  return config;
}
