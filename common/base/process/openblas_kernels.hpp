#pragma once
/// @file
/// Which of its kernels OpenBLAS shall use on this processor.

#include <cstdlib>
#include <string>

namespace ladder {

/// OpenBLAS knows processors by their model numbers, and takes kernels without AVX for one that is younger
/// than the library: 0.3.21 had a seventh of its speed on a Xeon of 2023. What the processor can do decides
/// instead, unless whoever starts us has chosen.
/// @return a value of OPENBLAS_CORETYPE; empty where OpenBLAS shall choose.
inline std::string openblas_kernels() {
  if (const char* const chosen = std::getenv("OPENBLAS_CORETYPE")) return chosen;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return "SKYLAKEX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return __builtin_cpu_is("amd") ? "ZEN" : "HASWELL";
#endif
  return {};
}

}  // namespace ladder
