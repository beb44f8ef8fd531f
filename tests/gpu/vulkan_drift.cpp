// SPDX-License-Identifier: MIT
//
// flamelet_vulkan_drift [SECONDS [submits]]: times scopes on a Vulkan device for so long, and compares each with the CPU's
// clock around it. `submits`: as if the device had no calibrated timestamps. Exits with 0 if none lies more than 20 us
// outside, 1 if one does, 2 if there is no device.
#include "vulkan_drift.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

int main(int argc, char** argv) {
  const std::chrono::duration<double> length(argc > 1 ? std::atof(argv[1]) : 60);
  const bool by_submits = argc > 2 && std::string(argv[2]) == "submits";
  VulkanDevice device({true, !by_submits});
  flamelet_config config = flamelet_config_default();
  flamelet_gpu* gpu = nullptr;
  if (!device.ok() || flamelet_init(&config) != FLAMELET_OK) return 2;
  const flamelet_gpu_vulkan_config gpu_config = device.config();
  if (flamelet_gpu_vulkan_create(&gpu_config, &gpu) != FLAMELET_OK) return 2;
  std::printf("%s, calibrated by %s\n", device.name().c_str(),
              device.has_calibrated_timestamps() ? "VK_EXT_calibrated_timestamps" : "submits");

  const auto begin = std::chrono::steady_clock::now();
  const auto rest = [&] { return begin + length - std::chrono::steady_clock::now(); };
  // About 500 a second, so that the recorder's ring holds all of a minute.
  const vulkan_drift::Result result = vulkan_drift::measure(device, gpu, 100'000, [&](int) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return rest().count() > 0;
  });
  std::printf(
      "%zu scopes: at most %.3f us outside of the CPU's times; %llu calibrations, the last within %.3f us, drift "
      "since the one before %.3f us\n",
      result.scopes, static_cast<double>(result.worst_ns) / 1e3, static_cast<unsigned long long>(result.calibrations),
      static_cast<double>(result.error_ns) / 1e3, static_cast<double>(result.drift_ns) / 1e3);
  for (const std::string& complaint : device.complaints()) std::printf("%s\n", complaint.c_str());
  const bool is_good = result.scopes > 0 && result.worst_ns <= vulkan_drift::kAllowedNs && device.complaints().empty();
  flamelet_gpu_destroy(gpu);
  flamelet_shutdown();
  return is_good ? 0 : 1;
}
