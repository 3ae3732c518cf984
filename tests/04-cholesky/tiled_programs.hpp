#pragma once
/// @file
/// What the reproduction measures with: matrices in tiles, and programs that run here.

#include <memory>
#include <optional>
#include <string>

#include "common/judge/plan.hpp"
#include "common/judge/reproduction.hpp"
#include "problems.hpp"

namespace cholesky::test {

/// A matrix in tiles, filled.
class Tiled {
 public:
  explicit Tiled(std::shared_ptr<const Prepared> prepared);
  /// A matrix like G2_circuit.
  /// @param side  points along a side of the grid
  Tiled(int side, int s);

  /// Calls the step and looks at info and the error of x. @return seconds of the call alone. @throws
  /// ladder::Failure when it is wrong
  double call(ladder::Session& session);
  /// The same twice, the second time with the trace.
  ladder::Trace trace(ladder::Session& session);

  double error() const { return error_; }  ///< of the last call
  const Structure& structure() const { return prepared_->structure; }
  const Prepared& prepared() const { return *prepared_; }

 private:
  ladder::Outcome checked(ladder::Session& session);

  std::shared_ptr<const Prepared> prepared_;
  ladder::Instance<Problem> instance_;
  Symmetric A_;
  double error_ = 0;
};

/// The programs of the lesson that run here.
class Lab {
 public:
  Lab();

  /// "baseline", a step's name, or a variant's: "g3_many_streams~streams-4". @param threads  of OpenMP
  /// @return null when it does not run here
  std::unique_ptr<ladder::reproduction::Runner> runner(const std::string& program, int threads) const;

  bool on_gpu() const { return backend_ == "cuda"; }
  const ladder::PlannedStep* reporter() const { return reporter_; }
  /// Points along a side of the matrix that is measured.
  int side() const;
  /// Seconds that a call and its fellows in a cell may take.
  double budget() const;
  /// The median of some calls; 0 when there is none, and why in @p notes.
  double seconds(const std::string& program, int threads, Tiled& matrix, nlohmann::json& notes) const;
  /// The same. @param ask  of how many, in what time @param warm_up  a call before them that is not counted
  double seconds(const std::string& program, int threads, Tiled& matrix, nlohmann::json& notes,
                 const ladder::reproduction::Runner::Ask& ask, bool warm_up) const;
  /// The trace of a call; nothing where it does not run, or nobody records.
  std::optional<ladder::Trace> trace(const std::string& step, int threads, Tiled& matrix) const;

 private:
  std::string backend_ = "executor";
  const ladder::PlannedStep* reporter_ = nullptr;
};

}  // namespace cholesky::test
