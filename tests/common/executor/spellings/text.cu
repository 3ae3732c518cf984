/// @file
/// Launches and kernels in text that is none: strings, comments, raw strings, digraphs, continued lines.
// clang-format off

#include "spelling.hpp"

#include <cstring>

__global__ void set(int* p, int v) { *p = v; }
__global__ void length(int* p, const char*) { *p = sizeof("k<<<1, 2>>>(x)") - 1; }
// __global__ void commented(int* p) {
/* __global__ void commented(int* p) { */
/* k<<<1, 1>>>(x) " */
// k<<<1, 1>>>(x) ' "
// a comment that goes on \
k<<<1, 1>>>(x) {
__global__ void apostrophes(int* p) { *p = '{' + '"' + '\'' + '\\'; /* don't */ }
__global__ void strings(int* p) { const char* s = "} \" k<<<1, 1>>>(x); // no comment { /*"; *p = s[0]; }
__global__ void raw(int* p) { *p = sizeof(R"(} k<<<1, 1>>>(x) " {)"); }
__global__ void raw_delimiter(int* p) { *p = sizeof(R"x(a )" } b)x"); }
__global__ void raw_lines(int* p) { *p = sizeof(R"(
k<<<1, 1>>>(x)
#define NOT_A_MACRO {
)"); }
__global__ void prefixes(int* p) { *p = sizeof(u8"{<<<") + sizeof(L"{") + sizeof(u8R"(")") + L'{' - u'{'; }
__global__ void separators(int* p) { *p = 1'000 + 0x1'0 + 0b1'1 + int(1'0.5e+1); }
__global__ void exponents(int* p) { *p = int(1e+2 + 0x1p+3 + .5e1f); }
__global__ void literals(int* p) { *p = int(12.f) + int(1.) + int(sizeof(1ull)) + 1u; }
%:define DIGRAPH 7
__global__ void digraphs(int* p) <% int a<:2:> = <%0, DIGRAPH%>; *p = a<:1:>; %>
__global__ void words(int* p) { *p = (true and not false) ? 1 bitor 2 : 0; }
__global__ void continued(int* p) \
{ *p = \
  8; \
}
__glob\
al__ void split(int* p) { *p = 9; }
__global__ void kernel_in_a_line_comment(int* p) { *p = 10; } // } } {
__global__ void empty_comment(int*/**/p){/**/*p=11;/**/}
__global__ void stars(int*p){/***//****/*p=12;/* ***/}
__global__ void slashes(int*p){int a=24/ *p/*{*// 1; *p=a*0+13;}
__global__ void shifts(int* p) { int a = 1; a <<= 3; a >>= 1; *p = a << 2 >> 1 << 1; }
__global__ void comparisons(int* p) { int a = 3, b = 4; *p = (a<b) + (b>a) + (a<=b) + (b>=a) + (a<b>a); }
struct Stream { int v = 0; Stream& operator<<(int n) { v += n; return *this; } bool operator<(int n) const { return v < n; } };
template <class T> Stream& operator<<(Stream& s, T* p) { s.v += *p; return s; }
template <int N> struct Number { static constexpr int value = N; };

const char* text = "set<<<1, 1>>>(out, 0); extern __shared__ int q[];"; /* nor set<<<1, 1>>>(out, 0) */
const char* lines = "a string that goes on \
set<<<1, 1>>>(out, 0)";
#if 0
Text that no compiler reads: set<<<1, 1>>>( {
#endif
#ifdef NOT_DEFINED
__global__ void set(int* p, int v) { not C++ }
#endif
#define APOSTROPHE '\''
#define QUOTED "<<<"

int main() {
  spelling::begin();
  set<<<1, 1>>>(out, 1); // set<<<1, 1>>>(out, 0);
  right("a comment after a launch", 1);
  set<<<1, 1>>>(out, 2); /* set<<<1, 1>>>(out, 0); */ right("another comment after a launch", 2);
  set<<<1, 1>>>(out, // the array
                3    // the value );
                );   // the end
  right("comments after arguments", 3);
  set<<<1, // blocks
        1 // not >>>( yet
        >>>(out, 4);
  right("a comment before the end", 4);
  set \
  <<< \
  1, 1 \
  >>> \
  (out, \
   5) \
  ;
  right("continued lines", 5);
  set<<<1, 1>>>(out, (int)std::strlen("a);<<<b")); right("a string as an argument", 7);
  set<<<1, 1>>>(out, ')'); right("a bracket as a character", ')');
  set<<<1, sizeof(">>>(") - 4>>>(out, 6); right(">>>( in a string between", 6);
  set<<<1, '>' - '='>>>(out, 7); right("> as a character between", 7);
  length<<<1, 1>>>(out, nullptr); right("a launch in a string in a kernel", 14);
  set<<<1, 1>>>(out, sizeof(R"(,)>>>()")); right("a raw string as an argument", 7);
  apostrophes<<<1, 1>>>(out); right("characters", '{' + '"' + '\'' + '\\');
  strings<<<1, 1>>>(out); right("a string with all of them", '}');
  raw<<<1, 1>>>(out); right("a raw string", 21);
  raw_delimiter<<<1, 1>>>(out); right("a raw string with a delimiter", 9);
  raw_lines<<<1, 1>>>(out); right("a raw string of lines", 39);
  prefixes<<<1, 1>>>(out); right("prefixes of strings", 5 + 2 * sizeof(wchar_t) + 2);
  separators<<<1, 1>>>(out); right("separators of digits", 1124);
  exponents<<<1, 1>>>(out); right("exponents", 113);
  literals<<<1, 1>>>(out); right("numbers with suffixes", 22);
  digraphs<<<1, 1>>>(out); right("digraphs", 7);
  words<<<1, 1>>>(out); right("words for operators", 3);
  continued<<<1, 1>>>(out); right("a continued kernel", 8);
  split<<<1, 1>>>(out); right("a word on two lines", 9);
  kernel_in_a_line_comment<<<1, 1>>>(out); right("brackets in a comment after a kernel", 10);
  empty_comment<<<1, 1>>>(out); right("empty comments", 11);
  stars<<<1, 1>>>(out); right("comments of stars", 12);
  slashes<<<1, 1>>>(out); right("a division before a comment", 13);
  shifts<<<1, 1>>>(out); right("shifts", 16);
  comparisons<<<1, 1>>>(out); right("comparisons", 4 + (1 > 3));
  Stream s;
  int three = 3;
  s << 1 << 2 << &three; if (s < 7) set<<<1, 1>>>(out, s.v); right("shifts of a class", 6);
  s.operator<<(1).operator<<(2); set<<<1, 1>>>(out, s.v); right("operator<< by its name", 9);
  operator<<<int>(s, &three); set<<<1, 1>>>(out, s.v); right("operator<< with an argument of a template", 12);
  operator<< <int>(s, &three); set<<<1, 1>>>(out, s.v); right("operator<< with a blank", 15);
  set<<<1, 1>>>(out, Number<(1<<2)>::value<<1>>1); right("shifts around a template", 4);
  int a = 1 <<2; set<<<1, 1>>>(out, a<<1); right("shifts without blanks", 8);
  set<<<1, 1>>>(out, text[0] == lines[2] ? 5 : 6); right("launches in strings", 5);
  set<<<1, 1>>>(out, QUOTED[0] + APOSTROPHE); right("strings in macros", '<' + '\'');
  set<<<1, 1>>>(out, __LINE__); right("a line", __LINE__);
  set
    <<<1, 1>>>(
      out, __LINE__);
  right("a line of an argument", __LINE__ - 1);
  return spelling::end();
}
