/// @file
/// Variables on the device: shared, constant, managed, in each place and order of words.
// clang-format off

#include "spelling.hpp"

__device__ int d1 = 1;
static __device__ int d2 = 2;
__device__ static int d3 = 3;
int __device__ d4 = 4;
__device__ int d5[2] = {4, 5}, d6(6);
__device__ struct { int v; } d7 = {7};
__device__ int* d8;
__device__ const int d9 = 9;
__device__ constexpr int d10 = 10;
constexpr __device__ int d11[] = {0, 11};
__constant__ int c1[2] = {11, 12};
static __constant__ int c2 = 13;
__constant__ __device__ int c3 = 14;
__device__ __constant__ int c4 = 15;
__constant__ const int c5{16};
__managed__ int m1 = 17;
__device__ __managed__ int m2 = 18;
__device__ int late = 19;
namespace space { __device__ int inside = 20; namespace { __constant__ int hidden = 21; } }
template <class T> __device__ T variable = T(22);
struct Class { static constexpr int member = 23; __device__ static int function() { return 24; } __device__ int method() const; int v; };
__device__ int Class::method() const { return v; }
extern __shared__ int everywhere[];

__device__ int f1() { return 25; }
__device__ __forceinline__ int f2() { return 26; }
__forceinline__ __device__ int f3() { return 27; }
static __inline__ __device__ int f4() { return 28; }
int __device__ f5() { return 29; }
__device__ __noinline__ int f6() { return 30; }
__host__ __device__ int f7() { return 31; }
__device__ __host__ inline int f8() { return 32; }
constexpr __host__ __device__ int f9() { return 33; }
template <class T> __device__ auto f10(T t) -> decltype(t + 1) { return t + 34; }
__device__ int f11(int = 35);
__device__ int f11(int n) { return n; }
__device__ void f12(int& r) { r = 36; }

__global__ void globals(int* p, int which) {
  const int all[] = {0, d1, d2, d3, d4, d5[1], d6, d7.v, d8 == nullptr ? 8 : 0, d9, d10, d11[1], c1[1], c2, c3, c4, c5, m1, m2,
                     late, space::inside, space::hidden, variable<int>, Class::member, Class::function(), f1(), f2(), f3(), f4(),
                     f5(), f6(), f7(), f8(), f9(), f10(0), f11()};
  *p = all[which];
}
__global__ void references(int* p) { f12(*p); }
__global__ void methods(int* p, Class c) { *p = c.method(); }

__global__ void s1(int* p) { __shared__ int s; s = 1; *p = s; }
__global__ void s2(int* p) { static __shared__ int s; s = 2; *p = s; }
__global__ void s3(int* p) { __shared__ static int s; s = 3; *p = s; }
__global__ void s4(int* p) { int __shared__ s; s = 4; *p = s; }
__global__ void s5(int* p) { volatile __shared__ int s; s = 5; *p = s; }
__global__ void s6(int* p) { __shared__ volatile int s; s = 6; *p = s; }
__global__ void s7(int* p) { __shared__ int a, b[2], *c; a = 1; b[1] = 6; c = &b[1]; *p = a + *c; }
__global__ void s8(int* p) { __shared__ int s[2][3]; s[1][2] = 8; *p = s[1][2]; }
__global__ void s9(int* p) { __shared__ struct { int v; } s; s.v = 9; *p = s.v; }
__global__ void s10(int* p) { __shared__ union { int i; float f; } s; s.i = 10; *p = s.i; }
__global__ void s11(int* p) { __shared__ __align__(16) int s[4]; s[0] = 11; *p = s[0]; }
__global__ void s12(int* p) { __align__(16) __shared__ int s[4]; s[0] = 12; *p = s[0]; }
__global__ void s13(int* p) { __shared__ alignas(16) int s[4]; s[0] = 13; *p = s[0]; }
__global__ void s14(int* p) { alignas(16) __shared__ int s[4]; s[0] = 14; *p = s[0]; }
__global__ void s15(int* p) { if (p) { __shared__ int s; s = 15; *p = s; } }
__global__ void s16(int* p) { for (int i = 0; i < 1; ++i) { __shared__ int s[1]; s[i] = 16; *p = s[i]; } }
__global__ void s17(int* p) { __shared__ Class s; s.v = 17; *p = s.method(); }
__global__ void s18(int* p) { __shared__ float4 s; s.w = 18; *p = int(s.w); }
__global__ void s19(int*p){__shared__ int s[1];s[0]=19;*p=s[0];}
__global__ void s20(int* p) { using T = int[2]; __shared__ T s; s[1] = 20; *p = s[1]; }
__global__ void s21(int* p) { __shared__ int s[(3 > 2) ? 2 : 1]; s[1] = 21; *p = s[1]; }
__global__ void s22(int* p) { __shared__ unsigned char s[sizeof(int)]; *reinterpret_cast<int*>(s) = 22; *p = *(int*)s; }
__global__ void s23(int* p) { __shared__ int (*s)[2]; int a[2] = {0, 23}; s = &a; *p = (*s)[1]; }
template <class T, int N> __global__ void s24(T* p) { __shared__ T s[N]; s[N - 1] = T(N); *p = s[N - 1]; }
__device__ int shared_in_a_function() { __shared__ int s; s = 25; return s; }
__global__ void s25(int* p) { *p = shared_in_a_function(); }
__global__ void e1(int* p) { extern __shared__ int s[]; s[3] = 1; *p = s[3]; }
__global__ void e2(int* p) { extern __shared__ __align__(16) unsigned char s2[]; int* i = reinterpret_cast<int*>(s2); *i = 2; *p = *i; }
__global__ void e3(int* p) { __shared__ extern int s[]; s[3] = 3; *p = s[3]; }
__global__ void e4(int* p) { extern __shared__ float4 s4[]; s4[0].x = 4; *p = int(s4[0].x); }
__global__ void e5(int* p) { extern volatile __shared__ int s5[]; s5[0] = 5; *p = s5[0]; }
__global__ void e6(int* p) { everywhere[2] = 6; *p = everywhere[2]; }
__global__ void e7(int* p) { double* d = (double*)everywhere; *d = 7; *p = int(*d); }
__global__ void e8(int* p) { extern __shared__ int s8[][2]; s8[1][1] = 8; *p = s8[1][1]; }
template <class T> __global__ void e9(T* p) { extern __shared__ char raw9[]; T* s = (T*)raw9; *s = 9; *p = *s; }
__global__ void e10(int* p) { extern __shared__ int s[]; int* a = s; int* b = &s[2]; b[1] = 10; *p = a[3]; }

int main() {
  spelling::begin();
  int expected[36];
  for (int i = 0; i < 36; ++i) expected[i] = i;
  expected[12] = 12; expected[34] = 34;
  for (int i = 1; i < 36; ++i) { globals<<<1, 1>>>(out, i); right("a global variable or a function", expected[i]); }
  references<<<1, 1>>>(out); right("a reference to what a pointer points to", 36);
  methods<<<1, 1>>>(out, Class{37}); right("a method that is defined outside", 37);
  s1<<<1, 1>>>(out); right("shared", 1);
  s2<<<1, 1>>>(out); right("static shared", 2);
  s3<<<1, 1>>>(out); right("shared static", 3);
  s4<<<1, 1>>>(out); right("the type first", 4);
  s5<<<1, 1>>>(out); right("volatile shared", 5);
  s6<<<1, 1>>>(out); right("shared volatile", 6);
  s7<<<1, 1>>>(out); right("several in a declaration", 7);
  s8<<<1, 1>>>(out); right("two dimensions", 8);
  s9<<<1, 1>>>(out); right("a structure without a name", 9);
  s10<<<1, 1>>>(out); right("a union without a name", 10);
  s11<<<1, 1>>>(out); right("align after", 11);
  s12<<<1, 1>>>(out); right("align before", 12);
  s13<<<1, 1>>>(out); right("alignas after", 13);
  s14<<<1, 1>>>(out); right("alignas before", 14);
  s15<<<1, 1>>>(out); right("in an if", 15);
  s16<<<1, 1>>>(out); right("in a loop", 16);
  s17<<<1, 1>>>(out); right("a class", 17);
  s18<<<1, 1>>>(out); right("a vector", 18);
  s19<<<1, 1>>>(out); right("without blanks", 19);
  s20<<<1, 1>>>(out); right("an alias of an array", 20);
  s21<<<1, 1>>>(out); right("a size with greater", 21);
  s22<<<1, 1>>>(out); right("bytes", 22);
  s23<<<1, 1>>>(out); right("a pointer to an array", 23);
  s24<int, 24><<<1, 1>>>(out); right("in a template", 24);
  s25<<<1, 1>>>(out); right("in a function", 25);
  e1<<<1, 1, 16>>>(out); right("dynamic", 1);
  e2<<<1, 1, 16>>>(out); right("dynamic bytes", 2);
  e3<<<1, 1, 16>>>(out); right("shared, then extern", 3);
  e4<<<1, 1, 16>>>(out); right("dynamic vectors", 4);
  e5<<<1, 1, 16>>>(out); right("dynamic volatile", 5);
  e6<<<1, 1, 16>>>(out); right("dynamic outside of functions", 6);
  e7<<<1, 1, 16>>>(out); right("dynamic with a cast", 7);
  e8<<<1, 1, 16>>>(out); right("dynamic rows", 8);
  e9<int><<<1, 1, 16>>>(out); right("dynamic in a template", 9);
  e10<<<1, 1, 16>>>(out); right("two arrays in one", 10);
  return spelling::end();
}
