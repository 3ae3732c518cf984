#include "common/judge/profile_record.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/judge/test_report.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {
namespace {

using nlohmann::json;

json written_to(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error("cannot write " + path + ": is the disk full?");
  return path;
}

/// Why the row's metric is not in what a profile records; empty: it is.
std::string not_recorded(const PlannedStep& step, const Step& row, const Outcome& outcome) {
  const Source source = find_metric(row.target().metric).source;
  if ((source == Source::device || source == Source::ranks) && !outcome.trace)
    return "no recorder runs under a simulator: see check";
  // The observation has branches of warps.
  if (source == Source::instructions && step.backend == "opencl") return "counted in work-items: see check";
  return "";
}

json target_of(const PlannedStep& step, const Step& row, const Profiled& what, const Outcome& outcome) {
  if (!what.necessary) return nullptr;
  json target = {{"metric", row.target().metric},
                 {"relation", row.target().relation},
                 {"bound", row.target().bound},
                 {"necessary", row.target().necessary},
                 {"necessary_amount", *what.necessary},
                 {"amount", nullptr},
                 {"measured", nullptr}};
  if (const std::string why = not_recorded(step, row, outcome); !why.empty()) {
    target["reason"] = why;
    return target;
  }
  Extras extras;
  extras.observation = outcome.observation ? &*outcome.observation : nullptr;
  try {
    const double amount = metric(row.target().metric, outcome.trace.value_or(Trace{}), extras);
    target["amount"] = amount;
    target["measured"] = amount / *what.necessary;
  } catch (const Error& unknown) {
    target["reason"] = unknown.what();
  }
  return target;
}

std::string file_of(const PlannedStep& step, const char* ending) {
  return plan().scratch + "/" + step.step + (step.mutant.empty() ? "" : "~" + step.mutant) + ending;
}

}  // namespace

std::string observation_file(const PlannedStep& step) {
  return file_of(step, ".observation.json");
}

void write_profile(const PlannedStep& step, const Step& row, const Profiled& what, const Outcome& outcome) {
  const auto dump = [](const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); };
  json record = record_of(step, to_string(TestKind::profile));
  record.update({{"size", what.size},
                 {"problem", what.problem},
                 {"operations", what.operations ? json(*what.operations) : json(nullptr)},
                 {"array_bytes", what.array_bytes},
                 {"target", target_of(step, row, what, outcome)},
                 {"observation", nullptr},
                 {"trace", nullptr}});
  if (outcome.observation)
    record["observation"] = written_to(observation_file(step), dump(to_json(*outcome.observation)));
  if (outcome.trace) record["trace"] = written_to(file_of(step, ".trace.json"), outcome.trace->to_json());
  append_record(record);
}

}  // namespace ladder
