#pragma once
/// @file
/// Failed assertions of kernels: their thread ends, and the host's next calls fail.

#include "common/executor/include/executor/memory.h"

namespace ladder::executor {

/// cudaErrorAssert from the first failed assertion on, as a GPU's calls do; cudaSuccess before.
cudaError_t device_error();
/// cudaDeviceReset().
void forget_device_error();

}  // namespace ladder::executor
