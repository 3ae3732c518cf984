/// @file
/// Kernels in namespaces, and templates of kernels.
// clang-format off

#include "spelling.hpp"

#include <type_traits>

__global__ void plain(int* p) { *p = 1; }
namespace a {
__global__ void plain(int* p) { *p = 2; }
__global__ void inside(int* p) { *p = 3; }
void launch_inside() { inside<<<1, 1>>>(out); }
void launch_outside() { ::plain<<<1, 1>>>(out); }
namespace b {
__global__ void plain(int* p) { *p = 4; }
void launch_nearest() { plain<<<1, 1>>>(out); }
void launch_upwards() { inside<<<1, 1>>>(out); }
void launch_partly() { b::plain<<<1, 1>>>(out); }
}  // namespace b
struct X { int v; };
__global__ void by_arguments(int* p, X x) { *p = x.v; }
template <class T> __global__ void generic_by_arguments(T* p, X x) { *p = x.v + 1; }
struct S { void go(); };
}  // namespace a
namespace c::d { __global__ void nested(int* p) { *p = 5; } }
namespace e { inline namespace v1 { __global__ void versioned(int* p) { *p = 6; } } }
namespace { __global__ void hidden(int* p) { *p = 7; } }
namespace alias = c::d;
namespace f { using a::inside; using namespace c::d; }
void a::S::go() { inside<<<1, 1>>>(out); }
extern "C" { namespace g { __global__ void in_c(int* p) { *p = 8; } } }

template <class T> __global__ void type(T* p) { *p = T(sizeof(T)); }
template <int N> __global__ void number(int* p) { *p = N; }
template <class T, int N> __global__ void both(T* p) { *p = T(N); }
template <class T, int N = 9> __global__ void with_default(T* p) { *p = T(N); }
template <class T = int> __global__ void all_default(int* p) { *p = sizeof(T); }
template <bool B> __global__ void flag(int* p) { if constexpr (B) *p = 10; else *p = 11; }
template <class... T> __global__ void pack(int* p, T... t) { *p = (0 + ... + int(t)); }
template <int... N> __global__ void numbers(int* p) { *p = (0 + ... + N); }
template <template <class> class C> __global__ void of_template(int* p) { *p = sizeof(C<int>); }
template <class T> struct Wrap { T t; };
template <class T, class U> struct Pair { T t; U u; };
template <class T> __global__ void wrapped(int* p, Wrap<T> w) { *p = w.t; }
template <class T> __global__ void special(int* p) { *p = 12; }
template <> __global__ void special<float>(int* p) { *p = 13; }
template<>__global__ void special<double>(int*p){*p=14;}
template <class T> __global__ void instantiated(int* p) { *p = sizeof(T); }
template __global__ void instantiated<double>(int*);
template <class T, typename std::enable_if<(sizeof(T) > 4), int>::type = 0> __global__ void chosen(int* p, T) { *p = 15; }
template <class T, typename std::enable_if<(sizeof(T) <= 4), int>::type = 0> __global__ void chosen(int* p, T) { *p = 16; }
template <class F> __global__ void apply(int* p, F f) { *p = f(17); }
template <auto V> __global__ void value(int* p) { *p = int(V); }
template <int (*F)(int)> __global__ void calls(int* p) { *p = F(18); }
template <class T>
__global__ void __launch_bounds__(sizeof(T) > 4 ? 128 : 256)
bounded(T* p) { *p = T(19); }
template <int THREADS> __global__ void __launch_bounds__(THREADS) bounded_by(int* p) { *p = THREADS; }
__device__ int twice(int i) { return 2 * i; }
struct Add { int n; __host__ __device__ int operator()(int i) const { return i + n; } };
enum class Mode { fast = 20, slow };
template <Mode M> __global__ void by_mode(int* p) { *p = int(M); }
template <class T> struct Runner {
  static void run(T* p) { type<T><<<1, 1>>>(p); }
  template <int N> void run_number(T* p) const { both<T, N><<<1, 1>>>(p); }
  template <int N> static void run_other() { Runner<T>::template inner<N>(); }
  template <int N> static void inner() { number<N><<<1, 1>>>(out); }
};
template <class T> void dependent(T* p) { both<T, sizeof(T) * 2><<<1, 1>>>(p); }
template <int N> void recursive() { number<N><<<1, 1>>>(out); if constexpr (N > 1) recursive<N - 1>(); }
using Chosen = Wrap<Wrap<int>>;
template <int N> struct Constant { static constexpr int value = N; };
struct Friendly { friend __global__ void befriended(int* p, Friendly); int v; };
__global__ void befriended(int* p, Friendly f) { *p = f.v; }

int main() {
  spelling::begin();
  plain<<<1, 1>>>(out); right("no namespace", 1);
  ::plain<<<1, 1>>>(out); right("the global namespace", 1);
  a::plain<<<1, 1>>>(out); right("a namespace", 2);
  ::a::plain<<<1, 1>>>(out); right("a namespace from the global one", 2);
  a::b::plain<<<1, 1>>>(out); right("two namespaces", 4);
  a :: b :: plain <<<1, 1>>>(out); right("two namespaces with blanks", 4);
  c::d::nested<<<1, 1>>>(out); right("a nested namespace", 5);
  alias::nested<<<1, 1>>>(out); right("an alias", 5);
  f::inside<<<1, 1>>>(out); right("a name that is used in another namespace", 3);
  f::nested<<<1, 1>>>(out); right("a namespace that is used in another", 5);
  e::versioned<<<1, 1>>>(out); right("an inline namespace", 6);
  e::v1::versioned<<<1, 1>>>(out); right("an inline namespace by its name", 6);
  hidden<<<1, 1>>>(out); right("an unnamed namespace", 7);
  ::hidden<<<1, 1>>>(out); right("an unnamed namespace from the global one", 7);
  g::in_c<<<1, 1>>>(out); right("a namespace in extern C", 8);
  by_arguments<<<1, 1>>>(out, a::X{9}); right("found by its arguments", 9);
  generic_by_arguments<<<1, 1>>>(out, a::X{9}); right("a template found by its arguments", 10);
  a::launch_inside(); right("inside its namespace", 3);
  a::launch_outside(); right("outside its namespace", 1);
  a::b::launch_nearest(); right("the nearest of three", 4);
  a::b::launch_upwards(); right("of the namespace around", 3);
  a::b::launch_partly(); right("by a part of its scope", 4);
  a::S().go(); right("in a member that is defined outside", 3);
  { using namespace a::b; a::b::plain<<<1, 1>>>(out); right("a namespace used in a block", 4); }
  { using c::d::nested; nested<<<1, 1>>>(out); right("a name used in a block", 5); }
  befriended<<<1, 1>>>(out, Friendly{22}); right("a friend", 22);
  type<int><<<1, 1>>>(out); right("a type", 4);
  type<<<1, 1>>>(out); right("a type by the arguments", 4);
  type<unsigned><<<1, 1>>>((unsigned*)out); right("a type and a cast", 4);
  number<23><<<1, 1>>>(out); right("a number", 23);
  number<'a'><<<1, 1>>>(out); right("a character", 'a');
  number<1 + 23><<<1, 1>>>(out); right("a sum", 24);
  number<(25 > 3 ? 25 : 3)><<<1, 1>>>(out); right("a condition", 25);
  number<(100 >> 2)><<<1, 1>>>(out); right("a shift in parentheses", 25);
  number<1 << 4><<<1, 1>>>(out); right("a shift", 16);
  number<sizeof(Pair<int, Wrap<char>>)><<<1, 1>>>(out); right("sizeof", 8);
  number<Constant<26>::value><<<1, 1>>>(out); right("a constant of a template", 26);
  number<-27><<<1, 1>>>(out); right("a negative number", -27);
  number<int{28}><<<1, 1>>>(out); right("braces", 28);
  both<int, 29><<<1, 1>>>(out); right("a type and a number", 29);
  both < int , 30 > <<<1, 1>>>(out); right("a type and a number with blanks", 30);
  both<
      int,  // the type >>>
      31    /* the number */
      ><<<1, 1>>>(out); right("arguments on lines", 31);
  with_default<int><<<1, 1>>>(out); right("a default", 9);
  with_default<<<1, 1>>>(out); right("a default and a deduced type", 9);
  with_default<int, 32><<<1, 1>>>(out); right("a default that is not taken", 32);
  all_default<<<1, 1>>>(out); right("no arguments at all", 4);
  all_default<><<<1, 1>>>(out); right("empty arguments", 4);
  all_default<double><<<1, 1>>>(out); right("an argument for a default", 8);
  flag<true><<<1, 1>>>(out); right("true", 10);
  flag<(3 < 2)><<<1, 1>>>(out); right("a comparison", 11);
  flag<true && !false><<<1, 1>>>(out); right("logic", 10);
  flag<std::is_same<Pair<int, int>, Pair<int, int>>::value><<<1, 1>>>(out); right("a trait with >>", 10);
  pack<<<1, 1>>>(out, 30, 3.5, 'a'); right("a pack", 130);
  pack<int, char><<<1, 1>>>(out, 30, 4); right("a pack with its types", 34);
  pack<<<1, 1>>>(out); right("an empty pack", 0);
  numbers<1, 2, 32><<<1, 1>>>(out); right("a pack of numbers", 35);
  of_template<Wrap><<<1, 1>>>(out); right("a template as an argument", 4);
  wrapped<<<1, 1>>>(out, Wrap<int>{36}); right("a deduced part of a type", 36);
  wrapped<int><<<1, 1>>>(out, {37}); right("braces as an argument", 37);
  all_default<Wrap<int>><<<1, 1>>>(out); right(">> before <<<", 4);
  all_default<Wrap<Wrap<int>>><<<1, 1>>>(out); right(">>> before <<<", 4);
  all_default<Wrap<Wrap<Wrap<int>>>><<<1, 1>>>(out); right(">>>> before <<<", 4);
  all_default<Wrap<Wrap<int> > ><<<1, 1>>>(out); right("> > > before <<<", 4);
  all_default<::Wrap<::a::X>><<<1, 1>>>(out); right("<:: is no bracket", 4);
  all_default<Chosen><<<1, 1>>>(out); right("an alias of a type", 4);
  all_default<int (*)(int, int)><<<1, 1>>>(out); right("a type with parentheses", 8);
  all_default<int[3]><<<1, 1>>>(out); right("a type with brackets", 12);
  all_default<decltype(Wrap<char>{}.t)><<<1, 1>>>(out); right("decltype with braces", 1);
  special<int><<<1, 1>>>(out); right("not specialised", 12);
  special<float><<<1, 1>>>(out); right("specialised", 13);
  special<double><<<1, 1>>>(out); right("specialised without blanks", 14);
  instantiated<double><<<1, 1>>>(out); right("instantiated by name", 8);
  chosen<<<1, 1>>>(out, 1.0); right("enabled", 15);
  chosen<<<1, 1>>>(out, 1.0f); right("enabled the other way", 16);
  chosen<char><<<1, 1>>>(out, 1.0); right("enabled by a type that is named", 16);
  apply<<<1, 1>>>(out, Add{21}); right("a function object", 38);
  apply<Add><<<1, 1>>>(out, Add{22}); right("a function object with its type", 39);
  value<40><<<1, 1>>>(out); right("auto of a number", 40);
  value<Mode::slow><<<1, 1>>>(out); right("auto of an enumerator", 21);
  calls<twice><<<1, 1>>>(out); right("a function as an argument", 36);
  bounded<int><<<1, 1>>>(out); right("bounds that depend", 19);
  bounded_by<64><<<1, 1>>>(out); right("bounds by an argument", 64);
  by_mode<Mode::fast><<<1, 1>>>(out); right("an enumerator", 20);
  Runner<int>::run(out); right("in a static member of a template", 4);
  Runner<int>().run_number<41>(out); right("in a member template", 41);
  Runner<int>::run_other<42>(); right("in a dependent member template", 42);
  dependent(out); right("a dependent number", 8);
  recursive<3>(); right("in a recursive template", 1);
  return spelling::end();
}
