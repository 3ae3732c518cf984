#pragma once
/// @file
/// What the symbols of a compiled step say: names of the harness or of the C library that it defines itself,
/// and names defined elsewhere that no list of harmless ones has. Nobody is judged by these alone: a person
/// looks.

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
  std::string why;      ///< a sentence without its end
  std::string honest;   ///< when an honest step looks the same, a clause; empty: none does
  std::string place{};  ///< "g1_naive.cu:12"; empty: not known
};

/// What a step is linked with, and what it may know of that.
struct Surroundings {
  std::set<std::string> harness{};  ///< names that the judge's side of a worker defines
  /// Names that the C library and others export, their weak ones among them.
  std::set<std::string> library{};
  std::set<std::string> linear_algebra{};  ///< names that the linked BLAS exports
  // Identifiers in the headers that steps include: what they declare, a step may use.
  std::set<std::string> executor_words{};  ///< of CUDA as the executor has it
  std::set<std::string> device_words{};    ///< of common/device and what it includes
  std::set<std::string> lesson_words{};    ///< of the lessons
};

/// @param step      of the step's own object
/// @param reference what the reference of the same step uses: that is allowed
std::vector<Suspicion> suspicions(const Symbols& step, const Surroundings& around,
                                  const std::set<std::string>& reference);

/// The identifiers of a text, in strings, too, but not in comments.
void add_words(const std::string& text, std::set<std::string>& words);

}  // namespace ladder::grade
