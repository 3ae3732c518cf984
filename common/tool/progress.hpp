#pragma once
/// @file
/// How far a student is: the last verdict of each step, kept in .ladder/.

#include <nlohmann/json.hpp>
#include <string>

#include "common/tool/context.hpp"

namespace ladder {

/// The last verdicts of the student's steps. A verdict counts only while the file is the one that got it.
class Progress {
 public:
  explicit Progress(const Context& context);

  /// Keeps a result of tree lessons, and appends it to the history.
  void take(const nlohmann::json& result);

  /// Writes what take() got; silent when nothing can be written, since results do not depend on it.
  void save() const;

  /// "PASS", "MISSED", "not started", "changed since PASS", "not checked", "given".
  std::string state(const StepEntry& step) const;

  /// Whether there is nothing more to do for it here: PASS, or right with a number that cannot be measured here.
  bool done(const StepEntry& step) const;

 private:
  const Context& context_;
  nlohmann::json last_;
  std::string history_;
};

/// A wrapped block of a heading and its text, as feedback shows it.
std::string feedback_block(const std::string& heading, const std::string& text, std::size_t width);

/// The verdict line and the detail blocks of a step.
std::string feedback(const Context& context, const nlohmann::json& step);

/// "12 steps: 10 PASS, 2 SKIPPED." and the problems of the lessons.
std::string summary(const nlohmann::json& document);

}  // namespace ladder
