#include "common/executor/rewriter/callee.hpp"

#include <algorithm>
#include <array>

#include "common/executor/rewriter/kernels.hpp"

namespace ladder::rewriter {
namespace {

bool heads_parentheses(std::string_view word) {
  constexpr std::array words = {"if", "while", "for", "switch", "constexpr", "catch"};
  return std::ranges::count(words, word);
}

/// Whether an operand ends at `at`, so that a bracket after it is its call or its subscript.
bool ends_operand(const Source& source, int at) {
  const std::string_view t = source[at];
  if (source.is_identifier(at)) return !is_statement_word(t) && !heads_parentheses(t);
  if (t == "]") return true;
  const int open = source.opening(at);
  if (open < 0) return false;
  if (t == ")") return !heads_parentheses(source[open - 1]);
  if (t == ">") return source.is_identifier(open - 1);
  if (t != "}") return false;
  // The body of a lambda, or the initialiser of a temporary; not the end of a statement.
  if (source[open - 1] == "]") return true;
  if (source[open - 1] == ")") return source[source.opening(open - 1) - 1] == "]";
  return source.is_identifier(open - 1) && !is_statement_word(source[open - 1]);
}

/// Goes from the end of a postfix expression to its begin.
class Backwards {
 public:
  Backwards(const Source& source, int end, int limit) : source_(source), limit_(limit), begin_(end) {}

  Callee run() {
    const int end = begin_;
    while (operand() && link()) {
    }
    return {begin_, end, name_};
  }

 private:
  bool reaches(int at) const { return at >= limit_; }

  /// Calls, subscripts and template arguments, and the name in front of them. @return whether a link may
  /// stand there
  bool operand() {
    int at = begin_ - 1;
    while (reaches(at) && (source_[at] == ")" || source_[at] == "]" || source_[at] == "}")) {
      const int open = source_.opening(at);
      if (!reaches(open)) return false;
      begin_ = open;
      name_ = false;
      if (!reaches(open - 1) || !ends_operand(source_, open - 1)) return false;
      at = open - 1;
    }
    if (reaches(at) && source_[at] == ">") {
      const int open = source_.opening(at);
      if (!reaches(open)) return false;
      at = open - 1;
    }
    if (!reaches(at) || !source_.is_identifier(at) || is_statement_word(source_[at])) return false;
    while (reaches(at - 2) && source_[at - 1] == "##") at -= 2;  // a name that a macro pastes together
    begin_ = at;
    if (reaches(at - 1) && source_[at - 1] == "template") begin_ = at - 1;
    return true;
  }

  /// :: . or -> in front of the operand. @return whether another operand precedes it
  bool link() {
    if (!reaches(begin_ - 1)) return false;
    const std::string_view t = source_[begin_ - 1];
    if (t != "::" && t != "." && t != "->") return false;
    name_ &= t == "::";
    --begin_;
    if (t != "::") return true;
    const int before = begin_ - 1;
    return reaches(before) && ((source_.is_identifier(before) && !is_statement_word(source_[before])) ||
                               (source_[before] == ">" && source_.opening(before) > 0));
  }

  const Source& source_;
  const int limit_;
  int begin_;
  bool name_ = true;
};

}  // namespace

Callee callee_of(const Source& source, int at) {
  const int limit = source.in_directive(at) ? source.definition_begin(at) : 0;
  Callee callee = Backwards(source, at, limit).run();
  // (name) is no more than the name.
  if (!callee.name && source[callee.begin] == "(" && source.closing(callee.begin) == callee.end - 1) {
    const Callee inner = Backwards(source, callee.end - 1, callee.begin + 1).run();
    if (inner.name && inner.begin == callee.begin + 1 && inner.begin < inner.end) return inner;
  }
  return callee;
}

}  // namespace ladder::rewriter
