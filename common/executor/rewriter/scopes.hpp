#pragma once
/// @file
/// Whether a place of a source is inside a function.

#include <vector>

#include "common/executor/rewriter/source.hpp"

namespace ladder::rewriter {

/// Goes through a source from its front to its end, token by token.
class Scopes {
 public:
  explicit Scopes(const Source& source) : source_(source) {}
  void follow(int at);
  /// Also yes in directives: a macro may be used in a function.
  bool in_function(int at) const;

 private:
  bool opens_namespace(int brace) const;
  void follow_conditional(int at);

  const Source& source_;
  std::vector<bool> blocks_;  // of each open brace: is it a block, not a namespace?
  std::vector<std::vector<bool>> conditionals_;
};

}  // namespace ladder::rewriter
