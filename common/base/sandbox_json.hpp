#pragma once
/// @file
/// A sandbox in plan.json: {"mode", "bwrap", "confine", "uid", "gid", "read", "cgroups"}.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/sandbox.hpp"

namespace ladder {

inline void to_json(nlohmann::json& j, const Sandbox& sandbox) {
  j = {{"mode", sandbox.mode}, {"bwrap", sandbox.bwrap}, {"confine", sandbox.confine}, {"uid", sandbox.uid},
       {"gid", sandbox.gid},   {"read", sandbox.read},   {"cgroups", sandbox.cgroups}};
}

inline void from_json(const nlohmann::json& j, Sandbox& sandbox) {
  sandbox.mode = j.at("mode");
  sandbox.bwrap = j.value("bwrap", sandbox.bwrap);
  sandbox.confine = j.at("confine");
  sandbox.uid = j.at("uid");
  sandbox.gid = j.at("gid");
  sandbox.read = j.value("read", std::vector<std::string>());
  sandbox.cgroups = j.value("cgroups", std::vector<std::string>());
}

}  // namespace ladder
