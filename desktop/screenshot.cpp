// SPDX-License-Identifier: MIT
#include "desktop/screenshot.h"

#include <flamelet/flamelet.h>
#include <glad/gl.h>

// Static, so that it cannot meet a copy inside another library.
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

namespace flamelet::desktop {

void write_screenshot(const std::string& path, int width, int height) {
  FLAMELET_FUNCTION();
  std::vector<unsigned char> pixels(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  stbi_flip_vertically_on_write(1);  // OpenGL's first row is the lowest
  const std::string beside = path + ".part";
  if (!stbi_write_png(beside.c_str(), width, height, 3, pixels.data(), width * 3) ||
      std::rename(beside.c_str(), path.c_str()) != 0) {
    throw std::runtime_error("Cannot write " + path + ".");
  }
}

}  // namespace flamelet::desktop
