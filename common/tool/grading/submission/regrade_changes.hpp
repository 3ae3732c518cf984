#pragma once
/// @file
/// What judging again changes of graded submissions: step by step, in all, and what a dry run keeps of it
/// until --apply.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/course/course_file.hpp"
#include "common/tool/grading/grade_store.hpp"

namespace ladder {

/// What the dry run keeps of one submission. A step of which nothing was taken has nothing to be judged
/// again: its record knows why (a file in UTF-16, an empty archive), and what is kept of its sources does
/// not.
model::RegradeProposal proposal_of(const GradeStore& store, const model::GradeRecord& record,
                                   const model::GradeRecord& fresh);

/// A step that would have fewer points, and keeps what it has.
struct Lower {
  std::string which;   ///< "S-ABCDEFGH 03/g1, private part"
  std::string result;  ///< "03/g1, private part: PASS, 4 of 4 points → MISSED, 2.79 of 4 points"
};

/// Of one submission.
struct Changes {
  model::GradeRecord record{};       ///< with all changes that are allowed
  std::vector<std::string> lines{};  ///< one for each step that changes, or could not be judged
  std::vector<Lower> lower{};
  int changed = 0;     ///< steps with another verdict or other points
  int words = 0;       ///< steps: the same but for what their student reads
  int not_judged = 0;  ///< steps that stay since they could not be judged
};

/// What the entries of a proposal change of a record. What is lower, or could not be judged, stays without
/// leave.
Changes changes_of(const GradeStore& store, const model::RegradeProposal& proposal, bool may_lower);

/// All submissions together, counted once each, the same in the dry run and when it is applied.
class RegradeTally {
 public:
  void add(const Changes& changes);
  void add_missing() { ++same_; }  ///< could not be judged at all

  int changing() const { return changed_ + words_; }
  int not_judged() const { return not_judged_; }
  const std::vector<Lower>& lower() const { return lower_; }

  /// How many have lost points but for the rule that nobody does, by what from and to.
  /// @param known  results that were kept at an earlier --apply: only their number is said
  std::vector<std::string> lower_text(const std::set<std::string>& known) const;
  /// "42 would change, 9 in words only, 349 stay as they are"
  std::string text(bool applied) const;

 private:
  int changed_ = 0, words_ = 0, same_ = 0, not_judged_ = 0;
  std::vector<Lower> lower_{};
};

/// What was kept at an --apply, so that the next dry run does not list it as news.
std::set<std::string> known_lower(const GradeStore& store);
void keep_known_lower(const GradeStore& store, const std::vector<Lower>& lower);

/// How many people get other points by the course file when records change, and who, a line each.
std::vector<std::string> people_who_change(const GradeStore& store, const course::Course& course,
                                           const course::Assignment& assignment,
                                           const std::vector<model::GradeRecord>& before,
                                           const std::vector<model::GradeRecord>& now);

/// The private tests by which steps were judged: sums of their sources, by step.
using TestSums = std::map<std::string, std::string>;

/// Keeps next to the grades by which private tests these steps of all submissions were judged.
void keep_private_sums(const GradeStore& store, const TestSums& sums);

/// How many private parts were judged by other tests than those that lie in the folder now, and what to do.
/// Empty: none.
std::string outstanding_regrade(const GradeStore& store, const std::vector<model::GradeRecord>& records,
                                const std::filesystem::path& private_tests, const std::string& course_file);

}  // namespace ladder
