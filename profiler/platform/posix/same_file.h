// SPDX-License-Identifier: MIT
//
// same_file.h: whether a descriptor is still what it was opened to (file_identity.h).
#ifndef FLAMELET_PLATFORM_SAME_FILE_H
#define FLAMELET_PLATFORM_SAME_FILE_H

#include <errno.h>
#include <sys/stat.h>

#include "platform/file_identity.h"

namespace flamelet {

inline FileIdentity identity_of(const struct stat& status) {
  return {static_cast<uint64_t>(status.st_dev), static_cast<uint64_t>(status.st_ino)};
}

// Of a descriptor that was just opened. All 0: the system does not tell.
inline FileIdentity identity_of(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? identity_of(status) : FileIdentity{};
}

// False, with errno EBADF: it is another file. An identity that the system did not tell is that of any file.
inline bool is_same_file(const struct stat& status, const FileIdentity& identity) {
  const FileIdentity now = identity_of(status);
  if ((identity.device == 0 && identity.file == 0) || (now.device == identity.device && now.file == identity.file))
    return true;
  errno = EBADF;
  return false;
}
// Also where it is closed.
inline bool is_same_file(int descriptor, const FileIdentity& identity) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? is_same_file(status, identity) : errno != EBADF;
}

}  // namespace flamelet

#endif  // FLAMELET_PLATFORM_SAME_FILE_H
