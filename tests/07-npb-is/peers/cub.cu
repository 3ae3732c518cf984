/// @file
/// Peer: CUB. A radix sort of the keys, and the place of each value in the sorted list. On a GPU only. The
/// sort alone takes 0.197 ms at class A on an NVIDIA H200; DeviceHistogram, with a bin for each value, 1.26
/// ms.

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>

#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <optional>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_is {
namespace {

/// Calls a function of CUB twice, as they all want it: without memory it says how much it needs. That memory
/// is kept from call to call, so only the first call pays for it.
template <class Function>
void with_workspace(Function&& function) {
  static std::optional<ladder::DeviceBuffer<char>> workspace;
  std::size_t bytes = 0;
  ladder::check(function(static_cast<void*>(nullptr), bytes));
  if (!workspace || workspace->bytes() < bytes) workspace.emplace(bytes);
  ladder::check(function(static_cast<void*>(workspace->get()), bytes));
}

}  // namespace

/// Ranks the keys: rank[k] is where the first key of the sorted list is that is not smaller than k.
/// @throws ladder::Error where CUB refuses a call
void library(const Problem& p) {
  const int bits = std::bit_width(unsigned(p.bins - 1));
  with_workspace([&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, p.keys, p.buffer, p.n, 0, bits > 0 ? bits : 1);
  });
  const auto values = thrust::make_counting_iterator(0);
  thrust::lower_bound(thrust::cuda::par_nosync, p.buffer, p.buffer + p.n, values, values + p.bins, p.rank);
}

}  // namespace npb_is
