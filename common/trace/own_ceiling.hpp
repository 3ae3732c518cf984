#pragma once
/// @file
/// The ceiling of a rung whose row says what limits it: the bytes that its own plan moves, or, where nothing
/// is a product of matrices, what takes longer of the vector units' work and the problem's bytes.

#include <string>

namespace ladder {

/// The highest measured rates of a GPU, per second; 0: not known.
struct GpuRates {
  double vector_fp64 = 0, memory = 0, cache = 0;
  double cache_bytes = 0;
};

struct OwnCeiling {
  std::string ceiling{};  ///< "FP64", "memory", "cache"; empty: the row names none
  double seconds = 0;     ///< of the work at that rate; 0: the rate is not known
};

/// @param operations  of the problem, in double precision
/// @param bytes  of the problem; where they are not known 0, as in the cache: a share of the higher rate is
/// never too large
/// @param bytes_per_flop, matrix_products  of the row (lesson.hpp)
inline OwnCeiling own_ceiling(double operations, double bytes, double bytes_per_flop, bool matrix_products,
                              const GpuRates& rates) {
  const auto at = [](const char* ceiling, double amount, double rate) {
    return OwnCeiling{ceiling, rate > 0 ? amount / rate : 0};
  };
  const bool in_cache = rates.cache > 0 && bytes <= rates.cache_bytes;
  const auto moved = [&](double amount) {
    return in_cache ? at("cache", amount, rates.cache) : at("memory", amount, rates.memory);
  };
  if (bytes_per_flop > 0) return moved(bytes_per_flop * operations);
  if (matrix_products) return {};
  const OwnCeiling vector_units = at("FP64", operations, rates.vector_fp64), data = moved(bytes);
  return rates.vector_fp64 > 0 && data.seconds > vector_units.seconds ? data : vector_units;
}

}  // namespace ladder
