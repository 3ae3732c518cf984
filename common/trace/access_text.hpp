#pragma once
/// @file
/// What a source line's access looks like, in words: shared by the judge's feedback and the
/// profile.

#include <string>

#include "common/base/observation/observation.hpp"

namespace ladder {

/// The cost of a line against its ideal: "32 sectors per request, ideal 8", "2 wavefronts per request, ideal
/// 2", for atomics of device memory "32 lanes at one address". Empty when the line made no request.
std::string cost_text(const LineCounters& line);

/// What the lanes of the line's worst request do: "lanes 0..31 read elements 512 bytes apart, a sector each",
/// "all lanes read the same element", "lanes 0..15 read 16 different words in bank 0, one after the other".
/// Empty when no example was kept.
std::string describe(const LineCounters& line);

/// How far a line is from its ideal: what was moved over what the same requests need, 1 when it is ideal.
double beyond_ideal(const LineCounters& line);

/// Whether its cost and its ideal are the same as cost_text() says them.
bool is_ideal(const LineCounters& line);

}  // namespace ladder
