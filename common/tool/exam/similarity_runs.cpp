#include "common/tool/exam/similarity_runs.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include "common/base/text/text.hpp"
#include "common/skeleton/code_lines.hpp"

namespace ladder {
namespace {

constexpr int short_file = 25;  // lines of code; such a rung has few ways to be written

/// The numbers of the lines that have code.
std::set<int> code_of(const std::string& text) {
  std::set<int> numbers;
  int number = 0;
  for (const std::string& line : lines_of(cut::without_comments(text)))
    if (++number; trim(line).find_first_not_of("{}();") != std::string::npos) numbers.insert(number);
  return numbers;
}

/// The lines from first to last that a set has.
std::vector<int> within(const std::set<int>& lines, int first, int last) {
  return {lines.lower_bound(first), lines.upper_bound(last)};
}

bool covers_half(const Run& run, const std::vector<int>& lines) {
  const auto covered = std::count_if(lines.begin(), lines.end(),
                                     [&](int line) { return run.first <= line && line <= run.last; });
  return 2 * static_cast<std::size_t>(covered) >= lines.size();
}

}  // namespace

std::vector<Run> read_runs(const std::string& printed) {
  static const std::regex form(R"(^(\S+): line (\d+)-(\d+)\s*\|\s*(\S+): line (\d+)-(\d+)\s*\[(\d+)\])");
  std::vector<Run> runs;
  for (const std::string& line : lines_of(printed)) {
    std::smatch m;
    if (!std::regex_search(line, m, form)) continue;
    const Run run{m[1], m[4], std::stoi(m[2]), std::stoi(m[3]), std::stoi(m[5]), std::stoi(m[6])};
    runs.push_back(run);
    runs.push_back({run.other, run.file, run.other_first, run.other_last, run.first, run.last});
  }
  return runs;
}

std::vector<Passage> rare_passages(const std::string& step, const std::map<std::string, StepText>& files,
                                   const std::vector<Run>& runs, std::size_t works, const Rarity& rarity) {
  std::map<std::string, std::set<int>> own;  // lines of code that no reference has
  std::map<std::string, int> code;
  for (const auto& [name, file] : files) {
    own[name] = code_of(file.text);
    code[name] = static_cast<int>(own[name].size());
  }
  std::map<std::string, std::vector<const Run*>> shared;  // with other works
  for (const Run& run : runs) {
    if (!files.contains(run.file)) continue;
    if (files.contains(run.other)) {
      shared[run.file].push_back(&run);
      continue;
    }
    std::set<int>& mine = own[run.file];
    mine.erase(mine.lower_bound(run.first), mine.upper_bound(run.last));
  }
  std::vector<Passage> passages;
  for (const auto& [name, of_file] : shared)
    for (const Run* run : of_file) {
      const std::size_t a = files.at(name).work, b = files.at(run->other).work;
      if (a >= b) continue;
      const auto lines = within(own[name], run->first, run->last),
                 others = within(own[run->other], run->other_first, run->other_last);
      if (std::min(lines.size(), others.size()) < fewest_lines) continue;
      std::set<std::size_t> sharers{a};
      for (const Run* other : of_file)
        if (const std::size_t work = files.at(other->other).work; work < works && covers_half(*other, lines))
          sharers.insert(work);
      if (sharers.size() > rarity.sharers && 20 * sharers.size() >= works) continue;
      passages.push_back({step, a, b, lines, others, std::min(code[name], code[run->other])});
    }
  return passages;
}

std::size_t Pair::lines() const {
  std::size_t all = 0;
  for (const Passage& passage : passages) all += passage.lines.size();
  return all;
}

std::vector<Pair> pairs_of(const std::vector<Passage>& passages, const Rarity& rarity) {
  std::map<std::pair<std::size_t, std::size_t>, Pair> by_works;
  for (const Passage& passage : passages) {
    Pair& pair = by_works[{passage.a, passage.b}];
    pair.a = passage.a, pair.b = passage.b;
    pair.passages.push_back(passage);
  }
  std::vector<Pair> pairs;
  for (auto& [_, pair] : by_works) {
    std::set<std::string> steps;
    bool long_one = false;
    for (const Passage& passage : pair.passages) {
      steps.insert(passage.step);
      long_one = long_one || passage.code >= short_file;
    }
    if (steps.size() >= rarity.steps && long_one) pairs.push_back(std::move(pair));
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.lines() > b.lines(); });
  return pairs;
}

}  // namespace ladder
