/// @file
/// What a copy knows of itself when it is a handout: its list, where its skeletons are, which verbs it has
/// not.

#include <fmt/format.h>

#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/handout/handout.hpp"

namespace ladder {

namespace fs = std::filesystem;
using nlohmann::json;

json handout_of(const grade::Tree& tree) {
  const auto at = tree.find(handout_file);
  const json list = at == tree.end() ? json() : json::parse(at->second.bytes, nullptr, false);
  return list.is_object() && list.value("schema", "") == handout_schema ? list : json();
}

json handout_of(const fs::path& root) {
  return handout_of(grade::Tree{{handout_file, {read_text(root / handout_file)}}});
}

std::string pristine_path(const StepEntry& step) {
  return ".handout/skeletons/" + step.lesson + "/" + step.file;
}

void refuse_in_handout(const Context& context) {
  const json list = handout_of(context.root);
  if (list.is_null()) return;
  const std::string instead = context.options.verb == "run" ? "./ladder run --tree lessons times your rungs"
                                                            : "./ladder check judges your rungs";
  throw UsageError{fmt::format("{} needs solutions and tests, and this is the handout {}: {}",
                               context.options.verb, list.value("version", "?"), instead)};
}

}  // namespace ladder
