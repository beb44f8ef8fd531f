// SPDX-License-Identifier: MIT
//
// A main loop of the packaged SDL, on its video driver without a screen.
#define SDL_MAIN_HANDLED
#include "flamelet/adapters/sdl2.h"

#include "adapters/adapted.h"

using namespace recorder_test;

TEST_CASE("adapters: SDL's loop marks its frames, and its waits are waits") {
  SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
  SDL_SetHint(SDL_HINT_RENDER_DRIVER, "software");
  REQUIRE(SDL_Init(SDL_INIT_VIDEO) == 0);
  SDL_Window* window = SDL_CreateWindow("test", 0, 0, 64, 64, SDL_WINDOW_HIDDEN);
  REQUIRE(window != nullptr);
  SDL_Renderer* renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
  REQUIRE(renderer != nullptr);
  SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
  {
    const Recording recording;
    SDL_Event pushed = {};
    pushed.type = SDL_USEREVENT;
    pushed.user.code = 42;
    REQUIRE(SDL_PushEvent(&pushed) == 1);
    SDL_Event event = {};
    CHECK(flamelet_sdl_poll_event(&event) == 1);
    CHECK(event.user.code == 42);
    REQUIRE(SDL_PushEvent(&pushed) == 1);
    CHECK(flamelet_sdl_wait_event(&event, -1) == 1);
    REQUIRE(SDL_PushEvent(&pushed) == 1);
    CHECK(flamelet_sdl_wait_event(&event, 1000) == 1);
    flamelet_sdl_delay(0);
    for (int frame = 0; frame < 3; ++frame) flamelet_sdl_present(renderer);
    CHECK(stats().frames == 3);
    CHECK(own_tree() ==
          "SDL_PollEvent SDL_WaitEvent SDL_WaitEvent SDL_Delay "
          "SDL_RenderPresent SDL_RenderPresent SDL_RenderPresent");
    Capture capture(Captured::kNow);
    for (const flamelet_span& span : capture.spans(capture.lane("own")))
      CHECK(category_of(capture, span) ==
            (capture.string(span.name) == "SDL_PollEvent" ? "sdl" : FLAMELET_WAIT_CATEGORY));
    check_nothing_unpaired();
  }
  SDL_DestroyRenderer(renderer);
  SDL_DestroyWindow(window);
  SDL_Quit();
}
