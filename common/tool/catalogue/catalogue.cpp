#include "common/tool/catalogue/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "common/base/text/step_name.hpp"
#include "common/base/usage_error.hpp"
#include "common/lesson/rung_json.hpp"
#include "common/lesson/rungs_file.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

bool is_lesson(const std::string& folder) {
  return folder.size() > 3 && std::isdigit(static_cast<unsigned char>(folder[0])) &&
         std::isdigit(static_cast<unsigned char>(folder[1])) && folder[2] == '-';
}

/// c1_openmp.cpp, g2_shared_tiles.cu
bool is_step(const std::string& file) {
  static const std::regex pattern(step_file_pattern);
  return std::regex_match(file, pattern);
}

std::vector<std::string> entries(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// Track, then number: c1 m1 g1 g2 … g10.
bool before(const StepEntry& a, const StepEntry& b) {
  const auto key = [](const StepEntry& s) {
    return std::tuple(tracks.find(s.track()), std::stoi(s.id().substr(1)), s.name);
  };
  return key(a) < key(b);
}

/// What its rungs were called before, and files that are still called so.
void take_old_names(LessonEntry& lesson) {
  std::set<std::string> now;
  for (const auto& row : lesson.table.value("steps", nlohmann::json::array())) {
    now.insert(row["name"]);
    if (row["was"] != "") lesson.old_names.push_back({lesson.name, row["was"], row["name"]});
  }
  const auto is_left = [&](const StepEntry& step) {
    return !now.contains(step.name) &&
           std::ranges::find(lesson.old_names, step.name, &OldName::was) != lesson.old_names.end();
  };
  for (const StepEntry& step : lesson.steps)
    if (is_left(step)) lesson.left_files.push_back(step.file);
  std::erase_if(lesson.steps, is_left);
}

/// What to say of a name that a rung had before; empty when none had it.
std::string said_of_old_name(const LessonEntry& lesson, const std::string& word) {
  for (const OldName& old : lesson.old_names)
    for (const std::string& one : {old.was, id_of(old.was), old.was.substr(old.was.find('_') + 1)})
      if (word == one)
        return fmt::format("{} of {} is called {} now: {}/{}", word, lesson.name, old.now, lesson.number(),
                           id_of(old.now));
  return "";
}

/// "lessons/03-dgemm/g2_shared_tiles.cu", as a shell completes it, means 03-dgemm/g2_shared_tiles.
std::string without_path(std::string name) {
  while (name.rfind("./", 0) == 0) name.erase(0, 2);
  for (const std::string tree : {"lessons/", "solutions/"})
    if (name.rfind(tree, 0) == 0) name.erase(0, tree.size());
  while (!name.empty() && name.back() == '/') name.pop_back();
  for (const std::string extension : {".cpp", ".cu"})
    if (name.size() > extension.size() &&
        name.compare(name.size() - extension.size(), extension.size(), extension) == 0)
      name.erase(name.size() - extension.size());
  return name;
}

/// Each range as its rungs: 03/g1-g3 is 03/g1, 03/g2 and 03/g3.
std::vector<std::string> without_ranges(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    const auto slash = name.find('/'), dash = slash == name.npos ? slash : name.find('-', slash);
    const auto is_id = [](const std::string& s) {
      return s.size() > 1 && s.size() < 4 && std::isalpha(static_cast<unsigned char>(s[0])) &&
             std::all_of(s.begin() + 1, s.end(), [](unsigned char c) { return std::isdigit(c); });
    };
    const std::string first = dash == name.npos ? "" : name.substr(slash + 1, dash - slash - 1);
    const std::string last = dash == name.npos ? "" : name.substr(dash + 1);
    if (!is_id(first) || !is_id(last)) {
      all.push_back(name);
      continue;
    }
    if (first[0] != last[0] || std::stoi(first.substr(1)) > std::stoi(last.substr(1)))
      throw UsageError{fmt::format("{}: a range stays in one track and goes upwards, as 03/g1-g3", name)};
    for (int i = std::stoi(first.substr(1)); i <= std::stoi(last.substr(1)); ++i)
      all.push_back(fmt::format("{}/{}{}", name.substr(0, slash), first[0], i));
  }
  return all;
}

}  // namespace

model::DocumentStep StepEntry::stated() const {
  model::DocumentStep step;
  step.judged = false;
  step.lesson = lesson, step.name = name, step.file = file;
  return step;
}

std::string StepEntry::family() const {
  return family_of(track(), fs::path(file).extension().string());
}

int LessonEntry::size_of_class(const std::string& typed) const {
  std::vector<std::string> known;
  for (const auto& one : classes) {
    if (one.value("name", "") == typed) return static_cast<int>(one.value("size", 0.0));
    known.push_back(one.value("name", ""));
  }
  if (known.empty()) throw UsageError{name + " has no classes; its sizes are numbers: --size N"};
  throw UsageError{unknown("class of " + name, typed, known)};
}

void LessonEntry::require_matrix() const {
  if (table.value("reads", "") != "matrix")
    throw UsageError{name + " reads no matrix, because it makes its problems itself: --size N"};
}

Catalogue::Catalogue(const fs::path& root) {
  std::set<std::string> names;
  for (const char* tree : {"lessons", "solutions"})
    for (const std::string& folder : entries(root / tree))
      if (is_lesson(folder)) names.insert(folder);
  for (const std::string& name : names) {
    LessonEntry lesson{.name = name};
    std::set<std::string> files;
    for (const char* tree : {"lessons", "solutions"})
      for (const std::string& file : entries(root / tree / name))
        if (is_step(file)) files.insert(file);
    for (const std::string& file : files) lesson.steps.push_back({name, fs::path(file).stem(), file, {}});
    std::sort(lesson.steps.begin(), lesson.steps.end(), before);
    read_table(root, lesson);
    take_old_names(lesson);
    lessons.push_back(std::move(lesson));
  }
}

void Catalogue::read_table(const fs::path& root, LessonEntry& lesson) {
  const fs::path file = root / "lessons" / lesson.name / "rungs.toml";
  if (!fs::exists(file)) {
    lesson.problem = fmt::format("no table: lessons/{}/rungs.toml is missing", lesson.name);
    return;
  }
  RungsFile read = read_rungs_file(file);
  lesson.problem = fmt::format("{}", fmt::join(read.problems, "\n"));
  if (!lesson.problem.empty()) return;
  lesson.table = to_json(read.lesson);
  lesson.title = read.lesson.title;
  lesson.classes = lesson.table["classes"];
  std::size_t place = 0;
  for (const auto& row : lesson.table["steps"]) {
    const auto found =
        std::find_if(lesson.steps.begin() + static_cast<std::ptrdiff_t>(place), lesson.steps.end(),
                     [&](const StepEntry& step) { return step.file == row["file"]; });
    if (found == lesson.steps.end()) continue;
    found->row = row;
    std::rotate(lesson.steps.begin() + static_cast<std::ptrdiff_t>(place++), found, found + 1);
  }
}

LessonEntry& Catalogue::lesson(const std::string& typed) {
  const std::string name = without_path(typed);
  std::vector<std::string> known;
  for (LessonEntry& lesson : lessons) {
    if (name == lesson.name || name == lesson.number() || name == lesson.word()) return lesson;
    if (name.size() == 1 && "0" + name == lesson.number()) return lesson;
    known.push_back(lesson.name);
    known.push_back(lesson.word());
  }
  const auto near = nearest(name, known);
  if (!near.empty()) throw UsageError{unknown("lesson", name, {near.front()})};
  known.clear();
  for (const LessonEntry& lesson : lessons) known.push_back(lesson.name);
  throw UsageError{unknown("lesson", name, known)};
}

std::vector<model::LessonResults> Catalogue::by_lesson(std::vector<model::DocumentStep> steps) {
  std::vector<model::LessonResults> all;
  for (model::DocumentStep& step : steps) {
    if (all.empty() || all.back().name != step.lesson)
      all.push_back({.name = step.lesson, .title = lesson(step.lesson).title});
    all.back().steps.push_back(std::move(step));
  }
  return all;
}

nlohmann::json Catalogue::rows_of(const std::string& name) const {
  nlohmann::json rows = nlohmann::json::array();
  for (const LessonEntry& one : lessons)
    for (const StepEntry& step : one.steps)
      if (one.name == name && step.row.is_object()) rows.push_back(step.row);
  return rows;
}

std::vector<StepEntry*> Catalogue::resolve(const std::vector<std::string>& names) {
  std::vector<StepEntry*> steps;
  const auto add = [&](StepEntry& step) {
    if (std::find(steps.begin(), steps.end(), &step) == steps.end()) steps.push_back(&step);
  };
  if (names.empty())
    for (LessonEntry& l : lessons)
      for (StepEntry& s : l.steps) add(s);
  for (const std::string& typed : without_ranges(names)) {
    const std::string name = without_path(typed);
    const auto slash = name.find('/');
    LessonEntry& in = lesson(name.substr(0, slash));
    const std::string word = slash == std::string::npos ? "" : name.substr(slash + 1);
    std::vector<std::string> known;
    bool found = word.empty();
    for (StepEntry& step : in.steps) {
      if (word.empty() || word == step.name || word == step.id() || word == step.idea())
        add(step), found = true;
      known.insert(known.end(), {step.id(), step.name, step.idea()});
    }
    if (found) continue;
    if (const std::string now = said_of_old_name(in, word); !now.empty()) throw UsageError{now};
    if (nearest(word, known).empty()) {
      known.clear();
      for (const StepEntry& step : in.steps) known.push_back(step.name);
    }
    throw UsageError{unknown("rung of " + in.name, word, known)};
  }
  return steps;
}

std::vector<LessonEntry*> Catalogue::resolve_lessons(const std::vector<std::string>& names) {
  std::vector<LessonEntry*> chosen;
  const auto add = [&](LessonEntry& l) {
    if (std::find(chosen.begin(), chosen.end(), &l) == chosen.end()) chosen.push_back(&l);
  };
  if (names.empty())
    for (LessonEntry& l : lessons) add(l);
  for (const std::string& name : names) {
    const std::string clean = without_path(name);
    add(lesson(clean.substr(0, clean.find('/'))));
  }
  return chosen;
}

std::vector<std::string> without_ranges(Catalogue& catalogue, const std::vector<std::string>& names) {
  const std::vector<std::string> all = without_ranges(names);
  catalogue.resolve(all);  // names that are not there
  return all;
}

Renames Catalogue::renames(const fs::path& folder) const {
  std::vector<OldName> names;
  std::set<std::string> present;
  for (const LessonEntry& lesson : lessons) {
    names.insert(names.end(), lesson.old_names.begin(), lesson.old_names.end());
    for (const StepEntry& step : lesson.steps) present.insert(step.path());
  }
  return {std::move(names), std::move(present), folder};
}

std::vector<std::string> Catalogue::cuda_steps() const {
  std::vector<std::string> names;
  for (const LessonEntry& lesson : lessons)
    for (const StepEntry& step : lesson.steps)
      if (is_cuda(step.family())) names.push_back(step.path());
  return names;
}

fs::path source_of(const fs::path& root, const std::string& tree, const StepEntry& step) {
  return root / tree / step.lesson / step.file;
}

fs::path edits_of(const fs::path& root, const StepEntry& step, const std::string& kind) {
  return root / "tests" / step.lesson / kind / (step.name + "." + kind);
}

}  // namespace ladder
