#pragma once
/// @file
/// The problems that rungs of lesson 09 are tried on, and whether a result is right.

#include <string>
#include <vector>

#include "common/base/random.hpp"
#include "common/judge/test_report.hpp"
#include "problem.hpp"

namespace npb_mg::test {

/// One problem.
struct Case {
  std::string group;  ///< "general", "tails"
  Grid grid;
  int levels = 2;
  bool large_classes = false;   ///< the smoother of B, C and D
  int iteration = 0;            ///< of NPB's, whose v, u and r it has; 0: u and v are random
  int ranks = 0;                ///< processes of a rung with several; 0: as the row says
  bool residual_first = false;  ///< see Problem
};

/// The cases of a rung, small ones first.
/// @param on_processor  the rung runs on the processor
/// @param on_device     it runs on a GPU, where larger ones do
std::vector<Case> cases(bool on_processor, bool on_device);

/// More of them for a rung with several processes: other numbers of them, slabs that differ, and two grids or
/// more that have slabs.
std::vector<Case> cases_of_ranks();

/// More of them for a rung that is asked for the residual first: small ones, and those whose level 1 is
/// large.
std::vector<Case> cases_of_residual_first();

/// One problem: a cube of n points a side, rounded down to a power of two; of a class, NPB's first call.
Case sized(int n);

/// A class of NPB by its size on the command line; null: there is none.
const OfficialClass* class_of(int size);

Problem shape(const Case& c);
std::string name(const Case& c);

/// Makes v, u and r of a call.
void fill(const Case& c, ladder::Random& random, const Problem& p);

/// Whether u and r are right, and, in NPB's last iteration, whether NPB's own check accepts r.
ladder::Check compare(const Case& c, const Problem& given, const Problem& got);

/// What NPB finds wrong with the norm after a class's last iteration; empty: nothing.
std::string wrong_norm(const OfficialClass& official, double norm);

}  // namespace npb_mg::test
