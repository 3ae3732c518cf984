#pragma once
/// @file
/// What a rung's page of the site shows to students before they unfold anything: no answer and no solution.

#include <filesystem>
#include <string>
#include <vector>

#include "common/sitegen/pages.hpp"

namespace ladder::report {

/// A question of a lesson's page and its answer, as Markdown.
struct Prediction {
  std::string rung;  ///< "g2"
  std::string question, answer;
};

/// The questions **Predict.** of a lesson's page that have an answer in a fold.
std::vector<Prediction> predictions_of(const std::string& markdown);

/// The HTML that a browser shows as long as nothing is unfolded and no script ran: without closed folds,
/// comments, scripts and styles.
std::string without_closed_folds(const std::string& html);

/// The answers and solutions that the built pages of a lesson's rungs show outside of folds, a sentence each.
/// @param folder    of the site
/// @param page      the name of the lesson's page in the site: "lessons_03_dgemm"
/// @param markdown  the lesson's page
std::vector<std::string> site_spoilers(const std::filesystem::path& folder, const std::string& page,
                                       const std::string& markdown);

/// The answers that another text than the lesson's page gives away, on a line that names the rung: a page for
/// students, or an example in the tool's help.
/// @param file      as problems name it
/// @param number    of the lesson: "03"
/// @param markdown  the lesson's page
std::vector<PageProblem> answers_given_away(const std::string& file, const std::string& text,
                                            const std::string& number, const std::string& markdown);

}  // namespace ladder::report
