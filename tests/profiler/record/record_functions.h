// SPDX-License-Identifier: MIT
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void record_c_function(void);
void record_c_object(const char* object);
int record_c_return(int value, int* times);
void record_c_locals(int early);
void record_c_calls(void);
void record_c_handles(void);
void record_c_kinds(void);
const char* record_c_null(void);
struct c_struct {
  int a, b;
};
struct c_struct record_c_struct(int a);

#ifdef __cplusplus
}
#endif
