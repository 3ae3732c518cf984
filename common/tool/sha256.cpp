#include "common/tool/sha256.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ladder {
namespace {

using Words = std::array<std::uint32_t, 8>;

/// First 32 bits of the fractional part of a root of the i-th prime, as the standard defines its constants.
/// Bisection for the largest r with r^power <= prime * 2^(32 power), then its low 32 bits.
std::uint32_t root_bits(unsigned prime, int power) {
  using Wide = unsigned __int128;
  std::uint64_t low = 0, high = std::uint64_t{20} << 32;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    // cube: middle < 2^37, so middle^3 < 2^111 fits.
    const Wide value = power == 2 ? Wide(middle) * middle : Wide(middle) * middle * middle;
    (value <= Wide(prime) << (32 * power) ? low : high) = middle;
  }
  return static_cast<std::uint32_t>(low);
}

struct Constants {
  Words start{};
  std::array<std::uint32_t, 64> round{};
  Constants() {
    int found = 0;
    for (unsigned p = 2; found < 64; ++p) {
      bool prime = true;
      for (unsigned d = 2; d * d <= p; ++d) prime = prime && p % d != 0;
      if (!prime) continue;
      if (found < 8) start[found] = root_bits(p, 2);
      round[found++] = root_bits(p, 3);
    }
  }
};

void mix(Words& h, const unsigned char* block, const Constants& k) {
  std::uint32_t w[64];
  for (int i = 0; i < 16; ++i)
    w[i] =
        std::uint32_t{block[4 * i]} << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; ++i) {
    const auto s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const auto s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, last] = h;
  for (int i = 0; i < 64; ++i) {
    const auto t1 = last + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                    k.round[i] + w[i];
    const auto t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    last = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const Words add{a, b, c, d, e, f, g, last};
  for (int i = 0; i < 8; ++i) h[i] += add[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  static const Constants constants;
  std::string padded(bytes);
  padded += '\x80';
  padded.resize((padded.size() + 8 + 63) / 64 * 64 - 8);
  for (int i = 7; i >= 0; --i) padded += static_cast<char>(std::uint64_t{bytes.size()} * 8 >> (8 * i));
  Words h = constants.start;
  for (std::size_t i = 0; i < padded.size(); i += 64)
    mix(h, reinterpret_cast<const unsigned char*>(padded.data()) + i, constants);
  std::string text;
  for (const std::uint32_t word : h)
    for (int i = 7; i >= 0; --i) text += "0123456789abcdef"[word >> (4 * i) & 15];
  return text;
}

}  // namespace ladder
