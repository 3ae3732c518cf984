// Calls NCCL's functions one after the other and prints what the executor has recorded of each, and what a
// recorder that is preloaded: "rank 0 broadcast: s480 | s480", s for sent, r for received.

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdio>
#include <string>

#include "common/base/event.h"
#include "tests/common/trace/nccl_abi.hpp"

namespace {

constexpr int n = 30;
int rank, ranks;
ncclComm_t world;
double* x;

/// The events that are the executor's, or those of the recorder, which know no device.
std::string text_of(const ladder_event* events, size_t count, bool of_recorder) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    if ((events[i].kind == LADDER_SEND || events[i].kind == LADDER_RECEIVE) &&
        (events[i].device < 0) == of_recorder)
      text += (events[i].kind == LADDER_SEND ? " s" : " r") + std::to_string(events[i].bytes);
  return text;
}

template <class Body>
void print(const char* name, Body&& body) {
  ladder_sink_start();
  const ncclResult_t result = body();
  const ladder_event* events;
  const uint64_t(*deps)[2];
  size_t count, dep_count;
  ladder_sink_drain(&events, &count, &deps, &dep_count);
  std::printf("rank %d %s:%s |%s%s\n", rank, name, text_of(events, count, false).c_str(),
              text_of(events, count, true).c_str(), result == ncclSuccess ? "" : " failed");
}

void collectives() {
  double* const own = x + n * rank;
  print("broadcast", [] { return nccl_abi::ncclBroadcast(x, x, n, ncclDouble, 0, world, nullptr); });
  print("reduce", [] { return nccl_abi::ncclReduce(x, x, n, ncclDouble, ncclSum, 0, world, nullptr); });
  print("allreduce", [] { return nccl_abi::ncclAllReduce(x, x, n, ncclDouble, ncclSum, world, nullptr); });
  print("allgather", [=] { return nccl_abi::ncclAllGather(own, x, n, ncclDouble, world, nullptr); });
  print("bcast", [] { return nccl_abi::ncclBcast(x, n, ncclDouble, 0, world, nullptr); });
  print("scatter", [] { return nccl_abi::ncclScatter(x, x, n, ncclDouble, 0, world, nullptr); });
  print("gather", [] { return nccl_abi::ncclGather(x, x, n, ncclDouble, 0, world, nullptr); });
  print("reduce-scatter",
        [] { return nccl_abi::ncclReduceScatter(x, x, n, ncclDouble, ncclSum, world, nullptr); });
  print("alltoall", [] { return nccl_abi::ncclAlltoAll(x, x, n, ncclDouble, world, nullptr); });
}

void messages() {
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  print("ring", [=] {
    ncclGroupStart();
    nccl_abi::ncclSend(x, 3, ncclInt, next, world, nullptr);
    nccl_abi::ncclRecv(x + n, 3, ncclInt, before, world, nullptr);
    return ncclGroupEnd();
  });
  print("self", [] {
    ncclGroupStart();
    nccl_abi::ncclSend(x, 3, ncclInt8, rank, world, nullptr);
    nccl_abi::ncclRecv(x + n, 3, ncclInt8, rank, world, nullptr);
    return ncclGroupEnd();
  });
  print("no-root", [] { return nccl_abi::ncclBroadcast(x, x, n, ncclDouble, ranks, world, nullptr); });
  ncclComm_t part;  // the last two ranks, in the other order: 1 and 0 there
  ncclCommSplit(world, rank >= ranks - 2 ? 0 : NCCL_SPLIT_NOCOLOR, -rank, &part, nullptr);
  if (part) print("part", [=] { return nccl_abi::ncclBroadcast(x, x, n, ncclFloat, 0, part, nullptr); });
}

}  // namespace

int main(int argc, char** argv) {
  int level, version;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  ncclUniqueId id;
  if (rank == 0) ncclGetUniqueId(&id);
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  ncclCommInitRank(&world, ranks, id, rank);
  cudaMalloc(&x, n * ranks * sizeof(double));
  nccl_abi::ncclGetVersion(&version);  // as a worker does
  std::printf("rank %d recorders: %s\n", rank, ladder_sink_recorders());
  collectives();
  messages();
  ncclCommDestroy(world);
  MPI_Finalize();
}
