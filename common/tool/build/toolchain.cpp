#include "common/tool/build/toolchain.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace {

using nlohmann::json;

CompileMode mode_of(const json& object) {
  return {object.at("flags"), object.at("first"), object.at("link"), object.at("targets")};
}

}  // namespace

std::vector<std::string> Toolchain::lint_words(const std::string& standard) const {
  std::vector<std::string> words;
  if (const auto compiled = lint_headers.find(standard); compiled != lint_headers.end()) {
    words = {"--headers"};
    words.insert(words.end(), compiled->second.begin(), compiled->second.end());
  }
  words.insert(words.end(), lint.begin(), lint.end());
  words.push_back("-std=" + standard);
  return words;
}

Toolchain read_toolchain(const std::filesystem::path& build_folder) {
  const std::filesystem::path file = build_folder / "toolchain.json";
  try {
    const json all = json::parse(read_text(file));
    return {.launcher = all.at("launcher"),
            .cxx = all.at("cxx"),
            .c = all.at("c"),
            .rewriter = all.at("rewriter").get<std::string>(),
            .headers = all.at("headers").get<std::string>(),
            .plain = mode_of(all.at("plain")),
            .observed = mode_of(all.at("observed")),
            .lint = all.at("lint"),
            .lint_headers = all.at("lint_headers"),
            .lint_script = all.at("lint_script").get<std::string>()};
  } catch (const json::exception& problem) {
    throw UsageError{fmt::format("{} cannot be read ({}): configure the build again through ./ladder",
                                 file.string(), problem.what())};
  }
}

}  // namespace ladder
