/// @file
/// CITATION.cff has the fields of the Citation File Format 1.2.0, in its types, and the licence that LICENSE
/// has; the paper cites each of its references, which have authors, title, year and place.
/// Source: the format's schema, citation-file-format/citation-file-format, schema.json of version 1.2.0. Its
/// own validator, cffconvert, is no package of Debian.
// Guards: README.md#for-readers

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "tests/common/catch.hpp"

namespace {

using Names = std::set<std::string>;

const Names fields_of_file = {"abstract",
                              "authors",
                              "cff-version",
                              "commit",
                              "contact",
                              "date-released",
                              "doi",
                              "identifiers",
                              "keywords",
                              "license",
                              "license-url",
                              "message",
                              "preferred-citation",
                              "references",
                              "repository",
                              "repository-artifact",
                              "repository-code",
                              "title",
                              "type",
                              "url",
                              "version"};
const Names needed = {"authors", "cff-version", "message", "title"};
const Names fields_of_entity = {"address", "alias", "city",     "country", "date-end", "date-start",
                                "email",   "fax",   "location", "name",    "orcid",    "post-code",
                                "region",  "tel",   "url",      "website"};
const Names fields_of_person = {"address",     "affiliation",  "alias",     "city",        "country",
                                "email",       "family-names", "fax",       "given-names", "name-particle",
                                "name-suffix", "orcid",        "post-code", "region",      "tel",
                                "url",         "website"};

/// Collects what is wrong with a file, a line each.
class CitationCheck {
 public:
  std::string problems_of(const std::string& text) {
    YAML::Node file;
    try {
      file = YAML::Load(text);
    } catch (const YAML::Exception& error) {
      return fmt::format("no YAML: {}\n", error.what());
    }
    if (!file.IsMap()) return "no map\n";
    known(file, fields_of_file, "");
    for (const std::string& name : needed)
      if (!file[name]) problem(name + " is missing");
    for (const char* name : {"abstract", "commit", "message", "title", "version"})
      text_of(file, name, "[^]+");
    text_of(file, "cff-version", "1\\.2\\.0");
    text_of(file, "date-released", "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])");
    text_of(file, "doi", "10\\.[0-9]{4,9}(\\.[0-9]+)?/[A-Za-z0-9:/_;\\-\\.\\(\\)\\[\\]\\\\]+");
    text_of(file, "type", "software|dataset");
    for (const char* name : {"url", "repository", "repository-code", "repository-artifact", "license-url"})
      text_of(file, name, "(https|http|ftp|sftp)://.+");
    list(file, "keywords", [&](const YAML::Node& one, const std::string& place) {
      if (!one.IsScalar() || one.Scalar().empty()) problem(place + " must be a text");
    });
    for (const char* name : {"authors", "contact"})
      list(file, name, [&](const YAML::Node& one, const std::string& place) { author(one, place); });
    return problems_;
  }

 private:
  void problem(const std::string& text) { problems_ += text + "\n"; }

  void known(const YAML::Node& map, const Names& names, const std::string& place) {
    for (const auto& entry : map)
      if (const auto name = entry.first.Scalar(); !names.contains(name))
        problem(fmt::format("{}{} is no field of CFF 1.2.0", place, name));
  }

  void text_of(const YAML::Node& map, const std::string& name, const std::string& pattern) {
    const YAML::Node value = map[name];
    if (value && (!value.IsScalar() || !std::regex_match(value.Scalar(), std::regex(pattern))))
      problem(fmt::format("{} does not match {}", name, pattern));
  }

  template <class Check>
  void list(const YAML::Node& map, const std::string& name, Check check) {
    const YAML::Node value = map[name];
    if (!value) return;
    if (!value.IsSequence() || value.size() == 0) return problem(name + " must be a list that is not empty");
    Names seen;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string place = fmt::format("{}[{}]", name, i);
      if (!seen.insert(YAML::Dump(value[i])).second) problem(place + " is there twice");
      check(value[i], place);
    }
  }

  /// A person, or with a name an entity.
  void author(const YAML::Node& one, const std::string& place) {
    if (!one.IsMap() || one.size() == 0) return problem(place + " must be a person or an entity");
    known(one, one["name"] ? fields_of_entity : fields_of_person, place + ".");
    for (const auto& entry : one)
      if (!entry.second.IsScalar() || entry.second.Scalar().empty())
        problem(fmt::format("{}.{} must be a text", place, entry.first.Scalar()));
  }

  std::string problems_{};
};

std::string citation_problems(const std::string& text) {
  return CitationCheck().problems_of(text);
}

/// What is wrong with the references of a paper, a line each: "1. A. Author, *Title*, where, 2001."
std::string reference_problems(const std::string& paper) {
  static const std::regex entry("([0-9]+)\\. (.*)"), link("\\[(.*)\\]\\([^)]*\\)"),
      complete("[^*]+, \\*[^*]+\\*, (?=.*[A-Z])(?=.*\\b(19|20)[0-9]{2}\\b).*\\.");
  const auto heading = paper.find("\n## References\n");
  if (heading == paper.npos) return "no section ## References\n";
  const std::string text = paper.substr(0, heading);
  std::string problems;
  int next = 1;
  for (const std::string& line : ladder::lines_of(paper.substr(heading))) {
    std::smatch found;
    if (!std::regex_match(line, found, entry)) continue;
    const std::string number = found[1], reference = found[2];
    if (number != std::to_string(next++)) problems += fmt::format("[{}] is not in order\n", number);
    if (text.find("[" + number + "]") == text.npos) problems += fmt::format("[{}] is not cited\n", number);
    if (!std::regex_match(std::regex_replace(reference, link, "$1"), complete))
      problems += fmt::format("[{}] lacks authors, *title*, place or year\n", number);
  }
  return next == 1 ? "no references\n" : problems;
}

const std::string smallest =
    "cff-version: 1.2.0\nmessage: Cite it.\ntitle: A program\nauthors:\n  - name: We\n";

}  // namespace

TEST_CASE("a citation file with a field that is wrong, missing or unknown is no CFF 1.2.0") {
  CHECK(citation_problems(smallest) == "");
  CHECK(citation_problems(smallest + "  - family-names: A\n    given-names: B\n") == "");
  CHECK(citation_problems("a: [") != "");
  CHECK(citation_problems("text") == "no map\n");
  CHECK(citation_problems("cff-version: 1.1.0\nmessage: a\nauthors: []\n") ==
        "title is missing\ncff-version does not match 1\\.2\\.0\nauthors must be a list that is not empty\n");
  CHECK(citation_problems(smallest + "licence: MIT\n") == "licence is no field of CFF 1.2.0\n");
  CHECK(citation_problems(smallest + "  - name: We\n") == "authors[1] is there twice\n");
  CHECK(citation_problems(smallest + "  - family: A\n") == "authors[1].family is no field of CFF 1.2.0\n");
  CHECK(citation_problems(smallest + "keywords: [GPU, GPU]\n") == "keywords[1] is there twice\n");
  CHECK(citation_problems(smallest + "type: program\n") == "type does not match software|dataset\n");
  CHECK(citation_problems(smallest + "date-released: 23.11.2026\n")
            .starts_with("date-released does not match"));
  CHECK(citation_problems(smallest + "url: example.org\n").starts_with("url does not match"));
}

TEST_CASE("CITATION.cff is CFF 1.2.0, and its licence is the one of the code") {
  const std::filesystem::path root = LADDER_PROJECT;
  const std::string text = ladder::read_text(root / "CITATION.cff");
  CHECK(citation_problems(text) == "");
  const YAML::Node file = YAML::Load(text);
  CHECK(ladder::read_text(root / "LICENSE").starts_with(file["license"].as<std::string>() + " License"));
  CHECK(file["version"].as<std::string>() == file["date-released"].as<std::string>());
}

TEST_CASE("each reference of the paper is cited, and says who, what, where and when") {
  const auto said = [](const std::string& text, const std::string& references) {
    return reference_problems(text + "\n## References\n\n" + references);
  };
  CHECK(said("As in [1].", "1. A. Author, *Title*, SIAM, 2002.\n") == "");
  CHECK(said("As in [1].", "1. A. Author, [*Title*](https://a.b/), 2nd edition, SIAM, 2002.\n") == "");
  CHECK(said("", "1. A. Author, *Title*, SIAM, 2002.\n") == "[1] is not cited\n");
  CHECK(said("[1]", "1. A. Author, *Title*, SIAM.\n") == "[1] lacks authors, *title*, place or year\n");
  CHECK(said("[1]", "1. *Title*, SIAM, 2002.\n") == "[1] lacks authors, *title*, place or year\n");
  CHECK(said("[2]", "2. A. Author, *Title*, SIAM, 2002.\n") == "[2] is not in order\n");
  CHECK(reference_problems("text") == "no section ## References\n");
  CHECK(reference_problems(ladder::read_text(std::filesystem::path(LADDER_PROJECT) / "docs/paper.md")) == "");
}
