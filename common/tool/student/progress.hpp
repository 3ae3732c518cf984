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

/// A wrapped block of a heading and its text, as feedback shows it.
std::string feedback_block(const std::string& heading, const std::string& text, std::size_t width);

/// The verdict line and the detail blocks of a step.
std::string feedback(const Context& context, const model::StepResult& step);

/// A call of check or profile with the options of this one that it does not have: what was asked is asked
/// again. It stays on one line when its text is wrapped.
std::string with_options_of(const Options& mine, std::string call);

/// What a person reads of a step that was judged: feedback, and what to do next.
/// @param one_of_several  the way from a rung that is done to the next one is left out: next_text() says it once
std::string judged_text(Context& context, const Progress& progress, const StepEntry& step,
                        const model::StepResult& result, bool one_of_several = false);

/// What to do after a step that was judged, under *Next*; empty where the judge has said it.
std::string next_text(Context& context, const Progress& progress, const StepEntry& step,
                      const model::StepResult& result);

/// "12 steps: 10 PASS, 2 SKIPPED.", why numbers were not measured or not decided, and the problems of the
/// lessons.
std::string summary(const model::Document& document);

}  // namespace ladder
