#include "common/judge/timing/timing_session.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "common/base/clock.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/random.hpp"
#include "common/judge/inputs.hpp"

namespace ladder {
namespace {

/// Whether a library is timed together with the step: one for the step's own device. An OpenCL step on an
/// NVIDIA GPU is timed with a CUDA library, since there is none for OpenCL; where there is no such peer, a
/// CPU library. The executor's times say something about the executor only.
bool is_timed_with(const Peer& library, const PlannedStep& step) {
  if (step.backend == "executor") return false;
  if (step.backend == "cuda") return library.backend == "cuda";
  const auto of_cuda = [](const Peer& one) { return one.backend == "cuda"; };
  const bool on_gpu = step.backend == "opencl" && runs_on_gpu(step) &&
                      std::any_of(plan().peers.begin(), plan().peers.end(), of_cuda);
  return library.backend == (on_gpu ? "cuda" : "cpu");
}

/// A sequential program is not timed together with a GPU: it is timed alone, once per size.
bool is_timed_with_baseline(const PlannedStep& step) {
  return step.backend != "executor" && !runs_on_gpu(step);
}

bool has(const TimingSession& timing, const Launch& launch, std::size_t problem, bool peer) {
  return std::any_of(timing.contenders.begin(), timing.contenders.end(), [&](const Contender& one) {
    return one.peer == peer && one.launch.worker == launch.worker && one.launch.resident == launch.resident &&
           one.problem == problem;
  });
}

/// Whether a bound on the rung's time is judged here: the executor's times are shown only, and so are those
/// of a processor where the bound is about a library for GPUs.
bool has_bound(const Rung& rung) {
  const bool of_a_gpu = std::string_view(rung.row->time.peer).starts_with("cu");
  return rung.row->time.ratio > 0 && rung.step->backend != "executor" &&
         (!of_a_gpu || runs_on_gpu(*rung.step));
}

std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count; i-- > 1;)
    std::swap(order[i], order[static_cast<std::size_t>(random.below(static_cast<int>(i + 1)))]);
  return order;
}

/// A step below is the student's own and only shown: a broken one costs no points.
void take_out(TimingSession& timing, Contender& one, const Failure& failure) {
  one.failure = failure;
  one.session.reset();
  if (one.peer) timing.notes.emplace_back("Not compared", spoken(one.name) + " " + failure.message);
}

/// Starts a worker. One that does not start is out.
void start(TimingSession& timing, Contender& one) {
  try {
    one.session = std::make_unique<Session>(one.launch);
  } catch (const Failure& failure) {
    take_out(timing, one, failure);
  }
}

/// Calls a contender; one that fails is out.
std::optional<Outcome> try_call(TimingSession& timing, Contender& one, TimedProblems& problems) {
  for (Contender& other : timing.contenders)
    if (&other != &one && other.session) other.session->pause();
  try {
    return problems.call(one);
  } catch (const Failure& failure) {
    take_out(timing, one, failure);
    return std::nullopt;
  }
}

/// One call of each contender for which @p wanted is true, problem by problem, in random order.
template <class Wanted, class Take>
void call_each(TimingSession& timing, TimedProblems& problems, Random& random, Wanted wanted, Take take) {
  for (const std::size_t problem : shuffled(problems.count(), random)) {
    const auto is_in = [&](const Contender& one) {
      return one.session && one.problem == problem && wanted(one);
    };
    if (std::none_of(timing.contenders.begin(), timing.contenders.end(), is_in)) continue;
    pause_all(timing);  // no contender sees the next content before its clock starts
    problems.fill(problem);
    for (const std::size_t i : shuffled(timing.contenders.size(), random))
      if (Contender& one = timing.contenders[i]; is_in(one))
        if (auto outcome = try_call(timing, one, problems)) take(one, std::move(*outcome));
  }
}

std::vector<double> values_of(const Contender& contender, double Outcome::*value) {
  std::vector<double> values;
  for (const auto& one : contender.calls)
    if (one) values.push_back((*one).*value);
  return values;
}

/// The median; 0 where the worker's numbers are impossible.
double part_of(const Contender& contender, double Parts::*part) {
  std::vector<double> values;
  for (const auto& one : contender.calls)
    if (one && std::isfinite(one->parts.*part)) values.push_back(one->parts.*part);
  return median(values);
}

/// The other's time divided by the step's, of each round in which both were called.
std::vector<double> ratios_of(const Contender& other, const Contender& step) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(other.calls.size(), step.calls.size()); ++i)
    if (other.calls[i] && step.calls[i]) ratios.push_back(other.calls[i]->seconds / step.calls[i]->seconds);
  return ratios;
}

/// The interval that is right for a timing session that went on as long as was necessary, or for one of a
/// fixed number of rounds.
Interval interval_of(const TimingSession& timing, const std::vector<double>& values) {
  return timing.by_need ? interval_at_look(values) : median_interval(values);
}

bool is_compared(const Contender& peer, const Contender& step) {
  const bool same_data = peer.launch.resident == step.launch.resident;
  return peer.peer && peer.problem == step.problem && (!peer.launch.on_gpu || same_data);
}

/// The peer that the rung's bound is about; null: no bound is judged, or that peer is not there.
const Contender* decider_of(const TimingSession& timing, const Contender& step) {
  if (!has_bound(step.rung)) return nullptr;
  const std::string name = step.rung.row->time.peer;
  for (const Contender& peer : timing.contenders)
    if (peer.session && is_compared(peer, step) && (peer.name == name || peer.name == name + " (CUDA)"))
      return &peer;
  return nullptr;
}

void set_limits(TimingSession& timing) {
  for (Contender& one : timing.contenders) {
    if (one.peer || one.below) continue;
    const PlannedStep& step = *one.rung.step;
    const bool by_device = runs_on_gpu(step) && one.rung.row->gain.clock == RungClock::device;
    one.limits = round_limits(plan().verb == "run", step.backend == "executor" || by_device,
                              decider_of(timing, one) != nullptr, plan().pairs);
    timing.by_need = timing.by_need || one.limits.wanted != Wanted::number;
  }
}

Shown shown_of(const TimingSession& timing, const Contender& step) {
  Shown shown{.seconds = values_of(step, &Outcome::seconds)};
  shown.bound = step.rung.row->time.ratio;
  shown.against_itself = step.against_itself;
  if (const Contender* decider = decider_of(timing, step)) shown.ratios = ratios_of(*decider, step);
  return shown;
}

/// Whether this rung, which is called in the next round, needs that peer, or the step below, in it. After the
/// first look, a rung with a bound needs the one that decides; the others have been called often enough to be
/// shown.
bool needs(const TimingSession& timing, const Contender& step, const Contender& other) {
  if (other.problem != step.problem) return false;
  const bool first = timing.rounds < looks.front().pairs;
  return first || step.limits.wanted != Wanted::decision || decider_of(timing, step) == &other;
}

/// Chooses who is called in the next round. @return whether anybody is
bool choose(TimingSession& timing, double load, double seconds) {
  const auto rungs = std::count_if(timing.contenders.begin(), timing.contenders.end(),
                                   [](const Contender& one) { return one.session && !one.peer; });
  const double next_end = seconds * (timing.rounds + 1) / std::max(timing.rounds, 1);
  const bool time_left = next_end <= timing.seconds_a_rung * double(rungs);
  bool any = false;
  for (Contender& one : timing.contenders) {
    if (one.peer || one.below) continue;
    one.called = one.called && one.session && wants_round(one.limits, shown_of(timing, one), load, time_left);
    any = any || one.called;
  }
  for (Contender& other : timing.contenders)
    if (other.peer || other.below)
      other.called =
          std::any_of(timing.contenders.begin(), timing.contenders.end(), [&](const Contender& one) {
            return !one.peer && !one.below && one.called && needs(timing, one, other);
          });
  return any;
}

/// The round after which the timing session may end, as far as is known now.
int next_end_of(const TimingSession& timing) {
  int end = 0;
  for (const Contender& one : timing.contenders) {
    if (one.peer || one.below || !one.called) continue;
    const auto next = std::find_if(looks.begin(), looks.end(),
                                   [&](const Look& look) { return look.pairs > timing.rounds; });
    const bool by_need = one.limits.wanted != Wanted::number && next != looks.end();
    end = std::max(end, by_need ? std::min(next->pairs, one.limits.most) : one.limits.most);
  }
  return end;
}

}  // namespace

Contender* TimingSession::find(const Rung& rung) {
  for (Contender& one : contenders)
    if (!one.peer && !one.below && one.rung.step == rung.step) return &one;
  return nullptr;
}

TimingSession start_timing(const std::vector<Rung>& rungs, const ProblemOf& problem_of) {
  TimingSession timing;
  const auto add = [&](std::string name, const Rung& rung, Launch launch) {
    launch.timed = true;
    timing.contenders.push_back(
        {.name = std::move(name), .rung = rung, .launch = std::move(launch), .problem = problem_of(rung)});
    return &timing.contenders.back();
  };
  for (const Rung& rung : rungs)
    add(rung.step->step, rung, launch_of(*rung.step, rung.row->data))->repeats = has_bound(rung);
  for (const Rung& rung : rungs)
    for (const Peer& peer : plan().peers)
      if (peer.name == "baseline" ? is_timed_with_baseline(*rung.step) : is_timed_with(peer, *rung.step))
        if (Launch launch = launch_of(peer, rung.row->data); !has(timing, launch, problem_of(rung), true))
          add(peer.label, rung, std::move(launch))->peer = true;
  for (const Rung& rung : rungs) {
    if (rung.step->below.empty()) continue;
    if (Launch launch = launch_of(below_of(*rung.step), rung.row->data);
        !has(timing, launch, problem_of(rung), false))
      add("the rung below", rung, std::move(launch))->below = true;
  }
  for (Contender& one : timing.contenders) start(timing, one);
  return timing;
}

void pause_all(TimingSession& timing) {
  for (Contender& one : timing.contenders)
    if (one.session) one.session->pause();
}

std::vector<Rung> warm_up(TimingSession& timing, TimedProblems& problems, double most_seconds) {
  std::vector<Rung> slow;
  Random random = random_for({"", "order of warm-up"}, plan().seed);
  const auto is_slow = [&](const Contender& one) { return !one.peer && one.first_seconds > most_seconds; };
  for (int pass = 0; pass < 2; ++pass) {
    // The second call differs where the first one has loaded modules, compiled kernels or connected ranks: it
    // decides, unless the first took so long that no such thing explains it.
    const auto is_wanted = [&](const Contender& one) {
      return pass == 0 ||
             (one.rung.step->backend != "executor" && (one.peer || one.first_seconds <= 10 * most_seconds));
    };
    call_each(timing, problems, random, is_wanted,
              [&](Contender& one, const Outcome& outcome) { one.first_seconds = outcome.seconds; });
  }
  for (Contender& one : timing.contenders) {
    if (!one.session || !is_slow(one)) continue;
    if (!one.below) slow.push_back(one.rung);
    one.session.reset();
  }
  return slow;
}

void run_rounds(TimingSession& timing, TimedProblems& problems,
                const std::function<void(int, int)>& progress) {
  set_limits(timing);
  Random random = random_for({"", "order"}, plan().seed + 1);
  const LoadWatch load;
  const Stopwatch watch;
  const auto load_at_look = [&] {
    return is_look(static_cast<std::size_t>(timing.rounds)) ? load.foreign_share() : 0;
  };
  for (; choose(timing, load_at_look(), watch.seconds()); ++timing.rounds) {
    progress(timing.rounds, next_end_of(timing));
    for (Contender& one : timing.contenders) one.calls.emplace_back();
    const auto is_called = [](const Contender& one) { return one.called; };
    call_each(timing, problems, random, is_called,
              [](Contender& one, Outcome outcome) { one.calls.back() = std::move(outcome); });
    // Once more, on other content: a contender that has kept an old result has none for it.
    const auto repeats = [](const Contender& one) { return one.called && one.repeats; };
    call_each(timing, problems, random, repeats, [](Contender& one, const Outcome& outcome) {
      if (one.calls.back()) one.against_itself.push_back(outcome.seconds / one.calls.back()->seconds);
    });
  }
  timing.foreign_load = load.foreign_share();
}

TimeResult result_of(const TimingSession& timing, const Contender& contender) {
  TimeResult result;
  result.seconds = interval_of(timing, values_of(contender, &Outcome::seconds));
  result.parts = {.wake = part_of(contender, &Parts::wake),
                  .step = part_of(contender, &Parts::step),
                  .synchronise = part_of(contender, &Parts::synchronise),
                  .answer = part_of(contender, &Parts::answer)};
  const std::vector<double> after = values_of(contender, &Outcome::after);
  result.after = median(after);
  for (const Contender& other : timing.contenders) {
    if (&other == &contender || other.problem != contender.problem || other.calls.empty()) continue;
    const std::vector<double> seconds = values_of(other, &Outcome::seconds);
    if (seconds.empty()) continue;
    if (other.peer) {
      if (!is_compared(other, contender)) continue;
      result.ratio[other.name] = interval_of(timing, ratios_of(other, contender));
      result.peers[other.name] = interval_of(timing, seconds);
      result.after_of_peers = std::max(result.after_of_peers, median(values_of(other, &Outcome::after)));
    } else if (other.launch.worker == contender.rung.step->below &&
               other.launch.resident == contender.launch.resident) {
      result.ratio["below"] = interval_of(timing, ratios_of(other, contender));
      result.peers["below"] = interval_of(timing, seconds);
    }
  }
  result.works_late = works_late(after, result.after_of_peers);
  result.noise = interval_of(timing, contender.against_itself);
  result.foreign_load = timing.foreign_load;
  return result;
}

bool works_late(const std::vector<double>& after, double peers) {
  const double allowed = 1e-3 + 3 * peers;
  const auto late = std::count_if(after.begin(), after.end(), [&](double one) { return one > allowed; });
  return 2 * static_cast<std::size_t>(late) > after.size();
}

std::string spoken(const std::string& peer) {
  return peer == "baseline" ? "the baseline" : peer;
}

}  // namespace ladder
