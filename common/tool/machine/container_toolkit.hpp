#pragma once
/// @file
/// Whether this is a container that got its GPU from NVIDIA's Container Toolkit, and whether that toolkit has
/// known ways out.

#include <optional>
#include <string>

#include "common/model/machine.hpp"

namespace ladder {

/// Whether single files of NVIDIA's driver are mounted, as the toolkit does for a container with a GPU.
/// (Apptainer, WSL and cloud plug-ins mount them elsewhere, or a whole folder.)
/// @param mounts  /proc/self/mountinfo
bool has_mounted_driver(const std::string& mounts);

/// What to know about that toolkit. @param version "1.17.7"; empty: not known @return empty: nothing known is
/// wrong with it
std::string toolkit_warning(const std::string& version);

/// Of this machine; nothing where no toolkit mounted a driver. The version is the host's affair:
/// LADDER_CONTAINER_TOOLKIT, else what the toolkit's programs say where the container has them.
std::optional<model::ContainerToolkit> container_toolkit();

}  // namespace ladder
