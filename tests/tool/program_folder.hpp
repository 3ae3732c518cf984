#pragma once
/// @file
/// ladder-dev on programs of somebody else's, with the real compiler and the real executor.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/text.hpp"

namespace ladder::test {

/// A folder with sources, whose name has a blank, and the tool started from there.
class ProgramFolder {
  using Words = std::vector<std::string>;
  using Environment = std::map<std::string, std::string>;

 public:
  ProgramFolder() : path_(scratch_.path() / "some code") { std::filesystem::create_directories(path_); }

  const ProgramFolder& write(const std::string& name, const std::string& text) const {
    write_text(path_ / name, text);
    return *this;
  }
  std::string read(const std::string& name) const { return read_text(path_ / name); }

  ProcessResult tool(Words words, Environment environment = {}) const {
    words.insert(words.begin(), LADDER_TOOL);
    return run(words, std::move(environment));
  }
  ProcessResult check(Words words, Environment environment = {}) const {
    words.insert(words.begin(), "check");
    return tool(std::move(words), std::move(environment));
  }

  /// A line of the shell in which $tool is the tool.
  ProcessResult sh(const std::string& line) const { return run({"sh", "-c", line}); }

  /// The "program" of the document.
  nlohmann::json document(Words words, int status) const {
    words.insert(words.begin(), {"--json", "out.json"});
    const ProcessResult ended = check(words);
    INFO(ended.output);
    CHECK(ended.status == status);
    return nlohmann::json::parse(read("out.json")).at("program");
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  ProcessResult run(const Words& words, Environment environment = {}) const {
    environment.insert({{"LADDER_BUILD", LADDER_BINARY_DIR},
                        {"LADDER_ROOT", LADDER_PROJECT},
                        {"COLUMNS", "100"},
                        {"tool", LADDER_TOOL}});
    return run_process(
        {.arguments = words, .folder = path_, .environment = std::move(environment), .seconds = 300});
  }

  ScratchFolder scratch_;
  std::filesystem::path path_;
};

}  // namespace ladder::test
