#pragma once
/// @file
/// The programs and drivers of this machine: versions, answers of the probes, what is missing.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "common/trace/programs.hpp"

namespace ladder {

/// Versions by program, the answers of probe-opencl and probe-cuda: {"versions":…, "opencl":…, "cuda":…}.
/// @param fresh  asks again in place of using what was remembered
nlohmann::json software(bool fresh);

/// What packages.txt lists and this machine lacks: [{"name", "cost", "install"}].
/// @param gpu  whether there is a CUDA GPU
nlohmann::json missing_software(bool gpu);

/// Processor, memory and system: {"cpu", "architecture", "cores", "memory_bytes", "os", "kernel", "load"}.
nlohmann::json host_facts();

/// The commit of a checkout: LADDER_COMMIT, else git's, with + where its files have changed since: "2281a604bc+"; or nothing.
std::string commit_of(const std::filesystem::path& root);

}  // namespace ladder
