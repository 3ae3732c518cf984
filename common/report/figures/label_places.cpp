#include "common/report/figures/label_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/figures/svg.hpp"

namespace ladder::report::svg {
namespace {

Box box_of(const LineName& name, double size) {
  const double width = extent(name.words, size);
  const double x0 = name.anchor == std::string("start") ? name.at.x
                    : name.anchor == std::string("end") ? name.at.x - width
                                                        : name.at.x - width / 2;
  return {x0 - 2, name.at.y - size, x0 + width + 2, name.at.y + 0.3 * size};
}

/// Moves names of one column as little as possible, so that none covers the next one: overlapping ones are
/// spread around the mean of their positions.
/// @param column  from the upper to the lower one
void spread(const std::vector<LineName*>& column, const Space& space) {
  constexpr double row = 15;
  struct Heap {
    double sum;         // of the places that the first name should have
    std::size_t count;  // names
    double first() const { return sum / static_cast<double>(count); }
    double end() const { return first() + static_cast<double>(count) * row; }
  };
  std::vector<Heap> heaps;
  for (const LineName* name : column) {
    heaps.push_back({name->end.y + 4.5, 1});
    while (heaps.size() > 1 && heaps[heaps.size() - 2].end() > heaps.back().first()) {
      const Heap last = heaps.back();
      heaps.pop_back();
      const auto above = static_cast<double>(heaps.back().count), below = static_cast<double>(last.count);
      heaps.back().sum += last.sum - above * below * row;
      heaps.back().count += last.count;
    }
  }
  auto next = column.begin();
  double highest = space.top + 13, lowest = space.bottom - 4;
  for (const Heap& heap : heaps)
    for (std::size_t i = 0; i < heap.count; ++i, highest += row)
      highest = (*next++)->at.y = std::max(heap.first() + static_cast<double>(i) * row, highest);
  for (auto name = column.rbegin(); name != column.rend(); ++name, lowest -= row)
    lowest = (*name)->at.y = std::min((*name)->at.y, lowest);
  for (LineName* name : column) {
    name->at.x = name->end.x + 16;
    name->leader = std::abs(name->at.y - 4.5 - name->end.y) > 5;
  }
}

}  // namespace

double covered(const Box& box, const Point& a, const Point& b) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const int steps = std::max(1, static_cast<int>(length / 2));
  int inside = 0;
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    inside += box.has({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
  }
  return 2.0 * inside;
}

void place(std::vector<LineName>& names, const std::vector<std::vector<Point>>& lines, const Space& space,
           double size) {
  std::vector<Box> taken;
  std::vector<LineName*> order;
  for (LineName& name : names) order.push_back(&name);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->minor != b->minor ? b->minor : a->end.y < b->end.y;
  });
  double farthest = 0;
  for (const LineName* name : order) farthest = std::max(farthest, name->minor ? 0 : name->end.x);
  std::vector<LineName*> column;
  for (LineName* name : order)
    if (!name->minor && name->end.x > farthest - 3) column.push_back(name);
  spread(column, space);
  for (const LineName* name : column) taken.push_back(box_of(*name, size));
  for (LineName* name : order) {
    if (std::find(column.begin(), column.end(), name) != column.end()) continue;
    double least = 1e300;
    LineName best = *name;
    const auto attempt = [&](Point at, const char* anchor, double price) {
      LineName here = *name;
      here.at = at, here.anchor = anchor;
      here.leader =
          std::hypot(at.x - here.end.x, at.y - 4 - here.end.y) > 22 && anchor == std::string("start");
      const Box r = box_of(here, size);
      double cost = price + (here.leader ? 15 : 0);
      cost += 50 * (std::max(0.0, space.left - r.x0) + std::max(0.0, r.x1 - space.right) +
                    std::max(0.0, space.top - r.y0) + std::max(0.0, r.y1 - space.bottom));
      for (const Box& other : taken) cost += r.overlaps(other) ? 400 : 0;
      for (const auto& line : lines)
        for (std::size_t i = 0; i + 1 < line.size(); ++i) cost += 10 * covered(r, line[i], line[i + 1]);
      if (here.leader)  // it must not cross another name either
        for (const Box& other : taken) cost += covered(other, here.end, {at.x - 2, at.y - 4}) > 0 ? 300 : 0;
      if (cost < least) least = cost, best = here;
    };
    const auto [x, y] = name->end;
    for (int step = 0; step <= 16; ++step)
      for (const double away : {8.0 * step, -8.0 * step})
        attempt({x + (step < 2 ? 10 : 16), y + 4.5 + away}, "start", 2 * std::abs(away));
    attempt({x, y - 10}, "middle", 20), attempt({x, y + 20}, "middle", 22);
    attempt({x - 8, y - 8}, "end", 24), attempt({x - 8, y + 18}, "end", 26);
    *name = best;
    taken.push_back(box_of(best, size));
  }
}

std::string drawn(const std::vector<LineName>& names, double size) {
  std::string out;
  for (const LineName& name : names)
    if (name.leader)
      out += line(name.end.x + 5, name.end.y, name.at.x - 2, name.at.y - 4.5,
                  "stroke-width=\"0.8\" stroke-opacity=\"0.7\"");
  for (const LineName& name : names)
    out += text(name.at.x, name.at.y, name.words, name.anchor,
                fmt::format("font-size=\"{}\" stroke-width=\"4\"", size));
  return out;
}

std::size_t label_stride(const std::vector<double>& xs, const std::vector<double>& widths) {
  for (std::size_t stride = 1; stride < xs.size(); ++stride) {
    bool fits = true;
    // The last tick has a label: it is the largest size.
    for (std::size_t i = xs.size() - 1; i >= stride; i -= stride)
      fits = fits && xs[i] - widths[i] / 2 - 5 >= xs[i - stride] + widths[i - stride] / 2;
    if (fits) return stride;
  }
  return std::max<std::size_t>(1, xs.size());
}

}  // namespace ladder::report::svg
