#pragma once
/// @file
/// How a row of the tables of verbs calls its verb.

#include <filesystem>
#include <set>
#include <string>

#include "common/base/process/process.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/verbs.hpp"
#include "common/tool/handout/handout.hpp"

namespace ladder {

/// A verb that works with a context, as a function of its options.
template <auto verb>
int with_context(const Options& options) {
  Context context(options);
  static const std::set<std::string> of_repository = {"test",    "new",       "results", "reproduce",
                                                      "handout", "solutions", "docs",    "validate"};
  const bool reference = options.verb == "run" && options.tree == "solutions" &&
                         !std::filesystem::exists(context.root / "solutions");
  if (reference || of_repository.contains(options.verb)) refuse_in_handout(context);
  return verb(context);
}

/// A verb that writes what is about people: nobody else on the machine reads it.
template <int (*verb)(Context&)>
int privately(Context& context) {
  write_privately();
  return verb(context);
}

}  // namespace ladder
