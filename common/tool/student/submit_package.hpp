#pragma once
/// @file
/// What `submit` packs: the files that `grade` would take, and their manifest.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/grade/intake/intake.hpp"
#include "common/grade/intake/zip.hpp"
#include "common/tool/catalogue/catalogue.hpp"
#include "common/tool/standing/predictions.hpp"

namespace ladder {

/// A package before it is written. Of equal files it is equal: no user, host, path or time.
struct SubmitPackage {
  grade::Tree files;        ///< of the archive, manifest.json among them
  nlohmann::json manifest;  ///< schema gpu-ladder-submission/1
  grade::Taken taken;       ///< what `grade` takes of it
};

/// Offers step files, the headers next to them that are not the lesson's, notes.md and predictions to the
/// intake of `grade`, and packs what that takes.
/// @param pristine  an empty folder: gets the tree that `grade` would build
SubmitPackage make_package(const std::filesystem::path& root, const std::vector<const StepEntry*>& steps,
                           const Predictions& predictions, const std::filesystem::path& pristine);

/// Writes it as a zip. @return its receipt
/// @throws UsageError naming the file and the reason
std::string write_package(const SubmitPackage& package, const std::filesystem::path& file);

}  // namespace ladder
