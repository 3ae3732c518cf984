#include "common/judge/session/end_message.hpp"

#include <algorithm>
#include <regex>

namespace ladder {

std::pair<std::string, std::string> first_line(const std::string& text) {
  const std::size_t start = text.find_first_not_of(" \n\t");
  if (start == std::string::npos) return {"", ""};
  const std::size_t end = text.find('\n', start);
  if (end == std::string::npos) return {text.substr(start), ""};
  return {text.substr(start, end - start), text.substr(end + 1)};
}

std::pair<std::string, std::string> last_message(const std::string& output) {
  static const std::regex pattern(R"((^|\n)((?:[^\s:]+:\d+|executor): error: [^\n]*)((?:\n    [^\n]*)*))");
  const std::size_t looked_at = std::min<std::size_t>(output.size(), 8000);  // it comes last
  const std::string end = output.substr(output.size() - looked_at);
  std::pair<std::string, std::string> last;
  for (std::sregex_iterator match(end.begin(), end.end(), pattern), none; match != none; ++match)
    last = {(*match)[2], (*match)[3]};
  if (last.first.empty()) return first_line(output);
  if (!last.second.empty()) last.second.erase(0, 1);
  return last;
}

}  // namespace ladder
