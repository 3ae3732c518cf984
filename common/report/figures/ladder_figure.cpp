/// @file
/// Which rungs of a lesson's results are steps of one picture, and the finding as a title.

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <tuple>

#include "common/base/text/rung_below.hpp"
#include "common/base/text/step_name.hpp"
#include "common/report/figures/figures.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/performance.hpp"
#include "common/report/results/result_store.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;

constexpr const char* baseline_step = "baseline";
constexpr double gains = 1.1;       ///< from here on an idea pays
constexpr double same_task = 1.02;  ///< amounts of work that differ less are equal

/// "20", "1.5"
std::string times_text(double times) {
  return fmt::format("{:.{}f}", times, times >= 9.95 ? 0 : times >= 0.995 ? 1 : 2);
}

/// "61.1 TFLOP/s", "140 billion pairs per second"
std::string rate_words(double rate, const std::string& unit) {
  if (unit == "FLOP" || unit == "B" || unit == "OP") return short_rate(rate, unit + "/s");
  const double billions = rate >= 1e9 ? 1e9 : rate >= 1e6 ? 1e6 : 1;
  return short_number(rate / billions) +
         (rate >= 1e9   ? " billion "
          : rate >= 1e6 ? " million "
                        : " ") +
         unit + " per second";
}

/// A step that was timed, at one size.
struct Timed {
  StepResult step;
  std::string place;    ///< "" for the CPU, "NVIDIA H200"
  json gain;            ///< of its row; an empty object where rows are not known
  std::string library;  ///< what the library does, by its row; empty: its name is enough
};

/// Only rungs that have all of this in common are steps of one picture.
auto key_of(const Timed& t) {
  const char track = t.step.name.empty() ? ' ' : t.step.name[0];
  return std::tuple(is_track_of_gpu(track) ? 'g' : track, t.place, t.step.data, size_of(t.step));
}

/// Every step once for each size; the executor's times mean nothing.
std::vector<Timed> timed_steps(const model::LessonResults& lesson, const StoredDocument& document,
                               const json& rows) {
  std::vector<Timed> all;
  for (const StepResult& step : lesson.steps) {
    if (step.backend == "executor" || !step.time || step.time->seconds.median <= 0) continue;
    all.push_back({step, place_of(step, document.machine_of(lesson.name, step.name)),
                   gain_of_row(rows, step.name), row_called(rows, step.name).value("library", "")});
    if (!step.further || step.further->time.seconds.median <= 0) continue;
    all.push_back(all.back());
    all.back().step.time = step.further->time, all.back().step.ratio = step.further->ratio;
  }
  return all;
}

/// What a call does, in the unit that a rate counts.
struct Amount {
  double value = 1;
  std::string unit = "calls";
};

/// Operations rather than bytes over a link: these do not grow with what a program does. Where a number of
/// operations stands for each thing, as for a pair of random numbers, the things.
Amount amount_of(const model::Work& work) {
  static const std::regex each(R"(([0-9]+) FP64 operations per ([a-z]+)(,.*)?)");
  if (!work.amount) return {};
  if (std::smatch found; work.unit == "flop" && std::regex_match(work.formula, found, each))
    return {*work.amount / std::stod(found[1]), found[2].str() + "s"};
  if (work.ceiling.starts_with("link ") && work.fp64) return {*work.fp64, "FLOP"};
  return {*work.amount, work.unit == "flop" ? "FLOP" : work.unit == "op" ? "OP" : "B"};
}

/// A call's time, or the device's where all ideas of the picture act there and every rung has it.
bool by_call(const std::vector<const Timed*>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Timed* t) {
    return t->step.data != "resident" || !device_seconds(t->step) || t->gain.value("clock", "") == "call";
  });
}

Interval time_of(const StepResult& step, bool call) {
  if (!call)
    return {.median = *step.time->device->median,
            .low = step.time->device->low.value_or(0),
            .high = step.time->device->high.value_or(0)};
  return step.time->seconds;
}

/// Whether the stored pair is about this picture: its program, clock and size, and the whole of a call.
bool is_of(const model::Gain& gain, const Timed& t, const std::string& without, bool call) {
  return gain.ratio && gain.over == without && gain.clock == (call ? "call" : "device") &&
         gain.kernels.empty() && gain.problem == t.step.time->problem;
}

/// A peer's rate, from the session with the step.
double peer_rate(const LadderFigure::Step& step, double ratio) {
  return ratio > 0 ? step.rate / ratio : 0;
}

/// One picture while it is made.
struct Picture {
  LadderFigure figure;
  std::vector<const Timed*> steps;  ///< those of figure.steps, without the baseline
  std::vector<double> amounts;      ///< of work, one for each of them
  bool call = true;
  std::string library{};  ///< what the title says of figure.library

  /// Whether the i-th and the k-th rung do the same amount of work, and so may be compared.
  bool are_alike(std::size_t i, std::size_t k) const {
    return amounts[i] < same_task * amounts[k] && amounts[k] < same_task * amounts[i];
  }
  /// Whether the rungs solve several tasks, as in lesson 00.
  bool has_tasks() const {
    for (std::size_t i = 1; i < amounts.size(); ++i)
      if (!are_alike(0, i)) return true;
    return false;
  }
};

/// The rungs' rates. Those that count in another unit are left out.
void add_steps(Picture& picture, const std::vector<const Timed*>& all) {
  Amount usual;
  for (const Timed* t : all)
    if (usual.unit == "calls") usual = amount_of(t->step.time->work);
  picture.figure.unit = usual.unit;
  for (const Timed* t : all) {
    const Amount own = amount_of(t->step.time->work), amount = own.unit == "calls" ? usual : own;
    if (amount.unit != usual.unit) continue;
    const Interval time = time_of(t->step, picture.call);
    picture.steps.push_back(t);
    picture.amounts.push_back(amount.value);
    picture.figure.steps.push_back({.name = id_of(t->step.name),
                                    .rate = amount.value / time.median,
                                    .low = time.high > 0 ? amount.value / time.high : 0,
                                    .high = time.low > 0 ? amount.value / time.low : 0});
  }
}

/// The rung below among those of the picture, where no table says what a rung is compared with.
std::string before(const Picture& picture, std::size_t i) {
  return program_without("", picture.steps, picture.steps[i]->step.name,
                         [](const Timed* t) { return t->step.file.empty() ? t->step.name : t->step.file; });
}

/// What each idea gains here.
void add_gains(Picture& picture, const json& rows) {
  auto& drawn = picture.figure.steps;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const Timed& t = *picture.steps[i];
    const auto& stored = t.step.gain;
    const std::string without = rows.empty() ? before(picture, i) : without_of(rows, t.step.name);
    if (without.empty()) continue;
    for (std::size_t k = 0; k < i; ++k)
      if (picture.steps[k]->step.name == without && picture.are_alike(i, k)) drawn[i].from = drawn[k].rate;
    if (stored && is_of(*stored, t, without, picture.call)) {
      drawn[i].gain = stored->ratio->median;
      if (drawn[i].from <= 0) drawn[i].from = drawn[i].rate / drawn[i].gain;
    } else if (drawn[i].from > 0) {
      drawn[i].gain = drawn[i].rate / drawn[i].from;
    }
  }
}

/// Sentences below the steps: what else a reader has to know.
void add_notes(Picture& picture) {
  constexpr std::size_t line = 62;
  std::string experiments, elsewhere, unmeasured, others, without_idea;
  const auto add = [](std::string& list, const std::string& word) {
    list += (list.empty() ? "" : ", ") + word;
  };
  for (std::size_t i = 0; i < picture.steps.size(); ++i) {
    auto& drawn = picture.figure.steps[i];
    const auto& stored = picture.steps[i]->step.gain;
    // Its riser does not begin at the step to the left.
    const std::string without = picture.steps[i]->gain.value("without", "");
    if (i > 0 && drawn.moves() && !without.empty() && without != picture.steps[i - 1]->step.name) {
      const bool is_rung = without.find('.') == without.npos;
      add(is_rung ? others : without_idea, drawn.name + (is_rung ? " with " + id_of(without) : ""));
    }
    if (stored && stored->ratio) ++picture.figure.pairs;
    const bool experiment = !picture.steps[i]->gain.value("experiment", "").empty();
    if (experiment) add(experiments, drawn.name);
    if (stored && stored->ratio && stored->ratio->median >= gains && drawn.gain < gains) {
      drawn.elsewhere = !experiment;
      add(elsewhere, drawn.name + " " + gain_text(stored->ratio->median));
    } else if (!experiment && drawn.gain > 0 && drawn.gain < gains && !picture.steps[i]->gain.empty() &&
               !(stored && stored->ratio)) {
      add(unmeasured, drawn.name);
    }
  }
  auto& notes = picture.figure.notes;
  if (picture.has_tasks()) notes.push_back("Several tasks: a riser joins rungs of one task.");
  if (!others.empty()) notes.push_back("Compared: " + others);
  if (!without_idea.empty()) notes.push_back("Compared with the program without the idea: " + without_idea);
  if (!experiments.empty()) notes.push_back("Experiments: " + experiments);
  if (!elsewhere.empty())
    notes.push_back("By another clock, at other sizes or in single kernels: " + elsewhere);
  if (!unmeasured.empty()) notes.push_back("Gain not measured: " + unmeasured);
  if (!std::ranges::all_of(picture.figure.steps, &LadderFigure::Step::pays))
    notes.push_back("Grey: no gain is shown at this size.");
  std::vector<std::string> lines;
  for (const std::string& note : notes)
    for (const std::string& part : wrapped(note, line)) lines.push_back(part);
  notes = std::move(lines);
}

/// The sequential program as the first step of rungs on the CPU. It is no baseline of a GPU.
void add_baseline(Picture& picture) {
  auto& drawn = picture.figure.steps;
  if (picture.steps.front()->step.name[0] != 'c') return;
  const auto ratio = ratio_of(picture.steps.front()->step, "baseline");
  if (!ratio) return;
  drawn.front().gain = *ratio, drawn.front().from = peer_rate(drawn.front(), *ratio);
  drawn.insert(drawn.begin(), {.name = baseline_step, .rate = drawn.front().from});
}

/// Library and ceiling of the fastest rung.
void add_lines(Picture& picture) {
  LadderFigure& figure = picture.figure;
  std::size_t best = 0;
  for (std::size_t i = 0; i < figure.steps.size(); ++i)
    if (figure.steps[i].rate > figure.steps[best].rate) best = i;
  const StepResult& step = picture.steps[best]->step;
  if (const auto library = picture.call ? library_of(step) : library_on_device(step))
    figure.library = {library->name.substr(0, library->name.find(" (")),
                      peer_rate(figure.steps[best], library->ratio)};
  const std::string& does = picture.steps[best]->library;
  picture.library = does.empty() ? figure.library.name : does;
  const model::Work& work = step.time->work;
  if (!work.amount || !work.seconds) return;
  const model::Roof roof = work.roof.value_or(model::Roof{work.ceiling, *work.seconds});
  if (roof.seconds <= 0) return;
  // One that is far above the fastest rung does not bind, and would squeeze the steps.
  const double rate = amount_of(work).value / roof.seconds;
  if (ceiling_binds({.share = figure.steps[best].rate / rate}))
    figure.ceiling = {ceiling_words(roof.ceiling), rate};
}

/// "1 % ahead of cuBLAS", "reaches 35 % of cuBLAS's rate"
std::string against_library(double rate, double library_rate, const std::string& library) {
  if (library_rate <= 0 || rate <= 0) return "";
  const double times = rate / library_rate;
  if (times >= 1.95) return fmt::format("{} times as fast as {}", times_text(times), library);
  if (times > 1.005) return fmt::format("{:.0f} % ahead of {}", 100 * (times - 1), library);
  if (times > 0.995) return "level with " + library;
  const std::string share = "reaches " + percent_text(times);
  return share + (library.find(' ') == library.npos ? fmt::format(" of {}'s rate", library)
                                                    : " of the rate of " + library);
}

/// What a person would say of the picture; where nothing, what it shows.
std::string title_of(const Picture& picture, const std::string& lesson) {
  const LadderFigure& figure = picture.figure;
  const auto best = std::max_element(figure.steps.begin(), figure.steps.end(),
                                     [](const auto& a, const auto& b) { return a.rate < b.rate; });
  if (picture.has_tasks() && figure.ceiling.rate > 0)
    return fmt::format("{} reaches {} of the {}", best->name, percent_text(best->rate / figure.ceiling.rate),
                       figure.ceiling.name);
  const auto known = std::ranges::count_if(figure.steps, [](const auto&s) { return s.gain > 0; }),
             paying = std::ranges::count_if(figure.steps, [](const auto&s) { return s.gain >= gains; });
  const std::string library = against_library(best->rate, figure.library.rate, picture.library);
  const auto& first = figure.steps.front();
  if (!picture.has_tasks() && best->rate >= gains * first.rate)
    return fmt::format("{}{} is {} times as fast as {}{}{}",
                       known < 3 || paying < known ? "" : fmt::format("Each of {} ideas pays: ", known),
                       best->name, times_text(best->rate / first.rate),
                       first.name == baseline_step ? "the " : "", first.name,
                       library.empty() ? "" : " and " + library);
  if (!library.empty()) return best->name + (library.starts_with("reaches") ? " " : " is ") + library;
  return "The ladder of lesson " + lesson.substr(0, 2);
}

/// Texts of the picture: the finding, the same in one sentence, machine and date.
void add_caption(Picture& picture, const model::LessonResults& lesson, const StoredDocument& document) {
  const std::string name = lesson.name, size = size_of(picture.steps.front()->step),
                    first = picture.steps.front()->step.name;
  const model::StoredRun run = document.run_of(name, first.empty() ? ' ' : first[0]);
  const std::string processor = run.machine ? run.machine->cpu : "", device = picture.steps.front()->place;
  // "NVIDIA H100" of "NVIDIA H100 80GB HBM3"
  const std::string place =
      device.empty() ? processor : std::regex_replace(device, std::regex(" [0-9]+GB.*"), "");
  Caption& caption = picture.figure.caption;
  caption.title = title_of(picture, name);
  caption.corner = size;
  const char* clock = device.empty() ? "" : picture.call ? "time of a call" : "time on the device";
  for (const std::string& word : {place, std::string(clock), run.date.substr(0, 10)})
    if (!word.empty()) caption.corner += (caption.corner.empty() ? "" : ", ") + word;
  const auto& steps = picture.figure.steps;
  const auto [low, high] = std::minmax_element(steps.begin(), steps.end(),
                                               [](const auto& a, const auto& b) { return a.rate < b.rate; });
  caption.alternative =
      fmt::format("Rates of {} to {} as steps, {} to {}{}{}: {}.", steps.front().name, steps.back().name,
                  rate_words(low->rate, picture.figure.unit), rate_words(high->rate, picture.figure.unit),
                  size.empty() ? "" : " at " + size, place.empty() ? "" : " on " + place, caption.title);
  if (columns(caption.alternative) > longest_alternative)
    caption.alternative = short_alternative(caption.title + ".");
}

}  // namespace

std::string gain_text(double gain) {
  return "×" + times_text(gain);
}

std::size_t LadderFigure::rungs() const {
  return steps.size() - static_cast<std::size_t>(!steps.empty() && steps.front().name == baseline_step);
}

bool LadderFigure::shows_a_gain() const {
  return std::any_of(steps.begin(), steps.end(), [](const Step& s) { return s.gain >= gains; });
}

bool LadderFigure::Step::moves() const {
  constexpr double flat = 0.9;  // a rung that loses less is as flat as one that gains little
  return gain >= gains || (gain > 0 && gain < flat);
}

bool LadderFigure::Step::pays() const {
  return gain >= gains || elsewhere || (gain <= 0 && name != baseline_step);
}

std::vector<LadderFigure> ladder_figures(const model::LessonResults& lesson, const model::Document& document,
                                         const json& rows) {
  const StoredDocument stored{"", document};
  const std::vector<Timed> steps = timed_steps(lesson, stored, rows);
  std::vector<std::vector<const Timed*>> groups;
  for (const Timed& t : steps) {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& group) { return key_of(*group.front()) == key_of(t); });
    if (found == groups.end())
      groups.push_back({&t});
    else
      found->push_back(&t);
  }
  // Most rungs first; of equally many those for a GPU, and the largest problem.
  const auto worth = [](const std::vector<const Timed*>& group) {
    const StepResult& step = group.front()->step;
    double extent = 0;
    for (const auto& [_, value] : step.time->problem) extent += value;
    return std::tuple(group.size(), is_track_of_gpu(step.name.empty() ? ' ' : step.name[0]), extent);
  };
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const auto& a, const auto& b) { return worth(a) > worth(b); });
  std::vector<LadderFigure> figures;
  for (const auto& group : groups) {
    Picture picture{.figure = {}, .steps = {}, .amounts = {}, .call = by_call(group)};
    add_steps(picture, group);
    add_gains(picture, rows);
    add_notes(picture);
    add_lines(picture);
    add_baseline(picture);
    add_caption(picture, lesson, stored);
    const auto [family, place, data, size] = key_of(*group.front());
    picture.figure.kind = fmt::format("{}{}", family, family == 'g' && data == "host" ? "-host" : "");
    picture.figure.on_device = place != "PoCL";
    figures.push_back(std::move(picture.figure));
  }
  return figures;
}

}  // namespace ladder::report
