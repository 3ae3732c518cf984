#pragma once
/// @file
/// How CHOLMOD is started, wherever something is compared with it.

#include <cholmod.h>
#include <omp.h>

#include <thread>

namespace cholesky::test {

/// Supernodal, on all cores, silent. OpenBLAS has a thread a core, and looks for more work for a while; CHOLMOD's own loops
/// have four threads beside these. On few cores they wait for each other: on 2 a matrix took 40 to 60 ms that takes 33
/// when those loops have one thread. So there they have one.
inline void start_cholmod(cholmod_common& common) {
  constexpr unsigned enough_for_both = 8;
  if (std::thread::hardware_concurrency() < enough_for_both) omp_set_max_active_levels(0);
  cholmod_l_start(&common);
  common.supernodal = CHOLMOD_SUPERNODAL;
  common.print = 0;
}

}  // namespace cholesky::test
