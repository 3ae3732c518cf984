/// @file
/// Honest submissions as students and platforms pack them.
// Guards: docs/grading.md#packages-and-receipts

#include "common/grade/intake/intake.hpp"

#include <unistd.h>

#include <cstdlib>

#include "common/base/error.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/grade/packed.hpp"

using namespace ladder::grade;
using namespace ladder::grade::test;
using ladder::test::contains;
using Names = std::vector<std::string>;
using Files = std::vector<std::pair<std::string, std::string>>;  // g++ takes {{a, b}} for a Folder, too

namespace {

const std::string naive = "// g1\nvoid naive();\n", tiles = "// g2\nvoid shared_tiles();\n";

/// Takes a folder of these files.
struct Folder {
  explicit Folder(const Files& files, const Wanted& wanted = two_steps()) {
    for (const auto& [path, bytes] : files) write(scratch / ("s/" + path), bytes);
    taken = take(scratch / "s", wanted, scratch / "pristine");
  }
  std::string text(const std::string& path) const { return read(scratch / ("pristine/" + path)); }
  Scratch scratch;
  Taken taken;
};

Names paths(const Taken& taken) {
  Names all;
  for (const TakenFile& file : taken.files) all.push_back(file.path);
  return all;
}

}  // namespace

TEST_CASE("the wanted files of a submission are taken from any folder, and nothing else") {
  for (const char* form : {"zip", "7z", "tar", "tar.gz", "tar.xz", "tar.bz2"}) {
    INFO(form);
    Scratch scratch;
    const auto file = pack(scratch / ("s." + std::string(form)), form,
                           {{"hw3/", "", 'd'},
                            {"hw3/lessons/03-dgemm/g1_naive.cu", naive},
                            {"__MACOSX/hw3/lessons/03-dgemm/._g1_naive.cu", "\0\5\26\7"},
                            {"hw3/.git/g2_shared_tiles.cu", "old"},
                            {"hw3/README.md", "x"},
                            {"hw3/g2_shared_tiles.cu", tiles},
                            {"hw3/notes.md",
                             "Ich gr\xfc\xdf"
                             "e.\r\n"}});
    const Taken taken = take(file, two_steps(), scratch / "p");
    CHECK(paths(taken) == Names{"03-dgemm/g1_naive.cu", "03-dgemm/g2_shared_tiles.cu"});
    CHECK(files_below(scratch / "p") ==
          Names{"03-dgemm/g1_naive.cu", "03-dgemm/g2_shared_tiles.cu", "notes.md"});
    CHECK(taken.refused.empty());
    CHECK(taken.missing.empty());
    CHECK(taken.others == 1);
    CHECK(taken.contained == Names{"hw3/README.md"});
    CHECK(taken.notes == "Ich grüße.\n");
    CHECK(read(scratch / "p/03-dgemm/g2_shared_tiles.cu") == tiles);
    CHECK(taken.files[1].from == "hw3/g2_shared_tiles.cu");
    CHECK(taken.files[1].bytes == tiles.size());
    CHECK(taken.files[1].sha256 == ladder::sha256(tiles));
  }
  // The example of FIPS 180-4, and one form of packing is as good as another.
  CHECK(ladder::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const Folder flat({{"g1_naive.cu", naive}}), deep({{"x/03-dgemm/g1_naive.cu", naive}});
  CHECK(flat.taken.sha256 == deep.taken.sha256);
  CHECK(flat.taken.sha256 != Folder({{"g1_naive.cu", tiles}}).taken.sha256);
}

TEST_CASE("programs that students have pack what is taken") {
  for (const char* packer :
       {"zip -qr ../s.zip .", "tar -cf ../s.tar .", "tar -czf ../s.tgz .", "tar -cJf ../s.tar.xz ."}) {
    INFO(packer);
    Scratch scratch;
    write(scratch / "s/hw/g1_naive.cu", naive);
    write(scratch / "s/hw/größe.txt", "x");
    write(scratch / "s/hw/notes.md", "n");
    REQUIRE(std::system(("cd " + (scratch / "s").string() + " && " + packer).c_str()) == 0);
    const std::string ending = std::string(packer).substr(std::string(packer).find("/s.") + 2);
    const Taken taken =
        take(scratch / ("s" + ending.substr(0, ending.find(' '))), two_steps(), scratch / "p");
    CHECK(paths(taken) == Names{"03-dgemm/g1_naive.cu"});
    for (const auto& one : taken.refused) UNSCOPED_INFO("refused: " << one.path << ": " << one.why);
    CHECK(taken.refused.empty());
    CHECK(taken.missing == Names{"03-dgemm/g2_shared_tiles.cu"});
    CHECK(taken.notes == "n");
  }
}

TEST_CASE("a rar of either form is taken, and what it holds that is no file is not") {
  for (const char* form : {"rar", "rar5"}) {
    INFO(form);
    Scratch scratch;
    const Taken taken = take(
        pack(scratch / "s.rar", form, {{"hw/", "", 'd'}, {"hw/g1_naive.cu", naive}, {"hw/notes.md", "n"}}),
        two_steps(), scratch / "p");
    for (const auto& one : taken.refused) UNSCOPED_INFO("refused: " << one.path << ": " << one.why);
    CHECK(taken.refused.empty());
    CHECK(paths(taken) == Names{"03-dgemm/g1_naive.cu"});
    CHECK(read(scratch / "p/03-dgemm/g1_naive.cu") == naive);
    CHECK(taken.notes == "n");
  }
}

TEST_CASE("a zip of Windows with backslashes is taken") {
  Scratch scratch;
  const auto file = pack(scratch / "s.zip", "zip", {{"hw3\\03-dgemm\\g1_naive.cu", naive}});
  CHECK(take(file, two_steps(), scratch / "p").files.at(0).from == "hw3/03-dgemm/g1_naive.cu");
}

TEST_CASE("a file that was converted says so, and what was submitted keeps its sum") {
  const std::string windows =
      "\xef\xbb\xbf// gr\xf6\xdf"
      "er\r\nvoid naive();\r\n";
  const Folder folder({{"g1_naive.cu", windows}, {"G2_Shared_Tiles.cu", tiles}});
  CHECK(folder.text("03-dgemm/g1_naive.cu") == "// größer\nvoid naive();\n");
  CHECK(folder.taken.files[0].changed == Names{"bom", "crlf", "latin-1"});
  CHECK(folder.taken.files[0].submitted_sha256 == ladder::sha256(windows));
  CHECK(folder.taken.files[0].sha256 == ladder::sha256("// größer\nvoid naive();\n"));
  CHECK(folder.taken.files[1].changed == Names{"name"});
  CHECK(folder.text("03-dgemm/g2_shared_tiles.cu") == tiles);
}

TEST_CASE("of several files of one name the one in the lesson's folder is taken, or none") {
  const std::string here = "lessons/03-dgemm/g1_naive.cu";
  Folder folder({{"old/g1_naive.cu", "1"}, {"x/" + here, naive}, {"solutions/03-dgemm/g1_naive.cu", "2"}});
  CHECK(folder.text("03-dgemm/g1_naive.cu") == naive);
  CHECK(why(folder.taken, "old/g1_naive.cu") == "is another file than x/" + here + ", which was taken");
  CHECK(why(folder.taken, "solutions/03-dgemm/g1_naive.cu") == "lies in a folder that is not 03-dgemm's");

  const Folder both({{"03-dgemm/g1_naive.cu", "1"}, {"lessons/03-dgemm/g1_naive.cu", naive}});
  CHECK(both.text("03-dgemm/g1_naive.cu") == naive);

  const Folder lesson({{"old/g1_naive.cu", "1"}, {"03-dgemm/g1_naive.cu", naive}});
  CHECK(lesson.text("03-dgemm/g1_naive.cu") == naive);

  const Folder two({{"a/g1_naive.cu", "1"}, {"b/g1_naive.cu", "2"}, {"b/g2_shared_tiles.cu", tiles}});
  CHECK(paths(two.taken) == Names{"03-dgemm/g2_shared_tiles.cu"});
  CHECK(two.taken.missing == Names{"03-dgemm/g1_naive.cu"});
  CHECK(why(two.taken, "b/g1_naive.cu") ==
        "and a/g1_naive.cu are different files: keep one, in lessons/03-dgemm/");

  const Folder same({{"a/g1_naive.cu", naive}, {"b/g1_naive.cu", naive}});
  CHECK(same.text("03-dgemm/g1_naive.cu") == naive);
  CHECK(same.taken.refused.empty());

  const Folder other({{"05-npb-ep/g1_naive.cu", naive}});
  CHECK(other.taken.files.empty());
  CHECK(why(other.taken, "05-npb-ep/g1_naive.cu") == "lies in a folder that is not 03-dgemm's");
}

TEST_CASE("of Canvas's downloads the newest of a person is taken") {
  const Folder folder({{"smithbob_LATE_340934_208490284_g2_shared_tiles-1.cu", "1"},
                       {"smithbob_LATE_340934_208490999_g2_shared_tiles-10.cu", tiles},
                       {"smithbob_340934_208490285_g1_naive.cu", "#include \"helper.hpp\"\n"},
                       {"smithbob_340934_208490286_helper-2.hpp", "// new\n"},
                       {"smithbob_340934_208490287_helper.hpp", "// old\n"}});
  CHECK(folder.taken.refused.empty());
  CHECK(folder.text("03-dgemm/g2_shared_tiles.cu") == tiles);
  CHECK(folder.text("03-dgemm/helper.hpp") == "// new\n");
  CHECK(folder.taken.files[1].changed == Names{"name"});

  const Folder people({{"ann_1_2_g1_naive.cu", "1"}, {"bob_3_4_g1_naive.cu", "2"}});
  CHECK(people.taken.files.empty());
  CHECK(contains(people.taken.refused.at(0).why, "and ann_1_2_g1_naive.cu are different files"));
  const Folder others({{"ann_1_2_g1_naive.cu", "#include \"a.hpp\"\n"}, {"bob_3_4_a.hpp", "x"}});
  CHECK(others.taken.files.size() == 1);
  // Without Canvas's form the name itself counts before a copy.
  CHECK(Folder({{"g1_naive.cu", naive}, {"g1_naive-1.cu", "copy"}}).text("03-dgemm/g1_naive.cu") == naive);
}

TEST_CASE("names that browsers, systems and editors give are understood, and noted") {
  for (const char* name : {"g1_naive (1).cu",
                           "g1_naive(2).cu",
                           "g1_naive-1.cu",
                           "g1_naive 2.cu",
                           "g1_naive copy.cu",
                           "g1_naive - Copy.cu",
                           "g1_naive - Copy (3).cu",
                           "Copy of g1_naive.cu",
                           "g1_naive.cu.txt",
                           "g1_naive.CU.TXT",
                           "g1_naive (1).cu.txt",
                           "g1_naive.cu (1).txt",
                           "g1_naive.cu(1)",
                           "g1_naive.cpp",
                           "g1_naive.cc",
                           "g1_naive.txt",
                           "g1_naive",
                           "G1_Naive (1).cu",
                           "smithbob_340934_208490285_g1_naive (1).cu",
                           "smithbob_340934_208490285_g1_naive.cu-1.txt"}) {
    INFO(name);
    const Folder folder({{std::string("hw/") + name, naive}});
    REQUIRE(folder.taken.files.size() == 1);
    CHECK(folder.text("03-dgemm/g1_naive.cu") == naive);
    CHECK(folder.taken.files[0].changed == Names{"name"});
    CHECK(folder.taken.files[0].from == std::string("hw/") + name);
    // The name itself counts before all of them, and the other is named.
    const Folder both({{std::string("hw/") + name, "// another\n"}, {"hw/g1_naive.cu", naive}});
    CHECK(both.text("03-dgemm/g1_naive.cu") == naive);
    CHECK(both.taken.files[0].changed.empty());
  }
  CHECK(Folder({{"g1_naive (1).cu", "// 1\n"}, {"g1_naive (2).cu", naive}}).text("03-dgemm/g1_naive.cu") ==
        naive);
  CHECK(Folder(Files{{"notes (1).md", "n"}}).taken.notes == "n");
  CHECK(Folder(Files{{"notes.md.txt", "n"}}).taken.notes == "n");
  const Folder header({{"g1_naive.cu", "#include \"a.hpp\"\n"}, {"a (1).hpp", "x"}});
  CHECK(paths(header.taken) == Names{"03-dgemm/g1_naive.cu", "03-dgemm/a.hpp"});
  // Another rung's or nobody's name is no spelling of it.
  for (const char* name : {"g1_naive_old.cu", "xg1_naive.cu", "g1_naive.hpp", "g1.cu", "g1_naive.docx"})
    CHECK(Folder({{name, naive}}).taken.files.empty());
}

TEST_CASE("a skeleton, an empty or an unreadable copy loses against somebody's work, wherever it lies") {
  const std::string begun = "// g1\nvoid naive() { ladder::task(); }\n",
                    handed_out = "// TASK\nvoid naive() {}\n";
  Wanted wanted = two_steps();
  wanted.skeletons["03-dgemm/g1_naive.cu"] = handed_out;
  const std::string best = "lessons/03-dgemm/g1_naive.cu";
  for (const std::string& copy : {begun, handed_out, std::string("  void naive()\r\n{ } // mine\n"),
                                  std::string(), std::string("\xff\xfei\0", 4), std::string(300'000, ' ')}) {
    INFO(copy.substr(0, 40));
    for (const auto& [work, other] :
         {std::pair(std::string("g1_naive.cu"), best), std::pair(best, std::string("old/g1_naive.cu")),
          std::pair(std::string("a/g1_naive.cu"), std::string("old/g1_naive.cu")),
          std::pair(std::string("a/g1_naive (1).cu"), std::string("a/g1_naive.cu"))}) {
      const Folder folder({{work, naive}, {other, copy}}, wanted);
      CHECK(folder.text("03-dgemm/g1_naive.cu") == naive);
      CHECK(contains(why(folder.taken, other), work + " counts before it"));
    }
  }
  // Two that differ, and nothing says which: a person looks.
  const Folder two({{"a/g1_naive.cu", naive}, {"b/g1_naive.cu", tiles}, {best, handed_out}}, wanted);
  CHECK(two.taken.missing.front() == "03-dgemm/g1_naive.cu");
  // A solution next to it is not the student's; alone, the skeleton is what was handed in.
  const Folder whole({{best, handed_out}, {"solutions/03-dgemm/g1_naive.cu", naive}}, wanted);
  CHECK(whole.text("03-dgemm/g1_naive.cu") == handed_out);
  CHECK(Folder({{best, begun}, {"old/g1_naive.cu", handed_out}}, wanted).taken.files.size() == 1);
}

TEST_CASE("an archive in the submission is read, after what lies next to it") {
  Scratch scratch;
  for (const char* form : {"zip", "7z", "tar.gz"}) {
    INFO(form);
    const std::string inner =
        read(pack(scratch / "inner", form, {{"hw/lessons/03-dgemm/g1_naive.cu", naive}, {"notes.md", "n"}}));
    const std::string name = std::string("hw.") + form;
    const Folder folder({{"x/" + name, inner}, {"x/g2_shared_tiles.cu", tiles}});
    CHECK(folder.text("03-dgemm/g1_naive.cu") == naive);
    CHECK(folder.taken.files.at(0).from == "x/" + name + "/hw/lessons/03-dgemm/g1_naive.cu");
    CHECK(folder.taken.notes == "n");
    CHECK(folder.taken.refused.empty());
    const auto twice = pack(scratch / "outer.zip", "zip", {{name, inner}});
    CHECK(paths(take(twice, two_steps(), scratch / (std::string("p-") + form))) ==
          Names{"03-dgemm/g1_naive.cu"});
    CHECK(Folder({{name, inner}, {"g1_naive.cu", "// newer\n"}}).text("03-dgemm/g1_naive.cu") ==
          "// newer\n");
  }
}

TEST_CASE("what else a submission had is told, without what the handout has itself") {
  Wanted wanted = two_steps();
  wanted.is_handout = [](const std::string& path) { return path.find("common/") != std::string::npos; };
  const Folder folder({{"hw/resposta.docx", "PK"},
                       {"hw/common/device/cuda.hpp", "x"},
                       {"hw/Makefile", "x"},
                       {"hw/g2_shared_tiles.cu", "#include \"common/device/cuda.hpp\"\n"},
                       {"hw/notes.md", "n"}},
                      wanted);
  CHECK(folder.taken.contained == Names{"hw/Makefile", "hw/resposta.docx"});
  CHECK(folder.taken.refused.empty());
  std::vector<std::pair<std::string, std::string>> many;
  for (int i = 0; i < 100; ++i) many.emplace_back("f" + std::to_string(1000 + i), "x");
  CHECK(Folder(many).taken.contained.size() == 31);
}

TEST_CASE("a submission that is gone is the machine's failure, and nobody's zero") {
  Scratch scratch;
  CHECK_THROWS_AS(take(scratch / "none.zip", two_steps(), scratch / "p"), ladder::Error);
  CHECK_THROWS_AS(take(scratch / "none", two_steps(), scratch / "p"), ladder::Error);
  if (geteuid() != 0) {
    write(scratch / "s/g1_naive.cu", naive);
    fs::permissions(scratch / "s/g1_naive.cu", fs::perms::none);
    CHECK_THROWS_AS(take(scratch / "s", two_steps(), scratch / "p"), ladder::Error);
  }
}

TEST_CASE("helper headers next to a rung are taken when it includes them") {
  const Folder folder({{"hw/g1_naive.cu",
                        "#include \"a.hpp\"\n#include \"common/device/cuda.hpp\"\n#include \"dgemm.hpp\"\n"},
                       {"hw/a.hpp", "#include \"./b.cuh\"\r\n"},
                       {"hw/b.cuh", "#include \"a.hpp\"\n"},
                       {"hw/unused.h", "x"},
                       {"hw/dgemm.hpp", "#define cheat\n"},
                       {"hw/cuda.hpp", "#define cheat\n"}});
  CHECK(paths(folder.taken) == Names{"03-dgemm/g1_naive.cu", "03-dgemm/a.hpp", "03-dgemm/b.cuh"});
  CHECK(folder.taken.refused.empty());
  CHECK(folder.taken.files[1].changed == Names{"crlf"});

  Wanted wanted = two_steps();
  wanted.headers = {"unused.h"};
  CHECK(paths(Folder({{"g1_naive.cu", naive}, {"unused.h", "x"}}, wanted).taken) ==
        Names{"03-dgemm/g1_naive.cu", "03-dgemm/unused.h"});
}

TEST_CASE("a helper header that cannot be taken says why") {
  const auto include = [](const std::string& name) { return "#include \"" + name + "\"\n"; };
  const Folder away(
      {{"g1_naive.cu", include("a.hpp") + include("inc/b.hpp")}, {"inc/a.hpp", "x"}, {"inc/b.hpp", "x"}});
  CHECK(contains(why(away.taken, "inc/a.hpp"), "a helper header lies next to its rung"));
  CHECK(contains(why(away.taken, "inc/b.hpp"), "is included as \"inc/b.hpp\""));
  CHECK(paths(away.taken) == Names{"03-dgemm/g1_naive.cu"});

  const Folder body({{"g1_naive.cu", include("a.inc") + include("../../key")}});
  CHECK(
      contains(body.taken.refused.at(0).why, "includes \"a.inc\": helper headers end with .hpp, .cuh or .h"));

  const Folder two({{"a/g1_naive.cu", include("t.hpp")},
                    {"a/t.hpp", "1"},
                    {"b/g2_shared_tiles.cu", include("t.hpp")},
                    {"b/t.hpp", "2"}});
  CHECK(contains(why(two.taken, "b/t.hpp"), "and a/t.hpp are different headers of one lesson"));

  const Folder large({{"g1_naive.cu", include("a.hpp")}, {"a.hpp", std::string(300'000, ' ')}});
  CHECK(large.taken.refused.size() == 1);
  CHECK(why(large.taken, "a.hpp") == "is larger than 256 KiB");

  std::vector<std::pair<std::string, std::string>> many = {{"g1_naive.cu", ""}};
  for (int i = 0; i < 17; ++i) {
    many[0].second += include("h" + std::to_string(i) + ".h");
    many.emplace_back("h" + std::to_string(i) + ".h", "x");
  }
  const Folder full(many);
  CHECK(full.taken.files.size() == 17);
  CHECK(why(full.taken, "h16.h") == "is one more than 16 helper headers");
}

TEST_CASE("notes and predictions go with a submission") {
  const std::string predictions =
      R"({"schema":"gpu-ladder-predictions/1","predictions":[{"step":"03-dgemm/g1_naive","value":3}],"profiled":{}})";
  const Folder folder(
      {{"notes.md", "a"}, {"lessons/03-dgemm/notes.md", "b"}, {".ladder/predictions.json", predictions}});
  CHECK((folder.taken.notes == "notes.md:\n\na\n\nlessons/03-dgemm/notes.md:\n\nb" ||
         folder.taken.notes == "lessons/03-dgemm/notes.md:\n\nb\n\nnotes.md:\n\na"));
  CHECK(contains(folder.taken.predictions, "03-dgemm/g1_naive"));
  CHECK(folder.text("predictions.json") == folder.taken.predictions + "\n");
  const std::string deep =
      R"({"schema":"gpu-ladder-predictions/1","x":)" + std::string(20, '[') + std::string(20, ']') + "}";
  for (const std::string& bad : {deep, std::string("{}"), std::string("[1"), std::string(100'000, '[')}) {
    const Folder refused({{"predictions.json", bad}});
    CHECK(contains(why(refused.taken, "predictions.json"), "is not what ./ladder writes there"));
    CHECK(refused.taken.predictions.empty());
  }
}

TEST_CASE("the handout that a submission was written with, where it was packed along") {
  const std::string list = R"({"schema":"gpu-ladder-handout/1","version":"H-ABCDEFGH","files":{}})";
  const std::string other = R"({"schema":"gpu-ladder-handout/1","version":7})";
  const auto taken_from = [](const std::string& path, const std::string& text) {
    const std::vector<std::pair<std::string, std::string>> files = {{path, text}, {"notes.md", "a"}};
    return Folder(files).taken.handout;
  };
  CHECK(taken_from("gpu-ladder/.handout/handout.json", list) == "H-ABCDEFGH");
  CHECK(taken_from("elsewhere/.hidden/handout.json", list).empty());
  CHECK(taken_from(".handout/handout.json", other).empty());
}

TEST_CASE("a mistake of the grader is an error, not the student's") {
  Scratch scratch;
  write(scratch / "s/g1_naive.cu", naive);
  write(scratch / "p/old", "x");
  CHECK_THROWS_AS(take(scratch / "s", two_steps(), scratch / "p"), ladder::Error);
  for (const char* step :
       {"g1_naive.cu", "../x/g1.cu", "03-dgemm/../../x", "/etc/passwd", "03-dgemm/", "a/b/c"})
    CHECK_THROWS_AS(take(scratch / "s", {{step}, {}, {}}, scratch / "q"), ladder::Error);
}
