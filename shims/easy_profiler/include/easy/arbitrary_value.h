// SPDX-License-Identifier: MIT
//
// easy/arbitrary_value.h: easy_profiler's macros for values and texts, recorded by Flamelet. A number becomes a counter. A
// text, and an array as text, becomes an instant of the category "tag".
#ifndef FLAMELET_EASY_PROFILER_ARBITRARY_VALUE_H
#define FLAMELET_EASY_PROFILER_ARBITRARY_VALUE_H

#include "profiler.h"

#include <stddef.h>

namespace profiler {

enum class DataType : uint8_t {
  Bool,
  Char,
  Int8,
  Uint8,
  Int16,
  Uint16,
  Int32,
  Uint32,
  Int64,
  Uint64,
  Float,
  Double,
  String,
  TypesCount
};
constexpr uint16_t MaxArbitraryValuesArraySize = 65535;

}  // namespace profiler

#ifdef USING_EASY_PROFILER
#include <string.h>

namespace flamelet_easy_profiler {

// The values of an array, "1, 2, 3", up to 65,535 bytes.
class ArrayText {
 public:
  FLAMELET_NOT_INSTRUMENTED_ ArrayText() = default;
  ~ArrayText();
  ArrayText(const ArrayText&) = delete;
  ArrayText& operator=(const ArrayText&) = delete;

  void add(int64_t value);
  void add(uint64_t value);
  void add(double value);
  FLAMELET_NOT_INSTRUMENTED_ const char* data() const { return text_; }
  FLAMELET_NOT_INSTRUMENTED_ size_t size() const { return size_; }

 private:
  void append(const char* text, size_t size);

  char short_[256];
  char* text_ = short_;
  size_t size_ = 0;
  size_t room_ = sizeof(short_);
};

template <class Number>
FLAMELET_NOT_INSTRUMENTED_ void add_number(ArrayText* text, Number value) {
  if constexpr (std::is_floating_point_v<Number>)
    text->add(static_cast<double>(value));
  else if constexpr (std::is_unsigned_v<Number>)
    text->add(static_cast<uint64_t>(value));
  else
    text->add(static_cast<int64_t>(value));
}

void store_text(flamelet_site* site, const char* text, size_t size);

FLAMELET_NOT_INSTRUMENTED_ inline void set_text(flamelet_site* site, const char* text) {
  store_text(site, text, text == nullptr ? 0 : strlen(text));
}
template <class String>
FLAMELET_NOT_INSTRUMENTED_ void set_text(flamelet_site* site, const String& text) {
  store_text(site, text.data(), text.size());
}
// The size may count the zero at the end.
FLAMELET_NOT_INSTRUMENTED_ inline void set_string(flamelet_site* site, const char* text, size_t size) {
  store_text(site, text, size != 0 && text[size - 1] == 0 ? size - 1 : size);
}
template <class Number>
FLAMELET_NOT_INSTRUMENTED_ void set_array(flamelet_site* site, const Number* values, size_t count) {
  if (flamelet_is_off_()) return;
  ArrayText text;
  for (size_t i = 0; i < count; ++i) add_number(&text, values[i]);
  store_text(site, text.data(), text.size());
}
template <class Number>
FLAMELET_NOT_INSTRUMENTED_ void set_value(flamelet_site* site, const Number& value) {
  if constexpr (std::is_array_v<Number> && std::is_same_v<std::remove_extent_t<Number>, char>)
    set_text(site, static_cast<const char*>(value));
  else if constexpr (std::is_array_v<Number>)
    set_array(site, value, sizeof(value) / sizeof(value[0]));
  else if constexpr (std::is_pointer_v<Number>)
    flamelet_site_counter_(site, static_cast<double>(reinterpret_cast<uintptr_t>(value)));
  else
    flamelet_site_counter_(site, static_cast<double>(value));
}

// The place of a registered value; NULL if it is off.
flamelet_site* value_site(const ::profiler::BaseBlockDescriptor* description, ::profiler::ValueId id, bool is_text);

}  // namespace flamelet_easy_profiler

namespace profiler {

void storeValue(const BaseBlockDescriptor* description, DataType type, const void* data, size_t size, bool is_array,
                ValueId id);
template <class Number>
FLAMELET_NOT_INSTRUMENTED_ void setValue(const BaseBlockDescriptor* description, Number value, ValueId id) {
  if (flamelet_site* const site = ::flamelet_easy_profiler::value_site(description, id, false))
    ::flamelet_easy_profiler::set_value(site, value);
}
template <class Number>
FLAMELET_NOT_INSTRUMENTED_ void setValue(const BaseBlockDescriptor* description, const Number* values, ValueId id,
                                         uint16_t count) {
  if (flamelet_site* const site = ::flamelet_easy_profiler::value_site(description, id, true))
    ::flamelet_easy_profiler::set_array(site, values, count);
}
template <class Number, size_t count>
FLAMELET_NOT_INSTRUMENTED_ void setValue(const BaseBlockDescriptor* description, const Number (&values)[count],
                                         ValueId id) {
  if (flamelet_site* const site = ::flamelet_easy_profiler::value_site(description, id, true))
    ::flamelet_easy_profiler::set_value(site, values);
}
template <class Text>
FLAMELET_NOT_INSTRUMENTED_ void setText(const BaseBlockDescriptor* description, const Text& text, ValueId id) {
  if (flamelet_site* const site = ::flamelet_easy_profiler::value_site(description, id, true))
    ::flamelet_easy_profiler::set_text(site, text);
}
FLAMELET_NOT_INSTRUMENTED_ inline void setText(const BaseBlockDescriptor* description, const char* text, ValueId id,
                                               uint16_t size) {
  storeValue(description, DataType::String, text, size, true, id);
}

}  // namespace profiler

#define EASY_VIN(member) ::profiler::ValueId(sizeof(member))
#define EASY_GLOBAL_VIN ::profiler::ValueId()
#define EASY_UNIQUE_VIN ::profiler::ValueId(1)

// Names of values are constants. `options`: as those of a block.
#define FLAMELET_EASY_VALUE_(number, name, category, options, call, ...)                                           \
  {                                                                                                                \
    static const ::flamelet_easy_profiler::Options FLAMELET_EASY_PASTE_(flamelet_easy_options_, number) = options; \
    static ::flamelet_easy_profiler::Place<true> FLAMELET_EASY_PASTE_(flamelet_easy_place_, number) =              \
        ::flamelet_easy_profiler::make_place<true>(name, category,                                                 \
                                                   FLAMELET_EASY_PASTE_(flamelet_easy_options_, number),           \
                                                   __PRETTY_FUNCTION__, __FILE__, __LINE__);                       \
    if (FLAMELET_EASY_PASTE_(flamelet_easy_options_, number).value_id)                                             \
      flamelet_shim_note_(FLAMELET_SHIM_NOTE_EASY_VALUE_ID_);                                                      \
    if (FLAMELET_EASY_PASTE_(flamelet_easy_options_, number).is_on())                                              \
      ::flamelet_easy_profiler::call(&FLAMELET_EASY_PASTE_(flamelet_easy_place_, number).site, __VA_ARGS__);       \
  }
#define FLAMELET_EASY_OPTIONS2_(...) FLAMELET_EASY_OPTIONS20_(__VA_ARGS__, ::flamelet_easy_profiler::NoMore())
#define FLAMELET_EASY_OPTIONS20_(first, second, ...) ::flamelet_easy_profiler::make_options(__VA_ARGS__)
#define FLAMELET_EASY_OPTIONS3_(...) FLAMELET_EASY_OPTIONS30_(__VA_ARGS__, ::flamelet_easy_profiler::NoMore())
#define FLAMELET_EASY_OPTIONS30_(first, second, third, ...) ::flamelet_easy_profiler::make_options(__VA_ARGS__)

#define FLAMELET_EASY_CATEGORY_(value) (std::is_array_v<std::remove_reference_t<decltype(value)>> ? "tag" : "counter")

#define EASY_VALUE(...)                                                             \
  FLAMELET_EASY_VALUE_(__COUNTER__, FLAMELET_EASY_FIRST_(__VA_ARGS__),              \
                       FLAMELET_EASY_CATEGORY_(FLAMELET_EASY_SECOND_(__VA_ARGS__)), \
                       FLAMELET_EASY_OPTIONS2_(__VA_ARGS__), set_value, FLAMELET_EASY_SECOND_(__VA_ARGS__))
#define EASY_ARRAY(...)                                                                                             \
  FLAMELET_EASY_VALUE_(__COUNTER__, FLAMELET_EASY_FIRST_(__VA_ARGS__), "tag", FLAMELET_EASY_OPTIONS3_(__VA_ARGS__), \
                       set_array, FLAMELET_EASY_SECOND_(__VA_ARGS__), FLAMELET_EASY_THIRD_(__VA_ARGS__))
#define EASY_TEXT(...)                                                                                              \
  FLAMELET_EASY_VALUE_(__COUNTER__, FLAMELET_EASY_FIRST_(__VA_ARGS__), "tag", FLAMELET_EASY_OPTIONS2_(__VA_ARGS__), \
                       set_text, FLAMELET_EASY_SECOND_(__VA_ARGS__))
#define EASY_STRING(...)                                                                                            \
  FLAMELET_EASY_VALUE_(__COUNTER__, FLAMELET_EASY_FIRST_(__VA_ARGS__), "tag", FLAMELET_EASY_OPTIONS3_(__VA_ARGS__), \
                       set_string, FLAMELET_EASY_SECOND_(__VA_ARGS__), FLAMELET_EASY_THIRD_(__VA_ARGS__))

#else

namespace profiler {
inline namespace switched_off {

struct ValueId {
  constexpr ValueId() = default;
  constexpr explicit ValueId(size_t) {}
};
inline void storeValue(const BaseBlockDescriptor*, DataType, const void*, size_t, bool, ValueId) {}
template <class Value>
void setValue(const BaseBlockDescriptor*, const Value&, ValueId) {}
template <class Value>
void setValue(const BaseBlockDescriptor*, const Value*, ValueId, uint16_t) {}
template <class Text>
void setText(const BaseBlockDescriptor*, const Text&, ValueId) {}
inline void setText(const BaseBlockDescriptor*, const char*, ValueId, uint16_t) {}

}  // namespace switched_off
}  // namespace profiler

#define EASY_GLOBAL_VIN
#define EASY_UNIQUE_VIN
#define EASY_VIN(...)
#define EASY_VALUE(...) FLAMELET_EASY_USES_(FLAMELET_EASY_SECOND_(__VA_ARGS__))
#define EASY_ARRAY(...) FLAMELET_EASY_USES_(FLAMELET_EASY_SECOND_(__VA_ARGS__), FLAMELET_EASY_THIRD_(__VA_ARGS__))
#define EASY_TEXT(...) FLAMELET_EASY_USES_(FLAMELET_EASY_SECOND_(__VA_ARGS__))
#define EASY_STRING(...) FLAMELET_EASY_USES_(FLAMELET_EASY_SECOND_(__VA_ARGS__), FLAMELET_EASY_THIRD_(__VA_ARGS__))
#endif

#endif  // FLAMELET_EASY_PROFILER_ARBITRARY_VALUE_H
