#pragma once
/// @file
/// doctor --report: one text that a student can send to the staff.

#include <nlohmann/json.hpp>
#include <string>

#include "common/model/machine.hpp"

namespace ladder {

/// What a report must not say, wherever it is in a text: replaced by a word of its own.
struct Private {
  std::string home, user, host, root, build;
  /// Those of this process and machine.
  static Private here(const std::string& root, const std::string& build);
  /// The text without them, and without any other absolute path: of a path only its last part stays.
  std::string removed(std::string text) const;
};

/// The report: versions, devices, what is missing, the last verdicts that did not pass. At most 80 columns.
/// @param handout   the handout's version; empty: a clone
/// @param verdicts  as .ladder/state.json keeps them: only verdict, message and device are taken
std::string doctor_report(const model::Machine& machine, const std::string& handout,
                          const nlohmann::json& verdicts, const Private& secrets);

}  // namespace ladder
