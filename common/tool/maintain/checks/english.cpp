#include "common/tool/maintain/checks/english.hpp"

#include <fmt/format.h>

#include <regex>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/tool/handout/handout.hpp"
#include "common/tool/maintain/checks/attacks.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// What to write instead of a phrase.
struct Rule {
  const char* part;  ///< that each such phrase has: most lines have none, and a regex takes long
  std::regex phrase;
  const char* instead;
};

/// Each stood in dozens of places of the second edition. No word is here that has a right use in this
/// repository: the list finds mistakes, it does not teach style.
const std::vector<Rule>& rules() {
  const auto find = [](const char* phrase) { return std::regex(phrase, std::regex::optimize); };
  static const std::vector<Rule> all = {
      {"end", find(R"(\b[Mm]end(s|ed|ing)?\b)"), "fix"},
      {"eave --", find(R"(\b[Ll]eave --[a-z-]+ away\b)"), "omit"},
      {"n place of", find(R"(\b[Ii]n place of\b)"), "instead of"},
      {"for ever", find(R"(\bfor ever\b)"), "forever"},
      {"new", find(R"(\b[Aa]new\b)"), "again"},
      {"eside", find(R"(\b[Bb]eside\b)"), "next to, while or alongside"},
      {"tand", find(R"(\b[Ss]tands? (in|on|at|there|here|with|between) )"),
       "is in, appears in, or the line says"},
      {"in the race of", find(R"(\bin the race of\b)"), "timed together with"},
      {"wants a", find(R"(\bwants an? (whole number|number|text)\b)"), "must be"},
      {"s a",
       find(R"(\b(sectors|bytes|loads|requests|wavefronts|barriers|registers|threads|launches) an? )"
            R"((flop|fma|FMA|byte|block|thread|element|second|launch|request)\b)"),
       "per: sectors per flop"},
      {" of today", find(R"(\b(GPU|GPUs|device|devices|names?) of today\b)"),
       "a current GPU, the current name"},
      {"loses the products", find(R"(\bloses the products\b)"), "the products are subtracted from"},
  };
  return all;
}

/// A line's comments and string literals.
std::string words_of_code(const std::string& line) {
  static const std::regex part(R"re(//.*$|"(?:[^"\\]|\\.)*"|^ *\*.*$)re");
  std::string words;
  if (line.find_first_of("/\"*") == std::string::npos) return words;
  for (std::sregex_iterator one(line.begin(), line.end(), part), end; one != end; ++one)
    words += one->str() + "\n";
  return words;
}

bool is_code(const fs::path& file) {
  static const std::regex code(R"([.](cpp|hpp|h|cu|cuh)$)");
  return std::regex_search(file.string(), code);
}

/// Whether its words are ours, and are read by somebody.
bool is_ours(const std::string& file) {
  static const std::regex read(R"(.*[.](md|cpp|hpp|h|cu|cuh|toml|sh|cmake)|ladder)");
  static const std::regex others(R"(docs/results/.*|.*/english(_test)?[.][ch]pp)");
  return std::regex_match(file, read) && !std::regex_match(file, others) && !is_kept_submission(file);
}

}  // namespace

std::string UnidiomaticPhrase::sentence() const {
  return fmt::format("{}:{}: '{}': write '{}'", file, line, phrase, instead);
}

std::vector<UnidiomaticPhrase> unidiomatic_phrases(const std::string& file, const std::string& text,
                                                   bool code) {
  std::vector<UnidiomaticPhrase> found;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    const std::string words = code ? words_of_code(line) : line;
    std::smatch match;
    for (const Rule& rule : rules())
      if (words.find(rule.part) != std::string::npos && std::regex_search(words, match, rule.phrase))
        found.push_back({file, number, match.str(), rule.instead});
  }
  return found;
}

std::vector<UnidiomaticPhrase> unidiomatic_phrases(const fs::path& root) {
  std::vector<UnidiomaticPhrase> found;
  for (const std::string& file : repository_files(root))
    if (is_ours(file))
      for (UnidiomaticPhrase& one : unidiomatic_phrases(file, read_text(root / file), is_code(file)))
        found.push_back(std::move(one));
  return found;
}

}  // namespace ladder
