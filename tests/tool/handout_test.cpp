/// @file
/// The verbs handout, solutions and update on the toy checkout: what is in a handout, and what an update
/// leaves alone.
// Guards: docs/handout.md#what-is-in-it, docs/handout.md#updates

#include "common/grade/intake/zip.hpp"
#include "common/grade/sha256.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/tool/fixture.hpp"

using ladder::ProcessResult;
using ladder::read_text;
using ladder::run_process;
using ladder::write_text;
using ladder::test::approve;
using ladder::test::Checkout;
using ladder::test::has;
namespace fs = std::filesystem;

namespace {

const std::string first_line = "const double share = whole / parts + rest * weight;";

std::string solution(const std::string& name, const std::string& given, const std::string& own) {
  return "#include \"problem.hpp\"\n\nnamespace toy {\n\nvoid " + name + "(const Problem& p) {\n" + given +
         "  // BEGIN SOLUTION Do it.\n  //| ladder::task();\n  " + own +
         "\n  // END SOLUTION\n}\n\n}  // namespace toy\n";
}

/// The toy with solutions that tell something, a page with answers, and what handouts are made of.
struct Repository : Checkout {
  Repository() {
    const fs::path project = fs::path(RESULTS_SCHEMA).parent_path().parent_path();
    for (const char* file : {"ladder", ".gitignore", "common/tool/finish_update.sh", "common/tool/verbs.sh",
                             "common/tool/first_build.sh", "common/tool/templates/handout/README.md.in"})
      write(file, read_text(project / file));
    fs::permissions(root() / "ladder", fs::perms::owner_exec, fs::perm_options::add);
    for (const char* table : {"student_verbs", "verbs"})
      write(std::string("common/tool/") + table + ".cpp", "");
    write("common/tool/check_verbs.cpp", "    {\"list\", \"*\", \"light\",\n");
    write("common/tool/packages.sh",
          "need() { :; }\nlook() { exit 0; }\n");  // ./ladder ends here: an update is finished before
    write("solutions/07-toy/c1_first.cpp", solution("first", "", first_line));
    write("solutions/07-toy/g1_naive.cu",
          solution("naive", "  " + first_line + "\n", "const double last = share * first + second - third;"));
    write(
        "lessons/07-toy/README.md",
        "# 07\n\n### c1 · First\n\n<details><summary>Why?</summary>Because of c1.</details>\n\n## Beyond\n\n"
        "<details><summary>To read</summary>A book.</details>\n");
    write("docs/glossary.md", "words\n");
    write("docs/instructor.md", "not for students\n");
  }
  ProcessResult hand_out(const std::string& rungs = "07/c1,07/g1", const std::string& out = "hw.zip") const {
    return tool({"handout", "--rungs", rungs, "--out", out}, {{"COLUMNS", "300"}});
  }
};

/// A student's copy of a handout.
struct Copy {
  fs::path root;
  Copy(const Repository& repository, const std::string& zip)
      : root(repository.root() / "student" / "gpu-ladder") {
    for (const auto& [path, file] : ladder::grade::read_zip(repository.root() / zip)) {
      write_text(root.parent_path() / path, file.bytes);
      if (file.executable)
        fs::permissions(root.parent_path() / path, fs::perms::owner_exec, fs::perm_options::add);
    }
  }
  ProcessResult tool(const Repository& repository, std::vector<std::string> arguments,
                     const std::string& path = "") const {
    arguments.insert(arguments.begin(), repository.program());
    auto environment = repository.environment();
    environment["LADDER_ROOT"] = root, environment["COLUMNS"] = "300";
    if (!path.empty()) environment["PATH"] = path;
    return run_process(
        {.arguments = arguments, .folder = repository.root(), .environment = environment, .seconds = 60});
  }
  std::string read(const std::string& path) const { return read_text(root / path); }
  /// ./ladder, as far as it looks after updates.
  ProcessResult ladder(const Repository& repository) const {
    return run_process({.arguments = {root / "ladder", "list"},
                        .environment = {{"LADDER_BUILD", (repository.root() / "student/build").string()},
                                        {"LADDER_PREFIX", ""}},  // this copy has no prefix.sh
                        .seconds = 60});
  }
  /// Every file but those that updates keep for themselves.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
      const std::string path = at->path().lexically_relative(root).generic_string();
      if (path == ".handout/undo" || path == ".handout/update" || path == ".handout/next" || path == ".git")
        at.disable_recursion_pending();
      else if (at->is_regular_file())
        all[path] = read_text(at->path());
    }
    return all;
  }
};

/// A second handout: c1 released, a page changed, one file more and one less.
std::string make_newer(const Repository& r) {
  fs::copy(r.root() / "hw.zip", r.root() / "hw-2.zip");
  r.write("docs/rungs.md", "a new page\n");
  fs::remove(r.root() / "docs/glossary.md");
  const ProcessResult released =
      r.tool({"solutions", "hw-2.zip", "--release", "07/c1"}, {{"COLUMNS", "300"}});
  INFO(released.output);
  CHECK(released.status == 0);
  return (r.root() / "hw-2.zip").string();
}

constexpr const char *c1 = "lessons/07-toy/c1_first.cpp", *g1 = "lessons/07-toy/g1_naive.cu";

}  // namespace

TEST_CASE("handout: skeletons cut rung by rung, no solution, mutant, answer or page for staff") {
  const Repository r;
  const ProcessResult made = r.hand_out();
  REQUIRE(made.status == 0);
  approve("handed-out", made);
  const Copy student(r, "hw.zip");
  const auto files = student.files();
  for (const auto& [path, text] : files) {
    INFO(path);
    CHECK(path.find("solutions/") != 0);
    CHECK(path.find("mutants") == std::string::npos);
    CHECK(text.find("whole / parts") == std::string::npos);
    CHECK(text.find("share * first") == std::string::npos);
  }
  CHECK(student.read(g1).find("// TASK, as in c1: copy yours, 1 line.") != std::string::npos);
  CHECK(student.read(std::string(".handout/skeletons/07-toy/g1_naive.cu")) == student.read(g1));
  CHECK_FALSE(files.contains("docs/instructor.md"));
  CHECK_FALSE(files.contains("lessons/07-toy/c2_second.cpp"));
  const std::string page = student.read("lessons/07-toy/README.md");
  CHECK(page.find("<summary>Why?</summary>The answer comes with the solution of 07/c1.</details>") !=
        std::string::npos);
  CHECK(page.find("A book.") != std::string::npos);
  CHECK(student.read("README.md").find("./ladder check 07/c1 ") != std::string::npos);

  approve("list", student.tool(r, {"list", "07"}));
  write_text(student.root / g1, "mine\n");
  approve("reset", student.tool(r, {"reset", "07/g1"}));
  CHECK(student.read(g1) == student.read(".handout/skeletons/07-toy/g1_naive.cu"));
  approve("run-needs-solutions", student.tool(r, {"run", "07"}));
  approve("test-needs-tests", student.tool(r, {"test"}));
}

TEST_CASE("handout: refused where a file shows a line of a solution, however it is broken and written") {
  const Repository r;
  r.write("docs/glossary.md", "As in `const double share = whole /\n parts + rest * weight;`\n");
  approve("shows-a-solution", r.hand_out());
  CHECK_FALSE(fs::exists(r.root() / "hw.zip"));
  CHECK(r.hand_out("07/g1").status == 0);  // c1 is not handed out: g1 may show it
  approve("hand-out-what", r.tool({"handout", "--rungs", "07"}));
  approve("folder-of-something-else", r.hand_out("07/g1", "lessons"));
}

TEST_CASE(
    "solutions: released into a folder, with what was cut because of them; not over somebody's change") {
  const Repository r;
  REQUIRE(r.hand_out("07/c1,07/g1", "course").status == 0);
  const std::string skeleton = r.read(std::string("course/") + g1);
  r.write(std::string("course/") + g1, skeleton + "// mine\n");
  approve("not-over-a-change", r.tool({"solutions", "course", "--release", "07/c1"}));
  r.write(std::string("course/") + g1, skeleton);
  approve("released", r.tool({"solutions", "course", "--release", "07/c1"}));
  CHECK(r.read("course/solutions/07-toy/c1_first.cpp") == r.read("solutions/07-toy/c1_first.cpp"));
  CHECK(r.read(std::string("course/") + g1).find(first_line) != std::string::npos);
  CHECK(r.read("course/lessons/07-toy/README.md").find("Because of c1.") != std::string::npos);
  approve("released-already", r.tool({"solutions", "course", "--release", "07/c1"}));
}

TEST_CASE("update: a newer handout next to the student's files, edited, deleted and renamed; and back") {
  const Repository r;
  REQUIRE(r.hand_out().status == 0);
  Copy student(r, "hw.zip");
  const std::string newer = make_newer(r), skeleton = student.read(g1);
  const bool clone = GENERATE(false, true);
  if (clone)
    for (std::vector<std::string> command :
         {std::vector<std::string>{"git", "init", "-q"}, {"git", "add", "-A"}})
      REQUIRE(run_process({.arguments = command, .folder = student.root}).ok());
  write_text(student.root / g1, "// my g1\n");
  fs::rename(student.root / c1, student.root / "lessons/07-toy/c1_mine.txt");
  write_text(student.root / "lessons/07-toy/helper.hpp", "// mine\n");
  write_text(student.root / "notes.md", "notes\n");
  write_text(student.root / ".ladder/state.json", "{}\n");
  write_text(student.root / "lessons/07-toy/problem.hpp", "// broken\n");
  const auto before = student.files();

  const ProcessResult updated = student.tool(r, {"update", newer});
  REQUIRE(updated.status == 0);
  approve("updated", updated);
  CHECK(student.read(g1) == "// my g1\n");
  CHECK(student.read(std::string(g1) + ".new").find(first_line) != std::string::npos);
  CHECK(student.read("lessons/07-toy/helper.hpp") == "// mine\n");
  CHECK(student.read("lessons/07-toy/problem.hpp") == "// the problem\n");
  CHECK(student.read("docs/rungs.md") == "a new page\n");
  CHECK_FALSE(fs::exists(student.root / "docs/glossary.md"));
  CHECK_FALSE(fs::exists(student.root / c1));
  CHECK(fs::exists(student.root / ".git") == clone);
  approve("update-is-here", student.tool(r, {"update", newer}));

  approve("undone", student.tool(r, {"update", "--undo"}));
  CHECK(student.files() == before);
  CHECK(student.tool(r, {"update", "--undo"}).status == 0);  // and forth
  CHECK(student.read("docs/rungs.md") == "a new page\n");
  write_text(student.root / c1, "// begun again\n");
  CHECK(student.tool(r, {"update", "--undo"}).status == 0);
  CHECK(student.read(c1) == "// begun again\n");
}

TEST_CASE("update: notes.md with headings is the student's, and a release keeps it") {
  const Repository r;
  REQUIRE(r.hand_out().status == 0);
  const std::string top = "gpu-ladder/", list_file = ".handout/handout.json";
  const auto put_headings = [&](const std::string& zip, const std::string& headings) {
    ladder::grade::Tree files;
    for (const auto& [path, file] : ladder::grade::read_zip(r.root() / zip))
      files[path.substr(top.size())] = file;
    nlohmann::json list = nlohmann::json::parse(files[list_file].bytes);
    list["version"] = list["version"].get<std::string>() + "-notes";
    for (const char* path : {"notes.md", ".handout/skeletons/notes.md"})
      files[path] = {headings}, list["files"][path] = ladder::sha256(headings);
    files[list_file] = {list.dump()};
    ladder::grade::write_zip(r.root() / zip, files, "gpu-ladder");
  };
  put_headings("hw.zip", "## 07/g1: Why?\n");
  const Copy student(r, "hw.zip");
  write_text(student.root / "notes.md", "## 07/g1: Why?\nbecause\n");
  const std::string newer = make_newer(r);
  REQUIRE(student.tool(r, {"update", newer}).status == 0);
  CHECK(student.read("notes.md") == "## 07/g1: Why?\nbecause\n");
  CHECK(student.read(".handout/skeletons/notes.md") == "## 07/g1: Why?\n");
  CHECK_FALSE(fs::exists(student.root / "notes.md.new"));
  put_headings("hw-2.zip", "## 07/g1: Why?\n## 07/c1: How?\n");
  approve("notes-stay", student.tool(r, {"update", newer}));
  CHECK(student.read("notes.md") == "## 07/g1: Why?\nbecause\n");
  CHECK(student.read("notes.md.new") == "## 07/g1: Why?\n## 07/c1: How?\n");
}

TEST_CASE("update: a skeleton that nobody has begun is replaced; a damaged or strange file changes nothing") {
  const Repository r;
  REQUIRE(r.hand_out().status == 0);
  const Copy student(r, "hw.zip");
  const std::string newer = make_newer(r);
  const auto before = student.files();
  r.write("half.zip", read_text(newer).substr(0, 2000));
  approve("damaged-zip", student.tool(r, {"update", (r.root() / "half.zip").string()}));
  approve("no-such-zip", student.tool(r, {"update", "nowhere.zip"}));
  approve("another-folder", student.tool(r, {"update", (r.root() / "lessons").string()}));
  approve("copy-is-no-handout", r.tool({"update", newer}));
  approve("no-update-to-undo", student.tool(r, {"update", "--undo"}));
  CHECK(student.files() == before);
  approve("new-skeleton", student.tool(r, {"update", newer}));
  CHECK(student.read(g1).find(first_line) != std::string::npos);
}

TEST_CASE(
    "update: killed at each renaming, the next ./ladder has the new state; before the first one, the old") {
  const Repository r;
  REQUIRE(r.hand_out().status == 0);
  const std::string newer = make_newer(r);
  // Instead of mv: kills the shell that has called it, before the renaming of that number or after it.
  r.write("killing/mv",
          "#!/bin/sh\nn=$(cat \"$COUNT\"); echo $((n - 1)) >\"$COUNT\"\n[ $n != 1 ] || [ $WHEN != before ] "
          "|| kill -9 $PPID\n"
          "[ $n != 1 ] || [ $WHEN != before ] || exit 1\n/bin/mv \"$@\"\n[ $n != 1 ] || kill -9 $PPID\n");
  fs::permissions(r.root() / "killing/mv", fs::perms::owner_all);
  std::map<std::string, std::string> old_files, new_files;
  int renamings = 0;
  for (int n = 0; n == 0 || renamings == 0; ++n)
    for (const char* when : {"before", "after"}) {
      fs::remove_all(r.root() / "student");
      const Copy student(r, "hw.zip");
      if (old_files.empty()) old_files = student.files();
      write_text(r.root() / "count", std::to_string(n));
      setenv("COUNT", (r.root() / "count").c_str(), 1), setenv("WHEN", when, 1);
      const ProcessResult updated =
          student.tool(r, {"update", newer}, (r.root() / "killing").string() + ":/usr/bin:/bin");
      INFO("renaming " << n << ", " << when << "\n" << updated.output);
      if (n == 0) {
        REQUIRE(updated.status == 0);
        new_files = student.files();
        CHECK(new_files != old_files);
        continue;
      }
      if (updated.status == 0) {
        renamings = n;
        CHECK(student.files() == new_files);
        continue;
      }
      approve("update-interrupted", updated);
      approve("update-finished", student.ladder(r));
      CHECK(student.files() == new_files);
      CHECK(student.tool(r, {"update", "--undo"}).status == 0);
      CHECK(student.files() == old_files);
    }
  CHECK(renamings > 10);  // of a dozen files
  const Copy student(r, "hw.zip");
  write_text(student.root / ".handout/next/list", "+ docs/rungs.md\n");
  approve("update-interrupted-before", student.ladder(r));
  CHECK_FALSE(fs::exists(student.root / ".handout/next"));
}
