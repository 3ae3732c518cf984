#pragma once
/// @file
/// `kernel<<<grid, block>>>(arguments)` as a call of the executor.

#include "common/executor/rewriter/device_code.hpp"
#include "common/executor/rewriter/rewriter.hpp"
#include "common/executor/rewriter/scopes.hpp"

namespace ladder::rewriter {

/// Whether a launch's <<< begins at `at`; also with blanks: `kernel << <grid, block >> >(arguments)`, also by
/// a macro that stands for all of `<<<grid, block>>>`.
bool opens_launch(const Source& source, const Kernels& kernels, int at);

/// Turns the launch whose <<< is at `at` into a call: `launcher(…kernel…, configure(grid,
/// block)).launch(arguments)`. Where a macro defines `<<<grid, block>>>` alone, it becomes the call of
/// configure.
/// @throws RewriteError for what is no launch
void rewrite_launch(Source& source, const DeviceCode& device, const Scopes& scopes, Kernels& kernels, int at);

}  // namespace ladder::rewriter
