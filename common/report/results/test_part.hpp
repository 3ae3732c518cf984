#pragma once
/// @file
/// The parts of the verb test: what each proves, and which page promises it.

#include <string>
#include <vector>

namespace ladder::report {

/// A part of `./ladder test`.
struct TestPart {
  std::string name;                 ///< --part name
  std::string title;                ///< as the part's line and the times of --json call it
  std::string proves;               ///< one sentence
  std::vector<std::string> guards;  ///< pages, with the heading's name: "docs/design.md#what-a-build-costs"
  bool plain = true;                ///< whether `./ladder test` without --part runs it
  std::vector<std::string> scripts =
      {};  ///< what it runs besides programs of its own, relative to the checkout
};

/// All of them, in the order in which they run.
const std::vector<TestPart>& test_part_table();

}  // namespace ladder::report
