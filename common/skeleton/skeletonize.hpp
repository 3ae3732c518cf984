#pragma once
/// @file
/// Skeletons and mutants are cut from the solutions, so that neither can drift away from them.

#include <stdexcept>
#include <string>
#include <vector>

namespace ladder::cut {

/// A mark or an edit that does not fit; the text begins with file and line.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The student's skeleton of a solution: each region between BEGIN SOLUTION and END SOLUTION becomes its task
/// comment, with the number of lines of code that the region has, and the lines that begin with //|. A line
/// `//| [[maybe_unused]] n, t;` is none of the skeleton's: it marks the declarations of these names above.
/// @param name  file name for errors
/// @throws Error for a mark without its partner, or //| outside a region
std::string skeleton(const std::string& solution, const std::string& name);

/// Whether a solution has a region to cut; a demonstration has none.
bool has_regions(const std::string& solution);

/// One replacement of whole lines.
struct Edit {
  int line = 0;                   ///< where it is in the mutants file
  std::vector<std::string> find;  ///< must occur exactly once, blanks at line ends apart
  std::vector<std::string> put;
};

/// A known-wrong variant of a solution, and what it must get.
struct Mutant {
  std::string name{};
  std::string verdict{};             ///< what it gets; where a race decides, what it gets more often
  std::string other_verdict{};       ///< what it gets else, where a race decides; empty: nothing
  std::vector<std::string> words{};  ///< each must be in the message or its details
  std::string device{};              ///< empty: any
  int line = 0;
  std::vector<Edit> edits{};
};

/// Reads a .mutants file, or one of .variants, which may be right (PASS). @throws Error naming file and line
std::vector<Mutant> read_mutants(const std::string& text, const std::string& name);

/// The solution with the mutant's edits. @throws Error when an edit applies nowhere or at several places
std::string mutate(const std::string& solution, const Mutant& mutant, const std::string& mutants_name);

}  // namespace ladder::cut
