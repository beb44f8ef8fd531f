// SPDX-License-Identifier: MIT
//
// offscreen_gl.h: an OpenGL 3.3 core or OpenGL ES 3 context without a window, and passes of work to time in it. Needs neither headers
// nor libraries at build time: EGL is opened at run time, and what is used of it and of OpenGL is declared here.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <vector>

#include "flamelet/gpu_opengl.h"
#include "loaded_drivers.h"

class OffscreenGl {
 public:
  enum class Api { kCore33, kEs3 };

  // Tries every EGL device, then Mesa's surfaceless platform, then the default display. Check ok().
  explicit OffscreenGl(Api api = Api::kCore33) : api_(api) {
    library_ = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
      why_not_ = "libEGL.so.1 is not here";
      return;
    }
    get_proc = reinterpret_cast<flamelet_gl_get_proc>(dlsym(library_, "eglGetProcAddress"));
    if (get_proc == nullptr) return;
    why_not_ = "no EGL display gives such a context without a surface";
    std::vector<void*> devices(16);
    int32_t device_count = 0;
    using QueryDevices = uint32_t (*)(int32_t, void**, int32_t*);
    if (const auto query_devices = function<QueryDevices>("eglQueryDevicesEXT"))
      query_devices(16, devices.data(), &device_count);
    using GetPlatformDisplay = void* (*)(uint32_t platform, void* native, const int32_t* attributes);
    if (const auto get_platform_display = function<GetPlatformDisplay>("eglGetPlatformDisplayEXT")) {
      for (int32_t i = 0; i < device_count && !ok_; ++i)
        start(get_platform_display(0x313F /* EGL_PLATFORM_DEVICE_EXT */, devices[static_cast<size_t>(i)], nullptr));
      if (!ok_) start(get_platform_display(0x31DD /* EGL_PLATFORM_SURFACELESS_MESA */, nullptr, nullptr));
    }
    if (!ok_) start(function<void* (*)(void*)>("eglGetDisplay")(nullptr));
    if (ok_) load();
    keep_loaded_drivers();
  }

  ~OffscreenGl() {
    if (display_ != nullptr) {
      make_current_(display_, nullptr, nullptr, nullptr);
      function<uint32_t (*)(void*, void*)>("eglDestroyContext")(display_, context_);
      function<uint32_t (*)(void*)>("eglTerminate")(display_);
      function<uint32_t (*)()>("eglReleaseThread")();
    }
  }

  OffscreenGl(const OffscreenGl&) = delete;
  OffscreenGl& operator=(const OffscreenGl&) = delete;

  bool ok() const { return ok_; }
  const std::string& why_not() const { return why_not_; }
  std::string text(uint32_t name) const {
    const uint8_t* string = get_string_(name);
    return string == nullptr ? "" : reinterpret_cast<const char*>(string);
  }
  std::string renderer() const { return text(0x1F01); }
  std::string version() const { return text(0x1F02); }

  // Draws one triangle over the whole of render target `target`, with `iterations` steps of work for each pixel. Every
  // target is a framebuffer of its own, because software renderers time only whole runs on one.
  void draw(size_t target, int32_t iterations) {
    while (targets_.size() <= target) targets_.push_back(make_target());
    bind_framebuffer_(0x8D40, targets_[target]);
    viewport_(0, 0, kSize, kSize);
    uniform_(iterations_uniform_, iterations);
    draw_arrays_(0x0004, 0, 3);
  }
  void flush() { flush_(); }
  void finish() { finish_(); }
  uint32_t error() { return get_error_(); }

  flamelet_gl_get_proc get_proc = nullptr;

 private:
  static constexpr int32_t kSize = 128;

  template <typename Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(get_proc(name));
  }
  template <typename Function>
  void load(Function* to, const char* name) {
    *to = function<Function>(name);
  }

  void start(void* display) {
    if (display == nullptr ||
        !function<uint32_t (*)(void*, int32_t*, int32_t*)>("eglInitialize")(display, nullptr, nullptr))
      return;
    load(&make_current_, "eglMakeCurrent");
    const bool es = api_ == Api::kEs3;
    const int32_t wanted[] = {0x3040 /* RENDERABLE_TYPE */, es ? 0x40 : 8, 0x3033 /* SURFACE_TYPE */, 1, 0x3038};
    const int32_t core_3_3[] = {0x3098, 3, 0x30FB, 3, 0x30FD, 1, 0x3038};
    const int32_t es_3[] = {0x3098, 3, 0x3038};
    void* config = nullptr;
    int32_t config_count = 0;
    using ChooseConfig = uint32_t (*)(void*, const int32_t*, void**, int32_t, int32_t*);
    using CreateContext = void* (*)(void*, void*, void*, const int32_t*);
    function<uint32_t (*)(uint32_t)>("eglBindAPI")(es ? 0x30A0u /* OPENGL_ES_API */ : 0x30A2u /* OPENGL_API */);
    function<ChooseConfig>("eglChooseConfig")(display, wanted, &config, 1, &config_count);
    void* context = function<CreateContext>("eglCreateContext")(display, config, nullptr, es ? es_3 : core_3_3);
    if (context != nullptr && make_current_(display, nullptr, nullptr, context)) {
      display_ = display;
      context_ = context;
      ok_ = true;
    } else {
      function<uint32_t (*)(void*)>("eglTerminate")(display);
    }
  }

  void load() {
    load(&get_string_, "glGetString");
    load(&get_error_, "glGetError");
    load(&bind_framebuffer_, "glBindFramebuffer");
    load(&viewport_, "glViewport");
    load(&uniform_, "glUniform1i");
    load(&draw_arrays_, "glDrawArrays");
    load(&flush_, "glFlush");
    load(&finish_, "glFinish");
    const char* const first_line =
        api_ == Api::kEs3 ? "#version 300 es\nprecision highp float;\n" : "#version 330 core\n";
    const char* vertex =
        "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1., 0, 1); }\n";
    const char* fragment =
        "uniform int iterations;\n"
        "out vec4 color;\n"
        "void main() {\n"
        "  float x = gl_FragCoord.x;\n"
        "  for (int i = 0; i < iterations; ++i) x = sin(x * 1.1 + gl_FragCoord.y);\n"
        "  color = vec4(x);\n"
        "}\n";
    const uint32_t program = function<uint32_t (*)()>("glCreateProgram")();
    for (const auto& [type, source] : {std::pair(0x8B31u, vertex), std::pair(0x8B30u, fragment)}) {
      const uint32_t shader = function<uint32_t (*)(uint32_t)>("glCreateShader")(type);
      const char* const lines[] = {first_line, source};
      function<void (*)(uint32_t, int32_t, const char* const*, const int32_t*)>("glShaderSource")(shader, 2, lines,
                                                                                                  nullptr);
      function<void (*)(uint32_t)>("glCompileShader")(shader);
      function<void (*)(uint32_t, uint32_t)>("glAttachShader")(program, shader);
    }
    function<void (*)(uint32_t)>("glLinkProgram")(program);
    int32_t linked = 0;
    function<void (*)(uint32_t, uint32_t, int32_t*)>("glGetProgramiv")(program, 0x8B82, &linked);
    function<void (*)(uint32_t)>("glUseProgram")(program);
    iterations_uniform_ = function<int32_t (*)(uint32_t, const char*)>("glGetUniformLocation")(program, "iterations");
    uint32_t vertex_array = 0;
    function<void (*)(int32_t, uint32_t*)>("glGenVertexArrays")(1, &vertex_array);
    function<void (*)(uint32_t)>("glBindVertexArray")(vertex_array);
    if (linked == 0) {
      ok_ = false;
      why_not_ = "the shaders do not link";
    }
  }

  uint32_t make_target() {
    uint32_t texture = 0, framebuffer = 0;
    function<void (*)(int32_t, uint32_t*)>("glGenTextures")(1, &texture);
    function<void (*)(uint32_t, uint32_t)>("glBindTexture")(0x0DE1, texture);
    using TexImage = void (*)(uint32_t, int32_t, int32_t, int32_t, int32_t, int32_t, uint32_t, uint32_t, const void*);
    function<TexImage>("glTexImage2D")(0x0DE1, 0, 0x8058 /* RGBA8 */, kSize, kSize, 0, 0x1908, 0x1401, nullptr);
    function<void (*)(int32_t, uint32_t*)>("glGenFramebuffers")(1, &framebuffer);
    bind_framebuffer_(0x8D40, framebuffer);
    using AttachTexture = void (*)(uint32_t, uint32_t, uint32_t, uint32_t, int32_t);
    function<AttachTexture>("glFramebufferTexture2D")(0x8D40, 0x8CE0, 0x0DE1, texture, 0);
    return framebuffer;
  }

  Api api_;
  void* library_ = nullptr;
  void* display_ = nullptr;
  void* context_ = nullptr;
  bool ok_ = false;
  std::string why_not_ = "libEGL.so.1 has no eglGetProcAddress";
  int32_t iterations_uniform_ = -1;
  std::vector<uint32_t> targets_;
  uint32_t (*make_current_)(void*, void*, void*, void*) = nullptr;
  const uint8_t* (*get_string_)(uint32_t) = nullptr;
  uint32_t (*get_error_)() = nullptr;
  void (*bind_framebuffer_)(uint32_t, uint32_t) = nullptr;
  void (*viewport_)(int32_t, int32_t, int32_t, int32_t) = nullptr;
  void (*uniform_)(int32_t, int32_t) = nullptr;
  void (*draw_arrays_)(uint32_t, int32_t, int32_t) = nullptr;
  void (*flush_)() = nullptr;
  void (*finish_)() = nullptr;
};
