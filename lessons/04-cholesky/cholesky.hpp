#pragma once
/// @file
/// Contract of lesson 04: A x = b for a sparse symmetric positive definite A, by Cholesky factorisation A = L L^T on
/// dense tiles. Source: work C, a hybrid factorisation with OpenMP threads and CUDA streams on one node.

#include <cstddef>
#include <iterator>

#include "common/lesson/lesson.hpp"

namespace cholesky {

/// Factorises A = L L^T in place, then solves L L^T x = b.
///
/// - The rows of A are already in a good order (given/ordering.hpp), grouped into tiles of s x s. Of the lower triangle
///   only the tiles that are not empty in L are stored, those that become non-zero on the way included: for any two
///   rows i >= j of a tile column there is the tile (i, j). Tiles of a column lie one behind the other, from the
///   diagonal tile down; tile t has row tile_row[t], and tile column k has the tiles column_start[k], …,
///   column_start[k + 1] - 1.
/// - A tile is dense and column-major: element (r, c) of tile t is L[t * s * s + c * s + r].
/// - Of a diagonal tile only the lower triangle belongs to A and L. What is above it is never read and may hold
///   anything after the call.
/// - The order has bordered block-diagonal form: tile columns part_start[q], …, part_start[q + 1] - 1 are part q. Parts
///   0, …, parts - 2 do not touch each other: no tile joins two of them. The last part is the border, which all may touch.
///   A part may be empty.
/// - Where a part does not fill its last tile, rows of the identity do; row_of is -1 there, b is 0. row_of[i] is the row
///   of the original matrix that became row i.
/// - info is 0, or 1 + the original row of a pivot that is not positive: A is not positive definite then, and L and x
///   hold anything. The step returns all the same, with nothing running and all memory freed.
/// - A GPU step allocates at most 1.1 times the bytes of L on the device, beside lists of 12 bytes a tile, 16 a row and
///   1 KiB; and no more than device_bytes when that is not 0; else than the device has free. Where that is too little it
///   throws before it starts, and says how many bytes are missing.
/// - n >= 1. All numbers are finite but for those above a diagonal, which may be NaN. If the factorisation itself leaves the range
///   of doubles, info, L and x hold anything.
struct Problem {
  int n = 0;                          ///< rows, the padding included: tile_columns * s
  int s = 0;                          ///< order of a tile, 1 to 1024
  int tile_columns = 0;               ///< >= 1
  int tiles = 0;                      ///< stored ones
  int parts = 0;                      ///< >= 1; the last one is the border
  std::size_t device_bytes = 0;       ///< that a GPU step may allocate; 0: what the device has free
  const int* column_start = nullptr;  ///< tile_columns + 1
  const int* tile_row = nullptr;      ///< tiles; ascending in a column, the diagonal tile first
  const int* part_start = nullptr;    ///< parts + 1; tile columns
  const int* row_of = nullptr;        ///< n; the original row, -1 for padding
  const double* b = nullptr;          ///< n
  double* L = nullptr;                ///< tiles x s x s; A's lower triangle, becomes L
  double* x = nullptr;                ///< n; the result
  int* info = nullptr;                ///< 1

  /// Shows each array to `visit(name, role, pointer, elements)`.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    using ladder::Role;
    visit("column_start", Role::in, column_start, std::size_t(tile_columns) + 1);
    visit("tile_row", Role::in, tile_row, std::size_t(tiles));
    visit("part_start", Role::in, part_start, std::size_t(parts) + 1);
    visit("row_of", Role::in, row_of, std::size_t(n));
    visit("b", Role::in, b, std::size_t(n));
    visit("L", Role::inout, L, std::size_t(tiles) * s * s);
    visit("x", Role::out, x, std::size_t(n));
    visit("info", Role::out, info, std::size_t(1));
  }
};

/// What every step of this lesson is.
using Function = void(const Problem&);

/// @name Necessary amounts
/// What the algorithm of a rung has to copy, keep or launch. README.md derives them. m(k): tiles of column k below its
/// diagonal.
/// @{

/// All tiles.
constexpr double tile_bytes(const Problem& p, int) {
  return 8.0 * p.tiles * p.s * p.s;
}

/// One tile.
constexpr double one_tile_bytes(const Problem& p, int) {
  return 8.0 * p.s * p.s;
}

/// The tiles below the diagonal, there and back.
constexpr double solved_bytes(const Problem& p, int) {
  return 2 * 8.0 * (p.tiles - p.tile_columns) * p.s * p.s;
}

/// Solves and updates of a column with m tiles below its diagonal tile.
constexpr double column_calls(double m) {
  return m + m * (m + 1) / 2;
}

/// Operations of these calls, in s^3: one for a solve and for an update on the diagonal, two for another update.
constexpr double column_operations(double m) {
  return m + m * m;
}

/// Tiles that g1 copies for them.
constexpr double column_copies(double m) {
  return 6 * m + 2 * m * (m - 1);
}

/// g1: 3 tiles for a solve and for an update of a diagonal tile, 4 for another update.
constexpr double copied_bytes(const Problem& p, int) {
  double tiles = 0;
  for (int k = 0; k < p.tile_columns; ++k) {
    const double m = p.column_start[k + 1] - p.column_start[k] - 1;
    tiles += column_copies(m);
  }
  return 8.0 * p.s * p.s * tiles;
}

/// g2: each tile up and down once, a factor that solves up once more.
constexpr double resident_bytes(const Problem& p, int) {
  double factors = 0;
  for (int k = 0; k < p.tile_columns; ++k) factors += p.column_start[k + 1] - p.column_start[k] > 1;
  return 8.0 * p.s * p.s * (2.0 * p.tiles + factors);
}

/// g6: one launch solves a column, and one updates a run of tiles that lie one after the other in both columns; then
/// the launches that solve with L.
double few_launches(const Problem& p, int);

/// g7: of each level one launch for all solves and as many for updates as one tile has there; then one for the level's
/// diagonal tiles and one for its others, forward and back.
double batched_launches(const Problem& p, int);
/// @}

/// The ladder. Bounds are ratios to the necessary amount.
inline constexpr ladder::Step steps[] = {
    {.file = "c1_openmp.cpp",
     .idea = "Blocks do not touch: each thread eliminates its own. The border's columns are tasks, which "
             "begin when what they read is finished.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 3,
     .time = {.peer = "baseline", .ratio = 1.15, .size = 10000},
     .target_points = 0,
     .time_points = 4,
     .hints =
         {"part_start says where blocks begin, and nothing joins two of them: what of the baseline's loops "
          "may threads do at the same time, and where do two blocks change the same tile?",
          "A loop over the blocks with schedule(dynamic), a mutex for each column of the border; then one "
          "thread walks through the border and makes tasks: depend(in: …) and depend(inout: …) with the "
          "first elements of diagonal tiles say which column must wait for which."}},
    {.file = "g1_one_stream.cu",
     .idea = "cuBLAS solves and updates tiles on the GPU: each call gets its tiles copied; the processor "
             "factorises "
             "diagonal tiles.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 3,
     .targets = {{.metric = "bytes",
                  .relation = "<=",
                  .bound = 1.05,
                  .necessary =
                      "8 s^2 (sum over k of 6 m(k) + 2 m(k) (m(k) - 1)) bytes: 3 tiles a solve and a "
                      "diagonal update, 4 another update",
                  .amount = ladder::amount<copied_bytes>,
                  .size = 500,
                  .floor = ladder::amount<solved_bytes>,
                  .proof = "the tiles below the diagonal are solved on the device: they go there and come "
                           "back",
                  .own_cost =
                      "each call gets its tiles copied; tiles that stay on the device are copied less "
                      "often"},
                 {.metric = "findings",
                  .relation = "<=",
                  .bound = 0,
                  .necessary = "none",
                  .amount = ladder::as_it_is,
                  .size = 150}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1000},
     .no_model = "CPU and GPU share the work",
     .hints = {"bytes counts copies both ways. Write down for each call the tiles that it reads and the one "
               "that it "
               "changes: is any other tile copied, or one of them twice?",
               "An update of a diagonal tile multiplies a tile with itself: one copy of it is enough, and "
               "cublasDsyrk "
               "needs no second one."}},
    {.file = "g2_resident_tiles.cu",
     .idea = "All tiles stay on the device; only diagonal tiles go to the processor and back.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 2,
     .targets = {{.metric = "bytes",
                  .relation = "<=",
                  .bound = 1.05,
                  .necessary =
                      "8 s^2 (2 tiles + columns with a tile below the diagonal) bytes: each tile up and down "
                      "once, a factor up once more",
                  .amount = ladder::amount<resident_bytes>,
                  .size = 1000,
                  .floor = ladder::amount<solved_bytes>,
                  .proof = "the tiles below the diagonal are solved on the device: they go there and come "
                           "back",
                  .own_cost = "each tile goes there and back once, and the factors once more; a device that "
                              "factorises diagonal tiles copies less"},
                 {.metric = "peak_device_bytes",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "8 s^2 tiles bytes",
                  .amount = ladder::amount<tile_bytes>,
                  .size = 1000,
                  .floor = ladder::amount<one_tile_bytes>,
                  .proof = "a call works on a tile that is on the device",
                  .own_cost = "all tiles are there at once; a program that keeps a part of them needs less"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1000},
     .no_model = "CPU and GPU share the work",
     .hints = {"How often does one tile cross the link in g1? How often must it, when the device keeps it?",
               "Tiles lie one behind the other on the host: one copy can bring them all. The host factorises "
               "diagonal "
               "tiles: which of them need not come back at the end?"}},
    {.file = "g3_many_streams.cu",
     .idea = "Each tile has a stream, and each call waits for the tiles that it reads, by their events: for "
             "nothing "
             "else.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 4,
     .targets = {{.metric = "chain",
                  .relation = "<=",
                  .bound = 0.3,
                  .necessary = "1: every copy and call waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 500},
                 {.metric = "findings",
                  .relation = "<=",
                  .bound = 0,
                  .necessary = "none",
                  .amount = ladder::as_it_is,
                  .size = 150}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1000},
     .no_model = "CPU and GPU share the work",
     .hints =
         {"chain is the longest path of copies, calls and work on the host that wait for each other, over "
          "the sum "
          "of all. Which calls have no tile in common, and what makes them wait for each other all the same?",
          "An event says that a tile is finished. A solve waits for the diagonal tile; an update for two "
          "solved "
          "tiles, and its own stream keeps it behind the other updates of its tile. The host waits for one "
          "stream."}},
    {.file = "g4_pinned_copies.cu",
     .idea = "Tiles go through pinned memory, each when it is needed and when it is finished: copies both "
             "ways run beside the calls.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 3,
     .targets = {{.metric = "pageable_bytes",
                  .relation = "<=",
                  .bound = 0,
                  .necessary = "none",
                  .amount = ladder::as_it_is,
                  .size = 500},
                 {.metric = "chain",
                  .relation = "<=",
                  .bound = 0.4,
                  .necessary = "1: every copy and call waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 500}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1000},
     .no_model = "CPU and GPU share the work",
     .hints = {"Which copies of g3 make the host wait, and for what? Which of them does anybody need so "
               "early, or so late?",
               "cudaMemcpyAsync runs beside the host only between the device and pinned memory. A slot may "
               "be filled again when its last copy is done: its event says so. The stream of a tile waits "
               "for its copy."}},
    {.file = "g5_tasks.cu",
     .idea = "c1's blocks and border as tasks: while one thread factorises a diagonal tile, the others keep "
             "the GPU busy.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 5,
     .targets = {{.metric = "chain",
                  .relation = "<=",
                  .bound = 0.4,
                  .necessary = "1: every copy and call waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 500}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1000},
     .no_model = "CPU and GPU share the work",
     .hints = {"What does a call of g4 wait for besides the tiles that it touches? Look at who issues it, "
               "and at what that thread has waited for.",
               "What changes a unit comes into its stream in order, and needs no event; another unit's "
               "stream waits for finished, once per task. The one thing that a thread itself waits for is "
               "what it reads on the host."}},
    {.file = "g6_few_calls.cu",
     .was = "g4_hybrid",
     .idea = "A call is for as many tiles as it can take: one launch solves a column, a strided batch "
             "updates a run of tiles.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 4,
     .targets = {{.metric = "launches",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary =
                      "for each column one to solve it, one for each run of tiles in each column that it "
                      "changes, and four for each level to solve with L (two for a level without updates)",
                  .amount = ladder::amount<few_launches>,
                  .size = 500,
                  .floor = ladder::as_it_is,
                  .proof = "without a launch nothing runs on the device",
                  .own_cost = "a launch for each run of tiles; kernels that update more at once need fewer"},
                 {.metric = "pageable_bytes",
                  .relation = "<=",
                  .bound = 0,
                  .necessary = "none",
                  .amount = ladder::as_it_is,
                  .size = 500}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1000},
     .no_model = "CPU and GPU share the work",
     .hints = {"How many calls does one column take in g5, and which of them read the same tile?",
               "Tiles of a column lie one after the other. Where the rows of column k are the next rows of "
               "column j, too, a stride of one tile leads from each product to the next; b is the same for "
               "all: its stride is 0."}},
    {.file = "g7_batched.cu",
     .was = "g5_batched",
     .idea = "Columns that do not touch make a level: all of its solves are one launch, its updates a few.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 4,
     .targets = {{.metric = "launches",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary =
                      "for each level one for its solves, as many as one tile has updates there, and four to "
                      "solve with L (two for a level without updates)",
                  .amount = ladder::amount<batched_launches>,
                  .size = 1000,
                  .floor = ladder::as_it_is,
                  .proof = "without a launch nothing runs on the device",
                  .own_cost = "batches by level; kernels that update more at once need fewer"},
                 {.metric = "peak_device_bytes",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "8 s^2 tiles bytes",
                  .amount = ladder::amount<tile_bytes>,
                  .size = 1000,
                  .floor = ladder::amount<one_tile_bytes>,
                  .proof = "a call works on a tile that is on the device",
                  .own_cost = "all tiles are there at once; a program that keeps a part of them needs less"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 1000},
     .no_model = "CPU and GPU share the work",
     .hints = {"launches counts the host's calls that start work. Which solves of a level may run at the "
               "same time? Which "
               "updates may not?",
               "Two updates of one tile must not be in one batch. Count the updates of each tile: the n-th "
               "one of a tile "
               "goes to the n-th batch."}},
};

/// The lesson's table.
inline constexpr ladder::Lesson lesson{"04-cholesky",    "Sparse Cholesky factorisation on tiles",
                                       "work C (paper)", steps,
                                       std::size(steps), {20'000, 0, 10'000}};

}  // namespace cholesky
