/// @file
/// Peer: CUB, for what it has a function: sums of rows, a histogram, and places in a row. On a GPU only.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <optional>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace first_steps {
namespace {

/// Sums are of doubles: CUB would add floats as floats.
struct Widened {
  __host__ __device__ double operator()(float x) const { return x; }
};

/// 1 for a bright element, else 0.
struct IsBright {
  float limit;
  __host__ __device__ int operator()(float x) const { return x >= limit; }
};

/// The element in which a row begins.
struct RowBegin {
  int columns;
  __host__ __device__ int operator()(int row) const { return row * columns; }
};

/// The row of an element.
struct RowOf {
  int columns;
  __host__ __device__ int operator()(int element) const { return element / columns; }
};

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

void sum_rows(const Problem& p) {
  const auto begin = thrust::make_transform_iterator(thrust::make_counting_iterator(0), RowBegin{p.columns});
  const auto doubles = thrust::make_transform_iterator(p.A, Widened{});
  with_workspace([&](void* memory, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(memory, bytes, doubles, p.sum, p.rows, begin, begin + 1);
  });
}

/// Bins are exact: their number is a power of two.
void count_values(const Problem& p) {
  with_workspace([&](void* memory, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(memory, bytes, p.A, p.count, bins + 1, 0.0f, 1.0f,
                                               p.rows * p.columns);
  });
}

/// One scan over the whole image, which begins again with each row.
void find_places(const Problem& p) {
  const auto row = thrust::make_transform_iterator(thrust::make_counting_iterator(0), RowOf{p.columns});
  const auto bright = thrust::make_transform_iterator(p.A, IsBright{p.limit});
  with_workspace([&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSumByKey(memory, bytes, row, bright, p.place, p.rows * p.columns);
  });
}

}  // namespace

/// Computes what is wanted of the image.
/// @throws ladder::Error where CUB has no function for it
void library(const Problem& p) {
  switch (p.wanted) {
    case Wanted::row_sums:
      return sum_rows(p);
    case Wanted::histogram:
      return count_values(p);
    case Wanted::places:
      return find_places(p);
    default:
      throw ladder::Error("CUB has no function for this.");
  }
}

}  // namespace first_steps
