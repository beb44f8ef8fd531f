// SPDX-License-Identifier: MIT
//
// As macros.cpp, in C.
#include <flamelet/gpu.h>

int use_scopes(flamelet_gpu* gpu, double value, int count, const char* text);

int use_scopes(flamelet_gpu* gpu, double value, int count, const char* text) {
  FLAMELET_BEGIN_FUNCTION_OBJECT(text);
  FLAMELET_BEGIN_LOCAL(local);
  FLAMELET_END_LOCAL(local);
  FLAMELET_BEGIN(a, "quoted");
  FLAMELET_NEXT(a, "next");
  FLAMELET_NEXT_WAIT(a, "wait");
  if (count != 0)
    FLAMELET_NEXT(a, "one statement");
  else
    FLAMELET_END(a);
  FLAMELET_BEGIN_CATEGORY(b, "quoted", "category");
  FLAMELET_BEGIN_COLOR(c, "quoted", 0xff0000);
  FLAMELET_BEGIN_WAIT(d, "quoted");
  FLAMELET_BEGIN_OBJECT(e, "quoted", text);
  FLAMELET_GPU_BEGIN(gpu, pass, "pass");
  FLAMELET_GPU_END(gpu, pass);
  FLAMELET_END(e);
  FLAMELET_END(d);
  FLAMELET_END(c);
  FLAMELET_END(b);
  FLAMELET_INSTANT("instant");
  FLAMELET_INSTANT_OBJECT("instant", text);
  FLAMELET_COUNTER("value", value);
  FLAMELET_COUNTER("count", count);
  FLAMELET_FRAME();
  FLAMELET_FRAME_NAMED("set");
  FLAMELET_FLOW_BEGIN(text);
  FLAMELET_FLOW_END(count);
  FLAMELET_THREAD_NAME("thread");
  if (count == 0) return FLAMELET_END_FUNCTION_VALUE(0);
  return FLAMELET_END_FUNCTION_VALUE(count + 1);
}
