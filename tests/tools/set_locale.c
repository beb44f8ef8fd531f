/* SPDX-License-Identifier: MIT
 *
 * Loaded into the command before its main(): it then runs in the locale of the environment, as in a program whose toolkit
 * calls setlocale(). The decimal point goes to the file that the environment names. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void set_locale(void) {
  const char* const path = getenv("FLAMELET_POINT_FILE");
  FILE* const file = path == NULL ? NULL : fopen(path, "w");
  setlocale(LC_ALL, "");
  if (file == NULL) return;
  fputs(localeconv()->decimal_point, file);
  fclose(file);
}
