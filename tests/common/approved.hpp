#pragma once
/// @file
/// What users read, compared with approved files: approved/<source without _test>.<name>.txt next to the
/// source of the test. `./ladder test --renew` writes them; their difference is reviewed as that of a source.

#include <string>
#include <vector>

namespace ladder {
struct ProcessResult;
}

namespace ladder::test {

/// Where a check stands: std::source_location, which clang 14 lacks.
struct CheckPlace {
  const char* file;
  int line;
  explicit CheckPlace(const char* f = __builtin_FILE(), int l = __builtin_LINE()) : file(f), line(l) {}
};

/// Compares a text with its approved file, without what differs between runs and machines (approved.cpp lists
/// that).
/// @param name  of the file: a literal of the test's source, which no other check of that source uses
void approve(const std::string& name, const std::string& text, CheckPlace place = CheckPlace());

/// The output of a program, and its exit status when that is not 0.
void approve(const std::string& name, const ProcessResult& ended, CheckPlace place = CheckPlace());

/// A call of ./ladder and what it said, for one approved file of several calls.
std::string transcript(const std::vector<std::string>& call, const ProcessResult& ended);

/// A text without what differs between runs and machines.
std::string normalised(std::string text);

}  // namespace ladder::test
