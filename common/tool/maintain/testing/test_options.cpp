#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "common/tool/maintain/testing/test.hpp"

namespace ladder {

void add_test_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  add_device_options(app, o, typed);
  add_inputs(app, typed);
  add_strict(app, o);
  app.add_option(
         "--part", o.parts,
         fmt::format("only this part: {}; the last two are in no plain test", fmt::join(test_parts(), ", ")))
      ->type_name("PART");
  app.add_flag(
      "--changed", o.changed,
      "only what can have changed since it passed in this build folder, and a random tenth of the rest");
  app.add_flag(
      "--renew", o.renew,
      "run the tests that compare outputs with approved files (NAMES: their programs or sources) and "
      "write these files: read the difference before you commit it");
  app.add_flag("--times", o.times, "say at the end where the time went; --json has it always");
}

}  // namespace ladder
