#pragma once
/// @file
/// A request: the memory access of one warp in one instruction. The unit of counters and of race detection.

#include <cstdint>

namespace ladder::executor {

struct Kernel;

enum class Space : std::uint8_t {
  global,    ///< device allocations, __device__ and __constant__ variables
  shared,    ///< static and dynamic
  host,      ///< pinned and managed memory
  argument,  ///< of the kernel; on a GPU constant memory: not counted
  local,     ///< a variable of the thread itself or of another one
  unknown,
};

/// `copy`: an asynchronous copy is issued, and may write until its thread has waited for it; then comes a
/// `store`.
enum class Operation : std::uint8_t { load, store, copy, atomic, fence };

/// A range of memory with a name.
struct Object {
  const char* begin = nullptr;
  const char* end = nullptr;
  Space space = Space::unknown;
  /// Number of the allocation, from 1 in the order of the host's program; shared variables and others: 0.
  std::uint64_t number = 0;

  bool holds(const void* address, std::size_t bytes) const {
    const auto* p = static_cast<const char*>(address);
    return p >= begin && p + bytes <= end;
  }
};

/// The position of a kernel's thread at an access; small, since each record of the shadow memory has one.
struct RequestContext {
  const Kernel* kernel = nullptr;
  std::uint64_t launch = 0;         ///< 1, 2, … launches of the process
  std::uint64_t operation = 0;      ///< the stream operation that it belongs to (Observer::operation_queued)
  std::uint64_t block = 0;          ///< number in the grid
  unsigned pool_thread = 0;         ///< which thread of the machine runs the block: shared memory is its own
  std::uint32_t interval = 0;       ///< block barriers passed by the block since its start
  std::uint32_t grid_interval = 0;  ///< grid barriers passed
};

/// One execution of one access by the lanes of a warp that are active there together.
///
/// Arrays have 32 elements, those of lanes outside `mask` are undefined. Pointers live for the call only.
struct Request {
  const RequestContext& context;
  unsigned warp = 0;       ///< in the block; thread = 32 * warp + lane
  std::uint32_t code = 0;  ///< return address of the access's hook call in the program: see lines.hpp
  Operation operation = Operation::load;
  Space space = Space::unknown;  ///< of the first lane
  bool atomic = false;           ///< a load or store of std::atomic, or operation atomic
  bool is_volatile = false;
  std::uint8_t ordering = 0;  ///< of atomics and fences: the bits of ladder::executor::ordering
  std::uint8_t size = 0;      ///< bytes per lane: 1, 2, 4, 8, 16; longer accesses are split
  std::uint32_t mask = 0;
  const std::uint64_t* address = nullptr;
  /// Stores and copies: what the bytes were after it; of 16 bytes a hash. Atomics: twice their number in the
  /// order in which they happened in this process, and 1 more for an exchange that has changed what was
  /// there. Else null.
  const std::uint64_t* value = nullptr;
  /// Reads: by lane, a bit for each byte that may be without a value (see undefined_bytes()). Else null.
  const std::uint16_t* undefined = nullptr;
  /// How often each lane had met others of its warp (syncwarp, shuffles, …) before the access, since the
  /// block's start.
  const std::uint32_t* meetings = nullptr;
  /// The object of the first lane; never null, but other lanes may be in others.
  const Object* object = nullptr;
};

}  // namespace ladder::executor
