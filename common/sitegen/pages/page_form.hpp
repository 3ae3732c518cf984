#pragma once
/// @file
/// The form of a lesson's page (docs/adding-a-lesson.md): its length, its beginning, an answer to each
/// question.

#include <functional>
#include <string>
#include <vector>

#include "common/sitegen/pages.hpp"

namespace ladder::report {

/// Words of a rung's section, of the sections of a page on average, and of the rest of a page. A rung that
/// only removes something may be short; a page of such rungs leaves out what the obvious wrong program gets,
/// or why the next rung is needed.
inline constexpr std::size_t fewest_of_rung = 120, max_of_rung = 600, fewest_on_average = 200,
                             max_of_rest = 900;

/// Which words count: those of sentences, or all that a first reader meets, tables and comments in code, too.
enum class Reading { sentences, all };

/// How many words a reader cannot skip: without folds, tables, pictures and their captions, code, generated
/// parts and comments. All: with tables, captions, and the comments in code.
std::size_t words_of(const std::string& markdown, Reading reading = Reading::sentences);

/// Reads a picture of a page: "figures/draw-g1-sectors.svg", relative to the page. Empty: there is none.
using PictureReader = std::function<std::string(const std::string& path)>;

/// The numbers of an answer, with the marks of values, that a text gives away: what the question says itself
/// it may say.
std::vector<std::string> given_away(const std::string& question, const std::string& answer,
                                    const std::string& text);

/// Where a page does not have the form.
/// @param file      as problems name it, "lessons/03-dgemm/README.md"
/// @param lesson    "03-dgemm"
/// @param pictures  whose words must not give an answer away, either
std::vector<PageProblem> form_problems(const std::string& file, const std::string& lesson,
                                       const std::string& text, const PictureReader& pictures);

}  // namespace ladder::report
