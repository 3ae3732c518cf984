#pragma once
/// @file
/// What a lesson gives the judge: its problems, how a result is verified, and what it costs. A lesson writes
/// a Suite in its own types; judged() erases these types for the judge.

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/random.hpp"
#include "common/judge/displaced.hpp"
#include "common/judge/session/instance.hpp"
#include "common/judge/test_report.hpp"
#include "common/lesson/amounts.hpp"
#include "common/lesson/rung.hpp"

namespace ladder {

/// Everything that the judge needs from a lesson. A member that may be empty says so.
/// @tparam Problem  the contract's
/// @tparam Given the lesson's own description of one case; its member `group` is the class of cases: "tails".
/// All functions get it, so none needs to remember earlier calls. Its member `offset`, if it has one, is
/// ProblemShape::offset.
template <class Problem, class Given>
struct Suite {
  /// The amounts that the lesson's table names.
  const Amounts& amounts;
  /// The cases of a step, small ones first.
  std::function<std::vector<Given>(const Step& step)> cases;
  /// One problem of the stated size, for targets and time. @param restricted  see Target::restricted
  std::function<Given(const Step& step, int size, bool restricted)> sized;
  /// The problem that a user's file holds. May be empty: the lesson reads no files. @throws Error that says
  /// in a line what is wrong with the file
  std::function<Given(const Step& step, const std::string& path)> of_file{};
  /// Names and values that say what the file holds, for documents: {"nnz", 28675}. Needed with of_file.
  std::function<std::map<std::string, std::int64_t>(const Given&)> file_facts{};
  std::function<std::string(const Given&)> name;  ///< as messages say it: "n = 64"
  std::function<Problem(const Given&)> shape;     ///< scalars only
  /// Writes the inputs, before each call. May change scalars that do not size an array.
  std::function<void(const Given&, Problem& problem, Random&)> fill;
  /// Compares the result with what it must be.
  std::function<Check(const Given&, const Problem& given, const Problem& got)> verify;
  /// A cheaper check of order n^2 for each timed call. May be empty: verify.
  std::function<Check(const Given&, const Problem& given, const Problem& got, Random&)> verify_quickly{};
  /// Names and values that say how large a problem is, for tables: {"n", 512}.
  std::function<std::map<std::string, int>(const Problem& problem)> size_of;
  /// The work that every program must do, in operations and bytes; see ladder::Work. For all steps whose row
  /// does not say that there is no model. May be empty: the lesson has none.
  std::function<Work(const Given&)> model{};
  /// Floating-point operations of the problem, for a place on a roofline. May be empty.
  std::function<double(const Given&)> operations{};
  /// How the work grows with the size, in any unit: it decides which steps are called at on_device's further
  /// size. May be empty.
  std::function<double(int size)> work{};
  /// Sizes that are tried after a wrong result without a known cause, from the smallest on.
  std::vector<int> small_sizes{1,  2,  3,  5,  7,  8,   13,  15,  16,  17,  31,
                               32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
  /// May add "Why …" and "Think" to a wrong result. @param right the cases that were right before. May be
  /// empty.
  std::function<void(const Step& step, const std::vector<Given>& right, const Given& wrong,
                     const Problem& given, const Problem& got, TestReport& report)>
      advise{};
  /// The result next to what it must be, for who looks where its right values are, or shows a small one.
  /// Nothing, or empty: there is no single right result, or the lesson says more.
  std::function<std::optional<Compared>(const Given&, const Problem& given, const Problem& got)> compared{};
  /// The inputs of a small problem as tables. May be empty.
  std::function<std::vector<Compared>(const Given&, const Problem& given)> inputs{};
  /// Processes of an MPI step for this case; 0, or empty: as the row says.
  std::function<int(const Given&)> ranks{};
  /// For a case that the step must refuse by throwing, because the problem cannot be solved: the message when
  /// it returns. Empty text, or empty: the step must return.
  std::function<std::string(const Given&)> refused{};
  /// Whether each call gets the same content, since the judge cannot compute the result of other content in
  /// time. May be empty: never.
  std::function<bool(const Given&)> content_repeats{};
};

/// One problem that a step is tried on, as the judge sees it.
struct Case {
  std::string group, label;
  ProblemShape shape;
  std::function<void(AnyInstance&, Random&)> fill{};
  std::function<Check(const AnyInstance&)> verify{};
  std::function<Check(const AnyInstance&, Random&)> verify_quickly{};
  std::function<std::optional<Compared>(const AnyInstance&)> compared{};  ///< empty: see Suite
  std::function<std::vector<Compared>(const AnyInstance&)> inputs{};      ///< empty: see Suite
  std::function<Work()> model{};                                          ///< empty: there is none
  std::function<double()> operations{};                                   ///< empty: not known
  std::map<std::string, int> size{};                                      ///< {"n", 512}
  std::map<std::string, std::int64_t> file_facts{};                       ///< of a user's file
  int ranks = 0;                                                          ///< 0: as the row says
  std::string refused{};                                                  ///< empty: the step must return
  bool content_repeats = false;
  std::any own{};  ///< the lesson's own case
};

/// A lesson as the judge sees it.
struct Judged {
  const Amounts& amounts;
  /// The table that steps are judged by: the plan's, unless private tests have another.
  std::function<const Lesson&()> table{};
  /// @param size  0, or only that size
  std::function<std::vector<Case>(const Step& step, int size)> cases{};
  std::function<Case(const Step& step, int size, bool restricted)> sized{};
  std::function<Case(const Step& step, const std::string& path)> of_file{};  ///< empty: see Suite
  std::function<double(int size)> work{};
  std::vector<int> small_sizes{};
  std::function<void(const Step& step, const std::vector<Case>& right, const Case& wrong, const AnyInstance&,
                     TestReport& report)>
      advise{};
};

namespace detail {

template <class Problem>
const Problem& given_of(const AnyInstance& instance) {
  return *static_cast<const Problem*>(instance.given());
}
template <class Problem>
const Problem& got_of(const AnyInstance& instance) {
  return *static_cast<const Problem*>(instance.got());
}

/// What is right must also be the same on all ranks that have it.
inline Check same_on_ranks(Check check, const AnyInstance& instance) {
  if (check.right()) check.wrong = instance.disagreement();
  return check;
}

template <class Problem, class Given>
Case case_of(const Suite<Problem, Given>& suite, const Given& own) {
  const Problem problem = suite.shape(own);
  Case one{.group = own.group, .label = suite.name(own), .shape = shape_of(problem)};
  if constexpr (requires { own.offset; }) one.shape.offset = own.offset;
  one.fill = [&suite, own](AnyInstance& instance, Random& random) {
    suite.fill(own, *static_cast<Problem*>(instance.given()), random);
    instance.take_scalars();
  };
  one.verify = [&suite, own](const AnyInstance& instance) {
    return same_on_ranks(suite.verify(own, given_of<Problem>(instance), got_of<Problem>(instance)), instance);
  };
  one.verify_quickly = [&suite, own](const AnyInstance& instance, Random& random) {
    const Problem &given = given_of<Problem>(instance), &got = got_of<Problem>(instance);
    return same_on_ranks(
        suite.verify_quickly ? suite.verify_quickly(own, given, got, random) : suite.verify(own, given, got),
        instance);
  };
  if (suite.compared)
    one.compared = [&suite, own](const AnyInstance& instance) {
      return suite.compared(own, given_of<Problem>(instance), got_of<Problem>(instance));
    };
  if (suite.inputs)
    one.inputs = [&suite, own](const AnyInstance& instance) {
      return suite.inputs(own, given_of<Problem>(instance));
    };
  if (suite.model) one.model = [&suite, own] { return suite.model(own); };
  if (suite.operations) one.operations = [&suite, own] { return suite.operations(own); };
  one.size = suite.size_of(problem);
  if (suite.ranks) one.ranks = suite.ranks(own);
  if (suite.refused) one.refused = suite.refused(own);
  if (suite.content_repeats) one.content_repeats = suite.content_repeats(own);
  one.own = own;
  return one;
}

}  // namespace detail

/// A lesson's suite as the judge uses it. The suite must outlive the result.
template <class Problem, class Given>
Judged judged(const Suite<Problem, Given>& suite) {
  Judged result{.amounts = suite.amounts, .work = suite.work, .small_sizes = suite.small_sizes};
  result.cases = [&suite](const Step& step, int size) {
    if (size > 0) return std::vector{detail::case_of(suite, suite.sized(step, size, false))};
    std::vector<Case> cases;
    for (const Given& own : suite.cases(step)) cases.push_back(detail::case_of(suite, own));
    return cases;
  };
  result.sized = [&suite](const Step& step, int size, bool restricted) {
    return detail::case_of(suite, suite.sized(step, size, restricted));
  };
  if (suite.of_file)
    result.of_file = [&suite](const Step& step, const std::string& path) {
      const Given own = suite.of_file(step, path);
      Case one = detail::case_of(suite, own);
      one.file_facts = suite.file_facts(own);
      return one;
    };
  if (suite.advise)
    result.advise = [&suite](const Step& step, const std::vector<Case>& right, const Case& wrong,
                             const AnyInstance& instance, TestReport& report) {
      std::vector<Given> own;
      for (const Case& one : right) own.push_back(std::any_cast<const Given&>(one.own));
      suite.advise(step, own, std::any_cast<const Given&>(wrong.own), detail::given_of<Problem>(instance),
                   detail::got_of<Problem>(instance), report);
    };
  return result;
}

/// The table that a lesson's steps are judged by.
const Lesson& table_of(const Judged& suite);

/// The row of a planned step. @throws ladder::Error when the table has none.
const Step& row_of(const Lesson& lesson, const PlannedStep& step);

/// An amount by the name that a row calls it. @throws Error when the lesson has none of that name
Amount amount_of(const Judged& suite, const std::string& name);

}  // namespace ladder
