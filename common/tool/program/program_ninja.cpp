#include "common/tool/program/program_ninja.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/base/text/text.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// In the value of a ninja variable.
std::string in_value(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '$' ? "$$" : std::string(1, c);
  return result;
}

/// In a list of paths of a ninja build line.
std::string in_path(const fs::path& path) {
  std::string result;
  for (const char c : path.string())
    result += c == '$' || c == ' ' || c == ':' ? fmt::format("${}", c) : std::string(1, c);
  return result;
}

std::string command(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return in_value(text);
}

template <class Range>
void append(std::vector<std::string>& words, const Range& more) {
  words.insert(words.end(), std::begin(more), std::end(more));
}

/// Whether a source asks for OpenMP's functions. nvcc wants -Xcompiler -fopenmp for such a program, on both
/// its compile and its link line; here the source says enough.
bool uses_openmp(const fs::path& source) {
  std::ifstream file(source);
  for (std::string line; std::getline(file, line);)
    if (line.find("#include") != std::string::npos && line.find("<omp.h>") != std::string::npos) return true;
  return false;
}

/// Writes the build of one program in one mode.
class Writer {
 public:
  Writer(const Toolchain& tools, const ProgramRequest& request, bool observed)
      : tools_(tools),
        request_(request),
        observed_(observed),
        mode_(observed ? tools.observed : tools.plain),
        openmp_(std::any_of(request.sources.begin(), request.sources.end(), uses_openmp)) {}

  std::string text() {
    std::string objects;
    for (const fs::path& source : request_.sources) objects += " " + in_path(compile(source));
    std::vector<std::string> before = {tools_.cxx, "-o", "program"};
    if (openmp_) before.push_back("-fopenmp");
    std::string libraries;
    for (const std::string& word : mode_.link)
      if (word.rfind('/', 0) == 0) libraries += " " + in_path(word);
    return rules_ + edges_ +
           fmt::format("rule link\n  command = {} $in {}\nbuild program: link{} |{}\n", command(before),
                       command(mode_.link), objects, libraries);
  }

  /// Once is enough: not again when it is observed.
  bool lints() const { return !observed_ && !tools_.lint.empty(); }

 private:
  /// @return the object
  fs::path compile(const fs::path& source) {
    const int number = number_++;
    const std::string name = fmt::format("{}-{}", number, source.filename().string());
    const bool cuda = source.extension() == ".cu";
    const fs::path input = cuda ? fs::path(name + ".cpp") : source;
    if (cuda) rewrite(source, input, number);
    if (cuda && lints()) lint(source, name, number);
    std::vector<std::string> words = tools_.launcher;
    const bool c = source.extension() == ".c";
    words.push_back(c ? tools_.c : tools_.cxx);
    if (!c) words.push_back("-std=gnu++" + request_.standard.substr(3));
    append(words, cuda ? mode_.flags : tools_.plain.flags);
    if (cuda && observed_) words.push_back("@" + input.string() + ".options");
    if (cuda && !mode_.first.empty()) append(words, std::vector<std::string>{"-include", mode_.first});
    // Whose program it is decides about warnings; errors are ours to show, the first ones only.
    append(words, std::vector<std::string>{
                      "-w", "-fmax-errors=8", "-fmacro-prefix-map=" + fs::current_path().string() + "/=",
                      "-I" + tools_.headers.string(), "-iquote", source.parent_path().string()});
    append_users(words);
    if (openmp_) words.push_back("-fopenmp");
    rules_ += fmt::format(
        "rule compile-{0}\n  command = {1} -MD -MF $out.d -c $in -o $out\n  depfile = $out.d\n  deps = gcc\n",
        number, command(words));
    edges_ += fmt::format("build {}.o: compile-{} {}\n", in_path(name), number, in_path(input));
    return name + ".o";
  }

  void rewrite(const fs::path& source, const fs::path& output, int number) {
    std::vector<std::string> words = {tools_.rewriter.string(), source.string(), output.string(), "--depfile",
                                      output.string() + ".d"};
    for (const fs::path& folder : request_.include_dirs) words.push_back("-I" + folder.string());
    rules_ += fmt::format("rule rewrite-{0}\n  command = {1}\n  depfile = {2}.d\n", number, command(words),
                          in_value(output.string()));
    edges_ += fmt::format("build {}: rewrite-{} {} | {}\n", in_path(output), number, in_path(source),
                          in_path(tools_.rewriter));
  }

  void lint(const fs::path& source, const std::string& name, int number) {
    std::vector<std::string> words = tools_.lint_words("gnu++" + request_.standard.substr(3));
    append_users(words);
    rules_ += fmt::format(
        "rule lint-{0}\n  command = sh {1} $out {2} -MD -MF $out.d -MT $out $in\n  depfile = $out.d\n  deps "
        "= gcc\n",
        number, command({tools_.lint_script.string()}), command(words));
    edges_ += fmt::format("build {}.lint: lint-{} {}\n", in_path(name), number, in_path(source));
  }

  void append_users(std::vector<std::string>& words) {
    for (const fs::path& folder : request_.include_dirs) words.push_back("-I" + folder.string());
    for (const std::string& define : request_.defines) words.push_back("-D" + define);
  }

  const Toolchain& tools_;
  const ProgramRequest& request_;
  bool observed_;
  const CompileMode& mode_;
  const bool openmp_;
  int number_ = 0;
  std::string rules_, edges_;
};

}  // namespace

std::string program_ninja(const Toolchain& tools, const ProgramRequest& request, bool observed) {
  return Writer(tools, request, observed).text();
}

std::vector<std::string> lint_targets(const Toolchain& tools, const ProgramRequest& request, bool observed) {
  std::vector<std::string> targets;
  if (!Writer(tools, request, observed).lints()) return targets;
  for (std::size_t i = 0; i < request.sources.size(); ++i)
    if (request.sources[i].extension() == ".cu")
      targets.push_back(fmt::format("{}-{}.lint", i, request.sources[i].filename().string()));
  return targets;
}

}  // namespace ladder
