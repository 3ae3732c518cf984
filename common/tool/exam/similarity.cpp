/// @file
/// The verb similarity: rare passages that submissions share, for a person to read.

#include "common/tool/exam/similarity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "common/base/text/numbers.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/exam/similarity_runs.hpp"
#include "common/tool/grading/equal_sources.hpp"
#include "common/tool/grading/grade_store.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr const char* what_it_is =
    "This is a report and no verdict: a person reads the passages and asks the authors.\n"
    "It does not see text from language models, and nothing of this project does. The web and works that are "
    "not given by\n"
    "--against are not seen either.";

/// Somebody's work: its name, and the files of its steps, by the step's path.
struct Work {
  std::string name;
  std::map<std::string, fs::path> files{};
};

/// Whether sim_c++ can be started.
bool has_sim() {
  return run_process({.arguments = {"sim_c++", "-v"}, .seconds = 20}).status != 127;
}

/// Files of a folder, by name; the first of a name counts.
std::map<std::string, fs::path> files_below(const fs::path& folder) {
  std::map<std::string, fs::path> found;
  std::error_code none;
  std::vector<fs::path> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none))
    if (entry.is_regular_file(none)) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  for (const fs::path& file : all) found.emplace(file.filename().string(), file);
  return found;
}

Work work_in(const std::string& name, const fs::path& folder, const std::vector<StepEntry*>& steps) {
  Work work{.name = name};
  const auto files = files_below(folder);
  for (const StepEntry* step : steps)
    if (const auto at = files.find(step->file); at != files.end()) work.files[step->path()] = at->second;
  return work;
}

/// The steps that these grades have.
std::vector<StepEntry*> steps_of(Context& context, const std::vector<model::GradeRecord>& records) {
  std::set<std::string> names;
  for (const model::GradeRecord& record : records)
    for (const model::GradeEntry& step : record.steps) names.insert(grade::step_id(step));
  return context.catalogue.resolve({names.begin(), names.end()});
}

/// What a passage of a step may come from: its skeleton, and every file that the lesson gives or solves.
std::vector<fs::path> references_of(const fs::path& root, const StepEntry& step) {
  std::vector<fs::path> all;
  std::error_code none;
  for (const char* tree : {"lessons", "solutions"})
    for (const auto& entry : fs::directory_iterator(root / tree / step.lesson, none))
      if (const auto end = entry.path().extension(); end == ".cu" || end == ".cpp" || end == ".hpp")
        all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

/// The passages of one step, from a run of sim_c++ on copies with short names.
std::vector<Passage> passages_of(Context& context, const StepEntry& step, const std::vector<fs::path>& files,
                                 const std::vector<std::size_t>& whose, std::size_t works) {
  const Rarity rarity = rarity_of(static_cast<std::size_t>(context.options.similar_steps));
  if (files.size() < 2) return {};
  const ScratchFolder scratch;
  std::map<std::string, StepText> texts;
  std::string names;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string name = fmt::format("w{}.cpp", i), text = read_text(files[i]);
    write_text(scratch.path() / name, text);
    texts[name] = {whose[i], text};
    names += name + "\n";
  }
  std::size_t number = 0;
  for (const fs::path& file : references_of(context.root, step)) {
    const std::string name = fmt::format("r{}.cpp", number++);
    write_text(scratch.path() / name, read_text(file));
    names += name + "\n";
  }
  write_text(scratch.path() / "names", names);
  // Every file with every other one, names of what is called as they are, in lines that hold both names.
  const ProcessResult ended =
      run_process({.arguments = {"/bin/sh", "-c", "exec sim_c++ -e -s -F -n -T -w 200 -i < names"},
                   .folder = scratch.path(),
                   .seconds = 3600,
                   .output_only = true});
  if (!ended.ok())
    throw UsageError{fmt::format("sim_c++ ended with status {} at {}", ended.status, step.label())};
  return rare_passages(step.label(), texts, read_runs(ended.output), works, rarity);
}

std::string ranges(const std::vector<int>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t last = i;
    while (last + 1 < lines.size() && lines[last + 1] == lines[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", lines[i]);
    if (last > i) text += fmt::format("-{}", lines[last]);
    i = last + 1;
  }
  return text;
}

void print_pair(Context& context, const Pair& pair, const std::vector<Work>& works) {
  context.terminal.print(
      fmt::format("{} and {}: {} lines", works[pair.a].name, works[pair.b].name, pair.lines()));
  for (const Passage& passage : pair.passages)
    context.terminal.print(fmt::format("    {}  lines {}  and  {}", passage.step, ranges(passage.lines),
                                       ranges(passage.other_lines)));
}

/// What the same search finds among submissions of the tests that nobody copied.
std::string honest_alarms(Context& context) {
  std::vector<fs::path> files;
  std::vector<std::size_t> whose;
  std::error_code none;
  const StepEntry& step = *context.catalogue.resolve({"03/g1"}).front();
  for (const auto& entry : fs::directory_iterator(context.root / "tests/grading/honest" / step.lesson, none))
    if (entry.path().filename().string().starts_with(step.name + ".")) files.push_back(entry.path());
  if (files.size() < 2) return "this copy has no tests/grading/honest: false alarms were not counted";
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i < files.size(); ++i) whose.push_back(i);
  const auto passages = passages_of(context, step, files, whose, files.size());
  const Rarity rarity = rarity_of(static_cast<std::size_t>(context.options.similar_steps));
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const Passage& passage : passages) pairs.insert({passage.a, passage.b});
  return fmt::format(
      "False alarms: of {} pairs of honest submissions in tests/grading (03/g1, nobody copied) {} share a "
      "rare passage, and {} would be reported with --steps {}.",
      files.size() * (files.size() - 1) / 2, pairs.size(), pairs_of(passages, rarity).size(), rarity.steps);
}

json pair_json(const Pair& pair, const std::vector<Work>& works) {
  json passages = json::array();
  for (const Passage& p : pair.passages)
    passages.push_back({{"step", p.step}, {"lines", p.lines}, {"other_lines", p.other_lines}});
  return {
      {"works", {works[pair.a].name, works[pair.b].name}}, {"lines", pair.lines()}, {"passages", passages}};
}

/// The submissions, then the works to compare with. @param own  how many are submissions
std::vector<Work> all_works(const Context& context, const GradeStore& store,
                            const std::vector<model::GradeRecord>& records,
                            const std::vector<StepEntry*>& steps) {
  std::vector<Work> works;
  for (const model::GradeRecord& record : records) {
    const std::string name = record.pseudonym;
    works.push_back(work_in(name, store.folder() / "sources" / name, steps));
  }
  for (const std::string& folder : context.options.against) {
    if (!fs::is_directory(folder)) throw UsageError{fmt::format("--against {}: no folder", folder)};
    std::set<fs::path> inside;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.is_directory()) inside.insert(entry.path());
    for (const fs::path& one : inside) works.push_back(work_in(one.string(), one, steps));
  }
  return works;
}

json equal_json(const std::vector<EqualSources>& all) {
  json list = json::array();
  for (const EqualSources& one : all)
    list.push_back({{"step", one.step}, {"published", one.published}, {"works", one.pseudonyms}});
  return list;
}

}  // namespace

void add_similarity_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_flag("--strict", o.strict, "exit with 1 where this cannot be looked for here");
  app.add_option("--steps", o.similar_steps,
                 "rungs that a pair must share (default 3); 1 for homework of one or two rungs")
      ->check(CLI::Range(1, 100))
      ->type_name("N");
  app.add_option("--against", o.against,
                 "a folder with one folder for each work to compare with: an earlier year")
      ->type_name("FOLDER");
}

int similarity(Context& context) {
  if (context.options.names.size() != 1)
    throw UsageError{"compare what? For example: ./ladder similarity grades/"};
  const GradeStore store(fs::absolute(context.options.names[0]));
  const auto records = store.records();
  const auto equal = equal_sources(context.root, store.folder(), records);
  for (const std::string& line : equal_lines(equal)) context.terminal.print(line);
  if (!has_sim()) {
    context.terminal.print("SKIPPED  similarity: no program sim_c++; it is in the package similarity-tester");
    context.write_json({{"schema", "gpu-ladder-similarity/1"},
                        {"skipped", "no program sim_c++"},
                        {"equal", equal_json(equal)}});
    return context.options.strict ? 1 : 0;
  }
  const auto steps = steps_of(context, records);
  const auto works = all_works(context, store, records, steps);
  std::vector<Passage> passages;
  context.terminal.begin_work();
  for (std::size_t s = 0; s < steps.size(); ++s) {
    context.terminal.progress(steps[s]->label(), static_cast<double>(s) / static_cast<double>(steps.size()));
    std::vector<fs::path> files;
    std::vector<std::size_t> whose;
    for (std::size_t w = 0; w < works.size(); ++w)
      if (const auto at = works[w].files.find(steps[s]->path()); at != works[w].files.end())
        files.push_back(at->second), whose.push_back(w);
    for (Passage& one : passages_of(context, *steps[s], files, whose, records.size()))
      if (one.a < records.size()) passages.push_back(std::move(one));  // not two of those to compare with
  }
  const std::string honest = honest_alarms(context);
  context.terminal.end_work();
  const Rarity rarity = rarity_of(static_cast<std::size_t>(context.options.similar_steps));
  const auto pairs = pairs_of(passages, rarity);
  json found = json::array();
  for (const Pair& pair : pairs) print_pair(context, pair, works), found.push_back(pair_json(pair, works));
  context.terminal.print(fmt::format(
      "{} pairs of {} works share passages of {} lines and more, in {} or more, that no "
      "skeleton or reference has and that fewer than one in twenty share, or at most {}.{}\n{}\n{}",
      pairs.size(), works.size(), fewest_lines, counted(rarity.steps, "rung"), rarity.sharers,
      steps.size() < rarity.steps
          ? fmt::format(" These grades have {}: no pair can be reported; --steps 1 looks at one.",
                        counted(steps.size(), "rung"))
          : "",
      honest, what_it_is));
  context.write_json({{"schema", "gpu-ladder-similarity/1"},
                      {"pairs", found},
                      {"equal", equal_json(equal)},
                      {"honest", honest}});
  return 0;
}

}  // namespace ladder
