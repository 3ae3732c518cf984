#include "common/tool/maintain/checks/mutant_words.hpp"

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/skeleton/skeletonize.hpp"

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

std::vector<model::MutantWords> mutant_words(const std::string& text, const std::string& name) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<model::MutantWords> all;
  for (const cut::Mutant& m : cut::read_mutants(text, name))
    if (m.verdict != "PASS")
      all.push_back({.name = m.name,
                     .verdict = m.verdict,
                     .words = static_cast<int>(m.words.size()),
                     .why = why_none_of(lines, m.line)});
  return all;
}

std::vector<model::MutantWords> mutants_of(const std::filesystem::path& root, const LessonEntry& lesson) {
  std::vector<model::MutantWords> all;
  for (const StepEntry& step : lesson.steps)
    for (const char* kind : {"mutants", "variants"}) try {
        const auto file = edits_of(root, step, kind);
        for (model::MutantWords& mutant : mutant_words(read_text(file), file.string())) {
          mutant.rung = step.id();
          all.push_back(std::move(mutant));
        }
      } catch (const cut::Error&) {
      }
  return all;
}

}  // namespace ladder
