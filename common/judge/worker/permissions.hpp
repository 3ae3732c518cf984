#pragma once
/// @file
/// What workers may write: one table for all back ends. It includes nothing of the
/// judge, so that a test's step can try each line.

#include <string_view>

namespace ladder {

/// What workers of a back end may write besides their own folder and their own cache.
struct Permission {
  const char* backend;  ///< of Launch; "any"; "sanitizer": workers under one
  const char* path;     ///< a folder with all that is in it, or a pattern of device files
  bool folder;
  const char* why;
};

inline constexpr Permission permissions[] = {
    {"any", "/dev/null", false, "output to be discarded"},
    {"sanitizer", "/dev/shm", true,
     "LLVM's OpenMP registers itself there, and stops the program if it cannot"},
    {"opencl", "/dev/nvidia*", false, "a GPU by NVIDIA's driver"},
    {"opencl", "/dev/dri/render*", false, "a GPU by Mesa's, AMD's or Intel's driver"},
    {"opencl", "/dev/kfd", false, "a GPU by AMD's driver"},
    {"cuda", "/dev/nvidia*", false, "nvidia0 …, nvidiactl, nvidia-uvm, nvidia-uvm-tools"},
    {"cuda", "/dev/nvidia-caps/*", false, "parts of a GPU (MIG)"},
    {"cuda", "/dev/nvidia-caps-imex-channels/*", false, "memory of GPUs in other machines"},
    {"cuda", "/dev/shm", true, "memory that the driver shares between processes"},
    {"cuda", "/proc/self/task", true, "the driver names its threads"},
};

inline bool concerns(const Permission& permission, std::string_view backend, bool sanitized) {
  const std::string_view whose = permission.backend;
  return whose == "any" || whose == backend || (whose == "sanitizer" && sanitized);
}

}  // namespace ladder
