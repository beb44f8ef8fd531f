/* SPDX-License-Identifier: MIT */
/* gpu_macros.c: GPU scopes as a program in C writes them. */
#include "flamelet/gpu.h"

int gpu_test_draw_in_c(flamelet_gpu* gpu);

int gpu_test_draw_in_c(flamelet_gpu* gpu) {
  FLAMELET_GPU_BEGIN(gpu, frame, "Frame in C");
  FLAMELET_GPU_BEGIN(gpu, shadows, "Shadows in C");
  FLAMELET_GPU_END(gpu, shadows);
  FLAMELET_GPU_END(gpu, frame);
  return __LINE__ - 3; /* of the scope "Shadows in C" */
}
