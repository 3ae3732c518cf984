#include "common/tool/build/mutant_ninja.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// Where the outputs of a build line end: at a colon that is none of a path's.
std::size_t end_of_outputs(const std::string& line) {
  std::size_t at = line.find(": ");
  while (at != line.npos && at > 0 && line[at - 1] == '$') at = line.find(": ", at + 1);
  return at;
}

std::string up_to(const std::string& text, const char* mark) {
  return text.substr(0, text.find(mark));
}

std::string first_word(const std::string& text) {
  std::string word;
  std::istringstream(text) >> word;
  return word;
}

/// The letters and hyphens that follow.
std::string backend_at(const std::string& text, std::size_t at) {
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
  return text.substr(at, end == text.npos ? text.npos : end - at);
}

/// Changes the value of a variable of an edge.
void set_variable(std::string& variables, const std::string& name, const std::string& value) {
  const std::string begin = "  " + name + " = ";
  const std::size_t at = variables.find(begin);
  if (at == variables.npos) {
    variables += begin + value + "\n";
    return;
  }
  const std::size_t from = at + begin.size(), to = variables.find('\n', from);
  const std::string old = variables.substr(from, to - from);
  variables.replace(from, to - from, old == ":" ? value : old + " && " + value);
}

/// The commands of a custom command, without what makes its list of dependencies one of CMake's: ninja
/// reads that list as it is, when it names the output as the edge does.
void read_own_dependencies(std::string& variables, const std::string& output, const fs::path& folder) {
  const std::size_t transform = variables.find("cmake_transform_depfile");
  if (transform != variables.npos) {
    const std::size_t from = variables.rfind(" && ", transform), to = variables.find('\n', transform);
    variables.erase(from, to - from);
  }
  replace_all(variables, (folder / output).string(), output);
  if (const std::size_t at = variables.find("  depfile = "); at != variables.npos)
    variables.replace(at, variables.find('\n', at) - at, fmt::format("  depfile = {}.d", output));
}

/// The flag with which a rewritten source is compiled with its own options, in quotes as it stands there:
/// "@FOLDER/g1.cu.cpp.options". Empty: it has none.
std::string options_in(const std::string& variables, const std::string& rewritten) {
  const std::size_t name = variables.find(rewritten + ".options"), at = variables.rfind('@', name);
  if (name == variables.npos || at == variables.npos) return "";
  const std::size_t begin = at > 0 && variables[at - 1] == '"' ? at - 1 : at;
  return variables.substr(begin, variables.find_first_of(" \n", name) - begin);
}

}  // namespace

std::string MutantProgram::worker(const std::string& mutant) const {
  return fmt::format("workers/{}/{}/{}~{}.{}", tree, lesson, step, mutant, backend);
}

std::string MutantProgram::generated(const std::string& ending) const {
  return fmt::format("generated/{}/{}/{}~{}{}", tree, lesson, step, name, ending);
}

MutantTemplates::MutantTemplates(fs::path folder) : folder_(std::move(folder)) {
  const std::string text = read_text(folder_ / "build.ninja");
  for (std::size_t at = 0; (at = text.find(template_rung, at)) != text.npos;) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::size_t variables = std::min(end + 1, text.size());
    while (text.compare(variables, 2, "  ") == 0 && text.compare(end + 1, 2, "  ") == 0)
      end = std::min(text.find('\n', end + 1), text.size());
    at = end;
    if (line.starts_with("build "))
      add(line.substr(6), end + 1 > variables ? text.substr(variables, end + 1 - variables) : "");
  }
}

void MutantTemplates::add(const std::string& line, const std::string& variables) {
  const std::size_t colon = end_of_outputs(line);
  if (colon == line.npos) return;
  Edge edge;
  edge.outputs = line.substr(0, colon);
  edge.rule = first_word(line.substr(colon + 2));
  edge.inputs = up_to(line.substr(colon + 2 + edge.rule.size()), " || ");  // the order is that of files here
  edge.variables = variables;
  const bool ptxas = edge.outputs.find(template_ptxas) != edge.outputs.npos;
  const std::string unit = ptxas ? template_ptxas : template_unit;
  const std::size_t rung = edge.outputs.find(template_rung), at = edge.outputs.find(unit);
  if (edge.rule == "phony" || edge.outputs.starts_with((folder_ / "generated").string()) ||
      rung == line.npos || at == line.npos)
    return;
  const std::size_t folder = edge.outputs.find("mutants") + 8;
  const std::string lesson = edge.outputs.substr(folder, rung - 1 - folder);
  const std::string output = first_word(edge.outputs);
  const bool custom = edge.rule == "CUSTOM_COMMAND", nvcc = edge.outputs.starts_with("nvcc/");
  const std::string backend = nvcc ? "cuda" : backend_at(edge.outputs, at + unit.size() + 1);
  edge.kind = edge.outputs.starts_with("workers/")    ? Kind::link
              : custom && output.ends_with(".cu.cpp") ? Kind::rewrite
              : custom                                ? Kind::other
              : output.ends_with(".hash.cpp.o")       ? Kind::hash
                                                      : Kind::compile;
  if (custom) read_own_dependencies(edge.variables, output, folder_);
  rules_.insert(edge.rule);
  edges_[{lesson, backend, ptxas}].push_back(std::move(edge));
}

const std::vector<MutantTemplates::Edge>& MutantTemplates::edges_of(const MutantProgram& program) const {
  const auto found = edges_.find({program.lesson, program.backend, program.ptxas});
  if (found == edges_.end())
    throw UsageError{
        fmt::format("{} describes no mutants of {} for {}: configure the build again through ./ladder",
                    (folder_ / "build.ninja").string(), program.lesson, program.backend)};
  return found->second;
}

std::string MutantTemplates::filled(const MutantProgram& program, const std::string& name,
                                    std::string text) const {
  replace_all(text, template_rung, program.step);
  replace_all(text, program.ptxas ? template_ptxas : template_unit, name);
  replace_all(text, template_idea, program.idea());
  if (program.tree == "mutants") return text;
  for (const char* before : {"workers/", "worker-", "generated/"})
    replace_all(text, fmt::format("{}mutants", before), before + program.tree);
  // An object of it has its path too, behind a slash.
  for (const char* extension : {".cu", ".cpp"})
    if (const std::string source = program.sources + name + extension; fs::exists(source)) {
      const std::string written =
          fmt::format("generated/{}/{}/{}~{}{}", program.tree, program.lesson, program.step, name, extension);
      replace_all(text, (folder_ / written).string(), source);
      replace_all(text, " " + written, " " + source);
      if (text.starts_with(written)) text.replace(0, written.size(), source);
    }
  return text;
}

std::string MutantTemplates::text_of(const MutantProgram& program, const std::string& name, Edge edge) const {
  return fmt::format("build {}: {}{}\n{}", filled(program, name, edge.outputs), edge.rule,
                     filled(program, name, edge.inputs), filled(program, name, edge.variables));
}

std::string MutantTemplates::alone(const MutantProgram& program) const {
  std::string text;
  for (Edge edge : edges_of(program)) {
    // A worker may be a link to a program of several: they keep theirs.
    if (edge.kind == Kind::link) set_variable(edge.variables, "PRE_LINK", "rm -f " + edge.outputs);
    text += text_of(program, program.name, std::move(edge));
  }
  return text;
}

std::string MutantTemplates::together(const MutantProgram& program,
                                      const std::vector<std::string>& mutants) const {
  const auto& edges = edges_of(program);
  const auto rewrite =
      std::find_if(edges.begin(), edges.end(), [](const Edge& e) { return e.kind == Kind::rewrite; });
  std::string text, table;
  for (const Edge& edge : edges)
    if (edge.kind == Kind::hash) table = edge.outputs;
  for (Edge edge : edges) {
    if (edge.kind == Kind::rewrite) {
      for (const std::string& mutant : mutants) text += text_of(program, mutant, edge);
      continue;
    }
    if (edge.kind == Kind::compile) {
      const std::string source = first_word(edge.inputs);
      text += fmt::format("build {}: ladder_unit", filled(program, program.name, source));
      for (const std::string& mutant : mutants)
        text += " " + filled(program, mutant, rewrite == edges.end() ? source : first_word(rewrite->outputs));
      text += fmt::format(" | bin/cut\n  space = {}\n", program.space());
      if (rewrite != edges.end()) {  // writes each mutant's options next to it, and none for all
        const std::string options = options_in(edge.variables, first_word(rewrite->outputs));
        std::string all;
        for (const std::string& mutant : mutants) all += " " + filled(program, mutant, options);
        if (!options.empty()) replace_all(edge.variables, options, all);
      }
    }
    if (edge.kind == Kind::link) {
      std::string workers;
      for (const std::string& mutant : mutants) workers += " " + program.worker(mutant);
      edge.outputs += " |" + workers;
      replace_all(edge.inputs, " " + table, "");  // its constructor comes last
      edge.inputs.insert(std::min(edge.inputs.find(" | "), edge.inputs.size()), " " + table);
      set_variable(edge.variables, "PRE_LINK", fmt::format("rm -f {}{}", program.worker(), workers));
      set_variable(edge.variables, "POST_BUILD",
                   fmt::format("LADDER_STARTS_ONLY=1 ./{0} && for worker in{1}; do ln -f {0} $$worker; done",
                               program.worker(), workers));
    }
    text += text_of(program, program.name, std::move(edge));
  }
  return text;
}

std::set<std::string> MutantTemplates::needs(const MutantProgram& program) const {
  std::set<std::string> needed{"bin/cut"};
  for (const Edge& edge : edges_of(program)) {
    std::istringstream words(filled(program, program.name, edge.inputs));
    for (std::string word; words >> word;)
      if (word != "|") needed.insert(word);
  }
  return needed;
}

std::string MutantTemplates::head() const {
  std::string text = fmt::format(
      "# Written by ladder: mutants.\nninja_required_version = 1.5\nbuilddir = generated/mutants\n"
      "cmake_ninja_workdir = {}/\n"
      "rule ladder_unit\n  command = bin/cut unit $space $in -o $out\n  description = Joining mutants to "
      "$out\n"
      "  restat = 1\n",
      folder_.string());
  const std::string all = read_text(folder_ / "CMakeFiles" / "rules.ninja");
  for (const std::string& rule : rules_) {
    const std::size_t begin = all.find("rule " + rule + "\n");
    if (begin == all.npos) continue;
    std::size_t end = all.find('\n', begin);
    while (end != all.npos && all.compare(end + 1, 2, "  ") == 0) end = all.find('\n', end + 1);
    text += all.substr(begin, std::min(end, all.size()) - begin) + "\n";
  }
  return text;
}

}  // namespace ladder
