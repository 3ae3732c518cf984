#pragma once
/// @file
/// What is published of a grade: a page and a result for each person, in the points of the course file; and
/// private parts, once their tests may be read.

#include <nlohmann/json.hpp>
#include <vector>

#include "common/course/marks.hpp"
#include "common/tool/core/verb_options.hpp"
#include "common/tool/grading/grade_store.hpp"

namespace ladder {

struct Context;

/// Writes published/ID.html of everybody who has a submission that was judged, and tells it to their marks.
/// The folder has ids of people: nobody else reads it.
void publish_pages(const GradeStore& store, const course::Course& course,
                   const course::Assignment& assignment, const std::vector<model::GradeRecord>& records,
                   std::vector<course::Ruled>& all);

/// Gradescope's results.json of each person whose attempt that counts is there, with the page, in a folder
/// called by the id.
void write_published_results(Context& context, const course::Course& course,
                             const course::Assignment& assignment,
                             const std::vector<model::GradeRecord>& records,
                             const std::vector<course::Ruled>& all);

/// `grade publish FOLDER --private TESTS --by NAME`: pages tell the private parts that were judged whole from
/// now on, each with the key that repeats it. @return the exit status
int publish_private(Context& context);

/// The options of `grade publish`.
void add_grade_publish_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder
