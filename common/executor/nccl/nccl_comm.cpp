/// @file
/// NCCL for the executor: communicators. The processes of an id find each other by messages of
/// MPI_COMM_WORLD.

#include "common/executor/nccl/nccl_comm.hpp"

#include <cstring>
#include <memory>
#include <vector>

#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/schedule.hpp"

using namespace ladder::executor;

namespace {

thread_local std::string last_error = "no call has failed";

/// What an id holds: the process that made it, and how many it had made before.
struct Id {
  int maker = 0, number = 0;
};

/// A tag of the messages of an id: no other id that is in use has it. Open MPI makes a communicator by
/// messages of its own with the tag that it is given, so that one must be another.
int tag_of(const Id& id, bool to_create) {
  constexpr int ids_of_a_process = 1 << 12;
  const int first_tag = to_create ? 1 << 26 : 1 << 25;  // below them are the program's own
  return first_tag + id.maker * ids_of_a_process + id.number % ids_of_a_process;
}

ncclResult_t require_mpi(const char* call, Site site) {
  int there = 0, level = MPI_THREAD_SINGLE;
  PMPI_Initialized(&there);
  if (there) PMPI_Query_thread(&level);
  if (there && level == MPI_THREAD_MULTIPLE) return ncclSuccess;
  return fail_nccl(ncclInvalidUsage, site,
                   std::string(call) + ": on the executor NCCL's messages travel by MPI, from threads of " +
                       "streams: call MPI_Init_thread with MPI_THREAD_MULTIPLE before");
}

/// Says to all processes which rank of the id this one is, and hears it of those that are ranks, too.
/// @return the ranks' processes; empty: two processes are one rank
std::vector<int> find_each_other(int tag, int ranks, int rank) {
  int processes = 0, own = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &processes);
  PMPI_Comm_rank(MPI_COMM_WORLD, &own);
  static std::vector<std::unique_ptr<int>> said;  // a process that is no rank may never receive it
  said.push_back(std::make_unique<int>(rank));
  for (int p = 0; p < processes; ++p) {
    if (p == own) continue;
    MPI_Request request;
    PMPI_Isend(said.back().get(), 1, MPI_INT, p, tag, MPI_COMM_WORLD, &request);
    PMPI_Request_free(&request);
  }
  std::vector<int> process(static_cast<std::size_t>(ranks), -1);
  process[static_cast<std::size_t>(rank)] = own;
  bool once = true;
  for (int others = ranks - 1; others > 0; --others) {
    int other = 0;
    MPI_Status status;
    PMPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    once = once && other >= 0 && other < ranks && process[static_cast<std::size_t>(other)] < 0;
    if (once) process[static_cast<std::size_t>(other)] = status.MPI_SOURCE;
  }
  return once ? process : std::vector<int>();
}

/// Takes over @p messages.
ncclComm* made_of(MPI_Comm messages) {
  auto* const made = new ncclComm{.messages = messages};
  PMPI_Comm_set_errhandler(messages, MPI_ERRORS_RETURN);
  PMPI_Comm_dup(messages, &made->calls);
  PMPI_Comm_rank(messages, &made->rank);
  PMPI_Comm_size(messages, &made->ranks);
  return made;
}

}  // namespace

ncclResult_t ladder::executor::fail_nccl(ncclResult_t code, Site site, const std::string& message) {
  last_error = message;
  warn(resolve(site), message);
  return code;
}

std::string ladder::executor::mpi_text(int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  PMPI_Error_string(code, text, &length);
  return text;
}

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error";
    case ncclSystemError:
      return "unhandled system error";
    case ncclInternalError:
      return "internal error";
    case ncclInvalidArgument:
      return "invalid argument";
    case ncclInvalidUsage:
      return "invalid usage";
  }
  return "unknown result code";
}

const char* ncclGetLastError(ncclComm_t) {
  return last_error.c_str();
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id, Site site) {
  static int made = 0;
  if (const ncclResult_t failed = require_mpi("ncclGetUniqueId", site)) return failed;
  Id own{.maker = 0, .number = made++};
  PMPI_Comm_rank(MPI_COMM_WORLD, &own.maker);
  *id = {};
  std::memcpy(id->internal, &own, sizeof own);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank, Site site) {
  if (const ncclResult_t failed = require_mpi("ncclCommInitRank", site)) return failed;
  int processes = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (ranks < 1 || rank < 0 || rank >= ranks || ranks > processes)
    return fail_nccl(ncclInvalidArgument, site,
                     "ncclCommInitRank: rank " + std::to_string(rank) + " of " + std::to_string(ranks) +
                         " ranks; " + std::to_string(processes) + " processes were started");
  Id of_message;
  std::memcpy(&of_message, id.internal, sizeof of_message);
  const std::vector<int> process = find_each_other(tag_of(of_message, false), ranks, rank);
  if (process.empty())
    return fail_nccl(ncclInvalidUsage, site, "ncclCommInitRank: two processes say that they are one rank");
  MPI_Group world, group;
  MPI_Comm messages;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_incl(world, ranks, process.data(), &group);
  PMPI_Comm_create_group(MPI_COMM_WORLD, group, tag_of(of_message, true), &messages);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  *comm = made_of(messages);
  return ncclSuccess;
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t* part, ncclConfig_t* config,
                           Site site) {
  if (!comm || config || color < NCCL_SPLIT_NOCOLOR)
    return fail_nccl(ncclInvalidArgument, site,
                     !comm    ? "ncclCommSplit: the communicator is null"
                     : config ? "ncclCommSplit: the executor takes no configuration, only the null pointer"
                              : "ncclCommSplit: the color is negative");
  MPI_Comm messages = MPI_COMM_NULL;
  PMPI_Comm_split(comm->calls, color == NCCL_SPLIT_NOCOLOR ? MPI_UNDEFINED : color, key, &messages);
  *part = messages == MPI_COMM_NULL ? nullptr : made_of(messages);
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (!comm) return ncclSuccess;
  Schedule::get().finish_all(nullptr);  // queued operations use it
  PMPI_Comm_free(&comm->messages);
  PMPI_Comm_free(&comm->calls);
  delete comm;
  return ncclSuccess;
}

ncclResult_t ncclCommCount(ncclComm_t comm, int* ranks) {
  if (!comm) return ncclInvalidArgument;
  *ranks = comm->ranks;
  return ncclSuccess;
}

ncclResult_t ncclCommUserRank(ncclComm_t comm, int* rank) {
  if (!comm) return ncclInvalidArgument;
  *rank = comm->rank;
  return ncclSuccess;
}
