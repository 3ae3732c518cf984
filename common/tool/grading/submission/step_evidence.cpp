#include "common/tool/grading/submission/step_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <regex>

#include "common/base/files/files.hpp"
#include "common/base/text/kernel_name.hpp"
#include "common/grade/evidence/hook_coverage.hpp"
#include "common/grade/evidence/source_words.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using Suspicions = std::vector<grade::Suspicion>;

/// Its symbols; instructions and sections that do what a symbol would have shown, in the form of symbols.
constexpr const char* what_it_names =
    "  nm -P \"$object\"\n"
    "  objdump -d --no-show-raw-insn \"$object\" | grep -qE '^ *[0-9a-f]+:[[:space:]]+(syscall|sysenter|int  "
    ")' && echo syscall_instruction U\n"
    "  objdump -h \"$object\" | grep -q preinit_array && echo section_preinit_array U\n"
    "  objdump -h \"$object\" | awk '$2 ~ /^[.]|^[A-Za-z_]/ {name = $2} /CODE/ && name !~ /^[.]text/ "
    "{print \"section_\" name, \"U\"}'\n";

/// The code of an observed object, and the addresses in its data.
constexpr const char* its_code =
    "  objdump -d -r -t --no-show-raw-insn \"$object\"\n"
    "  objdump -r \"$object\" | awk '/^RELOCATION/ {data = "
    "/[[][.](data|tdata|rodata|init_array|fini_array)/} data'\n";

/// What a script prints last: what a limit has cut off has not been looked at.
constexpr const char* end_of_look = "echo '# whole'\n";

/// A script for each of a step's objects.
std::string for_each_object(const BuiltStep& built, const char* pattern, const char* what) {
  return fmt::format(
      "find {} -path '{}' -name '{}*.o' ! -name '*.ptxas.*' ! -name '*.hash.*' | while read -r object\n"
      "do\n{}done\n{}",
      built.outputs.string(), pattern, built.step.step->name, what, end_of_look);
}

/// The commands that compile the step's own text, which only replace its macros: they print the lines of its
/// own files. Empty: no such command is g++'s.
std::string script_of_macros(const Recipe& recipe, const BuiltStep& built) {
  static const std::regex object(" -o ([^ ]+)[.]o -c ");
  Recipe own{.target = recipe.target};
  for (const std::string& command : recipe.commands) {
    const bool compiles = std::regex_search(command, object) && command.find("nvcc") == command.npos &&
                          command.find(".hash.cpp") == command.npos &&
                          command.find(".ptxas.cpp") == command.npos &&
                          command.find("generated/mains") == command.npos;
    if (!compiles) continue;
    own.commands.push_back(std::regex_replace(command, object, " -o - -E -dD -c ") + " | awk -v own=" +
                           Recipe::sources + "/ '/^# [0-9]+ \"/ {mine = index($0, \"\\\"\" own)} mine'");
  }
  return own.commands.empty() ? "" : own.script(built.sources, built.outputs) + end_of_look;
}

/// "dgemm::quiet" of a mangled name: as the source has it.
std::string shown_name(const grade::Suspicion& one) {
  return one.symbol.starts_with("_Z") ? kernel_name(one.symbol) : one.symbol;
}

void add(Suspicions& all, Suspicions more, const std::set<std::string>& reference) {
  for (grade::Suspicion& one : more) {
    const bool known =
        reference.contains(one.symbol) || reference.contains(shown_name(one)) ||
        std::any_of(all.begin(), all.end(), [&](const auto& other) { return other.symbol == one.symbol; });
    if (!known) all.push_back(std::move(one));
  }
}

Suspicions words_of_files(const BuiltStep& built, grade::Counted counted) {
  Suspicions all;
  for (const auto& entry : fs::directory_iterator(built.source.parent_path())) {
    const fs::path extension = entry.path().extension();
    const bool other_step = extension == ".cu" || extension == ".cpp";
    if (!entry.is_regular_file() || (other_step && entry.path() != built.source)) continue;
    if (extension == ".md" || extension == ".json") continue;
    add(all, grade::words_of_source(entry.path().filename(), read_text(entry.path()), counted), {});
  }
  return all;
}

/// How a look ended that is none: what has cut it off. Its output is the submission's, and not shown.
std::string how_it_ended(const ProcessResult& ended) {
  if (!ended.error.empty()) return ended.error;
  if (ended.out_of_memory) return "it took more memory than compilers get";
  if (ended.timed_out || ended.signal == SIGXCPU) return "it took longer than compilers get";
  if (ended.signal != 0) return fmt::format("signal {} has ended it", ended.signal);
  if (ended.status != 0) return fmt::format("it ended with status {}", ended.status);
  return fmt::format("it printed {} bytes and no end", ended.output.size());
}

/// A look that was cut off, or that has found nothing where something must be, is none.
/// @param found  whether it has seen what it looks for
void require_whole(const ProcessResult& ended, bool found, const char* what, Suspicions& all) {
  if (found && ended.output.ends_with("# whole\n")) return;
  const std::string why = found || !ended.ok() ? how_it_ended(ended) : "nothing of its own was seen";
  add(all, {{what, "could not be looked at as a whole", "only this went wrong: " + why}}, {});
}

bool is_observed(const Recipe& recipe) {
  return recipe.target.ends_with("observed");
}

}  // namespace

std::vector<grade::Suspicion> suspicions_of(const BuiltStep& built, const grade::Surroundings& around,
                                            const Look& look) {
  const std::set<std::string>& reference = built.step.reference_names;
  const std::vector<Recipe>& recipes = built.step.recipes;
  const ProcessResult named = look(for_each_object(built, "*", what_it_names), {});
  const grade::Symbols symbols = grade::symbols_from(named.output);
  Suspicions all = grade::suspicions(symbols, around, reference);
  // What it defines nobody allows.
  std::erase_if(all, [&](const grade::Suspicion& one) {
    return symbols.used.contains(one.symbol) && reference.contains(shown_name(one));
  });
  require_whole(named, !symbols.used.empty(), "symbols", all);
  const bool kernels = built.step.step->family() == "cuda";
  const auto counted = kernels ? grade::Counted::kernels : grade::Counted::processor;
  add(all, words_of_files(built, counted), reference);
  for (const Recipe& recipe : recipes)
    if (const std::string script = script_of_macros(recipe, built); !script.empty()) {
      const ProcessResult text = look(script, recipe.reads);
      const bool own = text.output.find(built.source.filename().string() + "\"") != std::string::npos;
      require_whole(text, own, "macros", all);
      add(all, grade::words_of_code(text.output, counted, around.executor_words), reference);
    }
  if (std::none_of(recipes.begin(), recipes.end(), is_observed)) return all;
  const ProcessResult printed = look(for_each_object(built, "*-observed.*", its_code), {});
  const grade::ObjectCode code = grade::code_from(printed.output);
  require_whole(printed, !code.functions.empty(), "code", all);
  add(all, grade::unseen_accesses(code, symbols.used, around), reference);
  return all;
}

void show_suspicions(const Suspicions& found, const std::string& first, model::GradedResult& result) {
  std::string evidence = first;
  for (const grade::Suspicion& one : found) {
    evidence += fmt::format("{}it {} ({}{}{})", evidence.empty() ? "" : "; ", one.why, shown_name(one),
                            one.place.empty() ? "" : ", ", one.place);
    const std::string looks_the_same = one.honest.empty() ? "no honest rung does that" : one.honest;
    result.details.emplace_back("Honest if", fmt::format("{}: {}", shown_name(one), looks_the_same));
  }
  result.judged_as = result.verdict;
  result.message = fmt::format("{}; judged {}: {}", evidence, name(result.verdict), result.message);
  if (result.verdict != Verdict::rejected) result.verdict = Verdict::review;
}

}  // namespace ladder
