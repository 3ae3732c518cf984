#pragma once
/// @file
/// What a CUDA step with several ranks may use: checked calls of NCCL. The worker has called MPI_Init_thread, and
/// each rank has chosen its device; common/device/mpi.hpp has checked calls of MPI.

#include <nccl.h>

#include <source_location>
#include <string>

#include "common/base/error.hpp"

namespace ladder {

/// Throws when a call of NCCL failed. The error names the caller's file and line, and NCCL's text.
/// @throws ladder::Error
inline void check(ncclResult_t code, std::source_location where = std::source_location::current()) {
  if (code == ncclSuccess) return;
  throw Error(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " +
              ncclGetErrorString(code) + ": " + ncclGetLastError(nullptr));
}

}  // namespace ladder
