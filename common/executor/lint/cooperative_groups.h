#pragma once
/// @file
/// cooperative_groups.h, its functions for the device.

#include "cuda_runtime.h"

LADDER_LINT_DEVICE
#include_next <cooperative_groups.h>
LADDER_LINT_END
