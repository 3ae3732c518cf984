#include "common/trace/access_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "common/base/text/numbers.hpp"

namespace ladder {
namespace {

constexpr std::int64_t sector = 32, word_bytes = 4, banks = 32;

/// One lane of a request.
struct Lane {
  int lane;
  std::int64_t at;  ///< bytes from the beginning of the object
};

std::vector<Lane> lanes_of(const WarpAccess& access) {
  std::vector<Lane> lanes;
  for (int i = 0; i < 32 && i < static_cast<int>(access.at.size()); ++i)
    if (access.at[static_cast<std::size_t>(i)] >= 0)
      lanes.push_back({i, access.at[static_cast<std::size_t>(i)]});
  return lanes;
}

const char* verb_of(const LineCounters& line) {
  return line.operation == "load" ? "read" : line.operation == "atomic" ? "change" : "write";
}

/// "lanes 0..31", "all lanes" when it is the whole warp.
std::string range_text(int first, int last) {
  return first == last ? fmt::format("lane {}", first) : fmt::format("lanes {}..{}", first, last);
}

/// The one distance between neighbours of a stretch of lanes. @return false when there is none
bool same_distance(const std::vector<Lane>& lanes, std::size_t begin, std::size_t end,
                   std::int64_t& distance) {
  if (end - begin < 2) return false;
  distance = lanes[begin + 1].at - lanes[begin].at;
  for (std::size_t i = begin + 1; i < end; ++i)
    if (lanes[i].at - lanes[i - 1].at != distance) return false;
  return true;
}

/// The warp as equal stretches in each of which neighbours have one distance: rows of a block narrower than a
/// warp.
struct Stretches {
  std::size_t length = 0;    ///< lanes of each; 0: there are none
  std::int64_t inside = 0;   ///< distance of neighbours
  std::int64_t between = 0;  ///< distance of the beginnings; 0: not the same everywhere
};

Stretches stretches_of(const std::vector<Lane>& lanes) {
  for (const std::size_t length : {16u, 8u, 4u, 2u}) {
    if (lanes.size() % length != 0 || lanes.size() <= length) continue;
    Stretches found{length, 0, 0};
    bool fits = true, even = true;
    for (std::size_t begin = 0; fits && begin < lanes.size(); begin += length) {
      std::int64_t distance = 0;
      fits =
          same_distance(lanes, begin, begin + length, distance) && (begin == 0 || distance == found.inside);
      found.inside = distance;
      if (begin < length) continue;
      const std::int64_t step = lanes[begin].at - lanes[begin - length].at;
      if (begin == length) found.between = step;
      even = even && step == found.between;
    }
    if (!fits) continue;
    if (!even) found.between = 0;
    return found;
  }
  return {};
}

/// What a distance between neighbours means for device memory.
std::string distance_text(std::int64_t distance, std::int64_t size) {
  const std::int64_t apart = std::abs(distance);
  const std::string backwards = distance < 0 ? ", backwards" : "";
  if (apart == size) return "neighbouring elements" + backwards;
  if (apart < size) return fmt::format("elements that overlap, {} apart", counted(apart, "byte")) + backwards;
  if (apart >= sector)
    return fmt::format("elements {} apart, a sector each", counted(apart, "byte")) + backwards;
  return fmt::format("elements {} apart: {} of each sector's 32 bytes are used", counted(apart, "byte"),
                     sector * size / apart) +
         backwards;
}

std::string who(const std::vector<Lane>& lanes, std::size_t begin, std::size_t end) {
  return lanes.size() == 32 && end - begin == 32 ? "lanes 0..31"
                                                 : range_text(lanes[begin].lane, lanes[end - 1].lane);
}

std::string describe_global(const LineCounters& line, const std::vector<Lane>& lanes) {
  const std::int64_t size = std::max<std::int64_t>(line.size, 1);
  const std::string verb = verb_of(line);
  std::int64_t distance = 0;
  if (same_distance(lanes, 0, lanes.size(), distance)) {
    if (distance == 0)
      return fmt::format("{} {} the same element",
                         lanes.size() == 32 ? "all lanes" : who(lanes, 0, lanes.size()), verb);
    std::string text =
        fmt::format("{} {} {}", who(lanes, 0, lanes.size()), verb, distance_text(distance, size));
    if (distance == size && lanes.front().at % sector != 0)
      text += fmt::format(", {} past the start of a sector", counted(lanes.front().at % sector, "byte"));
    return text;
  }
  if (const Stretches s = stretches_of(lanes); s.length > 0) {
    const std::string first = who(lanes, 0, s.length);
    const std::string what = s.inside == 0 ? "one element" : distance_text(s.inside, size);
    const std::string then =
        s.between != 0 ? fmt::format("{} further on", counted(std::abs(s.between), "byte")) : "elsewhere";
    return fmt::format("{} {} {}, the next {} the same {}", first, verb, what, s.length, then);
  }
  std::set<std::int64_t> elements, sectors;
  for (const Lane& lane : lanes) {
    elements.insert(lane.at);
    for (std::int64_t s = lane.at / sector; s <= (lane.at + size - 1) / sector; ++s) sectors.insert(s);
  }
  return fmt::format("{} lanes {} {} elements in {} sectors, at no regular distance", lanes.size(), verb,
                     elements.size(), sectors.size());
}

/// The bank in which most different words are asked for at once, and by which lanes.
struct Conflict {
  std::int64_t bank = 0;
  std::set<std::int64_t> words;
  int first = 0, last = 0;
};

/// Whether each lane's neighbour at that distance is not there or has the same address.
bool in_pairs(const std::vector<Lane>& lanes, int distance) {
  std::map<int, std::int64_t> at;
  for (const Lane& lane : lanes) at[lane.lane] = lane.at;
  return std::ranges::all_of(lanes, [&](const Lane& lane) {
    const auto other = at.find(lane.lane ^ distance);
    return other == at.end() || other->second == lane.at;
  });
}

/// How many lanes one pass through the banks may serve: shared_shape() of base/access_shape.cpp has the rule.
int lanes_of_a_pass(unsigned size, const std::vector<Lane>& lanes) {
  const int alone = size <= 4 ? 32 : size <= 8 ? 16 : 8;
  if (alone == 32) return 32;
  for (int begin = 0; begin < 32; begin += 2 * alone) {
    std::vector<Lane> pair;
    for (const Lane& lane : lanes)
      if (lane.lane >= begin && lane.lane < begin + 2 * alone) pair.push_back(lane);
    if (!in_pairs(pair, 1) && !in_pairs(pair, 2)) return alone;
  }
  return 2 * alone;
}

Conflict worst_bank(const LineCounters& line, const std::vector<Lane>& lanes, int together) {
  Conflict worst;
  for (int begin = 0; begin < 32; begin += together) {
    std::map<std::int64_t, Conflict> by_bank;
    for (const Lane& lane : lanes) {
      if (lane.lane < begin || lane.lane >= begin + together) continue;
      for (std::int64_t w = lane.at / word_bytes; w <= (lane.at + std::max(line.size, 1u) - 1) / word_bytes;
           ++w) {
        Conflict& here = by_bank[w % banks];
        if (here.words.empty()) here.bank = w % banks, here.first = lane.lane;
        here.words.insert(w);
        here.last = lane.lane;
      }
    }
    for (auto& [bank, conflict] : by_bank)
      if (conflict.words.size() > worst.words.size()) worst = std::move(conflict);
  }
  return worst;
}

/// Without a conflict, several passes come from the width of the access alone.
std::string without_conflict(const LineCounters& line, const std::vector<Lane>& lanes, int together) {
  const std::string text = fmt::format("{} {} different banks", who(lanes, 0, lanes.size()), verb_of(line));
  const bool in_parts = together < 32 && lanes.back().lane / together > lanes.front().lane / together;
  if (!in_parts || line.wavefronts <= line.requests) return text;
  return fmt::format("{} {} {} bytes each: {} lanes at a time, without a conflict",
                     who(lanes, 0, lanes.size()), verb_of(line), line.size, together);
}

std::string describe_shared(const LineCounters& line, const std::vector<Lane>& lanes) {
  const std::string verb = verb_of(line);
  std::int64_t distance = 0;
  const bool even = same_distance(lanes, 0, lanes.size(), distance);
  if (even && distance == 0)
    return fmt::format("{} {} the same element",
                       lanes.size() == 32 ? "all lanes" : who(lanes, 0, lanes.size()), verb);
  const int together = lanes_of_a_pass(line.size, lanes);
  const Conflict worst = worst_bank(line, lanes, together);
  if (worst.words.size() <= 1) return without_conflict(line, lanes, together);
  const std::string apart = even ? fmt::format(", {} apart,", counted(std::abs(distance), "byte")) : "";
  return fmt::format("{}{} {} {} different words in bank {}, one after the other",
                     range_text(worst.first, worst.last), apart, verb, worst.words.size(), worst.bank);
}

std::string a_request(std::uint64_t amount, std::uint64_t requests) {
  const double each = static_cast<double>(amount) / static_cast<double>(requests);
  const double rounded = static_cast<double>(static_cast<std::uint64_t>(each * 10 + 0.5)) / 10;
  return fmt::format("{:g}", rounded);
}

std::string against_ideal(std::uint64_t amount, std::uint64_t ideal, std::uint64_t requests,
                          const char* what) {
  const std::string each = a_request(amount, requests);
  return fmt::format("{} {}{} per request, ideal {}", each, what, each == "1" ? "" : "s",
                     a_request(ideal, requests));
}

std::uint64_t ideal_of(const LineCounters& line) {
  return line.space == "shared" ? line.necessary_wavefronts : line.necessary_sectors;
}

}  // namespace

std::string cost_text(const LineCounters& line) {
  if (line.requests == 0) return "";
  if (line.operation == "atomic")
    return line.most_lanes_at_one_address == 1
               ? "each lane at an address of its own"
               : fmt::format("{} lanes at one address", line.most_lanes_at_one_address);
  if (line.space == "shared")
    return against_ideal(line.wavefronts, ideal_of(line), line.requests, "wavefront");
  return against_ideal(line.sectors, line.necessary_sectors, line.requests, "sector");
}

std::string describe(const LineCounters& line) {
  if (!line.worst) return "";
  const std::vector<Lane> lanes = lanes_of(*line.worst);
  if (lanes.empty()) return "";
  if (lanes.size() == 1) return fmt::format("lane {} alone", lanes.front().lane);
  return line.space == "shared" ? describe_shared(line, lanes) : describe_global(line, lanes);
}

double beyond_ideal(const LineCounters& line) {
  const bool shared = line.space == "shared";
  const auto moved = static_cast<double>(shared ? line.wavefronts : line.sectors);
  const auto ideal = static_cast<double>(ideal_of(line));
  return ideal > 0 ? moved / ideal : 1;
}

bool is_ideal(const LineCounters& line) {
  if (line.requests == 0 || beyond_ideal(line) <= 1) return true;
  const bool shared = line.space == "shared";
  return a_request(shared ? line.wavefronts : line.sectors, line.requests) ==
         a_request(ideal_of(line), line.requests);
}

}  // namespace ladder
