#pragma once
/// @file
/// results.jsonl: what a judge writes while it works, sorted to the steps it belongs to.

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/report/results.hpp"
#include "common/tool/judging.hpp"

namespace ladder {

/// What is known of a job before it is judged.
report::StepFacts facts(const Job& job);

/// The lines that the judge has written since the last look; a line that is not complete yet waits.
class Tail {
 public:
  explicit Tail(std::filesystem::path file) : file_(std::move(file)) {}
  std::vector<nlohmann::json> fresh();
  int bad() const { return bad_; }  ///< lines that were no JSON

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

  /// Share of the planned records that are there.
  double share() const;

  std::vector<nlohmann::json> reproductions;
  /// Records of kind profile and hardware; the documents that they name are in them.
  std::vector<nlohmann::json> profiles;
  std::string text = "starting";  ///< what the judge does now

 private:
  void take_reproduction(const nlohmann::json& record);
  nlohmann::json result(std::size_t i, const std::string& why_not) const;
  void tell(std::size_t i, const std::string& why_not);

  const Task& task_;
  std::function<void(const nlohmann::json&)> ready_;
  std::vector<std::vector<nlohmann::json>> by_job_;
  std::vector<bool> told_;
  double part_ = 0;  ///< of the record that is being made
};

}  // namespace ladder
