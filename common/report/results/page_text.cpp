#include "common/report/results/page_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/error.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/rung_below.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/target_text.hpp"
#include "common/report/results/performance.hpp"
#include "common/report/text/table.hpp"
#include "common/trace/metrics.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using model::Target;
using nlohmann::json;

/// "met", "open", "missed" of a number that was measured.
std::string outcome_of(const Target& target) {
  return target.met.value_or(false) ? "met" : target.verdict == Verdict::inconclusive ? "open" : "missed";
}

/// The metric of a target; null for a name that is none.
const Metric* metric_of(const std::string& name) try { return &find_metric(name); } catch (const Error&) {
  return nullptr;
}

std::string reason_of(const Target& target) {
  const std::string& reason = target.reason;
  return reason.empty()                                      ? "not measured"
         : reason.find("observed mode") != std::string::npos ? "comes with the observed mode"
                                                             : reason;
}

}  // namespace

std::string relation_sign(const Target& target) {
  return target.relation == "<=" ? "≤" : target.relation == ">=" ? "≥" : target.relation;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += ' ';
    for (const char c : cell)
      row += c == '|' ? std::string("\\|") : c == '\n' ? std::string(" ") : std::string(1, c);
    row += " |";
  }
  return row;
}

std::vector<std::string> markdown_head(const std::vector<std::string>& titles) {
  std::string rule = "|";
  for (std::size_t i = 0; i < titles.size(); ++i) rule += "---|";
  return {markdown_row(titles), rule};
}

std::string link(const std::string& page, const std::filesystem::path& file, const std::string& shown) {
  return fmt::format("[{}]({})", shown,
                     file.lexically_relative(std::filesystem::path(page).parent_path()).generic_string());
}

namespace {

std::string source_text(const std::string& page, const std::filesystem::path& file,
                        const std::string& facts) {
  const std::string folder = file.parent_path().filename();
  return fmt::format("From {}: {}.", link(page, file, folder + "/" + file.filename().string()), facts);
}

}  // namespace

std::string source_of(const std::string& page, const StoredDocument& document, const std::string& lesson) {
  return source_text(page, document.file, StoredMachine::facts(document, lesson));
}

std::string source_of(const std::string& page, const StoredTable& table) {
  return source_text(page, table.file, StoredMachine::facts(table));
}

std::string spoken(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string interval_text(double median, double low, double high) {
  if (!(median > 0)) return "";
  return short_time(median) + (high > 0 ? fmt::format(" ±{:.0f} %", 50 * (high - low) / median) : "");
}

std::string time_short(const StepResult& step) {
  return step.time ? interval_text(step.time->seconds.median, step.time->seconds.low, step.time->seconds.high)
                   : "";
}

std::string time_long(const StepResult& step) {
  if (!step.time || !(step.time->seconds.median > 0)) return "";
  const Interval& time = step.time->seconds;
  std::string text = "**" + short_time(time.median) + "**";
  if (has_ends(time))
    text += fmt::format(" ({} to {}{})", short_time(time.low), short_time(time.high),
                        time.count > 0 ? fmt::format(", {} runs", time.count) : "");
  return size_of(step).empty() ? text : text + " at " + size_of(step);
}

std::string ratio_short(const StepResult& step, const std::string& peer) {
  const auto ratio = ratio_of(step, peer);
  return ratio ? short_number(*ratio) + "x" : "";
}

std::string ratio_long(const StepResult& step, const std::string& peer, const std::string& whose) {
  const auto ratio = ratio_of(step, peer);
  if (!ratio) return "";
  const auto interval = step.ratio_interval.find(peer);
  return short_number(*ratio) + " times " + whose +
         (interval == step.ratio_interval.end()
              ? ""
              : fmt::format(" ({} to {})", short_number(interval->second.low),
                            short_number(interval->second.high)));
}

std::string library_short(const StepResult& step) {
  const auto library = library_of(step);
  return library ? fmt::format("{}x {}", short_number(library->ratio), library->name) : "";
}

std::string library_long(const StepResult& step) {
  const auto library = library_of(step);
  return library ? ratio_long(step, library->name, library->name + "'s speed") : "";
}

namespace {

/// What a target counts, as pages call it.
struct Counted {
  std::string noun{};    ///< "sectors", "barriers per block", "share of the critical path"
  std::string kernel{};  ///< " of fft_lines", or nothing
  bool share = false;    ///< no number of things: nothing is said but the number itself
  /// Calls, and what is counted in a block: told by their names, all else by its unit.
  bool by_field = false;
};

Counted counted_by(const Target& target) {
  const std::string& name = target.metric;
  Counted counted;
  counted.kernel = name.find(':') == name.npos ? "" : " of " + name.substr(name.find(':') + 1);
  const Metric* metric = metric_of(name);
  if (!metric) return counted.noun = name, counted.share = true, counted;
  const std::string unit = metric->unit;
  counted.share = unit == "share" || unit == "ratio" || unit == "seconds" || name == "ulps";
  counted.by_field = unit == "calls" || unit == "kernels" || unit == "barriers" || unit == "lanes";
  const bool which = unit == "bytes" && std::string(metric->name) != "bytes";
  // The amount of sweeps is their sectors.
  counted.noun = counted.share || counted.by_field ? metric->field
                 : unit == "sweeps"                ? "sectors"
                                    : unit + (which ? fmt::format(" ({})", metric->field) : "");
  return counted;
}

/// A limit: whole where a fraction says nothing.
std::string limit_text(double limit) {
  return amount_text(limit >= 100 ? std::round(limit) : limit);
}

/// Whether the necessary amount is the least that the rung's idea needs: then it is bounded from above, by
/// more than itself.
bool is_minimum(const Target& target) {
  return target.relation == "<=" && target.bound >= 1;
}

}  // namespace

std::string target_text(const Target& target) {
  const auto &amount = target.amount, &measured = target.measured, &necessary = target.necessary_amount;
  const std::string bound = "(" + limit_of(target.relation, target.bound) + ")";
  const Counted what = counted_by(target);
  if (target.bound == 0 && *measured == 0) return fmt::format("no {}{}", what.noun, what.kernel);
  if (what.share && necessary.value_or(1) == 1)
    return fmt::format("{}{} {} {}", what.noun, what.kernel, short_number(*measured), bound);
  const auto counted = [&](double n) {
    return what.by_field ? fmt::format("{}{}: {}", what.noun, what.kernel, amount_text(n))
                         : amount_text(n) + " " + (what.share ? "" : what.noun) + what.kernel;
  };
  if (necessary.value_or(0) == 1) return fmt::format("{} {}", counted(amount.value_or(*measured)), bound);
  if (is_minimum(target) && *measured > 0.995) {
    const std::string times = fmt::format(
        "{} (limit {:g}×)",
        *measured < 1.005 ? "the minimum" : fmt::format("{:.2f} × the minimum", *measured), target.bound);
    if (amount && !what.share) return counted(*amount) + ", " + times;
    return fmt::format("{}{} {}", what.noun, what.kernel, times);
  }
  // The formula is not the least that any program needs: a multiple of it says nothing, a limit does.
  if (amount && necessary && !what.share)
    return fmt::format("{} ({} {})", counted(*amount), target.relation == ">=" ? "at least" : "limit",
                       limit_text(target.bound * *necessary));
  return fmt::format("{}{} {:.2f} times its formula {}", what.noun, what.kernel, *measured, bound);
}

// Without the measured number: a student who looks a verdict up has not answered the rung's question yet.
std::string targets_short(const StepResult& step, Reasons& reasons) {
  std::string text;
  for (const Target& target : step.targets) {
    if (!text.empty()) text += "; ";
    if (!target.measured) {
      text += target.metric + " –";
      reasons[reason_of(target)].insert(target.metric);
      continue;
    }
    const Counted what = counted_by(target);
    const bool plain = target.necessary_amount.value_or(what.share ? 1 : 0) == 1;
    text += fmt::format("{}{} {} {:g}{}", what.noun, what.kernel, relation_sign(target), target.bound,
                        plain                ? ""
                        : is_minimum(target) ? " × the minimum"
                                             : " times its formula");
    if (outcome_of(target) != "met") text += ", " + outcome_of(target);
  }
  return text;
}

/// A number of the program without this idea, in the unit in which target_text() says the rung's own.
std::string number_below(const Target& target, double measured) {
  const bool is_amount = target.amount && target.necessary_amount && !counted_by(target).share;
  if (!is_amount) return short_number(measured);
  const double amount = measured * *target.necessary_amount, whole = std::round(amount);
  return amount_text(std::abs(amount - whole) < 1e-6 * whole ? whole : amount);
}

/// " (the rung below: 525)"; empty where that was not measured, or is the same.
std::string below_text(const Target& target) {
  if (!target.below || !target.measured || *target.below == *target.measured) return "";
  return fmt::format(" (the rung below: {})", number_below(target, *target.below));
}

std::string targets_long(const StepResult& step, bool with_below) {
  std::string text;
  for (const Target& target : step.targets) {
    if (!text.empty()) text += "; ";
    text += target.measured
                ? target_text(target) + ": " + outcome_of(target) + (with_below ? below_text(target) : "")
                : target.metric + ": " + reason_of(target);
  }
  return text;
}

std::string device_long(const StepResult& step) {
  const auto seconds = device_seconds(step);
  if (!seconds) return "";
  std::string text = fmt::format("**{}** on the device{}", short_time(*seconds),
                                 size_of(step).empty() ? "" : " at " + size_of(step));
  if (const auto performance = performance_of(step);
      performance && performance->by_device && performance->share > 0)
    text += ": " + performance->rate + (ceiling_binds(*performance) ? ", " + share_text(*performance) : "");
  if (const auto library = library_on_device(step))
    text += fmt::format(" · {} times {}'s speed there", short_number(library->ratio), library->name);
  return text;
}

std::optional<double> clock_seconds(const StepResult& step, bool by_call) {
  if (const auto device = by_call ? std::nullopt : device_seconds(step)) return device;
  return step.time ? std::optional(step.time->seconds.median) : std::nullopt;
}

json row_called(const json& rows, const std::string& name) {
  for (const json& row : rows)
    if (row.value("name", "") == name) return row;
  return json::object();
}

json gain_of_row(const json& rows, const std::string& name) {
  return row_called(rows, name).value("gain", json::object());
}

std::string without_of(const json& rows, const std::string& name) {
  return program_without(gain_of_row(rows, name).value("without", ""), rows, name,
                         [](const json& row) { return row.value("file", row.value("name", "")); });
}

std::optional<double> gain_of(const StepResult& step) {
  if (!step.gain || !step.gain->ratio) return {};
  return step.gain->ratio->median;
}

std::string gain_long(const StepResult& step) {
  const auto gain = gain_of(step);
  if (!gain) return "";
  constexpr double alike = 0.03;
  const model::Gain& g = *step.gain;
  const bool is_rung = g.over.find('.') == g.over.npos;
  const std::string other = is_rung ? id_of(g.over) : "the program without the idea";
  const std::string clock = g.clock == "call" ? "by the time of a call"
                            : g.kernels.empty()
                                ? "on the device"
                                : fmt::format("by the time of {}", fmt::join(g.kernels, ", "));
  // The times behind it have another quotient: it is the median of pairs.
  const std::string times =
      short_number(*gain) + (has_ends(*g.ratio) ? fmt::format(" ({} to {})", short_number(g.ratio->low),
                                                              short_number(g.ratio->high))
                                                : "");
  const std::string speed = *gain > 1 + alike   ? fmt::format("{} times as fast as {}", times, other)
                            : *gain < 1 - alike ? fmt::format("{} times the speed of {}", times, other)
                                                : "as fast as " + other;
  const std::string size = size_text(g.size_name, g.problem);
  std::string text = fmt::format("{} {}{}", speed, clock, size.empty() ? "" : " at " + size);
  if (g.seconds && g.without)
    text += fmt::format(": medians {} and {}", short_time(g.seconds->median), short_time(g.without->median));
  for (const Target& target : step.targets) {
    const auto &measured = target.measured, &below = target.below;
    if (!is_rung || !measured || !below) continue;
    text += *measured == *below ? fmt::format("; {} unchanged", target.metric)
                                : fmt::format("; {}: {} instead of {}", counted_by(target).noun,
                                              number_below(target, *measured), number_below(target, *below));
    break;
  }
  return text;
}

bool of_gpu(const StepResult& step, const std::optional<model::Machine>& machine) {
  if (step.backend == "cuda") return true;
  if (step.backend != "opencl" || !machine) return false;
  return std::any_of(machine->devices.begin(), machine->devices.end(), [&](const model::Device& d) {
    return d.kind == "gpu" && (d.id == step.device || d.name == step.device);
  });
}

std::string not_measured(const std::string& machine) {
  return "*not measured yet on " + machine + "*";
}

std::string on_cpu(const StoredMachine& machine) {
  const auto facts = machine.run ? machine.run->results.machine : std::nullopt;
  const bool gpu = facts && std::any_of(facts->devices.begin(), facts->devices.end(),
                                        [](const model::Device& d) { return d.kind == "gpu"; });
  return gpu ? "CPU of the " + machine.name + " machine" : machine.name;
}

std::string ranges_of(const std::vector<std::string>& names) {
  std::string text, first, last;
  const auto close = [&] {
    if (first.empty()) return;
    text += (text.empty() ? "" : ", ") + first + (first == last ? "" : " to " + last);
  };
  for (const std::string& name : names) {
    const std::string id = id_of(name);
    if (last.empty() || id != fmt::format("{}{}", last[0], std::stoi(last.substr(1)) + 1))
      close(), first = id;
    last = id;
  }
  close();
  return text;
}

}  // namespace ladder::report
