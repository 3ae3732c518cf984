#pragma once
/// @file
/// Necessary amounts of a lesson's rungs, as functions of its problem: tests/NN-name/amounts.hpp.

#include <map>
#include <string>
#include <vector>

namespace ladder {

/// A necessary amount as a function, with the type of the problem erased; amount<f> makes it from a function
/// of the lesson.
/// @param given  the lesson's Problem as the judge has filled it, with the judge's own arrays
/// @param ranks  processes of the step
using Amount = double (*)(const void* given, int ranks);

template <auto function>
struct AmountOf;
template <class Problem, double (*function)(const Problem& given, int ranks)>
struct AmountOf<function> {
  static double of(const void* given, int ranks) {
    return function(*static_cast<const Problem*>(given), ranks);
  }
};

/// A function of the lesson, `double (*)(const Problem& given, int ranks)`, as an Amount:
/// `amount<row_sectors>`.
template <auto function>
inline constexpr Amount amount = AmountOf<function>::of;

/// The necessary amount of numbers that are judged as they are: a count that should be one or none, a share.
/// A table calls it "as_it_is".
inline double as_it_is(const void*, int) {
  return 1;
}

/// A lesson's own amounts by the names that its rungs.toml calls them.
using Amounts = std::map<std::string, Amount>;

/// The amount that a table means by a name; null: there is none.
inline Amount find_amount(const Amounts& own, const std::string& name) {
  if (name == "as_it_is") return as_it_is;
  const auto found = own.find(name);
  return found == own.end() ? nullptr : found->second;
}

/// The work that every program for a problem must do, whatever its algorithm: lower bounds. A time below what
/// a device needs for them is suspicious. The percent of a ceiling is computed from them.
struct Work {
  double fp64 = 0, fp32 = 0, integer = 0;  ///< operations; a multiply-add is two
  double bytes = 0;  ///< of device memory: inputs read once, outputs written once, for one pass
  /// How often all of these bytes must be read or written, as a transform does in each of its iterations.
  double passes = 1;
  const char* formula = "";  ///< the same in words: "2 n^3 FP64 operations, 24 n^2 bytes"
  const char* none = "";     ///< why there is no model: "CPU and GPU share the work"
};

/// The target that a limit on a page belongs to: of a rung, by its amount and its size.
struct OfTarget {
  const char* rung = nullptr;    ///< "g1_naive"; null: the value is no limit
  const char* amount = nullptr;  ///< "naive_sectors", as rungs.toml has it
  int size = 0;                  ///< of the target; the value is computed for it
  bool at_least = false;         ///< the limit is a least number: the value over the bound
};

/// A value on a lesson's page, computed by the lesson's own functions: tests/NN-name/answers.cpp.
struct Answer {
  const char* name;  ///< "g2.sectors": the page has <!-- = g2.sectors -->5,120<!-- . -->
  double value;
  /// Digits after the point. A number without them is written with commas between thousands.
  int decimals = 0;
  /// For a limit in plain units: `value` is the necessary amount in these units, such as sectors per 1,000
  /// multiply-adds. The page shows it times the bound that rungs.toml has, rounded to what passes.
  OfTarget limit = {};
};
/// Those of a lesson: it defines this.
std::vector<Answer> page_answers();

}  // namespace ladder
