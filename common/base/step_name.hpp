#pragma once
/// @file
/// What the name of a step says: "g2_shared_tiles.cu" is track, number, idea and language. common/cmake/lessons.cmake reads
/// the same of it; a test of the tool compares the two.

#include <string>
#include <string_view>

namespace ladder {

/// In the order in which they are shown: on the CPU, in several processes, on one GPU, on its tensor units.
inline constexpr std::string_view tracks = "cmgt";

constexpr bool is_track_of_gpu(char track) {
  return track == 'g' || track == 't';
}

/// What stands above the rungs of a track, on pages and in tables.
constexpr const char* heading_of_track(char track) {
  return track == 'c'   ? "On the CPU"
         : track == 'm' ? "Several processes"
         : track == 't' ? "On tensor units"
                        : "On a GPU";
}

/// What runs a step: cpu, mpi, opencl or cuda.
/// @param extension  ".cpp" or ".cu"
constexpr const char* family_of(char track, std::string_view extension) {
  if (is_track_of_gpu(track)) return extension == ".cu" ? "cuda" : "opencl";
  return track == 'm' ? "mpi" : "cpu";
}

/// As regular expressions: "g2", and "g2_shared_tiles.cu".
inline const std::string step_id_pattern = "[" + std::string(tracks) + "][0-9]+";
inline const std::string step_file_pattern = step_id_pattern + "_[a-z0-9_]+\\.(cpp|cu)";

}  // namespace ladder
