#include "common/tool/build/recipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "common/base/process/process.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// What may be in a path of ours within a command.
bool is_path_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("/._+-~").find(c) != std::string_view::npos;
}

/// Where a program keeps what it needs: of PREFIX/bin/c++ these folders of PREFIX, also where the program is
/// a link to another one. Not PREFIX itself, which may be somebody's home.
void add_installation(const fs::path& program, std::vector<std::string>& reads) {
  std::error_code none;
  for (const fs::path& path : {program, fs::canonical(program, none)}) {
    if (path.parent_path().filename() != "bin") continue;
    const fs::path prefix = path.parent_path().parent_path();
    for (const char* name : {"bin", "include", "lib", "lib32", "lib64", "libexec", "nvvm", "targets"})
      if (const fs::path folder = prefix / name; fs::is_directory(folder, none)) reads.push_back(folder);
    for (const auto& entry : fs::directory_iterator(prefix / "share", none))
      if (entry.path().filename().string().starts_with("cmake")) reads.push_back(entry.path());
  }
}

/// Takes one command apart into paths and the rest, and puts it together for another folder.
class Translator {
 public:
  Translator(const StepProgram& program, fs::path root, fs::path folder)
      : lesson_(program.lesson),
        tree_(program.tree),
        mine_{fmt::format("worker-{}-{}-{}-{}", program.tree, program.lesson, program.name, program.backend),
              fmt::format("{}/{}/{}.", program.tree, program.lesson, program.name)},
        source_(program.source),
        lesson_folder_(root / "lessons" / program.lesson),
        root_(std::move(root)),
        folder_(std::move(folder)) {}

  bool concerns(const std::string& command) const {
    return std::any_of(mine_.begin(), mine_.end(),
                       [&](const std::string& name) { return command.find(name) != command.npos; });
  }

  std::string translated(const std::string& command, Recipe& recipe) const {
    std::string result;
    for (std::size_t at = 0; at < command.size();) {
      if (!is_path_letter(command[at])) {
        result += command[at++];
        continue;
      }
      std::size_t end = at;
      while (end < command.size() && is_path_letter(command[end])) ++end;
      result += word(command.substr(at, end - at), recipe);
      at = end;
    }
    replace_all(result, "\\$ORIGIN/../../../lib", (folder_ / "lib").string());
    if (source_.empty()) return result;
    replace_all(result, "-iquote " + lesson_folder_.string(),
                fmt::format("-iquote {}/{}", Recipe::sources, lesson_));
    replace_all(result, fmt::format("-fmacro-prefix-map={}/=", root_.string()),
                fmt::format("-fmacro-prefix-map={}/=lessons/ -fmacro-prefix-map={}/=", Recipe::sources,
                            root_.string()));
    return result;
  }

 private:
  /// A path of a command, as the recipe has it.
  std::string word(const std::string& text, Recipe& recipe) const {
    if (!source_.empty() && text == source_)
      return fmt::format("{}/{}/{}", Recipe::sources, lesson_, source_.filename().string());
    const std::string build = folder_.string() + "/";
    const std::string inside = text.starts_with(build) ? text.substr(build.size()) : text;
    static const char* const outputs[] = {"generated/{}/", "worker-{}-", "CMakeFiles/worker-{}-", "nvcc/{}/",
                                          "workers/{}/"};
    const bool output =
        concerns(inside) && std::any_of(std::begin(outputs), std::end(outputs), [&](auto begin) {
          return inside.starts_with(fmt::format(fmt::runtime(begin), tree_));
        });
    if (output) {
      recipe.folders.push_back(fs::path(inside).parent_path());
      return fmt::format("{}/{}", Recipe::outputs, inside);
    }
    const fs::path whole = text.starts_with("/") ? fs::path(text) : folder_ / text;
    std::error_code none;
    const auto inside_of = [&](const fs::path& parent) {
      return whole.string().starts_with(parent.string() + "/");
    };
    if (inside_of("/usr") || !fs::is_regular_file(whole, none)) return text;  // every sandbox shows /usr
    recipe.reads.push_back(whole);
    if (const fs::path compiled = whole.string() + ".gch"; fs::is_regular_file(compiled, none))
      recipe.reads.push_back(compiled);  // GCC looks for it next to a header
    if (!inside_of(root_) && !inside_of(folder_)) add_installation(whole, recipe.reads);
    return text;
  }

  std::string lesson_, tree_;
  std::vector<std::string> mine_;
  fs::path source_, lesson_folder_, root_, folder_;
};

/// Without what serves the build folder only: the compiler's cache, dependencies for ninja, and its folders.
std::string bare(std::string command) {
  if (const auto folder = command.find("cmake -E make_directory "); folder != command.npos) {
    const auto before = command.rfind("&& ", folder), after = command.find(" && ", folder);
    if (before != command.npos && after != command.npos) command.erase(before, after + 1 - before);
  }
  if (const auto depfile = command.find("cmake -E cmake_transform_depfile"); depfile != command.npos)
    command.resize(command.rfind(" && ", depfile));
  for (const char* cache : {"ccache ", "/usr/bin/ccache "})
    if (const auto at = command.find(cache); at != command.npos && (at == 0 || command[at - 1] == ' '))
      command.erase(at, std::string_view(cache).size());
  return command;
}

/// The beginning of a word of a shell: quoted where a scratch folder has blanks.
std::string as_word(const fs::path& folder) {
  const std::string text = folder.string();
  return std::all_of(text.begin(), text.end(), is_path_letter) ? text : "'" + text + "'";
}

void sort_once(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace

std::string Recipe::script(const fs::path& source_folder, const fs::path& output_folder) const {
  std::string text = "set -e\n";
  for (const std::string& command : commands) text += "( " + command + " )\n";
  replace_all(text, sources, as_word(source_folder));
  replace_all(text, outputs, as_word(output_folder));
  return text;
}

void leave_out_ptxas(Recipe& recipe) {
  std::erase_if(recipe.commands, [](const std::string& command) {
    return command.find("/ptxas.cmake") != command.npos || command.find(".ptxas.cpp.o -c ") != command.npos;
  });
  for (std::string& command : recipe.commands)  // that links
    for (std::size_t end; (end = command.find(".ptxas.cpp.o ")) != command.npos;) {
      const auto before = command.rfind(' ', end);
      command.erase(before + 1, end + std::string_view(".ptxas.cpp.o ").size() - before - 1);
    }
}

Recipe recipe_from(const std::string& printed, const StepProgram& program, const fs::path& root,
                   const fs::path& folder) {
  Recipe recipe;
  recipe.target = program.target();
  const Translator translator(program, root, folder);
  for (const std::string& line : lines_of(printed))
    if (translator.concerns(line)) recipe.commands.push_back(translator.translated(bare(line), recipe));
  sort_once(recipe.folders);
  sort_once(recipe.reads);
  return recipe;
}

Recipe recipe_of(const StepProgram& program, const fs::path& root, const fs::path& folder) {
  const std::string target = program.target();
  const ProcessResult ended = run_process(
      {.arguments = {"ninja", "-C", folder, "-t", "commands", target}, .seconds = 60, .output_only = true});
  if (!ended.ok())
    throw UsageError{fmt::format("the build has no target {}; see ninja -C {} -t commands {}", target,
                                 folder.string(), target)};
  return recipe_from(ended.output, program, root, folder);
}

}  // namespace ladder
