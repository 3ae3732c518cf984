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
/// - A holds finite numbers. If the elimination itself leaves their range, pivot, info and A may hold anything.
/// - Resident steps (field `data` of the row): CUDA's get pointers to device memory. OpenCL's get handles of buffers in place
///   of pointers, `ladder::cl::memory(A)`, and enqueue their work in `ladder::cl::queue()`, which the caller waits for. A pointer
///   is aligned as its element is: A may begin at an odd multiple of 8 bytes.
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
  int searchers = 0;  ///< work-items that search a column together: it is tried on longer columns, too
  int block =
      0;  ///< columns that are eliminated before the others change: it is tried on several blocks, too
  bool ahead = false;  ///< a block is eliminated while others change: it is watched on three blocks
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

/// What changes on the device, there and back: all that is right of and below the first pivot.
constexpr double changed_bytes(const Problem& p, int) {
  const double n = p.n;
  return n < 1 ? 0 : 2 * 8 * (n - 1) * (n - 1);
}

/// The same in sectors of four doubles.
constexpr double changed_sectors(const Problem& p, int ranks) {
  return changed_bytes(p, ranks) / 32;
}

/// Factors to compute and elements to update: m + m^2 in each step, where m rows are below the pivot's.
constexpr double updates(const Problem& p, int) {
  const double n = p.n;
  return (n - 1) * n / 2 + (n - 1) * n * (2 * n - 1) / 6;
}

/// Row access: in each step what is left of A, m rows of m elements, is loaded and stored in whole sectors of
/// four doubles. The column of the pivot is searched, loaded and stored, one sector per element: m^2/2 + 3 m.
constexpr double row_sectors(const Problem& p, int) {
  const double n = p.n;
  return (n - 1) * n * (2 * n - 1) / 12 + 3 * (n - 1) * n / 2;
}

/// Columns of a panel: this many are eliminated before the rest of A changes.
constexpr int panel_columns = 32;

/// Panels: three launches for each, and no update after the last.
constexpr double panel_launches(const Problem& p, int) {
  return 3 * ((p.n + panel_columns - 1) / panel_columns) - 1;
}

/// Blocked: for each panel of panel_columns, what is left of A, m rows of m elements, is loaded and stored once,
/// and the two strips next to it, panel_columns wide, are loaded once: m^2/2 + 16 m sectors.
constexpr double blocked_sectors(const Problem& p, int) {
  double sectors = 0;
  for (double m = p.n - panel_columns; m > 0; m -= panel_columns)
    sectors += m * m / 2 + panel_columns * m / 2;
  return sectors;
}

/// Columns of a block of panels: the rest of A changes once for all of them.
constexpr int wide_columns = 128;

/// Sectors of the updates of a matrix of order n that is blocked twice: after each panel the rest of its block changes, after
/// each block all that is left. Tiles of rows x columns load and store their elements, and their parts of two strips.
constexpr double two_level_sectors(int n, int block, int rows, int columns) {
  const auto update = [&](int down, int across, int depth) {
    const int tiles_down = (down + rows - 1) / rows, tiles_across = (across + columns - 1) / columns;
    return down * double(across) / 2 +
           depth / 4. * (down * double(tiles_across) + across * double(tiles_down));
  };
  double sectors = 0;
  for (int begin = 0; begin < n; begin += block) {
    const int end = begin + block < n ? begin + block : n;
    for (int next = begin + panel_columns; next < end; next += panel_columns)
      sectors += update(n - next, end - next, panel_columns);
    if (end < n) sectors += update(n - end, n - end, block);
  }
  return sectors;
}

/// The same if each update loads its two strips once.
constexpr double least_two_level_sectors(const Problem& p, int) {
  return two_level_sectors(p.n, wide_columns, p.n, p.n);
}

/// Multiplications with an addition in the updates after the panels: panel_columns for each element that is left.
constexpr double update_fmas(const Problem& p, int) {
  double fmas = 0;
  for (double m = p.n - panel_columns; m > 0; m -= panel_columns) fmas += panel_columns * m * m;
  return fmas;
}

/// t2: for each panel of 32 columns the panel, the exchange of rows and a product, but after the last; and after each second
/// one a solution for the rows of U of several panels. n is a multiple of 32, at most 256.
constexpr double resident_launches(const Problem& p, int) {
  const int panels = p.n / 32;
  return 3 * panels - 1 + (panels - 1) / 2;
}
/// @}

/// @name What the page predicts
/// Amounts of rungs that are not bounds. n is the order of the matrix.
/// @{

/// The sum of m^2 over all steps, m = n - 1, n - 2, ..., 0: the elements that change.
constexpr double changed(double n) {
  return (n - 1) * n * (2 * n - 1) / 6;
}

/// Share of one thread's work, 3 n operations for search and swap, in a step that leaves m rows.
constexpr double serial_share(double n, double m, double threads) {
  return 3 * n / (3 * n + 2 * m * m / threads);
}

/// The same over all steps.
constexpr double serial_share(double n, double threads) {
  return 3 * n * n / (3 * n * n + 2 * changed(n) / threads);
}

/// Share of the operations in the panels of @p columns columns: m rows each, m = n, n - columns, ...
constexpr double panel_share(int n, int columns) {
  double operations = 0;
  for (int m = n; m > 0; m -= columns) {
    const double b = m < columns ? m : columns;
    operations += m * b * b - b * b * b / 3;
  }
  return operations / work(Problem{.n = n}).fp64;
}

/// How many times as fast several threads are as one, if a share of the work is one thread's alone.
constexpr double speedup(double share, double threads) {
  return 1 / (share + (1 - share) / threads);
}

/// Tasks of c2: each panel changes every block of columns on its right.
constexpr double block_tasks(int n, int columns) {
  const double blocks = (n + columns - 1) / columns;
  return blocks * (blocks - 1) / 2;
}

/// Branches of algorithm 2: three conditions per row and one per element, in each of n steps, and the bodies.
constexpr double algorithm2_branches(double n) {
  return 2 * n * n + n * n * n + n * n + changed(n);
}

/// Bytes of algorithm 3 as the source states it: n + n numbers and n^2 + 2 n + n^2, in each of n steps.
constexpr double source_bytes(double n) {
  return n * 8 * (2 * n * n + 4 * n);
}

/// A both ways, and from each column what is at and below the diagonal.
constexpr double on_device_bytes(double n) {
  return 2 * 8 * n * n + 8 * n * (n + 1) / 2;
}

/// Host synchronisations while the host chooses the pivots: A there, the columns, A back.
constexpr double host_pivot_waits(double n) {
  return n + 2;
}

/// Work-items without a trailing range: those of find_pivot, and n, n and n^2 in each step.
constexpr double whole_range_items(double n) {
  return n * (256 + 2 * n + n * n);
}

/// Sectors of the update with a load of the pivot's row for every `rows` rows: A twice, row, and one per 32 for a factor.
constexpr double update_sectors(double n, double rows) {
  return changed(n) * (2.0 / 4 + 1 / (4 * rows) + 1.0 / 32);
}

/// Launches of one step after another: four per step, two in the last.
constexpr double step_launches(double n) {
  return 4 * n - 2;
}

/// Sectors of the update after the panels in tiles of rows x columns: A twice, a row of L21 for each tile that it is in,
/// and the strip of U12 of each tile. n is a multiple of 32.
constexpr double tiled_sectors(int n, int rows, int columns) {
  double sectors = 0;
  for (int m = n - panel_columns; m > 0; m -= panel_columns) {
    const int across = (m + columns - 1) / columns, down = (m + rows - 1) / rows;
    sectors += m * m / 2 + panel_columns / 4 * m * (across + down);
  }
  return sectors;
}

/// The same without local memory. For each of 32 pivots a warp loads 32 elements of U12 and eight factors, a sector each, for
/// 8 x 32 elements.
constexpr double untiled_sectors(double n) {
  double sectors = 0;
  for (double m = n - panel_columns; m > 0; m -= panel_columns)
    sectors += m * m * (2.0 / 4 + panel_columns * (8 + 8) / 256.0);
  return sectors;
}

/// Wavefronts per multiply-add of 32 work-items that hold rows x columns sums each: a factor is one, 32 doubles are two.
constexpr double tile_wavefronts(double rows, double columns) {
  return (rows + 2 * columns) / (32 * rows * columns);
}

/// Launches with look-ahead: a panel each, two for the next panel's columns, one for the swaps on the left of each but the
/// first, and two on its right while there is something.
constexpr double look_ahead_launches(double n) {
  const double panels = n / panel_columns;
  return panels + 2 * (panels - 1) + (panels - 1) + 2 * (panels - 2);
}

/// Of these, the launches that the last panel waits for.
constexpr double critical_launches(double n) {
  const double panels = n / panel_columns;
  return panels + 2 * (panels - 1);
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
    {.file = "c2_tasks.cpp",
     .idea = "96 columns are eliminated before the others change, once, by products; tasks say what waits "
             "for what.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 5,
     .time = {.peer = "OpenBLAS", .ratio = 0.5, .size = 1024},
     .asks = ladder::asks<Asks{.block = 96}>,
     .target_points = 0,
     .time_points = 4,
     .hints =
         {"Which tasks can begin when panel k is factored? What does the next panel need of them, and what "
          "does it overwrite?",
          "Only its own block of columns. So one task updates that block and factors it at once, and is made "
          "before the others. It writes the memory that panel k - 1 was in: out, where that panel's readers "
          "said in."}},
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
                  .size = 64,
                  .floor = ladder::amount<changed_bytes>,
                  .proof = "what is right of and below the first pivot changes on the device: it goes "
                           "there and comes back",
                  .own_cost = "in each step A goes there and back whole; a program that copies what is left "
                              "of it, or keeps it on the device, needs less"}},
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
                  .size = 64,
                  .floor = ladder::amount<changed_bytes>,
                  .proof = "what is right of and below the first pivot changes on the device: it goes "
                           "there and comes back",
                  .own_cost = "A goes there and comes back whole; its first row changes no element"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .hints =
         {"bytes counts both ways. What does the host need to know to choose the pivot of step i?",
          "The part of column i at and below the diagonal: n - i numbers, n apart in memory. One call of "
          "OpenCL copies a rectangle, and a column is one."}},
    {.file = "g5_device_pivot.cpp",
     .idea = "The device searches the column for the pivot; the host enqueues everything and waits once.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 3,
     .targets = {{.metric = "waits",
                  .relation = "<=",
                  .bound = 4,
                  .necessary = "1 wait: for the result",
                  .amount = ladder::as_it_is,
                  .size = 64,
                  .floor = ladder::as_it_is,
                  .proof = "the host cannot return a result that it has not waited for"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .asks = ladder::asks<Asks{.searchers = 256}>,
     .hints = {"waits counts the calls that return when the device is done: clFinish, and copies with "
               "CL_TRUE. What does the host read in each step, and who needs it?",
               "One work-group: each work-item keeps the largest of the rows it looks at, then half of them "
               "compare with the other half, until one is left. Of two equal ones take the lower row."}},
    {.file = "g6_trailing_range.cpp",
     .idea = "Launch work-items for the rows and columns that are left, and for no others.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 1,
     .targets =
         {{.metric = "work_items",
           .relation = "<=",
           .bound = 1.1,
           .necessary = "n (n - 1)/2 + n (n - 1)(2 n - 1)/6 work-items",
           .amount = ladder::amount<updates>,
           .size = 512,
           .floor = ladder::as_it_is,
           .proof = "without a work-item nothing runs on the device",
           .own_cost = "a work-item for each factor and each element; work-items that take several are "
                       "fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .asks = ladder::asks<Asks{.searchers = 256}>,
     .hints =
         {"work_items counts what all launches together start. How many rows and columns does step i change?",
          "clEnqueueNDRangeKernel takes the first global index as well as the number of work-items: see "
          "global_work_offset."}},
    {.file = "g7_row_access.cpp",
     .was = "g7_device_pivot",
     .idea =
         "Neighbours load a row from a sector's first element on, and keep the pivot's row for eight rows.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 2,
     .targets = {{.metric = "sectors",
                  .relation = "<=",
                  .bound = 1.5,
                  .necessary = "n (n - 1)(2 n - 1)/12 + 3 n (n - 1)/2 sectors",
                  .amount = ladder::amount<row_sectors>,
                  .size = 64,
                  .floor = ladder::amount<changed_sectors>,
                  .proof = "each element right of and below the first pivot is loaded and stored at least "
                           "once",
                  .own_cost = "what is left of A is loaded and stored once for each pivot; several pivots at "
                              "a time need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .asks = ladder::asks<Asks{.searchers = 256}>,
     .hints =
         {"sectors counts the 32-byte pieces of memory that groups of 32 neighbouring work-items load or "
          "store. "
          "Which elements does such a group touch when its range begins at i + 1, and which when the runtime "
          "made it one work-item wide?",
          "Element c of the pivot's row is the same for all rows. A work-item that changes several rows "
          "of one column loads it once."}},
    {.file = "g8_local_panel.cpp",
     .idea =
         "One work-group eliminates 32 columns in one launch; the rest of A changes once for all of them.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 5,
     .targets = {{.metric = "launches",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "3 launches per panel of 32 columns, and no update after the last",
                  .amount = ladder::amount<panel_launches>,
                  .size = 128,
                  .floor = ladder::as_it_is,
                  .proof = "without a launch nothing runs on the device",
                  .own_cost = "three launches per panel; kernels that do more of it need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 512},
     .why_long = "a panel, the columns next to it and the update after it are right only together",
     .asks = ladder::asks<Asks{.searchers = 512}>,
     .hints =
         {"launches counts the calls of clEnqueueNDRangeKernel. Which of the four kernels of a step in g7 "
          "must see what work-items of another work-group have written?",
          "One work-group can wait for its own work-items: barrier. Row c of U is needed by all of them and "
          "stays in local memory; a row's factors are needed by one, which keeps to its rows."}},
    {.file = "g9_blocked_update.cpp",
     .idea = "A work-group loads the strips that its tile of the update needs into local memory, once.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 2,
     .targets = {{.metric = "sweeps:update_trailing",
                  .relation = "<=",
                  .bound = 1.5,
                  .necessary = "m^2/2 + 16 m sectors per panel of 32 columns, m = n - 32, n - 64, ...",
                  .amount = ladder::amount<blocked_sectors>,
                  .size = 128,
                  .own_cost = "one update for each panel of 32 columns; wider panels need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 512},
     .asks = ladder::asks<Asks{.searchers = 512}>,
     .hints =
         {"sweeps counts the sectors that update_trailing loads and stores. How many elements of L21 and U12 "
          "does a tile of 64 x 32 need, and how often does g8 load each of them for it?",
          "64 rows of L21 and 32 columns of U12, 32 deep: 24 KiB in local memory. Zeros outside of A let "
          "every work-item run the same loop."}},
    {.file = "g10_register_tile.cpp",
     .was = "g8_blocked",
     .idea = "Each work-item keeps 8 x 2 sums in registers: ten numbers read for sixteen multiply-adds.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 2,
     .targets = {{.metric = "wavefronts an fma:update_trailing",
                  .relation = "<=",
                  .bound = 0.04,
                  .necessary = "32 m^2 multiply-adds per panel of 32 columns, m = n - 32, n - 64, ...",
                  .amount = ladder::amount<update_fmas>,
                  .size = 160}},
     .time = {.peer = "baseline", .ratio = 0, .size = 512},
     .asks = ladder::asks<Asks{.searchers = 512}>,
     .hints =
         {"wavefronts counts the passes of local memory that 32 neighbouring work-items need for their "
          "reads and writes together. How many numbers does a work-item of g9 read for eight multiply-adds?",
          "Eight numbers of L and two of U give 16 products. Rows that are 8 apart and columns that are 32 "
          "apart keep neighbours next to each other."}},
    {.file = "g11_look_ahead.cpp",
     .idea = "The next panel's columns are updated first, and eliminated while the rest is still updated.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 3,
     .targets = {{.metric = "chain",
                  .relation = "<=",
                  .bound = 0.85,
                  .necessary = "1: every operation waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 256}},
     .time = {.peer = "baseline", .ratio = 0, .size = 512},
     .asks = ladder::asks<Asks{.searchers = 512}>,
     .hints = {"chain is the longest path of copies and kernels that wait for each other, over the sum of "
               "all. What "
               "does the next panel need before it can begin, and what not?",
               "The next panel's 32 columns. Enqueue their update and the panel in one queue, and everything "
               "else in "
               "the other. Each queue waits for the other once per panel."}},
    {.file = "g12_hybrid.cpp",
     .was = "g9_hybrid",
     .idea = "The CPU eliminates the next panel while the device updates the rest.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 3,
     .targets = {{.metric = "chain",
                  .relation = "<=",
                  .bound = 0.95,
                  .necessary = "1: every operation waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 256}},
     .time = {.peer = "baseline", .ratio = 0, .size = 512},
     .no_model = "CPU and GPU share the work",
     .asks = ladder::asks<Asks{.searchers = 256}>,
     .hints =
         {"chain is the longest path of copies, kernels and panels that wait for each other, over the sum "
          "of all. What must be enqueued before the host waits for the panel?",
          "A host that waits enqueues nothing. Copy the panel without waiting, enqueue the rest, and only "
          "then "
          "wait for the copy."}},
    {.file = "t1_tagged_messages.cpp",
     .idea = "Rows of a panel in the registers of many work-groups, which send each other messages; the rest "
             "changes once for 128 columns.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 6,
     .targets = {{.metric = "sweeps:update_trailing",
                  .relation = "<=",
                  .bound = 1.3,
                  .necessary = "each update loads and stores its elements, and loads its two strips, once",
                  .amount = ladder::amount<least_two_level_sectors>,
                  .size = 192,
                  .own_cost = "blocks of 128 columns; wider ones change what is left less often"}},
     .time = {.peer = "cuSOLVER", .ratio = 0.6, .size = 512},
     .asks = ladder::asks<Asks{.searchers = 512, .block = 128}>,
     .time_points = 2,
     .hints =
         {"sweeps counts the sectors that update_trailing loads and stores. A panel has 32 columns: which "
          "columns must change before the next panel, and which may wait for 128?",
          "The columns of the same block, 96 at most, change after each panel. All on its right change after "
          "the block, by one solution and one update that is 128 deep."}},
    {.file = "t2_resident_panel.cu",
     .idea = "The blocks of one cooperative kernel keep a panel in registers; rows keep their threads, and "
             "know their places.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 6,
     .targets =
         {{.metric = "launches",
           .relation = "<=",
           .bound = 1.1,
           .necessary =
               "3 launches per panel of 32 columns, but 2 for the last, and a solution after each second one",
           .amount = ladder::amount<resident_launches>,
           .size = 256,
           .floor = ladder::as_it_is,
           .proof = "without a launch nothing runs on the device",
           .own_cost = "a panel of 32 columns has three launches; wider panels, or kernels that do more of "
                       "it, need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .why_long =
         "t1 in CUDA: one kernel in place of messages, and the program's calls of OpenCL become CUDA's",
     .asks = ladder::asks<Asks{.searchers = 512, .block = 128}>,
     .hints = {"launches counts the launches of all kernels. What does a thread need to know of the other "
               "blocks' rows for "
               "one column, and what of its own row's place?",
               "Each block posts its largest element and that row. After one wait of the grid every block "
               "finds the same "
               "pivot row among the posts, and every thread the new place of its own row."}},
    {.file = "t3_cluster_panel.cu",
     .idea = "The blocks of a panel are a cluster: they write into each other's shared memory, and its "
             "barrier is "
             "hardware.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 4,
     .time = {.peer = "cuSOLVER", .ratio = 0.8, .size = 256},
     .why_long = "where there are no clusters the panel is t2's, by a cooperative launch",
     .asks = ladder::asks<Asks{.searchers = 512, .block = 128}>,
     .target_points = 0,
     .time_points = 2,
     .hints = {"The idea changes only the time. How many times does a block of t2 go to memory for one "
               "column, one after "
               "another, and which of these are left if the posts are in its own shared memory?",
               "The winner's warp has a lane for each element of the row, and one for each block: a store "
               "for each block, "
               "then one for the candidates of all. The barrier of the cluster makes them visible."}},
    {.file = "t4_look_ahead.cu",
     .idea = "The next block of columns is changed first, and factorised while all others are changed.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 5,
     .targets = {{.metric = "chain",
                  .relation = "<=",
                  .bound = 0.88,
                  .necessary = "1: every kernel waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 768}},
     .time = {.peer = "cuSOLVER", .ratio = 0.8, .size = 256},
     .asks = ladder::asks<Asks{.searchers = 512, .block = 128, .ahead = true}>,
     .time_points = 2,
     .hints =
         {"chain is the longest path of kernels that wait for each other, over the sum of all. Which columns "
          "does the next block need, and from whom?",
          "Two streams. The urgent one changes the next block's columns and factorises them. The other "
          "changes all on their right, after the block is factorised, and before the block after next."}},
    {.file = "t5_async_stores.cu",
     .idea = "Blocks of a panel store their candidates into each other's memory, and each store tells that "
             "it has arrived; meanwhile all rows change.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 6,
     .time = {.peer = "cuSOLVER", .ratio = 0.9, .size = 256},
     .why_long = "t4's look-ahead is given, and t3's panel is written anew: what a column does comes in "
                 "another order",
     .asks = ladder::asks<Asks{.searchers = 512, .block = 64, .ahead = true}>,
     .target_points = 0,
     .time_points = 2,
     .hints = {"The idea changes only the time. Which element of a row must have lost the pivot's before the "
               "next search, and what may be done while messages are on their way?",
               "Only the next column's element. The winner's row is the exception: it is sent, so each lane "
               "of its warp computes one element of it. All other elements follow after the stores and "
               "before the wait."}},
    {.file = "t6_two_queues.cpp",
     .idea =
         "A second queue changes what the next panels do not need, one piece while each panel is eliminated.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 4,
     .targets = {{.metric = "chain",
                  .relation = "<=",
                  .bound = 0.95,
                  .necessary = "1: every command waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 768}},
     .time = {.peer = "cuSOLVER", .ratio = 0.9, .size = 512},
     .asks = ladder::asks<Asks{.searchers = 128, .block = 64, .ahead = true}>,
     .time_points = 2,
     .hints =
         {"chain is the longest path of commands that wait for each other, over the sum of all. Which "
          "columns does the next block need, and which event says that they have lost what the block before "
          "subtracts?",
          "Mark the queue of the panels before each panel: the piece in the other queue waits for that. The "
          "first piece must be done before the panel's permutation reaches the next block's columns."}},
};

/// The lesson's table.
inline constexpr ladder::Lesson lesson{"01-lu",
                                       "LU factorisation with partial pivoting",
                                       "work A (LU in OpenCL)",
                                       steps,
                                       std::size(steps),
                                       {1024, 4096, 512}};

}  // namespace lu
