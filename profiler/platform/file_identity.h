// SPDX-License-Identifier: MIT
//
// file_identity.h: what a handle was opened to. A program may close handles that it does not know, as daemons and launchers
// do, and the system then gives their numbers to others. So what is kept open is recognised each time before it is used or
// closed. A handle that the program closes between the look and the use is beyond that.
#ifndef FLAMELET_PLATFORM_FILE_IDENTITY_H
#define FLAMELET_PLATFORM_FILE_IDENTITY_H

#include <stdint.h>

namespace flamelet {

struct FileIdentity {
  uint64_t device, file;
};

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_FILE_IDENTITY_H
