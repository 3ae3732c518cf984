#pragma once
/// @file
/// NPB's classes of CG.

namespace npb_cg {

/// A class of NPB: how its matrix is made, and the check that NPB makes after all iterations.
struct OfficialClass {
  const char* name;
  int size;        ///< rows and columns
  int nonzer;      ///< entries of a random vector; the matrix is a sum of outer products of such vectors
  int iterations;  ///< calls, each on the normalised result of the one before
  double shift;    ///< subtracted from the diagonal
  double zeta;     ///< the eigenvalue after the last iteration
};
constexpr OfficialClass official_classes[] = {
    {"S", 1400, 7, 15, 10, 8.5971775078648},     {"W", 7000, 8, 15, 12, 10.362595087124},
    {"A", 14000, 11, 15, 20, 17.130235054029},   {"B", 75000, 13, 75, 60, 22.712745482631},
    {"C", 150000, 15, 75, 110, 28.973605592845}, {"D", 1500000, 21, 100, 500, 52.514532105794},
};

}  // namespace npb_cg
