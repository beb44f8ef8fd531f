// SPDX-License-Identifier: MIT
//
// wide_text.h: between UTF-8 and what Windows takes. What is no text becomes U+FFFD.
#ifndef FLAMELET_TOOLS_PLATFORM_WINDOWS_WIDE_TEXT_H
#define FLAMELET_TOOLS_PLATFORM_WINDOWS_WIDE_TEXT_H

#include <string>
#include <string_view>

#include "platform/windows/windows.h"

namespace flamelet::tools {

inline std::wstring to_wide(std::string_view text) {
  const int bytes = static_cast<int>(text.size());
  std::wstring wide(static_cast<size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, nullptr, 0)), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, wide.data(), static_cast<int>(wide.size()));
  return wide;
}

inline std::string to_utf8(std::wstring_view wide) {
  const int units = static_cast<int>(wide.size());
  const int bytes = WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<size_t>(bytes), '\0');
  WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, text.data(), bytes, nullptr, nullptr);
  return text;
}

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_PLATFORM_WINDOWS_WIDE_TEXT_H
