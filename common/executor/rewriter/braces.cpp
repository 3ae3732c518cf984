#include "common/executor/rewriter/braces.hpp"

#include <algorithm>
#include <vector>

#include "common/executor/rewriter/scopes.hpp"

namespace ladder::rewriter {
namespace {

struct Open {
  int position;
  bool names;  ///< a namespace, or extern "C"
};

class Braces {
 public:
  explicit Braces(const Source& source) : source_(source) {}

  void check() {
    for (int at = 0; at < source_.size(); ++at) {
      follow_conditional(at);
      if (source_.in_directive(at)) continue;
      if (source_[at] == "{") open_.push_back({at, Scopes(source_).opens_names(at)});
      if (source_[at] == "}" && !close(at)) return;  // a macro has opened it
    }
    if (open_.empty()) return;
    const auto function = std::ranges::find(open_, false, &Open::names);
    const int open = function == open_.end() ? -1 : function->position;  // a macro may close a namespace
    if (const int brace = std::max(forgotten_, open); brace >= 0)
      source_.fail(brace, "nothing closes this '{'");
  }

 private:
  bool close(int at) {
    if (open_.empty()) return false;
    const int opened = open_.back().position;
    const bool first_of_line = source_.line(at - 1) < source_.line(at);
    if (forgotten_ < 0 && first_of_line && source_.indentation(at) < source_.indentation(opened))
      forgotten_ = opened;
    open_.pop_back();
    return true;
  }

  /// All branches of an #if begin with the same braces.
  void follow_conditional(int at) {
    const std::string_view word = source_.conditional(at);
    if (word.starts_with("if")) conditionals_.push_back(open_);
    if (word.starts_with("el") && !conditionals_.empty()) open_ = conditionals_.back();
    if (word == "endif" && !conditionals_.empty()) conditionals_.pop_back();
  }

  const Source& source_;
  std::vector<Open> open_;
  std::vector<std::vector<Open>> conditionals_;
  int forgotten_ = -1;  // the first brace that is closed by one that is further to the left than its line
};

}  // namespace

void check_braces(const Source& source) {
  Braces(source).check();
}

}  // namespace ladder::rewriter
