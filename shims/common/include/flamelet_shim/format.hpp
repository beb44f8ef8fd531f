// SPDX-License-Identifier: MIT
//
// format.hpp: the text of a printf-like call. Up to a kilobyte it needs no memory; longer text is cut at 64 KiB.
#ifndef FLAMELET_SHIM_FORMAT_HPP
#define FLAMELET_SHIM_FORMAT_HPP

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "flamelet/base.h"

#ifdef __GNUC__
#define FLAMELET_SHIM_PRINTF_(text, rest) __attribute__((__format__(__printf__, text, rest)))
#else
#define FLAMELET_SHIM_PRINTF_(text, rest)
#endif

namespace flamelet_shim {

class FormattedText {
 public:
  FLAMELET_NOT_INSTRUMENTED_ FormattedText(const char* format, va_list arguments) noexcept {
    va_list again;
    va_copy(again, arguments);
    const int wanted = vsnprintf(short_, sizeof(short_), format, arguments);
    size_ = wanted > 0 ? static_cast<size_t>(wanted) : 0;
    if (size_ > kMost) size_ = kMost;
    if (size_ >= sizeof(short_)) {
      long_ = static_cast<char*>(malloc(size_ + 1));
      if (long_ != nullptr)
        vsnprintf(long_, size_ + 1, format, again);
      else
        size_ = sizeof(short_) - 1;
    }
    va_end(again);
  }
  FLAMELET_NOT_INSTRUMENTED_ ~FormattedText() { free(long_); }
  FormattedText(const FormattedText&) = delete;
  FormattedText& operator=(const FormattedText&) = delete;

  FLAMELET_NOT_INSTRUMENTED_ const char* data() const noexcept { return long_ != nullptr ? long_ : short_; }
  FLAMELET_NOT_INSTRUMENTED_ size_t size() const noexcept { return size_; }

 private:
  static constexpr size_t kMost = 65535;
  char short_[1024];
  char* long_ = nullptr;
  size_t size_ = 0;
};

}  // namespace flamelet_shim

// Declares `text`, made of `format` and the arguments behind it.
#define FLAMELET_SHIM_FORMAT_(text, format)                               \
  va_list flamelet_arguments_;                                            \
  va_start(flamelet_arguments_, format);                                  \
  const ::flamelet_shim::FormattedText text(format, flamelet_arguments_); \
  va_end(flamelet_arguments_)

#endif  // FLAMELET_SHIM_FORMAT_HPP
