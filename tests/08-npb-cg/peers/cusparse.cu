/// @file
/// Peer: the products by cuSPARSE (SpMV on CSR), everything else by kernels of our own, those of g4 with the
/// dot product d . q apart. On a GPU only.

#include <cusparse.h>

#include <optional>
#include <string>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_cg {
namespace {

constexpr int block_threads = 256;

void check(cusparseStatus_t status, int line) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw ladder::Error("cusparse.cu:" + std::to_string(line) + ": " + cusparseGetErrorName(status));
}

/// The matrix and vectors of a problem in cuSPARSE's words, and its workspace.
class Product {
 public:
  explicit Product(const Problem& p) : problem(p) {
    check(cusparseCreate(&handle_), __LINE__);
    check(cusparseCreateConstCsr(&A_, p.n, p.n, p.nnz, p.row_start, p.columns, p.values, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
          __LINE__);
    check(cusparseCreateConstDnVec(&d_, p.n, p.d, CUDA_R_64F), __LINE__);
    check(cusparseCreateConstDnVec(&z_, p.n, p.z, CUDA_R_64F), __LINE__);
    check(cusparseCreateDnVec(&q_, p.n, p.q, CUDA_R_64F), __LINE__);
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, A_, d_, &zero_, q_,
                                  CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
          __LINE__);
    workspace_.emplace(bytes);
  }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  ~Product() {
    for (const cusparseConstDnVecDescr_t vector : {d_, z_, cusparseConstDnVecDescr_t(q_)})
      cusparseDestroyDnVec(vector);
    cusparseDestroySpMat(A_);
    cusparseDestroy(handle_);
  }

  const Problem problem;                 ///< whose arrays these are
  void of_direction() { multiply(d_); }  ///< q = A d
  void of_solution() { multiply(z_); }   ///< q = A z

 private:
  void multiply(cusparseConstDnVecDescr_t v) {
    check(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, A_, v, &zero_, q_, CUDA_R_64F,
                       CUSPARSE_SPMV_ALG_DEFAULT, workspace_->get()),
          __LINE__);
  }
  const double one_ = 1, zero_ = 0;
  cusparseHandle_t handle_ = nullptr;
  cusparseConstSpMatDescr_t A_ = nullptr;
  cusparseConstDnVecDescr_t d_ = nullptr, z_ = nullptr;
  cusparseDnVecDescr_t q_ = nullptr;
  std::optional<ladder::DeviceBuffer<char>> workspace_;
};

/// Kept from call to call: NPB times no set-up. Never destroyed at exit, when the driver may be gone.
Product& product_for(const Problem& p) {
  static Product* kept = nullptr;
  if (kept != nullptr && kept->problem == p) return *kept;
  delete kept;
  kept = nullptr;
  kept = new Product(p);
  return *kept;
}

int blocks_for(int n) {
  return (n + block_threads - 1) / block_threads;
}

__device__ void add_block(double value, double* sum) {  // 1
  __shared__ double parts[block_threads / 32];
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0u, value, lanes);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < block_threads / 32; ++warp) value += parts[warp];
  atomicAdd(sum, value);
}

/// z = 0, r = d = x; adds x . x to *sum.
__global__ void begin(Problem p, double* sum) {  // 1; zero
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double value = i < p.n ? p.x[i] : 0;
  if (i < p.n) p.z[i] = 0, p.r[i] = p.d[i] = value;
  add_block(value * value, sum);
}

/// Adds d . q to *sum.
__global__ void project(Problem p, double* sum) {  // 1; zero
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  add_block(i < p.n ? p.d[i] * p.q[i] : 0, sum);
}

/// z += alpha d, r -= alpha q; adds r . r to sums[2].
__global__ void step(Problem p, double* sums) {  // rho before, d . q, rho
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double factor = sums[1] == 0 ? 0 : sums[0] / sums[1], rest = i < p.n ? p.r[i] - factor * p.q[i] : 0;
  if (i < p.n) p.z[i] += factor * p.d[i], p.r[i] = rest;
  add_block(rest * rest, sums + 2);
}

/// d = r + beta d.
__global__ void redirect(Problem p, const double* sums) {  // rho before, d . q, rho
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) p.d[i] = p.r[i] + (sums[0] == 0 ? 0 : sums[2] / sums[0]) * p.d[i];
}

/// Adds ||x - q||^2 to *sum.
__global__ void compare(Problem p, double* sum) {  // 1; zero
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double difference = i < p.n ? p.x[i] - p.q[i] : 0;
  add_block(difference * difference, sum);
}

__global__ void store_norm(Problem p, const double* sum) {  // 1
  *p.norm = sqrt(*sum);
}

}  // namespace

/// 25 iterations, and the norm of what is left, with cuSPARSE's products.
void library(const Problem& p) {
  Product& product = product_for(p);
  const int blocks = blocks_for(p.n);
  double* sums = p.sums;  // of an iteration: the rho before, d . q, rho
  ladder::check(cudaMemsetAsync(p.sums, 0, Problem::sums_of_call * sizeof *p.sums));
  begin<<<blocks, block_threads>>>(p, sums);
  for (int iteration = 0; iteration < iterations; ++iteration, sums += 2) {
    product.of_direction();
    project<<<blocks, block_threads>>>(p, sums + 1);
    step<<<blocks, block_threads>>>(p, sums);
    redirect<<<blocks, block_threads>>>(p, sums);
    ladder::check(cudaGetLastError());
  }
  product.of_solution();
  compare<<<blocks, block_threads>>>(p, sums + 1);
  store_norm<<<1, 1>>>(p, sums + 1);
  ladder::check(cudaGetLastError());
}

}  // namespace npb_cg
