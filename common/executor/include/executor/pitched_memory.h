#pragma once
/// @file
/// Memory and copies in three dimensions: rows of a pitch, slices of rows.

#include "executor/memory.h"

/// Arrays belong to textures, which the executor lacks: this handle is always null.
struct cudaArray;
using cudaArray_t = cudaArray*;
using cudaArray_const_t = const cudaArray*;

struct cudaExtent {
  size_t width, height, depth;  ///< the width in bytes
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
constexpr cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
constexpr cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return {x, y, z};
}
constexpr cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t xsize, size_t ysize) {
  return {pointer, pitch, xsize, ysize};
}

struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};

cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent, LADDER_EXECUTOR_SITE);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy, LADDER_EXECUTOR_SITE);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream = nullptr,
                              LADDER_EXECUTOR_SITE);
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent, LADDER_EXECUTOR_SITE);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream = nullptr,
                              LADDER_EXECUTOR_SITE);
