/// @file
/// Calls the GPU solutions of lessons 00 and 03 on sizes around their tiles. Nothing may be found in them.

#include <cstdio>
#include <utility>
#include <vector>

#include "common/device/cuda.hpp"
#include "lessons/00-first-steps/problem.hpp"
#include "lessons/03-dgemm/problem.hpp"

namespace first_steps {
Function first_kernel, repair, tile, padded_tile, tree_sum, warp_shuffle, private_histogram, scan, compaction,
    compensated_sum;
}
namespace dgemm {
Function naive, shared_tiles;
}

namespace {

template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(i * 37 % 256) / T(256);
  return values;
}

template <class T>
ladder::DeviceBuffer<T> on_device(const std::vector<T>& values) {
  ladder::DeviceBuffer<T> buffer(values.size());
  ladder::check(cudaMemcpy(buffer.get(), values.data(), buffer.bytes(), cudaMemcpyHostToDevice));
  return buffer;
}

/// The steps that have their arrays on the host, and then those that have them on the device.
void lesson_00(int rows, int columns) {
  using namespace first_steps;
  const std::size_t elements = std::size_t(rows) * columns;
  const auto A = numbers<float>(elements);
  std::vector<float> B(elements);
  Problem p{
      .rows = rows, .columns = columns, .gain = 2, .offset = 1, .limit = 1, .A = A.data(), .B = B.data()};
  first_kernel(p);
  p.wanted = Wanted::blurred;
  repair(p);

  const auto dA = on_device(A), dB = on_device(B);
  const auto sum = on_device(std::vector<double>(rows));
  const auto count = on_device(std::vector<unsigned>(bins));
  p.A = dA.get();
  p.B = dB.get();
  p.sum = sum.get();
  p.count = count.get();
  const auto place = on_device(std::vector<int>(elements));
  p.place = place.get();
  for (const auto [wanted, step] :
       std::initializer_list<std::pair<Wanted, Function*>>{{Wanted::transposed, tile},
                                                           {Wanted::transposed, padded_tile},
                                                           {Wanted::row_sums, tree_sum},
                                                           {Wanted::row_sums, warp_shuffle},
                                                           {Wanted::histogram, private_histogram},
                                                           {Wanted::places, scan},
                                                           {Wanted::softened, compaction},
                                                           {Wanted::row_sums, compensated_sum}}) {
    p.wanted = wanted;
    step(p);
    ladder::check(cudaDeviceSynchronize());
  }
}

void lesson_03(int m, int n, int k) {
  using namespace dgemm;
  const auto A = on_device(numbers<double>(std::size_t(m) * k)),
             B = on_device(numbers<double>(std::size_t(k) * n));
  const ladder::DeviceBuffer<double> C(std::size_t(m) * n);  // no step may read it
  for (Function* step : {naive, shared_tiles}) {
    step({m, n, k, k, n, n, A.get(), B.get(), C.get()});
    ladder::check(cudaDeviceSynchronize());
  }
}

}  // namespace

int main() {
  lesson_00(1, 1);
  lesson_00(33, 70);
  lesson_00(64, 256);
  lesson_03(1, 1, 1);
  lesson_03(33, 65, 40);
  lesson_03(64, 64, 64);
  std::printf("OK\n");
}
