// SPDX-License-Identifier: MIT
//
// number_text.h: numbers with a fraction as text and back, with a point in every locale. The C++ library has all of it in
// <charconv>; libc++ has it only since its versions 14 (out) and 20 (in).
#ifndef FLAMELET_PLATFORM_NUMBER_TEXT_H
#define FLAMELET_PLATFORM_NUMBER_TEXT_H

#include <stddef.h>

namespace flamelet {

// Each returns the end of what it wrote, without a closing 0. NULL: there is no room.
// The shortest text that is read back as the same number; 32 characters are enough.
char* write_double(char* at, char* end, double value);
// With that many digits behind the point; rounded to the nearest, from the exact value.
char* write_fixed(char* at, char* end, double value, int decimals);
// With at most so many digits, as printf("%.*g") has it.
char* write_general(char* at, char* end, double value, int digits);

// All of the text is one number, without a sign of plus and without spaces. Too large for a double is infinity, too
// small is 0. False: it is none, and *value is as before.
bool read_double(const char* text, size_t size, double* value);

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_NUMBER_TEXT_H
