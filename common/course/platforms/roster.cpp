#include "common/course/platforms/roster.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/base/error.hpp"
#include "common/course/platforms/table.hpp"
#include "common/grade/intake/names.hpp"

namespace ladder::course {
namespace {

constexpr std::size_t max_problems = 20;

struct Column {
  const char* name;
  std::string Person::*field;
  bool unique;  ///< it says who somebody is
};

constexpr Column columns[] = {
    {"id", &Person::id, true},
    {"name", &Person::name, false},
    {"email", &Person::email, true},
    {"section", &Person::section, false},
    {"group", &Person::group, false},
    {"gradescope_email", &Person::gradescope_email, true},
    {"gradescope_sid", &Person::gradescope_sid, true},
    {"canvas_id", &Person::canvas_id, true},
    {"sis_user_id", &Person::sis_user_id, true},
    {"sis_login", &Person::sis_login, true},
    {"moodle_id", &Person::moodle_id, true},
    {"github", &Person::github, true},
};

/// What is wrong with the header, each with its line.
std::vector<std::string> wrong_columns(const Table& table) {
  std::vector<std::string> problems;
  for (const std::string& name : table.header) {
    const auto& known = roster_columns();
    if (name.empty() || name.starts_with('#')) continue;
    if (std::find(known.begin(), known.end(), grade::lower(name)) == known.end())
      problems.push_back(
          fmt::format("{}:1: nobody knows the column {}; known are {}; # before its name leaves it out",
                      table.name, name, fmt::join(known, ", ")));
  }
  for (const char* needed : {"id", "name"})
    if (table.column(needed) < 0)
      problems.push_back(fmt::format("{}:1: there is no column {}", table.name, needed));
  return problems;
}

/// Whether an id can be the name of a file and is in one line.
bool is_id(const std::string& id) {
  return !id.starts_with('.') && std::none_of(id.begin(), id.end(), [](unsigned char c) {
    return c < 0x20 || c == '/' || c == '\\' || c == ',' || c == ';';
  });
}

}  // namespace

const std::vector<std::string>& roster_columns() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Column& column : columns) all.emplace_back(column.name);
    return all;
  }();
  return names;
}

Roster parse_roster(const std::string& bytes, const std::string& name) {
  const Table table = read_table(bytes, name);
  std::vector<std::string> problems = wrong_columns(table);
  std::map<std::pair<std::string, std::string>, int> lines;  // of what only one person may have
  Roster roster;
  if (!problems.empty()) throw Error(fmt::format("{}", fmt::join(problems, "\n")));
  for (const Row& row : table.rows) {
    Person person;
    for (const Column& column : columns) {
      std::string& field = person.*column.field;
      field = without_guard(table.field(row, column.name));
      if (!column.unique || field.empty()) continue;
      const auto [at, fresh] = lines.emplace(std::pair(column.name, grade::lower(field)), row.line);
      if (!fresh)
        problems.push_back(fmt::format("{}:{}: {} {} is in line {} already", name, row.line, column.name,
                                       field, at->second));
    }
    for (const char* needed : {"id", "name"})
      if (table.field(row, needed).empty())
        problems.push_back(fmt::format("{}:{}: no {}", name, row.line, needed));
    if (!is_id(person.id))
      problems.push_back(fmt::format("{}:{}: the id {} begins with a dot or has one of / \\ , ;", name,
                                     row.line, person.id));
    roster.push_back(std::move(person));
  }
  if (roster.empty()) problems.push_back(fmt::format("{}: nobody is in it", name));
  if (problems.size() > max_problems) {
    const std::size_t more = problems.size() - max_problems;
    problems.resize(max_problems);
    problems.push_back(fmt::format("{}: and {} more", name, more));
  }
  if (!problems.empty()) throw Error(fmt::format("{}", fmt::join(problems, "\n")));
  return roster;
}

Roster read_roster(const std::filesystem::path& file) {
  return parse_roster(read_bytes(file), file.filename().string());
}

const Person* person_of(const Roster& roster, const std::string& id) {
  const auto at = std::find_if(roster.begin(), roster.end(), [&](const Person& p) { return p.id == id; });
  return at == roster.end() ? nullptr : &*at;
}

std::vector<std::string> with_groups(const Roster& roster, const std::vector<std::string>& ids) {
  std::set<std::string> groups, all(ids.begin(), ids.end());
  for (const Person& person : roster)
    if (all.contains(person.id) && !person.group.empty()) groups.insert(person.group);
  std::vector<std::string> together;
  for (const Person& person : roster)
    if (all.contains(person.id) || groups.contains(person.group)) together.push_back(person.id);
  return together;
}

}  // namespace ladder::course
