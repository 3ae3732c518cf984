#pragma once
/// @file
/// The package that `submit` writes: an archive with the files and this manifest, schema gpu-ladder-
/// submission/1.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/grade/intake/intake.hpp"

namespace ladder::grade {

inline constexpr const char* package_schema = "gpu-ladder-submission/1";

/// A file of a package.
struct PackageFile {
  std::string path;  ///< "03-dgemm/g2_shared_tiles.cu"
  std::string bytes;
};

/// manifest.json: lesson, version of the handout, files with their sums, receipt. No user, host, path or
/// date.
nlohmann::json manifest_of(const std::string& lesson, const std::string& handout,
                           const std::vector<PackageFile>& files);

/// Eight letters that stand for what was submitted: `submit` prints them, the grade repeats them.
std::string receipt(const std::string& sha256);

/// The receipt of a submission. Where the files are those of its manifest, it is the one that `submit` has
/// printed, however few of the steps are graded; else that of the files that were taken (Taken::sha256).
std::string receipt_of(const Taken& taken);

/// Where a submission differs from its own manifest: one sentence each; nothing without a manifest, and of
/// steps that nobody wanted. Nothing to accuse anyone of: people edit archives.
std::vector<std::string> differences(const Taken& taken);

}  // namespace ladder::grade
