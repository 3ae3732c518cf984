#pragma once
/// @file
/// What the name of a step says: "g2_shared_tiles.cu" is track, number, idea and language.
/// common/cmake/lessons.cmake reads the same of it; a test of the tool compares the two.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace ladder {

/// A ladder of a lesson.
struct Track {
  char letter;          ///< with which the names of its steps begin
  const char* heading;  ///< what is above its rungs, on pages and in tables
};

/// In the order in which they are shown.
inline constexpr std::array<Track, 4> track_table = {
    {{'c', "On the CPU"}, {'m', "Several processes"}, {'g', "On a GPU"}, {'t', "Close to the machine"}}};

/// Their letters.
inline constexpr auto track_letters = [] {
  std::array<char, track_table.size()> letters{};
  for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = track_table[i].letter;
  return letters;
}();
inline constexpr std::string_view tracks(track_letters.data(), track_letters.size());

/// "npb_ft" of "06-npb-ft": the namespace of a lesson.
inline std::string space_of(std::string lesson) {
  lesson.erase(0, lesson.find('-') + 1);
  std::replace(lesson.begin(), lesson.end(), '-', '_');
  return lesson;
}

constexpr bool is_track_of_gpu(char track) {
  return track == 'g' || track == 't';
}

/// Whether a GPU runs other code in a CUDA step than the executor, which emulates its operations.
constexpr bool has_twin(std::string_view step) {
  return step.starts_with('t');
}

/// @param track  one of `tracks`
constexpr const char* heading_of_track(char track) {
  return track_table[tracks.find(track)].heading;
}

/// Whether mpirun starts a step, a process for each rank.
constexpr bool has_ranks(std::string_view step) {
  return step.starts_with('m');
}

/// What runs a step: cpu, mpi, opencl, cuda or mpi+cuda.
/// @param extension  ".cpp" or ".cu"
constexpr const char* family_of(char track, std::string_view extension) {
  if (track == 'm') return extension == ".cu" ? "mpi+cuda" : "mpi";
  if (is_track_of_gpu(track)) return extension == ".cu" ? "cuda" : "opencl";
  return "cpu";
}
constexpr bool is_cuda(std::string_view family) {
  return family == "cuda" || family == "mpi+cuda";
}

/// How the name of a CUDA step's worker ends: "executor", and of one with ranks "mpi-executor".
inline std::string worker_ending(std::string_view step, const std::string& backend) {
  const bool of_cuda = backend == "executor" || backend == "observed" || backend == "cuda";
  return of_cuda && has_ranks(step) ? "mpi-" + backend : backend;
}

/// "g2" of "g2_shared_tiles".
inline std::string id_of(const std::string& step) {
  return step.substr(0, step.find('_'));
}
/// "03/g2" of "03-dgemm" and "g2_shared_tiles", as commands and people name a rung.
inline std::string rung_of(const std::string& lesson, const std::string& step) {
  return lesson.substr(0, 2) + "/" + id_of(step);
}

/// As regular expressions: "g2", and "g2_shared_tiles.cu".
inline const std::string step_id_pattern = "[" + std::string(tracks) + "][0-9]+";
inline const std::string step_file_pattern = step_id_pattern + "_[a-z0-9_]+\\.(cpp|cu)";

}  // namespace ladder
