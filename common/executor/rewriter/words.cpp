#include "common/executor/rewriter/words.hpp"

namespace ladder::rewriter {
namespace {

/// What the macro whose body begins at `begin` stands for; nothing when it is a whole function, or something
/// else.
Word meaning(const Source& source, const std::map<std::string, Word>& words, int begin, int define) {
  Word result;
  for (int i = begin; source.same_directive(i, define); ++i) {
    if (source[i] == "{" || source[i] == ";") return {};
    const Word word = word_at(source, words, i);
    result.global |= word.global;
    result.device |= word.device;
    result.host |= word.host;
  }
  return result;
}

}  // namespace

Word word_at(const Source& source, const std::map<std::string, Word>& words, int position) {
  if (!source.is_identifier(position)) return {};
  const auto found = words.find(std::string(source[position]));
  return found == words.end() ? Word{} : found->second;
}

const std::map<std::string, Word>& find_words(const Source& source, std::map<std::string, Word>& words) {
  for (int at = 0; at < source.size(); ++at) {
    if (source[at] != "#" || source[at + 1] != "define" || source.same_directive(at - 1, at)) continue;
    if (!source.in_directive(at) || !source.is_identifier(at + 2)) continue;
    const int begin = source.definition_begin(at);
    Word word = meaning(source, words, begin, at);
    if (!word.global && !word.device && !word.host) continue;
    word.takes_arguments = begin > at + 3;
    words[std::string(source[at + 2])] = word;
  }
  return words;
}

}  // namespace ladder::rewriter
