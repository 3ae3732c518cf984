#include "common/executor/observe/cells.hpp"

namespace ladder::executor {

void CellRegion::split(Page& page) {
  auto cells = std::make_unique<Cell[]>(page_bytes);
  for (std::size_t i = 0; i < page_bytes; ++i) {
    cells[i] = page.cells[i / 4];
    cells[i].value = page.cells[i / 4].value >> (i % 4 * 8) & 0xFF;
  }
  page.cells = std::move(cells);
  page.shift = 0;
}

}  // namespace ladder::executor
