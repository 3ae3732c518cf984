#pragma once
/// @file
/// Names that a compiled step may use, defined by libraries: an allow list, since a deny list is passed by
/// with every alias (__fork, __libc_system, open64). Names that are not in it get a reason from what they
/// resemble.

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace ladder::grade {

/// Whether a name defined by a library is harmless in any step: mathematics, strings, output, memory,
/// threads, the C++ library but for its files, what compilers call, and the interfaces of CUDA, OpenCL,
/// OpenMP and MPI.
bool is_harmless(std::string_view name);

/// A function of the mathematical library, in any of its types and aliases: sin, sinf, sinl, sinf64x,
/// __sin_finite.
bool is_mathematics(std::string_view name);

/// What a call is about that is not harmless.
struct Reason {
  std::string_view why;     ///< a sentence without its end
  std::string_view honest;  ///< when an honest step looks the same, a clause; empty: none does
};

/// Whether a name is about one of the things for which there is a reason.
bool is_suspicious(std::string_view name);

/// By the name itself, or by what remains without the decorations of the C library's aliases. Never empty.
Reason reason_of(std::string_view name);

/// "open" of "__open64_2", "system" of "__libc_system", "read" of "__read_nocancel".
std::string without_decorations(std::string_view name);

/// Whether a name is that of the pattern; a pattern that ends in * is a beginning.
bool matches_name(std::string_view pattern, std::string_view name);

template <class Patterns>
bool matches_any(const Patterns& patterns, std::string_view name) {
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [&](std::string_view pattern) { return matches_name(pattern, name); });
}

}  // namespace ladder::grade
