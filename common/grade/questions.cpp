#include "common/grade/questions.hpp"

#include <algorithm>

namespace ladder::grade {
namespace {

using nlohmann::json;

/// Lines of merged folders are sorted by their time; of the same second the later line counts.
std::vector<json> in_time(const json& record) {
  const json lines = record.value("manual", json::array());
  std::vector<json> all(lines.begin(), lines.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const json& a, const json& b) { return a.value("at", "") < b.value("at", ""); });
  return all;
}

void add(Graded& question, const json& line) {
  std::erase_if(question.given, [&](const json& old) { return old.value("by", "") == line.value("by", ""); });
  question.given.push_back(line);
  question.of = line.value("of", 0.0);
}

/// The line that counts: the last one that settles, else any where all agree. Null: they differ.
json counting(const std::vector<json>& given) {
  json last = given.back();
  bool settled = false, same = true;
  for (const json& line : given) {
    same = same && line.value("points", 0.0) == last.value("points", 0.0);
    if (line.value("settles", false)) settled = true;
  }
  if (!settled) return same ? last : json();
  return *std::find_if(given.rbegin(), given.rend(), [](const json& l) { return l.value("settles", false); });
}

}  // namespace

std::vector<Graded> graded(const json& record) {
  std::vector<Graded> all;
  for (const json& line : in_time(record)) {
    const std::string rung = line.value("step", ""), ask = line.value("question", "");
    const Graded* known = find(all, rung, ask);
    const std::size_t at = known ? static_cast<std::size_t>(known - all.data()) : all.size();
    if (!known) all.push_back({.rung = rung, .ask = ask});
    add(all[at], line);
  }
  for (Graded& one : all) {
    const json line = counting(one.given);
    if (line.is_null()) continue;
    one.points = std::clamp(line.value("points", 0.0), 0.0, one.of);
    one.note = line.value("reason", "");
  }
  return all;
}

const Graded* find(const std::vector<Graded>& all, const std::string& rung, const std::string& ask) {
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const Graded& one) { return one.rung == rung && one.ask == ask; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace ladder::grade
