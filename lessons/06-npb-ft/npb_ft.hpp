#pragma once
/// @file
/// Contract of lesson 06: its problem (problem.hpp) and its table of steps.
/// Source: work E, which runs FT on a GPU; NPB defines numbers, classes and verification.

#include <iterator>

#include "problem.hpp"

namespace npb_ft {

/// The ladder. Bounds are ratios to the necessary amount. Sizes are log2 of the grid's points.
inline constexpr ladder::Step steps[] = {
    {.file = "c1_openmp.cpp",
     .idea = "Lines do not depend on each other, nor do planes of numbers, once their place in the stream is "
             "known.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::host,
     .hours = 1.5,
     .targets = {{.metric = "balance",
                  .relation = "<=",
                  .bound = 1.2,
                  .necessary = "1: every thread of the team computes for the same time",
                  .amount = ladder::as_it_is,
                  .size = 17}},
     .time = {.peer = "baseline", .ratio = 1.4, .size = 18},
     .time_points = 2,
     .hints =
         {"balance is the computing time of the busiest thread over the mean of all. Which loops of the "
          "baseline "
          "does no thread share?",
          "Three loops: planes of numbers, blocks of lines, rows that decay. A plane begins 2 nx ny numbers "
          "after the one before it: power() of the stream jumps there."}},
    {.file = "g1_one_kernel.cu",
     .idea = "One kernel per axis: a thread takes a line through all stages, in workspace of its own.",
     .kind = ladder::Kind::demonstration,
     .data = ladder::Data::resident,
     .hours = 0.5,
     .targets = {{.metric = "sectors",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary =
                      "2 N per stage along x, 1.5 N along y and z: half of a sector is another thread's",
                  .amount = ladder::amount<strided_sectors>,
                  .size = 12,
                  .floor = ladder::amount<first_grid_sectors>,
                  .proof = "in the end u is written whole, and a sector holds two numbers",
                  .own_cost =
                      "a thread takes a line through all stages in memory; lines in shared memory, or "
                      "larger radices, need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 12},
     .hints = {"Nothing to write here: predict the sectors before you run it.",
               "A sector holds two numbers. Whose are they, when neighbouring threads are n numbers apart?"}},
    {.file = "g2_three_kernels.cu",
     .idea = "The source's three kernels, copy in, stages, copy out: between the copies neighbouring threads "
             "touch "
             "neighbouring numbers.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 2,
     .targets =
         {{.metric = "sectors",
           .relation = "<=",
           .bound = 1.2,
           .necessary =
               "N for each of log2(n) stages and two copies per axis, N per decay, N/2 for the first grid",
           .amount = ladder::amount<staged_sectors>,
           .size = 12,
           .floor = ladder::amount<first_grid_sectors>,
           .proof = "in the end u is written whole, and a sector holds two numbers",
           .own_cost =
               "two copies per axis and a pass per stage; fewer copies, or more stages per pass, need "
               "fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 12},
     .hints =
         {"sectors counts pieces of 32 bytes that a warp's requests touch. Threads of a warp are "
          "neighbouring "
          "lines: how far apart are their elements j, in each of the three transforms?",
          "Along y and z neighbouring lines already lie next to each other: elements are nx, and nx ny, "
          "apart. Along "
          "x they do so when rows and columns of each plane are exchanged: elements are then ny apart."}},
    {.file = "g3_jump_ahead.cu",
     .idea = "Each thread jumps to its place in the stream: the first grid is one launch, and not a chain of "
             "planes.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 1,
     .targets = {{.metric = "path:initial",
                  .relation = "<=",
                  .bound = 2.5,
                  .necessary = "4 us, one launch, by stated costs",
                  .amount = ladder::amount<launch_seconds>,
                  .size = 12,
                  .floor = ladder::amount<launch_seconds>,
                  .proof = "by stated costs a launch is 4 us, and there is at least one"},
                 {.metric = "sectors:initial",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "N/2: the grid is written once",
                  .amount = ladder::amount<first_grid_sectors>,
                  .size = 12,
                  .floor = ladder::amount<first_grid_sectors>,
                  .proof = "the first grid is written whole, and a sector holds two numbers"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 12},
     .hints = {"path is the longest chain of operations that wait for each other: a launch costs 4 us in it, "
               "a thread 1 ns. What does a plane need from the one before it?",
               "State n is seed power(n) mod 2^46. A thread whose points are s apart multiplies by power(2 "
               "s) to get to "
               "the next: with s the threads of a block, a warp writes 32 neighbours each time."}},
    {.file = "g4_concurrent_setup.cu",
     .idea = "The source's setup: four threads of the host fill four arrays in four streams; a checksum is "
             "reduced in shared memory.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 2,
     .targets = {{.metric = "chain:setup",
                  .relation = "<=",
                  .bound = 1.3,
                  .necessary = "1/4: four arrays, of which none waits for another",
                  .amount = ladder::amount<setup_share>,
                  .size = 12,
                  .own_cost = "four arrays in four streams; more kernels side by side have a shorter chain"},
                 {.metric = "atomics",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "2 for each block of 128 terms of a checksum",
                  .amount = ladder::amount<checksum_atomics>,
                  .size = 12,
                  .own_cost = "two for each block of 128 terms; larger blocks, or a second kernel that adds "
                              "partial sums, need fewer"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 12},
     .hints = {"chain is the longest path of operations that wait for each other, over the sum of all. Who "
               "waits for whom "
               "when everything is launched to one stream?",
               "One stream per array, an event recorded after each launch, and cudaStreamWaitEvent in the "
               "stream of the "
               "transforms. Without the latter the first transform may read what is not there yet."}},
    {.file = "g5_short_tables.cu",
     .idea = "The decay is a product of one factor per axis, from short tables; a thread that walks along z "
             "reads "
             "two of the three once.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 1,
     .targets = {{.metric = "sectors:decay_lines",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "N per time: each point is read and written once",
                  .amount = ladder::amount<decay_sectors>,
                  .size = 14,
                  .own_cost = "the grid decays in a pass of its own; a pass of the transform that does it as "
                              "well needs none"}},
     .time = {.peer = "baseline", .ratio = 0, .size = 12},
     .hints =
         {"Each lane of g4's decay reads factors[t * square]. How far apart are the squares of neighbouring "
          "x, and how many sectors does a warp need for 32 of these factors?",
          "exp(a + b + c) = exp(a) exp(b) exp(c): a table of nx + ny + nz factors for each time. "
          "Neighbouring lanes read neighbouring factors of x; those of y and z are the same for all lanes."}},
    {.file = "g6_shared_lines.cu",
     .idea = "A line goes through all stages between one read and one write of the grid, and exchanges its "
             "elements in shared memory.",
     .kind = ladder::Kind::required,
     .data = ladder::Data::resident,
     .hours = 3,
     .targets = {{.metric = "sweeps:fft_lines",
                  .relation = "<=",
                  .bound = 1.5,
                  .necessary = "one per axis and transform; roots are loaded as well, a second trip is 2",
                  .amount = ladder::amount<line_sectors>,
                  .size = 16,
                  .own_cost = "one pass per axis and transform; a pass that takes planes through two axes "
                              "needs fewer"}},
     .time = {.peer = "cuFFT", .ratio = 0, .size = 12},
     .hints =
         {"sweeps counts how often the whole grid is read and written. Which elements does a stage need that "
          "the thread has not?",
          "Sum and difference go to 2 j - k and 2 j - k + done of the line in shared memory; after a barrier "
          "the thread reads j and j + n / 2. After the last stage it has just the elements that it loaded."}},
    {.file = "g7_radix_8.cu",
     .was = "g5_shared_lines",
     .idea = "Eight elements per thread in registers: three levels of butterflies between two exchanges, not "
             "one.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 3,
     .targets = {{.metric = "barriers:fft_lines",
                  .relation = "<=",
                  .bound = 2.2,
                  .necessary = "1 per exchange between stages of 8; with one buffer it is 2",
                  .amount = ladder::amount<exchanges>,
                  .size = 16,
                  .own_cost = "one per exchange between stages of 8; larger stages, or exchanges inside a "
                              "warp, need fewer"},
                 {.metric = "sweeps:fft_lines",
                  .relation = "<=",
                  .bound = 1.1,
                  .necessary = "one per axis and transform",
                  .amount = ladder::amount<line_sectors>,
                  .size = 16,
                  .own_cost = "one pass per axis and transform; a pass that takes planes through two axes "
                              "needs fewer"}},
     .time = {.peer = "cuFFT", .ratio = 0, .size = 12},
     .hints =
         {"Each exchange costs two barriers and a trip through shared memory. Which elements must a thread "
          "have for three levels of butterflies without another thread?",
          "Thread t has elements t + i n / 8. Three levels of butterflies need no others. Then element r of "
          "butterfly j goes to (j - k) 8 + k + r done of the line in shared memory, and comes back as "
          "t + i n / 8."}},
    {.file = "g8_swizzle.cu",
     .was = "g6_swizzle",
     .idea = "Places in shared memory are exchanged, so that neighbouring lanes meet different banks.",
     .kind = ladder::Kind::stretch,
     .data = ladder::Data::resident,
     .hours = 1.5,
     .targets =
         {{.metric = "wavefronts",
           .relation = "<=",
           .bound = 1.1,
           .necessary = "N/4 for each exchange between stages of 8: written and read, 128 bytes per pass",
           .amount = ladder::amount<exchange_wavefronts>,
           .size = 16,
           .own_cost = "exchanges between stages of 8; larger stages, or exchanges inside a warp, need "
                       "fewer"},
          {.metric = "sweeps",
           .relation = "<=",
           .bound = 1.1,
           .necessary = "one per axis and transform, one per decay, half of one for the first grid",
           .amount = ladder::amount<swept_sectors>,
           .size = 16,
           .floor = ladder::amount<first_grid_sectors>,
           .proof = "in the end u is written whole, and a sector holds two numbers",
           .own_cost = "a pass per axis and transform, and one per decay; passes that do more at once "
                       "are fewer"}},
     .time = {.peer = "cuFFT", .ratio = 0.6, .size = 12},
     .time_points = 2,
     .hints =
         {"wavefronts counts passes of shared memory: 16 bytes per lane take four, one for each 8 lanes, "
          "if these 8 want different banks. Which places do 8 lanes write after the first stage?",
          "They are 8 apart: the same place mod 8. place ^ (place / 8 % 8) is another order inside each "
          "group of 8 places, so nothing is lost, and lanes that were 8 apart differ in it."}},
};

/// The lesson's table.
inline constexpr ladder::Lesson lesson{"06-npb-ft",
                                       "NPB FT: a diffusion equation by Fourier transforms",
                                       "work E (short paper); NPB",
                                       steps,
                                       std::size(steps),
                                       {23, 0, 19}};

}  // namespace npb_ft
