/// @file
/// Arguments: classes with constructors and destructors, conversions, defaults, lambdas.
// clang-format off

#include "spelling.hpp"

#include <memory>
#include <utility>

static int copies = 0, moves = 0, ends = 0;

/// Like an array that only its owner frees.
struct Owner {
  int* p = nullptr;
  bool owns = true;
  int v = 0;
  Owner(int* p, int v) : p(p), v(v) {}
  Owner(const Owner& o) : p(o.p), owns(false), v(o.v) { ++copies; }
  __host__ __device__ ~Owner() {
#ifndef __CUDA_ARCH__
    ++ends;
#elif defined(LADDER_EXECUTOR)
    ++ends;
#endif
    if (owns) p = nullptr;
  }
};
struct Counted {
  int v;
  explicit Counted(int v) : v(v) {}
  Counted(const Counted& o) : v(o.v) { ++copies; }
  Counted(Counted&& o) noexcept : v(o.v) { ++moves; }
};
struct Virtual { virtual ~Virtual() = default; int v = 0; };
struct Only { int v; explicit Only(int v) : v(v) {} Only(Only&&) = default; Only(const Only&) = delete; };
struct OnlyMove { int v; explicit OnlyMove(int v) : v(v) {} OnlyMove(OnlyMove&& o) : v(o.v) {} };
struct Assigned { int v; Assigned& operator=(const Assigned& o) { v = o.v + 1; return *this; } };
struct Self { Self* self; int v; Self(int v) : self(this), v(v) {} Self(const Self& o) : self(this), v(o.v) {} };
struct Base { int v; __host__ __device__ Base(int v) : v(v) {} ~Base() {} };
struct Derived : Base { int w; Derived(int v, int w) : Base(v), w(w) {} };
struct View { int* p; int n; View(int* p, int n = 3) : p(p), n(n) {} View(std::unique_ptr<int>& u) : p(out), n(*u) {} };
struct Number { int v; operator int() const { return v; } };
struct Pointer { operator int*() const { return out; } };
struct Big { int v[900]; };
struct Bits { unsigned a : 3, b : 5; };
struct alignas(64) Aligned { int v; };
struct Empty {};
union Union { int i; float f; };
enum Old { old_value = 6 };
enum class New : short { value = 7 };
struct Nested { Counted c; int* p; };

__global__ void owner(int* p, Owner o) { *p = o.owns ? 0 : o.v; o.v = 0; }
__global__ void owner_pointer(Owner o) { *o.p = o.v; }
__global__ void counted(int* p, Counted c) { *p = c.v++; }
__global__ void counted_by_threads(int* p, Counted c) { ++c.v; if (threadIdx.x == 31) *p = c.v; }
__global__ void with_virtual(int* p, Virtual o) { *p = o.v; }
__global__ void only(int* p, Only o) { *p = o.v; }
__global__ void only_move(int* p, OnlyMove o) { *p = o.v; }
__global__ void assigned(int* p, Assigned a) { *p = a.v; }
__global__ void self(int* p, Self s) { *p = s.v; }
__global__ void base(int* p, Base b) { *p = b.v; }
__global__ void derived(int* p, Derived d) { *p = d.w; }
__global__ void view(View v) { *v.p = v.n; }
__global__ void number(int* p, int v) { *p = v; }
__global__ void real(int* p, double v) { *p = int(2 * v); }
__global__ void bytes(int* p, char c, short s, long long l, bool b, float f) { *p = c + s + int(l) + b + int(f); }
__global__ void big(int* p, Big b) { *p = b.v[899]; }
__global__ void bits(int* p, Bits b) { *p = b.a * 10 + b.b; }
__global__ void aligned(int* p, char, Aligned a) { *p = a.v; }
__global__ void empty(Empty, int* p, Empty) { *p = 8; }
__global__ void with_union(int* p, Union u) { *p = u.i; }
__global__ void enums(int* p, Old o, New n) { *p = o * 10 + int(n); }
__global__ void nested(Nested n) { *n.p = n.c.v; }
__global__ void pointers(int* p, const int* q, const void* r, int** s, std::nullptr_t) { *p = (p == q) + (p == r) + !s; }
__global__ void by_default(int* p, int a = 1, int b = 2) { *p = a * 10 + b; }
__global__ void const_value(int* const p, const int v) { *p = v; }
__global__ void eight(int* p, int a, int b, int c, int d, int e, int f, int g, int h) { *p = a + b + c + d + e + f + g + h; }
__global__ void mixed(int* p, Counted a, int b, Owner c, double d, Base e) { *p = a.v + b + c.v + int(d) + e.v; }
__global__ void no_arguments() {}
__global__ void vectors(int* p, int2 a, float4 b, dim3 c, uint3 d) { *p = a.y + int(b.w) + c.y + d.z; }
template <class T> __global__ void generic(int* p, T t) { *p = t.v; }
template <class F> __global__ void apply(int* p, F f) { *p = f(3); }
template <class... T> __global__ void sum(int* p, T... t) { *p = (0 + ... + t.v); }
__global__ void overloaded(int* p, Counted c) { *p = c.v; }
__global__ void overloaded(int* p, Owner c, int v) { *p = c.v + v; }
__global__ void overloaded(int* p, float v) { *p = int(v); }
struct Scale { int n; __host__ __device__ int operator()(int v) const { return n * v; } };
__managed__ int managed = 61;
__device__ int on_device = 62;

/// Copies that the host may make of one argument: of its value, not one for each thread.
static bool few() { const bool result = copies + moves <= 4; copies = moves = 0; return result; }

int main() {
  spelling::begin();
  {
    Owner o(out, 4);
    owner<<<1, 64>>>(out, o); right("a class with copy constructor and destructor", 4);
    ++spelling::count; if (!o.owns || ends > copies || !few()) { ++spelling::wrong; std::printf("WRONG copies and ends: %d\n", ends); }
    owner_pointer<<<1, 64>>>(o); right("a class that holds the pointer", 4);
    owner_pointer<<<1, 1>>>(Owner(out, 5)); right("a temporary with a destructor", 5);
    { Owner inner(out, 6); owner<<<1, 1>>>(out, inner); } right("a class that ends before the kernel runs", 6);
    generic<<<1, 1>>>(out, o); right("a template with a class with a destructor", 4);
    generic<Owner><<<1, 1>>>(out, o); right("a template with the name of a class with a destructor", 4);
    overloaded<<<1, 1>>>(out, o, 3); right("an overloaded kernel with a class with a destructor", 7);
  }
  few();
  Counted c(9);
  counted_by_threads<<<2, 32>>>(out, c); right("a class with a copy constructor, each thread its own", 10);
  ++spelling::count; if (!few()) { ++spelling::wrong; std::printf("WRONG a copy for each thread\n"); }
  counted<<<1, 1>>>(out, Counted(10)); right("a temporary with a copy constructor", 10);
  counted<<<1, 1>>>(out, std::move(c)); right("a class that is moved", 9);
  generic<<<1, 1>>>(out, c); right("a template with a class with a copy constructor", 9);
  sum<<<1, 1>>>(out, c, Counted(2), Number{3}); right("a pack of classes", 14);
  overloaded<<<1, 1>>>(out, c); right("an overloaded kernel with a class", 9);
  overloaded<<<1, 1>>>(out, 2.5f); right("an overloaded kernel with a number", 2);
  Virtual v; v.v = 11;
  with_virtual<<<1, 1>>>(out, v); right("a class with a virtual destructor", 11);
  only<<<1, 1>>>(out, Only(12)); right("a class that can only be moved", 12);
  only_move<<<1, 1>>>(out, OnlyMove(13)); right("a class with only a move constructor", 13);
  assigned<<<1, 1>>>(out, Assigned{14}); right("a class with an assignment", 14);
  self<<<1, 1>>>(out, Self(15)); right("a class that points to itself", 15);
  self<<<1, 1>>>(out, 16); right("a constructor from the argument", 16);
  base<<<1, 1>>>(out, 17); right("a constructor from the argument of a class with a destructor", 17);
  base<<<1, 1>>>(out, Derived(18, 0)); right("a base of the argument", 18);
  derived<<<1, 1>>>(out, {0, 19}); right("braces for a class", 19);
  derived<<<1, 1>>>(out, Derived{0, 20}); right("a class with braces", 20);
  view<<<1, 1>>>(out); right("a view of a pointer", 3);
  view<<<1, 1>>>({out, 21}); right("a view with braces", 21);
  auto unique = std::make_unique<int>(22);
  view<<<1, 1>>>(unique);
  *unique = 0;
  right("a view of what changes after the launch", 22);
  number<<<1, 1>>>(out, Number{23}); right("a conversion by an operator", 23);
  number<<<1, 1>>>(Pointer(), 24); right("a pointer by an operator", 24);
  number<<<1, 1>>>(out, 25.7); right("a real number for an integer", 25);
  number<<<1, 1>>>(out, 'b'); right("a character for an integer", 'b');
  number<<<1, 1>>>(out, true); right("a truth value for an integer", 1);
  number<<<1, 1>>>(out, {26}); right("braces for a number", 26);
  number<<<1, 1>>>(out, {}); right("empty braces", 0);
  number<<<1, 1>>>(out, old_value); right("an enumerator for a number", 6);
  number<<<1, 1>>>(out, [] { return 27; }()); right("a lambda's result", 27);
  number<<<1, 1>>>(out, (1, 28)); right("a comma in parentheses", 28);
  number<<<1, 1>>>(out, c.v > 3 ? 29 : 0); right("a condition", 29);
  number<<<1, 1>>>(out, 1 << 4 >> 2); right("shifts", 4);
  number<<<1, 1>>>((int*)(void*)out, (int)30.5); right("casts of C", 30);
  number<<<1, 1>>>(reinterpret_cast<int*>(out), static_cast<int>(31.5)); right("casts", 31);
  number<<<1, 1>>>(&out[0], 32); right("an address of an element", 32);
  number<<<1, 1>>>(out + 1 - 1, 33); right("arithmetic of pointers", 33);
  int changes = 34;
  number<<<1, 1>>>(out, changes++); right("an effect", changes == 35 ? 34 : 0);
  number<<<1, 1>>>(out, managed); right("a managed variable", 61);
  real<<<1, 1>>>(out, 17); right("an integer for a real number", 34);
  real<<<1, 1>>>(out, 17.5f); right("float for double", 35);
  bytes<<<1, 1>>>(out, 1, 2, 3, 4, 5); right("small types", 12);
  Big b{}; b.v[899] = 36;
  big<<<1, 1>>>(out, b); right("a large structure", 36);
  Bits bit{3, 7};
  bits<<<1, 1>>>(out, bit); right("bit fields", 37);
  number<<<1, 1>>>(out, bit.b); right("a bit field", 7);
  aligned<<<1, 1>>>(out, 'x', Aligned{38}); right("an aligned structure", 38);
  empty<<<1, 1>>>({}, out, Empty()); right("empty structures", 8);
  with_union<<<1, 1>>>(out, Union{39}); right("a union", 39);
  enums<<<1, 1>>>(out, old_value, New::value); right("enumerators", 67);
  nested<<<1, 1>>>({c, out}); right("a class in braces", 9);
  pointers<<<1, 1>>>(out, out, out, 0, nullptr); right("conversions of pointers, 0", 3);
  pointers<<<1, 1>>>(out, NULL, nullptr, NULL, {}); right("NULL", 1);
  by_default<<<1, 1>>>(out); right("two default arguments", 12);
  by_default<<<1, 1>>>(out, 4); right("one default argument", 42);
  by_default<<<1, 1>>>(out, 4, 0); right("no default argument", 40);
  const_value<<<1, 1>>>(out, 41); right("constant parameters", 41);
  eight<<<1, 1>>>(out, 1, 2, 3, 4, 5, 6, 7, 14); right("nine arguments", 42);
  mixed<<<1, 32>>>(out, c, 1, Owner(out, 2), 3.5, 4); right("classes and numbers in turns", 19);
  no_arguments<<<1, 1>>>(); number<<<1, 1>>>(out, 43); right("no arguments", 43);
  no_arguments<<<1, 1>>>( /* none */ ); number<<<1, 1>>>(out, 44); right("a comment for arguments", 44);
  vectors<<<1, 1>>>(out, make_int2(1, 2), make_float4(0, 0, 0, 3), dim3(1, 4), uint3{0, 0, 5}); right("vectors", 14);
  vectors<<<1, 1>>>(out, {1, 2}, {0, 0, 0, 3}, {1, 4}, {0, 0, 6}); right("vectors with braces", 15);
  apply<<<1, 1>>>(out, Scale{15}); right("a function object", 45);
  int* address = nullptr;
  cudaGetSymbolAddress((void**)&address, on_device);
  number<<<1, 1>>>(address, 46);
  cudaMemcpyFromSymbol(&changes, on_device, sizeof changes);
  number<<<1, 1>>>(out, changes); right("an address of a symbol", 46);
#if defined(LADDER_EXECUTOR) || defined(__CUDACC_EXTENDED_LAMBDA__)
  int captured = 16;
  apply<<<1, 1>>>(out, [=] __device__ (int v) { return captured * v; }); right("a lambda", 48);
  apply<<<1, 1>>>(out, [captured] __host__ __device__ (int v) -> int { return captured + v; }); right("a lambda of both sides", 19);
  apply<<<1, 1>>>(out, [=] __device__ (int v) mutable { return captured += v; }); right("a lambda that changes its own", 19);
  apply<<<1, 1>>>(out, [c] __device__ (int v) { return c.v * v; }); right("a lambda with a class", 27);
  auto f = [] __device__ (auto v) { return v * 17; };
  apply<<<1, 1>>>(out, f); right("a generic lambda", 51);
#endif
  return spelling::end();
}
