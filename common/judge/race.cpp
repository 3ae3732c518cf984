#include "common/judge/race.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "common/base/clock.hpp"
#include "common/base/process_tree.hpp"
#include "common/base/random.hpp"
#include "common/judge/inputs.hpp"

namespace ladder {
namespace {

/// Whether a library races the step: one for the step's own device. An OpenCL step on an NVIDIA GPU races a
/// CUDA library, since there is none for OpenCL; where there is no such peer, a CPU library. The executor's
/// times say something about the executor only.
bool races(const Peer& library, const PlannedStep& step) {
  if (step.backend == "executor") return false;
  if (step.backend == "cuda") return library.backend == "cuda";
  const auto of_cuda = [](const Peer& one) { return one.backend == "cuda"; };
  const bool on_gpu = step.backend == "opencl" && runs_on_gpu(step) &&
                      std::any_of(plan().peers.begin(), plan().peers.end(), of_cuda);
  return library.backend == (on_gpu ? "cuda" : "cpu");
}

/// A sequential program does not race a GPU: it is timed alone, once per size.
bool races_baseline(const PlannedStep& step) {
  return step.backend != "executor" && !runs_on_gpu(step);
}

bool has(const Race& race, const Launch& launch, std::size_t course, bool peer) {
  return std::any_of(race.racers.begin(), race.racers.end(), [&](const Racer& one) {
    return one.peer == peer && one.launch.worker == launch.worker && one.launch.resident == launch.resident &&
           one.course == course;
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
void take_out(Race& race, Racer& one, const Failure& failure) {
  one.failure = failure;
  one.session.reset();
  if (one.peer) race.notes.emplace_back("Not compared", spoken(one.name) + " " + failure.message);
}

/// Starts a worker. One that does not start is out.
void start(Race& race, Racer& one) {
  try {
    one.session = std::make_unique<Session>(one.launch);
  } catch (const Failure& failure) {
    take_out(race, one, failure);
  }
}

/// Calls a racer; one that fails is out.
std::optional<Outcome> try_call(Race& race, Racer& one, Courses& courses) {
  for (Racer& other : race.racers)
    if (&other != &one && other.session) other.session->pause();
  try {
    return courses.call(one);
  } catch (const Failure& failure) {
    take_out(race, one, failure);
    return std::nullopt;
  }
}

/// One call of each racer for which @p wanted is true, course by course, in random order.
template <class Wanted, class Take>
void call_each(Race& race, Courses& courses, Random& random, Wanted wanted, Take take) {
  for (const std::size_t course : shuffled(courses.count(), random)) {
    const auto is_in = [&](const Racer& one) { return one.session && one.course == course && wanted(one); };
    if (std::none_of(race.racers.begin(), race.racers.end(), is_in)) continue;
    pause_all(race);  // no racer sees the next content before its clock starts
    courses.fill(course);
    for (const std::size_t i : shuffled(race.racers.size(), random))
      if (Racer& one = race.racers[i]; is_in(one))
        if (auto outcome = try_call(race, one, courses)) take(one, std::move(*outcome));
  }
}

std::vector<double> values_of(const Racer& racer, double Outcome::*value) {
  std::vector<double> values;
  for (const auto& one : racer.calls)
    if (one) values.push_back((*one).*value);
  return values;
}

/// The median; 0 where the worker's numbers are impossible.
double part_of(const Racer& racer, double Parts::*part) {
  std::vector<double> values;
  for (const auto& one : racer.calls)
    if (one && std::isfinite(one->parts.*part)) values.push_back(one->parts.*part);
  return median(values);
}

/// The other's time divided by the step's, of each round in which both were called.
std::vector<double> ratios_of(const Racer& other, const Racer& step) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(other.calls.size(), step.calls.size()); ++i)
    if (other.calls[i] && step.calls[i]) ratios.push_back(other.calls[i]->seconds / step.calls[i]->seconds);
  return ratios;
}

/// The interval that is right for a race that went on as long as was necessary, or for one of a fixed number
/// of rounds.
Interval interval_of(const Race& race, const std::vector<double>& values) {
  return race.by_need ? interval_at_look(values) : median_interval(values);
}

bool is_compared(const Racer& peer, const Racer& step) {
  const bool same_data = peer.launch.resident == step.launch.resident;
  return peer.peer && peer.course == step.course && (!peer.launch.on_gpu || same_data);
}

/// The peer that the rung's bound is about; null: no bound is judged, or that peer does not race.
const Racer* decider_of(const Race& race, const Racer& step) {
  if (!has_bound(step.rung)) return nullptr;
  const std::string name = step.rung.row->time.peer;
  for (const Racer& peer : race.racers)
    if (peer.session && is_compared(peer, step) && (peer.name == name || peer.name == name + " (CUDA)"))
      return &peer;
  return nullptr;
}

void set_limits(Race& race) {
  for (Racer& one : race.racers) {
    if (one.peer || one.below) continue;
    one.limits = round_limits(plan().verb == "run", one.rung.step->backend == "executor",
                              decider_of(race, one) != nullptr, plan().pairs);
    race.by_need = race.by_need || one.limits.wanted != Wanted::number;
  }
}

Shown shown_of(const Race& race, const Racer& step) {
  Shown shown{.seconds = values_of(step, &Outcome::seconds)};
  shown.bound = step.rung.row->time.ratio;
  shown.against_itself = step.against_itself;
  if (const Racer* decider = decider_of(race, step)) shown.ratios = ratios_of(*decider, step);
  return shown;
}

/// Whether this rung, which is called in the next round, needs that peer, or the step below, in it. After the
/// first look, a rung with a bound needs the one that decides; the others have been called often enough to be
/// shown.
bool needs(const Race& race, const Racer& step, const Racer& other) {
  if (other.course != step.course) return false;
  const bool first = race.rounds < looks.front().pairs;
  return first || step.limits.wanted != Wanted::decision || decider_of(race, step) == &other;
}

/// Chooses who is called in the next round. @return whether anybody is
bool choose(Race& race, double load, double seconds) {
  const auto rungs = std::count_if(race.racers.begin(), race.racers.end(),
                                   [](const Racer& one) { return one.session && !one.peer; });
  const double next_end = seconds * (race.rounds + 1) / std::max(race.rounds, 1);
  const bool time_left = next_end <= race.seconds_a_rung * double(rungs);
  bool any = false;
  for (Racer& one : race.racers) {
    if (one.peer || one.below) continue;
    one.called = one.called && one.session && wants_round(one.limits, shown_of(race, one), load, time_left);
    any = any || one.called;
  }
  for (Racer& other : race.racers)
    if (other.peer || other.below)
      other.called = std::any_of(race.racers.begin(), race.racers.end(), [&](const Racer& one) {
        return !one.peer && !one.below && one.called && needs(race, one, other);
      });
  return any;
}

/// The round after which the race may end, as far as is known now.
int next_end_of(const Race& race) {
  int end = 0;
  for (const Racer& one : race.racers) {
    if (one.peer || one.below || !one.called) continue;
    const auto next =
        std::find_if(looks.begin(), looks.end(), [&](const Look& look) { return look.pairs > race.rounds; });
    const bool by_need = one.limits.wanted != Wanted::number && next != looks.end();
    end = std::max(end, by_need ? std::min(next->pairs, one.limits.most) : one.limits.most);
  }
  return end;
}

}  // namespace

Racer* Race::find(const Rung& rung) {
  for (Racer& one : racers)
    if (!one.peer && !one.below && one.rung.step == rung.step) return &one;
  return nullptr;
}

Race race_of(const std::vector<Rung>& rungs, const CourseOf& course_of) {
  Race race;
  const auto add = [&](std::string name, const Rung& rung, Launch launch) {
    launch.timed = true;
    race.racers.push_back(
        {.name = std::move(name), .rung = rung, .launch = std::move(launch), .course = course_of(rung)});
    return &race.racers.back();
  };
  for (const Rung& rung : rungs)
    add(rung.step->step, rung, launch_of(*rung.step, rung.row->data))->repeats = has_bound(rung);
  for (const Rung& rung : rungs)
    for (const Peer& peer : plan().peers)
      if (peer.name == "baseline" ? races_baseline(*rung.step) : races(peer, *rung.step))
        if (Launch launch = launch_of(peer, rung.row->data); !has(race, launch, course_of(rung), true))
          add(peer.label, rung, std::move(launch))->peer = true;
  for (const Rung& rung : rungs) {
    if (rung.step->below.empty()) continue;
    if (Launch launch = launch_of(below_of(*rung.step), rung.row->data);
        !has(race, launch, course_of(rung), false))
      add("the step below", rung, std::move(launch))->below = true;
  }
  for (Racer& one : race.racers) start(race, one);
  return race;
}

void pause_all(Race& race) {
  for (Racer& one : race.racers)
    if (one.session) one.session->pause();
}

std::vector<Rung> warm_up(Race& race, Courses& courses, double most_seconds) {
  std::vector<Rung> slow;
  Random random = random_for({"", "order of warm-up"}, plan().seed);
  const auto is_slow = [&](const Racer& one) { return !one.peer && one.first_seconds > most_seconds; };
  for (int pass = 0; pass < 2; ++pass) {
    // The second call differs where the first one has loaded modules, or has compiled kernels.
    const auto is_wanted = [&](const Racer& one) {
      return !is_slow(one) && (pass == 0 || one.rung.step->backend != "executor");
    };
    call_each(race, courses, random, is_wanted,
              [&](Racer& one, const Outcome& outcome) { one.first_seconds = outcome.seconds; });
  }
  for (Racer& one : race.racers) {
    if (!one.session || !is_slow(one)) continue;
    if (!one.below) slow.push_back(one.rung);
    one.session.reset();
  }
  return slow;
}

void run_rounds(Race& race, Courses& courses, const std::function<void(int, int)>& progress) {
  set_limits(race);
  Random random = random_for({"", "order"}, plan().seed + 1);
  const LoadWatch load;
  const Stopwatch watch;
  const auto load_at_look = [&] {
    return is_look(static_cast<std::size_t>(race.rounds)) ? load.foreign_share() : 0;
  };
  for (; choose(race, load_at_look(), watch.seconds()); ++race.rounds) {
    progress(race.rounds, next_end_of(race));
    for (Racer& one : race.racers) one.calls.emplace_back();
    const auto is_called = [](const Racer& one) { return one.called; };
    call_each(race, courses, random, is_called,
              [](Racer& one, Outcome outcome) { one.calls.back() = std::move(outcome); });
    // Once more, on other content: a racer that has kept an old result has none for it.
    const auto repeats = [](const Racer& one) { return one.called && one.repeats; };
    call_each(race, courses, random, repeats, [](Racer& one, const Outcome& outcome) {
      if (one.calls.back()) one.against_itself.push_back(outcome.seconds / one.calls.back()->seconds);
    });
  }
  race.foreign_load = load.foreign_share();
}

TimeResult result_of(const Race& race, const Racer& racer) {
  TimeResult result;
  result.seconds = interval_of(race, values_of(racer, &Outcome::seconds));
  result.parts = {.wake = part_of(racer, &Parts::wake),
                  .step = part_of(racer, &Parts::step),
                  .synchronise = part_of(racer, &Parts::synchronise),
                  .answer = part_of(racer, &Parts::answer)};
  const std::vector<double> after = values_of(racer, &Outcome::after);
  result.after = median(after);
  for (const Racer& other : race.racers) {
    if (&other == &racer || other.course != racer.course || other.calls.empty()) continue;
    const std::vector<double> seconds = values_of(other, &Outcome::seconds);
    if (seconds.empty()) continue;
    if (other.peer) {
      if (!is_compared(other, racer)) continue;
      result.ratio[other.name] = interval_of(race, ratios_of(other, racer));
      result.peers[other.name] = interval_of(race, seconds);
      result.after_of_peers = std::max(result.after_of_peers, median(values_of(other, &Outcome::after)));
    } else if (other.launch.worker == racer.rung.step->below &&
               other.launch.resident == racer.launch.resident) {
      result.ratio["below"] = interval_of(race, ratios_of(other, racer));
      result.peers["below"] = interval_of(race, seconds);
    }
  }
  result.works_late = works_late(after, result.after_of_peers);
  result.noise = interval_of(race, racer.against_itself);
  result.foreign_load = race.foreign_load;
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
