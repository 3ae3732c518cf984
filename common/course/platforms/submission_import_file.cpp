/// @file
/// The list of what was handed in, as a file next to the grades: the only one there with ids of people.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/base/error.hpp"
#include "common/course/platforms/submission_import.hpp"
#include "common/course/platforms/table.hpp"
#include "common/grade/record.hpp"

namespace ladder::course {
namespace {

using nlohmann::json;

constexpr const char* schema = "gpu-ladder-handed/1";

}  // namespace

void write_import(const std::filesystem::path& file, const SubmissionImport& handed) {
  json all = json::array();
  for (const ImportedSubmission& one : handed.all)
    all.push_back({{"key", one.key},
                   {"platform", one.platform},
                   {"people", one.people},
                   {"received", one.received ? json(utc_text(*one.received)) : json()},
                   {"late", one.late},
                   {"attempt", one.attempt},
                   {"active", one.active},
                   {"participant", one.participant},
                   {"said", one.said},
                   {"notes", one.notes}});
  grade::write_document(
      file, {{"schema", schema}, {"handed", all}, {"missing", handed.missing}, {"remarks", handed.remarks}});
}

SubmissionImport read_import(const std::filesystem::path& file) {
  const json all = json::parse(read_bytes(file), nullptr, false);
  if (!all.is_object() || all.value("schema", json()) != schema)
    throw Error(fmt::format("{}: it is no list of what was handed in ({})", file.string(), schema));
  SubmissionImport handed;
  try {
    for (const json& one : all.at("handed")) {
      ImportedSubmission next{
          .key = one.at("key"), .platform = one.at("platform"), .people = one.at("people"), .path = {}};
      if (one.at("received").is_string()) next.received = time_of(one["received"], this_machine);
      next.late = one.at("late");
      next.attempt = one.at("attempt");
      next.active = one.at("active");
      next.participant = one.at("participant");
      next.said = one.at("said");
      next.notes = one.at("notes").get<std::vector<std::string>>();
      handed.all.push_back(std::move(next));
    }
    handed.missing = all.at("missing").get<std::vector<std::string>>();
    handed.remarks = all.at("remarks").get<std::vector<std::string>>();
  } catch (const json::exception& e) {
    throw Error(fmt::format("{}: {}", file.string(), e.what()));
  }
  return handed;
}

}  // namespace ladder::course
