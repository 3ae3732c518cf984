#pragma once
/// @file
/// What a CUDA step with several ranks may use: checked calls of NCCL, and communicators that last from call
/// to call. The worker has called MPI_Init_thread, and each rank has chosen its device.

#include <nccl.h>

#include <map>
#include <source_location>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/device/mpi.hpp"

namespace ladder {

/// Throws when a call of NCCL failed. The error names the caller's file and line, and NCCL's text.
/// @throws ladder::Error
inline void check(ncclResult_t code, std::source_location where = std::source_location::current()) {
  if (code == ncclSuccess) return;
  throw Error(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " +
              ncclGetErrorString(code) + ": " + ncclGetLastError(nullptr));
}

namespace details {

/// The communicator of all ranks.
inline ncclComm_t communicator_of_all(std::source_location where) {
  int rank = 0, ranks = 1;
  ncclUniqueId id{};
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), where);
  check(MPI_Comm_size(MPI_COMM_WORLD, &ranks), where);
  if (rank == 0) check(ncclGetUniqueId(&id), where);
  check(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD), where);
  ncclComm_t all = nullptr;
  check(ncclCommInitRank(&all, ranks, id, rank), where);
  return all;
}

}  // namespace details

/// The communicator of this rank and of all ranks that have its color, in the order of their ranks: what
/// ncclCommSplit makes. That takes longer than most steps, so it is made when it is first asked for, and kept
/// for later calls, as a pool keeps memory. All ranks ask for the same colors, in the same order.
/// @param colors  of each rank, at least 0
/// @throws ladder::Error at the caller's line.
inline ncclComm_t communicator(const std::vector<int>& colors,
                               std::source_location where = std::source_location::current()) {
  static auto& made =
      *new std::map<std::vector<int>, ncclComm_t>;  // as the driver may be gone before statics
  static const ncclComm_t all = details::communicator_of_all(where);
  if (const auto found = made.find(colors); found != made.end()) return found->second;
  int rank = 0;
  check(ncclCommUserRank(all, &rank), where);
  ncclComm_t part = nullptr;
  check(ncclCommSplit(all, colors.at(rank), rank, &part, nullptr), where);
  return made[colors] = part;
}

}  // namespace ladder
