#pragma once
/// @file
/// The tables and figures of work B, ours next to theirs, as records of a reproduction.

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "sweep.hpp"

namespace gauss::test {

constexpr int thread_counts[] = {32, 64, 128, 256, 512, 1024};  ///< of a block, in the heat map
constexpr int waves_shown = 4;                                  ///< whole waves in the figure of the tail

/// The shape with that many threads per block.
ladder::LaunchShape with_threads(ladder::LaunchShape shape, int threads);
/// Blocks of that shape that a multiprocessor holds.
int resident(const ladder::LaunchShape& shape, const ladder::DeviceLimits& device);

/// Where fewer blocks are resident than theory says: the source's card, and the present device.
nlohmann::json occupancy_record(const Lab& lab, const std::optional<ladder::DeviceLimits>& here);

/// Figure 2: speedup over blocks and threads. @param all  row by row, thread_counts in each
nlohmann::json heat_record(const Lab& lab, int n, const std::vector<int>& blocks,
                           const std::vector<Measured>& all, Sequential& sequential);

/// Figure 1: speedup against the block count. @param places  blocks that the whole device holds
nlohmann::json tail_record(const Lab& lab, int n, int places, const std::vector<Measured>& all,
                           Sequential& sequential);

/// Table 1: the best configuration, run after run. @param a, b  g2 and g5
nlohmann::json best_record(const Lab& grid_stride, int n, Grid best, Sequential& sequential,
                           const ladder::reproduction::Cell& a, const ladder::reproduction::Cell& b);

}  // namespace gauss::test
