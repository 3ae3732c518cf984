#pragma once
/// @file
/// What the wrappers of the MPI recorder share.

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <numeric>

#include "common/base/event.h"

namespace ladder::mpi_recorder {

inline std::uint64_t now() {
  using std::chrono::nanoseconds, std::chrono::steady_clock;
  return std::chrono::duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

inline std::uint64_t size_of(MPI_Datatype type) {
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
}

inline std::uint64_t bytes_of(int count, MPI_Datatype type) {
  return count > 0 ? static_cast<std::uint64_t>(count) * size_of(type) : 0;
}

inline std::uint64_t sum_of(const int* counts, int ranks, MPI_Datatype type) {
  return std::accumulate(counts, counts + ranks, std::uint64_t{0}) * size_of(type);
}

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

inline int ranks_in(MPI_Comm comm) {
  int ranks = 1;
  PMPI_Comm_size(comm, &ranks);
  return ranks;
}

/// A rank of a group as a rank of MPI_COMM_WORLD; -1 when it has none there.
inline int world_rank(MPI_Group group, int rank) {
  MPI_Group world;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  int result = -1;
  PMPI_Group_translate_ranks(group, 1, &rank, world, &result);
  PMPI_Group_free(&world);
  return result == MPI_UNDEFINED ? -1 : result;
}

inline int world_rank(MPI_Comm comm, int rank) {
  if (comm == MPI_COMM_WORLD || rank < 0) return rank < 0 ? -1 : rank;
  MPI_Group group;
  PMPI_Comm_group(comm, &group);
  const int result = world_rank(group, rank);
  PMPI_Group_free(&group);
  return result;
}

/// One call of MPI: made when it begins, records when it has returned.
class Call {
 public:
  Call(const char* name) : name_(name), active_(ladder_sink_active() != 0), begin_(active_ ? now() : 0) {}

  /// To a rank of a communicator. Nothing goes to oneself or to nobody.
  void sent(MPI_Comm comm, int to, std::uint64_t bytes) const {
    if (active_ && to >= 0 && to != rank_in(comm)) record(LADDER_SEND, bytes, world_rank(comm, to));
  }
  /// To several.
  void sent(std::uint64_t bytes) const {
    if (active_ && bytes > 0) record(LADDER_SEND, bytes, -1);
  }
  void received(MPI_Comm comm, int from, std::uint64_t bytes) const {
    if (active_ && from != MPI_PROC_NULL && from != rank_in(comm))
      record(LADDER_RECEIVE, bytes, world_rank(comm, from));
  }
  void moved_in_window(MPI_Win window, int target, std::uint64_t bytes) const {
    if (!active_ || target < 0) return;
    MPI_Group group;
    PMPI_Win_get_group(window, &group);
    int own = -1;
    PMPI_Group_rank(group, &own);
    if (target != own) record(LADDER_SEND, bytes, world_rank(group, target));
    PMPI_Group_free(&group);
  }

 private:
  void record(ladder_event_kind kind, std::uint64_t bytes, int peer) const {
    ladder_event event{};
    event.kind = kind;
    event.bytes = bytes;
    event.device = -1;
    event.peer = peer;
    event.begin = begin_;
    event.end = now();
    std::snprintf(event.name, sizeof event.name, "%s", name_);
    ladder_sink_record(&event, nullptr, 0);
  }

  const char* name_;
  bool active_;
  std::uint64_t begin_;
};

}  // namespace ladder::mpi_recorder

/// The wrapper of one function: calls MPI's own and, when that succeeds, records what it moved.
/// @param name        without MPI_
/// @param parameters  in parentheses, as mpi.h declares them; any other declaration does not compile
/// @param arguments   in parentheses: the names of the parameters
/// @param ...         what is recorded, of a `call` and the parameters
#define LADDER_MPI_WRAPPER(name, parameters, arguments, ...) \
  int MPI_##name parameters {                                \
    const ladder::mpi_recorder::Call call("MPI_" #name);     \
    const int code = PMPI_##name arguments;                  \
    if (code == MPI_SUCCESS) __VA_ARGS__;                    \
    return code;                                             \
  }

/// The wrappers of a function and of its non-blocking twin, which has a request as its last parameter.
#define LADDER_MPI_WRAPPERS(name, iname, parameters, arguments, ...)             \
  LADDER_MPI_WRAPPER(name, parameters, arguments, __VA_ARGS__)                   \
  LADDER_MPI_WRAPPER(iname, (LADDER_MPI_LIST parameters, MPI_Request * request), \
                     (LADDER_MPI_LIST arguments, request), __VA_ARGS__)
#define LADDER_MPI_LIST(...) __VA_ARGS__
