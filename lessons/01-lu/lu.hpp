#pragma once
/// @file
/// Contract of lesson 01: PA = LU in double precision, with partial pivoting.
/// Source: work A, where the same factorisation is computed sequentially and with OpenCL in two ways.

#include <cstddef>
#include <iterator>

#include "common/lesson/lesson.hpp"

namespace lu {

/// Factorises A so that PA = LU, row by row in place, as LAPACK's dgetrf does it for column-major matrices.
///
/// - Row-major: element (r, c) of A is A[r * n + c].
/// - L is unit lower triangular. Its ones are not stored: A holds L below the diagonal and U on and above it.
/// - Step i swaps rows i and pivot[i] >= i, over their whole width. The pivot is the entry of largest
///   absolute value in column i, at or below the diagonal; of equal ones the first.
/// - A column whose pivot is exactly zero is left as it is, with zeros in L. info names the first such
///   column, counted from 1, and the factorisation goes on.
/// - n may be 0 (nothing but info is written) and 1. n <= 46,340: an index into A fits an int.
/// - A holds finite numbers.
struct Problem {
  int n = 0;             ///< rows and columns of A
  double* A = nullptr;   ///< n x n; A on entry, L and U on return
  int* pivot = nullptr;  ///< n; pivot[i] is the row, from 0, that was swapped with row i
  int* info = nullptr;   ///< 1; 0, or i + 1 for the first i with U[i][i] exactly zero

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("A", ladder::Role::inout, A, std::size_t(n) * n);
    visit("pivot", ladder::Role::out, pivot, std::size_t(n));
    visit("info", ladder::Role::out, info, std::size_t(1));
  }
};

/// What no step can do without: the updates of the elimination, and A once, read and written.
constexpr ladder::Work work(const Problem& p) {
  const double n = p.n;
  return {.fp64 = 2 * n * n * n / 3, .bytes = 16 * n * n, .formula = "2/3 n^3 FP64 operations, 16 n^2 bytes"};
}

/// What every step of this lesson is.
using Function = void(const Problem&);

/// What a rung of this lesson is asked for.
struct Asks {
  bool device_pivot = false;  ///< the device searches for the pivot: columns may be longer than a work-group
};

/// @name Necessary amounts
/// What the algorithm of a rung has to move, launch or compute for a matrix of order n. README.md derives
/// them.
/// @{

/// Algorithm 2: A, L and U go to the device before each of two kernels and come back after it, n times.
constexpr double algorithm2_bytes(const Problem& p, int) {
  const double n = p.n;
  return n * 2 * 2 * 3 * 8 * n * n;
}

/// Algorithm 3: a column, A and the pivot row go to the device, the factors and the new A come back, n - 1
/// times: in the last column there is nothing to eliminate.
constexpr double algorithm3_bytes(const Problem& p, int) {
  const double n = p.n;
  return n < 1 ? 0 : (n - 1) * 8 * (2 * n * n + 3 * n);
}

/// Kept on the device: A goes there once and comes back once.
constexpr double resident_bytes(const Problem& p, int) {
  const double n = p.n;
  return 2 * 8 * n * n;
}

/// Factors to compute and elements to update: m + m^2 in each step, where m rows are below the pivot's.
constexpr double updates(const Problem& p, int) {
  const double n = p.n;
  return (n - 1) * n / 2 + (n - 1) * n * (2 * n - 1) / 6;
}

/// Row access: in each step what is left of A, m rows of m elements, is loaded and stored in whole sectors of
/// four doubles, and so is the column of the pivot, a sector an element: m^2/2 + 2 m.
constexpr double row_sectors(const Problem& p, int) {
  const double n = p.n;
  return (n - 1) * n * (2 * n - 1) / 12 + (n - 1) * n;
}

/// Columns of a panel: these many are eliminated before the rest of A changes.
constexpr int panel_columns = 32;

/// Blocked: for each panel of panel_columns, what is left of A, m rows of m elements, is loaded and stored once,
/// and the two strips beside it, panel_columns wide, are loaded once: m^2/2 + 16 m sectors.
constexpr double blocked_sectors(const Problem& p, int) {
  double sectors = 0;
  for (double m = p.n - panel_columns; m > 0; m -= panel_columns)
    sectors += m * m / 2 + panel_columns * m / 2;
  return sectors;
}
/// @}

/// The ladder. Bounds are ratios to the necessary amount.
inline constexpr ladder::Step steps[] = {
    {.file = "c1_openmp.cpp",
     .idea = "The rows below a pivot do not need each other: share them among the threads.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 0.5,
     .targets = {{.metric = "balance",
                  .relation = "<=",
                  .bound = 1.2,
                  .necessary = "1: every thread of the team computes for the same time",
                  .amount = ladder::as_it_is,
                  .size = 768}},
     .time = {.peer = "baseline", .ratio = 1.15, .size = 1024},
     .time_points = 2,
     .hints = {"balance is the computing time of the busiest thread over the mean of all. Which of the loops "
               "has passes that do not need each other's results, and what must happen once?",
               "One team for all steps. A thread that chooses the pivot needs all rows of the step before, "
               "and the others need its choice: two meetings a step."}},
    {.file = "g1_naive.cpp",
     .idea = "Two kernels a step of the elimination; all matrices go to the device and back for each.",
     .kind = ladder::Kind::demonstration,
     .data = ladder::Data::host,
     .hours = 1,
     .targets = {{.metric = "bytes",
                  .relation = ">=",
                  .bound = 1.0,
                  .necessary = "96 n^3 bytes",
                  .amount = ladder::amount<algorithm2_bytes>,
                  .size = 64}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .hints = {"Nothing to write here: predict the bytes before you run it.",
               "Three matrices, two ways, two kernels, n steps."}},
    {.file = "g2_branch_removal.cpp",
     .idea = "Every work-item computes; the host keeps only what this step of the elimination owns.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 2,
     .targets = {{.metric = "branches",
                  .relation = "<=",
                  .bound = 0.1,
                  .necessary = "n (n - 1)/2 + n (n - 1)(2 n - 1)/6 updates",
                  .amount = ladder::amount<updates>,
                  .size = 32}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .hints =
         {"branches counts the branch instructions that work-items execute. Which statements of the two "
          "kernels "
          "make one?",
          "A work-item whose result nobody wants does no harm if it writes where nobody reads: to a buffer "
          "that is not A, L or U."}},
    {.file = "g3_reduced_transfers.cpp",
     .idea = "A kernel gets the column and the row that it reads instead of whole matrices.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 2,
     .targets = {{.metric = "bytes",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "(n - 1)(16 n^2 + 24 n) bytes",
                  .amount = ladder::amount<algorithm3_bytes>,
                  .size = 64}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .hints = {"bytes counts both ways. Which elements of A, L and U does each of the two kernels read?",
               "compute_factors reads one column. update_matrix reads A, one column of L and one row of U. "
               "What the "
               "host has already need not come back."}},
    {.file = "g4_on_device.cpp",
     .idea = "A stays on the device from the first pivot to the last; only the pivot's column is read.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 3,
     .targets = {{.metric = "bytes",
                  .relation = "<=",
                  .bound = 1.4,
                  .necessary = "16 n^2 bytes",
                  .amount = ladder::amount<resident_bytes>,
                  .size = 64}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .hints =
         {"bytes counts both ways. What does the host need to know to choose the pivot of step i?",
          "The part of column i at and below the diagonal: n - i numbers, n apart in memory. One call of "
          "OpenCL copies a rectangle, and a column is one."}},
    {.file = "g5_trailing_range.cpp",
     .idea = "Launch work-items for the rows and columns that are left, and for no others.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 1,
     .targets = {{.metric = "work_items",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "n (n - 1)/2 + n (n - 1)(2 n - 1)/6 work-items",
                  .amount = ladder::amount<updates>,
                  .size = 512}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .hints =
         {"work_items counts what all launches together start. How many rows and columns does step i change?",
          "clEnqueueNDRangeKernel takes the first global index as well as the number of work-items: see "
          "global_work_offset."}},
    {.file = "g6_row_access.cpp",
     .idea =
         "Neighbours take a row from a sector's first element on, and keep the pivot's row for eight rows.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 2,
     .targets = {{.metric = "sectors",
                  .relation = "<=",
                  .bound = 1.5,
                  .necessary = "n (n - 1)(2 n - 1)/12 + n (n - 1) sectors",
                  .amount = ladder::amount<row_sectors>,
                  .size = 64}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .hints =
         {"sectors counts the pieces of 32 bytes that groups of 32 neighbouring work-items ask for. Which "
          "elements does such a group touch when its range begins at i + 1, and which when the runtime "
          "made it one work-item wide?",
          "Element c of the pivot's row is the same for all rows. A work-item that changes several rows "
          "of one column loads it once."}},
    {.file = "g7_device_pivot.cpp",
     .idea = "The device searches the column for the pivot; the host gives all orders and waits once.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 3,
     .targets = {{.metric = "waits",
                  .relation = "<=",
                  .bound = 4,
                  .necessary = "1 wait: for the result",
                  .amount = ladder::as_it_is,
                  .size = 64}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .asks = ladder::asks<Asks{.device_pivot = true}>,
     .hints = {"waits counts the calls that return when the device is done: clFinish, and copies with "
               "CL_TRUE. What does the host read in each step, and who needs it?",
               "One work-group: each work-item keeps the largest of the rows it looks at, then half of them "
               "compare with the other half, until one is left. Of two equal ones take the lower row."}},
    {.file = "g8_blocked.cpp",
     .idea = "Eliminate 32 columns alone, then change the rest of A once, by a product of two strips.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 6,
     .targets = {{.metric = "sweeps:update_trailing",
                  .relation = "<=",
                  .bound = 1.3,
                  .necessary = "m^2/2 + 16 m sectors a panel of 32 columns, m = n - 32, n - 64, ...",
                  .amount = ladder::amount<blocked_sectors>,
                  .size = 128}},
     .time = {.peer = "baseline", .ratio = 1, .size = 512},
     .asks = ladder::asks<Asks{.device_pivot = true}>,
     .time_points = 2,
     .hints = {"sweeps counts the sectors that update_trailing asks for. How often does it load and store an "
               "element of A for the 32 columns of a panel, and how many elements does a work-group need of "
               "the two strips?",
               "64 rows of L21 and 64 columns of U12, 32 deep: 32 KB in local memory, each element loaded "
               "once for 64 x 64 elements of A. The sums stay in registers; A is touched at the end."}},
    {.file = "g9_hybrid.cpp",
     .idea = "The processor eliminates the next panel while the device updates the rest.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 5,
     .targets = {{.metric = "chain",
                  .relation = "<=",
                  .bound = 0.95,
                  .necessary = "1: every operation waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 256}},
     .time = {.peer = "baseline", .ratio = 1, .size = 512},
     .no_model = "CPU and GPU share the work",
     .asks = ladder::asks<Asks{.device_pivot = true}>,
     .time_points = 2,
     .hints =
         {"chain is the longest path of copies, kernels and panels that wait for each other, over the sum "
          "of all. What does the host need before it can begin with the next panel, and what not?",
          "The next panel's 32 columns. Change them first, send them on their way, and order the rest "
          "before the host waits for their arrival."}},
};

/// The lesson's table.
inline constexpr ladder::Lesson lesson{"01-lu",
                                       "LU factorisation with partial pivoting",
                                       "work A (LU in OpenCL)",
                                       steps,
                                       std::size(steps),
                                       {1024, 4096, 512}};

}  // namespace lu
