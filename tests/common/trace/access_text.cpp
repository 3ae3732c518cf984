// The words for a warp's access fit the addresses of its lanes.
// Guards: docs/glossary.md#access-to-memory

#include "common/trace/access_text.hpp"

#include <functional>

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
        "lanes 0..31 read neighbouring elements, 8 bytes behind the beginning of a sector");
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
        "lanes 0..31, 128 bytes apart meet in bank 0: 32 different words, one after the other");
  CHECK(shared(8, [](int i) { return 256 * i; }) ==
        "lanes 0..15, 256 bytes apart meet in bank 0: 16 different words, one after the other");
  CHECK(shared(4, [](int) { return 4; }) == "all lanes write the same element");
}

TEST_CASE("a line's cost against its ideal") {
  LineCounters line;
  line.space = "global";
  line.operation = "load";
  line.requests = 8192;
  line.sectors = 262'144;
  line.necessary_sectors = 65'536;
  CHECK(cost_text(line) == "32 sectors a request, ideal 8");
  CHECK(beyond_ideal(line) == 4);
  line.sectors = line.necessary_sectors = 8192;
  CHECK(cost_text(line) == "1 sector a request, ideal 1");
  line.sectors = 12'000;
  CHECK(cost_text(line) == "1.5 sectors a request, ideal 1");
  line.space = "shared";
  line.wavefronts = 32 * 8192, line.necessary_wavefronts = 2 * 8192;
  CHECK(cost_text(line) == "32 wavefronts a request, ideal 2");
  line.operation = "atomic";
  line.most_lanes_at_one_address = 32;
  CHECK(cost_text(line) == "32 lanes at one address");
  CHECK(cost_text(LineCounters{}).empty());
}
