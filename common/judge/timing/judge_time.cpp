/// @file
/// The kind of test that compares times.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/base/clock.hpp"
#include "common/judge/each_step.hpp"
#include "common/judge/judge.hpp"
#include "common/judge/timing/gain.hpp"
#include "common/judge/timing/time_rules.hpp"
#include "common/judge/timing/timing_session.hpp"

namespace ladder {
namespace {

using namespace detail;

/// The problems of one size that rungs of a track get, each once, and memory for the results of each
/// contender.
class LessonProblems final : public TimedProblems {
 public:
  LessonProblems(const Judged& suite, int size) : suite_(suite), size_(size) {
    static std::uint64_t count = 0;
    sessions_ = ++count;
  }

  /// The problem of a rung: an existing one if it has the same problem.
  std::size_t of(const Rung& rung) {
    Case one = problem_of(suite_, *rung.row, size_, false);
    const auto same = [&](const TimedProblem& other) {
      return other.one.label == one.label && other.one.group == one.group &&
             other.one.shape.scalars == one.shape.scalars;
    };
    const auto found = std::find_if(problems_.begin(), problems_.end(), same);
    const auto place = static_cast<std::size_t>(found - problems_.begin());
    if (found == problems_.end()) problems_.push_back({std::move(one), nullptr});
    return place;
  }
  const Case& at(std::size_t problem) const { return problems_[problem].one; }

  std::size_t count() const override { return problems_.size(); }

  void fill(std::size_t problem) override {
    TimedProblem& one = problems_[problem];
    if (!one.content) one.content = std::make_unique<AnyInstance>(one.one.shape);
    ++turn_;
    Random random = random_of({"", "time", sessions_, turn_}, turn_, 31);
    one.one.fill(*one.content, random);
  }

  Outcome call(Contender& contender) override {
    const Outcome outcome = call_again(contender);
    Random random = random_of({"", "verified time", sessions_, turn_}, turn_, 37);
    const Case& one = problems_[contender.problem].one;
    const Check check = one.verify_quickly(*answers_.at(&contender), random);
    if (check.right()) return outcome;
    const std::string who = contender.peer || contender.below ? contender.name + " at " : "";
    throw Failure{Verdict::wrong, who + one.label + ": " + check.wrong, {}};
  }

  /// A call whose result is not verified.
  Outcome call_again(Contender& contender) { return call_in(*contender.session, contender, false); }

  /// The same in another session, whose worker is started differently. Nobody reads its outputs.
  Outcome call_unread(Session& session, const Contender& contender) {
    return call_in(session, contender, true);
  }

 private:
  Outcome call_in(Session& session, const Contender& contender, bool unread) {
    std::unique_ptr<AnyInstance>& answer = answers_[&contender];
    const AnyInstance& content = *problems_[contender.problem].content;
    if (!answer) answer = std::make_unique<AnyInstance>(content, same_inputs);
    answer->take_scalars(content);
    answer->exchange().unread = unread;
    return session.call(*answer);
  }

  struct TimedProblem {
    Case one;
    std::unique_ptr<AnyInstance> content;
  };
  const Judged& suite_;
  int size_;
  std::vector<TimedProblem> problems_;
  std::map<const Contender*, std::unique_ptr<AnyInstance>> answers_;
  std::uint64_t sessions_ = 0;  ///< numbers of this judge's timing sessions
  std::uint64_t turn_ = 0;
};

/// Waits for the tool to end what it builds next to us: it has just read that we are going to time.
void wait_until_quiet() {
  constexpr double longest = 20;  // then the watch over foreign load says how quiet it was
  const Stopwatch watch;
  while (!plan().quiet.empty() && !std::filesystem::exists(plan().quiet) && watch.seconds() < longest)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

/// The results of timing a track, for one of its rungs.
struct Timed {
  std::optional<Failure> failure;
  std::optional<TimeResult> time, further;
  EnergyResult energy;
  std::vector<std::pair<std::string, std::string>> notes;
};

/// Three calls of the baseline, or one when it is long; none when it does not return in time.
Interval time_baseline(const Judged& suite, const Rung& rung, int size) {
  const auto peer = std::find_if(plan().peers.begin(), plan().peers.end(),
                                 [](const Peer& one) { return one.name == "baseline"; });
  if (peer == plan().peers.end()) return {};
  LessonProblems problems(suite, size);
  Contender contender{.name = "baseline", .rung = rung, .launch = launch_of(*peer, Data::host), .peer = true};
  contender.problem = problems.of(rung);
  std::vector<double> seconds;
  try {
    contender.session = std::make_unique<Session>(contender.launch);
    for (int i = 0; i < 3 && (i == 0 || seconds[0] < 2); ++i) {
      problems.fill(contender.problem);
      seconds.push_back(problems.call(contender).seconds);
    }
  } catch (const Failure&) {
    // A call takes longer than the limit: the tables then have no time.
  }
  return median_interval(seconds);
}

/// A stretch of the time that a track takes, as shares of all of it, for who waits.
struct Stretch {
  double from = 0, to = 1;

  double at(double share) const { return from + share * (to - from); }
  Stretch part(double begin, double end) const { return {at(begin), at(end)}; }
};

/// Times tracks, each once, when the first of its rungs is asked for.
class Tracks {
 public:
  explicit Tracks(const Judged& suite) : suite_(suite) {}

  const Timed& of(const PlannedStep& step, TestReport& report) {
    if (!timed_.contains(&step)) time_track_of(step, report);
    return timed_[&step];
  }

 private:
  void time_track_of(const PlannedStep& step, TestReport& report) {
    std::map<int, std::vector<Rung>> by_size;  // on the CPU each row has its own size, on a GPU a few have
    for (const Rung& rung : track_of(table_of(suite_), step)) {
      timed_[rung.step];
      by_size[usual_size(rung)].push_back(rung);
    }
    const DeviceSizes& sizes = table_of(suite_).on_device;
    double begun = 0;
    const auto groups = static_cast<double>(by_size.size());
    for (const auto& [size, rungs] : by_size) {
      const Stretch all{begun / groups, (begun + 1) / groups};
      ++begun;
      const bool choose = on_device_size(table_of(suite_), step) && !plan().states_problem();
      const bool smaller = choose && 0 < sizes.small && sizes.small < size;
      const bool further = choose && sizes.further > size;
      const Stretch usual = further ? all.part(0, 0.7) : all;
      const std::vector<Rung> slow = time_rungs(rungs, size, &Timed::time, smaller ? longest_call : endless,
                                                usual.part(0, smaller ? 0.8 : 1), report);
      time_rungs(slow, sizes.small, &Timed::time, endless, usual.part(0.8, 1), report);
      if (further)
        time_rungs(promising(rungs, size, sizes.further), sizes.further, &Timed::further, longest_call,
                   all.part(0.7, 1), report);
    }
  }

  /// The report is of the track's first rung, and all of the track is timed meanwhile.
  void tell(const TestReport& report, const std::string& text, const PlannedStep& step, double share) const {
    report.progress(text, share * static_cast<double>(track_of(table_of(suite_), step).size()), 1);
  }

  int usual_size(const Rung& rung) const {
    if (plan().states_problem()) return plan().size;
    if (!on_device_size(table_of(suite_), *rung.step)) return rung.row->time.size;
    if (rung.row->time.on_device > 0) return rung.row->time.on_device;
    const DeviceSizes& sizes = table_of(suite_).on_device;
    const int size = sizes.of(rung.row->data);
    const std::size_t bytes = problem_of(suite_, *rung.row, size, false).shape.bytes();
    return fits_device(bytes, *rung.step) ? size : sizes.small;
  }

  /// The rungs that are not expected to take too long at a larger size.
  std::vector<Rung> promising(const std::vector<Rung>& rungs, int size, int further) {
    std::vector<Rung> result;
    const double more = suite_.work ? suite_.work(further) / suite_.work(size) : 1;
    for (const Rung& rung : rungs)
      if (const auto& time = timed_[rung.step].time; time && time->seconds.median * more < 2 * longest_call)
        result.push_back(rung);
    return result;
  }

  /// @return the rungs that take too long at this size
  std::vector<Rung> time_rungs(const std::vector<Rung>& rungs, int size,
                               std::optional<TimeResult> Timed::*where, double most_seconds, Stretch stretch,
                               TestReport& report) {
    if (rungs.empty()) return {};
    const std::vector<Rung> slow = race_once(rungs, size, where, most_seconds, stretch, report);
    if (where == &Timed::time) race_again(rungs, size, stretch, report);
    return slow;
  }

  TimingSession start_session(const std::vector<Rung>& rungs, LessonProblems& problems) {
    TimingSession timing = start_timing(rungs, [&](const Rung& rung) { return problems.of(rung); });
    timing.seconds_a_rung = plan().cell_seconds / (table_of(suite_).on_device.further > 0 ? 2 : 1);
    return timing;
  }

  /// Who has missed a bound is timed once more, with workers started again: which cores they get, and what
  /// these share with whom, is the same for the whole of a timing session, and no noise inside of it shows
  /// that.
  void race_again(const std::vector<Rung>& rungs, int size, Stretch stretch, TestReport& report) {
    std::vector<Rung> missed;
    for (const Rung& rung : rungs)
      if (const auto& time = timed_[rung.step].time;
          time && rung.step->backend != "executor" && misses_bound(*time, *rung.row))
        missed.push_back(rung);
    if (missed.empty()) return;
    LessonProblems problems(suite_, size);
    TimingSession timing = start_session(missed, problems);
    warm_up(timing, problems, endless);
    run_rounds(timing, problems,
               [&](int, int) { tell(report, "timing a missed bound again", *rungs[0].step, stretch.to); });
    for (const Rung& rung : missed) {
      const Contender& contender = *timing.find(rung);
      if (!contender.session) continue;
      TimeResult& first = *timed_[rung.step].time;
      TimeResult again = result_of(timing, contender);
      again.baseline = first.baseline;
      again.problem = first.problem;
      again.work = first.work;
      again.least = first.least;
      first.again = std::make_shared<TimeResult>(std::move(again));
    }
  }

  std::vector<Rung> race_once(const std::vector<Rung>& rungs, int size,
                              std::optional<TimeResult> Timed::*where, double most_seconds, Stretch stretch,
                              TestReport& report) {
    LessonProblems problems(suite_, size);
    const bool beside = where == &Timed::time && has_device_clock(rungs[0].step->backend);
    const Stretch rounds = stretch.part(0, beside ? 0.4 : 1), after = stretch.part(0.4, 1);
    const auto reached = [&](const std::string& text, double share) {
      tell(report, text, *rungs[0].step, share);
    };
    reached("timing", rounds.from);
    TimingSession timing = start_session(rungs, problems);
    const std::vector<Rung> slow = warm_up(timing, problems, most_seconds);
    run_rounds(timing, problems,
               [&](int round, int of) { reached("timing", rounds.at(double(round) / of)); });
    double measured = 0;
    for (const Rung& rung : rungs) {
      const double share = after.at(measured++ / static_cast<double>(rungs.size()));
      Contender& contender = *timing.find(rung);
      Timed& timed = timed_[rung.step];
      if (where == &Timed::time && contender.failure) timed.failure = contender.failure;
      if (!contender.session) continue;
      TimeResult& time = (timed.*where).emplace(result_of(timing, contender));
      const Case& one = problems.at(contender.problem);
      time.problem = one.size;
      time.size_name = name_of_size(size);
      add_least_time(rung, one, time);
      time.content_repeats = one.content_repeats;
      timed.notes = timing.notes;
      if (where != &Timed::time) continue;
      pause_all(timing);
      measure_beside(rung, contender, problems, size, timed);
      if (!has_device_clock(rung.step->backend)) continue;
      reached("device time of " + rung.step->step, share);
      time.device = device_time(timing, contender, problems);
      if (runs_on_gpu(*rung.step)) time.device = unless_slowed(*time.device, time.seconds.median);
      reached("gain of " + rung.step->step, share);
      time.gain = gain_of(rung, size);
    }
    return slow;
  }

  /// "class A", a user's file; empty: the size has no name.
  std::string name_of_size(int size) const {
    if (!plan().file.empty()) return std::filesystem::path(plan().file).filename();
    const auto& classes = table_of(suite_).classes;
    const auto named = std::ranges::find(classes, size, &NamedSize::size);
    return named == classes.end() ? "" : "class " + named->name;
  }

  /// The least work of the problem on the rung's device.
  static void add_least_time(const Rung& rung, const Case& one, TimeResult& time) {
    if (!rung.row->no_model.empty())
      time.work = {.none = rung.row->no_model.c_str()};
    else
      time.work = one.model ? one.model() : Work{.none = "the lesson has no model of its work"};
    const Ceilings& ceilings = ceilings_of(*rung.step);
    time.least = time_lower_bound(time.work, transfers_of(*rung.step, *rung.row, one.shape), ceilings);
    time.least.roof = own_ceiling(*rung.row, time.work, ceilings);
  }

  /// What is measured apart from the timing session: the baseline of a GPU's rungs, and joules.
  void measure_beside(const Rung& rung, Contender& contender, LessonProblems& problems, int size,
                      Timed& timed) {
    if (rung.step->backend == "executor") return;  // its joules say nothing about a GPU
    // Several GPUs have problems that one core would need minutes for.
    if (runs_on_gpu(*rung.step) && rung.row->data != Data::distributed)
      timed.time->baseline = baseline(rung, size);
    // The content of the last call once more: filling the arrays again would cost joules, too.
    timed.energy =
        measure_energy(energy_meter_of(*rung.step), [&] { return problems.call_again(contender).seconds; });
  }

  /// How long the device is busy with a rung's calls, and with those of the libraries that had the same
  /// problem.
  DeviceTime device_time(TimingSession& timing, Contender& contender, LessonProblems& problems) {
    const auto measured = [&](Contender& one) {
      return measure_device_time(one.launch,
                                 [&](Session& session) { return problems.call_unread(session, one); });
    };
    DeviceTime time = measured(contender);
    if (!time.reason.empty()) return time;
    for (Contender& peer : timing.contenders) {
      if (!peer.peer || peer.problem != contender.problem || !peer.session) continue;
      if (peer.launch.backend != contender.launch.backend ||
          peer.launch.resident != contender.launch.resident)
        continue;
      const auto [found, is_new] = timing.device_seconds.try_emplace(&peer);
      if (is_new) found->second = measured(peer).busy.median;
      if (found->second > 0) time.peers[peer.name] = found->second;
    }
    return time;
  }

  /// Whether a rung and the one below compute the same from the same data; exercises of their own do not.
  bool has_problem_of_below(const Rung& rung, int size) const {
    const auto& rows = table_of(suite_).steps;
    const auto below = std::ranges::find(rows, rung.step->without_name, &Step::name);
    if (below == rows.end() || below->data != rung.row->data) return false;
    const Case mine = problem_of(suite_, *rung.row, size, false),
               other = problem_of(suite_, *below, size, false);
    return mine.label == other.label && mine.group == other.group &&
           mine.shape.scalars == other.shape.scalars;
  }

  /// What the idea of a rung gains on a GPU; nothing where there is no program without it. What another
  /// device takes is not about the idea.
  std::optional<model::Gain> gain_of(const Rung& rung, int usual) const {
    const Gain& row = rung.row->gain;
    if (rung.step->without.empty() || !runs_on_gpu(*rung.step)) return {};
    if (row.without.empty() && !has_problem_of_below(rung, usual)) return {};
    const int size = row.size > 0 && !plan().states_problem() ? row.size : usual;
    const Case one = problem_of(suite_, *rung.row, size, false);
    AnyInstance content(one.shape);
    Random random = random_of({"", "gain"}, 0, 41);
    one.fill(content, random);
    AnyInstance with(content, same_inputs), without(content, same_inputs);
    with.exchange().unread = without.exchange().unread = true;
    model::Gain gain = measure_gain(
        row, {launch_of(*rung.step, rung.row->data), launch_of(without_idea_of(*rung.step), rung.row->data)},
        [&](Session& session, bool is_with) {
          AnyInstance& answer = is_with ? with : without;
          answer.take_scalars(content);
          return session.call(answer);
        });
    gain.over = rung.step->without_name;
    gain.problem = one.size;
    gain.size_name = name_of_size(size);
    return gain;
  }

  /// The sequential baseline at a size of the GPU's rungs: alone, once for each problem. Rungs of several
  /// tasks have several.
  Interval baseline(const Rung& rung, int size) {
    const Case one = problem_of(suite_, *rung.row, size, false);
    const auto [found, is_new] = baselines_.try_emplace({one.shape.scalars, size});
    if (is_new) found->second = time_baseline(suite_, rung, size);
    return found->second;
  }

  const Judged& suite_;
  std::map<const PlannedStep*, Timed> timed_;
  std::map<std::pair<std::vector<std::byte>, int>, Interval> baselines_;  ///< by problem and size
};

}  // namespace

void judge_time(const Judged& suite) {
  static Tracks timed_tracks(suite);  // Catch2 comes here once for each step
  for_each_step(
      table_of(suite), TestKind::time, [&](const PlannedStep& step, const Step& row, TestReport& report) {
        if (repeats_failure(step, report)) return;
        wait_until_quiet();
        const Timed& timed = timed_tracks.of(step, report);
        for (const auto& [heading, text] : timed.notes) report.detail(heading, text);
        if (timed.failure) throw Failure(*timed.failure);
        if (!timed.time) throw Failure{Verdict::not_run, "its track was timed without it", {}};
        TimeResult time = *timed.time;
        if (timed.further) time.further = std::make_shared<TimeResult>(*timed.further);
        report.set(time);
        // The executor's times say nothing about a GPU: shown, never judged.
        if (step.backend == "executor") return;
        // Nor does PoCL's, next to a library for GPUs.
        const bool of_a_gpu = row.time.peer.starts_with("cu");
        if (of_a_gpu && !runs_on_gpu(step))
          report.detail("Time", fmt::format("a bound next to {} is judged on a GPU only", row.time.peer));
        else
          judge_time_bound(time, row, report);
        judge_late_work(time, report);
        judge_floor(time, report);
        report.set(timed.energy);
      });
}

}  // namespace ladder
