#pragma once
/// @file
/// Communicators of the executor's NCCL, and what a call says when it fails.

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <nccl.h>

#include <string>

#include "common/executor/include/executor/site.h"

/// MPI's functions are called by their names of the profiling interface: the recorder of MPI does not count
/// what is counted here.
struct ncclComm {
  MPI_Comm messages = MPI_COMM_NULL;  ///< of operations, when their stream comes to them
  MPI_Comm calls = MPI_COMM_NULL;     ///< of what the host does at once: splits
  int rank = 0, ranks = 1;
};

namespace ladder::executor {

/// Keeps the reason for ncclGetLastError() and prints it with the caller's line. @return code
ncclResult_t fail_nccl(ncclResult_t code, Site site, const std::string& message);
/// MPI's text of an error.
std::string mpi_text(int code);

}  // namespace ladder::executor
