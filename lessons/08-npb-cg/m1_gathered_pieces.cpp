/// @file
/// m1: CG over processes. Each rank has some rows of A, and its pieces of the vectors, in memory that no
/// other rank sees. A product needs the direction of all ranks, so its pieces are gathered before it, and
/// each dot product is a sum over the ranks. Before: the baseline. Source: none; NPB's MPI version divides
/// columns, too.

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/device/mpi.hpp"
#include "problem.hpp"

namespace npb_cg {
namespace {

using ladder::check;

/// What each rank sends in a gather, and to where.
struct Pieces {
  std::vector<int> sizes, first;  // of each rank

  explicit Pieces(const Problem& p) : sizes(p.ranks.count), first(p.ranks.count) {
    for (int rank = 0; rank < p.ranks.count; ++rank) {
      const Ranks other{rank, p.ranks.count};
      sizes[rank] = other.rows(p.n), first[rank] = other.first(p.n);
    }
  }
};

/// Every rank gets the pieces of all ranks.
void gather([[maybe_unused]] const Pieces& pieces, [[maybe_unused]] const double* own,
            [[maybe_unused]] int rows,  // rows; of this rank
            [[maybe_unused]] double* all) {                                      // n
  // TASK, 2 lines: MPI_Allgatherv: which pieces have which lengths, and where do they begin in the whole
  //  vector? A rank may have none, and calls it, too.
  ladder::task();  // Delete this line when you start.
}

/// The sum of the parts of all ranks, for all of them.
double add_up([[maybe_unused]] double part) {
  double sum = 0;
  // TASK, 1 line: Each rank needs the sum, since each computes alpha and beta.
  ladder::task();  // Delete this line when you start.
  return sum;
}

/// Row i of the rank's rows, times v. The rank's entries are those of A from row_start[0] on.
double row_times(const Problem& p, int i, const double* v) {  // n, of all ranks
  const int first = p.row_start[0];
  double sum = 0;
  for (int k = p.row_start[i] - first; k < p.row_start[i + 1] - first; ++k)
    sum += p.values[k] * v[p.columns[k]];
  return sum;
}

/// y = A v in the rank's rows. @return the rank's part of v . y
double multiply(const Problem& p, const double* v,  // n, of all ranks
                double* y) {                        // rows
  const int first = p.ranks.first(p.n), rows = p.ranks.rows(p.n);
  double part = 0;
  for (int i = 0; i < rows; ++i) part += v[first + i] * (y[i] = row_times(p, i, v));
  return part;
}

/// z += alpha d, r -= alpha q in the rank's rows. @return the rank's part of r . r
double advance(const Problem& p, double alpha) {
  double part = 0;
  for (int i = 0; i < p.ranks.rows(p.n); ++i) {
    p.z[i] += alpha * p.d[i];
    p.r[i] -= alpha * p.q[i];
    part += p.r[i] * p.r[i];
  }
  return part;
}

}  // namespace

/// 25 iterations, and the norm of what is left, by all ranks of MPI_COMM_WORLD.
/// @throws ladder::Error when an MPI call fails.
void gathered_pieces(const Problem& p) {
  const int rows = p.ranks.rows(p.n);
  const Pieces pieces(p);
  std::vector<double> all(p.n);  // a vector of all ranks
  double part = 0;
  for (int i = 0; i < rows; ++i) {
    p.z[i] = 0, p.r[i] = p.d[i] = p.x[i];
    part += p.x[i] * p.x[i];
  }
  double rho = add_up(part);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    // TASK, 6 lines: One iteration: q = A d, alpha, z and r, beta, d. What does a rank need of others, and
    //  when?
    ladder::task();  // Delete this line when you start.
    multiply(p, all.data(), p.q), advance(p, rho);
  }
  gather(pieces, p.z, rows, all.data());
  part = 0;
  for (int i = 0; i < rows; ++i) {
    const double difference = p.x[i] - row_times(p, i, all.data());
    part += difference * difference;
  }
  const double left = add_up(part);
  if (p.ranks.rank == 0) *p.norm = std::sqrt(left);
}

}  // namespace npb_cg
