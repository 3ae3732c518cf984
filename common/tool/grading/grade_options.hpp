#pragma once
/// @file
/// The options of the verb grade, and those that it shares with the other verbs on grades.

#include "common/tool/core/verb_options.hpp"

namespace ladder {

/// The options of `grade`.
void add_grade_options(CLI::App& app, Options& o, Typed& typed);

/// The options of `grade merge`.
void add_grade_merge_options(CLI::App& app, Options& o, Typed& typed);

/// How submissions are confined.
void add_sandbox(CLI::App& app, Options& o);

/// The key of grades that are there.
void add_key_of_grades(CLI::App& app, Options& o);

/// For verbs that judge again what grade has judged.
void add_class_key(CLI::App& app, Options& o);

/// A course file, and one of its assignments. @param what  the file is to the verb
void add_course(CLI::App& app, Options& o, const char* what);

/// What is graded: rungs, or a course file.
void add_graded(CLI::App& app, Options& o);

/// A folder for results. @param what  it is
void add_out(CLI::App& app, Options& o, const char* what);

/// Private tests.
void add_private(CLI::App& app, Options& o);

}  // namespace ladder
