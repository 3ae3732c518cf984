#include "common/tool/grading/submission/judge_again.hpp"
#include "common/tool/grading/grade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/key.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/grade_course.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using Texts = std::map<std::string, std::string>;

/// The file of the key that the inputs of these records came from.
fs::path key_file(const Context& context, const GradeStore& store,
                  const std::vector<model::GradeRecord>& records) {
  const fs::path file = key_of_grades(store.folder(), context.options.grade.key);
  if (!fs::exists(file))
    throw UsageError{fmt::format("no class key {}: --key FILE names the one that the grades were made with",
                                 file.string())};
  const std::string id = grade::key_id(grade::read_key(file));
  for (const model::GradeRecord& record : records)
    if (record.key_id.value_or("") != id)
      throw UsageError{
          fmt::format("{} is another class key than that of {}: with it the inputs would be others",
                      file.string(), record.pseudonym)};
  return file;
}

/// One submission as it was graded, with what was fixed and what is replaced.
void lay_out_with(const GradeStore& store, const model::GradeRecord& record, const Texts& replaced,
                  const fs::path& mine) {
  lay_out(store, record, mine);
  for (const auto& [name, text] : replaced) write_text(mine / name, text);
}

/// Options of the verb grade with which these were graded.
GradeOptions options_of(const Context& context, const GradeStore& store, const model::GradeRecord& record,
                        const JudgeAgain& what) {
  GradeOptions options = context.options.grade;
  options.out = what.out.string();
  options.rungs = what.rungs;
  take_allowed(options, store.folder());
  options.resume = what.known;
  options.passing = true;
  if (what.no_reference) options.reference = (store.folder() / "reference.json").string();
  options.attempt = record.submission.attempt;
  const std::string mode = record.sandbox.value_or("none (trusted)");
  options.sandbox = mode.starts_with("none") ? "none" : mode;
  return options;
}

/// What a GPU has judged in the first phase is judged on one again.
std::string device_of(const model::GradeRecord& record) {
  for (const model::GradeEntry& step : record.steps)
    if (step.phase == "instant" && step.backend == "cuda") return "cuda";
  return "";
}

/// Grades a folder that was laid out, with the options of the record; the folder is gone afterwards.
void grade_again(Context& context, const GradeStore& store, const model::GradeRecord& record,
                 const JudgeAgain& what, const fs::path& key, const fs::path& folder) {
  const Options before = context.options;
  context.options.grade = options_of(context, store, record, what);
  context.options.grade.key = key.string();
  if (context.options.device.empty()) context.options.device = device_of(record);
  context.options.names = {folder.string()};
  context.terminal.mute(what.quiet);
  try {
    grade_submissions(context);
  } catch (...) {
    context.terminal.mute(false);
    throw;
  }
  context.terminal.mute(false);
  context.options = before;
  fs::remove_all(folder);
}

/// What was judged of equal sources before, the reference among them, counts.
void keep_known(const GradeStore& store, const JudgeAgain& what) {
  if (!what.known || !fs::is_directory(store.folder() / "judged")) return;
  fs::create_directories(what.out);
  fs::copy(store.folder() / "judged", what.out / "judged", fs::copy_options::recursive);
}

std::optional<model::GradeRecord> record_in(const fs::path& out, const std::string& pseudonym) {
  const fs::path file = out / "records" / (pseudonym + ".json");
  if (!fs::exists(file)) return std::nullopt;
  return grade::read_record(file);
}

}  // namespace

grade::Key key_of(const Context& context, const GradeStore& store,
                  const std::vector<model::GradeRecord>& records) {
  return grade::read_key(key_file(context, store, records));
}

void lay_out(const GradeStore& store, const model::GradeRecord& record, const fs::path& mine) {
  const std::string pseudonym = record.pseudonym;
  const fs::path kept = store.folder() / "sources" / pseudonym;
  if (!fs::is_directory(kept))
    throw UsageError{fmt::format("{}: its sources are gone, so nothing can be judged again", kept.string())};
  fs::create_directories(mine.parent_path());
  fs::copy(kept, mine, fs::copy_options::recursive);
  for (const model::GradeEntry& step : record.steps) {
    const fs::path name = fs::path(step.lesson) / step.file, mended = amended_file(store, pseudonym, step);
    const bool counts = step.amendment && step.amendment->source_sha256 == sha256(read_text(mine / name));
    if (counts && fs::exists(mended)) write_text(mine / name, read_text(mended));
  }
}

std::map<std::string, model::GradeRecord> judge_again(Context& context, const GradeStore& store,
                                                      const std::vector<model::GradeRecord>& records,
                                                      const JudgeAgain& what) {
  const fs::path key = key_file(context, store, records);
  // What has one attempt and one sandbox is one batch.
  std::map<std::pair<int, std::optional<std::string>>, std::vector<model::GradeRecord>> batches;
  for (const model::GradeRecord& record : records)
    batches[{record.submission.attempt, record.sandbox}].push_back(record);
  keep_known(store, what);
  std::map<std::string, model::GradeRecord> fresh;
  int number = 0;
  for (const auto& [_, batch] : batches) {
    const fs::path folder = what.out / fmt::format("again-{}", ++number);
    for (const model::GradeRecord& record : batch)
      lay_out_with(store, record, what.replaced, folder / record.submission.name);
    grade_again(context, store, batch.front(), what, key, folder);
    for (const model::GradeRecord& record : batch)
      if (auto again = record_in(what.out, record.pseudonym)) fresh[record.pseudonym] = std::move(*again);
  }
  return fresh;
}

std::vector<std::optional<model::GradeRecord>> judge_variants(Context& context, const GradeStore& store,
                                                              const model::GradeRecord& record,
                                                              const JudgeAgain& what,
                                                              const std::vector<Texts>& variants) {
  const fs::path key = key_file(context, store, {record});
  keep_known(store, what);
  const fs::path folder = what.out / "variants";
  const auto name = [](std::size_t i) { return fmt::format("variant-{}", i); };
  for (std::size_t i = 0; i < variants.size(); ++i)
    lay_out_with(store, record, variants[i], folder / name(i));
  grade_again(context, store, record, what, key, folder);
  std::vector<std::optional<model::GradeRecord>> fresh;
  for (std::size_t i = 0; i < variants.size(); ++i)
    fresh.push_back(record_in(what.out, grade::pseudonym_of(grade::read_key(key), name(i))));
  return fresh;
}

std::vector<std::string> private_parts_missing(const model::GradeRecord& old,
                                               const model::GradeRecord& fresh) {
  std::vector<std::string> missing;
  for (const model::GradeEntry& entry : fresh.steps) {
    const std::string id = grade::step_id(entry);
    if (grade::is_private(entry) || !entry_of(old, id, grade::private_part)) continue;
    if (!entry_of(fresh, id, grade::private_part))
      missing.push_back(fmt::format("{} {}, {}: it could not be judged again and stays as it is",
                                    old.pseudonym, report::label(entry), grade::private_part));
  }
  return missing;
}

fs::path amended_file(const GradeStore& store, const std::string& pseudonym, const model::GradeEntry& step) {
  return store.folder() / "amended" / pseudonym / step.lesson / step.file;
}

fs::path place_of_submitted(const GradeStore& store, const std::string& pseudonym,
                            const model::GradeEntry& step) {
  return store.folder() / "sources" / pseudonym / step.lesson / step.file;
}

fs::path submitted_file(const GradeStore& store, const std::string& pseudonym,
                        const model::GradeEntry& step) {
  const fs::path file = place_of_submitted(store, pseudonym, step);
  if (!fs::exists(file))
    throw UsageError{fmt::format("{} {}: nothing was taken to be judged: {}", pseudonym, report::label(step),
                                 step.staff.evidence)};
  return file;
}

std::string verdict_and_points(const model::GradeEntry& step) {
  return fmt::format("{}, {} points", name(step.staff.verdict),
                     grade::points_text(step.points.value_or(0), step.max_points.value_or(0)));
}

}  // namespace ladder
