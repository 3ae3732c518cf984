#include "common/judge/inputs.hpp"

#include <sodium.h>

#include <array>
#include <cstring>
#include <memory>

#include "common/base/error.hpp"

namespace ladder {
namespace {

using StreamKey = std::array<unsigned char, 32>;
static_assert(std::tuple_size_v<StreamKey> == crypto_stream_chacha20_KEYBYTES &&
              std::tuple_size_v<StreamKey> == crypto_generichash_KEYBYTES);

class ChaCha20 final : public KeyedNumbers {
 public:
  explicit ChaCha20(const StreamKey& key) : key_(key) {}

  std::uint64_t bits() override {
    if (used_ == block_.size()) refill();
    return block_[used_++];
  }

 private:
  void refill() {
    constexpr unsigned char nonce[crypto_stream_chacha20_NONCEBYTES] =
        {};  // the key is of this purpose alone
    constexpr std::uint64_t blocks = sizeof block_ / 64;
    auto* const bytes = reinterpret_cast<unsigned char*>(block_.data());
    std::memset(bytes, 0, sizeof block_);
    ::crypto_stream_chacha20_xor_ic(bytes, bytes, sizeof block_, nonce, counter_, key_.data());
    counter_ += blocks;
    used_ = 0;
  }

  StreamKey key_;
  std::uint64_t counter_ = 0;
  std::array<std::uint64_t, 512> block_{};
  std::size_t used_ = block_.size();
};

/// The hash of texts that are told apart by their lengths.
class KeyedHash {
 public:
  explicit KeyedHash(const StreamKey& key) {
    ::crypto_generichash_init(&state_, key.data(), key.size(), std::tuple_size_v<StreamKey>);
  }
  void add(const std::string& text) {
    add(text.size());
    ::crypto_generichash_update(&state_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  void add(std::uint64_t number) {
    unsigned char bytes[8];
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(number), number >>= 8;
    ::crypto_generichash_update(&state_, bytes, sizeof bytes);
  }
  StreamKey end() {
    StreamKey result;
    ::crypto_generichash_final(&state_, result.data(), result.size());
    return result;
  }

 private:
  crypto_generichash_state state_;
};

StreamKey key_of(const std::string& hex) {
  StreamKey key;
  std::size_t bytes = 0;
  const char* end = nullptr;
  if (::sodium_init() < 0) throw Error("libsodium cannot start");
  if (::sodium_hex2bin(key.data(), key.size(), hex.c_str(), hex.size(), nullptr, &bytes, &end) != 0 ||
      bytes != key.size() || end != hex.c_str() + hex.size())
    throw Error("a key has 64 hexadecimal digits");
  return key;
}

}  // namespace

Random keyed_random(const std::string& key, const std::string& lesson, const Purpose& purpose) {
  KeyedHash hash(key_of(key));
  for (const std::string& text : {lesson, purpose.step, purpose.kind}) hash.add(text);
  hash.add(purpose.index);
  hash.add(purpose.turn);
  return Random(std::make_shared<ChaCha20>(hash.end()));
}

Random random_for(const Purpose& purpose, std::uint64_t seed) {
  if (plan().key.empty()) return Random(seed);
  return keyed_random(plan().key, plan().lesson, purpose);
}

}  // namespace ladder
