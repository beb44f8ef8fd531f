// SPDX-License-Identifier: MIT
//
// crc32c.h: the checksum of file chunks: CRC-32C (Castagnoli; reflected polynomial 0x82F63B78, start and final xor all
// ones). A CRC, because it finds every error in up to 32 neighbouring bits for certain; this one, because most machines
// have it in hardware, for readers that want it. Eight bytes a step by table here.
#ifndef FLAMELET_SRC_CRC32C_H
#define FLAMELET_SRC_CRC32C_H

#include <stddef.h>
#include <stdint.h>

namespace flamelet {

uint32_t crc32c(const void* bytes, size_t size);

}  // namespace flamelet

#endif  // FLAMELET_SRC_CRC32C_H
