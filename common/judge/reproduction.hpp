#pragma once
/// @file
/// What the reproductions of the lessons have in common: runs within a budget, cells of a table, and the
/// record.

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/base/statistics.hpp"
#include "common/base/text/numbers.hpp"
#include "common/judge/session/session.hpp"

namespace ladder::reproduction {

/// A time on this machine: measured, extrapolated, or missing with a reason.
struct Cell {
  std::vector<double> seconds{};  ///< one per run
  double extrapolated = 0;        ///< where none was measured
  std::string reason{};           ///< why fewer runs than wanted, or none

  bool measured() const { return !seconds.empty(); }
  double mean() const;            ///< as sources average; without runs the extrapolated time
  double standard_error() const;  ///< of the mean; 0 for fewer than three runs
  double median() const;          ///< without runs the extrapolated time
};

using ladder::number_text;

/// "0.01234", "(about 3.1, not measured)", "not measured"
std::string mean_text(const Cell& cell);
/// "0.01234 (0.01201 to 0.0131)"; empty for fewer than three runs.
std::string median_text(const Cell& cell);

/// A program under test, kept alive from size to size, and started again when a call had to be ended. Between
/// measurements it is stopped, so that it does not disturb those of other programs.
class Runner {
 public:
  /// Makes one call and returns its seconds. @throws Failure, also for a wrong result
  using Call = std::function<double(Session&)>;

  /// The number of runs, the seconds for all of them, and the work of one: the time of a run is assumed to
  /// grow with it.
  struct Ask {
    int runs = 1;
    double budget = 20;
    double work = 1;
    bool warm_up = false;  ///< first an uncounted call, in which a library makes its plan
  };

  /// @param warm_up  called after each start: builds kernels, makes contexts
  Runner(Launch launch, Call warm_up);

  /// As many runs as the budget allows; none if even one is expected to take longer. A call that the program
  /// refuses gives a reason instead of times.
  /// @throws Failure for a wrong result or a crash
  Cell measure(const Ask& ask, const Call& call);

  const std::string& device() const { return session_->device(); }

 private:
  void restart();

  Launch launch_;
  Call warm_up_;
  std::optional<Session> session_;
  double last_seconds_ = 0, last_work_ = 0;
};

/// A step of the plan that runs here; null when there is none.
const PlannedStep* planned(const std::string& step);
/// The peer or variant of that name on the first of these back ends that has it; null when there is none.
const Peer* peer(const std::vector<Peer>& among, const std::string& name,
                 const std::vector<std::string>& backends);

/// Reports the progress of a reproduction.
void progress(const PlannedStep& step, const std::string& text, double done, double of = 1);

/// A bar of text, 24 characters at @p most.
std::string bar(double value, double most);

/// A line of a figure, its points those with y above 0. @param part  "rung", "baseline", "source", "floor"
nlohmann::json line(const std::string& label, const std::string& part, const std::vector<int>& x,
                    const std::vector<double>& y);

struct Axis {
  std::string label;
  bool log = false;
};
/// A figure of such lines, without those that have no points; its alternative says where each ends.
nlohmann::json curves(const std::string& name, const std::string& title, const Axis& x, const Axis& y,
                      std::vector<nlohmann::json> lines);

/// Whether a table of that title was asked for, capital letters or not.
bool wanted(const std::string& title);

/// Writes a record, when it is wanted or says why there is no table. It replaces the record before with the
/// same title, so that an interrupt keeps what was published.
void publish(const nlohmann::json& record);

/// A record: a table, notes, figures. More fields may be added.
nlohmann::json record(const std::string& lesson, const std::string& title,
                      const std::vector<std::string>& columns);
/// A record when there is nothing to show: the reason as a note.
nlohmann::json without_table(const std::string& lesson, const std::string& title, const std::string& reason);

/// The lesson's reproduction, when the plan wants one. A failure is published instead of the table @p title
/// and fails the test case.
void reproduce(const std::string& lesson, const std::string& title, const std::function<void()>& body);

}  // namespace ladder::reproduction
