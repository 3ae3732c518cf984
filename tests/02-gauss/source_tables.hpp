#pragma once
/// @file
/// What the source measured: table 1 of work B and what its figures 1 and 2 say in words.

namespace gauss::test {

/// A GTX 1660 next to a Core i7-2600, n = 7500, the best grid of figure 2.
inline constexpr int source_n = 7500, source_blocks = 704, source_threads = 512, source_registers = 32;
inline constexpr double source_best_speedup = 24.97;
inline constexpr const char* source_device = "GTX 1660";

/// A run of table 1: back substitution on the host.
struct SourceRun {
  double seconds, speedup;
};
inline constexpr SourceRun source_runs[] = {{14.66, 24.97}, {14.67, 24.96}, {14.66, 24.97}, {14.66, 24.97},
                                            {14.71, 24.88}, {14.66, 24.97}, {14.67, 24.97}};
inline constexpr int runs_of_the_source = 7;

}  // namespace gauss::test
