// Archives of rar, byte by byte: https://www.rarlab.com/technote.htm for that of 2013.

#include <cstdint>
#include <string>
#include <vector>

#include "tests/common/grade/packed.hpp"

namespace ladder::grade::test {
namespace {

using namespace std::string_literals;

std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

/// The lowest bytes of a number, the lowest first.
std::string bytes_of(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xff);
  return text;
}

/// Seven bits a byte, the lowest first.
std::string vint(std::uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text += static_cast<char>((value & 0x7f) | 0x80);
  return text + static_cast<char>(value);
}

std::string sized(const std::string& text) {
  return vint(text.size()) + text;
}

std::string block5(const std::string& header) {
  const std::string counted = sized(header);
  return bytes_of(crc32(counted), 4) + counted;
}

/// Where a link leads; empty for what is none.
std::string redirection(const Item& item) {
  if (item.type != 'l' && item.type != 'h') return "";
  return sized(vint(5) + vint(item.type == 'l' ? 1 : 4) + vint(0) + sized(item.bytes));
}

std::string file5(const Item& item, std::uint64_t said) {
  constexpr std::uint64_t extra = 1, data = 2, folder = 1, has_crc = 4, unix = 1;
  const std::string content = item.type == 'f' ? item.bytes : "", more = redirection(item);
  std::string header = vint(2) + vint(data | (more.empty() ? 0 : extra));
  if (!more.empty()) header += vint(more.size());
  header += vint(content.size()) + vint(has_crc | (item.type == 'd' ? folder : 0)) +
            vint(said > 0 ? said : content.size()) + vint(item.type == 'd' ? 040755 : 0100644) +
            bytes_of(crc32(content), 4) + vint(0) + vint(unix) + sized(item.path) + more;
  return block5(header) + content;
}

std::string block4(int type, int flags, const std::string& fields) {
  const std::string header = bytes_of(static_cast<unsigned>(type), 1) +
                             bytes_of(static_cast<unsigned>(flags), 2) + bytes_of(7 + fields.size(), 2) +
                             fields;
  return bytes_of(crc32(header), 2) + header;
}

std::string file4(const Item& item) {
  constexpr std::uint64_t unix = 3, version = 20, stored = 0x30;
  const std::string size = bytes_of(item.bytes.size(), 4);
  return block4(0x74, 0x8000,
                size + size + bytes_of(unix, 1) + bytes_of(crc32(item.bytes), 4) + bytes_of(0, 4) +
                    bytes_of(version, 1) + bytes_of(stored, 1) + bytes_of(item.path.size(), 2) +
                    bytes_of(0100644, 4) + item.path) +
         item.bytes;
}

}  // namespace

std::string rar5_of(const std::vector<Item>& items, std::uint64_t said) {
  std::string all = "Rar!\x1a\x07\x01\0"s + block5(vint(1) + vint(0) + vint(0));
  for (const Item& item : items) all += file5(item, said);
  return all + block5(vint(5) + vint(0) + vint(0));
}

std::string encrypted_rar5() {
  const std::string salt(16, 's'), rounds(1, '\x0f');
  return "Rar!\x1a\x07\x01\0"s + block5(vint(4) + vint(0) + vint(0) + vint(0) + rounds + salt) +
         std::string(64, 'x');
}

std::string rar4_of(const std::vector<Item>& items) {
  std::string all = "Rar!\x1a\x07\0"s + block4(0x73, 0, std::string(6, '\0'));
  for (const Item& item : items)
    if (item.type == 'f') all += file4(item);
  return all + block4(0x7b, 0x4000, "");
}

}  // namespace ladder::grade::test
