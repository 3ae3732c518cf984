#pragma once
/// @file
/// The device that programs see: compute capability 9.0 with few multiprocessors, so that small problems fill
/// it.

#include <cstddef>

namespace ladder::model {

constexpr const char* name = "GPU Ladder executor (processor, no GPU)";
constexpr int multiprocessors = 4;
constexpr int threads_per_multiprocessor = 2048;
constexpr int blocks_per_multiprocessor = 32;
constexpr int registers_per_multiprocessor = 65536;
constexpr std::size_t shared_per_block = 48 * 1024;
constexpr std::size_t shared_per_block_optin = 227 * 1024;
constexpr std::size_t shared_per_multiprocessor = 228 * 1024;
constexpr std::size_t reserved_shared_per_block = 1024;
constexpr std::size_t constant_bytes = 64 * 1024;
constexpr int l2_bytes = 1 << 20;
constexpr int clock_khz = 1000000;  ///< of clock(): it counts nanoseconds

/// The multiprocessors in the device properties that programs read.
struct Multiprocessors {
  int count, threads, blocks;  ///< how many there are; threads and blocks that one holds at once
  std::size_t shared;          ///< bytes of one
};

}  // namespace ladder::model
