#pragma once
/// @file
/// A small checkout with stored runs and one page.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/files/whole_file.hpp"
#include "common/model/document_json.hpp"
#include "common/sitegen/pages.hpp"
#include "tests/common/catch.hpp"

namespace ladder::test {

using nlohmann::json;
using report::Pages;
using report::Tables;
namespace fs = std::filesystem;
namespace model = ladder::model;

inline json result(const std::string& name, const std::string& backend, int n, double seconds) {
  return {{"name", name},
          {"backend", backend},
          {"device", backend},
          {"verdict", "PASS"},
          {"time",
           {{"median", seconds},
            {"low", 0.9 * seconds},
            {"high", 1.1 * seconds},
            {"runs", 15},
            {"problem", {{"m", n}, {"n", n}}}}},
          {"ratio", {{"baseline", 1.5}, {"OpenBLAS", 0.5}}}};
}

inline json target(const std::string& metric, const json& measured, const std::string& reason) {
  return {{"metric", metric},
          {"relation", "<="},
          {"bound", 1.1},
          {"measured", measured},
          {"met", measured.is_number()},
          {"reason", reason}};
}

inline json run_of(const std::vector<json>& steps) {
  return {{"schema", "gpu-ladder/3"},
          {"date", "2026-01-02T03:04:05Z"},
          {"machine", {{"cpu", "AMD EPYC"}, {"cores", 2}, {"os", "Debian GNU/Linux 12 (bookworm)"}}},
          {"lessons", {{{"name", "03-dgemm"}, {"steps", steps}}}}};
}

/// The same as a structure.
inline model::Document document_of(json document) {
  document["schema"] = model::document_schema;
  return model::document_from_json(document, "a document");
}

inline const Tables tables = {{"03-dgemm",
                               {{"steps",
                                 {{{"name", "c1_openmp"},
                                   {"file", "c1_openmp.cpp"},
                                   {"kind", "R"},
                                   {"idea", "Share | divide."},
                                   {"hours", 0.5}},
                                  {{"name", "g1_naive"},
                                   {"file", "g1_naive.cu"},
                                   {"kind", "R"},
                                   {"hours", 1},
                                   {"idea", "One thread, one element."}}}}}}};

/// A checkout with one page, removed with the object.
class Checkout {
 public:
  Checkout() {
    std::string name = (fs::temp_directory_path() / "ladder-pages-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    root = name;
    write("docs/results/machines.json",
          R"([{"folder": "here", "name": "2 cores, no GPU"}, {"folder": "far", "name": "NVIDIA H200"}])");
  }
  ~Checkout() {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }

  void store(const std::string& file, const json& document) {
    write("docs/results/" + file, document.dump());
  }

  void store_run() {
    json c1 = result("c1_openmp", "cpu", 768, 0.02), g1 = result("g1_naive", "executor", 256, 0.2);
    c1["targets"] = json::array({target("balance", 1.02, "")});
    g1["targets"] = json::array({target("sectors", nullptr, "counters come with the observed mode")});
    store("here/run.json", run_of({c1, g1}));
  }

  std::string read(const std::string& file) const { return read_text(root / file); }

  /// The page with the text, as generated.
  std::string generated(const std::string& text) {
    write(page, text);
    const Pages pages = report::generate_pages(root, tables);
    for (const auto& problem : pages.problems) FAIL_CHECK(problem.sentence());
    report::write_pages(root, pages);
    return read(page);
  }

  fs::path root;
  const std::string page = "lessons/03-dgemm/README.md";
};

}  // namespace ladder::test
