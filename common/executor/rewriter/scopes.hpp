#pragma once
/// @file
/// Whether a place of a source is inside a function.

#include <string>
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
  /// Whether the brace is that of a namespace or of extern "C".
  bool opens_names(int brace) const { return block(brace).names; }
  /// Whether the place is inside a namespace of that name.
  bool inside(const std::string& name) const;
  /// Name of the innermost namespace that has one; empty: none.
  std::string innermost() const;

 private:
  struct Block {
    bool names;  ///< a namespace, or extern "C"
    std::string name;
  };

  Block block(int brace) const;
  void follow_conditional(int at);

  const Source& source_;
  std::vector<Block> blocks_;  // of each open brace
  std::vector<std::vector<Block>> conditionals_;
};

}  // namespace ladder::rewriter
