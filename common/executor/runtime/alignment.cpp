/// @file
/// A value that a kernel reads or writes where its type cannot begin: a GPU ends the program there. This
/// processor may take a double2 as two doubles, wherever they are.

#include <cstdint>
#include <string>

#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

/// What the compiler reports about an address that is not a multiple of the type's alignment.
struct AlignmentCheck {
  const char* file;
  std::uint32_t line, column;
  const void* type;
  unsigned char log_alignment;
  /// 0 load, 1 store; more: a reference is bound, a member is named, which is no access yet.
  unsigned char use;
};

}  // namespace
}  // namespace ladder::executor

/// What -fsanitize=alignment calls.
extern "C" void __ubsan_handle_type_mismatch_v1(const void* what, std::uintptr_t address) {
  using namespace ladder::executor;
  const AlignmentCheck& check = *static_cast<const AlignmentCheck*>(what);
  if (check.use > 1 || !in_kernel()) return;
  const Site site{without_folder(check.file), static_cast<int>(check.line)};
  const std::size_t bytes = std::size_t{1} << check.log_alignment;
  if (observer)
    observer->misaligned(reinterpret_cast<const void*>(address), bytes, check.use == 1, site,
                         __builtin_return_address(0));
  fatal(site, std::string("the kernel ") + (check.use ? "writes" : "reads") +
                  " at a misaligned address: it is not a multiple of " + std::to_string(bytes) +
                  "\n    float4, double2 and other vectors begin at multiples of their size\n    in " +
                  where_in_grid());
}
