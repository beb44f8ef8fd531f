/* SPDX-License-Identifier: MIT */
/* watch_sdl.c: the linker sends the program's calls of SDL_GL_SwapWindow here (--wrap). After 60 frames it looks whether the
   overlay has drawn, and asks the program to quit. */
#include <SDL.h>
#include <SDL_opengl.h>
#include <stdio.h>
#include <stdlib.h>

#include "flamelet.h"

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

void __wrap_SDL_GL_SwapWindow(SDL_Window* window) {
  static int frames = 0;
  if (++frames == 60) {
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
