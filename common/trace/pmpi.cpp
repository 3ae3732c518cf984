/// @file
/// Recorder for MPI: the profiling interface. Preloaded (LD_PRELOAD=libladder-trace-mpi.so) or linked before
/// MPI, its MPI_Send is called in place of MPI's own, which stays there as PMPI_Send. Here: start, messages
/// between two ranks, one-sided transfers. To oneself and to MPI_PROC_NULL nothing is sent; MPI_Get counts at
/// the rank that asks.

#include <cstdint>
#include <map>
#include <mutex>

#include "common/trace/pmpi_call.hpp"

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

// The handshake tells the judge that the wrappers are really in front of MPI: only then this is called.

int MPI_Init(int* argc, char*** argv) {
  ladder_sink_attach("mpi", nullptr);
  return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  ladder_sink_attach("mpi", nullptr);
  return PMPI_Init_thread(argc, argv, required, provided);
}

// --- point to point

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const Call call("MPI_Send");
  const int code = PMPI_Send(data, count, type, to, tag, comm);
  if (code == MPI_SUCCESS) call.sent(comm, to, bytes_of(count, type));
  return code;
}

int MPI_Ssend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const Call call("MPI_Ssend");
  const int code = PMPI_Ssend(data, count, type, to, tag, comm);
  if (code == MPI_SUCCESS) call.sent(comm, to, bytes_of(count, type));
  return code;
}

int MPI_Rsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const Call call("MPI_Rsend");
  const int code = PMPI_Rsend(data, count, type, to, tag, comm);
  if (code == MPI_SUCCESS) call.sent(comm, to, bytes_of(count, type));
  return code;
}

int MPI_Bsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const Call call("MPI_Bsend");
  const int code = PMPI_Bsend(data, count, type, to, tag, comm);
  if (code == MPI_SUCCESS) call.sent(comm, to, bytes_of(count, type));
  return code;
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const Call call("MPI_Isend");
  const int code = PMPI_Isend(data, count, type, to, tag, comm, request);
  if (code == MPI_SUCCESS) call.sent(comm, to, bytes_of(count, type));
  return code;
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  const Call call("MPI_Issend");
  const int code = PMPI_Issend(data, count, type, to, tag, comm, request);
  if (code == MPI_SUCCESS) call.sent(comm, to, bytes_of(count, type));
  return code;
}

int MPI_Irsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  const Call call("MPI_Irsend");
  const int code = PMPI_Irsend(data, count, type, to, tag, comm, request);
  if (code == MPI_SUCCESS) call.sent(comm, to, bytes_of(count, type));
  return code;
}

int MPI_Ibsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  const Call call("MPI_Ibsend");
  const int code = PMPI_Ibsend(data, count, type, to, tag, comm, request);
  if (code == MPI_SUCCESS) call.sent(comm, to, bytes_of(count, type));
  return code;
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const Call call("MPI_Recv");
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  const int code = PMPI_Recv(data, count, type, from, tag, comm, status);
  if (code == MPI_SUCCESS) call.received(comm, status->MPI_SOURCE, received_bytes(*status));
  return code;
}

// How much arrives is known later; the event says how much there is room for.
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const Call call("MPI_Irecv");
  const int code = PMPI_Irecv(data, count, type, from, tag, comm, request);
  if (code == MPI_SUCCESS) call.received(comm, from, bytes_of(count, type));
  return code;
}

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

int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int send_tag, int from,
                         int receive_tag, MPI_Comm comm, MPI_Status* status) {
  const Call call("MPI_Sendrecv_replace");
  const int code = PMPI_Sendrecv_replace(data, count, type, to, send_tag, from, receive_tag, comm, status);
  if (code != MPI_SUCCESS) return code;
  call.sent(comm, to, bytes_of(count, type));
  call.received(comm, from, bytes_of(count, type));
  return code;
}

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int code = PMPI_Send_init(data, count, type, to, tag, comm, request);
  std::lock_guard lock(persistent_mutex);
  if (code == MPI_SUCCESS) persistent[*request] = {comm, to, bytes_of(count, type)};
  return code;
}

int MPI_Ssend_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  const int code = PMPI_Ssend_init(data, count, type, to, tag, comm, request);
  std::lock_guard lock(persistent_mutex);
  if (code == MPI_SUCCESS) persistent[*request] = {comm, to, bytes_of(count, type)};
  return code;
}

int MPI_Rsend_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  const int code = PMPI_Rsend_init(data, count, type, to, tag, comm, request);
  std::lock_guard lock(persistent_mutex);
  if (code == MPI_SUCCESS) persistent[*request] = {comm, to, bytes_of(count, type)};
  return code;
}

int MPI_Bsend_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  const int code = PMPI_Bsend_init(data, count, type, to, tag, comm, request);
  std::lock_guard lock(persistent_mutex);
  if (code == MPI_SUCCESS) persistent[*request] = {comm, to, bytes_of(count, type)};
  return code;
}

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

int MPI_Put(const void* data, int count, MPI_Datatype type, int target, MPI_Aint place, int target_count,
            MPI_Datatype target_type, MPI_Win window) {
  const Call call("MPI_Put");
  const int code = PMPI_Put(data, count, type, target, place, target_count, target_type, window);
  if (code == MPI_SUCCESS) call.moved_in_window(window, target, bytes_of(count, type));
  return code;
}

int MPI_Rput(const void* data, int count, MPI_Datatype type, int target, MPI_Aint place, int target_count,
             MPI_Datatype target_type, MPI_Win window, MPI_Request* request) {
  const Call call("MPI_Rput");
  const int code = PMPI_Rput(data, count, type, target, place, target_count, target_type, window, request);
  if (code == MPI_SUCCESS) call.moved_in_window(window, target, bytes_of(count, type));
  return code;
}

int MPI_Get(void* data, int count, MPI_Datatype type, int target, MPI_Aint place, int target_count,
            MPI_Datatype target_type, MPI_Win window) {
  const Call call("MPI_Get");
  const int code = PMPI_Get(data, count, type, target, place, target_count, target_type, window);
  if (code == MPI_SUCCESS) call.moved_in_window(window, target, bytes_of(count, type));
  return code;
}

int MPI_Rget(void* data, int count, MPI_Datatype type, int target, MPI_Aint place, int target_count,
             MPI_Datatype target_type, MPI_Win window, MPI_Request* request) {
  const Call call("MPI_Rget");
  const int code = PMPI_Rget(data, count, type, target, place, target_count, target_type, window, request);
  if (code == MPI_SUCCESS) call.moved_in_window(window, target, bytes_of(count, type));
  return code;
}

int MPI_Accumulate(const void* data, int count, MPI_Datatype type, int target, MPI_Aint place,
                   int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win window) {
  const Call call("MPI_Accumulate");
  const int code = PMPI_Accumulate(data, count, type, target, place, target_count, target_type, op, window);
  if (code == MPI_SUCCESS) call.moved_in_window(window, target, bytes_of(count, type));
  return code;
}

#pragma GCC visibility pop
}  // extern "C"
