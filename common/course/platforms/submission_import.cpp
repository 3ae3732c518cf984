#include "common/course/platforms/submission_import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/base/error.hpp"
#include "common/course/platforms/platforms.hpp"
#include "common/course/platforms/table.hpp"
#include "common/grade/intake/names.hpp"

namespace ladder::course {
namespace {

namespace fs = std::filesystem;

std::optional<SubmissionImport> of_a_platform(const fs::path& folder, const Lookup& people,
                                              const Zone& zone) {
  if (auto found = from_gradescope(folder, people, zone)) return found;
  if (auto found = from_moodle(folder, people, zone)) return found;
  return from_canvas(folder, people);
}

void add(SubmissionImport& all, SubmissionImport more, const std::string& where) {
  for (ImportedSubmission& one : more.all) {
    if (!where.empty()) one.key = key_text(where) + "~" + one.key;
    all.all.push_back(std::move(one));
  }
  for (const std::string& remark : more.remarks)
    all.remarks.push_back(where.empty() ? remark : where + ": " + remark);
}

/// A folder of one platform; of several, each in a folder that is called by nobody's id; else of clones and
/// packages.
SubmissionImport found_in(const fs::path& folder, const Lookup& people, const Zone& zone) {
  if (auto found = of_a_platform(folder, people, zone)) return std::move(*found);
  SubmissionImport all, entries = from_folders(folder, people);
  for (ImportedSubmission& one : entries.all) {
    const bool maybe = one.people.empty() && one.platform != "clones" && fs::is_directory(one.path);
    if (auto found = maybe ? of_a_platform(one.path, people, zone) : std::nullopt)
      add(all, std::move(*found), one.path.filename().string());
    else
      all.all.push_back(std::move(one));
  }
  entries.all.clear();
  add(all, std::move(entries), "");
  return all;
}

/// A line of received.csv about a submission.
struct Told {
  Time received;
  std::string commit, id;
  int attempt = 0;
  bool used = false;
};

using TimesOfServer = std::multimap<std::string, Told>;

TimesOfServer read_times(const fs::path& file, const Zone& zone) {
  TimesOfServer all;
  const Table table = read_table(file);
  for (const char* needed : {"submission", "received"})
    if (table.column(needed) < 0) throw Error(fmt::format("{}:1: there is no column {}", table.name, needed));
  for (const Row& row : table.rows) {
    const std::string text = table.field(row, "received"), number = table.field(row, "attempt");
    const auto time = time_of(text, zone);
    if (!time)
      throw Error(fmt::format("{}:{}: \"{}\" is no time: write 2027-02-14T23:59:00Z, or with +01:00",
                              table.name, row.line, text));
    if (number.size() > 4 || number.find_first_not_of("0123456789") != number.npos)
      throw Error(fmt::format("{}:{}: the attempt \"{}\" is no number", table.name, row.line, number));
    all.emplace(grade::lower(table.field(row, "submission")),
                Told{.received = *time,
                     .commit = grade::lower(table.field(row, "commit")),
                     .id = table.field(row, "id"),
                     .attempt = number.empty() ? 0 : std::stoi(number)});
  }
  return all;
}

/// The line about a submission: of a clone that of its commit, else the last one.
Told* told_of(const ImportedSubmission& one, TimesOfServer& times) {
  const std::string commit = one.platform == "clones" ? commit_of_clone(one.path) : "";
  Told* last = nullptr;
  // In a folder with several downloads a key begins with that download's name.
  std::vector<std::string> names = {one.key, one.key.substr(one.key.rfind('~') + 1),
                                    one.path.filename().string()};
  names.insert(names.end(), one.people.begin(), one.people.end());
  for (const std::string& name : names) {
    const auto [begin, end] = times.equal_range(grade::lower(name));
    for (auto at = begin; at != end; ++at) {
      Told& told = at->second;
      told.used = true;
      if (!commit.empty() && !told.commit.empty() && !commit.starts_with(told.commit)) continue;
      if (last == nullptr || last->received < told.received) last = &told;
    }
    if (last != nullptr) return last;
  }
  return nullptr;
}

void use_times(SubmissionImport& handed, const fs::path& file, const Roster& roster, const Zone& zone) {
  TimesOfServer times = read_times(file, zone);
  for (ImportedSubmission& one : handed.all) {
    const Told* told = told_of(one, times);
    if (told == nullptr || one.received) continue;  // the platform's own time stays
    one.received = told->received;
    if (told->attempt > 0) one.attempt = told->attempt;
    if (!told->id.empty() && person_of(roster, told->id) == nullptr)
      throw Error(fmt::format("{}: {} is no id of the roster", file.filename().string(), told->id));
    if (!told->id.empty()) one.people = {told->id};
  }
  for (const auto& [name, told] : times)
    if (!told.used)
      handed.remarks.push_back(
          fmt::format("{}: nothing was handed in as {}", file.filename().string(), name));
}

/// Numbers the submissions of the same people in the order of their times; the last one is active.
void number_attempts(SubmissionImport& handed) {
  std::map<std::vector<std::string>, std::vector<ImportedSubmission*>> of_people;
  for (ImportedSubmission& one : handed.all)
    if (!one.people.empty()) of_people[one.people].push_back(&one);
  for (auto& [people, all] : of_people) {
    // What has no time comes first: it is never the last one where another's time is known.
    std::stable_sort(all.begin(), all.end(), [](const ImportedSubmission* a, const ImportedSubmission* b) {
      return std::pair(a->received, a->attempt) < std::pair(b->received, b->attempt);
    });
    int before = 0;
    for (ImportedSubmission* one : all) {
      before = one->attempt = std::max(one->attempt, before + 1);
      one->active = one == all.back();
      if (!one->received)
        one->notes.push_back(one->late ? "its time is not known; the platform says it is late"
                                       : "its time is not known");
    }
  }
}

}  // namespace

std::vector<std::string> SubmissionImport::unmatched(const std::string& platform) const {
  std::vector<std::string> lines;
  for (const ImportedSubmission& one : all)
    if (one.people.empty() && (platform.empty() || platform == one.platform))
      lines.push_back(fmt::format("{}: {}", one.key, one.said));
  return lines;
}

SubmissionImport import_submissions(const fs::path& folder, const Roster& roster,
                                    const ImportOptions& beside) {
  const Lookup people(roster);
  SubmissionImport handed = found_in(folder, people, beside.zone);
  const fs::path usual = folder / "received.csv";
  if (const fs::path times = beside.received.empty() ? usual : beside.received;
      times != usual || fs::exists(usual))
    use_times(handed, times, roster, beside.zone);
  std::set<std::string> keys, present;
  for (ImportedSubmission& one : handed.all) {
    // Gradescope knows its groups itself.
    if (one.platform != "gradescope") one.people = with_groups(roster, one.people);
    std::sort(one.people.begin(), one.people.end());
    one.people.erase(std::unique(one.people.begin(), one.people.end()), one.people.end());
    present.insert(one.people.begin(), one.people.end());
    for (int n = 2; !keys.insert(one.key).second; ++n) one.key += fmt::format("~{}", n);
  }
  std::sort(handed.all.begin(), handed.all.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  number_attempts(handed);
  for (const Person& person : roster)
    if (!present.contains(person.id)) handed.missing.push_back(person.id);
  return handed;
}

fs::path gather_files(const ImportedSubmission& handed, const fs::path& into) {
  if (handed.files.empty()) return handed.path;
  fs::create_directories(into);
  fs::path last;
  for (const fs::path& file : handed.files) {
    last = into / grade::plain_name(file.filename().string()).sent;
    const fs::file_status status = fs::symlink_status(file);
    if (!fs::exists(status))
      throw Error(fmt::format("{}: it was handed in, and is no longer there (was a network drive away?)",
                              file.string()));
    if (fs::is_regular_file(status)) fs::copy_file(file, last);
  }
  return handed.files.size() == 1 && is_archive(last) ? last : into;
}

}  // namespace ladder::course
