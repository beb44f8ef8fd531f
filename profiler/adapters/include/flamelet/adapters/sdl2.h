// SPDX-License-Identifier: MIT
//
// flamelet/adapters/sdl2.h: the frame and the waits of an SDL main loop. C and C++.
//
//   while (running) {
//     while (flamelet_sdl_poll_event(&event)) ...
//     ...
//     flamelet_sdl_swap_window(window);   // or flamelet_sdl_present(renderer)
//   }
//
// Each function does what SDL's of that name does, with the same result. The two that show a picture wait for the
// display; they end with the mark of the frame. Scopes have the category "sdl", and FLAMELET_WAIT_CATEGORY where the thread
// waits.
// Threads:   as SDL's functions; only one thread may show pictures.
// Cost:      of a call: one scope; the two that show a picture also mark the frame.
#ifndef FLAMELET_ADAPTERS_SDL2_H
#define FLAMELET_ADAPTERS_SDL2_H

#include <SDL.h>

#include "flamelet/scope.h"

FLAMELET_NOT_INSTRUMENTED_ static inline int flamelet_sdl_poll_event(SDL_Event* event) {
  FLAMELET_BEGIN_CATEGORY(scope, "SDL_PollEvent", "sdl");
  const int any = SDL_PollEvent(event);
  FLAMELET_END(scope);
  return any;
}

// A negative time waits without an end, as SDL_WaitEvent() does.
FLAMELET_NOT_INSTRUMENTED_ static inline int flamelet_sdl_wait_event(SDL_Event* event, int timeout_ms) {
  FLAMELET_BEGIN_WAIT(scope, "SDL_WaitEvent");
  const int any = timeout_ms < 0 ? SDL_WaitEvent(event) : SDL_WaitEventTimeout(event, timeout_ms);
  FLAMELET_END(scope);
  return any;
}

FLAMELET_NOT_INSTRUMENTED_ static inline void flamelet_sdl_delay(Uint32 ms) {
  FLAMELET_BEGIN_WAIT(scope, "SDL_Delay");
  SDL_Delay(ms);
  FLAMELET_END(scope);
}

FLAMELET_NOT_INSTRUMENTED_ static inline void flamelet_sdl_swap_window(SDL_Window* window) {
  FLAMELET_BEGIN_WAIT(scope, "SDL_GL_SwapWindow");
  SDL_GL_SwapWindow(window);
  FLAMELET_END(scope);
  FLAMELET_FRAME();
}

FLAMELET_NOT_INSTRUMENTED_ static inline void flamelet_sdl_present(SDL_Renderer* renderer) {
  FLAMELET_BEGIN_WAIT(scope, "SDL_RenderPresent");
  SDL_RenderPresent(renderer);
  FLAMELET_END(scope);
  FLAMELET_FRAME();
}

#endif  // FLAMELET_ADAPTERS_SDL2_H
