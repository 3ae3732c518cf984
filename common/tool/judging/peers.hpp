#pragma once
/// @file
/// The programs that steps are compared with: baseline and libraries, and what only reproductions run.

#include <map>
#include <string>
#include <vector>

#include "common/model/plan.hpp"
#include "common/tool/machine/placement.hpp"

namespace ladder {

struct Context;
struct Task;

/// A program of the folders given and variants of the build.
struct PeerProgram {
  std::string target;  ///< "workers/given/03-dgemm/cublas.cuda"
  std::string name;    ///< its file's: "cublas"
  std::string backend;
  std::string label{};  ///< as tables say it: "cuBLAS"
  std::string device{};
  std::map<std::string, std::string> environment{};  ///< next to the plan's
};

/// Says where a program with a name and a back end runs, and what tables call it.
/// @param steps  where the steps run
/// @return false when no step has use for it
bool place_peer(PeerProgram& program, const std::vector<Placement>& steps,
                const std::vector<Device>& devices);

/// Baseline and libraries that can run here: those of the CPU, those of a device that a job uses, and for
/// OpenCL jobs on an NVIDIA GPU those of CUDA.
std::vector<PeerProgram> peers(Context& context, const Task& task);

/// What only reproductions run: steps with another constant, further libraries.
std::vector<PeerProgram> variants(Context& context, const Task& task);

/// The library of a peer's file as people know it: "cublas" is cuBLAS. @return the file's name where nobody
/// does
std::string library_name(const std::string& file);

/// As plan.json has it.
Peer peer_of(const Context& context, const PeerProgram& program);

}  // namespace ladder
