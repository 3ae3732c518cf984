#pragma once
/// @file
/// The problems that rungs of lesson 08 are tried on, and whether a result is right.

#include <memory>
#include <string>
#include <vector>

#include "common/base/random.hpp"
#include "common/judge/test_report.hpp"
#include "matrix.hpp"
#include "problem.hpp"

namespace npb_cg::test {

/// One problem.
struct Case {
  std::string group;  ///< "general", "tails"
  int n;
  int nonzer = 3;  ///< of a random matrix
  Pattern pattern = Pattern::random;
  int iteration =
      0;          ///< of NPB's, whose matrix and x it has; 0: x is random, and so is a factor of the matrix
  int ranks = 0;  ///< processes of a rung with several; 0: as the row says
};

/// The cases of a rung, small ones first.
/// @param on_processor  the rung runs on the processor
/// @param on_device     it runs on a GPU, where larger ones do
std::vector<Case> cases(bool on_processor, bool on_device);

/// More of them for a rung with several processes: other numbers of them, and some without a row.
std::vector<Case> cases_of_ranks();

/// One problem with n rows; of a class, NPB's own.
Case sized(int n);

/// A class of NPB; null: no class has so many rows.
const OfficialClass* class_of(int n);
/// The entries of a random vector of the matrix: a class's, or what suits its size.
int nonzer_of(int n);
/// The matrix of a case. The last one that was made is stored.
std::shared_ptr<const Matrix> matrix_of(const Case& c);

Problem shape(const Case& c);
std::string name(const Case& c);

/// Makes the matrix and x of a call.
void fill(const Case& c, ladder::Random& random, const Problem& p);

/// Whether z and norm are right, and, in NPB's last iteration, whether NPB's own check accepts z.
ladder::Check compare(const Case& c, const Problem& given, const Problem& got);

/// What NPB finds wrong with the eigenvalue of a class's last iteration; empty: nothing.
std::string wrong_zeta(const OfficialClass& official, double zeta);

}  // namespace npb_cg::test
