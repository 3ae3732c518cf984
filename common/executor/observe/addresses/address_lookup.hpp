#pragma once
/// @file
/// Looks up the object that contains an address; a finding when none does.

#include <cstddef>
#include <cstdint>

#include "common/executor/observe/counters/request.hpp"
#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// The object that contains all bytes of an access of a kernel's thread. An access that is in no object is a
/// finding (out of bounds, use after free, null, host memory, misaligned) and ends the process as in plain
/// mode: it does not return. Slow: keep the result for each access site, and call it again when the object
/// does not contain the address, or when the address is not a multiple of the bytes. Objects live until the
/// launch ends; those of shared memory and stacks until the block ends.
/// @param code as in Request
const Object* object_at(const void* address, std::size_t bytes, Operation operation, std::uint32_t code);

/// A kernel's access to a value of `bytes` at an address that is not a multiple of them: a finding that ends
/// the process, if the address is in a tracked object.
void misaligned_access(const void* address, std::size_t bytes, Operation operation, std::uint32_t code);

/// An access of the host's program: to device memory, or to memory that a queued copy or kernel still uses.
void host_access(const void* address, std::size_t bytes, bool write, std::uint32_t code);
/// The host makes an atomic access: it synchronises with kernels through that memory.
void host_synchronises(const void* address);

/// Whether host_access() can find anything: check this before the call.
extern constinit bool check_host_accesses;

}  // namespace ladder::executor
