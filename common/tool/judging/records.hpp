#pragma once
/// @file
/// results.jsonl: what a judge writes while it works, sorted to the steps it belongs to.

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/report/results/results.hpp"
#include "common/tool/judging/judging.hpp"

namespace ladder {

/// What is known of a job before it is judged.
report::StepFacts facts(const Job& job);

/// The lines that the judge has written since the last look; a line that is not complete yet waits.
class Tail {
 public:
  explicit Tail(std::filesystem::path file) : file_(std::move(file)) {}
  std::vector<nlohmann::json> fresh();
  int bad() const { return bad_; }  ///< lines that were no records

 private:
  std::filesystem::path file_;
  std::size_t read_ = 0;
  int bad_ = 0;
};

/// The records of a judge, and the results they add up to.
class Collector {
 public:
  /// @param ready  called once with each job's result, as soon as it is complete
  Collector(const Task& task, const std::function<void(const nlohmann::json&)>& ready);

  void take(const nlohmann::json& record);

  /// Every result, in the order of the jobs; those without all their records get the reason.
  std::vector<nlohmann::json> finish(const std::string& why_not);

  /// Whether a job has all its records.
  bool complete(std::size_t job) const { return by_job_[job].size() == task_.kinds.size(); }
  nlohmann::json result(std::size_t job, const std::string& why_not) const;
  /// A job's records, those that it came with first.
  std::vector<nlohmann::json> records_of(std::size_t job) const;
  /// The job that the judge was at when its last record came.
  std::optional<std::size_t> under_way() const { return under_way_; }
  std::string doing() const { return doing_; }  ///< "targets, n = 64"
  /// Whether it has come to times.
  bool times() const { return kind_ == to_string(TestKind::time); }
  /// Drops a job's records: it will be judged again.
  void forget(std::size_t job);
  /// Says the results of jobs that have been decided meanwhile.
  void tell_decided();
  std::size_t records() const { return records_; }  ///< taken so far

  /// Share of the planned records that are there.
  double share() const;

  std::vector<nlohmann::json> reproductions;
  /// Records of kind profile and hardware; the documents that they name are in them.
  std::vector<nlohmann::json> profiles;
  std::string text = "starting";  ///< what the judge does now

 private:
  void take_reproduction(const nlohmann::json& record);
  bool is_of(const nlohmann::json& record, std::size_t job) const;
  void tell(std::size_t i, const std::string& why_not);

  const Task& task_;
  std::function<void(const nlohmann::json&)> ready_;
  std::vector<std::vector<nlohmann::json>> by_job_;
  std::vector<bool> told_;
  std::optional<std::size_t> under_way_;
  std::string kind_, doing_;
  std::size_t records_ = 0;
  double part_ = 0;  ///< of the record that is being made
};

}  // namespace ladder
