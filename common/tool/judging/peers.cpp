#include "common/tool/judging/peers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/tool/judging/judging.hpp"

namespace ladder {
namespace {

/// The CUDA device that is this OpenCL step's GPU.
const Device* cuda_of(const Placement& step, const std::vector<Device>& devices) {
  if (step.backend != "opencl" || step.gpu.empty()) return nullptr;
  const auto same = [&](const Device& d) { return d.family == "cuda" && d.address == step.gpu; };
  const auto found = std::find_if(devices.begin(), devices.end(), same);
  return found == devices.end() ? nullptr : &*found;
}

std::vector<PeerProgram> programs_in(const char* folder, Context& context, const Task& task) {
  std::vector<PeerProgram> found;
  std::vector<Placement> steps;
  for (const Job& job : task.jobs)
    if (!job.decided) steps.push_back(job.place);
  const std::string prefix = fmt::format("workers/{}/{}/", folder, task.lesson->name);
  for (const std::string& target : context.build.beginning_with(prefix)) {
    const std::string file = target.substr(target.rfind('/') + 1);
    const auto dot = file.rfind('.');
    if (dot == std::string::npos) continue;
    PeerProgram program{target, file.substr(0, dot), file.substr(dot + 1)};
    if (place_peer(program, steps, context.placer().devices())) found.push_back(std::move(program));
  }
  return found;
}

}  // namespace

bool place_peer(PeerProgram& program, const std::vector<Placement>& steps,
                const std::vector<Device>& devices) {
  const std::string name = library_name(program.name);
  program.label = name, program.device = "cpu";
  if (program.backend == "cpu") return true;
  for (const Placement& step : steps) {
    const Device* gpu = program.backend == "cuda" ? cuda_of(step, devices) : nullptr;
    if (step.backend != program.backend && !gpu) continue;
    program.device = gpu ? gpu->name : step.device;
    if (gpu) {
      program.environment["CUDA_VISIBLE_DEVICES"] = visible_cuda(gpu->selector);
      program.label = name + " (CUDA)";
    }
    // Which has a stand-in of its own for NVIDIA's libraries.
    if (program.backend == "executor" && name.starts_with("cu")) program.label = name + " (executor)";
    return true;
  }
  return false;
}

std::string library_name(const std::string& file) {
  static const std::map<std::string, std::string> names = {{"cholmod", "CHOLMOD"},
                                                           {"cholmod_host", "CHOLMOD"},
                                                           {"cub", "CUB"},
                                                           {"eigen", "Eigen"},
                                                           {"openblas", "OpenBLAS"}};
  if (const auto found = names.find(file); found != names.end()) return found->second;
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  if (!file.starts_with("cu") || file.size() < 3 || !std::ranges::all_of(file, is_letter)) return file;
  std::string name = file;  // cublas: cuBLAS, as NVIDIA writes all of its libraries
  for (std::size_t i = 2; i < name.size(); ++i) name[i] = static_cast<char>(name[i] - 'a' + 'A');
  return name;
}

std::vector<PeerProgram> peers(Context& context, const Task& task) {
  return programs_in("given", context, task);
}

std::vector<PeerProgram> variants(Context& context, const Task& task) {
  const bool wanted =
      std::find(task.kinds.begin(), task.kinds.end(), TestKind::reproduce) != task.kinds.end();
  return wanted ? programs_in("variants", context, task) : std::vector<PeerProgram>();
}

Peer peer_of(const Context& context, const PeerProgram& program) {
  return {program.name,   program.backend, context.build.file(program.target).string(),
          program.device, program.label,   program.environment};
}

}  // namespace ladder
