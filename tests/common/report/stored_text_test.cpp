/// @file
/// The layout of stored runs: one record per line, in every file of docs/results.
// Guards: docs/measuring.md#a-run

#include "common/report/results/stored_text.hpp"

#include <cstdlib>

#include "common/base/files/whole_file.hpp"
#include "common/base/text/text.hpp"
#include "tests/common/report/checkout.hpp"

using namespace ladder::test;
using ladder::report::stored_text;

TEST_CASE("a stored run has one record per line, its other fields on lines of their own") {
  json run =
      run_of({{{"name", "g1_naive"}, {"points", 4}}, {{"name", "g2_tiles"}, {"kinds", {{{"of", 3}}}}}});
  run["machine"] = {{"devices", {{{"id", "cuda:0"}}}}};
  CHECK(stored_text(run) == R"({
 "date": "2026-01-02T03:04:05Z",
 "lessons": [
  {
   "name": "03-dgemm",
   "steps": [
    {"name":"g1_naive","points":4},
    {"kinds":[{"of":3}],"name":"g2_tiles"}
   ]
  }
 ],
 "machine": {
  "devices": [
   {
    "id": "cuda:0"
   }
  ]
 },
 "schema": "gpu-ladder/3"
}
)");
  CHECK(stored_text({{"lessons", json::array()}}) == "{\n \"lessons\": []\n}\n");
}

TEST_CASE("a stored list, as suites.json, has one entry per line") {
  CHECK(stored_text({{{"suite", "a"}}, {{"suite", "b"}}}) ==
        "[\n {\"suite\":\"a\"},\n {\"suite\":\"b\"}\n]\n");
}

TEST_CASE("one rung measured again changes one line of a stored run") {
  const auto run = [](double seconds) {
    return ladder::lines_of(
        stored_text(run_of({result("g1_naive", "cuda", 64, 1), result("g2_tiles", "cuda", 64, seconds)})));
  };
  const auto before = run(0.5), after = run(0.25);
  REQUIRE(before.size() == after.size());
  int changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != after[i];
  CHECK(changed == 1);
}

TEST_CASE("every stored file is byte for byte what writing it again gives: ./ladder results rename") {
  const char* const root = std::getenv("LADDER_ROOT");
  REQUIRE(root);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(root) / "docs/results")) {
    const fs::path path = entry.path();
    if (path.extension() != ".json" || path.parent_path().filename() == "results") continue;
    const std::string text = ladder::read_text(path);
    INFO(path);
    CHECK((stored_text(json::parse(text)) == text));
    ++files;
  }
  CHECK(files > 0);
}
