#pragma once
/// @file
/// The judges' own work, shared among the cores of this machine.

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace ladder {

/// How many parts `in_parts` makes of that many items.
/// @param least  items that are worth a thread
inline std::size_t parts_of(std::size_t count, std::size_t least) {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 1 + count / least);
}

/// Calls f(part, first, last) for parts of 0 … count that follow each other, each in a thread.
template <class Function>
void in_parts(std::size_t count, std::size_t least, Function f) {
  const std::size_t parts = parts_of(count, least);
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < parts; ++i)
    others.emplace_back([&, i] { f(i, count * i / parts, count * (i + 1) / parts); });
  f(std::size_t{0}, std::size_t{0}, count / parts);
  for (std::thread& other : others) other.join();
}

/// std::copy_n of an array that may be too large for one core.
template <class Element>
void copy_in_parts(const Element* from, std::size_t count, Element* to) {
  constexpr std::size_t bytes_per_thread = 16 << 20;
  in_parts(count, bytes_per_thread / sizeof(Element), [&](std::size_t, std::size_t first, std::size_t last) {
    std::copy_n(from + first, last - first, to + first);
  });
}

}  // namespace ladder
