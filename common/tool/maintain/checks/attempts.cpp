#include "common/tool/maintain/checks/attempts.hpp"

#include <fmt/format.h>

#include "common/base/error.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t first_details =
    2;  // next to the verdict's line: what a student reads before looking away

/// The first lines of what `check` prints, without its line breaks.
std::string first_lines(const model::StepResult& result) {
  std::string text = fmt::format("{}  {}", name(result.verdict), result.message);
  std::size_t told = 0;
  for (const auto& [heading, block] : result.details)
    if (told++ < first_details) text += fmt::format("\n{}: {}", heading, block);
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

ExpectedResult read_attempt(const std::string& source) {
  ExpectedResult attempt = read_expected(source);
  if (attempt.verdicts.size() != 1 || attempt.allowed().size() != 1 || attempt.must.size() < 2 ||
      attempt.must_not.empty())
    throw Error("begins with no verdict, two lines `// must` and one `// not`");
  return attempt;
}

std::string wrong_attempt(const ExpectedResult& attempt, const model::StepResult& result) {
  return unexpected(attempt, "", std::string(name(result.verdict)), first_lines(result));
}

}  // namespace ladder
