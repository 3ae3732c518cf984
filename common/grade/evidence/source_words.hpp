#pragma once
/// @file
/// What the text of a step says to the compiler that no step has to say: switches that turn counting off,
/// assembler, names of the harness. Nobody is judged by these alone: a person looks at the line.

#include <set>
#include <string>
#include <vector>

#include "common/grade/evidence/symbols.hpp"

namespace ladder::grade {

/// How much is asked of a step.
enum class Counted {
  kernels,   ///< by the executor's hooks: its own vector instructions and compiler options would not be seen
  processor  ///< by clocks and libraries: a step may choose how it is compiled
};

/// What its text says, whether a compiler reads that part or not: words of the harness and of its hooks, line
/// directives, and includes of what is no step's. The suspicion's symbol is the word, or "include …".
/// @param file  its name, for places
std::vector<Suspicion> words_of_source(const std::string& file, const std::string& text, Counted counted);

/// The same of what the compiler reads after macros were replaced: attributes, pragmas, assembler, builtins,
/// and macros that change CUDA's words.
/// @param preprocessed  by `g++ -E -dD`, with line markers: lines of other files than those of the step left
/// out
/// @param words         identifiers in the headers that steps include
std::vector<Suspicion> words_of_code(const std::string& preprocessed, Counted counted,
                                     const std::set<std::string>& words);

}  // namespace ladder::grade
