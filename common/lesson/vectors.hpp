#pragma once
/// @file
/// Vectors as wide as this CPU's, the tile of a matrix that fits in its registers, and lines of its caches:
/// for the micro-kernels of lessons on the CPU.

namespace ladder {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64, vector_registers = 32;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32, vector_registers = 16;
#elif defined(__aarch64__)
inline constexpr int vector_bytes = 16, vector_registers = 32;
#else
inline constexpr int vector_bytes = 16, vector_registers = 16;
#endif

/// A vector register. + and * work element by element, and a double instead of one operand stands for all of
/// its elements. A vector begins at a multiple of its size.
typedef double Vector __attribute__((vector_size(vector_bytes), may_alias));
/// The same, anywhere in an array of doubles.
typedef double UnalignedVector __attribute__((vector_size(vector_bytes), aligned(sizeof(double)), may_alias));

inline constexpr int vector_doubles = vector_bytes / int(sizeof(double));

/// @name The tile of a matrix that stays in registers
/// 3/4 of the registers hold sums. What is left holds three vectors of a row and an element of a column.
/// @{
inline constexpr int tile_vectors = 3;
inline constexpr int tile_rows = vector_registers / 4;
inline constexpr int tile_columns = tile_vectors * vector_doubles;
/// @}

/// A line of a cache: in an array of lines no vector crosses two.
struct alignas(64) CacheLine {
  double doubles[8];
};

constexpr int round_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace ladder
