#pragma once
/// @file
/// What the tests of harness and tool prove, as their own files say it: the first sentence of the file, and
/// in a line
///
///     // Guards: docs/student.md#hints, docs/exam.md
///
/// (in a script with #) the pages whose promise it guards, with the name of the heading as code hosts make
/// it.

#include <filesystem>
#include <string>
#include <vector>

namespace ladder::report {

/// A source or script of tests.
struct TestPromise {
  std::string file;                 ///< relative to the checkout
  std::string proves;               ///< its first sentence; empty: it has none
  std::vector<std::string> guards;  ///< "docs/student.md#hints"
  int cases = 0;                    ///< test cases of Catch2 in a source
};

/// A program of unit tests: its name and its sources, from the CMakeLists.txt below tests/common and
/// tests/tool.
struct TestProgram {
  std::string name;  ///< "test-judge"
  std::vector<TestPromise> sources;
};

/// What a file of tests says of itself.
TestPromise promise_of(const std::filesystem::path& root, const std::filesystem::path& file);

/// By name.
std::vector<TestProgram> test_programs(const std::filesystem::path& root);

/// tests/*/*_test.sh, and those that parts of the test run, by path.
std::vector<TestPromise> test_scripts(const std::filesystem::path& root);

/// The text of the heading that "docs/student.md#hints" names, or of the page's first one. Empty: there is
/// none.
std::string heading_of(const std::filesystem::path& root, const std::string& guarded);

/// Tests that do not say what they prove or which promise they guard, promises that no page has, and
/// sources of tests that are in no program; one sentence each. Nothing where there are no tests of the
/// harness.
std::vector<std::string> wrong_promises(const std::filesystem::path& root);

}  // namespace ladder::report
