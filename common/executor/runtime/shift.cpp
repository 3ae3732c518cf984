/// @file
/// A shift by at least as many bits as the number has, in a kernel: undefined in C++, 0 or all signs in PTX,
/// and something else on this processor. To go on would give a wrong result without notice.

#include <cstdint>
#include <string>

#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

/// What the compiler says of a type: its name in quotes, and for integers whether it has a sign and the
/// logarithm of its bits.
struct TypeOfNumber {
  std::uint16_t kind, sign_and_size;
  char name[1];

  bool is_signed() const { return sign_and_size & 1; }
  unsigned bits() const { return 1u << (sign_and_size >> 1); }
};

/// What the compiler says of a shift.
struct ShiftCheck {
  const char* file;
  std::uint32_t line, column;
  const TypeOfNumber *number, *count;
};

/// Numbers of up to 64 bits come as they are, larger ones by their address.
std::string count_text(const TypeOfNumber& type, std::uintptr_t value) {
  if (type.bits() > 64) return "more bits than 64";
  if (!type.is_signed()) return std::to_string(value);
  const unsigned unused = 64 - type.bits();
  return std::to_string(static_cast<std::int64_t>(value << unused) >> unused);
}

}  // namespace
}  // namespace ladder::executor

/// What -fsanitize=shift-exponent calls; on the host it is none of our business.
extern "C" void __ubsan_handle_shift_out_of_bounds(const void* what, std::uintptr_t, std::uintptr_t count) {
  using namespace ladder::executor;
  if (!in_kernel()) return;
  const ShiftCheck& check = *static_cast<const ShiftCheck*>(what);
  fatal({without_folder(check.file), static_cast<int>(check.line)},
        "a number of " + std::to_string(check.number->bits()) + " bits is shifted by " +
            count_text(*check.count, count) +
            "\n    C++ does not say what the result is; a GPU and this processor differ." +
            " Shift by 0 to " + std::to_string(check.number->bits() - 1) + " only\n    in " +
            where_in_grid());
}
