#pragma once
/// @file
/// Random numbers in kernels: the generators XORWOW and Philox of cuRAND, with its sequences.

#include "cuda_runtime.h"

/// What programs of the host use, which include this header for both.
#define LADDER_EXECUTOR_NO_HOST_RANDOM \
  LADDER_EXECUTOR_NONE("cuRAND on the host: generate in a kernel, with curand_init() and curand_uniform()")
struct LADDER_EXECUTOR_NO_HOST_RANDOM curandGenerator_st;
using curandGenerator_t LADDER_EXECUTOR_NO_HOST_RANDOM = void*;
#define LADDER_EXECUTOR_HOST_RANDOM(NAME) \
  template <class... Anything>            \
  LADDER_EXECUTOR_NO_HOST_RANDOM int NAME(const Anything&...);
LADDER_EXECUTOR_HOST_RANDOM(curandCreateGenerator)
LADDER_EXECUTOR_HOST_RANDOM(curandCreateGeneratorHost)
LADDER_EXECUTOR_HOST_RANDOM(curandDestroyGenerator)
LADDER_EXECUTOR_HOST_RANDOM(curandSetPseudoRandomGeneratorSeed)
LADDER_EXECUTOR_HOST_RANDOM(curandSetStream)
LADDER_EXECUTOR_HOST_RANDOM(curandGenerate)
LADDER_EXECUTOR_HOST_RANDOM(curandGenerateUniform)
LADDER_EXECUTOR_HOST_RANDOM(curandGenerateUniformDouble)
LADDER_EXECUTOR_HOST_RANDOM(curandGenerateNormal)
LADDER_EXECUTOR_HOST_RANDOM(curandGenerateNormalDouble)
LADDER_EXECUTOR_HOST_RANDOM(curandGenerateLogNormal)
LADDER_EXECUTOR_HOST_RANDOM(curandGeneratePoisson)
#undef LADDER_EXECUTOR_HOST_RANDOM
enum curandRngType_t {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
};

/// G. Marsaglia's xorwow (Xorshift RNGs, 2003).
struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandState = curandStateXORWOW;

/// Philox 4x32-10 (J. Salmon and others, Parallel random numbers: as easy as 1, 2, 3, 2011).
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;  ///< which of the four numbers of `output` is next
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

namespace ladder::executor {

/// Moves the five words of xorwow on by count * 2^log_steps steps.
void xorwow_skip(unsigned* words, unsigned long long count, int log_steps);

// Numbers become fractions in (0, 1], angles for the method of Box and Muller.
constexpr float per_word = 2.3283064e-10f;
constexpr double per_word_double = 2.3283064365386963e-10, per_53_bits = 1.1102230246251565e-16;

inline float fraction(unsigned x) {
  return static_cast<float>(x) * per_word + per_word / 2;
}
inline double fraction(unsigned low, unsigned high) {
  const unsigned long long bits = low ^ static_cast<unsigned long long>(high) << 21;
  return static_cast<double>(bits) * per_53_bits + per_53_bits / 2;
}
inline float2 normal_pair(unsigned x, unsigned y) {
  constexpr float angle = per_word * 6.2831855f;
  const float v = static_cast<float>(y) * angle + angle / 2, length = sqrtf(-2 * logf(fraction(x)));
  return {sinf(v) * length, cosf(v) * length};
}
inline double2 normal_pair(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const unsigned long long bits = y0 ^ static_cast<unsigned long long>(y1) << 21;
  const double v = static_cast<double>(bits) * (per_53_bits * 2) + per_53_bits;
  const double length = sqrt(-2 * log(fraction(x0, x1)));
  return {sinpi(v) * length, cospi(v) * length};
}

/// Ten rounds.
inline uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
    const unsigned high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
    counter = {high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0};
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}

inline void philox_add(uint4& counter, unsigned long long n) {
  const unsigned long long low = (static_cast<unsigned long long>(counter.y) << 32 | counter.x) + n;
  counter.x = static_cast<unsigned>(low);
  counter.y = static_cast<unsigned>(low >> 32);
  if (low < n && ++counter.z == 0) ++counter.w;
}

constexpr int has_normal = 0x09;

}  // namespace ladder::executor

// ---------------------------------------------------------------- XORWOW

inline void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  ladder::executor::xorwow_skip(state->v, n, 0);
  state->d += 362437u * static_cast<unsigned>(n);
}
/// A subsequence has 2^67 numbers.
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  ladder::executor::xorwow_skip(state->v, n, 67);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW_t* state) {
  const unsigned a = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u);
  const unsigned b = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  *state = {6615241u + b + a,
            {123456789u + a, 362436069u ^ a, 521288629u + b, 88675123u ^ b, 5783321u + a},
            0,
            0,
            0,
            0};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
inline unsigned curand(curandStateXORWOW_t* state) {
  unsigned* v = state->v;
  const unsigned t = v[0] ^ (v[0] >> 2);
  for (int i = 0; i < 4; ++i) v[i] = v[i + 1];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return v[4] + state->d;
}
inline double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned low = curand(state), high = curand(state);
  return ladder::executor::fraction(low, high);
}
inline double2 curand_normal2_double(curandStateXORWOW_t* state) {
  const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return ladder::executor::normal_pair(x0, x1, y0, y1);
}

// ---------------------------------------------------------------- Philox

inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  state->STATE += static_cast<unsigned>(n & 3);
  n /= 4;
  if (state->STATE > 3) {
    ++n;
    state->STATE -= 4;
  }
  ladder::executor::philox_add(state->ctr, n);
  state->output = ladder::executor::philox(state->ctr, state->key);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned before = state->ctr.z;
  state->ctr.z += static_cast<unsigned>(n);
  state->ctr.w += static_cast<unsigned>(n >> 32) + (state->ctr.z < before);
  state->output = ladder::executor::philox(state->ctr, state->key);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10_t* state) {
  *state = {};
  state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
inline unsigned curand(curandStatePhilox4_32_10_t* state) {
  const uint4 o = state->output;
  const unsigned word = state->STATE++;
  if (state->STATE == 4) {
    ladder::executor::philox_add(state->ctr, 1);
    state->output = ladder::executor::philox(state->ctr, state->key);
    state->STATE = 0;
  }
  return word == 1 ? o.y : word == 2 ? o.z : word == 3 ? o.w : o.x;
}
inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 a = state->output;
  ladder::executor::philox_add(state->ctr, 1);
  state->output = ladder::executor::philox(state->ctr, state->key);
  const uint4 b = state->output;
  switch (state->STATE) {
    case 1:
      return {a.y, a.z, a.w, b.x};
    case 2:
      return {a.z, a.w, b.x, b.y};
    case 3:
      return {a.w, b.x, b.y, b.z};
    default:
      return a;
  }
}
inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  using ladder::executor::fraction;
  return {fraction(x.x), fraction(x.y), fraction(x.z), fraction(x.w)};
}
inline double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return curand(state) * ladder::executor::per_word_double + ladder::executor::per_word_double;
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return {ladder::executor::fraction(x.x, x.y), ladder::executor::fraction(x.z, x.w)};
}
inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  const float2 a = ladder::executor::normal_pair(x.x, x.y), b = ladder::executor::normal_pair(x.z, x.w);
  return {a.x, a.y, b.x, b.y};
}
inline double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return ladder::executor::normal_pair(x.x, x.y, x.z, x.w);
}

// ---------------------------------------------------------------- both

template <class State>
float curand_uniform(State* state) {
  return ladder::executor::fraction(curand(state));
}
template <class State>
float2 curand_normal2(State* state) {
  const unsigned x = curand(state), y = curand(state);
  return ladder::executor::normal_pair(x, y);
}
/// Numbers come in pairs: every other call returns the second one.
template <class State>
float curand_normal(State* state) {
  if (state->boxmuller_flag == ladder::executor::has_normal) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = curand_normal2(state);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = ladder::executor::has_normal;
  return pair.x;
}
template <class State>
double curand_normal_double(State* state) {
  if (state->boxmuller_flag_double == ladder::executor::has_normal) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = ladder::executor::has_normal;
  return pair.x;
}
template <class State>
float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <class State>
double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
