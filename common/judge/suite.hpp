#pragma once
/// @file
/// What a lesson tells the judge: its problems, how a result is verified, and what it costs.

#include <functional>
#include <string>
#include <vector>

#include "common/judge/instance.hpp"
#include "common/judge/random.hpp"
#include "common/judge/sheet.hpp"
#include "common/lesson/lesson.hpp"

namespace ladder {

/// One problem that a step is tried on.
template <class Problem>
struct Case {
  std::string group;  ///< class of cases: "general", "tails", "ill-scaled"
  std::string label;  ///< as messages say it: "n = 64"
  Problem shape;      ///< scalars only
  std::function<void(Instance<Problem>&, Random&)> fill;  ///< writes the inputs; called anew for each call
  int ranks = 0;  ///< processes of an MPI step for this case; 0: as the row says
  /// The step has to throw, since what the problem asks for cannot be had. Empty: it has to return. Else what is wrong
  /// when it returns.
  std::string refused{};
  /// Each call gets the same content, since the judge cannot compute the result of other content in time.
  bool content_repeats = false;
};

/// Which labels passed before the first failure: for advice that compares them.
struct Progress {
  std::vector<std::string> passed;
  std::string failed;
};

/// All that the judge needs to know of a lesson.
template <class Problem>
struct Suite {
  const ladder::Lesson& lesson;
  /// The cases of a step, small ones first. @p size: 0, or only that size.
  std::function<std::vector<Case<Problem>>(const Step& step, int size)> cases;
  /// One problem of the stated size, for targets and time. @param restricted  see Target::restricted
  std::function<Case<Problem>(const Step& step, int size, bool restricted)> sized;
  /// Compares the result with what it must be.
  std::function<Check(const Instance<Problem>&)> verify;
  /// A cheaper check of order n^2 for each timed call.
  std::function<Check(const Instance<Problem>&, Random&)> verify_quickly;
  /// Names and values that say how large a problem is, for tables: {"n", 512}.
  std::function<std::map<std::string, int>(const Problem& problem)> size_of;
  /// What no program can do without, in operations and bytes; see ladder::Work. Of the steps whose row does not say that
  /// there is no model. Empty: there is none of this lesson.
  std::function<Work(const Problem& problem)> model{};
  /// Floating-point operations of the problem, for a place on a roofline. May be empty.
  std::function<double(const Step& step, const Problem& problem)> operations{};
  /// How the work grows with the size, in any unit: it tells who may be called at Lesson::on_device's further size. May be empty.
  std::function<double(int size)> work{};
  /// Sizes in which a result that is wrong without a known cause is looked for anew, from the smallest on.
  std::vector<int> small_sizes{1,  2,  3,  5,  7,  8,  13,  15,  16,  17,  31,
                               32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
  /// May add "Why …" and "Think" to a wrong result. May be empty.
  std::function<void(const Step& step, const Progress& progress, Sheet& sheet)> advise{};
};

/// The row of a planned step. @throws ladder::Error when the table has none.
const Step& row_of(const Lesson& lesson, const PlannedStep& step);

}  // namespace ladder
