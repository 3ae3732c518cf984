#pragma once
/// @file
/// The programs and drivers of this machine: versions, answers of the probes, what is missing.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/model/machine.hpp"
#include "common/trace/programs.hpp"

namespace ladder {

/// Versions by program, the answers of probe-opencl and probe-cuda: {"versions":…, "opencl":…, "cuda":…}.
/// @param fresh  asks again instead of using what was remembered
nlohmann::json software(bool fresh);

/// Where packages are listed: common/tool/packages.txt, then the lessons' own (given/packages.txt), in their
/// order.
std::vector<std::filesystem::path> package_lists(const std::filesystem::path& root);

/// What the lists of packages name and this machine lacks.
/// @param gpu  whether there is a CUDA GPU
std::vector<model::MissingSoftware> missing_software(bool gpu);

/// Processor, memory and system, without devices.
model::Machine host_facts();

/// The commit of a checkout: LADDER_COMMIT, else git's, with + where its files have changed since:
/// "2281a604bc+"; or nothing.
std::string commit_of(const std::filesystem::path& root);

}  // namespace ladder
