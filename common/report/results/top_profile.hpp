#pragma once
/// @file
/// What the top rungs keep busy: counters that NVIDIA's profiler ncu read of one call each. A bench says
/// which calls there were, ncu's table what it saw; both become docs/top/counters/LESSON-MACHINE.json.

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ladder::report {

/// What `top profile FILE` writes, and what is stored.
inline constexpr const char* top_profile_schema = "gpu-ladder-top-profile/1";

/// docs/top/LESSON-MACHINE-cpu.json: rungs that the machine's processor ran.
inline constexpr const char* top_of_host = "-cpu";

/// A part of a GPU that can be busy.
struct TopCounter {
  const char* key;                 ///< "dram": its field in the stored file
  const char* title;               ///< "memory": the column on the page
  std::vector<const char*> names;  ///< ncu's, in percent of the peak; the first that the GPU has is taken
  bool computes;                   ///< on a page left out where it is 0
};
std::span<const TopCounter> top_counters();

/// The command for ncu, in lines of a page.
/// @param lesson   "03-dgemm"
/// @param kernels  of these only; empty: of all
std::vector<std::string> top_profile_command(const std::string& lesson, const std::string& kernels);

/// Both files in one: a row for each call, with its kernels added up.
/// @param calls  what the bench wrote
/// @param csv    what ncu printed
/// @throws ladder::Error that says in one line why they do not fit
nlohmann::json top_profile(const nlohmann::json& calls, std::string_view csv);

/// Whether the call of a row launched different kernels: then there are numbers of the longest one, too.
bool top_profile_has_several(const nlohmann::json& row);

/// The name of the kernel that took longest, or how it begins. @param longest  the row's field
std::string top_profile_kernel(const nlohmann::json& longest);

/// A row of the page's table: shape, who, time, and a cell for each counter.
std::vector<std::string> top_profile_cells(const nlohmann::json& row);

/// "FP64 tensor cores 91 %, shared memory 45 %, memory 12 %": what is counted of a row, or of its longest
/// kernel.
std::string top_profile_words(const nlohmann::json& counted);

}  // namespace ladder::report
