#include "common/tool/maintain/checks/english.hpp"

#include <fmt/format.h>

#include <regex>

#include "common/base/files/files.hpp"
#include "common/base/text/markdown.hpp"
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
  bool pages_only = false;  ///< comments of code may have it: names that are no sentences
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
      {" a", find(R"(\b(operations|entries|elements) an? (tile|lane)\b|\bbytes a lane\b)"),
       "per: operations per tile", true},
      {" a",
       find(R"(\b([Aa]|[Oo]ne) (thread|block|block of threads|warp|lane|work-item) an? )"
            R"((tile|row|entry|column|element|bin|key|pair|block|multiprocessor)\b)"),
       "for each, or per: a thread for each row", true},
      {" of today", find(R"(\b(GPU|GPUs|device|devices|names?) of today\b)"),
       "a current GPU, the current name"},
      {"los", find(R"(\b(loses?|lost) (the |its |their )?(products?|multiples?)\b)"), "subtract … from"},
      {"what ", find(R"(\b(times|of) what is (needed|necessary)\b)"), "× the minimum, or the minimum"},
      {"get", find(R"(\b[Gg]ets \d[\d.,]* times\b)"), "costs, reaches, needs or scores"},
      {"say", find(R"(\b([Tt]he|[Aa]n?|[Ii]ts|[Ee]ach|[Tt]his) (page|foot|event|table) says\b)"),
       "shows, lists, states or marks"},
      {"tell", find(R"(\b([Tt]he|[Aa]n?|[Ii]ts|[Ee]ach|[Tt]his) (page|foot|event|table) tells\b)"),
       "shows, lists, states or marks"},
      {"under way", find(R"(\bunder way\b)"), "in flight, or runs"},
      {"way", find(R"(\bon (its|their) way\b)"), "in flight"},
      {"Who ", find(R"((^|[.:] )Who [a-z]+ [^?]*[^?.][.]( |$))"), "Students who …, people who …", true},
      {"has", find(R"(\b[Hh]ow many [a-z-]+ has (an?|the|each|one|this|that)\b)"),
       "how many … does … need, take or have"},
      {"# ", find(R"(^#+ (What must be|What an? \w+ cannot|The way of))"),
       "a noun: Requirements, The sandbox", true},
      {"so", find(R"(\b(it|and) stays so\b)"), "is left alone, or unchanged"},
      {"already", find(R"(\b(is|are) here already\b)"), "is already installed"},
      {"so many", find(R"(\b(of|by|for|with|in) so many (?!\w+ that\b))"), "that many, or the number"},
      {"that many or", find(R"(\bthat many or (fewer|more)\b)"), "at most, or at least that many"},
      {"the like", find(R"(\b(and|or) the like\b)"), "name the thing"},
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

/// A line of Markdown as a reader sees it: without what is in `code`, links' addresses, marks and comments.
std::string read_text_of(const std::string& line) {
  static const std::regex code("`[^`]*`|<code>[^<]*</code>"), comment("<!--.*?-->"), target(R"(\]\([^)]*\))"),
      tag("<[^>]*>"), bold(R"(\*\*[^*]*\*\*)");
  std::string text = std::regex_replace(std::regex_replace(line, code, "x"), comment, "");
  text = std::regex_replace(std::regex_replace(text, target, "]"), tag, ". ");
  return std::regex_replace(text, bold, "x");
}

/// A sentence of a page with two colons; empty: the line has none. What stands before the first colon may be
/// a name ("- `file`: …") or a label, which is no part of the sentence.
std::string sentence_of_two_colons(const std::string& line) {
  static const std::regex end(R"([.!?] |\||[;·])"), two(R"([\w\])]: [^:]*[\w\])]: )"),
      label(R"(^ *([-*] \w[\w/]*( \w+){0,2}|\w[\w/]*|([-*] )?x(, x)*): )");
  const std::string text = read_text_of(line);
  if (text.find(": ") == text.rfind(": ")) return "";
  for (std::sregex_token_iterator one(text.begin(), text.end(), end, -1), none; one != none; ++one) {
    const std::string sentence = std::regex_replace(one->str(), label, "");
    if (std::regex_search(sentence, two)) return sentence;
  }
  return "";
}

/// Pages for readers, students and teachers: not the notes of folders, and no page that quotes messages.
bool is_for_people(const std::string& file) {
  static const std::regex page(R"(README[.]md|lessons/[^/]*/[^/]*[.]md|docs/[^/]*[.]md)");
  return std::regex_match(file, page) && !file.starts_with("docs/grading-attacks");
}

/// Lines of a page that people have written: not in code or tables, not generated.
class WrittenLines {
 public:
  bool has(const std::string& line) {
    if (line.starts_with("<!-- generated:")) generated_ = true;
    if (line.starts_with("<!-- end")) generated_ = false;
    if (is_code_fence(line)) fenced_ = !fenced_;
    return !generated_ && !fenced_ && !is_code_fence(line) && !line.starts_with("    ") &&
           !line.starts_with("|");
  }

 private:
  bool generated_ = false, fenced_ = false;
};

bool is_code(const fs::path& file) {
  static const std::regex code(R"([.](cpp|hpp|h|cu|cuh)$)");
  return std::regex_search(file.string(), code);
}

/// Whether its words are ours, and are read by somebody.
bool is_ours(const std::string& file) {
  static const std::regex read(R"(.*[.](md|cpp|hpp|h|cu|cuh|toml|sh|cmake|svg)|ladder)");
  static const std::regex others(R"(docs/results/.*|.*/english(_test)?[.][ch]pp)");
  return std::regex_match(file, read) && !std::regex_match(file, others) && !is_kept_submission(file);
}

}  // namespace

std::string UnidiomaticPhrase::sentence() const {
  return fmt::format("{}:{}: '{}': write '{}'", file, line, phrase, instead);
}

std::vector<UnidiomaticPhrase> unidiomatic_phrases(const std::string& file, const std::string& text,
                                                   bool code) {
  const bool page = file.ends_with(".md");
  std::vector<UnidiomaticPhrase> found;
  WrittenLines written;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (is_for_people(file) && written.has(line))
      if (const std::string sentence = sentence_of_two_colons(line); !sentence.empty())
        found.push_back(
            {file, number, std::string(trim(sentence)), "a full stop or a dash for one of two colons"});
    const std::string words = code ? words_of_code(line) : line;
    std::smatch match;
    for (const Rule& rule : rules())
      if ((page || !rule.pages_only) && words.find(rule.part) != std::string::npos &&
          std::regex_search(words, match, rule.phrase))
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
