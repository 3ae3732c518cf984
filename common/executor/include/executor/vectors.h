#pragma once
/// @file
/// dim3 and CUDA's short vectors: plain data with CUDA's alignment.

struct uint3 {
  unsigned x, y, z;
};

/// Sizes of a grid or a block; what is not given is 1.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// Four structures and four functions a type: a macro, because the names are made from the type's name.
#define LADDER_EXECUTOR_VECTOR(TYPE, NAME, ALIGN2, ALIGN4)           \
  struct NAME##1 {                                                   \
    TYPE x;                                                          \
  };                                                                 \
  struct __attribute__((aligned(ALIGN2))) NAME##2 {                  \
    TYPE x, y;                                                       \
  };                                                                 \
  struct __attribute__((aligned(ALIGN4))) NAME##4 {                  \
    TYPE x, y, z, w;                                                 \
  };                                                                 \
  constexpr NAME##1 make_##NAME##1(TYPE x) {                         \
    return {x};                                                      \
  }                                                                  \
  constexpr NAME##2 make_##NAME##2(TYPE x, TYPE y) {                 \
    return {x, y};                                                   \
  }                                                                  \
  constexpr NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { \
    return {x, y, z, w};                                             \
  }
// uint3 is defined above; the others are like it.
#define LADDER_EXECUTOR_MAKE3(TYPE, NAME)                    \
  constexpr NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { \
    return {x, y, z};                                        \
  }
#define LADDER_EXECUTOR_VECTOR3(TYPE, NAME) \
  struct NAME##3 {                          \
    TYPE x, y, z;                           \
  };                                        \
  LADDER_EXECUTOR_MAKE3(TYPE, NAME)

LADDER_EXECUTOR_VECTOR(signed char, char, 2, 4)
LADDER_EXECUTOR_VECTOR(unsigned char, uchar, 2, 4)
LADDER_EXECUTOR_VECTOR(short, short, 4, 8)
LADDER_EXECUTOR_VECTOR(unsigned short, ushort, 4, 8)
LADDER_EXECUTOR_VECTOR(int, int, 8, 16)
LADDER_EXECUTOR_VECTOR(unsigned, uint, 8, 16)
LADDER_EXECUTOR_VECTOR(long, long, 16, 16)
LADDER_EXECUTOR_VECTOR(unsigned long, ulong, 16, 16)
LADDER_EXECUTOR_VECTOR(long long, longlong, 16, 16)
LADDER_EXECUTOR_VECTOR(unsigned long long, ulonglong, 16, 16)
LADDER_EXECUTOR_VECTOR(float, float, 8, 16)
LADDER_EXECUTOR_VECTOR(double, double, 16, 16)

LADDER_EXECUTOR_VECTOR3(signed char, char)
LADDER_EXECUTOR_VECTOR3(unsigned char, uchar)
LADDER_EXECUTOR_VECTOR3(short, short)
LADDER_EXECUTOR_VECTOR3(unsigned short, ushort)
LADDER_EXECUTOR_VECTOR3(int, int)
LADDER_EXECUTOR_MAKE3(unsigned, uint)
LADDER_EXECUTOR_VECTOR3(long, long)
LADDER_EXECUTOR_VECTOR3(unsigned long, ulong)
LADDER_EXECUTOR_VECTOR3(long long, longlong)
LADDER_EXECUTOR_VECTOR3(unsigned long long, ulonglong)
LADDER_EXECUTOR_VECTOR3(float, float)
LADDER_EXECUTOR_VECTOR3(double, double)

// Newer names of the vectors of 32 bytes, which say how they are aligned
#define LADDER_EXECUTOR_WIDE(TYPE, NAME)                                     \
  using NAME##4_16a = NAME##4;                                               \
  struct __attribute__((aligned(32))) NAME##4_32a {                          \
    TYPE x, y, z, w;                                                         \
  };                                                                         \
  constexpr NAME##4_16a make_##NAME##4_16a(TYPE x, TYPE y, TYPE z, TYPE w) { \
    return {x, y, z, w};                                                     \
  }                                                                          \
  constexpr NAME##4_32a make_##NAME##4_32a(TYPE x, TYPE y, TYPE z, TYPE w) { \
    return {x, y, z, w};                                                     \
  }
LADDER_EXECUTOR_WIDE(long, long)
LADDER_EXECUTOR_WIDE(unsigned long, ulong)
LADDER_EXECUTOR_WIDE(long long, longlong)
LADDER_EXECUTOR_WIDE(unsigned long long, ulonglong)
LADDER_EXECUTOR_WIDE(double, double)

#undef LADDER_EXECUTOR_VECTOR
#undef LADDER_EXECUTOR_VECTOR3
#undef LADDER_EXECUTOR_MAKE3
#undef LADDER_EXECUTOR_WIDE
