#pragma once
/// @file
/// The versions of a product that work D compares, ours in their place: who takes part, their times, and what
/// the source computes from them.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/judge/plan.hpp"
#include "common/judge/reproduction.hpp"
#include "problems.hpp"

namespace dgemm::test {

constexpr int runs_of_ours = 10;

/// A program that multiplies, and what its speedup is divided by.
struct Version {
  std::string name;  ///< as tables say it
  std::string part;  ///< as figures draw it
  std::string unit;  ///< what p counts: "threads", "processes", "threads per block"
  int p = 1;
  bool on_gpu = false;
  std::unique_ptr<ladder::reproduction::Runner> runner{};
  std::map<int, ladder::reproduction::Cell> cells{};  ///< by n
  double source_error = -1;                           ///< its measure of validation; below 0: not asked
  double error = 0;                                   ///< ours: max |C - Cref| / (eps |A| |B|)
};

/// C = A B of order n, the same for all versions.
std::unique_ptr<ladder::Instance<Problem>> system_of(int n);

/// @return seconds of the call. @throws ladder::Failure for a wrong result
double call_checked(ladder::Session& session, ladder::Instance<Problem>& instance);

class Versions {
 public:
  Versions();

  /// Measures all of them size by size, then validates.
  /// @param after  called after each size, and at the end
  void measure(const std::function<void()>& after);

  const std::vector<Version>& all() const { return versions_; }
  const std::vector<int>& sizes() const { return sizes_; }  ///< measured so far
  const std::vector<std::string>& notes() const { return notes_; }
  const std::string& backend() const { return backend_; }  ///< where CUDA steps run here
  int validated_n() const { return validated_n_; }         ///< 0: not yet

  /// The version whose name begins so; null when it takes no part.
  const Version* named(const std::string& name) const;
  /// Sequential time over this one: S_p = T_s / T_p. 0: not known.
  double speedup(const Version& version, int n) const;
  double efficiency(const Version& version, int n) const;  ///< S_p / p
  double gflops(const Version& version, int n) const;      ///< by the median; 0: not measured
  /// Share of a GPU's published FP64 peak without tensor cores; 0: not known.
  double of_peak(const Version& version, int n) const;

 private:
  void add(const std::string& name, ladder::Launch launch, int p, const std::string& unit,
           const std::string& part);
  void add_step(const std::string& name, const std::string& step, const std::string& unit, int p,
                ladder::Data data);
  void add_peer(const std::string& name, const std::string& peer, int p, const std::string& unit);
  void add_variant(const std::string& name, const std::string& variant, const std::string& unit, int p);
  std::vector<int> sizes_to_run() const;
  void validate();

  std::vector<Version> versions_;
  std::vector<int> sizes_;
  std::vector<std::string> notes_;
  std::string backend_ = "executor";
  const ladder::PlannedStep* reporter_ = nullptr;
  int validated_n_ = 0;
};

}  // namespace dgemm::test
