#pragma once
/// @file
/// Given: a sparse symmetric matrix, and the matrices of this lesson.

#include <cstdint>
#include <utility>
#include <vector>

namespace ladder {
class Random;
}

namespace cholesky {

/// The lower triangle of a sparse symmetric matrix, column by column.
struct Symmetric {
  int n = 0;
  std::vector<std::int64_t> start{0};  ///< n + 1
  std::vector<int> row;                ///< ascending in a column; the diagonal, always there, first
  std::vector<double> value;

  /// Entries of the whole matrix, both triangles: what collections of matrices call nnz.
  std::int64_t nnz() const { return 2 * std::int64_t(row.size()) - n; }
};

/// Two different rows that a non-zero joins.
using Edge = std::pair<int, int>;

/// Values that make a pattern positive definite: off the diagonal -1 times a number in [0.5, 1.5), another
/// for each seed; on it the sum of their absolute values in the row, plus 0.01. Seed 0: all -1.
/// @param edges  in any order, some perhaps more than once
Symmetric from_edges(int n, std::vector<Edge> edges, std::uint64_t seed);

/// Gives a matrix other values of the same kind.
void set_values(Symmetric& A, std::uint64_t seed);
void set_values(Symmetric& A, ladder::Random random);

/// D A D with d[i] = 10 to a random power from -6 to 6: still positive definite.
void scale(Symmetric& A, ladder::Random random);

/// Row i and column i become row and column order[i] of the old matrix.
Symmetric permuted(const Symmetric& A, const std::vector<int>& order);

/// @name Generators
/// Row (x, y, z) has number x + nx (y + ny z). Those named after matrices of the SuiteSparse collection are
/// stand-ins: like them in order and number of entries.
/// @{

/// Each point of a grid and its up to 6 neighbours.
Symmetric grid(int nx, int ny, int nz, std::uint64_t seed);
/// Each point of a grid, its neighbours along x and y, and one diagonal: a triangulated rectangle.
Symmetric triangulated(int nx, int ny, std::uint64_t seed);
/// A grid of which each edge is kept with probability 0.92, and `extra` edges from a random point to one at
/// most 20 away in x and in y. The pattern is always the same: std::mt19937 with seed 1; a number in [0, 1)
/// is its output times 2^-32.
Symmetric circuit(int nx, int ny, int extra, std::uint64_t seed);
/// Three unknowns a point of a grid, all joined to those of its 8 neighbours: like a thin shell.
Symmetric shell(int nx, int ny, std::uint64_t seed);
/// A band of one off-diagonal, and `width` last rows that are full.
Symmetric arrow(int n, int width, std::uint64_t seed);
/// No zero at all.
Symmetric dense(int n, std::uint64_t seed);

/// apache2: n = 715,176, nnz = 4,817,870, both as in the collection.
Symmetric apache2_like(std::uint64_t seed);
/// parabolic_fem: n = 525,825, nnz = 3,674,625, both as in the collection.
Symmetric parabolic_fem_like(std::uint64_t seed);
/// G3_circuit: n = 1,586,340.
Symmetric g3_circuit_like(std::uint64_t seed);
/// G2_circuit: n = 150,156.
Symmetric g2_circuit_like(std::uint64_t seed);
/// @}

}  // namespace cholesky
