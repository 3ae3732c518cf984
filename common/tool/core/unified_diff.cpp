#include "common/tool/core/unified_diff.hpp"

#include "common/base/process/process.hpp"

namespace ladder {

namespace fs = std::filesystem;

std::string difference(const fs::path& from, const fs::path& to, const std::string& from_name,
                       const std::string& to_name) {
  return run_process({.arguments = {"diff", "-u", "--label", from_name, "--label", to_name, from.string(),
                                    to.string()},
                      .seconds = 60})
      .output;
}

}  // namespace ladder
