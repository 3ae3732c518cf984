#pragma once
/// @file
/// What the lessons on the NAS Parallel Benchmarks share: NPB's result block for each step, and a table of
/// all classes next to the sequential program, which is figure 1 of work E where that has the benchmark.

#include <functional>
#include <string>
#include <vector>

#include "common/judge/session/session.hpp"

namespace ladder::npb {

/// A class, run once with NPB's seed.
struct Run {
  double seconds = 0;                  ///< of the call, as NPB prescribes
  double kernel_seconds = 0;           ///< of its kernels, by the device's clock; 0: not known
  std::string wrong{};                 ///< empty: verified
  std::vector<std::string> results{};  ///< the lines of NPB's block that have the results
};

struct Class {
  std::string name;  ///< "A"
  int size;          ///< as --size has it
};

/// What a public program took, measured on its own.
struct OtherTime {
  std::string class_name, card;  ///< "C", "H200": a part of the device's name
  double seconds;                ///< of the kernels
};

/// A benchmark: what differs between benchmarks.
struct Benchmark {
  std::string name;              ///< "EP"
  std::string operation_type;    ///< as NPB's block has it
  bool in_powers_of_two = true;  ///< whether --size is an exponent, "2^16"; else size_text() names a size
  std::vector<Class> classes{};  ///< from small to large
  int warm_up = 0;               ///< a size that takes no time
  /// The largest sizes of a reproduction: on a GPU, on the CPU, and on the executor, whose time says nothing.
  int largest_on_gpu = 0, largest_on_processor = 0, largest_on_executor = 0;
  /// @param row  the rung's, which may ask for a problem of its own; null: of the baseline or a library
  /// @throws Failure when the call does not end as it should
  std::function<Run(Session& session, int size, const Step* row)> run;
  std::function<double(int size)> work;                  ///< how the time of a call grows
  std::function<double(int size, double seconds)> mops;  ///< Mop/s by NPB's formula
  std::function<std::string(int size)> size_text;        ///< "64x64x64"
  std::function<int(int size)> iterations;               ///< as NPB's block has them
  std::function<double(int size)> least_bytes{};         ///< that a class must move; empty: no limit is shown
  std::vector<OtherTime> npb_gpu{};                      ///< of NPB-GPU (GMAP, commit dc70cf19)
  std::string source_rung{};    ///< the rung that is the source's design: "g3"; empty: no source has one
  std::string source_note{};    ///< what the source reports
  std::string gpu_library{};    ///< a peer that needs a GPU: "cufft"; empty: none
  std::string library_label{};  ///< "cuFFT"
};

/// The time of the call's kernels; 0 when it was not traced.
double kernel_seconds(const Outcome& outcome);

/// "A"; "2^16" or "16x16x16" for a size that is not a class.
std::string class_name(const Benchmark& benchmark, int size);

/// NPB's block for each step: the test case of kind npb.
void publish_blocks(const Benchmark& benchmark);

/// The speedup of each rung over the sequential program, by class, mean of up to 40 runs: the test case of
/// kind reproduce.
void reproduce_speedups(const Benchmark& benchmark);

}  // namespace ladder::npb
