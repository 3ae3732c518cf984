#include "common/tool/maintain/attempts.hpp"

#include <fmt/format.h>

#include <sstream>

#include "common/base/error.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t first_details =
    2;  // beside the verdict's line: what a student reads before looking away

/// The first lines of what `check` prints, without its line breaks.
std::string first_lines(const json& result) {
  std::string text = result.value("verdict", "") + "  " + result.value("message", "");
  std::size_t told = 0;
  for (const json& d : result.value("details", json::array()))
    if (told++ < first_details)
      text += fmt::format("\n{}: {}", d[0].get<std::string>(), d[1].get<std::string>());
  return text;
}

}  // namespace

std::map<std::string, fs::path> attempts_of(const fs::path& root, const StepEntry& step) {
  std::map<std::string, fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / "tests" / step.lesson / "attempts", none)) {
    const fs::path stem = entry.path().stem();
    if (stem.stem() == step.name && stem.has_extension())
      found[stem.extension().string().substr(1)] = entry.path();
  }
  return found;
}

Attempt read_attempt(const std::string& source) {
  Attempt attempt;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line) && line.starts_with("// ");) {
    const auto after = [&](const std::string& word) {
      return line.starts_with("// " + word + " ") ? line.substr(word.size() + 4) : "";
    };
    if (const auto verdict = after("verdict"); !verdict.empty()) attempt.verdict = verdict;
    if (const auto word = after("must"); !word.empty()) attempt.must.push_back(word);
    if (const auto word = after("not"); !word.empty()) attempt.must_not.push_back(word);
  }
  if (attempt.verdict.empty() || attempt.must.size() < 2 || attempt.must_not.empty())
    throw Error("begins with no verdict, two lines `// must` and one `// not`");
  return attempt;
}

std::string wrong_attempt(const Attempt& attempt, const json& result) {
  const std::string text = first_lines(result);
  if (result.value("verdict", "") != attempt.verdict)
    return fmt::format("expected {}, got {}", attempt.verdict, text);
  for (const std::string& word : attempt.must)
    if (text.find(word) == std::string::npos) return fmt::format("\"{}\" is not in {}", word, text);
  for (const std::string& word : attempt.must_not)
    if (text.find(word) != std::string::npos) return fmt::format("\"{}\" is in {}", word, text);
  return "";
}

}  // namespace ladder
