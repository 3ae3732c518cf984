#include "common/judge/race.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/base/clock.hpp"
#include "common/base/process_tree.hpp"
#include "common/base/random.hpp"
#include "common/judge/inputs.hpp"

namespace ladder {
namespace {

constexpr int fewest_rounds = 5;

/// Whether a library races the step: one for the step's own device. An OpenCL step on an NVIDIA GPU races a CUDA library,
/// since there is none for OpenCL; where there is no such peer, a CPU library. The executor's times say something about the
/// executor only.
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

/// Whether a bound is about this rung, or one that races it.
bool decides(const Rung& rung) {
  return rung.row->time.ratio > 0;
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
    const Stopwatch watch;
    Outcome outcome = courses.call(one);
    one.call_seconds = watch.seconds();
    return outcome;
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
    const Stopwatch watch;
    courses.fill(course);
    race.fill_seconds += watch.seconds();
    for (const std::size_t i : shuffled(race.racers.size(), random))
      if (Racer& one = race.racers[i]; is_in(one))
        if (auto outcome = try_call(race, one, courses)) take(one, std::move(*outcome));
  }
}

int rounds_of(const Race& race) {
  double round_seconds = race.fill_seconds;
  std::size_t rungs = 0;
  bool decided = false, shown_only = plan().verb == "run";  // the executor's times are, and run is waited for
  for (const Racer& one : race.racers) {
    if (!one.session) continue;
    round_seconds += one.call_seconds * (one.repeats ? 2 : 1);
    rungs += !one.peer;
    decided = decided || (!one.peer && decides(one.rung));
    shown_only = shown_only && (one.peer || one.rung.step->backend == "executor");
  }
  // Where points depend on it, the plan's number, unless a quick answer was asked for.
  const int fewest = decided && plan().verb != "run" ? plan().pairs : fewest_rounds;
  const int most = shown_only ? std::min(fewest_rounds, plan().pairs) : plan().pairs;
  const double fitting = race.seconds_a_rung * double(rungs) / std::max(round_seconds, 1e-6);
  return static_cast<int>(std::clamp(fitting, double(std::min(fewest, most)), double(most)));
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
Interval ratio_of(const Racer& other, const Racer& step) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(other.calls.size(), step.calls.size()); ++i)
    if (other.calls[i] && step.calls[i]) ratios.push_back(other.calls[i]->seconds / step.calls[i]->seconds);
  return median_interval(ratios);
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
    add(rung.step->step, rung, launch_of(*rung.step, rung.row->data))->repeats = decides(rung);
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
    race.fill_seconds = 0;
    call_each(
        race, courses, random, [&](const Racer& one) { return !is_slow(one); },
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
  race.rounds = rounds_of(race);
  Random random = random_for({"", "order"}, plan().seed + 1);
  const LoadWatch load;
  for (int round = 0; round < race.rounds; ++round) {
    progress(round, race.rounds);
    for (Racer& one : race.racers) one.calls.emplace_back();
    const auto all = [](const Racer&) { return true; };
    call_each(race, courses, random, all,
              [](Racer& one, Outcome outcome) { one.calls.back() = std::move(outcome); });
    // Once more, on other content: a racer that has kept an old result has none for it.
    const auto repeats = [](const Racer& one) { return one.repeats; };
    call_each(race, courses, random, repeats, [](Racer& one, const Outcome& outcome) {
      if (one.calls.back()) one.against_itself.push_back(outcome.seconds / one.calls.back()->seconds);
    });
  }
  race.foreign_load = load.foreign_share();
}

TimeResult result_of(const Race& race, const Racer& racer) {
  TimeResult result;
  result.seconds = median_interval(values_of(racer, &Outcome::seconds));
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
      const bool same_data = other.launch.resident == racer.launch.resident;
      if (other.launch.on_gpu && !same_data) continue;
      result.ratio[other.name] = ratio_of(other, racer);
      result.peers[other.name] = median_interval(seconds);
      result.after_of_peers = std::max(result.after_of_peers, median(values_of(other, &Outcome::after)));
    } else if (other.launch.worker == racer.rung.step->below &&
               other.launch.resident == racer.launch.resident) {
      result.ratio["below"] = ratio_of(other, racer);
      result.peers["below"] = median_interval(seconds);
    }
  }
  result.works_late = works_late(after, result.after_of_peers);
  result.noise = median_interval(racer.against_itself);
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
