/// @file
/// The class key and what is derived from it; groups.
// Guards: docs/grading.md#keys-and-repeating-a-case

#include "common/grade/key.hpp"

#include <sys/stat.h>

#include <regex>
#include <set>

#include "common/base/error.hpp"
#include "common/grade/groups.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/grade/packed.hpp"

using namespace ladder::grade;
using namespace ladder::grade::test;
using ladder::test::contains;

namespace {

/// What a call throws; empty: nothing.
template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const ladder::Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a class key is made once, for its owner alone") {
  const Scratch scratch;
  const mode_t old = umask(0);
  write_new_key(scratch / "class.key");
  umask(old);
  struct stat s {};
  REQUIRE(stat((scratch / "class.key").c_str(), &s) == 0);
  CHECK((s.st_mode & 07777) == 0600);
  const Key key = read_key(scratch / "class.key");
  CHECK(read(scratch / "class.key") == hex(key) + "\n");
  CHECK(std::regex_match(hex(key), std::regex("[0-9a-f]{64}")));
  CHECK(contains(error_of([&] { write_new_key(scratch / "class.key"); }), "already exists"));
  CHECK(read_key(scratch / "class.key") == key);
  write_new_key(scratch / "other.key");
  CHECK(read_key(scratch / "other.key") != key);
  CHECK(contains(error_of([&] { write_new_key(scratch / "none/a.key"); }), "cannot write"));
}

TEST_CASE("a key that others can read, or that is none, is refused with what to do") {
  const Scratch scratch;
  const fs::path file = scratch / "class.key";
  write_new_key(file);
  for (const mode_t mode : {0640, 0604, 0660, 0610}) {
    REQUIRE(chmod(file.c_str(), mode) == 0);
    CHECK(contains(error_of([&] { read_key(file); }), "chmod 600 " + file.string()));
  }
  REQUIRE(chmod(file.c_str(), 0400) == 0);
  CHECK(error_of([&] { read_key(file); }).empty());
  REQUIRE(chmod(file.c_str(), 0600) == 0);
  const std::string good = read(file);
  for (const std::string& bad :
       {std::string(), std::string("abc"), good + "0", "x" + good.substr(1), good + good}) {
    write(file, bad);
    CHECK(contains(error_of([&] { read_key(file); }), "holds no key"));
  }
  CHECK(contains(error_of([&] { read_key(scratch / "none"); }), "./ladder grade key FILE makes one"));
  CHECK(contains(error_of([&] { read_key(scratch.path()); }), "is not a file"));
}

TEST_CASE("every part of a plan changes its key, and no two splits of the same letters are one") {
  Key key{};
  key[31] = 1;
  const Key plan = plan_key(key, "S-ABCDEFGH", 1, "visible");
  CHECK(plan == plan_key(key, "S-ABCDEFGH", 1, "visible"));
  Key other = key;
  other[0] ^= 1;
  const std::set<std::string> all = {hex(plan),
                                     hex(plan_key(other, "S-ABCDEFGH", 1, "visible")),
                                     hex(plan_key(key, "S-ABCDEFGI", 1, "visible")),
                                     hex(plan_key(key, "S-ABCDEFGH", 2, "visible")),
                                     hex(plan_key(key, "S-ABCDEFGH", 1, "private:a")),
                                     hex(plan_key(key, "S-ABCDEFGH1", 1, "visible")),
                                     hex(plan_key(key, "S-ABCDEFGH", 11, "visible"))};
  CHECK(all.size() == 7);
  // BLAKE2b-256 of the four fields "plan", "S-ABCDEFGH", "1", "visible", each with its length before it, by
  // Python's hashlib.
  CHECK(hex(plan) == "fc8da83d1501c5743ebcec52128f611945ca40d178437fcb2da89f582a080f94");
}

TEST_CASE("pseudonyms are stable, and nobody without the key knows them") {
  Key key{}, other{};
  other[0] = 1;
  const std::string one = pseudonym_of(key, "Søren O'Brien");
  CHECK(std::regex_match(one, std::regex("S-[A-Z2-7]{8}")));
  CHECK(one == pseudonym_of(key, "Søren O'Brien"));
  CHECK(one != pseudonym_of(other, "Søren O'Brien"));
  std::set<std::string> all;
  for (int i = 0; i < 1000; ++i) all.insert(pseudonym_of(key, "student" + std::to_string(i)));
  CHECK(all.size() == 1000);
  CHECK(key_id(key).size() == 8);
  CHECK(key_id(key) != key_id(other));
  CHECK(!contains(hex(key), key_id(key)));
}

TEST_CASE("groups: a submission of several people") {
  const Groups groups =
      parse_groups("\xef\xbb\xbf# hw2\r\nteam-a: s1, s2  # two\r\n\r\nteam b.zip :s3\n", "g.txt");
  CHECK(groups == Groups{{"team-a", {"s1", "s2"}}, {"team b.zip", {"s3"}}});
  CHECK(parse_groups("", "g.txt").empty());
  const auto wrong = [](const std::string& text) { return error_of([&] { parse_groups(text, "g.txt"); }); };
  CHECK(wrong("a: s1\nteam s2\n") == "g.txt:2: no colon: write SUBMISSION: ID, ID");
  CHECK(wrong(": s1\n") == "g.txt:1: no submission before the colon: write SUBMISSION: ID, ID");
  CHECK(wrong("a: s1,,s2") == "g.txt:1: an id of a is empty: write SUBMISSION: ID, ID");
  CHECK(wrong("a:\n") == "g.txt:1: an id of a is empty: write SUBMISSION: ID, ID");
  CHECK(wrong("a: s1\n\na: s2\n") == "g.txt:3: a has its ids in line 1 already");
  CHECK(wrong("a: s1\nb: s2, s1\n") == "g.txt:2: s1 is in the group of line 1 already");
  CHECK(wrong("a: s1, s1\n") == "g.txt:1: s1 is in this line twice");
  CHECK(contains(wrong(std::string("a\0: b", 5)), "g.txt has NUL bytes"));
  const Scratch scratch;
  write(scratch / "g.txt", "a: s1\n");
  CHECK(read_groups(scratch / "g.txt").at("a").at(0) == "s1");
  CHECK(contains(error_of([&] { read_groups(scratch / "none"); }), "cannot read"));
}
