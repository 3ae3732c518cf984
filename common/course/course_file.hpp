#pragma once
/// @file
/// The course file: a term's assignments with their rungs, points, deadlines and rules, as an instructor
/// writes them.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/files/place.hpp"
#include "common/course/durations.hpp"
#include "common/course/time_zone.hpp"

namespace ladder::course {

/// Which attempt of a person counts.
enum class Counts { last, best, active };

/// What being late costs.
struct Late {
  Duration grace{};                   ///< moves every deadline, for all
  double per_hour = 0;                ///< share of the earned points for each hour begun
  double per_day = 0;                 ///< the same for each day begun; one of both is 0
  double cap = 1;                     ///< never more than this share
  std::optional<Duration> at_most{};  ///< after the deadline; later ones do not count
  int slip_days = 0;                  ///< of each person, over the term: days that cost nothing
  Counts counts = Counts::last;
  bool by_platform = false;  ///< the platform takes points away: we take none
};

/// A number that is asked for before it is measured.
struct Predict {
  std::string rung, metric, n;  ///< n: "192..512 step 32"
  double points = 0;
  Place place{};
};

/// What a person grades.
struct Manual {
  std::string rung, ask;
  double points = 0;
  std::vector<std::string> levels{};  ///< what the points stand for, best first; empty: any number of points
  Place place{};
};

/// Points for time, in the final phase.
struct Timed {
  std::vector<std::string> rungs{};
  double points = 0;               ///< of all of them together
  std::filesystem::path bounds{};  ///< as `grade calibrate` writes them; empty: those of the rows
  Place place{};
};

/// Tests that students do not have, in the final phase.
struct Private {
  std::filesystem::path folder{};
  double points = 0;
  Place place{};
};

/// What steps may use beyond what their lesson gives.
struct Allow {
  std::vector<std::string> headers{}, symbols{};
  Place place{};
};

/// One assignment.
struct Assignment {
  std::string name;
  sys_seconds opens{}, due{};
  std::string answers = "never";  ///< when its solutions are released: "never" or "after_deadline"
  std::optional<sys_seconds> regrades_until{};
  /// "03/g1", and its points in the instant phase: those of its row are scaled to these.
  std::vector<std::pair<std::string, double>> rungs{};
  std::vector<Place> rung_places{};  ///< of each of them
  std::vector<Predict> predict{};
  std::vector<Manual> manual{};
  std::optional<Timed> time{};
  std::optional<Private> private_tests{};
  Allow allow{};
  Place place{};

  std::vector<std::string> rung_names() const;
  /// Where a rung stands; the assignment's own place for one that is none of its.
  Place place_of(const std::string& rung) const;
  /// Of all parts.
  double points() const;
};

/// Attempts on a platform; at home there is no limit.
struct Attempts {
  int per_day = 0;  ///< 0: any number
};

/// The machine or cluster that `check --remote` uses (common/tool/remote.sh).
struct Remote {
  std::string host;
  std::string account, partition, gres, time;  ///< as Slurm's srun takes them; empty: its own choice
  int cpus = 0;                                ///< of a job; 0: Slurm's choice
  std::string image;                           ///< for apptainer; empty: what is installed there
  std::string scratch;                         ///< where it builds; may name variables: "/scratch/$USER"
};

/// A course file, read and checked.
struct Course {
  std::filesystem::path file{};
  std::string name, term, release, image;
  TimeZone timezone{};
  std::string record = "executor";  ///< the device whose verdicts count: executor, or a GPU: cuda, cuda:0
  std::filesystem::path roster{}, extensions{}, key{};  ///< as paths that can be opened; empty: not given
  std::string retention;                                ///< "2028-06-30": code and evidence are deleted then
  Late late{};
  Attempts attempts{};
  std::optional<Remote> remote{};
  std::vector<Assignment> assignments{};

  /// @throws Error with the nearest names
  const Assignment& assignment(const std::string& name) const;
  /// "course.toml:LINE:COLUMN: what", for others that find something wrong with an entry.
  std::string at(Place place, const std::string& what) const;
};

/// Reads a course file. Whatever is wrong, unknown or contradictory in it is named, one line each, in the
/// order of the file. Whether its rungs are there, only those who know the lessons can say.
/// @throws Error "course.toml:LINE:COLUMN: what, what to do"
Course read_course(const std::filesystem::path& file);

}  // namespace ladder::course
