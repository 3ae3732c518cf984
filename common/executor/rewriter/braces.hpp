#pragma once
/// @file
/// Braces that nothing closes: a compiler reports them where the file ends, or where the next function
/// begins.

#include "common/executor/rewriter/source.hpp"

namespace ladder::rewriter {

/// @throws RewriteError at the brace of a function that is still open where the file ends; by the indentation
/// of what
///         closes, at the one inside it that was forgotten. Braces of namespaces may be closed by a macro.
void check_braces(const Source& source);

}  // namespace ladder::rewriter
