// SPDX-License-Identifier: MIT
//
// drop_file WINDOW FILE: drops a file onto a window as a file manager does, by the XDND protocol (version 5, by J. Lindal
// and others, freedesktop.org). 0: the window took it; 1: it did not want it; 2: it did not answer.
//
//   source                                 window
//   owns XdndSelection
//   XdndEnter, XdndPosition            ->
//                                      <-  XdndStatus: would take it
//   XdndDrop                           ->
//                                      <-  SelectionRequest for text/uri-list
//   the property, SelectionNotify      ->
//                                      <-  XdndFinished
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

enum ExitCode { kTaken = 0, kRefused = 1, kNoAnswer = 2 };
constexpr int kDeadlineMs = 30000;

class DropSource {
 public:
  DropSource(Display* display, Window target, const std::string& path)
      : display_(display),
        target_(target),
        source_(XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)),
        selection_(atom("XdndSelection")),
        uri_list_(atom("text/uri-list")),
        content_(uri_of(path) + "\r\n") {
    XSetSelectionOwner(display, selection_, source_, CurrentTime);
    int x = 0, y = 0;
    middle_of_target(&x, &y);
    send("XdndEnter", 5L << 24, static_cast<long>(uri_list_), 0, 0);
    send("XdndPosition", 0, long{x} << 16 | y, CurrentTime, static_cast<long>(atom("XdndActionCopy")));
  }

  ExitCode run() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kDeadlineMs);
    for (;;) {
      while (XPending(display_) != 0) {
        XEvent event;
        XNextEvent(display_, &event);
        if (event.type == SelectionRequest) give(event.xselectionrequest);
        if (event.type != ClientMessage) continue;
        const XClientMessageEvent& message = event.xclient;
        if (message.message_type == atom("XdndStatus")) {
          if ((message.data.l[1] & 1) == 0) return kRefused;
          if (!dropped_) send("XdndDrop", 0, CurrentTime, 0, 0);
          dropped_ = true;
        } else if (message.message_type == atom("XdndFinished")) {
          return message.data.l[1] != 0 ? kTaken : kRefused;  // GLFW answers with the length of what it got
        }
      }
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      pollfd connection = {ConnectionNumber(display_), POLLIN, 0};
      if (left.count() <= 0 || poll(&connection, 1, static_cast<int>(left.count())) == 0) return kNoAnswer;
    }
  }

 private:
  Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

  // Spaces and what is not ASCII are escaped, as file managers do.
  static std::string uri_of(const std::string& path) {
    std::string uri = "file://";
    for (const char c : path) {
      const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                            c == '.' || c == '-' || c == '_';
      char escaped[4];
      std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned char>(c));
      uri += is_plain ? std::string(1, c) : escaped;
    }
    return uri;
  }

  void middle_of_target(int* x, int* y) const {
    XWindowAttributes attributes;
    XGetWindowAttributes(display_, target_, &attributes);
    Window child;
    XTranslateCoordinates(display_, target_, attributes.root, attributes.width / 2, attributes.height / 2, x, y,
                          &child);
  }

  // To the target; the first value of each message is the source's window.
  void send(const char* type, long a, long b, long c, long d) {
    XEvent event = {};
    event.xclient.type = ClientMessage;
    event.xclient.display = display_;
    event.xclient.window = target_;
    event.xclient.message_type = atom(type);
    event.xclient.format = 32;
    const long values[5] = {static_cast<long>(source_), a, b, c, d};
    for (int i = 0; i < 5; ++i) event.xclient.data.l[i] = values[i];
    XSendEvent(display_, target_, False, NoEventMask, &event);
    XFlush(display_);
  }

  void give(const XSelectionRequestEvent& request) {
    XEvent event = {};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request.requestor;
    event.xselection.selection = request.selection;
    event.xselection.target = request.target;
    event.xselection.time = request.time;
    if (request.target == uri_list_) {
      event.xselection.property = request.property;
      XChangeProperty(display_, request.requestor, request.property, uri_list_, 8, PropModeReplace,
                      reinterpret_cast<const unsigned char*>(content_.data()), static_cast<int>(content_.size()));
    }
    XSendEvent(display_, request.requestor, False, NoEventMask, &event);
    XFlush(display_);
  }

  Display* const display_;
  const Window target_, source_;
  const Atom selection_, uri_list_;
  const std::string content_;
  bool dropped_ = false;
};

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) return std::fputs("usage: drop_file WINDOW FILE\n", stderr), 2;
  Display* const display = XOpenDisplay(nullptr);
  if (display == nullptr) return std::fputs("drop_file: no display\n", stderr), 2;
  const ExitCode result = DropSource(display, std::strtoul(arguments[1], nullptr, 0), arguments[2]).run();
  XCloseDisplay(display);
  return result;
}
