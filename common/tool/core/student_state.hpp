#pragma once
/// @file
/// What .ladder/ keeps of a student's work: files that a crash does not take with it, the history, and what
/// it says about time.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ladder {

/// Renames a file that cannot be used to NAME.broken-DATE, and says so in one line on standard error.
void set_aside(const std::filesystem::path& file);

/// What a file of .ladder/ remembers; an empty object where there is none. A file that is no JSON object is
/// set aside.
nlohmann::json read_state_file(const std::filesystem::path& file);

/// The entries of a history, oldest first. Lines that are no entries, as a crash leaves them, are passed over
/// and stay in the file.
std::vector<nlohmann::json> read_history(const std::filesystem::path& file);

/// Adds lines to the history, in one write, and waits until they are on the disk. @return whether that worked
bool append_history(const std::filesystem::path& file, const std::string& lines);

/// The time in which somebody worked, as their verdicts show it.
struct TimeSpent {
  double seconds = 0;
  int sessions = 0;
  /// Of "03-dgemm/g2_shared_tiles": up to its verdicts, each from the one before.
  std::map<std::string, double> by_step{};
};
inline constexpr int session_pause = 30 * 60;  ///< seconds without a verdict after which a new session begins
inline constexpr int session_lead = 5 * 60;    ///< seconds that count before the first verdict of a session

/// @param history  entries with the fields step and time, in any order
TimeSpent time_spent(const std::vector<nlohmann::json>& history);

/// The same in words, for people: "2 h 10 min"; "-" for none.
std::string hours_text(double seconds);

/// "2026-11-23-164501", for names of what is set aside.
std::string time_for_names();

/// Keeps what a student's file has, in .ladder/old/TIME/, below its own path.
class OldFiles {
 public:
  /// @param root  the checkout
  OldFiles(std::filesystem::path root, const std::filesystem::path& state);
  /// @param path  from the checkout: "lessons/03-dgemm/g2_shared_tiles.cu"
  /// @return where it is kept, as messages say it; empty when there was nothing
  std::string keep(const std::string& path) const;

  /// The same of a file anywhere, which is kept with its content of before.
  std::string keep(const std::filesystem::path& file, const std::string& content) const;

  /// The paths that were replaced last, by one call; empty: none.
  std::vector<std::string> replaced_last() const;

  /// Brings a file back as it was when it was replaced last, and keeps what is there now: once more undoes
  /// this.
  /// @return whether there was one
  bool bring_back(const std::string& path) const;

 private:
  std::vector<std::filesystem::path> folders() const;  ///< the latest first
  std::filesystem::path root_, state_, folder_;
};

}  // namespace ladder
