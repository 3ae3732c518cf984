/// @file
/// Heads of kernels: qualifiers, bounds, attributes and blanks in each place.
// clang-format off

#include "spelling.hpp"

#include <type_traits>

__global__ void k1(int*p){*p=1;}
__global__ void k2(int*p){p[0]=2;}
__global__ void k3(int*p){int i=threadIdx.x;if(i==0)*p=3;}
__global__ void k4(int*p)
{for(int i=0;i<1;++i)p[i]=4;}
__global__ void k5 ( int * p ) { *p = 5 ; }
__global__ void k6(int*p){{*p=6;}}
__global__ void k7(int*p){;*p=7;}
__global__ void k8(int*p)/* before the body */{/* in it */*p=8;}
__global__ void k9(int*p) // a comment with {
{
  *p = 9;  // and one with }
}
static __global__ void k10(int* p) { *p = 10; }
__global__ static void k11(int* p) { *p = 11; }
inline __global__ void k12(int* p) { *p = 12; }
__global__ inline void k13(int* p) { *p = 13; }
static inline __global__ void k14(int* p) { *p = 14; }
__global__ static inline void k15(int* p) { *p = 15; }
extern "C" __global__ void k16(int* p) { *p = 16; }
extern "C" { __global__ void k17(int* p) { *p = 17; } }
__global__ void __launch_bounds__(128) k18(int* p) { *p = 18; }
__launch_bounds__(128) __global__ void k19(int* p) { *p = 19; }
__global__ __launch_bounds__(128) void k20(int* p) { *p = 20; }
__global__ void __launch_bounds__(128, 2) k21(int* p) { *p = 21; }
static __global__ void __launch_bounds__(32*4, (1 + 1)) k22(int*p){*p=22;}
void __global__ k23(int* p) { *p = 23; }
static void __global__ k24(int* p) { *p = 24; }
void static __global__ k25(int* p) { *p = 25; }
__global__ void k26 [[maybe_unused]] (int* p) { *p = 26; }
__global__ void (k27)(int* p) { *p = 27; }
__global__ auto k28(int* p) -> void { *p = 28; }
[[maybe_unused]] __global__ void k29(int* p) { *p = 29; }
__global__ __attribute__((noinline)) void k30(int* p) { *p = 30; }
__attribute__((used)) __global__ void k31(int* p) { *p = 31; }
__global__ void k32(int* __restrict__ p, const int n) { *p = n; }
__global__ void k33(int p[]) { p[0] = 33; }
__global__ void k34(int* const p) { *p = 34; }
__global__ void k35(const volatile int* q, int* p) { *p = q == p ? 35 : 0; }
__global__ void k36(int*, int*p, int) { *p = 36; }
__global__ void k37(int* p, int (*rows)[4]) { rows[0][0] = p == *rows ? 37 : 0; }
__global__ void k38(int* p, void (*unused)(int) = nullptr) { *p = unused ? 0 : 38; }
__global__ void k39(int* p, int n = (3 + 36)) { *p = n; }
__global__ void k40(int* p);
__global__ void k41(int* p), k42(int* p);
typedef void Nothing;
__global__ Nothing k43(int* p) { *p = 43; }
__global__ std::enable_if_t<(sizeof(int) > 2), void> k44(int* p) { *p = 44; }
__global__ void k45(int* p) { return void(*p = 45); }
__global__
void
k46
(
int* p
)
{
*p = 46;
}
__global__ void k47(int* p) { struct { int v; } s{47}; *p = s.v; }
__global__ void k48(int* p) { const auto f = [&](int v){*p=v;}; f(48); }
__global__ void k49(int* p) { *p = []{ return 49; }(); }
__global__ void k50(const __grid_constant__ int n, int* p) { *p = n; }
__global__ void k51(int* p)
#ifdef NOT_DEFINED
{ *p = 0;
#else
{ *p = 51;
#endif
}
#if 1
__global__ void __launch_bounds__(64)
#else
__global__ void
#endif
k52(int* p) { *p = 52; }

__global__ void k40(int*p){*p=40;}
__global__ void k41(int*p){*p=41;}
__global__ void k42(int*p){*p=42;}

int main() {
  spelling::begin();
  k1<<<1, 1>>>(out); right("no blank before a pointer or after the brace", 1);
  k2<<<1, 1>>>(out); right("an identifier right after the brace", 2);
  k3<<<1, 32>>>(out); right("a declaration right after the brace", 3);
  k4<<<1, 1>>>(out); right("a loop right after the brace", 4);
  k5<<<1, 1>>>(out); right("blanks everywhere", 5);
  k6<<<1, 1>>>(out); right("two braces", 6);
  k7<<<1, 1>>>(out); right("an empty statement first", 7);
  k8<<<1, 1>>>(out); right("comments around the brace", 8);
  k9<<<1, 1>>>(out); right("braces in comments", 9);
  k10<<<1, 1>>>(out); right("static before", 10);
  k11<<<1, 1>>>(out); right("static after", 11);
  k12<<<1, 1>>>(out); right("inline before", 12);
  k13<<<1, 1>>>(out); right("inline after", 13);
  k14<<<1, 1>>>(out); right("static inline before", 14);
  k15<<<1, 1>>>(out); right("static inline after", 15);
  k16<<<1, 1>>>(out); right("extern C", 16);
  k17<<<1, 1>>>(out); right("extern C in braces", 17);
  k18<<<1, 1>>>(out); right("bounds before the name", 18);
  k19<<<1, 1>>>(out); right("bounds first", 19);
  k20<<<1, 1>>>(out); right("bounds before the type", 20);
  k21<<<1, 1>>>(out); right("bounds with two numbers", 21);
  k22<<<1, 1>>>(out); right("bounds with brackets", 22);
  k23<<<1, 1>>>(out); right("the type first", 23);
  k24<<<1, 1>>>(out); right("static and the type first", 24);
  k25<<<1, 1>>>(out); right("the type, then static", 25);
  k26<<<1, 1>>>(out); right("an attribute after the name", 26);
  k27<<<1, 1>>>(out); right("a name in parentheses", 27);
  k28<<<1, 1>>>(out); right("a trailing return type", 28);
  k29<<<1, 1>>>(out); right("a standard attribute", 29);
  k30<<<1, 1>>>(out); right("an attribute after", 30);
  k31<<<1, 1>>>(out); right("an attribute before", 31);
  k32<<<1, 1>>>(out, 32); right("restrict", 32);
  k33<<<1, 1>>>(out); right("a parameter with brackets", 33);
  k34<<<1, 1>>>(out); right("a constant pointer", 34);
  k35<<<1, 1>>>(out, out); right("const volatile", 35);
  k36<<<1, 1>>>(nullptr, out, 0); right("parameters without names", 36);
  k37<<<1, 1>>>(out, reinterpret_cast<int (*)[4]>(out)); right("a pointer to an array", 37);
  k38<<<1, 1>>>(out); right("a pointer to a function, by default", 38);
  k39<<<1, 1>>>(out); right("a default argument in parentheses", 39);
  k40<<<1, 1>>>(out); right("declared before it is defined", 40);
  k41<<<1, 1>>>(out); right("first of two declared together", 41);
  k42<<<1, 1>>>(out); right("second of two declared together", 42);
  k43<<<1, 1>>>(out); right("a typedef of void", 43);
  k44<<<1, 1>>>(out); right("void by a template with parentheses", 44);
  k45<<<1, 1>>>(out); right("return of void", 45);
  k46<<<1, 1>>>(out); right("each word on its line", 46);
  k47<<<1, 1>>>(out); right("a structure in a kernel", 47);
  k48<<<1, 1>>>(out); right("a lambda in a kernel", 48);
  k49<<<1, 1>>>(out); right("a lambda called where it stands", 49);
  k50<<<1, 1>>>(50, out); right("grid constant", 50);
  k51<<<1, 1>>>(out); right("a brace in each branch of an #if", 51);
  k52<<<1, 1>>>(out); right("qualifiers in each branch of an #if", 52);
  return spelling::end();
}
