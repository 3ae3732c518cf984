/// @file
/// Recorder for MPI: the profiling interface. Preloaded (LD_PRELOAD=libladder-trace-mpi.so) or linked before
/// MPI, its MPI_Send is called instead of MPI's own, which stays there as PMPI_Send. Here: start, messages
/// between two ranks, one-sided transfers. To oneself and to MPI_PROC_NULL nothing is sent; MPI_Get counts at
/// the rank that asks.

#include <cstdint>
#include <map>
#include <mutex>

#include "common/trace/recorders/pmpi_call.hpp"

namespace {

using namespace ladder::mpi_recorder;

/// Persistent sends: what each start sends.
struct Persistent {
  MPI_Comm comm;
  int to;
  std::uint64_t bytes;
};
std::mutex persistent_mutex;
std::map<MPI_Request, Persistent> persistent;

void started(const Call& call, MPI_Request request) {
  std::lock_guard lock(persistent_mutex);
  if (const auto found = persistent.find(request); found != persistent.end())
    call.sent(found->second.comm, found->second.to, found->second.bytes);
}

std::uint64_t received_bytes(const MPI_Status& status) {
  int bytes = 0;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

// The handshake shows the judge that the wrappers are really in front of MPI: only then this is called.

int MPI_Init(int* argc, char*** argv) {
  ladder_sink_attach("mpi", nullptr);
  return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  ladder_sink_attach("mpi", nullptr);
  return PMPI_Init_thread(argc, argv, required, provided);
}

// --- point to point

#define LADDER_SENDS(name, iname)                                                                       \
  LADDER_MPI_WRAPPERS(name, iname,                                                                      \
                      (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), \
                      (data, count, type, to, tag, comm), call.sent(comm, to, bytes_of(count, type)))
LADDER_SENDS(Send, Isend)
LADDER_SENDS(Ssend, Issend)
LADDER_SENDS(Rsend, Irsend)
LADDER_SENDS(Bsend, Ibsend)

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const Call call("MPI_Recv");
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  const int code = PMPI_Recv(data, count, type, from, tag, comm, status);
  if (code == MPI_SUCCESS) call.received(comm, status->MPI_SOURCE, received_bytes(*status));
  return code;
}

// How much arrives is known later; the event holds how much there is room for.
LADDER_MPI_WRAPPER(
    Irecv, (void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request),
    (data, count, type, from, tag, comm, request), call.received(comm, from, bytes_of(count, type)))

int MPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* receive, int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
                 MPI_Comm comm, MPI_Status* status) {
  const Call call("MPI_Sendrecv");
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  const int code = PMPI_Sendrecv(send, send_count, send_type, to, send_tag, receive, receive_count,
                                 receive_type, from, receive_tag, comm, status);
  if (code != MPI_SUCCESS) return code;
  call.sent(comm, to, bytes_of(send_count, send_type));
  call.received(comm, status->MPI_SOURCE, received_bytes(*status));
  return code;
}

LADDER_MPI_WRAPPER(Sendrecv_replace,
                   (void* data, int count, MPI_Datatype type, int to, int send_tag, int from, int receive_tag,
                    MPI_Comm comm, MPI_Status* status),
                   (data, count, type, to, send_tag, from, receive_tag, comm, status),
                   call.sent(comm, to, bytes_of(count, type)),
                   call.received(comm, from, bytes_of(count, type)))

#define LADDER_PERSISTENT(name)                                                                  \
  int MPI_##name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request* request) {                                                         \
    const int code = PMPI_##name(data, count, type, to, tag, comm, request);                     \
    std::lock_guard lock(persistent_mutex);                                                      \
    if (code == MPI_SUCCESS) persistent[*request] = {comm, to, bytes_of(count, type)};           \
    return code;                                                                                 \
  }
LADDER_PERSISTENT(Send_init)
LADDER_PERSISTENT(Ssend_init)
LADDER_PERSISTENT(Rsend_init)
LADDER_PERSISTENT(Bsend_init)

int MPI_Start(MPI_Request* request) {
  const Call call("MPI_Start");
  const int code = PMPI_Start(request);
  if (code == MPI_SUCCESS) started(call, *request);
  return code;
}

int MPI_Startall(int count, MPI_Request* requests) {
  const Call call("MPI_Startall");
  const int code = PMPI_Startall(count, requests);
  for (int i = 0; code == MPI_SUCCESS && i < count; ++i) started(call, requests[i]);
  return code;
}

int MPI_Request_free(MPI_Request* request) {
  {
    std::lock_guard lock(persistent_mutex);
    persistent.erase(*request);
  }
  return PMPI_Request_free(request);
}

// --- one-sided

LADDER_MPI_WRAPPERS(Put, Rput,
                    (const void* data, int count, MPI_Datatype type, int target, MPI_Aint place,
                     int target_count, MPI_Datatype target_type, MPI_Win window),
                    (data, count, type, target, place, target_count, target_type, window),
                    call.moved_in_window(window, target, bytes_of(count, type)))

LADDER_MPI_WRAPPERS(Get, Rget,
                    (void* data, int count, MPI_Datatype type, int target, MPI_Aint place, int target_count,
                     MPI_Datatype target_type, MPI_Win window),
                    (data, count, type, target, place, target_count, target_type, window),
                    call.moved_in_window(window, target, bytes_of(count, type)))

LADDER_MPI_WRAPPER(Accumulate,
                   (const void* data, int count, MPI_Datatype type, int target, MPI_Aint place,
                    int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win window),
                   (data, count, type, target, place, target_count, target_type, op, window),
                   call.moved_in_window(window, target, bytes_of(count, type)))

#pragma GCC visibility pop
}  // extern "C"
