/// @file
/// Recorder for MPI: collectives, blocking and not.
///
/// What a rank sends in a collective is the model's, not the library's algorithm, so that the number is the
/// same with every MPI: **each byte counts once for each other rank that must get it, at the rank where it
/// is**. For p ranks:
///
///     Bcast           root: (p - 1) n
///     Scatter(v)      root: what goes to others
///     Gather(v)       others: what they contribute
///     Allgather(v)    all: (p - 1) times what they contribute
///     Reduce          others: n
///     Allreduce       all: 2 n (p - 1) / p
///     Reduce_scatter  all: n less their own block
///     Alltoall(v)     all: what goes to others
///     Scan, Exscan    all but the last: n
///     Barrier         nothing
///
/// The sum over the ranks is the least that any algorithm must move (for Allreduce: any without redundant
/// work). Not seen: neighbourhood collectives, Alltoallw, files, intercommunicators.

#include "common/base/traffic.hpp"
#include "common/trace/recorders/pmpi_call.hpp"

namespace {

using namespace ladder::mpi_recorder;

// What a rank sends in a collective; see the table above.

ladder::RankOf place_in(MPI_Comm comm) {
  return {rank_in(comm), ranks_in(comm)};
}

/// The data of a rank for each other rank. In place it lies where the others' comes to.
std::uint64_t block_bytes(const void* send, int count, MPI_Datatype type, int receive_count,
                          MPI_Datatype receive_type) {
  return send == MPI_IN_PLACE ? bytes_of(receive_count, receive_type) : bytes_of(count, type);
}
std::uint64_t bcast_bytes(std::uint64_t n, int root, MPI_Comm comm) {
  return ladder::broadcast_traffic(n, root, place_in(comm)).sent;
}
std::uint64_t gather_bytes(std::uint64_t own, int root, MPI_Comm comm) {
  return ladder::reduce_traffic(own, root, place_in(comm)).sent;
}
std::uint64_t allgather_bytes(std::uint64_t own, MPI_Comm comm) {
  return ladder::block_traffic(own, place_in(comm)).sent;
}
std::uint64_t allreduce_bytes(std::uint64_t n, MPI_Comm comm) {
  return ladder::allreduce_traffic(n, place_in(comm)).sent;
}
std::uint64_t alltoallv_bytes(const int* counts, MPI_Datatype type, MPI_Comm comm) {
  return sum_of(counts, ranks_in(comm), type) - bytes_of(counts[rank_in(comm)], type);
}
std::uint64_t scatterv_bytes(const int* counts, MPI_Datatype type, int root, MPI_Comm comm) {
  return rank_in(comm) == root ? alltoallv_bytes(counts, type, comm) : 0;
}
std::uint64_t scan_bytes(std::uint64_t n, MPI_Comm comm) {
  return rank_in(comm) == ranks_in(comm) - 1 ? 0 : n;
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

LADDER_MPI_WRAPPERS(Bcast, Ibcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm),
                    (data, count, type, root, comm),
                    call.sent(bcast_bytes(bytes_of(count, type), root, comm)))

LADDER_MPI_WRAPPERS(Scatter, Iscatter,
                    (const void* send, int count, MPI_Datatype type, void* receive, int receive_count,
                     MPI_Datatype receive_type, int root, MPI_Comm comm),
                    (send, count, type, receive, receive_count, receive_type, root, comm),
                    call.sent(bcast_bytes(bytes_of(count, type), root, comm)))

LADDER_MPI_WRAPPERS(Scatterv, Iscatterv,
                    (const void* send, const int* counts, const int* places, MPI_Datatype type, void* receive,
                     int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm),
                    (send, counts, places, type, receive, receive_count, receive_type, root, comm),
                    call.sent(scatterv_bytes(counts, type, root, comm)))

LADDER_MPI_WRAPPERS(Gather, Igather,
                    (const void* send, int count, MPI_Datatype type, void* receive, int receive_count,
                     MPI_Datatype receive_type, int root, MPI_Comm comm),
                    (send, count, type, receive, receive_count, receive_type, root, comm),
                    call.sent(gather_bytes(bytes_of(count, type), root, comm)))

LADDER_MPI_WRAPPERS(Gatherv, Igatherv,
                    (const void* send, int count, MPI_Datatype type, void* receive, const int* receive_counts,
                     const int* receive_places, MPI_Datatype receive_type, int root, MPI_Comm comm),
                    (send, count, type, receive, receive_counts, receive_places, receive_type, root, comm),
                    call.sent(gather_bytes(bytes_of(count, type), root, comm)))

LADDER_MPI_WRAPPERS(Allgather, Iallgather,
                    (const void* send, int count, MPI_Datatype type, void* receive, int receive_count,
                     MPI_Datatype receive_type, MPI_Comm comm),
                    (send, count, type, receive, receive_count, receive_type, comm),
                    call.sent(allgather_bytes(block_bytes(send, count, type, receive_count, receive_type),
                                              comm)))

LADDER_MPI_WRAPPERS(Allgatherv, Iallgatherv,
                    (const void* send, int count, MPI_Datatype type, void* receive, const int* receive_counts,
                     const int* receive_places, MPI_Datatype receive_type, MPI_Comm comm),
                    (send, count, type, receive, receive_counts, receive_places, receive_type, comm),
                    call.sent(allgather_bytes(bytes_of(receive_counts[rank_in(comm)], receive_type), comm)))

LADDER_MPI_WRAPPERS(Reduce, Ireduce,
                    (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                     MPI_Comm comm),
                    (send, receive, count, type, op, root, comm),
                    call.sent(gather_bytes(bytes_of(count, type), root, comm)))

LADDER_MPI_WRAPPERS(Allreduce, Iallreduce,
                    (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                    (send, receive, count, type, op, comm),
                    call.sent(allreduce_bytes(bytes_of(count, type), comm)))

LADDER_MPI_WRAPPERS(Reduce_scatter, Ireduce_scatter,
                    (const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                     MPI_Comm comm),
                    (send, receive, counts, type, op, comm), call.sent(alltoallv_bytes(counts, type, comm)))

LADDER_MPI_WRAPPERS(Reduce_scatter_block, Ireduce_scatter_block,
                    (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                    (send, receive, count, type, op, comm),
                    call.sent(allgather_bytes(bytes_of(count, type), comm)))

LADDER_MPI_WRAPPERS(Alltoall, Ialltoall,
                    (const void* send, int count, MPI_Datatype type, void* receive, int receive_count,
                     MPI_Datatype receive_type, MPI_Comm comm),
                    (send, count, type, receive, receive_count, receive_type, comm),
                    call.sent(allgather_bytes(block_bytes(send, count, type, receive_count, receive_type),
                                              comm)))

LADDER_MPI_WRAPPERS(Alltoallv, Ialltoallv,
                    (const void* send, const int* counts, const int* places, MPI_Datatype type, void* receive,
                     const int* receive_counts, const int* receive_places, MPI_Datatype receive_type,
                     MPI_Comm comm),
                    (send, counts, places, type, receive, receive_counts, receive_places, receive_type, comm),
                    call.sent(send == MPI_IN_PLACE ? alltoallv_bytes(receive_counts, receive_type, comm)
                                                   : alltoallv_bytes(counts, type, comm)))

LADDER_MPI_WRAPPERS(Scan, Iscan,
                    (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                    (send, receive, count, type, op, comm),
                    call.sent(scan_bytes(bytes_of(count, type), comm)))

LADDER_MPI_WRAPPERS(Exscan, Iexscan,
                    (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                    (send, receive, count, type, op, comm),
                    call.sent(scan_bytes(bytes_of(count, type), comm)))

#pragma GCC visibility pop
}  // extern "C"
