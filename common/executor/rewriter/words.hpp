#pragma once
/// @file
/// Macros for CUDA's words in front of a function.

#include "common/executor/rewriter/rewriter.hpp"

namespace ladder::rewriter {

/// Adds the macros of the source that stand for words in `words`: `#define KERNEL extern "C" __global__
/// void`. One with a body in braces is a whole function, and no such word.
/// @return words
const std::map<std::string, Word>& find_words(const Source& source, std::map<std::string, Word>& words);

/// What the token says of the function behind it.
Word word_at(const Source& source, const std::map<std::string, Word>& words, int position);

}  // namespace ladder::rewriter
