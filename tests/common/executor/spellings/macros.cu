/// @file
/// Macros for kernels, launches, or parts of them.
// clang-format off

#include "spelling.hpp"

#define KERNEL __global__ void
#define GLOBAL __global__
#define STATIC_KERNEL static __global__ void
#define C_KERNEL extern "C" __global__ void
#define BOUNDED_KERNEL __global__ void __launch_bounds__(128)
#define KERNEL_ALIAS KERNEL
#define NAMED_KERNEL(name) __global__ void name
#define WHOLE_KERNEL(name, value) __global__ void name(int*p){*p=value;}
#define LONG_KERNEL(name, value) \
  __global__ void name(int* p) { \
    int v = value;               \
    *p = v;                      \
  }
#define PASTED_KERNEL(name, value) __global__ void name##_kernel(int* p) { *p = value; }
#define TEMPLATE_KERNEL(name) template <int N> __global__ void name(int* p) { *p = N; }
#define DEVICE __device__ __forceinline__
#define BOTH __host__ __device__
#define SHARED __shared__
#define BEGIN {
#define END }
#define PARAMETERS int* p, int n
#define BOUNDS(n) __launch_bounds__(n)

KERNEL of_word(int* p) { *p = 1; }
GLOBAL void of_global(int* p) { *p = 2; }
STATIC_KERNEL of_static(int* p) { *p = 3; }
C_KERNEL of_c(int* p) { *p = 4; }
BOUNDED_KERNEL of_bounds(int* p) { *p = 5; }
KERNEL_ALIAS of_alias(int*p){*p=6;}
NAMED_KERNEL(of_name)(int* p) { *p = 7; }
WHOLE_KERNEL(of_whole, 8)
LONG_KERNEL(of_long, 9)
PASTED_KERNEL(of_pasted, 10)
TEMPLATE_KERNEL(of_template)
__global__ void of_braces(int* p) BEGIN *p = 12; END
__global__ void of_parameters(PARAMETERS) { *p = n; }
__global__ void BOUNDS(64) of_bounds_macro(int* p) { *p = 14; }
DEVICE int doubled(int n) { return 2 * n; }
BOTH int tripled(int n) { return 3 * n; }
__global__ void of_device(int* p) { SHARED int s; s = doubled(7) + tripled(1); *p = s; }
DEVICE int heap() { int* p = new int(18); const int v = *p; delete p; return v; }
__global__ void of_heap(int* p) { *p = heap(); }
__global__ void set(int* p, int v) { *p = v; }
template <class T> __global__ void set_type(T* p, T v) { *p = v; }
__global__ void over(int* p) { *p = 51; }
__global__ void over(int* p, int v) { *p = v; }

#define LAUNCH_SET(v) set<<<1, 1>>>(out, v)
#define LAUNCH(k, ...) k<<<1, 1>>>(__VA_ARGS__)
#define LAUNCH_SHAPE(k, grid, block, ...) \
  do {                                    \
    k<<<(grid), (block)>>>(__VA_ARGS__);  \
  } while (0)
#define LAUNCH_LINES(k, n) \
  k<<<1,                   \
      n>>>                 \
      (out,                \
       20)
#define LAUNCH_PARENTHESES(k, ...) (k)<<<1, 1>>>(__VA_ARGS__)
#define LAUNCH_PASTED(k) k##_kernel<<<1, 1>>>(out)
#define LAUNCH_TYPE(k, T, v) k<T><<<1, 1>>>(out, v)
#define LAUNCH_TUPLE(k, arguments) k<<<1, 1>>>arguments
#define LAUNCH_CONFIGURED(k, configuration, ...) k<<<configuration>>>(__VA_ARGS__)
#define CONFIGURED(k, ...) k<<<__VA_ARGS__>>>
#define ONE <<<1, 1>>>
#define SHAPED(grid, block) <<<grid, block>>>
#define SIZES 1, 1
#define GRID dim3(1)
#define BLOCK dim3(1)
#define THE_KERNEL set
#define THE_ARGUMENTS (out, 27)
#define CHECK(...) do { __VA_ARGS__; if (cudaGetLastError() != cudaSuccess) std::printf("no\n"); } while (0)
#define CHECK_ONE(x) x; if (cudaGetLastError() != cudaSuccess) std::printf("no\n")
#define IDENTITY(...) __VA_ARGS__
#define TEXT(...) #__VA_ARGS__
#define LAUNCH_LAUNCH(v) LAUNCH(set, out, v)
#define NOT_A_LAUNCH "set<<<1, 1>>>(out, 0)"

int main() {
  spelling::begin();
  of_word<<<1, 1>>>(out); right("a word for __global__ void", 1);
  of_global<<<1, 1>>>(out); right("a word for __global__", 2);
  of_static<<<1, 1>>>(out); right("a word with static", 3);
  of_c<<<1, 1>>>(out); right("a word with extern C", 4);
  of_bounds<<<1, 1>>>(out); right("a word with bounds", 5);
  of_alias<<<1, 1>>>(out); right("a word for a word", 6);
  of_name<<<1, 1>>>(out); right("a macro with the name", 7);
  of_whole<<<1, 1>>>(out); right("a macro with the whole kernel", 8);
  of_long<<<1, 1>>>(out); right("a macro of several lines", 9);
  of_pasted_kernel<<<1, 1>>>(out); right("a pasted name", 10);
  of_template<11><<<1, 1>>>(out); right("a macro with a template", 11);
  of_braces<<<1, 1>>>(out); right("macros for braces", 12);
  of_parameters<<<1, 1>>>(out, 13); right("a macro for parameters", 13);
  of_bounds_macro<<<1, 1>>>(out); right("a macro for bounds", 14);
  of_device<<<1, 1>>>(out); right("words for device functions and shared memory", 17);
  of_heap<<<1, 1>>>(out); right("new in a function that a word puts on the device", 18);
  LAUNCH_SET(19); right("a macro that launches", 19);
  LAUNCH(set, out, 20); right("a macro that launches what it is given", 20);
  LAUNCH(::set, out, 21); right("a scope in a macro", 21);
  LAUNCH(set_type<int>, out, 22); right("a template in a macro", 22);
  LAUNCH(over, out); right("an overloaded kernel in a macro", 51);
  LAUNCH(over, out, 23); right("the other overloaded kernel in a macro", 23);
  LAUNCH(set_type, out, 24); right("a deduced template in a macro", 24);
  LAUNCH_SHAPE(set, 1, 1, out, 25); right("a macro with a shape", 25);
  LAUNCH_SHAPE(set, dim3(1, 1), dim3(1, 1), out, 26); right("a macro with dim3", 26);
  LAUNCH_LINES(set, 1); right("a macro of several lines that launches", 20);
  LAUNCH_PARENTHESES(set, out, 27); right("a kernel in parentheses in a macro", 27);
  LAUNCH_PARENTHESES(over, out, 28); right("an overloaded kernel in parentheses in a macro", 28);
  LAUNCH_PASTED(of_pasted); right("a pasted name of a launch", 10);
  LAUNCH_TYPE(set_type, int, 29); right("a type in a macro", 29);
  LAUNCH_TUPLE(set, (out, 30)); right("all arguments as one of a macro", 30);
  CONFIGURED(set, 1, 1)(out, 31); right("a macro without the arguments", 31);
  CONFIGURED(over, 1, 1, 0, 0)(out, 32); right("a macro with all of the configuration", 32);
  LAUNCH_CONFIGURED(set, SIZES, out, 33); right("one macro for grid and block in another", 33);
  set ONE (out, 34); right("a macro for the configuration", 34);
  set ONE(out, 35); right("a macro for the configuration without a blank", 35);
  set SHAPED(1, 1)(out, 36); right("a macro for the configuration with arguments", 36);
  set SHAPED(dim3(1), dim3(1)) (out, 37); right("a macro for the configuration with calls", 37);
  set_type<int> SHAPED(1, 1)(out, 38); right("a template and a macro for the configuration", 38);
  over ONE (out, 39); right("an overloaded kernel and a macro for the configuration", 39);
  set_type ONE (out, 40); right("a deduced template and a macro for the configuration", 40);
  set<<<GRID, BLOCK>>>(out, 41); right("macros for grid and block", 41);
  THE_KERNEL<<<1, 1>>>(out, 42); right("a macro for the name", 42);
  set<<<1, 1>>>THE_ARGUMENTS; right("a macro for the arguments", 27);
  CHECK(set<<<1, 1>>>(out, 43)); right("a launch in a macro", 43);
  CHECK(set_type<int><<<1, 1>>>(out, 44); set<<<1, 1>>>(out, 45)); right("two launches in a macro", 45);
  CHECK_ONE((set<<<1, 1>>>(out, 46))); right("a launch in parentheses in a macro", 46);
  CHECK(if (out) { set<<<1, 1>>>(out, 47); }); right("a launch in a block in a macro", 47);
  IDENTITY(set)<<<1, 1>>>(out, 48); right("a macro that gives the name", 48);
  IDENTITY(set<<<1, IDENTITY(1)>>>(out, IDENTITY(49))); right("macros in a macro", 49);
  LAUNCH_LAUNCH(50); right("a macro that uses a macro", 50);
#ifdef __CUDACC__
  set<<<1, 1>>>(out, 53); right("where __CUDACC__ is defined", 53);
#else
  right("where __CUDACC__ is defined", 53);
#endif
  const char* text = TEXT(set) NOT_A_LAUNCH;
  set<<<1, 1>>>(out, text[0]); right("text in a macro", 's');
#undef ONE
#define ONE 1
  set<<<ONE, ONE>>>(out, 54); right("a macro that was a configuration", 54);
  return spelling::end();
}
