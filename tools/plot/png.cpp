// SPDX-License-Identifier: MIT
#include "png.h"

#ifdef FLAMELET_HAS_RSVG

#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>

namespace flamelet::tools {
namespace {

constexpr double kScale = 2;  // pixels for a unit of the SVG: sharp on the screens of today

struct Unref {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(GError* error) const { g_error_free(error); }
};

bool fail(GError* error, std::string* problem) {
  const std::unique_ptr<GError, Unref> owner(error);
  *problem = error != nullptr ? error->message : "librsvg gives no reason";
  return false;
}

}  // namespace

bool can_draw_png() {
  return true;
}

bool svg_to_png(const std::string& svg, std::string* png, std::string* problem) {
  GError* error = nullptr;
  const std::unique_ptr<RsvgHandle, Unref> picture(
      rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (picture == nullptr) return fail(error, problem);
  double width = 0;
  double height = 0;
  if (!rsvg_handle_get_intrinsic_size_in_pixels(picture.get(), &width, &height)) {
    *problem = "the picture has no size";
    return false;
  }
  const RsvgRectangle area = {0, 0, width * kScale, height * kScale};
  const std::unique_ptr<cairo_surface_t, Unref> surface(cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, static_cast<int>(std::ceil(area.width)), static_cast<int>(std::ceil(area.height))));
  const std::unique_ptr<cairo_t, Unref> context(cairo_create(surface.get()));
  if (!rsvg_handle_render_document(picture.get(), context.get(), &area, &error)) return fail(error, problem);
  const auto append = [](void* closure, const unsigned char* bytes, unsigned size) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(bytes), size);
    return CAIRO_STATUS_SUCCESS;
  };
  png->clear();
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append, png);
  *problem = cairo_status_to_string(status);
  return status == CAIRO_STATUS_SUCCESS;
}

}  // namespace flamelet::tools

#else

namespace flamelet::tools {

bool can_draw_png() {
  return false;
}

bool svg_to_png(const std::string&, std::string*, std::string* problem) {
  *problem = "this program was built without librsvg, and draws SVG only";
  return false;
}

}  // namespace flamelet::tools

#endif
