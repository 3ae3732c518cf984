/// @file
/// NCCL for the executor: operations and groups. What a rank sends is counted by the recorders' rule
/// (common/base/traffic.hpp): each byte once for each other rank that must get it.

#include <algorithm>
#include <climits>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "common/base/traffic.hpp"
#include "common/executor/nccl/nccl_comm.hpp"
#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/memory.hpp"

using namespace ladder::executor;

namespace {

MPI_Datatype mpi_type(ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
      return MPI_INT8_T;
    case ncclUint8:
      return MPI_UINT8_T;
    case ncclInt32:
      return MPI_INT32_T;
    case ncclUint32:
      return MPI_UINT32_T;
    case ncclInt64:
      return MPI_INT64_T;
    case ncclUint64:
      return MPI_UINT64_T;
    case ncclFloat32:
      return MPI_FLOAT;
    case ncclFloat64:
      return MPI_DOUBLE;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Op mpi_op(ncclRedOp_t op) {
  const MPI_Op of_op[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};
  return op >= ncclSum && op <= ncclMin ? of_op[op] : MPI_OP_NULL;
}

/// One operation of a communicator.
struct Communication {
  const char* call;
  Site site;
  const ncclComm* comm;
  cudaStream_t stream;
  std::function<int(MPI_Request*)> start{};  ///< MPI's call, which does not wait
  ladder::Traffic traffic{};
  std::vector<TouchedMemory> touches{};
};

/// Operations between ncclGroupStart and ncclGroupEnd, of this thread.
thread_local int group_depth = 0;
thread_local std::vector<Communication> group;
thread_local ncclResult_t group_failure = ncclSuccess;

/// Starts all before it waits for one: the order within a group does not matter, as in NCCL.
void run(const std::vector<Communication>& operations) {
  std::vector<MPI_Request> requests(operations.size(), MPI_REQUEST_NULL);
  const auto require = [](int code, const Communication& operation) {
    if (code != MPI_SUCCESS)
      fatal(operation.site, std::string(operation.call) + ": " + mpi_text(code) +
                                "\n    Do all ranks name the same count, type and root?");
  };
  for (std::size_t i = 0; i < operations.size(); ++i)
    require(operations[i].start(&requests[i]), operations[i]);
  for (std::size_t i = 0; i < operations.size(); ++i)
    require(PMPI_Wait(&requests[i], MPI_STATUS_IGNORE), operations[i]);
}

/// An operation in the trace.
std::vector<Task> tasks_of(const Communication& operation) {
  std::vector<Task> tasks;
  ladder::add_events(operation.traffic, [&](ladder_event_kind kind, std::uint64_t bytes) {
    tasks.push_back({operation.call, operation.site, {}, trace_event(kind, operation.call, bytes)});
  });
  return tasks;
}

/// Puts operations into their streams, as one task of the first one's. It runs after all that was issued
/// before to any communicator: ranks which issue in the same order, as NCCL asks of them, cannot wait for
/// each other in a circle.
ncclResult_t submit(std::vector<Communication> operations) {
  if (operations.empty()) return ncclSuccess;
  static Event* const issued = Schedule::get().create_event(cudaEventDisableTiming);
  const cudaStream_t stream = operations[0].stream;
  const Site site = operations[0].site;
  std::vector<cudaStream_t> others;
  for (const Communication& operation : operations)
    if (operation.stream != stream && std::ranges::find(others, operation.stream) == others.end())
      others.push_back(operation.stream);
  Schedule& schedule = Schedule::get();
  for (const cudaStream_t other : others) {
    schedule.record_event(issued, other, site);
    schedule.wait_event(stream, issued, site);
  }
  static Event* const earlier = schedule.create_event(cudaEventDisableTiming);
  schedule.wait_event(stream, earlier, site);
  std::vector<Task> counted;  // each operation has events of its own in the trace
  std::vector<TouchedMemory> touches;
  for (const Communication& operation : operations) {
    std::ranges::move(tasks_of(operation), std::back_inserter(counted));
    touches.insert(touches.end(), operation.touches.begin(), operation.touches.end());
  }
  counted[0].touches = touches;
  counted[0].work = [operations = std::move(operations), touches] {
    run(operations);
    if (observer) observer->operation_touches(touches);
  };
  for (Task& task : counted)
    if (schedule.submit(stream, std::move(task)) != cudaSuccess) return ncclUnhandledCudaError;
  schedule.record_event(earlier, stream, site);
  for (const cudaStream_t other : others) schedule.wait_event(other, earlier, site);
  return ncclSuccess;
}

/// The checks of a call, before its operation is made.
struct Call {
  Communication operation;
  ncclResult_t result = ncclSuccess;

  Call(const char* name, ncclComm_t comm, cudaStream_t stream, Site where)
      : operation{name, resolve(where), comm, stream} {
    require(comm, ": the communicator is null");
    if (result == ncclSuccess && begin_call(name, stream, operation.site) != cudaSuccess)
      result = ncclUnhandledCudaError;
    if (result == ncclSuccess && Schedule::get().capturing(stream))
      require(false, ": the executor records no NCCL calls into graphs");
  }

  void require(bool condition, const std::string& problem) {
    if (!condition && result == ncclSuccess)
      result = fail_nccl(ncclInvalidArgument, operation.site, operation.call + problem);
  }
  void require_rank(const char* what, int rank) {
    if (result == ncclSuccess)
      require(rank >= 0 && rank < operation.comm->ranks,
              std::string(": ") + what + " " + std::to_string(rank) + " is none of the communicator's " +
                  std::to_string(operation.comm->ranks) + " ranks");
  }
  void require_type(std::size_t count, ncclDataType_t type) {
    require(mpi_type(type) != MPI_DATATYPE_NULL, ": the executor does not have this type");
    require(count <= INT_MAX, ": the executor moves at most 2^31 - 1 elements in a call");
  }
  /// Memory of the device that the operation reads or writes.
  void use(const char* what, const void* pointer, std::size_t bytes, bool write) {
    if (bytes == 0 || result != ncclSuccess) return;
    const DeviceMemory& memory = DeviceMemory::get();
    if (memory.find_host(pointer) || memory.find_symbol(pointer)) return;
    const Allocation area = memory.contains(pointer)
                                ? memory.find(pointer).value_or(Allocation{.live = false})
                                : Allocation{.live = false};
    const auto* const first = static_cast<const char*>(pointer);
    require(area.live, std::string(": ") + what + " is not in device memory");
    if (result != ncclSuccess) return;
    require(first >= area.begin && first + bytes <= area.begin + area.bytes,
            std::string(": ") + what + ", " + std::to_string(bytes) +
                " bytes, does not lie in one piece of " + "device memory");
    operation.touches.push_back({pointer, bytes, write});
  }
  /// Issues it now, or at the end of the group.
  ncclResult_t issue() {
    if (result != ncclSuccess && group_depth > 0 && group_failure == ncclSuccess) group_failure = result;
    if (result != ncclSuccess) return result;
    if (group_depth == 0) return submit({std::move(operation)});
    group.push_back(std::move(operation));
    return ncclSuccess;
  }
};

std::size_t bytes_of(std::size_t count, ncclDataType_t type) {
  int bytes = 0;
  PMPI_Type_size(mpi_type(type), &bytes);
  return count * static_cast<std::size_t>(bytes);
}

ladder::RankOf place_in(const ncclComm* comm) {
  return {comm->rank, comm->ranks};
}

}  // namespace

ncclResult_t ncclGroupStart() {
  if (group_depth++ == 0) group_failure = ncclSuccess;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd(Site site) {
  if (group_depth == 0)
    return fail_nccl(ncclInvalidUsage, site, "ncclGroupEnd: no group was begun by ncclGroupStart");
  if (--group_depth > 0) return ncclSuccess;
  std::vector<Communication> operations = std::exchange(group, {});
  return group_failure == ncclSuccess ? submit(std::move(operations)) : group_failure;
}

ncclResult_t ncclBroadcast(const void* send, void* receive, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream, Site site) {
  Call call("ncclBroadcast", comm, stream, site);
  call.require_type(count, type);
  call.require_rank("root", root);
  if (call.result != ncclSuccess) return call.issue();
  const std::size_t bytes = bytes_of(count, type);
  const bool is_root = comm->rank == root;
  if (is_root) call.use("the send buffer", send, bytes, false);
  if (!is_root || receive != send) call.use("the receive buffer", receive, bytes, true);
  call.operation.traffic = ladder::broadcast_traffic(bytes, root, place_in(comm));
  call.operation.start = [=](MPI_Request* request) {
    if (is_root && receive != send && bytes > 0) std::memmove(receive, send, bytes);
    return PMPI_Ibcast(receive, static_cast<int>(count), mpi_type(type), root, comm->messages, request);
  };
  return call.issue();
}

ncclResult_t ncclReduce(const void* send, void* receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                        int root, ncclComm_t comm, cudaStream_t stream, Site site) {
  Call call("ncclReduce", comm, stream, site);
  call.require_type(count, type);
  call.require(mpi_op(op) != MPI_OP_NULL, ": the executor does not have this operator");
  call.require_rank("root", root);
  if (call.result != ncclSuccess) return call.issue();
  const std::size_t bytes = bytes_of(count, type);
  const bool is_root = comm->rank == root;
  call.use("the send buffer", send, bytes, false);
  if (is_root) call.use("the receive buffer", receive, bytes, true);
  call.operation.traffic = ladder::reduce_traffic(bytes, root, place_in(comm));
  const void* const from = is_root && send == receive ? MPI_IN_PLACE : send;
  call.operation.start = [=](MPI_Request* request) {
    return PMPI_Ireduce(from, receive, static_cast<int>(count), mpi_type(type), mpi_op(op), root,
                        comm->messages, request);
  };
  return call.issue();
}

ncclResult_t ncclAllReduce(const void* send, void* receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream, Site site) {
  Call call("ncclAllReduce", comm, stream, site);
  call.require_type(count, type);
  call.require(mpi_op(op) != MPI_OP_NULL, ": the executor does not have this operator");
  if (call.result != ncclSuccess) return call.issue();
  const std::size_t bytes = bytes_of(count, type);
  call.use("the send buffer", send, bytes, false);
  call.use("the receive buffer", receive, bytes, true);
  call.operation.traffic = ladder::allreduce_traffic(bytes, place_in(comm));
  const void* const from = send == receive ? MPI_IN_PLACE : send;
  call.operation.start = [=](MPI_Request* request) {
    return PMPI_Iallreduce(from, receive, static_cast<int>(count), mpi_type(type), mpi_op(op), comm->messages,
                           request);
  };
  return call.issue();
}

ncclResult_t ncclAllGather(const void* send, void* receive, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream, Site site) {
  Call call("ncclAllGather", comm, stream, site);
  call.require_type(count, type);
  if (call.result != ncclSuccess) return call.issue();
  const std::size_t bytes = bytes_of(count, type), ranks = static_cast<std::size_t>(comm->ranks);
  const char *const from = static_cast<const char*>(send), *const to = static_cast<const char*>(receive);
  const bool in_place = from == to + static_cast<std::size_t>(comm->rank) * bytes;
  call.require(in_place || from + bytes <= to || to + ranks * bytes <= from,
               ": the send buffer is in the receive buffer, but not where the piece of rank " +
                   std::to_string(comm->rank) + " begins there");
  call.use("the send buffer", send, bytes, false);
  call.use("the receive buffer", receive, ranks * bytes, true);
  call.operation.traffic = ladder::block_traffic(bytes, place_in(comm));
  call.operation.start = [=](MPI_Request* request) {
    return PMPI_Iallgather(in_place ? MPI_IN_PLACE : send, static_cast<int>(count), mpi_type(type), receive,
                           static_cast<int>(count), mpi_type(type), comm->messages, request);
  };
  return call.issue();
}

ncclResult_t ncclSend(const void* send, size_t count, ncclDataType_t type, int to, ncclComm_t comm,
                      cudaStream_t stream, Site site) {
  Call call("ncclSend", comm, stream, site);
  call.require_type(count, type);
  call.require_rank("peer", to);
  if (call.result != ncclSuccess) return call.issue();
  const std::size_t bytes = bytes_of(count, type);
  call.use("the send buffer", send, bytes, false);
  call.operation.traffic = ladder::send_traffic(bytes, to, place_in(comm));
  // Synchronous: without a group ncclSend may wait for its ncclRecv, however small the message is.
  call.operation.start = [=](MPI_Request* request) {
    return PMPI_Issend(send, static_cast<int>(count), mpi_type(type), to, 0, comm->messages, request);
  };
  return call.issue();
}

ncclResult_t ncclRecv(void* receive, size_t count, ncclDataType_t type, int from, ncclComm_t comm,
                      cudaStream_t stream, Site site) {
  Call call("ncclRecv", comm, stream, site);
  call.require_type(count, type);
  call.require_rank("peer", from);
  if (call.result != ncclSuccess) return call.issue();
  const std::size_t bytes = bytes_of(count, type);
  call.use("the receive buffer", receive, bytes, true);
  call.operation.traffic = ladder::receive_traffic(bytes, from, place_in(comm));
  call.operation.start = [=](MPI_Request* request) {
    return PMPI_Irecv(receive, static_cast<int>(count), mpi_type(type), from, 0, comm->messages, request);
  };
  return call.issue();
}
