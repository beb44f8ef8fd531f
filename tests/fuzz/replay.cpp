// SPDX-License-Identifier: MIT
//
// The main() of a fuzz target where there is no libFuzzer: takes files, and all files in folders, one by one.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz.h"

namespace {

void take(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  FUZZ_CHECK(file.good());
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argument_count, char** arguments) {
  int taken = 0;
  for (int i = 1; i < argument_count; ++i) {
    if (!std::filesystem::is_directory(arguments[i])) {
      take(arguments[i]), ++taken;
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) take(entry.path()), ++taken;
  }
  std::printf("%d inputs taken\n", taken);
  return taken == 0 ? 1 : 0;
}
