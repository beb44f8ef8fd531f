// SPDX-License-Identifier: MIT
//
// zone.hpp: one zone. Its place is static where a macro names it; then begin and end are those of FLAMELET_SCOPE().
#ifndef FLAMELET_TRACY_ZONE_HPP
#define FLAMELET_TRACY_ZONE_HPP

#include <string.h>

#include "flamelet_shim/calls.h"
#include "flamelet_shim/format.hpp"

namespace tracy {

struct SourceLocationData {
  const char* name;
  const char* function;
  const char* file;
  uint32_t line;
  uint32_t color;
};

class ScopedZone {
 public:
  // What the macros make.
  __attribute__((always_inline, no_instrument_function)) ScopedZone(flamelet_site* site, bool active) noexcept
      : id_(active ? flamelet_scope_begin_(site) : 0) {}
  FLAMELET_NOT_INSTRUMENTED_ ScopedZone(flamelet_site* site, int32_t depth, bool active) noexcept
      : ScopedZone(site, active) {
    note(depth);
  }

  __attribute__((always_inline, no_instrument_function))
  ScopedZone(flamelet_shim_names& known, const SourceLocationData& at, const char* name, int32_t depth,
             bool active) noexcept
      : id_(active ? flamelet_shim_begin_named_(&known, name, at.function, at.file, at.line, at.color) : 0) {
    note(depth);
  }

  // What programs make themselves. The place may be anywhere; its texts are copied.
  FLAMELET_NOT_INSTRUMENTED_ explicit ScopedZone(const SourceLocationData* place, int32_t depth = -1,
                                                 bool active = true) noexcept
      : id_(active ? begin(*place) : 0) {
    note(depth);
  }
  FLAMELET_NOT_INSTRUMENTED_ ScopedZone(uint32_t line, const char* file, size_t file_size, const char* function,
                                        size_t function_size, const char* name, size_t name_size, uint32_t color,
                                        int32_t depth = -1, bool active = true) noexcept
      : id_(0) {
    const flamelet_shim_place place = {name, name_size, function, function_size, file, file_size, line, color};
    if (active) id_ = flamelet_shim_begin_at(&place, nullptr);
    note(depth);
  }
  FLAMELET_NOT_INSTRUMENTED_ ScopedZone(uint32_t line, const char* file, size_t file_size, const char* function,
                                        size_t function_size, const char* name, size_t name_size, int32_t depth,
                                        bool active = true) noexcept
      : ScopedZone(line, file, file_size, function, function_size, name, name_size, 0u, depth, active) {}

  __attribute__((always_inline, no_instrument_function)) ~ScopedZone() noexcept { flamelet_scope_end_(id_); }
  ScopedZone(const ScopedZone&) = delete;
  ScopedZone(ScopedZone&&) = delete;
  ScopedZone& operator=(const ScopedZone&) = delete;
  ScopedZone& operator=(ScopedZone&&) = delete;

  // The id goes by value, so that a zone stays in a register.
  FLAMELET_NOT_INSTRUMENTED_ void Text(const char* text, size_t size) const noexcept {
    flamelet_shim_zone_text(id_, text, size);
  }
  FLAMELET_NOT_INSTRUMENTED_ void Name(const char* text, size_t size) const noexcept {
    flamelet_shim_zone_name(id_, text, size);
  }
  FLAMELET_NOT_INSTRUMENTED_ void Value(uint64_t value) const noexcept { flamelet_shim_zone_value(id_, value); }
  FLAMELET_NOT_INSTRUMENTED_ void Color(uint32_t) const noexcept {
    if (id_ != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_ZONE_COLOR_);
  }
  FLAMELET_NOT_INSTRUMENTED_ FLAMELET_SHIM_PRINTF_(2, 3) void TextFmt(const char* format, ...) const noexcept {
    if (id_ == 0) return;
    FLAMELET_SHIM_FORMAT_(text, format);
    Text(text.data(), text.size());
  }
  FLAMELET_NOT_INSTRUMENTED_ FLAMELET_SHIM_PRINTF_(2, 3) void NameFmt(const char* format, ...) const noexcept {
    if (id_ == 0) return;
    FLAMELET_SHIM_FORMAT_(text, format);
    Name(text.data(), text.size());
  }
  FLAMELET_NOT_INSTRUMENTED_ bool IsActive() const noexcept { return id_ != 0; }

 private:
  FLAMELET_NOT_INSTRUMENTED_ static size_t size_of(const char* text) noexcept {
    return text == nullptr ? 0 : strlen(text);
  }
  FLAMELET_NOT_INSTRUMENTED_ static flamelet_id begin(const SourceLocationData& at) noexcept {
    const flamelet_shim_place place = {at.name, size_of(at.name), at.function, size_of(at.function),
                                       at.file, size_of(at.file), at.line,     at.color};
    return flamelet_shim_begin_at(&place, nullptr);
  }
  FLAMELET_NOT_INSTRUMENTED_ void note(int32_t depth) const noexcept {
    if (depth > 0 && id_ != 0) flamelet_shim_note_(FLAMELET_SHIM_NOTE_CALL_STACK_);
  }

  flamelet_id id_;
};

}  // namespace tracy

#endif  // FLAMELET_TRACY_ZONE_HPP
