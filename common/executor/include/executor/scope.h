#pragma once
/// @file
/// The scope of a synchronisation. The executor's always reach the whole machine; the observed mode judges
/// the scopes.

#include <atomic>

// clang-format off
namespace cuda {
namespace std { using namespace ::std; }
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
}  // namespace cuda
// clang-format on
