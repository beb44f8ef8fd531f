// SPDX-License-Identifier: MIT
//
// function_name.h: what compilers call a function, cut to what people call it.
#ifndef FLAMELET_SRC_FUNCTION_NAME_H
#define FLAMELET_SRC_FUNCTION_NAME_H

#include "flamelet/base.h"

namespace flamelet {

struct FunctionName {
  const char* full;  // without the lambda that a scope macro adds: "virtual bool a::b<int>::proc(std::map<int, char>)"
  size_t full_size;
  const char* name;  // without return type and parameters: "a::b<int>::proc"
  size_t name_size;
};

// Both point into `pretty` (__func__ or __PRETTY_FUNCTION__). Text that is not understood is left as it is.
FLAMELET_API FunctionName parse_function_name(const char* pretty);

}  // namespace flamelet

#endif  // FLAMELET_SRC_FUNCTION_NAME_H
