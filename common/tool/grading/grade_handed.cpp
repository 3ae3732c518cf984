/// @file
/// The verb grade with --roster: a platform's download as submissions.

#include <fmt/format.h>

#include "common/base/error.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/platforms/submission_import.hpp"
#include "common/course/summary.hpp"
#include "common/course/time_zone.hpp"
#include "common/grade/intake/source_encoding.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/grading/grading.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

course::SubmissionImport import_submissions(const GradeOptions& options, const fs::path& folder) {
  try {
    const course::TimeZone place(options.timezone.empty() ? "UTC" : options.timezone);
    const course::Zone zone = [&](course::ClockTime shown) {
      return place.moment(course::local_seconds(shown.time_since_epoch()));
    };
    return course::import_submissions(
        folder, course::read_roster(options.roster),
        {.received = options.received, .zone = options.timezone.empty() ? course::this_machine : zone});
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
}

/// What was found, and what a person has to look for. No name: of the unknown the key, of people the course's
/// id.
void say(Terminal& terminal, const course::SubmissionImport& handed, const fs::path& list,
         const fs::path& times) {
  for (const std::string& line : course::handed_summary(handed, times)) terminal.print(line);
  for (const course::ImportedSubmission& one : handed.all)
    if (one.people.empty())
      terminal.print(fmt::format("{}: nobody on the roster; {} says whom the platform names",
                                 grade::printable(one.key), list.string()));
  for (const std::string& remark : handed.remarks) terminal.print(grade::printable(remark));
}

}  // namespace

std::vector<Submission> handed_submissions(const Batch& batch, const fs::path& folder) {
  const course::SubmissionImport handed = import_submissions(batch.options, folder);
  const fs::path list = batch.out / "handed.json";
  course::write_import(list, handed);
  const std::string& given = batch.options.received;
  say(batch.context.terminal, handed, list, given.empty() ? folder / "received.csv" : fs::path(given));
  std::vector<Submission> all;
  for (const course::ImportedSubmission& one : handed.all)
    all.push_back({.name = one.key,
                   .pseudonym = {},
                   .path = one.path,
                   .received = one.received ? course::utc_text(*one.received) : "",
                   .files = one.files});
  return all;
}

fs::path gather_files(const Batch& batch, const Submission& submission) {
  return course::gather_files({.path = submission.path, .files = submission.files},
                              batch.work / "handed" / submission.pseudonym);
}

}  // namespace ladder
