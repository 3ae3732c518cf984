// Compiled like a step of the back end races: a right program of OpenMP, in which only its barriers order the
// accesses.
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

namespace ladder::sanitizers {

unsigned long reports_so_far();

namespace {

volatile int slots[2];

void exchange() {
#pragma omp parallel num_threads(2)
  {
    const int own = omp_get_thread_num();
    slots[own] = own;
#pragma omp barrier
    static_cast<void>(slots[1 - own]);
  }
}

}  // namespace

bool openmp_is_understood() {
  for (int i = 0; i < 3; ++i) exchange();
  // OpenMP's library registers itself here and removes that at its regular end, which workers do not have.
  char name[64];
  std::snprintf(name, sizeof name, "/__KMP_REGISTERED_LIB_%d_%d", static_cast<int>(::getpid()),
                static_cast<int>(::getuid()));
  ::shm_unlink(name);
  return reports_so_far() == 0;
}

}  // namespace ladder::sanitizers
