/// @file
/// What a user's file holds, before steps are judged on it.

#include <nlohmann/json.hpp>

#include "common/base/catch.hpp"
#include "common/base/error.hpp"
#include "common/judge/each_step.hpp"
#include "common/judge/judge.hpp"

namespace ladder {

void record_file(const Judged& suite) {
  if (plan().file.empty() || !plan().kinds.empty()) return;
  nlohmann::json record = {{"record", "file"}};
  try {
    for (const PlannedStep& step : plan().steps)
      record["holds"] = detail::problem_of(suite, row_of(table_of(suite), step), 0, false).file_facts;
  } catch (const Error& error) {
    record["problem"] = error.what();
  }
  append_record(record);
  INFO(record.value("problem", ""));
  CHECK(!record.contains("problem"));
}

}  // namespace ladder
