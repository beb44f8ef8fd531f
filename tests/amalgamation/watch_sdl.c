/* SPDX-License-Identifier: MIT */
/* watch_sdl.c: the linker sends the program's calls of SDL_GL_SwapWindow here (--wrap). It plays a game that hides its pointer
   and stops SDL's text, taps F1 and F2 within one frame each, and looks who has the pointer. Then it looks whether the HUD was
   drawn, and asks the program to quit. */
#include <SDL.h>
#include <SDL_opengl.h>
#include <stdio.h>
#include <stdlib.h>

#include "flamelet.h"
#include "profiler.h"

void __real_SDL_GL_SwapWindow(SDL_Window* window);
void __wrap_SDL_GL_SwapWindow(SDL_Window* window);

/* The HUD stands in a corner that the game leaves black. */
static int lit_pixels(void) {
  static unsigned char pixels[200 * 400 * 4];
  int lit = 0;
  for (int corner = 0; corner < 4; ++corner) {
    glReadPixels(corner % 2 * 880, corner / 2 * 520, 400, 200, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (int i = 0; i < 200 * 400; ++i)
      lit += pixels[4 * i] > 128 && pixels[4 * i + 1] > 128 && pixels[4 * i + 2] > 128;
  }
  return lit;
}

static void tap(SDL_Keycode key) {
  SDL_Event event;
  SDL_zero(event);
  event.key.keysym.sym = key;
  event.key.keysym.scancode = SDL_GetScancodeFromKey(key);
  event.type = SDL_KEYDOWN;
  SDL_PushEvent(&event);
  event.type = SDL_KEYUP;
  SDL_PushEvent(&event);
}

static void expect(const char* what, int is, int should) {
  if (is == should) return;
  printf("%s: %d, should be %d\n", what, is, should);
  exit(1);
}

static void expect_pointer(const char* mode, int overlays) {
  SDL_Event motion;
  SDL_zero(motion);
  motion.type = SDL_MOUSEMOTION;
  printf("%s\n", mode);
  expect("motion is taken", profiler_takes(&motion), overlays);
  expect("cursor", SDL_ShowCursor(SDL_QUERY), overlays);
}

static void play_input(int frame) {
  switch (frame) {
    case 5:
      SDL_ShowCursor(SDL_DISABLE);
      SDL_StopTextInput();
      break;
    case 10:
      expect_pointer("HUD", 0);
      tap(SDLK_F1);
      tap(SDLK_F1);
      break;
    case 20:
      expect_pointer("active", 1);
      tap(SDLK_SLASH);
      break;
    case 30:
      expect("text for the filter", SDL_IsTextInputActive() == SDL_TRUE, 1);
      tap(SDLK_F1);
      break;
    case 40:
      expect_pointer("off", 0);
      expect("text for the game", SDL_IsTextInputActive() == SDL_TRUE, 0);
      tap(SDLK_F2);
      tap(SDLK_F1);
      break;
    default:
      break;
  }
}

void __wrap_SDL_GL_SwapWindow(SDL_Window* window) {
  static int frames = 0;
  play_input(++frames);
  if (frames == 60) {
    flamelet_stats stats;
    flamelet_get_stats(&stats);
    const int lit = lit_pixels();
    printf("%d pixels of text, %llu events\n", lit, (unsigned long long)stats.events_recorded);
    if (lit < 100 || stats.events_recorded < 60 * 4) exit(1);
    SDL_Event quit;
    SDL_zero(quit);
    quit.type = SDL_QUIT;
    SDL_PushEvent(&quit);
  }
  __real_SDL_GL_SwapWindow(window);
}
