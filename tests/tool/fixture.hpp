#pragma once
/// @file
/// A small checkout with a build that needs no compiler, to try the verbs on: lesson 07-toy, steps c1, c2 and
/// g1.

#include <sys/types.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/process/process.hpp"
#include "tests/common/approved.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/text.hpp"

namespace ladder::test {

/// A row of a rungs.toml. @param rest  further lines, each with its end
std::string row_text(const std::string& file, const std::string& idea, const std::string& rest = "");
/// A rungs.toml.
std::string table_text(const std::string& title, const std::vector<std::string>& rows);

/// A checkout of its own in a temporary folder whose name has a blank.
class Checkout {
 public:
  Checkout();
  ~Checkout();
  Checkout(const Checkout&) = delete;

  /// Runs ladder-dev with these arguments; standard output and error together.
  ProcessResult tool(std::vector<std::string> arguments,
                     std::map<std::string, std::string> environment = {}) const;

  /// The same with --json; the document is checked against docs/results.schema.json.
  nlohmann::json json(std::vector<std::string> arguments, int status,
                      std::map<std::string, std::string> environment = {}) const;

  /// Writes a file of the checkout, its folders too.
  void write(const std::string& path, const std::string& text) const;
  std::string read(const std::string& path) const { return read_text(root_ / path); }

  /// Says in a step's source what the fake judge finds.
  void order(const std::string& path, const std::string& what) const;

  /// Environment and program, for tests that start the tool themselves.
  std::map<std::string, std::string> environment() const;
  std::string program() const;
  /// The tool in the background, as a shell would have started it: with a group of its own, a temporary
  /// folder of the checkout, and what it prints in the file `output`.
  pid_t start(const std::vector<std::string>& arguments) const;

  const std::filesystem::path& root() const { return root_; }

 private:
  void write_build() const;
  std::filesystem::path root_;
};

/// What calls print that are refused: one line each, with status 2.
inline std::string refusals(const Checkout& c, const std::vector<std::vector<std::string>>& calls,
                            const std::map<std::string, std::string>& environment = {}) {
  std::string all;
  for (const std::vector<std::string>& call : calls) {
    const ProcessResult ended = c.tool(call, environment);
    INFO(ended.output);
    CHECK(ended.status == 2);
    CHECK(std::count(ended.output.begin(), ended.output.end(), '\n') == 1);
    all += transcript(call, ended);
  }
  return all;
}

/// Whether it becomes true in this time.
bool within(double seconds, const std::function<bool()>& true_at_last);

/// The result of a step in a document's first lesson; null when there is none.
nlohmann::json step(const nlohmann::json& document, const std::string& name);

}  // namespace ladder::test
