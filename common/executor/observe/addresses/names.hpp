#pragma once
/// @file
/// Names of memory and threads in messages and records.

#include <array>
#include <string>

#include "common/base/observation/observation.hpp"
#include "common/executor/include/executor/site.h"
#include "common/executor/observe/counters/request.hpp"

namespace ladder::executor {

/// "As", "dA", or "allocation at file:line".
/// @param line as for address_text()
std::string object_name(const Object& object, const SourceLine& line = {});

/// "As[3][17]", "dA + 1234 (of 1000)".
/// @param bytes of the access: the unit in which an allocation is counted
/// @param line of the access: dynamic shared arrays are named by their declaration above it
std::string address_text(const Object& object, const void* address, std::size_t bytes,
                         const SourceLine& line = {});

/// The kernel whose parameters may name memory; null outside of launches. One runs at a time.
void set_current_kernel(const Kernel* kernel);

/// "thread 5", "thread (0,1)": as many numbers as the block has dimensions.
std::string thread_text(const Kernel& kernel, unsigned thread);
std::string block_text(const Kernel& kernel, std::uint64_t block);
std::array<std::uint32_t, 3> thread_index_of(const Kernel& kernel, unsigned thread);
std::array<std::uint32_t, 3> block_index_of(const Kernel& kernel, std::uint64_t block);

SourceLine line_of(Site site);

}  // namespace ladder::executor
