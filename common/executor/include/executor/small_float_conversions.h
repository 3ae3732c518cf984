// No #pragma once: included once a type. Conversions between a 16-bit type and the others, by CUDA's names.
// LADDER_TYPE: the type. LADDER_TO(X, _rn): the name of X to the type, as __int2half_rn. LADDER_FROM(X, _rn):
// __half2int_rn.

#define LADDER_ROUNDED(OTHER, FROM, VALUE)                                                   \
  constexpr LADDER_TYPE LADDER_TO(OTHER, _rn)(FROM x) {                                      \
    return ladder::executor::small<LADDER_TYPE>(VALUE, ladder::executor::Rounding::nearest); \
  }                                                                                          \
  constexpr LADDER_TYPE LADDER_TO(OTHER, _rz)(FROM x) {                                      \
    return ladder::executor::small<LADDER_TYPE>(VALUE, ladder::executor::Rounding::zero);    \
  }                                                                                          \
  constexpr LADDER_TYPE LADDER_TO(OTHER, _ru)(FROM x) {                                      \
    return ladder::executor::small<LADDER_TYPE>(VALUE, ladder::executor::Rounding::up);      \
  }                                                                                          \
  constexpr LADDER_TYPE LADDER_TO(OTHER, _rd)(FROM x) {                                      \
    return ladder::executor::small<LADDER_TYPE>(VALUE, ladder::executor::Rounding::down);    \
  }
#define LADDER_TO_INTEGER(OTHER, TO)                                                                     \
  inline TO LADDER_FROM(OTHER, _rn)(LADDER_TYPE x) {                                                     \
    return ladder::executor::to_integer<TO>(static_cast<float>(x), ladder::executor::Rounding::nearest); \
  }                                                                                                      \
  inline TO LADDER_FROM(OTHER, _rz)(LADDER_TYPE x) {                                                     \
    return ladder::executor::to_integer<TO>(static_cast<float>(x), ladder::executor::Rounding::zero);    \
  }                                                                                                      \
  inline TO LADDER_FROM(OTHER, _ru)(LADDER_TYPE x) {                                                     \
    return ladder::executor::to_integer<TO>(static_cast<float>(x), ladder::executor::Rounding::up);      \
  }                                                                                                      \
  inline TO LADDER_FROM(OTHER, _rd)(LADDER_TYPE x) {                                                     \
    return ladder::executor::to_integer<TO>(static_cast<float>(x), ladder::executor::Rounding::down);    \
  }

LADDER_ROUNDED(float, float, x)
LADDER_ROUNDED(int, int, x)
LADDER_ROUNDED(uint, unsigned, x)
LADDER_ROUNDED(short, short, x)
LADDER_ROUNDED(ushort, unsigned short, x)
LADDER_ROUNDED(ll, long long, ladder::executor::sticky_double(x))
LADDER_ROUNDED(ull, unsigned long long, ladder::executor::sticky_double(x))
LADDER_TO_INTEGER(int, int)
LADDER_TO_INTEGER(uint, unsigned)
LADDER_TO_INTEGER(short, short)
LADDER_TO_INTEGER(ushort, unsigned short)
LADDER_TO_INTEGER(ll, long long)
LADDER_TO_INTEGER(ull, unsigned long long)

constexpr LADDER_TYPE LADDER_TO(float, )(float x) {
  return x;
}
constexpr LADDER_TYPE LADDER_TO(double, )(double x) {
  return x;
}
constexpr float LADDER_FROM(float, )(LADDER_TYPE x) {
  return x;
}
inline signed char LADDER_FROM(char, _rz)(LADDER_TYPE x) {
  return ladder::executor::to_integer<signed char>(static_cast<float>(x), ladder::executor::Rounding::zero);
}
inline unsigned char LADDER_FROM(uchar, _rz)(LADDER_TYPE x) {
  return ladder::executor::to_integer<unsigned char>(static_cast<float>(x), ladder::executor::Rounding::zero);
}

#undef LADDER_ROUNDED
#undef LADDER_TO_INTEGER
#undef LADDER_TYPE
#undef LADDER_TO
#undef LADDER_FROM
