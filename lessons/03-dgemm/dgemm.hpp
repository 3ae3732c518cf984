#pragma once
/// @file
/// Contract of lesson 03: C = A B in double precision.
/// Source: work D (DEC107), where the same product is computed sequentially, with OpenMP, MPI and CUDA.

#include <cstddef>
#include <iterator>

#include "common/lesson/lesson.hpp"

namespace dgemm {

/// C = A B. Row-major: element (i, j) of C is C[i * ldc + j].
///
/// - Sizes may be zero. With k = 0 the sum is empty: C = 0.
/// - A leading dimension is at least the number of columns. What lies between them is neither read nor written.
/// - C holds anything on entry. NaN and infinity in A and B reach C as the formula says (0 * inf is NaN).
/// - m <= 2,097,120 in the g steps: a grid has at most 65,535 blocks in y, 32 rows each.
/// - Resident steps (field `data` of the row): A, B and C are pointers to device memory, aligned as their elements are: at multiples
///   of 8 bytes, not of 16.
/// - MPI steps: each rank calls the function and knows the scalars; A, B and C are on rank 0, null elsewhere.
struct Problem {
  int m = 0;                  ///< rows of A and C
  int n = 0;                  ///< columns of B and C
  int k = 0;                  ///< columns of A, rows of B
  int lda = 0;                ///< >= k
  int ldb = 0;                ///< >= n
  int ldc = 0;                ///< >= n
  const double* A = nullptr;  ///< m x k, lda
  const double* B = nullptr;  ///< k x n, ldb
  double* C = nullptr;        ///< m x n, ldc; the result

  /// g6 only: the bytes of device memory that it may have at once, at least 6 * 128 * 128 * 8; 0: what the device has.
  std::size_t device_bytes = 0;

  /// Shows each array to `visit(name, role, pointer, elements)`, the padding included.
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("A", ladder::Role::in, A, std::size_t(m) * lda);
    visit("B", ladder::Role::in, B, std::size_t(k) * ldb);
    visit("C", ladder::Role::out, C, std::size_t(m) * ldc);
  }
};

/// What no step can do without: every product, and A, B and C once.
constexpr ladder::Work work(const Problem& p) {
  const double m = p.m, n = p.n, k = p.k;
  return {.fp64 = 2 * m * n * k,
          .bytes = 8 * (m * k + k * n + m * n),
          .formula = "2 m n k FP64 operations, 8 (m k + k n + m n) bytes"};
}

/// What every step of this lesson is.
using Function = void(const Problem&);

/// What a rung of this lesson is asked for.
struct Asks {
  int block = 0;          ///< rows and columns of C that a block of threads computes; 0: it keeps no tile
  int depth = 0;          ///< terms of the sums that it loads into shared memory in one pass
  bool accurate = false;  ///< its median error is at most 1.1 times that of sums of doubles
  bool in_parts = false;  ///< matrices that the device cannot hold: it gets little device memory too
  bool shares = false;    ///< several blocks share a tile: C has fewer tiles than the device holds blocks
};

/// @name Necessary amounts
/// What the algorithm of a rung has to move or execute. README.md derives them.
/// @{

/// Rank 0 sends the others their rows of A, and B, and gets their rows of C.
constexpr double sent_bytes(const Problem& p, int ranks) {
  const double away = p.m - (p.m + ranks - 1) / ranks;  // rows that are not rank 0's
  return 8 * (away * (double(p.k) + p.n) + (ranks - 1.0) * p.k * p.n);
}

/// A term is 9 sectors for a warp: one of A, the same for all, and 8 of B. C is stored in whole sectors.
constexpr double naive_sectors(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return 9 * m * n * k / 32 + m * n / 4;
}

/// Tiles of 32 x 32: each element that is loaded serves 32 others.
constexpr double tiled_sectors(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return m * n * k / 64 + m * n / 4;
}

/// One wavefront per load: 16 of a warp for 8 x 8 x 32 multiply-adds. And to store the tiles' elements, two for 128
/// multiply-adds, 16 per wavefront.
constexpr double load_wavefronts(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return m * n * k / 128 + m * n * k / 1024;
}

/// m n / 128^2 blocks have k / 8 passes of 2048 doubles, 64 per request.
constexpr double load_requests(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return m * n * k / 4096;
}

/// One for each pass of 8 terms.
constexpr double pass_barriers(const Problem& p, int) {
  return p.k / 8.0;
}

/// A load of 32 doubles is two wavefronts, and a warp has 8 of A and 16 of B for 32 x 64 x 8 multiply-adds; or half as many
/// loads of 32 pairs, four wavefronts each. To store the tiles as in g3.
constexpr double fragment_wavefronts(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return 3 * m * n * k / 1024 + m * n * k / 1024;
}

/// Four multiprocessors, those of the executor's device, share the passes of 16 terms of all tiles of 64 x 128: one barrier for
/// each.
constexpr double shared_barriers(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return m / 64 * (n / 128) * (k / 16) / 4;
}

/// 15 products modulo a small number, and a coarse one. A load of 32 words is one wavefront, and a warp has 8 of A and 16 of B
/// for 32 x 64 x 32 multiply-adds of int8. To store the tiles, 128 bytes per wavefront.
constexpr double residue_wavefronts(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return 16 * (3 * m * n * k / 8192 + m * n * k / 8192);
}

/// A, B and C.
constexpr double matrix_bytes(const Problem& p, int) {
  return work(p).bytes;
}

/// The same in sectors: what no product can do without.
constexpr double matrix_sectors(const Problem& p, int) {
  return work(p).bytes / 32;
}

/// A and B in load requests, each of 32 lanes with 16 bytes at most.
constexpr double matrix_requests(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return 8 * (m * k + k * n) / 512;
}

/// What no product whose sums are in registers, and whose A or B comes there through shared memory, can do without. A block has
/// 65,536 registers: at most t x t = 32,768 sums of doubles. It stores and loads t elements for each term, 16 per wavefront,
/// and there are m n / t^2 blocks.
constexpr double least_wavefronts(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return m * n * k / (8 * 181.02);
}
/// @}

/// @name What other programs need
/// README.md compares them with the amounts above.
/// @{

/// m1 when all of A goes to every rank.
constexpr double sent_bytes_with_all_of_a(const Problem& p, int ranks) {
  const double away = p.m - (p.m + ranks - 1) / ranks;
  return 8 * (away * p.n + (ranks - 1.0) * p.k * (double(p.m) + p.n));
}

/// g1 when the row follows threadIdx.x: 32 sectors of A and one of B for a term, 32 to store.
constexpr double strided_sectors(const Problem& p, int) {
  const double m = p.m, n = p.n, k = p.k;
  return 33 * m * n * k / 32 + m * n;
}

/// g3 when a warp's loads take so many wavefronts for a term, which 64 * 32 multiply-adds use.
constexpr double wavefronts_with(double per_term, const Problem& p) {
  const double m = p.m, n = p.n, k = p.k;
  return per_term * m * n * k / 2048 + m * n * k / 1024;
}

/// Loads per multiply-add, in vectors, of a tile of C in registers: a term reads an element of each row and a row of vectors.
constexpr double loads_with_tile(int rows, int vectors) {
  return double(rows + vectors) / (rows * vectors);
}

/// Strips of 128 rows of A and of 128 columns of B that the tiles of a wave need, when bands of so many tiles below each
/// other are computed one after another.
constexpr int strips_of_wave(int blocks, int across, int band) {
  const int bands = (blocks + band * across - 1) / (band * across);
  return bands * band + (bands > 1 ? across : (blocks + band - 1) / band);
}

/// Passes of 16 terms of half a tile of 128 x 128 that the busiest multiprocessor computes, when each tile of 128 x 128 is a
/// block's.
constexpr int passes_in_waves(int m, int n, int k, int multiprocessors) {
  const int tiles = (m + 127) / 128 * ((n + 127) / 128);
  return (tiles + multiprocessors - 1) / multiprocessors * 2 * (k / 16);
}

/// And when tiles are 64 x 128, and those that are left after full waves are shared.
constexpr int passes_in_shares(int m, int n, int k, int multiprocessors) {
  const int tiles = (m + 63) / 64 * ((n + 127) / 128), passes = k / 16;
  const int left = tiles % multiprocessors, parts = left > 0 ? multiprocessors / left : 1;
  return tiles / multiprocessors * passes + (left > 0 ? (passes + parts - 1) / parts : 0);
}

/// The busiest thread's share over the mean, when so many chunks of equal work are divided evenly.
constexpr double load_imbalance(int chunks, int threads) {
  return double((chunks + threads - 1) / threads) * threads / chunks;
}
/// @}

/// The ladder. Bounds are ratios to the necessary amount; README.md derives the formulas.
inline constexpr ladder::Step steps[] = {
    {.file = "c1_openmp.cpp",
     .idea = "Blocks of C are independent: share them among the threads.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 0.5,
     .targets = {{.metric = "balance",
                  .relation = "<=",
                  .bound = 1.2,
                  .necessary = "1: every thread of the team computes for the same time",
                  .amount = ladder::as_it_is,
                  .size = 768}},
     .time = {.peer = "baseline", .ratio = 1.25, .size = 768},
     .time_points = 2,
     .hints =
         {"balance is the computing time of the busiest thread over the mean of all. How many chunks of work "
          "are there, and how many threads?",
          "The blocks of one block row are too few for many threads. Two nested loops without dependence can "
          "be made one: collapse."}},
    {.file = "c2_packing.cpp",
     .idea = "A tile of C stays in registers; A and B are copied to where they are read in order.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 5,
     .targets = {{.metric = "balance",
                  .relation = "<=",
                  .bound = 1.2,
                  .necessary = "1: every thread of the team packs and computes for the same time",
                  .amount = ladder::as_it_is,
                  .size = 768}},
     .time = {.peer = "OpenBLAS", .ratio = 0.8, .size = 768},
     .time_points = 4,
     .hints =
         {"For one term of the sums, how many vectors does multiply_tile load, and for how many vector "
          "multiply-adds? Does the loop over the terms read or write C? And who waits while B is packed?",
          "The inner loop needs constant bounds, so that sum stays in registers: three vectors of B, then "
          "every element of A with all three. Panels of B are shared by an omp for, blocks of A by another; "
          "the barriers at their ends are needed."}},
    {.file = "g1_naive.cu",
     .idea = "One thread computes one element of C.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 2,
     .targets = {{.metric = "sectors",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "9 n^3/32 + n^2/4 sectors",
                  .amount = ladder::amount<naive_sectors>,
                  .size = 256,
                  .floor = ladder::amount<matrix_sectors>,
                  .proof = "A and B are read and C is written, at least once, and a sector holds 4 doubles",
                  .own_cost = "a load for each factor of each product; a tile in shared memory or in "
                              "registers needs fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .hints =
         {"A warp is 32 threads that differ in threadIdx.x first. For one value of p, which elements of A "
          "and B do they read, and how far apart are these?",
          "Neighbouring threads should read neighbouring doubles. In a row-major matrix the column is the "
          "index that moves by one."}},
    {.file = "g2_shared_tiles.cu",
     .idea = "A block reads each tile of A and B once, into shared memory, and uses every element T times.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 3,
     .targets = {{.metric = "sectors a flop",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "n^3/64 + n^2/4 sectors for 2 n^3 flops",
                  .amount = ladder::amount<tiled_sectors>,
                  .size = 256,
                  .floor = ladder::amount<matrix_sectors>,
                  .proof = "A and B are read and C is written, at least once, and a sector holds 4 doubles",
                  .own_cost = "tiles of 32 x 32; larger ones need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .asks = ladder::asks<Asks{.block = 32, .depth = 32}>,
     .hints = {"Count the doubles that a block reads from A and B for one tile. Is each of them read by "
               "one thread only?",
               "Each thread loads one element of A's tile and one of B's. Neighbouring threads should load "
               "neighbouring columns of both."}},
    {.file = "g3_register_tiles.cu",
     .idea = "A thread computes 8 x 8 elements of C in registers: what it reads from shared memory serves 8 "
             "times.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 4,
     .targets = {{.metric = "wavefronts an fma",
                  .relation = "<=",
                  .bound = 1.6,
                  .necessary = "n^3/128 + n^3/1024 wavefronts for n^3 multiply-adds",
                  .amount = ladder::amount<load_wavefronts>,
                  .size = 256,
                  .floor = ladder::amount<least_wavefronts>,
                  .proof = "each element of A or of B that a block needs is stored to shared memory and "
                           "loaded from there, at most 128 bytes per wavefront, and the registers of a "
                           "block hold at most 181 x 181 sums",
                  .own_cost = "8 x 8 sums per thread; larger tiles in registers need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .asks = ladder::asks<Asks{.block = 128, .depth = 8}>,
     .hints =
         {"A wavefront gives 16 doubles of different banks. For one p, how many loads has a thread, and for "
          "how many multiply-adds? And how many wavefronts is one of these loads?",
          "16 lanes should read 16 neighbouring doubles of Bs: a thread's columns then lie 16 apart, and not "
          "next to each other."}},
    {.file = "g4_vector_loads.cu",
     .idea = "A lane loads two neighbours at once: half as many requests for the same bytes.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 3,
     .targets = {{.metric = "requests a byte",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "n^3/4096 load requests: 16 n^3/128 bytes, 512 a request",
                  .amount = ladder::amount<load_requests>,
                  .size = 256,
                  .floor = ladder::amount<matrix_requests>,
                  .proof = "A and B are loaded at least once, at most 512 bytes per request",
                  .own_cost = "tiles of 128 x 128; larger ones load less"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .asks = ladder::asks<Asks{.block = 128, .depth = 8}>,
     .hints = {"How many bytes can one lane load in one instruction? And 32 lanes together?",
               "double2 at a multiple of 16 bytes is one request; two doubles that are read one after the "
               "other are two. What must hold for three matrices so that every pair is such a double2?"}},
    {.file = "g5_async_copies.cu",
     .idea = "Copies into a second buffer run while the first is multiplied: one barrier per pass is enough.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 4,
     .targets = {{.metric = "barriers",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "n/8 barriers: one for each pass",
                  .amount = ladder::amount<pass_barriers>,
                  .size = 256,
                  .floor = ladder::as_it_is,
                  .proof = "threads use what others have copied to shared memory, and wait for it at least "
                           "once",
                  .own_cost = "one barrier for each pass of 8 terms; longer passes need fewer"}},
     .time = {.peer = "cuBLAS", .ratio = 0.35, .size = 256},
     .asks = ladder::asks<Asks{.block = 128, .depth = 8}>,
     .time_points = 2,
     .hints = {"g4 has two barriers per pass: one says that the part is there, one that nobody needs it any "
               "more. Which one goes, if the next part has a buffer of its own?",
               "At one place of a pass both are true: my copies of this part are there, and I have finished "
               "with the part before. A barrier there says both for all threads."}},
    {.file = "g6_streams.cu",
     .idea = "Parts of matrices on the host go through the device: copies both ways run during the products.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 5,
     .targets = {{.metric = "chain",
                  .relation = "<=",
                  .bound = 0.65,
                  .necessary = "1: every copy and product waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 512},
                 {.metric = "chain:multiply",
                  .relation = "<=",
                  .bound = 0.3,
                  .necessary = "1: every product waits for the one before it",
                  .amount = ladder::as_it_is,
                  .size = 512},
                 {.metric = "peak_device_bytes",
                  .relation = "<=",
                  .bound = 0.25,
                  .necessary = "24 n^2 bytes: the three matrices; device_bytes is 5.4 n^2",
                  .amount = ladder::amount<matrix_bytes>,
                  .size = 512,
                  .restricted = true}},
     .time = {.peer = "baseline", .ratio = 0, .size = 256},
     .why_long = "three queues are right only with all of the events between them",
     .asks = ladder::asks<Asks{.in_parts = true}>,
     .hints =
         {"chain is the longest path of copies and kernels that wait for each other, over the sum of all. "
          "For each operation: what must be finished before it may begin? Does it wait for anything else?",
          "A stream is a queue: what stands in it waits for all before it. Copies up, the products of one "
          "part of C and copies down each have a queue, and an event where one hands something to the next, "
          "or gives a buffer back. An event means its last record: where two streams read a slot, each needs "
          "its own."}},
    {.file = "m1_mpi.cpp",
     .idea = "Each process computes some rows of C and gets no more data than these rows need.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::host,
     .hours = 3,
     .targets = {{.metric = "bytes_sent",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "8 ((m - ceil(m/P)) (k + n) + (P - 1) k n) bytes",
                  .amount = ladder::amount<sent_bytes>,
                  .size = 192,
                  .floor = ladder::amount<sent_bytes>,
                  .proof = "each rank computes its share of the rows: it gets those of A and all of B, and "
                           "rank 0 gets those of C"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 768},
     .ranks = 3,
     .hints =
         {"bytes_sent counts what must reach another process. Which rows of A does rank 1 read? Which rows "
          "of B?",
          "The rows of A are different on every rank and each is needed once (scatter); B is the same on "
          "every rank (broadcast). Padding between rows need not travel: a datatype can step over it."}},
    {.file = "t1_tensor_cores.cu",
     .idea =
         "A warp multiplies whole parts of 16 x 8 and 8 x 8 at once; a layout says which elements each lane "
         "brings.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 4,
     .targets = {{.metric = "wavefronts an fma",
                  .relation = "<=",
                  .bound = 1.2,
                  .necessary = "3 n^3/1024 + n^3/1024 wavefronts for n^3 multiply-adds",
                  .amount = ladder::amount<fragment_wavefronts>,
                  .size = 256,
                  .floor = ladder::amount<least_wavefronts>,
                  .proof = "each element of A or of B that a block needs is stored to shared memory and "
                           "loaded from there, at most 128 bytes per wavefront, and the registers of a "
                           "block hold at most 181 x 181 sums",
                  .own_cost = "32 x 64 sums per warp; larger tiles in registers need fewer"}},
     .time = {.peer = "cuBLAS", .ratio = 0.6, .size = 256},
     .asks = ladder::asks<Asks{.block = 128, .depth = 8}>,
     .time_points = 2,
     .hints =
         {"g = lane / 4 and t = lane % 4. A lane's first element of A is in row g, column t; of B in row t, "
          "column g. Each further one is 8 rows or 4 terms away: which of the two first?",
          "Half a warp reads elements g = 0 to 3, t = 0 to 3. If rows are s doubles long, these are s g + t "
          "apart. For which s are all 16 different, counted modulo 16?"}},
    {.file = "t2_staged_copies.cu",
     .idea = "Copies in four stages, and operands of the next part read during the products of this one: a "
             "pipeline up to the registers.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 3,
     .targets = {{.metric = "barriers",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "n/8 barriers: one for each pass",
                  .amount = ladder::amount<pass_barriers>,
                  .size = 256,
                  .floor = ladder::as_it_is,
                  .proof = "threads use what others have copied to shared memory, and wait for it at least "
                           "once",
                  .own_cost = "one barrier for each pass of 8 terms; longer passes need fewer"}},
     .time = {.peer = "cuBLAS", .ratio = 0.85, .size = 256},
     .asks = ladder::asks<Asks{.block = 128, .depth = 8}>,
     .time_points = 2,
     .hints = {"A thread makes one batch per part. When it waits for part 5, which batches has it made after "
               "that one? How many are they when no parts are left to copy?",
               "At the barrier of pass 4 all threads have the operands of part 4 in registers, and part 5 is "
               "there. Which part, of those that are not on their way yet, takes the stage of part 4?"}},
    {.file = "t3_swizzle.cu",
     .idea =
         "Lanes read pairs, whose order in a row keeps them in different banks; tiles are computed in bands.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 4,
     .targets = {{.metric = "wavefronts an fma",
                  .relation = "<=",
                  .bound = 1.05,
                  .necessary = "3 n^3/1024 + n^3/1024 wavefronts for n^3 multiply-adds",
                  .amount = ladder::amount<fragment_wavefronts>,
                  .size = 256,
                  .floor = ladder::amount<least_wavefronts>,
                  .proof = "each element of A or of B that a block needs is stored to shared memory and "
                           "loaded from there, at most 128 bytes per wavefront, and the registers of a "
                           "block hold at most 181 x 181 sums",
                  .own_cost = "32 x 64 sums per warp; larger tiles in registers need fewer"}},
     .time = {.peer = "cuBLAS", .ratio = 0.9, .size = 256},
     .asks = ladder::asks<Asks{.block = 128, .depth = 16}>,
     .time_points = 2,
     .hints =
         {"Lanes 0 to 7 read 16 bytes each: 128 together, all banks once. Of Bs these are pairs g = 0 and 1 "
          "of rows 0, 2, 4 and 6. A pair p of row r goes to p ^ r % 8: which 8 of a row's pairs are that?",
          "Number the tiles of a band column by column. A full band has group * across of them. Divide the "
          "number in the band by the band's height, not by group: the last band may be lower."}},
    {.file = "t4_split_k.cu",
     .idea = "Smaller tiles, of which there are more; where they are too few for all multiprocessors, "
             "several blocks share the terms of a tile.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 5,
     .targets = {{.metric = "most_barriers",
                  .relation = "<=",
                  .bound = 1.3,
                  .necessary =
                      "one for each pass of 16 terms, the passes of all tiles divided by 4 multiprocessors",
                  .amount = ladder::amount<shared_barriers>,
                  .size = 128,
                  .restricted = true,
                  .floor = ladder::as_it_is,
                  .proof = "threads use what others have copied to shared memory, and wait for it at least "
                           "once",
                  .own_cost = "one barrier for each pass of 16 terms; longer passes need fewer"}},
     .time = {.peer = "cuBLAS", .ratio = 0.9, .size = 256},
     .why_long = "the product becomes a function of some passes of one of two tiles; sums of parts are added",
     .asks = ladder::asks<Asks{.block = 128, .depth = 16, .shares = true}>,
     .time_points = 2,
     .hints = {"With `parts` blocks per tile, which tile is block 5's, and which of its parts? With 33 "
               "passes and 2 parts, where does part 1 begin, and where does part 0 end?",
               "No block can add before all have written. What makes all blocks of a grid wait for each "
               "other, and what does the launch have to promise for that? Of 32 pairs, which ones does block "
               "b of `parts` add?"}},
    {.file = "t5_residues.cu",
     .idea =
         "Doubles become long integers, and these are multiplied exactly modulo 16 small numbers, in int8.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 5,
     .targets = {{.metric = "wavefronts an fma:multiply",
                  .relation = "<=",
                  .bound = 1.2,
                  .necessary = "16 (3 n^3/8192 + n^3/8192) wavefronts for n^3 multiply-adds",
                  .amount = ladder::amount<residue_wavefronts>,
                  .size = 128,
                  .own_cost = "32 x 64 sums per warp for each of 16 products; larger tiles in registers, or "
                              "fewer moduli, need fewer"}},
     .time = {.peer = "cuBLAS", .ratio = 0.75, .size = 256},
     .why_long = "residues, their products and the way back are right only together",
     .asks = ladder::asks<Asks{.block = 128, .depth = 64, .accurate = true}>,
     .time_points = 2,
     .hints =
         {"In the layout of 16 x 8 x 32 a register holds four neighbouring terms. So As and Bs have words "
          "where t1 has "
          "doubles: which word of which row is register 0, 1, 2, 3?",
          "both * weight has the right residues for two moduli, and 0 for all others. Which has the sum of "
          "these? It is right modulo M. How many times does M fit into it, if the sum of both * weight / M "
          "is known to a few bits?"}},
};

/// The lesson's table.
inline constexpr ladder::Lesson lesson{"03-dgemm",        "Matrix product in double precision",
                                       "work D (DEC107)", steps,
                                       std::size(steps),  {4096, 0, 1024}};

}  // namespace dgemm
