#pragma once
/// @file
/// Where the loops of the compiled code end.

#include <cstdint>

namespace ladder::executor {

/// The last jump back to the basic block whose hook returns to `code`; `code` itself when none leads there. A compiler
/// may have made several of the one at a loop's end. Both less the program's base. Any thread may ask.
std::uint32_t end_of_loop(std::uint32_t code);

}  // namespace ladder::executor
