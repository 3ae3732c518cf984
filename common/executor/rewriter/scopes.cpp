#include "common/executor/rewriter/scopes.hpp"

#include <algorithm>

namespace ladder::rewriter {

void Scopes::follow(int at) {
  if (source_.in_directive(at))
    follow_conditional(at);
  else if (source_[at] == "{")
    blocks_.push_back(block(at));
  else if (source_[at] == "}" && !blocks_.empty())
    blocks_.pop_back();
}

bool Scopes::in_function(int at) const {
  return source_.in_directive(at) || !std::ranges::all_of(blocks_, &Block::names);
}

bool Scopes::inside(const std::string& name) const {
  return std::ranges::count(blocks_, name, &Block::name);
}

std::string Scopes::innermost() const {
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
    if (!block->name.empty()) return block->name;
  return {};
}

Scopes::Block Scopes::block(int brace) const {
  if (source_.kind(brace - 1) == TokenKind::text && source_[brace - 2] == "extern")
    return {true, {}};  // extern "C" {
  for (int i = brace - 1; i >= 0; --i) {
    const std::string_view t = source_[i];
    if (t == "namespace") {  // an inline one adds nothing to the names in it
      const bool named = i + 1 < brace && source_[i - 1] != "inline";
      return {true, named ? std::string(source_[brace - 1]) : ""};
    }
    if (t == ";" || t == "{" || t == "}") break;
  }
  return {false, {}};
}

/// The branches of an #if may each open a brace that one line after #endif closes: all start from the same
/// scope.
void Scopes::follow_conditional(int at) {
  const std::string_view word = source_.conditional(at);
  if (word.starts_with("if"))
    conditionals_.push_back(blocks_);
  else if (word.starts_with("el") && !conditionals_.empty())
    blocks_ = conditionals_.back();
  else if (word == "endif" && !conditionals_.empty())
    conditionals_.pop_back();
}

}  // namespace ladder::rewriter
