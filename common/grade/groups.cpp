#include "common/grade/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "common/base/error.hpp"
#include "common/base/files/whole_file.hpp"
#include "common/base/text/text.hpp"
#include "common/grade/intake/source_encoding.hpp"

namespace ladder::grade {
namespace {

/// Where an id or a submission stands, to say it when it is there again.
using Lines = std::map<std::string, int>;

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (;;) {
    const auto end = std::min(text.find(at), text.size());
    parts.emplace_back(trim(text.substr(0, end)));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

/// @throws Error without the name of the file
void add_line(const std::string& line, int number, Groups& groups, Lines& submissions, Lines& ids) {
  const auto colon = line.find(':');
  if (colon == line.npos) throw Error("no colon: write SUBMISSION: ID, ID");
  const std::string submission(trim(std::string_view(line).substr(0, colon)));
  if (submission.empty()) throw Error("no submission before the colon: write SUBMISSION: ID, ID");
  if (const auto [at, fresh] = submissions.emplace(submission, number); !fresh)
    throw Error(fmt::format("{} has its ids in line {} already", submission, at->second));
  for (const std::string& id : split(std::string_view(line).substr(colon + 1), ',')) {
    if (id.empty()) throw Error(fmt::format("an id of {} is empty: write SUBMISSION: ID, ID", submission));
    if (const auto [at, fresh] = ids.emplace(id, number); !fresh)
      throw Error(at->second == number
                      ? fmt::format("{} is in this line twice", id)
                      : fmt::format("{} is in the group of line {} already", id, at->second));
    groups[submission].push_back(id);
  }
}

}  // namespace

Groups parse_groups(const std::string& bytes, const std::string& name) {
  Groups groups;
  if (bytes.empty()) return groups;
  std::string text;
  try {
    text = text_of(bytes, Content::prose).text;
  } catch (const Error& e) {
    throw Error(fmt::format("{} {}", name, e.what()));
  }
  std::istringstream in(text);
  Lines submissions, ids;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    try {
      add_line(line, number, groups, submissions, ids);
    } catch (const Error& e) {
      throw Error(fmt::format("{}:{}: {}", name, number, e.what()));
    }
  }
  return groups;
}

Groups read_groups(const std::filesystem::path& file) {
  const auto text = whole_file(file);
  if (!text || text->empty())
    throw Error(
        fmt::format("cannot read {}: {}", file.string(), text ? "it is empty" : std::strerror(errno)));
  return parse_groups(*text, file.string());
}

}  // namespace ladder::grade
