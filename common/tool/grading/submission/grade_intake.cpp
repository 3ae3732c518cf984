/// @file
/// What of a submission is taken to be graded: its wanted files, what people have amended in it, and what has
/// changed since.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "common/base/error.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/intake/source_encoding.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/grading.hpp"
#include "common/tool/grading/submission/judge_again.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// Whether a path of a submission ends as a file of the checkout does: "hw/common/device/cuda.hpp". A file's
/// name alone says nothing: anybody may call a file README.md.
bool is_of_checkout(const fs::path& root, const std::string& path) {
  for (auto slash = path.rfind('/'); slash != path.npos && slash > 0;) {
    slash = path.rfind('/', slash - 1);
    std::error_code none;
    if (fs::is_regular_file(root / path.substr(slash == path.npos ? 0 : slash + 1), none)) return true;
  }
  return false;
}

/// Sums of the files that a record has, by their paths, with notes.md.
std::map<std::string, std::string> sums_of(const model::GradedSubmission& submission) {
  std::map<std::string, std::string> sums;
  for (const model::GradedFile& file : submission.files)
    sums[file.path] = file.submitted_sha256.empty() ? file.sha256 : file.submitted_sha256;
  if (!submission.notes.empty()) sums["notes.md"] = submission.notes;
  if (!submission.predictions.empty()) sums["predictions.json"] = submission.predictions.dump();
  return sums;
}

bool same_refused(const std::vector<model::RefusedFile>& a, const std::vector<model::RefusedFile>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
    return one.path == other.path && one.why == other.why;
  });
}

/// Files of which two submissions have different ones, or one of them none.
std::vector<std::string> differing(const model::GradedSubmission& before,
                                   const model::GradedSubmission& now) {
  const auto old = sums_of(before), fresh = sums_of(now);
  std::set<std::string> names;
  for (const auto& [path, sum] : old)
    if (!fresh.contains(path) || fresh.at(path) != sum) names.insert(path);
  for (const auto& [path, sum] : fresh)
    if (!old.contains(path)) names.insert(path);
  // Where nothing is taken for a step, what was there says whether it is the same; an older record has none.
  const bool as_before = same_refused(before.refused, now.refused) &&
                         (before.contained.empty() || before.contained == now.contained);
  if (!now.missing.empty() && !as_before) names.insert("what could not be taken");
  return {names.begin(), names.end()};
}

}  // namespace

grade::Taken taken_in(const Batch& batch, const Submission& submission, const fs::path& pristine) {
  if (!submission.away.empty()) throw Error(submission.away);
  const fs::path root = batch.context.root;
  grade::Wanted wanted;
  for (const GradedStep& step : batch.steps) {
    const std::string file = step.step->lesson + "/" + step.step->file;
    wanted.steps.push_back(file);
    wanted.skeletons[file] = read_text(root / "lessons" / file);
  }
  wanted.headers = batch.options.headers;
  wanted.is_handout = [root](const std::string& path) { return is_of_checkout(root, path); };
  return grade::take(submission.path, wanted, pristine);
}

std::map<std::string, model::Amendment> put_amendments(const Batch& batch, const Submission& submission,
                                                       const fs::path& sources) {
  std::map<std::string, model::Amendment> counting;
  const auto amended_before = GradeStore(batch.out).amendments(submission.pseudonym);
  for (const GradedStep& step : batch.steps) {
    const auto found = amended_before.find(step.step->path());
    if (found == amended_before.end()) continue;
    const fs::path name = fs::path(step.step->lesson) / step.step->file;
    const fs::path amended = batch.out / "amended" / submission.pseudonym / name;
    const std::string submitted = sha256(read_text(sources / name));
    if (found->second.source_sha256 != submitted || !fs::exists(amended)) continue;
    write_text(sources / name, read_text(amended));
    counting.insert(*found);
  }
  return counting;
}

std::vector<std::string> lost_amendments(const GradeStore& store, const model::GradeRecord& record) {
  std::vector<std::string> lines;
  const std::string& pseudonym = record.pseudonym;
  for (const auto& [step, amendment] : store.amendments(pseudonym)) {
    const auto entry = entry_of(record, step);
    if (!entry || entry->amendment || entry->staff.verdict == Verdict::not_run) continue;
    lines.push_back(
        fmt::format("{} {}: the amendment by {} is of another file than the one that lies there now, and no "
                    "longer counts; "
                    "./ladder amend repeats it",
                    pseudonym, report::label(*entry), amendment.by));
  }
  return lines;
}

std::string hash_of_step(const std::string& id, const std::string& backend, const fs::path& source) {
  std::string all = id + "\n" + backend + "\n" + read_text(source);
  std::vector<fs::path> headers;
  for (const auto& entry : fs::directory_iterator(source.parent_path()))
    if (entry.path().extension() != source.extension()) headers.push_back(entry.path());
  std::sort(headers.begin(), headers.end());
  for (const fs::path& header : headers) all += "\n" + header.filename().string() + "\n" + read_text(header);
  return sha256(all);
}

bool counts_as_known(const model::GradedResult& result, const std::string& pseudonym) {
  return pseudonym != reference_name || result.verdict == Verdict::pass || result.verdict == Verdict::skipped;
}

std::string changed_since(const Batch& batch, const Submission& submission) {
  const auto record = grade::whole_record(batch.record_of(submission));
  if (!record) return "";
  const fs::path pristine = batch.work / "compared" / submission.pseudonym;
  grade::Taken taken;
  try {
    taken = taken_in(batch, submission, pristine);
  } catch (const Error& error) {
    fs::remove_all(pristine);
    throw;
  }
  fs::remove_all(pristine);
  const model::GradeRecord now = empty_record(batch, submission, taken);
  return fmt::format("{}", fmt::join(differing(record->submission, now.submission), ", "));
}

namespace {

void keep_as_old(const Batch& batch, const Submission& submission, const std::string& why) {
  batch.context.terminal.print(
      fmt::format("{}: it is judged again, and the old record stays in {}/old", why, batch.out.string()));
  GradeStore(batch.out).keep_old(submission.pseudonym);
}

}  // namespace

std::vector<Submission> to_be_graded(Batch& batch, const std::vector<Submission>& submissions) {
  std::vector<Submission> todo;
  Terminal& terminal = batch.context.terminal;
  const auto known = std::count_if(submissions.begin(), submissions.end(), [&](const Submission& submission) {
    return grade::wrong_with(read_json(batch.record_of(submission))).empty();
  });
  if (known > 0 && !batch.options.resume && !batch.options.passing)
    terminal.print(
        fmt::format("{} of {} submissions have a grade here: all are judged again, and decisions and "
                    "amendments stay; --resume judges what is new or has changed",
                    known, submissions.size()));
  for (Submission submission : submissions) {
    const bool graded = batch.options.resume && is_graded(batch, submission);
    const std::string who = fmt::format("{} ({})", submission.pseudonym, grade::printable(submission.name));
    try {
      submission.path = gather_files(batch, submission);
      submission.files.clear();
      const std::string changed = graded ? changed_since(batch, submission) : "all of it";
      if (changed.empty()) continue;
      if (graded)
        keep_as_old(batch, submission,
                    fmt::format("{}: what lies there now is not what was graded ({})", who, changed));
    } catch (const std::exception& error) {  // of the file system, too
      if (graded) {
        terminal.print(fmt::format("{}: {}; its grade stays as it is", who, error.what()));
        continue;
      }
      submission.away = error.what();
    }
    todo.push_back(std::move(submission));
  }
  return todo;
}

}  // namespace ladder
