// SPDX-License-Identifier: MIT
//
// lines.h: what the program prints: how often each thing was there, or its sum.
#pragma once

#include <cstdio>
#include <map>
#include <string>

class Lines {
 public:
  void add(const std::string& line, double value = 1) { values_[line] += value; }
  void print() const {
    for (const auto& line : values_) std::printf("%s = %.17g\n", line.first.c_str(), line.second);
  }

 private:
  std::map<std::string, double> values_;
};
