#pragma once
/// @file
/// The expression in front of a launch's <<<.

#include "common/executor/rewriter/source.hpp"

namespace ladder::rewriter {

/// What is launched.
struct Callee {
  int begin, end;  ///< positions of its first token, and of the one after its last
  bool name;  ///< a name, perhaps with scopes and template arguments; else an expression that gives a kernel
};

/// The postfix expression in front of the <<< at `at`: `k`, `a::k<2>`, `f[i]`, `s->k`, `get(1)`, `(c ? a :
/// b)`. Without one, its begin is its end.
Callee callee_of(const Source& source, int at);

}  // namespace ladder::rewriter
