#pragma once
/// @file
/// The site: pages of the repository through Doxygen, as a folder of files that needs neither a server nor a
/// network.

#include "common/sitegen/site_check.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/verb_options.hpp"

namespace ladder {

/// What building the site came to.
struct Site {
  std::filesystem::path folder;      ///< with index.html
  std::string missing;               ///< what is not here and therefore nothing was built; empty: nothing
  std::string error;                 ///< the first warnings of Doxygen: warnings are errors
  std::vector<std::string> pages{};  ///< those that are pages of the repository: "docs_design.html"
  report::SiteCheck check{};
};

/// Builds it in the build folder and checks it. The lessons' tables must have been read.
Site build_site(Context& context);

/// The verb docs: builds the site. @return the exit status
int docs(Context& context);

/// The options of `docs`.
void add_docs_options(CLI::App& app, Options& o, Typed& typed);

}  // namespace ladder
