// SPDX-License-Identifier: MIT
//
// temporary_folder.h: a folder for a test's files, and what stands in a file.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

// It goes with the object, and all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::random_device random;
    const std::filesystem::path parent = std::filesystem::temp_directory_path();
    do path_ = (parent / ("flamelet-" + std::to_string(random()))).generic_string();
    while (!std::filesystem::create_directory(path_));
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  size_t count() const { return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path_), {})); }

 private:
  std::string path_;
};

inline std::string read_file(const std::string& path) {
  std::string bytes(std::filesystem::file_size(path), 0);  // by characters it would be most of some tests
  std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}
