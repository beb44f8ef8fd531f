// SPDX-License-Identifier: MIT
//
// perfetto_wire.h: a field and its wire type, to switch over: a field of another type than it should have is then one
// that is not known, and never read as what it is not.
#ifndef FLAMELET_IMPORT_SRC_PERFETTO_WIRE_H
#define FLAMELET_IMPORT_SRC_PERFETTO_WIRE_H

#include <protozero/pbf_reader.hpp>
#include <string_view>

#include "perfetto_fields.h"

namespace flamelet::formats::perfetto {

constexpr uint32_t varint(uint32_t field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::varint);
}
constexpr uint32_t length(uint32_t field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::length_delimited);
}
constexpr uint32_t fixed64(uint32_t field) {
  return protozero::tag_and_type(field, protozero::pbf_wire_type::fixed64);
}

inline std::string_view view(protozero::data_view bytes) {
  return {bytes.data(), bytes.size()};
}
// The start of a text, without half a character at its end.
inline std::string_view whole_start(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  while (max_bytes != 0 && (static_cast<unsigned char>(text[max_bytes]) & 0xC0) == 0x80) --max_bytes;
  return text.substr(0, max_bytes);
}
inline uint32_t get_uint32(protozero::pbf_reader& reader) {
  return static_cast<uint32_t>(reader.get_uint64());
}

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_IMPORT_SRC_PERFETTO_WIRE_H
