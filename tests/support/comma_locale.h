// SPDX-License-Identifier: MIT
//
// comma_locale.h: a locale with a decimal comma, which a program gets that calls setlocale(LC_ALL, "") or uses a toolkit that
// does. Few machines have one, so localedef(1) makes it in a folder.
#pragma once

#include <doctest/doctest.h>

#include <clocale>
#include <cstdlib>
#include <string>

#include "temporary_folder.h"

namespace flamelet::tests {

// As long as the object lives, this process has such a locale. A test that finds none says so, and fails where one is to be
// there (FLAMELET_TESTS_NEED_DEVICES).
class CommaLocale {
 public:
  CommaLocale() {
#ifdef _WIN32
    is_there_ = is_set("de-DE") || is_set("German");
#else
    const std::string path = folder_.file(kName);
    is_there_ = std::system(("localedef -i de_DE -f UTF-8 '" + path + "' >'" + path + ".log' 2>&1").c_str()) != -1 &&
                setenv("LOCPATH", folder_.path().c_str(), 1) == 0 && is_set(kName);
    if (!is_there_ && std::getenv("FLAMELET_TESTS_NEED_DEVICES") != nullptr)
      FAIL("localedef makes no locale with a decimal comma: " << read_file(path + ".log"));
#endif
    if (!is_there_) MESSAGE("skipped: there is no locale with a decimal comma");
  }
  ~CommaLocale() {
    std::setlocale(LC_ALL, "C");
#ifndef _WIN32
    unsetenv("LOCPATH");
#endif
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

  bool is_there() const {
    return is_there_;
  }
  // For the environment of a program.
  static std::string name() {
    return kName;
  }

 private:
  static bool is_set(const char* name) {
    return std::setlocale(LC_ALL, name) != nullptr && std::string(std::localeconv()->decimal_point) == ",";
  }

  static constexpr const char* kName = "de_DE.UTF-8";
  const TemporaryFolder folder_;
  bool is_there_ = false;
};

}  // namespace flamelet::tests
