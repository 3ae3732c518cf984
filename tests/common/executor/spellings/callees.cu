/// @file
/// Expressions in front of <<<: names, variables, members, calls, conditions.
// clang-format off

#include "spelling.hpp"

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

using Kernel = void (*)(int*);
typedef void (*OldKernel)(int*);
using Function = void(int*);

__global__ void one(int* p) { *p = 1; }
__global__ void two(int* p) { *p = 2; }
__global__ void kernel(int* p) { *p = 3; }
__global__ void overloaded(int* p) { *p = 4; }
__global__ void overloaded(int* p, int n) { *p = n; }
template <int N> __global__ void number(int* p) { *p = N; }
template <class T> __global__ void deduced(T* p, T v) { *p = v; }

Kernel global_pointer = one;
Kernel const constant_pointer = two;
static Kernel table[] = {one, two, number<30>};
Kernel get(int i) { return i == 1 ? one : two; }
template <int N> Kernel get_template() { return number<N>; }
Function& reference() { return two; }

struct Holder {
  Kernel k = one;
  Kernel many[2] = {one, two};
  Holder* next = nullptr;
  static Kernel shared;
  Kernel get() const { return k; }
  void bare() { k<<<1, 1>>>(out); }
  void by_this() { this->k<<<1, 1>>>(out); }
  void by_star() { (*this).k<<<1, 1>>>(out); }
  void by_index(int i) { many[i]<<<1, 1>>>(out); }
  void outside(int n) { overloaded<<<1, 1>>>(out, n); }
  template <class T> void generic(T* p, T v) { deduced<T><<<1, 1>>>(p, v); }
};
Kernel Holder::shared = two;

template <class F> void launch_value(F f) { f<<<1, 1>>>(out); }
template <class F> void launch_forwarded(F&& f) { f<<<1, 1>>>(out); }
template <Kernel K> void launch_constant() { K<<<1, 1>>>(out); }
template <void (&K)(int*)> void launch_reference() { K<<<1, 1>>>(out); }
template <auto K> void launch_auto() { K<<<1, 1>>>(out); }
template <class... A> void launch_pack(void (*f)(A...), A... a) { f<<<1, 1>>>(a...); }
void launch_parameter(void kernel(int*)) { kernel<<<1, 1>>>(out); }
template <class H> void launch_member(H& h) { h.k<<<1, 1>>>(out); }
template <template <int> class> struct Unused;

int main() {
  spelling::begin();
  one<<<1, 1>>>(out); right("a name", 1);
  ::one<<<1, 1>>>(out); right("a global name", 1);
  (one)<<<1, 1>>>(out); right("a name in parentheses", 1);
  ((one))<<<1, 1>>>(out); right("a name in two parentheses", 1);
  (&one)<<<1, 1>>>(out); right("an address", 1);
  (*&one)<<<1, 1>>>(out); right("what an address points to", 1);
  Kernel p = two;
  p<<<1, 1>>>(out); right("a pointer", 2);
  (*p)<<<1, 1>>>(out); right("what a pointer points to", 2);
  OldKernel old = one;
  old<<<1, 1>>>(out); right("a pointer of a typedef", 1);
  void (*spelled)(int*) = two;
  spelled<<<1, 1>>>(out); right("a pointer whose type is spelled out", 2);
  auto automatic = number<5>;
  automatic<<<1, 1>>>(out); right("auto", 5);
  auto* star = one;
  star<<<1, 1>>>(out); right("auto*", 1);
  auto& ref = two;
  ref<<<1, 1>>>(out); right("auto&", 2);
  constexpr auto constant = number<6>;
  constant<<<1, 1>>>(out); right("constexpr auto", 6);
  decltype(&one) typed = &two;
  typed<<<1, 1>>>(out); right("decltype", 2);
  Function* function = one;
  function<<<1, 1>>>(out); right("a pointer to a function type", 1);
  Kernel chosen = one;
  chosen<<<1, 1>>>(out);
  chosen = two;
  right("a pointer that changes after the launch", 1);
  global_pointer<<<1, 1>>>(out);
  global_pointer = two;
  right("a global pointer that changes after the launch", 1);
  constant_pointer<<<1, 1>>>(out); right("a constant global pointer", 2);
  Kernel local[2] = {one, two};
  local[1]<<<1, 1>>>(out); right("an element", 2);
  table[2]<<<1, 1>>>(out); right("an element of a static table", 30);
  int i = 0;
  table[i++]<<<1, 1>>>(out); right("an index with an effect", i);
  table[local[0] == one ? 1 : 0]<<<1, 1>>>(out); right("brackets in brackets", 2);
  Kernel grid[2][2] = {{one, two}, {two, one}};
  grid[1][0]<<<1, 1>>>(out); right("two indices", 2);
  get(1)<<<1, 1>>>(out); right("a call", 1);
  get_template<7>()<<<1, 1>>>(out); right("a call of a template", 7);
  reference()<<<1, 1>>>(out); right("a call that gives a reference", 2);
  bool condition = i > 0;
  (condition ? one : two)<<<1, 1>>>(out); right("a condition", 1);
  (!condition ? one : two)<<<1, 1>>>(out);
  condition = false;
  right("a condition that changes after the launch", 2);
  if (!condition) (condition ? one : two)<<<1, 1>>>(out); right("a condition after an if", 2);
  for (int r = 0; r < 1; ++r) (r ? one : two)<<<1, 1>>>(out); right("a condition after a for", 2);
  if (condition) {} (one)<<<1, 1>>>(out); right("parentheses after a brace", 1);
  else_branch: (two)<<<1, 1>>>(out); right("parentheses after a label", 2);
  if (condition) goto else_branch; else one<<<1, 1>>>(out); right("after else", 1);
  do two<<<1, 1>>>(out); while (condition); right("after do", 2);
  Holder h, o;
  h.k<<<1, 1>>>(out); right("a member", 1);
  Holder* q = &h;
  q->k<<<1, 1>>>(out); right("a member of a pointer", 1);
  (*q).k<<<1, 1>>>(out); right("a member of what a pointer points to", 1);
  h.next = &o; o.k = two;
  q->next->k<<<1, 1>>>(out); right("a member of a member", 2);
  h.many[1]<<<1, 1>>>(out); right("an element of a member", 2);
  h.get()<<<1, 1>>>(out); right("a member's result", 1);
  Holder().k<<<1, 1>>>(out); right("a member of a temporary", 1);
  Holder{two}.k<<<1, 1>>>(out); right("a member of a temporary with braces", 2);
  Holder::shared<<<1, 1>>>(out); right("a static member", 2);
  (h.*(&Holder::k))<<<1, 1>>>(out); right("a pointer to a member", 1);
  o.bare(); right("a member by its bare name", 2);
  o.by_this(); right("a member by this", 2);
  o.by_star(); right("a member by *this", 2);
  o.by_index(1); right("an element of a member by its bare name", 2);
  o.outside(8); right("an overloaded kernel in a member function", 8);
  o.generic(out, 9); right("a template in a member template", 9);
  overloaded<<<1, 1>>>(out); right("one of two", 4);
  overloaded<<<1, 1>>>(out, 10); right("the other of two", 10);
  (overloaded)<<<1, 1>>>(out, 11); right("one of two in parentheses", 11);
  deduced<<<1, 1>>>(out, 12); right("a template by its arguments", 12);
  number<13><<<1, 1>>>(out); right("a template", 13);
  number<(14 > 13) ? 14 : 0><<<1, 1>>>(out); right("a template with a condition", 14);
  (number<15>)<<<1, 1>>>(out); right("a template in parentheses", 15);
  [] { return one; }()<<<1, 1>>>(out); right("a lambda's result", 1);
  [](int n) { return get(n); }(2)<<<1, 1>>>(out); right("a lambda's result with an argument", 2);
  std::vector<Kernel> v = {one, two};
  v[1]<<<1, 1>>>(out); right("an element of a vector", 2);
  v.back()<<<1, 1>>>(out); right("the back of a vector", 2);
  std::map<std::string, Kernel> m = {{"(<<<", two}};
  m["(<<<"]<<<1, 1>>>(out); right("an element of a map", 2);
  m.at("(<<<")<<<1, 1>>>(out); right("an element of a map by at", 2);
  std::get<1>(std::make_tuple(one, two))<<<1, 1>>>(out); right("an element of a tuple", 2);
  auto [first, second] = std::make_pair(&one, &two);
  second<<<1, 1>>>(out); right("one of a pair", 2);
  first<<<1, 1>>>(out); right("the other of a pair", 1);
  for (Kernel each : std::array<Kernel, 2>{one, two}) each<<<1, 1>>>(out); right("each of a list", 2);
  launch_value(one); right("a parameter", 1);
  launch_forwarded(two); right("a forwarded reference", 2);
  launch_forwarded(&one); right("a forwarded pointer", 1);
  launch_constant<two>(); right("a template's pointer", 2);
  launch_reference<one>(); right("a template's reference", 1);
  launch_auto<&two>(); right("a template's auto", 2);
  launch_pack(number<16>, out); right("a pack of arguments", 16);
  launch_parameter(two); right("a parameter with the name of another kernel", 2);
  launch_member(o); right("a member of a template's parameter", 2);
  { Kernel kernel = one; kernel<<<1, 1>>>(out); } right("a variable with the name of a kernel", 1);
  auto run = [&] { p<<<1, 1>>>(out); }; run(); right("a captured pointer", 2);
  auto copied = [=] { one<<<1, 1>>>(out); }; copied(); right("a name in a lambda", 1);
  auto any = [](auto f, auto... a) { f<<<1, 1>>>(a...); }; any(two, out); right("a generic lambda", 2);
  return spelling::end();
}
