#pragma once
/// @file
/// The verbs of ./ladder, from which the command line, its help, what is built and installed and what waits
/// are made. Four programs have them, each those of the one before, too: ladder-check those without which
/// nobody begins (check_verbs.cpp), ladder-student the others of students, ladder-class those of people who
/// teach, ladder-dev those of people who work on the repository. ./ladder reads these files, too, and builds
/// the smallest program that has the verb.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/tool/core/verb_options.hpp"

namespace ladder {

/// A verb, or a part of one with names, options and help of its own.
struct Verb {
  const char* name;      ///< "grade"; a part, after its verb: "grade key"
  const char* packages;  ///< what ./ladder installs for it: the groups of packages.txt
  /// "waits" for another ./ladder in the same build folder; "light": neither builds lessons nor measures;
  /// "shares": judges next to a batch that has built what it needs. "waits but --diff": with that option it
  /// is light.
  const char* lock;
  const char* what;   ///< in a sentence
  const char* names;  ///< what its positional names are; null for none
  const char* tree;   ///< default tree; null when it has none
  const char* example;
  bool takes_program;  ///< the files of a CUDA program instead of steps, and arguments for it after --
  AddOptions options;
  int (*run)(const Options& options);  ///< @return the exit status; null: it is done by its parts only
};

/// What each of the four programs has.
std::vector<Verb> check_verbs();
std::vector<Verb> student_verbs();
std::vector<Verb> class_verbs();
std::vector<Verb> dev_verbs();

/// Their names, for messages; not those of parts.
std::vector<std::string> names_of(std::span<const Verb> verbs);

/// Reads a command line of a program that has these verbs. @return an exit status when there is nothing to
/// run
std::optional<int> read_options(int argc, char** argv, Options& options, std::span<const Verb> verbs);

/// The verb of that name; without one, or with another: where am I, what next. @return the exit status
int run_verb(const Options& options, std::span<const Verb> verbs);

}  // namespace ladder
