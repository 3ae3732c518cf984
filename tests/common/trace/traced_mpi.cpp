/// @file
/// Does one thing with MPI and prints what each rank sent and received: "rank 0 sent 24 received 0".

#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/base/event.h"

namespace {

constexpr int n = 6;  // doubles
int rank, ranks;

void do_it(const std::string& what) {
  std::vector<double> a(64 * n), b(64 * n);
  std::vector<int> counts, places;  // rank r has r + 1
  for (int r = 0; r < ranks; ++r) {
    counts.push_back(r + 1);
    places.push_back(8 * r);
  }
  const MPI_Comm world = MPI_COMM_WORLD;
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  MPI_Request requests[2];
  if (what == "send") {
    if (rank == 0) MPI_Send(a.data(), n, MPI_DOUBLE, 1, 0, world);
    if (rank == 1) MPI_Recv(b.data(), 64, MPI_DOUBLE, 0, 0, world, MPI_STATUS_IGNORE);
  } else if (what == "vector") {  // 3 of every 5 elements, twice: padding does not travel
    MPI_Datatype rows;
    MPI_Type_vector(2, 3, 5, MPI_DOUBLE, &rows);
    MPI_Type_commit(&rows);
    if (rank == 0) MPI_Ssend(a.data(), 1, rows, 1, 0, world);
    if (rank == 1) MPI_Recv(b.data(), 1, rows, 0, 0, world, MPI_STATUS_IGNORE);
    MPI_Type_free(&rows);
  } else if (what == "ring") {
    MPI_Irecv(b.data(), n, MPI_DOUBLE, before, 0, world, &requests[0]);
    MPI_Isend(a.data(), n, MPI_DOUBLE, next, 0, world, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else if (what == "sendrecv") {
    MPI_Sendrecv(a.data(), n, MPI_DOUBLE, next, 0, b.data(), n, MPI_DOUBLE, before, 0, world,
                 MPI_STATUS_IGNORE);
  } else if (what == "self") {
    MPI_Sendrecv(a.data(), n, MPI_DOUBLE, rank, 0, b.data(), n, MPI_DOUBLE, rank, 0, world,
                 MPI_STATUS_IGNORE);
    MPI_Send(a.data(), n, MPI_DOUBLE, MPI_PROC_NULL, 0, world);
  } else if (what == "persistent") {
    if (rank == 0) MPI_Send_init(a.data(), n, MPI_DOUBLE, 1, 0, world, &requests[0]);
    if (rank == 1) MPI_Recv_init(b.data(), n, MPI_DOUBLE, 0, 0, world, &requests[0]);
    for (int i = 0; i < 3 && rank < 2; ++i) {
      MPI_Start(&requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    if (rank < 2) MPI_Request_free(&requests[0]);
  } else if (what == "bcast") {
    MPI_Bcast(a.data(), n, MPI_DOUBLE, 0, world);
  } else if (what == "ibcast") {
    MPI_Ibcast(a.data(), n, MPI_DOUBLE, 0, world, requests);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
  } else if (what == "scatter") {
    MPI_Scatter(a.data(), n, MPI_DOUBLE, b.data(), n, MPI_DOUBLE, 0, world);
  } else if (what == "scatterv") {
    MPI_Scatterv(a.data(), counts.data(), places.data(), MPI_DOUBLE, b.data(), rank + 1, MPI_DOUBLE, 0,
                 world);
  } else if (what == "gatherv") {
    MPI_Gatherv(a.data(), rank + 1, MPI_DOUBLE, b.data(), counts.data(), places.data(), MPI_DOUBLE, 0, world);
  } else if (what == "gather in place") {
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : a.data(), n, MPI_DOUBLE, b.data(), n, MPI_DOUBLE, 0, world);
  } else if (what == "allgather") {
    MPI_Allgather(a.data(), n, MPI_DOUBLE, b.data(), n, MPI_DOUBLE, world);
  } else if (what == "allgatherv") {
    MPI_Allgatherv(a.data(), rank + 1, MPI_DOUBLE, b.data(), counts.data(), places.data(), MPI_DOUBLE, world);
  } else if (what == "reduce") {
    MPI_Reduce(a.data(), b.data(), n, MPI_DOUBLE, MPI_SUM, 0, world);
  } else if (what == "allreduce") {
    MPI_Allreduce(a.data(), b.data(), n, MPI_DOUBLE, MPI_SUM, world);
  } else if (what == "alltoall") {
    MPI_Alltoall(a.data(), n, MPI_DOUBLE, b.data(), n, MPI_DOUBLE, world);
  } else if (what == "put") {
    MPI_Win window;
    MPI_Win_create(b.data(), static_cast<MPI_Aint>(b.size() * sizeof(double)), sizeof(double), MPI_INFO_NULL,
                   world, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(a.data(), n, MPI_DOUBLE, 1, 0, n, MPI_DOUBLE, window);
    if (rank == 1) MPI_Get(a.data(), 2, MPI_DOUBLE, 0, 32, 2, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
  } else if (what == "split") {  // the last two ranks, in a communicator where they are 0 and 1
    MPI_Comm half;
    MPI_Comm_split(world, rank >= ranks - 2 ? 0 : MPI_UNDEFINED, rank, &half);
    if (half != MPI_COMM_NULL) {
      int own;
      MPI_Comm_rank(half, &own);
      if (own == 0)
        MPI_Send(a.data(), n, MPI_DOUBLE, 1, 0, half);
      else
        MPI_Recv(b.data(), n, MPI_DOUBLE, 0, 0, half, MPI_STATUS_IGNORE);
      MPI_Comm_free(&half);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::string what = argc > 1 ? argv[1] : "";
  for (int i = 2; i < argc; ++i) what += std::string(" ") + argv[i];
  ladder_sink_start();
  do_it(what);
  const ladder_event* events;
  const uint64_t(*deps)[2];
  std::size_t count, dep_count;
  ladder_sink_drain(&events, &count, &deps, &dep_count);
  std::uint64_t sent = 0, received = 0;
  int peer = -1;
  for (std::size_t i = 0; i < count; ++i) {
    if (events[i].kind == LADDER_SEND) {
      sent += events[i].bytes;
      peer = events[i].peer;
    }
    if (events[i].kind == LADDER_RECEIVE) received += events[i].bytes;
  }
  std::printf("rank %d sent %llu received %llu peer %d [%s]\n", rank, static_cast<unsigned long long>(sent),
              static_cast<unsigned long long>(received), peer, ladder_sink_recorders());
  std::fflush(stdout);
  MPI_Finalize();
}
