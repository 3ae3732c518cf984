#pragma once
/// @file
/// Integer intrinsics: bits, products of halves, bytes of a word, and the SIMD forms on the bytes or halves
/// of a word.

#include <stdint.h>

#include <limits>
#include <type_traits>

using uint = unsigned int;
using ushort = unsigned short;

constexpr int __popc(unsigned x) {
  return __builtin_popcount(x);
}
constexpr int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
constexpr int __ffs(int x) {
  return __builtin_ffs(x);
}
constexpr int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
constexpr int __clz(int x) {
  return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}
constexpr int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
constexpr unsigned long long __brevll(unsigned long long x) {
  unsigned long long result = 0;
  for (int i = 0; i < 64; ++i) result |= (x >> i & 1) << (63 - i);
  return result;
}
constexpr unsigned __brev(unsigned x) {
  return static_cast<unsigned>(__brevll(x) >> 32);
}

/// Position of the offset-th set bit from `base`, up or (negative) down; all ones when there is none.
constexpr unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return mask >> base & 1 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step)
    if ((mask >> i & 1) && --left == 0) return static_cast<unsigned>(i);
  return 0xffffffffu;
}

// ---------------------------------------------------------------- products and sums

constexpr int __mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a << 8 >> 8) * static_cast<unsigned>(b << 8 >> 8));
}
constexpr unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
constexpr unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(uint64_t{a} * b >> 32);
}
constexpr int __mulhi(int a, int b) {
  return static_cast<int>(int64_t{a} * b >> 32);
}
constexpr unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
constexpr long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
constexpr unsigned __sad(int a, int b, unsigned c) {
  return c + (a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
                    : static_cast<unsigned>(a) - static_cast<unsigned>(b));
}
constexpr unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return c + (a < b ? b - a : a - b);
}
/// Averages: rounded down, and rounded up.
constexpr int __hadd(int a, int b) {
  return static_cast<int>((int64_t{a} + b) >> 1);
}
constexpr int __rhadd(int a, int b) {
  return static_cast<int>((int64_t{a} + b + 1) >> 1);
}
constexpr unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((uint64_t{a} + b) >> 1);
}
constexpr unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((uint64_t{a} + b + 1) >> 1);
}

// ---------------------------------------------------------------- bytes of words

/// Four bytes out of the eight of b:a, by the selectors in the four lowest hexadecimal digits.
constexpr unsigned __byte_perm(unsigned a, unsigned b, unsigned selectors) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned selector = selectors >> 4 * i & 0xf;
    unsigned byte = static_cast<unsigned>(bytes >> 8 * (selector & 7)) & 0xff;
    if (selector & 8) byte = byte & 0x80 ? 0xff : 0;  // its sign, eight times
    result |= byte << 8 * i;
  }
  return result;
}
/// The upper word of high:low after a shift to the left by shift modulo 32, or at most 32 (c).
constexpr unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
constexpr unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
/// The lower word after a shift to the right.
constexpr unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((uint64_t{high} << 32 | low) >> (shift & 31));
}
constexpr unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

namespace ladder::executor {

/// Part number `i` of a word that is cut into parts of type T.
template <class T>
constexpr T part(unsigned word, int i) {
  return static_cast<T>(word >> 8 * sizeof(T) * i);
}

/// The sum of the products of the bytes of a word with parts of another.
template <class A, class B>
constexpr int64_t dot(unsigned a, unsigned b, int first_of_a, int count) {
  int64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += int64_t{part<A>(a, first_of_a + i)} * part<B>(b, i);
  return sum;
}

/// A word from operation(part of a, part of b) for all parts.
template <class T, class Operation>
constexpr unsigned each_part(unsigned a, unsigned b, Operation operation) {
  unsigned result = 0;
  for (int i = 0; i < static_cast<int>(4 / sizeof(T)); ++i) {
    const auto value = static_cast<std::make_unsigned_t<T>>(operation(part<T>(a, i), part<T>(b, i)));
    result |= static_cast<unsigned>(value) << 8 * sizeof(T) * i;
  }
  return result;
}

template <class T>
constexpr T clamped(int value) {
  constexpr int min = std::numeric_limits<T>::min(), max = std::numeric_limits<T>::max();
  return static_cast<T>(value < min ? min : value > max ? max : value);
}

}  // namespace ladder::executor

constexpr int __dp4a(int a, int b, int c) {
  return static_cast<int>(c + ladder::executor::dot<int8_t, int8_t>(a, b, 0, 4));
}
constexpr unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return static_cast<unsigned>(c + ladder::executor::dot<uint8_t, uint8_t>(a, b, 0, 4));
}
constexpr int __dp2a_lo(int a, int b, int c) {
  return static_cast<int>(c + ladder::executor::dot<int16_t, int8_t>(a, b, 0, 2));
}
constexpr unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return static_cast<unsigned>(c + ladder::executor::dot<uint16_t, uint8_t>(a, b, 0, 2));
}
constexpr int __dp2a_hi(int a, int b, int c) {
  return __dp2a_lo(a, static_cast<int>(static_cast<unsigned>(b) >> 16), c);
}
constexpr unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return __dp2a_lo(a, b >> 16, c);
}

// ---------------------------------------------------------------- SIMD: names end in 2 (halves) or 4 (bytes)

#define LADDER_SIMD(NAME, SUFFIX, HALF, BYTE, EXPRESSION)                                             \
  constexpr unsigned NAME##2##SUFFIX(unsigned a, unsigned b) {                                        \
    return ladder::executor::each_part<HALF>(a, b, [](auto x, auto y) -> int { return EXPRESSION; }); \
  }                                                                                                   \
  constexpr unsigned NAME##4##SUFFIX(unsigned a, unsigned b) {                                        \
    return ladder::executor::each_part<BYTE>(a, b, [](auto x, auto y) -> int { return EXPRESSION; }); \
  }
#define LADDER_SIMD_SIGNED(NAME, EXPRESSION) LADDER_SIMD(NAME, , int16_t, int8_t, EXPRESSION)
#define LADDER_SIMD_UNSIGNED(NAME, EXPRESSION) LADDER_SIMD(NAME, , uint16_t, uint8_t, EXPRESSION)
LADDER_SIMD_UNSIGNED(__vadd, x + y)
LADDER_SIMD_UNSIGNED(__vsub, x - y)
LADDER_SIMD_SIGNED(__vaddss, ladder::executor::clamped<decltype(x)>(x + y))
LADDER_SIMD_SIGNED(__vsubss, ladder::executor::clamped<decltype(x)>(x - y))
LADDER_SIMD_UNSIGNED(__vaddus, ladder::executor::clamped<decltype(x)>(x + y))
LADDER_SIMD_UNSIGNED(__vsubus, ladder::executor::clamped<decltype(x)>(x - y))
LADDER_SIMD_SIGNED(__vmaxs, x < y ? y : x)
LADDER_SIMD_SIGNED(__vmins, y < x ? y : x)
LADDER_SIMD_UNSIGNED(__vmaxu, x < y ? y : x)
LADDER_SIMD_UNSIGNED(__vminu, y < x ? y : x)
LADDER_SIMD_UNSIGNED(__vavgu, (x + y + 1) >> 1)
LADDER_SIMD_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1)
LADDER_SIMD_UNSIGNED(__vhaddu, (x + y) >> 1)
LADDER_SIMD_UNSIGNED(__vabsdiffu, x < y ? y - x : x - y)
LADDER_SIMD_SIGNED(__vabsdiffs, x < y ? y - x : x - y)
LADDER_SIMD_UNSIGNED(__vcmpeq, x == y ? -1 : 0)
LADDER_SIMD_UNSIGNED(__vcmpne, x != y ? -1 : 0)
LADDER_SIMD_UNSIGNED(__vcmpgtu, x > y ? -1 : 0)
LADDER_SIMD_UNSIGNED(__vcmpgeu, x >= y ? -1 : 0)
LADDER_SIMD_UNSIGNED(__vcmpltu, x < y ? -1 : 0)
LADDER_SIMD_UNSIGNED(__vcmpleu, x <= y ? -1 : 0)
LADDER_SIMD_SIGNED(__vcmpgts, x > y ? -1 : 0)
LADDER_SIMD_SIGNED(__vcmpges, x >= y ? -1 : 0)
LADDER_SIMD_SIGNED(__vcmplts, x < y ? -1 : 0)
LADDER_SIMD_SIGNED(__vcmples, x <= y ? -1 : 0)
LADDER_SIMD_UNSIGNED(__vseteq, x == y)
LADDER_SIMD_UNSIGNED(__vsetne, x != y)
LADDER_SIMD_UNSIGNED(__vsetgtu, x > y)
LADDER_SIMD_UNSIGNED(__vsetltu, x < y)
#undef LADDER_SIMD
#undef LADDER_SIMD_SIGNED
#undef LADDER_SIMD_UNSIGNED

constexpr unsigned __vneg2(unsigned a) {
  return __vsub2(0, a);
}
constexpr unsigned __vneg4(unsigned a) {
  return __vsub4(0, a);
}
constexpr unsigned __vabs2(unsigned a) {
  return __vabsdiffs2(a, 0);
}
constexpr unsigned __vabs4(unsigned a) {
  return __vabsdiffs4(a, 0);
}
/// The sum of the absolute differences of all bytes.
constexpr unsigned __vsadu4(unsigned a, unsigned b) {
  return __dp4a(__vabsdiffu4(a, b), 0x01010101u, 0u);
}
