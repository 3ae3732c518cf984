/// @file
/// The verb regrade: graded submissions again, after a test was mended. A dry run shows whose points, verdict or words would
/// change; --apply does it.

#include <fmt/format.h>

#include <algorithm>

#include "common/base/json_file.hpp"
#include "common/grade/record.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results.hpp"
#include "common/tool/judge_again.hpp"
#include "common/tool/names.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr double least_difference = 1e-9;  // of points: less is rounding

/// What the dry run keeps of one submission until --apply.
fs::path proposal_file(const GradeStore& store, const std::string& pseudonym) {
  return store.folder() / "proposed" / (pseudonym + ".json");
}

struct Changes {
  json record;                     ///< with all changes that are allowed
  std::vector<std::string> lines;  ///< one for each step that would change
  int changed = 0, kept = 0;       ///< steps: with another verdict or other points; left as they are
  int words = 0;                   ///< steps: the same but for what their student reads
};

/// What the new entries change of a record. What is lower, or could not be judged, stays without leave.
Changes changes_of(const GradeStore& store, const json& proposal, bool may_lower) {
  const json old = store.judged(proposal["pseudonym"]), old_shown = store.with_decisions(old);
  Changes changes{.record = old, .lines = {}};
  for (const json& entry : proposal["steps"]) {
    json one = old;
    put_step(one, entry);
    const std::string id = grade::step_id(entry);
    const json before = entry_of(old_shown, id), after = entry_of(store.with_decisions(one), id);
    const double less = before.is_null() ? 0 : before.value("points", 0.0) - after.value("points", 0.0);
    const bool same = !before.is_null() && before["staff"]["verdict"] == after["staff"]["verdict"] &&
                      std::abs(less) < least_difference;
    if (same) {
      const std::string words = grade::changed_words(before, after);
      if (words.empty()) continue;
      changes.lines.push_back(
          fmt::format("{} {}: words only: {}", old.value("pseudonym", ""), report::label(entry), words));
      put_step(changes.record, entry);
      ++changes.words;
      continue;
    }
    const bool not_judged = after["staff"]["verdict"] == "NOT RUN",
               lower = less > least_difference && !may_lower;
    changes.lines.push_back(fmt::format("{} {}: {} → {}{}", old.value("pseudonym", ""), report::label(entry),
                                        before.is_null() ? "not graded" : verdict_and_points(before),
                                        verdict_and_points(after),
                                        not_judged ? "; kept: it could not be judged"
                                        : lower    ? "; kept: --may-lower would lower it"
                                                   : ""));
    if (not_judged || lower) {
      ++changes.kept;
    } else {
      put_step(changes.record, entry);
      ++changes.changed;
    }
  }
  for (const char* field : {"ladder", "machine"})
    if (changes.changed + changes.words > 0) changes.record[field] = proposal[field];
  return changes;
}

/// The records that are meant. @throws UsageError
std::vector<json> meant(const Context& context, const GradeStore& store) {
  const auto& names = context.options.names;
  if (context.options.review.all == (names.size() == 2))
    throw UsageError{
        "regrade whom? ./ladder regrade grades/ S-ABCDEFGH, or all of them: ./ladder regrade grades/ --all"};
  std::vector<json> chosen;
  if (!context.options.review.all) return {store.record(names[1])};
  return store.records();
}

/// The rungs of a record: what is judged again without --rungs.
std::vector<std::string> rungs_of(const std::vector<json>& records) {
  std::vector<std::string> rungs;
  for (const json& record : records)
    for (const json& step : record["steps"])
      if (const std::string label = report::label(step);
          std::find(rungs.begin(), rungs.end(), label) == rungs.end())
        rungs.push_back(label);
  return rungs;
}

/// A new entry keeps what a person has mended in its source.
json with_amendments(json entry, const json& old) {
  const json before = entry_of(old, grade::step_id(entry));
  if (before.is_object() && before.contains("amendment")) entry["amendment"] = before["amendment"];
  return entry;
}

int dry_run(Context& context, const GradeStore& store, const std::vector<json>& records) {
  const ScratchFolder scratch;  // not the context's, which the processes that grade would remove
  const auto& rungs = context.options.grade.rungs;
  const auto fresh = judge_again(context, store, records,
                                 {.out = scratch.path(), .rungs = rungs.empty() ? rungs_of(records) : rungs});
  int changed = 0, words = 0, same = 0, missing = 0;
  context.terminal.print("");
  for (const json& record : records) {
    const std::string pseudonym = record["pseudonym"];
    const auto found = fresh.find(pseudonym);
    if (found == fresh.end()) {
      context.terminal.print(fmt::format("{}: it could not be judged again and stays as it is", pseudonym));
      ++missing;
      continue;
    }
    json proposal = {{"pseudonym", pseudonym},
                     {"base_sha256", sha256(read_text(store.file_of(pseudonym)))},
                     {"ladder", found->second["ladder"]},
                     {"machine", found->second["machine"]},
                     {"steps", json::array()}};
    for (const json& entry : found->second["steps"])
      proposal["steps"].push_back(with_amendments(entry, record));
    grade::write_record(proposal_file(store, pseudonym), proposal);
    const Changes changes = changes_of(store, proposal, context.options.review.may_lower);
    for (const std::string& line : changes.lines) context.terminal.print(line);
    ++(changes.lines.empty() ? same : changes.changed + changes.kept > 0 ? changed : words);
  }
  context.terminal.print(fmt::format("{} would change{}, {} stay as they are; nothing is changed yet{}",
                                     changed, words > 0 ? fmt::format(", {} in words only", words) : "",
                                     same + missing, changed + words > 0 ? ": --apply does it" : ""));
  return missing == 0 ? 0 : 1;
}

int apply(Context& context, const GradeStore& store, const std::vector<json>& records) {
  int changed = 0, kept = 0;
  std::vector<std::pair<json, Changes>> all;
  for (const json& record : records) {
    const std::string pseudonym = record["pseudonym"];
    const json proposal = read_json(proposal_file(store, pseudonym));
    if (!proposal.is_object())
      throw UsageError{fmt::format("no dry run of {} yet: first the same without --apply", pseudonym)};
    if (proposal["base_sha256"] != sha256(read_text(store.file_of(pseudonym))))
      throw UsageError{fmt::format(
          "the record of {} has changed since the dry run: first the same without --apply", pseudonym)};
    all.emplace_back(proposal, changes_of(store, proposal, context.options.review.may_lower));
  }
  for (const auto& [proposal, changes] : all) {
    for (const std::string& line : changes.lines) context.terminal.print(line);
    kept += changes.kept;
    const bool changes_it = changes.changed + changes.words > 0;
    if (changes_it) store.replace(changes.record);
    changed += changes_it ? 1 : 0;
    fs::remove(proposal_file(store, proposal["pseudonym"]));
  }
  store.write_pages();
  context.terminal.print(fmt::format("{} changed{}; what they were is in {}", changed,
                                     kept > 0 ? fmt::format(", {} steps kept", kept) : "",
                                     (store.folder() / "old").string()));
  return 0;
}

}  // namespace

int regrade(Context& context) {
  const auto& names = context.options.names;
  if (names.empty() || names.size() > 2)
    throw UsageError{"regrade what? For example: ./ladder regrade grades/ --all --rungs 03/g2"};
  const GradeStore store(fs::absolute(names[0]));
  const auto records = meant(context, store);
  store.try_to_write_here();
  return context.options.review.apply ? apply(context, store, records) : dry_run(context, store, records);
}

}  // namespace ladder
