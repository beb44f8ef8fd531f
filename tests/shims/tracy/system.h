// SPDX-License-Identifier: MIT
//
// system.h: what a system does, of systems.cpp.
static void UPDATE(int frame) {
  ZoneScoped;
  TracyPlot(NAME " load", frame * (1.5 + NUMBER));
  {
    ZoneScopedN(NAME ": gather");
    ZoneValue(static_cast<uint64_t>(frame + NUMBER));
    {
      ZoneScopedNC(NAME ": sort", 0x102030 + 0x151515 * NUMBER);
      ZoneTextF(NAME " keys %d", frame * (2 + NUMBER));
    }
    ZoneNamedN(inner, NAME ": write", true);
    ZoneTextV(inner, NAME, sizeof NAME - 1);
    ZoneNamedN(off, NAME ": never", false);
    ZoneTextV(off, "never", 5);
    if (ZoneIsActiveV(off)) TracyMessageL("an inactive zone says that it is active");
  }
  if (frame % (2 + NUMBER) == 0) TracyMessageLC(NAME " was slow", 0x334455);
  void* const memory = std::malloc(64);
  TracyAllocN(memory, 64 * (1 + NUMBER), NAME);
  {
    ZoneNamedNC(colored, NAME ": finish", tracy::Color::Tomato, frame % 2 == 0);
    ZoneValueV(colored, 0u + NUMBER);
  }
  TracyFreeN(memory, NAME);
  std::free(memory);
}
