#pragma once
/// @file
/// results.jsonl: what a judge writes while it works, sorted to the steps it belongs to.

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/result_json.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/judging/judging.hpp"

namespace ladder {

/// What is known of a job before it is judged.
model::StepResult facts(const Job& job);

/// The lines that the judge has written since the last look; a line that is not complete yet waits.
class Tail {
 public:
  explicit Tail(std::filesystem::path file) : file_(std::move(file)) {}
  std::vector<model::Line> fresh();
  int bad() const { return bad_; }  ///< lines that were no records
  /// Why the first of these was none.
  const std::string& why_bad() const { return why_bad_; }

 private:
  std::filesystem::path file_;
  std::size_t read_ = 0;
  int bad_ = 0;
  std::string why_bad_;
};

/// The records of a judge, and the results they add up to.
class Collector {
 public:
  /// @param ready  called once with each job's result, as soon as it is complete
  Collector(const Task& task, const std::function<void(const model::StepResult&)>& ready);

  void take(const model::Line& record);

  /// Every result, in the order of the jobs; those without all their records get the reason.
  std::vector<model::StepResult> finish(const std::string& why_not);

  /// Whether a job has all its records.
  bool complete(std::size_t job) const { return by_job_[job].size() == task_.kinds.size(); }
  model::StepResult result(std::size_t job, const std::string& why_not) const;
  /// A job's records, those that it came with first.
  std::vector<model::Record> records_of(std::size_t job) const;
  /// The job that the judge was at when its last record came.
  std::optional<std::size_t> under_way() const { return under_way_; }
  std::string doing() const { return doing_; }  ///< "targets, n = 64"
  /// Whether it has come to times.
  bool times() const { return kind_ == TestKind::time; }
  /// Drops a job's records: it will be judged again.
  void forget(std::size_t job);
  /// Says the results of jobs that have been decided meanwhile.
  void tell_decided();
  std::size_t records() const { return records_; }  ///< taken so far

  /// Share of the planned records that are there.
  double share() const;

  std::vector<model::Reproduction> reproductions;
  /// Records of kind profile and hardware; the documents that they name are in them.
  std::vector<nlohmann::json> profiles;
  std::string text = "starting";  ///< what the judge does now

 private:
  void take(const model::Record& record);
  void take(const model::Progress& progress);
  void take(const model::Reproduction& table);
  void take(const nlohmann::json& document);
  bool is_of(const model::Subject& record, std::size_t job) const;
  void tell(std::size_t i, const std::string& why_not);

  const Task& task_;
  std::function<void(const model::StepResult&)> ready_;
  std::vector<std::vector<model::Record>> by_job_;
  std::vector<bool> told_;
  std::optional<std::size_t> under_way_;
  std::optional<TestKind> kind_;
  std::string doing_;
  std::size_t records_ = 0;
  double part_ = 0;  ///< of the record that is being made
};

}  // namespace ladder
