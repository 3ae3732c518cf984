#include "common/tool/maintain/checks/mutant_words.hpp"

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/maintain/checks/tree_checks.hpp"

namespace ladder {
namespace {

/// The reason in the comment of a mutant that begins in a line, counted from 1.
std::string why_none_of(const std::vector<std::string>& lines, int line) {
  constexpr std::string_view mark = "# words none:";
  for (std::size_t i = static_cast<std::size_t>(line); i < lines.size(); ++i) {
    const std::string_view text = trim(lines[i]);
    if (text == "find") break;
    if (text.starts_with(mark)) return std::string(trim(text.substr(mark.size())));
  }
  return "";
}

}  // namespace

std::vector<MutantWords> mutant_words(const std::string& text, const std::string& name) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<MutantWords> all;
  for (const cut::Mutant& m : cut::read_mutants(text, name))
    if (m.verdict != "PASS")
      all.push_back({.name = m.name,
                     .verdict = m.verdict,
                     .words = static_cast<int>(m.words.size()),
                     .why_none = why_none_of(lines, m.line)});
  return all;
}

nlohmann::json mutants_json(const std::filesystem::path& root, const LessonEntry& lesson) {
  nlohmann::json list = nlohmann::json::array();
  for (const StepEntry& step : lesson.steps)
    for (const char* kind : {"mutants", "variants"}) try {
        const auto file = edits_of(root, step, kind);
        for (const MutantWords& m : mutant_words(read_text(file), file.string()))
          list.push_back({{"rung", step.id()},
                          {"name", m.name},
                          {"verdict", m.verdict},
                          {"words", m.words},
                          {"why", m.why_none}});
      } catch (const cut::Error&) {
      }
  return list;
}

}  // namespace ladder
