#pragma once
/// @file
/// Who writes an exam, from a roster.

#include <filesystem>
#include <vector>

#include "common/tool/exam_bank.hpp"

namespace ladder::exam {

/// The columns id and name of a CSV, in its order; further columns are not read.
/// @throws UsageError naming file and line
std::vector<Student> read_students(const std::filesystem::path& file);

}  // namespace ladder::exam
