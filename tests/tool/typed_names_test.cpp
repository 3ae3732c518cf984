/// @file
/// Names of rungs as people type them: whatever can mean only one thing is understood, and nothing else is
/// guessed.
// Guards: docs/student.md#the-loop-on-one-screen

#include "common/tool/catalogue/typed_names.hpp"

#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "tests/common/catch.hpp"

namespace ladder::typed_names_test {
namespace fs = std::filesystem;
namespace {

/// Two lessons: both have g1 and g2, one alone has g3, c1 and the ideas first_kernel and tiles.
class TwoLessons {
 public:
  TwoLessons() {
    for (const char* file :
         {"00-first-steps/g1_first_kernel.cu", "00-first-steps/g2_guard.cu", "00-first-steps/g3_rows.cu",
          "03-dgemm/g1_naive.cu", "03-dgemm/g2_tiles.cu", "03-dgemm/c1_openmp.cpp"})
      write_text(root() / "lessons" / file, "// a rung\n");
  }
  fs::path root() const { return folder_.path(); }

  /// @param from  the folder in which it is typed
  std::vector<std::string> meant(const std::vector<std::string>& words, const std::string& last = "",
                                 const std::string& from = "") const {
    const Catalogue catalogue(root());
    return TypedNames(catalogue, root(), root() / from, last).meant(words);
  }
  std::string one(const std::string& word, const std::string& last = "", const std::string& from = "") const {
    const auto names = meant({word}, last, from);
    return names.size() == 1 ? names[0] : "not one name";
  }

 private:
  ScratchFolder folder_;
};

}  // namespace

TEST_CASE("typed names: each way to write a rung") {
  const TwoLessons c;
  for (const char* word : {"00/g1",
                           "00-g1",
                           "00g1",
                           "00_g1",
                           "00.g1",
                           "00:g1",
                           "00 g1",
                           "00/G1",
                           "00-G1",
                           "0/g1",
                           "0-g1",
                           "first-steps/g1",
                           "first-steps-g1",
                           "00-first-steps/g1",
                           "00-first-steps-g1",
                           "00/g1_first_kernel",
                           "00/g1_first_kernel.cu",
                           "00-g1_first_kernel.cu",
                           "00/first_kernel",
                           "first_kernel",
                           "g1_first_kernel",
                           "g1_first_kernel.cu",
                           "lessons/00-first-steps/g1_first_kernel.cu",
                           "./lessons/00-first-steps/g1_first_kernel.cu"}) {
    INFO(word);
    CHECK(c.one(word) == "00/g1");
  }
  CHECK(c.one((c.root() / "lessons/00-first-steps/g1_first_kernel.cu").string()) == "00/g1");
  CHECK(c.one("g1_first_kernel.cu", "", "lessons/00-first-steps") == "00/g1");
  CHECK(c.one("../00-first-steps/g1_first_kernel.cu", "", "lessons/03-dgemm") == "00/g1");
  CHECK(c.one(".", "", "lessons/03-dgemm") == "03-dgemm");
  CHECK(c.one("lessons/03-dgemm/") == "03-dgemm");
}

TEST_CASE("typed names: a rung alone is that of the only lesson that has it, or of the lesson one is in") {
  const TwoLessons c;
  CHECK(c.one("g3") == "00/g3");
  CHECK(c.one("c1") == "03/c1");
  CHECK(c.one("g1", "03-dgemm") == "03/g1");
  CHECK(c.one("G2", "00-first-steps") == "00/g2");
  CHECK(c.one("g1-g2", "03-dgemm") == "03/g1-g2");
  CHECK(c.one("g3", "03-dgemm") == "00/g3");
  try {
    c.one("g1");
    FAIL("g1 of which lesson?");
  } catch (const UsageError& error) {
    CHECK(error.text == "name a rung with its lesson: 00/g1 (first_kernel), 03/g1 (naive)");
  }
}

TEST_CASE("typed names: ranges, several rungs of a lesson, and lessons") {
  const TwoLessons c;
  CHECK(c.one("00/g1-3") == "00/g1-g3");
  CHECK(c.one("00-g1-g3") == "00/g1-g3");
  CHECK(c.one("00/g1-g3") == "00/g1-g3");
  CHECK(c.meant({"00", "g1"}) == std::vector<std::string>{"00/g1"});
  CHECK(c.meant({"00", "g1", "g2", "03"}) == std::vector<std::string>{"00/g1", "00/g2", "03"});
  CHECK(c.meant({"03", "c1"}) == std::vector<std::string>{"03/c1"});
  for (const char* lesson : {"00", "0", "00-first-steps", "first-steps", "03", "dgemm"})
    CHECK(c.one(lesson) == lesson);
}

TEST_CASE("typed names: programs, predictions and what is no rung stay as they were typed") {
  const TwoLessons c;
  write_text(c.root() / "g1_first_kernel.cu", "int main() {}\n");  // of somebody's own, where it is typed
  write_text(c.root() / "naive.cu", "int main() {}\n");
  for (const char* word : {"g1_first_kernel.cu", "naive.cu", "nowhere.cu", "tiles.cu", "sectors=5120",
                           "07/g1", "00/g9", "dgem", "00/", "--", "", "a b", "x00-g1", "00-g1x"})
    CHECK(c.one(word) == word);
}

}  // namespace ladder::typed_names_test
