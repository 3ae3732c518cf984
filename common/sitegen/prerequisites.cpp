#include "common/sitegen/prerequisites.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "common/base/text/step_name.hpp"
#include "common/report/results/page_text.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

const json& steps_of(const json& table) {
  static const json none = json::array();
  const auto found = table.find("steps");
  return found == table.end() ? none : *found;
}

Names texts_of(const json& row, const char* field) {
  return row.value(field, Names{});
}

/// "03-dgemm" of "03-dgemm/g1_naive" and of itself.
std::string lesson_of(const std::string& prerequisite) {
  return prerequisite.substr(0, prerequisite.find('/'));
}

/// "00", or "03/t3".
std::string short_name(const std::string& prerequisite) {
  const auto slash = prerequisite.find('/');
  return prerequisite.substr(0, 2) +
         (slash == prerequisite.npos ? "" : "/" + id_of(prerequisite.substr(slash + 1)));
}

std::string linked(const std::string& page, const std::string& prerequisite) {
  return link(page, std::filesystem::path("lessons") / lesson_of(prerequisite) / "README.md",
              short_name(prerequisite));
}

/// "c1", "c1 and g5", "c1, g5 and t1".
std::string listed(const Names& names) {
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

/// What the rungs of a lesson need, in the order of the table, and the rungs that need it first of their
/// track.
class FirstNeeds {
 public:
  FirstNeeds(const json& table, const char* field) {
    std::map<char, std::set<std::string>> known;  // by track
    for (const json& row : steps_of(table)) {
      const std::string name = row.value("name", " ");
      for (const std::string& what : texts_of(row, field))
        if (known[name[0]].insert(what).second) add(what, id_of(name));
    }
  }

  const std::vector<std::pair<std::string, Names>>& all() const { return needs_; }

 private:
  void add(const std::string& what, const std::string& rung) {
    auto at = std::ranges::find(needs_, what, &std::pair<std::string, Names>::first);
    if (at == needs_.end()) at = needs_.insert(at, {what, {}});
    at->second.push_back(rung);
  }

  std::vector<std::pair<std::string, Names>> needs_{};
};

/// Looks for a way from a rung back to itself: over the rungs below it and its prerequisites.
class CircleSearch {
 public:
  explicit CircleSearch(const Tables& tables) : tables_(tables) {
    for (const auto& [lesson, table] : tables) {
      std::map<char, std::string> below;
      for (const json& row : steps_of(table)) {
        const std::string name = row.value("name", " "), whole = lesson + "/" + name;
        Names& before = before_[whole];
        if (!below[name[0]].empty()) before.push_back(below[name[0]]);
        below[name[0]] = whole;
        for (const std::string& one : texts_of(row, "after"))
          for (const std::string& rung : rungs_meant(tables_, one)) before.push_back(rung);
      }
    }
  }

  /// The rungs of a circle that begins and ends with this one; empty: there is none.
  Names circle_of(const std::string& rung) {
    way_ = {rung}, seen_.clear();
    return leads_back() ? way_ : Names{};
  }

 private:
  bool leads_back() {
    for (const std::string& one : before_[way_.back()]) {
      const bool first = one == way_.front();
      if (!first && !seen_.insert(one).second) continue;
      way_.push_back(one);
      if (first || leads_back()) return true;
      way_.pop_back();
    }
    return false;
  }

  const Tables& tables_;
  std::map<std::string, Names> before_{};
  Names way_{};
  std::set<std::string> seen_{};
};

/// What is wrong with a prerequisite of a row; empty: nothing.
std::string wrong_with(const Tables& tables, const std::string& lesson, const json& row,
                       const std::string& prerequisite) {
  if (rungs_meant(tables, prerequisite).empty())
    return fmt::format("after = \"{}\": there is no such lesson or rung", prerequisite);
  if (row.value("kind", "") != "S" && lesson_of(prerequisite) > lesson)
    return fmt::format("after = \"{}\": only a stretch rung may need a later lesson", prerequisite);
  return "";
}

}  // namespace

Names rungs_meant(const Tables& tables, const std::string& prerequisite) {
  const std::string lesson = lesson_of(prerequisite);
  const auto table = tables.find(lesson);
  Names rungs;
  if (table == tables.end()) return rungs;
  for (const json& row : steps_of(table->second)) {
    const std::string whole = lesson + "/" + row.value("name", "");
    if (prerequisite == lesson ? row.value("kind", "") != "S" : prerequisite == whole) rungs.push_back(whole);
  }
  return rungs;
}

std::string missing_prerequisite(const Tables& tables, const json& row,
                                 const std::set<std::string>& climbed) {
  for (const std::string& one : texts_of(row, "after"))
    for (const std::string& rung : rungs_meant(tables, one))
      if (!climbed.contains(rung)) return one;
  return "";
}

std::string needs_of_lesson(const Tables& tables, const std::string& lesson, const std::string& page) {
  const auto table = tables.find(lesson);
  if (table == tables.end()) return "";
  Names all;
  const FirstNeeds assumed(table->second, "assumes"), after(table->second, "after");
  for (const auto& [what, rungs] : assumed.all()) all.push_back(what + " for " + listed(rungs));
  for (const auto& [what, rungs] : after.all())
    all.push_back(linked(page, what) + " before " + listed(rungs));
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string off_path(const Tables& tables, const Names& path, const std::string& page) {
  Names stretch, further;
  for (const auto& [lesson, table] : tables) {
    const FirstNeeds after(table, "after");
    const bool on_path = std::ranges::find(path, lesson) != path.end();
    Names needed;
    for (const auto& [what, rungs] : after.all()) {
      if (lesson_of(what) <= lesson)
        needed.push_back(short_name(what));
      else
        stretch.push_back(fmt::format("{}/{} {} after {}", lesson.substr(0, 2), listed(rungs),
                                      rungs.size() == 1 ? "comes" : "come", short_name(what)));
    }
    if (!on_path)
      further.push_back(fmt::format("{}, {}, fits at any time{}.", linked(page, lesson),
                                    table.value("title", ""),
                                    needed.empty() ? "" : " after " + listed(needed)));
  }
  if (!stretch.empty()) further.insert(further.begin(), "For those who want more, " + listed(stretch) + ".");
  return fmt::format("{}", fmt::join(further, " "));
}

std::vector<PageProblem> prerequisite_problems(const Tables& tables, const std::string& below) {
  std::vector<PageProblem> problems;
  CircleSearch circles(tables);
  std::set<std::string> in_circle;
  for (const auto& [lesson, table] : tables)
    for (const json& row : steps_of(table)) {
      const std::string file = "lessons/" + lesson + "/rungs.toml", name = row.value("name", ""),
                        whole = lesson + "/" + name;
      if (!file.starts_with(below)) continue;
      for (const std::string& one : texts_of(row, "after"))
        if (const std::string wrong = wrong_with(tables, lesson, row, one); !wrong.empty())
          problems.push_back({file, 0, name + ": " + wrong});
      if (in_circle.contains(whole)) continue;
      const Names circle = circles.circle_of(whole);
      in_circle.insert(circle.begin(), circle.end());
      if (!circle.empty())
        problems.push_back({file, 0, fmt::format("{} needs itself: {}", name, fmt::join(circle, " after "))});
    }
  return problems;
}

}  // namespace ladder::report
