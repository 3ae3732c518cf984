#pragma once
/// @file
/// What an address is: the object that it lies in, or the finding that it lies in none.

#include <cstddef>
#include <cstdint>

#include "common/executor/observe/request.hpp"
#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// The object in which an access of a kernel's thread lies wholly. An access that lies in none is a finding (out of
/// bounds, use after free, null, host memory, misaligned) and ends the process as in plain mode: it does not return.
/// Slow: keep what it gives for each access site, and ask again when the object does not hold the address, or when the
/// address is no multiple of the bytes.
/// Objects live until the launch ends; those of shared memory and stacks until the block ends.
/// @param code as in Request
const Object* place_of(const void* address, std::size_t bytes, Operation operation, std::uint32_t code);

/// A kernel's access to a value of `bytes` at no multiple of them: a finding that ends the process, wherever the address is
/// that of a tracked object.
void misaligned_access(const void* address, std::size_t bytes, Operation operation, Site site);

/// An access of the host's program: to device memory, or to memory that a queued copy or kernel still uses.
void host_access(const void* address, std::size_t bytes, bool write, std::uint32_t code);
/// The host makes an atomic access: it synchronises with kernels through that memory.
void host_synchronises(const void* address);

/// Whether host_access() has anything to look for: ask before the call.
extern constinit bool watch_host_accesses;

}  // namespace ladder::executor
