#include "common/executor/rewriter/device_code.hpp"

#include <algorithm>

#include "common/executor/rewriter/words.hpp"

namespace ladder::rewriter {

DeviceCode::DeviceCode(const Source& source, Kernels& all)
    : source_(source),
      words_(find_words(source, all.words)),
      sides_(static_cast<std::size_t>(source.size()) + 1, Side::host),
      bounds_(all.bounds) {
  find_bounds();
  for (int at = 0; at < source.size(); ++at) {
    const Word word = word_at(source, words_, at);
    if (!word.device && !word.global) continue;
    int open = -1, close = -1;
    try {
      open = body_of(at);
      if (open >= 0) close = source.closing(open);
    } catch (const RewriteError&) {
      continue;  // brackets that macros or #if pair up
    }
    if (open < 0) continue;
    const Side side = word.device && says_host(at) ? Side::both : Side::device;
    if (word.global) kernels_.emplace(open, at);
    std::fill(sides_.begin() + open, sides_.begin() + close + 1, side);
  }
}

/// Macros of this source: `#define BOUNDS __launch_bounds__(256)`, `#define AT_MOST(n) __launch_bounds__(n)`.
void DeviceCode::find_bounds() {
  for (int at = 0; at < source_.size(); ++at) {
    if (source_[at] != "__launch_bounds__" || !source_.in_directive(at) || source_[at + 1] != "(") continue;
    int name = at;
    while (source_.same_directive(name - 1, at)) --name;
    name += 2;
    const int begin = source_.definition_begin(at);
    if (begin > at) continue;
    const std::string text = source_.text(at + 2, source_.closing(at + 1) - 1);
    if (begin == name + 1)
      bounds_[std::string(source_[name])] = text;
    else if (begin == name + 4 && text == source_[name + 2])
      bounds_[std::string(source_[name])] = "";
  }
}

/// The arguments of __launch_bounds__ when the word at that position says it; else empty.
std::string DeviceCode::bounds_at(int position) const {
  const auto macro = bounds_.find(std::string(source_[position]));
  if (macro != bounds_.end() && !macro->second.empty()) return macro->second;
  if (source_[position] != "__launch_bounds__" && macro == bounds_.end()) return "";
  if (source_[position + 1] != "(") return "";
  const int close = source_.closing(position + 1);
  return close > position + 2 ? source_.text(position + 2, close - 1) : "";
}

/// It is between __global__ and the name, or in front of both.
std::string DeviceCode::launch_bounds(int position) const {
  const int qualifier = kernels_.at(position);
  int begin = qualifier;
  while (begin > 0 && source_.same_directive(begin - 1, qualifier) && source_[begin - 1] != ";" &&
         source_[begin - 1] != "}" && source_[begin - 1] != "{")
    --begin;
  for (int at = begin; at < position; ++at)
    if (std::string text = bounds_at(at); !text.empty()) return text;
  return "";
}

/// Position of the brace that opens the body; -1 for a declaration or a variable.
int DeviceCode::body_of(int qualifier) const {
  bool initialisers = false;  // behind the colon of a constructor
  bool parameters = false;
  for (int at = qualifier + 1; at < source_.size(); ++at) {
    if (!source_.same_directive(at, qualifier)) {
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
      if (opens_requirements(at)) {
        at = close;
        continue;
      }
      const bool initialiser = initialisers && (source_[close + 1] == "," || source_[close + 1] == "{");
      if (!initialiser) return at;
      at = close;
    }
  }
  return -1;
}

/// Whether the brace is that of `requires { }` or `requires (T a) { }`, not the body after `requires
/// (condition)`.
bool DeviceCode::opens_requirements(int brace) const {
  if (source_[brace - 1] == "requires") return true;
  if (source_[brace - 1] != ")") return false;
  const int word = source_.opening(brace - 1) - 1;
  return source_[word] == "requires" && source_[word - 1] != ")" &&
         (source_[word - 1] == "requires" || !source_.is_identifier(word - 1));
}

/// Whether __host__ is next to the word, or part of it.
bool DeviceCode::says_host(int qualifier) const {
  for (int at = qualifier; at >= 0; --at) {
    const std::string_view t = source_[at];
    if (word_at(source_, words_, at).host) return true;
    if (t == ";" || t == "{" || t == "}" || t == ")" || !source_.same_directive(at, qualifier)) break;
  }
  for (int at = qualifier + 1; at < source_.size() && source_[at] != "(" && source_[at] != "{"; ++at)
    if (word_at(source_, words_, at).host) return true;
  return false;
}

}  // namespace ladder::rewriter
