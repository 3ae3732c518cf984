#pragma once
/// @file
/// What a source kept as a test must get. It begins with these comments, a line each:
///
///     // what reads the class key             one sentence, for people
///     // verdict REVIEW|CRASHED               one of them
///     // mode uid REJECTED                    when a mode of the sandbox gives another one
///     // must opens files                     words that the result has; A|B: one of them
///     // not read of a file                   words that it does not have

#include <map>
#include <string>
#include <vector>

namespace ladder {

/// These comments of one source.
struct ExpectedResult {
  std::string what;
  /// By mode of the sandbox, "" for every other one.
  std::map<std::string, std::vector<std::string>> verdicts{};
  std::vector<std::string> must, must_not;

  /// The verdicts of a mode; empty: none is stated.
  const std::vector<std::string>& allowed(const std::string& mode = "") const;
};

/// Reads the comments that a source begins with. What is missing stays empty.
ExpectedResult read_expected(const std::string& source);

/// Why a verdict and its text are not what was expected; empty: they are. The text begins with the verdict.
std::string unexpected(const ExpectedResult& expected, const std::string& mode, const std::string& verdict,
                       const std::string& text);

}  // namespace ladder
