#pragma once
/// @file
/// Graded submissions judged once more: from the sources that the grades keep, with their key, attempt and
/// sandbox.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/grade/key.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/unified_diff.hpp"
#include "common/tool/grading/grade_store.hpp"

namespace ladder {

struct JudgeAgain {
  std::filesystem::path out;       ///< where the new records go
  std::vector<std::string> rungs;  ///< as --rungs has them
  std::map<std::string, std::string>
      replaced{};             ///< texts in the place of files: "03-dgemm/g2_shared_tiles.cu"
  bool no_reference = false;  ///< the reference is not judged again: what these grades know of it counts
  bool known = false;         ///< results of equal sources in these grades count: of the reference, for one
  bool quiet = false;         ///< nothing is printed of the batch
};

/// The class key of these grades. @throws UsageError where there is none, or another
grade::Key key_of(const Context& context, const GradeStore& store,
                  const std::vector<model::GradeRecord>& records);

/// Copies what was taken in of a submission, with what people have fixed in it, to a new folder.
/// @throws UsageError when its sources are gone
void lay_out(const GradeStore& store, const model::GradeRecord& record, const std::filesystem::path& mine);

/// Judges the submissions of these records again; what people have fixed stays fixed.
/// @return the new records by pseudonym; one that could not be graded is not among them
/// @throws UsageError when they cannot be judged as they were: another key, no sources
std::map<std::string, model::GradeRecord> judge_again(Context& context, const GradeStore& store,
                                                      const std::vector<model::GradeRecord>& records,
                                                      const JudgeAgain& what);

/// Judges variants of one graded submission next to each other, as it was judged: each is its sources, as
/// people have fixed them,
/// with these texts in the place of files. @return the records, none for one that could not be graded
std::vector<std::optional<model::GradeRecord>> judge_variants(
    Context& context, const GradeStore& store, const model::GradeRecord& record, const JudgeAgain& what,
    const std::vector<std::map<std::string, std::string>>& variants);

/// Where the fixed file of a step lies: amended/S-ABCDEFGH/03-dgemm/g2_shared_tiles.cu.
std::filesystem::path amended_file(const GradeStore& store, const std::string& pseudonym,
                                   const model::GradeEntry& step);

/// Where the submitted file of a step lies, whether or not one was taken.
std::filesystem::path place_of_submitted(const GradeStore& store, const std::string& pseudonym,
                                         const model::GradeEntry& step);
/// The submitted file of a step. @throws UsageError when the grades do not keep it
std::filesystem::path submitted_file(const GradeStore& store, const std::string& pseudonym,
                                     const model::GradeEntry& step);

/// "CRASHED, 0 of 8 points"
std::string verdict_and_points(const model::GradeEntry& step);

}  // namespace ladder
