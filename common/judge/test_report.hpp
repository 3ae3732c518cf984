#pragma once
/// @file
/// The results of one test case for one step, and the record that it writes.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/base/verdict.hpp"
#include "common/judge/plan.hpp"
#include "common/judge/session/session.hpp"
#include "common/judge/timing/energy.hpp"
#include "common/judge/timing/time_result.hpp"

namespace ladder {

/// The answer of a lesson's verification to one result.
struct Check {
  /// Empty: right. Else the number of wrong elements, the first one, its expected and actual value.
  std::string wrong{};
  std::string measure{};
  double error = 0, bound = 0;
  std::string second_measure{};  ///< the source's own, shown in addition
  double second_error = 0;
  double amount = 0;  ///< the target's metric, where that is read from the result itself: an error in ulps
  std::vector<std::pair<std::string, std::string>> details{};
  bool right() const { return wrong.empty(); }
};

/// One number of a row: its bound, its measured value, and its own verdict.
struct TargetResult {
  std::string metric{}, relation{};
  double bound = 0, measured = 0;
  Verdict verdict = Verdict::pass;
  bool known = false;  ///< it was measured
  bool work = false;   ///< it counts work: the next three say what less than the necessary amount means
  double floor = 0;    ///< what no program of the contract can do without; 0: nothing is known of that
  /// What kernels of all names need, where the row counts those of one name; 0: it counts all.
  double all_kernels = 0;
  std::string proof{},
      own_cost{};        ///< why; and what the reference's design costs, where others may need less
  std::string reason{};  ///< why it was not measured, or could not be decided
  std::string necessary{};
  double amount = 0, necessary_amount = 0;
  double points = 0, max_points = 0;
  std::optional<double> below{};  ///< the number of the rung below, shown for comparison
};

/// Collects, then writes one line of results.jsonl.
class TestReport {
 public:
  TestReport(const PlannedStep& step, TestKind kind);

  /// @param done  of @p of of this step's test; more than @p of while other steps are measured with it
  void progress(const std::string& text, double done, double of) const;
  void case_passed(const std::string& group);
  void set(Verdict verdict, std::string message);
  void set(const Failure& failure);
  /// Adds a detail, once. An empty heading continues the one before.
  void detail(std::string heading, std::string text);
  bool has_detail(const std::string& heading) const;
  /// The findings are the explanation: later details under the same headings are guesses, and are left out.
  void close_headings();
  void close(const std::string& heading) { closed_.insert(heading); }
  /// What is known to be the cause, by its kind: a finding's. The first one stays.
  void set_cause(const std::string& kind) {
    if (cause_.empty()) cause_ = kind;
  }
  const std::string& cause() const { return cause_; }
  /// Whether the cause may be the order of threads: it is not known, or it is a race, or a read before the
  /// write.
  bool may_be_order() const {
    return cause_.empty() || cause_.ends_with("-race") || cause_ == "uninitialised";
  }
  /// Whether it is asked for the first time.
  bool is_new(const std::string& said) { return said_.insert(said).second; }
  void keep_worst(const Check& check);
  /// Adds a target with its points. Its verdict and its message are combined with those of the targets before
  /// it.
  void add(const TargetResult& target, const std::string& said);
  void set(const TimeResult& time) {
    time_ = time;
    timed_ = true;
  }
  void set(const EnergyResult& energy) { energy_ = energy; }
  void points(double earned, double possible) { points_ += earned, max_points_ += possible; }
  void data(std::string where) { data_ = std::move(where); }
  /// The share of classes of cases that passed completely; the number planned must have been announced by
  /// expect().
  double share() const;
  void expect(const std::string& group) { ++cases_[group].second; }
  /// The case that the message is about: its place among the step's, and its name. The first one stays.
  void failed_case(std::size_t index, const std::string& label) {
    if (!failed_case_) failed_case_.emplace(index, label);
  }
  /// Adds the results of the classes of cases to the message: "right in all 5 classes", "general 1 of 5,
  /// tails 0 of 3".
  void name_classes();

  Verdict verdict() const { return verdict_; }
  const std::vector<TargetResult>& targets() const { return targets_; }
  const std::vector<std::pair<std::string, std::string>>& details() const { return details_; }
  const std::string& message() const { return message_; }
  /// Writes the record and waits until it is on the disk.
  void write() const;

 private:
  const PlannedStep& step_;
  TestKind kind_;
  std::string message_, data_ = "host";
  Verdict verdict_ = Verdict::pass;
  std::vector<std::pair<std::string, std::string>> details_;
  std::set<std::string> closed_;  ///< headings that accept no more details
  std::set<std::string> said_;
  std::string cause_;
  std::map<std::string, std::pair<int, int>> cases_;  ///< passed, of
  std::optional<std::pair<std::size_t, std::string>> failed_case_;
  Check worst_;
  std::vector<TargetResult> targets_;
  TimeResult time_;
  bool timed_ = false;
  EnergyResult energy_;
  double points_ = 0, max_points_ = 0;
  double used_before_;  ///< CPU time until it was made
};

model::Subject subject_of(const PlannedStep& step);
/// A document about a step, to which more is added: {"record", "lesson", "step", "tree", "mutant",
/// "backend"}.
nlohmann::json record_of(const PlannedStep& step, const char* kind);
void append_progress(const PlannedStep& step, TestKind kind, const std::string& text, double done, double of);
/// Appends a record as one line to the results and waits until it is on the disk. @throws ladder::Error on a
/// full disk.
void append_record(const nlohmann::json& record);

}  // namespace ladder
