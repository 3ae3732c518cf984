#pragma once
/// @file
/// Names that a person typed, and the nearest ones that exist.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// Number of single-letter edits (insert, delete, replace, swap of neighbours) between two words.
inline int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

/// The candidates nearest to a word, best first, at most three; none that shares almost nothing with it.
inline std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  struct Scored {
    int distance;
    std::string name;
  };
  std::vector<Scored> near;
  for (const std::string& candidate : candidates) {
    const bool part = word.size() >= 2 && candidate.find(word) != std::string::npos;
    const int distance = part ? 1 : edit_distance(word, candidate);
    const int tolerated = std::max<int>(2, static_cast<int>(std::max(word.size(), candidate.size())) / 3);
    if (distance <= tolerated && distance < static_cast<int>(candidate.size()))
      near.push_back({distance, candidate});
  }
  std::stable_sort(near.begin(), near.end(), [](auto& x, auto& y) { return x.distance < y.distance; });
  std::vector<std::string> names;
  for (const Scored& s : near)
    if (names.size() < 3 && std::find(names.begin(), names.end(), s.name) == names.end())
      names.push_back(s.name);
  return names;
}

/// "unknown verb 'chek'; nearest: check", or "…; there are: …"
inline std::string unknown(std::string_view what, std::string_view word,
                           const std::vector<std::string>& candidates) {
  const auto near = nearest(word, candidates);
  std::string text = "unknown " + std::string(what) + " '" + std::string(word) + "'; ";
  if (candidates.empty()) return text + "there are none here";
  text += near.empty() ? "there are: " : "nearest: ";
  const auto& shown = near.empty() ? candidates : near;
  for (std::size_t i = 0; i < shown.size(); ++i) text += (i > 0 ? ", " : "") + shown[i];
  return text;
}

}  // namespace ladder
