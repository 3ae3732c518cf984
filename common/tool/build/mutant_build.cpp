#include "common/tool/build/mutant_build.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/files/files.hpp"
#include "common/base/text/step_name.hpp"
#include "common/grade/sha256.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// What no mutant is called.
constexpr const char *first_program = "FIRST", *second_program = "SECOND";

/// Where a rung runs: as in common/cmake/lessons.cmake.
std::vector<std::string> backends_of(const std::string& step, const fs::path& solution) {
  if (solution.extension() == ".cu")
    return {worker_ending(step, "executor"), worker_ending(step, "observed"), worker_ending(step, "cuda")};
  if (step.starts_with("g") || step.starts_with("t")) return {"opencl"};
  if (step.starts_with("m")) return {"mpi", "mpi-memory"};
  return {"cpu", "races", "memory"};
}

bool may_not_compile(const cut::Mutant& mutant) {
  return mutant.verdict == "BUILD ERROR" || mutant.other_verdict == "BUILD ERROR";
}

/// Whether a worker is wanted whenever its rung is judged: then it belongs to a program that all of them
/// make up. Of the others, whose results were right although they must be wrong, those that are asked for
/// make up a second one.
bool is_of_first(const cut::Mutant& mutant, const std::string& backend) {
  if (backend.ends_with("observed"))  // its results are right: the counters tell
    return mutant.verdict == "MISSED" || mutant.verdict == "REVIEW" || mutant.verdict == "PASS";
  return backend != "races" && backend != "memory" && backend != "mpi-memory";
}

void write_if_changed(const fs::path& file, const std::string& text) {
  if (read_text(file) == text && fs::exists(file)) return;
  fs::create_directories(file.parent_path());
  write_text(file, text);
}

constexpr std::string_view own_folders[] = {"workers/mutants/", "workers/attempts/"};

}  // namespace

void MutantBuild::refresh(std::set<std::string> templates) {
  described_ = std::move(templates);
  known_ = false;
  rungs_.clear();
  targets_.clear();
  templates_.reset();
}

// To know its targets it reads all lists and attempts, which a check of a rung does not need.
bool MutantBuild::makes(const std::string& target) const {
  return std::ranges::any_of(own_folders, [&](auto own) { return target.starts_with(own); }) &&
         targets().contains(target);
}

std::vector<std::string> MutantBuild::beginning_with(const std::string& prefix) const {
  std::vector<std::string> found;
  if (std::ranges::any_of(own_folders,
                          [&](auto own) { return prefix.starts_with(own) || own.starts_with(prefix); }))
    for (const std::string& target : targets())
      if (target.starts_with(prefix)) found.push_back(target);
  return found;
}

const std::set<std::string>& MutantBuild::targets() const {
  if (known_) return targets_;
  known_ = true;
  std::set<std::string> lessons;
  for (const std::string& one : described_) lessons.insert(fs::path(one).parent_path().filename());
  for (const std::string& lesson : lessons) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(root_ / "tests" / lesson / "mutants", none))
      if (entry.path().extension() == ".mutants") add_rung(lesson, entry.path());
    const std::set<fs::path> attempts(fs::directory_iterator(root_ / "tests" / lesson / "attempts", none),
                                      {});
    for (const fs::path& file : attempts)
      if (file.stem().has_extension()) add_attempt(lesson, file);
  }
  return targets_;
}

void MutantBuild::add_rung(const std::string& lesson, const fs::path& list) const {
  Rung rung{
      .tree = "mutants", .lesson = lesson, .step = list.stem(), .solution = {}, .list = list, .mutants = {}};
  for (const char* extension : {".cu", ".cpp"})
    if (const fs::path file = root_ / "solutions" / lesson / (rung.step + extension); fs::exists(file))
      rung.solution = file;
  if (rung.solution.empty()) return;
  const std::string text = read_text(list);
  try {
    rung.mutants = cut::read_mutants(text, list.string());
  } catch (const cut::Error&) {
    return;  // whoever asks for a mutant reads the list, too, and says what is wrong
  }
  rung.asks_ptxas = text.find("\nwords local_bytes") != text.npos;
  for (const std::string& backend : backends_of(rung.step, rung.solution))
    for (const cut::Mutant& m : rung.mutants) add_target(rung, backend, m.name);
  rungs_["mutants/" + lesson + "/" + rung.step] = std::move(rung);
}

void MutantBuild::add_attempt(const std::string& lesson, const fs::path& file) const {
  const std::string step = file.stem().stem(), name = file.stem().extension().string().substr(1);
  Rung& rung = rungs_["attempts/" + lesson + "/" + step];
  rung = {.tree = "attempts",
          .lesson = lesson,
          .step = step,
          .solution = file,
          .list = file.parent_path(),
          .mutants = std::move(rung.mutants)};
  const bool builds = read_text(file).find("// verdict BUILD ERROR") == std::string::npos;
  rung.mutants.push_back({.name = name, .verdict = builds ? "PASS" : "BUILD ERROR"});
  for (const std::string& backend : backends_of(step, file))
    if (!backend.ends_with("cuda")) add_target(rung, backend, name);  // CMake has those that a GPU times
}

void MutantBuild::add_target(const Rung& rung, const std::string& backend, const std::string& name) const {
  const std::string described =
      fmt::format("workers/mutants/{}/{}~{}.{}", rung.lesson, template_rung, template_unit, backend);
  if (described_.contains(described))
    targets_.insert(fmt::format("workers/{}/{}/{}~{}.{}", rung.tree, rung.lesson, rung.step, name, backend));
}

const MutantTemplates& MutantBuild::templates() const {
  if (!templates_) templates_ = std::make_unique<MutantTemplates>(folder_);
  return *templates_;
}

std::map<std::string, MutantBuild::Wanted> MutantBuild::wanted(
    const std::vector<std::string>& targets) const {
  std::map<std::string, Wanted> all;
  for (const std::string& target : targets) {
    if (!makes(target)) continue;
    const fs::path path = target;
    const std::string file = path.filename(), lesson = path.parent_path().filename(),
                      tree = path.parent_path().parent_path().filename();
    const std::size_t tilde = file.find('~'), dot = file.rfind('.');
    const std::string step = file.substr(0, tilde), backend = file.substr(dot + 1);
    auto& wanted = all[fmt::format("{}/{}/{}.{}", tree, lesson, step, backend)];
    wanted.rung = &rungs_.at(tree + "/" + lesson + "/" + step);
    wanted.backend = backend;
    wanted.names.insert(file.substr(tilde + 1, dot - tilde - 1));
  }
  return all;
}

MutantProgram MutantBuild::program(const Wanted& wanted, const std::string& name) const {
  return {.lesson = wanted.rung->lesson,
          .step = wanted.rung->step,
          .backend = wanted.backend,
          .name = name,
          .ptxas = wanted.rung->asks_ptxas && wanted.backend.ends_with("observed"),
          .tree = wanted.rung->tree,
          .sources = (wanted.rung->list / wanted.rung->step).string() + "."};
}

std::set<std::string> MutantBuild::needs(const std::vector<std::string>& targets) const {
  std::set<std::string> needed;
  for (const auto& [key, one] : wanted(targets)) needed.merge(templates().needs(program(one, first_program)));
  return needed;
}

fs::path MutantBuild::source(const Rung& rung, const std::string& mutant) const {
  const std::string extension = rung.solution.extension();
  if (rung.tree == "attempts") return rung.list / (rung.step + "." + mutant + extension);
  return folder_ / "generated" / "mutants" / rung.lesson / (rung.step + "~" + mutant + extension);
}

MutantBuild::Cut MutantBuild::cut_all(const Wanted& wanted) const {
  const Rung& rung = *wanted.rung;
  Cut result;
  if (rung.tree == "attempts") {
    for (const cut::Mutant& mutant : rung.mutants) {
      const std::string text = read_text(source(rung, mutant.name));
      result.parts[mutant.name] = {rung.step + "~" + mutant.name, "", text, sha256(text)};
    }
    return result;
  }
  const std::string solution = read_text(rung.solution);
  for (const cut::Mutant& mutant : rung.mutants) try {
      const std::string text = cut::mutate(solution, mutant, rung.list.string());
      const fs::path file = source(rung, mutant.name);
      write_if_changed(file, text);
      result.parts[mutant.name] = {rung.step + "~" + mutant.name, file, text, sha256(text)};
    } catch (const cut::Error& error) {
      result.failures[mutant.name] = first_error(fmt::format("cut: {}\n", error.what()), root_, folder_);
      fs::remove(source(rung, mutant.name));
    }
  return result;
}

std::vector<std::string> MutantBuild::together(const Wanted& wanted, const Cut& cut, bool first) const {
  std::vector<std::string> names;
  const Rung& rung = *wanted.rung;
  const std::string key = fmt::format("{}/{}/{}.{}", rung.tree, rung.lesson, rung.step, wanted.backend);
  // ptxas speaks of one source's kernels, and nvcc's objects are for few mutants of a machine with a GPU.
  const bool single = wanted.backend.ends_with("cuda") || program(wanted, "").ptxas || apart_.contains(key);
  for (const cut::Mutant& mutant : rung.mutants)
    if (!single && cut.parts.contains(mutant.name) && !may_not_compile(mutant) &&
        is_of_first(mutant, wanted.backend) == first && (first || wanted.names.contains(mutant.name)))
      names.push_back(mutant.name);
  return names;
}

std::string MutantBuild::edges_of(const Wanted& wanted, const Cut& cut) const {
  std::string text;
  std::set<std::string> left = wanted.names;
  for (const bool first : {true, false}) {
    const std::vector<std::string> names = together(wanted, cut, first);
    const bool asked = std::any_of(names.begin(), names.end(), [&](auto& n) { return left.contains(n); });
    if (!asked || names.size() < 2) continue;
    const MutantProgram one =
        program(wanted, fmt::format("{}-{}", first ? first_program : second_program, wanted.backend));
    std::vector<cut::UnitPart> parts;
    for (const std::string& name : names) parts.push_back(cut.parts.at(name));
    write_if_changed(folder_ / one.generated(".hash.cpp"), cut::unit_table(parts, one.space(), one.idea()));
    text += templates().together(one, names);
    for (const std::string& name : names) left.erase(name);
  }
  for (const std::string& name : left) {
    if (!cut.parts.contains(name)) continue;
    const MutantProgram one = program(wanted, name);
    write_if_changed(folder_ / one.generated(".hash.cpp"),
                     cut::hash_source(cut.parts.at(name).hash, one.space(), one.idea()));
    text += templates().alone(one);
  }
  return text;
}

std::map<std::string, BuildFailure> MutantBuild::write(const std::vector<std::string>& targets,
                                                       const std::string& file) {
  std::map<std::string, BuildFailure> failures;
  std::map<const Rung*, Cut> cuts;
  std::string text = templates().head(), all;
  for (const auto& [key, one] : wanted(targets)) {
    const auto [at, fresh] = cuts.try_emplace(one.rung);
    if (fresh) at->second = cut_all(one);
    text += edges_of(one, at->second);
    for (const std::string& name : one.names) {
      const std::string worker = program(one, name).worker();
      if (const auto failed = at->second.failures.find(name); failed != at->second.failures.end())
        failures[worker] = failed->second;
      else
        all += " " + worker;
    }
  }
  write_if_changed(folder_ / file, text + "build all: phony" + all + "\n");
  return failures;
}

bool MutantBuild::take_apart(const std::vector<std::string>& failed) {
  bool any = false;
  for (const auto& wanted_of_key : wanted(failed)) {
    const auto& key = wanted_of_key.first;
    const auto& one = wanted_of_key.second;  // no structured binding: clang 14 captures none
    if (apart_.contains(key)) continue;
    const Cut cut = cut_all(one);
    const auto is_together = [&](bool first) {
      const auto names = together(one, cut, first);
      return names.size() > 1 &&
             std::any_of(names.begin(), names.end(), [&](auto& n) { return one.names.contains(n); });
    };
    if (!is_together(true) && !is_together(false)) continue;
    apart_.insert(key);
    any = true;
  }
  return any;
}

}  // namespace ladder
