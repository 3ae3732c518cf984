#pragma once
/// @file
/// What the tests of the repository counted.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/model/test_times.hpp"

namespace ladder {

/// Passed, failed with what was wrong, skipped with why.
class TestSummary {
 public:
  struct Entry {
    std::string name, text;
  };
  void pass(int count = 1) { passed_ += count; }
  void fail(const std::string& name, const std::string& text) {
    failures_.push_back({name, text});
    if (tell_) tell_(failures_.back());
  }
  void skip(const std::string& name, const std::string& reason) { skips_.push_back({name, reason}); }
  void expect(bool good, const std::string& name, const std::string& text) {
    good ? pass() : fail(name, text);
  }

  /// Adds what another process has counted; its failures have been told.
  void add(const model::TestCounts& counted);

  /// Called with each failure from now on, as soon as it is counted.
  void on_failure(std::function<void(const Entry&)> tell) { tell_ = std::move(tell); }

  int passed() const { return passed_; }
  const std::vector<Entry>& failures() const { return failures_; }
  const std::vector<Entry>& skips() const { return skips_; }

  /// "12 passed, 1 failed, 2 skipped"
  std::string line() const;

  /// Failures, then skips with their reasons, then the line alone.
  std::string text(std::size_t width) const;

  model::TestCounts counts() const;

 private:
  int passed_ = 0;
  std::vector<Entry> failures_, skips_;
  std::function<void(const Entry&)> tell_;
};

/// A failure as it is told where it happens: its name, and below it the last lines of what it says.
std::string told(const TestSummary::Entry& failure, std::size_t width);

/// The last lines of a text that are not blank.
std::string last_lines(const std::string& text, std::size_t most);

/// Takes the test cases of a JUnit file, as both versions of Catch2 write it.
/// @return whether the file is whole
bool take_junit(const std::string& xml, const std::string& program, TestSummary& summary);

/// Takes the reasons, a line each, that test programs append to the file of LADDER_SKIPS.
/// @return how many
int take_skips(const std::string& text, const std::string& program, TestSummary& summary);

}  // namespace ladder
