// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace demo {

// Saves what the recorder's ring still holds. Throws std::runtime_error if that fails.
void save_capture(const std::string& path);

}  // namespace demo
