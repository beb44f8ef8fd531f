// SPDX-License-Identifier: MIT
#include "support/recording.h"
