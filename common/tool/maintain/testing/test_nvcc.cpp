/// @file
/// The part of the verb test that compiles the CUDA sources with nvcc.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/tool/maintain/testing/test_parts.hpp"

namespace ladder {
namespace {

/// Skeletons are solutions whose functions are cut (part `tree`), and nvcc has those: where it only compiles,
/// one of each lesson shows that what is put into a cut function is CUDA.
std::vector<std::string> nvcc_objects(Context& context, const Lessons& lessons) {
  const bool all = context.options.names.empty();
  std::set<std::string> with_skeleton;
  const auto chosen = [&](const std::string& object) {
    for (const LessonEntry* lesson : lessons)
      for (const StepEntry& step : lesson->steps)
        if (object.ends_with("/" + step.path() + ".o")) return true;
    return all;
  };
  std::vector<std::string> objects;
  for (std::string target : context.build.beginning_with("nvcc/")) {
    if (!target.ends_with(".o") || target.starts_with("nvcc/mutants/") || !chosen(target)) continue;
    // Without a GPU the device's side, of all but a few: common/cmake/cuda.cmake says of which.
    const std::string device_side = target.substr(0, target.size() - 2) + ".cubin";
    const bool only_compiles = context.build.knows(device_side);
    if (all && only_compiles && target.starts_with("nvcc/lessons/") &&
        !with_skeleton.insert(target.substr(0, target.rfind('/'))).second)
      continue;
    objects.push_back(only_compiles ? device_side : target);
  }
  return objects;
}

}  // namespace

TestJobs nvcc_jobs(Context& context, const Lessons& lessons, TestSummary& summary) {
  const bool all = context.options.names.empty();
  const std::vector<std::string> objects = nvcc_objects(context, lessons);
  if (objects.empty()) {
    if (all)  // else none of these is a CUDA source, or the whole test says that nvcc is not here
      summary.skip("CUDA sources by nvcc",
                   "nvcc is not here (CUDA toolkit 12.2 or newer); the executor compiled them");
    return {};
  }
  const auto gpu = [](const Device& device) { return device.family == "cuda"; };
  const auto is_whole = [](const std::string& object) { return object.ends_with(".o"); };
  const auto& devices = context.placer().devices();
  if (all && std::none_of(devices.begin(), devices.end(), gpu))
    summary.skip(
        "CUDA programs on a GPU",
        fmt::format("there is no GPU: nvcc compiled the device's side of {} sources (one skeleton of each "
                    "lesson, all solutions), and of {} (a rung per lesson among them) the host's side, too; "
                    "the executor ran the same files",
                    objects.size(), std::count_if(objects.begin(), objects.end(), is_whole)));
  TestJobs jobs;
  std::map<std::string, std::vector<std::string>> by_folder;
  for (const std::string& object : objects) by_folder[object.substr(0, object.rfind('/'))].push_back(object);
  for (const auto& [folder, of_folder] : by_folder) {
    TestJob job{.part = "nvcc", .name = folder, .targets = of_folder, .cost = 0.1};
    job.work = [&context, of_folder = of_folder](JobReport& report) {
      const auto failures = context.build.make(of_folder, {});
      for (const std::string& object : of_folder) {
        const auto failed = failures.find(object);
        report.summary.expect(failed == failures.end(), object,
                              failed == failures.end() ? "" : failed->second.line());
      }
    };
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace ladder
