#include "common/tool/grading/submission/regrade_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/files/files.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/export/points_of_course.hpp"
#include "common/tool/grading/submission/judge_again.hpp"
#include "common/tool/judging/private_tests.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr double min_difference = 1e-9;  // of points: less is rounding
constexpr std::size_t max_groups = 5;    // of results that would be lower
constexpr const char* sums_name = "private-tests.json";

std::string part_text(const model::GradeEntry& entry) {
  const std::string part = entry.part;
  return report::label(entry) + (part.empty() ? "" : ", " + part);
}

bool was_not_taken(const GradeStore& store, const std::string& pseudonym,
                   const std::optional<model::GradeEntry>& before) {
  return before && before->staff.verdict == Verdict::not_started &&
         !fs::exists(store.folder() / "sources" / pseudonym / before->lesson / before->file);
}

/// A new entry keeps what a person has fixed in its source.
model::GradeEntry with_amendments(model::GradeEntry entry, const std::optional<model::GradeEntry>& before) {
  if (before && before->amendment) entry.amendment = before->amendment;
  return entry;
}

fs::path known_file(const GradeStore& store) {
  return store.folder() / "proposed" / "kept.json";  // no pseudonym is called so
}

}  // namespace

model::RegradeProposal proposal_of(const GradeStore& store, const model::GradeRecord& record,
                                   const model::GradeRecord& fresh) {
  const std::string pseudonym = record.pseudonym;
  model::RegradeProposal proposal{.pseudonym = pseudonym,
                                  .base_sha256 = sha256(read_text(store.file_of(pseudonym))),
                                  .ladder = fresh.ladder,
                                  .machine = fresh.machine};
  for (const model::GradeEntry& entry : fresh.steps) {
    const auto before = entry_of(record, grade::step_id(entry), entry.part);
    if (was_not_taken(store, pseudonym, before)) continue;
    if (grade::is_private(entry) && !before) continue;
    proposal.steps.push_back(with_amendments(entry, before));
  }
  return proposal;
}

Changes changes_of(const GradeStore& store, const model::RegradeProposal& proposal, bool may_lower) {
  const PointsOfCourse points(store.folder());
  const model::GradeRecord old = store.judged(proposal.pseudonym),
                           old_shown = points.scaled(store.with_decisions(old));
  Changes changes{.record = old};
  for (const model::GradeEntry& entry : proposal.steps) {
    model::GradeRecord one = old;
    put_step(one, entry);
    const std::string id = grade::step_id(entry), part = entry.part;
    const auto before = entry_of(old_shown, id, part),
               after = entry_of(points.scaled(store.with_decisions(one)), id, part);
    const std::string which = old.pseudonym + " " + part_text(entry);
    const std::string result = fmt::format("{} → {}", before ? verdict_and_points(*before) : "not graded",
                                           verdict_and_points(*after));
    const double less = before ? before->points.value_or(0) - after->points.value_or(0) : 0;
    const bool same =
        before && before->staff.verdict == after->staff.verdict && std::abs(less) < min_difference;
    const std::string words = same ? grade::changed_words(*before, *after) : "";
    if (same && words.empty()) continue;
    if (same) {
      changes.lines.push_back(fmt::format("{}: words only: {}", which, words));
      ++changes.words;
    } else if (after->staff.verdict == Verdict::not_run) {
      changes.lines.push_back(fmt::format("{}: {}; kept: it could not be judged", which, result));
      ++changes.not_judged;
      continue;
    } else if (less > min_difference && !may_lower) {
      changes.lower.push_back({which, fmt::format("{}: {}", part_text(entry), result)});
      continue;
    } else {
      changes.lines.push_back(fmt::format("{}: {}", which, result));
      ++changes.changed;
    }
    put_step(changes.record, entry);
  }
  if (changes.changed + changes.words > 0) {
    changes.record.ladder = proposal.ladder;
    changes.record.machine = proposal.machine;
  }
  return changes;
}

void RegradeTally::add(const Changes& changes) {
  ++(changes.changed > 0 ? changed_ : changes.words > 0 ? words_ : same_);
  not_judged_ += changes.not_judged;
  lower_.insert(lower_.end(), changes.lower.begin(), changes.lower.end());
}

std::vector<std::string> RegradeTally::lower_text(const std::set<std::string>& known) const {
  std::map<std::string, std::vector<std::string>> groups;  // by result: whose
  std::set<std::string> whose;
  std::size_t as_before = 0;
  for (const Lower& one : lower_) {
    if (known.contains(one.which + one.result)) {
      ++as_before;
      continue;
    }
    const std::string pseudonym = one.which.substr(0, one.which.find(' '));
    whose.insert(pseudonym);
    groups[one.result].push_back(pseudonym);
  }
  std::vector<std::string> lines;
  if (!groups.empty())
    lines.push_back(fmt::format("{} would have fewer points, and keep{} what {} (--may-lower lowers them):",
                                counted(whose.size(), "submission"), whose.size() == 1 ? "s" : "",
                                whose.size() == 1 ? "it has" : "they have"));
  std::vector<std::pair<std::string, std::vector<std::string>>> sorted(groups.begin(), groups.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  std::size_t rest = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (i < max_groups)
      lines.push_back(fmt::format("  {}: {} ({})", sorted[i].first, sorted[i].second.size(),
                                  some_of(sorted[i].second, 3)));
    else
      rest += sorted[i].second.size();
  if (rest > 0) lines.push_back(fmt::format("  other results: {}", rest));
  if (as_before > 0)
    lines.push_back(fmt::format("{} lower, and kept, as at the last --apply", counted(as_before, "result")));
  return lines;
}

std::string RegradeTally::text(bool applied) const {
  return fmt::format("{} {}, {} in words only, {} {}", changed_, applied ? "changed" : "would change", words_,
                     same_, applied ? "stayed as they were" : "stay as they are");
}

std::set<std::string> known_lower(const GradeStore& store) {
  const json list = read_json(known_file(store));
  return list.is_array() ? list.get<std::set<std::string>>() : std::set<std::string>{};
}

void keep_known_lower(const GradeStore& store, const std::vector<Lower>& lower) {
  std::set<std::string> known = known_lower(store);
  for (const Lower& one : lower) known.insert(one.which + one.result);
  if (!known.empty()) write_text(known_file(store), json(known).dump(1) + "\n");
}

void keep_private_sums(const GradeStore& store, const TestSums& sums) {
  if (sums.empty()) return;
  const fs::path file = store.folder() / sums_name;
  json all = read_json(file);
  if (!all.is_object()) all = json::object();
  all.update(json(sums));
  write_text(file, all.dump(1) + "\n");
}

std::string outstanding_regrade(const GradeStore& store, const std::vector<model::GradeRecord>& records,
                                const fs::path& private_tests, const std::string& course_file) {
  const json sums = read_json(store.folder() / sums_name);
  if (!sums.is_object() || !fs::is_directory(private_tests)) return "";
  std::size_t count = 0;
  for (const auto& [id, sum] : sums.items())
    if (sum != private_sum(private_tests, id.substr(0, id.find('/'))))
      count += static_cast<std::size_t>(
          std::count_if(records.begin(), records.end(), [id = id](const model::GradeRecord& record) {
            return entry_of(record, id, grade::private_part).has_value();
          }));
  if (count == 0) return "";
  const std::string command =
      fmt::format("./ladder regrade {} --all --course {}", store.folder().string(), course_file);
  return fmt::format(
      "{} judged by other private tests than those that are there now, and these points are exported: "
      "{}, then the same with --apply, then export again",
      count == 1 ? "1 private part was" : fmt::format("{} private parts were", count), command);
}

}  // namespace ladder
