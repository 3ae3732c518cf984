/// @file
/// The verb amend: a person fixes a slip in a submission, at a price; record and page show what was changed.

#include "common/tool/review/amend.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/record.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/export/points_of_course.hpp"
#include "common/tool/grading/grade_options.hpp"
#include "common/tool/grading/submission/judge_again.hpp"
#include "common/tool/review/editor.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// Lines that a unified difference changes; one replaced by another is one.
int changed_lines(const std::string& diff) {
  int all = 0, added = 0, removed = 0;
  for (const std::string& line : lines_of(diff)) {
    if (line.starts_with("+++ ") || line.starts_with("--- ")) continue;
    if (line.starts_with("+"))
      ++added;
    else if (line.starts_with("-"))
      ++removed;
    else
      all += std::max(added, removed), added = removed = 0;
  }
  return all + std::max(added, removed);
}

void check_options(const ReviewOptions& options, std::size_t names) {
  if (names < 3 || names > 4)
    throw UsageError{
        "amend what? For example: ./ladder amend grades/ S-ABCDEFGH 03/g2 --deduct 1 --reason \"a "
        "semicolon\" --by anna"};
  if (options.by.empty()) throw UsageError{"--by NAME is missing: the log records who made the fix"};
  if (options.reason.empty()) throw UsageError{"--reason TEXT is missing: the student reads it"};
  if (options.decision.empty())
    throw UsageError{"--deduct POINTS is missing: what the slip costs, 0 for nothing"};
  if (!(options.points >= 0)) throw UsageError{fmt::format("--deduct {}: must be 0 or more", options.points)};
}

std::string mended_text(Context& context, const fs::path& submitted, const fs::path& earlier) {
  const auto& names = context.options.names;
  if (names.size() == 4) {
    if (!fs::is_regular_file(names[3])) throw UsageError{fmt::format("{}: no file", names[3])};
    return read_text(names[3]);
  }
  if (!fs::exists(submitted) && !fs::exists(earlier))
    throw UsageError{fmt::format("nothing was taken for {}: give its file after the rung", names[2])};
  const ScratchFolder scratch;
  const fs::path copy = scratch.path() / submitted.filename();
  write_text(copy, read_text(fs::exists(earlier) ? earlier : submitted));
  return text_after_editing(copy);
}

/// The change that is asked for. Where nothing was taken, that is the whole file, and no slip to be measured.
/// @throws UsageError when it is none, or no slip
std::string checked_difference(const Context& context, const fs::path& submitted, const std::string& text,
                               const fs::path& mended) {
  write_text(mended, text);
  const std::string name = submitted.filename().string();
  if (text.empty()) throw UsageError{"nothing was changed: the new file is empty"};
  if (!fs::exists(submitted)) return difference("/dev/null", mended, "nothing was taken", name + " as fixed");
  const std::string diff = difference(submitted, mended, name + " as submitted", name + " as fixed");
  if (diff.empty()) throw UsageError{"nothing was changed: the fixed file equals the submitted one"};
  const int lines = changed_lines(diff), most = context.options.review.lines;
  if (lines > most)
    throw UsageError{fmt::format("{} lines are changed, and a slip is at most {}: --lines {} allows it",
                                 lines, most, lines)};
  return diff;
}

}  // namespace

void add_amend_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_option("--by", o.review.by, "who fixes; the log keeps it")->type_name("NAME");
  app.add_option_function<double>(
         "--deduct", [&o](double points) { o.review.decision = "amend", o.review.points = points; },
         "what the slip costs")
      ->type_name("POINTS");
  app.add_option("--reason", o.review.reason, "why; the student reads it")->type_name("TEXT");
  app.add_option("--lines", o.review.lines, "most lines that may change (default 20)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  add_class_key(app, o);
}

int amend(Context& context) {
  const ReviewOptions options = context.options.review;
  const auto names = context.options.names;
  check_options(options, names.size());
  const GradeStore store(fs::absolute(names[0]));
  const model::GradeEntry step = store.step(names[1], names[2]);
  const fs::path submitted = place_of_submitted(store, names[1], step),
                 kept = amended_file(store, names[1], step);
  store.try_to_write_here();
  const ScratchFolder scratch;  // not the context's, which the processes that grade would remove
  const std::string text = mended_text(context, submitted, kept);
  const fs::path mended = scratch.path() / "fixed" / submitted.filename();
  const std::string diff = checked_difference(context, submitted, text, mended);
  const std::string id = grade::step_id(step), file = step.lesson + "/" + step.file;
  model::GradeRecord record = store.judged(names[1]);
  const auto fresh = judge_again(context, store, {record},
                                 {.out = scratch.path() / "grades",
                                  .rungs = {names[2]},
                                  .replaced = {{file, text}},
                                  .known = true,
                                  .quiet = true});
  const auto found = fresh.find(names[1]);
  auto entry = found == fresh.end() ? std::nullopt : entry_of(found->second, id);
  if (!entry || entry->staff.verdict == Verdict::not_run)
    throw UsageError{"the fixed rung could not be judged here; nothing was changed"};
  if (!fs::exists(submitted) && entry->staff.verdict == Verdict::not_started)
    throw UsageError{fmt::format("nothing was changed: the new file is not a submission either: {}",
                                 entry->staff.evidence)};
  const model::GradeEntry earlier = entry_of(record, id).value();
  const model::BeforeAmendment before =
      earlier.amendment ? earlier.amendment->before
                        : model::BeforeAmendment{earlier.staff.verdict, earlier.staff.evidence,
                                                 earlier.points, earlier.max_points};
  const PointsOfCourse points(store.folder());
  model::GradeRecord judged_now = record;
  put_step(judged_now, *entry);
  entry->amendment = model::Amendment{.by = options.by,
                                      .reason = options.reason,
                                      .at = report::now(),
                                      .points = points.own(judged_now, id, options.points),
                                      .diff = diff,
                                      .source_sha256 = sha256(read_text(submitted)),
                                      .before = before};
  const auto shown_before = entry_of(points.scaled(record), id);
  put_step(record, *entry);
  json line = to_json(*entry->amendment);
  line.update({{"student", names[1]}, {"step", id}, {"action", "amend"}});
  store.log(line);
  write_text(kept, text);
  store.replace(record);
  store.write_pages();
  context.terminal.print(diff);
  context.terminal.print(fmt::format("{} {}: {} → {}, {} of them deducted", names[1], names[2],
                                     verdict_and_points(*shown_before),
                                     verdict_and_points(*entry_of(points.scaled(store.record(names[1])), id)),
                                     grade::points_text(options.points)));
  return 0;
}

}  // namespace ladder
