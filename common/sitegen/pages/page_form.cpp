#include "common/sitegen/pages/page_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <sstream>
#include <tuple>
#include <utility>

#include "common/base/text/markdown.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"

namespace ladder::report {
namespace {

/// How often a text is in a line.
int times_in(const std::string& line, const std::string& text) {
  int times = 0;
  for (std::size_t at = line.find(text); at != line.npos; at = line.find(text, at + text.size())) ++times;
  return times;
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         static_cast<unsigned char>(c) >= 0xc3;  // Latin, Greek: not "·"
}

std::size_t words_in(const std::string& line) {
  static const std::regex comment("<!--.*?-->"), target(R"(\]\([^)]*\))"), tag("</?[a-z][^>]*>");
  std::string text = std::regex_replace(line, comment, "");
  text = std::regex_replace(std::regex_replace(text, target, "]"), tag, "");
  std::istringstream in(text);
  std::size_t words = 0;
  for (std::string word; in >> word;) words += std::any_of(word.begin(), word.end(), is_letter);
  return words;
}

/// What a line of code says to its reader.
std::string comment_in(const std::string& code, const std::string& mark) {
  const auto at = code.find(mark);
  return at == code.npos ? "" : code.substr(at + mark.size());
}

/// Tells for the lines of a page, one after the other, whether a reader cannot skip them.
class Reader {
 public:
  explicit Reader(Reading which = Reading::sentences) : all_(which == Reading::all) {}

  /// The part of the line that counts.
  std::string counted(const std::string& whole) {
    const std::string line(trim(whole));
    if (is_code_fence(line)) {
      fenced_ = !fenced_;
      return "";
    }
    if (fenced_) return all_ && folds_ == 0 && !generated_ ? comment_in(line, "//") : "";
    if (line.starts_with("<!-- generated:")) generated_ = true;
    if (line == "<!-- end -->") generated_ = false;
    if (generated_) return "";
    const bool blank = line.empty();
    const bool code = whole.starts_with("    ") && (after_blank_ || in_code_) && !in_list_;
    if (!blank && !whole.starts_with(" ")) in_list_ = line.starts_with("- ") || line.starts_with("* ");
    in_code_ = code || (blank && in_code_);
    after_blank_ = blank;
    if (code || blank) return all_ ? comment_in(line, "# ") : "";
    std::string kept;
    for (std::size_t at = 0; at < line.size();) {  // what lies outside folds
      const auto open = line.find("<details", at), close = line.find("</details>", at);
      const auto next = std::min(open, close);
      if (folds_ == 0) kept += line.substr(at, std::min(next, line.size()) - at);
      if (next == line.npos) break;
      folds_ = std::max(0, folds_ + (next == open ? 1 : -1));
      at = next + (next == open ? 8 : 10);
    }
    const bool picture = line.starts_with("!["), table = line.starts_with("|");
    const bool caption =
        after_picture_ && line.starts_with("*") && line.ends_with("*") && times_in(line, "*") == 2;
    after_picture_ = picture;
    return picture || (!all_ && (table || caption)) ? "" : kept;
  }

 private:
  bool all_;
  bool fenced_ = false, generated_ = false, in_code_ = false, after_blank_ = true, in_list_ = false,
       after_picture_ = false;
  int folds_ = 0;
};

/// Parts that pages have in this order, as their lines begin; a page may lack some.
constexpr const char* parts_in_order[] = {"**Start here.**",
                                          "<!-- generated: ladder-figure",
                                          "After this lesson you can",
                                          "You need",
                                          "## The problem",
                                          "## The baseline",
                                          "## The ladder in one table",
                                          "<!-- generated: ladder-table",
                                          "## On ",
                                          "## What you have climbed",
                                          "## What the source found",
                                          "## Beyond"};

/// Says which part of a page comes after one that it belongs before.
class PartOrder {
 public:
  /// @return what is wrong with the line; empty: nothing
  std::string check(const std::string& line) {
    const auto* const part =
        std::ranges::find_if(parts_in_order, [&](const char* p) { return line.starts_with(p); });
    if (part == std::end(parts_in_order)) return "";
    if (part >= last_) {
      last_ = part;
      return "";
    }
    return fmt::format("'{}' belongs before '{}': all pages have one order of parts", *part, *last_);
  }

 private:
  const char* const* last_ = std::begin(parts_in_order);
};

/// A part of a page: the section of a rung, or all the rest.
struct Section {
  std::string rung;
  std::size_t line = 1, words = 0;
};

/// A question of the page, until its answer is found.
struct Question {
  std::size_t line = 0;
  bool fold = false, value = false;
};

/// The page, with spaces for what is in folds.
std::string without_folds(std::string text) {
  const std::string open = "<details", close = "</details>";
  for (auto at = text.find(open); at != text.npos; at = text.find(open, at)) {
    const auto end = text.find(close, at);
    for (; at < std::min(end, text.size()); ++at)
      if (text[at] != '\n') text[at] = ' ';
  }
  return text;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Whether a number of a text is there by itself: not a part of a longer one.
bool is_whole_number(const std::string& text, std::size_t at, std::size_t size) {
  const auto part_of_number = [&](std::size_t i, std::size_t beyond) {
    return i < text.size() && (is_digit(text[i]) || ((text[i] == '.' || text[i] == ',') &&
                                                     beyond < text.size() && is_digit(text[beyond])));
  };
  return !part_of_number(at - 1, at - 2) && !part_of_number(at + size, at + size + 1);
}

std::vector<std::size_t> places_in(const std::string& text, const std::string& part, std::size_t from,
                                   std::size_t to) {
  std::vector<std::size_t> places;
  for (auto at = text.find(part, from); at < to; at = text.find(part, at + 1)) places.push_back(at);
  return places;
}

/// Where the value of that name is.
std::vector<std::size_t> places_of_value(const std::string& text, const std::string& name) {
  return places_in(text, "<!-- = " + name + " -->", 0, text.size());
}

/// Where that number is from there to there. None of a small one: those are everywhere.
std::vector<std::size_t> places_of_number(const std::string& text, const std::string& number,
                                          std::size_t from, std::size_t to) {
  if (number.find_first_of(".,") == number.npos) return {};
  std::vector<std::size_t> places = places_in(text, number, from, to);
  std::erase_if(places, [&](std::size_t at) { return !is_whole_number(text, at, number.size()); });
  return places;
}

std::size_t line_at(const std::string& text, std::size_t place) {
  return 1 + static_cast<std::size_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

/// The words of a picture, one text a line, without its description.
std::string words_of_picture(const std::string& svg) {
  static const std::regex text("<t(ext|itle)[^>]*>([^<]*)</t");
  std::string words;
  for (std::sregex_iterator one(svg.begin(), svg.end(), text), end; one != end; ++one)
    words += '\n' + (*one)[2].str();
  return words + '\n';
}

/// Whether a picture says that number. A small one is a tick or the number of a lane, unless it counts what
/// the question asks for: "16 sectors".
bool picture_says(const std::string& words, const std::string& number, const std::string& question) {
  const bool small = number.find_first_of(".,") == number.npos;
  for (const std::size_t at : places_in(words, number, 0, words.size())) {
    if (!is_whole_number(words, at, number.size())) continue;
    const std::size_t unit = at + number.size() + 1, end = words.find_first_of(" \n.,:;", unit);
    if (!small) return true;
    if (words[unit - 1] == ' ' && end > unit &&
        question.find(words.substr(unit, end - unit)) != question.npos)
      return true;
  }
  return false;
}

/// The pictures from there to there: where each is, and its words.
std::vector<std::pair<std::size_t, std::string>> pictures_in(const std::string& text, std::size_t from,
                                                             std::size_t to, const PictureReader& pictures) {
  std::vector<std::pair<std::size_t, std::string>> all;
  for (const std::size_t at : places_in(text, "![", from, to)) {
    const auto path = text.find("](", at), end = text.find(".svg)", at);
    if (path == text.npos || end == text.npos || end > text.find('\n', at)) continue;
    all.emplace_back(at, words_of_picture(pictures(text.substr(path + 2, end + 4 - path - 2))));
  }
  return all;
}

/// A value that is computed: its name, and the number that a page shows.
struct ComputedValue {
  std::string name, number;
};

/// The values of an answer that its question does not have.
std::vector<ComputedValue> values_asked_for(const std::string& question, const std::string& answer) {
  static const std::regex value("<!-- = (\\S+)\\s+-->([^<]*)<!-- \\. -->");
  std::vector<ComputedValue> values;
  for (std::sregex_iterator one(answer.begin(), answer.end(), value), end; one != end; ++one)
    if (places_of_value(question, (*one)[1]).empty() &&
        places_of_number(question, (*one)[2], 0, question.size()).empty())
      values.push_back({(*one)[1], (*one)[2]});
  return values;
}

/// Numbers that a reader is to predict, and that the page or a picture gives away outside of folds.
std::vector<PageProblem> spoiled_answers(const std::string& file, const std::string& text,
                                         const PictureReader& pictures) {
  const std::string outside = without_folds(text), question = "**Predict.**",
                    begin = "<summary>Answer</summary>";
  // Line, number, and whether a picture says it: line of the answer.
  std::map<std::tuple<std::size_t, std::string, bool>, std::size_t> found;
  for (auto at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    const auto asked = text.rfind(question, at);
    if (asked == text.npos) continue;
    const std::string answer = text.substr(at, text.find("</details>", at) - at),
                      given = text.substr(asked, at - asked);
    const auto heading = text.rfind("\n##", asked), next = text.find("\n##", at);
    const std::size_t section = heading == text.npos ? 0 : heading;
    const auto drawn = pictures_in(outside, section, next, pictures);
    for (const auto& [name, number] : values_asked_for(given, answer)) {
      std::vector<std::size_t> places = places_of_value(outside, name);
      for (const std::size_t place : places_of_number(outside, number, section, next))
        places.push_back(place);
      for (const std::size_t place : places)
        found.emplace(std::tuple(line_at(text, place), number, false), line_at(text, at));
      for (const auto& [place, words] : drawn)
        if (picture_says(words, number, given))
          found.emplace(std::tuple(line_at(text, place), number, true), line_at(text, at));
    }
  }
  std::vector<PageProblem> problems;
  for (const auto& [where, answer] : found) {
    const auto& [line, number, in_picture] = where;
    problems.push_back({file, line,
                        fmt::format("{} is an answer to the Predict above line {}, and is {} here", number,
                                    answer, in_picture ? "in the picture" : "outside of a fold")});
  }
  return problems;
}

/// Folds whose Markdown stays as it is: a line that begins with <details> is HTML.
std::vector<PageProblem> raw_folds(const std::string& file, const std::string& text) {
  std::vector<PageProblem> problems;
  std::size_t number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (!trim(line).starts_with("<details>")) continue;
    if (line.find('`') != line.npos || line.find("](") != line.npos)
      problems.push_back(
          {file, number,
           "a fold that begins in this line is HTML: a code host shows ` and []() as they are"});
  }
  return problems;
}

}  // namespace

std::size_t words_of(const std::string& markdown, Reading reading) {
  Reader reader(reading);
  std::size_t words = 0;
  for (const std::string& line : lines_of(markdown)) words += words_in(reader.counted(line));
  return words;
}

std::vector<std::string> given_away(const std::string& question, const std::string& answer,
                                    const std::string& text) {
  std::vector<std::string> numbers;
  for (const auto& [name, number] : values_asked_for(question, answer))
    if (!places_of_value(text, name).empty() || !places_of_number(text, number, 0, text.size()).empty())
      numbers.push_back(number);
  return numbers;
}

std::vector<PageProblem> form_problems(const std::string& file, const std::string& lesson,
                                       const std::string& text, const PictureReader& pictures) {
  static const std::regex heading("(##+) (.*)"), rung("(" + step_id_pattern + ") .*");
  std::vector<PageProblem> problems;
  std::vector<Section> rungs;
  Section rest;
  std::vector<Question> questions;
  bool start = false, check = false, in_rung = false, fenced = false, asked = false;
  std::size_t number = 0, level = 0;
  Reader reader;
  PartOrder order;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (is_code_fence(line)) fenced = !fenced;
    if (std::smatch found; !fenced && std::regex_match(line, found, heading)) {
      const std::string title = found[2];
      const auto depth = static_cast<std::size_t>(found[1].length());
      if (std::smatch id; depth <= 3 && std::regex_match(title, id, rung)) {
        rungs.push_back({id[1], number});
        in_rung = true, level = depth;
      } else if (depth <= level) {
        in_rung = false;
      }
    }
    if (const std::string wrong = fenced ? "" : order.check(line); !wrong.empty())
      problems.push_back({file, number, wrong});
    (in_rung ? rungs.back() : rest).words += words_in(reader.counted(line));
    if (line.find("**Start here.**") != line.npos) start = true;
    if (start && line.find("./ladder check " + lesson.substr(0, 2) + "/") != line.npos) check = true;
    if (line.find("**Predict.**") != line.npos)
      questions.push_back({number});
    else if (line.starts_with("- **") || line.starts_with("#"))
      asked = false;
    if (line.find("**Predict.**") != line.npos) asked = true;
    if (!asked) continue;
    if (line.find("<summary>Answer") != line.npos) questions.back().fold = true;
    if (questions.back().fold && line.find("<!-- = ") != line.npos) questions.back().value = true;
  }
  for (const PageProblem& one : spoiled_answers(file, text, pictures)) problems.push_back(one);
  for (const PageProblem& one : raw_folds(file, text)) problems.push_back(one);
  if (!start || !check)
    problems.push_back(
        {file, 0, fmt::format("no paragraph **Start here.** with ./ladder check {}/…", lesson.substr(0, 2))});
  for (const Question& one : questions)
    if (!one.value)
      problems.push_back({file, one.line,
                          one.fold
                              ? "the answer to this Predict has no value that is computed: <!-- = NAME -->"
                              : "this Predict has no <details><summary>Answer</summary> below it"});
  for (const Section& one : rungs)
    if (one.words < fewest_of_rung || one.words > max_of_rung)
      problems.push_back({file, one.line,
                          fmt::format("the section of {} has {} words, not {} to {}", one.rung, one.words,
                                      fewest_of_rung, max_of_rung)});
  std::size_t all = 0;
  for (const Section& one : rungs) all += one.words;
  if (all < fewest_on_average * rungs.size())
    problems.push_back({file, 0,
                        fmt::format("the sections of its rungs have {} words on average, fewer than {}",
                                    all / rungs.size(), fewest_on_average)});
  if (rest.words > max_of_rest)
    problems.push_back(
        {file, 0,
         fmt::format("the page has {} words next to its rungs, more than {}", rest.words, max_of_rest)});
  return problems;
}

}  // namespace ladder::report
