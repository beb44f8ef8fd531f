# SPDX-License-Identifier: MIT
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Flamelet(ConanFile):
    name = "flamelet"
    version = "0.1.0"
    description = "In-game frame profiler with a Dear ImGui overlay"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "profiler/*", "overlay/*", "shims/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("OVERLAY", "EXPORT", "IMPORT", "DEMO", "TOOLS", "TESTS", "BENCH"):
            toolchain.cache_variables[f"FLAMELET_BUILD_{part}"] = False
        toolchain.cache_variables["FLAMELET_BUILD_SHIMS"] = True
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # The package's own config file is used: it knows how to compile the overlay.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "flamelet")]
        self.cpp_info.libs = [
            "flamelet_api", "flamelet_events", "flamelet_explain", "flamelet_perf", "flamelet_tracy_shim", "flamelet_optick_shim", "flamelet_microprofile_shim", "flamelet_easy_profiler_shim", "flamelet_remotery_shim", "flamelet_shim", "flamelet_gpu_opengl", "flamelet_gpu_vulkan", "flamelet_gpu", "flamelet_profiler"]
        if not self.options.shared:
            self.cpp_info.libs.append("flamelet_platform")
