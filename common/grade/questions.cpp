#include "common/grade/questions.hpp"

#include <algorithm>

namespace ladder::grade {
namespace {

using model::QuestionMark;

/// Lines of merged folders are sorted by their time; of the same second the later line counts.
std::vector<QuestionMark> in_time(std::vector<QuestionMark> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const QuestionMark& a, const QuestionMark& b) { return a.at < b.at; });
  return all;
}

void add(Graded& question, const QuestionMark& mark) {
  std::erase_if(question.given, [&](const QuestionMark& old) { return old.by == mark.by; });
  question.given.push_back(mark);
  question.of = mark.of;
}

/// The line that counts: the last one that settles, else any where all agree. Null: they differ.
const QuestionMark* counting(const std::vector<QuestionMark>& given) {
  const auto settling =
      std::find_if(given.rbegin(), given.rend(), [](const QuestionMark& mark) { return mark.settles; });
  if (settling != given.rend()) return &*settling;
  const QuestionMark& last = given.back();
  const bool same = std::all_of(given.begin(), given.end(),
                                [&](const QuestionMark& mark) { return mark.points == last.points; });
  return same ? &last : nullptr;
}

}  // namespace

std::vector<Graded> graded(const model::GradeRecord& record) {
  std::vector<Graded> all;
  for (const QuestionMark& mark : in_time(record.manual)) {
    const Graded* known = find(all, mark.step, mark.question);
    const std::size_t at = known ? static_cast<std::size_t>(known - all.data()) : all.size();
    if (!known) all.push_back({.rung = mark.step, .ask = mark.question});
    add(all[at], mark);
  }
  for (Graded& one : all) {
    const QuestionMark* mark = counting(one.given);
    if (!mark) continue;
    one.points = std::clamp(mark->points, 0.0, one.of);
    one.note = mark->reason;
  }
  return all;
}

const Graded* find(const std::vector<Graded>& all, const std::string& rung, const std::string& ask) {
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const Graded& one) { return one.rung == rung && one.ask == ask; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace ladder::grade
