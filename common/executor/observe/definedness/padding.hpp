#pragma once
/// @file
/// Which bytes of structures belong to no member: they are copied with the whole and mean nothing.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/executor/observe/definedness/defined_bytes.hpp"

namespace ladder::executor {

/// A bit for each byte that no member of a structure covers; of a union, no member that is there in every
/// case.
using Holes = std::vector<bool>;

/// The structures of the program with that size that have holes, from its debugging information. Where a
/// member of a structure or a base is copied, its last padding is left out: so the size is that with it or
/// without.
const std::vector<Holes>& structures_with_holes(std::size_t bytes);

/// What is left of the bytes without the holes of one of them, the one that explains most: bit i of `missing`
/// for offset + i.
/// @param repeats the bytes may be several structures in a row
std::uint16_t without_padding(std::size_t bytes, std::size_t offset, std::uint16_t missing, bool repeats);

/// Whether all bytes of the range that have no value are padding, if it is an array of one of the program's
/// structures.
/// @param matters  says of a byte without a value, by its offset from the range's begin, whether it may
/// matter at all
template <class Matters>
bool only_padding_is_missing(const DefinedBytes& written, std::size_t offset, std::size_t bytes,
                             Matters matters);

/// The sizes of structures that have padding.
const std::vector<std::size_t>& sizes_with_padding();

template <class Matters>
bool only_padding_is_missing(const DefinedBytes& written, std::size_t offset, std::size_t bytes,
                             Matters matters) {
  const auto all_are = [&](auto is_harmless) {
    for (std::size_t at = 0; (at += written.first_missing(offset + at, bytes - at)) < bytes; ++at)
      if (matters(at) && !is_harmless(at)) return false;
    return true;
  };
  if (all_are([](std::size_t) { return false; })) return true;
  for (const std::size_t size : sizes_with_padding())
    if (bytes % size == 0)
      for (const Holes& holes : structures_with_holes(size))
        if (all_are([&](std::size_t at) { return holes[at % size]; })) return true;
  return false;
}

}  // namespace ladder::executor
