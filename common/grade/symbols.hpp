#pragma once
/// @file
/// What the symbols of a compiled step say: names of the harness or of the C library that it defines itself, and calls that
/// no step of its kind makes. Nobody is judged by these alone: a person looks.

#include <set>
#include <string>
#include <vector>

namespace ladder::grade {

/// The symbols of object files.
struct Symbols {
  std::set<std::string> defined{};  ///< functions, seen by other objects
  std::set<std::string> data{};     ///< variables, likewise
  std::set<std::string>
      weak{};  ///< functions: templates and inline ones, and what takes a library's place as well
  std::set<std::string> used{};  ///< defined elsewhere
};

/// From what `nm -P` prints.
Symbols symbols_from(const std::string& printed);

/// Something for a person to look at.
struct Suspicion {
  std::string symbol;
  std::string why;     ///< a sentence without its end
  std::string honest;  ///< when an honest step looks the same, a clause; empty: none does
};

/// @param step      of the step's own object
/// @param harness   names that the judge's side of a worker defines
/// @param library   names that the C library and others export, their weak ones among them
/// @param reference what the reference of the same step uses: that is allowed
std::vector<Suspicion> suspicions(const Symbols& step, const std::set<std::string>& harness,
                                  const std::set<std::string>& library,
                                  const std::set<std::string>& reference);

}  // namespace ladder::grade
