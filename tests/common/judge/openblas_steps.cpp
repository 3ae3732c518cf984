// CPU steps that call OpenBLAS: by all threads of the team at once, as 04/c1 does; and where it must use what
// the processor can do.

#include <omp.h>

#include <barrier>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "problem.hpp"

extern "C" void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
                       const int* k, const double* alpha, const double* A, const int* lda, const double* B,
                       const int* ldb, const double* beta, double* C, const int* ldc);

extern "C" const char* openblas_get_corename();

namespace probe {

/// Computes only with the kernels that OpenBLAS has for this processor.
void has_vector_kernels(const Problem& p) {
  const std::string_view kernels = openblas_get_corename();
  if (__builtin_cpu_supports("avx2") && (kernels == "Prescott" || kernels == "Nehalem"))
    throw std::runtime_error("OpenBLAS computes with the kernels of a " + std::string(kernels));
  for (int i = 0; i < p.n; ++i) p.y[i] = 2 * p.x[i];
}

/// Large enough that each call needs a buffer; who is done first starts again until all have had one.
void multiplies_in_all_threads(const Problem& p) {
  const int n = 300;
  std::barrier all(omp_get_max_threads());
  std::vector<std::thread> team;
  for (int t = 0; t < omp_get_max_threads(); ++t)
    team.emplace_back([&] {
      const double one = 1, zero = 0;
      const std::vector<double> A(n * n, 1.0), B(n * n, 1.0);
      std::vector<double> C(n * n);
      for (int round = 0; round < 3; ++round) {
        all.arrive_and_wait();
        dgemm_("N", "N", &n, &n, &n, &one, A.data(), &n, B.data(), &n, &zero, C.data(), &n);
      }
    });
  for (std::thread& thread : team) thread.join();
  for (int i = 0; i < p.n; ++i) p.y[i] = 2 * p.x[i];
}

}  // namespace probe
