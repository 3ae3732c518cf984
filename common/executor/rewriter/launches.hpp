#pragma once
/// @file
/// `kernel<<<grid, block>>>(arguments)` as a call of the executor.

#include "common/executor/rewriter/device_code.hpp"
#include "common/executor/rewriter/rewriter.hpp"

namespace ladder::rewriter {

/// Whether a launch's <<< begins at `at`; also with blanks: `kernel << <grid, block >> >(arguments)`.
bool opens_launch(const Source& source, int at);

/// Turns the launch whose <<< is at `at` into a call of ladder::executor::launch.
/// @throws RewriteError for what is no launch
void rewrite_launch(Source& source, const DeviceCode& device, const Kernels& kernels, int at);

}  // namespace ladder::rewriter
