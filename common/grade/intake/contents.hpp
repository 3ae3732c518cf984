#pragma once
/// @file
/// The files of a submission that could be wanted, in memory, from a folder or an archive.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/error.hpp"
#include "common/grade/intake/intake.hpp"

namespace ladder::grade {

/// A file of the submission whose name is wanted.
struct Packed {
  std::string path;    ///< with '/'
  std::string bytes;   ///< not there when `why` says so
  std::string why;     ///< the reason why it cannot be taken; empty: it can
  bool inner = false;  ///< of an archive in the submission
};

/// What something in a submission is, apart from files that are read.
enum class Entry { file, folder, symbolic_link, hard_link, device, fifo, socket, encrypted };

/// What a reader does with an entry.
enum class Reading { none, file, archive };

/// A submission, or a file of it, that is not there or cannot be read by a fault of the machine: nobody's
/// zero.
struct Unreadable : Error {
  using Error::Error;
};

/// Whether an error of reading is the machine's: a file that was listed and has gone, a disk, a network
/// drive, rights.
bool is_of_the_machine(int error);

/// Collects what a reader of folders or archives finds.
class Contents {
 public:
  /// Whether a file of that name could be wanted.
  using Wants = std::function<bool(std::string_view name)>;

  Contents(const IntakeLimits& limits, Wants wants) : limits_(limits), wants_(std::move(wants)) {}

  /// Notes an entry. Refuses what is no plain file, and names that try to lead elsewhere.
  /// @return whether the reader should read it: a file to add(), an archive to read inside()
  /// @throws Error when there are too many
  Reading see(const std::string& path, Entry entry);

  /// Adds a file that see() asked for. @throws Error when all of them are too large
  void add(const std::string& path, std::string bytes);
  /// Adds one that cannot be taken: chosen by its name like the others, it is then refused.
  void add_unfit(const std::string& path, const std::string& why);

  void refuse(const std::string& path, const std::string& why);

  /// Reads an archive that is a file of the submission: one level, no deeper. What is wrong with it is a
  /// reason not to take it, and nothing else. @param read calls see() and add() with the paths in it
  void inside(const std::string& path, const std::function<void()>& read);

  std::vector<Packed> files;
  std::vector<Refused> refused;
  std::vector<std::string> seen;  ///< paths of all files, but what archivers and systems add
  std::size_t others = 0;

  const IntakeLimits& limits() const { return limits_; }

 private:
  Reading see_archive(const std::string& path);
  IntakeLimits limits_;
  Wants wants_;
  std::string inside_{};  ///< "old.zip/" while that is read
  std::size_t entries_ = 0, bytes_ = 0, archives_ = 0;
};

/// Whether a file's name says that it is an archive.
bool is_archive(std::string_view name);

/// Reads a folder; follows no link. @throws Error saying why nothing of it can be taken
void read_folder(const std::filesystem::path& folder, Contents& contents);

/// Reads an archive, and archives in it. @throws Error saying why nothing of it can be taken
void read_archive(const std::filesystem::path& archive, Contents& contents);

/// Opens a plain file without following a link, waiting or being changed by it. @throws Error saying why not
int open_plain(const std::filesystem::path& file);

/// "256 KiB"
std::string size_text(std::size_t bytes);

}  // namespace ladder::grade
