#pragma once
/// @file
/// NPB's classes of MG.

namespace npb_mg {

/// A class of NPB: a cube of n points a side, and the norm that NPB accepts after all iterations.
struct OfficialClass {
  const char* name;
  int size;        ///< on the command line; B has the grid of A, so its size is not n
  int n;           ///< points along each axis
  int iterations;  ///< calls, each on the result of the one before
  double norm;     ///< ||r||, as rnm2 computes it
};
constexpr OfficialClass official_classes[] = {
    {"S", 32, 32, 4, 0.5307707005734e-4},    {"W", 128, 128, 4, 0.6467329375339e-5},
    {"A", 256, 256, 4, 0.2433365309069e-5},  {"B", 257, 256, 20, 0.1800564401355e-5},
    {"C", 512, 512, 20, 0.5706732285740e-6}, {"D", 1024, 1024, 50, 0.1583275060440e-9},
};

}  // namespace npb_mg
