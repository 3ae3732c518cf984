#pragma once
/// @file
/// Submissions for the tests: folders, and archives with entries of every kind.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/grade/intake/intake.hpp"

namespace ladder::grade::test {

namespace fs = std::filesystem;

/// A folder that is removed with the object.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// One entry of an archive that a test packs.
struct Item {
  std::string path, bytes;
  char type =
      'f';  ///< f file, d folder, l symbolic link to `bytes`, h hard link to `bytes`, c device, p named pipe
};

/// Packs the items. @param form "zip", "7z", "rar" (of before 2013: files only), "rar5", "tar", "tar.gz",
/// "tar.xz" or "tar.bz2"
fs::path pack(const fs::path& file, const std::string& form, const std::vector<Item>& items,
              const std::string& password = "");

/// A rar of 2013 and later, whose entries are stored, not compressed: no free program writes them.
/// @param said  what each entry says of its size instead of the truth; 0: the truth
std::string rar5_of(const std::vector<Item>& items, std::uint64_t said = 0);
/// One whose list of files is encrypted.
std::string encrypted_rar5();
/// The form before that, with files only.
std::string rar4_of(const std::vector<Item>& items);

/// Writes a file and its folders.
void write(const fs::path& file, const std::string& bytes);
std::string read(const fs::path& file);

/// All files below a folder, sorted, from there.
std::vector<std::string> files_below(const fs::path& folder);

/// The reason for which a path was refused; empty: it was not.
std::string why(const Taken& taken, const std::string& path);

/// Wants steps 03/g1 and 03/g2.
Wanted two_steps();

}  // namespace ladder::grade::test
