#include "common/grade/key.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "common/base/error.hpp"

namespace ladder::grade {
namespace {

namespace fs = std::filesystem;

/// Keyed BLAKE2b of fields. Each has its length before it, so that ("a", "bc") and ("ab", "c") differ.
Key mac(const Key& key, std::initializer_list<std::string_view> fields) {
  if (sodium_init() < 0) throw Error("libsodium does not start: the system has no random numbers");
  crypto_generichash_state state;
  crypto_generichash_init(&state, key.data(), key.size(), Key().size());
  for (const std::string_view field : fields) {
    std::array<unsigned char, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i)
      length[i] = static_cast<unsigned char>(std::uint64_t{field.size()} >> (8 * i));
    crypto_generichash_update(&state, length.data(), length.size());
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(field.data()), field.size());
  }
  Key result{};
  crypto_generichash_final(&state, result.data(), result.size());
  return result;
}

/// Of a file that is open: nobody can put another in its place between the checks and the reading.
void refuse_readable(int file, const fs::path& path) {
  struct stat s {};
  if (fstat(file, &s) != 0 || !S_ISREG(s.st_mode))
    throw Error(fmt::format("{} is not a file", path.string()));
  if (s.st_uid != geteuid() && s.st_uid != 0)
    throw Error(
        fmt::format("{} belongs to another user: who owns a key can read and change it", path.string()));
  if ((s.st_mode & 077) != 0)
    throw Error(
        fmt::format("others may read or change the key in {} (mode {:04o}): chmod 600 {}. Where that changes "
                    "nothing (Windows' file systems), keep it in your Linux home",
                    path.string(), s.st_mode & 07777, path.string()));
}

}  // namespace

void write_new_key(const fs::path& path) {
  if (sodium_init() < 0) throw Error("libsodium does not start: the system has no random numbers");
  Key key{};
  randombytes_buf(key.data(), key.size());
  const std::string text = hex(key) + "\n";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0 && errno == EEXIST)
    throw Error(
        fmt::format("{} already exists: grades depend on the key in it. Name another file", path.string()));
  if (file < 0) throw Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  const bool written = fchmod(file, 0600) == 0 &&
                       write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                       fsync(file) == 0;
  const int reason = errno;
  const bool closed = close(file) == 0;
  if (written && closed) return;
  unlink(path.c_str());
  throw Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(reason)));
}

Key read_key(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    throw Error(fmt::format("cannot read the key in {}: {}. ./ladder grade key FILE makes one", path.string(),
                            std::strerror(errno)));
  std::array<char, 80> text{};
  ssize_t size = 0;
  try {
    refuse_readable(file, path);
    size = ::read(file, text.data(), text.size());
  } catch (...) {
    close(file);
    throw;
  }
  close(file);
  while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r')) --size;
  Key key{};
  std::size_t length = 0;
  const char* end = nullptr;
  if (size != 64 || sodium_hex2bin(key.data(), key.size(), text.data(), 64, nullptr, &length, &end) != 0 ||
      length != key.size() || end != text.data() + 64)
    throw Error(fmt::format("{} holds no key: a line of 64 hexadecimal digits is one", path.string()));
  return key;
}

Key plan_key(const Key& key, const std::string& pseudonym, int attempt, const std::string& part) {
  return mac(key, {"plan", pseudonym, std::to_string(attempt), part});
}

std::string hex(const Key& key) {
  std::string text(2 * key.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), key.data(), key.size());
  text.pop_back();
  return text;
}

std::string key_id(const Key& key) {
  return hex(mac(key, {"id"})).substr(0, 8);
}

std::string pseudonym_of(const Key& key, const std::string& name) {
  const Key sum = mac(key, {"pseudonym", name});
  std::string text = "S-";
  std::uint64_t bits = 0;
  for (int i = 0; i < 5; ++i) bits = bits << 8 | sum[static_cast<std::size_t>(i)];
  for (int i = 7; i >= 0; --i) text += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[bits >> (5 * i) & 31];  // RFC 4648
  return text;
}

}  // namespace ladder::grade
