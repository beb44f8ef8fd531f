// SPDX-License-Identifier: MIT
#include "desktop/gl_window.h"

#include <flamelet/flamelet.h>
#include <glad/gl.h>

// Static, so that it cannot meet a copy inside another library.
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>
#include <vector>

#include "platform/file.h"

namespace flamelet::desktop {

void write_file(const std::string& path, std::string_view content) {
  NewFile file;
  if (!file.open(path.c_str(), FileReaders::kAsBefore) || !file.write(content.data(), content.size()) || !file.commit())
    throw std::runtime_error("Cannot write " + path + ": " + std::strerror(errno) + ".");
}

void write_screenshot(const std::string& path, int width, int height) {
  FLAMELET_FUNCTION();
  std::vector<unsigned char> pixels(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  stbi_flip_vertically_on_write(1);  // OpenGL's first row is the lowest
  std::string png;
  const auto append = [](void* to, void* bytes, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), static_cast<size_t>(size));
  };
  if (stbi_write_png_to_func(append, &png, width, height, 3, pixels.data(), width * 3) == 0) throw std::bad_alloc();
  write_file(path, png);
}

}  // namespace flamelet::desktop
