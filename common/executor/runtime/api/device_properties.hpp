#pragma once
/// @file
/// The device properties that programs see.

#include "common/base/observation/device_model.hpp"

namespace ladder::executor {

/// The multiprocessors of the model, or those of LADDER_EXECUTOR_MULTIPROCESSORS and the related settings:
/// what a program chooses on a device that is not here can then be seen.
const model::Multiprocessors& visible_multiprocessors();

/// Bytes of shared memory that a block may have after cudaFuncSetAttribute: what fits a multiprocessor.
std::size_t visible_shared_per_block();

}  // namespace ladder::executor
