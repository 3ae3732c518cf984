/// @file
/// Submissions that try to write elsewhere, to be read forever, or that are damaged.
// Guards: docs/grading.md#packages-and-receipts

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>

#include "common/grade/intake/intake.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/grade/packed.hpp"

using namespace ladder::grade;
using namespace ladder::grade::test;
using ladder::test::contains;
using namespace std::string_literals;
using Names = std::vector<std::string>;

namespace {

const std::string first_rung = "// g1\nvoid naive();\n";

/// Takes an archive of these items, with a good g2 next to them.
struct Archive {
  Archive(const std::string& form, std::vector<Item> items, const IntakeLimits& limits = {}) {
    items.push_back({"ok/g2_shared_tiles.cu", "// g2\n"});
    taken = take(pack(scratch / "s", form, items), two_steps(), scratch / "p/q/r", limits);
  }
  Scratch scratch;
  Taken taken;
};

}  // namespace

TEST_CASE("a path that leads elsewhere is refused, and the rest is taken") {
  const std::string name = "g1_naive.cu";
  const std::vector<std::pair<std::string, std::string>> tricks = {
      {"/tmp/" + name, "absolute path"}, {"../../" + name, "has .. in its path"},
      {"a/../" + name, "has .. in"},     {"..\\" + name, "backslash"},
      {"C:/x/" + name, "drive"},         {"a\nb/" + name, "control character"},
      {"a\x1b[2J/" + name, "control"},   {std::string(1100, 'a') + "/" + name, "more than 1024 bytes"}};
  for (const char* form : {"zip", "tar", "rar", "rar5"})
    for (const auto& [path, reason] : tricks) {
      INFO(form << " " << path);
      const Archive archive(form, {{path, first_rung}});
      REQUIRE(archive.taken.refused.size() == 1);
      INFO(archive.taken.refused[0].path << ": " << archive.taken.refused[0].why);
      // Windows packs backslashes: libarchive reads those of a zip as '/', and of a rar of the old form.
      const bool slashes =
          (form == std::string("zip") || form == std::string("rar")) && reason == "backslash";
      CHECK(contains(archive.taken.refused[0].why, slashes ? "has .. in its path" : reason));
      CHECK(archive.taken.refused[0].path.find_first_of("\n\x1b") == std::string::npos);
      CHECK(files_below(archive.scratch / "p") == Names{"q/r/03-dgemm/g2_shared_tiles.cu"});
    }
}

TEST_CASE("links, devices and pipes are refused") {
  for (const char* form : {"zip", "tar", "rar5"}) {
    INFO(form);
    const Archive link(form, {{"g1_naive.cu", "/etc/passwd", 'l'}});
    CHECK(contains(why(link.taken, "g1_naive.cu"), "is a symbolic link"));
    CHECK(files_below(link.scratch / "p") == Names{"q/r/03-dgemm/g2_shared_tiles.cu"});
  }
  const Archive tar("tar", {{"a/g1_naive.cu", "ok/g2_shared_tiles.cu", 'h'},
                            {"b/g1_naive.cu", "", 'c'},
                            {"c/g1_naive.cu", "", 'p'},
                            {"d/g1_naive.cu", "", 'd'}});
  CHECK(contains(why(tar.taken, "a/g1_naive.cu"), "is a hard link"));
  CHECK(contains(why(tar.taken, "b/g1_naive.cu"), "is a device"));
  CHECK(contains(why(tar.taken, "c/g1_naive.cu"), "is a named pipe"));
  CHECK(contains(why(tar.taken, "d/g1_naive.cu/") + why(tar.taken, "d/g1_naive.cu"),
                 "is a folder: a file is wanted"));
}

TEST_CASE("a folder's links, pipes and sockets are refused, and nothing waits for them") {
  Scratch scratch;
  const std::string at = (scratch / "s/").string();
  write(at + "ok/g2_shared_tiles.cu", "// g2\n");
  write(scratch / "outside.cu", first_rung);
  fs::create_symlink(scratch / "outside.cu", at + "g1_naive.cu");
  fs::create_directory_symlink(scratch.path(), at + "loop");
  for (const char* folder : {"a", "b", "c", "d"}) fs::create_directory(at + folder);
  fs::create_hard_link(scratch / "outside.cu", at + "a/g1_naive.cu");
  REQUIRE(mkfifo((at + "b/g1_naive.cu").c_str(), 0644) == 0);
  fs::create_directory(at + "c/g1_naive.cu");
  const int one = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{AF_UNIX, {}};
  (at + "d/g1_naive.cu").copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(bind(one, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  close(one);
  const Taken taken = take(scratch / "s", two_steps(), scratch / "p");
  CHECK(contains(why(taken, "g1_naive.cu"), "is a symbolic link"));
  CHECK(contains(why(taken, "loop"), "is a symbolic link"));
  CHECK(contains(why(taken, "a/g1_naive.cu"), "is a hard link"));
  CHECK(contains(why(taken, "b/g1_naive.cu"), "is a named pipe"));
  CHECK(contains(why(taken, "c/g1_naive.cu"), "is a folder"));
  CHECK(contains(why(taken, "d/g1_naive.cu"), "is a socket"));
  CHECK(files_below(scratch / "p") == Names{"03-dgemm/g2_shared_tiles.cu"});
  fs::create_directory_symlink(scratch / "s", scratch / "t");
  CHECK(contains(why(take(scratch / "t", two_steps(), scratch / "q"), "t"), "is a symbolic link"));
}

TEST_CASE("files that are too large, too many or no text are refused") {
  const Archive large("tar.gz", {{"g1_naive.cu", std::string(300'000, '/')}});
  CHECK(why(large.taken, "g1_naive.cu") == "is larger than 256 KiB");
  CHECK(large.taken.files.size() == 1);
  CHECK(contains(why(Archive("zip", {{"g1_naive.cu", "int a;\0"s}}).taken, "g1_naive.cu"), "NUL bytes"));
  CHECK(contains(why(Archive("zip", {{"g1_naive.cu", "\xff\xfei\0"s}}).taken, "g1_naive.cu"), "is UTF-16"));
  CHECK(contains(why(Archive("zip", {{"g1_naive.cu", ""}}).taken, "g1_naive.cu"), "is empty"));

  std::vector<Item> many;
  for (int i = 0; i < 101; ++i) many.push_back({"d/" + std::to_string(i), "x"});
  IntakeLimits few;
  few.entries = 100;
  CHECK(contains(why(Archive("zip", many, few).taken, "s"), "holds more than 100 files"));
  many.clear();
  for (int i = 0; i < 30; ++i) many.push_back({"h" + std::to_string(i) + ".h", std::string(200'000, 'x')});
  const Archive much("tar", many);
  CHECK(contains(why(much.taken, "s"), "has more than 4 MiB of sources"));
  CHECK(much.taken.files.empty());
}

TEST_CASE("names that differ only in case, one name twice, and archives in archives are refused") {
  for (const char* form : {"zip", "tar", "rar", "rar5"}) {
    const Archive two(form, {{"g1_naive.cu", "1"}, {"G1_naive.cu", "2"}});
    CHECK(why(two.taken, "G1_naive.cu") == "and g1_naive.cu differ only in case: keep one");
    CHECK(two.taken.missing == Names{"03-dgemm/g1_naive.cu"});
    const Archive nested(form, {{"hw/old.zip", "PK"}, {"hw/x.tar.gz", "y"}, {"hw/empty.7z", ""}});
    CHECK(contains(why(nested.taken, "hw/old.zip"), "is no zip"));
    CHECK(contains(why(nested.taken, "hw/x.tar.gz"), "is no zip"));
    CHECK(why(nested.taken, "hw/empty.7z") == "is empty");
    CHECK(nested.taken.files.size() == 1);
    if (form == std::string("rar"))
      continue;  // there a second one of the same name is the next part of the first
    const Archive twice(form, {{"g1_naive.cu", "1"}, {"g1_naive.cu", "2"}});
    CHECK(why(twice.taken, "g1_naive.cu") == "is in the archive twice: keep one");
    CHECK(twice.taken.missing == Names{"03-dgemm/g1_naive.cu"});
  }
}

TEST_CASE(
    "an archive in a submission is read within the limits of any other, one level, and spoils nothing") {
  Scratch scratch;
  const std::string inner = read(pack(scratch / "i.zip", "zip", {{"g1_naive.cu", first_rung}}));
  const Archive deep("zip", {{"a.zip", read(pack(scratch / "d.zip", "zip", {{"b.zip", inner}}))}});
  CHECK(contains(why(deep.taken, "a.zip/b.zip"), "is an archive in an archive in the submission"));
  CHECK(deep.taken.missing == Names{"03-dgemm/g1_naive.cu"});
  const Archive tricks("zip", {{"a.tar", read(pack(scratch / "t.tar", "tar",
                                                   {{"../../g1_naive.cu", "x"},
                                                    {"/g1_naive.cu", "x"},
                                                    {"l/g1_naive.cu", "/etc/passwd", 'l'}}))}});
  CHECK(contains(why(tricks.taken, "a.tar/../../g1_naive.cu"), "has .. in its path"));
  CHECK(contains(why(tricks.taken, "a.tar//g1_naive.cu"), "absolute path"));
  CHECK(contains(why(tricks.taken, "a.tar/l/g1_naive.cu"), "symbolic link"));
  CHECK(files_below(tricks.scratch / "p") == Names{"q/r/03-dgemm/g2_shared_tiles.cu"});
  const Archive bomb(
      "zip",
      {{"a.tar.xz", read(pack(scratch / "b", "tar.xz",
                              {{"g1_naive.cu", first_rung}, {"zeros", std::string(40 << 20, '\0')}}))}});
  CHECK(contains(why(bomb.taken, "a.tar.xz"), "unpacks to more than"));
  CHECK(bomb.taken.files.size() == 1);  // the good one; none of half an archive
  std::vector<Item> many;
  for (int i = 0; i < 20; ++i) many.push_back({"a" + std::to_string(i) + ".zip", inner});
  CHECK(contains(why(Archive("tar", many).taken, "a19.zip"), "is one more than 8 archives"));
}

TEST_CASE("an archive that explodes is refused before it does") {
  const std::string zeros(40 << 20, '\0');
  for (const char* form : {"zip", "7z", "tar.gz", "tar.xz", "tar.bz2"}) {
    INFO(form);
    const Archive bomb(form, {{"zeros", zeros}});
    CHECK(contains(why(bomb.taken, "s"), "unpacks to more than"));
    CHECK(files_below(bomb.scratch / "p").empty());
  }
  IntakeLimits small;
  small.unpacked = 1 << 20;
  CHECK(contains(why(Archive("tar", {{"zeros", std::string(2 << 20, '\0')}}, small).taken, "s"),
                 "unpacks to more than"));
  small.archive = 1000;
  CHECK(contains(why(Archive("tar", {{"x", std::string(5000, 'x')}}, small).taken, "s"),
                 "is larger than 1000 bytes"));
  // A rar that says 8 TB of each file.
  Scratch rar;
  write(rar / "s.rar", rar5_of({{"g1_naive.cu", first_rung}}, std::uint64_t{8} << 40));
  CHECK(contains(why(take(rar / "s.rar", two_steps(), rar / "p"), "s.rar"), "unpacks to more than"));
  // A tar that says 8 TB and has nothing: nothing is reserved, nothing is waited for.
  Scratch scratch;
  std::string tar = read(pack(scratch / "s.tar", "tar", {{"a.txt", "x"}}));
  const auto header = tar.find("a.txt");
  tar.replace(header + 124, 12, "\x80\0\0\0\0\0\x08\0\0\0\0\0"s);
  unsigned sum = 8 * ' ';
  for (std::size_t i = 0; i < 512; ++i)
    if (i < 148 || i >= 156) sum += static_cast<unsigned char>(tar[header + i]);
  char digits[8];
  std::snprintf(digits, sizeof digits, "%06o", sum);
  tar.replace(header + 148, 7, std::string(digits, 7));
  write(scratch / "s.tar", tar);
  CHECK(contains(why(take(scratch / "s.tar", two_steps(), scratch / "p"), "s.tar"), "unpacks to more than"));
}

TEST_CASE("what is encrypted, cut off or no archive is refused whole") {
  Scratch scratch;
  const auto reason = [&](const fs::path& file) {
    const Taken taken = take(file, two_steps(), scratch / "p");
    CHECK(taken.files.empty());
    CHECK(files_below(scratch / "p").empty());
    return why(taken, file.filename().string());
  };
  const std::vector<Item> items = {{"g1_naive.cu", first_rung},
                                   {"x.txt", std::string(50'000, 'y') + first_rung}};
  CHECK(contains(reason(pack(scratch / "e.zip", "zip", items, "secret")), "is encrypted"));
  for (const char* form : {"zip", "7z", "rar", "rar5", "tar", "tar.gz", "tar.xz", "tar.bz2"}) {
    const std::string whole = read(pack(scratch / "w", form, items));
    for (const std::size_t part : {2, 3}) {
      write(scratch / "cut", whole.substr(0, whole.size() * (part - 1) / part));
      INFO(form << " " << part);
      CHECK(contains(reason(scratch / "cut"), "is damaged or not whole") +
            contains(reason(scratch / "cut"), "is no zip"));
    }
  }
  write(scratch / "a.rar", "Rar!\x1a\x07\x01");
  CHECK(reason(scratch / "a.rar") == "is no zip, 7z, rar, tar, tar.gz or tar.xz, or holds nothing");
  write(scratch / "e.rar", encrypted_rar5());
  CHECK(contains(reason(scratch / "e.rar"), "is encrypted"));
  write(scratch / "empty.zip", "");
  CHECK(reason(scratch / "empty.zip") == "is empty");
  CHECK(reason(pack(scratch / "none.zip", "zip", {})) ==
        "is no zip, 7z, rar, tar, tar.gz or tar.xz, or holds nothing");
  CHECK(reason(pack(scratch / "none.tar", "tar", {})) == "holds no files");
  std::string zip = read(pack(scratch / "crc.zip", "zip", {{"g1_naive.cu", "int abcdefgh;\n"}}));
  zip[zip.find("PK\x01\x02") + 16] ^= 1;  // its checksum
  write(scratch / "crc.zip", zip);
  CHECK(contains(reason(scratch / "crc.zip"), "is damaged"));
}

TEST_CASE("300 mutated archives neither crash nor write outside") {
  const char* given = std::getenv("LADDER_SEED");
  const unsigned seed =
      given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
  std::cout << "mutated archives: LADDER_SEED=" << seed << std::endl;
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  Scratch scratch;
  const std::vector<Item> items = {{"hw/", "", 'd'},
                                   {"hw/g1_naive.cu", first_rung},
                                   {"hw/a.hpp", std::string(900, 'a')},
                                   {"g2_shared_tiles.cu", "#include \"a.hpp\"\n"},
                                   {"l", "x", 'l'},
                                   {"notes.md", "n"}};
  std::vector<std::string> whole;
  for (const char* form : {"zip", "7z", "rar", "rar5", "tar", "tar.gz", "tar.xz"})
    whole.push_back(read(pack(scratch / "w", form, items)));
  whole.push_back(read(pack(scratch / "w", "zip", {{"hw/inner.zip", whole[0]}, {"hw/inner.7z", whole[1]}})));
  static constexpr const char* words[] = {
      "../", "/", "\\", "PK\x01\x02", "PK\x03\x04", "g1_naive.cu", "\xff\xff\xff\xff"};
  fs::remove(scratch / "w");
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole[static_cast<std::size_t>(i) % whole.size()];
    for (std::size_t n = 1 + below(12); n > 0; --n) {
      const std::size_t at = below(bytes.size());
      const auto kind = below(5);
      if (kind == 0) bytes[at] = static_cast<char>(random());
      if (kind == 1) bytes[at] ^= static_cast<char>(1 << below(8));
      if (kind == 2) bytes.erase(at, below(64)), bytes += 'x';
      if (kind == 3) bytes.insert(at, bytes.substr(below(bytes.size()), below(512)));
      if (kind == 4) bytes.replace(at, std::strlen(words[i % 7]), words[i % 7]);
    }
    INFO("mutant " << i << " of seed " << seed);
    write(scratch / "s", bytes);
    Taken taken;
    CHECK_NOTHROW(taken = take(scratch / "s", two_steps(), scratch / "in/p"));
    for (const std::string& file : files_below(scratch.path()))
      CHECK((file == "s" || file.starts_with("in/p/03-dgemm/") || file == "in/p/notes.md"));
    CHECK(taken.files.size() + taken.missing.size() >= 2);
    fs::remove_all(scratch / "in");
  }
}
