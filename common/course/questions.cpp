#include "common/course/questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "common/base/text/text.hpp"
#include "common/grade/sha256.hpp"

namespace ladder::course {
namespace {

constexpr std::uint64_t one_in = 10;  // is graded by two

/// Its words, with one blank between them.
std::string words_of(const std::string& text) {
  std::istringstream in(text);
  std::string all;
  for (std::string word; in >> word;) all += (all.empty() ? "" : " ") + word;
  return all;
}

/// The words of a heading of Markdown; empty: the line is none.
std::string heading_in(const std::string& line) {
  const std::size_t signs = line.find_first_not_of('#');
  return signs == 0 || signs == line.npos ? "" : words_of(line.substr(signs));
}

/// A stranger's text moves no cursor.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n'; }, '?');
  return text;
}

std::uint64_t drawn(const std::string& from) {
  return std::stoull(sha256(from).substr(0, 15), nullptr, 16);
}

}  // namespace

std::string heading_of(const Manual& question) {
  return words_of(question.rung + ": " + question.ask);
}

std::string notes_with_headings(const std::vector<const Assignment*>& assignments) {
  std::string text;
  for (const Assignment* one : assignments)
    for (const Manual& question : one->manual) text += fmt::format("\n## {}\n\n\n", heading_of(question));
  if (text.empty()) return "";
  return "# Notes\n\nWrite each answer below its heading, and leave the headings as they are: a person looks "
         "for "
         "them.\n" +
         text;
}

std::optional<std::string> answer_to(const Manual& question, const Assignment& assignment,
                                     const std::string& notes) {
  std::vector<std::string> headings;
  for (const Manual& one : assignment.manual) headings.push_back(heading_of(one));
  const std::string wanted = heading_of(question);
  std::optional<std::string> answer;
  bool inside = false;
  std::istringstream in(notes);
  for (std::string line; std::getline(in, line);) {
    const std::string heading = heading_in(line);
    if (std::find(headings.begin(), headings.end(), heading) != headings.end()) {
      inside = heading == wanted;
      if (inside && !answer) answer = "";
    } else if (inside) {
      *answer += line + "\n";
    }
  }
  if (answer) answer = printable(std::string(trim(*answer)));
  return answer;
}

std::vector<int> dealt_to(const std::string& pseudonym, const Manual& question, int of) {
  const std::string item = pseudonym + "\n" + heading_of(question);
  const auto others = static_cast<std::uint64_t>(of);
  const int first = static_cast<int>(drawn("first\n" + item) % others);
  if (of == 1 || drawn("twice\n" + item) % one_in != 0) return {first + 1};
  const int further = 1 + static_cast<int>(drawn("second\n" + item) % (others - 1));
  return {first + 1, (first + further) % of + 1};
}

}  // namespace ladder::course
