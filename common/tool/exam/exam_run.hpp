#pragma once
/// @file
/// The runs behind an exam: every answer is what the executor has shown.

#include <string>
#include <vector>

#include "common/tool/core/context.hpp"
#include "common/tool/exam/exam_bank.hpp"

namespace ladder::exam {

/// Runs the programs of all questions, equal runs once, and gives each question its key. The steps' tables
/// must have been read.
/// @return why questions have no key: what a run showed is not what the row or the file of the edits says.
/// They go.
std::vector<std::string> answer_all(Context& context, std::vector<Question>& bank, std::uint64_t seed);

}  // namespace ladder::exam
