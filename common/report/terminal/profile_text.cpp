/// @file
/// A profile for a terminal.

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/numbers.hpp"
#include "common/report/results/profile.hpp"
#include "common/trace/access_text.hpp"
#include "common/trace/metrics.hpp"

namespace ladder::report {
namespace {

std::string extent(const std::array<std::uint32_t, 3>& e) {
  return e[2] > 1   ? fmt::format("{} x {} x {}", e[0], e[1], e[2])
         : e[1] > 1 ? fmt::format("{} x {}", e[0], e[1])
                    : fmt::format("{}", e[0]);
}

std::string group_heading(const KernelGroup& g) {
  const LaunchCounters& l = g.largest;
  std::string text = fmt::format("{}  {}:{}  ", g.kernel, g.site.file, g.site.line);
  text += g.launches == 1
              ? fmt::format("grid {}", extent(l.grid))
              : fmt::format("{} launches of {} to {} blocks", amount_text(static_cast<double>(g.launches)),
                            amount_text(g.blocks[0]), amount_text(g.blocks[1]));
  text += fmt::format(", block {}", extent(l.block));
  if (const auto shared = l.static_shared + l.dynamic_shared; shared > 0)
    text += fmt::format(", {} bytes of shared memory", amount_text(static_cast<double>(shared)));
  if (g.sum.observed_blocks < g.sum.all_blocks())
    text += fmt::format("; counted in {} of {} blocks only",
                        amount_text(static_cast<double>(g.sum.observed_blocks)),
                        amount_text(static_cast<double>(g.sum.all_blocks())));
  return text;
}

std::string counters(const Profile& p, const KernelGroup& group, std::size_t width) {
  const Observation* hardware = p.hardware ? &*p.hardware : nullptr;
  Table table({{"  counter"}, {"amount", true}, {hardware ? hardware->device : "", true}, {"", false, true}});
  for (const CounterRow& row : counter_rows(group, hardware))
    table.add({"  " + row.name, row.amount ? amount_text(*row.amount) : "not known",
               row.hardware ? amount_text(*row.hardware) : "", row.remark});
  return table.empty() ? "" : table.text(width);
}

/// "line 41  A[row * lda + p]   32 sectors per request, ideal 8   lanes 0..31 read …"
std::string lines(const Profile& p, std::size_t width) {
  const auto worst = worst_lines(p.observation);
  if (worst.empty()) return "";
  const bool wasted = wastes(worst.front());
  std::string out = wasted ? "Worst lines, by what they move beyond their ideal\n"
                           : "No line moves more than its requests need; the costliest\n";
  for (const LineCounters& line : worst) {
    const std::string text = source_text(p, line.site);
    const std::string where = fmt::format("line {}", line.site.line);
    out += feedback_block(where, text.empty() ? fmt::format("{}:{}", line.site.file, line.site.line) : text,
                          width, 10);
    out += feedback_block(
        "",
        fmt::format("{} {} {}:  {}   {}", line.space == "global" ? "device memory" : line.space + " memory",
                    line.operation, line.worst ? line.worst->object : "", cost_text(line), describe(line)),
        width, 10);
  }
  return out;
}

/// What the trace says in a line.
std::string trace_line(const Trace& trace) {
  const auto count = [&](auto property) {
    return static_cast<double>(std::count_if(trace.events.begin(), trace.events.end(), property));
  };
  const double kernels = metrics::kernels(trace), bytes = metrics::bytes(trace);
  std::string text = fmt::format(
      "{} kernel{}, {} cop{} ({} bytes to and from the device), {} wait{} of the host", amount_text(kernels),
      kernels == 1 ? "" : "s", amount_text(count([](auto& e) { return e.is_copy(); })),
      count([](auto& e) { return e.is_copy(); }) == 1 ? "y" : "ies", amount_text(bytes),
      amount_text(metrics::waits(trace)), metrics::waits(trace) == 1 ? "" : "s");
  if (kernels > 0)
    text += fmt::format("; longest dependent path {:.0f} % of the sum, each operation at a fixed cost",
                        100 * metrics::chain(trace));
  return text;
}

}  // namespace

std::string profile_text(const Profile& p, std::size_t width) {
  std::string out;
  const auto line = [&](const std::string& text) {
    for (const std::string& part : wrapped(text, width)) out += part + "\n";
  };
  line(fmt::format("{}  {}{}", p.title, p.problem.empty() ? "" : p.problem + ", ", p.place));
  if (const std::string limit = limit_sentence(p); !limit.empty())
    out += feedback_block("Limit", limit, width);
  if (p.target) out += feedback_block("Target", target_sentence(*p.target), width);
  for (const PredictedNumber& said : p.predictions)
    out += feedback_block("Prediction", prediction_sentence(said), width);
  if (!p.observation.incomplete.empty()) out += feedback_block("Incomplete", p.observation.incomplete, width);
  if (!p.observation.summed.empty()) out += feedback_block("Summed", p.observation.summed, width);
  if (!p.no_hardware.empty()) out += feedback_block("No hardware", p.no_hardware, width);
  if (p.trace && !p.trace->events.empty()) out += feedback_block("Trace", trace_line(*p.trace), width);
  const auto groups = kernel_groups(p.observation);
  constexpr std::size_t max_groups = 6;
  for (std::size_t i = 0; i < groups.size() && i < max_groups; ++i) {
    out += "\n";
    line(group_heading(groups[i]));
    out += counters(p, groups[i], width);
    out += feedback_block("  on " + p.device.name, device_sentence(groups[i], p.device), width);
  }
  if (groups.size() > max_groups)
    line(fmt::format("… and {} more kernels: all is in --json", groups.size() - max_groups));
  if (groups.empty()) line(no_kernels_sentence(p));
  if (const std::string worst = lines(p, width); !worst.empty()) out += "\n" + worst;
  out += "\n";
  if (!groups.empty())
    out += feedback_block("Bound",
                          fmt::format("on {} {}", p.device.name,
                                      bound_sentence(bound_of(p.observation, p.trace ? &*p.trace : nullptr,
                                                              p.device, p.known))),
                          width);
  for (const Finding& f : p.observation.findings)
    out += feedback_block(
        "Finding", fmt::format("{}:{}: {}: {}", f.site.file, f.site.line, f.severity, f.message), width);
  return out;
}

}  // namespace ladder::report
