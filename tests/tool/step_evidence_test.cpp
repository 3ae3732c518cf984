/// @file
/// What is looked at of a built step: a look that sees nothing is no look.
// Guards: docs/grading.md#attacks

#include "common/tool/grading/submission/step_evidence.hpp"

#include "common/base/catch.hpp"
#include "common/base/files/files.hpp"
#include "common/tool/maintain/checks/attacks.hpp"

namespace ladder {
namespace {

/// A step with one source, and recipes for two back ends.
struct Built {
  ScratchFolder folder{};
  StepEntry entry{.lesson = "03-dgemm", .name = "g1_naive", .file = "g1_naive.cu", .row = {}};
  GradedStep step{.step = &entry};

  explicit Built(const std::string& text) {
    fs_path("sources/03-dgemm");
    write_text(source(), text);
    for (const char* backend : {"executor", "observed"})
      step.recipes.push_back(
          {.target = std::string("workers/lessons/03-dgemm/g1_naive.") + backend,
           .commands = {"c++ -o @OUTPUTS@/x.dir/g1_naive.cu.cpp.o -c @OUTPUTS@/g1_naive.cu.cpp"}});
  }
  std::filesystem::path source() const { return folder.path() / "sources/03-dgemm/g1_naive.cu"; }
  void fs_path(const char* name) const { std::filesystem::create_directories(folder.path() / name); }
  BuiltStep files() const { return {step, source(), folder.path() / "sources", folder.path() / "built"}; }
};

/// "name: why" of each. @param symbols, text, code  what each kind of look prints
std::string said(const Built& built, const std::string& symbols, const std::string& text,
                 const std::string& code) {
  const Look look = [&](const std::string& script, const std::vector<std::string>&) {
    ProcessResult ended;
    ended.status = 0;
    ended.output = script.find("nm -P") != script.npos    ? symbols
                   : script.find("-E -dD") != script.npos ? text
                                                          : code;
    return ended;
  };
  std::string all;
  for (const auto& one : suspicions_of(built.files(), {}, look))
    all += one.symbol + ": " + one.why + (one.place.empty() ? "" : " (" + one.place + ")") + "\n";
  return all;
}

const std::string marker = "# 1 \"/s/03-dgemm/g1_naive.cu\"\n";
const std::string hooked =
    "0000000000000000 <_Z1kPd>:\n   0:\tcall   1 <k>\n\t\t\t1: R_X86_64_PLT32\t__tsan_func_entry-0x4\n";

}  // namespace

TEST_CASE("A rung that was looked at as a whole, and shows nothing", "[grade]") {
  const Built built("void f() {}\n");
  CHECK(said(built, "printf U\n# whole\n", marker + "void f() {}\n# whole\n", hooked + "# whole\n").empty());
}

TEST_CASE("A look that was cut off, or sees nothing, is for a person", "[grade]") {
  const Built built("void f() {}\n");
  const std::string end = "# whole\n";
  CHECK(said(built, end, end, end) ==
        "symbols: could not be looked at as a whole\n"
        "macros: could not be looked at as a whole\n"
        "code: could not be looked at as a whole\n");
  CHECK(said(built, "printf U\n", marker + end, hooked + end) ==
        "symbols: could not be looked at as a whole\n");
  CHECK(said(built, "printf U\n" + end, marker, hooked + end) ==
        "macros: could not be looked at as a whole\n");
  CHECK(said(built, "printf U\n" + end, marker + end, hooked) == "code: could not be looked at as a whole\n");
}

TEST_CASE("Each look is shown with its place, and what the reference has is not", "[grade]") {
  Built built("// f\n#line 7\n");
  const std::string quiet = "0000000000000000 <_Z5quietPKd>:\n   0:\tmovsd  (%rdi),%xmm0\n# whole\n";
  const auto all = [&] { return said(built, "exit U\n# whole\n", marker + "asm(\"\");\n# whole\n", quiet); };
  CHECK(all() ==
        "exit: ends the process itself\n"
        "#line: hides on which line it says what (g1_naive.cu:2)\n"
        "asm: has machine code of its own, whose accesses and calls nobody sees (g1_naive.cu:1)\n"
        "_Z5quietPKd: accesses memory where nothing counts it\n");
  built.step.reference_names = {"asm", "exit", "#line", "_Z5quietPKd"};
  CHECK(all().empty());
  built.step.reference_names = {"asm", "exit", "#line", "quiet"};  // as a course file allows it
  CHECK(all().empty());
}

TEST_CASE("A header that a rung brings along is looked at as the rung is", "[grade]") {
  const Built built("#include \"helper.cuh\"\n");
  write_text(built.source().parent_path() / "helper.cuh", "void f();\n#line 7\n");
  // Another step, with a look of its own.
  write_text(built.source().parent_path() / "g2_shared_tiles.cu", "#line 9\n");
  const std::string end = "# whole\n", macros = "# 1 \"/s/03-dgemm/helper.cuh\" 1\nint a;\nasm(\"\");\n";
  CHECK(said(built, "printf U\n" + end, marker + macros + end, hooked + end) ==
        "#line: hides on which line it says what (helper.cuh:2)\n"
        "asm: has machine code of its own, whose accesses and calls nobody sees (helper.cuh:2)\n");
}

TEST_CASE("Evidence names functions as the source has them, with their place", "[grade]") {
  model::GradedResult result;
  result.verdict = Verdict::pass, result.message = "right";
  show_suspicions({{"_ZN5dgemm12_GLOBAL__N_15quietEPKd", "accesses memory where nothing counts it", ""},
                   {"asm", "has machine code", "it waits", "g1.cu:3"}},
                  "", result);
  CHECK(result.message ==
        "it accesses memory where nothing counts it (dgemm::quiet); it has machine code (asm, g1.cu:3); "
        "judged PASS: right");
  CHECK(result.verdict == Verdict::review);
  CHECK(result.judged_as == Verdict::pass);
  CHECK(result.details.at(1) == std::pair<std::string, std::string>{"Honest if", "asm: it waits"});
}

TEST_CASE("A row of the table of attacks has nothing that Markdown or Doxygen takes for its own", "[grade]") {
  GradingCase attack{
      .lesson = "00-first-steps", .step = "g1_first_kernel", .name = "x", .file = {}, .expected = {}};
  attack.expected.what = "calls ladder::check, {anonymous}::own or ::kill | a #line <b>";
  const nlohmann::json record = {
      {"steps",
       {{{"name", attack.step},
         {"lesson", attack.lesson},
         {"staff", {{"verdict", "REVIEW"}, {"evidence", "a::b|c#d<e\nnot shown"}}}}}}};
  CHECK(table_row(attack, {{"bwrap", model::grade_record_from_json(record, "a record")}}) ==
        "| calls ladder\\::check, own or \\::kill \\| a \\#line &lt;b> | 00/g1 | REVIEW | not run | "
        "a\\::b\\|c\\#d&lt;e |\n");
}

}  // namespace ladder
