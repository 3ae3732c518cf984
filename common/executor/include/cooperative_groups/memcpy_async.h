#pragma once
/// @file
/// Copies by all threads of a group, which end when the group waits.

#include "cooperative_groups.h"
#include "executor/aligned_size.h"

namespace cooperative_groups {

/// `bytes` bytes; each thread begins its share. Pieces of 16 bytes, as far as the addresses allow it.
template <class Group, class To, class From>
LADDER_EXECUTOR_INLINE void memcpy_async(const Group& group, To* to, const From* from, size_t bytes) {
  const size_t together = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes;
  const size_t piece = together % 16 == 0 ? 16 : together % 8 == 0 ? 8 : together % 4 == 0 ? 4 : 1;
  for (size_t at = group.thread_rank() * piece; at < bytes; at += group.num_threads() * piece)
    ladder::executor::begin_async_copy(reinterpret_cast<char*>(to) + at,
                                       reinterpret_cast<const char*>(from) + at, piece);
  ladder::executor::commit_async_copies();
}
template <class Group, class To, class From, size_t Alignment>
LADDER_EXECUTOR_INLINE void memcpy_async(const Group& group, To* to, const From* from,
                                         cuda::aligned_size_t<Alignment> bytes) {
  memcpy_async(group, to, from, static_cast<size_t>(bytes));
}
/// Arrays: the lesser of the two numbers of elements.
template <class Group, class T>
LADDER_EXECUTOR_INLINE void memcpy_async(const Group& group, T* to, size_t to_count, const T* from,
                                         size_t from_count) {
  memcpy_async(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}

/// Until all copies of the group are done.
template <class Group>
LADDER_EXECUTOR_INLINE void wait(const Group& group, LADDER_EXECUTOR_SITE) {
  ladder::executor::end_async_copies_but(0);
  group.sync(site);
}
/// Until all but the last `Stages` are done.
template <unsigned Stages, class Group>
LADDER_EXECUTOR_INLINE void wait_prior(const Group& group, LADDER_EXECUTOR_SITE) {
  ladder::executor::end_async_copies_but(Stages);
  group.sync(site);
}

}  // namespace cooperative_groups
