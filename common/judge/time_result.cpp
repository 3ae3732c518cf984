#include "common/judge/time_result.hpp"

#include <nlohmann/json.hpp>

#include "common/judge/interval_json.hpp"

namespace ladder {

void put(const TimeResult& time, nlohmann::json& record) {
  nlohmann::json& j = record["time"] = json_of(time.seconds);
  j["problem"] = time.problem;
  if (!time.size_name.empty()) j["size_name"] = time.size_name;
  j["noise"] = json_of(time.noise);
  j["foreign_load"] = time.foreign_load;
  j["parts"] = {{"wake", time.parts.wake},
                {"step", time.parts.step},
                {"synchronise", time.parts.synchronise},
                {"answer", time.parts.answer}};
  j["after"] = time.after;
  record["ratio"] = nlohmann::json::object();
  record["ratio_interval"] = nlohmann::json::object();
  for (const auto& [peer, ratio] : time.ratio)
    record["ratio"][peer] = ratio.median, record["ratio_interval"][peer] = json_of(ratio);
}

}  // namespace ladder
