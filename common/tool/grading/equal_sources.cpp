#include "common/tool/grading/equal_sources.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/course/platforms/submission_import.hpp"
#include "common/grade/intake/scan.hpp"
#include "common/grade/record.hpp"
#include "common/report/results/results.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t max_names = 10;

/// Who has handed in each submission, by its name: the ids of a platform's people, else the name itself.
std::map<std::string, std::string> people_of(const fs::path& grades) {
  std::map<std::string, std::string> people;
  const fs::path list = grades / "handed.json";
  if (!fs::exists(list)) return people;
  try {
    for (const course::ImportedSubmission& one : course::read_import(list).all)
      for (const std::string& id : one.people) people[one.key] += id + " ";
  } catch (const Error&) {  // the export says what is wrong with it
  }
  return people;
}

/// Whose code of a step is the same.
struct Group {
  std::vector<std::string> pseudonyms{};
  std::set<std::string> people{};
};

}  // namespace

std::vector<EqualSources> equal_sources(const fs::path& root, const fs::path& grades,
                                        const std::vector<model::GradeRecord>& records) {
  const auto people = people_of(grades);
  std::map<std::string, std::map<std::string, Group>> of_step;  // then of its code
  std::map<std::string, std::string> files;
  for (const model::GradeRecord& record : records)
    for (const model::GradeEntry& step : record.steps) {
      if (step.phase != "instant") continue;
      const std::string pseudonym = record.pseudonym, file = step.lesson + "/" + step.file;
      const std::string code = grade::code_of(read_text(grades / "sources" / pseudonym / file));
      if (code.empty() || code.find("ladder::task();") != code.npos ||
          code == grade::code_of(read_text(root / "lessons" / file)))
        continue;
      const std::string name = record.submission.name;
      Group& group = of_step[report::label(step)][code];
      group.pseudonyms.push_back(pseudonym);
      group.people.insert(people.contains(name) ? people.at(name) : name);
      files[report::label(step)] = file;
    }
  std::vector<EqualSources> published, equal;
  for (const auto& [step, groups] : of_step) {
    const std::string solution = grade::code_of(read_text(root / "solutions" / files[step]));
    for (const auto& [code, group] : groups)
      if (code == solution)
        published.push_back({step, true, group.pseudonyms});
      else if (group.people.size() > 1)
        equal.push_back({step, false, group.pseudonyms});
  }
  published.insert(published.end(), equal.begin(), equal.end());
  return published;
}

std::vector<std::string> equal_lines(const std::vector<EqualSources>& all) {
  std::vector<std::string> lines;
  for (const EqualSources& one : all)
    lines.push_back(one.published
                        ? fmt::format("{} is the published solution, but for comments and blanks, of {}: {}",
                                      one.step, one.pseudonyms.size(), some_of(one.pseudonyms, max_names))
                        : fmt::format("{} is the same, but for comments and blanks, of {}: {}", one.step,
                                      one.pseudonyms.size(), some_of(one.pseudonyms, max_names)));
  return lines;
}

}  // namespace ladder
