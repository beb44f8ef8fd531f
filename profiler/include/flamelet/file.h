// SPDX-License-Identifier: MIT
//
// flamelet/file.h: records calls to files that block for long, as scopes of the category "wait" that are called "read",
// "write", "open" or "sync". Their object is the file's name.
//
//   flamelet_file_call call = flamelet_file_begin();
//   size = fread(bytes, 1, size, file);
//   flamelet_file_end(call, FLAMELET_FILE_READ, "town.pak", FLAMELET_FILE_LEAST_NS);
//
// Nothing is recorded before the end. So a short call costs no event, and one that still blocks is not in captures yet.
//
// Threads:  any thread. A call begins and ends on one thread.
// Names:    the file's name is copied, once for each text, into the recorder's memory for names. NULL: none.
// Cost:     a short call about 40 ns, one that is recorded 75, and 3 words of the ring.
// Limits:   a call is not recorded if the thread recorded something else meanwhile: of nested ones, the inner one is. Nor
//           is one across a flamelet_init().
#ifndef FLAMELET_FILE_H
#define FLAMELET_FILE_H

#include "flamelet/base.h"

typedef enum flamelet_file_kind FLAMELET_ANY_ENUM_ {
  FLAMELET_FILE_READ = 0,
  FLAMELET_FILE_WRITE,
  FLAMELET_FILE_OPEN,
  FLAMELET_FILE_SYNC,
  FLAMELET_FILE_KINDS
} flamelet_file_kind;

#define FLAMELET_FILE_LEAST_NS 50000             // what `flamelet record --files` takes unless told
#define FLAMELET_FILE_FUNCTION_ "flamelet_file"  // the function of those sites, by which readers know them

typedef struct flamelet_file_call {
  uint64_t ticks_;  // 0: nothing is recorded
  uint64_t events_;
  const void* track_;
} flamelet_file_call;

FLAMELET_EXTERN_C_BEGIN

FLAMELET_API flamelet_file_call flamelet_file_begin(void);
// Records it if it took `least_ns` or longer, and there is such a kind. errno is kept by neither.
FLAMELET_API void flamelet_file_end(flamelet_file_call call, flamelet_file_kind kind, const char* file,
                                    int64_t least_ns);

FLAMELET_EXTERN_C_END

#endif  // FLAMELET_FILE_H
