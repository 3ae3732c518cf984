#pragma once
/// @file
/// The folder of the grades: records, decisions, sources, pages.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/grade/record.hpp"
#include "common/model/grade.hpp"

namespace ladder {

struct GradeOptions;

inline constexpr const char* reference_name = "reference";  ///< where a pseudonym would be

/// What people have decided, and about whose submission.
using Decisions = std::vector<std::pair<std::string, grade::Decision>>;

/// What ./ladder grade has written to a folder.
class GradeStore {
 public:
  /// @throws UsageError where no grades are
  explicit GradeStore(std::filesystem::path out);

  /// All records, by pseudonym, with the decisions about them; a step of which nothing was taken has what was
  /// there ("untaken").
  std::vector<model::GradeRecord> records() const;
  /// One of them. @throws UsageError with the nearest names
  model::GradeRecord record(const std::string& pseudonym) const;
  /// A step of one: "03/g2". @throws UsageError
  model::GradeEntry step(const std::string& pseudonym, const std::string& label) const;
  /// Adds to the log, and makes the pages again.
  void decide(const std::string& pseudonym, const grade::Decision& decision) const {
    decide({{pseudonym, decision}});
  }
  /// Several at once; all are tried before the first is kept. @throws UsageError
  void decide(const Decisions& all) const;
  /// Adds a line to the log: whole or not at all, also while others add theirs. @throws UsageError
  void log(const nlohmann::json& line) const;
  /// What people have amended of a submission, by the steps' ids: the last of each, from the log, which
  /// outlives records.
  std::map<std::string, model::Amendment> amendments(const std::string& pseudonym) const;
  /// A record with what people have decided about it.
  model::GradeRecord with_decisions(model::GradeRecord record) const;
  /// The record as it was judged, and its file.
  model::GradeRecord judged(const std::string& pseudonym) const {
    return grade::read_record(file_of(pseudonym));
  }
  std::filesystem::path file_of(const std::string& pseudonym) const {
    return out_ / "records" / (pseudonym + ".json");
  }
  /// Copies a record to old/.
  void keep_old(const std::string& pseudonym) const;
  /// Puts a record in the place of one, which stays in old/.
  void replace(const model::GradeRecord& record) const;
  /// Lines of the log that nobody can read, each with its place: power was gone while one was written.
  std::vector<std::string> unreadable() const;
  /// Whether files can be written here. @throws UsageError
  void try_to_write_here() const;
  /// Makes overview, CSV and each student's page again.
  void write_pages() const;

  const std::filesystem::path& folder() const { return out_; }

 private:
  std::filesystem::path out_;
};

/// Puts several folders of grades into one. Logs of folders that began as copies of one are joined line by
/// line, by time.
/// @return records in it
std::size_t merge_folders(const std::vector<std::string>& folders, const std::filesystem::path& out);

/// An entry of a record's steps in the place of the one of the same step, phase and part; what is open stays
/// so.
void put_step(model::GradeRecord& record, const model::GradeEntry& entry);

/// The entry of a step, by its id: of the instant phase, or of a part of the final one.
std::optional<model::GradeEntry> entry_of(const model::GradeRecord& record, const std::string& id,
                                          const std::string& part = "");
/// The class key that these were graded with, for verbs that judge again: the one typed, the grades' own, or
/// that of the course file which they were graded by.
std::filesystem::path key_of_grades(const std::filesystem::path& out, const std::string& typed);

/// The headers and symbols that were allowed when these were graded, where no course file is given that says
/// so.
void take_allowed(GradeOptions& options, const std::filesystem::path& out);

/// Private tests and the class key of the course file that --course names, for grades that are there. What is
/// typed wins, and the grades' own key. @throws UsageError
void take_private_tests(GradeOptions& options, const std::filesystem::path& out);

/// Private parts that could not be judged again, a line each: those that a record has, and the new one lacks
/// of the steps in it.
std::vector<std::string> private_parts_missing(const model::GradeRecord& old,
                                               const model::GradeRecord& fresh);

/// What was judged of an equal source; nothing: not yet, or in a file that an earlier ladder has written
/// otherwise.
std::optional<model::GradedResult> known_result(const std::filesystem::path& file);

/// Whether a result of an equal source that these grades keep counts for a submission. A reference that did
/// not pass is judged again: an older ladder may have kept that, and with it no batch would ever begin.
bool counts_as_known(const model::GradedResult& result, const std::string& pseudonym);

}  // namespace ladder
