#include "common/tool/exam/exam_bank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/skeleton/code_lines.hpp"
#include "common/skeleton/skeletonize.hpp"

namespace ladder::exam {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t max_mistakes = 6, max_sizes = 3, max_edits = 2,
                      max_pairs = 12;  // of a rung; pairs of a lesson
constexpr std::size_t max_lines = 3;   // of an edit that is a slip, and no other algorithm
constexpr int sizes[] = {64, 96, 128, 160};

/// A line of code with its number.
struct Line {
  int number;
  std::string text;
};

std::vector<Line> code_of(const std::string& source) {
  std::vector<Line> lines;
  int number = 0;
  for (const std::string& line : lines_of(cut::without_comments(source)))
    if (++number; !trim(line).empty()) lines.push_back({number, std::string(trim(line))});
  return lines;
}

/// common[i][j]: the lines that a from i on and b from j on have in common, in their order.
std::vector<std::vector<int>> in_common(const std::vector<Line>& a, const std::vector<Line>& b) {
  std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i][j] =
          a[i].text == b[j].text ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  return common;
}

/// A mistake that one may make, and that fits on a sheet.
bool is_slip(const cut::Mutant& mutant) {
  return mutant.edits.size() <= 2 &&
         std::all_of(mutant.edits.begin(), mutant.edits.end(), [](const cut::Edit& e) {
           return e.find.size() <= max_lines && e.put.size() <= max_lines;
         });
}

/// The programs of a rung: the solution first.
std::vector<Program> programs_of(const fs::path& root, const StepEntry& step) {
  const std::string solution = read_text(source_of(root, "solutions", step));
  if (solution.empty()) return {};
  Program right{
      .lesson = step.lesson, .step = step.name, .file = step.file, .label = step.label(), .text = solution};
  std::vector<Program> all{right};
  for (const std::string tree : {"mutants", "variants"}) {
    const fs::path file = root / "tests" / step.lesson / tree / (step.name + "." + tree);
    for (const cut::Mutant& mutant : cut::read_mutants(read_text(file), file.string())) {
      // What is by chance one verdict or another is no question with one answer.
      if (!is_slip(mutant) || !mutant.other_verdict.empty()) continue;
      Program one = right;
      one.tree = tree, one.edit = mutant.name, one.verdict = mutant.verdict, one.words = mutant.words;
      one.text = cut::mutate(solution, mutant, file.string());
      one.changed = changes(solution, one.text);
      if (!one.changed.empty()) all.push_back(std::move(one));
    }
  }
  return all;
}

std::string counted_metric(const StepEntry& step) {
  const auto targets =
      step.row.is_object() ? step.row.value("targets", nlohmann::json::array()) : nlohmann::json::array();
  const std::string metric = targets.empty() ? "" : targets[0].value("metric", "");
  return asked_for(metric).empty() ? "" : metric;
}

std::string dashed(std::string label) {
  replace_all(label, "/", "-");
  return label;
}

std::string name_of(const Program& program) {
  return dashed(program.label) + (program.edit.empty() ? "" : "-" + program.edit);
}

/// The programs whose counts are asked for: right ones, each with another number.
std::vector<Program> counted(const std::vector<Program>& all, Dice& dice) {
  std::vector<Program> chosen{all.front()}, edits;
  for (const Program& program : all) {
    if (program.tree == "variants") chosen.push_back(program);
    if (program.tree == "mutants" && program.verdict == "MISSED") edits.push_back(program);
  }
  dice.shuffle(edits);
  edits.resize(std::min(edits.size(), max_edits));
  chosen.insert(chosen.end(), edits.begin(), edits.end());
  return chosen;
}

/// Draws the questions of one lesson.
class Lesson {
 public:
  Lesson(const std::string& name, const grade::Key& secret, std::vector<Question>& bank)
      : dice_(secret, "bank " + name), sizes_(std::begin(sizes), std::end(sizes)), bank_(bank) {
    dice_.shuffle(sizes_);
    sizes_.resize(max_sizes);
    std::sort(sizes_.begin(), sizes_.end());
  }

  void add(const fs::path& root, const StepEntry& step) {
    const auto all = programs_of(root, step);
    if (all.empty()) return;
    std::vector<Program> mistakes;
    for (const Program& p : all)
      if (p.tree == "mutants" && (p.verdict == "WRONG" || p.verdict == "CRASHED" || p.verdict == "MISSED"))
        mistakes.push_back(p);
    dice_.shuffle(mistakes);
    mistakes.resize(std::min(mistakes.size(), max_mistakes));
    for (Program& p : mistakes) bank_.push_back({"a-" + name_of(p), Ask::mistake, {p}, 0, {}, {}});
    const std::string metric = counted_metric(step);
    if (metric.empty()) return;
    const auto programs = counted(all, dice_);
    for (const Program& p : programs)
      for (const int size : sizes_)
        bank_.push_back({fmt::format("b-{}-{}", name_of(p), size), Ask::count, {p}, size, metric, {}});
    for (std::size_t i = 1; i < programs.size(); ++i) pairs_.push_back({programs[0], programs[i]});
    if (!below_.empty()) pairs_.push_back({below_.front(), programs[0]});
    below_ = {programs[0]};
  }

  void finish() {
    dice_.shuffle(pairs_);
    pairs_.resize(std::min(pairs_.size(), max_pairs));
    for (auto& pair : pairs_) {
      if (dice_.below(2) == 1) std::swap(pair[0], pair[1]);
      const int size = sizes_[dice_.below(sizes_.size())];
      bank_.push_back({fmt::format("c-{}-or-{}-{}", name_of(pair[0]), name_of(pair[1]), size),
                       Ask::more,
                       pair,
                       size,
                       {},
                       {}});
    }
  }

 private:
  Dice dice_;
  std::vector<int> sizes_;
  std::vector<Question>& bank_;
  std::vector<std::vector<Program>> pairs_{};
  std::vector<Program> below_{};
};

/// One student's questions of a kind: those that the neighbour does not have first, of different rungs first.
void choose(const std::vector<Question>& bank, std::vector<std::size_t> kind, std::size_t most, Dice& dice,
            const std::set<std::size_t>& neighbour, std::vector<std::size_t>& sheet) {
  dice.shuffle(kind);
  std::map<std::string, int> of_rung;
  most = std::min(most, kind.size());
  for (std::size_t n = 0; n < most; ++n) {
    const auto cost = [&](std::size_t q) {
      return 10 * int(neighbour.contains(q)) + of_rung[bank[q].program().label];
    };
    const auto best = std::min_element(kind.begin(), kind.end(),
                                       [&](std::size_t a, std::size_t b) { return cost(a) < cost(b); });
    sheet.push_back(*best);
    ++of_rung[bank[*best].program().label];
    kind.erase(best);
  }
}

}  // namespace

std::size_t Dice::below(std::size_t n) {
  const grade::Key thrown = grade::plan_key(key_, what_, ++thrown_, "exam");
  std::uint64_t number = 0;
  for (int i = 0; i < 8; ++i) number = number << 8 | thrown[i];
  return number % n;
}

std::vector<Change> changes(const std::string& right, const std::string& other) {
  const auto a = code_of(right), b = code_of(other);
  const auto common = in_common(a, b);
  std::vector<Change> all;
  std::size_t i = 0, j = 0;
  bool open = false;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i].text == b[j].text) {
      ++i, ++j, open = false;
      continue;
    }
    if (!open) all.push_back({j > 0 ? b[j - 1].number : 0, "", ""});
    open = true;
    Change& change = all.back();
    const bool removed = j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1]);
    std::string& text = removed ? change.was : change.is;
    if (!removed && text.empty()) change.line = b[j].number;
    text += (text.empty() ? "" : "\n") + (removed ? a[i++].text : b[j++].text);
  }
  return all;
}

namespace {

/// What an exam asks for: as a question about one program, and in a few words.
struct Asked {
  std::string question, what;
};

const Asked* find_asked(const std::string& metric) {
  static const std::map<std::string, Asked> all = {
      {"sectors",
       {"How many sectors of device memory (32 bytes each) do all loads, stores and atomics of this program "
        "ask for?",
        "sectors of device memory"}},
      {"wavefronts",
       {"How many wavefronts (passes of shared memory, loads and stores together) does this program need?",
        "wavefronts (passes of shared memory)"}},
      {"requests",
       {"How many load requests to device memory do the warps of this program make?",
        "load requests to device memory"}},
      {"barriers", {"How many barriers does one block of this program execute?", "barriers per block"}},
      {"atomics",
       {"How many atomic operations on device memory do the threads of this program execute?",
        "atomic operations on device memory"}}};
  const auto found = all.find(metric.substr(0, metric.find(' ')));
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace

std::string asked_for(const std::string& metric) {
  const Asked* const asked = find_asked(metric);
  return asked ? asked->question : "";
}

std::string asked_of_two(const std::string& metric) {
  const Asked* const asked = find_asked(metric);
  return fmt::format("Which program needs more {}, A or B? Or do both need the same number?",
                     asked ? asked->what : metric);
}

std::string purpose_of(const std::string& source) {
  std::string last, now;
  for (const std::string& line : lines_of(source)) {
    if (line.starts_with("/// ") && !line.starts_with("/// @"))
      now += (now.empty() ? "" : " ") + line.substr(4);
    else if (!line.starts_with("/// ") && !now.empty())
      last = std::exchange(now, "");
  }
  return last;
}

std::vector<Question> questions_of(const fs::path& root, const std::vector<StepEntry*>& steps,
                                   const grade::Key& secret) {
  std::vector<Question> bank;
  std::vector<std::string> lessons;
  for (const StepEntry* step : steps)
    if (std::find(lessons.begin(), lessons.end(), step->lesson) == lessons.end())
      lessons.push_back(step->lesson);
  for (const std::string& name : lessons) {
    Lesson lesson(name, secret, bank);
    for (const StepEntry* step : steps)
      if (step->lesson == name && step->family() == "cuda") lesson.add(root, *step);
    lesson.finish();
  }
  return bank;
}

std::vector<Question> all_programs(const fs::path& root, const std::vector<StepEntry*>& steps) {
  std::vector<Question> all;
  for (const StepEntry* step : steps)
    for (Program& program : programs_of(root, *step)) all.push_back({.programs = {std::move(program)}});
  return all;
}

std::vector<Sheet> deal(const std::vector<Question>& bank, const std::vector<Student>& students,
                        const grade::Key& secret, const PerSheet& share) {
  std::map<Ask, std::vector<std::size_t>> kinds;
  for (std::size_t q = 0; q < bank.size(); ++q) kinds[bank[q].ask].push_back(q);
  const bool enough = kinds[Ask::mistake].size() > share.mistakes ||
                      kinds[Ask::count].size() > share.counts || kinds[Ask::more].size() > share.comparisons;
  if (!enough && students.size() > 1)
    throw UsageError{fmt::format(
        "these rungs give {} questions, too few for neighbours with different sheets: name more rungs",
        bank.size())};
  std::vector<Sheet> sheets;
  std::set<std::size_t> neighbour;
  for (const Student& student : students) {
    Dice dice(secret, "sheet " + student.id);
    Sheet sheet{.student = student};
    choose(bank, kinds[Ask::mistake], share.mistakes, dice, neighbour, sheet.questions);
    choose(bank, kinds[Ask::count], share.counts, dice, neighbour, sheet.questions);
    choose(bank, kinds[Ask::more], share.comparisons, dice, neighbour, sheet.questions);
    neighbour = {sheet.questions.begin(), sheet.questions.end()};
    sheets.push_back(std::move(sheet));
  }
  return sheets;
}

}  // namespace ladder::exam
