#include "common/executor/rewriter/lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace ladder::rewriter {
namespace {

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> digraphs = {
    {{"%:%:", "##"}, {"<%", "{"}, {"%>", "}"}, {"<:", "["}, {":>", "]"}, {"%:", "#"}}};

/// Reads one token after the other from the front of the source.
class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    int line = 1;
    while (at_ < source_.size()) {
      const std::size_t begin = at_;
      const TokenKind kind = next();
      const std::string_view text = source_.substr(begin, at_ - begin);
      tokens.push_back({kind, std::string(kind == TokenKind::punctuator ? primary(text) : text), line});
      line += static_cast<int>(std::ranges::count(text, '\n'));
    }
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  bool follows(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  bool at_continuation() const { return follows("\\\n") || follows("\\\r\n"); }
  void skip(std::size_t count) { at_ = std::min(at_ + count, source_.size()); }

  TokenKind next() {
    const char c = peek();
    if (std::isspace(static_cast<unsigned char>(c)) || at_continuation()) return space();
    if (follows("//")) return line_comment();
    if (follows("/*")) return block_comment();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"' || c == '\'') return quoted(c);
    if (starts_name(c)) return name_or_prefixed_literal();
    return punctuator();
  }

  TokenKind space() {
    while (at_ < source_.size()) {
      if (at_continuation())
        skip(follows("\\\n") ? 2 : 3);
      else if (std::isspace(static_cast<unsigned char>(peek())))
        skip(1);
      else
        break;
    }
    return TokenKind::space;
  }

  TokenKind line_comment() {
    while (at_ < source_.size() && peek() != '\n') {
      if (at_continuation()) skip(follows("\\\n") ? 1 : 2);
      skip(1);
    }
    return TokenKind::comment;
  }

  TokenKind block_comment() {
    const std::size_t end = source_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? source_.size() : end + 2;
    return TokenKind::comment;
  }

  TokenKind number() {
    skip(1);
    while (continues_name(peek()) || peek() == '.' || (peek() == '\'' && continues_name(peek(1)))) {
      const bool exponent = std::string_view("eEpP").find(peek()) != std::string_view::npos;
      skip(1);
      if (exponent && (peek() == '+' || peek() == '-')) skip(1);
    }
    return TokenKind::number;
  }

  /// A literal ends on its line. An apostrophe without a partner (`#error don't`) is a character like any
  /// other.
  TokenKind quoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n')
      end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size() || source_[end] != quote) {
      skip(1);
      return TokenKind::punctuator;
    }
    at_ = end + 1;
    return TokenKind::text;
  }

  TokenKind name_or_prefixed_literal() {
    const std::size_t begin = at_;
    while (continues_name(peek())) skip(1);
    const std::string_view name = source_.substr(begin, at_ - begin);
    constexpr std::array raw = {"R", "u8R", "uR", "UR", "LR"};
    constexpr std::array plain = {"u8", "u", "U", "L"};
    if (peek() == '"' && std::ranges::count(raw, name)) return raw_string();
    if ((peek() == '"' || peek() == '\'') && std::ranges::count(plain, name)) return quoted(peek());
    return TokenKind::identifier;
  }

  TokenKind raw_string() {
    const std::size_t open = source_.find('(', at_);
    if (open == std::string_view::npos) return TokenKind::identifier;
    const std::string closing = ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t end = source_.find(closing, open);
    at_ = end == std::string_view::npos ? source_.size() : end + closing.size();
    return TokenKind::text;
  }

  /// The usual spelling of a digraph.
  static std::string_view primary(std::string_view text) {
    for (const auto& [digraph, usual] : digraphs)
      if (text == digraph) return usual;
    return text;
  }

  TokenKind punctuator() {
    // `<::` is no digraph, but where `<:::` or `<::>` follow (C++11).
    const bool scope = follows("<::") && !follows("<:::") && !follows("<::>");
    for (const auto& [digraph, usual] : digraphs) {
      if (!follows(digraph) || (scope && digraph == "<:")) continue;
      skip(digraph.size());
      return TokenKind::punctuator;
    }
    for (const std::string_view symbol :
         {"<<<", "<<=", "<<", "::", "->", "&&", "||", "<=", "==", "!=", "##"}) {
      if (!follows(symbol)) continue;
      skip(symbol.size());
      return TokenKind::punctuator;
    }
    skip(1);
    return TokenKind::punctuator;
  }

  std::string_view source_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) {
  return Lexer(source).run();
}

}  // namespace ladder::rewriter
