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

#include "common/trace/pmpi_call.hpp"

namespace {

using namespace ladder::mpi_recorder;

// What a rank sends in a collective; see the table above.

std::uint64_t bcast_bytes(std::uint64_t n, int root, MPI_Comm comm) {
  return rank_in(comm) == root ? n * (ranks_in(comm) - 1) : 0;
}
std::uint64_t gather_bytes(std::uint64_t own, int root, MPI_Comm comm) {
  return rank_in(comm) == root ? 0 : own;
}
std::uint64_t scatter_bytes(std::uint64_t each, int root, MPI_Comm comm) {
  return bcast_bytes(each, root, comm);
}
std::uint64_t scatterv_bytes(const int* counts, MPI_Datatype type, int root, MPI_Comm comm) {
  if (rank_in(comm) != root) return 0;
  return sum_of(counts, ranks_in(comm), type) - bytes_of(counts[root], type);
}
std::uint64_t allgather_bytes(std::uint64_t own, MPI_Comm comm) {
  return own * (ranks_in(comm) - 1);
}
std::uint64_t allreduce_bytes(std::uint64_t n, MPI_Comm comm) {
  const std::uint64_t ranks = ranks_in(comm);
  return 2 * n * (ranks - 1) / ranks;
}
std::uint64_t alltoallv_bytes(const int* counts, MPI_Datatype type, MPI_Comm comm) {
  return sum_of(counts, ranks_in(comm), type) - bytes_of(counts[rank_in(comm)], type);
}
std::uint64_t scan_bytes(std::uint64_t n, MPI_Comm comm) {
  return rank_in(comm) == ranks_in(comm) - 1 ? 0 : n;
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Call call("MPI_Bcast");
  const int code = PMPI_Bcast(data, count, type, root, comm);
  if (code == MPI_SUCCESS) call.sent(bcast_bytes(bytes_of(count, type), root, comm));
  return code;
}

int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ibcast");
  const int code = PMPI_Ibcast(data, count, type, root, comm, request);
  if (code == MPI_SUCCESS) call.sent(bcast_bytes(bytes_of(count, type), root, comm));
  return code;
}

int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const Call call("MPI_Scatter");
  const int code =
      PMPI_Scatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  if (code == MPI_SUCCESS) call.sent(scatter_bytes(bytes_of(send_count, send_type), root, comm));
  return code;
}

int MPI_Iscatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Iscatter");
  const int code =
      PMPI_Iscatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request);
  if (code == MPI_SUCCESS) call.sent(scatter_bytes(bytes_of(send_count, send_type), root, comm));
  return code;
}

int MPI_Scatterv(const void* send, const int* send_counts, const int* places, MPI_Datatype send_type,
                 void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const Call call("MPI_Scatterv");
  const int code =
      PMPI_Scatterv(send, send_counts, places, send_type, receive, receive_count, receive_type, root, comm);
  if (code == MPI_SUCCESS) call.sent(scatterv_bytes(send_counts, send_type, root, comm));
  return code;
}

int MPI_Iscatterv(const void* send, const int* send_counts, const int* places, MPI_Datatype send_type,
                  void* receive, int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                  MPI_Request* request) {
  const Call call("MPI_Iscatterv");
  const int code = PMPI_Iscatterv(send, send_counts, places, send_type, receive, receive_count, receive_type,
                                  root, comm, request);
  if (code == MPI_SUCCESS) call.sent(scatterv_bytes(send_counts, send_type, root, comm));
  return code;
}

int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
               MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const Call call("MPI_Gather");
  const int code = PMPI_Gather(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  if (code == MPI_SUCCESS) call.sent(gather_bytes(bytes_of(send_count, send_type), root, comm));
  return code;
}

int MPI_Igather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Igather");
  const int code =
      PMPI_Igather(send, send_count, send_type, receive, receive_count, receive_type, root, comm, request);
  if (code == MPI_SUCCESS) call.sent(gather_bytes(bytes_of(send_count, send_type), root, comm));
  return code;
}

int MPI_Gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                const int* receive_counts, const int* places, MPI_Datatype receive_type, int root,
                MPI_Comm comm) {
  const Call call("MPI_Gatherv");
  const int code =
      PMPI_Gatherv(send, send_count, send_type, receive, receive_counts, places, receive_type, root, comm);
  if (code == MPI_SUCCESS) call.sent(gather_bytes(bytes_of(send_count, send_type), root, comm));
  return code;
}

int MPI_Igatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                 const int* receive_counts, const int* places, MPI_Datatype receive_type, int root,
                 MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Igatherv");
  const int code = PMPI_Igatherv(send, send_count, send_type, receive, receive_counts, places, receive_type,
                                 root, comm, request);
  if (code == MPI_SUCCESS) call.sent(gather_bytes(bytes_of(send_count, send_type), root, comm));
  return code;
}

int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm) {
  const Call call("MPI_Allgather");
  const int code = PMPI_Allgather(send, send_count, send_type, receive, receive_count, receive_type, comm);
  if (code == MPI_SUCCESS)
    call.sent(allgather_bytes(
        send == MPI_IN_PLACE ? bytes_of(receive_count, receive_type) : bytes_of(send_count, send_type),
        comm));
  return code;
}

int MPI_Iallgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                   MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Iallgather");
  const int code =
      PMPI_Iallgather(send, send_count, send_type, receive, receive_count, receive_type, comm, request);
  if (code == MPI_SUCCESS)
    call.sent(allgather_bytes(
        send == MPI_IN_PLACE ? bytes_of(receive_count, receive_type) : bytes_of(send_count, send_type),
        comm));
  return code;
}

int MPI_Allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                   const int* receive_counts, const int* places, MPI_Datatype receive_type, MPI_Comm comm) {
  const Call call("MPI_Allgatherv");
  const int code =
      PMPI_Allgatherv(send, send_count, send_type, receive, receive_counts, places, receive_type, comm);
  if (code == MPI_SUCCESS)
    call.sent(allgather_bytes(bytes_of(receive_counts[rank_in(comm)], receive_type), comm));
  return code;
}

int MPI_Iallgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                    const int* receive_counts, const int* places, MPI_Datatype receive_type, MPI_Comm comm,
                    MPI_Request* request) {
  const Call call("MPI_Iallgatherv");
  const int code = PMPI_Iallgatherv(send, send_count, send_type, receive, receive_counts, places,
                                    receive_type, comm, request);
  if (code == MPI_SUCCESS)
    call.sent(allgather_bytes(bytes_of(receive_counts[rank_in(comm)], receive_type), comm));
  return code;
}

int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  const Call call("MPI_Reduce");
  const int code = PMPI_Reduce(send, receive, count, type, op, root, comm);
  if (code == MPI_SUCCESS) call.sent(gather_bytes(bytes_of(count, type), root, comm));
  return code;
}

int MPI_Ireduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ireduce");
  const int code = PMPI_Ireduce(send, receive, count, type, op, root, comm, request);
  if (code == MPI_SUCCESS) call.sent(gather_bytes(bytes_of(count, type), root, comm));
  return code;
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Call call("MPI_Allreduce");
  const int code = PMPI_Allreduce(send, receive, count, type, op, comm);
  if (code == MPI_SUCCESS) call.sent(allreduce_bytes(bytes_of(count, type), comm));
  return code;
}

int MPI_Iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  const Call call("MPI_Iallreduce");
  const int code = PMPI_Iallreduce(send, receive, count, type, op, comm, request);
  if (code == MPI_SUCCESS) call.sent(allreduce_bytes(bytes_of(count, type), comm));
  return code;
}

int MPI_Reduce_scatter(const void* send, void* receive, const int* receive_counts, MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm) {
  const Call call("MPI_Reduce_scatter");
  const int code = PMPI_Reduce_scatter(send, receive, receive_counts, type, op, comm);
  if (code == MPI_SUCCESS) call.sent(alltoallv_bytes(receive_counts, type, comm));
  return code;
}

int MPI_Ireduce_scatter(const void* send, void* receive, const int* receive_counts, MPI_Datatype type,
                        MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ireduce_scatter");
  const int code = PMPI_Ireduce_scatter(send, receive, receive_counts, type, op, comm, request);
  if (code == MPI_SUCCESS) call.sent(alltoallv_bytes(receive_counts, type, comm));
  return code;
}

int MPI_Reduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
  const Call call("MPI_Reduce_scatter_block");
  const int code = PMPI_Reduce_scatter_block(send, receive, receive_count, type, op, comm);
  if (code == MPI_SUCCESS) call.sent(allgather_bytes(bytes_of(receive_count, type), comm));
  return code;
}

int MPI_Ireduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ireduce_scatter_block");
  const int code = PMPI_Ireduce_scatter_block(send, receive, receive_count, type, op, comm, request);
  if (code == MPI_SUCCESS) call.sent(allgather_bytes(bytes_of(receive_count, type), comm));
  return code;
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm) {
  const Call call("MPI_Alltoall");
  const int code = PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
  if (code == MPI_SUCCESS)
    call.sent(allgather_bytes(
        send == MPI_IN_PLACE ? bytes_of(receive_count, receive_type) : bytes_of(send_count, send_type),
        comm));
  return code;
}

int MPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ialltoall");
  const int code =
      PMPI_Ialltoall(send, send_count, send_type, receive, receive_count, receive_type, comm, request);
  if (code == MPI_SUCCESS)
    call.sent(allgather_bytes(
        send == MPI_IN_PLACE ? bytes_of(receive_count, receive_type) : bytes_of(send_count, send_type),
        comm));
  return code;
}

int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_places, MPI_Datatype send_type,
                  void* receive, const int* receive_counts, const int* receive_places,
                  MPI_Datatype receive_type, MPI_Comm comm) {
  const Call call("MPI_Alltoallv");
  const int code = PMPI_Alltoallv(send, send_counts, send_places, send_type, receive, receive_counts,
                                  receive_places, receive_type, comm);
  if (code == MPI_SUCCESS)
    call.sent(send == MPI_IN_PLACE ? alltoallv_bytes(receive_counts, receive_type, comm)
                                   : alltoallv_bytes(send_counts, send_type, comm));
  return code;
}

int MPI_Ialltoallv(const void* send, const int* send_counts, const int* send_places, MPI_Datatype send_type,
                   void* receive, const int* receive_counts, const int* receive_places,
                   MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request) {
  const Call call("MPI_Ialltoallv");
  const int code = PMPI_Ialltoallv(send, send_counts, send_places, send_type, receive, receive_counts,
                                   receive_places, receive_type, comm, request);
  if (code == MPI_SUCCESS)
    call.sent(send == MPI_IN_PLACE ? alltoallv_bytes(receive_counts, receive_type, comm)
                                   : alltoallv_bytes(send_counts, send_type, comm));
  return code;
}

int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Call call("MPI_Scan");
  const int code = PMPI_Scan(send, receive, count, type, op, comm);
  if (code == MPI_SUCCESS) call.sent(scan_bytes(bytes_of(count, type), comm));
  return code;
}

int MPI_Iscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  const Call call("MPI_Iscan");
  const int code = PMPI_Iscan(send, receive, count, type, op, comm, request);
  if (code == MPI_SUCCESS) call.sent(scan_bytes(bytes_of(count, type), comm));
  return code;
}

int MPI_Exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Call call("MPI_Exscan");
  const int code = PMPI_Exscan(send, receive, count, type, op, comm);
  if (code == MPI_SUCCESS) call.sent(scan_bytes(bytes_of(count, type), comm));
  return code;
}

int MPI_Iexscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  const Call call("MPI_Iexscan");
  const int code = PMPI_Iexscan(send, receive, count, type, op, comm, request);
  if (code == MPI_SUCCESS) call.sent(scan_bytes(bytes_of(count, type), comm));
  return code;
}

#pragma GCC visibility pop
}  // extern "C"
