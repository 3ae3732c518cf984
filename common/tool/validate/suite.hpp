#pragma once
/// @file
/// Programs with known labels: which of them have which bug, and how they are run.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace ladder {

/// A class of bugs, as the labels of a suite name it.
struct SuiteClass {
  std::string name;             ///< "atomicBug"
  std::set<std::string> kinds;  ///< findings that report such a bug: "global-race"; "*": every error
  bool operator==(const SuiteClass&) const = default;
};

/// A program of a suite.
struct SuiteProgram {
  std::string file;                   ///< seen from the suite's folder
  std::vector<std::string> labels{};  ///< names of classes; none: it is free of bugs
  std::string not_applicable{};       ///< why its label says nothing here; empty: it does
  std::vector<std::string> flags{};   ///< of the compiler, as check has them: -I, -D, --std
  std::vector<std::string> runs{};  ///< the program's arguments; each run counts. None: one without arguments
};

/// A folder of such programs.
struct Suite {
  std::string name;
  std::string from{};            ///< where it is published, and which version
  std::filesystem::path folder;  ///< absolute
  std::vector<SuiteClass> classes{};
  std::vector<SuiteProgram> programs{};
  /// Kinds of findings that its labels speak of: "free of races" says nothing about leaks. Empty: all.
  std::set<std::string> about{};
  bool driver = false;  ///< the files are kernels without a main: one is made for each (suite_driver.hpp)
  double seconds = 0;   ///< limit of a run; 0: the command line's
};

/// Findings that a class reports when its label names no kinds: "race", "bounds", "uninitialised", "barrier",
/// "shuffle", "order", "leak", "livelock", "crash", or "any". @throws UsageError for another name
std::set<std::string> kinds_of_class(const std::string& name);

/// Reads the labels of a folder.
/// @param labels  a TOML or CSV file; or the name of a file in `known`, without its ending; empty:
/// labels.toml or labels.csv in the folder
/// @param known   folder with the descriptions of public suites
/// @throws UsageError, one line for each thing that is wrong, with file and line
Suite read_suite(const std::filesystem::path& folder, const std::string& labels,
                 const std::filesystem::path& known);

/// A part of a suite, always the same one: programs whose names' hashes are the smallest. 0: all.
void take_sample(Suite& suite, std::size_t programs);

}  // namespace ladder
