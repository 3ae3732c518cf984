/// @file
/// The verb course new: a course file with everything that it can say.

#include <fmt/format.h>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/time_zone.hpp"
#include "common/tool/grading/course_verb.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr const char* course_template =
    R"(# A course of GPU Ladder. `./ladder course check` says what is wrong with it, by line and column.
# Paths are seen from this file's folder; ~/ is your home folder. What begins with # is left out.

course = ""            # to be filled in: "CS 4xx GPU Programming"
timezone = ""          # to be filled in: "America/Chicago", "Europe/Berlin", "Asia/Kolkata"
# term = "2027-spring"
# roster = "roster.csv"           # who is in the class: id,name and what platforms call them; not in git
# extensions = "extensions.csv"   # student,assignment,until: deadlines of single persons; not in git
# key = "~/keys/course.key"       # ./ladder grade key FILE makes it; keep it secret until grades are final
record = "executor"    # the device whose verdicts count: "executor" needs no GPU
# retention = "2028-06-30"        # when code and evidence are deleted; grades stay

[late]
grace = "15 min"       # moves every deadline, for all; do not announce it
per_day = "10 %"       # of the points that were earned, for each day begun; or per_hour
cap = "50 %"           # never more than this
at_most = "3 days"     # later ones do not count; a person's slip days come first, and this after them
# slip_days = 4                   # of each person, over the term: days that cost nothing
counts = "last"        # or "best" after what lateness takes, or "active" on Gradescope
# by = "platform"                 # the platform takes points for lateness: omit all but counts

# [attempts]
# per_day = 10                    # on platforms; at home there is no limit

# [remote]                          # the machine with a GPU of ./ladder check --remote
# host = "login.hpc.edu"            # as ssh takes it
# account = "cs4xx"                 # of Slurm, as are partition, gres, time and cpus; needless without it
# partition = "gpu"
# gres = "gpu:1"
# time = "00:10:00"
# cpus = 4
# image = "/shared/cs4xx/ladder.sif"   # for apptainer: where the packages are not installed
# scratch = "/scratch/$USER"        # where it builds; $TMPDIR or /tmp by default

[[assignment]]
name = "hw1"
opens = @opens@   # times of the time zone above, without quotes
due = @due@
answers = "never"      # or "after_deadline": when its solutions are released
# regrades_until = 2027-03-01T23:59
rungs = { "03/g1" = 8, "03/g2" = 8 }   # with their points; "00/g1-g6" = 12: six rungs of 2; ./ladder list shows all
# points = 20                     # the sum of all parts, if you want it checked
# predict = [{ rung = "03/g2", metric = "sectors", n = "192..512 step 32", points = 1 }]
# manual = [{ rung = "03/g2", ask = "What goes wrong without the second barrier?", points = 2 }]
# time = { rungs = ["03/g2"], points = 3, bounds = "calibrated.json" }   # final phase, grading machine
# private = { folder = "private/hw1", points = 4 }   # final phase: tests that students do not have
allow = { symbols = ["exit", "getenv"] }   # what a person need not look at: the CHECK macro of textbooks, DEBUG switches
)";

/// So many days from now, at this hour, as the file has times.
std::string day_from_now(int days, std::chrono::minutes at) {
  const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  std::string text =
      course::text_of(course::local_seconds((today + std::chrono::days(days)).time_since_epoch()) + at);
  text[10] = 'T';
  return text;
}

}  // namespace

void write_new_course(Context& context, const fs::path& file) {
  if (fs::exists(file))
    throw UsageError{fmt::format("{} already exists: nothing was written", file.string())};
  std::string text = course_template;
  replace_all(text, "@opens@", day_from_now(7, std::chrono::hours(9)));
  replace_all(text, "@due@", day_from_now(21, std::chrono::minutes(23 * 60 + 59)));
  write_text(file, text);
  context.terminal.print(
      fmt::format("{}: fill in course, timezone and the assignments; then ./ladder course check {}",
                  file.string(), file.string()));
}

}  // namespace ladder
