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
#include "macros.inc"
  FLAMELET_GPU_BEGIN(gpu, pass, "pass");
  FLAMELET_GPU_END(gpu, pass);
  FLAMELET_END(e);
  FLAMELET_END(d);
  FLAMELET_END(c);
  FLAMELET_END(b);
  if (count == 0) return FLAMELET_END_FUNCTION_VALUE(0);
  return FLAMELET_END_FUNCTION_VALUE(count + 1);
}
