/// @file
/// A profile as a page.

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "common/base/text/numbers.hpp"
#include "common/report/figures/kernel_figures.hpp"
#include "common/report/html/html.hpp"
#include "common/report/results/profile.hpp"
#include "common/report/text/table.hpp"
#include "common/trace/access_text.hpp"
#include "common/trace/ncu.hpp"

namespace ladder::report {
namespace {

constexpr std::size_t max_kernels = 6;

void add_summary(HtmlPage& page, const Profile& p) {
  if (const std::string limit = limit_sentence(p); !limit.empty()) page.paragraph("What limits it: " + limit);
  std::vector<std::pair<std::string, std::string>> facts = {
      {"Problem", p.problem}, {"Observed on", p.place}, {"Seen as", p.device.name}};
  if (p.target) facts.emplace_back("Target", target_sentence(*p.target));
  for (const PredictedNumber& said : p.predictions)
    facts.emplace_back("Prediction", prediction_sentence(said));
  facts.emplace_back("Incomplete", p.observation.incomplete);
  facts.emplace_back("Summed", p.observation.summed);
  facts.emplace_back("No hardware", p.no_hardware);
  facts.emplace_back("Again", p.again);
  page.facts(facts);
}

void add_findings(HtmlPage& page, const Profile& p) {
  if (p.observation.findings.empty()) return;
  page.heading("Findings");
  for (const Finding& f : p.observation.findings)
    page.paragraph(
        fmt::format("{}:{}: {}: {} {}", f.site.file, f.site.line, f.severity, f.message, f.meaning));
}

void add_timeline(HtmlPage& page, const Profile& p) {
  if (!p.trace || p.trace->events.empty()) return;
  TimelineFigure figure = timeline_of(*p.trace, !p.trace_device.empty());
  figure.caption.corner = p.corner;
  page.heading("Timeline").figure(timeline(figure));
  if (p.trace_device.empty())
    page.note(
        "The executor runs on a processor: its times are not a GPU's. Operations are here in the order of "
        "their dependencies, "
        "each as long as its stated cost (4 µs and 1 ns a thread for a kernel; 10 µs and 1 s for 25 GB for a "
        "copy), the same on every machine.");
}

void add_counters(HtmlPage& page, const Profile& p, const std::vector<KernelGroup>& groups) {
  page.heading("Counters");
  const Observation* hardware = p.hardware ? &*p.hardware : nullptr;
  for (std::size_t i = 0; i < groups.size() && i < max_kernels; ++i) {
    const KernelGroup& g = groups[i];
    std::vector<Column> columns = {{"counter"}, {"amount", true}};
    if (hardware) columns.push_back({hardware->device, true});
    columns.push_back({"remark"});
    std::vector<std::vector<std::string>> rows;
    for (const CounterRow& row : counter_rows(g, hardware)) {
      rows.push_back({row.name, row.amount ? amount_text(*row.amount) : "not known"});
      if (hardware) rows.back().push_back(row.hardware ? amount_text(*row.hardware) : "–");
      rows.back().push_back(row.remark);
    }
    page.table(fmt::format("{}, {} launch{}, {}:{}", g.kernel, g.launches, g.launches == 1 ? "" : "es",
                           g.site.file, g.site.line),
               columns, rows);
  }
  if (hardware)
    page.note(
        "The executor counts what the source says, ncu what the compiler made of it: unrolled loops have "
        "fewer branches, "
        "neighbouring loads may be merged into fewer requests.");
  if (groups.size() > max_kernels)
    page.note(fmt::format("{} more kernels are in the JSON.", groups.size() - max_kernels));
}

/// The worst lines with two lines of source around each; where two are neighbours their surroundings are one.
void add_source(HtmlPage& page, const Profile& p, const std::vector<LineCounters>& worst) {
  if (worst.empty()) return;
  page.heading(wastes(worst.front()) ? "The lines that waste most"
                                     : "The costliest lines; none wastes anything");
  std::set<std::string> files;
  for (const LineCounters& line : worst) files.insert(line.site.file);
  for (const std::string& file : files) {
    const auto text = p.sources.find(file);
    std::vector<SourceRow> rows;
    std::istringstream lines(text == p.sources.end() ? "" : text->second);
    std::string content;
    int number = 0, last = 0;
    while (std::getline(lines, content)) {
      ++number;
      bool near = false;
      std::string remark;
      for (const LineCounters& line : worst) {
        if (line.site.file != file) continue;
        near = near || std::abs(line.site.line - number) <= 2;
        if (line.site.line == number)
          remark += fmt::format("{}{} {} {}: {}; {}", remark.empty() ? "" : "\n",
                                line.space == "global" ? "device" : line.space, line.operation,
                                line.worst ? line.worst->object : "", cost_text(line), describe(line));
      }
      if (!near) continue;
      if (last > 0 && number > last + 1) rows.push_back({0, "…", "", false});
      rows.push_back({number, content, remark, !remark.empty()});
      last = number;
    }
    if (!rows.empty()) page.listing(file, rows);
    if (text == p.sources.end())
      for (const LineCounters& line : worst)
        if (line.site.file == file)
          page.paragraph(fmt::format("{}:{}  {}: {}. {}", file, line.site.line, line.operation,
                                     cost_text(line), describe(line)));
  }
  for (const LineCounters& line : worst) page.figure(warp_access(line, p.corner));
}

void add_device(HtmlPage& page, const Profile& p, const std::vector<KernelGroup>& groups) {
  page.heading("On " + p.device.name);
  for (std::size_t i = 0; i < groups.size() && i < max_kernels; ++i) {
    page.paragraph(groups[i].kernel + ": " + device_sentence(groups[i], p.device) + ".");
    page.figure(
        waves_figure(shape_of(groups[i].largest), p.device, kernel_base_name(groups[i].kernel), p.corner));
  }
  const LowerBound bound = bound_of(p.observation, p.trace ? &*p.trace : nullptr, p.device, p.known);
  page.paragraph("The whole run: " + bound_sentence(bound) + ".");
}

std::optional<double> operations_of(const Profile& p) {
  return p.known.operations ? p.known.operations : p.observation.sum("fp64_operations");
}

RooflineFigure roofline_of(const Profile& p, double operations, double sectors) {
  const DeviceLimits& d = p.device;
  RooflineFigure figure;
  figure.peak = d.fp64_peak();
  figure.peak_label = fmt::format("FP64 peak {:.3g} TFLOP/s", d.fp64_peak() / 1e12);
  figure.roofs = {{fmt::format("L1, {:.3g} TB/s", d.l1_bandwidth() / 1e12), d.l1_bandwidth(), false},
                  {fmt::format("memory, {:.3g} TB/s", d.memory_bandwidth / 1e12), d.memory_bandwidth, true}};
  const auto point = [&](const std::string& label, double bytes, double bandwidth) {
    const double intensity = operations / bytes;
    figure.points.push_back({label, intensity, attainable(intensity, bandwidth, figure.peak), false});
  };
  point("this run's sectors, through L1", 32 * sectors, d.l1_bandwidth());
  if (p.target && p.target->metric.starts_with("sectors") && p.target->necessary > 0)
    point("the necessary sectors, through L1", 32 * p.target->necessary, d.l1_bandwidth());
  if (p.known.array_bytes && *p.known.array_bytes > 0)
    point("each array once, through memory", *p.known.array_bytes, d.memory_bandwidth);
  const double best = figure.points[0].performance;
  figure.caption.title =
      fmt::format("{}: these sectors allow {} of the FP64 peak", d.name, per_cent(best / figure.peak));
  figure.caption.alternative =
      fmt::format("Roofline of {}: FP64 peak {:.3g} TFLOP/s.", d.name, figure.peak / 1e12);
  for (const auto& pt : figure.points)
    figure.caption.alternative += fmt::format(" {}: {} FLOP per byte, at most {:.3g} TFLOP/s.", pt.label,
                                              short_number(pt.intensity), pt.performance / 1e12);
  figure.caption.corner = p.corner;
  return figure;
}

void add_roofline(HtmlPage& page, const Profile& p) {
  page.heading("Roofline");
  const auto operations = operations_of(p);
  const auto loads = p.observation.sum("global_load_sectors"),
             stores = p.observation.sum("global_store_sectors");
  const double sectors = loads.value_or(0) + stores.value_or(0);
  if (p.device.fp64_peak() <= 0) {
    page.paragraph(fmt::format("No peak of {} is published; name a device, for example --as \"GTX 1660\".",
                               p.device.name));
  } else if (!operations || *operations <= 0) {
    page.paragraph(
        "The number of floating-point operations is not known: neither does the lesson state it, nor were "
        "they counted.");
  } else if (sectors <= 0) {
    page.paragraph(
        "No sector of device memory was asked for, or they were not counted: there is no intensity.");
  } else {
    page.figure(roofline(roofline_of(p, *operations, sectors)));
    page.note(fmt::format(
        "{} double-precision operations, {}. Hollow: the most that the roof above allows, no measurement. "
        "A sector that a cache holds does not reach memory.",
        amount_text(*operations), p.known.operations ? "as the lesson states" : "as counted"));
  }
}

}  // namespace

std::string profile_page(const Profile& p) {
  HtmlPage page(p.title);
  add_summary(page, p);
  add_findings(page, p);
  const auto groups = kernel_groups(p.observation);
  add_source(page, p, worst_lines(p.observation));
  if (!groups.empty()) {
    add_counters(page, p, groups);
    add_device(page, p, groups);
    add_roofline(page, p);
  } else {
    page.paragraph(no_kernels_sentence(p));
  }
  add_timeline(page, p);
  page.note(p.corner);
  return page.text();
}

}  // namespace ladder::report
