/// @file
/// speed [n [rounds [seed]]]: the tiled matrix product next to the plain triple loop, n a multiple of 32. One
/// line per round, after one that does not count: wall and processor seconds of the loop, of the loop again,
/// and of the product. Then OK or WRONG.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "common/device/cuda.hpp"

namespace {

constexpr int T = 32;

__global__ void tiled(const double* A, const double* B, double* C, int n) {
  __shared__ double As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
  double sum = 0;
  for (int k = 0; k < n; k += T) {
    As[ty][tx] = A[row * n + k + tx];
    Bs[ty][tx] = B[(k + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

void triple_loop(const std::vector<double>& A, const std::vector<double>& B, std::vector<double>& C, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] = sum;
    }
}

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// What @p call takes: wall time, and processor time of all threads, so that other programs on the machine do
/// not count.
struct Spent {
  double wall, processor;
  template <class Call>
  explicit Spent(Call call) : wall(-seconds(CLOCK_MONOTONIC)), processor(-seconds(CLOCK_PROCESS_CPUTIME_ID)) {
    call();
    processor += seconds(CLOCK_PROCESS_CPUTIME_ID);
    wall += seconds(CLOCK_MONOTONIC);
  }
};

/// Small whole numbers: every order of summation gives the same product.
std::vector<double> whole_numbers(int count, unsigned long long& state) {
  std::vector<double> values(count);
  for (double& value : values) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    value = static_cast<double>(state >> 60) - 8;
  }
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 512, rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  unsigned long long state = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  if (n < T || n % T != 0 || rounds < 1) {
    std::fprintf(stderr, "speed [n [rounds [seed]]]: n is a multiple of %d, rounds is 1 at least\n", T);
    return 2;
  }
  const std::vector<double> A = whole_numbers(n * n, state), B = whole_numbers(n * n, state);
  std::vector<double> C(n * n), expected(n * n);
  ladder::DeviceBuffer<double> dA(n * n), dB(n * n), dC(n * n);
  ladder::check(cudaMemcpy(dA.get(), A.data(), dA.bytes(), cudaMemcpyHostToDevice));
  ladder::check(cudaMemcpy(dB.get(), B.data(), dB.bytes(), cudaMemcpyHostToDevice));
  const auto loop = [&] { triple_loop(A, B, expected, n); };
  const auto product = [&] {
    tiled<<<dim3(n / T, n / T), dim3(T, T)>>>(dA.get(), dB.get(), dC.get(), n);
    ladder::check(cudaDeviceSynchronize());
  };
  loop(), product();  // warm-up
  for (int round = 0; round < rounds; ++round) {
    const Spent first(loop), again(loop), measured(product);
    std::printf("%.9g %.9g %.9g %.9g %.9g %.9g\n", first.wall, first.processor, again.wall, again.processor,
                measured.wall, measured.processor);
    std::fflush(stdout);  // so that what was measured is there when the rest is not waited for
  }
  ladder::check(cudaMemcpy(C.data(), dC.get(), dC.bytes(), cudaMemcpyDeviceToHost));
  std::puts(C == expected ? "OK" : "WRONG");
  return C == expected ? 0 : 1;
}
