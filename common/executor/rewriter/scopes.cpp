#include "common/executor/rewriter/scopes.hpp"

#include <algorithm>

namespace ladder::rewriter {

void Scopes::follow(int at) {
  if (source_.in_directive(at))
    follow_conditional(at);
  else if (source_[at] == "{")
    blocks_.push_back(!opens_namespace(at));
  else if (source_[at] == "}" && !blocks_.empty())
    blocks_.pop_back();
}

bool Scopes::in_function(int at) const {
  return source_.in_directive(at) || std::ranges::count(blocks_, true);
}

bool Scopes::opens_namespace(int brace) const {
  if (source_.kind(brace - 1) == TokenKind::text && source_[brace - 2] == "extern")
    return true;  // extern "C" {
  for (int i = brace - 1; i >= 0; --i) {
    const std::string_view t = source_[i];
    if (t == "namespace") return true;
    if (t == ";" || t == "{" || t == "}") return false;
  }
  return false;
}

/// The branches of an #if may each open a brace that one line after #endif closes: all start from the same scope.
void Scopes::follow_conditional(int at) {
  if (source_[at] != "#") return;
  const std::string_view word = source_[at + 1];
  if (word.starts_with("if"))
    conditionals_.push_back(blocks_);
  else if ((word == "else" || word.starts_with("elif")) && !conditionals_.empty())
    blocks_ = conditionals_.back();
  else if (word == "endif" && !conditionals_.empty())
    conditionals_.pop_back();
}

}  // namespace ladder::rewriter
