#include "common/tool/judging/private_tests.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/base/process/process.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/tool/build/built_steps.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

bool is_in(const fs::path& path, const fs::path& folder) {
  const fs::path way = fs::weakly_canonical(path).lexically_relative(fs::weakly_canonical(folder));
  return !way.empty() && *way.begin() != "..";
}

/// Runs a compiler's command. @throws UsageError with its first error
void run_compiler(const Build& build, const fs::path& out, const std::string& command,
                  const fs::path& source) {
  const ProcessResult ended = run_process({.arguments = {"/bin/sh", "-c", command},
                                           .folder = build.folder(),
                                           .environment = {{"TMPDIR", out.string()}, {"CCACHE_DISABLE", "1"}},
                                           .seconds = 600});
  if (ended.ok()) return;
  const BuildFailure failure = first_error(ended.output, build.root(), build.folder());
  const std::string why = failure.text.empty() ? ended.output.substr(0, 2000) : failure.line();
  throw UsageError{fmt::format("the private tests {} do not compile: {}", source.string(), why)};
}

}  // namespace

PrivateCommands private_commands(const std::string& printed, const std::string& lesson,
                                 const std::string& judge) {
  PrivateCommands found;
  const std::string mine = fmt::format("CMakeFiles/judge-{}.dir/", lesson);
  for (std::string line : lines_of(printed)) {
    // A source of the lesson's tests, compiled alone: all but its own names is as the private ones need it.
    if (const auto rest = line.find(" -MD -MT " + mine); found.compile.empty() && rest != line.npos)
      found.compile = line.substr(0, rest);
    const std::string output = fmt::format(" -o judges/{} ", lesson);
    const auto at = line.find(output);
    if (at == line.npos) continue;
    found.link = line.replace(at, output.size(), " -o " + judge + " ");
    if (const auto shell = found.link.rfind(" && :"); shell != found.link.npos) found.link.resize(shell);
  }
  if (found.compile.empty() || found.link.empty())
    throw Error(
        fmt::format("the build has no commands for judges/{} that private tests could be added to", lesson));
  return found;
}

PrivateTests::PrivateTests(fs::path folder, const std::vector<std::string>& lessons)
    : folder_(fs::weakly_canonical(folder)) {
  if (!fs::is_directory(folder_))
    throw UsageError{fmt::format("--private {}: no such folder", folder.string())};
  if (std::none_of(lessons.begin(), lessons.end(), [&](const std::string& lesson) { return has(lesson); }))
    throw UsageError{fmt::format("--private {}: no tests of {} in it, as {}/private_test.cpp",
                                 folder.string(), lessons.front(), lessons.front())};
}

void PrivateTests::refuse_in(const fs::path& root) const {
  if (is_in(folder_, root))
    throw UsageError{fmt::format(
        "--private {}: private tests lie outside of the checkout, which students get", folder_.string())};
}

std::vector<fs::path> PrivateTests::sources_of(const std::string& lesson) const {
  std::vector<fs::path> sources;
  if (!fs::is_directory(folder_ / lesson)) return sources;
  for (const auto& entry : fs::directory_iterator(folder_ / lesson))
    if (entry.path().extension() == ".cpp") sources.push_back(entry.path());
  std::sort(sources.begin(), sources.end());
  return sources;
}

bool PrivateTests::has(const std::string& lesson) const {
  return !sources_of(lesson).empty();
}

std::string private_key_name(const fs::path& folder) {
  return "private:" + fs::weakly_canonical(folder).filename().string();
}

std::string private_sum(const fs::path& folder, const std::string& lesson) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder / lesson))
    for (const auto& entry : fs::recursive_directory_iterator(folder / lesson))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string all;
  for (const fs::path& file : files) all += file.filename().string() + "\n" + read_text(file) + "\n";
  return sha256(all);
}

std::string PrivateTests::hash(const std::string& lesson) const {
  return private_sum(folder_, lesson);
}

std::vector<std::string> PrivateTests::build_judge(const Build& build, const std::string& lesson,
                                                   const fs::path& out) const {
  fs::create_directories(out);
  fs::permissions(out, fs::perms::owner_all);
  const ProcessResult ended =
      run_process({.arguments = {"ninja", "-C", build.folder(), "-t", "commands", "judges/" + lesson},
                   .seconds = 60,
                   .output_only = true});
  const fs::path judge = out / lesson;
  const PrivateCommands commands = private_commands(ended.output, lesson, shell_word(judge));
  const auto make = [&] {
    std::string objects;
    for (const fs::path& source : sources_of(lesson)) {
      const fs::path object = out / (lesson + "-" + source.stem().string() + ".o");
      run_compiler(build, out,
                   fmt::format("{} -O1 -DLADDER_PRIVATE -I {} -o {} -c {}", commands.compile,
                               shell_word(folder_ / lesson), shell_word(object), shell_word(source)),
                   source);
      objects += " " + shell_word(object);
    }
    run_compiler(build, out, commands.link + objects, folder_ / lesson);
  };
  std::string anywhere = commands.compile + "\n" + commands.link;
  replace_all(anywhere, shell_word(judge), "JUDGE");
  const fs::path& root = build.root();
  build_once(anywhere, hash(lesson), build,
             {root / "common", root / "lessons" / lesson, root / "tests" / lesson}, judge, make);
  return {judge.string(), "private*"};
}

}  // namespace ladder
