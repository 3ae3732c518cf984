#pragma once
/// @file
/// The launch configurations of a grid-stride rung, measured one next to the other.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/judge/reproduction.hpp"
#include "common/trace/occupancy.hpp"
#include "problems.hpp"

namespace gauss::test {

/// An imposed launch configuration; 0 blocks: the step's own.
struct Grid {
  int blocks = 0, threads = 0;
};

/// A rung that is called with one system after the other.
class Lab {
 public:
  /// @param kernels_only  the time of the elimination's kernels, by the recorder, instead of the whole
  /// call's; where there is
  ///                      no GPU or no recorder it is the whole call's all the same
  Lab(const ladder::PlannedStep& step, bool kernels_only);

  /// Runs with one system of order n, the same for all grids.
  ladder::reproduction::Cell measure(int n, Grid grid, int runs, double budget);

  /// The largest size whose call takes no longer than so many seconds, all that stands next to the call
  /// included.
  /// @param sizes  from small to large
  int largest(double seconds, const std::vector<int>& sizes, Grid grid);

  std::string device() const { return runner_.device(); }
  const ladder::PlannedStep& step() const { return step_; }
  /// Whether times are those of the elimination's kernels.
  bool kernels_only() const { return kernels_only_; }
  /// What the last traced call asked of a multiprocessor; no registers where nothing says how many there are.
  const ladder::LaunchShape& shape() const { return shape_; }

 private:
  void prepare(int n);
  double seconds_of(const ladder::Outcome& outcome);

  const ladder::PlannedStep& step_;
  bool kernels_only_;
  ladder::reproduction::Runner runner_;
  std::unique_ptr<ladder::Instance<Problem>> instance_;
  ladder::LaunchShape shape_{.blocks = 1, .threads = 1, .shared_bytes = sizeof(double)};
};

/// The sequential program: measured as far as its time allows, then extrapolated by n^3.
class Sequential {
 public:
  explicit Sequential(double seconds) : budget_(seconds) {}
  /// Its time for order n.
  double seconds(int n);
  /// "sequential: 3.1 s at n = 2048, beyond that by n^3"; empty when it was not asked for.
  std::string note() const;
  bool there() const;

 private:
  double budget_;
  int measured_n_ = 0;
  double measured_ = 0;
  bool extrapolated_ = false;
  std::optional<ladder::reproduction::Runner> runner_;
};

/// A configuration and what it took.
struct Measured {
  Grid grid;
  ladder::reproduction::Cell cell{};
};

/// Measures all configurations once, then again and again, until each has so many runs or the time is over: a
/// slow moment of the machine then falls on all of them. The widest grids come first; a narrow one that
/// cannot end in time is left out.
/// @param after_pass  called when each has got another run
void sweep(Lab& lab, int n, std::vector<Measured>& all, int runs, double seconds,
           const std::function<void()>& after_pass);

/// The fastest one; null when none was measured.
const Measured* fastest(const std::vector<Measured>& all);

}  // namespace gauss::test
