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

// The same for a name that a program gave by call. Engines pass signatures there, of 200 characters some of them; any other
// text stays as it is. A signature is told by a parameter list directly behind the name and at the end (but for qualifiers),
// together with what a plain label has not: "::" in the name, or a type in front of it.
FunctionName parse_given_name(const char* text);

}  // namespace flamelet

#endif  // FLAMELET_SRC_FUNCTION_NAME_H
