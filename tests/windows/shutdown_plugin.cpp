// SPDX-License-Identifier: MIT
//
// A DLL that shuts the recorder down when the process ends, which it should not do: the threads that recorded were ended
// anywhere by then.
#include <windows.h>

#include "flamelet/recorder.h"

extern "C" BOOL WINAPI DllMain(HINSTANCE, DWORD reason, void*);

BOOL WINAPI DllMain(HINSTANCE, DWORD reason, void*) {
  if (reason == DLL_PROCESS_DETACH) flamelet_shutdown();
  return TRUE;
}
