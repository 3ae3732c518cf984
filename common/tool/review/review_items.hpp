#pragma once
/// @file
/// What waits for a person in a folder of grades: its evidence, and what has the same one.

#include <string>
#include <vector>

#include "common/tool/grading/grade_store.hpp"

namespace ladder {

/// One step of one submission that waits for a person.
struct Open {
  std::string pseudonym;
  model::GradeEntry step;
  std::string notes;
};

/// Whether a step waits: its verdict is for a person to decide, or something came and nothing was taken for
/// it.
bool waits(const model::GradeEntry& step);

/// All that wait in these grades.
std::vector<Open> open_items(const GradeStore& store);

/// What the evidence rests on, next to the sentence that the item begins with; empty: that says all.
std::string evidence_of(const model::GradeEntry& step);

/// How a course file allows it to everybody; empty: it cannot.
std::string allowance_for(const model::GradeEntry& step);

/// The items with the same evidence as a step, the step itself left out: the same names, however the steps
/// were judged. What was found otherwise has its own evidence.
std::vector<Open> alike(const std::vector<Open>& items, const std::string& pseudonym,
                        const model::GradeEntry& step);

/// A decision of one step for others like it, too.
Decisions decisions_for(const std::vector<Open>& items, grade::Decision decision);

}  // namespace ladder
