#include "common/executor/observe/comparisons.hpp"

#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

#include "common/executor/observe/counters/lines.hpp"

namespace ladder::executor {

thread_local constinit Comparisons comparisons;

namespace {

std::string name_of(const SourceLine& line) {
  return std::filesystem::path(line.file).filename();
}

}  // namespace

std::string Comparisons::value(const Place& place, std::uint64_t bits) {
  std::ostringstream out;
  if (place.type == Type::float32) {
    const auto half = static_cast<std::uint32_t>(bits);
    float number;
    std::memcpy(&number, &half, sizeof number);
    out << number;
  } else if (place.type == Type::float64) {
    double number;
    std::memcpy(&number, &bits, sizeof number);
    out << number;
  } else {
    const unsigned unused = 64 - 8 * place.bytes;  // negative numbers as such
    out << (static_cast<std::int64_t>(bits << unused) >> unused);
  }
  return out.str();
}

std::string Comparisons::text(const SourceLine& stuck) const {
  constexpr std::uint64_t many = 1000;  // a loop of this length with the same values goes on with them
  const Place* best = nullptr;
  bool best_here = false;
  for (const Place& place : places_) {
    if (place.code == 0 || place.same < many)
      continue;  // what was compared a few times may have been another thread's
    const SourceLine line = line_of(place.code);
    if (line.line == 0 || name_of(line) != name_of(stuck)) continue;  // folders may be shown in two ways
    const bool here = line.line == stuck.line;
    if (!best || std::pair(here, place.same) > std::pair(best_here, best->same))
      best = &place, best_here = here;
  }
  if (!best) return "";
  const std::string values = value(*best, best->a) + " with " + value(*best, best->b);
  return "The condition on line " + std::to_string(line_of(best->code).line) + " compares " + values +
         ", and has done so again and again. ";
}

}  // namespace ladder::executor
