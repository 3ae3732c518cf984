/// @file
/// Arguments between <<< and >>>, and blanks and comments around it.
// clang-format off

#include "spelling.hpp"

#include <vector>

__global__ void shape(int* p) {
  if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0)
    *p = gridDim.x * 1000 + gridDim.y * 100 + blockDim.x * 10 + blockDim.y;
}
__global__ void room(int* p, int last) {
  extern __shared__ int memory[];
  memory[last] = last;
  *p = memory[last];
}
template <class T> __global__ void sized(T* p) { if (threadIdx.x == 0) *p = sizeof(T) * 100 + blockDim.x; }

template <class T> struct Box { static constexpr int value = 2; T t; };
template <class T> constexpr int variable = 3;
template <class T> int call() { return 3; }
template <int A, int B> constexpr int sum = A + B;
struct Shape {
  dim3 grid{2}, block{3};
  cudaStream_t stream = nullptr;
  int operator()(int n) const { return n; }
  unsigned operator[](int n) const { return n; }
};
enum { BLOCKS = 2, THREADS = 3 };
constexpr int blocks(int n, int size) { return (n + size - 1) / size; }

int main() {
  spelling::begin();
  int n = 2;
  const Shape s;
  Shape* q = new Shape;
  shape<<<2, 3>>>(out); right("numbers", 2131);
  shape<<<2,3>>>(out); right("without blanks", 2131);
  shape <<< 2 , 3 >>> ( out ); right("blanks everywhere", 2131);
  shape<<<2, 3>>> (out); right("a blank before the arguments", 2131);
  shape
      <<<2,
         3>>>
      (out); right("on several lines", 2131);
  shape<<<2 /* blocks */, 3 /* threads >>>( */>>>(out); right("comments", 2131);
  shape<<<2,  // blocks <<<
          3   // threads >>>(
          >>>(out); right("comments to the end of the line", 2131);
  shape/* a comment */<<<2, 3>>>/* another */(out); right("comments around", 2131);
  shape<<<2, \
          3>>>(out); right("a continued line", 2131);
  shape<<<dim3(2, 3), dim3(4, 5)>>>(out); right("dim3", 2345);
  shape<<<dim3{2, 3}, dim3{4, 5}>>>(out); right("dim3 with braces", 2345);
  shape<<<{2, 3}, {4, 5}>>>(out); right("braces alone", 2345);
  shape<<<{2}, 3>>>(out); right("braces and a number", 2131);
  shape<<<s.grid, s.block>>>(out); right("members", 2131);
  shape<<<q->grid, q->block>>>(out); right("members of a pointer", 2131);
  shape<<<s(2), s[3]>>>(out); right("operators", 2131);
  shape<<<BLOCKS, THREADS>>>(out); right("enumerators", 2131);
  shape<<<2u, 3ul>>>(out); right("unsigned numbers", 2131);
  shape<<<0x2, 0b11>>>(out); right("hexadecimal and binary numbers", 2131);
  shape<<<1'0, 1>>>(out); right("a digit separator", 10111);
  shape<<<2.0, 3>>>(out); right("a number with a point", 2131);
  shape<<<'\2', 3>>>(out); right("a character", 2131);
  shape<<<n, n + 1>>>(out); right("variables", 2131);
  shape<<<n++, 3>>>(out); right("an effect", n == 3 ? 2131 : 0); n = 2;
  shape<<<(n > 1 ? 2 : 1), 3>>>(out); right("a condition in parentheses", 2131);
  shape<<<n > 1 ? 2 : 1, 3>>>(out); right("a condition", 2131);
  shape<<<n < 4 ? 2 : 1, 3>>>(out); right("a condition with less", 2131);
  shape<<<n<4?2:1,3>>>(out); right("a condition with less, without blanks", 2131);
  shape<<<4 >> 1, 3>>>(out); right("a shift to the right", 2131);
  shape<<<4>>1, 3>>>(out); right("a shift to the right without blanks", 2131);
  shape<<<1 << 1, 3>>>(out); right("a shift to the left", 2131);
  shape<<<2, (n > 1) + 2>>>(out); right("greater in parentheses", 2131);
  shape<<<2, (3)>>>(out); right("parentheses before the end", 2131);
  shape<<<2, sizeof(int) - 1>>>(out); right("sizeof", 2131);
  shape<<<sizeof(Box<Box<Box<char>>>) + 1, 3>>>(out); right("templates in sizeof", 2131);
  shape<<<Box<int>::value, 3>>>(out); right("a template's member", 2131);
  shape<<<Box<Box<int>>::value, 3>>>(out); right("a template in a template", 2131);
  shape<<<Box<Box<Box<int>>>::value, 3>>>(out); right("three templates", 2131);
  shape<<<2, call<int>()>>>(out); right("a call of a template", 2131);
  shape<<<2, call<Box<Box<int>>>()>>>(out); right("a call of a template with >>>(", 2131);
  shape<<<2, call<Box<Box<Box<int>>>>()>>>(out); right("a call of a template with >>>>(", 2131);
  shape<<<2, variable<int> >>>(out); right("a template before the end", 2131);
  shape<<<sum<1, 1>, sum<1, 2> >>>(out); right("commas of templates", 2131);
  shape<<<blocks(7, 4), 3>>>(out); right("a function", 2131);
  shape<<<static_cast<int>(2.5), int(3.5)>>>(out); right("casts", 2131);
  shape<<<(unsigned)2.5, (int)3.5>>>(out); right("casts of C", 2131);
  shape<<<[] { return 2; }(), 3>>>(out); right("a lambda", 2131);
  shape<<<[](int a, int b) { return a > b ? a : b; }(1, 2), 3>>>(out); right("a lambda with commas", 2131);
  shape<<<std::vector<int>{1, 2}.size(), 3>>>(out); right("a vector's size", 2131);
  shape<<<({ n; }), 3>>>(out); right("a statement in parentheses", 2131);
  shape<<<2, 3, 0>>>(out); right("no shared memory", 2131);
  shape<<<2, 3, 0, 0>>>(out); right("stream 0", 2131);
  shape<<<2, 3, 0, nullptr>>>(out); right("stream nullptr", 2131);
  shape<<<2, 3, 0, NULL>>>(out); right("stream NULL", 2131);
  shape<<<2, 3, 0, s.stream>>>(out); right("a stream", 2131);
  shape<<<2, 3, 0, cudaStreamLegacy>>>(out); right("the legacy stream", 2131);
  shape<<<2, 3, 0, cudaStream_t(0)>>>(out); right("a cast to a stream", 2131);
  room<<<1, 1, 4 * sizeof(int)>>>(out, 3); right("shared memory", 3);
  room<<<1, 1, (3 + 1) * sizeof(int), 0>>>(out, 3); right("shared memory and a stream", 3);
  sized<int><<<1, 4>>>(out); right("a template without blanks", 404);
  sized<int> <<<1, 4>>>(out); right("a template with a blank", 404);
  sized < int > <<< 1, 4 >>> (out); right("a template with blanks", 404);
  shape<<<2, 3
#ifdef NOT_DEFINED
          , 100
#endif
          >>>(out); right("an #if between", 2131);
  shape<<<[] { shape<<<1, 1>>>(out); return 2; }(), 3>>>(out); right("a launch in a launch", 2131);
  if (n > 1) shape<<<2, 3>>>(out); else shape<<<1, 1>>>(out); right("in an if", 2131);
  n > 1 ? shape<<<2, 3>>>(out) : shape<<<1, 1>>>(out); right("in a condition", 2131);
  shape<<<1, 1>>>(out), shape<<<2, 3>>>(out); right("after a comma", 2131);
  (void)0, (shape<<<2, 3>>>(out)); right("in parentheses", 2131);
  (void)shape<<<2, 3>>>(out); right("cast to void", 2131);
  for (int i = 0; i < 2; shape<<<2, 3>>>(out), ++i) {} right("in a for's head", 2131);
  switch (n) { case 2:shape<<<2, 3>>>(out); } right("after a case", 2131);
  label:shape<<<2, 3>>>(out); right("after a label", 2131);
  if (n == 0) goto label;
  [&] { return shape<<<2, 3>>>(out); }(); right("returned", 2131);
  delete q;
  return spelling::end();
}
