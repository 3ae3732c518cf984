#include "common/executor/rewriter/device_code.hpp"

#include <algorithm>

namespace ladder::rewriter {

DeviceCode::DeviceCode(const Source& source)
    : source_(source), sides_(static_cast<std::size_t>(source.size()) + 1, Side::host) {
  for (int at = 0; at < source.size(); ++at) {
    if (source[at] != "__device__" && source[at] != "__global__") continue;
    int open = -1, close = -1;
    try {
      open = body_of(at);
      if (open >= 0) close = source.closing(open);
    } catch (const RewriteError&) {
      continue;  // brackets that macros or #if pair up
    }
    if (open < 0) continue;
    const Side side = source[at] == "__device__" && says_host(at) ? Side::both : Side::device;
    if (source[at] == "__global__") kernels_.insert(open);
    std::fill(sides_.begin() + open, sides_.begin() + close + 1, side);
  }
}

/// Position of the brace that opens the body; -1 for a declaration or a variable.
int DeviceCode::body_of(int qualifier) const {
  bool initialisers = false;  // behind the colon of a constructor
  bool parameters = false;
  for (int at = qualifier + 1; at < source_.size(); ++at) {
    if (source_.in_directive(at) != source_.in_directive(qualifier)) {
      if (source_.in_directive(qualifier)) return -1;
      continue;
    }
    const std::string_view t = source_[at];
    if (t == ";" || (t == "=" && !parameters) || t == "}") return -1;
    if (t == ":" && parameters) initialisers = true;
    if (t == "(" || t == "[") {
      parameters = parameters || t == "(";
      at = source_.closing(at);
    } else if (t == "{") {
      if (!parameters) return -1;  // a structure, or a variable with its value
      const int close = source_.closing(at);
      const bool initialiser = initialisers && (source_[close + 1] == "," || source_[close + 1] == "{");
      if (!initialiser) return at;
      at = close;
    }
  }
  return -1;
}

/// Whether __host__ stands beside the word.
bool DeviceCode::says_host(int qualifier) const {
  for (int at = qualifier - 1; at >= 0; --at) {
    const std::string_view t = source_[at];
    if (t == "__host__") return true;
    if (t == ";" || t == "{" || t == "}" || t == ")" || source_.in_directive(at)) break;
  }
  for (int at = qualifier + 1; at < source_.size() && source_[at] != "(" && source_[at] != "{"; ++at)
    if (source_[at] == "__host__") return true;
  return false;
}

}  // namespace ladder::rewriter
