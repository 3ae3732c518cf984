#pragma once
/// @file
/// Submissions kept as tests of grading: STEP.NAME.cu or .cpp below tests/grading/attacks/NN-name are
/// hostile, those below tests/grading/honest/NN-name are right in an unusual way. `expected_result.hpp` says
/// how each begins.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/model/grade.hpp"
#include "common/tool/maintain/checks/expected_result.hpp"

namespace ladder {

/// One of these submissions, and what it must get.
struct GradingCase {
  std::string lesson;  ///< "03-dgemm"
  std::string step;    ///< "g1_naive"
  std::string name;    ///< "forged_record"
  std::filesystem::path file;
  bool hostile = true;
  ExpectedResult expected;  ///< its words are looked for in what staff reads
  /// What it brings along: the headers that it includes, from its own folder or from
  /// tests/grading/fixtures/NN-name.
  std::vector<std::filesystem::path> headers{};

  std::string submission() const {
    return (hostile ? "attack-" : "honest-") + lesson.substr(0, 2) + "-" + step + "-" + name;
  }
  std::string file_name() const { return step + file.extension().string(); }
};

/// Reads all of them, in the order of names. Folders below a lesson's sort them for people only.
/// @throws Error naming the file without verdict or sentence, or with the name of another one
std::vector<GradingCase> grading_cases(const std::filesystem::path& root);

/// Whether a file of the repository is one of these submissions or of what they bring along: neither its
/// layout nor its words are ours.
bool is_kept_submission(const std::string& file);

/// Where each mark in a source leads: "@SECRET@" to a file that no submission may read.
using Marks = std::map<std::string, std::string>;

/// Writes a case and its headers as a submission below a folder.
void pack(const GradingCase& one, const std::filesystem::path& submissions, const Marks& marks);

/// Why the step of a record (schema gpu-ladder-grade/1) is not what a case must get; empty: it is.
std::string wrong_grade(const GradingCase& one, const std::string& mode, const model::GradeRecord& record);

/// What is left of submissions on this machine: processes that run programs below a folder, and what attacks
/// call "ladder-attack" in folders that anybody may write, with shared memory of their key. One line each.
std::vector<std::string> leftovers(const std::filesystem::path& programs);

/// A row of docs/grading-attacks.md: what, where, the verdict of each mode and its evidence.
std::string table_row(const GradingCase& one, const std::map<std::string, model::GradeRecord>& records);

}  // namespace ladder
