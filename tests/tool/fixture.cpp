#include "tests/tool/fixture.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "common/model/document_json.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/schema.hpp"

namespace ladder::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* solution =
    "void toy::NAME() {\n"
    "  // BEGIN SOLUTION Do it.\n"
    "  //| ladder::task();  // Delete this line when you start.\n"
    "  work();\n"
    "  more_work();\n"
    "  // END SOLUTION\n"
    "}\n";

/// Instead of a compiler: refuses what has #error, else the program is the source.
constexpr const char* compiler =
    "#!/bin/sh\n"
    "line=$(grep -n '#error' \"$1\" | head -n 1 | cut -d : -f 1)\n"
    "[ -z \"$line\" ] || { echo \"$1:$line:2: error: #error said so\"; exit 1; }\n"
    "cp \"$1\" \"$2\"\n";

/// Instead of the program that times the tiled product: 5 rounds at twice the loop's processor time, in half
/// of its time.
constexpr const char* speed =
    "#!/bin/sh\n"
    "echo \"$@\" > speed.arguments\n"
    "for round in 1 2 3 4 5; do echo 0.5 0.5 0.5 0.5 0.25 1; done\n"
    "echo OK\n";

/// Instead of a program of unit tests; called with -r junit -o FILE.
constexpr const char* unit_tests =
    "#!/bin/sh\n"
    "echo '<testsuites><testcase name=\"one\"/></testsuites>' >\"$4\"\n";

std::string solution_of(const std::string& name) {
  std::string text = solution;
  return text.replace(text.find("NAME"), 4, name);
}

std::string mutants_of(const std::string& name) {
  std::string text;
  for (const char* m : {"a", "b", "c", "d", "e"})
    text += "mutant " + name + "-" + m +
            "\nverdict WRONG\nwords first\nfind\n  work();\nput\n  // fake all WRONG first C[0][1]\nend\n";
  return text;
}

}  // namespace

std::string row_text(const std::string& file, const std::string& idea, const std::string& rest) {
  const bool has_hints = rest.find("hints = ") != std::string::npos;
  return "[[rungs]]\nfile = \"" + file + "\"\nidea = \"" + idea + "\"\n" + rest +
         (has_hints ? "" : "hints = [\"A first one.\", \"A second one.\"]\n");
}

std::string table_text(const std::string& title, const std::vector<std::string>& rows) {
  std::string text = "title = \"" + title + "\"\nsource = \"none\"\n";
  for (const std::string& row : rows) text += "\n" + row;
  return text;
}

Checkout::Checkout() {
  std::string name = (fs::temp_directory_path() / "toy checkout XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  root_ = name;
  const std::string skeleton =
      "void toy::NAME() {\n  // TASK, 2 lines: Do it.\n  ladder::task();  // Delete this line when you "
      "start.\n}\n";
  for (const auto& [file, idea] :
       std::map<std::string, std::string>{{"c1_first.cpp", "first"}, {"g1_naive.cu", "naive"}}) {
    write("solutions/07-toy/" + file, solution_of(idea));
    std::string text = skeleton;
    write("lessons/07-toy/" + file, text.replace(text.find("NAME"), 4, idea));
    write("tests/07-toy/mutants/" + fs::path(file).stem().string() + ".mutants", mutants_of(idea));
  }
  for (const char* tree : {"lessons", "solutions"})
    write(std::string(tree) + "/07-toy/c2_second.cpp", "// given whole\n");
  write("lessons/07-toy/problem.hpp", "// the problem\n");
  write("lessons/07-toy/rungs.toml",
        table_text("A toy",
                   {row_text("c1_first.cpp", "Begin."),
                    row_text("c2_second.cpp", "Go on.", "kind = \"demonstration\"\nhours = 0.5\n"),
                    row_text("g1_naive.cu", "One thread per element.",
                             "data = \"resident\"\nhours = 2\nhints = [\"Which lane?\", \"That one.\"]\n")}));
  write_build();
}

Checkout::~Checkout() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void Checkout::write_build() const {
  write("build/compile.sh", compiler);
  write("build/judge.sh", "#!/bin/sh\nexec '" FAKE_JUDGE "'\n");
  write("build/speed.sh", speed);
  std::string ninja =
      "rule compile\n  command = sh compile.sh $in $out && chmod +x $out\n"
      "rule copy\n  command = cp $in $out && chmod +x $out\n"
      "rule EXECUTABLE\n  command = cp $in $out && chmod +x $out\n"
      "rule keep\n  command = true\n  generator = 1\n"
      "rule mutant\n  command = '" CUT_PROGRAM
      "' mutant $in $name -o $out\n"
      "build build.ninja: keep\n"
      "build judges/07-toy: copy judge.sh\n"
      "build programs/speed: copy speed.sh\n";
  for (const std::string tree : {"lessons", "solutions"})
    for (const std::string file : {"c1_first.cpp", "c2_second.cpp", "g1_naive.cu"}) {
      const std::string backend = file.find(".cu") != std::string::npos ? "executor" : "cpu";
      ninja += "build workers/" + tree + "/07-toy/" + fs::path(file).stem().string() + "." + backend +
               ": compile ../" + tree + "/07-toy/" + file + "\n";
    }
  for (const auto& [file, idea] :
       std::map<std::string, std::string>{{"c1_first.cpp", "first"}, {"g1_naive.cu", "naive"}})
    for (const char* m : {"a", "b", "c", "d", "e"}) {
      const fs::path path = file;
      const std::string name = idea + "-" + m, stem = path.stem().string() + "~" + name;
      const std::string source = "generated/mutants/07-toy/" + stem + path.extension().string();
      ninja += "build " + source + ": mutant ../solutions/07-toy/" + file + " ../tests/07-toy/mutants/" +
               path.stem().string() + ".mutants\n  name = " + name + "\n";
      ninja += "build workers/mutants/07-toy/" + stem + (path.extension() == ".cu" ? ".executor" : ".cpu") +
               ": compile " + source + "\n";
    }
  for (const char* program : {"test-first", "test-second", "test-tool"}) {
    write("build/" + std::string(program) + ".sh", unit_tests);
    ninja += "build tests/" + std::string(program) + ": EXECUTABLE " + program + ".sh\n";
  }
  write("build/build.ninja", ninja);
}

std::map<std::string, std::string> Checkout::environment() const {
  return {{"LADDER_ROOT", root_.string()},
          {"LADDER_BUILD", (root_ / "build").string()},
          {"COLUMNS", "100"},
          {"GIT_CEILING_DIRECTORIES", root_.parent_path().string()}};
}

std::string Checkout::program() const {
  return LADDER_TOOL;
}

ProcessResult Checkout::tool(std::vector<std::string> arguments,
                             std::map<std::string, std::string> added) const {
  arguments.insert(arguments.begin(), program());
  added.merge(environment());  // what a test sets stays
  return run_process(
      {.arguments = std::move(arguments), .folder = root_, .environment = std::move(added), .seconds = 120});
}

json Checkout::json(std::vector<std::string> arguments, int status,
                    std::map<std::string, std::string> added) const {
  arguments.insert(arguments.end(), {"--json", "results.json"});
  fs::remove(root_ / "results.json");
  const ProcessResult ended = tool(std::move(arguments), std::move(added));
  INFO(ended.output);
  CHECK(ended.status == status);
  const auto document = nlohmann::json::parse(read("results.json"), nullptr, false);
  REQUIRE(document.is_object());
  const auto schema = nlohmann::json::parse(read_text(RESULTS_SCHEMA));
  CHECK(violation(document, schema, schema) == "");
  CHECK_NOTHROW(ladder::model::document_from_json(document, "results.json"));
  return document;
}

void Checkout::write(const std::string& path, const std::string& text) const {
  write_text(root_ / path, text);
}

void Checkout::order(const std::string& path, const std::string& what) const {
  write(path, "// fake " + what + "\n");
}

pid_t Checkout::start(const std::vector<std::string>& arguments) const {
  // A signal that comes before exec would find Catch's handlers, which report a failure of the test: it waits
  // until the child has none.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  if (child != 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return child;
  }
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  setpgid(0, 0);
  for (const auto& [name, value] : environment()) setenv(name.c_str(), value.c_str(), 1);
  setenv("TMPDIR", (root_ / "tmp").c_str(), 1);
  if (chdir(root_.c_str()) != 0) _exit(127);
  const int out = open("output", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(out, 1);
  dup2(out, 2);
  std::vector<std::string> texts = arguments;
  texts.insert(texts.begin(), program());
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

bool within(double seconds, const std::function<bool()>& true_at_last) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!true_at_last()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

json step(const json& document, const std::string& name) {
  for (const json& s : document["lessons"][0]["steps"])
    if (s["name"] == name) return s;
  return nullptr;
}

}  // namespace ladder::test
