#pragma once
/// @file
/// NPB's classes of EP.

namespace npb_ep {

/// A class of NPB: 2^M pairs with the official seed, and the sums that NPB accepts within 1e-8 of their size.
struct OfficialClass {
  const char* name;
  int size;  ///< M
  double sx, sy;
};
constexpr OfficialClass official_classes[] = {
    {"S", 24, -3.247834652034740e3, -6.958407078382297e3},
    {"W", 25, -2.863319731645753e3, -6.320053679109499e3},
    {"A", 28, -4.295875165629892e3, -1.580732573678431e4},
    {"B", 30, 4.033815542441498e4, -2.660669192809235e4},
    {"C", 32, 4.764367927995374e4, -8.084072988043731e4},
    {"D", 36, 1.982481200946593e5, -1.020596636361769e5},
};

}  // namespace npb_ep
