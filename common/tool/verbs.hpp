#pragma once
/// @file
/// The verbs of ./ladder: one table, from which the command line, its help, what is installed and what waits are made.

#include <span>
#include <string>
#include <vector>

#include "common/tool/verb_options.hpp"

namespace ladder {

struct Verb {
  const char* name;
  const char* packages;  ///< what ./ladder installs for it: the groups of packages.txt
  /// "waits" for another ./ladder in the same build folder; "light": neither builds lessons nor measures; "shares": judges beside
  /// a batch that has built what it needs. "waits but export key": with one of these after the verb, or as an option, it is light.
  const char* lock;
  const char* what;   ///< in a sentence
  const char* names;  ///< what its positional names are; null for none
  const char* tree;   ///< default tree; null when it has none
  const char* example;
  bool takes_program;  ///< the files of a CUDA program in place of steps, and arguments for it after --
  AddOptions options;
  int (*run)(const Options& options);  ///< @return the exit status
};

std::span<const Verb> verbs();

/// Every verb, for messages.
std::vector<std::string> verb_names();

/// The verb of that name; without one, or with another: where am I, what next. @return the exit status
int run_verb(const Options& options);

}  // namespace ladder
