#pragma once
/// @file
/// The verb course: the course file, and what is checked of it before a class sees anything.

#include <filesystem>
#include <string>
#include <vector>

#include "common/course/course_file.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/verb_options.hpp"

namespace ladder {

/// The parts of the verb. Each returns the exit status.
int course_new(Context& context);
int course_check(Context& context);
int course_purge(Context& context);

/// The options of `course purge`.
void add_course_purge_options(CLI::App& app, Options& o, Typed& typed);

/// The options of `course check`.
void add_course_check_options(CLI::App& app, Options& o, Typed& typed);

/// Reads a course file. @throws UsageError with a line for each thing that is wrong
course::Course course_of(const std::filesystem::path& file);

/// `course new`: a commented course file. @throws UsageError when the file is there
void write_new_course(Context& context, const std::filesystem::path& file);

/// `course check`. @return the exit status
int check_course(Context& context, const std::filesystem::path& file);

/// `course purge`: deletes code and evidence of the course's grades at the retention date.
/// @param folders  of the grades; none: those next to the file
/// @return the exit status
int purge_course(Context& context, const std::filesystem::path& file,
                 std::vector<std::filesystem::path> folders);

/// What the course file names and nobody has read yet: roster, extensions, key. @return a line each
std::vector<std::string> problems_of_files(const course::Course& course);

/// What only those can say who know the lessons: unknown rungs, demonstrations, metrics that a rung does not
/// have, times that nobody measures, and rungs whose solution another one gives away. Builds the tables.
/// @return a line "course.toml:LINE:COLUMN: …" each
std::vector<std::string> problems_of_rungs(Context& context, const course::Course& course);

/// Whether `course check` has passed for this assignment as it is now: its rungs, points, private tests and
/// allowances, and the sources that it was checked with. Deadlines may change. @return why not, and what to
/// do; empty: it has
std::string why_unchecked(const Context& context, const course::Course& course,
                          const course::Assignment& assignment);

/// Where what belongs to a course is kept: "course.state" next to "course.toml".
std::filesystem::path state_of(const course::Course& course);

}  // namespace ladder
