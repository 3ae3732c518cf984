/// @file
/// Mutants state the words of their message, or why they cannot.
// Guards: docs/adding-a-lesson.md#the-mutants

#include "common/tool/maintain/checks/mutant_words.hpp"

#include "tests/common/catch.hpp"

using ladder::model::MutantWords;

namespace {

const std::string edit = "find\nold\nput\n# words none: within an edit this is code\nend\n";

}  // namespace

TEST_CASE("mutant words: counted, or explained in a comment of the mutant") {
  const auto words =
      ladder::mutant_words("mutant a\nverdict WRONG\nwords tails\nwords right in\n" + edit +
                               "\n# words none: this is above b's name\nmutant b\nverdict WRONG\n" + edit +
                               "\nmutant c\n# words none: the scheduler decides\nverdict CRASHED\n" + edit +
                               "\nmutant d\n# words none:\nverdict MISSED\n" + edit,
                           "x.mutants");
  REQUIRE(words.size() == 4);
  CHECK(words[0].words == 2);
  CHECK(words[0].why.empty());
  CHECK(words[1].words == 0);
  CHECK(words[1].why.empty());
  CHECK(words[2].why == "the scheduler decides");
  CHECK(words[3].why.empty());  // a reason has words
}

TEST_CASE("mutant words: a variant that is right needs none") {
  CHECK(ladder::mutant_words("mutant a\nverdict PASS\n" + edit, "x.variants").empty());
}
