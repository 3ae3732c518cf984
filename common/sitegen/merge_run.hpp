#pragma once
/// @file
/// Stores a new run into the stored one of its machine: whole tracks of lessons, each from one run.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/model/document.hpp"
#include "common/sitegen/pages.hpp"

namespace ladder::report {

/// A stored run after a new one was merged into it.
struct MergedRun {
  model::Document stored;
  std::vector<std::string> taken;    ///< "03-dgemm, track g: 6 rungs"
  std::vector<std::string> refused;  ///< "03-dgemm, track c: the run lacks c3_transposed"
  std::vector<std::string> gone;     ///< "03-dgemm/g9_last": rows that the lesson's table does not have
};

/// Replaces the stored tracks by the whole tracks of a run, and drops rows that the tables do not have. A
/// track is whole when each of its rows in the lesson's table was judged as a solution. The stored document
/// says in "runs" which run each track is of: machine, date, commit and seed.
/// @param stored  nothing: no run is stored yet
MergedRun merge_run(std::optional<model::Document> stored, const model::Document& run, const Tables& tables);

/// Drops the pairs of a document (program without the idea, with it) that are of another clock, other
/// kernels, another program or another size than a row names now: pages would show them as what the row
/// names.
void drop_gains_of_other_rows(model::Document& document, const Tables& tables);

/// Drops the rows of a document of the verb run that the tables do not have. @return these
std::vector<std::string> drop_unknown_steps(model::Document& document, const Tables& tables);

/// The same of executor.json, whose rows name their solution in "step" (solutions) or "name" (costs).
std::vector<std::string> drop_unknown_solutions(nlohmann::json& executor, const Tables& tables);

}  // namespace ladder::report
