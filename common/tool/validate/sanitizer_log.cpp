#include "common/tool/validate/sanitizer_log.hpp"

#include <string_view>

#include "common/base/text/text.hpp"

namespace ladder {
namespace {

/// How an error begins, and what it means: the wording of compute-sanitizer 2022 to 2025.
constexpr struct {
  std::string_view text, kind;
} beginnings[] = {
    {"Invalid __global__ ", "out-of-bounds"},
    {"Invalid __shared__ ", "out-of-bounds"},
    {"Invalid __local__ ", "out-of-bounds"},
    {"Invalid ", "out-of-bounds"},  // "Invalid read of size 4 bytes": generic addresses
    {"Address ", ""},               // explains the line before
    {"Malloc/Free Error", "invalid-free"},
    {"Double free", "invalid-free"},
    {"Leaked ", "leak"},
    {"Error: Race reported", "shared-race"},
    {"Error: Potential ", "shared-race"},
    {"Warning: Race reported", "shared-race"},
    {"Warning: Potential ", "shared-race"},
    {"Warning: (Warp Level Programming)", "shared-race"},
    {"Error: (Warp Level Programming)", "shared-race"},
    {"Race reported", "shared-race"},
    {"Potential ", "shared-race"},
    {"Uninitialized ", "uninitialised"},
    {"Host API uninitialized memory access", "uninitialised"},
    {"Host API memory access error", "out-of-bounds"},
    {"Barrier error detected", "barrier"},
    {"Invalid arguments", "barrier"},  // of __syncwarp and named barriers
    {"Program hit ", ""},              // an error of the CUDA API
};

/// What lines below an error add to it: "Access at 0x7f… is misaligned".
std::string_view corrected(const std::string& line) {
  if (line.find("is misaligned") != std::string::npos) return "misaligned";
  if (line.find("after free") != std::string::npos || line.find("was freed") != std::string::npos)
    return "use-after-free";
  return "";
}

}  // namespace

SanitizerLog read_sanitizer_log(const std::string& log) {
  SanitizerLog said;
  std::string kind;  // of the error whose lines these are, while it may still be another one
  const auto take = [&] {
    if (!kind.empty()) said.errors.insert(kind);
    kind.clear();
  };
  for (const std::string& whole : lines_of(log)) {
    if (whole.rfind("=========", 0) != 0) continue;
    const std::string line = whole.size() > 10 ? whole.substr(10) : "";
    if (line.empty() || line[0] == ' ') {  // more about the error above
      if (const auto better = corrected(line); !kind.empty() && !better.empty()) kind = better;
      continue;
    }
    take();
    if (line.rfind("COMPUTE-SANITIZER", 0) == 0 || line.find("SUMMARY: ") != std::string::npos) continue;
    bool known = false;
    for (const auto& [text, means] : beginnings) {
      if (line.rfind(text, 0) != 0) continue;
      known = true;
      const bool warning = text.rfind("Warning", 0) == 0;
      if (warning)
        said.warnings.insert(std::string(means));
      else
        kind = means;
      if (said.first.empty() && !means.empty()) said.first = line;
      break;
    }
    if (!known && line.rfind("Error", 0) == 0 && said.unknown.empty()) said.unknown = line;
  }
  take();
  return said;
}

}  // namespace ladder
