/// @file
/// Recorder for NCCL between GPUs: preloaded (LD_PRELOAD=libladder-trace-nccl.so), its ncclSend is called
/// instead of NCCL's own, which is the next definition. Bytes are counted by the rule that the executor's
/// NCCL has, too (common/base/traffic.hpp), when a call has put its operation into a stream or a group.
///
/// Not seen: what a CUDA graph repeats, and the order in streams. Neither NCCL's header nor its library is
/// needed to build it: enumerations are passed as int, and handles as pointers.

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>

#include "common/base/event.h"
#include "common/base/traffic.hpp"

namespace {

using namespace ladder;

using Comm = void*;
using Stream = void*;

constexpr int success = 0, in_progress = 7;  // of a communicator that does not block
constexpr int system_error = 2;

/// The bytes of an element, by ncclDataType_t: 8-bit integers, 32-bit, 64-bit, half, float, double, bfloat16,
/// and two of 8 bits.
std::uint64_t bytes_of(std::size_t count, int type) {
  constexpr std::uint64_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return type >= 0 && type < static_cast<int>(std::size(sizes)) ? count * sizes[type] : 0;
}

/// NCCL's own function. @return null where no NCCL comes after this library; says so once
template <class Function>
Function* next_of(const char* name) {
  auto* const found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  if (!found) std::fprintf(stderr, "NCCL recorder: the program's NCCL has no function %s\n", name);
  return found;
}

/// The communicator is asked each time: there are many ways to make one.
RankOf place_in(Comm comm) {
  static auto* const rank_of = next_of<int(Comm, int*)>("ncclCommUserRank");
  static auto* const ranks_of = next_of<int(Comm, int*)>("ncclCommCount");
  RankOf own;
  if (!rank_of || rank_of(comm, &own.rank) != success || !ranks_of || ranks_of(comm, &own.ranks) != success)
    std::fprintf(stderr, "NCCL recorder: a communicator does not say its rank and size\n");
  return own;
}

/// One call of the program. NCCL's functions call each other: ncclBcast is a ncclBroadcast, and counts once.
class Call {
 public:
  explicit Call(const char* name) : name_(name) { ++depth; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { --depth; }

  bool counts(int code) const {
    return depth == 1 && (code == success || code == in_progress) && ladder_sink_active() != 0;
  }
  void record(const Traffic& traffic) const {
    add_events(traffic, [&](ladder_event_kind kind, std::uint64_t bytes) {
      ladder_event event{};
      event.kind = kind;
      event.bytes = bytes;
      event.device = -1;
      event.peer = -1;
      std::snprintf(event.name, sizeof event.name, "%s", name_);
      ladder_sink_record(&event, nullptr, 0);
    });
  }

 private:
  static thread_local int depth;
  const char* name_;
};
thread_local int Call::depth = 0;

}  // namespace

/// The wrapper of one function: calls NCCL's own and, when that succeeds, records what it moves.
/// @param parameters  in parentheses, as nccl.h declares them but for enumerations and handles
/// @param arguments   in parentheses: the names of the parameters
/// @param ...         the Traffic, of the parameters and of `own`, the rank's place in the communicator
#define LADDER_NCCL_WRAPPER(name, parameters, arguments, ...) \
  int name parameters {                                       \
    static auto* const next = next_of<int parameters>(#name); \
    if (!next) return system_error;                           \
    const Call call(#name);                                   \
    const int code = next arguments;                          \
    if (!call.counts(code)) return code;                      \
    [[maybe_unused]] const RankOf own = place_in(comm);       \
    call.record(__VA_ARGS__);                                 \
    return code;                                              \
  }

extern "C" {
#pragma GCC visibility push(default)

/// The worker calls it before its handshake. That shows the judge that the wrappers are really in front of
/// NCCL: only then this is called.
int ncclGetVersion(int* version) {
  static auto* const next = next_of<int(int*)>("ncclGetVersion");
  if (!next) return system_error;
  static const bool attached = (ladder_sink_attach("nccl", nullptr), true);
  static_cast<void>(attached);
  return next(version);
}

LADDER_NCCL_WRAPPER(ncclSend,
                    (const void* send, std::size_t count, int type, int to, Comm comm, Stream stream),
                    (send, count, type, to, comm, stream), send_traffic(bytes_of(count, type), to, own))

LADDER_NCCL_WRAPPER(ncclRecv,
                    (void* receive, std::size_t count, int type, int from, Comm comm, Stream stream),
                    (receive, count, type, from, comm, stream),
                    receive_traffic(bytes_of(count, type), from, own))

LADDER_NCCL_WRAPPER(ncclBroadcast,
                    (const void* send, void* receive, std::size_t count, int type, int root, Comm comm,
                     Stream stream),
                    (send, receive, count, type, root, comm, stream),
                    broadcast_traffic(bytes_of(count, type), root, own))

LADDER_NCCL_WRAPPER(ncclBcast, (void* data, std::size_t count, int type, int root, Comm comm, Stream stream),
                    (data, count, type, root, comm, stream),
                    broadcast_traffic(bytes_of(count, type), root, own))

LADDER_NCCL_WRAPPER(ncclScatter,
                    (const void* send, void* receive, std::size_t count, int type, int root, Comm comm,
                     Stream stream),
                    (send, receive, count, type, root, comm, stream),
                    broadcast_traffic(bytes_of(count, type), root, own))

LADDER_NCCL_WRAPPER(ncclReduce,
                    (const void* send, void* receive, std::size_t count, int type, int op, int root,
                     Comm comm, Stream stream),
                    (send, receive, count, type, op, root, comm, stream),
                    reduce_traffic(bytes_of(count, type), root, own))

LADDER_NCCL_WRAPPER(ncclGather,
                    (const void* send, void* receive, std::size_t count, int type, int root, Comm comm,
                     Stream stream),
                    (send, receive, count, type, root, comm, stream),
                    reduce_traffic(bytes_of(count, type), root, own))

LADDER_NCCL_WRAPPER(ncclAllReduce,
                    (const void* send, void* receive, std::size_t count, int type, int op, Comm comm,
                     Stream stream),
                    (send, receive, count, type, op, comm, stream),
                    allreduce_traffic(bytes_of(count, type), own))

LADDER_NCCL_WRAPPER(ncclReduceScatter,
                    (const void* send, void* receive, std::size_t count, int type, int op, Comm comm,
                     Stream stream),
                    (send, receive, count, type, op, comm, stream), block_traffic(bytes_of(count, type), own))

LADDER_NCCL_WRAPPER(ncclAllGather,
                    (const void* send, void* receive, std::size_t count, int type, Comm comm, Stream stream),
                    (send, receive, count, type, comm, stream), block_traffic(bytes_of(count, type), own))

LADDER_NCCL_WRAPPER(ncclAlltoAll,
                    (const void* send, void* receive, std::size_t count, int type, Comm comm, Stream stream),
                    (send, receive, count, type, comm, stream), block_traffic(bytes_of(count, type), own))

#pragma GCC visibility pop
}  // extern "C"
