/// @file
/// The page of what the tests prove, docs/tests.md: parts, programs and scripts with their cost, and words
/// of mutants.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/model/document_json.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/test_part.hpp"
#include "common/sitegen/pages/page_parts.hpp"
#include "common/sitegen/test_promises.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

/// What the newest stored run of all tests took.
class TestCosts {
 public:
  explicit TestCosts(const std::vector<StoredMachine>& machines) {
    for (const StoredMachine& machine : machines)
      if (machine.tests && (!stored_ || stored_->day() < machine.tests->day())) stored_ = &*machine.tests;
    if (!stored_ || !stored_->results.times) return;
    for (const model::PartTime& part : stored_->results.times->parts) parts_[part.name] = part;
    for (const model::JobTime& job : stored_->results.times->jobs) add_job(job);
  }

  const StoredDocument* stored() const { return stored_; }

  /// Seconds of a processor, "12.3"; "–" where nothing was measured.
  std::string of_part(const TestPart& part) const {
    const model::PartTime* time = part_of(part);
    return time ? fmt::format("{:.1f}", time->processor) : "–";
  }
  std::string of_program(const std::string& name) const {
    const auto at = programs_.find(name);
    return at == programs_.end() ? "–" : fmt::format("{:.1f}", at->second);
  }
  std::string checks_of(const TestPart& part) const {
    const model::PartTime* time = part_of(part);
    return time ? std::to_string(time->checks) : "–";
  }

  /// Parts that were timed and are in no table, so that their promise is not known.
  std::vector<std::string> strangers() const {
    std::vector<std::string> names;
    for (const auto& part : parts_) {
      const std::string& name = part.first;  // no structured binding: clang 14 captures none
      if (std::none_of(test_part_table().begin(), test_part_table().end(),
                       [&](const TestPart& p) { return p.name == name || p.title == name; }))
        names.push_back(name);
    }
    return names;
  }

 private:
  void add_job(const model::JobTime& job) {
    std::string name = job.name;
    if (const std::string folder = "tests/test-"; name.starts_with(folder)) name.erase(0, 6);
    programs_[name.substr(0, name.find(" as "))] += job.processor;  // a program that two users share
  }

  const model::PartTime* part_of(const TestPart& part) const {
    for (const std::string& name : {part.name, part.title})
      if (const auto at = parts_.find(name); at != parts_.end()) return &at->second;
    return nullptr;
  }

  const StoredDocument* stored_ = nullptr;
  std::map<std::string, model::PartTime> parts_;
  std::map<std::string, double> programs_;  ///< seconds of a processor
};

/// "[Hints](student.md#hints), [A course](course.md)"
std::string guard_links(const fs::path& root, const std::string& page,
                        const std::vector<std::string>& guards) {
  std::string text;
  for (const std::string& one : guards) {
    const std::string heading = heading_of(root, one);
    text += (text.empty() ? "" : ", ") + link(page, one, heading.empty() ? one : heading);
  }
  return text;
}

std::string source_link(const std::string& page, const std::string& file) {
  return link(page, file, "`" + file.substr(file.rfind('/') + 1) + "`");
}

Lines parts_of_test(const fs::path& root, const std::string& page, const TestCosts& costs) {
  Lines lines;
  if (const StoredDocument* stored = costs.stored()) {
    const model::TestCounts tests = stored->results.tests.value_or(model::TestCounts{});
    lines = {fmt::format("{} Checks of that run: {} passed, {} failed, {} skipped.", source_of(page, *stored),
                         tests.passed, tests.failed, tests.skipped),
             ""};
  } else {
    lines = {"*No costs are stored yet.*", ""};
  }
  for (std::string& line : markdown_head({"part", "what it proves", "promised in", "checks", "CPU s"}))
    lines.push_back(std::move(line));
  for (const TestPart& part : test_part_table())
    lines.push_back(
        markdown_row({"`" + part.name + "`", part.proves + (part.plain ? "" : " Not in a plain `test`."),
                      guard_links(root, page, part.guards), costs.checks_of(part), costs.of_part(part)}));
  return lines;
}

Lines programs_of_test(const fs::path& root, const std::string& page, const TestCosts& costs) {
  Lines lines;
  for (const TestProgram& program : test_programs(root)) {
    int cases = 0;
    for (const TestPromise& source : program.sources) cases += source.cases;
    lines.insert(lines.end(),
                 {"### " + program.name, "",
                  fmt::format("{} test cases; CPU s: {}.", cases, costs.of_program(program.name)), ""});
    for (std::string& line : markdown_head({"source", "what it proves", "promised in", "cases"}))
      lines.push_back(std::move(line));
    for (const TestPromise& source : program.sources)
      lines.push_back(markdown_row({source_link(page, source.file), source.proves,
                                    guard_links(root, page, source.guards), std::to_string(source.cases)}));
    lines.push_back("");
  }
  if (!lines.empty()) lines.pop_back();
  return lines;
}

Lines scripts_of_test(const fs::path& root, const std::string& page, const TestCosts& costs) {
  Lines lines = markdown_head({"script", "what it proves", "promised in", "CPU s"});
  for (const TestPromise& script : test_scripts(root))
    lines.push_back(markdown_row({link(page, script.file, "`" + script.file + "`"), script.proves,
                                  guard_links(root, page, script.guards), costs.of_program(script.file)}));
  return lines;
}

/// How many mutants of a lesson state words, and why the others state none.
Lines mutants_of(const Tables& tables) {
  Lines lines = markdown_head({"lesson", "mutants and variants", "of them with words"}), without;
  std::size_t all = 0, with_words = 0, unexplained = 0;
  for (const auto& [lesson, table] : tables) {
    const auto mutants = model::mutant_words_from_json(table.value("mutants", json::array()));
    std::size_t with = 0;
    for (const model::MutantWords& mutant : mutants)
      if (mutant.words > 0)
        ++with;
      else if (mutant.why.empty())
        ++unexplained;
      else
        without.push_back(
            markdown_row({fmt::format("{}/{}~{}", lesson.substr(0, 2), mutant.rung, mutant.name),
                          mutant.verdict, mutant.why}));
    if (!mutants.empty())
      lines.push_back(markdown_row({lesson, std::to_string(mutants.size()), std::to_string(with)}));
    all += mutants.size(), with_words += with;
  }
  lines.insert(lines.begin(),
               {fmt::format("Each of the {} mutants and variants must get its verdict. Of {} the "
                            "message must have certain words, too.",
                            all, with_words),
                ""});
  if (unexplained > 0)
    lines[0] += fmt::format(" {} state neither words nor why they have none.", unexplained);
  if (without.empty()) return lines;
  lines.insert(lines.end(), {"", "Why the others state none:", ""});
  for (std::string& line : markdown_head({"mutant", "verdict", "why no words"}))
    lines.push_back(std::move(line));
  lines.insert(lines.end(), without.begin(), without.end());
  return lines;
}

/// What the first `run` compiles, from the seconds of the compilers. More of them ran at a time than there
/// are cores, so what all builds cost is divided as these seconds are.
Lines first_run(const std::string& page, const TestCosts& costs) {
  const StoredDocument* stored = costs.stored();
  if (!stored || !stored->results.times || !stored->results.machine)
    return {"What the first `run` takes is not stored yet."};
  double seconds = 0;
  for (const char* built : {"harness and tool", "judges", "baselines and peers", "solutions"})
    if (const auto one = stored->results.times->compilers.find(built);
        one != stored->results.times->compilers.end())
      seconds += one->second;
  double all = 0;
  for (const auto& [_, one] : stored->results.times->compilers) all += one;
  if (all > 0 && stored->results.times->building > 0) seconds *= stored->results.times->building / all;
  const int cores = std::max(1, stored->results.machine->cores);
  return {fmt::format("The first `run` compiles for about {:.0f} minutes on {} cores ({}).",
                      std::ceil(seconds / cores / 60), cores,
                      link(page, stored->file.string(), "measured on " + stored->day()))};
}

}  // namespace

PartMaker::Lines PartMaker::tests(const std::string& page, const std::string& which) const {
  if (which == "mutants") return mutants_of(tables_);
  const TestCosts costs(machines_);
  if (const auto strangers = costs.strangers(); !strangers.empty())
    throw UnknownPart(fmt::format("{} has times of the part \"{}\", which test_part.cpp does not list",
                                  costs.stored()->file.string(), strangers.front()));
  if (which == "parts") return parts_of_test(root_, page, costs);
  if (which == "programs") return programs_of_test(root_, page, costs);
  if (which == "scripts") return scripts_of_test(root_, page, costs);
  if (which == "run") return first_run(page, costs);
  throw UnknownPart("generated: tests parts, programs, scripts, mutants or run, not " + which);
}

}  // namespace ladder::report
