#include "common/sitegen/site/spoilers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <regex>

#include "common/base/files/whole_file.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"
#include "common/sitegen/pages/page_form.hpp"

namespace ladder::report {
namespace {

/// The end of an element that begins at `at`, elements of its own kind inside it included.
std::size_t end_of_element(const std::string& html, std::size_t at, const std::string& name) {
  const std::string open = "<" + name, close = "</" + name + ">";
  std::size_t depth = 0;
  while (at < html.size()) {
    const auto next_open = html.find(open, at), next_close = html.find(close, at);
    if (next_close == html.npos) return html.size();
    if (next_open < next_close) {
      ++depth, at = next_open + open.size();
    } else {
      at = next_close + close.size();
      if (--depth == 0) return at;
    }
  }
  return html.size();
}

/// Whether a fold is open before anybody clicks.
bool is_open(const std::string& tag) {
  static const std::regex open("\\sopen(\\s|=|>|$)");
  return std::regex_search(tag, open);
}

/// What people read of HTML.
std::string words_of_html(const std::string& html) {
  static const std::regex tag("<[^>]*>");
  return std::regex_replace(html, tag, " ");
}

}  // namespace

std::vector<Prediction> predictions_of(const std::string& markdown) {
  static const std::regex heading("\n### (" + step_id_pattern + ") ");
  const std::string asked = "**Predict.**", begin = "<summary>Answer</summary>", end = "</details>";
  std::vector<Prediction> all;
  for (auto at = markdown.find(begin); at != markdown.npos; at = markdown.find(begin, at + 1)) {
    const auto question = markdown.rfind(asked, at);
    if (question == markdown.npos) continue;
    const std::string before = markdown.substr(0, question);
    std::string rung;
    for (std::sregex_iterator one(before.begin(), before.end(), heading), none; one != none; ++one)
      rung = (*one)[1];
    if (!rung.empty())
      all.push_back(
          {rung, markdown.substr(question, at - question), markdown.substr(at, markdown.find(end, at) - at)});
  }
  return all;
}

std::string without_closed_folds(const std::string& html) {
  std::string shown;
  for (std::size_t at = 0; at < html.size();) {
    const auto next = html.find('<', at);
    shown += html.substr(at, next - at);
    if (next == html.npos) break;
    at = next;
    const auto close = html.find('>', at);
    const std::string tag = html.substr(at, close == html.npos ? close : close + 1 - at);
    std::string hidden;
    for (const char* name : {"details", "script", "style"})
      if (tag.starts_with(std::string("<") + name)) hidden = name;
    if (html.compare(at, 4, "<!--") == 0) {
      const auto end = html.find("-->", at);
      at = end == html.npos ? html.size() : end + 3;
    } else if (!hidden.empty() && !is_open(tag)) {
      at = end_of_element(html, at, hidden);
    } else {
      shown += tag;
      at += tag.size();
    }
  }
  return shown;
}

std::vector<std::string> site_spoilers(const std::filesystem::path& folder, const std::string& page,
                                       const std::string& markdown) {
  std::vector<std::string> problems;
  std::map<std::string, std::string> shown;  // by rung
  for (const auto& [rung, question, answer] : predictions_of(markdown)) {
    const std::string file = fmt::format("{}_{}.html", page, rung);
    if (!shown.contains(rung)) {
      shown[rung] = without_closed_folds(read_text(folder / file));
      if (shown[rung].empty()) problems.push_back(file + " is missing: nobody knows what it shows");
      if (shown[rung].find("class=\"ladder-code") != std::string::npos)
        problems.push_back(file + " shows code of the solution outside of a fold");
    }
    for (const std::string& number : given_away(question, answer, words_of_html(shown[rung])))
      problems.push_back(
          fmt::format("{} shows {} outside of a fold, an answer to its Predict", file, number));
  }
  return problems;
}

std::vector<PageProblem> answers_given_away(const std::string& file, const std::string& text,
                                            const std::string& number, const std::string& markdown) {
  static const std::regex typed("\\w=(\\d+)");
  constexpr std::size_t fewest_digits = 5;  // "0.25" is on many lines, and says nothing of the rung
  std::vector<PageProblem> problems;
  const auto asked = predictions_of(markdown);
  std::size_t count = 0;
  for (const std::string& line : lines_of(text)) {
    ++count;
    if (line.find(number + "/") == line.npos) continue;
    for (const auto& [rung, question, answer] : asked) {
      const std::string label = number + "/" + rung;
      if (line.find(label) == line.npos) continue;  // most lines: an expression takes long
      const std::regex named("(^|[^\\w/])" + label + "(?!\\w)");
      if (!std::regex_search(line, named)) continue;
      // A command has the number without commas: sectors=5120.
      std::string said = line;
      for (std::sregex_iterator one(line.begin(), line.end(), typed), end; one != end; ++one)
        said += "\n" + grouped(std::stod((*one)[1].str()));
      for (const std::string& one : given_away(question, answer, said))
        if (one.size() >= fewest_digits)
          problems.push_back({file, count, fmt::format("{} is an answer to the Predict of {}", one, label)});
    }
  }
  return problems;
}

}  // namespace ladder::report
