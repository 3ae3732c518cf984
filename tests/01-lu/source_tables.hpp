#pragma once
/// @file
/// What the source measured: tables 2 and 3 of work A, seconds.

namespace lu::test {

/// A row: order, algorithm 2, algorithm 3, relative gain as printed.
struct SourceRow {
  int n;
  double naive, reduced;
  const char* gain;
};

/// Table 2: OpenCL on a CPU, Core i5-760.
inline constexpr SourceRow source_cpu[] = {
    {16, 0.0013, 0.0003, "76.92%"},         {32, 0.0045, 0.0006, "86.67%"},
    {64, 0.0224, 0.0016, "92.86%"},         {128, 0.1432, 0.0068, "95.25%"},
    {256, 1.0372, 0.0461, "95.56%"},        {512, 8.5192, 0.2892, "96.61%"},
    {1024, 126.2631, 2.6914, "97.87%"},     {2048, 1070.9700, 21.5841, "97.98%"},
    {4096, 10373.3900, 207.4660, "98.00%"},
};

/// Table 3: OpenCL on a GPU, Radeon with the Barts Pro chip, PCIe 2.0.
inline constexpr SourceRow source_gpu[] = {
    {16, 0.0128, 0.0051, "60.16%"},    {32, 0.0219, 0.0065, "70.32%"},     {64, 0.0441, 0.0101, "77.10%"},
    {128, 0.2173, 0.0240, "88.96%"},   {256, 1.1353, 0.0619, "94.55%"},    {512, 5.6870, 0.2967, "94.78%"},
    {1024, 38.6920, 1.4710, "96.20%"}, {2048, 298.3024, 9.9661, "96.66%"}, {4096, 2530.406, 80.973, "96.80%"},
};

}  // namespace lu::test
