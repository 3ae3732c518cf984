#include "common/executor/observe/races/shadow_memory.hpp"

namespace ladder::executor {

void ShadowRegion::split(Page& page, std::uint8_t shift) {
  const std::size_t count = page_bytes >> shift, parts = std::size_t{1} << (page.shift - shift);
  auto cells = std::make_unique<ShadowCell[]>(count);
  for (std::size_t i = 0; i < count; ++i) {
    cells[i] = page.cells[i / parts];
    cells[i].value = cells[i].value >> (i % parts << shift) * 8 & mask_of(shift);
  }
  page.cells = std::move(cells);
  page.shift = shift;
}

}  // namespace ladder::executor
