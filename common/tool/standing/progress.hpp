#pragma once
/// @file
/// How far a student is: the last verdict of each step, kept in .ladder/.

#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "common/model/document.hpp"
#include "common/model/student.hpp"
#include "common/tool/core/context.hpp"

namespace ladder {

/// The last verdict of a rung.
struct LastVerdict {
  /// Verdict, message, points, cases, targets and details; the times of the same file.
  model::StepResult result{};
  std::time_t time = 0;
  std::string remark{};  ///< of a rung that is right: which number was not measured
};

/// The last verdicts of the student's steps. A verdict counts only while the file is the one that got it.
class Progress {
 public:
  explicit Progress(const Context& context);

  /// Keeps a result of tree lessons, and appends it to the history.
  void take(const model::StepResult& result);

  /// Keeps the times of a result of tree lessons next to the verdict of the same file, where there is one.
  void take_times(const model::StepResult& result);

  /// Writes what these got since the last time; silent when nothing can be written, since results do not
  /// depend on it. Verdicts that another ./ladder has written meanwhile stay.
  void save();

  /// Nothing: it has no verdict.
  std::optional<LastVerdict> last(const StepEntry& step) const;
  /// The same, where the file is still the one that got it.
  std::optional<LastVerdict> last_of_present(const StepEntry& step) const;

  /// "PASS", "MISSED", "not started", "changed since PASS", "not checked", "given".
  std::string state(const StepEntry& step) const;

  /// The same for people: a rung that is right, with a number that could not be measured here, is PASS with a
  /// remark.
  std::string shown_state(const StepEntry& step) const;

  /// Whether there is nothing more to do for it here: PASS, or right with a number that cannot be measured
  /// here.
  bool done(const StepEntry& step) const;

  /// Whether a student has written something in it.
  bool is_begun(const StepEntry& step) const;
  /// Whether a student still has to: it is there, not given whole, and not done.
  bool left_to_do(const StepEntry& step) const;

 private:
  std::optional<model::KeptVerdict> kept_at(const std::string& path) const;

  const Context& context_;
  nlohmann::json last_, fresh_ = nlohmann::json::object();
  std::string history_;
};

}  // namespace ladder
