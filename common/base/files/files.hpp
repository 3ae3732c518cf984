#pragma once
/// @file
/// Files that are written whole or not at all, and folders that are gone afterwards.

#include <filesystem>
#include <string>

#include "common/base/files/whole_file.hpp"

namespace ladder {

/// A private folder that is removed with the object, on signals too; folders of tools that were killed are
/// swept.
class ScratchFolder {
 public:
  ScratchFolder();
  explicit ScratchFolder(const std::filesystem::path& base);  ///< in another place than TMPDIR
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Where things are built: LADDER_BUILD, else what this program was built in (B/bin/ladder-check).
std::filesystem::path build_folder();

/// Where what was built before is: LADDER_HARNESS, else the build folder.
std::filesystem::path harness_folder();

/// Where progress and history are kept: .ladder/ in the checkout, or in the build folder when that is
/// read-only.
std::filesystem::path state_folder(const std::filesystem::path& root, const std::filesystem::path& build);

/// A file as messages name it: from the folder where it lies inside, else whole.
std::string path_in(const std::filesystem::path& folder, const std::filesystem::path& file);

/// Writes a text file instead of an old one, whole or not at all. @throws UsageError naming the file and the
/// reason
void write_text(const std::filesystem::path& file, const std::string& text);

/// Finds out before the work whether write_text will be able to. The folders are made, a file that is there
/// stays as it is.
/// @throws UsageError as write_text does
void try_to_write(const std::filesystem::path& file);

}  // namespace ladder
