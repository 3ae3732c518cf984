#pragma once
/// @file
/// What a rank sends and receives in an operation of several ranks: the one rule of the recorders of MPI and
/// of NCCL, and of the executor's NCCL. Each byte counts once for each other rank that must get it, at the
/// rank where it is, whatever algorithm a library has (common/trace/recorders/pmpi_collectives.cpp has the
/// table).

#include <cstdint>

#include "common/base/event.h"

namespace ladder {

/// Bytes to and from other ranks.
struct Traffic {
  std::uint64_t sent = 0, received = 0;
};

/// A rank's place in a communicator.
struct RankOf {
  int rank = 0, ranks = 1;
  std::uint64_t others() const { return static_cast<std::uint64_t>(ranks > 1 ? ranks - 1 : 0); }
};

/// To a rank. Nothing goes to oneself.
inline Traffic send_traffic(std::uint64_t bytes, int to, RankOf own) {
  return {.sent = to == own.rank ? 0 : bytes};
}
/// From a rank.
inline Traffic receive_traffic(std::uint64_t bytes, int from, RankOf own) {
  return {.received = from == own.rank ? 0 : bytes};
}
/// Broadcast and scatter. @param bytes  that each rank gets
inline Traffic broadcast_traffic(std::uint64_t bytes, int root, RankOf own) {
  if (own.rank == root) return {.sent = bytes * own.others()};
  return {.received = bytes};
}
/// Reduction to a root, and gather. @param bytes  that each rank contributes
inline Traffic reduce_traffic(std::uint64_t bytes, int root, RankOf own) {
  if (own.rank == root) return {.received = bytes * own.others()};
  return {.sent = bytes};
}
/// Reduction whose result all ranks get, without redundant work: each sums a piece, and all get the sums.
inline Traffic allreduce_traffic(std::uint64_t bytes, RankOf own) {
  const std::uint64_t moved = 2 * bytes * own.others() / (own.others() + 1);
  return {moved, moved};
}
/// Allgather, all-to-all, reduce-scatter: every rank has a block for each other one.
/// @param bytes  of a block
inline Traffic block_traffic(std::uint64_t bytes, RankOf own) {
  return {bytes * own.others(), bytes * own.others()};
}

/// The events of an operation in a trace: what it sends, and what it receives. One that moves nothing has an
/// event, too.
/// @param add  is called with the kind of an event and its bytes
template <class Add>
void add_events(const Traffic& traffic, Add&& add) {
  if (traffic.sent > 0) add(LADDER_SEND, traffic.sent);
  if (traffic.received > 0 || traffic.sent == 0) add(LADDER_RECEIVE, traffic.received);
}

}  // namespace ladder
