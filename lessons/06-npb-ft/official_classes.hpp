#pragma once
/// @file
/// NPB's classes of FT.

namespace npb_ft {

/// A class of NPB: its grid and how many iterations.
struct OfficialClass {
  const char* name;
  int size;  ///< log2 of the points of the grid
  int nx, ny, nz, iterations;
};
constexpr OfficialClass official_classes[] = {
    {"S", 18, 64, 64, 64, 6},     {"W", 19, 128, 128, 32, 6},   {"A", 23, 256, 256, 128, 6},
    {"B", 25, 512, 256, 256, 20}, {"C", 27, 512, 512, 512, 20}, {"D", 31, 2048, 1024, 1024, 25},
};

}  // namespace npb_ft
