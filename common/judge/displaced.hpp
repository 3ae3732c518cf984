#pragma once
/// @file
/// Where the right values of a wrong result are: exchanged, shifted, in other places, or only in a part of
/// it.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ladder {

/// A result next to what it must be, element by element and row by row.
struct Compared {
  std::string array;        ///< "C"
  std::size_t columns = 0;  ///< of a matrix; 0: a vector
  std::vector<double> expected{};
  std::vector<double> got{};
  std::vector<double> tolerance{};           ///< how far each element may be off; empty: not at all
  std::vector<std::size_t> element_bytes{};  ///< sizes of the elements of the problem's arrays, if known

  std::size_t size() const { return expected.size(); }
  std::size_t rows() const { return columns > 0 ? size() / columns : size(); }
  /// Adds an element. @param off  how far it may be off
  void add(double wanted, double is, double off) {
    expected.push_back(wanted), got.push_back(is), tolerance.push_back(off);
  }
  bool right(std::size_t i) const { return fits(i, got[i]); }
  /// Whether the value would be right as element i.
  bool fits(std::size_t i, double value) const;
  /// "C[0][16]", "sum[3]"
  std::string name(std::size_t i) const;
};

/// How the right values lie in a wrong result.
struct Displaced {
  enum class Kind { part, bytes, transposed, by_columns, mirrored, shifted, tiles, scattered, scaled };
  Kind kind;
  std::string what;      ///< one or two sentences
  std::string question;  ///< that leads to this cause, and to no other
};

/// Looks for the right values. Nothing is said that chance would explain as well: a value that many elements
/// have in common is no evidence, and neither are a few small integers.
std::optional<Displaced> displaced(const Compared& result);

}  // namespace ladder
