// NCCL between processes. Each case prints what a rank has then; nccl_test.cpp knows what it must be.

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <nccl.h>

#include <cstdio>
#include <string>
#include <vector>

#include "common/base/event.h"

namespace {

int rank, ranks;
ncclComm_t world;
cudaStream_t stream;

void check(ncclResult_t result) {
  if (result == ncclSuccess) return;
  std::printf("rank %d: %s: %s\n", rank, ncclGetErrorString(result), ncclGetLastError(nullptr));
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

/// Device memory of `count` doubles, each `value`.
double* filled(int count, double value) {
  double* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(double));
  const std::vector<double> host(count, value);
  cudaMemcpy(memory, host.data(), count * sizeof(double), cudaMemcpyHostToDevice);
  return memory;
}

/// "rank 1: 3 3 4", once the stream has come so far.
void print(const double* memory, int count) {
  std::vector<double> host(count);
  cudaStreamSynchronize(stream);
  cudaMemcpy(host.data(), memory, count * sizeof(double), cudaMemcpyDeviceToHost);
  std::string line = "rank " + std::to_string(rank) + ":";
  for (const double x : host) line += " " + std::to_string(int(x));
  std::printf("%s\n", line.c_str());
}

__global__ void add(double* x, double y) {
  x[threadIdx.x] += y;
}

void broadcast() {  // from the last rank, between kernels of the same stream
  double* x = filled(2, rank);
  add<<<1, 2, 0, stream>>>(x, 10);
  check(ncclBroadcast(x, x, 2, ncclDouble, ranks - 1, world, stream));
  add<<<1, 2, 0, stream>>>(x, 100);
  print(x, 2);
}

void reductions() {
  double *x = filled(2, rank + 1), *y = filled(2, -1);
  check(ncclReduce(x, y, 2, ncclDouble, ncclSum, 1, world, stream));
  check(ncclAllReduce(x, x, 2, ncclDouble, ncclMax, world, stream));
  print(y, 2);
  print(x, 2);
}

void gather() {
  double *x = filled(2, rank), *all = filled(2 * ranks, -1);
  check(ncclAllGather(x, all, 2, ncclDouble, world, stream));
  print(all, 2 * ranks);
}

/// To both neighbours in a ring: every rank sends before it receives.
void ring() {
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  double *x = filled(1, rank), *y = filled(2, -1);
  check(ncclGroupStart());
  check(ncclSend(x, 1, ncclDouble, next, world, stream));
  check(ncclSend(x, 1, ncclDouble, before, world, stream));
  check(ncclRecv(y, 1, ncclDouble, before, world, stream));
  check(ncclRecv(y + 1, 1, ncclDouble, next, world, stream));
  check(ncclGroupEnd());
  print(y, 2);
}

/// Rows and columns of a grid of two columns, whose broadcasts go into two streams.
void grid() {
  ncclComm_t row, column;
  check(ncclCommSplit(world, rank / 2, rank, &row, nullptr));
  check(ncclCommSplit(world, rank % 2, rank, &column, nullptr));
  cudaStream_t second;
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  double *x = filled(1, rank), *y = filled(1, rank);
  check(ncclBroadcast(x, x, 1, ncclDouble, 1, row, stream));
  check(ncclBroadcast(y, y, 1, ncclDouble, 0, column, second));
  cudaStreamSynchronize(second);
  print(x, 1);
  print(y, 1);
  check(ncclCommDestroy(column));
  check(ncclCommDestroy(row));
  ncclComm_t part;  // ranks that take no part have none
  check(ncclCommSplit(world, rank == 0 ? 0 : NCCL_SPLIT_NOCOLOR, 0, &part, nullptr));
  int count = 0;
  if (part) check(ncclCommCount(part, &count));
  std::printf("rank %d: part of %d\n", rank, count);
}

/// A communicator of some processes in another order, of an id that a process outside has made.
void some() {
  ncclUniqueId id;
  if (rank == 0) check(ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 0) return;
  ncclComm_t others;
  check(ncclCommInitRank(&others, ranks - 1, id, ranks - 1 - rank));
  double* x = filled(1, rank);
  check(ncclBroadcast(x, x, 1, ncclDouble, 0, others, stream));
  print(x, 1);
}

void bytes() {
  double* x = filled(30 * ranks, rank);
  ladder_sink_start();
  check(ncclBroadcast(x, x, 30, ncclDouble, 0, world, stream));
  check(ncclReduce(x, x, 30, ncclDouble, ncclSum, 0, world, stream));
  check(ncclAllGather(x + 30 * rank, x, 30, ncclDouble, world, stream));
  check(ncclGroupStart());
  check(ncclSend(x, 3, ncclInt, (rank + 1) % ranks, world, stream));
  check(ncclRecv(x, 3, ncclInt, (rank + ranks - 1) % ranks, world, stream));
  check(ncclGroupEnd());
  const ladder_event* events;
  const uint64_t(*deps)[2];
  size_t count, dep_count;
  ladder_sink_drain(&events, &count, &deps, &dep_count);
  std::string line = "rank " + std::to_string(rank) + ":";
  for (size_t i = 0; i < count; ++i)
    if (events[i].kind == LADDER_SEND || events[i].kind == LADDER_RECEIVE)
      line += (events[i].kind == LADDER_SEND ? " s" : " r") + std::to_string(events[i].bytes);
  std::printf("%s\n", line.c_str());
}

void mistakes(const std::string& which) {
  double* x = filled(4, 0);
  double on_host[4];
  if (which == "host") check(ncclBroadcast(on_host, on_host, 4, ncclDouble, 0, world, stream));
  if (which == "root") check(ncclBroadcast(x, x, 4, ncclDouble, ranks, world, stream));
  if (which == "end") check(ncclBroadcast(x, x, 5, ncclDouble, 0, world, stream));
  if (which == "piece") check(ncclAllGather(x + 1, x, 2, ncclDouble, world, stream));
  if (which == "count") check(ncclBroadcast(x, x, rank == 0 ? 4 : 2, ncclDouble, 0, world, stream));
  cudaStreamSynchronize(stream);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  int level;
  MPI_Init_thread(&argc, &argv, what == "level" ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // as in workers
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  ncclUniqueId id;
  if (rank == 0) check(ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  check(ncclCommInitRank(&world, ranks, id, rank));
  cudaStreamCreate(&stream);
  if (what == "broadcast") broadcast();
  if (what == "reductions") reductions();
  if (what == "gather") gather();
  if (what == "ring") ring();
  if (what == "grid") grid();
  if (what == "some") some();
  if (what == "bytes") bytes();
  if (argc > 2) mistakes(argv[2]);
  check(ncclCommDestroy(world));
  MPI_Finalize();
}
