#include "common/judge/time_result.hpp"

#include <nlohmann/json.hpp>

#include "common/base/interval_json.hpp"

namespace ladder {

void put(const TimeResult& time, nlohmann::json& record) {
  nlohmann::json& j = record["time"] = json_of(time.seconds);
  j["problem"] = time.problem;
  if (!time.size_name.empty()) j["size_name"] = time.size_name;
  if (time.content_repeats) j["content"] = "repeats";
  if (time.noise.count > 0) j["noise"] = json_of(time.noise);
  if (time.baseline.count > 0) j["baseline"] = json_of(time.baseline);
  j["peers"] = nlohmann::json::object();
  for (const auto& [peer, seconds] : time.peers) j["peers"][peer] = json_of(seconds);
  j["foreign_load"] = time.foreign_load;
  j["parts"] = {{"wake", time.parts.wake},
                {"step", time.parts.step},
                {"synchronise", time.parts.synchronise},
                {"answer", time.parts.answer}};
  j["after"] = time.after;
  j["work"] = json_of(time.work, time.least);
  if (time.device) j["device"] = json_of(*time.device);
  record["ratio"] = nlohmann::json::object();
  if (time.least.reason.empty() && time.seconds.median > 0)
    record["ratio"]["floor"] = time.least.binding.seconds / time.seconds.median;
  record["ratio_interval"] = nlohmann::json::object();
  for (const auto& [peer, ratio] : time.ratio)
    record["ratio"][peer] = ratio.median, record["ratio_interval"][peer] = json_of(ratio);
  if (time.again) put(*time.again, record["again"] = nlohmann::json::object());
  if (time.further) put(*time.further, record["further"] = nlohmann::json::object());
}

}  // namespace ladder
