#include "common/executor/rewriter/unsupported.hpp"

#include <cctype>

namespace ladder::rewriter {
namespace {

struct Missing {
  std::string_view header;  ///< its beginning; of a whole name the end is a dot
  std::string_view what;
};

constexpr Missing missing[] = {
    {"mma.h", "tensor cores by nvcuda::wmma: use common/device/tensor.hpp"},
    {"crt/mma.h", "tensor cores by nvcuda::wmma: use common/device/tensor.hpp"},
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"cutlass/", "CUTLASS"},
    {"cute/", "CuTe"},
    {"cufft", "cuFFT"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cublasXt", "cublasXt"},
    {"cublas.h", "the cuBLAS of before 2011: include cublas_v2.h"},
    {"curand.h", "cuRAND's host interface: generate in a kernel, curand_kernel.h"},
    {"cudnn", "cuDNN"},
    {"npp", "NPP"},
    {"nvjpeg", "nvJPEG"},
    {"nvrtc", "NVRTC: kernels compiled while the program runs"},
    {"nvml.h", "NVML"},
    {"cupti", "CUPTI"},
    {"cuda_gl_interop.h", "OpenGL"},
    {"cuda_egl_interop.h", "EGL"},
    {"cuda_vdpau_interop.h", "VDPAU"},
    {"cudaGL.h", "OpenGL"},
    {"cuda_fp8.h", "8-bit floating point numbers"},
    {"cuda_fp6.h", "6-bit floating point numbers"},
    {"cuda_fp4.h", "4-bit floating point numbers"},
    {"cuda/ptx", "PTX"},
    {"cuda/std/mdspan", "cuda::std::mdspan: compute the index yourself, row * columns + column"},
    {"cuda/mdspan", "cuda::std::mdspan: compute the index yourself, row * columns + column"},
    {"torch/", "PyTorch: check the kernel in a program of its own, with a main()"},
    {"ATen/", "PyTorch: check the kernel in a program of its own, with a main()"},
    {"c10/", "PyTorch: check the kernel in a program of its own, with a main()"},
    {"pybind11/", "modules of Python: check the kernel in a program of its own, with a main()"},
    {"cuda_texture_types.h", "textures"},
    {"texture_types.h", "textures"},
    {"texture_fetch_functions.h", "textures"},
    {"texture_indirect_functions.h", "textures"},
    {"surface_types.h", "surfaces"},
    {"surface_functions.h", "surfaces"},
    {"surface_indirect_functions.h", "surfaces"},
};

}  // namespace

std::optional<std::string> missing_header(std::string_view name) {
  for (const Missing& entry : missing)
    if (name.starts_with(entry.header)) return std::string(entry.what);
  return {};
}

/// Instructions of PTX carry their types behind points: mov.u32, bar.sync.
bool is_ptx(std::string_view text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i)
    if (text[i] == '.' && std::isalnum(static_cast<unsigned char>(text[i - 1])) &&
        std::isalpha(static_cast<unsigned char>(text[i + 1])))
      return true;
  return false;
}

}  // namespace ladder::rewriter
