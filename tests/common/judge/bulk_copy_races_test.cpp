// Races that racecheck reports of bulk copies are told from others: by the statement that a line belongs to.
// Guards: docs/rungs.md#what-the-words-mean

#include <string>

#include "common/base/files/whole_file.hpp"
#include "common/judge/findings/bulk_copy_races.hpp"
#include "common/judge/findings/sanitizer_rules.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

namespace {

// As compute-sanitizer of CUDA 13 printed it of 09/t1 on an H200, shortened.
const std::string of_copies =
    "========= Error: Race reported between Read access at npb_mg::<unnamed>::load_plane(const double *, "
    "int)+0x4a0 in "
    "t1_bulk_copies.cu:87\n"
    "=========     and Write access at npb_mg::copy(double *, const double *, unsigned int, "
    "npb_mg::CopyBarrier &)+0xfb0 "
    "in bulk_copies.cuh:86 [46272 hazards]\n"
    "=========     and Write access at npb_mg::copy(double *, const double *, unsigned int, "
    "npb_mg::CopyBarrier &)+0x10c0 "
    "in bulk_copies.cuh:86 [47504 hazards]\n"
    "=========\n";
const std::string of_threads =
    "========= Error: Race reported between Write access at k()+0xb0 in t1_bulk_copies.cu:90\n"
    "=========     and Read access at k()+0x1a0 in t1_bulk_copies.cu:91 [1 hazards]\n"
    "=========\n";
const std::string of_both =
    "========= Error: Race reported between Read access at k()+0xb0 in t1_bulk_copies.cu:90\n"
    "=========     and Write access at copy()+0xfb0 in bulk_copies.cuh:86 [2 hazards]\n"
    "=========     and Write access at k()+0x1a0 in t1_bulk_copies.cu:91 [1 hazards]\n";

RacesPrinted races_of(const std::string& printed) {
  return races_printed(
      printed, [](const std::string& file, int line) { return file == "bulk_copies.cuh" && line == 86; });
}

}  // namespace

TEST_CASE("races with bulk copies are counted apart from those between threads", "[racecheck]") {
  CHECK(races_of(of_copies).of_bulk_copies == 1);
  CHECK(races_of(of_copies).others == 0);
  CHECK(races_of(of_threads).others == 1);
  CHECK(races_of(of_copies + of_threads).of_bulk_copies == 1);
  CHECK(races_of(of_copies + of_threads).others == 1);
  CHECK(races_of(of_both).others == 1);
  CHECK(races_of("========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n").others == 0);
}

TEST_CASE("a line is part of a bulk copy when its statement issues one", "[racecheck]") {
  const std::string text =
      "  x = 1;\n"                                       // 1
      "  asm volatile(\n"                                // 2
      "      \"cp.async.bulk.shared::cluster [%0];\"\n"  // 3
      "      : : \"r\"(to)\n"                            // 4
      "      : \"memory\");\n"                           // 5
      "  y = tile[i];\n"                                 // 6
      "}\n";
  CHECK_FALSE(is_bulk_copy(text, 1));
  CHECK(is_bulk_copy(text, 4));
  CHECK(is_bulk_copy(text, 5));
  CHECK_FALSE(is_bulk_copy(text, 6));
  CHECK_FALSE(is_bulk_copy(text, 0));
  CHECK_FALSE(is_bulk_copy(text, 100));
  CHECK_FALSE(is_bulk_copy("", 1));
}

TEST_CASE("lesson 09's copies are known as bulk copies", "[racecheck]") {
  const std::string text = read_text(LADDER_ROOT_FOLDER "/lessons/09-npb-mg/bulk_copies.cuh");
  REQUIRE_FALSE(text.empty());
  int count = 1, copying = 0;
  for (const char c : text) count += c == '\n';
  for (int line = 1; line <= count; ++line) copying += is_bulk_copy(text, line);
  CHECK(copying > 0);
  CHECK(copying < count / 4);
}
