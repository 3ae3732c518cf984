#pragma once
/// @file
/// How CHOLMOD is started where something is timed against it.

#include <cholmod.h>
#include <omp.h>

#include <thread>

extern "C" int openblas_get_parallel();

namespace cholesky::test {

/// Supernodal, on all cores, silent. OpenBLAS has a thread a core, and looks for more work for a while;
/// CHOLMOD's own loops have threads next to these, four in its version 3. On few cores they wait for each
/// other: on the 2 of debian-12 c1's matrix, of 21,856 rows, took 35 to 60 ms that takes 33 when those loops
/// have one thread. So there they have one, unless OpenBLAS's threads are OpenMP's, too, and would be gone as
/// well.
inline void start_cholmod(cholmod_common& common) {
  constexpr unsigned enough_for_both = 8;
  constexpr int own_threads = 1;
  if (std::thread::hardware_concurrency() < enough_for_both && openblas_get_parallel() == own_threads)
    omp_set_max_active_levels(0);
  cholmod_l_start(&common);
  common.supernodal = CHOLMOD_SUPERNODAL;
  common.print = 0;
}

}  // namespace cholesky::test
