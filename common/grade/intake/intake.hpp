#pragma once
/// @file
/// What of a submission is judged: a few files by their names, normalised, in a folder where nothing else is.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/grade/sha256.hpp"

namespace ladder::grade {

/// Which files to take.
struct Wanted {
  std::vector<std::string> steps;  ///< "03-dgemm/g2_shared_tiles.cu"
  std::vector<std::string>
      headers{};  ///< helper headers to take next to a step even where no `#include "NAME"` names them
  std::vector<std::string>
      ours{};  ///< file names of our own headers: a submission's file of that name is never taken
  std::map<std::string, std::string> skeletons{};  ///< their texts as handed out, by step
  /// Whether a path of the submission is one of the handout's own: "hw/common/device/cuda.hpp". Nothing is
  /// said of these.
  std::function<bool(const std::string& path)> is_handout{};
};

/// How much a submission may be. More is refused; nothing is read further than this.
struct IntakeLimits {
  std::size_t file = 256 << 10;      ///< bytes of one file that is taken
  std::size_t taken = 4 << 20;       ///< bytes of all files that could be taken
  std::size_t archive = 64 << 20;    ///< bytes of an archive
  std::size_t unpacked = 256 << 20;  ///< bytes of all that an archive holds
  std::size_t ratio = 200;  ///< bytes that one byte of an archive may become, once it holds more than `taken`
  std::size_t entries = 20'000;  ///< files and folders
  std::size_t headers = 16;      ///< helper headers of all steps
};

/// A file that was written to the pristine folder.
struct TakenFile {
  std::string path;                  ///< there: "03-dgemm/g2_shared_tiles.cu"
  std::string from;                  ///< in the submission: "hw3/lessons/03-dgemm/g2_shared_tiles.cu"
  std::uint64_t bytes = 0;           ///< of what was written
  std::string sha256;                ///< of what was written; equal sources are judged once
  std::string submitted_sha256;      ///< of the file in the submission
  std::vector<std::string> changed;  ///< of "bom", "crlf", "cr", "latin-1", "control", "name"
};

/// A file, or the whole submission, that was not taken.
struct Refused {
  std::string path;
  std::string why;  ///< one line: what is wrong, and what to do
};

/// What came of a submission.
struct Taken {
  std::vector<TakenFile> files;  ///< steps in the order wanted, then headers by name
  std::vector<Refused> refused;
  std::vector<std::string> missing;  ///< wanted steps that no file was taken for
  std::string notes;        ///< notes.md, UTF-8; several of them one after the other, each under its path
  std::string predictions;  ///< predictions.json, when it is what `predict` writes
  std::string manifest;     ///< manifest.json of `submit`, as it is
  /// "notes.md" and "predictions.json" where they were taken, each with its SHA-256 as it came.
  std::vector<std::pair<std::string, std::string>> beside{};
  /// Version of the handout that it was written with, "H-ABCDEFGH"; empty: not known.
  std::string handout{};
  std::string sha256;      ///< of the list of submitted files: the same for a folder, a zip and a tar
  std::size_t others = 0;  ///< files that nothing asked for
  /// What else was in it: paths, the first of them by name, without the handout's own.
  std::vector<std::string> contained{};
};

/// Takes the wanted files of a submission: steps by their file names in any folder, and the helper headers
/// (.hpp, .cuh, .h)
/// that they include in quotes and that lie next to them. Nothing of the submission is executed, and archives
/// are read as
/// streams: only wanted names are written, and only below `pristine`.
/// @param submission  a folder, or a .zip, .7z, .rar, .tar, .tar.gz, .tar.xz or .tar.bz2; archives in it are
/// read, one level; what
///                    cannot be read is refused, not thrown
/// @param pristine    an empty folder, made when it is not there
/// @throws Error when `wanted` names no file of a lesson, `pristine` is not empty, or it cannot be written;
/// and when the
///               submission is not there or cannot be read by a fault of the machine: nobody's zero
Taken take(const std::filesystem::path& submission, const Wanted& wanted,
           const std::filesystem::path& pristine, const IntakeLimits& limits = {});

/// SHA-256 of lines "SHA256  PATH", sorted by path: what a package and its receipt are known by.
std::string sha256_of(std::vector<std::pair<std::string, std::string>> path_and_sha256);

}  // namespace ladder::grade
