#pragma once
/// @file
/// A header with a launch: rewritten too, once, although two files include it.

template <class T>
__global__ void scale(T* x, T factor) {
  x[threadIdx.x] *= factor;
}

template <class T>
void scale_all(T* x, int n, T factor) {
  scale<<<1, n>>>(x, factor);
}
