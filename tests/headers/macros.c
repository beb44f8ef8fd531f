// SPDX-License-Identifier: MIT
//
// As macros.cpp, in C.
#include <flamelet/flamelet.h>

int flamelet_use_scopes(double value, int count, const char* text);

int flamelet_use_scopes(double value, int count, const char* text) {
  FLAMELET_BEGIN_FUNCTION_OBJECT(text);
  FLAMELET_BEGIN_LOCAL(local);
  FLAMELET_END_LOCAL(local);
  FLAMELET_INSTANT("instant");
  FLAMELET_INSTANT_OBJECT("instant", text);
  FLAMELET_COUNTER("value", value);
  FLAMELET_COUNTER("count", count);
  FLAMELET_FRAME();
  FLAMELET_THREAD_NAME("thread");
  FLAMELET_END_FUNCTION_RETURN(count + 1);
}
