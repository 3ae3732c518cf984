#pragma once
/// @file
/// How time is measured: all rungs of a track and their peers in one session, in turns. This part knows no
/// problem type.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/judge/session/session.hpp"
#include "common/judge/timing/rounds.hpp"
#include "common/judge/timing/time_result.hpp"
#include "common/lesson/rung.hpp"

namespace ladder {

/// A planned step with its row.
struct Rung {
  const PlannedStep* step;
  const Step* row;
};

/// A worker in a timing session: alive all the time, active when called.
struct Contender {
  std::string name;  ///< "g3_register_tiles", or a peer's: "baseline", "cuBLAS"
  Rung rung;         ///< of a peer: the rung whose problem and data it gets
  Launch launch;
  bool peer = false;
  bool below = false;       ///< the rung below one that is timed; not itself a rung of the timing session
  bool repeats = false;     ///< called twice per round: a bound depends on how far it differs from itself
  std::size_t problem = 0;  ///< which of the problems it gets
  std::unique_ptr<Session> session{};           ///< null: it is out
  std::optional<Failure> failure{};             ///< why
  double first_seconds = 0;                     ///< of the last call that was not counted
  std::vector<std::optional<Outcome>> calls{};  ///< by round
  std::vector<double> against_itself{};
  RoundLimits limits{};  ///< of a rung
  bool called = true;    ///< in the next round; a rung that is not has its rounds
};

/// The problems of a timing session. Rungs of a track may have different ones: another scalar, other content.
class TimedProblems {
 public:
  virtual ~TimedProblems() = default;
  virtual std::size_t count() const = 0;
  /// New content for all contenders of a problem, the same for each of them; all of them are stopped.
  virtual void fill(std::size_t problem) = 0;
  /// A call while all others are stopped. @throws Failure, also for a wrong result
  virtual Outcome call(Contender& contender) = 0;
};

/// A timing session: its workers, and the time of each call.
struct TimingSession {
  std::vector<Contender> contenders;
  std::vector<std::pair<std::string, std::string>>
      notes{};                ///< headings and texts: what is not compared, and why
  double seconds_a_rung = 0;  ///< for its calls and those of its peers
  double foreign_load = 0;
  int rounds = 0;
  bool by_need = false;  ///< whether what it has measured decides when it ends
  std::map<const Contender*, double>
      device_seconds{};  ///< of libraries: medians by the device's clock, 0 where it has none

  Contender* find(const Rung& rung);
};

/// Which of the problems a rung gets.
using ProblemOf = std::function<std::size_t(const Rung&)>;

/// The rungs and their peers, started: libraries of their device and, where no GPU runs them, the baseline. A
/// step below that is not a rung of the timing session takes part, too. A worker that does not start is out.
TimingSession start_timing(const std::vector<Rung>& rungs, const ProblemOf& problem_of);
/// Two uncounted calls each, one on the executor. A contender that fails is out, and so is a rung whose call
/// takes longer than @p most_seconds, the second one if there are two.
/// @return the rungs that took longer
std::vector<Rung> warm_up(TimingSession& timing, TimedProblems& problems, double most_seconds);
/// Calls in rounds, in random order: each rung until what it has shown is enough (rounds.hpp), and its peers
/// as long as it needs them.
/// @param progress  called with the round and the number of rounds, as far as it is known
void run_rounds(TimingSession& timing, TimedProblems& problems,
                const std::function<void(int, int)>& progress);
/// Stops all workers until the next call.
void pause_all(TimingSession& timing);
/// The results of the timing session for a rung.
TimeResult result_of(const TimingSession& timing, const Contender& contender);

/// Whether most calls went on after their clock had stopped: the harness waited longer than 1 ms and three
/// times as long as for a peer.
/// @param after  Outcome::after of each call
/// @param peers  the longest median of a peer at this size; 0: there is none
bool works_late(const std::vector<double>& after, double peers);

/// "the baseline", "cuBLAS"
std::string spoken(const std::string& peer);

}  // namespace ladder
