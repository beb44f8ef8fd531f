// SPDX-License-Identifier: MIT
//
// x11_window picture WINDOW FILE   writes what the window shows as a PNG, whatever draws it, and prints how many percent of
//                                  it are black
// x11_window close WINDOW          asks the program to close it, as a window manager does
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

namespace {

bool take_picture(Display* display, Window window, const char* path) {
  XWindowAttributes size;
  if (XGetWindowAttributes(display, window, &size) == 0) return false;
  XImage* image = XGetImage(display, window, 0, 0, static_cast<unsigned>(size.width),
                            static_cast<unsigned>(size.height), AllPlanes, ZPixmap);
  if (image == nullptr) return false;
  std::vector<unsigned char> rgb;
  int black = 0;
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const unsigned long pixel = XGetPixel(image, x, y);
      black += (pixel & 0xFFFFFF) == 0;
      for (int shift : {16, 8, 0}) rgb.push_back(static_cast<unsigned char>(pixel >> shift & 255));
    }
  }
  XDestroyImage(image);
  std::printf("%d\n", 100 * black / (size.width * size.height));
  return stbi_write_png(path, size.width, size.height, 3, rgb.data(), 3 * size.width) != 0;
}

bool ask_to_close(Display* display, Window window) {
  XEvent event = {};
  event.xclient.type = ClientMessage;
  event.xclient.window = window;
  event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", False);
  event.xclient.format = 32;
  event.xclient.data.l[0] = static_cast<long>(XInternAtom(display, "WM_DELETE_WINDOW", False));
  return XSendEvent(display, window, False, NoEventMask, &event) != 0;
}

}  // namespace

int main(int argc, char** argv) {
  Display* display = XOpenDisplay(nullptr);
  if (argc < 3 || display == nullptr) return 2;
  const Window window = std::strtoul(argv[2], nullptr, 10);
  const bool done = argc == 4 && std::string(argv[1]) == "picture" ? take_picture(display, window, argv[3])
                                                                   : ask_to_close(display, window);
  XCloseDisplay(display);
  return done ? 0 : 1;
}
