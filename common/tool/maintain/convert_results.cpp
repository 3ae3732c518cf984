/// @file
/// The verb results convert: results of the schema before become those of the current one.

#include <fmt/format.h>

#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/model/document_json.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/stored_text.hpp"
#include "common/tool/maintain/authoring.hpp"

namespace ladder {

int convert_results(Context& context) {
  const auto& names = context.options.names;
  if (names.empty()) throw UsageError{"name a file: ./ladder results convert run.json"};
  std::vector<model::Document> documents;  // all are read before one is written
  for (const std::string& name : names) documents.push_back(model::converted_document(need_json(name), name));
  for (std::size_t i = 0; i < names.size(); ++i) {
    write_text(names[i], report::stored_text(to_json(documents[i])));
    context.terminal.print(fmt::format("written: {}, schema {}", names[i], model::document_schema));
  }
  context.write_json(report::document("results", context.seed));
  return 0;
}

}  // namespace ladder
