// The words for a warp's access fit the addresses of its lanes.
// Guards: docs/glossary.md#access-to-memory

#include "common/trace/access_text.hpp"

#include <algorithm>
#include <functional>

#include "common/base/observation/access_shape.hpp"
#include "tests/common/catch.hpp"

namespace {

using namespace ladder;

LineCounters line_of(const char* space, const char* operation, unsigned size,
                     const std::function<std::int64_t(int)>& at) {
  LineCounters line;
  line.space = space;
  line.operation = operation;
  line.size = size;
  line.worst.emplace();
  for (int lane = 0; lane < 32; ++lane) line.worst->at.push_back(at(lane));
  return line;
}

std::string global(unsigned size, const std::function<std::int64_t(int)>& at) {
  return describe(line_of("global", "load", size, at));
}

std::string shared(unsigned size, const std::function<std::int64_t(int)>& at) {
  return describe(line_of("shared", "store", size, at));
}

}  // namespace

TEST_CASE("device memory: what the lanes of a warp read") {
  CHECK(global(8, [](int) { return 64; }) == "all lanes read the same element");
  CHECK(global(8, [](int i) { return 8 * i; }) == "lanes 0..31 read neighbouring elements");
  CHECK(global(8, [](int i) { return 8 + 8 * i; }) ==
        "lanes 0..31 read neighbouring elements, 8 bytes past the start of a sector");
  CHECK(global(8, [](int i) { return 512 * i; }) ==
        "lanes 0..31 read elements 512 bytes apart, a sector each");
  CHECK(global(8, [](int i) { return 16 * i; }) ==
        "lanes 0..31 read elements 16 bytes apart: 16 of each sector's 32 bytes are used");
  CHECK(global(4, [](int i) { return 4 * (31 - i); }) == "lanes 0..31 read neighbouring elements, backwards");
  CHECK(global(8, [](int i) { return i < 16 ? 8 * i : -1; }) == "lanes 0..15 read neighbouring elements");
  CHECK(global(8, [](int i) { return 8 * (i % 16) + 4096 * (i / 16); }) ==
        "lanes 0..15 read neighbouring elements, the next 16 the same 4096 bytes further on");
  CHECK(global(8, [](int i) { return 1024 * (i / 8); }) ==
        "lanes 0..7 read one element, the next 8 the same 1024 bytes further on");
  CHECK(global(4, [](int i) { return 4 * ((i * i * 7) % 1000); }).find("at no regular distance") !=
        std::string::npos);
  CHECK(global(4, [](int i) { return i == 3 ? 4 : -1; }) == "lane 3 alone");
  CHECK(describe(LineCounters{}).empty());
}

TEST_CASE("shared memory: which bank is asked for how much") {
  CHECK(shared(4, [](int i) { return 4 * i; }) == "lanes 0..31 write different banks");
  CHECK(shared(8, [](int i) { return 8 * i; }) ==
        "lanes 0..31 write different banks");  // half a warp at a time
  CHECK(shared(4, [](int i) { return 128 * i; }) ==
        "lanes 0..31, 128 bytes apart, write 32 different words in bank 0, one after the other");
  CHECK(shared(8, [](int i) { return 256 * i; }) ==
        "lanes 0..15, 256 bytes apart, write 16 different words in bank 0, one after the other");
  CHECK(shared(4, [](int) { return 4; }) == "all lanes write the same element");
}

TEST_CASE("shared memory: what is said of banks agrees with the wavefronts that were counted") {
  // Rows of a block that are 8 rows of As[128][8] apart: 64 doubles.
  CHECK(shared(8, [](int i) { return i / 16 * 512; }) ==
        "lanes 0..31 write 2 different words in bank 0, one after the other");
  CHECK(shared(8, [](int i) { return i / 8 * 512; }) ==
        "lanes 0..31 write 4 different words in bank 0, one after the other");
  CHECK(shared(16, [](int i) { return i / 8 * 512; }) ==
        "lanes 0..15 write 2 different words in bank 0, one after the other");
  // Any pattern of few rows and columns: a conflict is claimed where passes are counted, and nowhere else.
  for (const unsigned size : {4u, 8u, 16u})
    for (const int width : {1, 2, 4, 8, 16, 32})
      for (const int across : {0, 1, 2, 3, 4, 8, 16, 33, 64})
        for (const int down : {0, 1, 8, 16, 32, 33, 64}) {
          LineCounters line = line_of("shared", "load", size, [&](int i) {
            return std::int64_t(size) * (i % width * across + i / width * down);
          });
          Addresses addresses{.lane = {}, .mask = 0xFFFFFFFF, .size = size};
          for (int i = 0; i < 32; ++i)
            addresses.lane[std::size_t(i)] = std::uint64_t(line.worst->at[std::size_t(i)]);
          const Shape shape = shared_shape(addresses);
          line.requests = 1;
          line.wavefronts = shape.wavefronts, line.necessary_wavefronts = shape.necessary_wavefronts;
          const std::string text = describe(line);
          INFO(size << " bytes, width " << width << ", across " << across << ", down " << down << ": "
                    << text);
          const bool passes_of_width = text.find("without a conflict") != std::string::npos;
          const bool conflict = text.find("different words in bank") != std::string::npos;
          const bool same =
              text.find("the same element") != std::string::npos;  // which is no conflict, however wide
          CHECK(conflict == (shape.wavefronts > shape.necessary_wavefronts));
          if (shape.wavefronts > 1) CHECK((conflict || passes_of_width || same));
          if (shape.wavefronts == 1) CHECK_FALSE(conflict);
          if (text.find("different banks") != std::string::npos)
            CHECK(shape.wavefronts <= std::max(shape.necessary_wavefronts, size / 4));
        }
}

TEST_CASE("a line's cost against its ideal") {
  LineCounters line;
  line.space = "global";
  line.operation = "load";
  line.requests = 8192;
  line.sectors = 262'144;
  line.necessary_sectors = 65'536;
  CHECK(cost_text(line) == "32 sectors per request, ideal 8");
  CHECK(beyond_ideal(line) == 4);
  line.sectors = line.necessary_sectors = 8192;
  CHECK(cost_text(line) == "1 sector per request, ideal 1");
  line.sectors = 12'000;
  CHECK(cost_text(line) == "1.5 sectors per request, ideal 1");
  line.space = "shared";
  line.wavefronts = 32 * 8192, line.necessary_wavefronts = 2 * 8192;
  CHECK(cost_text(line) == "32 wavefronts per request, ideal 2");
  // Two rows of 16 threads read the same 16 doubles: of 128 different bytes, but half a warp at a time.
  LineCounters halves = line_of("shared", "load", 8, [](int i) { return i % 16 * 8; });
  halves.requests = 100, halves.wavefronts = halves.necessary_wavefronts = 200;
  CHECK(cost_text(halves) == "2 wavefronts per request, ideal 2");
  CHECK(is_ideal(halves));
  CHECK(beyond_ideal(halves) == 1);
  line.operation = "atomic";
  line.most_lanes_at_one_address = 32;
  CHECK(cost_text(line) == "32 lanes at one address");
  CHECK(cost_text(LineCounters{}).empty());
}
