/// @file
/// The verb new: the files of a rung or a lesson, made from common/tool/templates, with TODO where something
/// is to be done; and the skeleton of a solution. All files or none.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>

#include "common/base/text/step_name.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/handout/insertions.hpp"
#include "common/tool/maintain/authoring.hpp"
#include "common/tool/maintain/checks/format.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Names that mean something else in a lesson's namespace, or in C++.
const char* const taken[] = {
    "alignas",  "alignof",   "and",       "asm",      "auto",     "baseline", "bool",    "break",    "case",
    "catch",    "char",      "class",     "concept",  "const",    "continue", "default", "delete",   "do",
    "double",   "else",      "enum",      "explicit", "export",   "extern",   "false",   "float",    "for",
    "friend",   "goto",      "if",        "inline",   "int",      "ladder",   "lesson",  "library",  "long",
    "main",     "mutable",   "namespace", "new",      "noexcept", "not",      "nullptr", "operator", "or",
    "private",  "protected", "public",    "register", "requires", "return",   "short",   "signed",   "sizeof",
    "static",   "std",       "steps",     "struct",   "switch",   "template", "test",    "this",     "throw",
    "true",     "try",       "typedef",   "typename", "union",    "unsigned", "using",   "virtual",  "void",
    "volatile", "while",     "work",      "xor"};

void require_free_name(const std::string& name) {
  if (std::find(std::begin(taken), std::end(taken), name) != std::end(taken))
    throw UsageError{fmt::format("'{}' cannot be used: C++ or the contract already has that name", name)};
}

/// What is to be written, relative to the checkout.
class Files {
 public:
  explicit Files(fs::path root) : root_(std::move(root)) {}

  /// A file that is not there yet. @throws UsageError when it is
  void add(const std::string& path, const std::string& text) {
    if (fs::exists(root_ / path)) throw UsageError{path + " already exists: nothing was written"};
    files_.push_back({path, text, {}});
  }
  /// A file that is there, with another text.
  void change(const std::string& path, const std::string& text) {
    files_.push_back({path, text, read_text(root_ / path)});
  }

  /// Writes all; where one cannot be written, those before it are as they were. @return the paths
  std::vector<std::string> write() const {
    std::vector<std::string> paths;
    try {
      for (const File& file : files_) {
        paths.push_back(file.path);
        write_text(root_ / file.path, file.text);
      }
    } catch (...) {
      for (std::size_t i = 0; i < paths.size(); ++i) undo(files_[i]);
      throw;
    }
    lay_out(root_, paths, find_formatter());  // a name may be longer than the template's
    return paths;
  }

 private:
  struct File {
    std::string path, text;
    std::optional<std::string> before;
  };
  void undo(const File& file) const {
    const fs::path path = root_ / file.path;
    std::error_code ignored;
    if (file.before) {
      if (read_text(path) != *file.before) write_text(path, *file.before);
      return;
    }
    fs::remove(path, ignored);  // and the folders that were made for it: those that are empty
    for (fs::path folder = path.parent_path(); folder != root_ && fs::remove(folder, ignored);)
      folder = folder.parent_path();
  }
  fs::path root_;
  std::vector<File> files_;
};

std::string template_of(const Context& context, const std::string& name) {
  const fs::path file = context.root / "common/tool/templates" / (name + ".in");
  const std::string text = read_text(file);
  if (text.empty()) throw UsageError{file.string() + " cannot be read"};
  return text;
}

void require_solutions(const Context& context) {
  if (!fs::exists(context.root / "solutions"))
    throw UsageError{"this copy has no solutions, which a new rung or lesson needs"};
}

/// The file of a rung as it was asked for, "c3_transposed" or "c3_transposed.cpp".
std::string file_of(const LessonEntry& lesson, const std::string& typed) {
  static const std::regex pattern(R"(([a-z])([1-9][0-9]{0,2})_([a-z][a-z0-9_]*)(\.cpp|\.cu)?)");
  std::smatch parts;
  if (!std::regex_match(typed, parts, pattern))
    throw UsageError{
        fmt::format("'{}' is no name of a rung: track, number, _ and an idea of small letters, "
                    "digits and _, as in c3_transposed",
                    typed)};
  const std::string track = parts[1];
  if (tracks.find(track) == tracks.npos)
    throw UsageError{
        fmt::format("there is no track '{}': c runs on the CPU, m in several processes, g on one "
                    "GPU, t on its tensor cores",
                    track)};
  require_free_name(parts[3]);
  std::string ending = parts[4];
  const bool gpu = is_track_of_gpu(track[0]);
  if (track == "c" && ending == ".cu") throw UsageError{fmt::format("rungs of track {} end in .cpp", track)};
  if (ending.empty()) {  // as the lesson's other rungs
    ending = gpu ? ".cu" : ".cpp";
    for (const StepEntry& step : lesson.steps)
      if (gpu && step.track() == track[0]) ending = fs::path(step.file).extension();
  }
  return fs::path(typed).stem().string() + ending;
}

/// @throws UsageError when the lesson has such a number or idea
void require_new(const LessonEntry& lesson, const StepEntry& rung) {
  for (const StepEntry& step : lesson.steps) {
    if (step.id() == rung.id()) throw UsageError{fmt::format("{} is {} already", step.label(), step.name)};
    if (step.idea() == rung.idea())
      throw UsageError{fmt::format("{} already has the idea '{}': {}", lesson.name, step.idea(), step.name)};
  }
}

std::map<std::string, std::string> values_of(const LessonEntry& lesson, const StepEntry& rung) {
  const bool resident = rung.family() == "cuda";
  return {{"lesson", lesson.name},
          {"number", lesson.number()},
          {"space", space_of(lesson.name)},
          {"file", rung.file},
          {"step", rung.name},
          {"id", rung.id()},
          {"idea", rung.idea()},
          {"data", resident ? "resident" : "host"},
          {"ranks", rung.track() == 'm' ? "\nranks = 3" : ""}};
}

/// Adds the files of a rung that are the rung's alone.
void add_rung(const Context& context, Files& files, const LessonEntry& lesson, const StepEntry& rung) {
  const auto values = values_of(lesson, rung);
  const std::string family = rung.family();
  const char* of = is_cuda(family)      ? "g.cu"
                   : family == "opencl" ? "g.cpp"
                   : family == "mpi"    ? "m.cpp"
                                        : "c.cpp";
  const std::string solution = filled(template_of(context, std::string("rung/") + of), values);
  files.add("solutions/" + lesson.name + "/" + rung.file, solution);
  files.add("lessons/" + lesson.name + "/" + rung.file, cut::skeleton(solution, rung.file));
  files.add("tests/" + lesson.name + "/mutants/" + rung.name + ".mutants",
            filled(template_of(context, "rung/mutants"), values));
}

void new_rung(Context& context, Files& files, const std::string& typed) {
  const auto slash = typed.find('/');
  if (slash == std::string::npos)
    throw UsageError{fmt::format("'{}' names no lesson: ./ladder new rung 03/c3_transposed", typed)};
  const LessonEntry& lesson = context.catalogue.lesson(typed.substr(0, slash));
  StepEntry rung{lesson.name, "", file_of(lesson, typed.substr(slash + 1)), {}};
  rung.name = fs::path(rung.file).stem();
  require_new(lesson, rung);
  add_rung(context, files, lesson, rung);
  const auto values = values_of(lesson, rung);
  const std::string folder = "lessons/" + lesson.name + "/", table = folder + "rungs.toml";
  files.change(table, with_row(read_text(context.root / table),
                               filled(template_of(context, "rung/row.toml"), values), rung.id()));
  const std::string page = folder + "README.md";
  files.change(page, with_section(read_text(context.root / page),
                                  filled(template_of(context, "rung/section.md"), values), rung.id()));
}

void new_lesson(const Context& context, Files& files, const std::string& typed) {
  static const std::regex pattern("[0-9][0-9]-[a-z][a-z0-9]*(-[a-z0-9]+)*");
  if (!std::regex_match(typed, pattern))
    throw UsageError{
        fmt::format("'{}' is no name of a lesson: two digits and words of small letters and digits, "
                    "joined by -, as in 07-jacobi",
                    typed)};
  const LessonEntry lesson{.name = typed};
  require_free_name(space_of(lesson.name));
  for (const LessonEntry& other : context.catalogue.lessons)
    if (other.number() == lesson.number() || other.word() == lesson.word())
      throw UsageError{fmt::format("lesson {} already exists", other.name)};
  const StepEntry rung{lesson.name, "c1_openmp", "c1_openmp.cpp", {}};
  const auto values = values_of(lesson, rung);
  const auto of = [&](const char* name) { return filled(template_of(context, name), values); };
  const std::string given = "lessons/" + lesson.name + "/", tests = "tests/" + lesson.name + "/";
  files.add(given + "problem.hpp", of("lesson/problem.hpp"));
  files.add(given + "rungs.toml", with_row(of("lesson/rungs.toml"), of("rung/row.toml"), rung.id()));
  files.add(given + "baseline.cpp", of("lesson/baseline.cpp"));
  files.add(given + "README.md", with_section(of("lesson/README.md"), of("rung/section.md"), rung.id()));
  add_rung(context, files, lesson, rung);
  files.add(tests + "problems.hpp", of("lesson/problems.hpp"));
  files.add(tests + "amounts.hpp", of("lesson/amounts.hpp"));
  files.add(tests + "answers.cpp", of("lesson/answers.cpp"));
  files.add(tests + "problems.cpp", of("lesson/problems.cpp"));
  files.add(tests + space_of(lesson.name) + "_test.cpp", of("lesson/test.cpp"));
}

/// The skeleton, cut again after a change of its solution.
void new_skeleton(Context& context, Files& files, const std::string& typed) {
  for (const StepEntry* step : context.catalogue.resolve({typed})) {
    const fs::path solution = source_of(context.root, "solutions", *step);
    const std::string text = read_text(solution);
    files.change("lessons/" + step->lesson + "/" + step->file,
                 cut::has_regions(text) ? cut::skeleton(text, solution.string()) : text);
  }
}

}  // namespace

int new_files(Context& context) {
  const auto& names = context.options.names;
  const std::string& kind = context.options.part;
  if (names.size() != 1) throw UsageError{fmt::format("which {0}? One name: ./ladder help new {0}", kind)};
  require_solutions(context);
  Files files(context.root);
  if (kind == "rung") new_rung(context, files, names[0]);
  if (kind == "lesson") new_lesson(context, files, names[0]);
  if (kind == "skeleton") new_skeleton(context, files, names[0]);
  for (const std::string& path : files.write()) context.terminal.print("written: " + path);
  if (kind != "skeleton")
    context.terminal.print(fmt::format("TODO is where something is to be done; ./ladder test {} names each",
                                       names[0].substr(0, 2)));
  context.write_json(report::document("new", context.seed));
  return 0;
}

}  // namespace ladder
