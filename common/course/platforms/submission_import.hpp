#pragma once
/// @file
/// What was handed in, by whom and when, from the folder that a platform lets one download.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/course/platforms/roster.hpp"
#include "common/course/times.hpp"

namespace ladder::course {

/// One submission.
struct ImportedSubmission {
  std::string key{};       ///< of the platform, unique in a class, no person's name: "submission_123"
  std::string platform{};  ///< gradescope, canvas, moodle, clones or packages
  std::vector<std::string> people{};  ///< ids of the roster; empty: nobody knows whose it is
  std::filesystem::path path{};       ///< a folder or an archive, as intake reads it; see gather_files()
  std::vector<std::filesystem::path> files{};  ///< Canvas: the files of a folder in which everybody's lie
  std::optional<Time> received{};  ///< as the platform says; never of a file or a commit. Nothing: not known
  bool late = false;               ///< the platform says so; the deadlines of the course decide
  int attempt = 1;                 ///< of these people; grows with `received`
  bool active = true;              ///< the last one of these people
  std::string participant{};  ///< Moodle's number of this person in this assignment: feedback goes back by it
  std::string said{};         ///< whom the platform names, for people who look for the unknown
  std::vector<std::string> notes{};  ///< what a person should know about it
};

/// All of a folder.
struct SubmissionImport {
  std::vector<ImportedSubmission> all;  ///< by key
  std::vector<std::string> missing;     ///< ids of people without a submission, in the roster's order
  std::vector<std::string> remarks;     ///< of the folder, one line each
  /// Those whose people are not known, of one platform or of all (""): a line each, saying whom the platform
  /// names.
  std::vector<std::string> unmatched(const std::string& platform = {}) const;
};

/// What stands next to the folder.
struct ImportOptions {
  /// A table `submission,received` and, if there are, `id`, `commit`, `attempt`: times of the server, for
  /// what has none of its own. `submission` is a key, or an id of the roster. Empty: received.csv in the
  /// folder, where it is.
  std::filesystem::path received;
  Zone zone = this_machine;  ///< of times without one
};

/// Recognises what lies in a folder: Gradescope's export, Canvas's files, Moodle's folders, clones, packages
/// of our own; or a folder of several of these.
/// @throws Error for a folder that cannot be read, and metadata of a platform that are not what it writes
SubmissionImport import_submissions(const std::filesystem::path& folder, const Roster& roster,
                                    const ImportOptions& beside = {});

/// Where the submission lies as one folder or archive: its path; or in `into`, which gets copies of its
/// files, without the person in their names: what is refused is on a page.
std::filesystem::path gather_files(const ImportedSubmission& handed, const std::filesystem::path& into);

/// Keeps a list, with ids of people: a file of mode 0600.
void write_import(const std::filesystem::path& file, const SubmissionImport& handed);
/// @throws Error naming the file and what is wrong with it
SubmissionImport read_import(const std::filesystem::path& file);

}  // namespace ladder::course
